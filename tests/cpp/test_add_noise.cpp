#include <catch.h>

#include <cstdint>
#include <noiseaware/noise/add_noise.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/wide/wipe.hpp>
#include <stdexcept>
#include <vector>

#include "catch_int128.hpp"

using noiseaware::ChaCha20Stream;
using noiseaware::i128;
using noiseaware::NoiseKind;
using noiseaware::simulation_key;

namespace {

const noiseaware::SecretSums sums = {5, -7, i128(1) << 100};
const std::vector<std::uint64_t> scales = {1, 1000, std::uint64_t{1} << 50};

// The same stream, read by the samplers one by one.
template <class Draw>
void check_noise(NoiseKind kind, Draw draw) {
  ChaCha20Stream one(simulation_key(3)), other(simulation_key(3));
  const std::vector<i128> noisy = noiseaware::add_noise(one, kind, scales, sums);
  REQUIRE(noisy.size() == sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) CHECK(noisy[i] - sums[i] == draw(other, scales[i]));
}

}  // namespace

TEST_CASE("every sum gets noise of its own scale and kind") {
  check_noise(NoiseKind::laplace,
              [](auto& s, std::uint64_t scale) { return noiseaware::discrete_laplace(s, scale); });
  check_noise(NoiseKind::gaussian,
              [](auto& s, std::uint64_t scale) { return noiseaware::discrete_gaussian(s, scale); });
}

TEST_CASE("a sum without a noise scale is never published") {
  ChaCha20Stream source(simulation_key(3));
  CHECK_THROWS_AS(noiseaware::add_noise(source, NoiseKind::laplace, {1, 2}, sums),
                  std::invalid_argument);
}
