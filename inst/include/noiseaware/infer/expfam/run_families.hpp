#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/infer/expfam/grid_posterior.hpp>
#include <noiseaware/infer/expfam/normal_clt.hpp>
#include <noiseaware/infer/expfam/normal_gibbs.hpp>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/record_augmentation.hpp>
#include <noiseaware/infer/expfam/scalar_clt.hpp>
#include <noiseaware/infer/expfam/scalar_gibbs.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <type_traits>
#include <vector>

// Draws of every chain for the exponential, Poisson and normal families. `theta`
// receives the parameters (rate, or mean and standard deviation); `latent` the exact
// sums of the records about the centre and, last, n.

namespace noiseaware {

//! Independent draws of a rate from a gamma distribution.
template <class Monitor>
void run_gamma(const GammaPrior& law, const ChainConfig& config, const DrawArray& theta,
               Monitor&& monitor) {
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    run_iterations(config, chain, progress,
                   [&](int i) { theta.at(i, chain, 0) = gamma(rng, law.shape, law.rate); });
  };
  run_chains(config, run_one, monitor);
}

//! Independent draws of mean and standard deviation.
template <class Monitor>
void run_nig(const NigPrior& law, const ChainConfig& config, const DrawArray& theta,
             Monitor&& monitor) {
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    run_iterations(config, chain, progress, [&](int i) {
      const NigPrior::Draw draw = law.draw(rng);
      theta.at(i, chain, 0) = draw.mean;
      theta.at(i, chain, 1) = std::sqrt(draw.variance);
    });
  };
  run_chains(config, run_one, monitor);
}

//! Independent draws of a rate. The latent sum is drawn by the central limit, also
//! where the likelihood of the grid is exact: it only tells how much of the spread
//! is due to the noise.
template <class Monitor>
void run_rate_grid(const GridPosterior& posterior, const ScalarClt& latent_of,
                   const ChainConfig& config, const DrawArray& theta, const DrawArray& latent,
                   Monitor&& monitor) {
  const double centre = latent_of.problem().centre;
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    run_iterations(config, chain, progress, [&](int i) {
      const double rate = posterior.draw(rng);
      const ScalarClt::Statistic statistic = latent_of.draw_statistic(rng, rate);
      theta.at(i, chain, 0) = rate;
      latent.at(i, chain, 0) = statistic.sum - statistic.n * centre;
      // Nodes of a long sum over n need not be whole numbers.
      latent.at(i, chain, 1) = std::nearbyint(statistic.n);
    });
  };
  run_chains(config, run_one, monitor);
}

namespace detail {

//! One iteration of a sampler, which may adapt itself if it knows how to.
template <class Sampler, class Rng>
auto advance(Sampler& sampler, Rng& rng, bool adapt, int) -> decltype(sampler.step(rng, adapt)) {
  return sampler.step(rng, adapt);
}
template <class Sampler, class Rng>
void advance(Sampler& sampler, Rng& rng, bool, long) {
  sampler.step(rng);
}

}  // namespace detail

//! Markov chains with warmup, during which samplers adapt, and thinning. `Sampler` is
//! started with (problem, rng) and makes `sweeps` steps in an iteration;
//! `write(sampler, row, chain)` stores its state, and `finish(sampler, chain)` is called
//! at the end.
template <class Sampler, class Problem, class Write, class Finish, class Monitor>
void run_sampler(const Problem& problem, const ChainConfig& config, int sweeps, Write&& write,
                 Finish&& finish, Monitor&& monitor) {
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    Sampler sampler(problem, rng);
    run_iterations(config, chain, progress, [&](int i) {
      for (int k = 0; k < sweeps; ++k) detail::advance(sampler, rng, i < config.warmup, 0);
      const int row = config.row(i);
      if (row >= 0) write(sampler, row, chain);
    });
    finish(sampler, chain);
  };
  run_chains(config, run_one, monitor);
}

//! The sampler of Bernstein and Sheldon (2018) for a rate, with a public n.
template <class Monitor>
void run_rate_gibbs(const ScalarProblem& problem, const ChainConfig& config, const DrawArray& theta,
                    const DrawArray& latent, Monitor&& monitor) {
  const double n = problem.size.value();
  const auto write = [&](const ScalarGibbs& sampler, int row, int chain) {
    theta.at(row, chain, 0) = sampler.rate();
    latent.at(row, chain, 0) = sampler.statistic() - n * problem.centre;
    latent.at(row, chain, 1) = n;
  };
  run_sampler<ScalarGibbs>(
      problem, config, 1, write, [](const ScalarGibbs&, int) {}, monitor);
}

//! Steps on few records are cheap and move little: enough of them make an iteration
//! to propose five hundred records.
inline int record_sweeps(const SampleSize& size) {
  return static_cast<int>(std::max(1.0, std::floor(500.0 / std::max(1.0, size.value()))));
}

//! Chains on the records, for `Family` ExponentialRecords or PoissonRecords. Returns
//! the acceptance rate of each chain.
template <class Family, class Monitor>
std::vector<double> run_rate_records(const ScalarProblem& problem, const ChainConfig& config,
                                     const DrawArray& theta, const DrawArray& latent,
                                     Monitor&& monitor) {
  using Sampler = RecordAugmentation<Family>;
  std::vector<double> acceptance(static_cast<std::size_t>(config.chains));
  const auto write = [&](const Sampler& sampler, int row, int chain) {
    theta.at(row, chain, 0) = sampler.rate();
    latent.at(row, chain, 0) = sampler.statistic() - sampler.n() * problem.centre;
    latent.at(row, chain, 1) = sampler.n();
  };
  const auto finish = [&](const Sampler& sampler, int chain) {
    acceptance[static_cast<std::size_t>(chain)] = sampler.acceptance_rate();
  };
  run_sampler<Sampler>(problem, config, record_sweeps(problem.size), write, finish, monitor);
  return acceptance;
}

//! Chains for mean and standard deviation; `Sampler` is NormalClt, NormalGibbs or
//! RecordAugmentation<NormalRecords>. Returns the acceptance rate of each chain.
template <class Sampler, class Monitor>
std::vector<double> run_normal(const NormalProblem& problem, const ChainConfig& config,
                               const DrawArray& theta, const DrawArray& latent, Monitor&& monitor) {
  constexpr bool on_records = std::is_same<Sampler, RecordAugmentation<NormalRecords>>::value;
  std::vector<double> acceptance(static_cast<std::size_t>(config.chains));
  const auto write = [&](const Sampler& sampler, int row, int chain) {
    theta.at(row, chain, 0) = sampler.mean();
    theta.at(row, chain, 1) = sampler.sd();
    latent.write(row, chain, sampler.statistic());
    latent.at(row, chain, 2) = sampler.n();
  };
  const auto finish = [&](const Sampler& sampler, int chain) {
    acceptance[static_cast<std::size_t>(chain)] = sampler.acceptance_rate();
  };
  run_sampler<Sampler>(problem, config, on_records ? record_sweeps(problem.size) : 1, write, finish,
                       monitor);
  return acceptance;
}

}  // namespace noiseaware
