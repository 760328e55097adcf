#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>

namespace noiseaware {
namespace detail {

//! 512 bits, least significant limb first.
using Limbs = std::array<std::uint64_t, 8>;

//! x * factor, or an exception.
inline Limbs multiply(const Limbs& x, std::uint64_t factor) {
  Limbs out{};
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const u128 term = static_cast<u128>(x[i]) * factor + carry;
    out[i] = static_cast<std::uint64_t>(term);
    carry = static_cast<std::uint64_t>(term >> 64);
  }
  if (carry != 0) throw std::domain_error("integer overflow: a product of more than 512 bits");
  return out;
}

//! x * 2^64, or an exception.
inline Limbs shift_limb(const Limbs& x) {
  if (x.back() != 0) throw std::domain_error("integer overflow: a product of more than 512 bits");
  Limbs out{};
  for (std::size_t i = 1; i < x.size(); ++i) out[i] = x[i - 1];
  return out;
}

//! x + y, or an exception.
inline Limbs add(const Limbs& x, const Limbs& y) {
  Limbs out{};
  u128 carry = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    carry += static_cast<u128>(x[i]) + y[i];
    out[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  if (carry != 0) throw std::domain_error("integer overflow: a product of more than 512 bits");
  return out;
}

inline Limbs product(std::initializer_list<u128> factors) {
  Limbs out{1};
  for (const u128 factor : factors) {
    const Limbs low = multiply(out, static_cast<std::uint64_t>(factor));
    const std::uint64_t high = static_cast<std::uint64_t>(factor >> 64);
    out = high == 0 ? low : add(low, shift_limb(multiply(out, high)));
  }
  return out;
}

}  // namespace detail

//! True if the product of `left` is at least the product of `right`; exact to
//! 512 bits, an exception beyond. It replaces a comparison of quotients or of
//! square roots, which would have to round.
inline bool product_at_least(std::initializer_list<u128> left, std::initializer_list<u128> right) {
  const detail::Limbs a = detail::product(left), b = detail::product(right);
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return a[i] > b[i];
  return true;
}

}  // namespace noiseaware
