#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/symmetric_eigen.hpp>
#include <stdexcept>

namespace noiseaware {

//! Released moments taken at face value, for the non-private posterior (no noise)
//! and for the naive one, which ignores noise.
struct PlugInMoments {
  Eigen::MatrixXd moments;
  //! Whether the scatter had to be made positive semidefinite, and the largest
  //! change of an entry by that.
  bool repaired = false;
  double largest_change = 0.0;
};

namespace detail {

//! Entries of B from the observations; ties are solved after the entries they name.
inline Eigen::MatrixXd collect_moments(const LinearProblem& problem) {
  const Eigen::Index size = problem.q() + 1;
  Eigen::MatrixXd out = Eigen::MatrixXd::Constant(size, size, std::nan(""));
  if (problem.n_known()) out(0, 0) = problem.n;
  const auto put = [&](const MomentObservation& o, double value) {
    if (!std::isnan(out(o.row, o.col))) return;
    out(o.row, o.col) = out(o.col, o.row) = value;
  };
  for (const MomentObservation& o : problem.observations)
    if (!o.is_tie()) put(o, o.value);
  for (const MomentObservation& o : problem.observations)
    if (o.is_tie()) put(o, o.value + o.minus_weight * out(o.minus_row, o.minus_col));
  if (!out.allFinite())
    throw std::invalid_argument("every moment must be released to be taken at face value");
  return out;
}

}  // namespace detail

//! The released moments with the smallest repair that makes the centred scatter
//! positive definite: eigenvalues below 1e-8 of its trace are raised to that. Exact
//! moments of few records are singular, and left alone.
inline PlugInMoments plug_in_moments(const LinearProblem& problem) {
  PlugInMoments out;
  out.moments = detail::collect_moments(problem);
  const Eigen::Index q = problem.q();
  double& n = out.moments(0, 0);
  n = std::max(n, 1.0);
  if (problem.noise_free()) return out;
  const Eigen::VectorXd mean = out.moments.col(0).tail(q) / n;
  const Eigen::MatrixXd shift = n * mean * mean.transpose();
  const Eigen::MatrixXd scatter = out.moments.bottomRightCorner(q, q) - shift;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scatter);
  const double floor = 1e-8 * std::max(eigen.eigenvalues().cwiseAbs().sum(), 1e-300);
  out.repaired = eigen.eigenvalues().minCoeff() < floor;
  if (!out.repaired) return out;
  const Eigen::MatrixXd better = eigen.eigenvectors() *
                                 eigen.eigenvalues().cwiseMax(floor).asDiagonal() *
                                 eigen.eigenvectors().transpose();
  out.largest_change = (better - scatter).cwiseAbs().maxCoeff();
  out.moments.bottomRightCorner(q, q) = better + shift;
  return out;
}

}  // namespace noiseaware
