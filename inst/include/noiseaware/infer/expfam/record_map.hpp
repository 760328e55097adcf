#pragma once

#include <cmath>
#include <noiseaware/math/require.hpp>

namespace noiseaware {

//! What a release does to a record before adding it up: records below `lower`
//! become `below`, records above `upper` become `above`, others stay.
struct RecordMap {
  double lower = -1.0, upper = 1.0;
  double below = -1.0, above = 1.0;

  //! Records are clipped to [lower, upper].
  static RecordMap clamp(double lower, double upper) {
    check(lower, upper);
    return {lower, upper, lower, upper};
  }

  //! Records outside [lower, upper] are set to the public centre, so that they add
  //! nothing to sums taken about it.
  static RecordMap redact(double lower, double upper, double centre) {
    check(lower, upper);
    detail::require_finite(centre, "centre");
    return {lower, upper, centre, centre};
  }

  double operator()(double x) const { return x < lower ? below : x > upper ? above : x; }

  //! The same map of (x - centre) / unit.
  RecordMap scaled(double centre, double unit) const {
    return {(lower - centre) / unit, (upper - centre) / unit, (below - centre) / unit,
            (above - centre) / unit};
  }

 private:
  static void check(double lower, double upper) {
    detail::require_finite(lower, "lower");
    detail::require_finite(upper, "upper");
    detail::require(lower < upper, "lower", lower, "below upper");
  }
};

}  // namespace noiseaware
