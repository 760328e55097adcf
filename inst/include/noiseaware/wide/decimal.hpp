#pragma once

#include <algorithm>
#include <cstddef>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>
#include <string>

namespace noiseaware {

// Budgets are whole numbers of 1e-12. They are read from the decimal that was
// typed and not from the double it became, so that ten times 0.1 is exactly 1.

constexpr std::size_t unit_digits = 12;
constexpr std::int64_t units_per_one = 1000000000000;

namespace detail {

[[noreturn]] inline void bad_decimal() {
  throw std::invalid_argument("a decimal number looks like 0.1, 12.5 or 1e-3");
}

//! Takes the leading digits off `text`.
inline std::string take_digits(std::string& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::string digits = text.substr(0, end);
  text.erase(0, end);
  return digits;
}

//! Takes an exponent such as e-3 or E+05 off `text`; 0 when there is none.
inline long take_exponent(std::string& text) {
  if (text.empty()) return 0;
  if (text[0] != 'e' && text[0] != 'E') bad_decimal();
  text.erase(0, 1);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.erase(0, 1);
  const std::string digits = take_digits(text);
  if (digits.empty() || digits.size() > 4) bad_decimal();
  const long value = std::stol(digits);
  return negative ? -value : value;
}

//! Text without its leading zeros; "0" when nothing else is there.
inline std::string strip_zeros(const std::string& digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string::npos ? "0" : digits.substr(first);
}

//! The integer part of 0.digits * 10^point.
inline std::string shift_point(const std::string& digits, long point) {
  if (strip_zeros(digits) == "0" || point <= 0) return "0";
  const std::size_t size = static_cast<std::size_t>(point);
  const std::string kept = digits.substr(0, std::min(size, digits.size()));
  const std::string zeros(size - kept.size(), '0');
  return strip_zeros(kept + zeros);
}

}  // namespace detail

//! Largest whole number of 1e-12 not above the decimal in `text`, for example
//! 100000000000 for "0.1". Exact: no floating point is involved.
inline u128 units_from_decimal(std::string text) {
  const std::string whole = detail::take_digits(text);
  std::string fraction;
  if (!text.empty() && text[0] == '.') {
    text.erase(0, 1);
    fraction = detail::take_digits(text);
  }
  if (whole.empty() && fraction.empty()) detail::bad_decimal();
  const long exponent = detail::take_exponent(text);
  if (!text.empty()) detail::bad_decimal();
  const long point = static_cast<long>(whole.size()) + exponent + static_cast<long>(unit_digits);
  return parse_u128(detail::shift_point(whole + fraction, point));
}

//! The shortest decimal of a whole number of 1e-12: "0.1" for 100000000000.
inline std::string decimal_from_units(u128 units) {
  std::string digits = to_decimal(units);
  if (digits.size() <= unit_digits) digits.insert(0, unit_digits + 1 - digits.size(), '0');
  digits.insert(digits.size() - unit_digits, ".");
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

//! x^2, both in units of 1e-12, rounded down.
inline u128 square_units(u128 units) {
  return checked_mul(units, units) / static_cast<u128>(units_per_one);
}

}  // namespace noiseaware
