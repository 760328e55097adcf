#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/latent_noise.hpp>
#include <noiseaware/infer/expfam/normal_laplace.hpp>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/record_moments.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/rng/distributions.hpp>

// The sums of x and x^2 over n records, approximately normal.

namespace noiseaware {

//! Two sums, jointly normal.
class NormalSums {
 public:
  NormalSums(const Eigen::Vector2d& mean, const Eigen::Matrix2d& covariance)
      : mean_(mean), covariance_(covariance) {}

  //! The sums of the mapped values of n records.
  static NormalSums mapped(const NormalMoments& record, double n) {
    return NormalSums(n * record.mh, n * record.Vh);
  }

  const Eigen::Vector2d& mean() const { return mean_; }
  const Eigen::Matrix2d& covariance() const { return covariance_; }

  //! Conditions on sum j plus normal noise being `value`; returns the log density of
  //! that. Values may be observed one after the other, or not at all. The new
  //! variance is a product: it stays positive when there is little noise.
  double observe(Eigen::Index j, double value, double noise_variance) {
    const Eigen::Index i = 1 - j;
    const double total = covariance_(j, j) + noise_variance;
    if (!(total > 0.0)) return -std::numeric_limits<double>::infinity();
    const double off = value - mean_(j), cross = covariance_(i, j);
    const double density = detail::log_normal_density(value, mean_(j), total);
    const double left = noise_variance / total;
    mean_ += covariance_.col(j) * (off / total);
    covariance_(i, i) = std::max(0.0, covariance_(i, i) - cross * cross / total);
    covariance_(j, j) *= left;
    covariance_(i, j) = covariance_(j, i) = cross * left;
    return density;
  }

  template <class Rng>
  Eigen::Vector2d draw(Rng& rng) const {
    const double first = mean_(0) + std::sqrt(covariance_(0, 0)) * normal01(rng);
    return Eigen::Vector2d(first, second_mean(first) + second_sd() * normal01(rng));
  }

  //! Draws sums of n records, whose squares cannot add up to less than the square
  //! of the sum over n.
  template <class Rng>
  Eigen::Vector2d draw_possible(Rng& rng, double n) const {
    Eigen::Vector2d sums = draw(rng);
    for (int attempt = 0; attempt < 100; ++attempt) {
      if (sums(1) > sums(0) * sums(0) / n) return sums;
      sums = draw(rng);
    }
    // Hardly any draw is possible: the sum stands, the squares make up for it.
    const double least = sums(0) * sums(0) / n;
    sums(1) = normal_within(rng, second_mean(sums(0)), second_sd(), least,
                            std::numeric_limits<double>::infinity());
    return sums;
  }

 private:
  double slope() const {
    return covariance_(0, 0) > 0.0 ? covariance_(0, 1) / covariance_(0, 0) : 0.0;
  }
  double second_mean(double first) const { return mean_(1) + slope() * (first - mean_(0)); }
  double second_sd() const {
    return std::sqrt(std::max(0.0, covariance_(1, 1) - slope() * covariance_(0, 1)));
  }

  Eigen::Vector2d mean_;
  Eigen::Matrix2d covariance_;
};

//! The sums of the complete records given those of their mapped values, which lie
//! `deviation` away from their mean: a regression on the first mapped sum, then on
//! what the second adds. A mapped sum that hardly varies tells nothing.
inline NormalSums complete_sums(const NormalMoments& record, double n,
                                const Eigen::Vector2d& deviation) {
  Eigen::Vector2d mean = n * record.mu;
  Eigen::Matrix2d covariance = record.V;
  const double first = record.Vh(0, 0);
  double slope = 0.0;
  if (first > 0.0) {
    slope = record.Vh(1, 0) / first;
    mean += record.C.col(0) * (deviation(0) / first);
    covariance -= record.C.col(0) * record.C.col(0).transpose() / first;
  }
  const double second = record.Vh(1, 1) - slope * record.Vh(1, 0);
  if (second > 1e-10 * record.Vh(1, 1)) {
    const Eigen::Vector2d c = record.C.col(1) - slope * record.C.col(0);
    mean += c * ((deviation(1) - slope * deviation(0)) / second);
    covariance -= c * c.transpose() / second;
  }
  covariance(0, 0) = std::max(0.0, covariance(0, 0));
  covariance(1, 1) = std::max(0.0, covariance(1, 1));
  return NormalSums(mean, n * covariance);
}

//! The released sums of a problem in units of its bounds, with their noise.
class NoisySums {
 public:
  explicit NoisySums(const NormalProblem& unit)
      : value_(unit.value),
        released_(unit.released),
        noise_{{LatentNoise(unit.noise[0]), LatentNoise(unit.noise[1])}} {}

  //! Conditions sums on the release given the variances of the noise; returns the
  //! log density of the release.
  double observe(NormalSums& sums) const {
    double log_density = 0.0;
    for (std::size_t j = 0; j < 2; ++j)
      if (released_[j])
        log_density += sums.observe(static_cast<Eigen::Index>(j), value_[j], noise_[j].variance());
    return log_density;
  }

  //! Draws the variances given the sums of the mapped values.
  template <class Rng>
  void update(Rng& rng, const Eigen::Vector2d& sums) {
    for (std::size_t j = 0; j < 2; ++j)
      if (released_[j]) noise_[j].update(rng, value_[j] - sums(static_cast<Eigen::Index>(j)));
  }

  //! Parameters that would explain the release moved by as much as its noise.
  template <class Rng>
  NigPrior::Draw guess(Rng& rng, const RecordMap& map, double n) const {
    const double average = guess_average(rng, 0, n, 0.5 * (map.lower + map.upper));
    const double mean = std::min(std::max(average, map.lower), map.upper);
    const double square = guess_average(rng, 1, n, mean * mean + 0.25);
    const double variance = std::min(std::max(square - mean * mean, 0.02), 1.0);
    return {mean, variance * std::exp(0.5 * normal01(rng))};
  }

 private:
  template <class Rng>
  double guess_average(Rng& rng, std::size_t j, double n, double otherwise) const {
    if (!released_[j] || !(n > 0.0)) return otherwise;
    return (value_[j] + std::sqrt(noise_[j].variance()) * normal01(rng)) / n;
  }

  std::array<double, 2> value_;
  std::array<bool, 2> released_;
  std::array<LatentNoise, 2> noise_;
};

}  // namespace noiseaware
