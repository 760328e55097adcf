#include <catch.h>

#include <cmath>
#include <noiseaware/noise/discrete_gaussian_delta.hpp>
#include <noiseaware/noise/fine_grid.hpp>
#include <stdexcept>
#include <vector>

using noiseaware::analytic_gaussian_mu;
using noiseaware::ApproximateBudget;
using noiseaware::discrete_gaussian_delta;
using noiseaware::fine_grid_budget;
using noiseaware::fine_grid_guarantee;
using noiseaware::gdp_delta;

namespace {

// P(round(s Z) = k) / P(discrete Gaussian = k)
double rounding_ratio(double s, int k) {
  const double from = (k - 0.5) / s, to = (k + 0.5) / s;  // k >= 0: the upper tail
  const double rounded = noiseaware::normal_cdf(-from) - noiseaware::normal_cdf(-to);
  return rounded * noiseaware::detail::theta_sum(s * s) * std::exp(0.5 * k * k / (s * s));
}

// delta of three discrete Gaussians of scale s, all shifted by 1: the loss depends
// on their sum, whose distribution is a convolution.
double delta_of_three(double s, double epsilon) {
  const int end = static_cast<int>(15 * s);
  std::vector<double> one(2 * end + 1), sum(1, 1.0);
  for (int x = -end; x <= end; ++x)
    one[x + end] = std::exp(-0.5 * x * x / (s * s)) / noiseaware::detail::theta_sum(s * s);
  for (int fold = 0; fold < 3; ++fold) {
    std::vector<double> next(sum.size() + one.size() - 1, 0.0);
    for (std::size_t i = 0; i < sum.size(); ++i)
      for (std::size_t j = 0; j < one.size(); ++j) next[i + j] += sum[i] * one[j];
    sum = next;
  }
  double delta = 0.0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double total = static_cast<double>(i) - 3.0 * end;
    const double loss = (2.0 * total + 3.0) / (2.0 * s * s);
    if (loss > epsilon) delta += sum[i] * -std::expm1(epsilon - loss);
  }
  return delta;
}

}  // namespace

TEST_CASE("the analytic formula is wrong on a coarse grid") {
  CHECK(discrete_gaussian_delta(1, 1, 1) == Approx(0.141351339406).epsilon(1e-11));
  CHECK(gdp_delta(1, 1) == Approx(0.126936737507).epsilon(1e-11));
  CHECK(discrete_gaussian_delta(4, 1, 0.5) == Approx(0.0540072236942).epsilon(1e-11));
  CHECK(gdp_delta(0.5, 0.5) == Approx(0.0524403232877).epsilon(1e-11));
  CHECK(delta_of_three(2, 2) == Approx(0.007967957).epsilon(1e-7));
  CHECK(gdp_delta(2, std::sqrt(3.0) / 2) == Approx(0.007768258).epsilon(1e-7));
}

TEST_CASE("the analytic formula is right on a fine grid") {
  const auto difference = [](double s) {
    return discrete_gaussian_delta(s * s, s, 1) / gdp_delta(1, 1) - 1.0;
  };
  CHECK(difference(64) == Approx(-5.6e-5).epsilon(0.01));
  CHECK(difference(1024) == Approx(-2.2e-7).epsilon(0.02));
  CHECK(difference(65536) == Approx(-5e-11).epsilon(0.1));
}

TEST_CASE("the two bounds of the proof hold, and not by much") {
  const double pi = 3.14159265358979323846;
  for (const double s : {1.0, 2.0, 5.0, 20.0})
    for (int k = 0; k <= 8 * s; ++k) {
      const double r = rounding_ratio(s, k);
      const double theta = 1.0 + 3.0 * std::exp(-2.0 * pi * pi * s * s);
      // Rounding of a difference of tails, relative to the cell.
      const double slack = 1e-13 * s * s;
      CHECK(r >= (1.0 - 1.0 / (24.0 * s * s)) * (1.0 - slack));
      CHECK(r <= theta * std::exp(k * k / (24.0 * s * s * s * s)) * (1.0 + slack));
    }
  CHECK(rounding_ratio(20, 0) - 1.0 == Approx(-1.0 / (24 * 400)).epsilon(1e-3));
  // The largest coarse-grid term of the proof, at its worst point s = 1.
  CHECK(1.0 / 23.0 + std::log1p(3.0 * std::exp(-2.0 * pi * pi)) <= 1.05 / 24.0);
}

TEST_CASE("the guarantee holds for the exact delta of one coordinate") {
  for (const double s : {2.0, 8.0, 64.0, 1024.0})
    for (const double epsilon : {0.1, 1.0, 4.0})
      for (const double reach : {4.0, 6.0, 9.0}) {
        const double shift = std::ceil(s / 2);
        const ApproximateBudget continuous{epsilon, gdp_delta(epsilon, shift / s)};
        const ApproximateBudget discrete = fine_grid_guarantee(continuous, 1, s, reach);
        CHECK(discrete_gaussian_delta(s * s, shift, discrete.epsilon) <= discrete.delta);
      }
}

TEST_CASE("the guarantee has the published size") {
  // K = 12, s = 2^20, d = 100: epsilon + 5.5e-10, delta (1 + 4e-12) + e^epsilon 3.6e-31.
  const ApproximateBudget out = fine_grid_guarantee({1, 1e-6}, 100, 0x1p20, 12);
  CHECK(out.epsilon - 1.0 == Approx(5.5e-10).epsilon(0.01));
  const auto slack = noiseaware::detail::grid_slack(100, 0x1p20, 12);
  CHECK(slack.log_delta == Approx(4e-12).epsilon(0.02));
  CHECK(slack.tail == Approx(3.6e-31).epsilon(0.02));
}

TEST_CASE("a budget calibrated for a fine grid is kept by the discrete Gaussian") {
  for (const double s : {256.0, 1024.0, 4096.0})
    for (const double epsilon : {0.5, 1.0, 3.0})
      for (const double delta : {1e-3, 1e-6, 1e-9}) {
        const ApproximateBudget budget = fine_grid_budget(epsilon, delta, 1, s);
        const double shift = std::floor(s * analytic_gaussian_mu(budget.epsilon, budget.delta));
        if (shift < 1.0) continue;
        CHECK(discrete_gaussian_delta(s * s, shift, epsilon) <= delta);
        const ApproximateBudget back = fine_grid_guarantee(budget, 1, s, 12);
        CHECK(back.epsilon <= epsilon);
        CHECK(back.delta <= delta);
      }
}

TEST_CASE("the slack of a fine grid is the least one, and grows with the dimension") {
  const ApproximateBudget fine = fine_grid_budget(1, 1e-6, 100, 0x1p20);
  CHECK(fine.epsilon == Approx(1.0 - 1e-9).epsilon(1e-15));
  CHECK(fine.delta == Approx(1e-6 * (1.0 - 1e-9)).epsilon(1e-15));
  const ApproximateBudget wide = fine_grid_budget(1, 1e-6, 10000, 0x1p16);
  CHECK(1.0 - wide.epsilon == Approx(10000.0 * 145.05 / (24.0 * 0x1p32)).epsilon(1e-6));
}

// At K = 12 the tail is 3.6e-31 e^epsilon for d = 100: for epsilon = 30 and delta =
// 1e-15 that is 0.4% of delta, where a slack of 1e-9 was kept for it.
TEST_CASE("a fixed reach of 12 would not do for large epsilon and tiny delta") {
  const double epsilon = 30, delta = 1e-15;
  const ApproximateBudget naive{epsilon - 1e-9, delta * (1.0 - 1e-9)};
  CHECK(fine_grid_guarantee(naive, 100, 0x1p30, 12).delta > delta);
  const ApproximateBudget ours = fine_grid_budget(epsilon, delta, 100, 0x1p30);
  CHECK(ours.delta > delta * (1.0 - 2e-9));
  CHECK(fine_grid_guarantee(ours, 100, 0x1p30, 14).delta <= delta);
  CHECK(fine_grid_guarantee(ours, 100, 0x1p30, 14).epsilon <= epsilon);
}

TEST_CASE("a grid that is too coarse is refused") {
  CHECK_THROWS_AS(fine_grid_budget(1, 1e-6, 1, 2), std::domain_error);
  CHECK_THROWS_AS(fine_grid_budget(1e-10, 1e-6, 1, 0x1p40), std::domain_error);
  CHECK_THROWS_AS(fine_grid_budget(800, 1e-6, 1, 0x1p40), std::domain_error);
}

// mpmath, 60 digits; epsilon and delta are the doubles, not the decimals.
TEST_CASE("the analytic mu is never above the exact one, and close to it") {
  struct Case {
    double epsilon, delta, mu, loss;
  };
  for (const Case& c : {Case{1, 1e-5, 0.268051123211294219223674, 1e-12},
                        Case{0.5, 1e-6, 0.1241061490305281303445262, 1e-12},
                        Case{0.1, 1e-5, 0.03252078405620391188455583, 1e-12},
                        Case{2, 1e-9, 0.3515498158977806954979766, 1e-12},
                        Case{5, 1e-5, 1.121241823818408891723545, 1e-12},
                        Case{10, 1e-10, 1.464034598034828523825488, 1e-12},
                        Case{0.01, 1e-8, 0.002425083460354799502372466, 1e-11},
                        Case{1e-6, 1e-12, 0.0000002425697605965828071077999, 1e-7},
                        Case{50, 1e-15, 4.874655282814826475730581, 1e-12},
                        Case{0, 1e-3, 0.002506628930865109076620615, 1e-11},
                        Case{0.001, 0.5, 1.34976595056514626985231, 1e-12}}) {
    const double mu = analytic_gaussian_mu(c.epsilon, c.delta);
    CHECK(mu <= c.mu);
    CHECK(mu >= c.mu * (1.0 - c.loss));
  }
}

TEST_CASE("bad arguments of the fine grid are refused") {
  CHECK_THROWS_AS(fine_grid_budget(0, 1e-6, 1, 1024), std::invalid_argument);
  CHECK_THROWS_AS(fine_grid_budget(1, 0, 1, 1024), std::invalid_argument);
  CHECK_THROWS_AS(fine_grid_budget(1, 1e-6, 0, 1024), std::invalid_argument);
  CHECK_THROWS_AS(fine_grid_budget(1, 1e-6, 1, 0.5), std::invalid_argument);
  CHECK_THROWS_AS(fine_grid_guarantee({1, 1e-6}, 1, NAN, 12), std::invalid_argument);
  CHECK_THROWS_AS(fine_grid_guarantee({1, 1e-6}, 1, 1024, 0), std::invalid_argument);
  CHECK_THROWS_AS(analytic_gaussian_mu(-1, 1e-6), std::invalid_argument);
  CHECK_THROWS_AS(analytic_gaussian_mu(1, 1), std::invalid_argument);
  CHECK_THROWS_AS(analytic_gaussian_mu(NAN, 0.1), std::invalid_argument);
}
