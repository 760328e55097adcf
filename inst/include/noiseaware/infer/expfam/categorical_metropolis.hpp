#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/categorical_problem.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <vector>

namespace noiseaware {

//! Markov chain on the latent counts (and n where it is latent) with theta summed
//! out: the same target as CategoricalExact, for problems too large for it. A
//! proposal moves m records from one cell to another, or adds or removes m
//! records where n is latent. m is uniform on 1..step with the step drawn from
//! powers of 4 up to the spread of the noise, whatever the state: proposals are
//! symmetric, and some step suits every cell.
class CategoricalMetropolis {
 public:
  //! Proposals of one iteration, per cell that can move.
  static constexpr std::size_t proposals_per_cell = 16;

  //! Starts at the released counts, moved at random by as much as the noise.
  template <class Rng>
  CategoricalMetropolis(const CategoricalProblem& problem, Rng& rng) : cells_(problem) {
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      if (!cells_.released(c) || !cells_.count(c).fixed()) movable_.push_back(c);
      if (cells_.released(c) && cells_.count(c).centre != 0.0) centred_.push_back(c);
    }
    find_steps();
    start(rng);
  }

  const CategoricalCells& cells() const { return cells_; }
  const std::vector<double>& counts() const { return counts_; }
  double n() const { return n_; }
  double acceptance_rate() const { return proposed_ > 0.0 ? accepted_ / proposed_ : 1.0; }

  //! One iteration: several proposals.
  template <class Rng>
  void step(Rng& rng) {
    const bool swaps = movable_.size() > 1;
    if (size_known() && !swaps) return;
    for (std::size_t p = 0; p < proposals_per_cell * movable_.size(); ++p) {
      const bool swap = size_known() || (swaps && uniform01(rng) < 0.5);
      if (swap ? propose_swap(rng) : propose_size(rng)) accepted_ += 1.0;
      proposed_ += 1.0;
    }
  }

 private:
  bool size_known() const { return cells_.sample_size().is_known(); }

  // --- target --------------------------------------------------------------------

  double cell_term(std::size_t c, double s, double n) const {
    return log_count_weight(cells_.concentration(c), s) + cells_.log_noise(c, s, n);
  }

  double size_term(double n) const {
    return cells_.sample_size().log_density(n) - log_count_weight(cells_.total_concentration(), n);
  }

  //! Recomputes every term; false where the state is impossible.
  bool refresh() {
    double sum = size_term_ = size_term(n_);
    terms_.resize(cells_.size());
    for (std::size_t c = 0; c < cells_.size(); ++c) sum += terms_[c] = cell_term(c, counts_[c], n_);
    return std::isfinite(sum);
  }

  // --- start ---------------------------------------------------------------------

  //! How far a count may be from where it starts: as far as its noise goes, or
  //! anywhere below the threshold if it was suppressed.
  double spread(const NoisyCount& count) const {
    const double sd = count.noise.standard_deviation();
    if (!count.censored) return sd;
    const SampleSize& size = cells_.sample_size();
    const bool told = size.is_known() || size.is_observed();
    const double n = told ? std::max(size.value(), 0.0) : std::numeric_limits<double>::infinity();
    return std::max(sd, std::min(n, count.highest(told ? n : 0.0) + 1.0));
  }

  static double level(double sd) {
    return std::max(1.0, std::ceil(std::log(10.0 * sd + 1.0) / std::log(4.0)));
  }

  //! Powers of 4, the largest of them about ten times the largest spread, the
  //! smallest five powers below the smallest: smaller steps are for priors that
  //! are tighter than the noise.
  void find_steps() {
    double smallest = level(cells_.sample_size().noise().standard_deviation());
    double largest = smallest;
    if (cells_.sample_size().noise().exact()) smallest = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      if (!cells_.released(c) || cells_.count(c).fixed()) continue;
      smallest = std::min(smallest, level(spread(cells_.count(c))));
      largest = std::max(largest, level(spread(cells_.count(c))));
    }
    for (double k = std::max(0.0, std::min(smallest, largest) - 5.0); k <= largest; k += 1.0)
      steps_.push_back(std::pow(4.0, k));
  }

  //! The released count moved by as much as the noise; a suppressed one may be
  //! anything below its threshold.
  template <class Rng>
  double jittered(Rng& rng, const NoisyCount& count, double n) const {
    if (count.censored) {
      const double most = std::max(0.0, std::min(spread(count), count.highest(n) + 1.0));
      return std::floor(uniform01(rng) * most);
    }
    const double sd = count.noise.standard_deviation();
    return std::max(0.0, std::nearbyint(count.value + count.centre * n + sd * normal01(rng)));
  }

  template <class Rng>
  void start(Rng& rng) {
    const SampleSize& size = cells_.sample_size();
    const double target = std::max(0.0, std::nearbyint(size.value()));
    counts_.assign(cells_.size(), 0.0);
    n_ = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      if (cells_.released(c)) counts_[c] = jittered(rng, cells_.count(c), target);
      n_ += counts_[c];
    }
    if (size.is_known()) share_out(target - n_);
    if (size.is_observed() && cells_.has_block()) share_out(std::max(0.0, target - n_));
    // On a coarse grid only some n are possible for a count about a centre.
    for (int k = 0; k < 64 && !refresh(); ++k) {
      if (size_known() || movable_.empty()) detail::no_count_fits();
      counts_[movable_.back()] += 1.0;
      n_ += 1.0;
    }
    if (!refresh()) detail::no_count_fits();
  }

  //! Adds records to the movable cells, or takes them away, until n has changed
  //! by `change`: first in equal parts, then as much as each cell allows. A cell
  //! without a count comes last and takes all that is added.
  void share_out(double change) {
    n_ += change;
    if (change > 0.0 && cells_.has_block()) {
      counts_.back() += change;
      return;
    }
    for (std::size_t i = 0; i < movable_.size() && change != 0.0; ++i)
      change -=
          move_into(movable_[i], std::trunc(change / static_cast<double>(movable_.size() - i)));
    for (std::size_t i = 0; i < movable_.size() && change != 0.0; ++i)
      change -= move_into(movable_[i], change);
    if (change != 0.0) detail::no_count_fits();
  }

  //! Adds `change` to one count, or as much of it as is possible; returns how much.
  double move_into(std::size_t cell, double change) {
    double& count = counts_[cell];
    double room = std::numeric_limits<double>::infinity();
    if (cells_.released(cell) && cells_.count(cell).noise.exact())
      room = std::max(0.0, cells_.count(cell).highest(n_) - count);
    const double part = std::min(std::max(change, -count), room);
    count += part;
    return part;
  }

  // --- proposals -----------------------------------------------------------------

  template <class Rng>
  static std::size_t below(Rng& rng, std::size_t bound) {
    return static_cast<std::size_t>(uniform01(rng) * static_cast<double>(bound));
  }

  template <class Rng>
  double draw_step(Rng& rng) const {
    return 1.0 + std::floor(uniform01(rng) * steps_[below(rng, steps_.size())]);
  }

  template <class Rng>
  static bool accept(Rng& rng, double log_ratio) {
    return log_ratio >= 0.0 || std::log(uniform_open(rng)) < log_ratio;
  }

  //! Moves records between an ordered pair of cells; n stays.
  template <class Rng>
  bool propose_swap(Rng& rng) {
    const std::size_t first = below(rng, movable_.size());
    std::size_t second = below(rng, movable_.size() - 1);
    if (second >= first) ++second;
    const std::size_t from = movable_[first], to = movable_[second];
    const double move = draw_step(rng);
    if (counts_[from] < move) return false;
    const double term_from = cell_term(from, counts_[from] - move, n_);
    const double term_to = cell_term(to, counts_[to] + move, n_);
    if (!accept(rng, term_from + term_to - terms_[from] - terms_[to])) return false;
    counts_[from] -= move;
    counts_[to] += move;
    terms_[from] = term_from;
    terms_[to] = term_to;
    return true;
  }

  //! Adds records to one cell or takes them away; n follows, and with it the
  //! noise of every count taken about a centre.
  template <class Rng>
  bool propose_size(Rng& rng) {
    const std::size_t cell = movable_[below(rng, movable_.size())];
    const double size = draw_step(rng);
    const double move = uniform01(rng) < 0.5 ? size : -size;
    if (counts_[cell] + move < 0.0) return false;
    const double n = n_ + move;
    double log_ratio =
        size_term(n) - size_term_ + cell_term(cell, counts_[cell] + move, n) - terms_[cell];
    for (std::size_t c : centred_)
      if (c != cell) log_ratio += cell_term(c, counts_[c], n) - terms_[c];
    if (!accept(rng, log_ratio)) return false;
    counts_[cell] += move;
    n_ = n;
    size_term_ = size_term(n);
    terms_[cell] = cell_term(cell, counts_[cell], n);
    for (std::size_t c : centred_) terms_[c] = cell_term(c, counts_[c], n);
    return true;
  }

  CategoricalCells cells_;
  std::vector<std::size_t> movable_;  // cells whose count is not known exactly
  std::vector<std::size_t> centred_;  // cells whose noise depends on n
  std::vector<double> steps_;
  std::vector<double> counts_, terms_;
  double n_ = 0.0;
  double size_term_ = 0.0;
  double accepted_ = 0.0, proposed_ = 0.0;
};

}  // namespace noiseaware
