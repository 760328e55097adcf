#pragma once

#include <cmath>
#include <limits>
#include <noiseaware/math/special.hpp>

// The noise of a sum of noisy counts: a table that adds up to n tells n with the
// noise of all its cells.

namespace noiseaware {
namespace detail {

//! Log density at distance x >= 0 of the sum of m standard Laplace variables, a
//! difference of two Gamma(m) variables:
//!   exp(-x) sum_{k<m} (m-1+k)! / ((m-1)! k! (m-1-k)!) x^(m-1-k) / 2^(m+k)
//! (Kotz, Kozubowski and Podgorski 2001). All terms are positive.
inline double log_laplace_sum(double x, int m) {
  const double log2 = 0.69314718055994530942;
  double sum = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < m; ++k) {
    const int power = m - 1 - k;
    if (power > 0 && x == 0.0) continue;
    const double term = log_gamma(m + k) - log_gamma(m) - log_gamma(k + 1.0) -
                        log_gamma(power + 1.0) - (m + k) * log2 +
                        (power > 0 ? power * std::log(x) : 0.0);
    sum = log_sum_exp(sum, term);
  }
  return sum - x;
}

//! Log probability of |sum| = k for m discrete Laplace variables of the given
//! rate, a difference of two negative binomial counts:
//!   (1-a)^(2m) a^k sum_j C(m-1+j, j) C(m-1+k+j, k+j) a^(2j), a = exp(-rate).
//! The ratio of neighbouring terms is cheap; the sum is rescaled on the way.
inline double log_discrete_laplace_sum(double k, int m, double rate) {
  const double square = std::exp(-2.0 * rate);
  double log_scale = 2.0 * m * log1m_exp(rate) - k * rate + log_choose(m - 1.0 + k, k);
  double term = 1.0, sum = 1.0;
  for (double j = 0.0;; j += 1.0) {
    const double ratio = (m + j) / (j + 1.0) * (m + k + j) / (k + j + 1.0) * square;
    sum += term *= ratio;
    if (ratio < 1.0 && term < 1e-17 * sum * (1.0 - ratio)) break;
    if (sum < 0x1.0p500) continue;
    log_scale += 500.0 * 0.69314718055994530942;
    term *= 0x1.0p-500;
    sum *= 0x1.0p-500;
  }
  return log_scale + std::log(sum);
}

}  // namespace detail
}  // namespace noiseaware
