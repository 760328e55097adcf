#include <catch.h>

#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/exponential_exact.hpp>
#include <vector>

#include "near.hpp"
#include "oracles.hpp"
#include "sum_oracles.hpp"

using namespace noiseaware;
using namespace sum_oracles;

namespace {

double log_p(RecordMap map, double centre, double z, NoiseDensity noise, SampleSize size,
             double rate) {
  return ExponentialExact(scalar_problem(ScalarFamily::exponential, map, centre, z, noise, size))
      .log_likelihood(rate);
}

const RecordMap clamped = RecordMap::clamp(.05, 1.2);
const RecordMap redacted = RecordMap::redact(.05, 1.2, 0.0);

}  // namespace

TEST_CASE("exponential likelihood: published vectors", "[expfam]") {
  struct Case {
    RecordMap map;
    double z, n, scale, log_p;
  };
  for (const Case& c :
       {Case{redacted, -3, 10, 2.4, -3.95897482}, Case{redacted, 2.5, 10, 2.4, -1.84517544},
        Case{redacted, 15, 10, 2.4, -6.55339614}, Case{clamped, -3, 10, 2.4, -4.11283738},
        Case{clamped, 2.5, 10, 2.4, -1.92306929}, Case{clamped, 15, 10, 2.4, -6.37300549},
        Case{redacted, 300, 1000, 12, -4.04984502}, Case{clamped, 300, 1000, 12, -5.19907261}}) {
    CHECK(log_p(c.map, 0.0, c.z, laplace(c.scale), SampleSize::known(c.n), 3.0) ==
          near::within(c.log_p, 6e-9));
    // The same sum about another centre.
    CHECK(log_p(c.map, .6, c.z - .6 * c.n, laplace(c.scale), SampleSize::known(c.n), 3.0) ==
          near::within(c.log_p, 6e-9));
  }
}

TEST_CASE("exponential likelihood: brute force for few records", "[expfam]") {
  const double centre = .625;
  for (const RecordMap& map : {clamped, redacted, RecordMap::redact(.05, 1.2, centre)})
    for (const int n : {1, 3, 5})
      for (const double rate : {.02, .6, 3.0, 25.0})
        for (const double share : {-.2, .1, .8, 1.3}) {
          const double z = n * (map.lower - centre + share * (map.upper - map.lower));
          for (const bool is_laplace : {true, false})
            for (const double scale : {.3, 5.0}) {
              const double truth = exponential_density(n, rate, map, centre, z, is_laplace, scale);
              const double found =
                  log_p(map, centre, z, is_laplace ? laplace(scale) : gaussian(scale),
                        SampleSize::known(n), rate);
              INFO("n " << n << " rate " << rate << " z " << z << " laplace " << is_laplace
                        << " scale " << scale << " below " << map.below);
              CHECK(found == near::within(std::log(truth), 3e-8));
            }
        }
}

TEST_CASE("exponential likelihood: gamma sums, deep into the tails", "[expfam]") {
  // No record reaches 60, so the sum has a gamma distribution.
  const RecordMap map = RecordMap::clamp(0.0, 60.0);
  const double rate = 3.0;
  struct Case {
    double n, z, scale;
  };
  for (const Case& c : {Case{30, 4, 1}, Case{30, 10, 1}, Case{30, 40, .5}, Case{30, 90, 9},
                        Case{1000, 200, 2}, Case{1000, 335, 2}, Case{1000, 520, 2}})
    for (const bool is_laplace : {true, false}) {
      const auto log_term = [&](double s) {
        return c.n * std::log(rate) + (c.n - 1.0) * std::log(s) - rate * s - std::lgamma(c.n) +
               log_noise(is_laplace, c.scale, c.z - s);
      };
      double best = -oracles::kInf;
      for (double s = .5; s < 800.0; s += .5) best = std::max(best, log_term(s));
      const auto term = [&](double s) { return s > 0.0 ? std::exp(log_term(s) - best) : 0.0; };
      const double truth =
          best + std::log(simpson(term, 0.0, c.z, 40000) + simpson(term, c.z, 900.0, 80000));
      const double found = log_p(map, 0.0, c.z, is_laplace ? laplace(c.scale) : gaussian(c.scale),
                                 SampleSize::known(c.n), rate);
      INFO("n " << c.n << " z " << c.z << " laplace " << is_laplace);
      CHECK(found == near::within(truth, 5e-8));
    }
}

TEST_CASE("exponential likelihood: Laplace noise beyond the range of the sum", "[expfam]") {
  // log p = -log(2 b) -+ z / b + n log E exp(+-x~ / b), by quadrature of one record.
  const double rate = 2.0, scale = 1.5, n = 12;
  for (const RecordMap& map : {clamped, redacted})
    for (const double side : {1.0, -1.0}) {
      const double inside = simpson(
          [&](double x) { return rate * std::exp(-rate * x + side * x / scale); }, .05, 1.2, 1000);
      const double moment = inside +
                            (1.0 - std::exp(-rate * .05)) * std::exp(side * map.below / scale) +
                            std::exp(-rate * 1.2) * std::exp(side * map.above / scale);
      const double z = side > 0.0 ? 12 * 1.2 + 2.0 : -3.0;
      CHECK(log_p(map, 0.0, z, laplace(scale), SampleSize::known(n), rate) ==
            near::within(-std::log(2.0 * scale) - side * z / scale + n * std::log(moment), 1e-11));
      // Nothing happens at the end of the range.
      const double end = side > 0.0 ? n * 1.2 : n * map.below;
      const double before =
          log_p(map, 0.0, end - side * 1e-9, laplace(scale), SampleSize::known(n), rate);
      const double after =
          log_p(map, 0.0, end + side * 1e-9, laplace(scale), SampleSize::known(n), rate);
      CHECK(before == near::within(after, 3e-8));
    }
}

TEST_CASE("exponential likelihood: a noisy n is summed out", "[expfam]") {
  const double centre = .625;
  // Few records, by brute force over n = 0..9.
  for (const double z : {-2.1, -.4, 1.7})
    for (const bool is_laplace : {true, false}) {
      double truth = 0.0;
      for (int n = 0; n <= 9; ++n)
        truth += std::exp(log_noise(true, .15, 2.3 - n)) *
                 exponential_density(n, 1.5, clamped, centre, z, is_laplace, .8);
      CHECK(log_p(clamped, centre, z, is_laplace ? laplace(.8) : gaussian(.8),
                  SampleSize::noisy(2.3, laplace(.15)),
                  1.5) == near::within(std::log(truth), 3e-8));
    }
  // Many, as a mixture of likelihoods with n known.
  for (const RecordMap& map : {clamped, RecordMap::redact(.05, 1.2, centre)})
    for (const double rate : {.01, .9, 3.0, 40.0})
      for (const double z : {-120.0, -20.0, 35.0})
        for (const bool is_laplace : {true, false}) {
          const NoiseDensity noise = is_laplace ? laplace(4.0) : gaussian(4.0);
          double truth = -oracles::kInf;
          for (int n = 0; n <= 170; ++n)
            truth =
                log_sum_exp(truth, log_noise(is_laplace, 2.0, 60.4 - n) +
                                       log_p(map, centre, z, noise, SampleSize::known(n), rate));
          INFO("rate " << rate << " z " << z << " laplace " << is_laplace);
          CHECK(log_p(map, centre, z, noise,
                      SampleSize::noisy(60.4, is_laplace ? laplace(2.0) : gaussian(2.0)),
                      rate) == near::within(truth, 1e-7));
        }
}

TEST_CASE("exponential likelihood: a very noisy n", "[expfam]") {
  // Sizes from 0 to hundreds matter at once; integer noise has the same weights.
  const double centre = .625;
  for (const NoiseDensity& size_noise : {laplace(9.0), laplace(9.0, 1.0), gaussian(30.0)})
    for (const double z : {-31.0, -2.0, 12.0}) {
      double truth = -oracles::kInf;
      const SampleSize size = SampleSize::noisy(41.0, size_noise);
      for (int n = 0; n <= 460; ++n)
        truth = log_sum_exp(truth, size.log_density(n) + log_p(clamped, centre, z, laplace(6.0),
                                                               SampleSize::known(n), 2.5));
      CHECK(log_p(clamped, centre, z, laplace(6.0), size, 2.5) == near::within(truth, 3e-8));
    }
  // A grid of two records excludes every other size.
  const SampleSize even = SampleSize::noisy(6.0, laplace(1.0, 2.0));
  double truth = -oracles::kInf;
  for (int n = 0; n <= 60; n += 2)
    truth = log_sum_exp(truth, even.log_density(n) + log_p(clamped, centre, 1.0, laplace(3.0),
                                                           SampleSize::known(n), 2.5));
  CHECK(log_p(clamped, centre, 1.0, laplace(3.0), even, 2.5) == near::within(truth, 3e-8));
  // A negative released n.
  const SampleSize negative = SampleSize::noisy(-7.3, laplace(2.0));
  truth = -oracles::kInf;
  for (int n = 0; n <= 100; ++n)
    truth = log_sum_exp(truth, negative.log_density(n) + log_p(clamped, centre, 1.0, laplace(3.0),
                                                               SampleSize::known(n), 2.5));
  CHECK(log_p(clamped, centre, 1.0, laplace(3.0), negative, 2.5) == near::within(truth, 3e-8));
  CHECK_THROWS_AS(size_windows(SampleSize::noisy(5.0, laplace(1e14))), std::invalid_argument);
}

TEST_CASE("exponential likelihood: a release in a gap, and enormous noise", "[expfam]") {
  // One record is redacted to 0 or at least 2: every tilted law is bimodal.
  const RecordMap gap = RecordMap::redact(2.0, 3.0, 0.0);
  for (const double sd : {.3, .2, .17})
    for (const double z : {.8, 1.0, 1.3})
      CHECK(log_p(gap, 0.0, z, gaussian(sd), SampleSize::known(1), 1.0) ==
            near::within(std::log(exponential_density(1, 1.0, gap, 0.0, z, false, sd)), 3e-8));
  for (const double scale : {1e3, 1e6, 1e10, 1e14})
    CHECK(
        log_p(clamped, .625, .3, laplace(scale), SampleSize::known(4), 1.0) ==
        near::within(std::log(exponential_density(4, 1.0, clamped, .625, .3, true, scale)), 3e-8));
}

TEST_CASE("exponential likelihood: no record, extreme rates, refusals", "[expfam]") {
  CHECK(log_p(clamped, 0.0, 2.0, laplace(3.0), SampleSize::known(0), 1.0) ==
        Approx(log_noise(true, 3.0, 2.0)).epsilon(1e-13));
  CHECK(log_p(clamped, 0.0, 2.0, gaussian(3.0), SampleSize::known(0), 1.0) ==
        Approx(log_noise(false, 3.0, 2.0)).epsilon(1e-13));
  // Every record is clamped to the same end.
  for (const double n : {3.0, 50.0, 20000.0})
    for (const NoiseDensity& noise : {laplace(3.0), gaussian(3.0)}) {
      const bool is_laplace = noise.law() == NoiseLaw::laplace;
      CHECK(log_p(clamped, 0.0, 1.2 * n - 2.0, noise, SampleSize::known(n), 1e-200) ==
            near::within(log_noise(is_laplace, 3.0, 2.0), 1e-8));
      CHECK(log_p(clamped, 0.0, .05 * n + 2.0, noise, SampleSize::known(n), 1e6) ==
            near::within(log_noise(is_laplace, 3.0, 2.0), 1e-8));
    }
  const auto build = [](NoiseDensity noise, SampleSize size) {
    ExponentialExact(scalar_problem(ScalarFamily::exponential, clamped, 0.0, 2.0, noise, size));
  };
  CHECK_THROWS_AS(build(NoiseDensity(), SampleSize::known(3)), std::invalid_argument);
  CHECK_THROWS_AS(build(laplace(1.0), SampleSize::unknown()), std::invalid_argument);
  CHECK_THROWS_AS(ExponentialExact(scalar_problem(ScalarFamily::poisson, clamped, 0.0, 2.0,
                                                  laplace(1.0), SampleSize::known(3))),
                  std::invalid_argument);
  for (const double rate : oracles::not_positive())
    CHECK_THROWS_AS(log_p(clamped, 0.0, 1.0, laplace(1.0), SampleSize::known(2), rate),
                    std::invalid_argument);
}
