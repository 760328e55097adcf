#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/math/require.hpp>
#include <stdexcept>
#include <vector>

// Kolmogorov-Smirnov distances: the largest difference of distribution functions.

namespace noiseaware {
namespace detail {

//! A sorted copy of a sample of finite numbers.
inline std::vector<double> sorted_sample(std::vector<double> x) {
  if (x.empty()) throw std::invalid_argument("a sample must not be empty");
  for (const double v : x) require_finite(v, "sample value");
  std::sort(x.begin(), x.end());
  return x;
}

}  // namespace detail

//! Distance of a sample from the uniform distribution on [0, 1].
inline double ks_uniform(std::vector<double> u) {
  u = detail::sorted_sample(std::move(u));
  const double size = static_cast<double>(u.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double at = std::min(std::max(u[i], 0.0), 1.0);
    const double before = static_cast<double>(i) / size;
    const double after = static_cast<double>(i + 1) / size;
    distance = std::max(distance, std::max(after - at, at - before));
  }
  return distance;
}

namespace detail {

//! Calls visit(from, to, F, G) for every interval between neighbouring values
//! of two sorted samples, with the two distribution functions in it.
template <class Visit>
void walk_samples(const std::vector<double>& x, const std::vector<double>& y, Visit&& visit) {
  const double m = static_cast<double>(x.size()), n = static_cast<double>(y.size());
  std::size_t i = 0, j = 0;
  while (i < x.size() || j < y.size()) {
    const double at = j == y.size() || (i < x.size() && x[i] <= y[j]) ? x[i] : y[j];
    while (i < x.size() && x[i] == at) ++i;
    while (j < y.size() && y[j] == at) ++j;
    if (i == x.size() && j == y.size()) return;
    const double next = j == y.size() || (i < x.size() && x[i] <= y[j]) ? x[i] : y[j];
    visit(at, next, static_cast<double>(i) / m, static_cast<double>(j) / n);
  }
}

}  // namespace detail

//! Distance between two samples; values may be tied.
inline double ks_two_sample(std::vector<double> x, std::vector<double> y) {
  x = detail::sorted_sample(std::move(x));
  y = detail::sorted_sample(std::move(y));
  double distance = 0.0;
  detail::walk_samples(x, y, [&](double, double, double f, double g) {
    distance = std::max(distance, std::abs(f - g));
  });
  return distance;
}

}  // namespace noiseaware
