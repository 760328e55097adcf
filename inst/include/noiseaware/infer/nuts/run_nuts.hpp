#pragma once

#include <cmath>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/infer/nuts/diagnostics.hpp>
#include <noiseaware/infer/nuts/metric.hpp>
#include <noiseaware/infer/nuts/options.hpp>
#include <noiseaware/infer/nuts/sampler.hpp>
#include <noiseaware/infer/nuts/warmup.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/rng/streams.hpp>

namespace noiseaware {

//! A start near `centre`: one draw from the normal with the covariance of the
//! metric, again where the density is 0, and `centre` itself as a last resort.
template <class Model, class Rng>
Eigen::VectorXd draw_start(Model& model, const Eigen::VectorXd& centre, const Metric& metric,
                           Rng& rng) {
  Eigen::VectorXd start(centre.size()), gradient(centre.size());
  for (int k = 0; k < 20; ++k) {
    metric.draw_offset(rng, start);
    start += centre;
    if (std::isfinite(guarded_logp_grad(model, start, gradient))) return start;
  }
  return centre;
}

//! Runs every chain of the no-U-turn sampler. For each chain `make_chain(chain)`
//! returns an object of its own with
//!   Model& model();                    the density, as NutsSampler wants it
//!   Eigen::VectorXd start(Rng&);       where to begin
//!   void keep(int row, const Eigen::VectorXd& position, Rng&);
//! keep() writes one kept draw, by index. `diagnostics` receives NutsDraw::values()
//! of the kept draws. All chains begin with `metric`. An interrupt ends a
//! trajectory, not only an iteration: costly models stay interruptible.
template <class MakeChain, class Monitor>
void run_nuts(const ChainConfig& config, const NutsOptions& options, const Metric& metric,
              const DrawArray& diagnostics, MakeChain&& make_chain, Monitor&& monitor) {
  options.check();
  const auto run_one = [&](int index, Progress& progress) {
    auto rng = make_stream(config.seed, index);
    auto chain = make_chain(index);
    auto& model = chain.model();
    NutsSampler sampler(model, chain.start(rng), metric, options);
    sampler.watch(progress);
    NutsWarmup warmup(sampler, config.warmup, options);
    warmup.begin(rng);
    run_iterations(config, index, progress, [&](int i) {
      const NutsDraw draw = sampler.step(rng);
      warmup.update(rng, i, draw);
      const int row = config.row(i);
      if (row < 0 || progress.stopped()) return;
      diagnostics.write(row, index, draw.values());
      chain.keep(row, sampler.position(), rng);
    });
  };
  run_chains(config, run_one, monitor);
}

}  // namespace noiseaware
