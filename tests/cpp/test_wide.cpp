#include <cstdint>
#include <noiseaware/wide/decimal.hpp>
#include <noiseaware/wide/int128.hpp>
#include <noiseaware/wide/product.hpp>
#include <stdexcept>
#include <string>

#include "catch_int128.hpp"

using noiseaware::ceil_div;
using noiseaware::checked_mul;
using noiseaware::decimal_from_units;
using noiseaware::i128;
using noiseaware::parse_i128;
using noiseaware::parse_u128;
using noiseaware::product_at_least;
using noiseaware::to_decimal;
using noiseaware::u128;
using noiseaware::units_from_decimal;

namespace {

const u128 largest = ~static_cast<u128>(0);
const i128 smallest = static_cast<i128>(static_cast<u128>(1) << 127);

}  // namespace

TEST_CASE("128-bit integers print all their digits") {
  CHECK(to_decimal(largest) == "340282366920938463463374607431768211455");
  CHECK(to_decimal(smallest) == "-170141183460469231731687303715884105728");
  CHECK(to_decimal(static_cast<u128>(0)) == "0");
  CHECK(to_decimal(static_cast<i128>(-1)) == "-1");
  CHECK(to_decimal(static_cast<i128>(10)) == "10");
}

TEST_CASE("parsing inverts printing") {
  for (const std::string text :
       {"0", "1", "-1", "18446744073709551616", "-9223372036854775809",
        "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999"})
    CHECK(to_decimal(parse_i128(text)) == text);
  CHECK(to_decimal(parse_u128("12345678901234567890123456789")) == "12345678901234567890123456789");
}

TEST_CASE("text that is not a canonical integer is refused") {
  for (const std::string text : {"", "-", "-0", "00", "01", "+1", " 1", "1 ", "1.0", "1e3", "0x1",
                                 "--1", "12a", "100000000000000000000000000000000000000"})
    CHECK_THROWS_AS(parse_i128(text), std::invalid_argument);
  CHECK_THROWS_AS(parse_u128("-1"), std::invalid_argument);
}

TEST_CASE("conversion to double rounds to nearest") {
  CHECK(noiseaware::to_double(static_cast<i128>(1) << 100) == 0x1p100);
  CHECK(noiseaware::to_double(-((static_cast<i128>(1) << 53) + 1)) == -0x1p53);
}

TEST_CASE("division rounds up and multiplication does not wrap") {
  CHECK(ceil_div(7, 2) == 4);
  CHECK(ceil_div(8, 2) == 4);
  CHECK(ceil_div(0, 3) == 0);
  CHECK(ceil_div(largest, largest - 1) == 2);
  CHECK_THROWS_AS(ceil_div(1, 0), std::invalid_argument);
  CHECK(checked_mul(static_cast<u128>(1) << 64, (static_cast<u128>(1) << 63)) ==
        static_cast<u128>(1) << 127);
  CHECK(checked_mul(0, largest) == 0);
  CHECK_THROWS_AS(checked_mul(static_cast<u128>(1) << 64, static_cast<u128>(1) << 64),
                  std::domain_error);
}

TEST_CASE("products compare exactly beyond 128 bits") {
  const u128 two64 = static_cast<u128>(1) << 64;
  CHECK(product_at_least({6, 7}, {42}));
  CHECK(product_at_least({6, 7}, {41}));
  CHECK_FALSE(product_at_least({6, 7}, {43}));
  CHECK(product_at_least({}, {1}));
  // (2^64 - 1)(2^64 + 1) = 2^128 - 1 < 2^128 = 2^64 2^64
  CHECK(product_at_least({two64 - 1, two64 + 1}, {largest}));
  CHECK(product_at_least({largest}, {two64 - 1, two64 + 1}));
  CHECK_FALSE(product_at_least({two64 - 1, two64 + 1}, {two64, two64}));
  // (2^128 - 1)^2 = (2^128 - 2) 2^128 + 1: off by one in the last of 256 bits
  CHECK(product_at_least({largest, largest}, {largest - 1, two64, two64}));
  CHECK_FALSE(product_at_least({largest - 1, two64, two64}, {largest, largest}));
  CHECK(product_at_least({largest, largest, largest, largest}, {largest, largest, largest}));
}

TEST_CASE("products of more than 512 bits are refused") {
  const u128 two64 = static_cast<u128>(1) << 64;
  CHECK_THROWS_AS(product_at_least({largest, largest, largest, largest, 2}, {1}),
                  std::domain_error);
  CHECK_THROWS_AS(product_at_least({two64, two64, two64, two64, two64, two64, two64, two64}, {1}),
                  std::domain_error);
  CHECK_THROWS_AS(noiseaware::detail::add({0, 0, 0, 0, 0, 0, 0, ~0ull}, {0, 0, 0, 0, 0, 0, 0, 1}),
                  std::domain_error);
}

TEST_CASE("decimals are read exactly as they are written") {
  const auto units = [](const std::string& text) { return to_decimal(units_from_decimal(text)); };
  CHECK(units("0.1") == "100000000000");
  CHECK(units("1e-3") == "1000000000");
  CHECK(units("12.5") == "12500000000000");
  CHECK(units("1e+05") == "100000000000000000");
  CHECK(units("2.5E2") == "250000000000000");
  CHECK(units(".5") == "500000000000");
  CHECK(units("3.") == "3000000000000");
  CHECK(units("007") == "7000000000000");
  CHECK(units("0") == "0");
  CHECK(units("0.000e9") == "0");
  CHECK(units("0e9999") == "0");
}

TEST_CASE("decimals are rounded down to a multiple of 1e-12") {
  const auto units = [](const std::string& text) { return to_decimal(units_from_decimal(text)); };
  CHECK(units("0.1234567890129") == "123456789012");
  CHECK(units("9.999999999999999") == "9999999999999");
  CHECK(units("9e-13") == "0");
  CHECK(units("1e-12") == "1");
  CHECK(units("1e-9999") == "0");
  CHECK(units("0.00000000000199999") == "1");
}

TEST_CASE("text that is not a decimal is refused") {
  for (const std::string text : {"", ".", "-1", "+1", "1,5", "1e", "1e+", "e3", "1e12345", "1.2.3",
                                 "0x10", "Inf", "NaN", " 1", "1 ", "1e3x"})
    CHECK_THROWS_AS(units_from_decimal(text), std::invalid_argument);
  CHECK_THROWS_AS(units_from_decimal("1e30"), std::invalid_argument);
  // Refused before a string of that many zeros is made.
  CHECK_THROWS_WITH(units_from_decimal("1e12345"), Catch::Contains("looks like"));
}

TEST_CASE("units print as the shortest decimal") {
  CHECK(decimal_from_units(100000000000) == "0.1");
  CHECK(decimal_from_units(1) == "0.000000000001");
  CHECK(decimal_from_units(1000000000000) == "1");
  CHECK(decimal_from_units(10000000000000) == "10");
  CHECK(decimal_from_units(12500000000000) == "12.5");
  CHECK(decimal_from_units(0) == "0");
  for (const std::string text : {"0.1", "123.456", "0.000000000001", "1000000", "7"})
    CHECK(decimal_from_units(units_from_decimal(text)) == text);
}

TEST_CASE("a square in units is rounded down") {
  using noiseaware::square_units;
  CHECK(square_units(1000000000000) == 1000000000000);
  CHECK(square_units(100000000000) == 10000000000);  // 0.1^2 = 0.01
  CHECK(square_units(1999999) == 3);                 // 3.999996e-12
  CHECK(square_units(999999) == 0);
  CHECK_THROWS_AS(square_units(static_cast<u128>(1) << 64), std::domain_error);
}
