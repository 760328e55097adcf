#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/math/gauss_legendre.hpp>
#include <vector>

namespace noiseaware {

//! The sum over the number of records, sum_n f(z_n - n) g(n), as a weighted sum
//! over nodes. A public n is one node. Otherwise the nodes are the whole numbers
//! where the noise has not fallen by 45 nats or, if they are more than
//! `max_whole`, those of a quadrature that is split where Laplace noise has its
//! kink; it treats n as continuous, which for a smooth g is off by less than
//! 1 / (6 b^2) of the weight at the kink, with noise of scale b > 10.
class SizeNodes {
 public:
  static constexpr double max_whole = 1000.0;

  explicit SizeNodes(const SampleSize& size) {
    if (size.is_known())
      add(size.value(), 0.0);
    else
      add_window(size);
    const double best = *std::max_element(log_weights_.begin(), log_weights_.end());
    if (!std::isfinite(best)) detail::no_count_fits();
  }

  std::size_t size() const { return nodes_.size(); }
  double n(std::size_t i) const { return nodes_[i]; }
  double log_weight(std::size_t i) const { return log_weights_[i]; }

 private:
  void add(double n, double log_weight) {
    nodes_.push_back(n);
    log_weights_.push_back(log_weight);
  }

  void add_window(const SampleSize& size) {
    const double reach = size.noise().reach(kNegligibleNats);
    const double first = std::max(0.0, std::ceil(size.value() - reach));
    const double last = std::max(first, std::floor(size.value() + reach));
    if (last - first > max_whole) return integrate(size, reach);
    for (double n = first; n <= last; ++n) add(n, size.log_density(n));
  }

  //! Panels on both sides of the released value, wider where less weight is.
  void integrate(const SampleSize& size, double reach) {
    const double edges[] = {0.0, 0.08, 0.25, 0.5, 1.0};
    const NoiseDensity noise(size.noise().law(), size.noise().scale(), 0.0, size.noise().terms());
    for (int k = 0; k < 4; ++k) {
      add_panel(size.value() - reach * edges[k + 1], size.value() - reach * edges[k], size, noise);
      add_panel(size.value() + reach * edges[k], size.value() + reach * edges[k + 1], size, noise);
    }
  }

  //! Whole numbers from 0 on stand for the line from -1/2 on.
  void add_panel(double from, double to, const SampleSize& size, const NoiseDensity& noise) {
    from = std::max(from, -0.5);
    if (from >= to) return;
    const GaussLegendre64& rule = GaussLegendre64::rule();
    const double half = 0.5 * (to - from), middle = from + half;
    for (std::size_t i = 0; i < GaussLegendre64::size; ++i) {
      const double at = middle + half * rule.node(i);
      add(std::max(0.0, at),
          noise.log_density(size.value() - at) + std::log(half * rule.weight(i)));
    }
  }

  std::vector<double> nodes_, log_weights_;
};

//! log of the sum of exp(terms) that arrive one by one.
class RunningLogSum {
 public:
  void add(double term) {
    if (term > high_) {
      sum_ = sum_ * std::exp(high_ - term) + 1.0;
      high_ = term;
    } else if (term > -std::numeric_limits<double>::infinity()) {
      sum_ += std::exp(term - high_);
    }
  }

  double value() const { return sum_ > 0.0 ? high_ + std::log(sum_) : high_; }

 private:
  double high_ = -std::numeric_limits<double>::infinity();
  double sum_ = 0.0;
};

}  // namespace noiseaware
