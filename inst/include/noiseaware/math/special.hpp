#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/math/require.hpp>
#include <utility>

// Special functions without hidden state: the C library's log-gamma writes the
// global `signgam`, which is a data race between chains.

namespace noiseaware {
namespace detail {

constexpr double kLogSqrt2Pi = 0.91893853320467274178;

//! log Gamma(2 + z) for |z| <= 1/2, from
//!   log Gamma(2 + z) = (1 - euler) z + sum_{k >= 2} (-1)^k (zeta(k) - 1) z^k / k
//! (Abramowitz and Stegun, 6.1.33). The terms shrink like 4^-k, and the factor
//! z keeps full relative accuracy at the zero z = 0.
inline double log_gamma_two_plus(double z) {
  constexpr double c[] = {
      0.42278433509846713939,    0.32246703342411321824,    -0.067352301053198095133,
      0.020580808427784547879,   -0.0073855510286739852663, 0.0028905103307415232858,
      -0.0011927539117032609771, 0.00050966952474304242234, -0.00022315475845357937976,
      9.9457512781808533715e-5,  -4.49262367381331417e-5,   2.0507212775670691553e-5,
      -9.439488275268395904e-6,  4.3748667899074878042e-6,  -2.0392157538013662368e-6,
      9.5514121304074198329e-7,  -4.4924691987645660433e-7, 2.1207184805554665869e-7,
      -1.0043224823968099609e-7, 4.7698101693639805658e-8,  -2.271109460894316491e-8,
      1.0838659214896954091e-8,  -5.1834750419700466551e-9, 2.4836745438024783172e-9,
      -1.1921401405860912074e-9, 5.7313672416788620133e-10, -2.7595228851242331452e-10};
  double sum = 0.0;
  for (int k = static_cast<int>(sizeof(c) / sizeof(c[0])) - 1; k >= 0; --k) sum = c[k] + z * sum;
  return z * sum;
}

//! log Gamma(x) - [(x - 1/2) log x - x + log sqrt(2 pi)] for x >= 10
//! (Abramowitz and Stegun, 6.1.41). Eight terms are exact to 1e-17 there.
inline double stirling_series(double x) {
  constexpr double c[] = {1.0 / 12.0,   -1.0 / 360.0,      1.0 / 1260.0, -1.0 / 1680.0,
                          1.0 / 1188.0, -691.0 / 360360.0, 1.0 / 156.0,  -3617.0 / 122400.0};
  const double r = 1.0 / x;
  const double r2 = r * r;
  double sum = 0.0;
  for (int k = 7; k >= 0; --k) sum = c[k] + r2 * sum;
  return r * sum;
}

//! log Gamma(x) for 1.5 <= x < 10: factors are taken off until 2 + z is left.
inline double log_gamma_middle(double x) {
  double product = 1.0;
  while (x > 2.5) {
    x -= 1.0;
    product *= x;
  }
  return std::log(product) + log_gamma_two_plus(x - 2.0);
}

}  // namespace detail

//! log Gamma(x) for finite x > 0; relative error about 1e-15, also at the zeros
//! 1 and 2. Reentrant. +Inf where the value exceeds the range of double.
inline double log_gamma(double x) {
  detail::require(std::isfinite(x) && x > 0.0, "x", x, "finite and > 0");
  if (x < 0.5) return detail::log_gamma_two_plus(x) - std::log(x) - std::log1p(x);
  if (x < 1.5) return detail::log_gamma_two_plus(x - 1.0) - std::log(x);
  if (x < 10.0) return detail::log_gamma_middle(x);
  return (x - 0.5) * (std::log(x) - 1.0) + (detail::kLogSqrt2Pi - 0.5) + detail::stirling_series(x);
}

namespace detail {

//! Error of Stirling's formula, log Gamma(x) - [(x - 1/2) log x - x + log sqrt(2 pi)].
inline double stirling_error(double x) {
  if (x >= 10.0) return stirling_series(x);
  return log_gamma(x) - (x - 0.5) * std::log(x) + x - kLogSqrt2Pi;
}

}  // namespace detail

//! log B(a, b) for finite a, b > 0. The difference of three log-gammas loses
//! every digit when one argument is large, so Stirling's leading terms are
//! cancelled by hand (DiDonato and Morris 1992, TOMS 708, BETALN).
inline double log_beta(double a, double b) {
  detail::require(std::isfinite(a) && a > 0.0, "a", a, "finite and > 0");
  detail::require(std::isfinite(b) && b > 0.0, "b", b, "finite and > 0");
  if (a > b) std::swap(a, b);
  if (b < 10.0) return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
  const double ratio = a / b;
  const double sum = std::min(a + b, std::numeric_limits<double>::max());
  const double log1p_ratio = std::log1p(ratio);
  const double correction = detail::stirling_series(b) - detail::stirling_series(sum);
  if (a < 10.0)
    return log_gamma(a) + correction + a - a * std::log(b) - (a + b - 0.5) * log1p_ratio;
  return detail::kLogSqrt2Pi - 0.5 * std::log(b) + detail::stirling_series(a) + correction +
         (a - 0.5) * (std::log(ratio) - log1p_ratio) - b * log1p_ratio;
}

//! log of the binomial coefficient, whole numbers 0 <= k <= n <= 2^53.
inline double log_choose(double n, double k) {
  detail::require_count(n, "n");
  detail::require_count(k, "k");
  detail::require(k <= n, "k", k, "at most n");
  if (k == 0.0 || k == n) return 0.0;
  return -std::log1p(n) - log_beta(n - k + 1.0, k + 1.0);
}

//! Derivative of log_gamma(), finite x > 0. Absolute error about 1e-15 (relative
//! for large values): recurrence up to 10, then Abramowitz and Stegun, 6.3.18.
inline double digamma(double x) {
  detail::require(std::isfinite(x) && x > 0.0, "x", x, "finite and > 0");
  double shift = 0.0;
  for (; x < 10.0; x += 1.0) shift += 1.0 / x;
  constexpr double c[] = {1.0 / 12.0,  -1.0 / 120.0,     1.0 / 252.0, -1.0 / 240.0,
                          1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0,  -3617.0 / 8160.0};
  const double r = 1.0 / x;
  const double r2 = r * r;
  double sum = 0.0;
  for (int k = 7; k >= 0; --k) sum = c[k] + r2 * sum;
  return std::log(x) - 0.5 * r - r2 * sum - shift;
}

//! log(1 - exp(-x)) for x >= 0, accurate at both ends (Maechler 2012).
inline double log1m_exp(double x) {
  detail::require(x >= 0.0, "x", x, ">= 0");
  constexpr double log2 = 0.69314718055994530942;
  return x < log2 ? std::log(-std::expm1(-x)) : std::log1p(-std::exp(-x));
}

//! log(1 + exp(x)) for any x, without overflow.
inline double log1p_exp(double x) {
  detail::require_number(x, "x");
  return x > 0.0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x));
}

//! log(exp(a) + exp(b)); -Inf stands for an absent term.
inline double log_sum_exp(double a, double b) {
  detail::require_number(a, "a");
  detail::require_number(b, "b");
  const double high = std::max(a, b);
  if (std::isinf(high)) return high;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

//! log of the sum of exp(x[i]); -Inf when empty. `Vector` has size() and [].
template <class Vector>
double log_sum_exp(const Vector& x) {
  double high = -std::numeric_limits<double>::infinity();
  for (decltype(x.size()) i = 0; i < x.size(); ++i) {
    detail::require_number(x[i], "x[i]");
    high = std::max<double>(high, x[i]);
  }
  if (std::isinf(high)) return high;
  double sum = 0.0;
  for (decltype(x.size()) i = 0; i < x.size(); ++i) sum += std::exp(x[i] - high);
  return high + std::log(sum);
}

}  // namespace noiseaware
