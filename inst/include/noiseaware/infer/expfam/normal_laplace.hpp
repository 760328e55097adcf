#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/math/normal.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>

// A normal sum observed with noise: z = s + noise, s ~ N(m, v). Noise enters by
// its law and scale; that it lives on a fine grid is left out, as the sum itself
// is continuous here.

namespace noiseaware {
namespace detail {

//! Logs of the two parts of 2 lambda p(z) that have s below and above z; Laplace
//! noise of the given scale, v > 0. Mills' ratio is used in the tail, where the
//! exponential and the normal probability would overflow and underflow.
struct NormalLaplaceParts {
  double below, above;

  NormalLaplaceParts(double z, double m, double v, double scale) {
    const double sd = std::sqrt(v), d = z - m;
    const double gauss = -0.5 * (d / sd) * (d / sd) - kLogSqrt2Pi;
    const double rise = 0.5 * (sd / scale) * (sd / scale);
    below = part(sd / scale - d / sd, gauss, rise - d / scale);
    above = part(sd / scale + d / sd, gauss, rise + d / scale);
  }

 private:
  static double part(double a, double gauss, double tilt) {
    if (!(a > 0.0)) return tilt + log_normal_cdf(-a);
    return std::isinf(a) ? -std::numeric_limits<double>::infinity() : gauss + log_mills_ratio(a);
  }
};

inline double log_normal_density(double x, double m, double v) {
  const double sd = std::sqrt(v), r = (x - m) / sd;
  return -0.5 * r * r - std::log(sd) - kLogSqrt2Pi;
}

inline void check_noisy_normal(double z, double m, double v) {
  require_finite(z, "z");
  require_finite(m, "m");
  require(std::isfinite(v) && v >= 0.0, "v", v, "finite and >= 0");
}

//! Sums of several Laplace variables have no closed form here.
inline void require_single_noise(const NoiseDensity& noise) {
  if (noise.law() == NoiseLaw::laplace && noise.terms() > 1)
    throw std::invalid_argument("the noise of a sum must be a single Laplace variable");
}

}  // namespace detail

//! log of the density at z of N(m, v) plus Laplace noise of the given scale.
inline double log_normal_laplace(double z, double m, double v, double scale) {
  detail::check_noisy_normal(z, m, v);
  detail::require_positive(scale, "noise scale");
  // Below this the normal part is a point, and d / sd would overflow.
  if (v < 1e-280) return -std::log(2.0 * scale) - std::abs(z - m) / scale;
  const detail::NormalLaplaceParts parts(z, m, v, scale);
  return log_sum_exp(parts.below, parts.above) - std::log(2.0 * scale);
}

//! log of the density at z of N(m, v) plus noise.
inline double noisy_normal_log_density(double z, double m, double v, const NoiseDensity& noise) {
  detail::require_single_noise(noise);
  if (noise.law() == NoiseLaw::laplace) return log_normal_laplace(z, m, v, noise.scale());
  detail::check_noisy_normal(z, m, v);
  const double variance = v + noise.scale() * noise.scale();
  if (variance > 0.0) return detail::log_normal_density(z, m, variance);
  return z == m ? std::numeric_limits<double>::infinity()
                : -std::numeric_limits<double>::infinity();
}

//! Normal(mean, sd) given that it lies in [lower, upper]; sd may be 0, which gives
//! the point of the interval next to the mean.
template <class Rng>
double normal_within(Rng& rng, double mean, double sd, double lower, double upper) {
  if (sd < 1e-290) return std::min(std::max(mean, lower), upper);
  return truncated_normal(rng, mean, sd, lower, upper);
}

//! Draws s given z = s + noise, s ~ N(m, v). With Laplace noise this is a mixture
//! of two normals cut at z, their means moved by v / scale towards z.
template <class Rng>
double draw_latent_normal(Rng& rng, double z, double m, double v, const NoiseDensity& noise) {
  detail::check_noisy_normal(z, m, v);
  detail::require_single_noise(noise);
  constexpr double inf = std::numeric_limits<double>::infinity();
  if (noise.exact()) return z;
  if (v < 1e-280) return m;
  const double scale = noise.scale();
  if (noise.law() == NoiseLaw::gaussian) {
    const double share = v / (v + scale * scale);
    return m + share * (z - m) + scale * std::sqrt(share) * normal01(rng);
  }
  const detail::NormalLaplaceParts parts(z, m, v, scale);
  const double p_below = 1.0 / (1.0 + std::exp(parts.above - parts.below));
  const double sd = std::sqrt(v);
  if (uniform01(rng) < p_below) return truncated_normal(rng, m + v / scale, sd, -inf, z);
  return truncated_normal(rng, m - v / scale, sd, z, inf);
}

//! Laplace noise is normal with an exponential variance (Andrews and Mallows
//! 1974). Draws that variance given the noise: 1 / variance is inverse
//! Gaussian(1 / (scale |noise|), 1 / scale^2), in a form that stays finite at 0
//! (Park and Casella 2008). The variance is never 0.
template <class Rng>
double draw_laplace_variance(Rng& rng, double residual, double scale) {
  detail::require_finite(residual, "residual");
  detail::require_positive(scale, "noise scale");
  const double r = std::abs(residual) / scale;
  const double z = normal01(rng);
  // The floor is passed with probability 1e-16 and keeps 1 / root finite.
  const double h = std::max(0.5 * z * z, 1e-32);
  const double root = 1.0 / (r + h + std::sqrt(h * (2.0 * r + h)));
  const bool small = uniform01(rng) * (1.0 + r * root) <= 1.0;
  return scale * scale * (small ? 1.0 / root : r * (r * root));
}

}  // namespace noiseaware
