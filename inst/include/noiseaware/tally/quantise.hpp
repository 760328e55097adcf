#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace noiseaware {

static_assert(std::numeric_limits<double>::is_iec559, "cells are quantised in IEEE-754 doubles");

//! The public grid of one numeric column: whole numbers of steps 2^-grid_exp.
//! Whole numbers up to 2^51 are exact in doubles, which is what the block sums
//! work on.
class CellGrid {
 public:
  //! `reach` is the largest distance from the centre that the caller can use.
  CellGrid(double lower_q, double upper_q, double centre_q, int grid_exp, double missing_q,
           double reach = max_reach)
      : scale_(std::ldexp(1.0, grid_exp)),
        lower_(std::ldexp(lower_q, -grid_exp)),
        upper_(std::ldexp(upper_q, -grid_exp)),
        centre_(centre_q),
        missing_(missing_q - centre_q) {
    const bool ordered = lower_q < upper_q && lower_q <= centre_q && centre_q <= upper_q;
    const bool fits = std::fabs(lower_q) <= max_steps && std::fabs(upper_q) <= max_steps &&
                      upper_q - centre_q <= reach && centre_q - lower_q <= reach;
    const bool inside = lower_q <= missing_q && missing_q <= upper_q;
    if (!(ordered && fits && inside)) throw std::invalid_argument("column grid is not consistent");
  }

  //! Largest distance from the centre for sums, in steps: 2^20 + 1. Products of two then
  //! stay below 2^40.01, so 2^12 of them add up exactly in a double.
  static constexpr double max_reach = 1048577.0;
  static constexpr double max_steps = 2251799813685248.0;

  //! Steps from the centre of any double: infinities saturate, NaN is missing.
  //! Comparisons come first, so that nothing overflows; the middle case keeps
  //! 0.49999999999999994 from rounding up in the addition.
  double operator()(double x) const {
    if (std::isnan(x)) return missing_;
    const double clamped = x < lower_ ? lower_ : (x > upper_ ? upper_ : x);
    const double scaled = clamped * scale_;
    if (std::fabs(scaled) < 0.5) return -centre_;
    return floor_exact(scaled + 0.5) - centre_;
  }

  bool outside(double x) const { return x < lower_ || x > upper_; }
  double missing() const { return missing_; }

  //! The largest distance from the centre, in steps.
  double largest_step() const {
    return std::fmax(upper_ * scale_ - centre_, centre_ - lower_ * scale_);
  }

 private:
  //! floor() for |x| <= 2^52 without a library call. The comparison is added up
  //! as an integer: a branch on it would be mispredicted for every other number
  //! of a column centred at 0.
  static double floor_exact(double x) {
    const auto truncated = static_cast<std::int64_t>(x);
    return static_cast<double>(truncated - (static_cast<double>(truncated) > x ? 1 : 0));
  }

  double scale_, lower_, upper_, centre_, missing_;
};

}  // namespace noiseaware
