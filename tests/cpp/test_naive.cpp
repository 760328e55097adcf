#include <catch.h>

#include <cstddef>
#include <noiseaware/infer/expfam/naive.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

#include "near.hpp"

using namespace noiseaware;

namespace {

double squared_distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

}  // namespace

TEST_CASE("the projection is the nearest point of the simplex", "[naive]") {
  auto rng = make_stream(1, 0);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<double> values(5);
    for (double& value : values) value = 3.0 + 6.0 * normal01(rng);
    const std::vector<double> nearest = project_simplex(values, 12.0);
    double sum = 0.0;
    for (double x : nearest) {
      CHECK(x >= 0.0);
      sum += x;
    }
    CHECK(sum == near::within(12.0, 1e-12));
    for (int other = 0; other < 200; ++other) {
      std::vector<double> point = dirichlet(rng, std::vector<double>(5, 0.5));
      for (double& x : point) x *= 12.0;
      CHECK(squared_distance(point, values) >= squared_distance(nearest, values) - 1e-9);
    }
  }
  CHECK(project_simplex({2.0, 3.0}, 5.0) == std::vector<double>({2.0, 3.0}));
  CHECK(project_simplex({-2.0, -3.0}, 0.0) == std::vector<double>({0.0, 0.0}));
}

TEST_CASE("counts at face value add up, and suppressed ones are 0", "[naive]") {
  CategoricalProblem problem;
  problem.concentration = {1.0, 1.0, 1.0};
  problem.counts = {{4.0, NoiseDensity(NoiseLaw::laplace, 2.0), 0.0},
                    {-1.0, NoiseDensity(NoiseLaw::laplace, 2.0), 0.0},
                    {10.0, NoiseDensity(NoiseLaw::laplace, 2.0), 0.0, true}};
  problem.released = {true, true, true};
  problem.size = SampleSize::known(8.0);
  CHECK(naive_counts(problem) == std::vector<double>({6.5, 1.5, 0.0}));
  problem.released[2] = false;
  CHECK(naive_counts(problem) == std::vector<double>({4.0, 0.0, 4.0}));
  problem.size = SampleSize::known(3.0);
  CHECK(naive_counts(problem) == std::vector<double>({3.0, 0.0, 0.0}));
  problem.released = {true, true, true};
  problem.counts[2] = {6.0, NoiseDensity(NoiseLaw::laplace, 2.0), 0.0};
  problem.size = SampleSize::unknown();
  CHECK(naive_counts(problem) == std::vector<double>({4.0, 0.0, 6.0}));
}

TEST_CASE("sums at face value are moved to the nearest possible ones", "[naive]") {
  NormalProblem normal;
  normal.map = RecordMap::clamp(-2.0, 2.0);
  normal.value = {{25.0, 1.0}};
  normal.size = SampleSize::known(10.0);
  CHECK(naive_sums(normal)[0] == 20.0);
  CHECK(naive_sums(normal)[1] == near::within(40.0 + 4e-6, 1e-12));
  ScalarProblem rate;
  rate.map = RecordMap::clamp(0.0, 2.0);
  rate.centre = 1.0;
  rate.value = -30.0;
  rate.size = SampleSize::known(10.0);
  CHECK(naive_sum(rate) == near::within(0.02 - 10.0, 1e-12));
  rate.family = ScalarFamily::poisson;
  CHECK(naive_sum(rate) == -10.0);
}
