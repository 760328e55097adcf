#pragma once

#include <cstdint>
#include <noiseaware/noise/discrete_gaussian.hpp>
#include <noiseaware/noise/discrete_laplace.hpp>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

enum class NoiseKind { laplace, gaussian };

//! The exact sums with independent integer noise added: what is published.
template <class Source, class Sums>
std::vector<i128> add_noise(Source& source, NoiseKind kind,
                            const std::vector<std::uint64_t>& scales, const Sums& sums) {
  if (scales.size() != sums.size())
    throw std::invalid_argument("there must be one noise scale per statistic");
  std::vector<i128> out;
  out.reserve(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    out.push_back(sums[i] + (kind == NoiseKind::laplace ? discrete_laplace(source, scales[i])
                                                        : discrete_gaussian(source, scales[i])));
  return out;
}

}  // namespace noiseaware
