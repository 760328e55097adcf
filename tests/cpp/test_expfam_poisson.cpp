#include <catch.h>

#include <cmath>
#include <noiseaware/infer/expfam/poisson_exact.hpp>
#include <vector>

#include "near.hpp"
#include "oracles.hpp"
#include "sum_oracles.hpp"

using namespace noiseaware;
using namespace sum_oracles;

namespace {

PoissonExact exact(RecordMap map, double centre, double z, NoiseDensity noise, SampleSize size) {
  return PoissonExact(scalar_problem(ScalarFamily::poisson, map, centre, z, noise, size), 1e9);
}

//! log p(z) by convolution, n records on a lattice of the given step.
double by_convolution(int n, double rate, const RecordMap& map, double centre, double step,
                      const std::function<double(double)>& log_noise_at) {
  const double low = std::min({std::max(map.lower, 0.0), map.below, map.above});
  const std::vector<double> sum = poisson_sum(n, rate, map, low, step);
  double total = -oracles::kInf;
  for (std::size_t k = 0; k < sum.size(); ++k)
    if (sum[k] > 0.0)
      total = log_sum_exp(total, std::log(sum[k]) + log_noise_at(n * (low - centre) +
                                                                 step * static_cast<double>(k)));
  return total;
}

}  // namespace

TEST_CASE("Poisson likelihood: published vectors", "[expfam]") {
  const RecordMap clamped = RecordMap::clamp(1, 7), redacted = RecordMap::redact(1, 7, 0);
  struct Case {
    RecordMap map;
    double grid, log_p;
  };
  for (const Case& c : {Case{redacted, 0, -2.9325409148}, Case{redacted, 1, -2.9377303424},
                        Case{clamped, 0, -2.8860577053}, Case{clamped, 1, -2.8912471330}}) {
    const SampleSize n = SampleSize::known(10);
    CHECK(exact(c.map, 0, 33, laplace(4, c.grid), n).log_likelihood(3.3) ==
          near::within(c.log_p, 1e-10));
    CHECK(exact(c.map, 4, 33 - 40, laplace(4, c.grid), n).log_likelihood(3.3) ==
          near::within(c.log_p, 1e-10));
  }
}

TEST_CASE("Poisson likelihood: convolution, known n", "[expfam]") {
  struct Case {
    RecordMap map;
    double centre, step;
  };
  int compared = 0;
  for (const Case& c :
       {Case{RecordMap::clamp(0, 10), 5, 1}, Case{RecordMap::clamp(2, 7), 4.5, 1},
        Case{RecordMap::redact(2, 7, 4.5), 4.5, .5}, Case{RecordMap::redact(0, 10, 0), 0, 1},
        Case{RecordMap::clamp(.5, 6.5), 3.3, .5}})
    for (const int n : {1, 2, 9, 40})
      for (const double rate : {.03, 1.7, 6.0, 22.0})
        for (const double share : {-.3, .2, .61, 1.2})
          for (const bool is_laplace : {true, false})
            for (const double scale : {.2, 1.1, 150.0}) {
              const double low = std::min(c.map.lower, c.map.below) - c.centre;
              const double z = n * (low + share * (c.map.upper - c.map.lower)) + .137;
              const double truth = by_convolution(n, rate, c.map, c.centre, c.step, [&](double s) {
                return log_noise(is_laplace, scale, z - s);
              });
              // Below, the probabilities of the oracle underflow.
              if (truth < -600.0) continue;
              ++compared;
              const PoissonExact found =
                  exact(c.map, c.centre, z, is_laplace ? laplace(scale) : gaussian(scale),
                        SampleSize::known(n));
              INFO("n " << n << " rate " << rate << " z " << z << " laplace " << is_laplace
                        << " scale " << scale << " centre " << c.centre);
              REQUIRE(found.feasible());
              CHECK(found.log_likelihood(rate) == near::within(truth, 2e-8));
            }
  CHECK(compared > 1750);
}

TEST_CASE("Poisson likelihood: noise on a grid", "[expfam]") {
  const RecordMap map = RecordMap::clamp(0, 8);
  for (const double scale : {.7, 6.0})
    for (const double grid : {1.0, .25})
      for (const double z : {-9.0, 31.0, 120.0}) {
        double total = 0.0, total_gaussian = 0.0;
        for (int k = -4000; k <= 4000; ++k) {
          total += std::exp(-std::abs(k * grid) / scale);
          total_gaussian += std::exp(-.5 * k * grid * k * grid / (scale * scale));
        }
        CHECK(exact(map, 4, z - 40, laplace(scale, grid), SampleSize::known(10))
                  .log_likelihood(2.9) ==
              near::within(by_convolution(10, 2.9, map, 0, 1,
                                          [&](double s) {
                                            return -std::abs(z - s) / scale - std::log(total);
                                          }),
                           2e-9));
        CHECK(exact(map, 4, z - 40, gaussian(scale, grid), SampleSize::known(10))
                  .log_likelihood(2.9) ==
              near::within(by_convolution(10, 2.9, map, 0, 1,
                                          [&](double s) {
                                            return -.5 * (z - s) * (z - s) / (scale * scale) -
                                                   std::log(total_gaussian);
                                          }),
                           2e-9));
      }
  // A value off the grid, and a grid that does not divide the lattice.
  CHECK_THROWS_AS(exact(map, 0, 3.5, laplace(4, 1), SampleSize::known(10)), std::domain_error);
  CHECK_FALSE(exact(map, 0, 3.0, laplace(4, .3), SampleSize::known(10)).feasible());
  // A fine grid is as good as none, up to the width of its cells.
  const double fine = 0x1.0p-20;
  CHECK(exact(map, 0, 3.1, laplace(4, fine), SampleSize::known(10)).log_likelihood(2.0) ==
        near::within(std::log(fine) +
                         exact(map, 0, 3.1, laplace(4), SampleSize::known(10)).log_likelihood(2.0),
                     1e-9));
}

TEST_CASE("Poisson likelihood: a noisy n is summed out", "[expfam]") {
  struct Case {
    RecordMap map;
    double centre, step;
  };
  for (const Case& c : {Case{RecordMap::clamp(0, 6), 3, 1}, Case{RecordMap::clamp(0, 5), 2.5, 1},
                        Case{RecordMap::redact(1, 6, 3.5), 3.5, .5}})
    for (const double rate : {.1, 2.2, 9.0})
      for (const double z : {-60.3, -2.0, 14.6, 45.0})
        for (const bool is_laplace : {true, false}) {
          double truth = -oracles::kInf;
          for (int n = 0; n <= 75; ++n)
            truth = log_sum_exp(truth,
                                log_noise(is_laplace, 1.4, 9.3 - n) +
                                    by_convolution(n, rate, c.map, c.centre, c.step, [&](double s) {
                                      return log_noise(is_laplace, 2.5, z - s);
                                    }));
          const PoissonExact found =
              exact(c.map, c.centre, z, is_laplace ? laplace(2.5) : gaussian(2.5),
                    SampleSize::noisy(9.3, is_laplace ? laplace(1.4) : gaussian(1.4)));
          INFO("rate " << rate << " z " << z << " laplace " << is_laplace << " centre "
                       << c.centre);
          REQUIRE(found.feasible());
          CHECK(found.log_likelihood(rate) == near::within(truth, 2e-8));
        }
  // A centre off the lattice of counts gives sums of different n different lattices.
  CHECK_FALSE(
      exact(RecordMap::clamp(0, 6), 1.3, 2.0, laplace(1.0), SampleSize::noisy(5.0, laplace(1.0)))
          .feasible());
}

TEST_CASE("Poisson likelihood: a release in a gap, and enormous noise", "[expfam]") {
  // One count is redacted to 0 or at least 8: every tilted law is bimodal.
  const RecordMap gap = RecordMap::redact(8, 12, 0);
  for (const double sd : {1.2, .8, .7})
    for (const double z : {3.0, 4.2, 5.0})
      CHECK(exact(gap, 0, z, gaussian(sd), SampleSize::known(1)).log_likelihood(6.0) ==
            near::within(by_convolution(1, 6.0, gap, 0, 1,
                                        [&](double s) { return log_noise(false, sd, z - s); }),
                         3e-8));
  const RecordMap map = RecordMap::clamp(0, 10);
  for (const double scale : {1e4, 1e7, 1e10})
    CHECK(exact(map, 5, 1.3, laplace(scale), SampleSize::known(4)).log_likelihood(3.0) ==
          near::within(by_convolution(4, 3.0, map, 5, 1,
                                      [&](double s) { return log_noise(true, scale, 1.3 - s); }),
                       3e-8));
}

TEST_CASE("Poisson likelihood: many records", "[expfam]") {
  // Without clamping the sum is Poisson(n rate).
  const RecordMap map = RecordMap::clamp(0, 80);
  const double n = 100000, rate = 4.0;
  for (const double z : {396000.0, 400100.0, 409000.0})
    for (const bool is_laplace : {true, false}) {
      const double scale = 30.0;
      std::vector<double> terms;
      for (double s = 385000; s <= 420000; ++s)
        terms.push_back(s * std::log(n * rate) - n * rate - std::lgamma(s + 1.0) +
                        log_noise(is_laplace, scale, z - s));
      CHECK(exact(map, 40, z - 40 * n, is_laplace ? laplace(scale) : gaussian(scale),
                  SampleSize::known(n))
                .log_likelihood(rate) == near::within(log_sum_exp(terms), 2e-7));
    }
}

TEST_CASE("Poisson likelihood: no record, too much work, refusals", "[expfam]") {
  const RecordMap map = RecordMap::clamp(0, 8);
  CHECK(exact(map, 0, 2.2, laplace(3), SampleSize::known(0)).log_likelihood(1.0) ==
        Approx(log_noise(true, 3, 2.2)).epsilon(1e-12));
  const PoissonExact large(scalar_problem(ScalarFamily::poisson, RecordMap::clamp(0, 1e6), 0, 2.0,
                                          laplace(1), SampleSize::known(5)),
                           1e6);
  CHECK_FALSE(large.feasible());
  CHECK(large.work() > 1e7);
  CHECK_THROWS_AS(large.log_likelihood(1.0), std::invalid_argument);
  CHECK_THROWS_AS(exact(map, 0, 2.0, NoiseDensity(), SampleSize::known(5)), std::invalid_argument);
  CHECK_THROWS_AS(exact(map, 0, 2.0, laplace(1), SampleSize::unknown()), std::invalid_argument);
  CHECK_THROWS_AS(PoissonExact(scalar_problem(ScalarFamily::exponential, map, 0, 2.0, laplace(1),
                                              SampleSize::known(5)),
                               1e9),
                  std::invalid_argument);
  for (const double rate : oracles::not_positive())
    CHECK_THROWS_AS(exact(map, 0, 2.0, laplace(1), SampleSize::known(5)).log_likelihood(rate),
                    std::invalid_argument);
}
