#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace noiseaware {

// Public bounds of what a row-wise function can give, from the public bounds of
// its arguments. Addition, subtraction, multiplication, division and square root
// are correctly rounded, hence monotone in each argument wherever the exact
// function is: the extremes of the computed values are the computed values at the
// ends, and no outward rounding is needed. Logarithms and exponentials come from
// a library that promises no such thing; see DerivedColumn for what follows.

//! A closed interval with finite ends.
struct PublicBounds {
  double lower, upper;

  bool contains(double x) const { return lower <= x && x <= upper; }
  double clamp(double x) const { return x < lower ? lower : (x > upper ? upper : x); }
};

namespace interval {

//! Refuses bounds that overflow.
inline PublicBounds finite(double lower, double upper) {
  if (!(std::isfinite(lower) && std::isfinite(upper)))
    throw std::domain_error("a value can be too large for a number");
  return {lower, upper};
}

//! The hull of four values: extremes of a function that is monotone in each of
//! two arguments are at the corners.
inline PublicBounds hull(double a, double b, double c, double d) {
  return finite(std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d)));
}

inline PublicBounds add(PublicBounds x, PublicBounds y) {
  return finite(x.lower + y.lower, x.upper + y.upper);
}

inline PublicBounds subtract(PublicBounds x, PublicBounds y) {
  return finite(x.lower - y.upper, x.upper - y.lower);
}

inline PublicBounds multiply(PublicBounds x, PublicBounds y) {
  return hull(x.lower * y.lower, x.lower * y.upper, x.upper * y.lower, x.upper * y.upper);
}

inline PublicBounds divide(PublicBounds x, PublicBounds y) {
  if (y.contains(0.0)) throw std::domain_error("the bounds of a divisor contain 0");
  return hull(x.lower / y.lower, x.lower / y.upper, x.upper / y.lower, x.upper / y.upper);
}

inline PublicBounds negate(PublicBounds x) { return {-x.upper, -x.lower}; }

inline PublicBounds absolute(PublicBounds x) {
  const double low = std::fabs(x.lower), high = std::fabs(x.upper);
  return {x.contains(0.0) ? 0.0 : std::min(low, high), std::max(low, high)};
}

//! x^k for a whole k of at least 1, by repeated multiplication: monotone in |x|
//! and of the sign of the exact power, factor by factor.
inline double whole_power(double x, int k) {
  double power = x;
  for (int i = 1; i < k; ++i) power *= x;
  return power;
}

inline PublicBounds power(PublicBounds x, int k) {
  const PublicBounds base = k % 2 == 0 ? absolute(x) : x;
  return finite(whole_power(base.lower, k), whole_power(base.upper, k));
}

inline PublicBounds minimum(PublicBounds x, PublicBounds y) {
  return {std::min(x.lower, y.lower), std::min(x.upper, y.upper)};
}

inline PublicBounds maximum(PublicBounds x, PublicBounds y) {
  return {std::max(x.lower, y.lower), std::max(x.upper, y.upper)};
}

//! An increasing function that is defined above `least` (at it, if `closed`).
template <class Function>
PublicBounds increasing(PublicBounds x, Function f, double least, bool closed,
                        const char* undefined) {
  const bool defined = closed ? x.lower >= least : x.lower > least;
  if (!defined) throw std::domain_error(undefined);
  return finite(f(x.lower), f(x.upper));
}

}  // namespace interval
}  // namespace noiseaware
