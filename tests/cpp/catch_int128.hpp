#pragma once

#include <catch.h>

#include <noiseaware/wide/int128.hpp>
#include <string>

// Catch prints what it compares, and streams have no 128-bit integers.
namespace Catch {

template <>
struct StringMaker<noiseaware::u128> {
  static std::string convert(noiseaware::u128 x) { return noiseaware::to_decimal(x); }
};

template <>
struct StringMaker<noiseaware::i128> {
  static std::string convert(noiseaware::i128 x) { return noiseaware::to_decimal(x); }
};

}  // namespace Catch
