#pragma once

#include <algorithm>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/infer/linear/density.hpp>
#include <noiseaware/infer/linear/naive.hpp>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/infer/linear/scaling.hpp>
#include <noiseaware/infer/linear/start.hpp>
#include <noiseaware/infer/nuts/run_nuts.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>

// Draws of every chain for linear regression. Parameters, statistics and
// conditional moments are those of LinearReport, in natural units.

namespace noiseaware {

//! Where the draws go; `diagnostics` has NutsDraw::names and is for NUTS only.
struct LinearOutput {
  DrawArray parameters;
  DrawArray statistics;
  DrawArray conditional;
  DrawArray diagnostics;
};

namespace detail {

//! One chain on the statistics, with one exact draw of the parameters per kept draw.
class LinearChain {
 public:
  LinearChain(const LinearProblem& problem, const LinearStart& start, const LinearReport& report,
              const LinearOutput& output, int index)
      : density_(problem, start.reference),
        update_(problem),
        moments_(problem.q() + 1, problem.q() + 1),
        start_(start),
        report_(report),
        output_(output),
        index_(index) {}

  LinearDensity& model() { return density_; }

  template <class Rng>
  Eigen::VectorXd start(Rng& rng) {
    return draw_start(density_, start_.centre, start_.metric, rng);
  }

  template <class Rng>
  void keep(int row, const Eigen::VectorXd& position, Rng& rng) {
    density_.statistics(position).moments(moments_);
    update_.update(moments_);
    output_.parameters.write(row, index_, report_.natural(draw_parameters(rng, update_)));
    output_.statistics.write(row, index_, report_.statistics(moments_));
    output_.conditional.write(row, index_, report_.conditional(update_));
  }

 private:
  LinearDensity density_;
  ConjugateUpdate update_;
  Eigen::MatrixXd moments_;
  const LinearStart& start_;
  const LinearReport& report_;
  const LinearOutput& output_;
  int index_;
};

//! A covariance from fewer positions than a few times the dimension is worse than
//! the inverse Hessian: warm-up counts the latter as `dim` positions.
inline NutsOptions trust_start(NutsOptions options, const Metric& metric) {
  if (metric.is_dense())
    options.shrink_count = std::max(options.shrink_count, static_cast<double>(metric.dim()));
  return options;
}

}  // namespace detail

//! The exact posterior by the no-U-turn sampler. Returns whether the search for a
//! mode, which gives starts and metric, converged.
template <class Monitor>
bool run_linear(const LinearProblem& problem, const LinearScaling& scaling,
                const NutsOptions& options, const ChainConfig& config, const LinearOutput& output,
                Monitor&& monitor) {
  problem.check();
  const LinearReport report(problem, scaling);
  const LinearStart start = start_linear(problem);
  run_nuts(
      config, detail::trust_start(options, start.metric), start.metric, output.diagnostics,
      [&](int chain) { return detail::LinearChain(problem, start, report, output, chain); },
      monitor);
  return start.converged;
}

//! Independent conjugate draws given moments taken at face value: the non-private
//! posterior of a problem without noise, else the naive one. Every iteration is kept
//! and diagnostics are not written.
template <class Monitor>
PlugInMoments run_linear_conjugate(const LinearProblem& problem, const LinearScaling& scaling,
                                   const ChainConfig& config, const LinearOutput& output,
                                   Monitor&& monitor) {
  problem.check();
  if (config.kept() != config.iter)
    throw std::invalid_argument("independent draws need neither warmup nor thinning");
  const LinearReport report(problem, scaling);
  const PlugInMoments plug_in = plug_in_moments(problem);
  ConjugateUpdate update(problem);
  update.update(plug_in.moments);
  const Eigen::VectorXd statistics = report.statistics(plug_in.moments);
  const Eigen::VectorXd conditional = report.conditional(update);
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    run_iterations(config, chain, progress, [&](int i) {
      output.parameters.write(i, chain, report.natural(draw_parameters(rng, update)));
      output.statistics.write(i, chain, statistics);
      output.conditional.write(i, chain, conditional);
    });
  };
  run_chains(config, run_one, monitor);
  return plug_in;
}

}  // namespace noiseaware
