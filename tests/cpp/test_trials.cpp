#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <noiseaware/score/count_trials.hpp>
#include <noiseaware/score/ks.hpp>
#include <noiseaware/score/sum_trials.hpp>
#include <stdexcept>
#include <vector>

#include "near.hpp"

using namespace noiseaware;

namespace {

TrialSettings settings(int trials, int cores) {
  TrialSettings out;
  out.seed = 7;
  out.cores = cores;
  for (int t = 1; t <= trials; ++t) out.trials.push_back(t);
  return out;
}

TrialRun short_run() {
  TrialRun run;
  run.iter = 1200;
  run.warmup = 200;
  return run;
}

//! A binary column, its count released with Laplace noise of 4 records.
CountTrials<TrialTables> binary_trials(TrialMethod method) {
  TablePlan plan;
  TablePlan::Column column;
  column.levels = 2;
  column.code = 0;
  plan.columns.push_back(column);
  plan.cliques.push_back({0});
  TrialNoise noise;
  noise.scales = {4u << count_shift};
  noise.steps = {std::ldexp(1.0, -count_shift)};
  noise.query_hash = "hash";
  CountStudy study;
  study.problem.concentration = {3.0, 2.0};
  study.problem.counts = {{}, {0.0, NoiseDensity(NoiseLaw::laplace, 4.0, noise.steps[0]), 0.0}};
  study.problem.released = {false, true};
  study.problem.size = SampleSize::known(50.0);
  study.place = {0, 0};
  study.binary = true;
  study.records = 50;
  study.method = method;
  study.max_work = 1e9;
  study.run = short_run();
  return CountTrials<TrialTables>(study, TrialTables(plan, {TableCell{0, 1}}, noise));
}

//! A number between 0 and 2 on a grid of 2^-20 about 1, its sum released.
RateTrials exponential_trials(TrialMethod method) {
  MomentPlan plan;
  const double half = std::ldexp(1.0, 20);
  plan.grids.push_back(CellGrid(0.0, 2.0 * half, half, 20, half));
  plan.binary_code = {-1};
  plan.binary_low = plan.binary_high = {0.0};
  plan.products = false;
  TrialNoise noise;
  noise.scales = {4u << 20};
  noise.steps = {std::ldexp(1.0, -20)};
  noise.query_hash = "hash";
  SumStudy<ScalarProblem> study;
  study.problem.prior = {4.0, 2.0};
  study.problem.map = RecordMap::clamp(0.0, 2.0);
  study.problem.centre = 1.0;
  study.problem.noise = NoiseDensity(NoiseLaw::laplace, 4.0);
  study.problem.size = SampleSize::known(60.0);
  study.place = {0};
  study.records = 60;
  study.method = method;
  study.run = short_run();
  const MomentTerm sum{Atom{}, Atom{Atom::Kind::number, 0, 0}};
  return RateTrials(study, TrialMoments(plan, {sum}, noise));
}

std::vector<double> ranks(const std::vector<TrialResult>& results) {
  std::vector<double> out;
  for (const TrialResult& result : results) out.push_back(result.scores.at(0).u);
  return out;
}

//! The 1% limit of the Kolmogorov-Smirnov statistic.
double limit(double trials) { return 1.628 / std::sqrt(trials); }

struct Failing {
  template <class Rng>
  std::vector<double> draw_prior(Rng&) const {
    return {0.5};
  }
  TrialDraws posterior(const std::vector<double>&, const TrialSeeds& seeds) const {
    if (seeds.draws % 2 == 0) throw std::domain_error("no posterior");
    TrialDraws draws;
    draws.iterations = draws.chains = 1;
    draws.theta = {0.4};
    return draws;
  }
};

}  // namespace

TEST_CASE("the rank of the truth counts draws below it and shares out ties", "[trials]") {
  const std::vector<double> draws = {3.0, 1.0, 2.0, 2.0, 5.0};
  const TrialScore score = score_draws(draws, 1, true, 2.0, 0.25, 0.5);
  CHECK(score.u == near::within((1.0 + 0.25 * 3.0) / 6.0, 1e-15));
  CHECK(score.mean == near::within(2.6, 1e-15));
  CHECK(score.sd == near::within(std::sqrt(9.2 / 4.0), 1e-15));
  CHECK(score.lower == 2.0);
  CHECK(score.upper == 3.0);
  CHECK(score.draws == 5.0);
}

TEST_CASE("autocorrelated draws are thinned to what they are worth", "[trials]") {
  auto rng = make_stream(1, 0);
  std::vector<double> slow(4000);
  for (std::size_t i = 1; i < slow.size(); ++i)
    slow[i] = 0.9 * slow[i - 1] + std::sqrt(0.19) * normal01(rng);
  const TrialScore score = score_draws(slow, 1, false, 0.0, 0.5, 0.9);
  CHECK(score.draws == std::floor(effective_size(slow)));
  CHECK(score.draws < 0.1 * 4000.0);
  const std::vector<double> still(100, 1.0);
  CHECK(score_draws(still, 1, false, 1.0, 0.5, 0.9).draws == 1.0);
}

TEST_CASE("trials do not depend on the number of threads or on each other", "[trials]") {
  const auto family = binary_trials(TrialMethod::exact);
  const auto one = ranks(run_trials(family, settings(20, 1), NoMonitor()));
  CHECK(one == ranks(run_trials(family, settings(20, 2), NoMonitor())));
  TrialSettings last = settings(20, 1);
  last.trials = {20};
  CHECK(one.back() == ranks(run_trials(family, last, NoMonitor()))[0]);
  last.cell = 2;
  CHECK(one.back() != ranks(run_trials(family, last, NoMonitor()))[0]);
}

TEST_CASE("methods that know about the noise are calibrated, the naive one is not", "[trials]") {
  for (TrialMethod method : {TrialMethod::exact, TrialMethod::clt, TrialMethod::gibbs}) {
    CHECK(ks_uniform(ranks(run_trials(binary_trials(method), settings(300, 2), NoMonitor()))) <
          limit(300));
    CHECK(ks_uniform(ranks(run_trials(exponential_trials(method), settings(300, 2), NoMonitor()))) <
          limit(300));
  }
  const auto records = exponential_trials(TrialMethod::records);
  CHECK(ks_uniform(ranks(run_trials(records, settings(300, 2), NoMonitor()))) < limit(300));
  const auto naive = TrialMethod::naive;
  CHECK(ks_uniform(ranks(run_trials(binary_trials(naive), settings(300, 2), NoMonitor()))) >
        limit(300));
  CHECK(ks_uniform(ranks(run_trials(exponential_trials(naive), settings(300, 2), NoMonitor()))) >
        limit(300));
}

TEST_CASE("a trial that fails says why and does not stop the others", "[trials]") {
  const auto results = run_trials(Failing(), settings(40, 2), NoMonitor());
  const auto failed = std::count_if(results.begin(), results.end(), [](const TrialResult& r) {
    return r.failure == "no posterior" && r.scores.empty();
  });
  CHECK(failed > 5);
  CHECK(failed < 35);
  CHECK(std::count_if(results.begin(), results.end(), [](const TrialResult& r) {
          return r.failure.empty() && r.scores.size() == 1;
        }) == 40 - failed);
}
