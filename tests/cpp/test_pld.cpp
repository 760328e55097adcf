#include <catch.h>

#include <cmath>
#include <complex>
#include <noiseaware/math/bisect.hpp>
#include <noiseaware/math/fft.hpp>
#include <noiseaware/noise/accountant.hpp>
#include <noiseaware/noise/pld.hpp>
#include <stdexcept>
#include <vector>

using noiseaware::pld_epsilon;
using noiseaware::PldKind;
using noiseaware::PldStep;

namespace {

PldStep gaussian(double sigma, double rate, std::size_t count) {
  return {PldKind::subsampled_gaussian, count, 0.0, sigma, rate};
}

PldStep laplace(double epsilon, std::size_t count) {
  return {PldKind::laplace, count, epsilon, 0.0, 0.0};
}

PldStep pure(double epsilon, std::size_t count) {
  return {PldKind::pure, count, epsilon, 0.0, 0.0};
}

Approx seven(double x) { return Approx(x).epsilon(4e-7); }

// delta of k randomised responses: with i lies among k the loss is (k - 2 i) epsilon.
double response_delta(double epsilon0, int k, double epsilon) {
  const double log_true = -std::log1p(std::exp(-epsilon0)), log_lie = log_true - epsilon0;
  double delta = 0.0, log_choose = 0.0;
  for (int i = 0; (k - 2 * i) * epsilon0 > epsilon; ++i) {
    const double loss = (k - 2 * i) * epsilon0;
    delta += std::exp(log_choose + (k - i) * log_true + i * log_lie) * -std::expm1(epsilon - loss);
    log_choose += std::log(static_cast<double>(k - i)) - std::log(i + 1.0);
  }
  return delta;
}

double response_epsilon(double epsilon0, int k, double delta) {
  return noiseaware::bisect(0.0, k * epsilon0, [&](double epsilon) {
    return response_delta(epsilon0, k, epsilon) <= delta;
  });
}

}  // namespace

TEST_CASE("the Fourier transform of a few points is that of the definition") {
  noiseaware::Spectrum x;
  for (int k = 0; k < 8; ++k) x.push_back({std::sin(k + 1.0), std::cos(3.0 * k)});
  noiseaware::Spectrum y = x;
  noiseaware::fft(y);
  for (int j = 0; j < 8; ++j) {
    std::complex<double> sum = 0.0;
    for (int k = 0; k < 8; ++k)
      sum += x[k] * std::polar(1.0, 2.0 * 3.14159265358979323846 * j * k / 8.0);
    CHECK(std::abs(y[j] - sum) < 1e-14);
  }
  noiseaware::fft(y);
  for (int j = 0; j < 8; ++j) CHECK(std::abs(y[(8 - j) % 8] / 8.0 - x[j]) < 1e-15);
}

TEST_CASE("the Fourier transform needs a power of two") {
  noiseaware::Spectrum none, three(3), one(1, 5.0);
  CHECK_THROWS_AS(noiseaware::fft(none), std::invalid_argument);
  CHECK_THROWS_AS(noiseaware::fft(three), std::invalid_argument);
  noiseaware::fft(one);
  CHECK(one[0] == 5.0);
  CHECK(std::abs(noiseaware::power({0.0, 1.0}, 7) - std::complex<double>(0.0, -1.0)) < 1e-15);
  CHECK(noiseaware::power({3.0, 4.0}, 0) == 1.0);
}

// Google's dp_accounting with the same grid of 1e-4.
TEST_CASE("the subsampled Gaussian agrees with another accountant") {
  CHECK(pld_epsilon({gaussian(1, 0.01, 1000)}, 1e-5) == seven(1.828243646));
  CHECK(pld_epsilon({gaussian(0.8, 0.02, 500)}, 1e-6) == seven(5.440307830));
  CHECK(pld_epsilon({gaussian(2, 0.05, 2000)}, 1e-5) == seven(5.471745608));
  CHECK(pld_epsilon({gaussian(1.1, 256.0 / 60000.0, 14063)}, 1e-5) == seven(2.381778808));
  CHECK(pld_epsilon({gaussian(5, 0.1, 100)}, 1e-8) == seven(1.081031068));
}

TEST_CASE("without sampling the Gaussian is exact up to the grid, from above") {
  const double exact = noiseaware::gdp_epsilon(1e-5, 1);
  CHECK(exact == Approx(4.3771780957).epsilon(1e-11));
  const double fine = pld_epsilon({gaussian(10, 1, 100)}, 1e-5);
  CHECK(fine >= exact);
  CHECK(fine == Approx(exact).epsilon(2e-7));
  // The error of the grid is of second order.
  const double coarse = pld_epsilon({gaussian(10, 1, 100)}, 1e-5, 1e-3);
  CHECK((coarse - exact) / (fine - exact) == Approx(100).epsilon(0.05));
  for (const double delta : {1e-10, 1e-8, 1e-3})
    CHECK(pld_epsilon({gaussian(1, 1, 1)}, delta) >= noiseaware::gdp_epsilon(delta, 1));
}

TEST_CASE("repeated Laplace noise agrees with another accountant") {
  CHECK(pld_epsilon({laplace(0.1, 10)}, 1e-6) == seven(0.998978094));
  CHECK(pld_epsilon({laplace(0.1, 100)}, 1e-6) == seven(4.692667440));
  CHECK(pld_epsilon({laplace(0.3, 30)}, 1e-5) == seven(6.896949024));
}

TEST_CASE("one Laplace release is its closed form") {
  // delta = 1 - exp((epsilon - epsilon0) / 2) for epsilon < epsilon0.
  CHECK(pld_epsilon({laplace(1, 1)}, 0.1) == Approx(1.0 + 2.0 * std::log1p(-0.1)).epsilon(1e-7));
  CHECK(pld_epsilon({laplace(1, 1)}, 1e-6) == Approx(1.0 + 2.0 * std::log1p(-1e-6)).epsilon(1e-7));
}

TEST_CASE("repeated pure mechanisms are the binomial sum") {
  CHECK(pld_epsilon({pure(0.1, 10)}, 1e-6) == seven(0.999370906));
  CHECK(pld_epsilon({pure(0.1, 100)}, 1e-6) == seven(4.774567588));
  CHECK(pld_epsilon({pure(0.3, 30)}, 1e-5) == seven(7.175734746));
  for (const int k : {1, 10, 100, 5000})
    for (const double delta : {1e-3, 1e-6, 1e-9}) {
      const double exact = response_epsilon(0.01, k, delta);
      const double ours = pld_epsilon({pure(0.01, static_cast<std::size_t>(k))}, delta);
      CHECK(ours >= exact * (1.0 - 1e-10));
      CHECK(ours == Approx(exact).epsilon(1e-3));
    }
}

TEST_CASE("an epsilon between two grid points is rounded up by less than a cell") {
  const double epsilon = 0.123456;
  const double ours = pld_epsilon({pure(epsilon, 1)}, 1e-9);
  CHECK(ours >= response_epsilon(epsilon, 1, 1e-9));
  CHECK(ours - epsilon < 1e-4);
}

TEST_CASE("different mechanisms compose") {
  CHECK(pld_epsilon({laplace(0.2, 3), gaussian(5, 1, 2)}, 1e-6) == seven(1.682804653));
  CHECK(pld_epsilon({laplace(0.1, 4), laplace(0.1, 6)}, 1e-6) == seven(0.998978094));
}

TEST_CASE("pure mechanisms never cost more than the sum of their epsilons") {
  CHECK(pld_epsilon({pure(0.5, 2)}, 1e-10) <= 1.0 + 1e-12);
  CHECK(pld_epsilon({gaussian(5, 0.1, 1)}, 0.5) == 0.0);
}

TEST_CASE("repeated rounding is charged to delta") {
  // A million steps lose more than 1e-10 to rounding: refused, not reported.
  CHECK_THROWS_AS(pld_epsilon({pure(0.001, 1000000)}, 1e-10), std::domain_error);
  // In the limit they are one Gaussian of mu = 0.001 sqrt(10^6).
  CHECK(pld_epsilon({pure(0.001, 1000000)}, 1e-6) ==
        Approx(noiseaware::gdp_epsilon(1e-6, 1)).epsilon(1e-3));
}

TEST_CASE("the larger loss of the two directions is reported") {
  const noiseaware::detail::SubsampledGaussian pair{1.0, 0.2};
  const auto cells = noiseaware::detail::loss_cells(pair, 1e-3);
  const auto one_way = [](const noiseaware::detail::LossCells& c) {
    return noiseaware::detail::loss_epsilon(
        noiseaware::detail::compose({{noiseaware::detail::loss_grid(c), 20}}), 1e-5);
  };
  const double remove = one_way(cells), add = one_way(noiseaware::detail::swapped(cells));
  CHECK(remove != Approx(add).epsilon(1e-3));
  CHECK(pld_epsilon({gaussian(1, 0.2, 20)}, 1e-5, 1e-3) == std::fmax(remove, add));
}

// N(0, s^2) against the mixture: the loss is above epsilon to the left of a point a, so
// delta = F0(a) - e^epsilon ((1 - q) F0(a) + q F1(a)).
TEST_CASE("one step in the direction of adding a record is its closed form") {
  const double sigma = 1.0, rate = 0.3, epsilon = 0.2;
  const noiseaware::detail::SubsampledGaussian pair{sigma, rate};
  const double a = pair.position(-epsilon);
  const double f0 = std::erfc(-a / std::sqrt(2.0)) / 2,
               f1 = std::erfc((1 - a) / std::sqrt(2.0)) / 2;
  const double delta = f0 - std::exp(epsilon) * ((1 - rate) * f0 + rate * f1);
  const auto grid = noiseaware::detail::loss_grid(
      noiseaware::detail::swapped(noiseaware::detail::loss_cells(pair, 1e-4)));
  CHECK(noiseaware::detail::loss_epsilon(grid, delta) == Approx(epsilon).epsilon(1e-6));
}

TEST_CASE("cells hold the whole of both distributions") {
  const auto total = [](const std::vector<double>& mass, double below, double above) {
    double sum = below + above;
    for (const double m : mass) sum += m;
    return sum;
  };
  const auto check = [&](const noiseaware::detail::LossCells& c) {
    CHECK(total(c.p, c.p_below, c.p_above) == Approx(1.0).epsilon(1e-12));
    CHECK(total(c.q, c.q_below, c.q_above) == Approx(1.0).epsilon(1e-12));
  };
  check(noiseaware::detail::loss_cells(noiseaware::detail::SubsampledGaussian{2.0, 0.1}, 1e-3));
  check(noiseaware::detail::loss_cells(noiseaware::detail::SubsampledGaussian{2.0, 1.0}, 1e-3));
  check(noiseaware::detail::loss_cells(noiseaware::detail::ScalarLaplace{0.7}, 1e-3));
  check(noiseaware::detail::loss_cells(noiseaware::detail::RandomisedResponse{0.7}, 1e-3));
}

TEST_CASE("a cell gives everything upwards when its second mass has underflowed") {
  CHECK(noiseaware::detail::upper_share(0.25, 0.0, 800.0, 1e-4) == 0.25);
  CHECK(noiseaware::detail::upper_share(0.25, 0.25, 0.0, 1e-4) == 0.0);
}

TEST_CASE("bad arguments of the PLD accountant are refused") {
  CHECK_THROWS_AS(pld_epsilon({}, 1e-5), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({pure(1, 1)}, 9e-11), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({pure(1, 1)}, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({pure(1, 1)}, NAN), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({pure(1, 1)}, 1e-5, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({pure(0, 1)}, 1e-5), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({pure(1, 0)}, 1e-5), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({laplace(-1, 1)}, 1e-5), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({gaussian(0, 0.1, 1)}, 1e-5), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({gaussian(1, 0, 1)}, 1e-5), std::invalid_argument);
  CHECK_THROWS_AS(pld_epsilon({gaussian(1, 1.5, 1)}, 1e-5), std::invalid_argument);
}

TEST_CASE("a loss that is spread too widely is refused") {
  CHECK_THROWS_AS(pld_epsilon({gaussian(0.001, 1, 1)}, 1e-5), std::domain_error);
  CHECK_THROWS_AS(pld_epsilon({pure(1, 100000)}, 1e-5), std::domain_error);
}
