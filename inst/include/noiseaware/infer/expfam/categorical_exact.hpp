#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/categorical_problem.hpp>
#include <noiseaware/infer/expfam/categorical_windows.hpp>
#include <noiseaware/infer/expfam/count_pmf.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <vector>

namespace noiseaware {

//! The posterior of theta given noisy counts of a factor, exactly. The latent
//! counts have probability proportional to prod_c g_c(s_c) on sum s = n, with
//!   g_c(s) = Gamma(alpha_c + s) / (s! Gamma(alpha_c)) f(z_c - s).
//! Convolving g from the last cell backwards gives the evidence and lets the
//! counts be drawn one after the other; theta is Dirichlet given them. Draws are
//! independent.
//!
//! Each g is first tilted by exp(-tilt * s) so that the sum of the counts has
//! mean n. The tilt cancels where the sum is fixed, keeps the convolution from
//! underflowing when the counts disagree with n, and makes it safe to drop
//! tails: P(s_c = s | sum = n) <= tilted mass of s / P(sum = n). Windows are
//! widened until the posterior at every cut end is negligible.
class CategoricalExact {
 public:
  //! Longer windows could not be convolved in reasonable time anyway.
  static constexpr double max_length = 4e6;

  //! Gives up, and is not feasible(), when more than `max_work` multiplications
  //! would be needed.
  CategoricalExact(const CategoricalProblem& problem, double max_work)
      : cells_(problem), max_work_(max_work) {
    for (const NoisyCount& count : problem.counts)
      detail::require(count.centre == 0.0, "centre", count.centre, "0");
    for (double widen = 1.0; widen <= 0x1.0p20; widen *= 2.0) {
      feasible_ = solve(widen);
      if (!feasible_ || ends_negligible()) return;
    }
    throw std::runtime_error("the windows of the counts did not settle");
  }

  //! Whether the sum was small enough to be made; nothing else may be asked if not.
  bool feasible() const { return feasible_; }
  double work() const { return work_; }
  const CategoricalCells& cells() const { return cells_; }
  //! log p(release), with a flat prior on n where n is latent.
  double log_evidence() const { return log_evidence_; }
  //! Posterior of the count of one cell; its masses add up to 1.
  const CountPmf& marginal(std::size_t cell) const { return marginals_[cell]; }
  //! Moments of theta per category.
  std::vector<MixtureMoments> moments() const { return cells_.by_category(moments_); }

  //! Draws the counts of the cells and n, independently of earlier draws.
  template <class Rng>
  void draw_counts(Rng& rng, std::vector<double>& counts, double& n) const {
    n = sizes_.first + static_cast<double>(detail::find_category(size_sums_, uniform01(rng)));
    double left = n;
    for (std::size_t c = 0; c + 1 < cells_.size(); ++c) {
      counts[c] = draw_count(rng, c, left);
      left -= counts[c];
    }
    counts.back() = left;
  }

 private:
  // --- one attempt -------------------------------------------------------------

  bool solve(double widen) {
    const detail::CategoricalWindows windows(cells_, widen);
    ranges_.clear();
    for (std::size_t c = 0; c < cells_.size(); ++c) ranges_.push_back(windows.cell(c));
    size_range_ = windows.size();
    if (total_length() > max_length) return false;
    fill_log_weights();
    if (!centre_sum(windows, widen * kNegligibleNats)) return false;
    return find_marginals(windows);
  }

  //! Tilts towards n; where n is latent, towards its posterior mean, which is
  //! only known afterwards. Of many cells each may be where it should be while
  //! their sum is far off and its tail dropped, so this cannot be left to the ends.
  bool centre_sum(const detail::CategoricalWindows& windows, double nats) {
    double target = first_target();
    for (int attempt = 0; attempt < 20; ++attempt) {
      tilt_to(target);
      for (CountPmf& pmf : tilted_) trim(pmf, nats);
      if (!convolve_backwards(windows, nats)) return false;
      weigh_sizes();
      const double mean = sizes_.mean();
      if (std::abs(mean - target) <= sum_sd_) break;
      target = mean;
    }
    return true;
  }

  double total_length() const {
    double sum = 0.0;
    for (const detail::CountRange& range : ranges_) sum += range.hi - range.lo + 1.0;
    return sum;
  }

  void fill_log_weights() {
    log_weights_.assign(cells_.size(), {});
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const detail::CountRange& range = ranges_[c];
      log_weights_[c] = log_count_weights(cells_.concentration(c), range.lo, range.hi);
      for (std::size_t i = 0; i < log_weights_[c].size(); ++i)
        log_weights_[c][i] += cells_.log_noise(c, range.lo + static_cast<double>(i), 0.0);
    }
  }

  //! n, or a first guess of it: its released value, else what the counts add up to.
  double first_target() {
    const SampleSize& size = cells_.sample_size();
    const bool told = size.is_known() || size.is_observed();
    const double guess = told ? size.value() : apply_tilt(0.0);
    return std::min(std::max(guess, size_range_.lo), size_range_.hi);
  }

  double sum_variance() const {
    double sum = 0.0;
    for (const CountPmf& pmf : tilted_) sum += pmf.variance();
    return sum;
  }

  //! Tilts every cell by `tilt`; returns the mean of the sum of the counts.
  double apply_tilt(double tilt) {
    tilt_ = tilt;
    tilted_.assign(cells_.size(), CountPmf());
    log_normaliser_ = 0.0;
    double mean = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      tilted_[c].first = ranges_[c].lo;
      log_normaliser_ += tilt_into(log_weights_[c], tilt, tilted_[c]) - tilt * ranges_[c].lo;
      mean += tilted_[c].mean();
    }
    return mean;
  }

  //! Newton's method kept inside a bracket: the mean falls as the tilt grows. A
  //! tilt of 50 leaves nothing but one end of every range.
  void tilt_to(double target) {
    double lo = -50.0, hi = 50.0, tilt = 0.0;
    for (int k = 0; k < 100; ++k) {
      const double gap = apply_tilt(tilt) - target;
      const double spread = sum_variance();
      sum_sd_ = std::sqrt(spread);
      if (std::abs(gap) <= 0.1 * sum_sd_ || hi - lo < 1e-12) return;
      (gap > 0.0 ? lo : hi) = tilt;
      const double newton = tilt + gap / spread;  // the mean has derivative -spread
      tilt = newton > lo && newton < hi ? newton : 0.5 * (lo + hi);
    }
  }

  bool charge(double work) {
    work_ += work;
    return work_ <= max_work_;
  }

  //! tails_[c] is the distribution of s_c + s_{c+1} + ...
  bool convolve_backwards(const detail::CategoricalWindows& windows, double nats) {
    tails_.assign(cells_.size() + 1, CountPmf());
    for (std::size_t c = cells_.size(); c-- > 0;) {
      if (!charge(convolution_work(tilted_[c], tails_[c + 1]))) return false;
      const detail::CountRange range = windows.tail_sum(c);
      tails_[c] = convolve(tilted_[c], tails_[c + 1], range.lo, range.hi);
      if (tails_[c].mass.empty()) detail::no_count_fits();
      if (c > 0) trim(tails_[c], nats);
    }
    return true;
  }

  //! The factor of a size n that no cell carries: tilt undone, normaliser of the
  //! Dirichlet-multinomial, noise of a released n.
  double log_size_factor(double n) const {
    return tilt_ * n - log_count_weight(cells_.total_concentration(), n) +
           cells_.sample_size().log_density(n);
  }

  //! Posterior of n up to a factor, and its partial sums.
  void weigh_sizes() {
    sizes_ = tails_[0];
    size_factors_.assign(sizes_.mass.size(), 0.0);
    double high = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < sizes_.mass.size(); ++i) {
      size_factors_[i] = log_size_factor(sizes_.first + static_cast<double>(i));
      if (sizes_.mass[i] > 0.0) high = std::max(high, size_factors_[i] + std::log(sizes_.mass[i]));
    }
    if (!std::isfinite(high)) detail::no_count_fits();
    double total = 0.0;
    size_sums_.clear();
    for (std::size_t i = 0; i < sizes_.mass.size(); ++i) {
      // Where the mass underflowed, the factor may be too large to be represented.
      size_factors_[i] = sizes_.mass[i] > 0.0 ? std::exp(size_factors_[i] - high) : 0.0;
      size_sums_.push_back(total += sizes_.mass[i] *= size_factors_[i]);
    }
    log_evidence_ = log_normaliser_ + high + std::log(total);
  }

  //! Posterior of every count by itself, and the moments of theta.
  bool find_marginals(const detail::CategoricalWindows& windows) {
    marginals_.clear();
    moments_.clear();
    CountPmf head;  // distribution of s_0 + ... + s_{c-1}
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const double rows = static_cast<double>(sizes_.mass.size() * tilted_[c].mass.size());
      if (!charge(convolution_work(head, tails_[c + 1]) + rows)) return false;
      const detail::CountRange range = windows.others(c);
      add_marginal(c, convolve(head, tails_[c + 1], range.lo, range.hi));
      if (!charge(convolution_work(tilted_[c], head))) return false;
      const detail::CountRange next = windows.head_sum(c + 1);
      head = convolve(tilted_[c], head, next.lo, next.hi);
      trim(head);
    }
    return true;
  }

  void add_marginal(std::size_t c, const CountPmf& others) {
    CountPmf marginal = tilted_[c];
    const double alpha = cells_.concentration(c), total = cells_.total_concentration();
    MixtureAccumulator mixture((alpha + marginal.mean()) / (total + sizes_.mean()));
    for (std::size_t i = 0; i < marginal.mass.size(); ++i) {
      const double s = marginal.first + static_cast<double>(i);
      double sum = 0.0;
      for (std::size_t j = 0; j < sizes_.mass.size(); ++j) {
        const double n = sizes_.first + static_cast<double>(j);
        const double weight = marginal.mass[i] * others.at(n - s) * size_factors_[j];
        if (weight == 0.0) continue;
        mixture.add(weight, alpha + s, total - alpha + n - s);
        sum += weight;
      }
      marginal.mass[i] = sum;
    }
    for (double& mass : marginal.mass) mass /= mixture.total();
    marginals_.push_back(marginal);
    moments_.push_back(mixture.moments());
  }

  // --- is what was cut off negligible? -------------------------------------------

  static bool negligible(double mass) { return mass < 1e-14; }

  static bool ends_negligible(const CountPmf& pmf, const detail::CountRange& range) {
    const bool natural_lo = pmf.first == range.lo && !range.cut_lo;
    const bool natural_hi = pmf.last() == range.hi && !range.cut_hi;
    return (natural_lo || negligible(pmf.mass.front())) &&
           (natural_hi || negligible(pmf.mass.back()));
  }

  bool ends_negligible() const {
    for (std::size_t c = 0; c < cells_.size(); ++c)
      if (!ends_negligible(marginals_[c], ranges_[c])) return false;
    if (!cells_.sample_size().is_observed()) return true;
    return !(size_range_.cut_lo && !negligible(sizes_.at(size_range_.lo) / size_sums_.back())) &&
           !(size_range_.cut_hi && !negligible(sizes_.at(size_range_.hi) / size_sums_.back()));
  }

  template <class Rng>
  double draw_count(Rng& rng, std::size_t c, double left) const {
    const CountPmf& pmf = tilted_[c];
    const CountPmf& rest = tails_[c + 1];
    const double from = std::max(pmf.first, left - rest.last());
    const double to = std::min(pmf.last(), left - rest.first);
    const double target = uniform01(rng) * tails_[c].at(left);
    double sum = 0.0, last = from;
    for (double s = from; s <= to; ++s) {
      const double weight = pmf.mass[static_cast<std::size_t>(s - pmf.first)] *
                            rest.mass[static_cast<std::size_t>(left - s - rest.first)];
      if (weight <= 0.0) continue;
      last = s;
      sum += weight;
      if (sum > target) return s;
    }
    return last;  // rounding left the target above the sum
  }

  CategoricalCells cells_;
  double max_work_;
  double work_ = 0.0;
  bool feasible_ = false;
  std::vector<detail::CountRange> ranges_;
  detail::CountRange size_range_;
  std::vector<std::vector<double>> log_weights_;
  double tilt_ = 0.0;
  double sum_sd_ = 0.0;  // of the sum of the tilted counts
  double log_normaliser_ = 0.0;
  std::vector<CountPmf> tilted_, tails_, marginals_;
  std::vector<MixtureMoments> moments_;
  CountPmf sizes_;
  std::vector<double> size_factors_, size_sums_;
  double log_evidence_ = 0.0;
};

}  // namespace noiseaware
