#pragma once

#include <cmath>
#include <limits>
#include <noiseaware/infer/nuts/metric.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/special.hpp>
#include <stdexcept>
#include <utility>

// The pieces of a trajectory. All vectors are allocated once: growing a tree only
// copies and swaps them.

namespace noiseaware {

//! Log density and gradient of a model. Points where the model throws
//! std::domain_error or std::invalid_argument, or is not finite, have density 0.
template <class Model>
double guarded_logp_grad(Model& model, const Eigen::VectorXd& position, Eigen::VectorXd& gradient) {
  constexpr double impossible = -std::numeric_limits<double>::infinity();
  double value = impossible;
  try {
    value = model.logp_grad(position, gradient);
  } catch (const std::domain_error&) {
    value = impossible;
  } catch (const std::invalid_argument&) {
    value = impossible;
  }
  if (std::isfinite(value) && gradient.allFinite()) return value;
  gradient.setZero();
  return impossible;
}

namespace detail {

//! A point in phase space with what a leapfrog step needs. `velocity` and
//! `acceleration` are covariance * momentum and covariance * gradient: updating
//! the former by the latter leaves one matrix product per step.
struct PhasePoint {
  explicit PhasePoint(Eigen::Index dim)
      : position(dim), momentum(dim), gradient(dim), velocity(dim), acceleration(dim) {}

  Eigen::VectorXd position, momentum, gradient, velocity, acceleration;
  double log_density = 0.0;

  double energy() const {
    const double total = 0.5 * momentum.dot(velocity) - log_density;
    return std::isnan(total) ? std::numeric_limits<double>::infinity() : total;
  }

  template <class Rng>
  void refresh(Rng& rng, const Metric& metric) {
    metric.draw_momentum(rng, momentum);
    metric.multiply(momentum, velocity);
    metric.multiply(gradient, acceleration);
  }

  template <class Model>
  void leapfrog(Model& model, const Metric& metric, double step) {
    const double half = 0.5 * step;
    momentum += half * gradient;
    velocity += half * acceleration;
    position += step * velocity;
    log_density = guarded_logp_grad(model, position, gradient);
    metric.multiply(gradient, acceleration);
    momentum += half * gradient;
    velocity += half * acceleration;
  }
};

//! A point that may become the next draw.
struct Candidate {
  explicit Candidate(Eigen::Index dim) : position(dim), gradient(dim) {}

  Eigen::VectorXd position, gradient;
  double log_density = 0.0;
  double energy = 0.0;

  void take(const PhasePoint& point, double point_energy) {
    position = point.position;
    gradient = point.gradient;
    log_density = point.log_density;
    energy = point_energy;
  }

  void swap(Candidate& other) {
    position.swap(other.position);
    gradient.swap(other.gradient);
    std::swap(log_density, other.log_density);
    std::swap(energy, other.energy);
  }
};

//! One end of a piece of trajectory.
struct TreeEnd {
  explicit TreeEnd(Eigen::Index dim) : momentum(dim), velocity(dim) {}
  Eigen::VectorXd momentum, velocity;

  void take(const PhasePoint& point) {
    momentum = point.momentum;
    velocity = point.velocity;
  }
  void swap(TreeEnd& other) {
    momentum.swap(other.momentum);
    velocity.swap(other.velocity);
  }
};

//! A piece of trajectory: its ends in the order of integration, the sum of its
//! momenta, its total weight and a point drawn from it by weight.
struct Tree {
  explicit Tree(Eigen::Index dim) : near(dim), far(dim), momentum_sum(dim), candidate(dim) {}

  TreeEnd near, far;
  Eigen::VectorXd momentum_sum;
  double log_weight = 0.0;
  Candidate candidate;

  void take(const PhasePoint& point, double energy, double weight) {
    near.take(point);
    far.take(point);
    momentum_sum = point.momentum;
    log_weight = weight;
    candidate.take(point, energy);
  }
};

//! The generalised criterion of Betancourt (2017, appendix A.4.2) for a piece of
//! trajectory with ends of velocity a, b and summed momenta x + y.
inline bool turns(const Eigen::VectorXd& a, const Eigen::VectorXd& b, const Eigen::VectorXd& x,
                  const Eigen::VectorXd& y) {
  return !(a.dot(x) + a.dot(y) > 0.0 && b.dot(x) + b.dot(y) > 0.0);
}

//! Whether the union of two adjacent pieces turns, or either of them together with
//! the first point of the other. The latter two checks see the gap between pieces,
//! without which trajectories of near-normal targets close on themselves (Stan
//! pull request 2800).
inline bool union_turns(const Tree& first, const Tree& second) {
  return turns(first.near.velocity, second.far.velocity, first.momentum_sum, second.momentum_sum) ||
         turns(first.near.velocity, second.near.velocity, first.momentum_sum,
               second.near.momentum) ||
         turns(first.far.velocity, second.far.velocity, second.momentum_sum, first.far.momentum);
}

//! Appends `second` to `first`, without its candidate; `second` is spent.
inline void append(Tree& first, Tree& second) {
  first.far.swap(second.far);
  first.momentum_sum += second.momentum_sum;
  first.log_weight = log_sum_exp(first.log_weight, second.log_weight);
}

}  // namespace detail
}  // namespace noiseaware
