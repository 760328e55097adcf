#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/complete_sum.hpp>
#include <noiseaware/infer/expfam/normal_laplace.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/infer/expfam/size_nodes.hpp>

namespace noiseaware {

//! The likelihood of the rate with the sum of the mapped records taken as normal
//! and integrated out (Bernstein and Sheldon 2018, with the dependence of the
//! regions). n is summed out where it is not public.
class ScalarClt {
 public:
  explicit ScalarClt(const ScalarProblem& problem) : problem_(problem), sizes_(problem.size) {
    problem_.check();
    detail::require_single_noise(problem_.noise);
  }

  const ScalarProblem& problem() const { return problem_; }

  //! log p(release | rate); -Inf where it underflows.
  double log_likelihood(double rate) const { return log_likelihood(problem_.moments(rate)); }

  //! n and the sum of the complete records.
  struct Statistic {
    double n, sum;
  };

  //! A draw of the statistic given the rate and the release.
  template <class Rng>
  Statistic draw_statistic(Rng& rng, double rate) const {
    const ScalarMoments record = problem_.moments(rate);
    const double n = draw_size(rng, record);
    const double mean = n * (record.mh - problem_.centre);
    const double mapped =
        draw_latent_normal(rng, problem_.value, mean, n * record.vh, problem_.noise);
    return {n, draw_complete_sum(rng, record, n, mapped - mean)};
  }

 private:
  //! Log density of the sum and of node i of n.
  double term(const ScalarMoments& record, std::size_t i) const {
    const double n = sizes_.n(i);
    return sizes_.log_weight(i) + noisy_normal_log_density(problem_.value,
                                                           n * (record.mh - problem_.centre),
                                                           n * record.vh, problem_.noise);
  }

  double log_likelihood(const ScalarMoments& record) const {
    if (sizes_.size() == 1) return term(record, 0);
    RunningLogSum sum;
    for (std::size_t i = 0; i < sizes_.size(); ++i) sum.add(term(record, i));
    return sum.value();
  }

  template <class Rng>
  double draw_size(Rng& rng, const ScalarMoments& record) const {
    if (sizes_.size() == 1) return sizes_.n(0);
    const double total = log_likelihood(record);
    double left = uniform01(rng);
    for (std::size_t i = 0; i + 1 < sizes_.size(); ++i)
      if ((left -= std::exp(term(record, i) - total)) < 0.0) return sizes_.n(i);
    return sizes_.n(sizes_.size() - 1);
  }

  ScalarProblem problem_;
  SizeNodes sizes_;
};

}  // namespace noiseaware
