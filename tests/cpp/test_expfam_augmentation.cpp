#include <catch.h>

#include <cmath>
#include <noiseaware/infer/expfam/exponential_exact.hpp>
#include <noiseaware/infer/expfam/grid_posterior.hpp>
#include <noiseaware/infer/expfam/poisson_exact.hpp>
#include <noiseaware/infer/expfam/record_augmentation.hpp>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/effective_size.hpp>
#include <vector>

#include "oracles.hpp"
#include "sum_oracles.hpp"

using namespace noiseaware;
using namespace sum_oracles;

namespace {

//! Distance of the mean of autocorrelated draws from the truth, in standard errors.
double z_of(const std::vector<double>& draws, double truth) {
  const oracles::Moments moments(draws);
  return (moments.mean - truth) / std::sqrt(moments.variance / effective_size(draws));
}

double z_of_share(const std::vector<double>& draws, double at, double truth) {
  std::vector<double> below;
  for (const double x : draws) below.push_back(x <= at ? 1.0 : 0.0);
  return z_of(below, truth);
}

template <class Family>
std::vector<double> rates(const ScalarProblem& problem, int draws, int seed) {
  auto rng = make_stream(static_cast<std::uint64_t>(seed), 0);
  RecordAugmentation<Family> chain(problem, rng);
  for (int i = 0; i < 500; ++i) chain.step(rng);
  return oracles::draw_many(draws, [&] {
    chain.step(rng);
    return chain.rate();
  });
}

void check_against_grid(const std::vector<double>& draws, const GridPosterior& truth) {
  CHECK(effective_size(draws) > 300.0);
  CHECK(std::abs(z_of(draws, truth.mean())) < oracles::kMaxZ);
  std::vector<double> squares;
  for (const double x : draws) squares.push_back((x - truth.mean()) * (x - truth.mean()));
  CHECK(std::abs(z_of(squares, truth.sd() * truth.sd())) < oracles::kMaxZ);
  for (const double p : {.1, .3, .5, .7, .9})
    CHECK(std::abs(z_of_share(draws, truth.quantile(p), p)) < oracles::kMaxZ);
}

}  // namespace

TEST_CASE("record augmentation agrees with the exact exponential posterior", "[expfam]") {
  const double centre = .6;
  for (const RecordMap& map : {RecordMap::clamp(.05, 1.15), RecordMap::redact(.05, 1.15, centre)})
    for (const bool is_laplace : {true, false})
      for (const bool known : {true, false}) {
        const NoiseDensity noise = is_laplace ? laplace(.7) : gaussian(.7);
        const NoiseDensity size_noise = is_laplace ? laplace(1.1) : gaussian(1.5);
        const ScalarProblem problem =
            scalar_problem(ScalarFamily::exponential, map, centre, -3.1, noise,
                           known ? SampleSize::known(12) : SampleSize::noisy(11.6, size_noise));
        const ExponentialExact exact(problem);
        const GridPosterior truth = gamma_grid_posterior(
            problem.prior, [&](double rate) { return exact.log_likelihood(rate); });
        INFO("clamp " << (map.below == .05) << " laplace " << is_laplace << " known " << known);
        check_against_grid(rates<ExponentialRecords>(problem, 10000, 3), truth);
      }
}

TEST_CASE("record augmentation agrees with the exact Poisson posterior", "[expfam]") {
  const double centre = 3;
  for (const RecordMap& map : {RecordMap::clamp(0, 6), RecordMap::redact(0, 6, centre)})
    for (const bool is_laplace : {true, false})
      for (const bool known : {true, false})
        for (const double grid : {0.0, 1.0}) {
          const NoiseDensity noise = is_laplace ? laplace(3, grid) : gaussian(3, grid);
          const NoiseDensity size_noise = is_laplace ? laplace(1.2, grid) : gaussian(1.5, grid);
          const ScalarProblem problem =
              scalar_problem(ScalarFamily::poisson, map, centre, 5.0, noise,
                             known ? SampleSize::known(9) : SampleSize::noisy(9.0, size_noise));
          const PoissonExact exact(problem, 1e9);
          const GridPosterior truth = gamma_grid_posterior(
              problem.prior, [&](double rate) { return exact.log_likelihood(rate); });
          INFO("clamp " << (map.below == 0) << " laplace " << is_laplace << " known " << known
                        << " grid " << grid);
          check_against_grid(rates<PoissonRecords>(problem, 10000, 4), truth);
        }
}

namespace {

//! Posterior means for one or two normal records by quadrature over the records,
//! the parameters being integrated out in closed form (Student's t).
struct NormalByQuadrature {
  double evidence = 0.0, mean = 0.0, square = 0.0, variance = 0.0;

  void add(double weight, const NigPrior& posterior) {
    evidence += weight;
    mean += weight * posterior.mean;
    variance += weight * posterior.rate / (posterior.shape - 1.0);
    square += weight * (posterior.mean * posterior.mean +
                        posterior.rate / (posterior.shape - 1.0) / posterior.precision);
  }

  //! Density of n records with the given sums, up to factors that do not depend on n.
  static double predictive(const NigPrior& prior, const NigPrior& posterior, double n) {
    return std::exp(
        std::lgamma(posterior.shape) - std::lgamma(prior.shape) +
        prior.shape * std::log(prior.rate) - posterior.shape * std::log(posterior.rate) +
        .5 * std::log(prior.precision / posterior.precision) - .5 * n * std::log(2.0 * kPi));
  }

  //! Textbook conjugate update, from the records.
  static NigPrior update(const NigPrior& prior, const std::vector<double>& x) {
    const double n = static_cast<double>(x.size());
    double sum = 0.0, spread = 0.0;
    for (const double value : x) sum += value;
    for (const double value : x) spread += (value - sum / n) * (value - sum / n);
    const double precision = prior.precision + n, shift = sum / n - prior.mean;
    return {(prior.precision * prior.mean + sum) / precision, precision, prior.shape + n / 2,
            prior.rate + spread / 2 + prior.precision * n * shift * shift / (2 * precision)};
  }

  NormalByQuadrature(const NormalProblem& p, const std::vector<double>& size_weight) {
    const bool is_laplace = p.noise[0].law() == NoiseLaw::laplace;
    const auto noise = [&](const std::vector<double>& x) {
      double log_density = 0.0;
      for (std::size_t j = 0; j < 2; ++j) {
        double sum = 0.0;
        for (const double value : x)
          sum += std::pow(p.map(value) - p.centre, static_cast<double>(j + 1));
        if (p.released[j])
          log_density += log_noise(is_laplace, p.noise[j].scale(), p.value[j] - sum);
      }
      return std::exp(log_density);
    };
    add(size_weight[0] * noise({}), p.prior);
    const double reach = 10.0, h = .025;
    const double from = p.prior.mean - reach;
    const int cells = static_cast<int>(2.0 * reach / h);
    for (int i = 0; i < cells; ++i) {
      const double x = from + h * (i + .5);
      const NigPrior one = update(p.prior, {x});
      add(size_weight[1] * h * predictive(p.prior, one, 1) * noise({x}), one);
      if (size_weight[2] == 0.0) continue;
      for (int j = 0; j < cells; ++j) {
        const double y = from + h * (j + .5);
        const NigPrior two = update(p.prior, {x, y});
        add(size_weight[2] * h * h * predictive(p.prior, two, 2) * noise({x, y}), two);
      }
    }
    mean /= evidence;
    square /= evidence;
    variance /= evidence;
  }
};

NormalProblem normal_problem(RecordMap map, bool is_laplace, SampleSize size) {
  NormalProblem problem;
  problem.prior = {1.2, 2.0, 4.0, 1.5};
  problem.map = map;
  problem.centre = 1.0;
  problem.value = {{.9, 1.3}};
  problem.noise = {
      {is_laplace ? laplace(.5) : gaussian(.5), is_laplace ? laplace(.8) : gaussian(.8)}};
  problem.size = size;
  return problem;
}

void check_normal(const NormalProblem& problem, const NormalByQuadrature& truth) {
  auto rng = make_stream(5, 0);
  RecordAugmentation<NormalRecords> chain(problem, rng);
  std::vector<double> mean, square, variance;
  for (int i = 0; i < 40000; ++i) {
    chain.step(rng);
    mean.push_back(chain.mean());
    square.push_back(chain.mean() * chain.mean());
    variance.push_back(chain.sd() * chain.sd());
  }
  CHECK(std::abs(z_of(mean, truth.mean)) < oracles::kMaxZ);
  CHECK(std::abs(z_of(square, truth.square)) < oracles::kMaxZ);
  CHECK(std::abs(z_of(variance, truth.variance)) < oracles::kMaxZ);
}

}  // namespace

TEST_CASE("record augmentation of normal records agrees with quadrature", "[expfam]") {
  for (const RecordMap& map : {RecordMap::clamp(0.0, 2.0), RecordMap::redact(0.0, 2.0, 1.0)})
    for (const bool is_laplace : {true, false}) {
      INFO("clamp " << (map.below == 0.0) << " laplace " << is_laplace);
      const NormalProblem two = normal_problem(map, is_laplace, SampleSize::known(2));
      check_normal(two, NormalByQuadrature(two, {0.0, 0.0, 1.0}));
      NormalProblem one = normal_problem(map, is_laplace, SampleSize::known(1));
      one.released[1] = false;
      check_normal(one, NormalByQuadrature(one, {0.0, 1.0, 0.0}));
    }
  // Three records are e^-10 times as probable as two.
  const NormalProblem noisy =
      normal_problem(RecordMap::clamp(0.0, 2.0), true, SampleSize::noisy(1.4, laplace(.1)));
  std::vector<double> weights;
  for (int n = 0; n <= 2; ++n) weights.push_back(std::exp(log_noise(true, .1, 1.4 - n)));
  check_normal(noisy, NormalByQuadrature(noisy, weights));
}

TEST_CASE("record augmentation: statistic, size and acceptance", "[expfam]") {
  auto rng = make_stream(9, 0);
  const ScalarProblem problem =
      scalar_problem(ScalarFamily::exponential, RecordMap::clamp(0.0, 2.0), 1.0, -6.0, laplace(2.0),
                     SampleSize::noisy(20.0, laplace(3.0)));
  RecordAugmentation<ExponentialRecords> chain(problem, rng);
  std::vector<double> sizes, differences;
  for (int i = 0; i < 20000; ++i) {
    chain.step(rng);
    sizes.push_back(chain.n());
    differences.push_back(chain.rate() * (2.0 + chain.statistic()) - 8.0 - chain.n());
  }
  // The rate given the records is gamma with mean (8 + n) / (2 + sum).
  CHECK(std::abs(z_of(differences, 0.0)) < oracles::kMaxZ);
  CHECK(oracles::Moments(sizes).variance > 4.0);
  CHECK(chain.acceptance_rate() > .5);
  CHECK(chain.acceptance_rate() < 1.0);

  // No records: the posterior is the prior.
  const ScalarProblem none = scalar_problem(ScalarFamily::poisson, RecordMap::clamp(0, 5), 2.0, 1.0,
                                            laplace(2.0), SampleSize::known(0));
  RecordAugmentation<PoissonRecords> prior(none, rng);
  const auto draws = oracles::draw_many(4000, [&] {
    prior.step(rng);
    return prior.rate();
  });
  CHECK(oracles::ks_p_value(draws, [](double x) { return oracles::gamma_p(8.0, 2.0 * x); }) >
        oracles::kRejects);
  CHECK(prior.statistic() == 0.0);
}

TEST_CASE("record augmentation: n is right when it is released with noise", "[expfam]") {
  // Every record adds 1, whatever the rate: n has a posterior of its own.
  const RecordMap map = RecordMap::redact(1e5, 2e5, 1.0);
  for (const bool is_laplace : {true, false}) {
    const ScalarProblem problem = scalar_problem(
        ScalarFamily::poisson, map, 0.0, 7.3, is_laplace ? laplace(1.5) : gaussian(1.5),
        SampleSize::noisy(4.8, is_laplace ? laplace(2.0) : gaussian(2.0)));
    std::vector<double> weight(80);
    double total = 0.0, truth = 0.0;
    for (std::size_t n = 0; n < weight.size(); ++n) {
      const double size = static_cast<double>(n);
      weight[n] =
          std::exp(log_noise(is_laplace, 1.5, 7.3 - size) + log_noise(is_laplace, 2.0, 4.8 - size));
      total += weight[n];
      truth += weight[n] * size;
    }
    auto rng = make_stream(8, 0);
    RecordAugmentation<PoissonRecords> chain(problem, rng);
    const auto sizes = oracles::draw_many(20000, [&] {
      chain.step(rng);
      return chain.n();
    });
    CHECK(std::abs(z_of(sizes, truth / total)) < oracles::kMaxZ);
    for (const std::size_t n : {3U, 5U, 7U, 9U}) {
      double below = 0.0;
      for (std::size_t k = 0; k <= n; ++k) below += weight[k] / total;
      CHECK(std::abs(z_of_share(sizes, static_cast<double>(n), below)) < oracles::kMaxZ);
    }
  }
}

TEST_CASE("record augmentation refuses what it cannot do", "[expfam]") {
  auto rng = make_stream(1, 0);
  const auto build = [&](ScalarFamily family, NoiseDensity noise, SampleSize size) {
    RecordAugmentation<ExponentialRecords>(
        scalar_problem(family, RecordMap::clamp(0, 1), .5, 0.0, noise, size), rng);
  };
  const auto exponential = ScalarFamily::exponential;
  CHECK_THROWS_AS(build(exponential, NoiseDensity(), SampleSize::known(3)), std::invalid_argument);
  CHECK_THROWS_AS(build(ScalarFamily::poisson, laplace(1), SampleSize::known(3)),
                  std::invalid_argument);
  CHECK_THROWS_AS(build(exponential, laplace(1), SampleSize::unknown()), std::invalid_argument);
  CHECK_THROWS_AS(build(exponential, laplace(1), SampleSize::known(1e12)), std::invalid_argument);
  NormalProblem exact = normal_problem(RecordMap::clamp(0.0, 2.0), true, SampleSize::known(2));
  exact.noise[1] = NoiseDensity();
  CHECK_THROWS_AS(RecordAugmentation<NormalRecords>(exact, rng), std::invalid_argument);
  // Integer noise cannot explain half a record.
  CHECK_THROWS_AS(RecordAugmentation<PoissonRecords>(
                      scalar_problem(ScalarFamily::poisson, RecordMap::clamp(0, 5), 0.0, 2.5,
                                     laplace(2, 1), SampleSize::known(3)),
                      rng),
                  std::domain_error);
}
