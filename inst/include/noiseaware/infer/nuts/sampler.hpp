#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/chain/monitor.hpp>
#include <noiseaware/infer/nuts/diagnostics.hpp>
#include <noiseaware/infer/nuts/metric.hpp>
#include <noiseaware/infer/nuts/options.hpp>
#include <noiseaware/infer/nuts/trajectory.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {

//! The no-U-turn sampler of Hoffman and Gelman (2014) with multinomial weights and
//! the generalised criterion of Betancourt (2017), as in Stan since 2.21.
//!
//! `Model` has dim() and double logp_grad(position, gradient), which fills the
//! gradient; see guarded_logp_grad() for points without density. The model is kept
//! by reference and may hold work space, so each chain needs its own.
template <class Model>
class NutsSampler {
 public:
  //! Throws std::domain_error if the density at `start` is 0 or not finite.
  NutsSampler(Model& model, const Eigen::VectorXd& start, Metric metric, const NutsOptions& options)
      : model_(model),
        metric_(std::move(metric)),
        options_(options),
        current_(model.dim()),
        point_(model.dim()),
        ends_{detail::PhasePoint(model.dim()), detail::PhasePoint(model.dim())},
        whole_(model.dim()) {
    options.check();
    if (start.size() != model.dim() || metric_.dim() != model.dim())
      throw std::invalid_argument("start and metric must have the dimension of the model");
    pieces_.assign(static_cast<std::size_t>(options.max_depth), detail::Tree(model.dim()));
    current_.position = start;
    current_.log_density = guarded_logp_grad(model_, current_.position, current_.gradient);
    if (!std::isfinite(current_.log_density))
      throw std::domain_error("the log density is not finite at the start of a chain");
  }

  //! A run that is being stopped ends the current trajectory early.
  void watch(const Progress& progress) { progress_ = &progress; }

  const Eigen::VectorXd& position() const { return current_.position; }
  const Metric& metric() const { return metric_; }
  void set_metric(Metric metric) { metric_ = std::move(metric); }
  double step_size() const { return step_size_; }
  void set_step_size(double step_size) { step_size_ = step_size; }

  //! Doubles or halves the step size until the acceptance probability of one step
  //! crosses 0.8 (Hoffman and Gelman 2014, Algorithm 4, with Stan's threshold).
  template <class Rng>
  void search_step_size(Rng& rng) {
    const bool grow = one_step_accepts(rng);
    for (int k = 0; k < 400 && one_step_accepts(rng) == grow; ++k) step_size_ *= grow ? 2.0 : 0.5;
  }

  //! One draw.
  template <class Rng>
  NutsDraw step(Rng& rng) {
    begin(rng);
    for (depth_ = 0; depth_ < options_.max_depth && extend(rng); ++depth_) {
    }
    current_.swap(whole_.candidate);
    NutsDraw draw;
    draw.log_density = current_.log_density;
    draw.acceptance = leapfrogs_ > 0 ? acceptance_sum_ / leapfrogs_ : 0.0;
    draw.step_size = step_size_;
    draw.depth = depth_;
    draw.leapfrogs = leapfrogs_;
    draw.divergent = divergent_;
    draw.energy = current_.energy;
    return draw;
  }

 private:
  void load(detail::PhasePoint& point) const {
    point.position = current_.position;
    point.gradient = current_.gradient;
    point.log_density = current_.log_density;
  }

  template <class Rng>
  bool one_step_accepts(Rng& rng) {
    load(point_);
    point_.refresh(rng, metric_);
    const double before = point_.energy();
    point_.leapfrog(model_, metric_, step_size_);
    return before - point_.energy() > std::log(0.8);
  }

  template <class Rng>
  void begin(Rng& rng) {
    load(point_);
    point_.refresh(rng, metric_);
    start_energy_ = point_.energy();
    whole_.take(point_, start_energy_, 0.0);
    ends_[0] = ends_[1] = point_;
    forward_ = true;
    leapfrogs_ = 0;
    acceptance_sum_ = 0.0;
    divergent_ = false;
  }

  //! Doubles the trajectory in a random direction. False if it is complete: the
  //! new half is not valid, or the whole turns.
  template <class Rng>
  bool extend(Rng& rng) {
    const bool forward = uniform01(rng) > 0.5;
    if (forward != forward_) whole_.near.swap(whole_.far);
    forward_ = forward;
    std::swap(point_, ends_[forward ? 1 : 0]);
    detail::Tree& added = extra_piece();
    const bool valid = grow(rng, depth_, forward ? step_size_ : -step_size_, added);
    std::swap(point_, ends_[forward ? 1 : 0]);
    if (!valid) return false;
    // Biased towards the new half, which moves the chain further.
    choose(rng, added.log_weight - whole_.log_weight, whole_, added);
    const bool complete = detail::union_turns(whole_, added);
    detail::append(whole_, added);
    if (complete) ++depth_;
    return !complete;
  }

  //! Grows 2^depth points from point_ into `out`; false if the piece diverges or
  //! turns. Uses the work space of the levels below.
  template <class Rng>
  bool grow(Rng& rng, int depth, double step, detail::Tree& out) {
    if (depth == 0) return grow_leaf(step, out);
    detail::Tree& second = pieces_[static_cast<std::size_t>(depth - 1)];
    if (!grow(rng, depth - 1, step, out) || !grow(rng, depth - 1, step, second)) return false;
    const double total = log_sum_exp(out.log_weight, second.log_weight);
    choose(rng, second.log_weight - total, out, second);
    const bool valid = !detail::union_turns(out, second);
    detail::append(out, second);
    return valid;
  }

  bool grow_leaf(double step, detail::Tree& out) {
    if (progress_ != nullptr && progress_->stopped()) return false;
    point_.leapfrog(model_, metric_, step);
    ++leapfrogs_;
    const double energy = point_.energy();
    const double log_weight = start_energy_ - energy;
    divergent_ = divergent_ || -log_weight > options_.max_energy_error;
    acceptance_sum_ += std::exp(std::min(0.0, log_weight));
    out.take(point_, energy, log_weight);
    return !divergent_;
  }

  //! Moves the candidate of `from` to `to` with probability exp(log_probability).
  template <class Rng>
  void choose(Rng& rng, double log_probability, detail::Tree& to, detail::Tree& from) {
    const double u = uniform01(rng);
    if (u < std::exp(log_probability)) to.candidate.swap(from.candidate);
  }

  //! The new half of a doubling needs the levels below its own depth only.
  detail::Tree& extra_piece() { return pieces_[static_cast<std::size_t>(depth_)]; }

  Model& model_;
  Metric metric_;
  NutsOptions options_;
  const Progress* progress_ = nullptr;
  double step_size_ = 1.0;
  detail::Candidate current_;
  detail::PhasePoint point_;    //!< Where the integrator is.
  detail::PhasePoint ends_[2];  //!< Backward and forward end of the trajectory.
  detail::Tree whole_;
  std::vector<detail::Tree> pieces_;
  bool forward_ = true;  //!< Whether whole_.far is the forward end.
  double start_energy_ = 0.0;
  double acceptance_sum_ = 0.0;
  int leapfrogs_ = 0;
  int depth_ = 0;
  bool divergent_ = false;
};

}  // namespace noiseaware
