#pragma once

#include <cmath>

// The standard leaves the algorithms of its distributions to the library, and
// libstdc++ and libc++ differ. These are fixed. `Rng` returns 64 random bits.

namespace noiseaware {

//! Uniform on [0, 1) with 53 random bits.
template <class Rng>
double uniform01(Rng& rng) {
  return static_cast<double>(rng() >> 11) * 0x1.0p-53;
}

//! Uniform on the open interval (0, 1): safe inside log(). 52 bits, because with
//! 53 the addition of one half rounds the largest value up to 1.
template <class Rng>
double uniform_open(Rng& rng) {
  return (static_cast<double>(rng() >> 12) + 0.5) * 0x1.0p-52;
}

//! Standard exponential.
template <class Rng>
double exponential1(Rng& rng) {
  return -std::log(uniform_open(rng));
}

//! Standard normal, polar method of Marsaglia and Bray (1964). The second
//! deviate is discarded so that no state is hidden outside the engine.
template <class Rng>
double normal01(Rng& rng) {
  for (;;) {
    const double u = 2.0 * uniform01(rng) - 1.0;
    const double v = 2.0 * uniform01(rng) - 1.0;
    const double q = u * u + v * v;
    if (q > 0.0 && q < 1.0) return u * std::sqrt(-2.0 * std::log(q) / q);
  }
}

}  // namespace noiseaware
