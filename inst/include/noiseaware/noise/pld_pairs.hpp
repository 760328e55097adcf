#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/math/normal.hpp>
#include <noiseaware/noise/accountant.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {
namespace detail {

// Pairs (P, Q) of output distributions on neighbouring data, on the real line and
// ordered so that the privacy loss log(dP / dQ) never decreases in x.

constexpr double infinite = std::numeric_limits<double>::infinity();

//! P(a < Z <= b) for a standard normal Z. Taken in the nearer tail: the difference
//! of two numbers close to 1 would have no correct digit far out.
inline double normal_between(double a, double b) {
  return a > 0.0 ? normal_cdf(-a) - normal_cdf(-b) : normal_cdf(b) - normal_cdf(a);
}

//! One step of a sum with Gaussian noise over records that each take part with
//! probability `rate` (Poisson sampling), neighbours by adding or removing one
//! record: P = (1 - rate) N(0, sigma^2) + rate N(1, sigma^2), Q = N(0, sigma^2).
struct SubsampledGaussian {
  double sigma;
  double rate;

  //! Standard deviations that are kept: beyond them is a mass of 1e-23.
  static constexpr double reach = 10.0;

  double loss(double x) const {
    return std::log1p(rate * std::expm1((2.0 * x - 1.0) / (2.0 * sigma * sigma)));
  }
  //! The x of a loss; minus infinity at losses that do not occur.
  double position(double at) const {
    const double odds = (std::expm1(at) + rate) / rate;
    return odds > 0.0 ? sigma * sigma * std::log(odds) + 0.5 : -infinite;
  }
  double lowest() const { return loss(-reach * sigma); }
  double highest() const { return loss(1.0 + reach * sigma); }
  double p(double a, double b) const {
    return (1.0 - rate) * q(a, b) + rate * normal_between((a - 1.0) / sigma, (b - 1.0) / sigma);
  }
  double q(double a, double b) const { return normal_between(a / sigma, b / sigma); }
};

//! A single query of sensitivity 1 with Laplace noise of scale 1 / epsilon.
struct ScalarLaplace {
  double epsilon;

  //! The last x whose loss is at most `at`; the loss is constant beyond 0 and 1.
  double position(double at) const {
    if (at < -epsilon) return -infinite;
    return at < epsilon ? (at / epsilon + 1.0) / 2.0 : infinite;
  }
  double lowest() const { return -epsilon; }
  double highest() const { return epsilon; }
  double p(double a, double b) const { return q(a - 1.0, b - 1.0); }
  //! As for the normal, in the nearer tail; without cancellation in short cells.
  double q(double a, double b) const {
    if (a >= 0.0) return 0.5 * std::exp(-epsilon * a) * -std::expm1(-epsilon * (b - a));
    if (b <= 0.0) return 0.5 * std::exp(epsilon * b) * -std::expm1(-epsilon * (b - a));
    return -0.5 * (std::expm1(epsilon * a) + std::expm1(-epsilon * b));
  }
};

//! The worst case of pure epsilon, which dominates every epsilon-private release
//! (Kairouz, Oh and Viswanath, 2015): the answer is true with odds e^epsilon.
//! Outcomes are x = 0 and x = 1.
struct RandomisedResponse {
  double epsilon;

  double position(double at) const {
    if (at < -epsilon) return -infinite;
    return at < epsilon ? 0.5 : infinite;
  }
  double lowest() const { return -epsilon; }
  double highest() const { return epsilon; }
  double p(double a, double b) const { return q(1.0 - b, 1.0 - a); }
  double q(double a, double b) const {
    const double truthful = 1.0 / (1.0 + std::exp(-epsilon));
    return (a < 0.0 && b > 0.0 ? truthful : 0.0) + (a < 1.0 && b > 1.0 ? 1.0 - truthful : 0.0);
  }
};

}  // namespace detail
}  // namespace noiseaware
