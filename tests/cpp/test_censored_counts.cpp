#include <catch.h>

#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/categorical_metropolis.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

#include "count_oracles.hpp"
#include "near.hpp"

using namespace noiseaware;
using namespace count_oracles;

namespace {

constexpr double kNever = -std::numeric_limits<double>::infinity();

NoisyCount suppressed(double threshold, const NoiseDensity& noise, double centre = 0.0) {
  return {threshold, noise, centre, true};
}

// Distribution functions of noise by adding up or from the C library.
double log_laplace_below(double limit, double b) {
  return limit < 0.0 ? std::log(.5) + limit / b : std::log1p(-.5 * std::exp(-limit / b));
}
double log_gaussian_below(double limit, double sd) {
  return std::log(.5 * std::erfc(-limit / sd / std::sqrt(2.0)));
}
double log_grid_below(double limit, double grid, const NoiseDensity& noise) {
  // Smallest terms first; the term at the limit itself does not count.
  long double sum = 0.0L;
  for (int k = -40000; k * grid < limit - 1e-9; ++k)
    sum += std::exp(static_cast<long double>(noise.log_density(k * grid)));
  return static_cast<double>(std::log(sum));
}

CategoricalProblem with_suppressed(std::vector<double> alpha, std::vector<double> values,
                                   const NoiseDensity& noise, std::vector<bool> censored,
                                   SampleSize size) {
  auto problem = categorical_problem(std::move(alpha), std::move(values), noise, size);
  for (std::size_t k = 0; k < censored.size(); ++k) problem.counts[k].censored = censored[k];
  return problem;
}

}  // namespace

TEST_CASE("the chance of a suppressed value: grids against their sums", "[expfam]") {
  for (double scale : {0.3, 1.0, 4.0, 21.0, 50.0, 90.0}) {
    for (double grid : {0.5, 1.0}) {
      for (const NoiseDensity& noise : {laplace(scale, grid), gaussian(scale, grid)}) {
        for (double limit : {-180.0, -60.5, -9.0, -1.0, -.5, 0.0, .25, .5, 1.0, 7.0, 33.5, 200.0}) {
          const double truth = log_grid_below(limit, grid, noise);
          if (truth < -650.0) continue;  // where the long sum itself underflows
          CHECK(noise.log_below(limit) == Approx(truth).epsilon(1e-11).margin(1e-13));
        }
      }
    }
  }
}

TEST_CASE("the chance of a suppressed value: strictly below, up to rounding", "[expfam]") {
  CHECK(laplace(3.0).log_below(-2.0) == Approx(std::log(.5) - 2.0 / 3.0).epsilon(1e-15));
  CHECK(laplace(3.0).log_below(2.0) == Approx(std::log1p(-.5 * std::exp(-2.0 / 3.0))));
  CHECK(gaussian(2.0).log_below(1.0) == Approx(log_gaussian_below(1.0, 2.0)).epsilon(1e-14));
  // Mills' ratio: log P(Z < -60) = -1805.0135606805671 (mpmath, 50 digits).
  CHECK(gaussian(1.0).log_below(-60.0) == Approx(-1805.0135606805671).epsilon(1e-14));
  // A value on the threshold was published: P(K < 0) and P(K < 1) differ by P(K = 0).
  const NoiseDensity steps = laplace(2.0, 1.0);
  CHECK(std::exp(steps.log_below(1.0)) - std::exp(steps.log_below(0.0)) ==
        Approx(std::exp(steps.log_density(0.0))).epsilon(1e-14));
  CHECK(steps.log_below(.1 * 3 - .3) == steps.log_below(0.0));
  CHECK(exact_count.log_below(0.0) == kNever);
  CHECK(exact_count.log_below(1e-12) == kNever);
  CHECK(exact_count.log_below(.5) == 0.0);
  CHECK(exact_count.log_below(1.0) == 0.0);
  // Grids as fine as those of our own releases cannot be told from none.
  for (double limit : {-50.0, -3.0, 0.0, 4.0}) {
    CHECK(laplace(2.0, 0x1.0p-20).log_below(limit) ==
          Approx(laplace(2.0).log_below(limit)).epsilon(1e-6));
    CHECK(gaussian(2.0, 0x1.0p-20).log_below(limit) ==
          Approx(gaussian(2.0).log_below(limit)).epsilon(1e-5));
  }
  CHECK_THROWS_AS(NoiseDensity(NoiseLaw::laplace, 1.0, 0.0, 2).log_below(1.0),
                  std::invalid_argument);
}

TEST_CASE("a suppressed count of a binary column: enumeration", "[expfam]") {
  const std::vector<double> alpha{2.0, 3.0};
  struct Case {
    double threshold;
    NoiseDensity noise;
    double grid, scale;
    bool is_laplace;
  };
  for (const Case& c :
       {Case{10.0, laplace(3.0), 0, 3, true}, Case{0.0, laplace(2.0), 0, 2, true},
        Case{25.0, gaussian(2.0), 0, 2, false}, Case{5.0, laplace(2.0, 1.0), 1, 2, true},
        Case{3.5, gaussian(1.5, .5), .5, 1.5, false}, Case{1e6, laplace(1.0), 0, 1, true}}) {
    const auto below = [&](double limit) {
      if (c.grid > 0.0) return log_grid_below(limit, c.grid, c.noise);
      return c.is_laplace ? log_laplace_below(limit, c.scale) : log_gaussian_below(limit, c.scale);
    };
    const Enumerated truth(alpha, 40, 40, [&](const std::vector<double>& s, double) {
      return below(c.threshold - s[0]);
    });
    const BernoulliExact exact(
        bernoulli(2, 3, suppressed(c.threshold, c.noise), SampleSize::known(40)), 1e8);
    REQUIRE(exact.feasible());
    CHECK(exact.log_evidence() == near::within(std::log(truth.evidence), 1e-11));
    check_moments(exact.moments(), truth);
    double sum = 0.0, worst = 0.0;
    exact.visit([&](double, double s, double weight) {
      sum += weight;
      worst = std::max(worst, std::abs(weight - truth.first.at(s)));
    });
    CHECK(sum == Approx(1.0).epsilon(1e-13));
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("a suppressed count of a binary column: exact, about a centre, latent n", "[expfam]") {
  const std::vector<double> alpha{1.0, 1.0};
  // Without noise, every count below 4 and no other.
  const Enumerated plain(alpha, 20, 20, [](const std::vector<double>& s, double) {
    return s[0] < 4.0 ? 0.0 : kNever;
  });
  const BernoulliExact exact(bernoulli(1, 1, suppressed(4.0, exact_count), SampleSize::known(20)),
                             1e8);
  CHECK(exact.log_evidence() == near::within(std::log(plain.evidence), 1e-13));
  check_moments(exact.moments(), plain);
  for (double centre : {0.0, .5}) {
    const Enumerated truth(alpha, 0, 160, [&](const std::vector<double>& s, double n) {
      return log_laplace_below(2.0 - s[0] + centre * n, 1.5) + log_laplace(30.0 - n, 2.0);
    });
    const BernoulliExact noisy(bernoulli(1, 1, suppressed(2.0, laplace(1.5), centre),
                                         SampleSize::noisy(30.0, laplace(2.0))),
                               1e8);
    CHECK(noisy.log_evidence() == near::within(std::log(truth.evidence), 1e-11));
    check_moments(noisy.moments(), truth);
  }
  CHECK_THROWS_AS(
      BernoulliExact(bernoulli(1, 1, suppressed(0.0, exact_count), SampleSize::known(20)), 1e8),
      std::domain_error);
  // A wide row is measured, not summed.
  const BernoulliExact wide(bernoulli(1, 1, suppressed(1e9, laplace(1.0)), SampleSize::known(1e8)),
                            1e9);
  CHECK_FALSE(wide.feasible());
}

TEST_CASE("suppressed counts of a factor: enumeration", "[expfam]") {
  const std::vector<double> alpha{.4, 2.0, 1.0, 3.0};
  const auto all = [](const std::vector<double>& s, const std::vector<double>& z,
                      const std::vector<bool>& censored, double scale) {
    double sum = 0.0;
    for (std::size_t k = 0; k < s.size(); ++k)
      sum += censored[k] ? log_laplace_below(z[k] - s[k], scale) : log_laplace(z[k] - s[k], scale);
    return sum;
  };
  struct Case {
    std::vector<double> z;
    std::vector<bool> censored;
    double scale;
    int n;
  };
  // Room below the thresholds, none left, released counts that exceed n, all suppressed.
  for (const Case& c : {Case{{5, 12.2, 5, 9.1}, {true, false, true, false}, 2.0, 30},
                        Case{{3, 9.0, 3, 8.0}, {true, false, true, false}, 1.0, 45},
                        Case{{4, 30.0, 4, 22.0}, {true, false, true, false}, 1.5, 25},
                        Case{{10, 10, 10, 10}, {true, true, true, true}, 3.0, 30},
                        Case{{2, 2, 2, 2}, {true, true, true, true}, .5, 30}}) {
    const Enumerated truth(alpha, c.n, c.n, [&](const std::vector<double>& s, double) {
      return all(s, c.z, c.censored, c.scale) + 100.0;
    });
    const auto problem =
        with_suppressed(alpha, c.z, laplace(c.scale), c.censored, SampleSize::known(c.n));
    const CategoricalExact exact(problem, 1e9);
    REQUIRE(exact.feasible());
    CHECK(exact.log_evidence() == near::within(std::log(truth.evidence) - 100.0, 1e-10));
    CHECK(marginal_error(exact.marginal(0), truth) < 1e-12);
    check_moments(exact.moments()[0], truth);
  }
}

TEST_CASE("suppressed counts of a factor: latent n, other noise, hidden levels", "[expfam]") {
  const std::vector<double> alpha{1.5, 2.0, 1.0};
  const auto released = [](const std::vector<double>& s) {
    return log_laplace(4.2 - s[1], .7) + log_laplace_below(3.0 - s[0], .7) +
           log_laplace_below(3.0 - s[2], .7);
  };
  const std::vector<bool> censored{true, false, true};
  const Enumerated free(alpha, 0, 80,
                        [&](const std::vector<double>& s, double) { return released(s); });
  const CategoricalExact unknown(
      with_suppressed(alpha, {3, 4.2, 3}, laplace(.7), censored, SampleSize::unknown()), 1e9);
  CHECK(unknown.log_evidence() == near::within(std::log(free.evidence), 1e-11));
  check_moments(unknown.moments()[0], free);
  for (double z_n : {9.0, 25.0}) {
    const Enumerated truth(alpha, 0, 80, [&](const std::vector<double>& s, double n) {
      return released(s) + log_laplace(z_n - n, 1.1);
    });
    const CategoricalExact noisy(with_suppressed(alpha, {3, 4.2, 3}, laplace(.7), censored,
                                                 SampleSize::noisy(z_n, laplace(1.1))),
                                 1e9);
    CHECK(noisy.log_evidence() == near::within(std::log(truth.evidence), 1e-11));
    check_moments(noisy.moments()[0], truth);
  }
  // One exact count, one suppressed without noise, one suppressed with Gaussian
  // noise on a grid, one that was never released.
  const std::vector<double> four{1.5, 2.0, 1.0, .5};
  auto problem = categorical_problem(four, {6, 5, 4, 0}, exact_count, SampleSize::known(18));
  problem.counts[1] = suppressed(5.0, exact_count);
  problem.counts[2] = suppressed(4.0, gaussian(2.0, 1.0));
  problem.released[3] = false;
  const Enumerated mixed(four, 18, 18, [&](const std::vector<double>& s, double) {
    if (s[0] != 6.0 || s[1] >= 5.0) return kNever;
    return log_grid_below(4.0 - s[2], 1.0, gaussian(2.0, 1.0));
  });
  const CategoricalExact exact(problem, 1e9);
  CHECK(exact.log_evidence() == near::within(std::log(mixed.evidence), 1e-11));
  check_moments(exact.moments()[0], mixed);
  // Exact counts that leave more for the suppressed cell than its threshold allows.
  auto impossible = categorical_problem({1, 1}, {5, 5}, exact_count, SampleSize::known(20));
  impossible.counts[1] = suppressed(5.0, exact_count);
  CHECK_THROWS_AS(CategoricalExact(impossible, 1e9), std::domain_error);
  auto rng = make_stream(1, 0);
  CHECK_THROWS_AS(CategoricalMetropolis(impossible, rng), std::domain_error);
}

TEST_CASE("a threshold out of reach says nothing", "[expfam]") {
  auto problem =
      categorical_problem({1, 2, 3}, {8.1, 1e7, 11.4}, laplace(2.0), SampleSize::known(40));
  problem.counts[1].censored = true;
  auto hidden = problem;
  hidden.released[1] = false;
  const CategoricalExact with(problem, 1e9), without(hidden, 1e9);
  CHECK(with.log_evidence() == near::within(without.log_evidence(), 1e-12));
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(with.moments()[k].mean == Approx(without.moments()[k].mean).epsilon(1e-12));
    CHECK(with.moments()[k].variance() == Approx(without.moments()[k].variance()).epsilon(1e-10));
  }
}

TEST_CASE("chains on suppressed counts have the exact target", "[expfam]") {
  std::vector<CategoricalProblem> problems;
  problems.push_back(with_suppressed({1, 1, 1, 1}, {8, 14.3, 8, 20.1}, laplace(3.0),
                                     {true, false, true, false}, SampleSize::known(50)));
  problems.push_back(with_suppressed({1, 2, 1}, {6, 12.0, 6}, laplace(2.0, 1.0),
                                     {true, false, true}, SampleSize::unknown()));
  problems.push_back(with_suppressed({1, 2, 1}, {6, 12.4, 6}, gaussian(2.0), {true, false, true},
                                     SampleSize::noisy(23.0, gaussian(3.0))));
  // Exact counts and exact thresholds: the suppressed cells share 21 records.
  problems.push_back(with_suppressed({1, 1, .5, 2}, {9, 30, 9, 9}, exact_count,
                                     {true, false, true, true}, SampleSize::known(51)));
  // A threshold far beyond n.
  problems.push_back(with_suppressed({1, 1, 1}, {1e9, 14.3, 8}, laplace(3.0), {true, false, true},
                                     SampleSize::known(40)));
  for (std::size_t p = 0; p < problems.size(); ++p) {
    INFO("problem " << p);
    const CategoricalExact exact(problems[p], 1e9);
    auto rng = make_stream(31, static_cast<int>(p));
    CategoricalMetropolis chain(problems[p], rng);
    for (int i = 0; i < 500; ++i) chain.step(rng);
    const int kept = 40000, batch = 400;
    std::vector<double> batches;
    double sum = 0.0;
    for (int i = 1; i <= kept; ++i) {
      chain.step(rng);
      sum += chain.counts()[0];
      if (i % batch == 0) {
        batches.push_back(sum / batch);
        sum = 0.0;
      }
    }
    // Batch means are nearly independent: their spread gives the standard error.
    CHECK(oracles::Moments(batches).z_mean(exact.marginal(0).mean()) < oracles::kMaxZ);
    CHECK(chain.acceptance_rate() > .02);
  }
}
