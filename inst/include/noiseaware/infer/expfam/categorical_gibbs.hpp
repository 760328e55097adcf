#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/categorical_problem.hpp>
#include <noiseaware/infer/expfam/latent_noise.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! The Gibbs sampler of Bernstein and Sheldon (2018) for the noisy counts of a
//! factor. Multinomial counts are approximately independent normals with mean and
//! variance n theta_c, given that they add up to n: so each cell is drawn on its
//! own, and what is missing from n is shared out by variance. Needs a public n.
class CategoricalGibbs {
 public:
  //! Joint proposals before the counts are drawn in pairs instead, none of them
  //! being free of negatives. Whether that happens does not depend on the counts, so
  //! their conditional distribution is left as it is.
  static constexpr int max_tries = 50;

  //! Starts at the released counts, moved at random by as much as the noise.
  template <class Rng>
  CategoricalGibbs(const CategoricalProblem& problem, Rng& rng)
      : cells_(problem), n_(problem.size.value()), theta_(problem.counts.size()) {
    if (!problem.size.is_known()) throw std::invalid_argument("the Gibbs sampler needs a public n");
    for (std::size_t k = 0; k < problem.counts.size(); ++k)
      (problem.released[k] ? members_ : block_).push_back(k);
    for (std::size_t k : block_) block_prior_.push_back(problem.concentration[k]);
    block_share_.resize(block_.size());
    for (std::size_t c = 0; c < cells_.size(); ++c) states_.push_back(first_state(c));
    shape_.resize(cells_.size());
    share_.resize(cells_.size());
    counts_.resize(cells_.size());
    start(rng);
    step(rng);
  }

  const CategoricalCells& cells() const { return cells_; }
  //! Latent counts of the cells; they add up to n.
  const std::vector<double>& counts() const { return counts_; }
  double n() const { return n_; }
  //! Probabilities of the categories.
  const std::vector<double>& theta() const { return theta_; }

  template <class Rng>
  void step(Rng& rng) {
    double total = 0.0;
    for (std::size_t c = 0; c < states_.size(); ++c)
      total += states_[c].condition(n_ * std::max(share_[c], 1e-12));
    if (!draw_jointly(rng, total)) draw_in_pairs(rng);
    for (std::size_t c = 0; c < states_.size(); ++c)
      if (states_[c].released) states_[c].noise.update(rng, states_[c].value - counts_[c]);
    draw_theta(rng);
  }

 private:
  //! One cell: its released value and noise, and its count given both, as normal
  //! before the counts must add up.
  struct CellState {
    bool released;
    double value;
    LatentNoise noise;
    double mean = 0.0, variance = 0.0, sd = 0.0;

    //! Precisions add: 1 / expected from the model, 1 / noise variance from the
    //! release. Returns the variance.
    double condition(double expected) {
      mean = variance = expected;
      if (released) {
        const double share = noise.exact() ? 1.0 : expected / (expected + noise.variance());
        mean = share * (noise.variance() + value);
        variance = share * noise.variance();
      }
      sd = std::sqrt(variance);
      return variance;
    }
  };

  CellState first_state(std::size_t c) const {
    if (!cells_.released(c)) return {false, 0.0, LatentNoise()};
    const NoisyCount& count = cells_.count(c);
    if (count.censored)
      throw std::invalid_argument("the Gibbs sampler needs counts that were not suppressed");
    detail::require_finite(count.value, "released count");
    return {true, count.value + count.centre * n_, LatentNoise(count.noise)};
  }

  template <class Rng>
  void start(Rng& rng) {
    double total = 0.0;
    for (std::size_t c = 0; c < states_.size(); ++c) {
      const double sd = std::sqrt(states_[c].noise.variance());
      const double rest = std::max(n_ - total, 0.0);
      counts_[c] =
          std::max(states_[c].released ? states_[c].value + sd * normal01(rng) : rest, 0.5);
      total += counts_[c];
    }
    for (double& count : counts_) count *= n_ / total;
    draw_theta(rng);
  }

  //! Whether joint draws are likely to have no negative: no cell is centred far
  //! below 0, and few are close to it.
  bool draws_fit(double total) const {
    double missing = n_;
    for (const CellState& state : states_) missing -= state.mean;
    int close = 0;
    for (const CellState& state : states_) {
      const double mean = state.mean + state.variance / total * missing;
      if (mean < -state.sd) return false;
      if (mean < 1.5 * state.sd) ++close;
    }
    return close <= 6;
  }

  //! Independent draws, made to add up to n; false if none is without a negative.
  template <class Rng>
  bool draw_jointly(Rng& rng, double total) {
    if (!(total > 0.0) || !draws_fit(total)) return false;
    for (int attempt = 0; attempt < max_tries; ++attempt) {
      double missing = n_;
      for (std::size_t c = 0; c < states_.size(); ++c)
        missing -= shape_[c] = states_[c].mean + states_[c].sd * normal01(rng);
      double least = 0.0;
      for (std::size_t c = 0; c < states_.size(); ++c)
        least = std::min(least, shape_[c] += states_[c].variance / total * missing);
      if (least < 0.0) continue;
      counts_.swap(shape_);
      return true;
    }
    return false;
  }

  //! Each cell in turn exchanges records with a random other one, twice.
  template <class Rng>
  void draw_in_pairs(Rng& rng) {
    const std::size_t size = states_.size();
    for (std::size_t i = 0; i < 2 * size; ++i) {
      const auto jump = static_cast<std::size_t>(uniform01(rng) * static_cast<double>(size - 1));
      draw_pair(rng, i % size, (i + 1 + jump) % size);
    }
  }

  //! The counts of two cells given their sum.
  template <class Rng>
  void draw_pair(Rng& rng, std::size_t c, std::size_t d) {
    const CellState& x = states_[c];
    const CellState& y = states_[d];
    const double sum = counts_[c] + counts_[d], total = x.variance + y.variance;
    if (!(total > 0.0)) return;
    const double mean = (y.variance * x.mean + x.variance * (sum - y.mean)) / total;
    counts_[c] = normal_within(rng, mean, x.sd * y.sd / std::sqrt(total), 0.0, sum);
    counts_[d] = sum - counts_[c];
  }

  //! Ratios of gamma variates; on the log scale if one of them might underflow.
  template <class Rng>
  void draw_theta(Rng& rng) {
    bool small = false;
    for (std::size_t c = 0; c < shape_.size(); ++c)
      small |= (shape_[c] = cells_.concentration(c) + counts_[c]) < 1.0;
    if (small)
      dirichlet_into(rng, shape_, share_);
    else
      draw_large_shares(rng);
    for (std::size_t c = 0; c < members_.size(); ++c) theta_[members_[c]] = share_[c];
    if (block_.empty()) return;
    // Nothing was released about the categories of the merged cell: their shares
    // of it keep their prior.
    dirichlet_into(rng, block_prior_, block_share_);
    for (std::size_t i = 0; i < block_.size(); ++i)
      theta_[block_[i]] = share_.back() * block_share_[i];
  }

  template <class Rng>
  void draw_large_shares(Rng& rng) {
    double total = 0.0;
    for (std::size_t c = 0; c < shape_.size(); ++c) total += share_[c] = gamma1(rng, shape_[c]);
    for (double& share : share_) share /= total;
  }

  CategoricalCells cells_;
  double n_;
  std::vector<CellState> states_;
  std::vector<double> counts_, shape_, share_;  // one per cell
  std::vector<std::size_t> members_, block_;    // categories with and without a count
  std::vector<double> block_prior_, block_share_;
  std::vector<double> theta_;  // one per category
};

}  // namespace noiseaware
