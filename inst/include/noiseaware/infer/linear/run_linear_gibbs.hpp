#pragma once

#include <cstddef>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/infer/linear/gibbs.hpp>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/infer/linear/run_linear.hpp>
#include <noiseaware/infer/linear/scaling.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

namespace noiseaware {

//! Draws of every chain by Gibbs-SS, each chain a copy of `sampler`. Diagnostics are
//! not written. Returns for each chain how often the scatter had to be repaired.
template <class Monitor>
std::vector<long> run_linear_gibbs(const LinearProblem& problem, const LinearGibbs& sampler,
                                   const LinearScaling& scaling, const ChainConfig& config,
                                   const LinearOutput& output, Monitor&& monitor) {
  const LinearReport report(problem, scaling);
  std::vector<long> repairs(static_cast<std::size_t>(config.chains));
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    LinearGibbs own = sampler;
    run_iterations(config, chain, progress, [&](int i) {
      own.step(rng);
      const int row = config.row(i);
      if (row < 0) return;
      output.parameters.write(row, chain, report.natural(own.parameters()));
      output.statistics.write(row, chain, report.statistics(own.moments()));
      output.conditional.write(row, chain, report.conditional(own.update()));
    });
    repairs[static_cast<std::size_t>(chain)] = own.repairs();
  };
  run_chains(config, run_one, monitor);
  return repairs;
}

}  // namespace noiseaware
