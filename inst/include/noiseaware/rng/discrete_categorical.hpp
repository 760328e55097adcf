#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {
namespace detail {

//! Element k of a vector whose index type may be signed (Eigen) or not (std).
template <class Vector>
double element(const Vector& x, std::size_t k) {
  return x[static_cast<decltype(x.size())>(k)];
}

//! Weights must be finite and not negative, with a finite positive total.
template <class Vector>
void check_weights(const Vector& weights) {
  double total = 0.0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(weights.size()); ++k) {
    const double w = element(weights, k);
    require(std::isfinite(w) && w >= 0.0, "weight", w, "finite and >= 0");
    total += w;
  }
  require(std::isfinite(total) && total > 0.0, "total weight", total, "finite and > 0");
}

//! First index whose cumulative weight exceeds u * total. An index without
//! weight of its own is never returned, even if the product rounds up to total.
inline std::size_t find_category(const std::vector<double>& cumulative, double u) {
  const double total = cumulative.back();
  auto at = std::upper_bound(cumulative.begin(), cumulative.end(), u * total);
  if (at == cumulative.end()) at = std::lower_bound(cumulative.begin(), cumulative.end(), total);
  return static_cast<std::size_t>(at - cumulative.begin());
}

}  // namespace detail

//! Index (from 0) drawn with probabilities proportional to the differences of
//! `cumulative`, which must be finite, non-negative and non-decreasing with a
//! positive last element. For many draws from the same weights see Categorical.
template <class Rng>
std::size_t categorical(Rng& rng, const std::vector<double>& cumulative) {
  double before = 0.0;
  for (const double c : cumulative) {
    detail::require(std::isfinite(c) && c >= before, "cumulative weight", c,
                    "finite and not decreasing");
    before = c;
  }
  detail::require(before > 0.0, "total weight", before, "> 0");
  return detail::find_category(cumulative, uniform01(rng));
}

//! A finite distribution, checked once and drawn from in O(log size).
class Categorical {
 public:
  //! `weights`: any positive total; size() and [].
  template <class Vector>
  explicit Categorical(const Vector& weights) {
    detail::check_weights(weights);
    cumulative_.reserve(static_cast<std::size_t>(weights.size()));
    double total = 0.0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(weights.size()); ++k)
      cumulative_.push_back(total += detail::element(weights, k));
  }

  //! From log weights on any scale; -Inf is a category without mass.
  template <class Vector>
  static Categorical from_log(const Vector& log_weights) {
    double high = -std::numeric_limits<double>::infinity();
    std::vector<double> weights;
    for (std::size_t k = 0; k < static_cast<std::size_t>(log_weights.size()); ++k) {
      weights.push_back(detail::element(log_weights, k));
      detail::require_number(weights.back(), "log weight");
      high = std::max(high, weights.back());
    }
    detail::require(std::isfinite(high), "largest log weight", high, "finite");
    for (double& w : weights) w = std::exp(w - high);
    return Categorical(weights);
  }

  //! Index of a category, counted from 0.
  template <class Rng>
  std::size_t operator()(Rng& rng) const {
    return detail::find_category(cumulative_, uniform01(rng));
  }

  std::size_t size() const { return cumulative_.size(); }

 private:
  std::vector<double> cumulative_;
};

}  // namespace noiseaware
