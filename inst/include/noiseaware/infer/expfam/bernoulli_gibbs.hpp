#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/infer/expfam/bernoulli_exact.hpp>
#include <noiseaware/infer/expfam/latent_noise.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>

namespace noiseaware {

//! The Gibbs sampler of Bernstein and Sheldon (2018) for one noisy count: the
//! count is normal given theta, and within [0, n]. Needs a public n.
class BernoulliGibbs {
 public:
  //! Starts from the prior.
  template <class Rng>
  BernoulliGibbs(const BernoulliProblem& problem, Rng& rng)
      : problem_(problem), noise_(problem.count.noise), n_(problem.size.value()) {
    if (!problem_.size.is_known() || problem_.count.censored)
      throw std::invalid_argument("the Gibbs sampler needs a public n and a released count");
    value_ = problem_.count.value + problem_.count.centre * n_;
    detail::require_finite(value_, "released count");
    theta_ = beta(rng, problem_.shape1, problem_.shape2);
    step(rng);
  }

  double theta() const { return theta_; }
  //! The latent count.
  double statistic() const { return count_; }

  template <class Rng>
  void step(Rng& rng) {
    // At the ends of (0, 1) the normal count would have no spread to leave them.
    const double theta = std::min(std::max(theta_, 1e-12), 1.0 - 1e-12);
    const double mean = n_ * theta, variance = mean * (1.0 - theta);
    const double share = noise_.exact() ? 1.0 : variance / (variance + noise_.variance());
    count_ = normal_within(rng, mean + share * (value_ - mean),
                           std::sqrt(share * noise_.variance()), 0.0, n_);
    noise_.update(rng, value_ - count_);
    theta_ = beta(rng, problem_.shape1 + count_, problem_.shape2 + (n_ - count_));
  }

 private:
  BernoulliProblem problem_;
  LatentNoise noise_;
  double n_;
  double value_ = 0.0;
  double theta_ = 0.5;
  double count_ = 0.0;
};

}  // namespace noiseaware
