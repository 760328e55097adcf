#pragma once

#include <algorithm>
#include <cmath>

namespace noiseaware {

//! Step size by dual averaging: Hoffman and Gelman (2014), section 3.2, with their
//! constants gamma = 0.05, t0 = 10, kappa = 0.75 and mu = log(10 step).
class DualAveraging {
 public:
  explicit DualAveraging(double target_acceptance) : target_(target_acceptance) {}

  void restart(double step_size) {
    mu_ = std::log(10.0 * step_size);
    log_average_ = 0.0;
    error_ = 0.0;
    count_ = 0.0;
  }

  //! Takes the acceptance statistic of one iteration, returns the next step size.
  double update(double acceptance) {
    count_ += 1.0;
    const double share = 1.0 / (count_ + 10.0);
    error_ += share * (target_ - std::min(1.0, acceptance) - error_);
    const double log_step = mu_ - error_ * std::sqrt(count_) / 0.05;
    log_average_ += std::pow(count_, -0.75) * (log_step - log_average_);
    return std::exp(log_step);
  }

  //! The averaged step size, for use after warm-up. Needs one update.
  double adapted() const { return std::exp(log_average_); }

  bool updated() const { return count_ > 0.0; }

 private:
  double target_;
  double mu_ = 0.0;
  double log_average_ = 0.0;
  double error_ = 0.0;
  double count_ = 0.0;
};

}  // namespace noiseaware
