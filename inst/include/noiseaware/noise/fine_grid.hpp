#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <noiseaware/math/bisect.hpp>
#include <noiseaware/math/normal.hpp>
#include <noiseaware/noise/accountant.hpp>
#include <stdexcept>

namespace noiseaware {

// (epsilon, delta) for the discrete Gaussian.
//
// The analytic formula of the continuous mechanism is wrong for it: with standard
// deviation 1, sensitivity 1 and epsilon 1 the true delta is 11% larger. On a fine
// grid it is right up to a slack, by comparison with the *rounded* Gaussian R,
// which is post-processing of the continuous one. Claim: if R is (epsilon, delta)-
// private in d coordinates of scales s_i >= s >= 1, then the discrete Gaussian D is
//   (epsilon + d (K^2 + 1.05) / (24 s^2),
//    exp(d / (23 s^2)) (delta + e^epsilon 2 d Q(K - 1 / (2 s))))-private
// for every K > 0, where Q is the upper tail of the normal.
//
// Proof. One coordinate, noise value k: the ratio r(k) = R(k) / D(k) is
//   theta * integral over |u| < 1/2 of exp(-u^2 / (2 s^2)) cosh(k u / s^2) du
// with theta = sum_j exp(-2 pi^2 s^2 j^2) by Poisson summation, so that
// 1 <= theta <= 1 + 3 exp(-2 pi^2 s^2). From exp(-v) >= 1 - v and cosh >= 1,
//   (i)  r(k) >= 1 - 1 / (24 s^2), hence D <= exp(1 / (23 s^2)) R;
// from sinh(v) / v <= exp(v^2 / 6) at v = k / (2 s^2),
//   (ii) r(k) <= theta exp(k^2 / (24 s^4)).
// Let G be the outputs whose noise under the neighbour has |k_i| <= K s_i for all i.
// There (ii) gives R' <= exp(d K^2 / (24 s^2) + d log theta) D', and R'(not G) <=
// 2 d Q(K - 1 / (2 s)), because |k| > K s means that the Gaussian was beyond K s - 1/2.
// For any event A, with c = d / (23 s^2),
//   D(A) <= e^c R(A) <= e^c (e^epsilon R'(A and G) + e^epsilon R'(not G) + delta)
//        <= e^{c + epsilon + d K^2 / (24 s^2) + d log theta} D'(A)
//           + e^c (delta + e^epsilon 2 d Q(K - 1 / (2 s))).
// Last, 1/23 + s^2 log theta <= 1.05 / 24 for s >= 1.

//! A pair (epsilon, delta).
struct ApproximateBudget {
  double epsilon;
  double delta;
};

namespace detail {

inline void require_grid(double dimension, double smallest_scale) {
  if (!(dimension >= 1.0 && dimension <= 1e9))
    throw std::invalid_argument("the number of statistics must be from 1 to 1e9");
  if (!(smallest_scale >= 1.0 && smallest_scale <= 0x1p62))
    throw std::invalid_argument("the smallest noise scale must be from 1 to 2^62");
}

//! What K standard deviations cost: the additions to epsilon and log delta, and
//! the probability of noise beyond them.
struct GridSlack {
  double epsilon;
  double log_delta;
  double tail;
};

inline GridSlack grid_slack(double dimension, double scale, double reach) {
  const double per_scale = dimension / (scale * scale);
  return {per_scale * (reach * reach + 1.05) / 24.0, per_scale / 23.0,
          2.0 * dimension * normal_cdf(1.0 / (2.0 * scale) - reach)};
}

//! Slack that is always kept, so that rounding in these formulas cannot matter.
constexpr double least_slack = 1e-9;

}  // namespace detail

//! The (epsilon, delta) that the discrete Gaussian provides where the continuous
//! Gaussian of the same scales provides `budget`: the claim above at K = reach.
inline ApproximateBudget fine_grid_guarantee(ApproximateBudget budget, double dimension,
                                             double smallest_scale, double reach) {
  detail::require_at_least_zero(budget.epsilon, "epsilon");
  detail::require_delta(budget.delta);
  detail::require_grid(dimension, smallest_scale);
  detail::require_above_zero(reach, "reach");
  const detail::GridSlack slack = detail::grid_slack(dimension, smallest_scale, reach);
  const double tail = slack.tail * std::exp(budget.epsilon);
  return {budget.epsilon + slack.epsilon, std::exp(slack.log_delta) * (budget.delta + tail)};
}

//! The (epsilon, delta) at which to calibrate a continuous Gaussian so that the
//! discrete one, in `dimension` statistics with scales of at least
//! `smallest_scale`, is (epsilon, delta)-private. A smaller budget means larger
//! scales, so the scales found for (epsilon, delta) itself may be used. K starts at
//! 12 and grows until the tail is negligible: it is multiplied by e^epsilon, and a
//! fixed K = 12 would fail for large epsilon or tiny delta.
inline ApproximateBudget fine_grid_budget(double epsilon, double delta, double dimension,
                                          double smallest_scale) {
  detail::require_above_zero(epsilon, "epsilon");
  detail::require_delta(delta);
  detail::require_grid(dimension, smallest_scale);
  for (double reach = 12.0; reach <= 38.0; reach += 1.0) {
    const detail::GridSlack slack = detail::grid_slack(dimension, smallest_scale, reach);
    const double tail = slack.tail * std::exp(epsilon);
    if (!(tail <= delta * detail::least_slack / 2.0)) continue;
    const ApproximateBudget out{
        epsilon - std::max(slack.epsilon, detail::least_slack),
        std::min(delta * std::exp(-slack.log_delta) - tail, delta * (1.0 - detail::least_slack))};
    if (out.epsilon > 0.0 && out.delta > 0.0) return out;
    break;
  }
  throw std::domain_error(
      "the noise scale is too small for this epsilon and delta: use a finer grid");
}

//! The largest mu at which the Gaussian mechanism is (epsilon, delta)-private,
//! Balle and Wang (2018), Algorithm 1, rounded down: the search uses an upper bound of
//! delta that allows for 16 units of rounding in every term.
inline double analytic_gaussian_mu(double epsilon, double delta) {
  detail::require_at_least_zero(epsilon, "epsilon");
  detail::require_delta(delta);
  const auto allowed = [&](double mu) {
    return mu == 0.0 || detail::gdp_delta_bound(epsilon, mu, 0x1p-49) <= delta;
  };
  const double too_large = double_until([&](double mu) { return !allowed(mu); });
  return bisect(too_large, 0.0, allowed);
}

}  // namespace noiseaware
