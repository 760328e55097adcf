#include <catch.h>

#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/infer/expfam/region_moments.hpp>
#include <stdexcept>
#include <vector>

#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using near::relative;
using near::within;
using oracles::kInf;
using oracles::kNaN;

namespace {

// Published values have 12 digits.
constexpr double kDigits = 2e-11;

void check_region(const Region& region, double log_q, double mean, double var) {
  CHECK(region.log_q == relative(log_q, kDigits));
  CHECK(region.mean == relative(mean, kDigits));
  CHECK(region.var == relative(var, kDigits));
}

void check_normal(const NormalRegion& region, const std::vector<double>& truth) {
  CHECK(region.log_q == within(truth[0], kDigits * std::abs(truth[0]) + 1e-15));
  CHECK(region.mean == within(truth[1], kDigits * std::abs(truth[1]) + 1e-15));
  CHECK(region.c2 == relative(truth[2], kDigits));
  CHECK(region.c3 ==
        within(truth[3], kDigits * std::abs(truth[3]) + 1e-15 * std::pow(truth[2], 1.5)));
  CHECK(region.c4 == relative(truth[4], kDigits));
}

}  // namespace

TEST_CASE("Gauss-Legendre rule integrates polynomials", "[expfam]") {
  const GaussLegendre64& rule = GaussLegendre64::rule();
  for (int degree = 0; degree <= 127; ++degree) {
    double sum = 0.0;
    for (std::size_t i = 0; i < GaussLegendre64::size; ++i)
      sum += rule.weight(i) * std::pow(rule.node(i), degree);
    CHECK(sum == within(degree % 2 == 0 ? 2.0 / (degree + 1.0) : 0.0, 1e-14));
  }
  for (std::size_t i = 1; i < GaussLegendre64::size; ++i) CHECK(rule.node(i - 1) < rule.node(i));
}

TEST_CASE("exponential record on an interval: published vectors", "[expfam]") {
  check_region(exponential_region(2, .1, 1.5), -0.262737544004, 0.509353705478, 0.114878436959);
  check_region(exponential_region(4, .00632945, .92222), -0.0512932718277, 0.232227080806,
               0.039843943622);
  check_region(exponential_region(1e-6, 0, 1), -13.815511058, 0.499999916667, 0.0833333333333);
  check_region(exponential_region(.3, 0, 1e-8), -19.6246535498, 4.9999999975e-09,
               8.33333333333e-18);
  check_region(exponential_region(50, 10, 11), -500, 10.02, 0.0004);
}

TEST_CASE("exponential record on an interval: ends and continuity", "[expfam]") {
  check_region(exponential_region(2, 3, kInf), -6.0, 3.5, 0.25);
  const Region point = exponential_region(2, 3, 3);
  CHECK(point.log_q == -kInf);
  CHECK(point.mean == 3.0);
  CHECK(point.var == 0.0);
  // The series and the closed form meet at rate * length = 1/4.
  const Region left = exponential_region(.25 - 1e-13, 0, 1), right = exponential_region(.25, 0, 1);
  CHECK(left.mean == relative(right.mean, 1e-13));
  CHECK(left.var == relative(right.var, 1e-12));
  for (double bad : oracles::not_positive())
    CHECK_THROWS_AS(exponential_region(bad, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(exponential_region(1, -1, 1), std::invalid_argument);
  CHECK_THROWS_AS(exponential_region(1, 2, 1), std::invalid_argument);
  CHECK_THROWS_AS(exponential_region(1, kNaN, 1), std::invalid_argument);
}

TEST_CASE("Poisson record on whole numbers: published vectors", "[expfam]") {
  check_region(poisson_region(3.5, 1, 8), -0.0408959987985, 3.5486102825, 2.88417139551);
  check_region(poisson_region(3.5, 9, kInf), -4.61788487048, 9.47837435607, 0.640099017049);
  check_region(poisson_region(.01, 3, 9), -15.6147681512, 3.00250375313, 0.00250750937588);
  check_region(poisson_region(250, 0, 150), -25.8988944211, 148.568147516, 3.33269758127);
  check_region(poisson_region(250, 400, kInf), -40.9462527186, 401.621370149, 4.16563646238);
}

TEST_CASE("Poisson record on whole numbers: ends", "[expfam]") {
  for (double rate : {1e-12, .7, 40.0, 1e6}) {
    const Region all = poisson_region(rate, 0, kInf);
    CHECK(all.log_q == within(0.0, 1e-12));
    CHECK(all.mean == relative(rate, 1e-12));
    CHECK(all.var == relative(rate, 1e-10));
  }
  const Region one = poisson_region(2.0, 3, 3);
  CHECK(one.log_q == relative(std::log(8.0 / 6.0) - 2.0, 1e-14));
  CHECK(one.mean == 3.0);
  CHECK(one.var == 0.0);
  CHECK(poisson_region(2.0, 3, 2).log_q == -kInf);
  for (double bad : oracles::not_positive())
    CHECK_THROWS_AS(poisson_region(bad, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(poisson_region(1, .5, 1), std::invalid_argument);
  CHECK_THROWS_AS(poisson_region(1, 0, kNaN), std::invalid_argument);
}

TEST_CASE("normal record on an interval: published vectors", "[expfam]") {
  check_normal(normal_region(0, 1, -1, 2),
               {-0.200166294324, 0.229637179091, 0.519762539212, 0.120864568587, 0.615995651584});
  check_normal(normal_region(.3, 1.7, -2, 3),
               {-0.155664572236, 0.392814378639, 1.54542568009, 0.147347752488, 5.05935868909});
  check_normal(normal_region(0, 1, -kInf, -1.5),
               {-2.70594440082, -1.93867716662, 0.14954659355, -0.0831519244239, 0.123775782896});
  check_normal(normal_region(0, 1, 5, 6), {-15.0684460965, 5.18314709048, 0.0294524307685,
                                           0.00772282563698, 0.00476389871553});
  check_normal(normal_region(0, 1, 38, kInf), {-726.557216019, 38.0262794666, 0.000689659753466,
                                               3.61481632713e-05, 4.26502430275e-06});
  check_normal(normal_region(0, 1, -100, -60), {-1805.01356068, -60.0166574202, 0.000277315883415,
                                                -9.22850181962e-06, 6.91115685581e-07});
  check_normal(normal_region(0, 1, 1, 1.0001), {-10.6293289064, 1.00004999917, 8.33333332639e-10,
                                                8.33374998545e-19, 1.24999999931e-18});
  check_normal(normal_region(2, .001, 0, 1), {-500007.826695, 0.999999000002, 9.9999400005e-13,
                                              -1.9999760003e-18, 8.99984400251e-24});
  check_normal(normal_region(0, 1000, -1, 1),
               {-7.13354679829, 0, 0.333333288889, 0, 0.199999961905});
}

TEST_CASE("normal record on an interval: ends", "[expfam]") {
  check_normal(normal_region(1.5, 2.0, -kInf, kInf), {0.0, 1.5, 4.0, 0.0, 48.0});
  const NormalRegion point = normal_region(0, 1, 2, 2);
  CHECK(point.log_q == -kInf);
  CHECK(point.mean == 2.0);
  CHECK(point.c2 == 0.0);
  for (double bad : oracles::not_positive())
    CHECK_THROWS_AS(normal_region(0, bad, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(normal_region(kInf, 1, 0, 1), std::invalid_argument);
  CHECK_THROWS_AS(normal_region(0, 1, 2, 1), std::invalid_argument);
  CHECK_THROWS_AS(normal_region(0, 1, kNaN, 1), std::invalid_argument);
}

TEST_CASE("records are clamped or redacted", "[expfam]") {
  const RecordMap clamp = RecordMap::clamp(-1, 3);
  CHECK(clamp(-2) == -1.0);
  CHECK(clamp(-1) == -1.0);
  CHECK(clamp(.5) == .5);
  CHECK(clamp(3) == 3.0);
  CHECK(clamp(3.01) == 3.0);
  const RecordMap redact = RecordMap::redact(-1, 3, 1);
  CHECK(redact(-1.01) == 1.0);
  CHECK(redact(-1) == -1.0);
  CHECK(redact(3) == 3.0);
  CHECK(redact(kInf) == 1.0);
  const RecordMap unit = redact.scaled(1, 2);
  CHECK(unit(-1.5) == 0.0);
  CHECK(unit.lower == -1.0);
  CHECK(unit.upper == 1.0);
  CHECK_THROWS_AS(RecordMap::clamp(1, 1), std::invalid_argument);
  CHECK_THROWS_AS(RecordMap::clamp(kNaN, 1), std::invalid_argument);
  CHECK_THROWS_AS(RecordMap::redact(0, 1, kInf), std::invalid_argument);
}
