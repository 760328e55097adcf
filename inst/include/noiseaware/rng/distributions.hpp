#pragma once

#include <cmath>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <noiseaware/rng/distributions_gamma.hpp>
#include <noiseaware/rng/distributions_truncated.hpp>

namespace noiseaware {

//! Inverse Gaussian(mean, shape), Michael, Schucany and Haas (1976). The smaller
//! root is written without subtraction and with 1/mean: the textbook form
//! cancels to 0 or below when mean >> shape, which is what a Laplace residual
//! near 0 gives.
template <class Rng>
double inverse_gaussian(Rng& rng, double mean, double shape) {
  detail::require_positive(mean, "inverse_gaussian mean");
  detail::require_positive(shape, "inverse_gaussian shape");
  const double z = normal01(rng);
  const double half = 0.5 * z * z / shape;
  const double inverse_mean = 1.0 / mean;
  const double root =
      1.0 / (inverse_mean + half + std::sqrt(half) * std::sqrt(2.0 * inverse_mean + half));
  const double ratio = root / mean;
  return uniform01(rng) * (1.0 + ratio) <= 1.0 ? root : mean / ratio;
}

}  // namespace noiseaware
