#pragma once

#include <cstdint>
#include <noiseaware/chain/config.hpp>

namespace noiseaware {

//! How the posterior of every trial is sampled. A trial has one thread: the study
//! spreads trials, not chains.
struct TrialRun {
  int chains = 1;
  int iter = 1;
  int warmup = 0;
  int thin = 1;

  ChainConfig markov(std::uint64_t seed) const {
    return ChainConfig(chains, iter, warmup, thin, 1, seed);
  }

  //! As many independent draws as such chains would keep.
  ChainConfig independent(std::uint64_t seed) const {
    return ChainConfig(chains, markov(seed).kept(), 0, 1, 1, seed);
  }
};

//! How draws are made; which of these stands for a method is decided by the caller,
//! from what is public.
enum class TrialMethod { exact, records, clt, gibbs, naive };

}  // namespace noiseaware
