#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/infer/expfam/bernoulli_clt.hpp>
#include <noiseaware/infer/expfam/bernoulli_gibbs.hpp>
#include <noiseaware/infer/expfam/categorical_gibbs.hpp>
#include <noiseaware/infer/expfam/run_families.hpp>
#include <noiseaware/infer/expfam/size_nodes.hpp>
#include <vector>

// Draws of the central limit methods for counts. `theta` receives the parameters;
// `latent` the counts, which are normal numbers here, and, last, n.

namespace noiseaware {

//! The latent count and n given theta, both as normal numbers within their bounds.
class BernoulliLatent {
 public:
  explicit BernoulliLatent(const BernoulliProblem& problem)
      : problem_(problem), sizes_(problem.size) {}

  struct Draw {
    double count, n;
  };

  template <class Rng>
  Draw draw(Rng& rng, double theta) const {
    const double n = draw_size(rng, theta);
    const double about = n * problem_.count.centre;
    const double count =
        about + draw_latent_normal(rng, problem_.count.value, n * theta - about,
                                   n * theta * (1.0 - theta), problem_.count.noise);
    const double whole = std::nearbyint(n);
    return {std::min(std::max(count, 0.0), whole), whole};
  }

 private:
  double log_weight(double theta, std::size_t i) const {
    const double n = sizes_.n(i);
    return sizes_.log_weight(i) +
           noisy_normal_log_density(problem_.count.value, n * (theta - problem_.count.centre),
                                    n * theta * (1.0 - theta), problem_.count.noise);
  }

  template <class Rng>
  double draw_size(Rng& rng, double theta) const {
    if (sizes_.size() == 1) return sizes_.n(0);
    RunningLogSum total;
    for (std::size_t i = 0; i < sizes_.size(); ++i) total.add(log_weight(theta, i));
    double left = uniform01(rng);
    for (std::size_t i = 0; i + 1 < sizes_.size(); ++i)
      if ((left -= std::exp(log_weight(theta, i) - total.value())) < 0.0) return sizes_.n(i);
    return sizes_.n(sizes_.size() - 1);
  }

  BernoulliProblem problem_;
  SizeNodes sizes_;
};

//! Independent draws of a probability.
template <class Monitor>
void run_probability_grid(const GridPosterior& posterior, const BernoulliLatent& latent_of,
                          const ChainConfig& config, const DrawArray& theta,
                          const DrawArray& latent, Monitor&& monitor) {
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    run_iterations(config, chain, progress, [&](int i) {
      const double probability = posterior.draw(rng);
      const BernoulliLatent::Draw drawn = latent_of.draw(rng, probability);
      theta.at(i, chain, 0) = probability;
      latent.at(i, chain, 0) = drawn.count;
      latent.at(i, chain, 1) = drawn.n;
    });
  };
  run_chains(config, run_one, monitor);
}

//! Markov chains for one count of a binary column.
template <class Monitor>
void run_bernoulli_gibbs(const BernoulliProblem& problem, const ChainConfig& config,
                         const DrawArray& theta, const DrawArray& latent, Monitor&& monitor) {
  const auto write = [&](const BernoulliGibbs& sampler, int row, int chain) {
    theta.at(row, chain, 0) = sampler.theta();
    latent.at(row, chain, 0) = sampler.statistic();
    latent.at(row, chain, 1) = problem.size.value();
  };
  run_sampler<BernoulliGibbs>(
      problem, config, 1, write, [](const BernoulliGibbs&, int) {}, monitor);
}

//! Markov chains for the counts of a factor.
template <class Monitor>
void run_categorical_gibbs(const CategoricalProblem& problem, const ChainConfig& config,
                           const DrawArray& theta, const DrawArray& latent, Monitor&& monitor) {
  const auto write = [&](const CategoricalGibbs& sampler, int row, int chain) {
    theta.write(row, chain, sampler.theta());
    latent.write(row, chain, sampler.counts());
    latent.at(row, chain, sampler.counts().size()) = sampler.n();
  };
  run_sampler<CategoricalGibbs>(
      problem, config, 1, write, [](const CategoricalGibbs&, int) {}, monitor);
}

//! Moments of a probability, averaged over draws of the latent count.
inline MixtureMoments latent_moments(const BernoulliProblem& problem, const DrawArray& latent,
                                     int kept, int chains) {
  const double total = problem.shape1 + problem.shape2;
  MixtureAccumulator mixture((problem.shape1 + latent.at(0, 0, 0)) / (total + latent.at(0, 0, 1)));
  for (int chain = 0; chain < chains; ++chain) {
    for (int row = 0; row < kept; ++row) {
      const double s = latent.at(row, chain, 0), n = latent.at(row, chain, 1);
      mixture.add(1.0, problem.shape1 + s, problem.shape2 + n - s);
    }
  }
  return mixture.moments();
}

}  // namespace noiseaware
