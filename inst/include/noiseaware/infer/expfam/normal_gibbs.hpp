#pragma once

#include <array>
#include <cmath>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/normal_sums.hpp>
#include <noiseaware/infer/expfam/record_moments.hpp>
#include <stdexcept>

namespace noiseaware {

//! The Gibbs sampler of Bernstein and Sheldon (2018) for noisy sums of x and x^2,
//! with the sums of the complete records given those of the mapped ones in joint
//! normal form (see record_moments.hpp). Needs a public n of at least 2.
class NormalGibbs {
 public:
  template <class Rng>
  NormalGibbs(const NormalProblem& problem, Rng& rng)
      : centre_(problem.centre),
        half_(problem.half()),
        unit_(checked(problem).scaled()),
        noisy_(unit_),
        n_(problem.size.value()) {
    state_ = noisy_.guess(rng, unit_.map, n_);
    step(rng);
  }

  double mean() const { return centre_ + half_ * state_.mean; }
  double sd() const { return half_ * std::sqrt(state_.variance); }
  double n() const { return n_; }
  //! Sums of x - centre and its square over the complete records.
  std::array<double, 2> statistic() const { return {{half_ * sums_[0], half_ * half_ * sums_[1]}}; }
  double acceptance_rate() const { return 1.0; }

  //! One iteration; there is nothing to adapt.
  template <class Rng>
  void step(Rng& rng, bool /*adapt*/ = false) {
    const NormalMoments record = normal_moments(state_.mean, std::sqrt(state_.variance), unit_.map);
    NormalSums mapped = NormalSums::mapped(record, n_);
    noisy_.observe(mapped);
    const Eigen::Vector2d sums = mapped.draw(rng);
    noisy_.update(rng, sums);
    const Eigen::Vector2d deviation = sums - n_ * record.mh;
    const Eigen::Vector2d complete = complete_sums(record, n_, deviation).draw_possible(rng, n_);
    sums_ = {{complete(0), complete(1)}};
    state_ = unit_.prior.update(n_, sums_).draw(rng);
  }

 private:
  static const NormalProblem& checked(const NormalProblem& problem) {
    problem.check();
    if (!problem.size.is_known() || problem.size.value() < 2.0)
      throw std::invalid_argument("the Gibbs sampler needs a public n of at least 2");
    return problem;
  }

  double centre_, half_;
  NormalProblem unit_;
  NoisySums noisy_;
  double n_;
  NigPrior::Draw state_{0.0, 1.0};
  std::array<double, 2> sums_{{0.0, 0.0}};
};

}  // namespace noiseaware
