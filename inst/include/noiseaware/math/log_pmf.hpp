#pragma once

#include <cmath>
#include <limits>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>

// Log probabilities by the saddle-point form of Loader (2000), "Fast and
// accurate computation of binomial probabilities". Factorials of 2^53 have
// logarithms near 3e17: their difference would be noise, this form is not.

namespace noiseaware {
namespace detail {

//! x log(x / mean) + mean - x >= 0 for x >= 0, mean > 0, without cancellation
//! where x is close to the mean.
inline double deviance_part(double x, double mean) {
  if (x == 0.0) return mean;
  const double difference = x - mean;
  if (std::abs(difference) >= 0.1 * (x + mean)) return x * std::log(x / mean) - difference;
  const double v = difference / (x + mean);
  double sum = difference * v;
  double term = 2.0 * x * v;
  // |v| < 0.1, so each term is 100 times smaller than the last.
  for (int j = 1; j <= 10; ++j) {
    term *= v * v;
    sum += term / (2 * j + 1);
  }
  return sum;
}

//! log P(X = k), 0 < p < 1, whole 0 <= k <= n, n >= 1. Loader (2000), eq. (1).
inline double log_binomial_interior(double k, double n, double p) {
  const double q = 1.0 - p;
  const double rest = n - k;
  if (k == 0.0) return n * std::log1p(-p);
  if (rest == 0.0) return n * std::log(p);
  const double stirling = stirling_error(n) - stirling_error(k) - stirling_error(rest);
  const double deviance = deviance_part(k, n * p) + deviance_part(rest, n * q);
  return stirling - deviance - kLogSqrt2Pi + 0.5 * (std::log(n / k) - std::log(rest));
}

//! log P(X = k), mean > 0, whole k >= 0. Loader (2000), eq. (3).
inline double log_poisson_interior(double k, double mean) {
  if (k == 0.0) return -mean;
  return -stirling_error(k) - deviance_part(k, mean) - kLogSqrt2Pi - 0.5 * std::log(k);
}

inline double log_indicator(bool holds) {
  return holds ? 0.0 : -std::numeric_limits<double>::infinity();
}

}  // namespace detail

//! log P(X = k) for X ~ Binomial(n, p): whole 0 <= k <= n <= 2^53, 0 <= p <= 1.
inline double log_binomial_pmf(double k, double n, double p) {
  detail::require_count(n, "n");
  detail::require_count(k, "k");
  detail::require(k <= n, "k", k, "at most n");
  detail::require_probability(p, "p");
  if (p == 0.0) return detail::log_indicator(k == 0.0);
  if (p == 1.0) return detail::log_indicator(k == n);
  return n == 0.0 ? 0.0 : detail::log_binomial_interior(k, n, p);
}

//! log P(X = k) for X ~ Poisson(mean): whole 0 <= k <= 2^53, finite mean >= 0.
inline double log_poisson_pmf(double k, double mean) {
  detail::require_count(k, "k");
  detail::require(std::isfinite(mean) && mean >= 0.0, "mean", mean, "finite and >= 0");
  if (mean == 0.0) return detail::log_indicator(k == 0.0);
  return detail::log_poisson_interior(k, mean);
}

}  // namespace noiseaware
