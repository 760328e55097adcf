#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/rng/xoshiro256pp.hpp>
#include <stdexcept>
#include <vector>

// One stream per chain: stream c is c jumps from the seed, so a chain's draws
// are a function of (seed, chain) and of nothing else. Streams are 2^128 draws
// apart and cannot meet.

namespace noiseaware {

//! The stream of one chain, counted from 0.
inline Xoshiro256pp make_stream(std::uint64_t seed, int chain) {
  if (chain < 0) throw std::invalid_argument("chain must be >= 0");
  Xoshiro256pp stream(seed);
  for (int c = 0; c < chain; ++c) stream.jump();
  return stream;
}

//! The streams of chains 0, ..., chains - 1 with one jump each: element c equals
//! make_stream(seed, c).
inline std::vector<Xoshiro256pp> make_streams(std::uint64_t seed, int chains) {
  if (chains < 0) throw std::invalid_argument("chains must be >= 0");
  std::vector<Xoshiro256pp> streams;
  streams.reserve(static_cast<std::size_t>(chains));
  Xoshiro256pp stream(seed);
  for (int c = 0; c < chains; ++c) {
    streams.push_back(stream);
    stream.jump();
  }
  return streams;
}

}  // namespace noiseaware
