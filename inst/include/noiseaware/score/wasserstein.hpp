#pragma once

#include <cmath>
#include <noiseaware/score/ks.hpp>
#include <utility>
#include <vector>

namespace noiseaware {

//! 1-Wasserstein distance of two samples of numbers, of any sizes: the area
//! between their distribution functions (Vallender 1974).
inline double wasserstein1(std::vector<double> x, std::vector<double> y) {
  x = detail::sorted_sample(std::move(x));
  y = detail::sorted_sample(std::move(y));
  double area = 0.0;
  detail::walk_samples(x, y, [&](double from, double to, double f, double g) {
    area += std::abs(f - g) * (to - from);
  });
  return area;
}

}  // namespace noiseaware
