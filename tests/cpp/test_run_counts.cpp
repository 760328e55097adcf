#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <noiseaware/infer/expfam/run_counts.hpp>
#include <vector>

#include "count_oracles.hpp"

using namespace noiseaware;
using namespace count_oracles;

namespace {

//! Mean of f over a chain and its Monte Carlo error from 40 batch means.
struct ChainMean {
  double mean = 0.0, error = 0.0;

  template <class Value>
  ChainMean(const CategoricalProblem& problem, std::uint64_t seed, Value value) {
    auto rng = make_stream(seed, 0);
    CategoricalMetropolis chain(problem, rng);
    for (int i = 0; i < 500; ++i) chain.step(rng);
    std::vector<double> batches(40, 0.0);
    for (double& batch : batches) {
      for (int i = 0; i < 250; ++i) {
        chain.step(rng);
        batch += value(chain) / 250.0;
      }
    }
    const oracles::Moments moments(batches);
    mean = moments.mean;
    error = std::sqrt(moments.variance / 39.0);
    CHECK(chain.acceptance_rate() > 0.05);
    CHECK(chain.acceptance_rate() < 1.0);
  }
  double z(double truth) const { return std::abs(mean - truth) / error; }
};

}  // namespace

TEST_CASE("the chain on counts has the exact posterior as its target", "[expfam]") {
  auto partial =
      categorical_problem({2, .7, 1.3, 3}, {5.4, 0, 3, 0}, laplace(2.0), SampleSize::known(15));
  partial.counts[2].noise = exact_count;
  partial.released = {true, false, true, false};
  const std::vector<CategoricalProblem> problems{
      categorical_problem({.4, 2, 7}, {3.3, 2.1, 2.9}, laplace(1.5), SampleSize::known(8)),
      categorical_problem({1, 1, 1, 1}, {500, 300, 150, 80}, gaussian(30.0),
                          SampleSize::known(1000)),
      categorical_problem({1.5, 2, 4}, {3.4, -.8, 5.2}, laplace(.7), SampleSize::unknown()),
      categorical_problem({1.5, 2, 4}, {30, 8, 52}, laplace(4, 1),
                          SampleSize::noisy(95, laplace(3, 1))),
      partial};
  std::uint64_t seed = 20;
  for (const auto& problem : problems) {
    const CategoricalExact exact(problem, 1e9);
    for (std::size_t c = 0; c < 2; ++c) {
      if (c == 1 && exact.marginal(1).mass.size() == 1) continue;
      const ChainMean count(problem, ++seed,
                            [&](const CategoricalMetropolis& m) { return m.counts()[c]; });
      CHECK(count.z(exact.marginal(c).mean()) < 4.5);
      const double mean = exact.marginal(c).mean();
      const ChainMean spread(problem, ++seed, [&](const CategoricalMetropolis& m) {
        return (m.counts()[c] - mean) * (m.counts()[c] - mean);
      });
      CHECK(spread.z(exact.marginal(c).variance()) < 4.5);
    }
  }
}

TEST_CASE("the chain on counts handles a centre with latent n", "[expfam]") {
  // Two cells: the counted level, and the other one without a count.
  for (double grid : {0.0, 1.0}) {
    auto problem = categorical_problem({2, 3}, {-1.5, 0}, laplace(1.5, grid),
                                       SampleSize::noisy(9.0, laplace(2.0, grid)));
    problem.counts[0].centre = .5;
    problem.released[1] = false;
    const BernoulliExact exact(bernoulli(2, 3, {-1.5, laplace(1.5, grid), .5}, problem.size), 1e8);
    double mean_s = 0.0, mean_n = 0.0;
    exact.visit([&](double n, double s, double w) {
      mean_s += w * s;
      mean_n += w * n;
    });
    const ChainMean count(problem, 41,
                          [](const CategoricalMetropolis& m) { return m.counts()[0]; });
    const ChainMean size(problem, 42, [](const CategoricalMetropolis& m) { return m.n(); });
    CHECK(count.z(mean_s) < 4.5);
    CHECK(size.z(mean_n) < 4.5);
  }
}

TEST_CASE("the chain on counts starts anywhere the release allows", "[expfam]") {
  auto rng = make_stream(1, 0);
  // Far more counted than there are records, and far fewer.
  for (double z : {1e6, -1e6, 10.0}) {
    CategoricalMetropolis chain(
        categorical_problem({1, 1, 1}, {z, z, z}, laplace(3.0), SampleSize::known(100)), rng);
    double sum = 0.0;
    for (double s : chain.counts()) {
      CHECK(s >= 0.0);
      sum += s;
    }
    CHECK(sum == 100.0);
  }
  auto impossible =
      categorical_problem({1, 1, 1}, {50, 60, 3}, exact_count, SampleSize::known(100));
  CHECK_THROWS_AS(CategoricalMetropolis(impossible, rng), std::domain_error);
}

namespace {

//! Draws of all chains for a number of cores.
template <class Run>
std::vector<double> draws_on(int cores, std::size_t variables, Run run) {
  const ChainConfig config(3, 40, 10, 2, cores, 99);
  std::vector<double> theta(15 * 3 * variables), latent(15 * 3 * (variables + 2));
  run(config, DrawArray(theta.data(), 15, 3), DrawArray(latent.data(), 15, 3));
  theta.insert(theta.end(), latent.begin(), latent.end());
  return theta;
}

}  // namespace

TEST_CASE("draws of counts do not depend on the number of cores", "[expfam]") {
  const auto problem =
      categorical_problem({1, 2, 3}, {30, 8, 52}, laplace(4.0), SampleSize::known(95));
  const auto chains = [&](const ChainConfig& config, DrawArray theta, DrawArray latent) {
    for (double rate : run_metropolis(problem, config, theta, latent, NoMonitor()))
      CHECK((rate > 0.0 && rate < 1.0));
  };
  CHECK(draws_on(1, 3, chains) == draws_on(3, 3, chains));
  const CategoricalExact exact(problem, 1e9);
  const auto independent = [&](const ChainConfig& config, DrawArray theta, DrawArray latent) {
    const ChainConfig all(config.chains, config.kept(), 0, 1, config.cores, config.seed);
    run_categorical(exact, all, theta, latent, NoMonitor());
  };
  CHECK(draws_on(1, 3, independent) == draws_on(3, 3, independent));
  const BernoulliExact single(
      bernoulli(1, 1, {30.0, laplace(4.0), 0.0}, SampleSize::noisy(95.0, laplace(2.0))), 1e8);
  const auto binary = [&](const ChainConfig& config, DrawArray theta, DrawArray latent) {
    const ChainConfig all(config.chains, config.kept(), 0, 1, config.cores, config.seed);
    run_bernoulli(single, all, theta, latent, NoMonitor());
  };
  CHECK(draws_on(1, 1, binary) == draws_on(3, 1, binary));
}

TEST_CASE("moments from draws of the counts are averages over them", "[expfam]") {
  const CategoricalCells cells(
      categorical_problem({1, 2, 3}, {30, 8, 52}, laplace(4.0), SampleSize::known(95)));
  // Two draws of (s_1, s_2, s_3, n), written as variables x draws.
  std::vector<double> storage{30, 34, 10, 8, 55, 53, 95, 95};
  const auto moments = latent_moments(cells, DrawArray(storage.data(), 2, 1), 2, 1);
  const double first = 31.0 / 101.0, second = 35.0 / 101.0;
  CHECK(moments[0].mean == Approx(.5 * (first + second)).epsilon(1e-14));
  CHECK(moments[0].between == Approx(.25 * (second - first) * (second - first)).epsilon(1e-12));
  CHECK(moments[0].within ==
        Approx(.5 * (first * (1 - first) + second * (1 - second)) / 102.0).epsilon(1e-14));
  const auto fixed = conjugate_moments(cells, {30.5, 9.25, 55.25});
  CHECK(fixed[1].mean == Approx(11.25 / 101.0).epsilon(1e-14));
  CHECK(fixed[1].within == Approx(11.25 * 89.75 / (101.0 * 101.0 * 102.0)).epsilon(1e-14));
  std::vector<double> theta(3);
  const ChainConfig config(1, 1, 0, 1, 1, 5);
  CHECK_THROWS_AS(
      run_conjugate(cells, {1.0, 2.0}, config, DrawArray(theta.data(), 1, 1), NoMonitor()),
      std::invalid_argument);
}

TEST_CASE("replicated counts are multinomial with noise on top", "[expfam]") {
  const std::size_t rows = 20000;
  std::vector<double> theta(2 * rows), sizes(rows, 50.0), counts(2 * rows), noisy(2 * rows);
  std::fill(theta.begin(), theta.begin() + rows, .3);
  std::fill(theta.begin() + rows, theta.end(), .7);
  replicate_counts(theta, sizes, {laplace(4.0), exact_count}, 12, counts, noisy);
  std::vector<double> first(counts.begin(), counts.begin() + rows), noise;
  for (std::size_t d = 0; d < rows; ++d) {
    REQUIRE(counts[d] + counts[d + rows] == 50.0);
    REQUIRE(noisy[d + rows] == counts[d + rows]);
    noise.push_back(noisy[d] - counts[d]);
  }
  CHECK(oracles::Moments(first).z_mean(15.0) < oracles::kMaxZ);
  CHECK(oracles::Moments(first).z_variance(10.5) < oracles::kMaxZ);
  CHECK(oracles::Moments(noise).z_mean(0.0) < oracles::kMaxZ);
  CHECK(oracles::Moments(noise).z_variance(32.0) < oracles::kMaxZ);
}
