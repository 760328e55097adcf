#include <catch.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <noiseaware/noise/discrete_gaussian.hpp>
#include <noiseaware/noise/discrete_laplace.hpp>
#include <noiseaware/noise/exact_bernoulli.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <stdexcept>
#include <string>
#include <vector>

using noiseaware::ChaCha20Stream;
using noiseaware::i128;
using noiseaware::simulation_key;

namespace {

// A source that repeats a few words for ever.
struct Repeating {
  std::vector<std::uint64_t> words;
  std::size_t at = 0;
  std::uint64_t next64() { return words[at++ % words.size()]; }
};

constexpr std::uint64_t ones = ~std::uint64_t{0};

// `n` draws as text, from a fresh stream.
template <class Draw>
std::string draws(std::uint64_t seed, int n, Draw draw) {
  ChaCha20Stream source(simulation_key(seed));
  std::string out;
  for (int i = 0; i < n; ++i) out += (i > 0 ? " " : "") + noiseaware::to_decimal(draw(source));
  return out;
}

std::string laplace_draws(std::uint64_t seed, int n, std::uint64_t num, std::uint64_t den) {
  return draws(seed, n, [&](auto& s) { return noiseaware::discrete_laplace(s, num, den); });
}

std::string gaussian_draws(std::uint64_t seed, int n, std::uint64_t scale) {
  return draws(seed, n, [&](auto& s) { return noiseaware::discrete_gaussian(s, scale); });
}

struct Fit {
  double chi2;
  double mean;
};

// Pearson's statistic of n draws on cells -end, ..., end with pooled ends, against
// probabilities proportional to weight(x), and the mean of the cells.
template <class Draw, class Weight>
Fit chi_square(std::uint64_t seed, int n, int end, Draw draw, Weight weight) {
  ChaCha20Stream source(simulation_key(seed));
  std::map<int, double> count, expected;
  double sum = 0.0, total = 0.0;
  const auto cell = [&](double x) { return static_cast<int>(std::fmax(-end, std::fmin(end, x))); };
  for (int i = 0; i < n; ++i) {
    const int x = cell(noiseaware::to_double(draw(source)));
    count[x] += 1.0;
    sum += x;
  }
  for (int x = -50 * end; x <= 50 * end; ++x) {
    expected[cell(x)] += weight(x);
    total += weight(x);
  }
  double chi2 = 0.0;
  for (const auto& each : expected) {
    const double mean = n * each.second / total;
    chi2 += (count[each.first] - mean) * (count[each.first] - mean) / mean;
  }
  return {chi2, sum / n};
}

// The point that a chi-square of df degrees of freedom passes with probability 1e-4,
// by the approximation of Wilson and Hilferty (1931).
double chi_square_limit(double df) {
  const double c = 2.0 / (9.0 * df);
  return df * std::pow(1.0 - c + 3.719 * std::sqrt(c), 3);
}

Fit laplace_fit(std::uint64_t seed, int n, int end, std::uint64_t num, std::uint64_t den) {
  const double rate = static_cast<double>(den) / static_cast<double>(num);
  return chi_square(
      seed, n, end, [&](auto& s) { return noiseaware::discrete_laplace(s, num, den); },
      [&](int x) { return std::exp(-std::abs(x) * rate); });
}

Fit gaussian_fit(std::uint64_t seed, int n, int end, std::uint64_t scale, double claimed) {
  return chi_square(
      seed, n, end, [&](auto& s) { return noiseaware::discrete_gaussian(s, scale); },
      [&](int x) { return std::exp(-0.5 * x * x / (claimed * claimed)); });
}

// Successes of a coin among n flips, in standard deviations from n * probability.
template <class Coin>
double coin_error(std::uint64_t seed, int n, double probability, Coin coin) {
  ChaCha20Stream source(simulation_key(seed));
  int successes = 0;
  for (int i = 0; i < n; ++i) successes += coin(source);
  return (successes - n * probability) / std::sqrt(n * probability * (1.0 - probability));
}

}  // namespace

// Independent implementation of the same algorithms on the same keystream.
TEST_CASE("the samplers give the published vectors") {
  const std::uint64_t two20 = 1u << 20, two40 = std::uint64_t{1} << 40;
  CHECK(laplace_draws(0, 12, 10, 3) == "0 0 3 1 -1 3 3 -1 0 6 0 17");
  CHECK(laplace_draws(0, 6, two20, 1) == "-664249 -446385 2108680 189729 -383979 773826");
  CHECK(laplace_draws(1, 12, 10, 3) == "6 -4 -3 -1 0 0 -12 4 7 -4 15 5");
  CHECK(laplace_draws(42, 12, 10, 3) == "8 -10 -7 -7 1 1 7 10 0 -10 0 -5");
  CHECK(gaussian_draws(0, 12, 5) == "-1 -1 1 3 4 2 0 -2 -5 -10 5 -2");
  CHECK(gaussian_draws(0, 5, two40) ==
        "-204334018236 1271693633568 914246153098 275994241836 -1970722742402");
  CHECK(gaussian_draws(1, 12, 5) == "-4 -7 -1 7 -11 -8 3 8 7 -1 -2 -14");
  CHECK(gaussian_draws(42, 5, two40) ==
        "491432406117 -902088319310 459040928192 -2563164623806 1949811685910");
}

TEST_CASE("the samplers give the published chi-squares and means") {
  const Fit laplace = laplace_fit(42, 100000, 12, 5, 2);
  CHECK(laplace.chi2 == Approx(23.0144989512).epsilon(1e-10));
  CHECK(laplace.mean == Approx(0.02208).epsilon(1e-10));
  const Fit gaussian = gaussian_fit(42, 100000, 9, 3, 3.0);
  CHECK(gaussian.chi2 == Approx(14.7100837158).epsilon(1e-10));
  CHECK(gaussian.mean == Approx(0.00042).epsilon(1e-10));
}

TEST_CASE("discrete Laplace noise has its distribution") {
  CHECK(laplace_fit(7, 100000, 7, 1, 1).chi2 < chi_square_limit(14));
  CHECK(laplace_fit(7, 100000, 4, 1, 2).chi2 < chi_square_limit(8));
  CHECK(laplace_fit(7, 100000, 20, 10, 3).chi2 < chi_square_limit(40));
  CHECK(laplace_fit(7, 100000, 50, 9, 1).chi2 < chi_square_limit(100));
}

TEST_CASE("discrete Gaussian noise has its distribution") {
  CHECK(gaussian_fit(7, 100000, 3, 1, 1.0).chi2 < chi_square_limit(6));
  CHECK(gaussian_fit(7, 100000, 6, 2, 2.0).chi2 < chi_square_limit(12));
  CHECK(gaussian_fit(7, 100000, 15, 5, 5.0).chi2 < chi_square_limit(30));
  CHECK(gaussian_fit(7, 100000, 120, 50, 50.0).chi2 < chi_square_limit(240));
}

TEST_CASE("the chi-square sees a scale that is wrong by three percent") {
  CHECK(gaussian_fit(7, 100000, 15, 5, 5.15).chi2 > chi_square_limit(30));
}

TEST_CASE("noise of the largest scale keeps its moments and its low bits") {
  const std::uint64_t scale = noiseaware::max_noise_scale;
  ChaCha20Stream source(simulation_key(3));
  double absolute = 0.0, square = 0.0;
  int odd = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const i128 x = noiseaware::discrete_laplace(source, scale);
    const i128 y = noiseaware::discrete_gaussian(source, scale);
    absolute += std::fabs(noiseaware::to_double(x) * 0x1p-62);
    square += std::pow(noiseaware::to_double(y) * 0x1p-62, 2);
    odd += static_cast<int>(x & 1) + static_cast<int>(y & 1);
  }
  // |x| / scale is exponential with sd 1; (y / scale)^2 has sd sqrt(2).
  CHECK(std::fabs(absolute / n - 1.0) < 4.5 / std::sqrt(n));
  CHECK(std::fabs(square / n - 1.0) < 4.5 * std::sqrt(2.0 / n));
  CHECK(std::fabs(odd - n) < 4.5 * std::sqrt(n / 2.0));
}

TEST_CASE("below() is uniform and uses no word for a single outcome") {
  Repeating none{{0}};
  CHECK(noiseaware::below(none, 1) == 0);
  CHECK(none.at == 0);
  for (const std::uint64_t n : {2, 3, 5, 8, 1000}) {
    ChaCha20Stream source(simulation_key(n));
    std::vector<double> count(n, 0.0);
    for (int i = 0; i < 100000; ++i) count[noiseaware::below(source, n)] += 1.0;
    double chi2 = 0.0;
    const double mean = 1e5 / static_cast<double>(n);
    for (const double c : count) chi2 += (c - mean) * (c - mean) / mean;
    CHECK(chi2 < chi_square_limit(static_cast<double>(n - 1)));
  }
}

TEST_CASE("below() takes the top bits that are needed and rejects the rest") {
  Repeating source{{ones, std::uint64_t{5} << 61, std::uint64_t{4} << 61}};
  CHECK(noiseaware::below(source, 5) == 4);
  CHECK(source.at == 3);
  Repeating wide{{ones, ones - 1}};
  CHECK(noiseaware::below(wide, ones) == ones - 1);
}

TEST_CASE("coins have their probability") {
  const int n = 200000;
  CHECK(std::fabs(coin_error(1, n, 0.3, [](auto& s) { return noiseaware::bern(s, 3, 10); })) < 4.5);
  for (const std::uint64_t a : {1, 2, 5, 7}) {
    const double x = static_cast<double>(a) / 7.0;
    CHECK(std::fabs(coin_error(a, n, std::exp(-x),
                               [&](auto& s) { return noiseaware::bern_exp(s, a, 7); })) < 4.5);
    CHECK(std::fabs(coin_error(a, n, std::exp(-x * x / 2), [&](auto& s) {
            return noiseaware::bern_exp_halfsq(s, a, 7);
          })) < 4.5);
  }
  ChaCha20Stream source(simulation_key(0));
  CHECK(noiseaware::bern_exp(source, 0, 7));
  CHECK(noiseaware::bern_exp_halfsq(source, 0, 7));
  CHECK_FALSE(noiseaware::bern(source, 0, 7));
  CHECK(noiseaware::bern(source, 7, 7));
}

TEST_CASE("bad parameters are refused on entry") {
  ChaCha20Stream source(simulation_key(0));
  const std::uint64_t too_large = noiseaware::max_noise_scale + 1;
  CHECK_THROWS_AS(noiseaware::below(source, 0), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::bern(source, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::bern(source, 3, 2), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::bern_exp(source, 3, 2), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::bern_exp_halfsq(source, 3, 2), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::discrete_laplace(source, 0), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::discrete_laplace(source, 1, 0), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::discrete_laplace(source, too_large), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::discrete_gaussian(source, 0), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::discrete_gaussian(source, too_large), std::invalid_argument);
}

TEST_CASE("a source that repeats itself is an error, not an endless loop") {
  Repeating zeros{{0}}, all_ones{{ones}};
  CHECK_THROWS_AS(noiseaware::below(all_ones, 5), std::runtime_error);
  CHECK_THROWS_AS(noiseaware::bern_exp(zeros, 1, 2), std::runtime_error);
  CHECK_THROWS_AS(noiseaware::bern_exp_halfsq(zeros, 1, 2), std::runtime_error);
  CHECK_THROWS_AS(noiseaware::detail::successes(all_ones, 1, 2), std::runtime_error);
  // Always minus zero.
  CHECK_THROWS_AS(noiseaware::discrete_laplace(all_ones, 2, 2), std::runtime_error);
  Repeating minus_zero{{0, ones, ones}};
  CHECK_THROWS_AS(noiseaware::discrete_gaussian(minus_zero, 1), std::runtime_error);
}
