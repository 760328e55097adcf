#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/math/cubic_spline.hpp>
#include <noiseaware/math/mode_search.hpp>
#include <noiseaware/math/require.hpp>
#include <noiseaware/math/special.hpp>
#include <noiseaware/rng/discrete_categorical.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! The unbounded scale x on which a parameter is integrated.
enum class GridScale { log, logit };

//! The posterior of one parameter, by numerical integration on its log or logit
//! scale. The log likelihood is evaluated on grids that are refined until a cubic
//! spline through them predicts new values; prior and posterior are then known
//! everywhere, and draws are independent, by inversion of the distribution
//! function. Several modes are found and integrated separately.
class GridPosterior {
 public:
  //! `log_prior(x)`: log density of x, which for the evidence to mean anything must
  //! be normalised; `range`: where the prior mass is, `centre` its middle;
  //! `log_likelihood(parameter)` may be -Inf or NaN where it cannot be computed.
  template <class LogPrior, class LogLikelihood>
  GridPosterior(GridScale scale, Interval range, double centre, LogPrior&& log_prior,
                LogLikelihood&& log_likelihood)
      : scale_(scale) {
    check(range, centre);
    const auto likelihood = [&](double x) {
      ++evaluations_;
      return log_likelihood(parameter(x));
    };
    auto log_density = [&](double x) { return log_prior(x) + likelihood(x); };
    const ModeSearch<decltype(log_density)> search(log_density, range, centre, limits());
    peak_ = search.maximum();
    for (const Interval& part : search.within(kNats)) integrate(part, log_prior, likelihood);
    finish();
  }

  //! log of the integral of prior times likelihood.
  double log_evidence() const { return peak_ + std::log(cumulative_.back()); }
  double mean() const { return mean_; }
  double sd() const { return sd_; }
  //! How often the likelihood was evaluated.
  int evaluations() const { return evaluations_; }

  //! One independent draw of the parameter.
  template <class Rng>
  double draw(Rng& rng) const {
    return quantile(uniform_open(rng));
  }

  //! P(parameter <= value).
  double cdf(double value) const {
    const double x = unbounded(value);
    if (!(x > x_.front())) return 0.0;
    if (x >= x_.back()) return 1.0;
    const auto above = std::upper_bound(x_.begin(), x_.end(), x);
    const auto i = static_cast<std::size_t>(above - x_.begin()) - 1;
    const double width = x_[i + 1] - x_[i], part = (x - x_[i]) / width;
    const double mass =
        cell_mass(i) > 0.0 ? part * width * (density_[i] + 0.5 * part * rise(i)) : 0.0;
    return (cumulative_[i] + mass) / cumulative_.back();
  }

  //! The value with cdf(value) = p, 0 <= p <= 1; the ends of the grid for 0 and 1.
  double quantile(double p) const {
    detail::require_probability(p, "p");
    const std::size_t i = std::max<std::size_t>(1, detail::find_category(cumulative_, p)) - 1;
    const double width = x_[i + 1] - x_[i];
    const double mass = std::min(p * cumulative_.back() - cumulative_[i], cell_mass(i)) / width;
    // Inside a cell the density is linear.
    const double d = density_[i], square = d * d + 2.0 * rise(i) * mass;
    const double below = d + std::sqrt(std::max(0.0, square));
    const double part = below > 0.0 ? std::min(1.0, 2.0 * std::max(0.0, mass) / below) : 0.0;
    return parameter(x_[i] + part * width);
  }

  //! Log posterior density of the parameter at `value`; -Inf outside the grid.
  double log_density(double value) const {
    const double x = unbounded(value);
    if (!(x >= x_.front() && x <= x_.back())) return -std::numeric_limits<double>::infinity();
    const auto above = std::upper_bound(x_.begin(), x_.end() - 1, x);
    const auto i = static_cast<std::size_t>(above - x_.begin()) - 1;
    const double part = (x - x_[i]) / (x_[i + 1] - x_[i]);
    const double density = cell_mass(i) > 0.0 ? density_[i] + part * rise(i) : 0.0;
    return std::log(density / cumulative_.back()) - log_slope(x);
  }

 private:
  //! Regions further below the maximum are left out.
  static constexpr double kNats = 25.0;
  //! Largest error of a predicted log likelihood, before the grid is halved once
  //! more, weighted by posterior density.
  static constexpr double kError = 1e-4;
  static constexpr std::size_t kFirstNodes = 17, kLastNodes = 8193, kCells = 4000;

  double parameter(double x) const {
    if (scale_ == GridScale::log) return std::exp(x);
    return x < 0.0 ? std::exp(x) / (1.0 + std::exp(x)) : 1.0 / (1.0 + std::exp(-x));
  }
  double unbounded(double value) const {
    return scale_ == GridScale::log ? std::log(value) : std::log(value) - std::log1p(-value);
  }
  //! log of the derivative of the parameter by x.
  double log_slope(double x) const {
    return scale_ == GridScale::log ? x : -log1p_exp(x) - log1p_exp(-x);
  }
  //! Parameters stay apart from 0, and on the logit scale from 1.
  Interval limits() const { return {-690.0, scale_ == GridScale::log ? 690.0 : 36.0}; }

  void check(Interval range, double centre) const {
    detail::require(range.lower >= limits().lower, "range", range.lower, "inside the limits");
    detail::require(range.upper <= limits().upper, "range", range.upper, "inside the limits");
    detail::require(range.lower < centre && centre < range.upper, "centre", centre,
                    "inside the range");
  }

  double cell_mass(std::size_t i) const { return cumulative_[i + 1] - cumulative_[i]; }
  double rise(std::size_t i) const { return density_[i + 1] - density_[i]; }

  template <class LogPrior, class LogLikelihood>
  void integrate(Interval part, LogPrior&& log_prior, LogLikelihood&& log_likelihood) {
    const auto at = [&](double share) { return part.lower + share * (part.upper - part.lower); };
    // A spline cannot pass through -Inf: far below the peak any low value will do.
    const auto value = [&](double share) {
      const double x = at(share), lowest = peak_ - 3.0 * kNats - log_prior(x);
      const double found = log_likelihood(x);
      return found > lowest ? found : lowest;
    };
    const auto weight = [&](double share, double found) {
      return std::exp(std::min(0.0, log_prior(at(share)) + found - peak_));
    };
    const CubicSpline spline = refine(value, weight);
    const std::size_t cells = spline.size() - 1;
    const std::size_t split = std::max<std::size_t>(4, (kCells + cells - 1) / cells);
    for (std::size_t i = 0; i <= cells * split; ++i) {
      const std::size_t cell = std::min(i / split, cells - 1);
      const double inside = static_cast<double>(i - cell * split) / static_cast<double>(split);
      const double x = at(static_cast<double>(i) / static_cast<double>(cells * split));
      append(x, std::exp(log_prior(x) + spline.at(cell, inside) - peak_), i == 0);
    }
  }

  //! Halves the grid until the spline predicts the values half way between nodes.
  template <class Value, class Weight>
  static CubicSpline refine(Value&& value, Weight&& weight) {
    std::vector<double> nodes(kFirstNodes);
    const auto share = [](std::size_t i, std::size_t cells) {
      return static_cast<double>(i) / static_cast<double>(cells);
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = value(share(i, nodes.size() - 1));
    for (;;) {
      const CubicSpline spline(nodes);
      const std::size_t cells = nodes.size() - 1;
      double worst = 0.0;
      std::vector<double> finer(2 * cells + 1);
      for (std::size_t i = 0; i <= cells; ++i) finer[2 * i] = nodes[i];
      for (std::size_t i = 0; i < cells; ++i) {
        const double found = finer[2 * i + 1] = value(share(2 * i + 1, 2 * cells));
        const double heights = weight(share(2 * i + 1, 2 * cells), found);
        worst = std::max(worst, heights * std::abs(found - spline.at(i, 0.5)));
      }
      nodes.swap(finer);
      if (worst < kError || nodes.size() >= kLastNodes) return CubicSpline(nodes);
    }
  }

  //! One more point of the grid; the cell before it holds no mass if it is the
  //! first of its interval.
  void append(double x, double density, bool is_first) {
    double mass = cumulative_.empty() ? 0.0 : cumulative_.back();
    if (!is_first) mass += 0.5 * (density + density_.back()) * (x - x_.back());
    x_.push_back(x);
    density_.push_back(density);
    cumulative_.push_back(mass);
  }

  //! Mean and standard deviation by the trapezoidal rule, about the median.
  void finish() {
    const double total = cumulative_.back();
    if (!(total > 0.0)) throw std::domain_error("the posterior density is 0 everywhere");
    const double shift = quantile(0.5);
    double s1 = 0.0, s2 = 0.0;
    for (std::size_t i = 0; i + 1 < x_.size(); ++i) {
      if (!(cell_mass(i) > 0.0)) continue;
      const double half = 0.5 * (x_[i + 1] - x_[i]) / total;
      for (std::size_t j = i; j <= i + 1; ++j) {
        const double d = parameter(x_[j]) - shift;
        s1 += half * density_[j] * d;
        s2 += half * density_[j] * d * d;
      }
    }
    mean_ = shift + s1;
    sd_ = std::sqrt(std::max(0.0, s2 - s1 * s1));
  }

  GridScale scale_;
  double peak_ = 0.0;
  std::vector<double> x_, density_, cumulative_;
  double mean_ = 0.0, sd_ = 0.0;
  int evaluations_ = 0;
};

namespace detail {

//! Where a log density with one mode is within `nats` of it, inside `limits`.
template <class LogDensity>
Interval prior_range(LogDensity&& log_density, double mode, Interval limits) {
  constexpr double nats = 30.0;
  const double floor = log_density(mode) - nats;
  const auto edge = [&](double direction, double limit) {
    double step = 1.0;
    while (std::abs(mode - limit) > step && log_density(mode + direction * step) > floor)
      step *= 1.5;
    return std::abs(mode - limit) > step ? mode + direction * step : limit;
  };
  return {edge(-1.0, limits.lower), edge(1.0, limits.upper)};
}

}  // namespace detail

//! Posterior of a rate with a gamma prior.
template <class LogLikelihood>
GridPosterior gamma_grid_posterior(const GammaPrior& prior, LogLikelihood&& log_likelihood) {
  detail::require_positive(prior.shape, "prior shape");
  detail::require_positive(prior.rate, "prior rate");
  const double constant = prior.shape * std::log(prior.rate) - log_gamma(prior.shape);
  const auto log_prior = [&](double x) {
    return constant + prior.shape * x - prior.rate * std::exp(x);
  };
  const double mode = std::min(std::max(std::log(prior.shape / prior.rate), -600.0), 600.0);
  const Interval range = detail::prior_range(log_prior, mode, {-690.0, 690.0});
  return GridPosterior(GridScale::log, range, mode, log_prior, log_likelihood);
}

//! Posterior of a probability with a beta prior.
template <class LogLikelihood>
GridPosterior beta_grid_posterior(double shape1, double shape2, LogLikelihood&& log_likelihood) {
  detail::require_positive(shape1, "shape1");
  detail::require_positive(shape2, "shape2");
  const double constant = -log_beta(shape1, shape2);
  const auto log_prior = [&](double x) {
    return constant - shape1 * log1p_exp(-x) - shape2 * log1p_exp(x);
  };
  const double mode = std::min(std::max(std::log(shape1 / shape2), -600.0), 30.0);
  const Interval range = detail::prior_range(log_prior, mode, {-690.0, 36.0});
  return GridPosterior(GridScale::logit, range, mode, log_prior, log_likelihood);
}

}  // namespace noiseaware
