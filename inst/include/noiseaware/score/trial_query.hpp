#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/monitor.hpp>
#include <noiseaware/noise/add_noise.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/tally/accumulate.hpp>
#include <noiseaware/tally/statistics.hpp>
#include <string>
#include <utility>
#include <vector>

namespace noiseaware {

//! The noise of a simulated release: kind and scale of every statistic in grid
//! steps, the size of a step, and the hash of the query, which keys the stream.
struct TrialNoise {
  NoiseKind kind = NoiseKind::laplace;
  std::vector<std::uint64_t> scales;
  std::vector<double> steps;
  std::string query_hash;
};

//! Releases simulated records exactly as a real release is made: cells to the
//! grid, exact sums, integer noise from the simulation stream.
template <class Plan, class Term, class Sums>
class TrialQuery {
 public:
  TrialQuery(Plan plan, std::vector<Term> terms, TrialNoise noise)
      : plan_(std::move(plan)), terms_(std::move(terms)), noise_(std::move(noise)) {}

  //! The released values, in natural units about the centres.
  std::vector<double> release(const RowBatch& rows, std::uint64_t seed) const {
    const Progress never_stopped(ChainConfig(1, 1, 0, 1, 1, 0));
    std::vector<Sums> sums(1, Sums(plan_));
    accumulate(plan_, rows, nullptr, {0, rows.rows}, never_stopped, sums);
    ChaCha20Stream source(simulation_key(seed, noise_.query_hash, 0));
    const std::vector<i128> noisy =
        add_noise(source, noise_.kind, noise_.scales, exact_statistics(sums[0], terms_));
    std::vector<double> values;
    for (std::size_t i = 0; i < noisy.size(); ++i)
      values.push_back(to_double(noisy[i]) * noise_.steps[i]);
    return values;
  }

 private:
  Plan plan_;
  std::vector<Term> terms_;
  TrialNoise noise_;
};

using TrialMoments = TrialQuery<MomentPlan, MomentTerm, MomentSums>;
using TrialTables = TrialQuery<TablePlan, TableCell, TableSums>;

}  // namespace noiseaware
