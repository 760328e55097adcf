#pragma once

#include <cmath>
#include <noiseaware/noise/accountant.hpp>
#include <stdexcept>

namespace noiseaware {
namespace detail {

//! sum over all integers x of exp(-x^2 / (2 variance)); above variance 1 through
//! Poisson summation, where two terms are exact to the last bit.
inline double theta_sum(double variance) {
  const double pi = 3.14159265358979323846;
  if (variance >= 1.0)
    return std::sqrt(2.0 * pi * variance) * (1.0 + 2.0 * std::exp(-2.0 * pi * pi * variance));
  double sum = 0.0;
  for (int x = 10; x >= 1; --x) sum += 2.0 * std::exp(-0.5 * x * x / variance);
  return 1.0 + sum;
}

}  // namespace detail

//! The smallest delta at which a query of integer sensitivity `shift` with
//! discrete Gaussian noise P(x) ~ exp(-x^2 / (2 variance)) is (epsilon, delta)-
//! private, by summation: sum over x of max(0, P(x) - e^epsilon P(x + shift)).
//! Canonne, Kamath and Steinke (2020), Theorem 7. All terms are positive; they are
//! added from the far tail inwards.
inline double discrete_gaussian_delta(double variance, double shift, double epsilon) {
  detail::require_above_zero(variance, "variance");
  detail::require_above_zero(shift, "shift");
  detail::require_at_least_zero(epsilon, "epsilon");
  if (shift != std::floor(shift)) throw std::invalid_argument("shift must be a whole number");
  if (variance > 1e12) throw std::domain_error("variance is too large to sum over all integers");
  const double reach = std::ceil(40.0 * std::sqrt(variance));  // exp underflows beyond it
  const double crossing = epsilon * variance / shift - shift / 2.0;
  const double first = std::fmax(std::floor(crossing) + 1.0, -reach);
  double sum = 0.0;
  for (double x = reach; x >= first; x -= 1.0) {
    const double log_ratio = epsilon - shift * (2.0 * x + shift) / (2.0 * variance);
    sum += std::exp(-0.5 * x * x / variance) * -std::expm1(log_ratio);
  }
  return sum / detail::theta_sum(variance);
}

}  // namespace noiseaware
