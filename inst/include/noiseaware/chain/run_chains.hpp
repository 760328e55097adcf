#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/monitor.hpp>
#include <thread>
#include <vector>

namespace noiseaware {
namespace detail {

//! Time between two calls of the monitor: prompt to an interrupt, yet free.
constexpr std::chrono::milliseconds kMonitorPeriod{20};

//! The threads of one run. They take chains in turn; whatever happens, they have
//! ended when the crew is destroyed, so that a later fork() copies no thread.
template <class Thread, class RunOne>
class ChainCrew {
 public:
  ChainCrew(const ChainConfig& config, RunOne& run_one, Progress& progress)
      : run_one_(run_one),
        progress_(progress),
        chains_(config.chains),
        errors_(static_cast<std::size_t>(config.chains)) {}

  ChainCrew(const ChainCrew&) = delete;
  ChainCrew& operator=(const ChainCrew&) = delete;

  ~ChainCrew() {
    progress_.stop();
    join();
  }

  //! If a thread cannot be started the exception leaves through the destructor,
  //! which stops and joins those that were.
  void start(int size) {
    threads_.reserve(static_cast<std::size_t>(size));
    working_ = size;
    for (int t = 0; t < size; ++t) threads_.emplace_back([this] { work(); });
  }

  //! True when every chain has ended; false if that takes longer than `period`.
  bool wait(std::chrono::milliseconds period) {
    std::unique_lock<std::mutex> lock(mutex_);
    return finished_.wait_for(lock, period, [this] { return working_ == 0; });
  }

  void join() {
    for (Thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void rethrow_error() const {
    for (const std::exception_ptr& error : errors_)
      if (error) std::rethrow_exception(error);
  }

 private:
  void work() {
    for (int c = next_++; c < chains_ && !progress_.stopped(); c = next_++) run(c);
    const std::lock_guard<std::mutex> lock(mutex_);
    --working_;
    finished_.notify_one();
  }

  void run(int chain) {
    try {
      run_one_(chain, progress_);
    } catch (...) {
      errors_[static_cast<std::size_t>(chain)] = std::current_exception();
      progress_.stop();
    }
  }

  RunOne& run_one_;
  Progress& progress_;
  const int chains_;
  std::atomic<int> next_{0};
  int working_ = 0;  //!< Guarded by mutex_ once threads run.
  std::mutex mutex_;
  std::condition_variable finished_;
  std::vector<std::exception_ptr> errors_;
  std::vector<Thread> threads_;
};

}  // namespace detail

//! Runs every chain on worker threads (also with one core) and calls
//! `monitor(progress)` on the calling thread, the only one that may touch the
//! host language: about fifty times a second, and once at the end.
//!
//! `run_one(chain, progress)` runs one chain: it must write its results by index
//! into memory of its own, return early when progress.stopped() and depend on
//! nothing but its chain number (and the seed); see run_iterations().
//!
//! An exception of the monitor (an interrupt) or of a chain stops all chains
//! and, when they have ended, is rethrown here: the monitor's first, else that
//! of the lowest chain. `Thread` is for tests.
template <class Thread = std::thread, class RunOne, class Monitor>
void run_chains(const ChainConfig& config, RunOne&& run_one, Monitor&& monitor) {
  Progress progress(config);
  detail::ChainCrew<Thread, RunOne> crew(config, run_one, progress);
  crew.start(std::min(config.cores, config.chains));
  while (!crew.wait(detail::kMonitorPeriod)) monitor(progress);
  crew.join();
  crew.rethrow_error();
  monitor(progress);
}

//! The loop of one chain: step(i) for every iteration i from 0, until the end
//! or until the run is stopped.
template <class Step>
void run_iterations(const ChainConfig& config, int chain, Progress& progress, Step&& step) {
  for (int i = 0; i < config.iter && !progress.stopped(); ++i) {
    step(i);
    progress.tick(chain);
  }
}

}  // namespace noiseaware
