#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/infer/expfam/region_moments.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/require.hpp>

// Joint first and second moments of what the model is about, t(x), and what is
// released, t(x~) with x~ the mapped record. They are all that a central limit
// approximation needs. The three regions (below, inside, above the bounds) of one
// record exclude each other, hence are dependent: treating their sums as
// independent, as in Bernstein and Sheldon (2018), Algorithm 2, overstates the
// variance.

namespace noiseaware {

//! Moments of one record x and its mapped value x~.
struct ScalarMoments {
  double mu, v;   //!< mean and variance of x
  double mh, vh;  //!< mean and variance of x~
  double c;       //!< covariance of x and x~
};

//! Moments of t = (x, x^2) of one record and of its mapped value.
struct NormalMoments {
  Eigen::Vector2d mu, mh;
  Eigen::Matrix2d V, Vh;
  Eigen::Matrix2d C;  //!< rows: t of the record, columns: t of the mapped value
};

namespace detail {

//! Three disjoint regions with probability q, value `full` of the record and
//! value `mapped` of its image (means, inside the bounds).
template <class Value>
struct ThreeRegions {
  double q[3];
  Value full[3], mapped[3];

  Value mapped_mean() const { return q[0] * mapped[0] + q[1] * mapped[1] + q[2] * mapped[2]; }

  //! Value of region r minus the mean over all, as a sum of differences: neither
  //! 1 - q nor the difference of a value and a mean that is nearly equal.
  Value from_mean(const Value (&value)[3], int r) const {
    const int s = (r + 1) % 3, t = (r + 2) % 3;
    return q[s] * (value[r] - value[s]) + q[t] * (value[r] - value[t]);
  }
};

inline ScalarMoments combine(const ThreeRegions<double>& x, double inside_var, double mu,
                             double v) {
  ScalarMoments out{mu, v, x.mapped_mean(), x.q[1] * inside_var, x.q[1] * inside_var};
  for (int r = 0; r < 3; ++r) {
    const double d = x.from_mean(x.mapped, r);
    out.vh += x.q[r] * d * d;
    out.c += x.q[r] * x.from_mean(x.full, r) * d;
  }
  return out;
}

//! Mean of (x, x^2) in a region.
inline Eigen::Vector2d square_means(const NormalRegion& region) {
  return Eigen::Vector2d(region.mean, region.mean * region.mean + region.c2);
}

//! Covariance of (x, x^2) in a region.
inline Eigen::Matrix2d square_covariance(const NormalRegion& region) {
  const double m = region.mean;
  Eigen::Matrix2d out;
  out(0, 0) = region.c2;
  out(0, 1) = out(1, 0) = region.c3 + 2.0 * m * region.c2;
  out(1, 1) = region.c4 + 4.0 * m * region.c3 + 4.0 * m * m * region.c2 - region.c2 * region.c2;
  return out;
}

}  // namespace detail

//! Moments of an exponential record. Written without the logarithms of the
//! regions, which samplers cannot afford in every iteration.
inline ScalarMoments exponential_moments(double rate, const RecordMap& map) {
  detail::require_positive(rate, "rate");
  const double lower = std::max(map.lower, 0.0), upper = std::max(map.upper, 0.0);
  const double length = upper - lower, scale = 1.0 / rate;
  const detail::ExponentialPiece low = detail::exponential_piece(rate * lower);
  const detail::ExponentialPiece middle = detail::exponential_piece(rate * length);
  detail::ThreeRegions<double> x;
  x.q[0] = -low.missed;
  x.q[1] = -middle.missed * std::exp(-rate * lower);
  x.q[2] = std::exp(-rate * upper);
  x.full[0] = lower * low.mean;
  x.full[1] = x.mapped[1] = lower + length * middle.mean;
  x.full[2] = upper + scale;
  x.mapped[0] = map.below;
  x.mapped[2] = map.above;
  return detail::combine(x, length * length * middle.var, scale, scale * scale);
}

//! Moments of a Poisson record. Bounds need not be whole numbers.
inline ScalarMoments poisson_moments(double rate, const RecordMap& map) {
  const double lo = std::max(std::ceil(map.lower), 0.0);
  const double hi = std::floor(map.upper);
  const Region low = poisson_region(rate, 0.0, lo - 1.0);
  const Region middle = poisson_region(rate, lo, hi);
  const Region high =
      poisson_region(rate, std::max(hi + 1.0, lo), std::numeric_limits<double>::infinity());
  detail::ThreeRegions<double> x{
      {std::exp(low.log_q), std::exp(middle.log_q), std::exp(high.log_q)},
      {low.mean, middle.mean, high.mean},
      {map.below, middle.mean, map.above}};
  return detail::combine(x, middle.var, rate, rate);
}

//! Moments of (x, x^2) for a normal record.
inline NormalMoments normal_moments(double mu, double sd, const RecordMap& map) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const NormalRegion region[3] = {normal_region(mu, sd, -inf, map.lower),
                                  normal_region(mu, sd, map.lower, map.upper),
                                  normal_region(mu, sd, map.upper, inf)};
  detail::ThreeRegions<Eigen::Vector2d> x;
  for (int r = 0; r < 3; ++r) {
    x.q[r] = std::exp(region[r].log_q);
    x.full[r] = detail::square_means(region[r]);
  }
  x.mapped[0] = Eigen::Vector2d(map.below, map.below * map.below);
  x.mapped[1] = x.full[1];
  x.mapped[2] = Eigen::Vector2d(map.above, map.above * map.above);

  const double variance = sd * sd;
  NormalMoments out;
  out.mu = Eigen::Vector2d(mu, mu * mu + variance);
  out.V(0, 0) = variance;
  out.V(0, 1) = out.V(1, 0) = 2.0 * mu * variance;
  out.V(1, 1) = 2.0 * variance * variance + 4.0 * mu * mu * variance;
  out.mh = x.mapped_mean();
  out.Vh = out.C = x.q[1] * detail::square_covariance(region[1]);
  for (int r = 0; r < 3; ++r) {
    const Eigen::Vector2d d = x.from_mean(x.mapped, r);
    out.Vh += x.q[r] * d * d.transpose();
    out.C += x.q[r] * x.from_mean(x.full, r) * d.transpose();
  }
  return out;
}

}  // namespace noiseaware
