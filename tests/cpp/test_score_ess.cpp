#include <catch.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/effective_size.hpp>
#include <vector>

using noiseaware::effective_size;

namespace {

// Park and Miller's generator: a few lines in any language, exact in doubles.
std::vector<double> uniforms(std::size_t size, double seed) {
  std::vector<double> out(size);
  for (double& u : out) {
    seed = std::fmod(seed * 16807.0, 2147483647.0);
    u = seed / 2147483647.0;
  }
  return out;
}

std::vector<double> autoregression(std::size_t size, double coefficient, double seed) {
  std::vector<double> x = uniforms(size, seed);
  for (std::size_t i = 1; i < size; ++i) x[i] = coefficient * x[i - 1] + x[i] - 0.5;
  return x;
}

}  // namespace

// Expected values: posterior 1.4.0, ess_basic() of the same series, made in R with
//   u: s <- (s * 16807) %% 2147483647; s / 2147483647
//   x[1] <- u[1]; x[i] <- phi * x[i - 1] + u[i] - 0.5
TEST_CASE("effective size agrees with the R package posterior", "[score]") {
  CHECK(effective_size(autoregression(1000, .9, 1)) == Approx(59.074607657076).epsilon(1e-10));
  CHECK(effective_size(autoregression(1001, .5, 2)) == Approx(320.088333641312).epsilon(1e-10));
  CHECK(effective_size(autoregression(500, -.5, 3)) == Approx(1227.310795297126).epsilon(1e-10));
  CHECK(effective_size(autoregression(12, .3, 7)) == Approx(12.950174952571).epsilon(1e-10));
  CHECK(effective_size(autoregression(200, -.95, 8)) == Approx(460.205999132796).epsilon(1e-10));
  CHECK(effective_size(autoregression(10, -.9, 11)) == Approx(5.0).epsilon(1e-10));
  CHECK(effective_size(uniforms(64, 9)) == Approx(40.761556155864).epsilon(1e-10));
  std::vector<double> walk = uniforms(300, 10);
  for (std::size_t i = 0; i < walk.size(); ++i) walk[i] += (i > 0 ? walk[i - 1] : 0.0) - 0.5;
  CHECK(effective_size(walk) == Approx(2.858097516614).epsilon(1e-10));
}

TEST_CASE("effective size of several chains", "[score]") {
  std::vector<double> draws;
  for (int c = 0; c < 3; ++c) {
    std::vector<double> chain = autoregression(400, .8, 4 + c);
    if (c == 1)
      for (double& x : chain) x += 0.3;
    draws.insert(draws.end(), chain.begin(), chain.end());
  }
  CHECK(effective_size(draws.data(), 400, 3) == Approx(119.854759052025).epsilon(1e-10));
}

TEST_CASE("effective size of an autoregression approaches theory", "[score]") {
  auto rng = noiseaware::make_stream(5, 0);
  std::vector<double> x(200000);
  x[0] = 0.0;
  for (std::size_t i = 1; i < x.size(); ++i) x[i] = .6 * x[i - 1] + noiseaware::normal01(rng);
  CHECK(effective_size(x) == Approx(200000.0 * (1.0 - .6) / (1.0 + .6)).epsilon(.05));
}

TEST_CASE("effective size is undefined for constant, short or infinite chains", "[score]") {
  CHECK(std::isnan(effective_size(std::vector<double>(100, 3.0))));
  CHECK(std::isnan(effective_size({1.0, 2.0, 3.0, 4.0, 5.0})));
  std::vector<double> x = uniforms(100, 1);
  x[50] = std::numeric_limits<double>::infinity();
  CHECK(std::isnan(effective_size(x)));
  x[50] = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(effective_size(x)));
  CHECK(std::isnan(effective_size(x.data(), 0, 0)));
}
