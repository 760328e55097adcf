#pragma once

#include <noiseaware/math/require.hpp>

namespace noiseaware {

//! Settings of the no-U-turn sampler. The defaults of the warm-up windows are
//! those of Stan (Reference Manual, "HMC algorithm parameters").
struct NutsOptions {
  double target_acceptance = 0.9;
  int max_depth = 10;                //!< At most 2^max_depth - 1 leapfrog steps per draw.
  double max_energy_error = 1000.0;  //!< Beyond it a trajectory has diverged.
  int first_buffer = 75;             //!< Warm-up iterations before the metric is estimated.
  int first_window = 25;             //!< Length of the first window; each next one is doubled.
  int last_buffer = 50;              //!< Warm-up iterations after the metric is final.
  //! The estimated metric shrinks towards this multiple of the initial one: 1 if
  //! that was chosen for the target, 1e-3 for a unit metric (Stan's choice).
  double shrink_scale = 1.0;
  //! ... with weight shrink_count / (k + shrink_count) after k positions.
  double shrink_count = 5.0;

  //! Throws std::invalid_argument naming the setting that is out of range.
  void check() const {
    using detail::require;
    require(target_acceptance > 0.0 && target_acceptance < 1.0, "target_acceptance",
            target_acceptance, "between 0 and 1");
    require(max_depth >= 1 && max_depth <= 30, "max_depth", max_depth, "between 1 and 30");
    require(max_energy_error > 0.0, "max_energy_error", max_energy_error, "> 0");
    require(first_buffer >= 0, "first_buffer", first_buffer, ">= 0");
    require(first_window >= 1, "first_window", first_window, ">= 1");
    require(last_buffer >= 0, "last_buffer", last_buffer, ">= 0");
    detail::require_positive(shrink_scale, "shrink_scale");
    detail::require_positive(shrink_count, "shrink_count");
  }
};

}  // namespace noiseaware
