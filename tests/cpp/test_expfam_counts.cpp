#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <noiseaware/infer/expfam/bernoulli_exact.hpp>
#include <noiseaware/infer/expfam/categorical_exact.hpp>
#include <noiseaware/infer/expfam/categorical_metropolis.hpp>
#include <noiseaware/infer/expfam/run_counts.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;

namespace {

const NoiseDensity exact_count;

NoiseDensity laplace(double scale, double grid = 0.0) {
  return NoiseDensity(NoiseLaw::laplace, scale, grid);
}
NoiseDensity gaussian(double sd, double grid = 0.0) {
  return NoiseDensity(NoiseLaw::gaussian, sd, grid);
}

BernoulliProblem bernoulli(double a, double b, NoisyCount count, SampleSize size) {
  BernoulliProblem problem;
  problem.shape1 = a;
  problem.shape2 = b;
  problem.count = count;
  problem.size = size;
  return problem;
}

CategoricalProblem categorical_problem(std::vector<double> alpha, std::vector<double> values,
                                       NoiseDensity noise, SampleSize size) {
  CategoricalProblem problem;
  problem.concentration = alpha;
  for (double value : values) problem.counts.push_back({value, noise, 0.0});
  problem.released.assign(values.size(), true);
  problem.size = size;
  return problem;
}

// Textbook noise, written again with the C library.
double log_laplace(double x, double b) { return -std::log(2.0 * b) - std::abs(x) / b; }
double log_discrete_laplace(double x, double b) {
  const double alpha = std::exp(-1.0 / b);
  return std::log((1.0 - alpha) / (1.0 + alpha)) - std::abs(x) / b;
}

double log_dirichlet_multinomial(const std::vector<double>& alpha, const std::vector<double>& s) {
  double total = 0.0, n = 0.0, sum = 0.0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    sum += std::lgamma(alpha[k] + s[k]) - std::lgamma(alpha[k]) - std::lgamma(s[k] + 1.0);
    total += alpha[k];
    n += s[k];
  }
  return sum + std::lgamma(n + 1.0) + std::lgamma(total) - std::lgamma(total + n);
}

//! All vectors of `size` counts that add up to n.
void compositions(std::size_t size, int n, const std::function<void(std::vector<double>)>& use,
                  std::vector<double> head = {}) {
  if (head.size() + 1 == size) {
    head.push_back(n);
    use(head);
    return;
  }
  for (int s = 0; s <= n; ++s) {
    std::vector<double> next(head);
    next.push_back(s);
    compositions(size, n - s, use, next);
  }
}

//! The posterior by listing every count vector of every size.
struct Enumerated {
  double evidence = 0.0, mean = 0.0, within = 0.0, square = 0.0;
  std::map<double, double> first, size;

  Enumerated(const std::vector<double>& alpha, int n_lo, int n_hi,
             const std::function<double(const std::vector<double>&, double)>& log_noise) {
    double total = 0.0;
    for (double a : alpha) total += a;
    for (int n = n_lo; n <= n_hi; ++n) {
      compositions(alpha.size(), n, [&](const std::vector<double>& s) {
        const double w = std::exp(log_dirichlet_multinomial(alpha, s) + log_noise(s, n));
        const double m = (alpha[0] + s[0]) / (total + n);
        evidence += w;
        mean += w * m;
        square += w * m * m;
        within += w * m * (1.0 - m) / (total + n + 1.0);
        first[s[0]] += w;
        size[n] += w;
      });
    }
    mean /= evidence;
    within /= evidence;
    square /= evidence;
    for (auto& item : first) item.second /= evidence;
    for (auto& item : size) item.second /= evidence;
  }
  double between() const { return square - mean * mean; }
};

void check_moments(const MixtureMoments& moments, const Enumerated& truth) {
  CHECK(moments.mean == Approx(truth.mean).epsilon(1e-12));
  CHECK(moments.within == Approx(truth.within).epsilon(1e-11));
  CHECK(moments.between == Approx(truth.between()).epsilon(1e-9));
}

//! Largest difference between the marginal of the first cell and enumeration.
double marginal_error(const CountPmf& pmf, const Enumerated& truth) {
  double worst = 0.0;
  for (const auto& item : truth.first)
    worst = std::max(worst, std::abs(pmf.at(item.first) - item.second));
  return worst;
}

}  // namespace

TEST_CASE("noise probabilities add up to one, on and off a grid", "[expfam]") {
  for (double scale : {0.05, 0.3, 0.4, 0.41, 1.0, 2.5, 40.0}) {
    for (double grid : {0.25, 1.0, 2.0}) {
      for (const NoiseDensity& noise : {laplace(scale, grid), gaussian(scale, grid)}) {
        double sum = 0.0;
        for (int k = -20000; k <= 20000; ++k) sum += std::exp(noise.log_density(k * grid));
        CHECK(sum == Approx(1.0).epsilon(1e-13));
        CHECK(noise.log_density(0.5 * grid) == -std::numeric_limits<double>::infinity());
      }
    }
  }
  CHECK(laplace(3.0).log_density(-2.0) == Approx(log_laplace(-2.0, 3.0)).epsilon(1e-15));
  CHECK(gaussian(2.0).log_density(1.0) ==
        Approx(-0.125 - std::log(2.0) - 0.5 * std::log(2.0 * M_PI)).epsilon(1e-15));
  CHECK(laplace(2.0, 1.0).log_density(-3.0) ==
        Approx(log_discrete_laplace(-3.0, 2.0)).epsilon(1e-15));
  // A fine grid is the density times its step.
  CHECK(gaussian(5.0, 0x1.0p-20).log_density(3.0) ==
        Approx(gaussian(5.0).log_density(3.0) - 20.0 * std::log(2.0)).epsilon(1e-14));
  CHECK(exact_count.log_density(0.0) == 0.0);
  CHECK(exact_count.log_density(1.0) == -std::numeric_limits<double>::infinity());
  for (double bad : oracles::not_positive()) {
    CHECK_THROWS_AS(laplace(bad), std::invalid_argument);
    CHECK_THROWS_AS(gaussian(bad), std::invalid_argument);
  }
  CHECK_THROWS_AS(laplace(1.0, -1.0), std::invalid_argument);
}

TEST_CASE("summed noise is the convolution of its terms", "[expfam]") {
  const auto sum_of = [](double scale, double grid, int terms) {
    return NoiseDensity(NoiseLaw::laplace, scale, grid, terms);
  };
  // Two terms: (1 + x / b) exp(-x / b) / (4 b).
  for (double x : {0.0, .7, -3.0, 80.0})
    CHECK(sum_of(2.5, 0.0, 2).log_density(x) ==
          Approx(std::log((1.0 + std::abs(x) / 2.5) / 10.0) - std::abs(x) / 2.5).epsilon(1e-13));
  for (int terms : {2, 5, 12}) {
    std::vector<double> plain(4001);
    for (int k = -2000; k <= 2000; ++k)
      plain[static_cast<std::size_t>(k + 2000)] = std::exp(log_discrete_laplace(k, 3.0));
    std::vector<double> power(plain);
    for (int t = 1; t < terms; ++t) {
      std::vector<double> next(4001, 0.0);
      for (int a = -300; a <= 300; ++a)
        for (int b = -2000; b <= 2000; ++b)
          if (std::abs(a + b) <= 2000)
            next[static_cast<std::size_t>(a + b + 2000)] +=
                plain[static_cast<std::size_t>(a + 2000)] *
                power[static_cast<std::size_t>(b + 2000)];
      power = next;
    }
    const NoiseDensity noise = sum_of(3.0, 1.0, terms);
    for (int k : {0, 1, -7, 40, 150})
      CHECK(noise.log_density(k) ==
            Approx(std::log(power[static_cast<std::size_t>(k + 2000)])).epsilon(1e-11));
    // A fine grid is the density times its step, and the density is the limit.
    const double fine = sum_of(3.0, 0x1.0p-20, terms).log_density(1.5);
    CHECK(fine ==
          Approx(sum_of(3.0, 0.0, terms).log_density(1.5) - 20.0 * std::log(2.0)).epsilon(1e-12));
    const double middle = sum_of(3.0, 0x1.0p-6, terms).log_density(1.5);
    CHECK(middle ==
          Approx(sum_of(3.0, 0.0, terms).log_density(1.5) - 6.0 * std::log(2.0)).epsilon(1e-4));
    const double reach = noise.reach(45.0);
    CHECK(noise.log_peak() - noise.log_density(std::ceil(reach)) >= 45.0);
    CHECK(noise.log_peak() - noise.log_density(std::floor(reach) - 2.0) < 45.0);
  }
  CHECK(NoiseDensity(NoiseLaw::gaussian, 3.0, 0.0, 4).log_density(1.0) ==
        gaussian(6.0).log_density(1.0));
  CHECK_THROWS_AS(NoiseDensity(NoiseLaw::gaussian, 1.0, 1.0, 4), std::invalid_argument);
  CHECK_THROWS_AS(NoiseDensity(NoiseLaw::laplace, 1.0, 1.0, 0), std::invalid_argument);
  // Thousands of terms neither overflow nor lose the normal limit.
  const double many = sum_of(1.0, 0.0, 2000).log_density(0.0);
  CHECK(many == Approx(-.5 * std::log(2.0 * M_PI * 4000.0)).epsilon(1e-3));
}

TEST_CASE("simulated noise follows its density", "[expfam]") {
  auto rng = make_stream(17, 0);
  const int draws = 40000;
  for (const NoiseDensity& noise : {laplace(2.5, 1.0), gaussian(1.7, 1.0), gaussian(.4, 1.0),
                                    NoiseDensity(NoiseLaw::laplace, 1.2, 1.0, 3)}) {
    std::vector<std::int64_t> counts(201, 0);
    std::vector<double> probabilities(201);
    for (int i = 0; i < draws; ++i) {
      const double x = draw_noise(rng, noise) + 100.0;
      REQUIRE((x >= 0.0 && x <= 200.0));
      ++counts[static_cast<std::size_t>(x)];
    }
    for (int k = 0; k <= 200; ++k)
      probabilities[static_cast<std::size_t>(k)] = std::exp(noise.log_density(k - 100.0));
    CHECK(oracles::chi_square_p_value(counts, probabilities, draws) > oracles::kRejects);
  }
  const auto normal = oracles::draw_many(draws, [&] { return draw_noise(rng, gaussian(3.0)); });
  CHECK(oracles::ks_p_value(normal, [](double x) { return oracles::phi_cdf(x / 3.0); }) >
        oracles::kRejects);
  const auto plain = oracles::draw_many(draws, [&] { return draw_noise(rng, laplace(3.0)); });
  CHECK(oracles::ks_p_value(plain, [](double x) {
          return x < 0.0 ? .5 * std::exp(x / 3.0) : 1.0 - .5 * std::exp(-x / 3.0);
        }) > oracles::kRejects);
  CHECK(draw_noise(rng, exact_count) == 0.0);
}

TEST_CASE("weights of counts keep their digits for any count", "[expfam]") {
  for (double alpha : {0.01, 0.5, 1.0, 7.0, 300.0})
    for (double s : {0.0, 1.0, 2.0, 9.0, 57.0})
      CHECK(log_count_weight(alpha, s) ==
            Approx(std::lgamma(alpha + s) - std::lgamma(alpha) - std::lgamma(s + 1.0))
                .epsilon(1e-11)
                .margin(1e-11));
  // Gamma(1 + s) / s! = 1, Gamma(2 + s) / s! = s + 1, Gamma(3 + s) / (2 s!) = (s+1)(s+2)/2.
  for (double s : {10.0, 1e6, 1e12, 1e15}) {
    CHECK(std::abs(log_count_weight(1.0, s)) < 1e-14);
    CHECK(log_count_weight(2.0, s) == Approx(std::log1p(s)).epsilon(1e-14));
    CHECK(log_count_weight(3.0, s) ==
          Approx(std::log1p(s) + std::log(0.5 * (s + 2.0))).epsilon(1e-14));
  }
  const auto run = log_count_weights(2.0, 1e9, 1e9 + 5000.0);
  CHECK(run.size() == 5001);
  double worst = 0.0;
  for (std::size_t i = 0; i < run.size(); ++i)
    worst = std::max(worst, std::abs(run[i] - std::log1p(1e9 + static_cast<double>(i))));
  CHECK(worst < 1e-12);
}

TEST_CASE("one noisy count: published vectors", "[expfam]") {
  const BernoulliExact first(bernoulli(10, 10, {7.3, laplace(2.0), 0.0}, SampleSize::known(10)),
                             1e8);
  CHECK(first.log_evidence() == Approx(-2.3585955748).margin(1e-10));
  CHECK(first.moments().mean == Approx(.5366347565).margin(1e-10));
  const std::vector<double> weights{.000316940386, .002750243977, .012469560797, .038698974347,
                                    .090721059634, .167522589605, .246605407861, .285948892420,
                                    .124373674518, .027431435220, .003161221235};
  double below_half = 0.0;
  first.visit([&](double n, double s, double w) {
    CHECK(w == Approx(weights[static_cast<std::size_t>(s)]).margin(1e-12));
    below_half += w * oracles::beta_p(10.0 + s, 10.0 + n - s, 0.5);
  });
  CHECK(below_half == Approx(.3573823441).margin(1e-10));

  const BernoulliExact discrete(
      bernoulli(10, 10, {7.0, laplace(2.0, 1.0), 0.0}, SampleSize::known(10)), 1e8);
  CHECK(discrete.log_evidence() == Approx(-2.2701236380).margin(1e-10));
  CHECK(discrete.moments().mean == Approx(.5336794137).margin(1e-10));

  const BernoulliExact below_zero(
      bernoulli(1, 1, {-30.5, laplace(100.0), 0.0}, SampleSize::known(1000)), 1e8);
  CHECK(below_zero.log_evidence() == Approx(-7.9019510757).margin(1e-10));
  CHECK(below_zero.moments().mean == Approx(.1002553275).margin(1e-10));

  const BernoulliExact normal(bernoulli(1, 1, {55.2, gaussian(4.0), 0.0}, SampleSize::known(100)),
                              1e8);
  CHECK(normal.log_evidence() == Approx(-4.6151205168).margin(1e-10));
  CHECK(normal.moments().mean == Approx(.5509803922).margin(1e-10));
}

TEST_CASE("one noisy count: windows lose nothing, whatever the prior", "[expfam]") {
  struct Case {
    double a, b, z, scale, centre;
    int n;
  };
  // Narrow noise, prior far from the release, spikes at the ends, values outside [0, n].
  for (const Case& c : {Case{1, 1, 1234.5, 1.3, 0, 3000}, Case{2e4, 2e4, 2700, 2, 0, 3000},
                        Case{.02, .03, 40, 6, 0, 3000}, Case{3, 4, -700, 5, 0, 3000},
                        Case{3, 4, 3900, 5, 0, 3000}, Case{2, 5, -400.25, 3, .5, 3000}}) {
    const Enumerated truth({c.a, c.b}, c.n, c.n, [&](const std::vector<double>& s, double n) {
      return log_laplace(c.z - s[0] + c.centre * n, c.scale) + 300.0;
    });
    const BernoulliExact exact(
        bernoulli(c.a, c.b, {c.z, laplace(c.scale), c.centre}, SampleSize::known(c.n)), 1e8);
    CHECK(exact.log_evidence() == Approx(std::log(truth.evidence) - 300.0).margin(1e-9));
    check_moments(exact.moments(), truth);
    double worst = 0.0;
    exact.visit([&](double, double s, double w) {
      worst = std::max(worst, std::abs(w - truth.first.at(s)));
    });
    CHECK(worst < 1e-11);
  }
  // The cost depends on the noise, not on n.
  const BernoulliExact large(bernoulli(1, 1, {3e14, laplace(10.0), 0.0}, SampleSize::known(1e15)),
                             1e8);
  CHECK(large.cells() < 2000.0);
  CHECK(large.moments().mean == Approx(.3).epsilon(1e-12));
}

TEST_CASE("one noisy count: latent n is summed out", "[expfam]") {
  struct Case {
    double z, z_n, centre, grid;
  };
  for (const Case& c : {Case{4.3, 9.1, 0, 0}, Case{12.0, 7.0, 0, 1}, Case{-1.2, 8.4, .5, 0},
                        Case{-.5, 8.0, .5, 1}, Case{2.0, -3.0, 0, 1}}) {
    const auto log_noise = [&](const std::vector<double>& s, double n) {
      const double r = c.z - s[0] + c.centre * n;
      if (c.grid == 0.0) return log_laplace(r, 1.5) + log_laplace(c.z_n - n, 2.0);
      // Half a record off the grid is impossible.
      if (r != std::floor(r)) return -std::numeric_limits<double>::infinity();
      return log_discrete_laplace(r, 1.5) + log_discrete_laplace(c.z_n - n, 2.0);
    };
    const Enumerated truth({2.0, 3.0}, 0, 160, log_noise);
    const BernoulliExact exact(bernoulli(2, 3, {c.z, laplace(1.5, c.grid), c.centre},
                                         SampleSize::noisy(c.z_n, laplace(2.0, c.grid))),
                               1e8);
    CHECK(exact.log_evidence() == Approx(std::log(truth.evidence)).margin(1e-11));
    check_moments(exact.moments(), truth);
  }
}

TEST_CASE("no noise gives the conjugate posterior; impossible releases are refused", "[expfam]") {
  const BernoulliExact exact(bernoulli(2, 5, {30.0, exact_count, 0.0}, SampleSize::known(100)),
                             1e8);
  CHECK(exact.moments().mean == Approx(32.0 / 107.0).epsilon(1e-15));
  CHECK(exact.moments().between == 0.0);
  const BernoulliExact centred(bernoulli(2, 5, {-20.0, exact_count, .5}, SampleSize::known(100)),
                               1e8);
  CHECK(centred.moments().mean == Approx(32.0 / 107.0).epsilon(1e-15));
  CHECK(SampleSize::noisy(100.0, exact_count).is_known());
  const auto impossible = [](NoisyCount count) {
    BernoulliExact(bernoulli(1, 1, count, SampleSize::known(100)), 1e8);
  };
  CHECK_THROWS_AS(impossible({30.5, exact_count, 0.0}), std::domain_error);
  CHECK_THROWS_AS(impossible({101.0, exact_count, 0.0}), std::domain_error);
  CHECK_THROWS_AS(impossible({30.5, laplace(2.0, 1.0), 0.0}), std::domain_error);
  CHECK_THROWS_AS(impossible({oracles::kNaN, laplace(2.0), 0.0}), std::invalid_argument);
  CHECK_THROWS_AS(impossible({1.0, laplace(2.0), 2.0}), std::invalid_argument);
  CHECK_THROWS_AS(
      BernoulliExact(bernoulli(1, 1, {3.0, laplace(1.0), 0.0}, SampleSize::unknown()), 1e8),
      std::invalid_argument);
  CHECK_FALSE(BernoulliExact(bernoulli(1, 1, {3e8, laplace(1e6), 0.0}, SampleSize::known(1e9)), 1e6)
                  .feasible());
}

TEST_CASE("one noisy count: draws follow the mixture", "[expfam]") {
  const BernoulliExact exact(
      bernoulli(2, 3, {-1.2, laplace(1.5), .5}, SampleSize::noisy(8.4, gaussian(2.0))), 1e8);
  auto rng = make_stream(11, 0);
  std::vector<double> scratch, theta(4000);
  for (double& value : theta) value = exact.draw(rng, scratch).theta;
  const auto cdf = [&](double x) {
    double sum = 0.0;
    exact.visit([&](double n, double s, double w) {
      if (w > 1e-9) sum += w * oracles::beta_p(2.0 + s, 3.0 + n - s, x);
    });
    return sum;
  };
  // A grid of values is enough for the test of fit and keeps it quick.
  std::vector<double> cells(21, 0.0);
  std::vector<std::int64_t> counts(20, 0);
  for (double value : theta) ++counts[static_cast<std::size_t>(std::min(19.0, value * 20.0))];
  std::vector<double> probabilities(20);
  for (int k = 0; k <= 20; ++k) cells[static_cast<std::size_t>(k)] = cdf(k / 20.0);
  for (std::size_t k = 0; k < 20; ++k) probabilities[k] = cells[k + 1] - cells[k];
  CHECK(oracles::chi_square_p_value(counts, probabilities, 4000.0) > oracles::kRejects);
  const oracles::Moments moments(theta);
  CHECK(moments.z_mean(exact.moments().mean) < oracles::kMaxZ);
  CHECK(moments.z_variance(exact.moments().variance()) < oracles::kMaxZ);
}

TEST_CASE("counts of a factor: published vectors", "[expfam]") {
  auto problem =
      categorical_problem({5, 5, 5}, {4.2, -1.1, 6.5}, laplace(3.0), SampleSize::known(8));
  const CategoricalExact exact(problem, 1e9);
  CHECK(exact.log_evidence() == Approx(-8.1013798166).margin(1e-10));
  CHECK(exact.moments()[0].mean == Approx(.3457493371).margin(1e-10));
  const std::vector<double> first{.037543676292, .125518253053, .217072711067,
                                  .256220267048, .233356187095, .097502639919,
                                  .027060435490, .005196923116, .000528906921};
  for (std::size_t s = 0; s < first.size(); ++s)
    CHECK(exact.marginal(0).at(static_cast<double>(s)) == Approx(first[s]).margin(1e-12));
  problem.released[2] = false;
  CHECK(CategoricalExact(problem, 1e9).log_evidence() == Approx(-5.20026045985).margin(1e-10));
}

TEST_CASE("counts of a factor: enumeration of every count vector", "[expfam]") {
  const std::vector<double> alpha{.4, 2.0, 7.0};
  struct Case {
    std::vector<double> z;
    double scale;
    int n;
  };
  // Agreement, values below 0, counts that miss n by far, noise far narrower than n.
  for (const Case& c : {Case{{3.3, 2.1, 2.9}, 1.5, 8}, Case{{-4.0, 9.5, 2.0}, 3.0, 8},
                        Case{{60.0, 130.0, 240.0}, 2.0, 150}, Case{{10.0, 20.0, 15.0}, 1.0, 150},
                        Case{{51.2, 49.9, 48.0}, .5, 150}}) {
    const Enumerated truth(alpha, c.n, c.n, [&](const std::vector<double>& s, double) {
      double sum = 200.0;
      for (std::size_t k = 0; k < 3; ++k) sum += log_laplace(c.z[k] - s[k], c.scale);
      return sum;
    });
    const CategoricalExact exact(
        categorical_problem(alpha, c.z, laplace(c.scale), SampleSize::known(c.n)), 1e9);
    CHECK(exact.log_evidence() == Approx(std::log(truth.evidence) - 200.0).margin(1e-10));
    CHECK(marginal_error(exact.marginal(0), truth) < 1e-12);
    check_moments(exact.moments()[0], truth);
  }
}

TEST_CASE("counts of a factor: a prior that contradicts the release widens the windows",
          "[expfam]") {
  const std::vector<double> alpha{3000.0, 100.0, 100.0}, z{20.0, 90.0, 90.0};
  const Enumerated truth(alpha, 200, 200, [&](const std::vector<double>& s, double) {
    double sum = 150.0;
    for (std::size_t k = 0; k < 3; ++k) sum += log_laplace(z[k] - s[k], .5);
    return sum;
  });
  const CategoricalExact exact(categorical_problem(alpha, z, laplace(.5), SampleSize::known(200)),
                               1e9);
  CHECK(exact.log_evidence() == Approx(std::log(truth.evidence) - 150.0).margin(1e-10));
  CHECK(marginal_error(exact.marginal(0), truth) < 1e-12);
  check_moments(exact.moments()[0], truth);
}

TEST_CASE("counts of a factor: partial releases and exact counts", "[expfam]") {
  const std::vector<double> alpha{2.0, .7, 1.3, 3.0};
  auto problem =
      categorical_problem(alpha, {5.4, 0.0, 3.0, 0.0}, laplace(2.0, 0.0), SampleSize::known(15));
  problem.counts[2].noise = exact_count;
  problem.released = {true, false, true, false};
  const Enumerated truth(alpha, 15, 15, [&](const std::vector<double>& s, double) {
    return s[2] == 3.0 ? log_laplace(5.4 - s[0], 2.0) : -std::numeric_limits<double>::infinity();
  });
  const CategoricalExact exact(problem, 1e9);
  CHECK(exact.cells().size() == 3);
  CHECK(exact.log_evidence() == Approx(std::log(truth.evidence)).margin(1e-12));
  check_moments(exact.moments()[0], truth);
  // A category that was not released: enumerate with it in first place.
  const std::vector<double> turned{.7, 2.0, 1.3, 3.0};
  const Enumerated second(turned, 15, 15, [&](const std::vector<double>& s, double) {
    return s[2] == 3.0 ? log_laplace(5.4 - s[1], 2.0) : -std::numeric_limits<double>::infinity();
  });
  // Enumeration also conditions on the split of the merged count, so only the
  // mean and the whole variance can agree.
  CHECK(exact.moments()[1].mean == Approx(second.mean).epsilon(1e-12));
  CHECK(exact.moments()[1].variance() == Approx(second.within + second.between()).epsilon(1e-11));

  auto rng = make_stream(3, 0);
  std::vector<double> counts(3), theta(4), released, hidden;
  double n = 0.0;
  for (int i = 0; i < 20000; ++i) {
    exact.draw_counts(rng, counts, n);
    REQUIRE(n == 15.0);
    REQUIRE(counts[1] == 3.0);
    REQUIRE(counts[0] + counts[1] + counts[2] == 15.0);
    exact.cells().draw_theta(rng, counts, theta);
    REQUIRE(theta[0] + theta[1] + theta[2] + theta[3] == Approx(1.0).epsilon(1e-12));
    released.push_back(theta[0]);
    hidden.push_back(theta[1]);
  }
  CHECK(oracles::Moments(released).z_mean(exact.moments()[0].mean) < oracles::kMaxZ);
  CHECK(oracles::Moments(released).z_variance(exact.moments()[0].variance()) < oracles::kMaxZ);
  CHECK(oracles::Moments(hidden).z_mean(exact.moments()[1].mean) < oracles::kMaxZ);
  CHECK(oracles::Moments(hidden).z_variance(exact.moments()[1].variance()) < oracles::kMaxZ);
}

TEST_CASE("counts of a factor: latent n, with and without a released n", "[expfam]") {
  const std::vector<double> alpha{1.5, 2.0, 4.0}, z{3.4, -.8, 5.2};
  const double scale = .7;
  const auto cells = [&](const std::vector<double>& s) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) sum += log_laplace(z[k] - s[k], scale);
    return sum;
  };
  const Enumerated free(alpha, 0, 70,
                        [&](const std::vector<double>& s, double) { return cells(s); });
  const CategoricalExact unknown(
      categorical_problem(alpha, z, laplace(scale), SampleSize::unknown()), 1e9);
  CHECK(unknown.log_evidence() == Approx(std::log(free.evidence)).margin(1e-11));
  CHECK(marginal_error(unknown.marginal(0), free) < 1e-12);
  check_moments(unknown.moments()[0], free);

  for (double z_n : {9.0, 25.0, -4.0}) {
    const Enumerated both(alpha, 0, 70, [&](const std::vector<double>& s, double n) {
      return cells(s) + log_laplace(z_n - n, 1.1);
    });
    const CategoricalExact noisy(
        categorical_problem(alpha, z, laplace(scale), SampleSize::noisy(z_n, laplace(1.1))), 1e9);
    CHECK(noisy.log_evidence() == Approx(std::log(both.evidence)).margin(1e-11));
    CHECK(marginal_error(noisy.marginal(0), both) < 1e-12);
    check_moments(noisy.moments()[0], both);
    auto rng = make_stream(5, 1);
    std::vector<double> counts(3);
    std::vector<double> sizes(20000);
    for (double& n : sizes) noisy.draw_counts(rng, counts, n);
    double mean = 0.0, square = 0.0;
    for (const auto& item : both.size) {
      mean += item.first * item.second;
      square += item.first * item.first * item.second;
    }
    CHECK(oracles::Moments(sizes).z_mean(mean) < oracles::kMaxZ);
    CHECK(oracles::Moments(sizes).z_variance(square - mean * mean) < oracles::kMaxZ);
  }
  auto partial = categorical_problem(alpha, z, laplace(scale), SampleSize::unknown());
  partial.released[1] = false;
  CHECK_THROWS_AS(CategoricalExact(partial, 1e9), std::invalid_argument);
  partial.size = SampleSize::noisy(9.0, laplace(1.1));
  const Enumerated hidden(alpha, 0, 70, [&](const std::vector<double>& s, double n) {
    return log_laplace(z[0] - s[0], scale) + log_laplace(z[2] - s[2], scale) +
           log_laplace(9.0 - n, 1.1);
  });
  const CategoricalExact merged(partial, 1e9);
  CHECK(merged.log_evidence() == Approx(std::log(hidden.evidence)).margin(1e-11));
  check_moments(merged.moments()[0], hidden);
}

TEST_CASE("counts of a factor: draws follow the posterior of the counts", "[expfam]") {
  const CategoricalExact exact(
      categorical_problem({5, 5, 5}, {4.2, -1.1, 6.5}, laplace(3.0), SampleSize::known(8)), 1e9);
  auto rng = make_stream(8, 0);
  std::vector<double> counts(3);
  std::vector<std::int64_t> first(9, 0), last(9, 0);
  double n = 0.0;
  for (int i = 0; i < 20000; ++i) {
    exact.draw_counts(rng, counts, n);
    ++first[static_cast<std::size_t>(counts[0])];
    ++last[static_cast<std::size_t>(counts[2])];
  }
  CHECK(oracles::chi_square_p_value(first, exact.marginal(0).mass, 20000) > oracles::kRejects);
  CHECK(oracles::chi_square_p_value(last, exact.marginal(2).mass, 20000) > oracles::kRejects);
}

TEST_CASE("counts of a factor: impossible and oversized problems", "[expfam]") {
  auto exact_sum = categorical_problem({1, 1, 1}, {2, 3, 4}, exact_count, SampleSize::known(9));
  CHECK(CategoricalExact(exact_sum, 1e9).moments()[1].mean == Approx(4.0 / 12.0).epsilon(1e-15));
  exact_sum.size = SampleSize::known(10);
  CHECK_THROWS_AS(CategoricalExact(exact_sum, 1e9), std::domain_error);
  auto off_grid =
      categorical_problem({1, 1, 1}, {2, 3.5, 4}, laplace(1.0, 1.0), SampleSize::known(9));
  CHECK_THROWS_AS(CategoricalExact(off_grid, 1e9), std::domain_error);
  auto about_centre = categorical_problem({1, 1, 1}, {2, 3, 4}, laplace(1.0), SampleSize::known(9));
  about_centre.counts[0].centre = .5;
  CHECK_THROWS_AS(CategoricalExact(about_centre, 1e9), std::invalid_argument);
  CHECK_FALSE(CategoricalExact(categorical_problem({1, 1, 1}, {3e5, 3e5, 4e5}, laplace(1e3),
                                                   SampleSize::known(1e6)),
                               1e6)
                  .feasible());
  CHECK_FALSE(CategoricalExact(categorical_problem({1, 1, 1}, {3e9, 3e9, 4e9}, laplace(1e8),
                                                   SampleSize::known(1e10)),
                               1e9)
                  .feasible());
}

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
