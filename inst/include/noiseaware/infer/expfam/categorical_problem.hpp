#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! Counts of the levels of a factor, theta ~ Dirichlet(concentration). Some
//! counts may not have been released. A count that was suppressed below a
//! threshold is `released` here, and censored: the release says something of it.
struct CategoricalProblem {
  std::vector<double> concentration;
  std::vector<NoisyCount> counts;  //!< one per category, used where released
  std::vector<bool> released;
  SampleSize size = SampleSize::known(0.0);
};

//! Categories merged into cells: one per released count, in order, and one last
//! cell for all categories without a count. The merged cell is again
//! Dirichlet-multinomial with the sum of the concentrations, and the release says
//! nothing about the shares within it, which keep their prior.
class CategoricalCells {
 public:
  explicit CategoricalCells(const CategoricalProblem& problem) : problem_(problem) {
    check();
    for (std::size_t k = 0; k < problem.counts.size(); ++k) {
      (problem.released[k] ? members_ : block_).push_back(k);
      if (problem.released[k]) concentration_.push_back(problem.concentration[k]);
    }
    if (!block_.empty()) concentration_.push_back(block_concentration());
    for (double alpha : concentration_) total_ += alpha;
  }

  std::size_t size() const { return concentration_.size(); }
  std::size_t categories() const { return problem_.counts.size(); }
  bool has_block() const { return !block_.empty(); }
  bool released(std::size_t cell) const { return cell < members_.size(); }
  const NoisyCount& count(std::size_t cell) const { return problem_.counts[members_[cell]]; }
  double concentration(std::size_t cell) const { return concentration_[cell]; }
  //! Sum of all concentrations.
  double total_concentration() const { return total_; }
  const SampleSize& sample_size() const { return problem_.size; }

  //! Log density of the noise of one cell; 0 where nothing was released.
  double log_noise(std::size_t cell, double s, double n) const {
    return released(cell) ? count(cell).log_density(s, n) : 0.0;
  }

  //! theta given the counts of the cells, one value per category.
  template <class Rng>
  void draw_theta(Rng& rng, const std::vector<double>& counts, std::vector<double>& theta) const {
    std::vector<double> shape(concentration_), share(concentration_.size());
    for (std::size_t c = 0; c < shape.size(); ++c) shape[c] += counts[c];
    dirichlet_into(rng, shape, share);
    for (std::size_t c = 0; c < members_.size(); ++c) theta[members_[c]] = share[c];
    if (block_.empty()) return;
    std::vector<double> prior;
    for (std::size_t k : block_) prior.push_back(problem_.concentration[k]);
    const std::vector<double> split = dirichlet(rng, prior);
    for (std::size_t i = 0; i < block_.size(); ++i) theta[block_[i]] = share.back() * split[i];
  }

  //! Moments per category from those per cell. A category of the merged cell has
  //! probability theta_cell * V with V ~ Beta(a, A - a) independent of the counts.
  std::vector<MixtureMoments> by_category(const std::vector<MixtureMoments>& cells) const {
    std::vector<MixtureMoments> out(categories());
    for (std::size_t c = 0; c < members_.size(); ++c) out[members_[c]] = cells[c];
    for (std::size_t k : block_) {
      const MixtureMoments& cell = cells.back();
      const double sum = concentration_.back();
      const double mean = problem_.concentration[k] / sum;
      const double spread = mean * (1.0 - mean) / (sum + 1.0);
      const double square = cell.mean * cell.mean + cell.variance();
      out[k].mean = mean * cell.mean;
      out[k].between = mean * mean * cell.between;
      out[k].within = mean * mean * cell.within + spread * square;
    }
    return out;
  }

 private:
  void check() const {
    const std::size_t size = problem_.counts.size();
    if (size < 2 || problem_.concentration.size() != size || problem_.released.size() != size)
      throw std::invalid_argument("a categorical problem needs two or more categories");
    for (double alpha : problem_.concentration) detail::require_positive(alpha, "concentration");
    const bool complete =
        std::all_of(problem_.released.begin(), problem_.released.end(), [](bool r) { return r; });
    if (!problem_.size.is_known() && !problem_.size.is_observed() && !complete)
      throw std::invalid_argument("n is latent and not every count was released");
  }

  double block_concentration() const {
    double sum = 0.0;
    for (std::size_t k : block_) sum += problem_.concentration[k];
    return sum;
  }

  CategoricalProblem problem_;
  std::vector<std::size_t> members_, block_;
  std::vector<double> concentration_;
  double total_ = 0.0;
};

}  // namespace noiseaware
