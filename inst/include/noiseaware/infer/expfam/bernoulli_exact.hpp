#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! One noisy or suppressed count of a binary column, theta ~ Beta(shape1, shape2)
//! the probability of the counted level. The centre of the count is in [0, 1].
struct BernoulliProblem {
  double shape1 = 1.0;
  double shape2 = 1.0;
  NoisyCount count;
  SampleSize size = SampleSize::known(0.0);
};

//! The posterior of theta given a noisy count, exactly: the latent count s (and n
//! where it is not public) is summed out, which leaves a mixture of
//! Beta(shape1 + s, shape2 + n - s) with weights
//!   C(n, s) B(shape1 + s, shape2 + n - s) / B(shape1, shape2) f(z - s) f(z_n - n),
//! where P(noise < threshold - s) takes the place of f(z - s) if the count was
//! suppressed.
//! Draws are independent. Cost depends on the noise, not on n: cells whose noise
//! density is negligible against one known cell are left out. That bound holds
//! for every prior, because Beta-binomial probabilities are at most 1.
class BernoulliExact {
 public:
  //! A cell costs an exponential: as much as this many multiplications.
  static constexpr double cell_work = 50.0;
  //! Rows longer than this take too much memory.
  static constexpr double max_row = 5e6;

  //! Does nothing but measure when more than `max_cells` pairs (n, s) matter.
  BernoulliExact(const BernoulliProblem& problem, double max_cells) : problem_(problem) {
    check();
    find_windows();
    if (cells_ > max_cells || s_hi_ - s_lo_ > max_row) return;
    feasible_ = true;
    fill_tables();
    add_up();
  }

  //! Whether the sum was small enough to be made; nothing else may be asked if not.
  bool feasible() const { return feasible_; }
  //! Number of pairs (n, s) summed over.
  double cells() const { return cells_; }
  //! log p(release), with a flat prior on n where n is latent.
  double log_evidence() const { return log_max_ + std::log(total_); }
  MixtureMoments moments() const { return moments_; }

  //! Calls use(n, s, weight) for every component; the weights add up to 1.
  template <class Use>
  void visit(Use&& use) const {
    for (double n = n_lo_; n <= n_hi_; ++n)
      for (double s = row_lo(n); s <= row_hi(n); ++s)
        use(n, s, std::exp(log_weight(n, s) - log_max_) / total_);
  }

  struct Draw {
    double theta;
    double count;
    double n;
  };

  //! One independent draw; `scratch` is the caller's, so that chains can share
  //! this object.
  template <class Rng>
  Draw draw(Rng& rng, std::vector<double>& scratch) const {
    const double n = n_lo_ + static_cast<double>(detail::find_category(size_sums_, uniform01(rng)));
    if (row_.empty()) fill_row(n, scratch);
    const std::vector<double>& row = row_.empty() ? scratch : row_;
    const double s = row_lo(n) + static_cast<double>(detail::find_category(row, uniform01(rng)));
    return {beta(rng, problem_.shape1 + s, problem_.shape2 + n - s), s, n};
  }

 private:
  void check() const {
    detail::require_positive(problem_.shape1, "shape1");
    detail::require_positive(problem_.shape2, "shape2");
    detail::require_finite(problem_.count.value, "released count");
    detail::require(problem_.count.centre >= 0.0 && problem_.count.centre <= 1.0, "centre",
                    problem_.count.centre, "between 0 and 1");
    if (!problem_.size.is_known() && !problem_.size.is_observed())
      throw std::invalid_argument("a single count does not tell n: n must be public or released");
  }

  double middle(double n) const { return problem_.count.value + problem_.count.centre * n; }

  // One part in a million allows for rounding in exact counts. Nothing bounds a
  // suppressed count from below.
  double row_lo(double n) const {
    if (problem_.count.censored) return 0.0;
    return std::max(0.0, std::ceil(middle(n) - s_reach_ - 1e-6));
  }
  double row_hi(double n) const { return std::min(n, std::floor(middle(n) + s_reach_ + 1e-6)); }

  //! Log weight without the tables, for the one cell the windows are built on.
  double anchor_weight(double n) const {
    const double s = std::min(std::max(problem_.count.highest(n), 0.0), n);
    return log_count_weight(problem_.shape1, s) + log_count_weight(problem_.shape2, n - s) -
           log_count_weight(problem_.shape1 + problem_.shape2, n) +
           problem_.count.log_density(s, n) + problem_.size.log_density(n);
  }

  //! A size that allows an exact count: s = middle(n) must lie in [0, n], or 0
  //! below it if the count was suppressed.
  double first_size() const {
    if (problem_.size.is_known()) return problem_.size.value();
    double n = std::max(0.0, std::nearbyint(problem_.size.value()));
    const double centre = problem_.count.centre;
    if (problem_.count.noise.exact()) {
      if (centre < 1.0 && !problem_.count.censored)
        n = std::max(n, std::ceil(problem_.count.value / (1.0 - centre) - 1e-6));
      if (centre > 0.0) n = std::max(n, std::ceil(-problem_.count.value / centre - 1e-6));
    }
    return n;
  }

  //! Log weight of one possible cell. Where the noise is on a coarse grid and the
  //! count is taken about a centre, only some n are possible, hence the search.
  double anchor() const {
    const double first = first_size();
    const int tries = problem_.size.is_known() ? 1 : 64;
    for (int k = 0; k < tries; ++k) {
      const double weight = anchor_weight(first + k);
      if (std::isfinite(weight)) return weight;
    }
    detail::no_count_fits();
  }

  void find_windows() {
    const double peak = problem_.count.log_peak() +
                        (problem_.size.is_known() ? 0.0 : problem_.size.noise().log_peak());
    const double nats = kNegligibleNats + peak - anchor();
    s_reach_ = problem_.count.noise.reach(nats);
    const double n_reach = problem_.size.is_known() ? 0.0 : problem_.size.noise().reach(nats);
    n_lo_ = std::max(0.0, std::ceil(problem_.size.value() - n_reach));
    n_hi_ = std::max(n_lo_, std::floor(problem_.size.value() + n_reach));
    // The middle of a row moves up with n, and so does n minus it.
    s_lo_ = row_lo(n_lo_);
    s_hi_ = std::max(s_lo_, row_hi(n_hi_));
    rest_lo_ = std::max(0.0, n_lo_ - row_hi(n_lo_));
    rest_hi_ = std::max(rest_lo_, n_hi_ - row_lo(n_hi_));
    const double row = problem_.count.censored ? middle(n_hi_) + s_reach_ : 2.0 * s_reach_;
    cells_ = (n_hi_ - n_lo_ + 1.0) * std::min(std::max(row, 0.0) + 1.0, n_hi_ + 1.0);
  }

  void fill_tables() {
    count_weights_ = log_count_weights(problem_.shape1, s_lo_, s_hi_);
    rest_weights_ = log_count_weights(problem_.shape2, rest_lo_, rest_hi_);
    size_weights_ = log_count_weights(problem_.shape1 + problem_.shape2, n_lo_, n_hi_);
    for (std::size_t i = 0; i < size_weights_.size(); ++i)
      size_weights_[i] =
          problem_.size.log_density(n_lo_ + static_cast<double>(i)) - size_weights_[i];
  }

  double log_weight(double n, double s) const {
    return count_weights_[static_cast<std::size_t>(s - s_lo_)] +
           rest_weights_[static_cast<std::size_t>(n - s - rest_lo_)] +
           size_weights_[static_cast<std::size_t>(n - n_lo_)] + problem_.count.log_density(s, n);
  }

  //! Partial sums of the weights of row n, relative to the largest weight.
  void fill_row(double n, std::vector<double>& row) const {
    row.clear();
    double sum = 0.0;
    for (double s = row_lo(n); s <= row_hi(n); ++s)
      row.push_back(sum += std::exp(log_weight(n, s) - log_max_));
  }

  //! Finds the largest weight and returns the mean of theta there.
  double find_mode() {
    double mean = 0.0;
    log_max_ = -std::numeric_limits<double>::infinity();
    for (double n = n_lo_; n <= n_hi_; ++n) {
      for (double s = row_lo(n); s <= row_hi(n); ++s) {
        const double weight = log_weight(n, s);
        if (weight <= log_max_) continue;
        log_max_ = weight;
        mean = (problem_.shape1 + s) / (problem_.shape1 + problem_.shape2 + n);
      }
    }
    if (!std::isfinite(log_max_)) detail::no_count_fits();
    return mean;
  }

  void add_up() {
    MixtureAccumulator mixture(find_mode());
    for (double n = n_lo_; n <= n_hi_; ++n) {
      for (double s = row_lo(n); s <= row_hi(n); ++s)
        mixture.add(std::exp(log_weight(n, s) - log_max_), problem_.shape1 + s,
                    problem_.shape2 + n - s);
      size_sums_.push_back(mixture.total());
    }
    total_ = mixture.total();
    moments_ = mixture.moments();
    if (n_lo_ == n_hi_) fill_row(n_lo_, row_);
  }

  BernoulliProblem problem_;
  bool feasible_ = false;
  double cells_ = 0.0;
  double s_reach_ = 0.0;
  double n_lo_ = 0.0, n_hi_ = 0.0;
  double s_lo_ = 0.0, s_hi_ = 0.0;
  double rest_lo_ = 0.0, rest_hi_ = 0.0;
  std::vector<double> count_weights_, rest_weights_, size_weights_;
  std::vector<double> size_sums_;  // partial sums over n
  std::vector<double> row_;        // partial sums over s where n is public
  double log_max_ = 0.0;
  double total_ = 0.0;
  MixtureMoments moments_;
};

}  // namespace noiseaware
