#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>

// The likelihood of privacy noise: what the analyst knows about it is its law,
// its scale and the grid it lives on, all of them public.

namespace noiseaware {

enum class NoiseLaw { none, laplace, gaussian };

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

}  // namespace detail

//! Log density (grid 0) or log probability (grid > 0) of additive noise.
//! Laplace noise has scale b, Gaussian noise standard deviation `scale`; noise of
//! law `none` is always 0. On a grid, noise is a whole multiple of it with
//! probability proportional to the density, and impossible elsewhere.
class NoiseDensity {
 public:
  NoiseDensity() = default;

  NoiseDensity(NoiseLaw law, double scale, double grid = 0.0)
      : law_(law), scale_(scale), grid_(grid) {
    if (law == NoiseLaw::none) return;
    detail::require_positive(scale, "noise scale");
    detail::require(std::isfinite(grid) && grid >= 0.0, "noise grid", grid, "finite and >= 0");
    log_peak_ = -log_normaliser();
  }

  NoiseLaw law() const { return law_; }
  double scale() const { return scale_; }
  double grid() const { return grid_; }
  bool exact() const { return law_ == NoiseLaw::none; }

  //! Log density at 0, which no other value exceeds.
  double log_peak() const { return log_peak_; }

  double log_density(double noise) const {
    if (!possible(noise)) return -std::numeric_limits<double>::infinity();
    return exact() ? 0.0 : log_peak_ - nats(noise);
  }

  //! How far from 0 the density has fallen by `nats`: what lies beyond is less
  //! than exp(-nats) times the peak.
  double reach(double nats) const {
    if (exact()) return 0.0;
    return law_ == NoiseLaw::laplace ? scale_ * nats : scale_ * std::sqrt(2.0 * nats);
  }

  double standard_deviation() const {
    if (exact()) return 0.0;
    return law_ == NoiseLaw::laplace ? std::sqrt(2.0) * scale_ : scale_;
  }

 private:
  double nats(double noise) const {
    const double r = std::abs(noise) / scale_;
    return law_ == NoiseLaw::laplace ? r : 0.5 * r * r;
  }

  bool possible(double noise) const {
    if (exact()) return detail::is_whole(noise) && std::nearbyint(noise) == 0.0;
    return grid_ == 0.0 || detail::is_whole(noise / grid_);
  }

  double log_normaliser() const {
    if (law_ == NoiseLaw::gaussian)
      return grid_ > 0.0 ? detail::log_theta_sum(scale_ / grid_)
                         : std::log(scale_) + detail::kLogSqrt2Pi;
    if (grid_ == 0.0) return std::log(2.0 * scale_);
    // sum_k alpha^|k| = (1 + alpha) / (1 - alpha) with alpha = exp(-grid / scale).
    const double rate = grid_ / scale_;
    return std::log1p(std::exp(-rate)) - log1m_exp(rate);
  }

  NoiseLaw law_ = NoiseLaw::none;
  double scale_ = 0.0;
  double grid_ = 0.0;
  double log_peak_ = 0.0;
};

}  // namespace noiseaware
