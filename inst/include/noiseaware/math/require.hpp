#pragma once

#include <cmath>
#include <cstdint>
#include <sstream>
#include <stdexcept>

// Argument checks of the core. They are written so that NaN fails every one of
// them: NaN turns a rejection loop into an endless one that no interrupt can
// reach, so it must be caught on entry.

namespace noiseaware {
namespace detail {

[[noreturn]] inline void refuse(const char* name, double value, const char* condition) {
  std::ostringstream text;
  text.precision(17);
  text << name << " must be " << condition << ", not " << value;
  throw std::invalid_argument(text.str());
}

//! Throws std::invalid_argument naming the argument, the condition and the value.
inline void require(bool ok, const char* name, double value, const char* condition) {
  if (!ok) refuse(name, value, condition);
}

inline void require_finite(double x, const char* name) {
  require(std::isfinite(x), name, x, "finite");
}

inline void require_number(double x, const char* name) {
  require(!std::isnan(x), name, x, "a number");
}

inline void require_probability(double p, const char* name) {
  require(p >= 0.0 && p <= 1.0, name, p, "between 0 and 1");
}

//! Positive parameters of samplers. The floor keeps their reciprocals finite.
inline void require_positive(double x, const char* name) {
  require(std::isfinite(x) && x >= 1e-300, name, x, "finite and at least 1e-300");
}

//! Whole numbers that a double holds exactly.
inline void require_count(double x, const char* name) {
  require(x >= 0.0 && x <= 0x1.0p53 && x == std::floor(x), name, x,
          "a whole number between 0 and 2^53");
}

inline void require_count(std::int64_t x, const char* name) {
  require(x >= 0 && x <= (std::int64_t{1} << 53), name, static_cast<double>(x),
          "a whole number between 0 and 2^53");
}

}  // namespace detail
}  // namespace noiseaware
