#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/rng/distributions.hpp>

namespace noiseaware {

//! Proposals of a random walk in two dimensions whose shape is learned: robust
//! adaptive Metropolis of Vihola (2012), eq. (1). Directions in which too many
//! proposals are accepted grow, others shrink. A chain must stop adapting before
//! its draws are used.
class AdaptiveWalk {
 public:
  //! Best share of accepted proposals for a normal target in two dimensions.
  static constexpr double target_rate = 0.35;

  explicit AdaptiveWalk(double first_sd, double second_sd) {
    factor_ << first_sd, 0.0, 0.0, second_sd;
  }

  template <class Rng>
  Eigen::Vector2d propose(Rng& rng) {
    const double first = normal01(rng);
    direction_ = Eigen::Vector2d(first, normal01(rng));
    return factor_ * direction_;
  }

  //! Learns from the last proposal, accepted with the given probability.
  void adapt(double probability) {
    rounds_ += 1.0;
    const double gain = std::min(0.9, 2.0 * std::pow(rounds_, -2.0 / 3.0));
    const Eigen::Vector2d step = factor_ * direction_ / std::max(direction_.norm(), 1e-100);
    const double weight = gain * (probability - target_rate);
    Eigen::Matrix2d square = factor_ * factor_.transpose();
    square += weight * step * step.transpose();
    factor_(0, 0) = std::sqrt(std::max(square(0, 0), 1e-40));
    factor_(1, 0) = square(1, 0) / factor_(0, 0);
    factor_(1, 1) = std::sqrt(std::max(square(1, 1) - factor_(1, 0) * factor_(1, 0), 1e-40));
  }

 private:
  Eigen::Matrix2d factor_;
  Eigen::Vector2d direction_ = Eigen::Vector2d::Zero();
  double rounds_ = 0.0;
};

}  // namespace noiseaware
