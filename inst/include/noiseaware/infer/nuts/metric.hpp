#pragma once

#include <cmath>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <stdexcept>
#include <utility>

namespace noiseaware {

//! Euclidean metric of Hamiltonian Monte Carlo, given by its inverse: a diagonal
//! or dense estimate of the covariance of the target. Momenta are normal with the
//! inverse of that covariance.
class Metric {
 public:
  static Metric diagonal(Eigen::VectorXd variances) {
    for (Eigen::Index i = 0; i < variances.size(); ++i)
      detail::require_positive(variances[i], "variance of the metric");
    Metric out;
    out.variances_ = std::move(variances);
    out.deviations_ = out.variances_.cwiseSqrt();
    return out;
  }

  //! Reads the lower triangle; throws std::domain_error unless positive definite.
  static Metric dense(const Eigen::MatrixXd& covariance) {
    if (covariance.rows() != covariance.cols())
      throw std::invalid_argument("covariance of the metric must be square");
    Metric out;
    out.dense_ = true;
    out.covariance_ = covariance.selfadjointView<Eigen::Lower>();
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance);
    if (factor.info() != Eigen::Success || !covariance.allFinite())
      throw std::domain_error("covariance of the metric is not positive definite");
    out.factor_ = factor.matrixL();
    return out;
  }

  static Metric unit(Eigen::Index dim) { return diagonal(Eigen::VectorXd::Ones(dim)); }

  bool is_dense() const { return dense_; }
  Eigen::Index dim() const { return dense_ ? covariance_.rows() : variances_.size(); }

  //! Of a dense metric.
  const Eigen::MatrixXd& covariance() const { return covariance_; }
  //! Of a diagonal metric.
  const Eigen::VectorXd& variances() const { return variances_; }

  //! out = covariance * x, without allocation if out has the right size.
  void multiply(const Eigen::VectorXd& x, Eigen::VectorXd& out) const {
    if (dense_)
      out.noalias() = covariance_ * x;
    else
      out = variances_.cwiseProduct(x);
  }

  //! Normal with mean 0 and the inverse of the covariance.
  template <class Rng>
  void draw_momentum(Rng& rng, Eigen::VectorXd& out) const {
    draw_unit(rng, out);
    if (dense_)
      factor_.transpose().triangularView<Eigen::Upper>().solveInPlace(out);
    else
      out.array() /= deviations_.array();
  }

  //! Normal with mean 0 and the covariance.
  template <class Rng>
  void draw_offset(Rng& rng, Eigen::VectorXd& out) const {
    draw_unit(rng, out);
    if (dense_)
      out = factor_.triangularView<Eigen::Lower>() * out;
    else
      out.array() *= deviations_.array();
  }

 private:
  Metric() = default;

  template <class Rng>
  void draw_unit(Rng& rng, Eigen::VectorXd& out) const {
    out.resize(dim());
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = normal01(rng);
  }

  bool dense_ = false;
  Eigen::VectorXd variances_;
  Eigen::VectorXd deviations_;
  Eigen::MatrixXd covariance_;
  Eigen::MatrixXd factor_;  //!< Lower Cholesky factor of covariance_.
};

}  // namespace noiseaware
