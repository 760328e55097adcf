#pragma once

#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/infer/expfam/record_moments.hpp>
#include <noiseaware/math/require.hpp>
#include <stdexcept>

namespace noiseaware {

enum class ScalarFamily { exponential, poisson };

//! Gamma distribution with mean shape / rate.
struct GammaPrior {
  double shape = 1.0;
  double rate = 1.0;

  double mean() const { return shape / rate; }
  double variance() const { return shape / rate / rate; }
};

//! A noisy sum of mapped exponential or Poisson records about a public centre:
//! value = sum(x~ - centre) + noise. The parameter is the rate of the exponential
//! or the mean of the Poisson law, with a gamma prior.
struct ScalarProblem {
  ScalarFamily family = ScalarFamily::exponential;
  GammaPrior prior;
  RecordMap map;
  double centre = 0.0;
  double value = 0.0;
  NoiseDensity noise;
  SampleSize size = SampleSize::known(0.0);

  //! Throws unless the problem makes sense; every method asks first.
  void check() const {
    detail::require_positive(prior.shape, "prior shape");
    detail::require_positive(prior.rate, "prior rate");
    detail::require(map.lower < map.upper, "lower", map.lower, "below upper");
    detail::require(map.upper > 0.0, "upper", map.upper, "above 0");
    detail::require_finite(centre, "centre");
    detail::require_finite(value, "released sum");
    if (!size.is_known() && !size.is_observed())
      throw std::invalid_argument("a single sum does not tell n: n must be public or released");
  }

  //! Moments of one record, not about the centre.
  ScalarMoments moments(double rate) const {
    return family == ScalarFamily::exponential ? exponential_moments(rate, map)
                                               : poisson_moments(rate, map);
  }

  //! Posterior of the rate given n records with sum s.
  GammaPrior update(double n, double s) const {
    if (family == ScalarFamily::exponential) return {prior.shape + n, prior.rate + s};
    return {prior.shape + s, prior.rate + n};
  }
};

}  // namespace noiseaware
