#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/infer/expfam/naive.hpp>
#include <noiseaware/infer/expfam/run_counts.hpp>
#include <noiseaware/infer/expfam/run_counts_clt.hpp>
#include <noiseaware/score/draw_records.hpp>
#include <noiseaware/score/run_trials.hpp>
#include <noiseaware/score/trial_query.hpp>
#include <noiseaware/score/trial_run.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! What all trials of a model of counts have in common.
struct CountStudy {
  CategoricalProblem problem;      //!< values are placeholders
  std::vector<std::size_t> place;  //!< of each category's count among the statistics
  bool binary = false;             //!< theta is the probability of the second category
  std::size_t records = 0;
  int unknown = 0;  //!< code of a level that was not declared
  TrialMethod method = TrialMethod::exact;
  double max_work = 0.0;
  TrialRun run;
};

//! Trials of a model of counts: a family for run_trials().
template <class Query>
class CountTrials {
 public:
  CountTrials(const CountStudy& study, const Query& query) : study_(study), query_(query) {}

  template <class Rng>
  std::vector<double> draw_prior(Rng& rng) const {
    const std::vector<double> weights = dirichlet(rng, study_.problem.concentration);
    return study_.binary ? std::vector<double>{weights[1]} : weights;
  }

  TrialDraws posterior(const std::vector<double>& truth, const TrialSeeds& seeds) const {
    const CategoricalProblem problem = observe(truth, seeds);
    switch (study_.method) {
      case TrialMethod::exact:
        return study_.binary ? exact_binary(problem, seeds.draws) : exact(problem, seeds.draws);
      case TrialMethod::gibbs:
        return gibbs(problem, seeds.draws);
      case TrialMethod::clt:
        return clt(problem, seeds.draws);
      case TrialMethod::naive:
        return naive(problem, seeds.draws);
      default:
        throw std::invalid_argument("counts have no such method");
    }
  }

 private:
  //! Records, their release, and the problem it poses.
  CategoricalProblem observe(const std::vector<double>& truth, const TrialSeeds& seeds) const {
    auto rng = make_stream(seeds.records, 0);
    const std::vector<double> weights =
        study_.binary ? std::vector<double>{1.0 - truth[0], truth[0]} : truth;
    std::vector<int> codes, same(weights.size());
    for (double code : draw_codes(rng, weights, study_.records))
      codes.push_back(static_cast<int>(code));
    std::iota(same.begin(), same.end(), 0);
    RowBatch rows;
    rows.rows = codes.size();
    rows.codes.push_back(CodeView(codes.data(), 0, same, study_.unknown));
    const std::vector<double> values = query_.release(rows, seeds.noise);
    CategoricalProblem problem(study_.problem);
    for (std::size_t k = 0; k < problem.counts.size(); ++k)
      if (problem.released[k]) problem.counts[k].value = values.at(study_.place[k]);
    return problem;
  }

  static BernoulliProblem one_count(const CategoricalProblem& problem) {
    BernoulliProblem out;
    out.shape1 = problem.concentration[1];
    out.shape2 = problem.concentration[0];
    out.count = problem.counts[1];
    out.size = problem.size;
    return out;
  }

  TrialDraws exact_binary(const CategoricalProblem& problem, std::uint64_t seed) const {
    const BernoulliExact posterior(one_count(problem), study_.max_work / BernoulliExact::cell_work);
    if (!posterior.feasible()) return metropolis(problem, seed);
    return independent(seed, 1, 2, [&](const auto& config, const auto& theta, const auto& latent) {
      run_bernoulli(posterior, config, theta, latent, NoMonitor());
    });
  }

  TrialDraws exact(const CategoricalProblem& problem, std::uint64_t seed) const {
    const CategoricalExact posterior(problem, study_.max_work);
    if (!posterior.feasible()) return metropolis(problem, seed);
    const std::size_t cells = posterior.cells().size();
    return independent(seed, problem.counts.size(), cells + 1,
                       [&](const auto& config, const auto& theta, const auto& latent) {
                         run_categorical(posterior, config, theta, latent, NoMonitor());
                       });
  }

  TrialDraws metropolis(const CategoricalProblem& problem, std::uint64_t seed) const {
    const std::size_t cells = CategoricalCells(problem).size();
    return second_only(chains(seed, problem.counts.size(), cells + 1,
                              [&](const auto& config, const auto& theta, const auto& latent) {
                                run_metropolis(problem, config, theta, latent, NoMonitor());
                              }));
  }

  TrialDraws gibbs(const CategoricalProblem& problem, std::uint64_t seed) const {
    const std::size_t cells = CategoricalCells(problem).size();
    return chains(seed, study_.binary ? 1 : problem.counts.size(), cells + 1,
                  [&](const auto& config, const auto& theta, const auto& latent) {
                    if (study_.binary)
                      run_bernoulli_gibbs(one_count(problem), config, theta, latent, NoMonitor());
                    else
                      run_categorical_gibbs(problem, config, theta, latent, NoMonitor());
                  });
  }

  TrialDraws clt(const CategoricalProblem& problem, std::uint64_t seed) const {
    const BernoulliProblem count = one_count(problem);
    const BernoulliClt likelihood(count);
    const GridPosterior posterior = beta_grid_posterior(
        count.shape1, count.shape2, [&](double theta) { return likelihood.log_likelihood(theta); });
    return independent(seed, 1, 2, [&](const auto& config, const auto& theta, const auto& latent) {
      run_probability_grid(posterior, BernoulliLatent(count), config, theta, latent, NoMonitor());
    });
  }

  TrialDraws naive(const CategoricalProblem& problem, std::uint64_t seed) const {
    const CategoricalCells cells(problem);
    const std::vector<double> counts = naive_counts(problem);
    return second_only(independent(seed, problem.counts.size(), 0,
                                   [&](const auto& config, const auto& theta, const auto&) {
                                     run_conjugate(cells, counts, config, theta, NoMonitor());
                                   }));
  }

  template <class Run>
  TrialDraws independent(std::uint64_t seed, std::size_t variables, std::size_t latent,
                         Run&& run) const {
    return sample_trial(study_.run.independent(seed), true, variables, latent, run);
  }

  template <class Run>
  TrialDraws chains(std::uint64_t seed, std::size_t variables, std::size_t latent,
                    Run&& run) const {
    return sample_trial(study_.run.markov(seed), false, variables, latent, run);
  }

  //! Of a binary column only the second category is a parameter.
  TrialDraws second_only(TrialDraws draws) const {
    if (study_.binary) draws.theta = draws.variable(1);
    return draws;
  }

  CountStudy study_;
  Query query_;
};

}  // namespace noiseaware
