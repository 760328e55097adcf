#pragma once

#include <cstdint>
#include <noiseaware/noise/exact_bernoulli.hpp>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>

namespace noiseaware {

//! Largest scale of the integer samplers: a sum of 2^62 times a few hundred and
//! of 2^86 records of 2^41 stays far inside 128 bits.
constexpr std::uint64_t max_noise_scale = std::uint64_t{1} << 62;

namespace detail {

inline void require_scale(std::uint64_t scale) {
  if (scale == 0 || scale > max_noise_scale)
    throw std::invalid_argument("a noise scale must be an integer from 1 to 2^62");
}

}  // namespace detail

//! An integer x with probability proportional to exp(-|x| denominator / numerator):
//! discrete Laplace noise of scale numerator / denominator.
//! Canonne, Kamath and Steinke (2020), Algorithm 2.
template <class Source>
i128 discrete_laplace(Source& source, std::uint64_t numerator, std::uint64_t denominator = 1) {
  detail::require_scale(numerator);
  detail::require_scale(denominator);
  for (int attempt = 0; attempt < detail::max_attempts; ++attempt) {
    const std::uint64_t remainder = below(source, numerator);
    if (!bern_exp(source, remainder, numerator)) continue;
    const u128 quotient = detail::successes(source, 1, 1);  // below 2^10
    const u128 magnitude = (remainder + numerator * quotient) / denominator;
    const bool negative = bern_half(source);
    if (negative && magnitude == 0) continue;  // 0 must not come twice as often
    return negative ? -static_cast<i128>(magnitude) : static_cast<i128>(magnitude);
  }
  detail::source_is_stuck();
}

}  // namespace noiseaware
