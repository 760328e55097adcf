#pragma once

#include <array>
#include <cstddef>
#include <limits>

namespace noiseaware {

//! What the sampler reports about one draw.
struct NutsDraw {
  double log_density = 0.0;
  double acceptance = 0.0;  //!< Mean Metropolis probability along the trajectory.
  double step_size = 0.0;
  int depth = 0;
  int leapfrogs = 0;
  bool divergent = false;
  double energy = 0.0;

  //! Names of the sampler variables, in the order of values().
  static constexpr std::array<const char*, 7> names{{"lp__", "accept_stat__", "stepsize__",
                                                     "treedepth__", "n_leapfrog__", "divergent__",
                                                     "energy__"}};

  std::array<double, 7> values() const {
    return {{log_density, acceptance, step_size, static_cast<double>(depth),
             static_cast<double>(leapfrogs), divergent ? 1.0 : 0.0, energy}};
  }
};

//! Estimated Bayesian fraction of missing information of one chain's energies:
//! Betancourt (2016), "Diagnosing suboptimal cotangent disintegrations". Below
//! about 0.3 momenta are refreshed too slowly. NaN for fewer than three draws or
//! a constant energy.
inline double energy_fraction(const double* energy, std::size_t size) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (size < 3) return nothing;
  double mean = 0.0, moved = 0.0, spread = 0.0;
  for (std::size_t i = 0; i < size; ++i) mean += energy[i] / static_cast<double>(size);
  for (std::size_t i = 0; i < size; ++i) {
    spread += (energy[i] - mean) * (energy[i] - mean);
    if (i > 0) moved += (energy[i] - energy[i - 1]) * (energy[i] - energy[i - 1]);
  }
  return spread > 0.0 ? moved / spread : nothing;
}

}  // namespace noiseaware
