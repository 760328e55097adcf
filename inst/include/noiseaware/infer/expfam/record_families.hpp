#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>

// Families of records as RecordAugmentation needs them: how to draw a record, what
// it adds to the released sums and to the sufficient statistic, how probable the
// release is given the sums, and the conjugate update of the parameters.

namespace noiseaware {
namespace detail {

//! Noise of a sum that need not lie on the grid of the noise. A grid a thousand
//! times finer than the scale cannot be told from none in any case.
inline NoiseDensity augmentation_noise(const NoiseDensity& noise, bool continuous) {
  if (noise.exact())
    throw std::invalid_argument("records cannot be replaced one by one under an exact sum");
  const bool fine = noise.grid() <= 1e-3 * noise.scale();
  return continuous || fine ? NoiseDensity(noise.law(), noise.scale(), 0.0, noise.terms()) : noise;
}

//! What exponential and Poisson records share: one sum, a gamma prior.
template <ScalarFamily kFamily>
class ScalarRecords {
 public:
  using Problem = ScalarProblem;
  using Sums = std::array<double, 1>;

  explicit ScalarRecords(const ScalarProblem& problem)
      : problem_(checked(problem)),
        noise_(augmentation_noise(problem.noise, kFamily == ScalarFamily::exponential)) {}

  const SampleSize& size() const { return problem_.size; }
  double rate() const { return rate_; }
  //! Sum of the records, not about the centre.
  double statistic(const Sums& complete) const { return complete[0]; }

  //! From the prior, as far as the bounds let it be told from others.
  template <class Rng>
  void start(Rng& rng) {
    const double low = std::max(problem_.map.lower, 0.0);
    const double least = low + 0.05 * (problem_.map.upper - low);
    set_rate(gamma(rng, problem_.prior.shape, problem_.prior.rate));
    const double mean = std::min(std::max(swap_mean(rate_), least), 2.0 * problem_.map.upper);
    set_rate(swap_mean(mean));
  }

  template <class Rng>
  double draw(Rng& rng) const {
    if constexpr (kFamily == ScalarFamily::exponential)
      return exponential1(rng) / rate_;
    else
      return static_cast<double>(poisson(rng, rate_));
  }

  Sums released(double x) const { return {{problem_.map(x) - problem_.centre}}; }
  Sums complete(double x) const { return {{x}}; }
  double log_noise(const Sums& sums) const { return noise_.log_density(problem_.value - sums[0]); }

  template <class Rng>
  void update(Rng& rng, double n, const Sums& sums) {
    const GammaPrior posterior = problem_.update(n, sums[0]);
    set_rate(gamma(rng, posterior.shape, posterior.rate));
  }

 private:
  static const ScalarProblem& checked(const ScalarProblem& problem) {
    problem.check();
    if (problem.family != kFamily) throw std::invalid_argument("the records are of another family");
    return problem;
  }

  //! Mean of a record from its parameter, and the other way round.
  static double swap_mean(double x) { return kFamily == ScalarFamily::exponential ? 1.0 / x : x; }

  //! A vague prior can underflow, and a sampler cannot draw larger counts.
  void set_rate(double rate) { rate_ = std::min(std::max(rate, 1e-300), 1e15); }

  ScalarProblem problem_;
  NoiseDensity noise_;
  double rate_ = 1.0;
};

}  // namespace detail

using ExponentialRecords = detail::ScalarRecords<ScalarFamily::exponential>;
using PoissonRecords = detail::ScalarRecords<ScalarFamily::poisson>;

//! Normal records, in units of the bounds about the centre.
class NormalRecords {
 public:
  using Problem = NormalProblem;
  using Sums = std::array<double, 2>;

  explicit NormalRecords(const NormalProblem& problem)
      : centre_(problem.centre), half_(problem.half()), unit_(checked(problem).scaled()) {
    for (std::size_t j = 0; j < 2; ++j)
      if (unit_.released[j]) unit_.noise[j] = detail::augmentation_noise(unit_.noise[j], true);
  }

  const SampleSize& size() const { return unit_.size; }
  double mean() const { return centre_ + half_ * mean_; }
  double sd() const { return half_ * sd_; }
  //! Sums of x - centre and its square over the records.
  Sums statistic(const Sums& complete) const {
    return {{half_ * complete[0], half_ * half_ * complete[1]}};
  }

  //! From the prior, as far as the bounds let it be told from others.
  template <class Rng>
  void start(Rng& rng) {
    const NigPrior::Draw draw = unit_.prior.draw(rng);
    mean_ = std::min(std::max(draw.mean, -2.0), 2.0);
    sd_ = std::min(std::max(std::sqrt(draw.variance), 0.02), 2.0);
  }

  template <class Rng>
  double draw(Rng& rng) const {
    return mean_ + sd_ * normal01(rng);
  }

  Sums released(double x) const { return complete(unit_.map(x)); }
  Sums complete(double x) const { return {{x, x * x}}; }

  double log_noise(const Sums& sums) const {
    double total = 0.0;
    for (std::size_t j = 0; j < 2; ++j)
      if (unit_.released[j]) total += unit_.noise[j].log_density(unit_.value[j] - sums[j]);
    return total;
  }

  template <class Rng>
  void update(Rng& rng, double n, const Sums& sums) {
    const NigPrior posterior = n > 0.0 ? unit_.prior.update(n, sums) : unit_.prior;
    const NigPrior::Draw draw = posterior.draw(rng);
    mean_ = draw.mean;
    sd_ = std::sqrt(draw.variance);
  }

 private:
  static const NormalProblem& checked(const NormalProblem& problem) {
    problem.check();
    return problem;
  }

  double centre_, half_;
  NormalProblem unit_;
  double mean_ = 0.0, sd_ = 1.0;
};

}  // namespace noiseaware
