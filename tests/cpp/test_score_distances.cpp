#include <catch.h>

#include <algorithm>
#include <cmath>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/ks.hpp>
#include <noiseaware/score/mmd.hpp>
#include <noiseaware/score/wasserstein.hpp>
#include <stdexcept>
#include <vector>

#include "near.hpp"

using noiseaware::PointSample;

namespace {

const auto no_check = [] {};

PointSample normals(std::size_t size, std::size_t dimension, double mean, double sd,
                    std::uint64_t seed) {
  auto rng = noiseaware::make_stream(seed, 0);
  PointSample out{std::vector<double>(size * dimension), dimension};
  for (double& x : out.values) x = mean + sd * noiseaware::normal01(rng);
  return out;
}

//! The definition: h(z_i, z_j) over i != j for samples of one size, three sums
//! otherwise.
double mmd2_oracle(const PointSample& x, const PointSample& y) {
  const auto kernel = [&](const PointSample& a, std::size_t i, const PointSample& b,
                          std::size_t j) {
    long double square = 0;
    for (std::size_t k = 0; k < a.dimension; ++k) {
      const long double d = static_cast<long double>(a.point(i)[k]) - b.point(j)[k];
      square += d * d;
    }
    return std::exp(-square / 2);
  };
  const std::size_t m = x.size(), n = y.size();
  long double xx = 0, yy = 0, xy = 0, paired = 0;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < m; ++j) xx += i == j ? 0 : kernel(x, i, x, j);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) yy += i == j ? 0 : kernel(y, i, y, j);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      xy += kernel(x, i, y, j);
      if (i == j) paired += kernel(x, i, y, j);
    }
  const long double mm = m * (m - 1.0L), nn = n * (n - 1.0L);
  if (m == n) return static_cast<double>((xx + yy - 2 * (xy - paired)) / mm);
  return static_cast<double>(xx / mm + yy / nn - 2 * xy / (static_cast<long double>(m) * n));
}

double share_at_most(const std::vector<double>& x, double t) {
  return static_cast<double>(std::count_if(x.begin(), x.end(), [&](double v) { return v <= t; })) /
         static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("squared discrepancy of a small example") {
  const PointSample p{{.1, .4, .35, .8}, 1}, q{{.2, .9, .5, .55}, 1};
  CHECK(noiseaware::mmd2_features(p, q) == near::within(-0.009444429759, 5e-13));
  CHECK(noiseaware::mmd2_pairs(p, q, no_check) == near::within(-0.009444429759, 5e-13));
}

TEST_CASE("features and pairs give the squared discrepancy of the definition") {
  for (const double spread : {1e-8, 0.05, 1.0, 6.0}) {
    for (const std::size_t other : {300u, 217u}) {
      const auto x = normals(300, 1, 5.0, spread, 1),
                 y = normals(other, 1, 5.0 + spread, spread, 2);
      const double truth = mmd2_oracle(x, y);
      CHECK(noiseaware::mmd2_features(x, y) == near::within(truth, 1e-13));
      CHECK(noiseaware::mmd2_pairs(x, y, no_check) == near::within(truth, 1e-13));
    }
  }
}

TEST_CASE("discrepancies in several dimensions and over wide ranges use pairs") {
  const auto x = normals(260, 3, 0.0, 1.0, 3), y = normals(140, 3, 0.3, 1.2, 4);
  CHECK(noiseaware::mmd2(x, y, no_check) == near::within(mmd2_oracle(x, y), 1e-13));
  const auto far = normals(150, 1, 1e6, 1.0, 5), near = normals(150, 1, -1e6, 1.0, 6);
  CHECK(noiseaware::mmd2(far, near, no_check) == near::within(mmd2_oracle(far, near), 1e-13));
}

TEST_CASE("a long discrepancy can be given up") {
  const auto x = normals(300, 2, 0.0, 1.0, 7);
  int calls = 0;
  const auto give_up = [&] {
    if (++calls == 3) throw std::runtime_error("stop");
  };
  CHECK_THROWS_AS(noiseaware::mmd2(x, x, give_up), std::runtime_error);
}

TEST_CASE("discrepancies refuse what is not two samples") {
  const PointSample one{{1.0}, 1}, two{{1.0, 2.0}, 1}, plane{{1, 2, 3, 4}, 2};
  CHECK_THROWS_AS(noiseaware::mmd2(one, two, no_check), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::mmd2(two, plane, no_check), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::mmd2(two, PointSample{{1.0, NAN}, 1}, no_check),
                  std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::mmd2_features(two, PointSample{{1.0, 100.0}, 1}),
                  std::invalid_argument);
}

TEST_CASE("distance from the uniform distribution") {
  // By hand: F jumps to 1/4, 1/2, 3/4, 1 at .1, .4, .5, .6; farthest at .6: 1 - .6.
  CHECK(noiseaware::ks_uniform({.5, .1, .6, .4}) == Approx(0.4).epsilon(1e-15));
  CHECK(noiseaware::ks_uniform({.5}) == Approx(0.5));
  CHECK(noiseaware::ks_uniform({.7, .7, .7}) == Approx(0.7));
  CHECK_THROWS_AS(noiseaware::ks_uniform({}), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::ks_uniform({.5, NAN}), std::invalid_argument);
}

TEST_CASE("distances of two samples follow their distribution functions") {
  auto rng = noiseaware::make_stream(8, 0);
  for (const std::size_t size : {1u, 2u, 37u, 64u}) {
    std::vector<double> x(37), y(size);
    // Few distinct values, hence many ties.
    for (double& v : x) v = std::floor(10.0 * noiseaware::uniform01(rng)) / 4.0;
    for (double& v : y) v = std::floor(12.0 * noiseaware::uniform01(rng)) / 4.0;
    double largest = 0.0, area = 0.0;
    for (int k = 0; k < 13; ++k) {
      const double gap = std::abs(share_at_most(x, k / 4.0) - share_at_most(y, k / 4.0));
      largest = std::max(largest, gap);
      area += gap / 4.0;
    }
    CHECK(noiseaware::ks_two_sample(x, y) == near::within(largest, 1e-15));
    CHECK(noiseaware::wasserstein1(x, y) == near::within(area, 1e-14));
  }
}

TEST_CASE("distances of samples that are alike, shifted or apart") {
  const std::vector<double> x{3, 1, 2}, shifted{4.5, 2.5, 3.5}, apart{7, 8};
  CHECK(noiseaware::ks_two_sample(x, x) == 0.0);
  CHECK(noiseaware::wasserstein1(x, x) == 0.0);
  CHECK(noiseaware::wasserstein1(x, shifted) == Approx(1.5));
  CHECK(noiseaware::ks_two_sample(x, apart) == 1.0);
  CHECK(noiseaware::wasserstein1(x, apart) == Approx(5.5));
  CHECK_THROWS_AS(noiseaware::wasserstein1(x, {}), std::invalid_argument);
}
