#pragma once

#include <cmath>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/rng/distributions.hpp>

// Simulated noise for predictive checks. Never for a release: the stream is
// seeded and the arithmetic is floating point.

namespace noiseaware {
namespace detail {

//! Discrete Laplace on the integers: a difference of two geometric counts, each
//! the integer part of an exponential (Inusah and Kozubowski 2006).
template <class Rng>
double draw_integer_laplace(Rng& rng, double scale) {
  const double up = std::floor(scale * exponential1(rng));
  return up - std::floor(scale * exponential1(rng));
}

//! Discrete Gaussian on the integers by rejection from the discrete Laplace
//! (Canonne, Kamath and Steinke 2020, Algorithm 3).
template <class Rng>
double draw_integer_gaussian(Rng& rng, double sd) {
  const double scale = std::floor(sd) + 1.0;
  for (;;) {
    const double proposal = draw_integer_laplace(rng, scale);
    const double d = (std::abs(proposal) - sd * sd / scale) / sd;
    if (exponential1(rng) >= 0.5 * d * d) return proposal;
  }
}

}  // namespace detail

//! One draw of the noise that `noise` describes.
template <class Rng>
double draw_noise(Rng& rng, const NoiseDensity& noise) {
  if (noise.exact()) return 0.0;
  const bool is_laplace = noise.law() == NoiseLaw::laplace;
  const double grid = noise.grid();
  const double steps = grid > 0.0 ? noise.scale() / grid : noise.scale();
  double sum = 0.0;
  for (int k = 0; k < noise.terms(); ++k) {
    if (grid > 0.0)
      sum += grid * (is_laplace ? detail::draw_integer_laplace(rng, steps)
                                : detail::draw_integer_gaussian(rng, steps));
    else
      sum += steps * (is_laplace ? exponential1(rng) - exponential1(rng) : normal01(rng));
  }
  return sum;
}

}  // namespace noiseaware
