#include <catch.h>

#include <cmath>
#include <noiseaware/infer/expfam/record_moments.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>

#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using near::relative;
using near::within;

namespace {

constexpr double kDigits = 1.5e-12;  // published values have 12 decimals

void check_mapped(const ScalarMoments& x, double mh, double vh, double c) {
  CHECK(x.mh == within(mh, kDigits));
  CHECK(x.vh == within(vh, kDigits));
  CHECK(x.c == within(c, kDigits));
}

void check_matrix(const Eigen::Matrix2d& x, double a, double b, double c, double d) {
  CHECK(x(0, 0) == within(a, kDigits));
  CHECK(x(1, 0) == within(b, kDigits));
  CHECK(x(0, 1) == within(c, kDigits));
  CHECK(x(1, 1) == within(d, kDigits));
}

//! Moments of (x, map(x)) by adding up density times step over a fine grid.
template <class Density>
ScalarMoments by_sum(const RecordMap& map, double step, double end, Density density) {
  ScalarMoments out{};
  double total = 0.0;
  for (double x = density.first * step; x < end; x += step) {
    const double p = density(x) * step;
    total += p;
    out.mu += p * x;
    out.mh += p * map(x);
  }
  for (double x = density.first * step; x < end; x += step) {
    const double p = density(x) * step;
    out.v += p * (x - out.mu) * (x - out.mu);
    out.vh += p * (map(x) - out.mh) * (map(x) - out.mh);
    out.c += p * (x - out.mu) * (map(x) - out.mh);
  }
  REQUIRE(total == relative(1.0, 1e-9));
  return out;
}

struct ExponentialDensity {
  double rate;
  double first = 0.5;  // midpoints
  double operator()(double x) const { return rate * std::exp(-rate * x); }
};

struct PoissonMass {
  double rate;
  double first = 0.0;
  double operator()(double k) const {
    return std::exp(k * std::log(rate) - rate - std::lgamma(k + 1.0));
  }
};

}  // namespace

TEST_CASE("moments of mapped exponential records: published vectors", "[expfam]") {
  const ScalarMoments redact = exponential_moments(3, RecordMap::redact(.05, 1.2, 0));
  CHECK(redact.mu == within(.333333333333, kDigits));
  CHECK(redact.v == within(.111111111111, kDigits));
  check_mapped(redact, .288041683210, .071865387157, .058819504020);
  check_mapped(exponential_moments(3, RecordMap::clamp(.05, 1.2)), .327794751326, .087078389810,
               .096013894403);
  const Region low = exponential_region(3, 0, .05), middle = exponential_region(3, .05, 1.2);
  CHECK(std::exp(low.log_q) == within(.139292023575, kDigits));
  CHECK(std::exp(middle.log_q) == within(.833384253978, kDigits));
  CHECK(std::exp(exponential_region(3, 1.2, oracles::kInf).log_q) ==
        within(.027323722447, kDigits));
  CHECK(middle.mean == within(.345628900277, kDigits));
}

TEST_CASE("moments of mapped Poisson records: published vectors", "[expfam]") {
  check_mapped(poisson_moments(3.3, RecordMap::redact(1, 7, 0)), 3.131813368102, 2.938086892144,
               2.411357750031);
  check_mapped(poisson_moments(3.3, RecordMap::clamp(1, 7)), 3.307136173447, 2.815152828052,
               3.010098915678);
  const Region middle = poisson_region(3.3, 1, 7);
  CHECK(std::exp(poisson_region(3.3, 0, 0).log_q) == within(.036883167401, kDigits));
  CHECK(std::exp(middle.log_q) == within(.943339741464, kDigits));
  CHECK(std::exp(poisson_region(3.3, 8, oracles::kInf).log_q) == within(.019777091135, kDigits));
  CHECK(middle.mean == within(3.319920947295, kDigits));
}

TEST_CASE("moments of mapped normal records: published vectors", "[expfam]") {
  const NormalMoments redact = normal_moments(.2, .5, RecordMap::redact(-1, 1, 0));
  CHECK(redact.mh(0) == within(.143137482283, kDigits));
  CHECK(redact.mh(1) == within(.196220607063, kDigits));
  check_matrix(redact.Vh, .175732268229, .038463186695, .038463186695, .055315188246);
  check_matrix(redact.C, .167593110607, .025039840500, .027305588949, .036913738834);

  const NormalMoments clamp = normal_moments(.2, .5, RecordMap::clamp(-1, 1));
  CHECK(clamp.mh(0) == within(.189739238058, kDigits));
  CHECK(clamp.mh(1) == within(.259217434688, kDigits));
  check_matrix(clamp.Vh, .223216456229, .063967747588, .063967747588, .089620864061);
  check_matrix(clamp.C, .234250793094, .082634529190, .071568741141, .112424051760);
  CHECK(clamp.mu(1) == relative(.29, 1e-15));
  check_matrix(clamp.V, .25, .1, .1, .125 + .04);
}

TEST_CASE("moments of mapped scalar records against sums over a grid", "[expfam]") {
  for (const RecordMap& map :
       {RecordMap::redact(.25, 2, 1.125), RecordMap::clamp(-3, 2), RecordMap::redact(-2, .5, .3)}) {
    for (double rate : {.4, 2.0, 9.0}) {
      const ScalarMoments truth = by_sum(map, 1e-5 / rate, 40.0 / rate, ExponentialDensity{rate});
      const ScalarMoments found = exponential_moments(rate, map);
      CHECK(found.mh == relative(truth.mh, 1e-5));
      CHECK(found.vh == relative(truth.vh, 1e-5));
      CHECK(found.c == within(truth.c, 1e-4 * std::abs(truth.c) + 1e-6 * truth.vh));
    }
  }
  for (const RecordMap& map : {RecordMap::redact(2, 9, 5.5), RecordMap::clamp(-1, 4),
                               RecordMap::clamp(1.5, 7.5), RecordMap::redact(0, 10, 5)}) {
    for (double rate : {.02, 3.0, 25.0}) {
      const ScalarMoments truth = by_sum(map, 1.0, 120.0, PoissonMass{rate});
      const ScalarMoments found = poisson_moments(rate, map);
      CHECK(found.mh == relative(truth.mh, 1e-11));
      CHECK(found.vh == relative(truth.vh, 1e-10));
      CHECK(found.c == relative(truth.c, 1e-9));
    }
  }
}

TEST_CASE("moments of mapped normal records against simulation", "[expfam]") {
  Xoshiro256pp rng(20);
  for (const RecordMap& map : {RecordMap::redact(-1, 2, .5), RecordMap::clamp(-1, 2)}) {
    const NormalMoments x = normal_moments(.7, 1.3, map);
    Eigen::Matrix2d Vh = Eigen::Matrix2d::Zero(), C = Vh, Vh2 = Vh, C2 = Vh;
    const int draws = 200000;
    for (int i = 0; i < draws; ++i) {
      const double full = .7 + 1.3 * normal01(rng), mapped = map(full);
      const Eigen::Vector2d t = Eigen::Vector2d(full, full * full) - x.mu;
      const Eigen::Vector2d h = Eigen::Vector2d(mapped, mapped * mapped) - x.mh;
      const Eigen::Matrix2d hh = h * h.transpose(), th = t * h.transpose();
      Vh += hh / draws;
      C += th / draws;
      Vh2 += hh.cwiseProduct(hh) / draws;
      C2 += th.cwiseProduct(th) / draws;
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) {
        const double se_v = std::sqrt((Vh2(i, j) - Vh(i, j) * Vh(i, j)) / draws);
        const double se_c = std::sqrt((C2(i, j) - C(i, j) * C(i, j)) / draws);
        CHECK(std::abs(Vh(i, j) - x.Vh(i, j)) < oracles::kMaxZ * se_v);
        CHECK(std::abs(C(i, j) - x.C(i, j)) < oracles::kMaxZ * se_c);
      }
  }
}

TEST_CASE("moments stay finite where every record is mapped to one point", "[expfam]") {
  const RecordMap map = RecordMap::clamp(1, 2);
  for (double rate : {1e-12, 1e-3, 1e3, 1e12}) {
    const ScalarMoments x = exponential_moments(rate, map);
    CHECK(std::isfinite(x.mh + x.vh + x.c));
    CHECK(x.mh >= 1.0);
    CHECK(x.mh <= 2.0);
    CHECK(x.vh >= 0.0);
  }
  // rate -> 0: P(x < 2) ~ 2 rate, P(x < 1) ~ rate; vh ~ E (2 - x~)^2 = rate (1 + 1/3).
  CHECK(exponential_moments(1e-12, map).vh == relative(4e-12 / 3.0, 1e-9));
  for (double mu : {-40.0, 60.0}) {
    const NormalMoments x = normal_moments(mu, .5, RecordMap::clamp(-1, 1));
    CHECK(x.mh(0) == within(mu < 0.0 ? -1.0 : 1.0, 1e-15));
    CHECK(std::isfinite(x.Vh.sum() + x.C.sum()));
    CHECK(x.Vh(0, 0) >= 0.0);
  }
  CHECK_THROWS_AS(exponential_moments(0.0, map), std::invalid_argument);
  CHECK_THROWS_AS(poisson_moments(oracles::kNaN, map), std::invalid_argument);
  CHECK_THROWS_AS(normal_moments(0.0, -1.0, map), std::invalid_argument);
}
