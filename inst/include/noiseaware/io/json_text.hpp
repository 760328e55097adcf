#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace noiseaware {

//! Members of a flat JSON object whose values are all strings, in order.
using JsonMembers = std::vector<std::pair<std::string, std::string>>;

namespace detail {

//! Decodes the UTF-8 character at `at` and steps over it. Overlong forms,
//! surrogates and anything past U+10FFFF throw (RFC 3629).
inline std::uint32_t next_code_point(const std::string& text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at++);
  if (lead < 0x80) return lead;
  const int extra = lead < 0xc2 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf5 ? 3 : 0;
  if (extra == 0) throw std::invalid_argument("text is not valid UTF-8");
  std::uint32_t code = lead & (0x3fu >> extra);
  for (int i = 0; i < extra; ++i, ++at) {
    if (at >= text.size() || (byte(at) & 0xc0) != 0x80)
      throw std::invalid_argument("text is not valid UTF-8");
    code = (code << 6) | (byte(at) & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < least[extra] || code > 0x10ffff || surrogate)
    throw std::invalid_argument("text is not valid UTF-8");
  return code;
}

}  // namespace detail

//! Throws unless the text is UTF-8 without control characters (C0, DEL, C1), so
//! that it cannot break a line or drive a terminal.
inline void require_printable(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t code = detail::next_code_point(text, at);
    if (code < 0x20 || (code >= 0x7f && code < 0xa0))
      throw std::invalid_argument("text must not contain control characters");
  }
}

//! A JSON string. Printable UTF-8 needs no escape but for `"` and `\`.
inline std::string quote_json(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

//! The one canonical spelling: no white space, members in the order given.
inline std::string format_members(const JsonMembers& members) {
  std::string out;
  for (const auto& member : members)
    out += (out.empty() ? "{" : ",") + quote_json(member.first) + ":" + quote_json(member.second);
  return out + "}";
}

namespace detail {

inline void expect_char(const std::string& text, std::size_t& at, char c) {
  if (at >= text.size() || text[at] != c) throw std::invalid_argument("text is not canonical JSON");
  ++at;
}

inline std::string parse_quoted(const std::string& text, std::size_t& at) {
  std::string out;
  expect_char(text, at, '"');
  for (; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
    if (at < text.size()) out += text[at];
  }
  expect_char(text, at, '"');
  return out;
}

}  // namespace detail

//! Reads what format_members() writes and throws on everything else: the text
//! is accepted only if writing its members again gives the same bytes.
inline JsonMembers parse_members(const std::string& text) {
  JsonMembers members;
  std::size_t at = 0;
  do {
    detail::expect_char(text, at, members.empty() ? '{' : ',');
    std::string key = detail::parse_quoted(text, at);
    detail::expect_char(text, at, ':');
    std::string value = detail::parse_quoted(text, at);
    members.emplace_back(std::move(key), std::move(value));
  } while (at < text.size() && text[at] == ',');
  if (format_members(members) != text) throw std::invalid_argument("text is not canonical JSON");
  return members;
}

}  // namespace noiseaware
