#pragma once

#include <cstddef>
#include <noiseaware/infer/expfam/bernoulli_exact.hpp>
#include <noiseaware/infer/expfam/normal_laplace.hpp>
#include <noiseaware/infer/expfam/size_nodes.hpp>
#include <noiseaware/math/require.hpp>
#include <stdexcept>

namespace noiseaware {

//! The likelihood of theta with the count taken as normal and integrated out; n is
//! summed out where it is not public.
class BernoulliClt {
 public:
  explicit BernoulliClt(const BernoulliProblem& problem) : problem_(problem), sizes_(problem.size) {
    detail::require_finite(problem_.count.value, "released count");
    detail::require_single_noise(problem_.count.noise);
    if (!problem_.size.is_known() && !problem_.size.is_observed())
      throw std::invalid_argument("a single count does not tell n: n must be public or released");
    if (problem_.count.censored)
      throw std::invalid_argument("the normal approximation needs a count that was released");
  }

  //! log p(release | theta).
  double log_likelihood(double theta) const {
    detail::require_probability(theta, "theta");
    if (sizes_.size() == 1) return term(theta, 0);
    RunningLogSum sum;
    for (std::size_t i = 0; i < sizes_.size(); ++i) sum.add(term(theta, i));
    return sum.value();
  }

 private:
  double term(double theta, std::size_t i) const {
    const double n = sizes_.n(i);
    return sizes_.log_weight(i) +
           noisy_normal_log_density(problem_.count.value, n * (theta - problem_.count.centre),
                                    n * theta * (1.0 - theta), problem_.count.noise);
  }

  BernoulliProblem problem_;
  SizeNodes sizes_;
};

}  // namespace noiseaware
