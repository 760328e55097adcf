#include <catch.h>

#include <cmath>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>
#include <vector>

#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using near::relative;
using near::within;

TEST_CASE("gamma posterior of complete records", "[expfam]") {
  ScalarProblem problem;
  problem.prior = {2.0, 3.0};
  problem.map = RecordMap::clamp(0, 5);
  problem.size = SampleSize::known(10);
  CHECK_NOTHROW(problem.check());
  const GammaPrior waiting = problem.update(10, 4.5);
  CHECK(waiting.shape == 12.0);
  CHECK(waiting.rate == 7.5);
  CHECK(waiting.variance() == relative(12.0 / 56.25, 1e-15));
  problem.family = ScalarFamily::poisson;
  const GammaPrior counts = problem.update(10, 4.5);
  CHECK(counts.shape == 6.5);
  CHECK(counts.rate == 13.0);
  CHECK(counts.mean() == .5);
  problem.size = SampleSize::unknown();
  CHECK_THROWS_AS(problem.check(), std::invalid_argument);
  problem.size = SampleSize::known(10);
  problem.prior.rate = 0.0;
  CHECK_THROWS_AS(problem.check(), std::invalid_argument);
}

TEST_CASE("normal-inverse-gamma posterior of complete records", "[expfam]") {
  const NigPrior prior{1.0, 2.0, 3.0, 4.0};
  // Records 10, 11, 15: mean 12, sum of squares about it 14.
  const NigPrior posterior = prior.update(3, {{36.0, 446.0}});
  CHECK(posterior.mean == relative(38.0 / 5.0, 1e-14));
  CHECK(posterior.precision == 5.0);
  CHECK(posterior.shape == 4.5);
  CHECK(posterior.rate == relative(4.0 + 7.0 + .5 * 6.0 / 5.0 * 121.0, 1e-14));
  const NigPrior shifted = prior.update(3, {{6.0, 26.0}}, 10.0);
  CHECK(shifted.mean == relative(posterior.mean, 1e-14));
  CHECK(shifted.rate == relative(posterior.rate, 1e-14));

  Xoshiro256pp rng(9);
  const NigPrior law{1.0, 2.0, 6.0, 4.0};
  std::vector<double> means, sds;
  for (int i = 0; i < 50000; ++i) {
    const NigPrior::Draw draw = law.draw(rng);
    means.push_back(draw.mean);
    sds.push_back(std::sqrt(draw.variance));
  }
  CHECK(law.mean_variance() == relative(.4, 1e-14));
  CHECK(oracles::Moments(means).z_variance(law.mean_variance()) < oracles::kMaxZ);
  CHECK(oracles::Moments(sds).z_variance(law.sd_variance()) < oracles::kMaxZ);
  // Gamma(5.5) / Gamma(6) = 945 sqrt(pi) / 32 / 120.
  const double mean_sd = 2.0 * 945.0 * std::sqrt(std::acos(-1.0)) / 32.0 / 120.0;
  CHECK(law.sd_variance() == relative(.8 - mean_sd * mean_sd, 1e-11));
  const NigPrior below{0, 1, 1e7, 1e7}, above{0, 1, 1.0001e7, 1.0001e7};
  CHECK(below.sd_variance() == relative(above.sd_variance() * 1.0001, 1e-6));
  CHECK(std::isinf(NigPrior{0, 1, 1, 1}.sd_variance()));
}

TEST_CASE("normal problems are solved in units of the bounds", "[expfam]") {
  NormalProblem problem;
  problem.prior = {12.0, 2.0, 3.0, 4.0};
  problem.map = RecordMap::redact(6, 14, 10);
  problem.centre = 10.0;
  problem.value = {{8.0, 64.0}};
  problem.noise = {{NoiseDensity(NoiseLaw::laplace, 2.0, .25), NoiseDensity()}};
  problem.size = SampleSize::known(5);
  const NormalProblem unit = problem.scaled();
  CHECK(unit.prior.mean == .5);
  CHECK(unit.prior.precision == 2.0);
  CHECK(unit.prior.rate == .25);
  CHECK(unit.map.lower == -1.0);
  CHECK(unit.map.upper == 1.0);
  CHECK(unit.map.below == 0.0);
  CHECK(unit.value[0] == 2.0);
  CHECK(unit.value[1] == 4.0);
  CHECK(unit.noise[0].scale() == .5);
  CHECK(unit.noise[0].grid() == 0.0);
  CHECK(unit.noise[1].exact());
  CHECK_NOTHROW(problem.check());
  problem.released = {{false, false}};
  CHECK_THROWS_AS(problem.check(), std::invalid_argument);
}
