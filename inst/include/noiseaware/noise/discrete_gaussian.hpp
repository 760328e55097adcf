#pragma once

#include <cstdint>
#include <noiseaware/noise/discrete_laplace.hpp>
#include <noiseaware/noise/exact_bernoulli.hpp>
#include <noiseaware/wide/int128.hpp>

namespace noiseaware {

//! An integer x with probability proportional to exp(-x^2 / (2 scale^2)).
//!
//! Karney's (2016) split |x| = k scale + j with 0 <= j < scale, for integers:
//! the weight is exp(-k^2 / 2) exp(-j^2 / (2 scale^2)) exp(-k j / scale), and each
//! factor is a coin of exact_bernoulli.hpp. Unlike the rejection from a discrete
//! Laplace of Canonne, Kamath and Steinke (2020), Algorithm 3, it never squares
//! the scale, so 64-bit words suffice up to 2^62.
template <class Source>
i128 discrete_gaussian(Source& source, std::uint64_t scale) {
  detail::require_scale(scale);
  for (int attempt = 0; attempt < detail::max_attempts; ++attempt) {
    const std::uint64_t k = detail::successes(source, 1, 2);
    // exp(-k / 2) exp(-k (k - 1) / 2) = exp(-k^2 / 2)
    if (k > 1 && !detail::all_succeed(source, k * (k - 1), 1, 2)) continue;
    const std::uint64_t j = below(source, scale);
    const bool negative = bern_half(source);
    if (negative && k == 0 && j == 0) continue;  // 0 must not come twice as often
    if (!bern_exp_halfsq(source, j, scale)) continue;
    if (!detail::all_succeed(source, k, j, scale)) continue;
    const i128 magnitude = static_cast<i128>(k) * scale + j;  // k is below 2^10
    return negative ? -magnitude : magnitude;
  }
  detail::source_is_stuck();
}

}  // namespace noiseaware
