#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/require.hpp>
#include <stdexcept>
#include <string>
#include <vector>

// Linear regression from noisy second moments: Bernstein and Sheldon (2019),
// "Differentially private Bayesian linear regression". A row is a = (x, y) with d
// covariates x ~ N(mu_x, T) and y | x ~ N(theta' (1, x), sigma^2). The statistics
// are the moment matrix B = sum (1, a)(1, a)', index 0 being the constant.
// Everything is in the scaled coordinates of the release, in which noise is
// independent: see scaling.hpp for the way in and out.

namespace noiseaware {

//! theta | sigma^2 ~ N(mean, sigma^2 precision^-1), sigma^2 ~ InvGamma(shape, rate).
struct CoefficientPrior {
  Eigen::VectorXd mean;
  Eigen::MatrixXd precision;
  double shape = 0.0;
  double rate = 0.0;
};

//! mu_x | T ~ N(mean, T / strength), T ~ InvWishart(df, scale).
struct CovariatePrior {
  Eigen::VectorXd mean;
  double strength = 0.0;
  Eigen::MatrixXd scale;
  double df = 0.0;
};

//! A released number: B(row, col) - minus_weight B(minus_row, minus_col) + noise.
//! With a nonzero weight it is a tie, such as B_kk - B_0k = 0 for a 0/1 column
//! whose square was not released, observed with a small scale. Entry (0, 0) is the
//! number of records.
struct MomentObservation {
  Eigen::Index row = 0;
  Eigen::Index col = 0;
  double value = 0.0;
  NoiseLaw law = NoiseLaw::none;
  double scale = 0.0;  //!< Laplace scale or Gaussian standard deviation.
  Eigen::Index minus_row = 0;
  Eigen::Index minus_col = 0;
  double minus_weight = 0.0;

  bool is_tie() const { return minus_weight != 0.0; }

  double standard_deviation() const {
    if (law == NoiseLaw::none) return 0.0;
    return law == NoiseLaw::laplace ? std::sqrt(2.0) * scale : scale;
  }
};

//! What is known: priors, the released entries (any subset) and n.
struct LinearProblem {
  CoefficientPrior coefficients;
  CovariatePrior covariates;
  std::vector<MomentObservation> observations;
  //! Number of records; NaN if only a noisy count, entry (0, 0), was released.
  double n = std::numeric_limits<double>::quiet_NaN();
  //! The regression is of y - (1, x) offset on (1, x) design, (d + 1) x k. Empty:
  //! design = identity, offset = 0. Without an intercept in natural units both are
  //! those of scaling.hpp.
  Eigen::MatrixXd design;
  Eigen::VectorXd offset;
  //! Records are normal values clamped to these bounds, one per column of (x, y)
  //! and possibly infinite. Empty: no record is outside.
  Eigen::VectorXd lower, upper;

  Eigen::Index d() const { return covariates.mean.size(); }
  Eigen::Index q() const { return d() + 1; }  //!< Length of a row (x, y).
  Eigen::Index terms() const { return coefficients.mean.size(); }
  bool n_known() const { return !std::isnan(n); }
  bool clamped() const { return lower.size() > 0; }
  bool plain_design() const { return design.size() == 0; }

  //! Columns of the factor of the centred scatter, which has rank min(n - 1, q).
  Eigen::Index rank() const {
    if (!n_known()) return q();
    return static_cast<Eigen::Index>(std::min(n - 1.0, static_cast<double>(q())));
  }

  //! Whether no entry is noisy: then the posterior is conjugate.
  bool noise_free() const {
    return std::all_of(observations.begin(), observations.end(),
                       [](const auto& o) { return o.law == NoiseLaw::none; });
  }

  //! Throws std::invalid_argument naming what is wrong.
  void check() const;
};

namespace detail {

inline void require_size(bool ok, const char* message) {
  if (!ok) throw std::invalid_argument(message);
}

inline void require_covariance(const Eigen::MatrixXd& x, Eigen::Index size, const char* name) {
  const bool square = x.rows() == size && x.cols() == size;
  if (!square || !x.allFinite() || !x.isApprox(x.transpose(), 1e-10) ||
      x.llt().info() != Eigen::Success)
    throw std::invalid_argument(std::string(name) + " must be symmetric positive definite, " +
                                std::to_string(size) + " x " + std::to_string(size));
}

inline void check_linear_prior(const LinearProblem& problem) {
  const auto& theta = problem.coefficients;
  const auto& x = problem.covariates;
  require_size(x.mean.allFinite() && theta.mean.allFinite(), "prior means must be finite");
  require_covariance(theta.precision, problem.terms(), "prior precision of the coefficients");
  require_positive(theta.shape, "prior shape of sigma^2");
  require_positive(theta.rate, "prior rate of sigma^2");
  if (problem.d() > 0) require_covariance(x.scale, problem.d(), "prior scale of T");
  require_positive(x.strength, "prior strength of mu_x");
  require(std::isfinite(x.df) && x.df > static_cast<double>(problem.d() - 1), "prior df of T", x.df,
          "finite and above the number of covariates minus 1");
}

inline void check_observation(const MomentObservation& o, Eigen::Index size) {
  const auto inside = [size](Eigen::Index i) { return i >= 0 && i < size; };
  require_size(inside(o.row) && inside(o.col) && inside(o.minus_row) && inside(o.minus_col),
               "a released moment names a column that does not exist");
  require_finite(o.value, "released moment");
  require_finite(o.minus_weight, "weight of a tie");
  if (o.law != NoiseLaw::none) require_positive(o.scale, "noise scale");
}

inline void check_design(const LinearProblem& problem) {
  const Eigen::Index rows = problem.d() + 1;
  if (problem.plain_design()) {
    require_size(problem.terms() == rows, "there must be one coefficient per term");
    return;
  }
  require_size(problem.design.rows() == rows && problem.design.cols() == problem.terms() &&
                   problem.offset.size() == rows,
               "design and offset do not fit the columns");
  require_size(problem.design.allFinite() && problem.offset.allFinite(),
               "design and offset must be finite");
}

inline void check_bounds(const LinearProblem& problem) {
  if (!problem.clamped()) return;
  require_size(problem.lower.size() == problem.q() && problem.upper.size() == problem.q() &&
                   (problem.lower.array() < problem.upper.array()).all(),
               "clamping needs one lower and upper bound per column, lower below upper");
  require_size(!problem.n_known() || problem.n >= 2.0, "clamping needs two records at least");
}

}  // namespace detail

inline void LinearProblem::check() const {
  detail::check_linear_prior(*this);
  detail::check_design(*this);
  detail::check_bounds(*this);
  bool counted = false;
  for (const MomentObservation& o : observations) {
    detail::check_observation(o, q() + 1);
    counted = counted || (o.row == 0 && o.col == 0 && !o.is_tie());
  }
  if (n_known()) {
    detail::require_count(n, "n");
    detail::require(n >= 1.0, "n", n, "at least 1");
  } else {
    detail::require_size(counted, "n must be known or released with noise");
  }
}

}  // namespace noiseaware
