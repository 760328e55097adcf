#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/infer/expfam/complete_sum.hpp>
#include <noiseaware/infer/expfam/latent_noise.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>

namespace noiseaware {

//! The Gibbs sampler of Bernstein and Sheldon (2018) for one noisy sum, with the
//! sum of the complete records given that of the mapped ones in joint normal form
//! (see record_moments.hpp). Needs a public n.
class ScalarGibbs {
 public:
  //! Starts from the prior, as far as the bounds let it be told from others.
  template <class Rng>
  ScalarGibbs(const ScalarProblem& problem, Rng& rng)
      : problem_(problem), noise_(problem.noise), n_(problem.size.value()) {
    problem_.check();
    if (!problem_.size.is_known())
      throw std::invalid_argument("the Gibbs sampler needs a public n");
    find_support();
    start(rng);
    step(rng);
  }

  double rate() const { return rate_; }
  //! Sum of the complete records, not about the centre.
  double statistic() const { return sum_; }

  template <class Rng>
  void step(Rng& rng) {
    const ScalarMoments record = problem_.moments(rate_);
    const double mean = n_ * (record.mh - problem_.centre);
    const double mapped = draw_mapped(rng, mean, n_ * record.vh);
    noise_.update(rng, problem_.value - mapped);
    sum_ = draw_complete_sum(rng, record, n_, mapped - mean);
    const GammaPrior posterior = problem_.update(n_, sum_);
    rate_ = std::max(gamma(rng, posterior.shape, posterior.rate), 1e-300);
  }

 private:
  //! Least and largest sum of mapped records. Records are never negative.
  void find_support() {
    const RecordMap& map = problem_.map;
    double low = std::min(std::max(map.lower, 0.0), map.above);
    double high = std::max(map.upper, map.above);
    if (map.lower > 0.0) {
      low = std::min(low, map.below);
      high = std::max(high, map.below);
    }
    support_low_ = n_ * (low - problem_.centre);
    support_high_ = n_ * (high - problem_.centre);
  }

  //! Where nearly all records fall outside the bounds on one side the chain could
  //! hardly leave: the mean of a record starts within twice the upper bound.
  template <class Rng>
  void start(Rng& rng) {
    const double low = std::max(problem_.map.lower, 0.0);
    const double least = low + 0.05 * (problem_.map.upper - low);
    const double most = 2.0 * problem_.map.upper;
    const double draw = std::max(gamma(rng, problem_.prior.shape, problem_.prior.rate), 1e-300);
    const bool inverse = problem_.family == ScalarFamily::exponential;
    const double mean = std::min(std::max(inverse ? 1.0 / draw : draw, least), most);
    rate_ = inverse ? 1.0 / mean : mean;
  }

  //! The sum of the mapped records given the release and the variance of the noise.
  template <class Rng>
  double draw_mapped(Rng& rng, double mean, double variance) const {
    const double total = variance + noise_.variance();
    const double share = noise_.exact() ? 1.0 : variance / total;
    return normal_within(rng, mean + share * (problem_.value - mean),
                         std::sqrt(share * noise_.variance()), support_low_, support_high_);
  }

  ScalarProblem problem_;
  LatentNoise noise_;
  double n_;
  double support_low_ = 0.0, support_high_ = 0.0;
  double rate_ = 1.0;
  double sum_ = 0.0;
};

}  // namespace noiseaware
