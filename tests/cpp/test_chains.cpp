#include <catch.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/monitor.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

using namespace noiseaware;

// Catch is not thread safe: assertions are made on the calling thread only.

namespace {

std::vector<double> draw_chains(int cores) {
  const ChainConfig config(5, 300, 100, 3, cores, 7);
  const auto kept = static_cast<std::size_t>(config.kept());
  std::vector<double> out(kept * static_cast<std::size_t>(config.chains), -99.0);
  run_chains(
      config,
      [&](int chain, Progress& progress) {
        auto rng = make_stream(config.seed, chain);
        double* const column = out.data() + kept * static_cast<std::size_t>(chain);
        run_iterations(config, chain, progress, [&](int i) {
          const double draw = normal01(rng);
          if (config.row(i) >= 0) column[config.row(i)] = draw;
        });
      },
      NoMonitor{});
  return out;
}

//! A chain that ends only when it is told to.
void run_until_stopped(int, Progress& progress) {
  while (!progress.stopped()) std::this_thread::yield();
}

//! A thread that cannot be started the third time, as under a process limit.
struct ScarceThread {
  static std::atomic<int>& started() {
    static std::atomic<int> count{0};
    return count;
  }
  static std::atomic<int>& ended() {
    static std::atomic<int> count{0};
    return count;
  }
  template <class Work>
  explicit ScarceThread(Work work) {
    if (started() == 2)
      throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    ++started();
    thread = std::thread([work]() mutable {
      work();
      ++ended();
    });
  }
  void join() { thread.join(); }
  std::thread thread;
};

//! Counts the threads started.
struct CountedThread : std::thread {
  static std::atomic<int>& started() {
    static std::atomic<int> count{0};
    return count;
  }
  template <class Work>
  explicit CountedThread(Work work) : std::thread(std::move(work)) {
    ++started();
  }
};

int threads_started(int chains, int cores) {
  CountedThread::started() = 0;
  run_chains<CountedThread>(
      ChainConfig(chains, 1, 0, 1, cores, 1), [](int, Progress&) {}, NoMonitor{});
  return CountedThread::started();
}

}  // namespace

TEST_CASE("ChainConfig counts kept draws and finds their rows") {
  const ChainConfig plain(4, 2000, 1000, 1, 2, 42);
  CHECK(plain.kept() == 1000);
  CHECK(plain.total() == 8000);
  CHECK(plain.seed == 42);
  CHECK(plain.row(999) == -1);
  CHECK(plain.row(1000) == 0);
  CHECK(plain.row(1999) == 999);
  for (int warmup : {0, 1, 4})
    for (int thin : {1, 2, 3, 10}) {
      const ChainConfig config(1, 11, warmup, thin, 1, 0);
      int next = 0;
      for (int i = 0; i < config.iter; ++i)
        if (config.row(i) >= 0) CHECK(config.row(i) == next++);
      CHECK(next == config.kept());
    }
  CHECK(ChainConfig(2000000000, 2000000000, 0, 1, 1, 0).total() == 4000000000000000000);
}

TEST_CASE("ChainConfig refuses impossible settings") {
  CHECK_THROWS_WITH(ChainConfig(0, 10, 5, 1, 1, 0), "chains must be at least 1, not 0");
  CHECK_THROWS_AS(ChainConfig(1, 0, 0, 1, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(ChainConfig(1, 10, -1, 1, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(ChainConfig(1, 10, 10, 1, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(ChainConfig(1, 10, 5, 0, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(ChainConfig(1, 10, 5, 1, 0, 0), std::invalid_argument);
}

TEST_CASE("draws do not depend on the number of cores") {
  const auto one = draw_chains(1);
  CHECK(one == draw_chains(2));
  CHECK(one == draw_chains(4));
  CHECK(one == draw_chains(16));
  // Chain 1 is the stream of chain 1: iteration 100 is kept first.
  auto rng = make_stream(7, 1);
  for (int i = 0; i < 100; ++i) normal01(rng);
  CHECK(one[67] == normal01(rng));
}

TEST_CASE("no more threads than chains or cores are started") {
  CHECK(threads_started(3, 1) == 1);
  CHECK(threads_started(3, 2) == 2);
  CHECK(threads_started(3, 8) == 3);
}

TEST_CASE("chains run off the calling thread, the monitor on it") {
  const ChainConfig config(2, 50, 0, 1, 1, 1);
  const auto caller = std::this_thread::get_id();
  std::atomic<int> on_caller{0};
  int calls = 0;
  std::int64_t last = -1, total = -1;
  bool monitor_on_caller = true;
  run_chains(
      config,
      [&](int chain, Progress& progress) {
        if (std::this_thread::get_id() == caller) ++on_caller;
        run_iterations(config, chain, progress, [](int) {});
      },
      [&](const Progress& progress) {
        monitor_on_caller = monitor_on_caller && std::this_thread::get_id() == caller;
        ++calls;
        last = progress.done();
        total = progress.total();
      });
  CHECK(on_caller == 0);
  CHECK(monitor_on_caller);
  CHECK(calls >= 1);
  CHECK(last == 100);
  CHECK(total == 100);
}

TEST_CASE("the monitor is called while chains run") {
  // The chain ends only because the monitor was seen: with one core, too.
  std::atomic<bool> seen{false};
  run_chains(
      ChainConfig(1, 1, 0, 1, 1, 1),
      [&](int, Progress&) {
        while (!seen) std::this_thread::yield();
      },
      [&](const Progress&) { seen = true; });
  CHECK(seen);
}

TEST_CASE("an error of a chain stops the others and surfaces") {
  for (const int cores : {1, 4}) {
    const ChainConfig config(4, 10, 0, 1, cores, 1);
    std::atomic<int> calls{0};
    const auto run_one = [&](int chain, Progress& progress) {
      ++calls;
      if (chain == 0) throw std::runtime_error("chain 0 failed");
      run_until_stopped(chain, progress);
    };
    CHECK_THROWS_WITH(run_chains(config, run_one, NoMonitor{}), "chain 0 failed");
    // With one thread the remaining chains are never begun.
    if (cores == 1) CHECK(calls == 1);
  }
}

TEST_CASE("of several errors the lowest chain's is reported") {
  const ChainConfig config(3, 1, 0, 1, 3, 1);
  std::atomic<int> arrived{0};
  const auto run_one = [&](int chain, Progress&) {
    ++arrived;
    while (arrived < 3) std::this_thread::yield();
    throw std::runtime_error("chain " + std::to_string(chain));
  };
  CHECK_THROWS_WITH(run_chains(config, run_one, NoMonitor{}), "chain 0");
}

TEST_CASE("a monitor that throws stops an endless run") {
  struct Interrupted {};
  for (const int cores : {1, 2}) {
    const ChainConfig config(3, 10, 0, 1, cores, 1);
    std::atomic<int> begun{0}, ended{0};
    const auto run_one = [&](int chain, Progress& progress) {
      ++begun;
      run_until_stopped(chain, progress);
      ++ended;
    };
    CHECK_THROWS_AS(run_chains(config, run_one, [](const Progress&) { throw Interrupted{}; }),
                    Interrupted);
    CHECK(begun == ended);
  }
}

TEST_CASE("run_iterations stops between iterations") {
  const ChainConfig config(1, 1000, 0, 1, 1, 1);
  Progress progress(config);
  run_iterations(config, 0, progress, [&](int i) {
    if (i == 9) progress.stop();
  });
  CHECK(progress.done() == 10);
  CHECK(progress.stopped());
}

TEST_CASE("if a thread cannot be started, those that were are stopped and joined") {
  const ChainConfig config(4, 10, 0, 1, 4, 1);
  CHECK_THROWS_AS(run_chains<ScarceThread>(config, run_until_stopped, NoMonitor{}),
                  std::system_error);
  CHECK(ScarceThread::started() == 2);
  CHECK(ScarceThread::ended() == 2);
}
