#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <noiseaware/noise/exact_bernoulli.hpp>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>
#include <vector>

// The exponential mechanism (McSherry and Talwar 2007) in whole numbers: a public
// table of weights that stands for exp(-epsilon d / 2), and a uniform number below
// their sum. No probability is ever a floating point number.

namespace noiseaware {
namespace detail {

//! Fractions are whole multiples of 2^-62: products of two fit into 124 bits.
constexpr int fraction_bits = 62;
constexpr u128 fraction_one = u128{1} << fraction_bits;

inline u128 fraction_ceil(u128 product) {
  return (product >> fraction_bits) + ((product & (fraction_one - 1)) != 0 ? 1 : 0);
}

//! An upper bound of exp(-y), y < 1/16 a fraction. The series alternates with
//! falling terms, so it is above its limit after every even term; even terms are
//! rounded up, odd ones down.
inline u128 exp_above(u128 y) {
  u128 high = fraction_one, low = fraction_one, sum = fraction_one;
  for (unsigned j = 1; j <= 12; ++j) {
    high = ceil_div(fraction_ceil(high * y), j);
    low = ((low * y) >> fraction_bits) / j;
    if (j % 2 == 0)
      sum += high;
    else
      sum -= low;
  }
  return std::min(sum, fraction_one);
}

}  // namespace detail

//! exp(-epsilon / 2) rounded up to a multiple of 2^-62, epsilon in units of 1e-12.
//! Argument reduction by halving; every squaring rounds up. At least 2^-62.
inline std::uint64_t half_loss_factor(std::uint64_t epsilon_units) {
  if (epsilon_units == 0) throw std::invalid_argument("epsilon must be positive");
  u128 divisor = 2000000000000;
  int halvings = 0;
  for (; epsilon_units >= divisor >> 4; ++halvings) divisor <<= 1;
  u128 value = detail::exp_above((u128{epsilon_units} << detail::fraction_bits) / divisor);
  for (; halvings > 0; --halvings) value = detail::fraction_ceil(value * value);
  return static_cast<std::uint64_t>(value);
}

//! Whole weights W_0 >= W_1 >= ... >= 1 with W_d / W_{d+1} <= exp(epsilon / 2):
//! W_0 = 2^62 and W_{d+1} = ceil(W_d r), r >= exp(-epsilon / 2) rational. Public.
class ExponentialWeights {
 public:
  //! Weights of distances up to `farthest`.
  ExponentialWeights(std::uint64_t epsilon_units, std::uint64_t farthest) {
    const u128 factor = half_loss_factor(epsilon_units);
    weights_.push_back(static_cast<std::uint64_t>(detail::fraction_one));
    for (std::uint64_t d = 0; d < farthest; ++d) {
      const u128 next = detail::fraction_ceil(weights_.back() * factor);
      if (next == weights_.back()) break;  // and so it stays: rounding up takes it back
      weights_.push_back(static_cast<std::uint64_t>(next));
    }
  }

  std::uint64_t operator[](std::uint64_t distance) const {
    return weights_[static_cast<std::size_t>(
        std::min<std::uint64_t>(distance, weights_.size() - 1))];
  }

 private:
  std::vector<std::uint64_t> weights_;
};

//! Uniform on 0, ..., n - 1 for n of up to 128 bits.
template <class Source>
u128 below_wide(Source& source, u128 n) {
  if (n >> 64 == 0) return below(source, static_cast<std::uint64_t>(n));
  const auto top = static_cast<std::uint64_t>((n - 1) >> 64);
  if (top == 0) return source.next64();  // n is 2^64
  const int excess = __builtin_clzll(top);
  for (int attempt = 0; attempt < detail::max_attempts; ++attempt) {
    const u128 high = source.next64() >> excess;
    const u128 word = high << 64 | source.next64();
    if (word < n) return word;
  }
  detail::source_is_stuck();
}

}  // namespace noiseaware
