#include <catch.h>

#include <algorithm>
#include <cmath>
#include <noiseaware/math/normal.hpp>
#include <noiseaware/rng/distributions_truncated.hpp>
#include <noiseaware/rng/xoshiro256pp.hpp>
#include <stdexcept>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;
using namespace oracles;

namespace {

using Rng = Xoshiro256pp;
constexpr int kDraws = 20000;

}  // namespace

TEST_CASE("truncated_normal follows the normal distribution function") {
  const std::vector<std::vector<double>> cases{
      {-kInf, kInf}, {0, kInf},  {-0.1, kInf}, {-1, 2},       {-0.5, 0.5}, {-0.01, 3}, {3, kInf},
      {-kInf, -5},   {2, 2.001}, {0.5, 1.5},   {-1.5, -0.25}, {-2, 0},     {0.2, 0.9}, {-1.2, 1.2}};
  for (const auto& c : cases) {
    const double a = c[0], b = c[1];
    INFO("a = " << a << ", b = " << b);
    Rng rng(15);
    const auto sample = draw_many(5 * kDraws, [&] { return truncated_normal(rng, a, b); });
    // By symmetry everything is computed in the lower tail, where it is exact.
    const double sign = a >= 0.0 ? -1.0 : 1.0;
    const double low = phi_cdf(sign * a), high = phi_cdf(sign * b);
    CHECK(ks_p_value(sample, [&](double x) { return (phi_cdf(sign * x) - low) / (high - low); }) >
          kRejects);
    CHECK(std::all_of(sample.begin(), sample.end(), [&](double x) { return x >= a && x <= b; }));
  }
}

TEST_CASE("truncated_normal is exact in far tails") {
  // P(X - a > d | X > a) = exp(-a d - d^2/2) R(a + d) / R(a), R Mills' ratio.
  for (const double a : {8.0, 40.0, 1000.0}) {
    const auto above = [&](double d) {
      return std::exp(-a * d - 0.5 * d * d + log_mills_ratio(a + d) - log_mills_ratio(a));
    };
    for (const double width : {kInf, 1.5 / a, 0.2 / a}) {
      INFO("a = " << a << ", width = " << width);
      Rng rng(16);
      const double total = width < kInf ? 1.0 - above(width) : 1.0;
      const auto up = draw_many(kDraws, [&] { return truncated_normal(rng, a, a + width) - a; });
      CHECK(ks_p_value(up, [&](double d) { return (1.0 - above(d)) / total; }) > kRejects);
      const auto down =
          draw_many(kDraws, [&] { return -a - truncated_normal(rng, -a - width, -a); });
      CHECK(ks_p_value(down, [&](double d) { return (1.0 - above(d)) / total; }) > kRejects);
    }
  }
}

TEST_CASE("truncated_normal has the moments found by quadrature") {
  // mean, sd, lower, upper; mean and variance by mpmath quad with 60 digits.
  struct Case {
    double mu, sd, lower, upper, mean, variance;
  };
  for (const Case& c : {Case{2, 0.001, 0, 1, 0.999999000002, 9.9999400005e-13},
                        Case{0, 1, -100, -60, -60.0166574202411, 0.000277315883414769},
                        Case{0, 1, 38, kInf, 38.0262794665759, 0.000689659753466259},
                        Case{0.3, 1.7, -2, 3, 0.392814378638662, 1.54542568009174}}) {
    Rng rng(17);
    const Moments m(
        draw_many(kDraws, [&] { return truncated_normal(rng, c.mu, c.sd, c.lower, c.upper); }));
    CHECK(m.z_mean(c.mean) < kMaxZ);
    CHECK(m.z_variance(c.variance) < kMaxZ);
  }
}

TEST_CASE("truncated_normal at the limits of double") {
  Rng rng(18);
  CHECK(truncated_normal(rng, 0.25, 0.25) == 0.25);
  CHECK(truncated_normal(rng, 1e8, kInf) >= 1e8);
  CHECK(truncated_normal(rng, 1e300, kInf) == 1e300);
  CHECK(truncated_normal(rng, -1e308, 1e-300, 1e308, kInf) == 1e308);
  CHECK(truncated_normal(rng, 0.0, 1e300, 0.0, 1e-10) <= 1e-10);
  const double tiny = truncated_normal(rng, -1e-300, 1e-300);
  CHECK((tiny >= -1e-300 && tiny <= 1e-300));
}

TEST_CASE("truncated_normal refuses bad parameters at once") {
  Rng rng(19);
  for (const double bad : not_positive())
    CHECK_THROWS_AS(truncated_normal(rng, 0.0, bad, 0.0, 1.0), std::invalid_argument);
  for (const double bad : {kNaN, kInf, -kInf})
    CHECK_THROWS_AS(truncated_normal(rng, bad, 1.0, 0.0, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(truncated_normal(rng, kNaN, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(truncated_normal(rng, 0.0, kNaN), std::invalid_argument);
  CHECK_THROWS_AS(truncated_normal(rng, 1.0, 0.0), std::invalid_argument);
  CHECK_THROWS_AS(truncated_normal(rng, kInf, kInf), std::invalid_argument);
  CHECK_THROWS_AS(truncated_normal(rng, -kInf, -kInf), std::invalid_argument);
  CHECK(rng == Rng(19));
}
