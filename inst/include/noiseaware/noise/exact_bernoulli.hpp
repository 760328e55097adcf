#pragma once

#include <cstdint>
#include <stdexcept>

namespace noiseaware {

// Exact coins from random 64-bit words. `Source` has `std::uint64_t next64()`.
// No float, no rational and no big integer: Bern(x / k) = Bern(x) Bern(1 / k) and
// Bern(x^2 / 2) = Bern(x)^2 Bern(1 / 2).

namespace detail {

//! A working source gets past any of these limits with probability below
//! 2^-500. A source that repeats one word would loop for ever instead.
constexpr int max_attempts = 1024;

[[noreturn]] inline void source_is_stuck() {
  throw std::runtime_error("the random source is stuck: it repeats itself");
}

//! Bits to drop from a word so that it keeps just those that n - 1 has; n > 1.
inline int excess_bits(std::uint64_t n) { return __builtin_clzll(n - 1); }

inline void require_fraction(std::uint64_t a, std::uint64_t n) {
  if (n == 0 || a > n)
    throw std::invalid_argument("a fraction a / n must have 0 <= a <= n, n >= 1");
}

}  // namespace detail

//! Uniform on 0, ..., n - 1; uses no word when n is 1.
template <class Source>
std::uint64_t below(Source& source, std::uint64_t n) {
  if (n == 0) throw std::invalid_argument("below() needs n >= 1");
  if (n == 1) return 0;
  const int excess = detail::excess_bits(n);
  for (int attempt = 0; attempt < detail::max_attempts; ++attempt) {
    const std::uint64_t word = source.next64() >> excess;
    if (word < n) return word;
  }
  detail::source_is_stuck();
}

//! True with probability a / n, 0 <= a <= n.
template <class Source>
bool bern(Source& source, std::uint64_t a, std::uint64_t n) {
  detail::require_fraction(a, n);
  return below(source, n) < a;
}

//! A fair coin: the top bit of a word.
template <class Source>
bool bern_half(Source& source) {
  return source.next64() >> 63 != 0;
}

//! True with probability exp(-a / n), 0 <= a <= n: the run of successes of
//! Bern(x), Bern(x / 2), Bern(x / 3), ... has even length with that probability.
//! Canonne, Kamath and Steinke (2020), Algorithm 1.
template <class Source>
bool bern_exp(Source& source, std::uint64_t a, std::uint64_t n) {
  for (std::uint64_t k = 1; k < detail::max_attempts; ++k) {
    if (!bern(source, a, n)) return k % 2 == 1;
    if (k > 1 && below(source, k) != 0) return k % 2 == 1;
  }
  detail::source_is_stuck();
}

//! True with probability exp(-(a / n)^2 / 2), 0 <= a <= n: as bern_exp(), with
//! Bern(x^2 / 2) made of two coins for x and a fair one.
template <class Source>
bool bern_exp_halfsq(Source& source, std::uint64_t a, std::uint64_t n) {
  for (std::uint64_t k = 1; k < detail::max_attempts; ++k) {
    if (!bern(source, a, n) || !bern(source, a, n)) return k % 2 == 1;
    if (bern_half(source)) return k % 2 == 1;
    if (k > 1 && below(source, k) != 0) return k % 2 == 1;
  }
  detail::source_is_stuck();
}

namespace detail {

//! Number of successes of bern_exp(a, n) before its first failure.
template <class Source>
std::uint64_t successes(Source& source, std::uint64_t a, std::uint64_t n) {
  for (std::uint64_t count = 0; count < max_attempts; ++count)
    if (!bern_exp(source, a, n)) return count;
  source_is_stuck();
}

//! True if `count` flips of bern_exp(a, n) all succeed; stops at the first that fails.
template <class Source>
bool all_succeed(Source& source, std::uint64_t count, std::uint64_t a, std::uint64_t n) {
  for (std::uint64_t i = 0; i < count; ++i)
    if (!bern_exp(source, a, n)) return false;
  return true;
}

}  // namespace detail

}  // namespace noiseaware
