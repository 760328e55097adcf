#pragma once

#include <cmath>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/math/eigen.hpp>
#include <utility>
#include <vector>

// Mean and covariance of the statistics of one record, t = unique products of
// (1, x, y) without 1 * 1, row by row: what the central limit theorem needs.

namespace noiseaware {

//! Index pairs (j, k), j <= k, of the unique products of `size` columns, row by row.
inline std::vector<std::pair<Eigen::Index, Eigen::Index>> product_pairs(Eigen::Index size,
                                                                        bool with_constant) {
  std::vector<std::pair<Eigen::Index, Eigen::Index>> out;
  for (Eigen::Index j = 0; j < size; ++j)
    for (Eigen::Index k = j; k < size; ++k)
      if (with_constant || k > 0) out.emplace_back(j, k);
  return out;
}

//! Moments of the covariates: `second` = E (1, x)(1, x)' and the covariance of its
//! unique products, all pairs row by row (the first, 1 * 1, has none).
struct CovariateMoments {
  Eigen::MatrixXd second;
  Eigen::MatrixXd fourth;
};

//! Mean mu_t and covariance Sigma_t of the statistics of one record.
struct RowMoments {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;
};

namespace detail {

//! Mean and padded covariance of (1, a): the constant has no variance.
struct PaddedNormal {
  Eigen::VectorXd mean;
  Eigen::MatrixXd covariance;

  PaddedNormal(const Eigen::VectorXd& m, const Eigen::MatrixXd& v)
      : mean(m.size() + 1), covariance(Eigen::MatrixXd::Zero(m.size() + 1, m.size() + 1)) {
    mean << 1.0, m;
    covariance.bottomRightCorner(m.size(), m.size()) = v;
  }

  //! Cov(a_i a_j, a_k a_l) of jointly normal a.
  double product_covariance(Eigen::Index i, Eigen::Index j, Eigen::Index k, Eigen::Index l) const {
    const auto& m = mean;
    const auto& v = covariance;
    return v(i, k) * v(j, l) + v(i, l) * v(j, k) + m[i] * m[k] * v(j, l) + m[i] * m[l] * v(j, k) +
           m[j] * m[k] * v(i, l) + m[j] * m[l] * v(i, k);
  }
};

}  // namespace detail

//! Products of jointly normal columns with a given mean and covariance.
inline RowMoments normal_row_moments(const Eigen::VectorXd& mean, const Eigen::MatrixXd& covariance,
                                     bool with_constant = false) {
  const detail::PaddedNormal a(mean, covariance);
  const auto pairs = product_pairs(mean.size() + 1, with_constant);
  const auto size = static_cast<Eigen::Index>(pairs.size());
  RowMoments out{Eigen::VectorXd(size), Eigen::MatrixXd(size, size)};
  for (Eigen::Index s = 0; s < size; ++s) {
    const auto [i, j] = pairs[static_cast<std::size_t>(s)];
    out.mean[s] = a.covariance(i, j) + a.mean[i] * a.mean[j];
    for (Eigen::Index t = 0; t <= s; ++t) {
      const auto [k, l] = pairs[static_cast<std::size_t>(t)];
      out.covariance(s, t) = out.covariance(t, s) = a.product_covariance(i, j, k, l);
    }
  }
  return out;
}

//! Moments of normal covariates.
inline CovariateMoments normal_covariates(const Eigen::VectorXd& mean,
                                          const Eigen::MatrixXd& covariance) {
  CovariateMoments out;
  Eigen::VectorXd padded(mean.size() + 1);
  padded << 1.0, mean;
  out.second = padded * padded.transpose();
  out.second.bottomRightCorner(mean.size(), mean.size()) += covariance;
  out.fourth = normal_row_moments(mean, covariance, true).covariance;
  return out;
}

//! The linear map from products of (1, x), all pairs, to the expectation of the
//! statistics of a row given x: xx is selected, x_j y gives sum_l theta_l x_j x_l and
//! yy gives sum theta_i theta_l x_i x_l.
inline Eigen::MatrixXd response_map(const Eigen::VectorXd& theta) {
  const Eigen::Index p = theta.size();
  const auto rows = product_pairs(p + 1, false), cols = product_pairs(p, true);
  Eigen::MatrixXd at(p, p);
  for (std::size_t c = 0; c < cols.size(); ++c)
    at(cols[c].first, cols[c].second) = at(cols[c].second, cols[c].first) = static_cast<double>(c);
  const auto place = [&at](Eigen::Index j, Eigen::Index k) {
    return static_cast<Eigen::Index>(at(j, k));
  };
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()),
                                              static_cast<Eigen::Index>(cols.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto [j, k] = rows[r];
    auto row = out.row(static_cast<Eigen::Index>(r));
    if (k < p) {
      row[place(j, k)] = 1.0;
      continue;
    }
    for (Eigen::Index l = 0; l < p; ++l) {
      if (j < p) row[place(j, l)] += theta[l];
      for (Eigen::Index i = 0; j == p && i < p; ++i) row[place(i, l)] += theta[i] * theta[l];
    }
  }
  return out;
}

//! The derivative of the statistics in the residual of y: unit j for x_j y, 2 theta
//! for yy, as a matrix that multiplies (1, x).
inline Eigen::MatrixXd residual_map(const Eigen::VectorXd& theta) {
  const Eigen::Index p = theta.size();
  const auto rows = product_pairs(p + 1, false);
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows.size()), p);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto [j, k] = rows[r];
    if (k < p) continue;
    if (j < p)
      out(static_cast<Eigen::Index>(r), j) = 1.0;
    else
      out.row(static_cast<Eigen::Index>(r)) = 2.0 * theta.transpose();
  }
  return out;
}

//! Statistics of one record with covariates of any distribution: Sigma_t = A Xi A' +
//! J (sigma^2 eta) J' + 2 sigma^4 e e', e the unit of yy.
inline RowMoments general_row_moments(const CovariateMoments& x, const Eigen::VectorXd& theta,
                                      double sigma2) {
  const Eigen::MatrixXd a = response_map(theta), j = residual_map(theta);
  const auto cols = product_pairs(theta.size(), true);
  Eigen::VectorXd eta(a.cols());
  for (std::size_t c = 0; c < cols.size(); ++c)
    eta[static_cast<Eigen::Index>(c)] = x.second(cols[c].first, cols[c].second);
  RowMoments out;
  out.mean = a * eta;
  out.covariance = a * x.fourth * a.transpose() + sigma2 * j * x.second * j.transpose();
  const Eigen::Index last = out.mean.size() - 1;
  out.mean[last] += sigma2;
  out.covariance(last, last) += 2.0 * sigma2 * sigma2;
  return out;
}

//! Mean and covariance of a row (x, y) of normal covariates; coefficients of (1, x).
inline std::pair<Eigen::VectorXd, Eigen::MatrixXd> joint_normal(const Eigen::VectorXd& theta,
                                                                double sigma2,
                                                                const Eigen::VectorXd& mean,
                                                                const Eigen::MatrixXd& covariance) {
  const Eigen::Index d = mean.size();
  const Eigen::VectorXd slopes = theta.tail(d);
  Eigen::VectorXd m(d + 1);
  m << mean, theta[0] + slopes.dot(mean);
  Eigen::MatrixXd v(d + 1, d + 1);
  v.topLeftCorner(d, d) = covariance;
  v.col(d).head(d) = covariance * slopes;
  v.row(d).head(d) = v.col(d).head(d).transpose();
  v(d, d) = sigma2 + slopes.dot(v.col(d).head(d));
  return {m, v};
}

}  // namespace noiseaware
