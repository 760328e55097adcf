#include <catch.h>

#include <cmath>
#include <noiseaware/io/ledger_loss.hpp>
#include <string>

#include "near.hpp"

using namespace noiseaware;

namespace {

constexpr double grid = 24.0 * 65536.0 * 65536.0;  // 24 s^2 at the smallest scale

}  // namespace

TEST_CASE("costs in rho are exact and rounded up") {
  // ceil(e^2 / (2 * 10^12)) with Python's integers.
  CHECK(to_decimal(rho_units_from_epsilon(u128{units_per_one})) == "500000000000");
  CHECK(to_decimal(rho_units_from_epsilon(123456789012u)) == "7620789377");
  CHECK(to_decimal(rho_units_from_epsilon(9999999999999999999u)) == "49999999999999999990000001");
  CHECK(to_decimal(rho_units_from_epsilon(1)) == "1");
  CHECK(to_decimal(rho_units_from_mu2(7)) == "4");
  CHECK(to_decimal(rho_units_from_mu2(8)) == "4");
}

TEST_CASE("a Gaussian ledger implies the analytic epsilon plus the grid's slack") {
  // epsilon(delta; mu) of the continuous Gaussian from mpmath with 40 digits; the
  // slack is d (K^2 + 1.05) / (24 s^2).
  const double at_one = 4.3771780956812246, at_three = 25.089627362677416,
               at_ten = 112.84032670423223;
  CHECK(gdp_ledger_epsilon(1.0, 1, 1e-5) == near::within(at_one + 145.05 / grid, 1e-9));
  // With many statistics exp(d / (23 s^2)) counts too; d delta / d epsilon is
  // -e^epsilon Phi(-epsilon / mu - mu / 2).
  const double slope = 1e-5 / (std::exp(at_one) * normal_cdf(-at_one - 0.5));
  CHECK(gdp_ledger_epsilon(1.0, 1e5, 1e-5) ==
        near::within(at_one + 1e5 * 145.05 / grid + 1e5 / (23.0 / 24.0 * grid) * slope, 1e-9));
  // Here e^epsilon Q(12) is not small: K has to grow.
  CHECK(gdp_ledger_epsilon(9.0, 1, 1e-12) > at_three);
  CHECK(gdp_ledger_epsilon(9.0, 1, 1e-12) < at_three + 1e-8);
  CHECK(gdp_ledger_epsilon(100.0, 1, 1e-10) > at_ten + 145.05 / grid);
  CHECK(gdp_ledger_epsilon(100.0, 1, 1e-10) < at_ten + 400.0 / grid + 2e-9);
  CHECK(gdp_ledger_epsilon(0.0, 1, 1e-5) == 0.0);
  CHECK(std::isinf(gdp_ledger_epsilon(2500.0, 1, 1e-10)));
}

TEST_CASE("what is reported is covered by the theorem it rests on") {
  for (const double mu2 : {0.01, 1.0, 9.0})
    for (const double size : {1.0, 50.0, 20000.0})
      for (const double delta : {1e-3, 1e-6, 1e-9}) {
        const double reported = gdp_ledger_epsilon(mu2, size, delta);
        bool covered = false;
        for (double reach = 12; reach <= 20 && !covered; reach += 1) {
          const double inner = reported - size * (reach * reach + 1.05) / grid;
          if (inner < 0) continue;
          const auto proved =
              fine_grid_guarantee({inner, gdp_delta(inner, std::sqrt(mu2))}, size, 65536.0, reach);
          covered = proved.epsilon <= reported * (1 + 1e-15) && proved.delta <= delta;
        }
        CHECK(covered);
      }
}

TEST_CASE("each unit implies its own epsilon") {
  const auto one = u128{units_per_one};
  CHECK(implied_epsilon(BudgetUnit::pure, one / 10, 3, 0.5) == Approx(0.1).epsilon(1e-14));
  // zCDP by mpmath: epsilon(rho = 0.5, delta = 1e-6).
  CHECK(implied_epsilon(BudgetUnit::zcdp, one / 2, 3, 1e-6) ==
        Approx(5.2215344445302).epsilon(1e-12));
  CHECK(implied_epsilon(BudgetUnit::gdp, one, 1, 1e-5) == Approx(4.3771780956812).epsilon(1e-8));
  for (const auto unit : {BudgetUnit::pure, BudgetUnit::zcdp, BudgetUnit::gdp})
    CHECK(implied_epsilon(unit, 0, 1, 1e-6) == 0.0);
}
