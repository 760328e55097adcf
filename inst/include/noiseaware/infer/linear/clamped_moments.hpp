#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/normal.hpp>
#include <utility>
#include <vector>

namespace noiseaware {
namespace detail {

//! Number of terms of the Hermite series for cross moments.
constexpr std::size_t kHermiteTerms = 8;

//! Moments of X = mean + sd Z clamped to [lower, upper], and their derivatives.
//! With c_t = E[1(inside) He_t(Z)], that is c_0 = P(inside) and c_t = He_{t-1}(l)
//! phi(l) - He_{t-1}(h) phi(h) at the standardised bounds l, h, the Hermite
//! coefficients a_t = E[X He_t(Z)] are a_0 = E X and a_t = sd c_{t-1} by Stein's
//! identity; da_t/dmean = c_t and da_t/dsd = c_{t+1} + t c_{t-1}.
struct ClampedColumn {
  double first = 0.0, second = 0.0;  //!< E X and E X^2.
  double second_by_mean = 0.0, second_by_sd = 0.0;
  double sd = 0.0;
  std::array<double, kHermiteTerms + 1> inside{};  //!< c_t.

  ClampedColumn() = default;

  ClampedColumn(double mean, double sd_, double lower, double upper) : sd(sd_) {
    const double l = (lower - mean) / sd, h = (upper - mean) / sd;
    const double below = normal_cdf(l), above = normal_cdf(-h);
    inside[0] = l > 0.0 ? normal_cdf(-l) - above : normal_cdf(h) - below;
    add_end(l, 1.0);
    add_end(h, -1.0);
    const double low = below > 0.0 ? lower : 0.0, high = above > 0.0 ? upper : 0.0;
    // E[Z 1(inside)] = c_1 and E[Z^2 1(inside)] = c_2 + c_0.
    const double middle = mean * inside[0] + sd * inside[1];
    first = low * below + high * above + middle;
    const double square = inside[2] + inside[0];
    second = low * low * below + high * high * above + mean * middle +
             sd * (mean * inside[1] + sd * square);
    second_by_mean = 2.0 * middle;
    second_by_sd = 2.0 * (mean * inside[1] + sd * square);
  }

  double coefficient(std::size_t t) const { return t == 0 ? first : sd * inside[t - 1]; }
  double by_mean(std::size_t t) const { return inside[t]; }
  double by_sd(std::size_t t) const {
    if (t == 0) return inside[1];
    return inside[t + 1] + static_cast<double>(t) * inside[t - 1];
  }

 private:
  //! Adds sign * He_{t-1}(x) phi(x) to c_t; nothing at an infinite end.
  void add_end(double x, double sign) {
    const double density = normal_density(x);
    if (!(density > 0.0)) return;
    double previous = 0.0, hermite = 1.0;
    for (std::size_t t = 1; t < inside.size(); ++t) {
      inside[t] += sign * hermite * density;
      previous = std::exchange(hermite, x * hermite - static_cast<double>(t - 1) * previous);
    }
  }
};

}  // namespace detail

//! Expected moments of n normal records with mean w and covariance S / n, clamped
//! to bounds. Cross moments are Mehler's series in the correlation, whose t-th term
//! is rho^t / t! times the Hermite coefficients of the two columns.
class ClampedMoments {
 public:
  ClampedMoments(Eigen::VectorXd lower, Eigen::VectorXd upper)
      : lower_(std::move(lower)),
        upper_(std::move(upper)),
        columns_(static_cast<std::size_t>(lower_.size())),
        by_sd_(lower_.size()) {}

  //! Writes the expected moment matrix, both triangles.
  void compute(double n, const Eigen::VectorXd& mean, const Eigen::MatrixXd& scatter,
               Eigen::MatrixXd& out) {
    out(0, 0) = n;
    for (Eigen::Index j = 0; j < mean.size(); ++j) {
      column(j) = {mean[j], std::sqrt(scatter(j, j) / n), lower_[j], upper_[j]};
      out(0, j + 1) = out(j + 1, 0) = n * column(j).first;
      out(j + 1, j + 1) = n * column(j).second;
      for (Eigen::Index k = 0; k < j; ++k)
        out(j + 1, k + 1) = out(k + 1, j + 1) = n * cross(j, k, correlation(scatter, j, k));
    }
  }

  //! Adds the derivatives in w, S (symmetric adjoint) and n of a function of the
  //! moments last computed, `moments`, whose symmetric adjoint is `adjoint`.
  void pull(double n, const Eigen::MatrixXd& scatter, const Eigen::MatrixXd& moments,
            const Eigen::MatrixXd& adjoint, Eigen::VectorXd& by_mean, Eigen::MatrixXd& by_scatter,
            double& by_n) {
    by_n += adjoint.cwiseProduct(moments).sum() / n;
    for (Eigen::Index j = 0; j < by_mean.size(); ++j) {
      const detail::ClampedColumn& x = column(j);
      const double first = 2.0 * n * adjoint(0, j + 1), second = n * adjoint(j + 1, j + 1);
      by_mean[j] += first * x.inside[0] + second * x.second_by_mean;
      by_sd_[j] = first * x.inside[1] + second * x.second_by_sd;
    }
    for (Eigen::Index j = 0; j < by_mean.size(); ++j)
      for (Eigen::Index k = 0; k < j; ++k)
        pull_cross(j, k, scatter, 2.0 * n * adjoint(j + 1, k + 1), by_mean, by_scatter);
    // sd = sqrt(S_jj / n).
    for (Eigen::Index j = 0; j < by_mean.size(); ++j) {
      by_scatter(j, j) += 0.5 * by_sd_[j] * column(j).sd / scatter(j, j);
      by_n -= 0.5 * by_sd_[j] * column(j).sd / n;
    }
  }

 private:
  detail::ClampedColumn& column(Eigen::Index j) { return columns_[static_cast<std::size_t>(j)]; }

  static double correlation(const Eigen::MatrixXd& scatter, Eigen::Index j, Eigen::Index k) {
    return scatter(j, k) / std::sqrt(scatter(j, j) * scatter(k, k));
  }

  double cross(Eigen::Index j, Eigen::Index k, double rho) {
    double sum = 0.0, power = 1.0;
    for (std::size_t t = 0; t < detail::kHermiteTerms; ++t) {
      sum += power * column(j).coefficient(t) * column(k).coefficient(t);
      power *= rho / static_cast<double>(t + 1);
    }
    return sum;
  }

  void pull_cross(Eigen::Index j, Eigen::Index k, const Eigen::MatrixXd& scatter, double slope,
                  Eigen::VectorXd& by_mean, Eigen::MatrixXd& by_scatter) {
    const detail::ClampedColumn &x = column(j), &y = column(k);
    const double rho = correlation(scatter, j, k);
    double power = slope, last = 0.0, by_rho = 0.0;
    for (std::size_t t = 0; t < detail::kHermiteTerms; ++t) {
      const double a = x.coefficient(t), b = y.coefficient(t);
      by_mean[j] += power * x.by_mean(t) * b;
      by_mean[k] += power * a * y.by_mean(t);
      by_sd_[j] += power * x.by_sd(t) * b;
      by_sd_[k] += power * a * y.by_sd(t);
      by_rho += last * a * b;
      last = power;
      power *= rho / static_cast<double>(t + 1);
    }
    const double half = 0.5 * by_rho / std::sqrt(scatter(j, j) * scatter(k, k));
    by_scatter(j, k) += half;
    by_scatter(k, j) += half;
    by_scatter(j, j) -= 0.5 * by_rho * rho / scatter(j, j);
    by_scatter(k, k) -= 0.5 * by_rho * rho / scatter(k, k);
  }

  Eigen::VectorXd lower_, upper_;
  std::vector<detail::ClampedColumn> columns_;
  Eigen::VectorXd by_sd_;
};

}  // namespace noiseaware
