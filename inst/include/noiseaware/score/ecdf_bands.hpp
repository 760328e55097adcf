#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/math/log_pmf.hpp>
#include <noiseaware/math/require.hpp>
#include <vector>

// Simultaneous bands for the distribution function of a uniform sample
// (Sailynoja, Buerkner and Vehtari 2022): at each of the points 1 / points,
// 2 / points, ... a central interval of the binomial count, all with the same
// pointwise level, chosen so that a whole curve stays inside with the given
// probability. That probability is computed, not simulated.

namespace noiseaware {

//! Counts of sample values at most k / points, k = 1, ..., points, that are inside.
struct EcdfBand {
  std::vector<int> lower, upper;
  double level;  //!< Probability of leaving the band at one point, at most.
};

namespace detail {

//! P(X <= k), k = 0, ..., n, and P(X >= k) of a binomial count, each added up from
//! its own end.
struct BinomialTails {
  std::vector<double> below, above;

  BinomialTails(int n, double p) {
    const auto cells = static_cast<std::size_t>(n) + 1;
    std::vector<double> mass(cells);
    for (std::size_t k = 0; k < cells; ++k)
      mass[k] = std::exp(log_binomial_pmf(static_cast<double>(k), n, p));
    below.resize(cells);
    above.resize(cells);
    double up = 0.0, down = 0.0;
    for (std::size_t k = 0; k < cells; ++k) {
      below[k] = up += mass[k];
      above[cells - 1 - k] = down += mass[cells - 1 - k];
    }
  }

  //! The least count whose lower tail has at least mass `tail`.
  int least(double tail) const {
    const auto at = std::lower_bound(below.begin(), below.end(), tail);
    return static_cast<int>(std::min(at, below.end() - 1) - below.begin());
  }

  //! The largest count whose upper tail has at least mass `tail`.
  int largest(double tail) const {
    const auto at = std::lower_bound(above.rbegin(), above.rend(), tail);
    return static_cast<int>(above.size() - 1) -
           static_cast<int>(std::min(at, above.rend() - 1) - above.rbegin());
  }
};

//! Counts of the intervals between the points are Poisson given their total, so
//! that one kernel carries the count from every point to the next.
class EcdfWalk {
 public:
  EcdfWalk(int size, int points) : size_(size), kernel_(static_cast<std::size_t>(size) + 1) {
    const double mean = static_cast<double>(size) / points;
    for (std::size_t d = 0; d < kernel_.size(); ++d)
      kernel_[d] = std::exp(log_poisson_pmf(static_cast<double>(d), mean));
    while (kernel_.size() > 1 && kernel_.back() < 1e-25) kernel_.pop_back();
  }

  //! Probability that the counts stay within the band.
  double coverage(const EcdfBand& band) const {
    std::vector<double> mass(1, 1.0);
    int first = 0;
    for (std::size_t k = 0; k < band.lower.size(); ++k) {
      mass = step(mass, first, band.lower[k], band.upper[k]);
      first = band.lower[k];
    }
    return mass.back() / std::exp(log_poisson_pmf(size_, size_));
  }

 private:
  //! From counts first, first + 1, ... to the counts from lower to upper.
  std::vector<double> step(const std::vector<double>& mass, int first, int lower, int upper) const {
    std::vector<double> next(static_cast<std::size_t>(std::max(upper - lower + 1, 1)), 0.0);
    const int reach = static_cast<int>(kernel_.size()) - 1;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const int from = first + static_cast<int>(i);
      for (int to = std::max(from, lower); to <= std::min(from + reach, upper); ++to)
        next[static_cast<std::size_t>(to - lower)] +=
            mass[i] * kernel_[static_cast<std::size_t>(to - from)];
    }
    return next;
  }

  double size_;
  std::vector<double> kernel_;
};

//! The band with one pointwise level; at the last point every value has been counted.
inline EcdfBand band_of_level(const std::vector<BinomialTails>& tails, int size, double level) {
  EcdfBand band;
  for (const BinomialTails& tail : tails) {
    band.lower.push_back(tail.least(0.5 * level));
    band.upper.push_back(tail.largest(0.5 * level));
  }
  band.lower.push_back(size);
  band.upper.push_back(size);
  band.level = level;
  return band;
}

}  // namespace detail

//! The narrowest such band that holds the curve of `size` uniform values with
//! probability at least `prob`.
inline EcdfBand ecdf_band(int size, int points, double prob) {
  detail::require(size >= 1 && size <= 1000000, "size", size, "between 1 and 1e6");
  detail::require(points >= 2 && points <= 10000, "points", points, "between 2 and 10000");
  detail::require(prob > 0.0 && prob < 1.0, "prob", prob, "strictly between 0 and 1");
  std::vector<detail::BinomialTails> tails;
  for (int k = 1; k < points; ++k) tails.emplace_back(size, static_cast<double>(k) / points);
  const detail::EcdfWalk walk(size, points);
  // Bonferroni's level is enough, the level of a single point is too much.
  double enough = (1.0 - prob) / points, too_much = 1.0 - prob;
  while (too_much > enough * (1.0 + 1e-6)) {
    const double middle = std::sqrt(enough * too_much);
    const bool inside = walk.coverage(detail::band_of_level(tails, size, middle)) >= prob;
    (inside ? enough : too_much) = middle;
  }
  return detail::band_of_level(tails, size, enough);
}

//! Probability that the curve of `size` uniform values stays within a band.
inline double ecdf_band_coverage(const EcdfBand& band, int size) {
  return detail::EcdfWalk(size, static_cast<int>(band.lower.size())).coverage(band);
}

}  // namespace noiseaware
