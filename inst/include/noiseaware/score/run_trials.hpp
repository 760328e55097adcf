#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/score_draws.hpp>
#include <noiseaware/score/trial_stream.hpp>
#include <string>
#include <vector>

// Trials of a calibration study, compiled end to end: parameters from the prior,
// records, release, posterior draws, score. Trials run on threads; each has random
// numbers of its own, so that the result does not depend on how many.

namespace noiseaware {

//! Seeds of what happens in one trial.
struct TrialSeeds {
  TrialSeeds(std::uint64_t seed, std::uint64_t cell, std::uint64_t trial) {
    Xoshiro256pp stream = trial_stream(seed, cell, trial);
    for (std::uint64_t* part : {&prior, &records, &noise, &draws, &ties})
      *part = static_cast<std::uint64_t>(next_seed(stream));
  }
  std::uint64_t prior = 0, records = 0, noise = 0, draws = 0, ties = 0;
};

//! Posterior draws of one trial: iterations x chains x variables.
struct TrialDraws {
  std::vector<double> theta;
  int iterations = 0;
  int chains = 0;
  bool independent = true;

  //! Makes room for the draws `config` keeps and says where they go.
  DrawArray reserve(const ChainConfig& config, std::size_t variables) {
    iterations = config.kept();
    chains = config.chains;
    theta.assign(per_variable() * variables, 0.0);
    return DrawArray(theta.data(), iterations, chains);
  }

  std::size_t per_variable() const {
    return static_cast<std::size_t>(iterations) * static_cast<std::size_t>(chains);
  }

  std::vector<double> variable(std::size_t k) const {
    const auto first = theta.begin() + static_cast<std::ptrdiff_t>(k * per_variable());
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(per_variable()));
  }
};

//! Draws of `variables` parameters by run(config, theta, latent).
template <class Run>
TrialDraws sample_trial(const ChainConfig& config, bool independent, std::size_t variables,
                        std::size_t latent, Run&& run) {
  TrialDraws draws, scratch;
  const DrawArray theta = draws.reserve(config, variables);
  run(config, theta, scratch.reserve(config, latent));
  draws.independent = independent;
  return draws;
}

//! What one trial found: the truth and a score for every variable, or why there is none.
struct TrialResult {
  std::vector<double> truth;
  std::vector<TrialScore> scores;
  std::string failure;
};

struct TrialSettings {
  std::uint64_t seed = 0;
  std::uint64_t cell = 0;
  std::vector<double> trials;  //!< their numbers
  double prob = 0.9;
  int cores = 1;
};

//! `family` knows the model, the query and the method:
//!   std::vector<double> draw_prior(rng)
//!   TrialDraws posterior(truth, const TrialSeeds&)
//! A failure is a result of the trial.
template <class Family>
TrialResult run_trial(const Family& family, const TrialSettings& settings, double trial) {
  const TrialSeeds seeds(settings.seed, settings.cell, static_cast<std::uint64_t>(trial));
  TrialResult out;
  try {
    auto prior = make_stream(seeds.prior, 0);
    out.truth = family.draw_prior(prior);
    const TrialDraws draws = family.posterior(out.truth, seeds);
    auto ties = make_stream(seeds.ties, 0);
    for (std::size_t k = 0; k < out.truth.size(); ++k)
      out.scores.push_back(score_draws(draws.variable(k), static_cast<std::size_t>(draws.chains),
                                       draws.independent, out.truth[k], uniform_open(ties),
                                       settings.prob));
  } catch (const std::exception& error) {
    out.failure = error.what();
  }
  return out;
}

template <class Family, class Monitor>
std::vector<TrialResult> run_trials(const Family& family, const TrialSettings& settings,
                                    Monitor&& monitor) {
  std::vector<TrialResult> results(settings.trials.size());
  if (results.empty()) return results;
  const ChainConfig crew(static_cast<int>(results.size()), 1, 0, 1, settings.cores, 0);
  const auto run_one = [&](int index, Progress& progress) {
    const auto i = static_cast<std::size_t>(index);
    results[i] = run_trial(family, settings, settings.trials[i]);
    progress.tick(index);
  };
  run_chains(crew, run_one, monitor);
  return results;
}

}  // namespace noiseaware
