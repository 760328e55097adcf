#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/xoshiro256pp.hpp>
#include <stdexcept>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;
using namespace oracles;

namespace {

using Rng = Xoshiro256pp;
constexpr int kDraws = 20000;
constexpr std::int64_t kLargest = std::int64_t{1} << 53;

//! P(X = k) from the C library's log-gamma: good to about 1e-10 for n <= 1e6.
double binomial_pmf(double k, double n, double p) {
  return std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                  k * std::log(p) + (n - k) * std::log1p(-p));
}

double poisson_pmf(double k, double mean) {
  return std::exp(k * std::log(mean) - mean - std::lgamma(k + 1.0));
}

//! Tests counts lowest, ..., highest against a mass function.
template <class Draw, class Pmf>
double fit_p_value(std::int64_t lowest, std::int64_t highest, Draw draw, Pmf pmf) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(highest - lowest + 1), 0);
  std::vector<double> masses;
  for (std::int64_t k = lowest; k <= highest; ++k) masses.push_back(pmf(static_cast<double>(k)));
  for (int i = 0; i < kDraws; ++i) {
    const std::int64_t k = draw();
    if (k >= lowest && k <= highest) ++counts[static_cast<std::size_t>(k - lowest)];
  }
  return chi_square_p_value(counts, masses, kDraws);
}

//! Mean plus or minus seven standard deviations, inside the support.
struct Window {
  std::int64_t lowest, highest;
  Window(double mean, double sd, double largest)
      : lowest(static_cast<std::int64_t>(std::max(0.0, std::floor(mean - 7.0 * sd - 5.0)))),
        highest(static_cast<std::int64_t>(std::min(largest, std::ceil(mean + 7.0 * sd + 5.0)))) {}
};

}  // namespace

TEST_CASE("discrete draws are pinned on every platform") {
  // From an independent implementation in Python with math.lgamma, seed 42.
  Rng a(42), b(42), c(42), d(42);
  for (const std::int64_t pin : {8, 5, 11, 7, 8}) CHECK(binomial(a, 20, 0.3) == pin);
  for (const std::int64_t pin : {416, 414, 379, 403, 408}) CHECK(binomial(b, 1000, 0.4) == pin);
  for (const std::int64_t pin : {5, 2, 8, 4, 5}) CHECK(poisson(c, 3.3) == pin);
  for (const std::int64_t pin : {57, 57, 40, 51, 54}) CHECK(poisson(d, 50.0) == pin);
}

TEST_CASE("binomial follows its mass function, inversion and rejection") {
  struct Case {
    std::int64_t n;
    double p;
  };
  // n p just below and above 10 is where the algorithm changes.
  for (const Case& c :
       {Case{1, 0.3}, Case{10, 0.5}, Case{20, 0.2}, Case{20, 0.499}, Case{20, 0.5}, Case{40, 0.25},
        Case{39, 0.25}, Case{100, 0.3}, Case{100, 0.97}, Case{1000, 0.02}, Case{1000, 0.5},
        Case{1000, 0.75}, Case{100000, 0.0011}, Case{1000000, 1e-6}, Case{1000000, 1e-5}}) {
    INFO("n = " << c.n << ", p = " << c.p);
    Rng rng(21);
    const double n = static_cast<double>(c.n);
    const Window w(n * c.p, std::sqrt(n * c.p * (1.0 - c.p)), n);
    CHECK(fit_p_value(
              w.lowest, w.highest, [&] { return binomial(rng, c.n, c.p); },
              [&](double k) { return binomial_pmf(k, n, c.p); }) > kRejects);
  }
}

TEST_CASE("the hats dominate and the squeezes stay below, so rejection is exact") {
  // Scan of the whole range of the uniform; n p and the mean from 10 up.
  const auto check = [](const detail::Hat& hat, double largest, auto log_ratio) {
    double above_hat = -kInf, above_ratio = -kInf;
    for (int i = 1; i < 4000; ++i) {
      const double u = i / 4000.0 - 0.5, edge = 0.5 - std::abs(u);
      const double k = std::floor((2.0 * hat.a / edge + hat.b) * u + hat.centre);
      if (k < 0.0 || k > largest) continue;
      const double ratio = log_ratio(k);
      above_hat = std::max(above_hat, ratio - hat.log_height({k, edge, 1.0}));
      if (edge >= 0.07)
        above_ratio = std::max(above_ratio, hat.log_height({k, edge, hat.squeeze}) - ratio);
    }
    CHECK(above_hat <= 0.0);
    CHECK(above_ratio <= 0.0);
  };
  for (double mean = 10.0; mean < 1e6; mean *= mean < 100.0 ? 1.03 : 2.0) {
    INFO("mean = " << mean);
    check(detail::poisson_hat(mean), 1e9, [&](double k) { return log_poisson_pmf(k, mean); });
    for (const double p : {1e-6, 0.01, 0.1, 0.3, 0.4, 0.5}) {
      const double n = std::ceil(mean / p);
      INFO("p = " << p);
      const double mode = log_binomial_pmf(std::floor((n + 1.0) * p), n, p);
      check(detail::binomial_hat(n, p), n,
            [&](double k) { return log_binomial_pmf(k, n, p) - mode; });
    }
  }
}

TEST_CASE("binomial of huge n is normal after scaling") {
  struct Case {
    std::int64_t n;
    double p;
  };
  for (const Case& c : {Case{1000000000, 0.3}, Case{1000000000000, 0.01}, Case{kLargest, 0.5},
                        Case{kLargest, 1e-7}, Case{kLargest, 0.9}}) {
    INFO("n = " << c.n << ", p = " << c.p);
    Rng rng(22);
    const double n = static_cast<double>(c.n);
    const double sd = std::sqrt(n * c.p * (1.0 - c.p));
    const auto scaled = draw_many(
        kDraws, [&] { return (static_cast<double>(binomial(rng, c.n, c.p)) - n * c.p) / sd; });
    CHECK(ks_p_value(scaled, phi_cdf) > kRejects);
    CHECK(Moments(scaled).z_mean(0.0) < kMaxZ);
    CHECK(Moments(scaled).z_variance(1.0) < kMaxZ);
  }
}

TEST_CASE("binomial of huge n and tiny p is Poisson") {
  Rng rng(23);
  const double mean = 0x1p53 * 1e-16;
  CHECK(fit_p_value(
            0, 12, [&] { return binomial(rng, kLargest, 1e-16); },
            [&](double k) { return poisson_pmf(k, mean); }) > kRejects);
}

TEST_CASE("binomial at the ends") {
  Rng rng(24);
  CHECK(binomial(rng, 0, 0.5) == 0);
  CHECK(binomial(rng, 10, 0.0) == 0);
  CHECK(binomial(rng, 10, 1.0) == 10);
  CHECK(binomial(rng, kLargest, 1.0) == kLargest);
  CHECK(binomial(rng, kLargest, 1e-300) == 0);
  CHECK(binomial(rng, kLargest, 1.0 - 0x1p-53) >= kLargest - 20);
}

TEST_CASE("rejection and inversion survive extreme bits") {
  // The smallest uniform proposes a count far below 0; the next pair is used.
  const std::uint64_t half = std::uint64_t{1} << 63, ones = ~std::uint64_t{0};
  FixedBits low{{0, half, half, half}};
  CHECK(binomial(low, 100, 0.5) == 50);
  FixedBits low_poisson{{0, half, half, half}};
  CHECK(poisson(low_poisson, 100.0) == 100);
  // The largest uniform: the cumulated mass may round below it.
  FixedBits high{{ones, half}};
  const std::int64_t from_top = binomial(high, 20, 0.4);
  CHECK((from_top >= 0 && from_top <= 20));
  FixedBits high_poisson{{ones, half}};
  CHECK(poisson(high_poisson, 3.0) >= 0);
}

TEST_CASE("poisson follows its mass function") {
  for (const double mean : {1e-3, 0.5, 3.3, 9.99, 10.0, 12.5, 50.0, 1000.0}) {
    INFO("mean = " << mean);
    Rng rng(25);
    const Window w(mean, std::sqrt(mean), 1e9);
    CHECK(fit_p_value(
              w.lowest, w.highest, [&] { return poisson(rng, mean); },
              [&](double k) { return poisson_pmf(k, mean); }) > kRejects);
  }
  for (const double mean : {1e10, 0x1p53}) {
    Rng rng(26);
    const auto scaled = draw_many(
        kDraws, [&] { return (static_cast<double>(poisson(rng, mean)) - mean) / std::sqrt(mean); });
    CHECK(ks_p_value(scaled, phi_cdf) > kRejects);
  }
  Rng rng(27);
  CHECK(poisson(rng, 0.0) == 0);
}

TEST_CASE("multinomial agrees with enumeration") {
  // n = 4 over weights proportional to (1, 2, 0, 5): 15 outcomes.
  const std::vector<double> weights{1.0, 2.0, 0.0, 5.0};
  std::vector<double> masses;
  for (int a = 0; a <= 4; ++a)
    for (int b = 0; a + b <= 4; ++b) {
      const int c = 4 - a - b;
      const double ways =
          std::tgamma(5.0) / (std::tgamma(a + 1.0) * std::tgamma(b + 1.0) * std::tgamma(c + 1.0));
      masses.push_back(ways * std::pow(0.125, a) * std::pow(0.25, b) * std::pow(0.625, c));
    }
  std::vector<std::int64_t> counts(masses.size(), 0);
  Rng rng(28);
  for (int i = 0; i < kDraws; ++i) {
    const auto x = multinomial(rng, 4, weights);
    REQUIRE(x[0] + x[1] + x[2] + x[3] == 4);
    REQUIRE(x[2] == 0);
    std::int64_t index = x[1];
    for (std::int64_t a = 0; a < x[0]; ++a) index += 5 - a;
    ++counts[static_cast<std::size_t>(index)];
  }
  CHECK(chi_square_p_value(counts, masses, kDraws) > kRejects);
}

TEST_CASE("multinomial margins for large n, from an Eigen vector") {
  Eigen::VectorXd weights(3);
  weights << 0.2, 0.5, 0.3;
  std::vector<double> first, last, product;
  Rng rng(29);
  for (int i = 0; i < kDraws; ++i) {
    const auto x = multinomial(rng, 1000000, weights);
    first.push_back(static_cast<double>(x[0]) - 2e5);
    last.push_back(static_cast<double>(x[2]) - 3e5);
    product.push_back(first.back() * last.back());
  }
  CHECK(Moments(first).z_mean(0.0) < kMaxZ);
  CHECK(Moments(first).z_variance(1e6 * 0.2 * 0.8) < kMaxZ);
  CHECK(Moments(last).z_mean(0.0) < kMaxZ);
  CHECK(Moments(last).z_variance(1e6 * 0.3 * 0.7) < kMaxZ);
  CHECK(Moments(product).z_mean(-1e6 * 0.2 * 0.3) < kMaxZ);
}

TEST_CASE("multinomial gives every trial to a category with weight") {
  Rng rng(30);
  const std::vector<std::int64_t> all_first{kLargest, 0, 0};
  CHECK(multinomial(rng, kLargest, std::vector<double>{3.0, 0.0, 0.0}) == all_first);
  const std::vector<std::int64_t> nobody(2, 0);
  CHECK(multinomial(rng, 0, std::vector<double>(2, 1.0)) == nobody);
  // Weights of very different size: subtraction from the total would lose the last.
  const auto x = multinomial(rng, 1000, std::vector<double>{1e300, 1e-300, 1e-300});
  CHECK(x[0] == 1000);
}

TEST_CASE("categorical draws in proportion to the weights") {
  const std::vector<double> weights{0.0, 1.0, 3.0, 0.0, 4.0, 0.0};
  const std::vector<double> cumulative{0.0, 1.0, 4.0, 4.0, 8.0, 8.0};
  const Categorical table(weights);
  CHECK(table.size() == 6);
  std::vector<std::int64_t> counts(6, 0);
  Rng one(31), two(31);
  for (int i = 0; i < kDraws; ++i) {
    const std::size_t k = categorical(one, cumulative);
    REQUIRE(table(two) == k);
    ++counts[k];
  }
  CHECK(chi_square_p_value(counts, {0.0, 0.125, 0.375, 0.0, 0.5, 0.0}, kDraws) > kRejects);
}

TEST_CASE("categorical never returns a category without weight") {
  FixedBits zeros{{0}}, ones{{~std::uint64_t{0}}};
  const std::vector<double> cumulative{0.0, 1.0, 1.0};
  CHECK(categorical(zeros, cumulative) == 1);
  CHECK(categorical(ones, cumulative) == 1);
  // The smallest total there is: u * total rounds up to the total itself.
  const std::vector<double> smallest{0.0, 5e-324, 5e-324};
  CHECK(categorical(ones, smallest) == 1);
}

TEST_CASE("log weights may be on any scale") {
  Eigen::VectorXd logs(4);
  logs << -1e5 + std::log(1.0), -kInf, -1e5 + std::log(2.0), -1e5 + std::log(5.0);
  const Categorical table = Categorical::from_log(logs);
  std::vector<std::int64_t> counts(4, 0);
  Rng rng(32);
  for (int i = 0; i < kDraws; ++i) ++counts[table(rng)];
  CHECK(chi_square_p_value(counts, {0.125, 0.0, 0.25, 0.625}, kDraws) > kRejects);
}

TEST_CASE("discrete samplers refuse bad parameters at once") {
  using Vector = std::vector<double>;
  Rng rng(33);
  for (const double bad : not_probability())
    CHECK_THROWS_AS(binomial(rng, 5, bad), std::invalid_argument);
  for (const std::int64_t bad : {std::int64_t{-1}, kLargest + 1}) {
    CHECK_THROWS_AS(binomial(rng, bad, 0.5), std::invalid_argument);
    CHECK_THROWS_AS(multinomial(rng, bad, Vector{1.0}), std::invalid_argument);
  }
  for (const double bad : {kNaN, kInf, -kInf, -1.0}) {
    INFO("bad = " << bad);
    CHECK_THROWS_AS(poisson(rng, bad), std::invalid_argument);
    CHECK_THROWS_AS(multinomial(rng, 5, Vector{1.0, bad}), std::invalid_argument);
    CHECK_THROWS_AS(Categorical(Vector{1.0, bad}), std::invalid_argument);
    CHECK_THROWS_AS(categorical(rng, Vector{bad}), std::invalid_argument);
    CHECK_THROWS_AS(categorical(rng, Vector{bad, 2.0}), std::invalid_argument);
  }
  CHECK_THROWS_AS(poisson(rng, 0x1p54), std::invalid_argument);
  for (const Vector& none : {Vector{}, Vector{0.0, 0.0}, Vector{1e308, 1e308}}) {
    CHECK_THROWS_AS(multinomial(rng, 5, none), std::invalid_argument);
    CHECK_THROWS_AS(Categorical(none), std::invalid_argument);
  }
  CHECK_THROWS_AS(categorical(rng, Vector{}), std::invalid_argument);
  CHECK_THROWS_AS(categorical(rng, Vector{0.0}), std::invalid_argument);
  CHECK_THROWS_AS(categorical(rng, Vector{1.0, 0.5}), std::invalid_argument);
  for (const Vector& none : {Vector{}, Vector{-kInf, -kInf}, Vector{0.0, kInf}, Vector{0.0, kNaN}})
    CHECK_THROWS_AS(Categorical::from_log(none), std::invalid_argument);
  CHECK(rng == Rng(33));
}
