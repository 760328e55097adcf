#pragma once

#include <cmath>
#include <limits>
#include <noiseaware/io/ledger_record.hpp>
#include <noiseaware/noise/accountant.hpp>
#include <noiseaware/noise/calibrate.hpp>
#include <noiseaware/noise/fine_grid.hpp>
#include <noiseaware/wide/int128.hpp>

// Between the units of a ledger and the losses people ask about.

namespace noiseaware {

//! rho of a pure epsilon, epsilon^2 / 2 (Bun and Steinke 2016, Proposition 1.4),
//! both in units of 1e-12, rounded up.
inline u128 rho_units_from_epsilon(u128 epsilon_units) {
  return ceil_div(checked_mul(epsilon_units, epsilon_units), 2 * u128{units_per_one});
}

//! rho of a Gaussian mechanism, mu^2 / 2, rounded up.
inline u128 rho_units_from_mu2(u128 mu2_units) { return ceil_div(mu2_units, 2); }

namespace detail {

//! The number a double cannot be below, for amounts that were rounded to it.
inline double units_above(u128 units) { return static_cast<double>(units) * 1e-12 * (1 + 0x1p-50); }

}  // namespace detail

//! The epsilon at `delta` of `statistics` values with discrete Gaussian noise
//! that together cost mu^2. The continuous mechanism's epsilon holds for them
//! only up to the slack of fine_grid.hpp, taken at the smallest scale that
//! calibration admits. A billionth of delta pays for noise beyond `reach`
//! standard deviations; infinite if no reach is far enough.
inline double gdp_ledger_epsilon(double mu2, double statistics, double delta) {
  if (mu2 == 0.0) return 0.0;
  const double scale = static_cast<double>(detail::min_gaussian_scale);
  const double mu = std::sqrt(mu2) * (1 + 0x1p-50);
  for (double reach = 12.0; reach <= 38.0; reach += 1.0) {
    const detail::GridSlack slack = detail::grid_slack(statistics, scale, reach);
    const double inner = delta * std::exp(-slack.log_delta);
    const double epsilon = gdp_epsilon(inner * (1.0 - detail::least_slack), mu);
    if (slack.tail * std::exp(epsilon) <= inner * detail::least_slack)
      return epsilon + slack.epsilon;
  }
  return std::numeric_limits<double>::infinity();
}

//! The epsilon that what was spent implies at `delta`; a pure budget needs none.
//! zCDP bounds the discrete Gaussian as it is (Canonne, Kamath and Steinke 2020,
//! Theorem 4).
inline double implied_epsilon(BudgetUnit unit, u128 spent, double statistics, double delta) {
  const double amount = detail::units_above(spent);
  if (unit == BudgetUnit::pure) return amount;
  if (unit == BudgetUnit::zcdp) return zcdp_epsilon(amount, delta);
  return gdp_ledger_epsilon(amount, statistics, delta);
}

}  // namespace noiseaware
