#pragma once

#include <cmath>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <noiseaware/rng/distributions_gamma.hpp>
#include <stdexcept>

// Wishart and inverse Wishart by the decomposition of Bartlett (1933). A scale
// matrix is given by its lower Cholesky factor L (only the lower triangle is
// read) and so is the draw by the *_factor functions: what follows usually needs
// a solve or a determinant. Products are plain loops in a fixed order, because
// the order of summation in Eigen depends on its version and instruction set.

namespace noiseaware {
namespace detail {

inline void check_wishart(double df, const Eigen::MatrixXd& factor) {
  if (factor.rows() != factor.cols() || factor.rows() == 0)
    throw std::invalid_argument("wishart scale factor must be square and not empty");
  for (Eigen::Index j = 0; j < factor.cols(); ++j) {
    require(factor(j, j) > 0.0, "diagonal of wishart scale factor", factor(j, j), "> 0");
    for (Eigen::Index i = j; i < factor.rows(); ++i)
      require_finite(factor(i, j), "wishart scale factor");
  }
  const double excess = df - static_cast<double>(factor.rows() - 1);
  require(std::isfinite(df) && excess > 0.0, "wishart df", df,
          "finite and above the number of rows minus 1");
}

//! Square root of a chi-square variate, positive for every df.
template <class Rng>
double chi(Rng& rng, double df) {
  const double value = std::sqrt(2.0) * std::exp(0.5 * log_gamma1(rng, 0.5 * df));
  if (!(value > 0.0)) throw std::domain_error("wishart draw is singular: df is too small");
  return value;
}

//! Lower triangular product of lower triangular matrices.
inline Eigen::MatrixXd lower_product(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.rows(), x.cols());
  for (Eigen::Index j = 0; j < out.cols(); ++j)
    for (Eigen::Index i = j; i < out.rows(); ++i)
      for (Eigen::Index k = j; k <= i; ++k) out(i, j) += x(i, k) * y(k, j);
  return out;
}

//! x y^-1 for lower triangular matrices, by substitution from the last column.
inline Eigen::MatrixXd lower_quotient(const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(x.rows(), x.cols());
  for (Eigen::Index i = 0; i < out.rows(); ++i)
    for (Eigen::Index j = i; j >= 0; --j) {
      double rest = x(i, j);
      for (Eigen::Index k = j + 1; k <= i; ++k) rest -= out(i, k) * y(k, j);
      out(i, j) = rest / y(j, j);
    }
  return out;
}

//! F F' for a lower triangular F; symmetric to the last bit.
inline Eigen::MatrixXd lower_square(const Eigen::MatrixXd& factor) {
  Eigen::MatrixXd out(factor.rows(), factor.cols());
  for (Eigen::Index j = 0; j < out.cols(); ++j)
    for (Eigen::Index i = j; i < out.rows(); ++i) {
      double sum = 0.0;
      for (Eigen::Index k = 0; k <= j; ++k) sum += factor(i, k) * factor(j, k);
      out(i, j) = sum;
      out(j, i) = sum;
    }
  return out;
}

//! Lower triangular A with A_jj = chi(first_df + step j), standard normal below.
//! With (df, -1) A A' is Wishart(df, I), with (df - p + 1, +1) A' A is.
template <class Rng>
Eigen::MatrixXd bartlett(Rng& rng, Eigen::Index size, double first_df, double step) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(size, size);
  for (Eigen::Index j = 0; j < size; ++j) {
    out(j, j) = chi(rng, first_df + step * static_cast<double>(j));
    for (Eigen::Index i = j + 1; i < size; ++i) out(i, j) = normal01(rng);
  }
  return out;
}

}  // namespace detail

//! Lower Cholesky factor of a Wishart(df, S) draw (mean df S), given that of S.
//! df is real and above rows - 1.
template <class Rng>
Eigen::MatrixXd wishart_factor(Rng& rng, double df, const Eigen::MatrixXd& scale_factor) {
  detail::check_wishart(df, scale_factor);
  return detail::lower_product(scale_factor, detail::bartlett(rng, scale_factor.rows(), df, -1.0));
}

//! Wishart(df, S) draw, mean df S, given the lower Cholesky factor of S.
template <class Rng>
Eigen::MatrixXd wishart(Rng& rng, double df, const Eigen::MatrixXd& scale_factor) {
  return detail::lower_square(wishart_factor(rng, df, scale_factor));
}

//! Lower Cholesky factor of an inverse Wishart(df, Psi) draw (mean
//! Psi / (df - rows - 1)), given that of Psi. If B' B is Wishart(df, I) and
//! Psi = L L', the draw is (L B^-1)(L B^-1)', and L B^-1 is lower triangular:
//! nothing is inverted or factored again.
template <class Rng>
Eigen::MatrixXd inverse_wishart_factor(Rng& rng, double df, const Eigen::MatrixXd& scale_factor) {
  detail::check_wishart(df, scale_factor);
  const Eigen::Index p = scale_factor.rows();
  const double first_df = df - static_cast<double>(p - 1);
  return detail::lower_quotient(scale_factor, detail::bartlett(rng, p, first_df, 1.0));
}

//! Inverse Wishart(df, Psi) draw, given the lower Cholesky factor of Psi.
template <class Rng>
Eigen::MatrixXd inverse_wishart(Rng& rng, double df, const Eigen::MatrixXd& scale_factor) {
  return detail::lower_square(inverse_wishart_factor(rng, df, scale_factor));
}

}  // namespace noiseaware
