#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace noiseaware {

//! How many chains to run and which draws to keep. Checked when built, constant
//! afterwards. Draws are a function of (seed, chain); `cores` changes time only.
struct ChainConfig {
  ChainConfig(int chains_, int iter_, int warmup_, int thin_, int cores_, std::uint64_t seed_)
      : chains(at_least(1, chains_, "chains")),
        iter(at_least(1, iter_, "iter")),
        warmup(at_least(0, warmup_, "warmup")),
        thin(at_least(1, thin_, "thin")),
        cores(at_least(1, cores_, "cores")),
        seed(seed_) {
    if (warmup >= iter) throw std::invalid_argument("warmup must be below iter");
  }

  const int chains;
  const int iter;    //!< Iterations per chain, warmup included.
  const int warmup;  //!< Iterations at the start that are never kept.
  const int thin;    //!< Every thin-th iteration after warmup is kept, the first included.
  const int cores;   //!< Threads; never more than chains are started.
  const std::uint64_t seed;

  //! Draws kept per chain; at least 1.
  int kept() const { return 1 + (iter - warmup - 1) / thin; }

  //! Row of iteration i (from 0) among the kept draws, or -1 if it is not kept.
  int row(int i) const {
    const int after = i - warmup;
    return after >= 0 && after % thin == 0 ? after / thin : -1;
  }

  //! Iterations of all chains together.
  std::int64_t total() const { return static_cast<std::int64_t>(chains) * iter; }

 private:
  static int at_least(int least, int value, const char* name) {
    if (value >= least) return value;
    throw std::invalid_argument(std::string(name) + " must be at least " + std::to_string(least) +
                                ", not " + std::to_string(value));
  }
};

}  // namespace noiseaware
