#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/math/require.hpp>
#include <stdexcept>
#include <vector>

// Maximum mean discrepancy of two samples with the kernel exp(-|x - y|^2 / 2):
// the unbiased estimate of its square (Gretton et al. 2012, Lemma 6).

namespace noiseaware {

//! A sample of points: `values` holds point i in places i * dimension, ...
struct PointSample {
  std::vector<double> values;
  std::size_t dimension = 1;

  std::size_t size() const { return values.size() / dimension; }
  const double* point(std::size_t i) const { return values.data() + i * dimension; }
};

namespace detail {

//! Sums of the kernel over all pairs of points, those of a point with itself
//! included, and over the pairs (x_i, y_i).
struct KernelSums {
  double within_x, within_y, between, paired;
};

//! Gretton et al. (2012), eq. (3) and, for samples of one size, eq. (4), which
//! leaves out the pairs (x_i, y_i) and so allows them to be dependent.
inline double unbiased_mmd2(const KernelSums& sums, double m, double n) {
  if (m == n)
    return (sums.within_x + sums.within_y - 2.0 * sums.between - 2.0 * m + 2.0 * sums.paired) /
           (m * (m - 1.0));
  return (sums.within_x - m) / (m * (m - 1.0)) + (sums.within_y - n) / (n * (n - 1.0)) -
         2.0 * sums.between / (m * n);
}

inline double gauss_kernel(const double* x, const double* y, std::size_t dimension) {
  double square = 0.0;
  for (std::size_t k = 0; k < dimension; ++k) square += (x[k] - y[k]) * (x[k] - y[k]);
  return std::exp(-0.5 * square);
}

inline double paired_sum(const PointSample& x, const PointSample& y) {
  if (x.size() != y.size()) return 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += gauss_kernel(x.point(i), y.point(i), x.dimension);
  return sum;
}

//! Points per block: two blocks of ten dimensions fit in the nearest cache.
constexpr std::size_t kKernelBlock = 128;

//! Kernel summed over two blocks of points. Partial sums of a block keep the
//! rounding error small.
inline double block_sum(const PointSample& x, std::size_t i0, const PointSample& y,
                        std::size_t j0) {
  const std::size_t i1 = std::min(i0 + kKernelBlock, x.size());
  const std::size_t j1 = std::min(j0 + kKernelBlock, y.size());
  double sum = 0.0;
  for (std::size_t i = i0; i < i1; ++i)
    for (std::size_t j = j0; j < j1; ++j) sum += gauss_kernel(x.point(i), y.point(j), x.dimension);
  return sum;
}

//! Sum over all pairs, block by block: never a matrix. `check()` is called once
//! per row of blocks and may throw to give up.
template <class Check>
double kernel_sum(const PointSample& x, const PointSample& y, Check& check) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); i += kKernelBlock) {
    check();
    for (std::size_t j = 0; j < y.size(); j += kKernelBlock) sum += block_sum(x, i, y, j);
  }
  return sum;
}

//! The same within one sample, with every pair of blocks once.
template <class Check>
double kernel_sum(const PointSample& x, Check& check) {
  double diagonal = 0.0, above = 0.0;
  for (std::size_t i = 0; i < x.size(); i += kKernelBlock) {
    check();
    diagonal += block_sum(x, i, x, i);
    for (std::size_t j = i + kKernelBlock; j < x.size(); j += kKernelBlock)
      above += block_sum(x, i, x, j);
  }
  return diagonal + 2.0 * above;
}

//! Number of features after which the kernel of points within `reach` of 0 is
//! exact to double precision: reach^(2 r) / r! < 1e-17.
inline std::size_t feature_count(double reach) {
  const double log_square = 2.0 * std::log(std::max(reach, 1e-150));
  double log_term = 0.0;
  std::size_t r = 0;
  while (log_term > -39.2 || static_cast<double>(r) < reach * reach) {
    ++r;
    log_term += log_square - std::log(static_cast<double>(r));
  }
  return r;
}

//! Sums over points of exp(-x^2 / 2) x^r / sqrt(r!), r = 0, 1, ...: products of
//! such features of x and y add up to the kernel.
inline std::vector<double> feature_sums(const PointSample& x, double centre, std::size_t features) {
  std::vector<double> ratio(features), sums(features, 0.0);
  for (std::size_t r = 0; r < features; ++r) ratio[r] = 1.0 / std::sqrt(static_cast<double>(r + 1));
  for (const double value : x.values) {
    const double t = value - centre;
    double feature = std::exp(-0.5 * t * t);
    for (std::size_t r = 0; r < features; ++r) {
      sums[r] += feature;
      feature *= t * ratio[r];
    }
  }
  return sums;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0.0;
  for (std::size_t r = 0; r < a.size(); ++r) sum += a[r] * b[r];
  return sum;
}

//! The interval that holds both samples, as its middle and half its length.
struct Extent {
  double centre, reach;
};

inline Extent extent_of(const PointSample& x, const PointSample& y) {
  const auto ex = std::minmax_element(x.values.begin(), x.values.end());
  const auto ey = std::minmax_element(y.values.begin(), y.values.end());
  const double low = std::min(*ex.first, *ey.first), high = std::max(*ex.second, *ey.second);
  return {0.5 * low + 0.5 * high, 0.5 * high - 0.5 * low};
}

//! Beyond this reach exp(-reach^2 / 2) loses digits and then underflows.
constexpr double kFeatureReach = 30.0;

inline void check_samples(const PointSample& x, const PointSample& y) {
  if (x.dimension == 0 || x.dimension != y.dimension)
    throw std::invalid_argument("samples must have the same dimension, at least 1");
  if (x.size() < 2 || y.size() < 2)
    throw std::invalid_argument("samples must have at least two points each");
  for (const double v : x.values) require_finite(v, "sample value");
  for (const double v : y.values) require_finite(v, "sample value");
}

}  // namespace detail

//! Unbiased squared discrepancy by the sum over all pairs, O(size^2).
template <class Check>
double mmd2_pairs(const PointSample& x, const PointSample& y, Check&& check) {
  detail::check_samples(x, y);
  const detail::KernelSums sums{detail::kernel_sum(x, check), detail::kernel_sum(y, check),
                                detail::kernel_sum(x, y, check), detail::paired_sum(x, y)};
  return detail::unbiased_mmd2(sums, static_cast<double>(x.size()), static_cast<double>(y.size()));
}

//! The same in one dimension by exact features, O(size * features). The number
//! of features grows with the square of the range of the samples.
inline double mmd2_features(const PointSample& x, const PointSample& y) {
  detail::check_samples(x, y);
  detail::require(x.dimension == 1, "dimension", static_cast<double>(x.dimension), "1");
  const detail::Extent extent = detail::extent_of(x, y);
  detail::require(extent.reach <= detail::kFeatureReach, "half range", extent.reach, "at most 30");
  const std::size_t features = detail::feature_count(extent.reach);
  const std::vector<double> a = detail::feature_sums(x, extent.centre, features);
  const std::vector<double> b = detail::feature_sums(y, extent.centre, features);
  const detail::KernelSums sums{detail::dot(a, a), detail::dot(b, b), detail::dot(a, b),
                                detail::paired_sum(x, y)};
  return detail::unbiased_mmd2(sums, static_cast<double>(x.size()), static_cast<double>(y.size()));
}

//! The cheaper of the two.
template <class Check>
double mmd2(const PointSample& x, const PointSample& y, Check&& check) {
  detail::check_samples(x, y);
  if (x.dimension > 1) return mmd2_pairs(x, y, check);
  const double reach = detail::extent_of(x, y).reach;
  const bool narrow =
      reach <= detail::kFeatureReach && detail::feature_count(reach) < x.size() + y.size();
  return narrow ? mmd2_features(x, y) : mmd2_pairs(x, y, check);
}

}  // namespace noiseaware
