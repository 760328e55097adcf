#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <noiseaware/chain/config.hpp>
#include <vector>

namespace noiseaware {

//! What the chains and the calling thread tell each other: iterations done, and
//! the request to stop. Every member may be called from any thread.
class Progress {
 public:
  explicit Progress(const ChainConfig& config)
      : total_(config.total()), done_(static_cast<std::size_t>(config.chains)) {}

  //! A chain reports iterations; only chain `chain` may report for itself.
  void tick(int chain, std::int64_t iterations = 1) {
    done_[static_cast<std::size_t>(chain)].count.fetch_add(iterations, std::memory_order_relaxed);
  }

  //! Iterations finished, all chains together.
  std::int64_t done() const {
    std::int64_t sum = 0;
    for (const Slot& slot : done_) sum += slot.count.load(std::memory_order_relaxed);
    return sum;
  }

  std::int64_t total() const { return total_; }

  //! A chain asks this every iteration and returns early if it is true.
  bool stopped() const { return stop_.load(std::memory_order_relaxed); }
  void stop() { stop_.store(true, std::memory_order_relaxed); }

 private:
  //! One counter per chain, a cache line apart: fast samplers would otherwise
  //! spend their time handing one line from core to core.
  struct Slot {
    std::atomic<std::int64_t> count{0};
    char padding[64 - sizeof(std::atomic<std::int64_t>)] = {};
  };

  std::int64_t total_;
  std::vector<Slot> done_;
  std::atomic<bool> stop_{false};
};

//! The monitor that watches nothing.
struct NoMonitor {
  void operator()(const Progress&) const {}
};

}  // namespace noiseaware
