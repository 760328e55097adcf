#include <catch.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/rng/xoshiro256pp.hpp>
#include <stdexcept>
#include <vector>

using noiseaware::make_stream;
using noiseaware::make_streams;
using noiseaware::Xoshiro256pp;

namespace {

using State = Xoshiro256pp::State;
using Matrix = std::vector<State>;  // Image of each of the 256 unit states over GF(2).

State image(const Matrix& m, const State& x) {
  State out{};
  for (std::size_t bit = 0; bit < 256; ++bit)
    if ((x[bit / 64] >> (bit % 64)) & 1)
      for (std::size_t i = 0; i < 4; ++i) out[i] ^= m[bit][i];
  return out;
}

//! The linear map of one step, read off the engine itself.
Matrix one_step() {
  Matrix m;
  for (std::size_t bit = 0; bit < 256; ++bit) {
    State unit{};
    unit[bit / 64] = std::uint64_t{1} << (bit % 64);
    Xoshiro256pp rng(unit);
    rng();
    m.push_back(rng.state());
  }
  return m;
}

}  // namespace

TEST_CASE("xoshiro256++ gives the published stream") {
  // Reference program of Blackman and Vigna, state {1, 2, 3, 4}; the same ten
  // numbers are the test vector of the Rust crate rand_xoshiro.
  const std::vector<std::uint64_t> published{41943041ULL,
                                             58720359ULL,
                                             3588806011781223ULL,
                                             3591011842654386ULL,
                                             9228616714210784205ULL,
                                             9973669472204895162ULL,
                                             14011001112246962877ULL,
                                             12406186145184390807ULL,
                                             15849039046786891736ULL,
                                             10450023813501588000ULL};
  Xoshiro256pp rng(State{1, 2, 3, 4});
  for (const std::uint64_t expected : published) CHECK(rng() == expected);
}

TEST_CASE("a seed is expanded by SplitMix64") {
  // Published SplitMix64 outputs for seed 1234567.
  const State expected{6457827717110365317ULL, 3203168211198807973ULL, 9817491932198370423ULL,
                       4593380528125082431ULL};
  CHECK(Xoshiro256pp(1234567).state() == expected);
  CHECK(Xoshiro256pp(1) != Xoshiro256pp(2));
  CHECK(Xoshiro256pp(0).state() != State{});
}

TEST_CASE("the all-zero state is refused") {
  CHECK_THROWS_AS(Xoshiro256pp(State{}), std::invalid_argument);
  CHECK_NOTHROW(Xoshiro256pp(State{0, 0, 0, 1}));
}

TEST_CASE("one jump is 2^128 steps") {
  // The step is linear over GF(2): squaring its matrix 128 times gives the jump.
  Matrix power = one_step();
  for (int k = 0; k < 128; ++k) {
    Matrix square;
    for (const State& column : power) square.push_back(image(power, column));
    power = square;
  }
  Xoshiro256pp rng(20191);
  const State start = rng.state();
  rng.jump();
  CHECK(rng.state() == image(power, start));
}

TEST_CASE("stream c is c jumps from the seed") {
  Xoshiro256pp expected(99);
  const auto streams = make_streams(99, 5);
  REQUIRE(streams.size() == 5);
  for (int chain = 0; chain < 5; ++chain) {
    CHECK(make_stream(99, chain) == expected);
    CHECK(streams[static_cast<std::size_t>(chain)] == expected);
    expected.jump();
  }
  CHECK(make_streams(99, 0).empty());
}

TEST_CASE("negative chain numbers are refused") {
  CHECK_THROWS_AS(make_stream(1, -1), std::invalid_argument);
  CHECK_THROWS_AS(make_streams(1, -1), std::invalid_argument);
}

TEST_CASE("the engine spans all 64-bit words") {
  CHECK(Xoshiro256pp::min() == 0);
  CHECK(Xoshiro256pp::max() == 0xffffffffffffffffULL);
  Xoshiro256pp rng(3);
  std::uint64_t any = 0, all = ~std::uint64_t{0};
  for (int i = 0; i < 200; ++i) {
    const std::uint64_t word = rng();
    any |= word;
    all &= word;
  }
  CHECK(any == Xoshiro256pp::max());
  CHECK(all == 0);
}
