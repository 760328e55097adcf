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

TEST_CASE("counts of a factor: published vectors", "[expfam]") {
  auto problem =
      categorical_problem({5, 5, 5}, {4.2, -1.1, 6.5}, laplace(3.0), SampleSize::known(8));
  const CategoricalExact exact(problem, 1e9);
  CHECK(exact.log_evidence() == near::within(-8.1013798166, 1e-10));
  CHECK(exact.moments()[0].mean == near::within(.3457493371, 1e-10));
  const std::vector<double> first{.037543676292, .125518253053, .217072711067,
                                  .256220267048, .233356187095, .097502639919,
                                  .027060435490, .005196923116, .000528906921};
  for (std::size_t s = 0; s < first.size(); ++s)
    CHECK(exact.marginal(0).at(static_cast<double>(s)) == near::within(first[s], 1e-12));
  problem.released[2] = false;
  CHECK(CategoricalExact(problem, 1e9).log_evidence() == near::within(-5.20026045985, 1e-10));
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
    CHECK(exact.log_evidence() == near::within(std::log(truth.evidence) - 200.0, 1e-10));
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
  CHECK(exact.log_evidence() == near::within(std::log(truth.evidence) - 150.0, 1e-10));
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
  CHECK(exact.log_evidence() == near::within(std::log(truth.evidence), 1e-12));
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
  CHECK(unknown.log_evidence() == near::within(std::log(free.evidence), 1e-11));
  CHECK(marginal_error(unknown.marginal(0), free) < 1e-12);
  check_moments(unknown.moments()[0], free);

  for (double z_n : {9.0, 25.0, -4.0}) {
    const Enumerated both(alpha, 0, 70, [&](const std::vector<double>& s, double n) {
      return cells(s) + log_laplace(z_n - n, 1.1);
    });
    const CategoricalExact noisy(
        categorical_problem(alpha, z, laplace(scale), SampleSize::noisy(z_n, laplace(1.1))), 1e9);
    CHECK(noisy.log_evidence() == near::within(std::log(both.evidence), 1e-11));
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
  CHECK(merged.log_evidence() == near::within(std::log(hidden.evidence), 1e-11));
  check_moments(merged.moments()[0], hidden);
}

TEST_CASE("counts of a factor: a released n that contradicts the counts", "[expfam]") {
  // Moving n costs less than moving the counts in one case and more in the other:
  // the posterior of n is far from where precisions alone would put it.
  const std::vector<double> alpha{1.5, 4.0}, z{150.0, 100.0};
  for (double scale_n : {2.5, 1.5}) {
    const Enumerated truth(alpha, 0, 420, [&](const std::vector<double>& s, double n) {
      return log_laplace(z[0] - s[0], 2.0) + log_laplace(z[1] - s[1], 2.0) +
             log_laplace(50.0 - n, scale_n) + 90.0;
    });
    const CategoricalExact exact(
        categorical_problem(alpha, z, laplace(2.0), SampleSize::noisy(50.0, laplace(scale_n))),
        1e9);
    CHECK(exact.log_evidence() == near::within(std::log(truth.evidence) - 90.0, 1e-10));
    CHECK(marginal_error(exact.marginal(0), truth) < 1e-12);
    check_moments(exact.moments()[0], truth);
  }
}

TEST_CASE("counts of a factor: many cells and a released n that is far off", "[expfam]") {
  // Every count by itself is plausible under the released n, their sum is not.
  const std::size_t cells = 30;
  const int most = 700;
  const auto problem =
      categorical_problem(std::vector<double>(cells, 1.0), std::vector<double>(cells, 10.0),
                          gaussian(3.0), SampleSize::noisy(100.0, laplace(50.0)));
  // Plain convolution over every count vector: with weights 1 the prior factor of
  // a count is 1, and n! Gamma(30) / Gamma(30 + n) is left.
  std::vector<double> noise(most + 1), sum(most + 1, 0.0);
  for (int s = 0; s <= most; ++s)
    noise[static_cast<std::size_t>(s)] =
        std::exp(-.5 * (s - 10.0) * (s - 10.0) / 9.0) / (3.0 * std::sqrt(2.0 * M_PI));
  sum[0] = 1.0;
  for (std::size_t c = 0; c < cells; ++c) {
    std::vector<double> next(most + 1, 0.0);
    for (std::size_t t = 0; t <= static_cast<std::size_t>(most); ++t)
      for (std::size_t s = 0; s <= t; ++s) next[t] += noise[s] * sum[t - s];
    sum = next;
  }
  double evidence = 0.0;
  for (int n = 0; n <= most; ++n)
    evidence += sum[static_cast<std::size_t>(n)] *
                std::exp(std::lgamma(n + 1.0) + std::lgamma(30.0) - std::lgamma(30.0 + n) +
                         log_laplace(100.0 - n, 50.0));
  CHECK(CategoricalExact(problem, 1e9).log_evidence() == near::within(std::log(evidence), 1e-11));
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
