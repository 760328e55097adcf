#include <cmath>
#include <cstdint>
#include <noiseaware/noise/calibrate.hpp>
#include <noiseaware/noise/exact_bernoulli.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch_int128.hpp"

using noiseaware::ChaCha20Stream;
using noiseaware::gaussian_scales;
using noiseaware::GaussianScales;
using noiseaware::laplace_scales;
using noiseaware::product_at_least;
using noiseaware::u128;

namespace {

const u128 one = 1000000000000;  // 1 in units of 1e-12
const u128 m1 = 1048576, m2 = 655360;

std::string text(const std::vector<u128>& values) {
  std::string out;
  for (const u128 value : values) out += (out.empty() ? "" : " ") + noiseaware::to_decimal(value);
  return out;
}

// A change (d1, d2) of two statistics with weights (w1, w2) and a budget.
struct Change {
  u128 d1, d2, w1, w2, units;
};

Change random_change(ChaCha20Stream& source) {
  const auto up_to = [&](std::uint64_t n) -> u128 { return 1 + noiseaware::below(source, n); };
  const u128 w1 = (1u << 16) + up_to(1u << 20), w2 = (1u << 16) + up_to(1u << 20);
  return {noiseaware::below(source, static_cast<std::uint64_t>(w1)), w2 - 1, w1, w2,
          up_to(std::uint64_t{1} << (10 + noiseaware::below(source, 30)))};
}

}  // namespace

TEST_CASE("Laplace scales are those computed by hand") {
  // Two columns, replace_one: L1 = 2 * 16 / 6 = 16 / 3.
  CHECK(text(laplace_scales(16, 3, one, {m1, m2, m1 * m1, m1 * m2, m2 * m2})) ==
        "5592406 3495254 5864062014806 3665038759254 2290649224534");
  // One column: L1 = 9 / 4.
  CHECK(text(laplace_scales(9, 4, one / 10, {m1, m1 * m1})) == "23592960 24739011624960");
  CHECK(text(laplace_scales(1, 1, one, {1})) == "1");
  CHECK(text(laplace_scales(1, 1, one, {u128{1} << 62})) == "4611686018427387904");
}

TEST_CASE("Laplace scales keep the promised loss exactly, and are the smallest that do") {
  ChaCha20Stream source(noiseaware::simulation_key(11));
  for (int i = 0; i < 2000; ++i) {
    const Change c = random_change(source);
    // The sensitivity is that of this very change: d1 / w1 + d2 / w2.
    const u128 num = c.d1 * c.w2 + c.d2 * c.w1, den = c.w1 * c.w2;
    const std::vector<u128> b = laplace_scales(num, den, c.units, {c.w1, c.w2});
    // d1 / b1 + d2 / b2 <= units / 10^12
    REQUIRE(product_at_least({c.units, b[0], b[1]}, {c.d1 * b[1] + c.d2 * b[0], one}));
    REQUIRE_FALSE(product_at_least({b[0] - 1, den, c.units}, {num, c.w1, one}));
    REQUIRE_FALSE(product_at_least({b[1] - 1, den, c.units}, {num, c.w2, one}));
  }
}

// mpmath, 80 digits: C = ceil(2^32 sqrt(L2^2 / mu^2) (1 + 2^-40)), s = ceil(C w / 2^32).
TEST_CASE("Gaussian scales are those of high-precision arithmetic") {
  const std::vector<u128> weights{m1, m2, m1 * m1, m1 * m2, m2 * m2};
  const GaussianScales unit = gaussian_scales(9, 1, one, weights);
  CHECK(text(unit.scales) == "3145729 1966081 3298534883584 2061584302240 1288490188900");
  CHECK(unit.mu_actual == Approx(0.99999999992238978545).epsilon(1e-14));

  const GaussianScales small = gaussian_scales(9, 1, 71852000000, weights);
  CHECK(text(small.scales) == "11735504 7334690 12305567603968 7690979752480 4806862345300");
  CHECK(small.mu_actual == Approx(0.26805223371121611137).epsilon(1e-14));

  const GaussianScales third = gaussian_scales(7, 3, 200000000000, {m1});
  CHECK(text(third.scales) == "3581569");
  CHECK(third.mu_actual == Approx(0.44721359547474329361).epsilon(1e-14));
}

TEST_CASE("Gaussian scales keep the promised loss exactly") {
  ChaCha20Stream source(noiseaware::simulation_key(12));
  for (int i = 0; i < 2000; ++i) {
    const Change c = random_change(source);
    const u128 e1 = c.d1 * c.w2, e2 = c.d2 * c.w1, den = c.w1 * c.w2;
    // Powers of two keep (d1 / w1)^2 + (d2 / w2)^2 within 128 bits.
    const u128 num = e1 * e1 + e2 * e2, den2 = den * den;
    const GaussianScales g = gaussian_scales(num, den2, c.units, {c.w1, c.w2});
    const u128 s1 = g.scales[0], s2 = g.scales[1];
    if (s1 < (u128{1} << 40) && s2 < (u128{1} << 40)) {
      // (d1 / s1)^2 + (d2 / s2)^2 <= units / 10^12
      const u128 sum = c.d1 * s2 * c.d1 * s2 + c.d2 * s1 * c.d2 * s1;
      REQUIRE(product_at_least({c.units, s1, s1, s2, s2}, {sum, one}));
    }
    const double promised = std::sqrt(static_cast<double>(c.units) * 1e-12);
    REQUIRE(g.mu_actual < promised);
    // Nothing is wasted beyond the margin of 2^-40 and the rounding of C.
    REQUIRE(g.mu_actual > promised * (1.0 - 0x1p-30));
  }
}

TEST_CASE("mu_actual is not below the loss of the multiplier") {
  // mu_actual^2 C^2 >= L2^2 2^64 with L2^2 = num, in integers scaled by 2^200.
  for (const u128 num : {u128{2}, u128{3}, u128{7}, u128{1234567}}) {
    const u128 c = noiseaware::detail::gaussian_multiplier(num, 1, one / 3);
    const double mu = gaussian_scales(num, 1, one / 3, {m1}).mu_actual;
    const u128 scaled = static_cast<u128>(std::ldexp(mu, 100));  // exact: mu has 53 bits
    REQUIRE(product_at_least({scaled, scaled, c, c},
                             {num, u128{1} << 100, u128{1} << 100, u128{1} << 64}));
  }
}

TEST_CASE("scales that are out of range are refused") {
  const u128 two62 = u128{1} << 62;
  CHECK_THROWS_AS(laplace_scales(1, 1, one, {two62 + 1}), std::domain_error);
  CHECK_THROWS_AS(laplace_scales(1, 1, 1, {two62}), std::domain_error);
  CHECK_THROWS_AS(laplace_scales(u128{1} << 100, 1, one, {m1}), std::domain_error);
  CHECK_THROWS_AS(laplace_scales(1, u128{1} << 100, one, {m1}), std::domain_error);
  CHECK_THROWS_AS(gaussian_scales(1, 1, one, {65534}), std::domain_error);
  CHECK_NOTHROW(gaussian_scales(1, 1, one, {65535}));
  CHECK_THROWS_AS(gaussian_scales(1, 1, one, {two62}), std::domain_error);
  CHECK_THROWS_AS(gaussian_scales(u128{1} << 126, 1, 1, {1}), std::domain_error);
  CHECK_THROWS_AS(gaussian_scales(u128{1} << 126, 1, one, {u128{1} << 60}), std::domain_error);
}

TEST_CASE("bad arguments of the calibration are refused") {
  CHECK_THROWS_AS(laplace_scales(0, 1, one, {m1}), std::invalid_argument);
  CHECK_THROWS_AS(laplace_scales(1, 0, one, {m1}), std::invalid_argument);
  CHECK_THROWS_AS(laplace_scales(1, 1, 0, {m1}), std::invalid_argument);
  CHECK_THROWS_AS(laplace_scales(1, 1, one, {}), std::invalid_argument);
  CHECK_THROWS_AS(laplace_scales(1, 1, one, {m1, 0}), std::invalid_argument);
  CHECK_THROWS_AS(gaussian_scales(0, 1, one, {m1}), std::invalid_argument);
  CHECK_THROWS_AS(gaussian_scales(1, 0, one, {m1}), std::invalid_argument);
  CHECK_THROWS_AS(gaussian_scales(1, 1, 0, {m1}), std::invalid_argument);
  CHECK_THROWS_AS(gaussian_scales(1, 1, one, {}), std::invalid_argument);
  CHECK_THROWS_AS(gaussian_scales(1, 1, one, {0}), std::invalid_argument);
}
