#pragma once

#include <cmath>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <stdexcept>
#include <utility>

namespace noiseaware {

//! Where the coordinates are centred: w = mean + factor u_w / sqrt(n) and centred
//! scatter S = L L' with L = factor A. `log_excess` is log(n - q), for latent n.
struct LinearReference {
  Eigen::VectorXd mean;
  Eigen::MatrixXd factor;  //!< Lower triangular, positive diagonal.
  double log_excess = 0.0;
};

//! The latent statistics: number of records, mean w and scatter S = L L' of (x, y).
struct LatentStatistics {
  double n = 0.0;
  Eigen::VectorXd mean;
  Eigen::MatrixXd factor;  //!< L, q x min(n - 1, q).

  //! B = [n, n w'; n w, S + n w w'] written to `out`, both triangles.
  void moments(Eigen::MatrixXd& out) const {
    const Eigen::Index q = mean.size();
    out(0, 0) = n;
    out.col(0).tail(q) = n * mean;
    out.row(0).tail(q) = n * mean.transpose();
    auto block = out.bottomRightCorner(q, q);
    block.noalias() = factor * factor.transpose();
    block.noalias() += out.col(0).tail(q) * mean.transpose();
  }
};

//! Unconstrained coordinates u of the statistics: u_w (q numbers); for each column
//! j of A log A_jj and then A_ij, i > j; last, if n is latent, log(n - q) about its
//! reference. n - q instead of n keeps the scatter of full rank everywhere.
class LinearCoordinates {
 public:
  LinearCoordinates(const LinearProblem& problem, LinearReference reference)
      : q_(problem.q()),
        rank_(problem.rank()),
        n_known_(problem.n_known()),
        reference_(std::move(reference)),
        a_(Eigen::MatrixXd::Zero(q_, rank_)),
        slope_a_(q_, rank_),
        scaled_(q_) {
    if (reference_.mean.size() != q_ || reference_.factor.rows() != q_ ||
        reference_.factor.cols() != q_)
      throw std::invalid_argument("the reference does not fit the problem");
    statistics_.n = problem.n;
    statistics_.mean.resize(q_);
    statistics_.factor.resize(q_, rank_);
    log_volume_ = reference_.factor.diagonal().array().log().sum();
  }

  Eigen::Index dim() const {
    return q_ + rank_ * q_ - rank_ * (rank_ - 1) / 2 + (n_known_ ? 0 : 1);
  }

  const LinearReference& reference() const { return reference_; }
  const LatentStatistics& statistics() const { return statistics_; }
  //! log |det| of the reference factor.
  double log_volume() const { return log_volume_; }
  //! n - q, which is what the last coordinate is the logarithm of.
  double excess() const { return excess_; }
  const Eigen::MatrixXd& a() const { return a_; }

  //! Moves to the point u.
  void expand(const Eigen::VectorXd& u) {
    if (!n_known_) {
      excess_ = std::exp(reference_.log_excess + u[dim() - 1]);
      statistics_.n = excess_ + static_cast<double>(q_);
    }
    Eigen::Index at = q_;
    log_sum_ = rank_term_ = 0.0;
    for (Eigen::Index j = 0; j < rank_; ++j) {
      log_sum_ += u[at];
      rank_term_ += static_cast<double>(j) * u[at];
      a_(j, j) = std::exp(u[at++]);
      for (Eigen::Index i = j + 1; i < q_; ++i) a_(i, j) = u[at++];
    }
    const auto factor = reference_.factor.triangularView<Eigen::Lower>();
    statistics_.factor.noalias() = factor * a_;
    scaled_ = u.head(q_) / std::sqrt(statistics_.n);
    statistics_.mean.noalias() = factor * scaled_;
    statistics_.mean += reference_.mean;
  }

  //! sum_j (n - 1 - j) log A_jj: the log Jacobian together with |S|^((n-q-2)/2).
  double log_jacobian() const { return (statistics_.n - 1.0) * log_sum_ - rank_term_; }

  //! Gradient in u from the derivatives in w, L and (latent n, everything else
  //! fixed) n, and of log_jacobian().
  void pull(const Eigen::VectorXd& slope_mean, const Eigen::MatrixXd& slope_factor, double slope_n,
            Eigen::VectorXd& out) {
    const auto transposed = reference_.factor.transpose().triangularView<Eigen::Upper>();
    const double n = statistics_.n;
    scaled_ = slope_mean / std::sqrt(n);
    out.head(q_).noalias() = transposed * scaled_;
    slope_a_.noalias() = transposed * slope_factor;
    Eigen::Index at = q_;
    for (Eigen::Index j = 0; j < rank_; ++j) {
      out[at++] = slope_a_(j, j) * a_(j, j) + (n - 1.0 - static_cast<double>(j));
      for (Eigen::Index i = j + 1; i < q_; ++i) out[at++] = slope_a_(i, j);
    }
    if (n_known_) return;
    // dw/dn = -(w - w_ref) / (2 n) at fixed u.
    const double through_mean =
        -0.5 / n * (slope_mean.dot(statistics_.mean) - slope_mean.dot(reference_.mean));
    out[at] = excess_ * (slope_n + through_mean + log_sum_);
  }

 private:
  Eigen::Index q_, rank_;
  bool n_known_;
  LinearReference reference_;
  LatentStatistics statistics_;
  Eigen::MatrixXd a_, slope_a_;
  Eigen::VectorXd scaled_;  //!< Work space.
  double log_volume_ = 0.0;
  double excess_ = 0.0;
  double log_sum_ = 0.0;
  double rank_term_ = 0.0;
};

}  // namespace noiseaware
