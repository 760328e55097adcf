#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace noiseaware {

//! xoshiro256++ 1.0 of Blackman and Vigna (2021): 256-bit state, period
//! 2^256 - 1. Integer arithmetic only, hence the same stream on every platform.
//! For posterior draws and simulation; never for the noise of a release.
class Xoshiro256pp {
 public:
  using result_type = std::uint64_t;
  using State = std::array<std::uint64_t, 4>;

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  //! Fills the state from one 64-bit seed with SplitMix64, as its authors advise.
  explicit Xoshiro256pp(std::uint64_t seed) {
    for (auto& word : state_) {
      seed += 0x9e3779b97f4a7c15ULL;
      std::uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
      word = z ^ (z >> 31);
    }
  }

  //! Starts from a given state; all zeros is the one state that never leaves itself.
  explicit Xoshiro256pp(const State& state) : state_(state) {
    if ((state[0] | state[1] | state[2] | state[3]) == 0)
      throw std::invalid_argument("state must not be all zeros");
  }

  result_type operator()() {
    const std::uint64_t out = rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return out;
  }

  //! Advances by 2^128 draws: one jump per chain gives disjoint streams.
  void jump() {
    constexpr State polynomial{0x180ec6d33cfd0abaULL, 0xd5a61266f0c9392cULL, 0xa9582618e03fc9aaULL,
                               0x39abdc4529b1661cULL};
    State sum{};
    for (const std::uint64_t word : polynomial) {
      for (int bit = 0; bit < 64; ++bit) {
        if ((word >> bit) & 1)
          for (std::size_t i = 0; i < sum.size(); ++i) sum[i] ^= state_[i];
        (*this)();
      }
    }
    state_ = sum;
  }

  const State& state() const { return state_; }

  friend bool operator==(const Xoshiro256pp& a, const Xoshiro256pp& b) {
    return a.state_ == b.state_;
  }
  friend bool operator!=(const Xoshiro256pp& a, const Xoshiro256pp& b) { return !(a == b); }

 private:
  static constexpr std::uint64_t rotl(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

  State state_{};
};

}  // namespace noiseaware
