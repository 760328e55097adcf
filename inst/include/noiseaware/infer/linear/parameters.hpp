#pragma once

#include <cmath>
#include <limits>
#include <noiseaware/infer/linear/conjugate.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/infer/linear/scaling.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/special.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/wishart.hpp>
#include <stdexcept>
#include <utility>

namespace noiseaware {

//! One draw of the parameters in scaled coordinates.
struct LinearParameters {
  Eigen::VectorXd coefficients;
  double sigma = 0.0;
  Eigen::VectorXd covariate_mean;
  Eigen::MatrixXd covariate_factor;  //!< Lower factor of T.
};

//! Exact draw given the statistics: sigma^2 = b_n / Gamma(a_n), theta = mu_n +
//! sigma C^-T N(0, I); T inverse Wishart, mu_x = m_n + chol(T) N(0, I) / sqrt(kappa_n).
template <class Rng>
LinearParameters draw_parameters(Rng& rng, const ConjugateUpdate& update) {
  const Eigen::Index d = update.factor_x().rows() - 1, k = update.factor_y().rows() - 1;
  const auto normals = [&rng](Eigen::Index size) {
    Eigen::VectorXd out(size);
    for (Eigen::Index i = 0; i < size; ++i) out[i] = normal01(rng);
    return out;
  };
  LinearParameters out;
  out.sigma = std::sqrt(inverse_gamma(rng, update.shape(), update.rate()));
  Eigen::VectorXd noise = normals(k);
  update.factor_y()
      .topLeftCorner(k, k)
      .transpose()
      .template triangularView<Eigen::Upper>()
      .solveInPlace(noise);
  out.coefficients = update.coefficients() + out.sigma * noise;
  out.covariate_mean = update.covariate_mean();
  if (d == 0) return out;
  out.covariate_factor =
      inverse_wishart_factor(rng, update.df(), update.factor_x().bottomRightCorner(d, d));
  out.covariate_mean += out.covariate_factor * normals(d) / std::sqrt(update.strength());
  return out;
}

namespace detail {

//! Moments of sigma for sigma^2 ~ InvGamma(a, b): E sigma^2 = b / (a - 1) and E sigma =
//! sqrt(b) Gamma(a - 1/2) / Gamma(a), the ratio as a beta function because the
//! difference of two log-gammas has no digits left for a variance of order 1/a.
struct RootInverseGamma {
  double mean = std::numeric_limits<double>::infinity();
  double square = std::numeric_limits<double>::infinity();
  double variance = std::numeric_limits<double>::infinity();

  RootInverseGamma(double a, double b) {
    if (a <= 1.0) return;
    const double log_ratio = log_beta(a - 0.5, 0.5) - log_gamma(0.5);
    mean = std::sqrt(b) * std::exp(log_ratio);
    square = b / (a - 1.0);
    variance = -square * std::expm1(std::log(a - 1.0) + 2.0 * log_ratio);
  }
};

}  // namespace detail

//! Writes draws and conditional moments in natural units. Variables of a draw, in
//! this order: coefficients (intercept first if there is one), sigma, mu_x, and T
//! (x_j, x_k) for j <= k, row by row.
class LinearReport {
 public:
  LinearReport(const LinearProblem& problem, LinearScaling scaling)
      : plain_(problem.plain_design()),
        scaling_(std::move(scaling)),
        map_(scaling_.inverse_map()),
        shift_(scaling_.shift()) {
    scaling_.check();
    if (scaling_.centre.size() != problem.q())
      throw std::invalid_argument("scaling must cover every column");
  }

  static Eigen::Index size(const LinearProblem& problem) {
    const Eigen::Index d = problem.d();
    return problem.terms() + 1 + d + d * (d + 1) / 2;
  }

  Eigen::VectorXd natural(const LinearParameters& draw) const {
    const Eigen::Index d = scaling_.d(), k = draw.coefficients.size();
    Eigen::VectorXd out(k + 1 + d + d * (d + 1) / 2);
    out.head(k) = natural_coefficients(draw.coefficients);
    out[k] = scaling_.half_y() * draw.sigma;
    const auto half = scaling_.half.head(d);
    out.segment(k + 1, d) = scaling_.centre.head(d) + half.cwiseProduct(draw.covariate_mean);
    Eigen::Index at = k + 1 + d;
    const Eigen::MatrixXd t = draw.covariate_factor * draw.covariate_factor.transpose();
    for (Eigen::Index i = 0; i < d; ++i)
      for (Eigen::Index j = i; j < d; ++j) out[at++] = half[i] * half[j] * t(i, j);
    return out;
  }

  //! Mean and then variance, given the statistics, of each coefficient and of sigma:
  //! for averages with less Monte Carlo error and for the share of the posterior
  //! variance that noise causes.
  Eigen::VectorXd conditional(const ConjugateUpdate& update) const {
    const Eigen::VectorXd mean = update.coefficients();
    const Eigen::Index k = mean.size();
    Eigen::MatrixXd root = Eigen::MatrixXd::Identity(k, k);
    update.factor_y().topLeftCorner(k, k).triangularView<Eigen::Lower>().solveInPlace(root);
    if (plain_) root = root * map_.transpose();
    const detail::RootInverseGamma sigma(update.shape(), update.rate());
    const double half_y = scaling_.half_y();
    Eigen::VectorXd out(2 * (k + 1));
    out.head(k) = natural_coefficients(mean);
    out[k] = half_y * sigma.mean;
    out.segment(k + 1, k) = sigma.square * root.colwise().squaredNorm().transpose();
    out[2 * k + 1] = half_y * half_y * sigma.variance;
    return out;
  }

  //! The unique moments (j <= k, row by row, n first) in natural units about the
  //! centres: what the release holds, without its noise.
  Eigen::VectorXd statistics(const Eigen::MatrixXd& moments) const {
    const Eigen::Index size = moments.rows();
    Eigen::VectorXd out(size * (size + 1) / 2);
    Eigen::Index at = 0;
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = i; j < size; ++j) out[at++] = scaling_.unit(i, j) * moments(i, j);
    return out;
  }

 private:
  //! With a design of its own a problem has natural coefficients already.
  Eigen::VectorXd natural_coefficients(const Eigen::VectorXd& scaled) const {
    if (!plain_) return scaled;
    return map_ * (scaled - shift_);
  }

  bool plain_;
  LinearScaling scaling_;
  Eigen::MatrixXd map_;
  Eigen::VectorXd shift_;
};

}  // namespace noiseaware
