#pragma once

#include <catch.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <noiseaware/infer/expfam/bernoulli_exact.hpp>
#include <noiseaware/infer/expfam/categorical_exact.hpp>
#include <vector>

#include "oracles.hpp"

// Problems of noisy counts and their posteriors by listing every possibility,
// written with the C library only.

namespace count_oracles {

using namespace noiseaware;

const NoiseDensity exact_count;

inline NoiseDensity laplace(double scale, double grid = 0.0) {
  return NoiseDensity(NoiseLaw::laplace, scale, grid);
}
inline NoiseDensity gaussian(double sd, double grid = 0.0) {
  return NoiseDensity(NoiseLaw::gaussian, sd, grid);
}

inline BernoulliProblem bernoulli(double a, double b, NoisyCount count, SampleSize size) {
  BernoulliProblem problem;
  problem.shape1 = a;
  problem.shape2 = b;
  problem.count = count;
  problem.size = size;
  return problem;
}

inline CategoricalProblem categorical_problem(std::vector<double> alpha, std::vector<double> values,
                                              NoiseDensity noise, SampleSize size) {
  CategoricalProblem problem;
  problem.concentration = alpha;
  for (double value : values) problem.counts.push_back({value, noise, 0.0});
  problem.released.assign(values.size(), true);
  problem.size = size;
  return problem;
}

// Textbook noise, written again with the C library.
inline double log_laplace(double x, double b) { return -std::log(2.0 * b) - std::abs(x) / b; }
inline double log_discrete_laplace(double x, double b) {
  const double alpha = std::exp(-1.0 / b);
  return std::log((1.0 - alpha) / (1.0 + alpha)) - std::abs(x) / b;
}

inline double log_dirichlet_multinomial(const std::vector<double>& alpha,
                                        const std::vector<double>& s) {
  double total = 0.0, n = 0.0, sum = 0.0;
  for (std::size_t k = 0; k < s.size(); ++k) {
    sum += std::lgamma(alpha[k] + s[k]) - std::lgamma(alpha[k]) - std::lgamma(s[k] + 1.0);
    total += alpha[k];
    n += s[k];
  }
  return sum + std::lgamma(n + 1.0) + std::lgamma(total) - std::lgamma(total + n);
}

//! All vectors of `size` counts that add up to n.
inline void compositions(std::size_t size, int n,
                         const std::function<void(std::vector<double>)>& use,
                         std::vector<double> head = {}) {
  if (head.size() + 1 == size) {
    head.push_back(n);
    use(head);
    return;
  }
  for (int s = 0; s <= n; ++s) {
    std::vector<double> next(head);
    next.push_back(s);
    compositions(size, n - s, use, next);
  }
}

//! The posterior by listing every count vector of every size.
struct Enumerated {
  double evidence = 0.0, mean = 0.0, within = 0.0, square = 0.0;
  std::map<double, double> first, size;

  Enumerated(const std::vector<double>& alpha, int n_lo, int n_hi,
             const std::function<double(const std::vector<double>&, double)>& log_noise) {
    double total = 0.0;
    for (double a : alpha) total += a;
    for (int n = n_lo; n <= n_hi; ++n) {
      compositions(alpha.size(), n, [&](const std::vector<double>& s) {
        const double w = std::exp(log_dirichlet_multinomial(alpha, s) + log_noise(s, n));
        const double m = (alpha[0] + s[0]) / (total + n);
        evidence += w;
        mean += w * m;
        square += w * m * m;
        within += w * m * (1.0 - m) / (total + n + 1.0);
        first[s[0]] += w;
        size[n] += w;
      });
    }
    mean /= evidence;
    within /= evidence;
    square /= evidence;
    for (auto& item : first) item.second /= evidence;
    for (auto& item : size) item.second /= evidence;
  }
  double between() const { return square - mean * mean; }
};

inline void check_moments(const MixtureMoments& moments, const Enumerated& truth) {
  CHECK(moments.mean == Approx(truth.mean).epsilon(1e-12));
  CHECK(moments.within == Approx(truth.within).epsilon(1e-11));
  CHECK(moments.between == Approx(truth.between()).epsilon(1e-9));
}

//! Largest difference between the marginal of the first cell and enumeration.
inline double marginal_error(const CountPmf& pmf, const Enumerated& truth) {
  double worst = 0.0;
  for (const auto& item : truth.first)
    worst = std::max(worst, std::abs(pmf.at(item.first) - item.second));
  return worst;
}

}  // namespace count_oracles
