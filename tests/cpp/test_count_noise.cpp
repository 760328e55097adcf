#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <noiseaware/infer/expfam/noise_draw.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

#include "count_oracles.hpp"

using namespace noiseaware;
using namespace count_oracles;

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
