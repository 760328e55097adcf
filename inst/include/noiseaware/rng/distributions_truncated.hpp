#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/distributions_basic.hpp>

namespace noiseaware {
namespace detail {

//! Distance d beyond the point a >= 0 of a standard normal known to lie in
//! [a, a + width]: density proportional to exp(-a d - d^2/2). Working with the
//! distance keeps all its digits where a + d would round to a.
//!
//! Proposals: uniform if the interval is narrow (acceptance above 0.6), else
//! the exponential of Robert (1995), "Simulation of truncated normal variables",
//! with rate = (a + sqrt(a^2 + 4))/2; there a + d - rate = (e - 1)/rate for the
//! standard exponential e, again without a subtraction.
template <class Rng>
double normal_tail_distance(Rng& rng, double a, double width) {
  const double rate = 0.5 * (a + std::sqrt(a * a + 4.0));
  if (width * rate < 1.0) {
    for (;;) {
      const double d = width * uniform01(rng);
      if (exponential1(rng) >= d * (a + 0.5 * d)) return d;
    }
  }
  for (;;) {
    const double e = exponential1(rng);
    const double s = (e - 1.0) / rate;
    const bool accepted = exponential1(rng) >= 0.5 * s * s;
    if (accepted && e / rate <= width) return e / rate;
  }
}

//! Standard normal in [a, b] with a < 0 < b.
template <class Rng>
double normal_around_zero(Rng& rng, double a, double b) {
  constexpr double sqrt_2pi = 2.50662827463100050242;
  for (;;) {
    if (b - a > sqrt_2pi) {
      const double x = normal01(rng);
      if (x >= a && x <= b) return x;
    } else {
      const double x = a + (b - a) * uniform01(rng);
      if (exponential1(rng) >= 0.5 * x * x) return x;
    }
  }
}

}  // namespace detail

//! Normal(mean, sd) given that it lies in [lower, upper]; either end may be
//! infinite, and the interval may be any distance from the mean. The result is
//! always inside the interval. About half of the proposals are accepted at worst.
template <class Rng>
double truncated_normal(Rng& rng, double mean, double sd, double lower, double upper) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  detail::require_finite(mean, "truncated_normal mean");
  detail::require_positive(sd, "truncated_normal sd");
  detail::require(lower < inf, "truncated_normal lower", lower, "a number below Inf");
  detail::require(upper > -inf, "truncated_normal upper", upper, "a number above -Inf");
  detail::require(lower <= upper, "truncated_normal lower", lower, "at most upper");
  if (lower == upper) return lower;
  const double a = (lower - mean) / sd;
  const double b = (upper - mean) / sd;
  const double width = (upper - lower) / sd;
  double x = 0.0;
  if (a >= 0.0)
    x = lower + sd * detail::normal_tail_distance(rng, a, width);
  else if (b <= 0.0)
    x = upper - sd * detail::normal_tail_distance(rng, -b, width);
  else
    x = mean + sd * detail::normal_around_zero(rng, a, b);
  return std::min(std::max(x, lower), upper);
}

//! Standard normal given that it lies in [lower, upper].
template <class Rng>
double truncated_normal(Rng& rng, double lower, double upper) {
  return truncated_normal(rng, 0.0, 1.0, lower, upper);
}

}  // namespace noiseaware
