#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/math/gauss_legendre.hpp>
#include <noiseaware/math/log_pmf.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>

// Probability and moments of one record known to lie in an interval. Every form
// is free of cancellation: intervals may be narrow, or far in a tail where the
// probability underflows.

namespace noiseaware {

//! An interval: log of its probability, mean and variance of a record inside it.
//! An empty interval has log_q = -Inf and its lower end as mean.
struct Region {
  double log_q, mean, var;
};

//! An interval under a normal law; c2, c3, c4 are central moments.
struct NormalRegion {
  double log_q, mean, c2, c3, c4;
};

namespace detail {

//! An exponential record of rate 1 on [0, u]: `missed` is exp(-u) - 1, and mean
//! and variance are in units of u and u^2.
struct ExponentialPiece {
  double missed, mean, var;
};

//! mean = 1/u - 1/(e^u - 1) and var = 1/u^2 - e^u/(e^u - 1)^2 cancel for small u,
//! where their Taylor series take over; the next term is below 1e-17.
inline ExponentialPiece exponential_piece(double u) {
  const double missed = std::expm1(-u);
  if (u >= 0.25) {
    const double odds = std::exp(-u) / missed;
    const double inverse = 1.0 / u;
    return {missed, inverse + odds, inverse * inverse - odds / missed};
  }
  const double s = u * u;
  const double mean =
      0.5 -
      u * (1.0 / 12.0 - s * (1.0 / 720.0 -
                             s * (1.0 / 30240.0 - s * (1.0 / 1209600.0 - s * (1.0 / 47900160.0)))));
  const double var =
      1.0 / 12.0 -
      s * (1.0 / 240.0 -
           s * (1.0 / 6048.0 -
                s * (1.0 / 172800.0 - s * (1.0 / 5322240.0 - s * (691.0 / 118879488000.0)))));
  return {missed, mean, var};
}

inline Region empty_region(double at) {
  return {-std::numeric_limits<double>::infinity(), at, 0.0};
}

//! Sums of w, w d and w d^2 over k = k0 + d, relative to the weight at k0.
struct PoissonSums {
  double s0 = 1.0, s1 = 0.0, s2 = 0.0;

  //! Adds one term; false once terms no longer matter.
  bool add(double w, double d) {
    s0 += w;
    s1 += w * d;
    s2 += w * d * d;
    return w > 1e-18 * s0 || w * d * d > 1e-18 * s2;
  }
};

}  // namespace detail

//! An exponential record of the given rate on [v, w], 0 <= v <= w <= Inf.
inline Region exponential_region(double rate, double v, double w) {
  detail::require_positive(rate, "rate");
  detail::require(v >= 0.0 && w >= v && std::isfinite(v), "v", v, "finite, >= 0 and at most w");
  if (std::isinf(w)) return {-rate * v, v + 1.0 / rate, 1.0 / (rate * rate)};
  const double length = w - v;
  const detail::ExponentialPiece piece = detail::exponential_piece(rate * length);
  return {-rate * v + log1m_exp(rate * length), v + length * piece.mean,
          length * length * piece.var};
}

//! A Poisson record on the whole numbers lo..hi, hi may be Inf. Probabilities are
//! added outwards from the largest one by their ratios: all terms are positive,
//! and there are O(sqrt(rate)) of them.
inline Region poisson_region(double rate, double lo, double hi) {
  detail::require_positive(rate, "rate");
  detail::require_count(lo, "lo");
  detail::require_number(hi, "hi");
  if (hi < lo) return detail::empty_region(lo);
  const double k0 = std::min(std::max(std::floor(rate), lo), hi);
  detail::PoissonSums sums;
  double w = 1.0;
  for (double k = k0; k < hi;) {
    w *= rate / (k + 1.0);
    k += 1.0;
    if (!sums.add(w, k - k0)) break;
  }
  w = 1.0;
  for (double k = k0; k > lo;) {
    w *= k / rate;
    k -= 1.0;
    if (!sums.add(w, k - k0)) break;
  }
  const double offset = sums.s1 / sums.s0;
  return {log_poisson_pmf(k0, rate) + std::log(sums.s0), k0 + offset,
          std::max(0.0, sums.s2 / sums.s0 - offset * offset)};
}

namespace detail {

//! What is integrated for a standard normal on [a, b]: the part of the interval
//! within 40 nats of its highest point `peak`, from peak - below to peak + above.
struct NormalSpan {
  double peak, below, above;

  NormalSpan(double a, double b) : peak(std::min(std::max(0.0, a), b)) {
    const double radius = std::sqrt(peak * peak + 80.0);
    const double beyond = 80.0 / (radius + std::abs(peak));
    above = std::min(b - peak, peak >= 0.0 ? beyond : radius - peak);
    below = std::min(peak - a, peak <= 0.0 ? beyond : radius + peak);
  }
};

//! Mean and central moments of weighted points.
struct WeightedMoments {
  double total = 0.0, mean = 0.0, c2 = 0.0, c3 = 0.0, c4 = 0.0;

  template <std::size_t Size>
  WeightedMoments(const double (&point)[Size], const double (&weight)[Size]) {
    for (std::size_t i = 0; i < Size; ++i) {
      total += weight[i];
      mean += weight[i] * point[i];
    }
    mean /= total;
    for (std::size_t i = 0; i < Size; ++i) {
      const double d = point[i] - mean, square = weight[i] / total * d * d;
      c2 += square;
      c3 += square * d;
      c4 += square * d * d;
    }
  }
};

}  // namespace detail

//! A normal record on [v, w], either end may be infinite. By quadrature over the
//! distance from the point of highest density: the usual recursion in density
//! over probability loses all digits ten standard deviations out.
inline NormalRegion normal_region(double mu, double sd, double v, double w) {
  detail::require_finite(mu, "mu");
  detail::require_positive(sd, "sd");
  detail::require(v <= w, "v", v, "at most w");
  const detail::NormalSpan span((v - mu) / sd, (w - mu) / sd);
  const GaussLegendre64& rule = GaussLegendre64::rule();
  const double half = 0.5 * (span.above + span.below);
  const double middle = 0.5 * (span.above - span.below);
  double distance[GaussLegendre64::size], weight[GaussLegendre64::size];
  for (std::size_t i = 0; i < GaussLegendre64::size; ++i) {
    const double y = distance[i] = middle + half * rule.node(i);
    weight[i] = rule.weight(i) * std::exp(-y * (span.peak + 0.5 * y));
  }
  const detail::WeightedMoments moments(distance, weight);
  const double variance = sd * sd;
  return {-0.5 * span.peak * span.peak - detail::kLogSqrt2Pi + std::log(moments.total * half),
          mu + sd * (span.peak + moments.mean), variance * moments.c2, variance * sd * moments.c3,
          variance * variance * moments.c4};
}

}  // namespace noiseaware
