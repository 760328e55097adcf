#pragma once

#include <cmath>
#include <cstdint>
#include <noiseaware/noise/discrete_laplace.hpp>
#include <noiseaware/wide/decimal.hpp>
#include <noiseaware/wide/int128.hpp>
#include <noiseaware/wide/product.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace noiseaware {

// Noise scales in whole numbers, rounded up: the loss can be smaller than
// promised, never larger. Statistic m changes by dT_m when one person changes,
// and w_m is the weight that makes the changes comparable: the sensitivities are
// L1 = max sum_m |dT_m| / w_m and L2^2 = max sum_m (dT_m / w_m)^2, both rational.

//! Scales of discrete Gaussian noise and what they cost.
struct GaussianScales {
  std::vector<u128> scales;
  //! Upper bound of the Gaussian privacy parameter that the scales provide.
  double mu_actual;
};

namespace detail {

//! Below this the discrete Gaussian differs from a rounded continuous one by so
//! much that an (epsilon, delta) budget loses digits (see fine_grid.hpp).
constexpr std::uint64_t min_gaussian_scale = std::uint64_t{1} << 16;

inline void require_ratio(u128 numerator, u128 denominator, const char* what) {
  if (numerator == 0 || denominator == 0)
    throw std::invalid_argument(std::string(what) + " must be a positive fraction");
}

inline void require_budget(u128 units) {
  if (units == 0) throw std::invalid_argument("the privacy budget must be positive");
}

inline void require_weights(const std::vector<u128>& weights) {
  if (weights.empty()) throw std::invalid_argument("there must be at least one statistic");
  for (const u128 weight : weights)
    if (weight == 0) throw std::invalid_argument("a statistic must have a positive weight");
}

inline u128 checked_scale(u128 scale, std::uint64_t smallest) {
  if (scale < smallest || scale > max_noise_scale)
    throw std::domain_error("the noise scale " + to_decimal(scale) + " is not between " +
                            to_decimal(static_cast<u128>(smallest)) +
                            " and 2^62: use a finer or a coarser grid");
  return scale;
}

//! The smallest C with C >= 2^32 (L2 / mu) (1 + 2^-40), in exact arithmetic:
//! C^2 2^16 den mu2_units >= (2^40 + 1)^2 num 10^12.
inline u128 gaussian_multiplier(u128 num, u128 den, u128 mu2_units) {
  const u128 margin = (u128{1} << 40) + 1;
  const auto large_enough = [&](u128 c) {
    return product_at_least({c, c, u128{1} << 16, den, mu2_units},
                            {margin, margin, num, static_cast<u128>(units_per_one)});
  };
  u128 low = 0, high = u128{1} << 94;  // a weight of 1 already has a scale of 2^62
  if (!large_enough(high)) throw std::domain_error("the Gaussian noise scale is above 2^62");
  while (high - low > 1) {
    const u128 middle = low + (high - low) / 2;
    (large_enough(middle) ? high : low) = middle;
  }
  return high;
}

//! L2 2^32 / C from above. Three conversions, two divisions and a square root
//! err by less than 8 halves of an ulp together, which 1 + 2^-49 covers; the
//! factor 1 + 2^-40 inside C keeps the result below the mu that was promised.
inline double gaussian_mu_actual(u128 num, u128 den, u128 multiplier) {
  const double l2 = std::sqrt(static_cast<double>(num) / static_cast<double>(den));
  return l2 * 0x1p32 / static_cast<double>(multiplier) * (1.0 + 0x1p-49);
}

}  // namespace detail

//! Scales b_m = ceil(L1 w_m / epsilon) of independent discrete Laplace noise, for
//! L1 = l1_num / l1_den and epsilon in units of 1e-12. Then sum_m |dT_m| / b_m <=
//! epsilon holds exactly, so the release is epsilon-differentially private.
inline std::vector<u128> laplace_scales(u128 l1_num, u128 l1_den, u128 epsilon_units,
                                        const std::vector<u128>& weights) {
  detail::require_ratio(l1_num, l1_den, "the L1 sensitivity");
  detail::require_budget(epsilon_units);
  detail::require_weights(weights);
  const u128 numerator = checked_mul(l1_num, static_cast<u128>(units_per_one));
  const u128 denominator = checked_mul(l1_den, epsilon_units);
  std::vector<u128> scales;
  for (const u128 weight : weights)
    scales.push_back(
        detail::checked_scale(ceil_div(checked_mul(numerator, weight), denominator), 1));
  return scales;
}

//! Scales s_m = ceil(C w_m / 2^32), C = ceil(2^32 (L2 / mu) (1 + 2^-40)), of
//! independent discrete Gaussian noise, for L2^2 = l2_squared_num /
//! l2_squared_den and mu^2 in units of 1e-12 (twice rho). Then sum_m (dT_m / s_m)^2
//! <= mu_actual^2 < mu^2, which is mu_actual^2 / 2 zero-concentrated privacy
//! (Canonne, Kamath and Steinke, 2020, section 2.2) on a grid of any width.
inline GaussianScales gaussian_scales(u128 l2_squared_num, u128 l2_squared_den, u128 mu2_units,
                                      const std::vector<u128>& weights) {
  detail::require_ratio(l2_squared_num, l2_squared_den, "the squared L2 sensitivity");
  detail::require_budget(mu2_units);
  detail::require_weights(weights);
  const u128 multiplier = detail::gaussian_multiplier(l2_squared_num, l2_squared_den, mu2_units);
  GaussianScales out{{}, detail::gaussian_mu_actual(l2_squared_num, l2_squared_den, multiplier)};
  for (const u128 weight : weights)
    out.scales.push_back(detail::checked_scale(
        ceil_div(checked_mul(multiplier, weight), u128{1} << 32), detail::min_gaussian_scale));
  return out;
}

}  // namespace noiseaware
