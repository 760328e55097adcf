#pragma once

#include <cmath>
#include <noiseaware/infer/linear/conjugate.hpp>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/infer/linear/row_moments.hpp>
#include <noiseaware/infer/linear/scaling.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/wishart.hpp>
#include <stdexcept>
#include <tuple>

// The way from the prior to a release, for studies and predictive checks. Records
// and parameters are in natural units.

namespace noiseaware {

//! One draw of all parameters from the prior, in the order of LinearReport.
template <class Rng>
class LinearPriorDraws {
 public:
  LinearPriorDraws(const LinearProblem& problem, const LinearScaling& scaling)
      : report_(problem, scaling), update_(problem) {
    const Eigen::Index size = problem.q() + 1;
    update_.update(Eigen::MatrixXd::Zero(size, size));  // No records: the prior itself.
  }

  Eigen::VectorXd operator()(Rng& rng) const {
    return report_.natural(draw_parameters(rng, update_));
  }

 private:
  LinearReport report_;
  ConjugateUpdate update_;
};

//! Rows (x, y), jointly normal.
class LinearRows {
 public:
  //! `draw`: coefficients, sigma, mu_x and T as LinearReport writes them.
  LinearRows(const Eigen::VectorXd& draw, Eigen::Index d, bool intercept) {
    const Eigen::Index k = d + (intercept ? 1 : 0);
    if (draw.size() != k + 1 + d + d * (d + 1) / 2)
      throw std::invalid_argument("a draw does not fit the number of covariates");
    Eigen::VectorXd effects = Eigen::VectorXd::Zero(d + 1);
    effects.tail(k) = draw.head(k);
    Eigen::MatrixXd t(d, d);
    Eigen::Index at = k + 1 + d;
    for (Eigen::Index i = 0; i < d; ++i)
      for (Eigen::Index j = i; j < d; ++j) t(i, j) = t(j, i) = draw[at++];
    const double sigma = draw[k];
    std::tie(mean_, covariance_) = joint_normal(effects, sigma * sigma, draw.segment(k + 1, d), t);
    const Eigen::LLT<Eigen::MatrixXd> factor(covariance_);
    if (factor.info() != Eigen::Success)
      throw std::domain_error("the covariance of a record is not positive definite");
    factor_ = factor.matrixL();
  }

  const Eigen::VectorXd& mean() const { return mean_; }

  template <class Rng>
  Eigen::VectorXd draw(Rng& rng) const {
    return mean_ + deviation(rng);
  }

  //! The moment matrix of n rows about `centre`; n may be real if it is large. The
  //! scatter of n rows is Wishart with n - 1 degrees of freedom, independent of the mean.
  template <class Rng>
  Eigen::MatrixXd draw_moments(Rng& rng, double n, const Eigen::VectorXd& centre) const {
    const Eigen::Index q = mean_.size();
    const Eigen::VectorXd w = mean_ - centre + deviation(rng) / std::sqrt(n);
    Eigen::MatrixXd out(q + 1, q + 1);
    out(0, 0) = n;
    out.col(0).tail(q) = n * w;
    out.row(0).tail(q) = n * w.transpose();
    out.bottomRightCorner(q, q) = draw_scatter(rng, n - 1.0) + n * w * w.transpose();
    return out;
  }

 private:
  template <class Rng>
  Eigen::VectorXd deviation(Rng& rng) const {
    Eigen::VectorXd z(mean_.size());
    for (Eigen::Index i = 0; i < z.size(); ++i) z[i] = normal01(rng);
    return factor_.triangularView<Eigen::Lower>() * z;
  }

  template <class Rng>
  Eigen::MatrixXd draw_scatter(Rng& rng, double df) const {
    const Eigen::Index q = mean_.size();
    if (df > static_cast<double>(q)) return wishart(rng, df, factor_);
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(q, q);
    for (double i = 0.5; i < df; i += 1.0) {
      const Eigen::VectorXd row = deviation(rng);
      out += row * row.transpose();
    }
    return out;
  }

  Eigen::VectorXd mean_;
  Eigen::MatrixXd covariance_, factor_;
};

}  // namespace noiseaware
