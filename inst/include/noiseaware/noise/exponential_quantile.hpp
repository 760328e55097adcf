#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <noiseaware/noise/exponential_weights.hpp>
#include <noiseaware/wide/int128.hpp>
#include <noiseaware/wide/wipe.hpp>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace noiseaware {

//! Cells of one column as whole numbers: wiped like exact sums.
using SecretPoints = std::vector<std::int64_t, WipingAllocator<std::int64_t>>;

//! A private quantile of whole numbers in lower..upper (Smith 2011): a point g of
//! that public range is drawn with probability proportional to W_{d(g)}, where
//!   d(g) = floor(max(1000 below(g) - P n, P n - 1000 upto(g), 0) / 1000)
//! with below(g) the number of records less than g, upto(g) that of records up to
//! g, n the number of records, and P / 1000 the probability of the quantile: how
//! far the rank P n / 1000 is from the ranks that g has. Between records both
//! counts are the same and d(g) = floor(|1000 below(g) - P n| / 1000); a value that
//! many records share has many ranks.
//!
//! It is exactly epsilon-differentially private. Between neighbours every d(g)
//! changes by at most 1: replacing a record leaves n and changes either count by
//! at most 1, so both differences by at most 1000; adding one changes them by P
//! or 1000 - P, at most 1000 too. The maximum of numbers that change by at most
//! 1000 does so as well, and numbers at most 1000 apart have floors of thousandths
//! at most 1 apart. So W_{d(g)} changes by a factor of at most exp(epsilon / 2),
//! the sum of the weights likewise, and the probability of g, their quotient, by
//! at most exp(epsilon). Nothing is rounded on the way.
class ExponentialQuantile {
 public:
  //! `points` must be sorted and inside the range.
  ExponentialQuantile(const SecretPoints& points, std::int64_t lower, std::int64_t upper,
                      unsigned thousandths, std::uint64_t epsilon_units)
      : points_(points),
        lower_(lower),
        upper_(upper),
        thousandths_(thousandths),
        weights_(epsilon_units, points.size()) {
    check();
    visit([&](std::int64_t, std::uint64_t width, std::uint64_t weight) {
      total_ += u128{width} * weight;
    });
  }

  //! Sum of the weights of all points of the range.
  u128 total() const { return total_; }

  //! Calls use(first, width, weight) for runs of points of equal weight, in order,
  //! until it returns true (or to the end if it returns nothing).
  template <class Use>
  void visit(Use&& use) const {
    std::int64_t first = lower_;
    std::size_t below = 0;
    while (below < points_.size()) {
      const std::int64_t at = points_[below];
      std::size_t upto = below;
      while (upto < points_.size() && points_[upto] == at) ++upto;
      if (stops(use, first, at - first, below, below) || stops(use, at, 1, below, upto)) return;
      first = at + 1;
      below = upto;
    }
    stops(use, first, upper_ - first + 1, below, below);
  }

  template <class Source>
  std::int64_t draw(Source& source) const {
    u128 left = below_wide(source, total_);
    std::int64_t drawn = lower_;
    visit([&](std::int64_t first, std::uint64_t width, std::uint64_t weight) {
      const u128 mass = u128{width} * weight;
      if (left >= mass) {
        left -= mass;
        return false;
      }
      drawn = first + static_cast<std::int64_t>(left / weight);
      return true;
    });
    return drawn;
  }

 private:
  //! 2^53 points and 2^62 per weight leave room in 128 bits.
  static constexpr std::int64_t most = std::int64_t{1} << 52;

  void check() const {
    if (lower_ >= upper_ || lower_ < -most || upper_ > most)
      throw std::invalid_argument("the range of a quantile must be lower < upper, within 2^52");
    if (thousandths_ > 1000) throw std::invalid_argument("a probability must be at most 1");
    if (points_.empty()) return;
    if (!std::is_sorted(points_.begin(), points_.end()) || points_.front() < lower_ ||
        points_.back() > upper_)
      throw std::invalid_argument("points must be sorted and inside the range");
  }

  std::uint64_t distance(std::size_t below, std::size_t upto) const {
    const i128 rank = static_cast<i128>(thousandths_) * static_cast<i128>(points_.size());
    const i128 apart =
        std::max(1000 * static_cast<i128>(below) - rank, rank - 1000 * static_cast<i128>(upto));
    return static_cast<std::uint64_t>(std::max(apart, i128{0}) / 1000);
  }

  //! Hands over one run, if it is not empty; whether that was enough.
  template <class Use>
  bool stops(Use& use, std::int64_t first, std::int64_t length, std::size_t below,
             std::size_t upto) const {
    if (length == 0) return false;
    const auto width = static_cast<std::uint64_t>(length);
    const std::uint64_t weight = weights_[distance(below, upto)];
    if constexpr (std::is_void_v<decltype(use(first, width, weight))>) {
      use(first, width, weight);
      return false;
    } else {
      return use(first, width, weight);
    }
  }

  const SecretPoints& points_;
  std::int64_t lower_, upper_;
  unsigned thousandths_;
  ExponentialWeights weights_;
  u128 total_ = 0;
};

}  // namespace noiseaware
