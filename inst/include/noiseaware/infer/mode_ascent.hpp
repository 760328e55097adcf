#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <noiseaware/infer/nuts/trajectory.hpp>
#include <noiseaware/math/eigen.hpp>
#include <stdexcept>
#include <utility>

namespace noiseaware {

//! Where an ascent without second derivatives ended.
struct Ascent {
  Eigen::VectorXd position;
  double log_density = 0.0;
  int iterations = 0;
  bool converged = false;
};

//! L-BFGS ascent (Nocedal and Wright 2006, Algorithm 7.4) with ten pairs and
//! backtracking, in units of `scales`: for dimensions in which a Hessian costs too
//! much. Stops when a step gains less than `tolerance` nats three times in a row.
template <class Model>
class ModeAscent {
 public:
  ModeAscent(Model& model, const Eigen::VectorXd& scales, double tolerance = 1e-3,
             int max_iterations = 500)
      : model_(model), scales_(scales), tolerance_(tolerance), max_iterations_(max_iterations) {
    if (scales.size() != model.dim() || !(scales.minCoeff() > 0.0) || !scales.allFinite())
      throw std::invalid_argument("scales must be positive, one per coordinate");
  }

  //! Throws std::domain_error if the density is 0 at the start.
  Ascent climb(const Eigen::VectorXd& start) {
    Ascent at;
    at.position = start;
    gradient_.resize(start.size());
    at.log_density = guarded_logp_grad(model_, at.position, gradient_);
    if (!std::isfinite(at.log_density))
      throw std::domain_error("the log density is not finite where the search for a mode starts");
    gradient_.array() *= scales_.array();
    int small = 0;
    for (; at.iterations < max_iterations_ && small < 3; ++at.iterations) {
      const double before = at.log_density;
      if (!step(at)) {
        small = 3;
        break;
      }
      small = at.log_density - before < tolerance_ ? small + 1 : 0;
    }
    at.converged = small == 3;
    return at;
  }

 private:
  struct Pair {
    Eigen::VectorXd moved, turned;  //!< Change of position and of minus the gradient.
    double curvature = 0.0;
  };

  //! The two-loop recursion; plain gradient ascent until there is a pair.
  Eigen::VectorXd direction() const {
    Eigen::VectorXd out = gradient_;
    std::deque<double> weights;
    for (auto pair = pairs_.rbegin(); pair != pairs_.rend(); ++pair) {
      weights.push_front(pair->moved.dot(out) / pair->curvature);
      out -= weights.front() * pair->turned;
    }
    if (!pairs_.empty()) out *= pairs_.back().curvature / pairs_.back().turned.squaredNorm();
    for (const Pair& pair : pairs_) {
      out += (weights.front() - pair.turned.dot(out) / pair.curvature) * pair.moved;
      weights.pop_front();
    }
    return out;
  }

  bool step(Ascent& at) {
    const Eigen::VectorXd toward = direction();
    const double slope = toward.dot(gradient_);
    Eigen::VectorXd next_gradient(toward.size());
    // The first step has no curvature to go by: at most one scale long.
    double length = pairs_.empty() ? std::min(1.0, 1.0 / toward.norm()) : 1.0;
    for (; length > 1e-12; length *= 0.5) {
      const Eigen::VectorXd next = at.position + length * toward.cwiseProduct(scales_);
      const double value = guarded_logp_grad(model_, next, next_gradient);
      if (!(value >= at.log_density + 1e-4 * length * slope)) continue;
      next_gradient.array() *= scales_.array();
      remember({length * toward, gradient_ - next_gradient, 0.0});
      at.position = next;
      at.log_density = value;
      gradient_ = next_gradient;
      return true;
    }
    return false;
  }

  //! Keeps pairs of positive curvature only, so that every direction ascends.
  void remember(Pair pair) {
    pair.curvature = pair.moved.dot(pair.turned);
    if (!(pair.curvature > 1e-10 * pair.moved.squaredNorm())) return;
    pairs_.push_back(std::move(pair));
    if (pairs_.size() > 10) pairs_.pop_front();
  }

  Model& model_;
  Eigen::VectorXd scales_;
  double tolerance_;
  int max_iterations_;
  Eigen::VectorXd gradient_;  //!< In units of the scales.
  std::deque<Pair> pairs_;
};

//! The point that L-BFGS ascent reaches from `start`.
template <class Model>
Ascent climb_to_mode(Model& model, const Eigen::VectorXd& start, const Eigen::VectorXd& scales) {
  return ModeAscent<Model>(model, scales).climb(start);
}

}  // namespace noiseaware
