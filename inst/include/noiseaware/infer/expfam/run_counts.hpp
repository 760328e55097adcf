#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/infer/expfam/bernoulli_exact.hpp>
#include <noiseaware/infer/expfam/categorical_exact.hpp>
#include <noiseaware/infer/expfam/categorical_metropolis.hpp>
#include <noiseaware/infer/expfam/noise_draw.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/streams.hpp>
#include <vector>

// Draws of every chain, from the exact posteriors and from the chain on counts.
// `theta` receives the parameters; `latent` the counts and, last, n.

namespace noiseaware {

//! Independent draws; no warmup is needed, so every iteration is kept.
template <class Monitor>
void run_bernoulli(const BernoulliExact& posterior, const ChainConfig& config,
                   const DrawArray& theta, const DrawArray& latent, Monitor&& monitor) {
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    std::vector<double> scratch;
    run_iterations(config, chain, progress, [&](int i) {
      const BernoulliExact::Draw draw = posterior.draw(rng, scratch);
      theta.at(i, chain, 0) = draw.theta;
      latent.at(i, chain, 0) = draw.count;
      latent.at(i, chain, 1) = draw.n;
    });
  };
  run_chains(config, run_one, monitor);
}

//! Independent draws; latent has one count per cell, then n.
template <class Monitor>
void run_categorical(const CategoricalExact& posterior, const ChainConfig& config,
                     const DrawArray& theta, const DrawArray& latent, Monitor&& monitor) {
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    std::vector<double> counts(posterior.cells().size());
    std::vector<double> share(posterior.cells().categories());
    run_iterations(config, chain, progress, [&](int i) {
      posterior.draw_counts(rng, counts, latent.at(i, chain, counts.size()));
      posterior.cells().draw_theta(rng, counts, share);
      theta.write(i, chain, share);
      latent.write(i, chain, counts);
    });
  };
  run_chains(config, run_one, monitor);
}

//! Markov chains with warmup and thinning. Returns the acceptance rate of each.
template <class Monitor>
std::vector<double> run_metropolis(const CategoricalProblem& problem, const ChainConfig& config,
                                   const DrawArray& theta, const DrawArray& latent,
                                   Monitor&& monitor) {
  std::vector<double> acceptance(static_cast<std::size_t>(config.chains));
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    CategoricalMetropolis sampler(problem, rng);
    std::vector<double> share(sampler.cells().categories());
    run_iterations(config, chain, progress, [&](int i) {
      sampler.step(rng);
      const int row = config.row(i);
      if (row < 0) return;
      sampler.cells().draw_theta(rng, sampler.counts(), share);
      theta.write(row, chain, share);
      latent.write(row, chain, sampler.counts());
      latent.at(row, chain, sampler.counts().size()) = sampler.n();
    });
    acceptance[static_cast<std::size_t>(chain)] = sampler.acceptance_rate();
  };
  run_chains(config, run_one, monitor);
  return acceptance;
}

//! Moments of theta per category, averaged over draws of the counts of the cells
//! and, last, n.
inline std::vector<MixtureMoments> latent_moments(const CategoricalCells& cells,
                                                  const DrawArray& latent, int kept, int chains) {
  std::vector<MixtureMoments> out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double alpha = cells.concentration(c), rest = cells.total_concentration() - alpha;
    const auto first_n = latent.at(0, 0, cells.size());
    MixtureAccumulator mixture((alpha + latent.at(0, 0, c)) /
                               (cells.total_concentration() + first_n));
    for (int chain = 0; chain < chains; ++chain) {
      for (int row = 0; row < kept; ++row) {
        const double s = latent.at(row, chain, c);
        mixture.add(1.0, alpha + s, rest + latent.at(row, chain, cells.size()) - s);
      }
    }
    out.push_back(mixture.moments());
  }
  return cells.by_category(out);
}

//! Independent draws of theta given the counts of the cells, which need not be
//! whole numbers.
template <class Monitor>
void run_conjugate(const CategoricalCells& cells, const std::vector<double>& counts,
                   const ChainConfig& config, const DrawArray& theta, Monitor&& monitor) {
  if (counts.size() != cells.size())
    throw std::invalid_argument("there must be one count for each cell");
  const auto run_one = [&](int chain, Progress& progress) {
    auto rng = make_stream(config.seed, chain);
    std::vector<double> share(cells.categories());
    run_iterations(config, chain, progress, [&](int i) {
      cells.draw_theta(rng, counts, share);
      theta.write(i, chain, share);
    });
  };
  run_chains(config, run_one, monitor);
}

//! Moments of theta per category given the counts of the cells.
inline std::vector<MixtureMoments> conjugate_moments(const CategoricalCells& cells,
                                                     const std::vector<double>& counts) {
  double total = cells.total_concentration();
  for (double count : counts) total += count;
  std::vector<MixtureMoments> out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double shape = cells.concentration(c) + counts[c];
    MixtureAccumulator mixture(shape / total);
    mixture.add(1.0, shape, total - shape);
    out.push_back(mixture.moments());
  }
  return cells.by_category(out);
}

//! Counts of `sizes[d]` new records for every draw d of the probabilities, one
//! row of `theta` (columns = categories) each, and the release they would have
//! given: `noise` has one entry per category.
inline void replicate_counts(const std::vector<double>& theta, const std::vector<double>& sizes,
                             const std::vector<NoiseDensity>& noise, std::uint64_t seed,
                             std::vector<double>& counts, std::vector<double>& noisy) {
  auto rng = make_stream(seed, 0);
  const std::size_t rows = sizes.size(), categories = noise.size();
  std::vector<double> weights(categories);
  for (std::size_t d = 0; d < rows; ++d) {
    for (std::size_t k = 0; k < categories; ++k) weights[k] = theta[d + rows * k];
    const auto drawn = multinomial(rng, static_cast<std::int64_t>(sizes[d]), weights);
    for (std::size_t k = 0; k < categories; ++k) {
      counts[d + rows * k] = static_cast<double>(drawn[k]);
      noisy[d + rows * k] = counts[d + rows * k] + draw_noise(rng, noise[k]);
    }
  }
}

}  // namespace noiseaware
