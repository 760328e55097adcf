#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <noiseaware/rng/streams.hpp>
#include <vector>

#include "count_oracles.hpp"
#include "near.hpp"

using namespace noiseaware;
using namespace count_oracles;

TEST_CASE("one noisy count: published vectors", "[expfam]") {
  const BernoulliExact first(bernoulli(10, 10, {7.3, laplace(2.0), 0.0}, SampleSize::known(10)),
                             1e8);
  CHECK(first.log_evidence() == near::within(-2.3585955748, 1e-10));
  CHECK(first.moments().mean == near::within(.5366347565, 1e-10));
  const std::vector<double> weights{.000316940386, .002750243977, .012469560797, .038698974347,
                                    .090721059634, .167522589605, .246605407861, .285948892420,
                                    .124373674518, .027431435220, .003161221235};
  double below_half = 0.0;
  first.visit([&](double n, double s, double w) {
    CHECK(w == near::within(weights[static_cast<std::size_t>(s)], 1e-12));
    below_half += w * oracles::beta_p(10.0 + s, 10.0 + n - s, 0.5);
  });
  CHECK(below_half == near::within(.3573823441, 1e-10));

  const BernoulliExact discrete(
      bernoulli(10, 10, {7.0, laplace(2.0, 1.0), 0.0}, SampleSize::known(10)), 1e8);
  CHECK(discrete.log_evidence() == near::within(-2.2701236380, 1e-10));
  CHECK(discrete.moments().mean == near::within(.5336794137, 1e-10));

  const BernoulliExact below_zero(
      bernoulli(1, 1, {-30.5, laplace(100.0), 0.0}, SampleSize::known(1000)), 1e8);
  CHECK(below_zero.log_evidence() == near::within(-7.9019510757, 1e-10));
  CHECK(below_zero.moments().mean == near::within(.1002553275, 1e-10));

  const BernoulliExact normal(bernoulli(1, 1, {55.2, gaussian(4.0), 0.0}, SampleSize::known(100)),
                              1e8);
  CHECK(normal.log_evidence() == near::within(-4.6151205168, 1e-10));
  CHECK(normal.moments().mean == near::within(.5509803922, 1e-10));
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
    CHECK(exact.log_evidence() == near::within(std::log(truth.evidence) - 300.0, 1e-9));
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
    CHECK(exact.log_evidence() == near::within(std::log(truth.evidence), 1e-11));
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
