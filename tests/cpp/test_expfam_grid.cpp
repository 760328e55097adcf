#include <catch.h>

#include <cmath>
#include <noiseaware/infer/expfam/grid_posterior.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;

namespace {

double log_gamma_density(double x, double shape, double rate) {
  return shape * std::log(rate) - std::lgamma(shape) + (shape - 1.0) * std::log(x) - rate * x;
}

//! Compares moments, distribution function and quantiles with Gamma(shape, rate).
void check_gamma(const GridPosterior& posterior, double shape, double rate) {
  const double mean = shape / rate, sd = std::sqrt(shape) / rate;
  CHECK(posterior.mean() == Approx(mean).epsilon(1e-6));
  CHECK(posterior.sd() == Approx(sd).epsilon(1e-5));
  // The series of the oracle ends too early for larger shapes.
  if (shape > 1e6) return;
  for (const double z : {-3.0, -1.5, -.3, 0.0, .4, 1.0, 2.5, 4.0}) {
    const double x = mean + z * sd;
    if (x <= 0.0) continue;
    INFO("shape " << shape << " z " << z);
    CHECK(posterior.cdf(x) == near::within(oracles::gamma_p(shape, rate * x), 5e-6));
    CHECK(posterior.log_density(x) == near::within(log_gamma_density(x, shape, rate), 1e-3));
  }
  for (const double p : {.001, .025, .3, .5, .9, .999}) {
    const double x = posterior.quantile(p);
    CHECK(oracles::gamma_p(shape, rate * x) == near::within(p, 5e-6));
    CHECK(posterior.cdf(x) == Approx(p).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("cubic spline reproduces cubics and converges", "[math]") {
  for (const std::size_t size : {4U, 5U, 6U, 20U}) {
    std::vector<double> values(size);
    const auto cubic = [](double x) { return 2.0 + x * (1.0 + x * (-.5 + .25 * x)); };
    for (std::size_t i = 0; i < size; ++i) values[i] = cubic(static_cast<double>(i));
    const CubicSpline spline(values);
    for (std::size_t i = 0; i + 1 < size; ++i)
      for (const double part : {0.0, .25, .7, 1.0})
        CHECK(spline.at(i, part) == near::within(cubic(static_cast<double>(i) + part), 1e-10));
  }
  const auto worst = [](int cells) {
    std::vector<double> values;
    for (int i = 0; i <= cells; ++i) values.push_back(std::sin(3.0 * i / cells));
    const CubicSpline spline(values);
    double error = 0.0;
    for (int i = 0; i < cells; ++i)
      error = std::max(error, std::abs(spline.at(static_cast<std::size_t>(i), .5) -
                                       std::sin(3.0 * (i + .5) / cells)));
    return error;
  };
  CHECK(worst(64) < worst(32) / 12.0);
  CHECK_THROWS_AS(CubicSpline({1.0, 2.0, 3.0}), std::invalid_argument);
}

TEST_CASE("grid posterior without data is the prior", "[expfam]") {
  for (const double shape : {.3, 1.0, 8.0, 2000.0}) {
    const GridPosterior posterior = gamma_grid_posterior({shape, 2.0}, [](double) { return 0.0; });
    CHECK(posterior.log_evidence() == near::within(0.0, 1e-6));
    check_gamma(posterior, shape, 2.0);
  }
  for (const double shape1 : {.4, 3.0, 500.0})
    for (const double shape2 : {1.0, 20.0}) {
      const GridPosterior posterior =
          beta_grid_posterior(shape1, shape2, [](double) { return 0.0; });
      const double total = shape1 + shape2;
      CHECK(posterior.log_evidence() == near::within(0.0, 1e-6));
      CHECK(posterior.mean() == Approx(shape1 / total).epsilon(1e-6));
      CHECK(posterior.sd() ==
            Approx(std::sqrt(shape1 * shape2 / (total + 1.0)) / total).epsilon(1e-5));
      for (const double p : {.01, .2, .5, .8, .99}) {
        const double x = posterior.quantile(p);
        CHECK(oracles::beta_p(shape1, shape2, x) == near::within(p, 5e-6));
        CHECK(posterior.cdf(x) == Approx(p).epsilon(1e-10));
      }
    }
}

TEST_CASE("grid posterior: conjugate Poisson records", "[expfam]") {
  struct Case {
    double shape, rate, n, mean;
  };
  // Weak and strong data, a vague prior, and data far outside the prior range.
  for (const Case& c :
       {Case{8, 2, 1, 3}, Case{8, 2, 1e4, 3.7}, Case{8, 2, 1e9, 4.1}, Case{.01, .01, 50, 2.2},
        Case{1e-3, 1e-3, 200, 1e-2}, Case{8, 2, 1e3, 150}, Case{8, 2, 1e3, 1e-3}}) {
    const double sum = std::round(c.n * c.mean);
    const auto log_likelihood = [&](double rate) { return sum * std::log(rate) - c.n * rate; };
    const GridPosterior posterior = gamma_grid_posterior({c.shape, c.rate}, log_likelihood);
    INFO("n " << c.n << " mean " << c.mean << " evaluations " << posterior.evaluations());
    check_gamma(posterior, c.shape + sum, c.rate + c.n);
    const double evidence = c.shape * std::log(c.rate) - std::lgamma(c.shape) +
                            std::lgamma(c.shape + sum) - (c.shape + sum) * std::log(c.rate + c.n);
    CHECK(posterior.log_evidence() == near::within(evidence, 1e-5 + 1e-13 * std::abs(evidence)));
    CHECK(posterior.evaluations() < 250);
  }
}

TEST_CASE("grid posterior: two modes", "[expfam]") {
  // Likelihoods that make the posterior a mixture of two gammas, near and far.
  struct Case {
    double shape1, rate1, shape2, rate2;
  };
  for (const Case& c : {Case{40, 80, 60, 15}, Case{4e4, 8e4, 5e4, 1e4}, Case{4e5, 8e5, 5e5, 1e5}}) {
    const auto mixture = [&](double x) {
      return log_sum_exp(std::log(.3) + log_gamma_density(x, c.shape1, c.rate1),
                         std::log(.7) + log_gamma_density(x, c.shape2, c.rate2));
    };
    const auto log_likelihood = [&](double x) {
      return mixture(x) - log_gamma_density(x, 8.0, 2.0);
    };
    const GridPosterior posterior = gamma_grid_posterior({8.0, 2.0}, log_likelihood);
    CHECK(posterior.log_evidence() == near::within(0.0, 1e-5));
    for (const double x : {.45, .499, .5, .51, 1.5, 3.5, 4.5, 5.0, 5.1}) {
      const double truth = .3 * oracles::gamma_p(c.shape1, c.rate1 * x) +
                           .7 * oracles::gamma_p(c.shape2, c.rate2 * x);
      CHECK(posterior.cdf(x) == near::within(truth, 5e-5));
    }
    const double mean = .3 * c.shape1 / c.rate1 + .7 * c.shape2 / c.rate2;
    CHECK(posterior.mean() == Approx(mean).epsilon(1e-5));
    auto rng = make_stream(3, 0);
    const auto draws = oracles::draw_many(4000, [&] { return posterior.draw(rng); });
    CHECK(oracles::ks_p_value(draws, [&](double x) {
            return .3 * oracles::gamma_p(c.shape1, c.rate1 * x) +
                   .7 * oracles::gamma_p(c.shape2, c.rate2 * x);
          }) > oracles::kRejects);
  }
}

TEST_CASE("grid posterior: likelihoods that fail or vanish", "[expfam]") {
  // -Inf and NaN both count as impossible.
  const GridPosterior cut = gamma_grid_posterior({8.0, 2.0}, [](double rate) {
    return rate < 2.0 ? -oracles::kInf : rate > 6.0 ? oracles::kNaN : 0.0;
  });
  const double low = oracles::gamma_p(8.0, 4.0), high = oracles::gamma_p(8.0, 12.0);
  for (const double x : {2.5, 4.0, 5.5})
    CHECK(cut.cdf(x) == near::within((oracles::gamma_p(8.0, 2.0 * x) - low) / (high - low), 2e-3));
  CHECK(cut.log_evidence() == near::within(std::log(high - low), 2e-3));
  CHECK(cut.cdf(1.9) == near::within(0.0, 1e-6));
  CHECK(cut.cdf(6.1) == near::within(1.0, 1e-6));
  CHECK_THROWS_AS(gamma_grid_posterior({8.0, 2.0}, [](double) { return -oracles::kInf; }),
                  std::domain_error);
  CHECK_THROWS_AS(gamma_grid_posterior({0.0, 2.0}, [](double) { return 0.0; }),
                  std::invalid_argument);
  CHECK_THROWS_AS(beta_grid_posterior(1.0, oracles::kNaN, [](double) { return 0.0; }),
                  std::invalid_argument);
  const GridPosterior prior = gamma_grid_posterior({8.0, 2.0}, [](double) { return 0.0; });
  CHECK(prior.cdf(-1.0) == 0.0);
  CHECK(prior.cdf(0.0) == 0.0);
  CHECK(prior.cdf(1e9) == 1.0);
  CHECK(prior.log_density(1e9) == -oracles::kInf);
  CHECK_THROWS_AS(prior.quantile(1.5), std::invalid_argument);
  CHECK(prior.quantile(0.0) > 0.0);
  CHECK(prior.quantile(1.0) < 100.0);
}
