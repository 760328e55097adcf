#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <vector>

// Densities of noisy sums of mapped records by brute force, written with the C
// library only.

namespace sum_oracles {

using namespace noiseaware;

constexpr double kPi = 3.14159265358979323846;

inline NoiseDensity laplace(double scale, double grid = 0.0) {
  return NoiseDensity(NoiseLaw::laplace, scale, grid);
}
inline NoiseDensity gaussian(double sd, double grid = 0.0) {
  return NoiseDensity(NoiseLaw::gaussian, sd, grid);
}

inline ScalarProblem scalar_problem(ScalarFamily family, RecordMap map, double centre, double value,
                                    NoiseDensity noise, SampleSize size) {
  ScalarProblem problem;
  problem.family = family;
  problem.prior = {8.0, 2.0};
  problem.map = map;
  problem.centre = centre;
  problem.value = value;
  problem.noise = noise;
  problem.size = size;
  return problem;
}

//! Textbook densities of continuous noise.
inline double log_noise(bool is_laplace, double scale, double r) {
  const double u = std::abs(r) / scale;
  return is_laplace ? -std::log(2.0 * scale) - u
                    : -std::log(scale * std::sqrt(2.0 * kPi)) - u * u / 2;
}

//! Simpson's rule.
inline double simpson(const std::function<double(double)>& f, double a, double b, int intervals) {
  if (!(b > a)) return 0.0;
  const double h = (b - a) / (2 * intervals);
  double sum = f(a) + f(b);
  for (int i = 1; i < 2 * intervals; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) * f(a + h * i);
  return sum * h / 3.0;
}

//! Density at x of the sum of m uniform variables on [0, 1] (Irwin 1927, Hall 1927).
inline double irwin_hall(int m, double x) {
  double sum = 0.0, choose = 1.0, factorial = 1.0;
  for (int k = 1; k < m; ++k) factorial *= k;
  for (int k = 0; k < m && k <= x; ++k) {
    sum += (k % 2 == 0 ? choose : -choose) * std::pow(x - k, m - 1);
    choose *= static_cast<double>(m - k) / (k + 1);
  }
  return sum / factorial;
}

//! Density of a noisy sum of n mapped exponential records about `centre`: records
//! below and above are counted, the m others add up to a tilted Irwin-Hall
//! variable, whose pieces are integrated against the noise.
inline double exponential_density(int n, double rate, const RecordMap& map, double centre, double z,
                                  bool is_laplace, double scale) {
  const double low = std::exp(-rate * map.lower), high = std::exp(-rate * map.upper);
  const double length = map.upper - map.lower;
  double total = 0.0, ways_below = 1.0;
  for (int j = 0; j <= n; ++j) {
    double ways = ways_below;
    for (int k = 0; j + k <= n; ++k) {
      const int m = n - j - k;
      const double weight = ways * std::pow(1.0 - low, j) * std::pow(high, k);
      const double fixed = j * (map.below - centre) + k * (map.above - centre);
      const auto noise = [&](double s) {
        return std::exp(log_noise(is_laplace, scale, z - fixed - s));
      };
      if (m == 0) total += weight * noise(0.0);
      const double start = m * (map.lower - centre);
      const auto integrand = [&](double s) {
        return std::exp(-rate * (s + m * centre)) * irwin_hall(m, (s - start) / length) * noise(s);
      };
      double sum = 0.0;
      for (int piece = 0; piece < m; ++piece) {
        const double a = start + piece * length, b = a + length;
        const double kink = std::min(std::max(z - fixed, a), b);
        sum += simpson(integrand, a, kink, 800) + simpson(integrand, kink, b, 800);
      }
      total += weight * sum * std::pow(rate * length, m) / length;
      ways *= static_cast<double>(m) / (k + 1);
    }
    ways_below *= static_cast<double>(n - j) / (j + 1);
  }
  return total;
}

//! Probabilities of 0, 1, 2, ... multiplied by convolution, n times, for the values
//! of a mapped Poisson record in units of `step` from `low` on.
inline std::vector<double> poisson_sum(int n, double rate, const RecordMap& map, double low,
                                       double step) {
  const double high = std::max({map.upper, map.below, map.above});
  const auto cells = static_cast<std::size_t>(std::llround((high - low) / step)) + 1;
  std::vector<double> one(cells, 0.0), sum{1.0};
  double mass = std::exp(-rate);
  for (int x = 0; x < 2000; ++x) {
    one[static_cast<std::size_t>(std::llround((map(x) - low) / step))] += mass;
    mass *= rate / (x + 1.0);
  }
  for (int i = 0; i < n; ++i) {
    std::vector<double> next(sum.size() + cells - 1, 0.0);
    for (std::size_t a = 0; a < sum.size(); ++a)
      for (std::size_t b = 0; b < cells; ++b) next[a + b] += sum[a] * one[b];
    sum.swap(next);
  }
  return sum;
}

}  // namespace sum_oracles
