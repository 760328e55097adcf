#pragma once

#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <stdexcept>

// Releases hold moments about public centres, with noise that is independent in
// those coordinates. Noisy moments are therefore never transformed beyond dividing
// by half widths; priors are mapped in and draws out.

namespace noiseaware {

//! Scaled columns are (a - centre) / half for the columns of (x, y).
struct LinearScaling {
  Eigen::VectorXd centre, half;

  static LinearScaling identity(Eigen::Index q) {
    return {Eigen::VectorXd::Zero(q), Eigen::VectorXd::Ones(q)};
  }

  Eigen::Index d() const { return centre.size() - 1; }
  double half_y() const { return half[d()]; }

  //! The factor by which moment (row, col) of scaled columns is to be multiplied to
  //! have it in natural units about the centres; index 0 is the constant.
  double unit(Eigen::Index row, Eigen::Index col) const {
    return (row > 0 ? half[row - 1] : 1.0) * (col > 0 ? half[col - 1] : 1.0);
  }

  //! Scaled coefficients of (1, x) are map() theta + shift() for natural theta.
  Eigen::MatrixXd map() const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(d() + 1, d() + 1);
    out(0, 0) = 1.0 / half_y();
    for (Eigen::Index j = 0; j < d(); ++j) {
      out(0, j + 1) = centre[j] / half_y();
      out(j + 1, j + 1) = half[j] / half_y();
    }
    return out;
  }

  Eigen::VectorXd shift() const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(d() + 1);
    out[0] = -centre[d()] / half_y();
    return out;
  }

  //! The inverse of map(): natural theta is inverse_map() (scaled - shift()).
  Eigen::MatrixXd inverse_map() const {
    Eigen::MatrixXd out = Eigen::MatrixXd::Zero(d() + 1, d() + 1);
    out(0, 0) = half_y();
    for (Eigen::Index j = 0; j < d(); ++j) {
      out(0, j + 1) = -half_y() * centre[j] / half[j];
      out(j + 1, j + 1) = half_y() / half[j];
    }
    return out;
  }

  //! Prior of (theta, sigma^2) with an intercept, from natural units. Var(theta_s) is
  //! sigma^2 map Lambda^-1 map' with sigma^2 = half_y^2 sigma_s^2.
  CoefficientPrior scaled(const CoefficientPrior& prior) const {
    const Eigen::MatrixXd back = inverse_map() / half_y();
    CoefficientPrior out;
    out.mean = map() * prior.mean + shift();
    out.precision = back.transpose() * prior.precision * back;
    out.shape = prior.shape;
    out.rate = prior.rate / (half_y() * half_y());
    return out;
  }

  CovariatePrior scaled(const CovariatePrior& prior) const {
    const Eigen::VectorXd inverse = half.head(d()).cwiseInverse();
    CovariatePrior out;
    out.mean = (prior.mean - centre.head(d())).cwiseProduct(inverse);
    out.strength = prior.strength;
    out.scale = inverse.asDiagonal() * prior.scale * inverse.asDiagonal();
    out.df = prior.df;
    return out;
  }

  //! Makes `problem` a regression without intercept: coefficients are then those of
  //! the natural columns x, and their prior is in natural units but for sigma^2.
  void drop_intercept(LinearProblem& problem, const CoefficientPrior& prior) const {
    problem.design = map().rightCols(d());
    problem.offset = shift();
    problem.coefficients = prior;
    problem.coefficients.precision = prior.precision / (half_y() * half_y());
    problem.coefficients.rate = prior.rate / (half_y() * half_y());
  }

  void check() const {
    if (centre.size() != half.size() || centre.size() < 1 || !centre.allFinite() ||
        !half.allFinite() || !(half.minCoeff() > 0.0))
      throw std::invalid_argument("scaling needs a centre and a positive half width per column");
  }
};

}  // namespace noiseaware
