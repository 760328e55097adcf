#include <catch.h>

#include <cmath>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/draw_records.hpp>
#include <noiseaware/score/trial_stream.hpp>
#include <set>
#include <stdexcept>
#include <vector>

namespace {

constexpr std::size_t kSize = 40000;

//! Sample mean and variance are within 4.5 standard errors; `kurtosis` is the
//! fourth central moment over the squared variance.
void check_moments(const std::vector<double>& x, double mean, double variance, double kurtosis) {
  const double size = static_cast<double>(x.size());
  double sum = 0.0, square = 0.0;
  for (const double v : x) sum += v;
  const double found = sum / size;
  for (const double v : x) square += (v - found) * (v - found);
  CHECK(std::abs(found - mean) < 4.5 * std::sqrt(variance / size));
  CHECK(std::abs(square / size - variance) < 4.5 * variance * std::sqrt((kurtosis - 1.0) / size));
}

}  // namespace

TEST_CASE("simulated records have the moments of their model") {
  auto rng = noiseaware::make_stream(21, 0);
  check_moments(noiseaware::draw_exponentials(rng, 4.0, kSize), 0.25, 0.0625, 9.0);
  check_moments(noiseaware::draw_poissons(rng, 3.5, kSize), 3.5, 3.5, 3.0 + 1 / 3.5);
  check_moments(noiseaware::draw_normals(rng, -2.0, 3.0, kSize), -2.0, 9.0, 3.0);
  check_moments(noiseaware::draw_gammas(rng, 8.0, 2.0, kSize), 4.0, 2.0, 3.0 + 6.0 / 8.0);
  const auto codes = noiseaware::draw_codes(rng, {1.0, 0.0, 3.0}, kSize);
  check_moments(codes, 1.5, 0.75, (0.25 * std::pow(1.5, 4) + 0.75 * std::pow(0.5, 4)) / 0.5625);
  const std::set<double> found(codes.begin(), codes.end()), possible{0.0, 2.0};
  CHECK(found == possible);
}

TEST_CASE("normal-inverse-gamma draws have the moments of the prior") {
  auto rng = noiseaware::make_stream(22, 0);
  std::vector<double> precision, standard;
  for (std::size_t i = 0; i < kSize; ++i) {
    const auto drawn = noiseaware::draw_normal_inverse_gamma(rng, 1.5, 4.0, 6.0, 3.0);
    precision.push_back(1.0 / (drawn.sd * drawn.sd));
    standard.push_back((drawn.mean - 1.5) * 2.0 / drawn.sd);
  }
  check_moments(precision, 2.0, 6.0 / 9.0, 3.0 + 6.0 / 6.0);
  check_moments(standard, 0.0, 1.0, 3.0);
}

TEST_CASE("simulated records refuse parameters that are not") {
  auto rng = noiseaware::make_stream(23, 0);
  CHECK_THROWS_AS(noiseaware::draw_exponentials(rng, 0.0, 5), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::draw_poissons(rng, NAN, 5), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::draw_normals(rng, 0.0, -1.0, 5), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::draw_codes(rng, {0.0, 0.0}, 5), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::draw_normal_inverse_gamma(rng, 0.0, 0.0, 1.0, 1.0),
                  std::invalid_argument);
}

TEST_CASE("every trial of every cell has a stream of its own") {
  std::set<double> seeds;
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (std::uint64_t cell = 0; cell < 30; ++cell)
      for (std::uint64_t trial = 0; trial < 30; ++trial) {
        auto stream = noiseaware::trial_stream(seed, cell, trial);
        seeds.insert(noiseaware::next_seed(stream));
      }
  CHECK(seeds.size() == 9000);
  auto first = noiseaware::trial_stream(3, 1, 4), again = noiseaware::trial_stream(3, 1, 4);
  CHECK(first == again);
  CHECK(noiseaware::next_seed(first) < 0x1.0p53);
}
