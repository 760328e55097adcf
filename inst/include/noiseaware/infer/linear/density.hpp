#pragma once

#include <cmath>
#include <noiseaware/infer/linear/clamped_moments.hpp>
#include <noiseaware/infer/linear/conjugate.hpp>
#include <noiseaware/infer/linear/coordinates.hpp>
#include <noiseaware/infer/linear/count_constants.hpp>
#include <noiseaware/infer/linear/noise_terms.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>

namespace noiseaware {

//! Posterior of the latent statistics given the release, parameters integrated out:
//! up to a constant
//!   sum_j (n-1-j) log A_jj - 1/2 log|Lambda_n| - a_n log(2 b_n) - nu_n/2 log|Psi_n|
//!   + log noise(z - B),
//! in the coordinates of LinearCoordinates. It is exact: rows (x, y) are jointly
//! normal, so their mean and scatter have a closed-form density and priors are
//! conjugate. Holds work space, so each chain needs a copy of its own.
class LinearDensity {
 public:
  //! `smooth` > 0: with normal noise of that many times the standard deviation, to
  //! find a mode.
  LinearDensity(const LinearProblem& problem, const LinearReference& reference, double smooth = 0.0)
      : n_known_(problem.n_known()),
        clamped_(problem.clamped()),
        coordinates_(problem, reference),
        conjugate_(problem),
        constants_(problem),
        noise_(problem, smooth),
        clamp_(problem.lower, problem.upper),
        moments_(problem.q() + 1, problem.q() + 1),
        adjoint_(moments_.rows(), moments_.cols()),
        expected_(moments_.rows(), moments_.cols()),
        expected_adjoint_(moments_.rows(), moments_.cols()),
        scatter_(problem.q(), problem.q()),
        slope_scatter_(problem.q(), problem.q()),
        slope_factor_(problem.q(), problem.rank()),
        slope_mean_(problem.q()) {}

  Eigen::Index dim() const { return coordinates_.dim(); }

  double logp_grad(const Eigen::VectorXd& u, Eigen::VectorXd& gradient) {
    coordinates_.expand(u);
    const LatentStatistics& s = coordinates_.statistics();
    s.moments(moments_);
    conjugate_.update(moments_);
    double value = coordinates_.log_jacobian() + conjugate_.log_kernel();
    adjoint_.setZero();
    conjugate_.add_adjoint(adjoint_);
    if (!clamped_) value += noise_.add(moments_, adjoint_);
    double slope_n = pull_moments(s);
    if (clamped_) value += add_clamped_noise(s, slope_n);
    if (!n_known_) value += add_count_terms(s.n, slope_n);
    slope_factor_.noalias() = 2.0 * slope_scatter_ * s.factor;
    coordinates_.pull(slope_mean_, slope_factor_, slope_n, gradient);
    return value;
  }

  //! The statistics at u, valid until the next call.
  const LatentStatistics& statistics(const Eigen::VectorXd& u) {
    coordinates_.expand(u);
    return coordinates_.statistics();
  }

  const LinearCoordinates& coordinates() const { return coordinates_; }
  const NoiseTerms& noise() const { return noise_; }

 private:
  //! From the adjoint of B to derivatives in w, S and n: with G its (x, y) block and
  //! g0 its first column, d/dw = 2 n (G w + g0), d/dS = G.
  double pull_moments(const LatentStatistics& s) {
    const Eigen::Index q = s.mean.size();
    slope_scatter_ = adjoint_.bottomRightCorner(q, q);
    slope_mean_ = adjoint_.col(0).tail(q);
    const double linear = slope_mean_.dot(s.mean);
    slope_mean_.noalias() += slope_scatter_ * s.mean;
    const double slope_n = adjoint_(0, 0) + linear + slope_mean_.dot(s.mean);
    slope_mean_ *= 2.0 * s.n;
    return slope_n;
  }

  //! Noise about the expected moments of clamped records.
  double add_clamped_noise(const LatentStatistics& s, double& slope_n) {
    scatter_.noalias() = s.factor * s.factor.transpose();
    clamp_.compute(s.n, s.mean, scatter_, expected_);
    expected_adjoint_.setZero();
    const double value = noise_.add(expected_, expected_adjoint_);
    clamp_.pull(s.n, scatter_, expected_, expected_adjoint_, slope_mean_, slope_scatter_, slope_n);
    return value;
  }

  //! Latent n has a flat prior on the numbers above q. Jacobians: n^q of (sums) in
  //! (means), n^(-q/2) of w in u_w, |R|^n of S and w in u, n - q of n.
  double add_count_terms(double n, double& slope_n) {
    const double half_q = 0.5 * static_cast<double>(slope_mean_.size());
    const double log_volume = coordinates_.log_volume(), excess = coordinates_.excess();
    slope_n += constants_.derivative(n) + half_q / n + log_volume + conjugate_.count_slope() +
               1.0 / excess;
    return constants_.value(n) + half_q * std::log(n) + n * log_volume + std::log(excess);
  }

  bool n_known_, clamped_;
  LinearCoordinates coordinates_;
  ConjugateUpdate conjugate_;
  CountConstants constants_;
  NoiseTerms noise_;
  ClampedMoments clamp_;
  Eigen::MatrixXd moments_, adjoint_, expected_, expected_adjoint_;
  Eigen::MatrixXd scatter_, slope_scatter_, slope_factor_;
  Eigen::VectorXd slope_mean_;
};

}  // namespace noiseaware
