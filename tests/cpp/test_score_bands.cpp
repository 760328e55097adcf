#include <catch.h>

#include <algorithm>
#include <cmath>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/ecdf_bands.hpp>
#include <stdexcept>
#include <vector>

using noiseaware::EcdfBand;

namespace {

//! Sum of multinomial probabilities of all ways to put `left` values into the
//! intervals from k on that keep the running count inside the band.
double enumerate(const EcdfBand& band, int size, std::size_t k, int so_far, double ways) {
  const std::size_t points = band.lower.size();
  if (k == points) return so_far == size ? ways : 0.0;
  double sum = 0.0, factor = 1.0;
  for (int d = 0; so_far + d <= size; ++d) {
    if (d > 0) factor /= d;
    const int count = so_far + d;
    if (count >= band.lower[k] && count <= band.upper[k])
      sum += enumerate(band, size, k + 1, count, ways * factor);
  }
  return sum;
}

double coverage_oracle(const EcdfBand& band, int size) {
  double factorial = 1.0;
  for (int i = 2; i <= size; ++i) factorial *= i;
  const double intervals = static_cast<double>(band.lower.size());
  return factorial * std::pow(intervals, -size) * enumerate(band, size, 0, 0, 1.0);
}

bool inside(const EcdfBand& band, const std::vector<double>& u) {
  const std::size_t points = band.lower.size();
  for (std::size_t k = 0; k < points; ++k) {
    const double at = static_cast<double>(k + 1) / static_cast<double>(points);
    const auto count = std::count_if(u.begin(), u.end(), [&](double x) { return x <= at; });
    if (count < band.lower[k] || count > band.upper[k]) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("probability of staying in an ECDF band equals the enumeration") {
  for (const int size : {1, 4, 9}) {
    for (const int points : {2, 3, 6}) {
      for (const double prob : {0.3, 0.8, 0.95}) {
        const EcdfBand band = noiseaware::ecdf_band(size, points, prob);
        CHECK(noiseaware::ecdf_band_coverage(band, size) ==
              Approx(coverage_oracle(band, size)).epsilon(1e-12));
      }
    }
  }
}

TEST_CASE("ECDF bands hold what they promise and no more than one step") {
  for (const int size : {20, 300}) {
    const EcdfBand band = noiseaware::ecdf_band(size, 50, 0.95);
    CHECK(noiseaware::ecdf_band_coverage(band, size) >= 0.95);
    // The next level that changes the band is too much.
    std::vector<noiseaware::detail::BinomialTails> tails;
    for (int k = 1; k < 50; ++k) tails.emplace_back(size, k / 50.0);
    const EcdfBand wider = noiseaware::detail::band_of_level(tails, size, band.level * 1.00001);
    const bool same = wider.lower == band.lower && wider.upper == band.upper;
    CHECK((same || noiseaware::ecdf_band_coverage(wider, size) < 0.95));
    CHECK(band.level < 0.05);
    CHECK(band.level > 0.05 / 50);
  }
}

TEST_CASE("simulated uniform samples stay in their ECDF band as often as computed") {
  const int size = 100, runs = 4000;
  const EcdfBand band = noiseaware::ecdf_band(size, 25, 0.9);
  const double promised = noiseaware::ecdf_band_coverage(band, size);
  auto rng = noiseaware::make_stream(11, 0);
  std::vector<double> u(size);
  int held = 0;
  for (int run = 0; run < runs; ++run) {
    for (double& x : u) x = noiseaware::uniform01(rng);
    held += inside(band, u);
  }
  const double error = std::sqrt(promised * (1 - promised) / runs);
  CHECK(std::abs(static_cast<double>(held) / runs - promised) < 4.5 * error);
}

TEST_CASE("ECDF bands refuse what makes no sense") {
  CHECK_THROWS_AS(noiseaware::ecdf_band(0, 10, 0.9), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::ecdf_band(10, 1, 0.9), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::ecdf_band(10, 10, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::ecdf_band(10, 10, NAN), std::invalid_argument);
}
