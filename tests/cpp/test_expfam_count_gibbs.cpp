#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/bernoulli_clt.hpp>
#include <noiseaware/infer/expfam/bernoulli_gibbs.hpp>
#include <noiseaware/infer/expfam/categorical_gibbs.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>
#include <vector>

#include "chain_oracles.hpp"
#include "count_oracles.hpp"
#include "near.hpp"

using namespace noiseaware;
using namespace count_oracles;
using chain_oracles::ChainSummary;
using near::within;

namespace {

// Measured distance of the normal approximation from the exact posterior: at most
// 0.005 in Kolmogorov's distance for n >= 100, or about 0.015 standard deviations.
constexpr double kCltError = 0.015;

void check_chain(const std::vector<double>& draws, const MixtureMoments& truth,
                 double allowed = kCltError) {
  const ChainSummary chain(draws);
  CHECK(chain.z_mean(truth.mean, allowed) < 4.5);
  CHECK(chain.z_sd(std::sqrt(truth.variance()), allowed) < 4.5);
  CHECK(chain.se_mean < .02 * chain.sd);  // or the test would say nothing
}

CategoricalProblem three_levels(double n, std::vector<double> values, NoiseDensity noise) {
  return categorical_problem({5, 5, 5}, values, noise, SampleSize::known(n));
}

}  // namespace

TEST_CASE("Gibbs sampler of one noisy count agrees with the exact posterior", "[expfam]") {
  struct Case {
    double a, b, n, z, centre;
    NoiseDensity noise;
  };
  for (const Case& c :
       {Case{10, 10, 100, 62.3, 0, laplace(5)}, Case{10, 10, 1000, 380, 0, laplace(10)},
        Case{2, 5, 200, -31.5, .5, laplace(1)}, Case{4, 4, 100, 55.2, 0, gaussian(4)},
        Case{3, 3, 100, 51, 0, laplace(1, 1)}}) {
    const BernoulliProblem problem =
        bernoulli(c.a, c.b, {c.z, c.noise, c.centre}, SampleSize::known(c.n));
    Xoshiro256pp rng(11);
    BernoulliGibbs sampler(problem, rng);
    std::vector<double> counts;
    const auto draws = chain_oracles::run_chain(
        500, 100000, [&] { sampler.step(rng); },
        [&] {
          counts.push_back(sampler.statistic());
          return sampler.theta();
        });
    check_chain(draws, BernoulliExact(problem, 1e8).moments());
    CHECK(*std::min_element(counts.begin(), counts.end()) >= 0.0);
    CHECK(*std::max_element(counts.begin(), counts.end()) <= c.n);
  }
}

TEST_CASE("Gibbs sampler of one count: no noise, no records, refusals", "[expfam]") {
  Xoshiro256pp rng(12);
  const BernoulliProblem plain = bernoulli(2, 3, {7, exact_count, 0}, SampleSize::known(10));
  BernoulliGibbs sampler(plain, rng);
  const auto draws = oracles::draw_many(20000, [&] {
    sampler.step(rng);
    return sampler.theta();
  });
  CHECK(sampler.statistic() == 7.0);
  CHECK(oracles::ks_p_value(draws, [](double x) { return oracles::beta_p(9, 6, x); }) >
        oracles::kRejects);
  BernoulliGibbs empty(bernoulli(2, 3, {4, laplace(3), 0}, SampleSize::known(0)), rng);
  const auto prior = oracles::draw_many(20000, [&] {
    empty.step(rng);
    return empty.theta();
  });
  CHECK(oracles::ks_p_value(prior, [](double x) { return oracles::beta_p(2, 3, x); }) >
        oracles::kRejects);
  // Spikes at both ends must not trap the chain or make it fail.
  BernoulliGibbs spiky(bernoulli(1e-3, 1e-3, {40, laplace(100), 0}, SampleSize::known(100)), rng);
  for (int i = 0; i < 1000; ++i) spiky.step(rng);
  CHECK(std::isfinite(spiky.theta()));
  BernoulliProblem bad = bernoulli(2, 3, {4, laplace(3), 0}, SampleSize::noisy(9, laplace(1)));
  CHECK_THROWS_AS(BernoulliGibbs(bad, rng), std::invalid_argument);
  bad.size = SampleSize::known(10);
  bad.count.value = oracles::kNaN;
  CHECK_THROWS_AS(BernoulliGibbs(bad, rng), std::invalid_argument);
  bad.count = {4, laplace(3), 0, true};
  CHECK_THROWS_AS(BernoulliGibbs(bad, rng), std::invalid_argument);
}

TEST_CASE("Gibbs sampler of noisy counts agrees with the exact posterior", "[expfam]") {
  for (const CategoricalProblem& problem : {three_levels(100, {34.2, 18.9, 50.5}, laplace(2)),
                                            three_levels(1000, {250, 600, 190}, laplace(20)),
                                            three_levels(200, {90, 45, 60}, gaussian(8))}) {
    Xoshiro256pp rng(13);
    CategoricalGibbs sampler(problem, rng);
    std::vector<double> first, last;
    for (int i = 0; i < 100500; ++i) {
      sampler.step(rng);
      if (i < 500) continue;
      first.push_back(sampler.theta()[0]);
      last.push_back(sampler.theta()[2]);
    }
    const auto truth = CategoricalExact(problem, 1e9).moments();
    check_chain(first, truth[0]);
    check_chain(last, truth[2]);
    double sum = 0.0;
    for (double s : sampler.counts()) sum += s;
    CHECK(sum == within(problem.size.value(), 1e-9));
  }
}

TEST_CASE("Gibbs sampler of noisy counts: some counts were not released", "[expfam]") {
  CategoricalProblem problem =
      categorical_problem({4, 3, 2, 5}, {40, 0, 0, 95}, laplace(4), SampleSize::known(200));
  problem.released = {true, false, false, true};
  Xoshiro256pp rng(14);
  CategoricalGibbs sampler(problem, rng);
  std::vector<std::vector<double>> draws(4);
  for (int i = 0; i < 100000; ++i) {
    sampler.step(rng);
    for (std::size_t k = 0; k < 4; ++k) draws[k].push_back(sampler.theta()[k]);
  }
  const auto truth = CategoricalExact(problem, 1e9).moments();
  for (std::size_t k = 0; k < 4; ++k) check_chain(draws[k], truth[k]);
  CHECK(sampler.counts().size() == 3);
}

TEST_CASE("Gibbs sampler of noisy counts: counts about a centre", "[expfam]") {
  CategoricalProblem problem = three_levels(100, {34.2, 18.9, 50.5}, laplace(2));
  CategoricalProblem centred = problem;
  for (NoisyCount& count : centred.counts) {
    count.centre = .5;
    count.value -= 50.0;
  }
  Xoshiro256pp rng(15), same(15);
  CategoricalGibbs plain(problem, rng), about(centred, same);
  for (int i = 0; i < 100; ++i) {
    plain.step(rng);
    about.step(same);
  }
  CHECK(about.theta()[1] == within(plain.theta()[1], 1e-9));
}

TEST_CASE("counts drawn in pairs have the same distribution", "[expfam]") {
  // Rejection is hopeless here: a released value is far below 0.
  const CategoricalProblem problem =
      categorical_problem({2, 2, 2}, {-60, 90, 75}, laplace(4), SampleSize::known(100));
  Xoshiro256pp rng(16);
  CategoricalGibbs sampler(problem, rng);
  std::vector<double> first, last;
  for (int i = 0; i < 200000; ++i) {
    sampler.step(rng);
    first.push_back(sampler.counts()[0]);
    last.push_back(sampler.theta()[2]);
  }
  CHECK(*std::min_element(first.begin(), first.end()) >= 0.0);
  // Near the boundary the normal approximation itself is poor: 0.1 sd.
  check_chain(last, CategoricalExact(problem, 1e9).moments()[2], .1);
}

TEST_CASE("Gibbs sampler of noisy counts: many empty levels and refusals", "[expfam]") {
  std::vector<double> alpha(60, .1), values(60, 0.0);
  values[7] = 500.0;
  Xoshiro256pp rng(17);
  CategoricalGibbs sampler(categorical_problem(alpha, values, laplace(3), SampleSize::known(500)),
                           rng);
  double mean = 0.0;
  for (int i = 0; i < 2000; ++i) {
    sampler.step(rng);
    mean += sampler.theta()[7] / 2000.0;
    CHECK(std::isfinite(sampler.theta()[3]));
  }
  CHECK(mean > .8);
  CategoricalProblem bad = three_levels(100, {34.2, 18.9, 50.5}, laplace(2));
  bad.counts[1].censored = true;
  CHECK_THROWS_AS(CategoricalGibbs(bad, rng), std::invalid_argument);
  bad = three_levels(100, {34.2, 18.9, 50.5}, laplace(2));
  bad.size = SampleSize::noisy(100, laplace(2));
  CHECK_THROWS_AS(CategoricalGibbs(bad, rng), std::invalid_argument);
  CategoricalGibbs exact(three_levels(10, {3, 2, 5}, exact_count), rng);
  exact.step(rng);
  CHECK(exact.counts()[0] == 3.0);
  CHECK(exact.counts()[2] == 5.0);
}

TEST_CASE("normal likelihood of one noisy count", "[expfam]") {
  const BernoulliClt clt(bernoulli(1, 1, {-4, laplace(3), .5}, SampleSize::known(50)));
  CHECK(clt.log_likelihood(.3) == within(log_normal_laplace(21, 15, 10.5, 3), 1e-13));
  CHECK(clt.log_likelihood(0.0) == within(log_laplace(21, 3), 1e-13));
  const NoiseDensity size_noise = laplace(2, 1);
  const BernoulliClt latent(
      bernoulli(1, 1, {20, laplace(3), 0}, SampleSize::noisy(40, size_noise)));
  double sum = 0.0;
  for (int n = 0; n < 140; ++n)
    sum += std::exp(log_discrete_laplace(40.0 - n, 2) + log_normal_laplace(20, n * .4, n * .24, 3));
  CHECK(latent.log_likelihood(.4) == within(std::log(sum), 1e-12));
  for (double n : {100.0, 1000.0}) {
    const BernoulliProblem problem = bernoulli(3, 4, {.4 * n, laplace(5), 0}, SampleSize::known(n));
    const BernoulliClt target(problem);
    const auto truth = BernoulliExact(problem, 1e8).moments();
    const auto found = chain_oracles::by_quadrature(
        -6, 6,
        [&](double x) {
          const double theta = 1.0 / (1.0 + std::exp(-x));
          return 3 * std::log(theta) + 4 * std::log1p(-theta) + target.log_likelihood(theta);
        },
        [](double x) { return 1.0 / (1.0 + std::exp(-x)); });
    CHECK(found.mean == within(truth.mean, kCltError * found.sd));
    CHECK(found.sd == within(std::sqrt(truth.variance()), kCltError * found.sd));
  }
  CHECK_THROWS_AS(clt.log_likelihood(1.1), std::invalid_argument);
  CHECK_THROWS_AS(BernoulliClt(bernoulli(1, 1, {4, laplace(3), 0}, SampleSize::unknown())),
                  std::invalid_argument);
  CHECK_THROWS_AS(BernoulliClt(bernoulli(1, 1, {4, laplace(3), 0, true}, SampleSize::known(9))),
                  std::invalid_argument);
}
