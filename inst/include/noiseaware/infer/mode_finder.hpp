#pragma once

#include <algorithm>
#include <cmath>
#include <noiseaware/infer/nuts/trajectory.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/symmetric_eigen.hpp>
#include <stdexcept>

namespace noiseaware {

struct ModeOptions {
  int max_iterations = 100;
  double difference_step = 1e-2;   //!< In units of the scales.
  double eigenvalue_floor = 1e-3;  //!< Of the Hessian in units of the scales.
  double tolerance = 1e-6;         //!< Expected gain of the next step, in nats.
};

//! A maximum of a log density and what the curvature there says about its spread.
struct Mode {
  Eigen::VectorXd position;
  Eigen::MatrixXd covariance;  //!< Inverse of the negative Hessian, made positive definite.
  double log_density = 0.0;
  int iterations = 0;
  bool converged = false;
};

//! Damped Newton ascent for densities known by value and gradient. `scales` holds
//! a rough standard deviation of each coordinate: coordinates in these units make
//! one difference step and one eigenvalue floor fit all of them. Eigenvalues of the
//! negative Hessian are replaced by max(|eigenvalue|, floor), so every direction
//! ascends, also where the density is not log-concave.
template <class Model>
class ModeFinder {
 public:
  ModeFinder(Model& model, const Eigen::VectorXd& scales, const ModeOptions& options)
      : model_(model),
        scales_(scales),
        options_(options),
        probe_(scales.size()),
        ahead_(scales.size()),
        behind_(scales.size()),
        hessian_(scales.size(), scales.size()) {
    if (scales.size() != model.dim() || !(scales.minCoeff() > 0.0) || !scales.allFinite())
      throw std::invalid_argument("scales must be positive, one per coordinate");
  }

  //! Throws std::domain_error if the density is 0 at the start.
  Mode find(const Eigen::VectorXd& start) {
    Mode mode;
    mode.position = start;
    Eigen::VectorXd gradient(start.size());
    mode.log_density = guarded_logp_grad(model_, mode.position, gradient);
    if (!std::isfinite(mode.log_density))
      throw std::domain_error("the log density is not finite where the search for a mode starts");
    for (;; ++mode.iterations) {
      update_curvature(mode.position);
      const Eigen::VectorXd direction = newton_direction(gradient);
      const double slope = direction.dot(gradient);
      // Gains below the rounding of the value itself cannot be climbed.
      const double rounding = 1e-12 * std::abs(mode.log_density);
      mode.converged = 0.5 * slope <= options_.tolerance + rounding;
      if (mode.converged || mode.iterations == options_.max_iterations) break;
      if (!climb(mode, gradient, direction, slope)) break;
    }
    mode.covariance = covariance();
    return mode;
  }

 private:
  //! Row of second derivatives by central differences of the gradient. A step that
  //! leaves the support is shortened.
  void difference(const Eigen::VectorXd& position, Eigen::Index i) {
    double step = options_.difference_step * scales_[i];
    for (int k = 0; k < 6; ++k, step *= 0.1) {
      probe_ = position;
      probe_[i] = position[i] + step;
      const bool ahead_ok = std::isfinite(guarded_logp_grad(model_, probe_, ahead_));
      const double above = probe_[i];
      probe_[i] = position[i] - step;
      const bool behind_ok = std::isfinite(guarded_logp_grad(model_, probe_, behind_));
      if (!ahead_ok || !behind_ok) continue;
      hessian_.col(i) =
          (behind_ - ahead_).cwiseProduct(scales_) * (scales_[i] / (above - probe_[i]));
      return;
    }
    throw std::domain_error("the log density has no finite neighbourhood at its mode");
  }

  //! Eigenvectors and repaired eigenvalues of the scaled negative Hessian.
  void update_curvature(const Eigen::VectorXd& position) {
    for (Eigen::Index i = 0; i < position.size(); ++i) difference(position, i);
    eigen_.compute(0.5 * (hessian_ + hessian_.transpose()));
    curvature_ = eigen_.eigenvalues().cwiseAbs().cwiseMax(options_.eigenvalue_floor);
  }

  Eigen::VectorXd newton_direction(const Eigen::VectorXd& gradient) const {
    const Eigen::VectorXd scaled = gradient.cwiseProduct(scales_);
    const Eigen::VectorXd rotated = eigen_.eigenvectors().transpose() * scaled;
    return (eigen_.eigenvectors() * rotated.cwiseQuotient(curvature_)).cwiseProduct(scales_);
  }

  //! Backtracks until the gain is a fair part of what the slope promised; false if
  //! no step does, which happens when rounding is all that is left.
  bool climb(Mode& mode, Eigen::VectorXd& gradient, const Eigen::VectorXd& direction,
             double slope) {
    for (double step = 1.0; step > 1e-10; step *= 0.5) {
      probe_ = mode.position + step * direction;
      const double value = guarded_logp_grad(model_, probe_, ahead_);
      if (!(value >= mode.log_density + 1e-4 * step * slope)) continue;
      mode.position = probe_;
      mode.log_density = value;
      gradient = ahead_;
      return true;
    }
    return false;
  }

  Eigen::MatrixXd covariance() const {
    const Eigen::MatrixXd root = scales_.asDiagonal() * eigen_.eigenvectors() *
                                 curvature_.cwiseSqrt().cwiseInverse().asDiagonal();
    return root * root.transpose();
  }

  Model& model_;
  Eigen::VectorXd scales_;
  ModeOptions options_;
  Eigen::VectorXd probe_, ahead_, behind_, curvature_;
  Eigen::MatrixXd hessian_;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen_;
};

//! The mode that damped Newton ascent reaches from `start`.
template <class Model>
Mode find_mode(Model& model, const Eigen::VectorXd& start, const Eigen::VectorXd& scales,
               const ModeOptions& options = ModeOptions()) {
  return ModeFinder<Model>(model, scales, options).find(start);
}

}  // namespace noiseaware
