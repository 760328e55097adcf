#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <stdexcept>
#include <vector>

// Gamma and what is made of it. A Gamma(0.001) variate is below 1e-300 half of
// the time, so ratios of small-shape gammas are taken on the log scale.

namespace noiseaware {
namespace detail {

//! log of the acceptance ratio of Marsaglia and Tsang (2000) at t = c x,
//!   x^2/2 + d (1 - v + log v) with v = (1 + t)^3 and c^2 = 1 / (9 d).
//! The terms up to t^3 cancel identically; for small t what is left is summed
//! as a series, because at shape 1e15 rounding would swamp the difference.
inline double gamma_log_ratio(double x, double t, double d) {
  if (std::abs(t) >= 0x1.0p-6) {
    const double w = 1.0 + t;
    const double v = w * w * w;
    return 0.5 * x * x + d * (1.0 - v + std::log(v));
  }
  double sum = 0.0;
  for (int k = 12; k >= 4; --k) sum = 1.0 / k - t * sum;
  const double t2 = t * t;
  return -3.0 * (d * t2) * t2 * sum;
}

//! Gamma(shape, 1) for shape >= 1, Marsaglia and Tsang (2000).
template <class Rng>
double gamma_at_least_one(Rng& rng, double shape) {
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / (3.0 * std::sqrt(d));
  for (;;) {
    const double x = normal01(rng);
    const double t = c * x;
    if (t <= -1.0) continue;
    const double log_u = std::log(uniform_open(rng));
    const double w = 1.0 + t;
    if (log_u < gamma_log_ratio(x, t, d)) return d * (w * w * w);
  }
}

}  // namespace detail

//! Gamma(shape, 1). Underflows to 0 for shapes far below 1: see log_gamma1().
//! G(shape) = G(shape + 1) U^(1/shape), Marsaglia and Tsang (2000), section 6.
template <class Rng>
double gamma1(Rng& rng, double shape) {
  detail::require_positive(shape, "gamma shape");
  if (shape >= 1.0) return detail::gamma_at_least_one(rng, shape);
  const double g = detail::gamma_at_least_one(rng, shape + 1.0);
  return g * std::exp(-exponential1(rng) / shape);
}

//! Logarithm of a Gamma(shape, 1) draw: finite for every shape. Consumes the
//! stream as gamma1() does and returns its logarithm.
template <class Rng>
double log_gamma1(Rng& rng, double shape) {
  detail::require_positive(shape, "gamma shape");
  if (shape >= 1.0) return std::log(detail::gamma_at_least_one(rng, shape));
  const double g = detail::gamma_at_least_one(rng, shape + 1.0);
  return std::log(g) - exponential1(rng) / shape;
}

//! Gamma with mean shape / rate.
template <class Rng>
double gamma(Rng& rng, double shape, double rate) {
  detail::require_positive(rate, "gamma rate");
  return gamma1(rng, shape) / rate;
}

//! Inverse gamma: 1 / Gamma(shape, rate), mean rate / (shape - 1).
template <class Rng>
double inverse_gamma(Rng& rng, double shape, double rate) {
  detail::require_positive(rate, "inverse_gamma rate");
  return rate / gamma1(rng, shape);
}

//! Beta(a, b). Never 0/0: small shapes are handled on the log scale, where the
//! result may still round to 0 or 1 because the mass is there.
template <class Rng>
double beta(Rng& rng, double a, double b) {
  detail::require_positive(a, "beta shape a");
  detail::require_positive(b, "beta shape b");
  if (a >= 1.0 && b >= 1.0) {
    const double x = gamma1(rng, a);
    const double y = gamma1(rng, b);
    return 1.0 / (1.0 + y / x);
  }
  const double log_x = log_gamma1(rng, a);
  const double log_y = log_gamma1(rng, b);
  return 1.0 / (1.0 + std::exp(log_y - log_x));
}

namespace detail {

template <class Vector, class Out>
void check_dirichlet(const Vector& concentration, const Out& out) {
  const auto size = static_cast<std::size_t>(concentration.size());
  if (size == 0) throw std::invalid_argument("dirichlet concentration must not be empty");
  if (static_cast<std::size_t>(out.size()) != size)
    throw std::invalid_argument("dirichlet output must have the size of the concentration");
  for (decltype(concentration.size()) k = 0; k < concentration.size(); ++k)
    require_positive(concentration[k], "dirichlet concentration");
}

//! Subtracts log(sum(exp(x))). The largest goes first: logarithms near -1e300
//! would round away the sum of the others.
template <class Out>
void normalise_logs(Out& x) {
  double high = x[0];
  for (decltype(x.size()) k = 1; k < x.size(); ++k) high = std::max<double>(high, x[k]);
  for (decltype(x.size()) k = 0; k < x.size(); ++k) x[k] -= high;
  const double rest = log_sum_exp(x);
  for (decltype(x.size()) k = 0; k < x.size(); ++k) x[k] -= rest;
}

}  // namespace detail

//! Logarithms of a Dirichlet draw: finite even where the probability underflows.
//! `Vector` has size() and []; `out` must have the same size.
template <class Rng, class Vector, class Out>
void log_dirichlet_into(Rng& rng, const Vector& concentration, Out& out) {
  detail::check_dirichlet(concentration, out);
  for (decltype(out.size()) k = 0; k < out.size(); ++k) out[k] = log_gamma1(rng, concentration[k]);
  detail::normalise_logs(out);
}

//! Dirichlet draw written to `out`, which must have the size of `concentration`.
template <class Rng, class Vector, class Out>
void dirichlet_into(Rng& rng, const Vector& concentration, Out& out) {
  log_dirichlet_into(rng, concentration, out);
  for (decltype(out.size()) k = 0; k < out.size(); ++k) out[k] = std::exp(out[k]);
}

//! Dirichlet draw; `Vector` has size() and [].
template <class Rng, class Vector>
std::vector<double> dirichlet(Rng& rng, const Vector& concentration) {
  std::vector<double> out(static_cast<std::size_t>(concentration.size()));
  dirichlet_into(rng, concentration, out);
  return out;
}

}  // namespace noiseaware
