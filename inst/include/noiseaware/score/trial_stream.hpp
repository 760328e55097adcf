#pragma once

#include <cstdint>
#include <noiseaware/rng/xoshiro256pp.hpp>

// A trial of a study has random numbers of its own, whichever worker runs it and
// whenever.

namespace noiseaware {
namespace detail {

//! The finaliser of SplitMix64: one-to-one, and every bit depends on every bit.
inline std::uint64_t mix_bits(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace detail

//! The stream of trial `trial` in cell `cell` of the study with seed `seed`.
inline Xoshiro256pp trial_stream(std::uint64_t seed, std::uint64_t cell, std::uint64_t trial) {
  return Xoshiro256pp(detail::mix_bits(detail::mix_bits(detail::mix_bits(seed) ^ cell) ^ trial));
}

//! A seed for something inside a trial: a whole number that R's doubles hold.
inline double next_seed(Xoshiro256pp& stream) { return static_cast<double>(stream() >> 11); }

}  // namespace noiseaware
