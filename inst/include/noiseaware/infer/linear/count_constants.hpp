#pragma once

#include <cmath>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/special.hpp>

namespace noiseaware {
namespace detail {

constexpr double kLog2 = 0.69314718055994530942;
constexpr double kLogPi = 1.14472988584940017414;

//! log of the multivariate gamma function of dimension p.
inline double log_multigamma(Eigen::Index p, double x) {
  const double size = static_cast<double>(p);
  double sum = 0.25 * size * (size - 1.0) * kLogPi;
  for (Eigen::Index i = 0; i < p; ++i) sum += log_gamma(x - 0.5 * static_cast<double>(i));
  return sum;
}

//! Its derivative.
inline double multi_digamma(Eigen::Index p, double x) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < p; ++i) sum += digamma(x - 0.5 * static_cast<double>(i));
  return sum;
}

}  // namespace detail

//! The terms of log p(s | n) that depend on n and the prior only (s in the form of
//! sums of a and aa'), for n > q records with q = d + 1:
//!   - (n-1)q/2 log 2 - lnGamma_q((n-1)/2) - q/2 log(2 pi n) + lnGamma(a_n)
//!   + a_n log 2 + lnGamma_d(nu_n/2) + nd/2 log 2 - d/2 log kappa_n.
//! The term a_n log 2 turns b_n into the squared pivot 2 b_n.
class CountConstants {
 public:
  explicit CountConstants(const LinearProblem& problem)
      : d_(problem.d()),
        q_(problem.q()),
        shape0_(problem.coefficients.shape),
        df0_(problem.covariates.df),
        strength0_(problem.covariates.strength) {}

  double value(double n) const {
    const double d = static_cast<double>(d_), q = static_cast<double>(q_);
    const double shape = shape0_ + 0.5 * n;
    const double wishart =
        -0.5 * (n - 1.0) * q * detail::kLog2 - detail::log_multigamma(q_, 0.5 * (n - 1.0));
    const double mean = -0.5 * q * (detail::kLog2 + detail::kLogPi + std::log(n));
    return wishart + mean + log_gamma(shape) + shape * detail::kLog2 +
           detail::log_multigamma(d_, 0.5 * (df0_ + n)) + 0.5 * n * d * detail::kLog2 -
           0.5 * d * std::log(strength0_ + n);
  }

  double derivative(double n) const {
    const double d = static_cast<double>(d_), q = static_cast<double>(q_);
    return -0.5 * q * detail::kLog2 - 0.5 * detail::multi_digamma(q_, 0.5 * (n - 1.0)) -
           0.5 * q / n + 0.5 * digamma(shape0_ + 0.5 * n) + 0.5 * detail::kLog2 +
           0.5 * detail::multi_digamma(d_, 0.5 * (df0_ + n)) + 0.5 * d * detail::kLog2 -
           0.5 * d / (strength0_ + n);
  }

 private:
  Eigen::Index d_, q_;
  double shape0_, df0_, strength0_;
};

}  // namespace noiseaware
