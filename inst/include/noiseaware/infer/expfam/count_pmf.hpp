#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <vector>

// Distributions on a range of whole numbers, and their convolution.

namespace noiseaware {

//! mass[i] belongs to the count first + i; outside the range it is 0.
struct CountPmf {
  double first = 0.0;
  std::vector<double> mass{1.0};

  double last() const { return first + static_cast<double>(mass.size()) - 1.0; }

  double at(double count) const {
    if (count < first || count > last()) return 0.0;
    return mass[static_cast<std::size_t>(count - first)];
  }

  double mean() const {
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      sum += mass[i] * static_cast<double>(i);
      total += mass[i];
    }
    return first + sum / total;
  }

  double variance() const {
    const double centre = mean() - first;
    double sum = 0.0, total = 0.0;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const double d = static_cast<double>(i) - centre;
      sum += mass[i] * d * d;
      total += mass[i];
    }
    return sum / total;
  }
};

//! Drops both tails below exp(-nats) times the largest mass.
inline void trim(CountPmf& pmf, double nats = kNegligibleNats) {
  const double floor_mass = *std::max_element(pmf.mass.begin(), pmf.mass.end()) * std::exp(-nats);
  const auto large = [floor_mass](double mass) { return mass > floor_mass; };
  const auto begin = std::find_if(pmf.mass.begin(), pmf.mass.end(), large);
  const auto end = std::find_if(pmf.mass.rbegin(), pmf.mass.rend(), large).base();
  if (begin >= end) return;
  pmf.first += static_cast<double>(begin - pmf.mass.begin());
  pmf.mass = std::vector<double>(begin, end);
}

//! Multiplications that convolve() needs at most.
inline double convolution_work(const CountPmf& a, const CountPmf& b) {
  return static_cast<double>(a.mass.size()) * static_cast<double>(b.mass.size());
}

//! Distribution of the sum, restricted to lo..hi; empty where that misses it.
inline CountPmf convolve(const CountPmf& a, const CountPmf& b, double lo, double hi) {
  CountPmf out;
  out.first = std::max(lo, a.first + b.first);
  const double last = std::min(hi, a.last() + b.last());
  out.mass.assign(last < out.first ? 0 : static_cast<std::size_t>(last - out.first) + 1, 0.0);
  if (out.mass.empty()) return out;
  for (std::size_t i = 0; i < a.mass.size(); ++i) {
    const double s = a.first + static_cast<double>(i);
    const double from = std::max(out.first, s + b.first);
    const double to = std::min(last, s + b.last());
    if (from > to) continue;
    const double weight = a.mass[i];
    const double* source = b.mass.data() + static_cast<std::size_t>(from - s - b.first);
    double* target = out.mass.data() + static_cast<std::size_t>(from - out.first);
    const auto length = static_cast<std::size_t>(to - from) + 1;
    for (std::size_t j = 0; j < length; ++j) target[j] += weight * source[j];
  }
  return out;
}

//! Log weights on a range, exponentially tilted: mass proportional to
//! exp(log_weight[i] - tilt * i). Returns the log of the normalising sum.
inline double tilt_into(const std::vector<double>& log_weight, double tilt, CountPmf& out) {
  out.mass.resize(log_weight.size());
  double high = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < log_weight.size(); ++i) {
    out.mass[i] = log_weight[i] - tilt * static_cast<double>(i);
    high = std::max(high, out.mass[i]);
  }
  if (!std::isfinite(high)) detail::no_count_fits();
  double sum = 0.0;
  for (double& mass : out.mass) sum += mass = std::exp(mass - high);
  for (double& mass : out.mass) mass /= sum;
  return high + std::log(sum);
}

}  // namespace noiseaware
