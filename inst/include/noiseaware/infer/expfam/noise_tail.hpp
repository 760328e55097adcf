#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/math/normal.hpp>
#include <noiseaware/math/special.hpp>

// Sums over the steps of noise on a grid: its normaliser and its distribution
// function, which is the likelihood of a count that was suppressed.

namespace noiseaware {
namespace detail {

//! log of sum_k exp(-(k / ratio)^2 / 2) over all integers k. The sum converges
//! fast for small ratios; for large ones its Poisson sum does, which is
//! ratio sqrt(2 pi) sum_k exp(-2 pi^2 ratio^2 k^2).
inline double log_theta_sum(double ratio) {
  const bool wide = ratio > 0.4;
  const double rate = wide ? 2.0 * 9.86960440108935861883 * ratio * ratio : 0.5 / (ratio * ratio);
  double tail = 0.0;
  for (int k = 1; k <= 40; ++k) {
    const double term = std::exp(-rate * k * k);
    tail += term;
    if (term < 1e-20) break;
  }
  const double log_sum = std::log1p(2.0 * tail);
  return wide ? log_sum + std::log(ratio) + kLogSqrt2Pi : log_sum;
}

//! Whether x is a whole number up to the rounding of the values it came from.
inline bool is_whole(double x) {
  const double slack = 1e-6 + 4.0 * std::numeric_limits<double>::epsilon() * std::abs(x);
  return std::abs(x - std::nearbyint(x)) <= std::min(slack, 0.25);
}

//! The last whole number strictly below x, up to the rounding of x.
inline double steps_below(double x) {
  return (is_whole(x) ? std::nearbyint(x) : std::floor(x) + 1.0) - 1.0;
}

//! log P(X <= x) of the standard Laplace distribution.
inline double log_laplace_cdf(double x) {
  const double log_half = -0.69314718055994530942;
  return x < 0.0 ? log_half + x : std::log1p(-0.5 * std::exp(-x));
}

//! log P(K <= last), P(K = k) proportional to exp(-rate |k|):
//!   a^|last| / (1 + a) below 0 and 1 - a^(last + 1) / (1 + a) from 0 on,
//! with a = exp(-rate).
inline double log_laplace_steps(double last, double rate) {
  const double log_sum = std::log1p(std::exp(-rate));
  if (last < 0.0) return rate * last - log_sum;
  return log1m_exp(rate * (last + 1.0) + log_sum);
}

//! log of sum_{j >= 0} exp(-((from + j) / ratio)^2 / 2) for from > 0, added up
//! relative to its first term. Neighbouring terms have ratios that fall by the
//! constant factor exp(-1 / ratio^2).
inline double log_gaussian_tail_sum(double from, double ratio) {
  const double shrink = std::exp(-1.0 / (ratio * ratio));
  double quotient = std::exp(-(from + 0.5) / (ratio * ratio));
  double term = 1.0, sum = 1.0;
  while (term > 1e-18 * sum) {
    sum += term *= quotient;
    quotient *= shrink;
  }
  return std::log(sum) - 0.5 * (from / ratio) * (from / ratio);
}

//! The same by the midpoint form of the Euler-Maclaurin formula at from - 1/2:
//! with x = (from - 1/2) / ratio, tail Q(x), density phi(x) and Hermite He_j(x),
//!   ratio sqrt(2 pi) [Q + phi (-He_1/(24 r^2) + 7 He_3/(5760 r^4) - ...)].
//! The next term is below 1e-13 of the sum where it is used.
inline double log_gaussian_tail_integral(double from, double ratio) {
  const double x = (from - 0.5) / ratio, h = 1.0 / (ratio * ratio);
  const double he3 = x * (x * x - 3.0);
  const double he5 = x * (x * x * (x * x - 10.0) + 15.0);
  const double he7 = x * (x * x * (x * x * (x * x - 21.0) + 105.0) - 105.0);
  const double series =
      h * (-x / 24.0 +
           h * (7.0 * he3 / 5760.0 + h * (-31.0 * he5 / 967680.0 + h * 127.0 * he7 / 154828800.0)));
  return std::log(ratio) + kLogSqrt2Pi + log_normal_cdf(-x) +
         std::log1p(series * std::exp(-log_mills_ratio(x)));
}

//! log P(K <= last), P(K = k) proportional to exp(-(k / ratio)^2 / 2).
inline double log_gaussian_steps(double last, double ratio) {
  const bool lower = last < 0.0;
  const double from = lower ? -last : last + 1.0;  // the smaller tail, by symmetry
  const bool smooth = ratio >= 20.0 && from <= 0.25 * ratio * ratio;
  const double tail =
      (smooth ? log_gaussian_tail_integral(from, ratio) : log_gaussian_tail_sum(from, ratio)) -
      log_theta_sum(ratio);
  return lower ? tail : log1m_exp(-tail);
}

}  // namespace detail
}  // namespace noiseaware
