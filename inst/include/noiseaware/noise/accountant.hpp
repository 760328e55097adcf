#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/math/bisect.hpp>
#include <noiseaware/math/normal.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace noiseaware {

// Conversions between privacy notions: (epsilon, delta), Gaussian differential
// privacy (mu) and zero-concentrated differential privacy (rho). Searches end on
// the side that overstates the loss.

namespace detail {

inline void require_at_least_zero(double x, const char* what) {
  if (!(std::isfinite(x) && x >= 0.0))
    throw std::invalid_argument(std::string(what) + " must be a number of at least 0");
}

inline void require_above_zero(double x, const char* what) {
  if (!(std::isfinite(x) && x > 0.0))
    throw std::invalid_argument(std::string(what) + " must be a positive number");
}

inline void require_delta(double delta) {
  if (!(delta > 0.0 && delta < 1.0))
    throw std::invalid_argument("delta must be strictly between 0 and 1");
}

//! delta(epsilon; mu), or with `slack` > 0 an upper bound of it: the logarithms
//! are taken to be wrong by `slack` relative to the size of their terms.
inline double gdp_delta_bound(double epsilon, double mu, double slack) {
  const double upper = -epsilon / mu + mu / 2.0, lower = -epsilon / mu - mu / 2.0;
  const double log_upper = log_normal_cdf(upper);
  // Both terms underflow, and their logarithms must not be subtracted.
  if (!std::isfinite(log_upper)) return 0.0;
  const double log_lower = log_normal_cdf(lower);
  const double error = slack * (1.0 + epsilon + std::fabs(log_upper) + std::fabs(log_lower));
  const double log_ratio = std::min(epsilon + log_lower - log_upper, 0.0);
  return std::min(1.0, std::exp(log_upper + error) * -std::expm1(log_ratio - error));
}

}  // namespace detail

//! The smallest delta at which the Gaussian mechanism of parameter mu (sensitivity
//! / standard deviation) is (epsilon, delta)-private: Phi(-epsilon / mu + mu / 2) -
//! e^epsilon Phi(-epsilon / mu - mu / 2). Balle and Wang (2018), Theorem 8; Dong,
//! Roth and Su (2022), Corollary 1. In logarithms, because e^epsilon overflows.
inline double gdp_delta(double epsilon, double mu) {
  detail::require_at_least_zero(epsilon, "epsilon");
  detail::require_at_least_zero(mu, "mu");
  return mu == 0.0 ? 0.0 : detail::gdp_delta_bound(epsilon, mu, 0.0);
}

//! The smallest epsilon with gdp_delta(epsilon, mu) <= delta.
inline double gdp_epsilon(double delta, double mu) {
  detail::require_delta(delta);
  detail::require_at_least_zero(mu, "mu");
  const auto enough = [&](double epsilon) { return gdp_delta(epsilon, mu) <= delta; };
  return enough(0.0) ? 0.0 : bisect(0.0, double_until(enough), enough);
}

//! The largest mu with gdp_delta(epsilon, mu) <= delta.
inline double gdp_mu(double epsilon, double delta) {
  detail::require_at_least_zero(epsilon, "epsilon");
  detail::require_delta(delta);
  const auto allowed = [&](double mu) { return gdp_delta(epsilon, mu) <= delta; };
  return bisect(double_until([&](double mu) { return !allowed(mu); }), 0.0, allowed);
}

//! The mu of several Gaussian mechanisms on the same records: the root of the sum
//! of squares. Dong, Roth and Su (2022), Corollary 2; exact.
inline double gdp_compose(const std::vector<double>& mu) {
  double sum = 0.0;
  for (const double each : mu) {
    detail::require_at_least_zero(each, "mu");
    sum += each * each;
  }
  return std::sqrt(sum);
}

//! A mu-Gaussian mechanism is rho-zero-concentrated private, rho = mu^2 / 2.
inline double zcdp_from_gdp(double mu) {
  detail::require_at_least_zero(mu, "mu");
  return mu * mu / 2.0;
}

//! Pure epsilon implies rho = epsilon^2 / 2. Bun and Steinke (2016), Proposition 1.4.
inline double zcdp_from_pure(double epsilon) {
  detail::require_at_least_zero(epsilon, "epsilon");
  return epsilon * epsilon / 2.0;
}

//! A delta at which rho-zero-concentrated privacy implies (epsilon, delta):
//! the minimum over a > 1 of exp((a - 1)(a rho - epsilon) + a log1p(-1 / a)) / (a - 1).
//! Canonne, Kamath and Steinke (2020), section 2.3. Every a gives a valid delta, so
//! the search for the best one may be inexact.
inline double zcdp_delta(double rho, double epsilon) {
  detail::require_at_least_zero(rho, "rho");
  detail::require_at_least_zero(epsilon, "epsilon");
  if (rho == 0.0) return 0.0;
  rho = std::fmax(rho, 1e-300);  // keeps the largest a finite; a larger rho is safe
  const auto increasing = [&](double a) {
    return (2.0 * a - 1.0) * rho - epsilon + std::log1p(-1.0 / a) >= 0.0;
  };
  const double largest = (epsilon + 1.0) / (2.0 * rho) + 2.0;
  const double a = bisect(1.01, largest, increasing);
  const double log_delta =
      (a - 1.0) * (a * rho - epsilon) + a * std::log1p(-1.0 / a) - std::log(a - 1.0);
  return std::min(1.0, std::exp(log_delta));
}

//! An epsilon at which rho-zero-concentrated privacy implies (epsilon, delta).
inline double zcdp_epsilon(double rho, double delta) {
  detail::require_at_least_zero(rho, "rho");
  detail::require_delta(delta);
  const auto enough = [&](double epsilon) { return zcdp_delta(rho, epsilon) <= delta; };
  return enough(0.0) ? 0.0 : bisect(0.0, double_until(enough), enough);
}

}  // namespace noiseaware
