#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/infer/expfam/record_families.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <vector>

namespace noiseaware {

//! A Markov chain on the records themselves, which leaves the exact posterior
//! unchanged for any bounds and noise (Ju, Awan, Gong and Rao 2022): each record in
//! turn is drawn afresh from the model and the proposal accepted with the ratio of
//! the noise densities; then the parameters given the records. Noise that hides a
//! single record accepts most proposals. Where n is released with noise, records
//! are also added and removed. An iteration costs O(n); use it for small n, and
//! where the noise is too small for methods that integrate the records out.
//!
//! `Family`: ExponentialRecords, PoissonRecords or NormalRecords.
template <class Family>
class RecordAugmentation {
 public:
  using Problem = typename Family::Problem;

  template <class Rng>
  RecordAugmentation(const Problem& problem, Rng& rng) : family_(problem) {
    const double n = first_size();
    detail::require(n <= max_records, "n", n, "at most 1e8 for a chain on records");
    family_.start(rng);
    records_.resize(static_cast<std::size_t>(n));
    for (double& x : records_) x = family_.draw(rng);
    add_up();
    if (!std::isfinite(log_noise_)) detail::no_count_fits();
  }

  //! Parameters; which of them exist depends on the family.
  double rate() const { return family_.rate(); }
  double mean() const { return family_.mean(); }
  double sd() const { return family_.sd(); }

  double n() const { return static_cast<double>(records_.size()); }
  //! Sufficient statistic of the records, as of the other samplers of the family.
  auto statistic() const { return family_.statistic(complete_); }
  //! Share of accepted proposals.
  double acceptance_rate() const { return proposed_ > 0.0 ? accepted_ / proposed_ : 1.0; }

  //! One iteration: every record, n, and the parameters.
  template <class Rng>
  void step(Rng& rng) {
    for (double& x : records_) replace(rng, x);
    if (!family_.size().is_known()) resize(rng);
    add_up();
    family_.update(rng, n(), complete_);
  }

 private:
  using Sums = typename Family::Sums;
  static constexpr double max_records = 1e8;

  //! A size that the noise of n allows.
  double first_size() const {
    const SampleSize& size = family_.size();
    const double nearest = std::max(0.0, std::nearbyint(size.value()));
    for (int k = 0; k < 64; ++k)
      if (std::isfinite(size.log_density(nearest + k))) return nearest + k;
    detail::no_count_fits();
  }

  //! The sums afresh: changing them record by record lets rounding errors add up.
  void add_up() {
    released_ = Sums();
    complete_ = Sums();
    for (const double x : records_) {
      const Sums one = family_.released(x), full = family_.complete(x);
      for (std::size_t j = 0; j < one.size(); ++j) {
        released_[j] += one[j];
        complete_[j] += full[j];
      }
    }
    log_noise_ = family_.log_noise(released_);
  }

  //! The released sums with one record's share added (sign 1) or removed (-1).
  Sums changed(Sums sums, double x, double sign) const {
    const Sums one = family_.released(x);
    for (std::size_t j = 0; j < one.size(); ++j) sums[j] += sign * one[j];
    return sums;
  }

  //! Moves to the sums with the probability that their noise density and the log
  //! ratio of other factors ask for.
  template <class Rng>
  bool accept(Rng& rng, const Sums& sums, double log_ratio) {
    const double log_noise = family_.log_noise(sums);
    const double change = log_noise - log_noise_ + log_ratio;
    proposed_ += 1.0;
    if (change < 0.0 && exponential1(rng) < -change) return false;
    accepted_ += 1.0;
    released_ = sums;
    log_noise_ = log_noise;
    return true;
  }

  template <class Rng>
  void replace(Rng& rng, double& x) {
    const double proposal = family_.draw(rng);
    if (accept(rng, changed(changed(released_, x, -1.0), proposal, 1.0), 0.0)) x = proposal;
  }

  //! As many births and deaths as there are records. Records are exchangeable: one
  //! drawn from the model may be put at the end, and any one may be taken away.
  template <class Rng>
  void resize(Rng& rng) {
    for (std::size_t k = 16 + records_.size(); k > 0; --k) {
      if (uniform01(rng) < 0.5)
        give_birth(rng);
      else if (!records_.empty())
        take_away(rng);
    }
  }

  double size_ratio(double change) const {
    return family_.size().log_density(n() + change) - family_.size().log_density(n());
  }

  template <class Rng>
  void give_birth(Rng& rng) {
    const double x = family_.draw(rng);
    if (accept(rng, changed(released_, x, 1.0), size_ratio(1.0))) records_.push_back(x);
  }

  template <class Rng>
  void take_away(Rng& rng) {
    const auto i = static_cast<std::size_t>(uniform01(rng) * n());
    if (!accept(rng, changed(released_, records_[i], -1.0), size_ratio(-1.0))) return;
    records_[i] = records_.back();
    records_.pop_back();
  }

  Family family_;
  std::vector<double> records_;
  Sums released_{}, complete_{};
  double log_noise_ = 0.0;
  double proposed_ = 0.0, accepted_ = 0.0;
};

}  // namespace noiseaware
