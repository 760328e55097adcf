#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/adaptive_walk.hpp>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/normal_sums.hpp>
#include <noiseaware/infer/expfam/record_moments.hpp>

namespace noiseaware {

//! Markov chain for noisy sums of x and x^2 whose mapped sums are taken as normal
//! and integrated out: a random walk on the mean and the log variance. Unlike the
//! Gibbs sampler it does not slow down when noise dominates. Laplace noise is
//! normal with latent variances; they are drawn last, from freshly drawn sums,
//! because the sampler is partially collapsed (van Dyk and Park 2008). Where n is
//! latent it takes random steps of its own.
class NormalClt {
 public:
  //! Proposals for the parameters, and for a latent n, in each iteration.
  static constexpr int proposals = 3;

  template <class Rng>
  NormalClt(const NormalProblem& problem, Rng& rng)
      : centre_(problem.centre),
        half_(problem.half()),
        unit_(checked(problem).scaled()),
        noisy_(unit_),
        n_(std::max(0.0, std::nearbyint(problem.size.value()))) {
    if (!std::isfinite(problem.size.log_density(n_))) detail::no_count_fits();
    const NigPrior::Draw guess = noisy_.guess(rng, unit_.map, n_);
    state_ = at(Eigen::Vector2d(guess.mean, std::log(guess.variance)));
    draw_latent(rng);
  }

  double mean() const { return centre_ + half_ * state_.theta(0); }
  double sd() const { return half_ * std::exp(0.5 * state_.theta(1)); }
  double n() const { return n_; }
  //! Sums of x - centre and its square over the complete records.
  std::array<double, 2> statistic() const { return {{half_ * sums_(0), half_ * half_ * sums_(1)}}; }
  //! Share of accepted proposals for the parameters since adaptation ended.
  double acceptance_rate() const { return proposed_ > 0.0 ? accepted_ / proposed_ : 1.0; }

  //! log of the prior of (mean, log variance) times the likelihood given the
  //! variances of the noise, up to a constant; in units of the bounds.
  double log_target() const { return log_prior(state_.theta) + log_likelihood(state_.record, n_); }

  //! One iteration. The walk learns its shape while `adapt`, during warm-up.
  template <class Rng>
  void step(Rng& rng, bool adapt) {
    double current = log_target();
    for (int k = 0; k < proposals; ++k) move(rng, adapt, current);
    if (!unit_.size.is_known())
      for (int k = 0; k < proposals; ++k) move_size(rng);
    draw_latent(rng);
  }

 private:
  //! Mean and log variance, and the moments of a record there.
  struct State {
    Eigen::Vector2d theta = Eigen::Vector2d::Zero();
    NormalMoments record;
  };

  static const NormalProblem& checked(const NormalProblem& problem) {
    problem.check();
    return problem;
  }

  State at(const Eigen::Vector2d& theta) const {
    State out;
    out.theta = theta;
    out.record = normal_moments(theta(0), std::exp(0.5 * theta(1)), unit_.map);
    return out;
  }

  double log_prior(const Eigen::Vector2d& theta) const {
    const NigPrior& prior = unit_.prior;
    const double precision = std::exp(-theta(1)), d = theta(0) - prior.mean;
    return -(prior.shape + 0.5) * theta(1) -
           precision * (prior.rate + 0.5 * prior.precision * d * d);
  }

  double log_likelihood(const NormalMoments& record, double n) const {
    NormalSums mapped = NormalSums::mapped(record, n);
    return noisy_.observe(mapped);
  }

  //! Beyond these points squares overflow; no posterior reaches them.
  static bool is_sane(const Eigen::Vector2d& theta) {
    return std::abs(theta(0)) < 1e60 && std::abs(theta(1)) < 250.0;
  }

  //! Proposes parameters; `current` is the log target of the state.
  template <class Rng>
  void move(Rng& rng, bool adapt, double& current) {
    const Eigen::Vector2d theta = state_.theta + walk_.propose(rng);
    double probability = 0.0, proposed = -std::numeric_limits<double>::infinity();
    State next;
    if (is_sane(theta)) {
      next = at(theta);
      proposed = log_prior(theta) + log_likelihood(next.record, n_);
      if (proposed > -std::numeric_limits<double>::infinity())
        probability = std::exp(std::min(0.0, proposed - current));
    }
    const bool accepted = uniform01(rng) < probability;
    if (accepted) {
      state_ = next;
      current = proposed;
    }
    if (adapt) {
      walk_.adapt(probability);
    } else {
      accepted_ += accepted ? 1.0 : 0.0;
      proposed_ += 1.0;
    }
  }

  //! Proposes to add or remove up to 4^k records, k at random: some step suits the
  //! spread of n whatever it is.
  template <class Rng>
  void move_size(Rng& rng) {
    const double widest = std::log(1.0 + 4.0 * unit_.size.noise().standard_deviation());
    const double level = std::floor(uniform01(rng) * (1.0 + std::ceil(widest / std::log(4.0))));
    const double step = 1.0 + std::floor(uniform01(rng) * std::pow(4.0, level));
    const double n = uniform01(rng) < 0.5 ? n_ + step : n_ - step;
    if (n < 0.0) return;
    const double log_ratio = unit_.size.log_density(n) - unit_.size.log_density(n_) +
                             log_likelihood(state_.record, n) - log_likelihood(state_.record, n_);
    if (std::log(uniform_open(rng)) < log_ratio) n_ = n;
  }

  //! Draws the sums of the mapped and of the complete records, then the variances
  //! of the noise.
  template <class Rng>
  void draw_latent(Rng& rng) {
    NormalSums mapped = NormalSums::mapped(state_.record, n_);
    noisy_.observe(mapped);
    const Eigen::Vector2d sums = mapped.draw(rng);
    noisy_.update(rng, sums);
    const Eigen::Vector2d deviation = sums - n_ * state_.record.mh;
    if (n_ > 0.0)
      sums_ = complete_sums(state_.record, n_, deviation).draw_possible(rng, n_);
    else
      sums_.setZero();
  }

  double centre_, half_;
  NormalProblem unit_;
  NoisySums noisy_;
  double n_;
  State state_;
  Eigen::Vector2d sums_ = Eigen::Vector2d::Zero();
  AdaptiveWalk walk_{0.2, 0.3};
  double accepted_ = 0.0, proposed_ = 0.0;
};

}  // namespace noiseaware
