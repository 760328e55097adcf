#pragma once

#include <cmath>
#include <limits>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>

namespace noiseaware {
namespace detail {

constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kInvSqrt2Pi = 0.39894228040143267794;

//! Below this point the tail is computed from Mills' ratio.
constexpr double kMillsFrom = 3.0;

//! 1 / Mills' ratio for x >= 3: the continued fraction of Laplace,
//!   x + 1/(x + 2/(x + 3/(x + ...))),
//! cut where the remainder is below 1e-17 (found by evaluation in 40 digits).
inline double inverse_mills(double x) {
  double t = x;
  for (int k = 12 + static_cast<int>(460.0 / (x * x)); k >= 1; --k) t = x + k / t;
  return t;
}

//! Standard normal density. exp(-x^2/2) alone would turn the rounding of x^2
//! into a relative error of x^2 eps; x is split so that x0^2 is exact.
inline double normal_density(double x) {
  const double x0 = std::trunc(x * 16.0) / 16.0;
  return kInvSqrt2Pi * std::exp(-0.5 * x0 * x0) * std::exp(-0.5 * (x - x0) * (x + x0));
}

}  // namespace detail

//! P(Z <= x) for a standard normal Z; any x but NaN. Accurate in relative terms
//! down to the smallest normal double.
inline double normal_cdf(double x) {
  detail::require_number(x, "x");
  if (x > -detail::kMillsFrom) return 0.5 * std::erfc(-x * detail::kSqrtHalf);
  // exp underflows long before: spares Inf - Inf in the density.
  if (x < -40.0) return 0.0;
  return detail::normal_density(x) / detail::inverse_mills(-x);
}

//! log P(Z <= x); any x but NaN. Follows -x^2/2 into the far tail, where the
//! probability itself underflows.
inline double log_normal_cdf(double x) {
  detail::require_number(x, "x");
  if (x > 0.0) return std::log1p(-normal_cdf(-x));
  if (x > -detail::kMillsFrom) return std::log(0.5 * std::erfc(-x * detail::kSqrtHalf));
  return -0.5 * x * x - detail::kLogSqrt2Pi - std::log(detail::inverse_mills(-x));
}

//! log of Mills' ratio (1 - cdf(x)) / density(x); finite x.
inline double log_mills_ratio(double x) {
  detail::require_finite(x, "x");
  if (x >= detail::kMillsFrom) return -std::log(detail::inverse_mills(x));
  return log_normal_cdf(-x) + 0.5 * x * x + detail::kLogSqrt2Pi;
}

namespace detail {

//! Ratio of two polynomials of degree 7, coefficients from the constant term up.
inline double rational7(const double (&num)[8], const double (&den)[8], double r) {
  double p = num[7];
  double q = den[7];
  for (int k = 6; k >= 0; --k) {
    p = p * r + num[k];
    q = q * r + den[k];
  }
  return p / q;
}

//! PPND16 of Wichura (1988), |p - 1/2| <= 0.425.
inline double quantile_centre(double q) {
  constexpr double a[] = {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                          1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                          3.3430575583588128105e4, 2.5090809287301226727e3};
  constexpr double b[] = {1.0,
                          4.2313330701600911252e1,
                          6.8718700749205790830e2,
                          5.3941960214247511077e3,
                          2.1213794301586595867e4,
                          3.9307895800092710610e4,
                          2.8729085735721942674e4,
                          5.2264952788528545610e3};
  return q * rational7(a, b, 0.180625 - q * q);
}

//! PPND16, upper tail, as a function of r = sqrt(-log(tail probability)).
inline double quantile_tail(double r) {
  constexpr double c[] = {1.42343711074968357734e0,  4.63033784615654529590e0,
                          5.76949722146069140550e0,  3.64784832476320460504e0,
                          1.27045825245236838258e0,  2.41780725177450611770e-1,
                          2.27238449892691845833e-2, 7.74545014278341407640e-4};
  constexpr double d[] = {1.0,
                          2.05319162663775882187e0,
                          1.67638483018380384940e0,
                          6.89767334985100004550e-1,
                          1.48103976427480074590e-1,
                          1.51986665636164571966e-2,
                          5.47593808499534494600e-4,
                          1.05075007164441684324e-9};
  constexpr double e[] = {6.65790464350110377720e0,  5.46378491116411436990e0,
                          1.78482653991729133580e0,  2.96560571828504891230e-1,
                          2.65321895265761230930e-2, 1.24266094738807843860e-3,
                          2.71155556874348757815e-5, 2.01033439929228813265e-7};
  constexpr double f[] = {1.0,
                          5.99832206555887937690e-1,
                          1.36929880922735805310e-1,
                          1.48753612908506148525e-2,
                          7.86869131145613259100e-4,
                          1.84631831751005468180e-5,
                          1.42151175831644588870e-7,
                          2.04426310338993978564e-15};
  return r <= 5.0 ? rational7(c, d, r - 1.6) : rational7(e, f, r - 5.0);
}

}  // namespace detail

//! Standard normal quantile, 0 <= p <= 1: algorithm AS 241 of Wichura (1988),
//! relative error about 1e-16. The ends give -Inf and Inf.
inline double normal_quantile(double p) {
  detail::require_probability(p, "p");
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return detail::quantile_centre(q);
  const double tail = q < 0.0 ? p : 1.0 - p;
  const double x = tail == 0.0 ? std::numeric_limits<double>::infinity()
                               : detail::quantile_tail(std::sqrt(-std::log(tail)));
  return q < 0.0 ? -x : x;
}

}  // namespace noiseaware
