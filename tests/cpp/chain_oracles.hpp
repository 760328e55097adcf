#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "oracles.hpp"

// Summaries of Markov chains with their Monte Carlo errors, and posteriors of one
// parameter by adding up over a fine grid.

namespace chain_oracles {

//! Mean and standard deviation of a chain; errors from the means of 50 batches.
struct ChainSummary {
  double mean = 0.0, sd = 0.0, se_mean = 0.0, se_sd = 0.0;

  explicit ChainSummary(const std::vector<double>& x) {
    const oracles::Moments all(x);
    mean = all.mean;
    sd = std::sqrt(all.variance);
    const std::size_t batches = 50, length = x.size() / batches;
    std::vector<double> first, second;
    for (std::size_t b = 0; b < batches; ++b) {
      double m = 0.0, s = 0.0;
      for (std::size_t i = b * length; i < (b + 1) * length; ++i) {
        m += x[i] / static_cast<double>(length);
        s += (x[i] - mean) * (x[i] - mean) / static_cast<double>(length);
      }
      first.push_back(m);
      second.push_back(s);
    }
    se_mean = oracles::Moments(first).se_mean;
    se_sd = oracles::Moments(second).se_mean / (2.0 * sd);
  }

  //! Distance from the truth in Monte Carlo errors, after a relative error of the
  //! method (in standard deviations) is allowed for.
  double z_mean(double truth, double allowed = 0.0) const {
    return std::max(0.0, std::abs(mean - truth) - allowed * sd) / se_mean;
  }
  double z_sd(double truth, double allowed = 0.0) const {
    return std::max(0.0, std::abs(sd - truth) - allowed * sd) / se_sd;
  }
};

//! Runs step() `warmup` times, then collects value() `kept` times.
template <class Step, class Value>
std::vector<double> run_chain(int warmup, int kept, Step step, Value value) {
  for (int i = 0; i < warmup; ++i) step();
  std::vector<double> out;
  for (int i = 0; i < kept; ++i) {
    step();
    out.push_back(value());
  }
  return out;
}

struct MeanSd {
  double mean, sd;
};

//! Mean and standard deviation of value(x) for a density exp(log_density(x)) on
//! the line, by the trapezoid rule on [from, to].
template <class LogDensity, class Value>
MeanSd by_quadrature(double from, double to, LogDensity log_density, Value value) {
  const int nodes = 4000;
  std::vector<double> logs, values;
  for (int i = 0; i <= nodes; ++i) {
    const double x = from + (to - from) * i / nodes;
    logs.push_back(log_density(x));
    values.push_back(value(x));
  }
  const double high = *std::max_element(logs.begin(), logs.end());
  double total = 0.0, first = 0.0, second = 0.0;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    const double w = std::exp(logs[i] - high);
    total += w;
    first += w * values[i];
    second += w * values[i] * values[i];
  }
  const double mean = first / total;
  return {mean, std::sqrt(second / total - mean * mean)};
}

}  // namespace chain_oracles
