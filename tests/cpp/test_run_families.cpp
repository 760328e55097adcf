#include <catch.h>

#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/exponential_exact.hpp>
#include <noiseaware/infer/expfam/replicate_families.hpp>
#include <noiseaware/infer/expfam/run_counts_clt.hpp>
#include <noiseaware/infer/expfam/run_families.hpp>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;

namespace {

//! Memory for the draws of a run.
struct Storage {
  Storage(const ChainConfig& config, std::size_t variables)
      : values(static_cast<std::size_t>(config.kept() * config.chains) * variables),
        array(values.data(), config.kept(), config.chains) {}
  std::vector<double> values;
  DrawArray array;
};

ScalarProblem waits() {
  ScalarProblem problem;
  problem.prior = {3.0, 2.0};
  problem.map = RecordMap::clamp(0.0, 3.0);
  problem.centre = 1.5;
  problem.value = -40.0;
  problem.noise = NoiseDensity(NoiseLaw::laplace, 5.0);
  problem.size = SampleSize::known(100.0);
  return problem;
}

NormalProblem pressures() {
  NormalProblem problem;
  problem.prior = {0.0, 1.0, 3.0, 1.0};
  problem.map = RecordMap::clamp(-1.0, 1.0);
  problem.value = {{20.0, 30.0}};
  for (auto& noise : problem.noise) noise = NoiseDensity(NoiseLaw::laplace, 2.0);
  problem.size = SampleSize::known(80.0);
  return problem;
}

//! Runs on one and on two cores, which must not matter; returns the parameters.
template <class Run>
std::vector<double> same_on_cores(Run&& run, std::size_t parameters, std::size_t latents) {
  std::vector<std::vector<double>> found;
  for (int cores = 1; cores <= 2; ++cores) {
    const ChainConfig config(3, 60, 20, 4, cores, 11);
    Storage theta(config, parameters), latent(config, latents);
    run(config, theta.array, latent.array);
    found.push_back(theta.values);
    found.back().insert(found.back().end(), latent.values.begin(), latent.values.end());
  }
  CHECK(found[0] == found[1]);
  found[0].resize(parameters * 30);
  return found[0];
}

}  // namespace

TEST_CASE("chains of rates do not depend on the number of cores", "[expfam][run]") {
  const auto gibbs = same_on_cores(
      [](const ChainConfig& config, const DrawArray& theta, const DrawArray& latent) {
        run_rate_gibbs(waits(), config, theta, latent, NoMonitor());
      },
      1, 2);
  const auto records = same_on_cores(
      [](const ChainConfig& config, const DrawArray& theta, const DrawArray& latent) {
        const auto acceptance =
            run_rate_records<ExponentialRecords>(waits(), config, theta, latent, NoMonitor());
        CHECK(acceptance.size() == 3);
        for (double rate : acceptance) CHECK((rate > 0.1 && rate <= 1.0));
      },
      1, 2);
  for (double rate : gibbs) CHECK(rate > 0.0);
  for (double rate : records) CHECK(rate > 0.0);
  CHECK(gibbs[0] != gibbs[10]);  // chains have streams of their own
}

TEST_CASE("chains of mean and standard deviation do not depend on the number of cores",
          "[expfam][run]") {
  const auto check = [](const std::vector<double>& theta) {
    for (std::size_t i = 0; i < 30; ++i) {
      CHECK(std::abs(theta[i]) < 2.0);
      CHECK(theta[30 + i] > 0.0);
    }
  };
  check(same_on_cores(
      [](const ChainConfig& config, const DrawArray& theta, const DrawArray& latent) {
        run_normal<NormalClt>(pressures(), config, theta, latent, NoMonitor());
      },
      2, 3));
  check(same_on_cores(
      [](const ChainConfig& config, const DrawArray& theta, const DrawArray& latent) {
        run_normal<NormalGibbs>(pressures(), config, theta, latent, NoMonitor());
      },
      2, 3));
  check(same_on_cores(
      [](const ChainConfig& config, const DrawArray& theta, const DrawArray& latent) {
        run_normal<RecordAugmentation<NormalRecords>>(pressures(), config, theta, latent,
                                                      NoMonitor());
      },
      2, 3));
}

TEST_CASE("independent draws of a rate follow the grid", "[expfam][run]") {
  const ScalarProblem problem = waits();
  const ExponentialExact likelihood(problem);
  const auto posterior = gamma_grid_posterior(
      problem.prior, [&](double rate) { return likelihood.log_likelihood(rate); });
  const ChainConfig config(2, 5000, 0, 1, 2, 5);
  Storage theta(config, 1), latent(config, 2);
  run_rate_grid(posterior, ScalarClt(problem), config, theta.array, latent.array, NoMonitor());
  const oracles::Moments moments(theta.values);
  CHECK(std::abs(moments.mean - posterior.mean()) < 4.0 * posterior.sd() / 100.0);
  CHECK(std::sqrt(moments.variance) == Approx(posterior.sd()).epsilon(0.04));
  // The latent sum is about the centre: its mean is n / rate - n centre at the data.
  const std::vector<double> sums(latent.values.begin(), latent.values.begin() + 10000);
  CHECK(oracles::Moments(sums).mean == Approx(100.0 / moments.mean - 150.0).epsilon(0.1));
  CHECK(latent.array.at(7, 1, 1) == 100.0);
}

TEST_CASE("conjugate draws have the moments of their law", "[expfam][run]") {
  const ChainConfig config(2, 20000, 0, 1, 2, 5);
  Storage rate(config, 1), both(config, 2);
  run_gamma({4.0, 8.0}, config, rate.array, NoMonitor());
  CHECK(std::abs(oracles::Moments(rate.values).mean - 0.5) < 4.0 * 0.25 / 200.0);
  run_nig({2.0, 5.0, 10.0, 9.0}, config, both.array, NoMonitor());
  const std::vector<double> mean(both.values.begin(), both.values.begin() + 40000);
  CHECK(std::abs(oracles::Moments(mean).mean - 2.0) < 4.0 * std::sqrt(0.2) / 200.0);
  CHECK(oracles::Moments(mean).variance == Approx(0.2).epsilon(0.05));  // rate / 9 / 5
  std::vector<double> variance(both.values.begin() + 40000, both.values.end());
  for (double& sd : variance) sd *= sd;
  CHECK(oracles::Moments(variance).mean == Approx(1.0).epsilon(0.02));
}

TEST_CASE("chains of counts do not depend on the number of cores", "[expfam][run]") {
  BernoulliProblem one;
  one.count = {31.5, NoiseDensity(NoiseLaw::laplace, 3.0), 0.0};
  one.size = SampleSize::known(100.0);
  const auto theta = same_on_cores(
      [&](const ChainConfig& config, const DrawArray& draws, const DrawArray& latent) {
        run_bernoulli_gibbs(one, config, draws, latent, NoMonitor());
        const MixtureMoments moments = latent_moments(one, latent, config.kept(), config.chains);
        CHECK(moments.mean == Approx(0.32).epsilon(0.15));
        CHECK(moments.within > 0.0);
        CHECK(moments.between > 0.0);
      },
      1, 2);
  for (double value : theta) CHECK((value > 0.0 && value < 1.0));
  CategoricalProblem many;
  many.concentration = {1.0, 1.0, 1.0};
  for (double value : {40.0, 35.5, 28.0})
    many.counts.push_back({value, NoiseDensity(NoiseLaw::gaussian, 4.0), 0.0});
  many.released = {true, true, false};
  many.size = SampleSize::known(100.0);
  const auto shares = same_on_cores(
      [&](const ChainConfig& config, const DrawArray& draws, const DrawArray& latent) {
        run_categorical_gibbs(many, config, draws, latent, NoMonitor());
      },
      3, 4);
  for (std::size_t i = 0; i < 30; ++i)
    CHECK(shares[i] + shares[30 + i] + shares[60 + i] == Approx(1.0));
}

TEST_CASE("a latent count and n are drawn given the probability", "[expfam][run]") {
  BernoulliProblem problem;
  problem.count = {-20.0, NoiseDensity(NoiseLaw::laplace, 3.0), 0.5};
  problem.size = SampleSize::noisy(100.0, NoiseDensity(NoiseLaw::laplace, 2.0));
  const BernoulliLatent latent(problem);
  auto rng = make_stream(3, 0);
  std::vector<double> counts, sizes;
  for (int i = 0; i < 4000; ++i) {
    const BernoulliLatent::Draw draw = latent.draw(rng, 0.3);
    CHECK((draw.count >= 0.0 && draw.count <= draw.n && draw.n == std::floor(draw.n)));
    counts.push_back(draw.count - 0.5 * draw.n);
    sizes.push_back(draw.n);
  }
  CHECK(std::abs(oracles::Moments(counts).mean + 20.0) < 1.0);
  CHECK(std::abs(oracles::Moments(sizes).mean - 100.0) < 1.0);
}

TEST_CASE("sums of new records have the moments of the family", "[expfam][replicate]") {
  const std::size_t draws = 20000;
  const auto check = [&](const std::vector<double>& totals, double mean, double variance) {
    CHECK(totals.size() == draws);
    const oracles::Moments moments(totals);
    CHECK(std::abs(moments.mean - mean) < 4.0 * std::sqrt(variance / draws));
    CHECK(moments.variance == Approx(variance).epsilon(0.06));
  };
  check(simulate_totals<ExponentialOutcome>(std::vector<double>(draws, 2.0), 7.0, 1), 3.5, 1.75);
  check(simulate_totals<PoissonOutcome>(std::vector<double>(draws, 2.0), 7.0, 1), 14.0, 14.0);
  std::vector<double> normal(draws, 3.0);
  normal.insert(normal.end(), draws, 2.0);
  check(simulate_totals<NormalOutcome>(normal, 7.0, 1), 21.0, 28.0);
  CHECK_THROWS_AS(simulate_totals<NormalOutcome>(normal, 1.5, 1), std::invalid_argument);
  const std::vector<double> huge(4, 1e15);
  for (double total : simulate_totals<PoissonOutcome>(huge, 1e5, 1))
    CHECK(total == Approx(1e20).epsilon(1e-6));
}

TEST_CASE("replicated sums of few and of many records are alike", "[expfam][replicate]") {
  // Either side of the limit: per record the mean must agree, and n the variance.
  const std::size_t draws = 2000;
  const std::vector<NoiseDensity> none(2), noisy{NoiseDensity(NoiseLaw::gaussian, 3.0)};
  const RecordMap map = RecordMap::clamp(-1.0, 1.0);
  std::vector<double> theta(draws, 0.3);
  theta.insert(theta.end(), draws, 0.6);
  const NormalMoments record = normal_moments(0.3 - 0.2, 0.6, map.scaled(0.2, 1.0));
  for (double n : {400.0, 20000.0}) {
    const auto sums =
        replicate_sums<NormalOutcome>(theta, std::vector<double>(draws, n), map, 0.2, none, 9);
    for (Eigen::Index j = 0; j < 2; ++j) {
      const auto from = sums.begin() + static_cast<std::ptrdiff_t>(j * draws);
      const oracles::Moments moments(std::vector<double>(from, from + draws));
      CHECK(std::abs(moments.mean - n * record.mh(j)) <
            4.0 * std::sqrt(n * record.Vh(j, j) / draws));
      CHECK(moments.variance == Approx(n * record.Vh(j, j)).epsilon(0.15));
    }
  }
  const std::vector<double> rates(draws, 1.2), none_at_all(draws, 0.0);
  const oracles::Moments noise(replicate_sums<ExponentialOutcome>(
      rates, none_at_all, RecordMap::clamp(0.0, 2.0), 1.0, noisy, 9));
  CHECK(std::abs(noise.mean) < 4.0 * 3.0 / std::sqrt(draws));
  CHECK(noise.variance == Approx(9.0).epsilon(0.15));
}
