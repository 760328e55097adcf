#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/categorical_problem.hpp>
#include <vector>

namespace noiseaware {
namespace detail {

//! A range of whole numbers. A cut end is where a sum was stopped because more
//! seemed negligible, not because more is impossible.
struct CountRange {
  double lo = 0.0;
  double hi = 0.0;
  bool cut_lo = false;
  bool cut_hi = false;
};

//! The counts and sizes worth summing over: a cell's released value, give or take
//! the reach of its noise and the amount by which the released values miss n (the
//! sum constraint may move any one count by that much), `widen` times. A
//! suppressed cell starts at 0 and ends as far above its threshold.
class CategoricalWindows {
 public:
  CategoricalWindows(const CategoricalCells& cells, double widen) : cells_(cells) {
    const double most = find_size_limits(widen);
    cells_range_.resize(cells.size());
    const double slack = mismatch(most);
    for (std::size_t c = 0; c < cells.size(); ++c) cells_range_[c] = around(c, slack, widen, most);
    if (!cells.sample_size().is_known() && !cells.sample_size().is_observed())
      size_ = {sum_lo(), sum_hi(), false, false};
    tighten();
  }

  const CountRange& size() const { return size_; }
  const CountRange& cell(std::size_t c) const { return cells_range_[c]; }

  //! What the sum of cells c, c + 1, ... can be, given the sizes and the others.
  CountRange tail_sum(std::size_t c) const { return difference(0, c); }
  //! What the sum of cells 0, ..., c - 1 can be.
  CountRange head_sum(std::size_t c) const { return difference(c, cells_.size()); }
  //! What the sum of all cells but c can be.
  CountRange others(std::size_t c) const { return difference(c, c + 1); }

 private:
  //! Sizes minus the counts of cells from..to-1.
  CountRange difference(std::size_t from, std::size_t to) const {
    CountRange out = size_;
    for (std::size_t c = from; c < to; ++c) {
      out.lo -= cells_range_[c].hi;
      out.hi -= cells_range_[c].lo;
    }
    out.lo = std::max(out.lo, 0.0);
    return out;
  }

  double sum_lo() const {
    double sum = 0.0;
    for (const CountRange& range : cells_range_) sum += range.lo;
    return sum;
  }
  double sum_hi() const {
    double sum = 0.0;
    for (const CountRange& range : cells_range_) sum += range.hi;
    return sum;
  }

  //! Sets the range of n; returns the largest count a cell can have.
  double find_size_limits(double widen) {
    const SampleSize& size = cells_.sample_size();
    if (size.is_known()) size_ = {size.value(), size.value(), false, false};
    if (size.is_known()) return size.value();
    if (!size.is_observed()) return std::numeric_limits<double>::infinity();
    const double slack = mismatch(std::numeric_limits<double>::infinity());
    const double reach = widen * (size.noise().reach(kNegligibleNats) + slack);
    const double lo = std::max(0.0, std::ceil(size.value() - reach));
    size_ = {lo, std::max(lo, std::floor(std::max(0.0, size.value()) + reach)), lo > 0.0, true};
    return size_.hi;
  }

  static double clamp(double x, double lo, double hi) { return std::min(std::max(x, lo), hi); }

  //! Sum of the released values, or of the thresholds of suppressed cells.
  double released_sum(double most, bool censored) const {
    double sum = 0.0;
    for (std::size_t c = 0; c < cells_.size(); ++c)
      if (cells_.released(c) && cells_.count(c).censored == censored)
        sum += clamp(cells_.count(c).value, 0.0, most);
    return sum;
  }

  //! By how much the released counts miss n; a cell without a count takes up
  //! what is left over, suppressed cells up to their thresholds.
  double mismatch(double most) const {
    const SampleSize& size = cells_.sample_size();
    if (!size.is_known() && !size.is_observed()) return 0.0;
    const double excess = released_sum(most, false) - size.value();
    if (excess >= 0.0) return excess;
    return cells_.has_block() ? 0.0 : std::max(0.0, -excess - released_sum(most, true));
  }

  CountRange around(std::size_t c, double slack, double widen, double most) const {
    if (!cells_.released(c)) return {0.0, most, false, false};
    const NoisyCount& count = cells_.count(c);
    if (count.censored) return below(count, slack, widen, most);
    const double middle = clamp(count.value, 0.0, most);
    if (count.noise.exact()) return {std::nearbyint(middle), std::nearbyint(middle), false, false};
    const double reach = widen * (count.noise.reach(kNegligibleNats) + slack);
    const double lo = std::max(0.0, std::ceil(middle - reach));
    const double hi = std::min(most, std::floor(middle + reach));
    return {lo, hi, lo > 0.0, hi < most};
  }

  static CountRange below(const NoisyCount& count, double slack, double widen, double most) {
    if (count.noise.exact()) {
      if (count.highest(0.0) < 0.0) no_count_fits();
      return {0.0, std::min(most, count.highest(0.0)), false, false};
    }
    const double reach = widen * (count.noise.reach(kNegligibleNats) + slack);
    const double hi = std::min(most, std::floor(std::max(count.value, 0.0) + reach));
    return {0.0, hi, false, hi < most};
  }

  //! A count is at most what the others leave, and at least what they lack.
  void tighten() {
    const double lo = sum_lo(), hi = sum_hi();
    for (CountRange& range : cells_range_) {
      const double least = size_.lo - (hi - range.hi), most = size_.hi - (lo - range.lo);
      if (least > range.lo) range = {least, range.hi, false, range.cut_hi};
      if (most < range.hi) range = {range.lo, most, range.cut_lo, false};
      if (range.lo > range.hi) no_count_fits();
    }
  }

  const CategoricalCells& cells_;
  std::vector<CountRange> cells_range_;
  CountRange size_;
};

}  // namespace detail
}  // namespace noiseaware
