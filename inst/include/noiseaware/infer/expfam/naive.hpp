#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <noiseaware/infer/expfam/categorical_problem.hpp>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <vector>

// A release taken at face value: its values, moved as little as possible to be
// statistics that n records could have. What the naive method conditions on.

namespace noiseaware {

//! Euclidean projection on {s >= 0, sum(s) = total} (Duchi et al. 2008, Figure 1).
inline std::vector<double> project_simplex(const std::vector<double>& values, double total) {
  std::vector<double> sorted(values), out;
  std::sort(sorted.begin(), sorted.end(), std::greater<double>());
  double sum = 0.0, shift = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - total) / static_cast<double>(i + 1);
    if (i == 0 || sorted[i] > candidate) shift = candidate;
  }
  for (double value : values) out.push_back(std::max(value - shift, 0.0));
  return out;
}

//! One count per cell: released counts in order, then the rest. A suppressed count
//! is 0.
inline std::vector<double> naive_counts(const CategoricalProblem& problem) {
  const CategoricalCells cells(problem);
  const bool told = problem.size.is_known() || problem.size.is_observed();
  const double n = told ? std::max(problem.size.value(), 0.0) : 0.0;
  std::vector<double> out(cells.size(), 0.0), shown;
  std::vector<std::size_t> place;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (!cells.released(c) || cells.count(c).censored) continue;
    place.push_back(c);
    shown.push_back(cells.count(c).value + cells.count(c).centre * n);
  }
  double sum = 0.0;
  for (double value : shown) sum += std::max(value, 0.0);
  const bool moved = told && (!cells.has_block() || sum > n);
  if (moved && !shown.empty()) shown = project_simplex(shown, n);
  for (std::size_t i = 0; i < shown.size(); ++i) out[place[i]] = std::max(shown[i], 0.0);
  if (!cells.has_block()) return out;
  for (std::size_t c = 0; c + 1 < out.size(); ++c) out.back() -= out[c];
  out.back() = std::max(out.back() + n, 0.0);
  return out;
}

//! The sum of n records, about the centre. An exponential sum of 0 would make the
//! rate infinite: it is at least a hundredth of the largest record.
inline double naive_sum(const ScalarProblem& problem) {
  const double n = std::max(problem.size.value(), 0.0), origin = n * problem.centre;
  const double least = problem.family == ScalarFamily::exponential ? 0.01 * problem.map.upper : 0.0;
  const double lowest = std::max(least, n * std::max(problem.map.lower, 0.0));
  const double highest = std::max(least, n * problem.map.upper);
  return std::min(std::max(problem.value + origin, lowest), highest) - origin;
}

//! Sums of n records and of their squares, about the centre. The spread is at least
//! a millionth of the squared half width of the bounds.
inline std::array<double, 2> naive_sums(const NormalProblem& problem) {
  const double n = std::max(problem.size.value(), 0.0);
  const double low = problem.map.lower - problem.centre, high = problem.map.upper - problem.centre;
  const double most = n * std::max(low * low, high * high);
  const double first = std::min(std::max(problem.value[0], n * low), n * high);
  const double second = std::min(std::max(problem.value[1], 0.0), most);
  const double around = n > 0.0 ? first * first / n : 0.0;
  const double least = 1e-6 * problem.half() * problem.half();
  return {{first, around + std::max(second - around, least)}};
}

}  // namespace noiseaware
