#include <catch.h>

#include <noiseaware/io/json_text.hpp>
#include <string>

using namespace noiseaware;

TEST_CASE("members survive a round trip, escapes included") {
  const JsonMembers members{{"a", ""}, {"b", "say \"hi\" \\ bye"}, {"c", "Z\xc3\xbcrich {}:,"}};
  const std::string text = format_members(members);
  CHECK(text == R"({"a":"","b":"say \"hi\" \\ bye","c":"Z)"
                "\xc3\xbc"
                R"(rich {}:,"})");
  CHECK(parse_members(text) == members);
}

TEST_CASE("only the canonical spelling is read") {
  const std::string good = R"({"a":"1","b":"2"})";
  CHECK_NOTHROW(parse_members(good));
  for (const std::string bad :
       {R"()", R"({})", R"({"a":"1" ,"b":"2"})", R"({ "a":"1","b":"2"})", R"({"a":"1","b":"2"} )",
        R"({"a":"1","b":"2",})", R"({"a":1})", R"({"a":"\u0031"})", R"({"a":"\n"})", R"({"a":"1)",
        R"({"a":"1\)", R"({"a":"1"}{"a":"1"})", R"(["a"])", R"({"a":"1","b")",
        R"({"a":{"b":"1"}})"})
    CHECK_THROWS_AS(parse_members(bad), std::invalid_argument);
  for (std::size_t keep = 0; keep < good.size(); ++keep)
    CHECK_THROWS_AS(parse_members(good.substr(0, keep)), std::invalid_argument);
}

TEST_CASE("printable text is UTF-8 without control characters") {
  // The limits of RFC 3629: U+00A0, U+07FF, U+0800, U+D7FF, U+E000, U+10000, U+10FFFF.
  for (const std::string good :
       {"", "adults of canton Vaud 2026", "\xc2\xa0", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
        "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"})
    CHECK_NOTHROW(require_printable(good));
  // Tab, newline, DEL, C1, stray and missing continuation, overlong forms of
  // '/' and U+07FF, surrogate U+D800, past U+10FFFF, bytes that never occur.
  for (const std::string bad :
       {"a\tb", "a\n", "\x7f", "\xc2\x85", "\x80", "\xc3", "\xe2\x82", "\xc3(", "\xc0\xaf",
        "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xff", "\xf5\x80"})
    CHECK_THROWS_AS(require_printable(bad), std::invalid_argument);
  CHECK_THROWS_AS(require_printable(std::string(1, '\0')), std::invalid_argument);
}
