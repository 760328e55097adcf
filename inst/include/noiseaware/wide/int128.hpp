#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

namespace noiseaware {

//! Exact sums live in 128 bits: 2^41 per record leaves room for 2^86 records.
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

//! Decimal digits of an unsigned 128-bit integer.
inline std::string to_decimal(u128 x) {
  if (x == 0) return "0";
  std::string digits;
  for (; x != 0; x /= 10) digits += static_cast<char>('0' + static_cast<int>(x % 10));
  std::reverse(digits.begin(), digits.end());
  return digits;
}

inline std::string to_decimal(i128 x) {
  if (x >= 0) return to_decimal(static_cast<u128>(x));
  // Negating the most negative value overflows; its unsigned complement does not.
  return "-" + to_decimal(~static_cast<u128>(x) + 1);
}

//! Parses `0` or digits without a leading zero, 38 at the most. Anything else
//! throws: the text may come from an untrusted file.
inline u128 parse_u128(const std::string& text) {
  const bool canonical = !text.empty() && text.size() <= 38 && (text.size() == 1 || text[0] != '0');
  if (!canonical) throw std::invalid_argument("integer must be 1 to 38 decimal digits");
  u128 x = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') throw std::invalid_argument("integer must be decimal digits only");
    x = x * 10 + static_cast<u128>(c - '0');
  }
  return x;
}

//! As parse_u128(), with an optional minus sign; `-0` is refused.
inline i128 parse_i128(const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  const u128 magnitude = parse_u128(negative ? text.substr(1) : text);
  if (negative && magnitude == 0) throw std::invalid_argument("integer must not be -0");
  return negative ? -static_cast<i128>(magnitude) : static_cast<i128>(magnitude);
}

//! Nearest double; for display and for the analyst's side, never for noise.
inline double to_double(i128 x) { return static_cast<double>(x); }

//! Smallest integer not below a / b.
inline u128 ceil_div(u128 a, u128 b) {
  if (b == 0) throw std::invalid_argument("division by zero");
  return a / b + (a % b != 0 ? 1 : 0);
}

//! a * b, or an exception: a wrapped product would mean too little noise.
inline u128 checked_mul(u128 a, u128 b) {
  if (a != 0 && b > ~static_cast<u128>(0) / a) throw std::domain_error("integer overflow");
  return a * b;
}

}  // namespace noiseaware
