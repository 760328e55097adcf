#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

// Independent distribution functions and tests of fit for the C++ tests. They
// use the C library, not the code under test. With fixed seeds a p-value below
// kRejects means a wrong sampler: the tests hold about 200 of them.

namespace oracles {

constexpr double kRejects = 1e-4;
constexpr double kMaxZ = 4.5;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

//! What no positive parameter may be.
inline std::vector<double> not_positive() { return {kNaN, kInf, -kInf, -1.0, 0.0}; }

//! What no probability may be.
inline std::vector<double> not_probability() { return {kNaN, kInf, -kInf, -1e-9, 1.0 + 1e-9}; }

//! An engine that repeats given bits: reaches the ends of every range.
struct FixedBits {
  std::vector<std::uint64_t> bits;
  std::size_t at = 0;
  std::uint64_t operator()() { return bits[at++ % bits.size()]; }
};

inline double phi_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

//! Regularised lower incomplete gamma P(a, e^log_x): power series, or one minus
//! the continued fraction (Abramowitz and Stegun, 6.5.29 and 6.5.31). The
//! logarithm reaches quantiles that underflow.
inline double gamma_p_log(double a, double log_x) {
  const double x = std::exp(log_x);
  const double log_front = a * log_x - x - std::lgamma(a);
  if (x < a + 1.0) {
    double term = 1.0 / a, sum = term;
    for (int k = 1; k < 5000 && term > 1e-17 * sum; ++k) sum += term *= x / (a + k);
    return std::exp(log_front) * sum;
  }
  double b = x + 1.0 - a, c = 1e300, d = 1.0 / b, h = d;
  for (int k = 1; k < 5000; ++k) {
    const double an = -k * (k - a);
    b += 2.0;
    d = 1.0 / (an * d + b);
    c = b + an / c;
    h *= d * c;
  }
  return 1.0 - std::exp(log_front) * h;
}

inline double gamma_p(double a, double x) { return x > 0.0 ? gamma_p_log(a, std::log(x)) : 0.0; }

//! Regularised incomplete beta I_x(a, b) from log x, by the continued fraction
//! of Abramowitz and Stegun, 26.5.8, in the variable where it converges fast.
inline double beta_p_log(double a, double b, double log_x) {
  const double x = std::exp(log_x);
  if (x >= 1.0) return 1.0;
  if (x > (a + 1.0) / (a + b + 2.0)) return 1.0 - beta_p_log(b, a, std::log1p(-x));
  double c = 1.0, d = 1.0 / (1.0 - (a + b) * x / (a + 1.0)), h = d;
  for (int m = 1; m < 500; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    for (const double step : {even, odd}) {
      d = 1.0 / (1.0 + step * d);
      c = 1.0 + step / c;
      h *= d * c;
    }
  }
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return std::exp(a * log_x + b * std::log1p(-x) - log_beta) * h / a;
}

inline double beta_p(double a, double b, double x) {
  return x > 0.0 ? beta_p_log(a, b, std::log(x)) : 0.0;
}

//! P-value of the Kolmogorov-Smirnov test, with the small-sample factor of
//! Stephens (1970).
template <class Cdf>
double ks_p_value(std::vector<double> sample, Cdf cdf) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    if (!(f >= -1e-12 && f <= 1.0 + 1e-12)) return 0.0;
    const double rank = static_cast<double>(i);
    distance = std::max({distance, f - rank / n, (rank + 1.0) / n - f});
  }
  const double t = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  return std::min(1.0, 2.0 * std::exp(-2.0 * t * t));
}

//! P-value of Pearson's test of counts against probabilities. Cells are joined
//! from the left until each expects at least 10; what is missing from the
//! probabilities is a last cell.
inline double chi_square_p_value(const std::vector<std::int64_t>& counts,
                                 const std::vector<double>& probabilities, double draws) {
  double statistic = 0.0, observed = 0.0, expected = 0.0, seen = 0.0, used = 0.0;
  int cells = 0;
  const auto close = [&] {
    statistic += (observed - expected) * (observed - expected) / expected;
    observed = expected = 0.0;
    ++cells;
  };
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (probabilities[k] == 0.0 && counts[k] > 0) return 0.0;
    observed += static_cast<double>(counts[k]);
    expected += draws * probabilities[k];
    seen += static_cast<double>(counts[k]);
    used += draws * probabilities[k];
    if (expected >= 10.0 && draws - used >= 10.0) close();
  }
  observed += draws - seen;
  expected += draws - used;
  if (expected > 0.0) close();
  return 1.0 - gamma_p(0.5 * (cells - 1), 0.5 * statistic);
}

//! Mean, variance and their Monte Carlo standard errors.
struct Moments {
  double mean = 0.0, variance = 0.0, se_mean = 0.0, se_variance = 0.0;

  explicit Moments(const std::vector<double>& x) {
    const double n = static_cast<double>(x.size());
    for (const double v : x) mean += v / n;
    double fourth = 0.0;
    for (const double v : x) {
      const double square = (v - mean) * (v - mean);
      variance += square / n;
      fourth += square * square / n;
    }
    se_mean = std::sqrt(variance / n);
    se_variance = std::sqrt((fourth - variance * variance) / n);
  }

  double z_mean(double truth) const { return std::abs(mean - truth) / se_mean; }
  double z_variance(double truth) const { return std::abs(variance - truth) / se_variance; }
};

template <class Draw>
std::vector<double> draw_many(int n, Draw draw) {
  std::vector<double> out(static_cast<std::size_t>(n));
  for (double& x : out) x = static_cast<double>(draw());
  return out;
}

inline double relative_error(double value, double truth) {
  return truth == 0.0 ? std::abs(value) : std::abs(value - truth) / std::abs(truth);
}

}  // namespace oracles
