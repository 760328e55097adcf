#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/infer/expfam/exponential_exact.hpp>
#include <noiseaware/infer/expfam/naive.hpp>
#include <noiseaware/infer/expfam/poisson_exact.hpp>
#include <noiseaware/infer/expfam/run_families.hpp>
#include <noiseaware/score/draw_records.hpp>
#include <noiseaware/score/run_trials.hpp>
#include <noiseaware/score/trial_query.hpp>
#include <noiseaware/score/trial_run.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! What all trials of a model of sums have in common.
template <class Problem>
struct SumStudy {
  Problem problem;                 //!< values are placeholders
  std::vector<std::size_t> place;  //!< of each sum among the statistics
  std::size_t records = 0;
  TrialMethod method = TrialMethod::exact;
  double max_work = 0.0;
  TrialRun run;

  //! Released values of simulated numbers, one per sum.
  std::vector<double> release(const TrialMoments& query, const std::vector<double>& numbers,
                              std::uint64_t seed) const {
    RowBatch rows;
    rows.rows = numbers.size();
    rows.numbers.push_back(NumberView(numbers.data()));
    const std::vector<double> values = query.release(rows, seed);
    std::vector<double> out;
    for (std::size_t at : place) out.push_back(values.at(at));
    return out;
  }

  template <class Run>
  TrialDraws independent(std::uint64_t seed, std::size_t variables, Run&& draw) const {
    return sample_trial(run.independent(seed), true, variables, variables + 1, draw);
  }

  template <class Run>
  TrialDraws chains(std::uint64_t seed, std::size_t variables, Run&& draw) const {
    return sample_trial(run.markov(seed), false, variables, variables + 1, draw);
  }
};

//! Trials of exponential and Poisson models: a family for run_trials().
class RateTrials {
 public:
  RateTrials(const SumStudy<ScalarProblem>& study, const TrialMoments& query)
      : study_(study), query_(query) {}

  template <class Rng>
  std::vector<double> draw_prior(Rng& rng) const {
    return {gamma(rng, study_.problem.prior.shape, study_.problem.prior.rate)};
  }

  TrialDraws posterior(const std::vector<double>& truth, const TrialSeeds& seeds) const {
    ScalarProblem problem(study_.problem);
    problem.value = study_.release(query_, records(truth[0], seeds.records), seeds.noise)[0];
    switch (study_.method) {
      case TrialMethod::exact:
        return exact(problem, seeds.draws);
      case TrialMethod::records:
        return latent_records(problem, seeds.draws);
      case TrialMethod::clt:
        return grid(problem, ScalarClt(problem), seeds.draws);
      case TrialMethod::gibbs:
        return study_.chains(seeds.draws, 1, [&](const auto& c, const auto& t, const auto& l) {
          run_rate_gibbs(problem, c, t, l, NoMonitor());
        });
      case TrialMethod::naive:
        return naive(problem, seeds.draws);
    }
    throw std::invalid_argument("rates have no such method");
  }

 private:
  bool is_poisson() const { return study_.problem.family == ScalarFamily::poisson; }

  std::vector<double> records(double rate, std::uint64_t seed) const {
    auto rng = make_stream(seed, 0);
    return is_poisson() ? draw_poissons(rng, rate, study_.records)
                        : draw_exponentials(rng, rate, study_.records);
  }

  TrialDraws exact(const ScalarProblem& problem, std::uint64_t seed) const {
    if (!is_poisson()) return grid(problem, ExponentialExact(problem), seed);
    const PoissonExact likelihood(problem, study_.max_work);
    return likelihood.feasible() ? grid(problem, likelihood, seed) : latent_records(problem, seed);
  }

  template <class Likelihood>
  TrialDraws grid(const ScalarProblem& problem, const Likelihood& likelihood,
                  std::uint64_t seed) const {
    const GridPosterior posterior = gamma_grid_posterior(
        problem.prior, [&](double rate) { return likelihood.log_likelihood(rate); });
    const ScalarClt latent_of(problem);
    return study_.independent(seed, 1, [&](const auto& c, const auto& t, const auto& l) {
      run_rate_grid(posterior, latent_of, c, t, l, NoMonitor());
    });
  }

  TrialDraws latent_records(const ScalarProblem& problem, std::uint64_t seed) const {
    return study_.chains(seed, 1, [&](const auto& c, const auto& t, const auto& l) {
      if (is_poisson())
        run_rate_records<PoissonRecords>(problem, c, t, l, NoMonitor());
      else
        run_rate_records<ExponentialRecords>(problem, c, t, l, NoMonitor());
    });
  }

  TrialDraws naive(const ScalarProblem& problem, std::uint64_t seed) const {
    const double n = problem.size.value();
    const GammaPrior law = problem.update(n, naive_sum(problem) + n * problem.centre);
    return study_.independent(seed, 1, [&](const auto& c, const auto& t, const auto&) {
      run_gamma(law, c, t, NoMonitor());
    });
  }

  SumStudy<ScalarProblem> study_;
  TrialMoments query_;
};

//! Trials of normal models: a family for run_trials().
class NormalTrials {
 public:
  NormalTrials(const SumStudy<NormalProblem>& study, const TrialMoments& query)
      : study_(study), query_(query) {}

  template <class Rng>
  std::vector<double> draw_prior(Rng& rng) const {
    const NigPrior& prior = study_.problem.prior;
    const MeanSd drawn =
        draw_normal_inverse_gamma(rng, prior.mean, prior.precision, prior.shape, prior.rate);
    return {drawn.mean, drawn.sd};
  }

  TrialDraws posterior(const std::vector<double>& truth, const TrialSeeds& seeds) const {
    auto rng = make_stream(seeds.records, 0);
    const std::vector<double> values =
        study_.release(query_, draw_normals(rng, truth[0], truth[1], study_.records), seeds.noise);
    NormalProblem problem(study_.problem);
    for (std::size_t j = 0; j < 2; ++j) problem.value[j] = values[j];
    switch (study_.method) {
      case TrialMethod::records:
        return chains<RecordAugmentation<NormalRecords>>(problem, seeds.draws);
      case TrialMethod::clt:
        return chains<NormalClt>(problem, seeds.draws);
      case TrialMethod::gibbs:
        return chains<NormalGibbs>(problem, seeds.draws);
      case TrialMethod::naive:
        return naive(problem, seeds.draws);
      default:
        throw std::invalid_argument("normal models have no such method");
    }
  }

 private:
  template <class Sampler>
  TrialDraws chains(const NormalProblem& problem, std::uint64_t seed) const {
    return study_.chains(seed, 2, [&](const auto& c, const auto& t, const auto& l) {
      run_normal<Sampler>(problem, c, t, l, NoMonitor());
    });
  }

  TrialDraws naive(const NormalProblem& problem, std::uint64_t seed) const {
    const NigPrior law =
        problem.prior.update(problem.size.value(), naive_sums(problem), problem.centre);
    return study_.independent(seed, 2, [&](const auto& c, const auto& t, const auto&) {
      run_nig(law, c, t, NoMonitor());
    });
  }

  SumStudy<NormalProblem> study_;
  TrialMoments query_;
};

}  // namespace noiseaware
