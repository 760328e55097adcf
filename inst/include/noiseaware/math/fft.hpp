#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {

using Spectrum = std::vector<std::complex<double>>;

namespace detail {

//! Reorders x by reversing the bits of the index, Cooley and Tukey (1965).
inline void bit_reverse(Spectrum& x) {
  for (std::size_t i = 1, j = 0; i < x.size(); ++i) {
    std::size_t bit = x.size() / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
}

//! exp(2 pi i k / n) for k < n / 2, each from its own angle: a recurrence would
//! lose digits as n grows.
inline Spectrum roots_of_unity(std::size_t n) {
  const double angle = 2.0 * 3.14159265358979323846 / static_cast<double>(n);
  Spectrum roots(n / 2);
  for (std::size_t k = 0; k < roots.size(); ++k)
    roots[k] = {std::cos(angle * static_cast<double>(k)), std::sin(angle * static_cast<double>(k))};
  return roots;
}

//! a * b; the operator of std::complex also looks for infinities, at a cost.
inline std::complex<double> times(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline void butterflies(Spectrum& x, const Spectrum& roots, std::size_t half) {
  const std::size_t stride = roots.size() / half;
  for (std::size_t start = 0; start < x.size(); start += 2 * half)
    for (std::size_t k = 0; k < half; ++k) {
      const std::complex<double> even = x[start + k];
      const std::complex<double> odd = times(x[start + k + half], roots[k * stride]);
      x[start + k] = even + odd;
      x[start + k + half] = even - odd;
    }
}

}  // namespace detail

//! x_j <- sum_k x_k exp(2 pi i j k / n) in place, for n a power of two. Applied twice
//! it gives n times x in reverse order: x_j moves to (n - j) mod n.
inline void fft(Spectrum& x) {
  if (x.empty() || (x.size() & (x.size() - 1)) != 0)
    throw std::invalid_argument("the length of a Fourier transform must be a power of two");
  detail::bit_reverse(x);
  const Spectrum roots = detail::roots_of_unity(x.size());
  for (std::size_t half = 1; half < x.size(); half *= 2) detail::butterflies(x, roots, half);
}

//! x^n by repeated squaring.
inline std::complex<double> power(std::complex<double> x, std::size_t n) {
  std::complex<double> out(1.0, 0.0);
  for (; n > 0; n /= 2) {
    if (n % 2 == 1) out = detail::times(out, x);
    x = detail::times(x, x);
  }
  return out;
}

}  // namespace noiseaware
