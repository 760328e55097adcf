#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/infer/linear/coordinates.hpp>
#include <noiseaware/infer/linear/prior_moments.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/symmetric_eigen.hpp>
#include <stdexcept>

namespace noiseaware {

//! Rough statistics from a release: each moment is shrunk towards its prior
//! expectation by the ratio of prior and noise variance, and the scatter is made
//! positive definite. The prior variance of a sum of n rows is at most n^2 times
//! that of one.
class FirstGuess {
 public:
  explicit FirstGuess(const LinearProblem& problem) : prior_(problem) {
    statistics_.n = guess_n(problem);
    const Eigen::Index size = problem.q() + 1;
    moments_ = statistics_.n * prior_.second;
    variance_.resize(size, size);
    for (Eigen::Index j = 0; j < size; ++j)
      for (Eigen::Index k = 0; k < size; ++k)
        variance_(j, k) = statistics_.n * statistics_.n * prior_.product_variance(j, k);
    for (const MomentObservation& o : problem.observations)
      if (!o.is_tie()) combine(o, o.value);
    for (const MomentObservation& o : problem.observations)
      if (o.is_tie()) combine(o, o.value + o.minus_weight * moments_(o.minus_row, o.minus_col));
    moments_(0, 0) = statistics_.n;
    statistics_.mean = moments_.col(0).tail(problem.q()) / statistics_.n;
    const Eigen::MatrixXd centred = moments_.bottomRightCorner(problem.q(), problem.q()) -
                                    statistics_.n * statistics_.mean * statistics_.mean.transpose();
    set_factor(centred, statistics_.n * prior_.within);
  }

  //! The factor is square even where fewer records span fewer dimensions.
  const LatentStatistics& statistics() const { return statistics_; }

 private:
  static double guess_n(const LinearProblem& problem) {
    if (problem.n_known()) return problem.n;
    double out = 0.0;
    for (const MomentObservation& o : problem.observations)
      if (o.row == 0 && o.col == 0 && !o.is_tie()) out = o.value;
    return std::max(out, static_cast<double>(problem.q()) + 2.0);
  }

  void combine(const MomentObservation& o, double value) {
    if (o.row == 0 && o.col == 0) return;
    const double sd = o.standard_deviation(), prior = variance_(o.row, o.col);
    const double weight = sd > 0.0 ? prior / (prior + sd * sd) : 1.0;
    const double mean = moments_(o.row, o.col) + weight * (value - moments_(o.row, o.col));
    moments_(o.row, o.col) = moments_(o.col, o.row) = mean;
    variance_(o.row, o.col) = variance_(o.col, o.row) = (1.0 - weight) * prior;
  }

  //! Floors the eigenvalues of the scatter in the metric of what the prior expects:
  //! at 0.3, or at the level of the noise where that is lower.
  void set_factor(const Eigen::MatrixXd& scatter, const Eigen::MatrixXd& expected) {
    const Eigen::LLT<Eigen::MatrixXd> metric(expected);
    if (metric.info() != Eigen::Success)
      throw std::domain_error("the scatter that the prior expects is not positive definite");
    Eigen::MatrixXd relative = scatter;
    metric.matrixL().solveInPlace(relative);
    relative.transposeInPlace();
    metric.matrixL().solveInPlace(relative);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(relative);
    Eigen::MatrixXd directions = eigen.eigenvectors();
    metric.matrixU().solveInPlace(directions);
    Eigen::VectorXd values = eigen.eigenvalues();
    for (Eigen::Index i = 0; i < values.size(); ++i)
      values[i] = std::max(values[i], std::min(0.3, 1e-9 + 2.0 * noise_level(directions.col(i))));
    const Eigen::MatrixXd root =
        metric.matrixL() * (eigen.eigenvectors() * values.cwiseSqrt().asDiagonal());
    statistics_.factor = (root * root.transpose()).llt().matrixL();
  }

  //! Standard deviation of v' B v under the remaining uncertainty of the entries.
  double noise_level(const Eigen::VectorXd& v) const {
    double sum = 0.0;
    for (Eigen::Index j = 0; j < v.size(); ++j)
      for (Eigen::Index k = 0; k <= j; ++k) {
        const double weight = (j == k ? 1.0 : 2.0) * v[j] * v[k];
        sum += weight * weight * variance_(j + 1, k + 1);
      }
    return std::sqrt(sum);
  }

  PriorMoments prior_;
  LatentStatistics statistics_;
  Eigen::MatrixXd moments_, variance_;
};

}  // namespace noiseaware
