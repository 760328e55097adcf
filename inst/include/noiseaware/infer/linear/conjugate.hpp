#pragma once

#include <cmath>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <stdexcept>

namespace noiseaware {

//! The conjugate posterior of (theta, sigma^2) and (mu_x, T) given the moments B.
//! Both updates are Cholesky factors of prior-plus-moment matrices,
//!   [Lambda_n, Lambda_n mu_n; ., mu_n' Lambda_n mu_n + 2 b_n]  and
//!   [kappa_n, kappa_n m_n'; ., Psi_n + kappa_n m_n m_n'],
//! whose last pivots are sqrt(2 b_n) and chol(Psi_n): no difference of large
//! numbers is taken. Before the first update it is at the prior. Work space is
//! allocated once.
class ConjugateUpdate {
 public:
  explicit ConjugateUpdate(const LinearProblem& problem)
      : plain_(problem.plain_design()),
        terms_(problem.terms()),
        shape0_(problem.coefficients.shape),
        df0_(problem.covariates.df),
        base_y_(terms_ + 1, terms_ + 1),
        base_x_(problem.q(), problem.q()),
        sum_y_(terms_ + 1, terms_ + 1),
        sum_x_(problem.q(), problem.q()),
        factor_y_(terms_ + 1),
        factor_x_(problem.q()),
        inverse_y_(terms_, terms_),
        inverse_x_(problem.q(), problem.q()),
        adjoint_(terms_ + 1, terms_ + 1),
        direction_(terms_ + 1) {
    set_base_y(problem.coefficients);
    set_base_x(problem.covariates);
    if (!plain_) set_map(problem);
    // Begins at the prior: a factor that was never computed must not be copied.
    update(Eigen::MatrixXd::Zero(problem.q() + 1, problem.q() + 1));
  }

  //! Takes the moment matrix of (1, x, y), both triangles; B(0, 0) = n.
  //! Throws std::domain_error if it is too far from positive semidefinite.
  void update(const Eigen::MatrixXd& moments) {
    n_ = moments(0, 0);
    const Eigen::Index q = sum_x_.rows();
    sum_x_ = base_x_ + moments.topLeftCorner(q, q);
    if (plain_)
      sum_y_ = base_y_ + moments;
    else
      sum_y_ = base_y_ + map_.transpose() * moments * map_;
    factor_y_.compute(sum_y_);
    factor_x_.compute(sum_x_);
    if (factor_y_.info() != Eigen::Success || factor_x_.info() != Eigen::Success)
      throw std::domain_error("moments are not positive definite");
  }

  //! Shape a_n and rate b_n of sigma^2, degrees of freedom nu_n of T, strength
  //! kappa_n of mu_x.
  double shape() const { return shape0_ + 0.5 * n_; }
  double rate() const { return 0.5 * last_pivot() * last_pivot(); }
  double df() const { return df0_ + n_; }
  double strength() const { return sum_x_(0, 0); }

  //! Lower factor of [Lambda_n, .; ., .]: its leading block is chol(Lambda_n).
  const Eigen::MatrixXd& factor_y() const { return factor_y_.matrixLLT(); }
  //! Lower factor of [kappa_n, .; ., .]: its trailing block is chol(Psi_n).
  const Eigen::MatrixXd& factor_x() const { return factor_x_.matrixLLT(); }

  //! mu_n: the last row of the factor is (C^-1 Lambda_n mu_n)'.
  Eigen::VectorXd coefficients() const {
    Eigen::VectorXd out = factor_y().row(terms_).head(terms_).transpose();
    leading_y().transpose().triangularView<Eigen::Upper>().solveInPlace(out);
    return out;
  }

  //! m_n.
  Eigen::VectorXd covariate_mean() const {
    return sum_x_.col(0).tail(sum_x_.rows() - 1) / strength();
  }

  double log_pivots_y() const { return factor_y().diagonal().head(terms_).array().log().sum(); }
  double log_last_pivot() const { return std::log(last_pivot()); }
  double log_pivots_x() const {
    return factor_x().diagonal().tail(sum_x_.rows() - 1).array().log().sum();
  }

  //! -1/2 log|Lambda_n| - a_n log(2 b_n) - nu_n/2 log|Psi_n|.
  double log_kernel() const {
    return -log_pivots_y() - 2.0 * shape() * log_last_pivot() - df() * log_pivots_x();
  }

  //! Derivative of log_kernel() through a_n and nu_n at fixed moments.
  double count_slope() const { return -log_last_pivot() - log_pivots_x(); }

  //! Adds the symmetric adjoint Gamma of log_kernel(): its differential in the
  //! moments (n in a_n and nu_n held fixed) is tr(Gamma dB).
  void add_adjoint(Eigen::MatrixXd& out) {
    add_adjoint_x(out);
    set_adjoint_y();
    if (plain_)
      out += adjoint_;
    else
      out += map_ * adjoint_ * map_.transpose();
  }

 private:
  //! chol(Lambda_n) in its lower triangle.
  Eigen::Block<const Eigen::MatrixXd> leading_y() const {
    return factor_y().topLeftCorner(terms_, terms_);
  }

  double last_pivot() const { return factor_y()(terms_, terms_); }

  void set_base_y(const CoefficientPrior& prior) {
    const Eigen::VectorXd weighted = prior.precision * prior.mean;
    base_y_.topLeftCorner(terms_, terms_) = prior.precision;
    base_y_.col(terms_).head(terms_) = weighted;
    base_y_.row(terms_).head(terms_) = weighted.transpose();
    base_y_(terms_, terms_) = prior.mean.dot(weighted) + 2.0 * prior.rate;
  }

  void set_base_x(const CovariatePrior& prior) {
    const Eigen::Index d = prior.mean.size();
    base_x_(0, 0) = prior.strength;
    base_x_.col(0).tail(d) = prior.strength * prior.mean;
    base_x_.row(0).tail(d) = prior.strength * prior.mean.transpose();
    if (d == 0) return;
    base_x_.bottomRightCorner(d, d) =
        prior.scale + prior.strength * prior.mean * prior.mean.transpose();
  }

  //! (1, x, y) map = ((1, x) design, y - (1, x) offset).
  void set_map(const LinearProblem& problem) {
    const Eigen::Index rows = problem.d() + 1;
    map_ = Eigen::MatrixXd::Zero(rows + 1, terms_ + 1);
    map_.topLeftCorner(rows, terms_) = problem.design;
    map_.col(terms_).head(rows) = -problem.offset;
    map_(rows, terms_) = 1.0;
  }

  //! -nu_n/2 log|Psi_n| = -nu_n/2 (log|sum| - log kappa_n).
  void add_adjoint_x(Eigen::MatrixXd& out) {
    const Eigen::Index q = sum_x_.rows();
    inverse_x_.setIdentity();
    factor_x_.matrixL().solveInPlace(inverse_x_);
    out.topLeftCorner(q, q).noalias() -= (0.5 * df()) * inverse_x_.transpose() * inverse_x_;
    out(0, 0) += 0.5 * df() / strength();
  }

  //! -1/2 Lambda_n^-1 in the leading block, then -a_n/(2 b_n) v v', v = (mu_n, -1).
  void set_adjoint_y() {
    inverse_y_.setIdentity();
    leading_y().triangularView<Eigen::Lower>().solveInPlace(inverse_y_);
    direction_.head(terms_).noalias() =
        inverse_y_.transpose() * factor_y().row(terms_).head(terms_).transpose();
    direction_[terms_] = -1.0;
    adjoint_.noalias() = direction_ * direction_.transpose();
    adjoint_ *= -0.5 * shape() / rate();
    adjoint_.topLeftCorner(terms_, terms_).noalias() -= 0.5 * inverse_y_.transpose() * inverse_y_;
  }

  bool plain_;
  Eigen::Index terms_;
  double shape0_, df0_;
  double n_ = 0.0;
  Eigen::MatrixXd base_y_, base_x_, map_;
  Eigen::MatrixXd sum_y_, sum_x_;
  Eigen::LLT<Eigen::MatrixXd> factor_y_, factor_x_;
  Eigen::MatrixXd inverse_y_, inverse_x_, adjoint_;
  Eigen::VectorXd direction_;
};

}  // namespace noiseaware
