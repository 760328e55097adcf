#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>

namespace noiseaware {

//! Normal-inverse-gamma law: variance ~ InvGamma(shape, rate) and mean | variance
//! ~ N(mean, variance / precision).
struct NigPrior {
  double mean = 0.0;
  double precision = 1.0;
  double shape = 1.0;
  double rate = 1.0;

  //! Posterior given n > 0 records with sums of x and x^2 about `centre`.
  NigPrior update(double n, const std::array<double, 2>& sums, double centre = 0.0) const {
    const double average = sums[0] / n;
    const double spread = sums[1] - sums[0] * average;
    const double shift = centre + average - mean;
    const double total = precision + n;
    return {mean + n / total * shift, total, shape + 0.5 * n,
            rate + 0.5 * spread + 0.5 * precision * n / total * shift * shift};
  }

  //! Variance of the mean; Inf unless shape > 1.
  double mean_variance() const { return expected_variance() / precision; }

  //! Variance of the standard deviation; Inf unless shape > 1. With
  //! r = Gamma(shape - 1/2)^2 (shape - 1) / Gamma(shape)^2 it is
  //! (1 - r) rate / (shape - 1), and 1 - r = 1 / (4 shape) + O(shape^-2).
  double sd_variance() const {
    if (shape <= 1.0 || shape > 1e7) return expected_variance() / (4.0 * shape);
    constexpr double log_pi = 1.14472988584940017414;
    const double log_ratio = 2.0 * log_beta(shape - 0.5, 0.5) - log_pi + std::log(shape - 1.0);
    return -std::expm1(log_ratio) * expected_variance();
  }

  struct Draw {
    double mean, variance;
  };

  template <class Rng>
  Draw draw(Rng& rng) const {
    const double variance = inverse_gamma(rng, shape, rate);
    return {mean + std::sqrt(variance / precision) * normal01(rng), variance};
  }

 private:
  double expected_variance() const {
    return shape > 1.0 ? rate / (shape - 1.0) : std::numeric_limits<double>::infinity();
  }
};

//! Noisy sums of mapped normal records about a public centre:
//!   value[0] = sum(x~ - centre) + noise, value[1] = sum((x~ - centre)^2) + noise,
//! used where released. The parameters are mean and standard deviation.
struct NormalProblem {
  NigPrior prior;
  RecordMap map;
  double centre = 0.0;
  std::array<double, 2> value{{0.0, 0.0}};
  std::array<NoiseDensity, 2> noise{};
  std::array<bool, 2> released{{true, true}};
  SampleSize size = SampleSize::known(0.0);

  //! Throws unless the problem makes sense; every method asks first.
  void check() const {
    detail::require_finite(prior.mean, "prior mean");
    detail::require_positive(prior.precision, "prior precision");
    detail::require_positive(prior.shape, "prior shape");
    detail::require_positive(prior.rate, "prior rate");
    detail::require(map.lower < map.upper, "lower", map.lower, "below upper");
    detail::require_finite(centre, "centre");
    for (std::size_t j = 0; j < 2; ++j)
      if (released[j]) detail::require_finite(value[j], "released sum");
    if (!released[0] && !released[1]) throw std::invalid_argument("no sum was released");
    if (!size.is_known() && !size.is_observed())
      throw std::invalid_argument("sums do not tell n: n must be public or released");
  }

  //! Half the distance of the bounds, the unit of all computation.
  double half() const { return 0.5 * (map.upper - map.lower); }

  //! The same problem for u = (x - centre) / half(), whose centre is 0. Noise is
  //! taken as continuous: the sums are.
  NormalProblem scaled() const {
    NormalProblem out(*this);
    const std::array<double, 2> unit{{half(), half() * half()}};
    out.prior.mean = (prior.mean - centre) / unit[0];
    out.prior.rate = prior.rate / unit[1];
    out.map = map.scaled(centre, unit[0]);
    out.centre = 0.0;
    for (std::size_t j = 0; j < 2; ++j) {
      out.value[j] = value[j] / unit[j];
      if (!noise[j].exact())
        out.noise[j] =
            NoiseDensity(noise[j].law(), noise[j].scale() / unit[j], 0.0, noise[j].terms());
    }
    return out;
  }
};

}  // namespace noiseaware
