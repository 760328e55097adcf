#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/score/effective_size.hpp>
#include <vector>

// Where the truth lies among posterior draws.

namespace noiseaware {

//! What a trial records of one variable.
struct TrialScore {
  double u = 0.0;      //!< randomised rank of the truth
  double mean = 0.0;   //!< of the draws
  double sd = 0.0;     //!< of the draws
  double lower = 0.0;  //!< ends of the central interval
  double upper = 0.0;
  double draws = 0.0;  //!< number of draws the rank is taken among
};

namespace detail {

//! How many independent draws the chains are worth, at least 1. A chain that
//! never moves is worth one.
inline std::size_t worth(const std::vector<double>& draws, std::size_t chains, bool independent) {
  if (independent) return draws.size();
  const double size = effective_size(draws.data(), draws.size() / chains, chains);
  if (!(size >= 2.0)) return 1;
  return std::min(draws.size(), static_cast<std::size_t>(size));
}

//! `kept` of `size` draws, evenly spaced from the first to the last.
inline std::size_t spaced_index(std::size_t i, std::size_t kept, std::size_t size) {
  if (kept < 2) return 0;
  const double step = static_cast<double>(size - 1) / static_cast<double>(kept - 1);
  return static_cast<std::size_t>(std::nearbyint(static_cast<double>(i) * step));
}

//! Quantile by linear interpolation of the order statistics of sorted draws.
inline double sorted_quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - std::floor(at)) * (sorted[below + 1] - sorted[below]);
}

}  // namespace detail

//! The randomised rank of the truth, between 0 and 1: (less + U (1 + ties)) /
//! (1 + draws), uniform if the posterior is right and the draws independent. Chains
//! are thinned to as many evenly spaced draws as they are worth, because ranks among
//! autocorrelated draws pile up at 0 and 1. `draws` holds the chains one by one.
inline TrialScore score_draws(std::vector<double> draws, std::size_t chains, bool independent,
                              double truth, double uniform, double prob) {
  TrialScore out;
  const std::size_t kept = detail::worth(draws, chains, independent);
  double less = 0.0, ties = 0.0;
  for (std::size_t i = 0; i < kept; ++i) {
    const double draw = draws[detail::spaced_index(i, kept, draws.size())];
    less += draw < truth;
    ties += draw == truth;
  }
  out.draws = static_cast<double>(kept);
  out.u = (less + uniform * (1.0 + ties)) / (1.0 + out.draws);
  const double size = static_cast<double>(draws.size());
  for (double draw : draws) out.mean += draw / size;
  for (double draw : draws) out.sd += (draw - out.mean) * (draw - out.mean);
  out.sd = std::sqrt(out.sd / std::max(size - 1.0, 1.0));
  std::sort(draws.begin(), draws.end());
  out.lower = detail::sorted_quantile(draws, 0.5 * (1.0 - prob));
  out.upper = detail::sorted_quantile(draws, 0.5 * (1.0 + prob));
  return out;
}

}  // namespace noiseaware
