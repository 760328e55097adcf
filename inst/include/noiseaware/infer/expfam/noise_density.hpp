#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/noise_sum.hpp>
#include <noiseaware/infer/expfam/noise_tail.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>

// The likelihood of privacy noise: what the analyst knows about it is its law,
// its scale and the grid it lives on, all of them public.

namespace noiseaware {

enum class NoiseLaw { none, laplace, gaussian };

//! Log density (grid 0) or log probability (grid > 0) of additive noise.
//! Laplace noise has scale b, Gaussian noise standard deviation `scale`; noise of
//! law `none` is always 0. On a grid, noise is a whole multiple of it with
//! probability proportional to the density, and impossible elsewhere. With
//! `terms` > 1 it is the sum of that many independent copies.
class NoiseDensity {
 public:
  NoiseDensity() = default;

  NoiseDensity(NoiseLaw law, double scale, double grid = 0.0, int terms = 1)
      : law_(law), scale_(scale), grid_(grid), terms_(terms) {
    if (law == NoiseLaw::none) return;
    detail::require_positive(scale, "noise scale");
    detail::require(std::isfinite(grid) && grid >= 0.0, "noise grid", grid, "finite and >= 0");
    detail::require(terms >= 1, "number of noise terms", terms, "at least 1");
    if (law == NoiseLaw::gaussian && terms > 1) add_gaussians();
    log_peak_ = terms_ > 1 ? log_sum(0.0) : -log_normaliser();
  }

  NoiseLaw law() const { return law_; }
  double scale() const { return scale_; }
  double grid() const { return grid_; }
  int terms() const { return terms_; }
  bool exact() const { return law_ == NoiseLaw::none; }

  //! Log density at 0, which no other value exceeds.
  double log_peak() const { return log_peak_; }

  double log_density(double noise) const {
    if (!possible(noise)) return -kInfinity;
    if (exact()) return 0.0;
    return terms_ > 1 ? log_sum(std::abs(noise)) : log_peak_ - nats(noise);
  }

  //! log P(noise < limit), strictly: how likely a value was suppressed that lies
  //! `limit` below its threshold. Up to rounding, a limit on the grid is on it.
  double log_below(double limit) const {
    if (exact()) return detail::steps_below(limit) >= 0.0 ? 0.0 : -kInfinity;
    detail::require(terms_ == 1, "number of noise terms", terms_, "1");
    if (grid_ > 0.0) {
      const double last = detail::steps_below(limit / grid_);
      return law_ == NoiseLaw::laplace ? detail::log_laplace_steps(last, grid_ / scale_)
                                       : detail::log_gaussian_steps(last, scale_ / grid_);
    }
    return law_ == NoiseLaw::laplace ? detail::log_laplace_cdf(limit / scale_)
                                     : log_normal_cdf(limit / scale_);
  }

  //! How far from 0 the density has fallen by `nats`: what lies beyond is less
  //! than exp(-nats) times the peak.
  double reach(double nats) const {
    if (exact()) return 0.0;
    if (terms_ > 1) return sum_reach(nats);
    return law_ == NoiseLaw::laplace ? scale_ * nats : scale_ * std::sqrt(2.0 * nats);
  }

  double standard_deviation() const {
    if (exact()) return 0.0;
    return law_ == NoiseLaw::laplace ? std::sqrt(2.0 * terms_) * scale_ : scale_;
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  //! A sum of Gaussians is Gaussian; on a grid this holds to 1e-17 as soon as two
  //! steps fit into a standard deviation.
  void add_gaussians() {
    detail::require(grid_ == 0.0 || scale_ >= 2.0 * grid_, "noise scale", scale_,
                    "at least twice the grid");
    scale_ *= std::sqrt(static_cast<double>(terms_));
    terms_ = 1;
  }

  //! Log density of summed Laplace noise. A grid a thousand times finer than the
  //! scale cannot be told from none.
  double log_sum(double distance) const {
    const double rate = grid_ / scale_;
    if (rate > 1e-3)
      return detail::log_discrete_laplace_sum(std::nearbyint(distance / grid_), terms_, rate);
    const double step = grid_ > 0.0 ? grid_ : 1.0;
    return detail::log_laplace_sum(distance / scale_, terms_) + std::log(step / scale_);
  }

  //! The density falls away from 0, so bisection finds where.
  double sum_reach(double nats) const {
    const auto fallen = [&](double x) { return log_peak_ - log_sum(x) >= nats; };
    double lo = 0.0, hi = scale_ * nats;
    while (!fallen(hi)) hi *= 2.0;
    for (int k = 0; k < 50 && hi - lo > 1e-3 * scale_; ++k)
      (fallen(0.5 * (lo + hi)) ? hi : lo) = 0.5 * (lo + hi);
    return hi;
  }

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
  int terms_ = 1;
  double log_peak_ = 0.0;
};

}  // namespace noiseaware
