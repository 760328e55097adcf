#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>
#include <stdexcept>
#include <vector>

// What the exact methods for counts share: the prior weight of a count with its
// probability integrated out, noisy counts, and mixtures of Beta posteriors.

namespace noiseaware {

//! Mass below exp(-45), or 3e-20, of the total is left out of every sum.
constexpr double kNegligibleNats = 45.0;

//! log [Gamma(alpha + s) / (s! Gamma(alpha))], the factor that one category with
//! prior weight alpha and count s contributes to a Dirichlet-multinomial
//! probability. Written through log_beta(): the log-gammas cancel for large s.
inline double log_count_weight(double alpha, double s) {
  return s == 0.0 ? 0.0 : -log_beta(alpha, s + 1.0) - std::log(alpha + s);
}

//! log_count_weight(alpha, s) for s = lo..hi. Neighbours differ by
//! log((alpha + s) / (s + 1)); every 256th value is computed afresh so that
//! rounding errors do not add up.
inline std::vector<double> log_count_weights(double alpha, double lo, double hi) {
  std::vector<double> weights(static_cast<std::size_t>(hi - lo) + 1);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double s = lo + static_cast<double>(i);
    weights[i] =
        i % 256 == 0 ? log_count_weight(alpha, s) : weights[i - 1] + std::log1p((alpha - 1.0) / s);
  }
  return weights;
}

//! A released count: value = count - centre * n + noise. A censored one was
//! suppressed because it came out strictly below `value`, its threshold.
struct NoisyCount {
  double value = 0.0;
  NoiseDensity noise;
  double centre = 0.0;
  bool censored = false;

  double log_density(double count, double n) const {
    const double apart = value - (count - centre * n);
    return censored ? noise.log_below(apart) : noise.log_density(apart);
  }

  //! What log_density() cannot exceed.
  double log_peak() const { return censored ? 0.0 : noise.log_peak(); }

  //! The largest count that asks for no noise: the last one below the threshold,
  //! or the one nearest to the value.
  double highest(double n) const {
    const double middle = value + centre * n;
    return censored ? detail::steps_below(middle) : std::nearbyint(middle);
  }

  //! Whether the count is known exactly.
  bool fixed() const { return noise.exact() && !censored; }
};

//! The number of records: public, or released with noise, or told by the counts
//! alone. Unless it is public, its prior is flat on 0, 1, 2, ...
class SampleSize {
 public:
  static SampleSize known(double n) {
    detail::require_count(n, "n");
    return SampleSize(true, false, NoisyCount{n, NoiseDensity(), 0.0});
  }
  static SampleSize noisy(double value, const NoiseDensity& noise) {
    detail::require_finite(value, "released n");
    if (noise.exact()) return known(value);
    return SampleSize(false, true, NoisyCount{value, noise, 0.0});
  }
  static SampleSize unknown() { return SampleSize(false, false, NoisyCount()); }

  bool is_known() const { return known_; }
  bool is_observed() const { return observed_; }
  double value() const { return count_.value; }
  const NoiseDensity& noise() const { return count_.noise; }
  double log_density(double n) const { return observed_ ? count_.log_density(n, n) : 0.0; }

 private:
  SampleSize(bool is_known, bool is_observed, const NoisyCount& count)
      : known_(is_known), observed_(is_observed), count_(count) {}

  bool known_;
  bool observed_;
  NoisyCount count_;
};

//! Mean and variance of a mixture of Beta distributions; the variance is split
//! into the mean of the variances given the counts (what exact counts would
//! leave) and the variance of the means (what the noise adds).
struct MixtureMoments {
  double mean = 0.0;
  double within = 0.0;
  double between = 0.0;
  double variance() const { return within + between; }
};

//! Accumulates MixtureMoments over components Beta(a, b). Means are summed about
//! `shift`, a guess of the result, so that a narrow mixture keeps its digits.
class MixtureAccumulator {
 public:
  explicit MixtureAccumulator(double shift) : shift_(shift) {}

  void add(double weight, double a, double b) {
    const double mean = a / (a + b);
    total_ += weight;
    first_ += weight * (mean - shift_);
    second_ += weight * (mean - shift_) * (mean - shift_);
    within_ += weight * mean * (b / (a + b)) / (a + b + 1.0);
  }

  double total() const { return total_; }

  MixtureMoments moments() const {
    const double offset = first_ / total_;
    MixtureMoments out;
    out.mean = shift_ + offset;
    out.within = within_ / total_;
    out.between = std::max(0.0, second_ / total_ - offset * offset);
    return out;
  }

 private:
  double shift_;
  double total_ = 0.0;
  double first_ = 0.0;
  double second_ = 0.0;
  double within_ = 0.0;
};

namespace detail {

//! The message of a release that no count can explain.
[[noreturn]] inline void no_count_fits() {
  throw std::domain_error(
      "no whole counts agree with the release: an exact count is not a whole number or does not "
      "add up, or a value is not on the grid of its noise");
}

}  // namespace detail

}  // namespace noiseaware
