#pragma once

#include <algorithm>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>

namespace noiseaware {

//! What the prior expects of one row. Where a prior is too vague to have the mean,
//! the nearest proper one stands in: these are starting values and plug-ins, not
//! part of a posterior.
struct PriorMoments {
  Eigen::MatrixXd covariate_covariance;  //!< E T.
  Eigen::VectorXd mean;                  //!< E a, a = (x, y).
  Eigen::MatrixXd second;                //!< E (1, a)(1, a)'.
  Eigen::MatrixXd within;                //!< E Var(a | parameters).

  explicit PriorMoments(const LinearProblem& problem)
      : covariate_covariance(expected_t(problem)), mean(problem.q()) {
    const Eigen::Index d = problem.d(), q = problem.q();
    set_coefficients(problem);
    const double sigma2 = expected_sigma2(problem.coefficients);
    const Eigen::MatrixXd square = covariance_ + coefficients_ * coefficients_.transpose();
    second = Eigen::MatrixXd::Zero(q + 1, q + 1);
    second.topLeftCorner(q, q) = covariate_second(problem);
    second.col(q).head(q) = second.topLeftCorner(q, q) * coefficients_;
    second.row(q).head(q) = second.col(q).head(q).transpose();
    second(q, q) = sigma2 + second.topLeftCorner(q, q).cwiseProduct(square).sum();
    mean = second.col(0).tail(q);
    within = Eigen::MatrixXd::Zero(q, q);
    within.topLeftCorner(d, d) = covariate_covariance;
    within.col(d).head(d) = covariate_covariance * coefficients_.tail(d);
    within.row(d).head(d) = within.col(d).head(d).transpose();
    within(d, d) = sigma2 + covariate_covariance.cwiseProduct(square.bottomRightCorner(d, d)).sum();
  }

  //! Variance of a_j a_k (index 0: the constant) if rows were normal.
  double product_variance(Eigen::Index j, Eigen::Index k) const {
    const auto m = [&](Eigen::Index i) { return second(0, i); };
    const auto v = [&](Eigen::Index i, Eigen::Index l) {
      return second(i, l) - second(0, i) * second(0, l);
    };
    return v(j, j) * v(k, k) + v(j, k) * v(j, k) + m(j) * m(j) * v(k, k) + m(k) * m(k) * v(j, j) +
           2.0 * m(j) * m(k) * v(j, k);
  }

  //! Mean and covariance, the uncertainty of mu_x included, of one row of covariates.
  static Eigen::MatrixXd inflated_covariance(const LinearProblem& problem) {
    return (1.0 + 1.0 / problem.covariates.strength) * expected_t(problem);
  }

 private:
  static double expected_sigma2(const CoefficientPrior& prior) {
    return prior.rate / (prior.shape > 1.5 ? prior.shape - 1.0 : std::max(prior.shape, 0.5));
  }

  static Eigen::MatrixXd expected_t(const LinearProblem& problem) {
    const double excess = problem.covariates.df - static_cast<double>(problem.d()) - 1.0;
    return problem.covariates.scale / std::max(excess, 1.0);
  }

  //! E (1, x)(1, x)'.
  static Eigen::MatrixXd covariate_second(const LinearProblem& problem) {
    const Eigen::Index d = problem.d();
    Eigen::VectorXd constant_and_mean(d + 1);
    constant_and_mean << 1.0, problem.covariates.mean;
    Eigen::MatrixXd out = constant_and_mean * constant_and_mean.transpose();
    out.bottomRightCorner(d, d) += inflated_covariance(problem);
    return out;
  }

  //! Mean and covariance of the coefficients of (1, x): offset + design theta.
  void set_coefficients(const LinearProblem& problem) {
    const auto& prior = problem.coefficients;
    const Eigen::Index k = problem.terms();
    const Eigen::MatrixXd own =
        expected_sigma2(prior) * prior.precision.llt().solve(Eigen::MatrixXd::Identity(k, k));
    coefficients_ = prior.mean;
    covariance_ = own;
    if (problem.plain_design()) return;
    coefficients_ = problem.offset + problem.design * prior.mean;
    covariance_ = problem.design * own * problem.design.transpose();
  }

  Eigen::VectorXd coefficients_;
  Eigen::MatrixXd covariance_;
};

}  // namespace noiseaware
