#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <noiseaware/math/log_pmf.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/discrete_categorical.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <vector>

namespace noiseaware {
namespace detail {

//! Longest inversion: a binomial or Poisson count with mean below 10 exceeds it
//! with probability below 1e-70. A uniform so close to 1 that rounding lets it
//! through is drawn again.
constexpr int kInversionLimit = 110;

//! Binomial(n, p) with n p < 10 and p <= 1/2, by adding up the probabilities.
template <class Rng>
std::int64_t binomial_inversion(Rng& rng, double n, double p) {
  const double odds = p / (1.0 - p);
  const double at_zero = std::exp(n * std::log1p(-p));
  for (;;) {
    double u = uniform01(rng);
    double mass = at_zero;
    for (int k = 0; k <= kInversionLimit && k <= n; ++k) {
      if (u < mass) return k;
      u -= mass;
      mass *= odds * (n - k) / (k + 1.0);
    }
  }
}

//! A proposal of the transformed rejection method (Hoermann 1993): count k, its
//! distance `edge` from the nearer end of the uniform, and the height v.
struct Proposal {
  double k, edge, v;
};

//! Hat of transformed rejection: k = floor((2 a / edge + b) u + centre), accepted
//! if v alpha / (a / edge^2 + b) is at most the probability ratio; surely if
//! edge >= 0.07 and v <= squeeze.
struct Hat {
  double a, b, centre, alpha, squeeze;

  template <class Rng>
  Proposal propose(Rng& rng) const {
    const double u = uniform_open(rng) - 0.5;
    const double v = uniform_open(rng);
    const double edge = 0.5 - std::abs(u);
    return {std::floor((2.0 * a / edge + b) * u + centre), edge, v};
  }

  bool surely(const Proposal& x) const { return x.edge >= 0.07 && x.v <= squeeze; }

  double log_height(const Proposal& x) const {
    return std::log(x.v * alpha / (a / (x.edge * x.edge) + b));
  }
};

//! BTRS of Hoermann (1993), "The generation of binomial random variates".
inline Hat binomial_hat(double n, double p) {
  const double sd = std::sqrt(n * p * (1.0 - p));
  const double b = 1.15 + 2.53 * sd;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p;
  return {a, b, n * p + 0.5, (2.83 + 5.1 / b) * sd, 0.92 - 4.2 / b};
}

//! PTRS of Hoermann (1993), "The transformed rejection method for generating
//! Poisson random variables". With the published constants the hat lies up to
//! 0.6% below the probabilities and the squeeze up to 0.6% above them (worst for
//! means of 10 to 100); the factors 1.01 and 0.98 make the method exact.
inline Hat poisson_hat(double mean) {
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double alpha = 1.01 * (1.1239 + 1.1328 / (b - 3.4));
  return {a, b, mean + 0.43, alpha, 0.98 * (0.9277 - 3.6224 / (b - 2.0))};
}

//! Binomial(n, p) with n p >= 10 and p <= 1/2: transformed rejection, with the
//! probability ratio of Loader (2000), which stays accurate where differences
//! of log-factorials do not.
template <class Rng>
std::int64_t binomial_rejection(Rng& rng, double n, double p) {
  const Hat hat = binomial_hat(n, p);
  const double log_mode = log_binomial_interior(std::floor((n + 1.0) * p), n, p);
  for (;;) {
    const Proposal x = hat.propose(rng);
    if (!(x.k >= 0.0 && x.k <= n)) continue;
    if (hat.surely(x) || hat.log_height(x) <= log_binomial_interior(x.k, n, p) - log_mode)
      return static_cast<std::int64_t>(x.k);
  }
}

//! Poisson(mean) for mean < 10, by adding up the probabilities.
template <class Rng>
std::int64_t poisson_inversion(Rng& rng, double mean) {
  const double at_zero = std::exp(-mean);
  for (;;) {
    double u = uniform01(rng);
    double mass = at_zero;
    for (int k = 0; k <= kInversionLimit; ++k) {
      if (u < mass) return k;
      u -= mass;
      mass *= mean / (k + 1.0);
    }
  }
}

//! Poisson(mean) for mean >= 10, by transformed rejection.
template <class Rng>
std::int64_t poisson_rejection(Rng& rng, double mean) {
  const Hat hat = poisson_hat(mean);
  for (;;) {
    const Proposal x = hat.propose(rng);
    // The upper limit only keeps the conversion defined.
    if (!(x.k >= 0.0 && x.k <= 0x1.0p62)) continue;
    if (hat.surely(x) || hat.log_height(x) <= log_poisson_interior(x.k, mean))
      return static_cast<std::int64_t>(x.k);
  }
}

}  // namespace detail

//! Number of successes in n trials, 0 <= n <= 2^53, 0 <= p <= 1.
template <class Rng>
std::int64_t binomial(Rng& rng, std::int64_t n, double p) {
  detail::require_count(n, "binomial n");
  detail::require_probability(p, "binomial p");
  if (n == 0 || p == 0.0) return 0;
  // 1 - p is exact for p > 1/2.
  if (p > 0.5) return n - binomial(rng, n, 1.0 - p);
  const double trials = static_cast<double>(n);
  return trials * p < 10.0 ? detail::binomial_inversion(rng, trials, p)
                           : detail::binomial_rejection(rng, trials, p);
}

//! Poisson count, 0 <= mean <= 2^53.
template <class Rng>
std::int64_t poisson(Rng& rng, double mean) {
  detail::require(mean >= 0.0 && mean <= 0x1.0p53, "poisson mean", mean, "between 0 and 2^53");
  return mean < 10.0 ? detail::poisson_inversion(rng, mean) : detail::poisson_rejection(rng, mean);
}

//! Counts of n trials over categories with the given weights (any positive
//! total), one conditional binomial per category. The mass still to come is
//! summed from the end: subtracting from the total would leave rounding error
//! for the last categories. `Vector` has size() and [].
template <class Rng, class Vector>
std::vector<std::int64_t> multinomial(Rng& rng, std::int64_t n, const Vector& weights) {
  detail::require_count(n, "multinomial n");
  detail::check_weights(weights);
  const auto size = static_cast<std::size_t>(weights.size());
  std::vector<double> to_come(size + 1, 0.0);
  for (std::size_t k = size; k-- > 0;) to_come[k] = detail::element(weights, k) + to_come[k + 1];
  std::vector<std::int64_t> counts(size, 0);
  for (std::size_t k = 0; k < size && n > 0; ++k) {
    counts[k] = binomial(rng, n, detail::element(weights, k) / to_come[k]);
    n -= counts[k];
  }
  return counts;
}

}  // namespace noiseaware
