#pragma once

#include <noiseaware/infer/nuts/metric.hpp>
#include <noiseaware/math/eigen.hpp>

namespace noiseaware {

//! Covariance of the positions of one warm-up window by the recursion of Welford
//! (1962), which keeps its digits when the spread is tiny against the mean.
class MetricEstimator {
 public:
  MetricEstimator(Eigen::Index dim, bool dense)
      : dense_(dense), mean_(Eigen::VectorXd::Zero(dim)), before_(dim), after_(dim) {
    if (dense)
      products_ = Eigen::MatrixXd::Zero(dim, dim);
    else
      squares_ = Eigen::VectorXd::Zero(dim);
  }

  void add(const Eigen::VectorXd& x) {
    count_ += 1.0;
    before_ = x - mean_;
    mean_ += before_ / count_;
    after_ = x - mean_;
    if (dense_)
      products_.noalias() += after_ * before_.transpose();
    else
      squares_ += after_.cwiseProduct(before_);
  }

  double count() const { return count_; }

  //! The sample covariance of k positions, shrunk towards `scale` times that of
  //! the initial metric, which is of the same kind, with weight shrink_count / (k +
  //! shrink_count). Throws std::domain_error if rounding has left nothing positive
  //! definite.
  Metric estimate(const Metric& initial, double scale, double shrink_count) const {
    const double weight = count_ / (count_ + shrink_count);
    const double own = count_ > 1.0 ? weight / (count_ - 1.0) : 0.0;
    const double other = (count_ > 1.0 ? 1.0 - weight : 1.0) * scale;
    if (!dense_) return Metric::diagonal(own * squares_ + other * initial.variances());
    return Metric::dense(0.5 * own * (products_ + products_.transpose()) +
                         other * initial.covariance());
  }

  void reset() {
    count_ = 0.0;
    mean_.setZero();
    products_.setZero();
    squares_.setZero();
  }

 private:
  bool dense_;
  double count_ = 0.0;
  Eigen::VectorXd mean_, before_, after_;
  Eigen::VectorXd squares_;
  Eigen::MatrixXd products_;
};

}  // namespace noiseaware
