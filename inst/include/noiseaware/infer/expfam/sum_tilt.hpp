#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/size_window.hpp>
#include <noiseaware/infer/expfam/tilted_noise.hpp>
#include <noiseaware/math/special.hpp>
#include <vector>

// The density p(z) of a noisy sum by inversion of its characteristic function
// along the line Re = t through the saddle point (Daniels 1954): the density
// proportional to p(x) exp(t x) has its mean at z, so that the integral is not
// small against its integrand and p(z) keeps its relative accuracy in the tails.

namespace noiseaware {

//! One record about the centre under tilting: log of its moment generating
//! function, mean and variance.
struct RecordTilt {
  double log_mgf, mean, variance;
};

//! The sum of a number of records, tilted by exp(t sum).
struct SumTilt {
  double t = 0.0;
  RecordTilt record{0.0, 0.0, 0.0};
  SizeTilt size{0.0, 0.0, 0.0, 0.0, 0.0};

  double mean() const { return size.mean * record.mean; }
  double variance() const {
    return size.mean * record.variance + size.variance * record.mean * record.mean;
  }

  //! Ends of the range of the sum, cut where the tilted law has less than 1e-20.
  //! `low` and `high` are the ends of the range of one record. Sums of few
  //! records are too skewed to be cut.
  double lower_end(double low) const {
    const double end = std::min(size.first * low, size.last * low);
    if (size.last < 50.0) return end;
    return std::max(end, std::min(size.first * record.mean, size.last * record.mean) - spread());
  }
  double upper_end(double high) const {
    const double end = std::max(size.first * high, size.last * high);
    if (size.last < 50.0) return end;
    return std::min(end, std::max(size.first * record.mean, size.last * record.mean) + spread());
  }

 private:
  double spread() const { return 14.0 * std::sqrt(size.last * record.variance); }
};

//! `Record` has tilt(t).
template <class Record>
SumTilt tilt_sum(const Record& record, const SizeWindow& sizes, double t) {
  SumTilt out;
  out.t = t;
  out.record = record.tilt(t);
  out.size = sizes.tilt(out.record.log_mgf);
  return out;
}

//! The tilt at which sum plus noise has mean z. A tenth of a standard deviation is
//! close enough: the result does not depend on the line of integration. The mean
//! increases with t, so Newton steps are kept inside a shrinking bracket, which is
//! halved where they do not get on.
template <class Record>
SumTilt saddle_point(const Record& record, const SizeWindow& sizes, const TiltedNoise& noise,
                     double z) {
  double lo = -noise.limit(), hi = noise.limit(), t = 0.0;
  double last = std::numeric_limits<double>::infinity();
  SumTilt out;
  for (int k = 0; k < 200; ++k) {
    out = tilt_sum(record, sizes, t);
    const double miss = out.mean() + noise.mean(t) - z;
    const double variance = out.variance() + noise.variance(t);
    if (std::abs(miss) <= 0.1 * std::sqrt(variance)) break;
    (miss > 0.0 ? hi : lo) = t;
    const double next = t - miss / variance;
    const bool slow = std::abs(miss) > 0.5 * last && std::isfinite(hi - lo);
    t = next > lo && next < hi && !slow ? next : 0.5 * (lo + hi);
    last = std::abs(miss);
  }
  return out;
}

//! log of the factor between p(z) and the tilted density at z.
inline double log_tilt_factor(const SumTilt& sum, const TiltedNoise& noise, double z) {
  return sum.size.log_total + noise.log_mgf(sum.t) - sum.t * z;
}

//! Accuracy asked of an inversion: a relative error of exp(-18), or 1.5e-8.
constexpr double kInversionNats = 18.0;

//! A tilted density at its mean is about 1 / sqrt(2 pi variance), to which inversions
//! refer their accuracy. Where it turns out much smaller, because the tilted law has
//! several modes and its mean between them, they are made again, more accurately.
//! `invert(nats)` must return the density with an error of exp(-nats) times `height`.
template <class Invert>
double invert_accurately(Invert&& invert, double height, double nats) {
  const double value = invert(nats);
  if (value > 0.1 * height) return value;
  const double more = value > 0.0 ? std::log(height / value) : 20.0;
  return invert(std::min(nats + more, 36.0));
}

//! The sum at the least and largest tilt that Laplace noise allows.
struct LimitTilts {
  SumTilt low, high;

  template <class Record>
  LimitTilts(const Record& record, const SizeWindow& sizes, const TiltedNoise& noise) {
    if (!noise.is_laplace()) return;
    low = tilt_sum(record, sizes, -noise.limit());
    high = tilt_sum(record, sizes, noise.limit());
  }
};

//! Period of the inversion by the trapezoidal rule, which adds to the tilted
//! density at z those at z + j period for all whole j. For Laplace noise they are
//! known in closed form once z + period is beyond the sum, and subtracted; without
//! that, noise of a large scale would need a period, and a number of terms, larger
//! by that scale.
class Period {
 public:
  //! `low` and `high`: ends of the range of one record.
  Period(const TiltedNoise& noise, const SumTilt& sum, const LimitTilts& limits, double low,
         double high, double z)
      : noise_(noise), sum_(sum), z_(z) {
    const double below = z - sum.lower_end(low), above = sum.upper_end(high) - z;
    if (!noise.is_laplace()) {
      const double shift = noise.mean(sum.t), reach = 9.0 * noise.scale();
      length_ = std::max(below - shift, above + shift) + reach;
      return;
    }
    const double left = z - std::min(sum.lower_end(low), limits.low.lower_end(low));
    const double right = std::max(sum.upper_end(high), limits.high.upper_end(high)) - z;
    // What is subtracted may exceed the rest a million times before digits are missing.
    length_ = std::max({std::min(left, below + 40.0 / decay(-1.0)),
                        std::min(right, above + 40.0 / decay(1.0)), 1e-6 * noise.scale()});
    subtract_left_ = length_ >= left;
    subtract_right_ = length_ >= right;
  }

  double length() const { return length_; }
  //! A longer period does no harm.
  void set_length(double length) { length_ = length; }

  //! What the trapezoidal rule adds: the tilted densities at z + j length, j != 0.
  //! `log_low` and `log_high`: log of the moment generating function of the sum at
  //! -1/scale and 1/scale.
  double aliases(double log_low, double log_high) const {
    double sum = 0.0;
    if (subtract_right_) sum += geometric(1.0, log_high);
    if (subtract_left_) sum += geometric(-1.0, log_low);
    return sum;
  }

 private:
  //! Rate at which the tilted density falls beyond the sum, above or below.
  double decay(double side) const { return noise_.limit() - side * sum_.t; }

  double geometric(double side, double log_mgf) const {
    const double fall = length_ * decay(side);
    const double log_first = noise_.log_peak() - side * z_ / noise_.scale() + log_mgf -
                             log_tilt_factor(sum_, noise_, z_);
    return std::exp(log_first - fall) / -std::expm1(-fall);
  }

  const TiltedNoise& noise_;
  const SumTilt& sum_;
  double z_;
  double length_ = 0.0;
  bool subtract_left_ = false;
  bool subtract_right_ = false;
};

//! Whether |phi| <= bound on [from, to], for a characteristic function of a law
//! with the given standard deviation: |phi| changes by at most that much per unit.
//! Gives up, and returns how far it got, where that takes steps below `step`.
template <class Modulus>
double stays_below(Modulus&& modulus, double bound, double sd, double from, double to,
                   double step) {
  double w = from;
  while (w < to) {
    const double jump = (bound - modulus(w)) / sd;
    if (!(jump > step)) break;
    w += jump;
  }
  return w;
}

//! At least log p(z): a tilted density is nowhere above the highest of its noise.
inline double log_density_bound(const SumTilt& sum, const TiltedNoise& noise, double z) {
  return sum.size.log_total + noise.log_peak_of_tilted(sum.t) - sum.t * z;
}

//! Laplace noise beyond the range of the sum only sees its exponential moment. Returns
//! log p(z) where z is above every sum, or below, that matters to it; NaN elsewhere.
template <class Record>
double log_laplace_beyond(const Record& record, const TiltedNoise& noise, const LimitTilts& limits,
                          double z) {
  if (noise.is_laplace() && z >= limits.high.upper_end(record.high()))
    return noise.log_peak() - z / noise.scale() + limits.high.size.log_total;
  if (noise.is_laplace() && z <= limits.low.lower_end(record.low()))
    return noise.log_peak() + z / noise.scale() + limits.low.size.log_total;
  return std::numeric_limits<double>::quiet_NaN();
}

//! log p(z) over all windows of sizes. `Inversion(record, window, noise, limits, z)` has
//! log_density(), and log_bound(), which it does not exceed.
template <class Inversion, class Record>
double log_sum_density(const Record& record, const std::vector<SizeWindow>& windows,
                       const TiltedNoise& noise, double z) {
  double total = -std::numeric_limits<double>::infinity();
  for (const SizeWindow& sizes : windows) {
    const LimitTilts limits(record, sizes, noise);
    double one = log_laplace_beyond(record, noise, limits, z);
    if (std::isnan(one)) {
      Inversion inversion(record, sizes, noise, limits, z);
      if (inversion.log_bound() < total - kNegligibleNats) continue;
      one = inversion.log_density();
    }
    total = log_sum_exp(total, one);
  }
  return total;
}

}  // namespace noiseaware
