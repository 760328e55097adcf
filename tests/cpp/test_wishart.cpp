#include <catch.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/rng/wishart.hpp>
#include <noiseaware/rng/xoshiro256pp.hpp>
#include <stdexcept>
#include <vector>

#include "oracles.hpp"

using namespace noiseaware;
using namespace oracles;

namespace {

using Rng = Xoshiro256pp;
using Eigen::MatrixXd;
constexpr int kDraws = 10000;

MatrixXd scale3() {
  MatrixXd s(3, 3);
  s << 2.0, 0.6, -0.3, 0.6, 1.0, 0.2, -0.3, 0.2, 0.5;
  return s;
}

MatrixXd lower_factor(const MatrixXd& s) { return s.llt().matrixL(); }

double chi_square_cdf(double df, double x) { return gamma_p(0.5 * df, 0.5 * x); }

//! Element (i, j) of many draws.
struct Sample {
  std::vector<MatrixXd> draws;
  template <class Draw>
  explicit Sample(Draw draw) {
    for (int i = 0; i < kDraws; ++i) draws.push_back(draw());
  }
  std::vector<double> at(Eigen::Index i, Eigen::Index j) const {
    return of([=](const MatrixXd& w) { return w(i, j); });
  }
  template <class Function>
  std::vector<double> of(Function f) const {
    std::vector<double> out;
    for (const MatrixXd& w : draws) out.push_back(f(w));
    return out;
  }
};

}  // namespace

TEST_CASE("wishart has mean df S and variance df (S_ij^2 + S_ii S_jj)") {
  const MatrixXd s = scale3(), factor = lower_factor(s);
  for (const double df : {2.5, 3.0, 11.0}) {
    INFO("df = " << df);
    Rng rng(41);
    const Sample sample([&] { return wishart(rng, df, factor); });
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j <= i; ++j) {
        const Moments m(sample.at(i, j));
        CHECK(m.z_mean(df * s(i, j)) < kMaxZ);
        CHECK(m.z_variance(df * (s(i, j) * s(i, j) + s(i, i) * s(j, j))) < kMaxZ);
      }
  }
}

TEST_CASE("wishart margins and trace are chi-square") {
  const MatrixXd s = scale3(), factor = lower_factor(s);
  const MatrixXd inverse = s.llt().solve(MatrixXd::Identity(3, 3));
  for (const double df : {2.2, 7.5}) {
    Rng rng(42);
    const Sample sample([&] { return wishart(rng, df, factor); });
    for (Eigen::Index i = 0; i < 3; ++i)
      CHECK(ks_p_value(sample.at(i, i), [&](double x) { return chi_square_cdf(df, x / s(i, i)); }) >
            kRejects);
    // S^-1/2 W S^-1/2 is Wishart(df, I), whose trace has 3 df degrees of freedom.
    const auto trace = sample.of([&](const MatrixXd& w) { return (inverse * w).trace(); });
    CHECK(ks_p_value(trace, [&](double x) { return chi_square_cdf(3.0 * df, x); }) > kRejects);
  }
}

TEST_CASE("inverse wishart has mean Psi / (df - p - 1) and inverse gamma margins") {
  const MatrixXd psi = scale3(), factor = lower_factor(psi);
  const double df = 13.0;
  Rng rng(43);
  const Sample sample([&] { return inverse_wishart(rng, df, factor); });
  for (Eigen::Index i = 0; i < 3; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j)
      CHECK(Moments(sample.at(i, j)).z_mean(psi(i, j) / (df - 4.0)) < kMaxZ);
    // Psi_ii / X_ii is chi-square with df - p + 1 degrees of freedom.
    CHECK(ks_p_value(sample.of([=](const MatrixXd& x) { return psi(i, i) / x(i, i); }),
                     [&](double q) { return chi_square_cdf(df - 2.0, q); }) > kRejects);
  }
}

TEST_CASE("the inverse of an inverse wishart is wishart") {
  const MatrixXd psi = scale3(), factor = lower_factor(psi);
  for (const double df : {2.3, 6.5}) {
    Rng rng(44);
    const Sample sample([&] { return inverse_wishart_factor(rng, df, factor); });
    // tr(Psi X^-1) with X = M M'.
    const auto trace = sample.of([&](const MatrixXd& m) {
      const MatrixXd ratio = m.triangularView<Eigen::Lower>().solve(factor);
      return ratio.squaredNorm();
    });
    CHECK(ks_p_value(trace, [&](double x) { return chi_square_cdf(3.0 * df, x); }) > kRejects);
  }
}

TEST_CASE("factors are the Cholesky factors of the draws") {
  const MatrixXd factor = lower_factor(scale3());
  for (int seed = 0; seed < 20; ++seed) {
    Rng a(static_cast<std::uint64_t>(seed)), b(a), c(a), d(a);
    const MatrixXd w = wishart(a, 5.0, factor), x = inverse_wishart(c, 5.0, factor);
    CHECK(w == w.transpose());
    CHECK(x == x.transpose());
    CHECK((wishart_factor(b, 5.0, factor) - lower_factor(w)).norm() < 1e-12 * w.norm());
    CHECK((inverse_wishart_factor(d, 5.0, factor) - lower_factor(x)).norm() < 1e-9 * x.norm());
    CHECK(a == b);
    CHECK(c == d);
  }
}

TEST_CASE("one dimension: wishart is a scaled chi-square, its inverse an inverse gamma") {
  MatrixXd factor(1, 1);
  factor << 3.0;
  Rng rng(45);
  const Sample w([&] { return wishart(rng, 0.7, factor); });
  CHECK(ks_p_value(w.at(0, 0), [](double x) { return chi_square_cdf(0.7, x / 9.0); }) > kRejects);
  const Sample x([&] { return inverse_wishart(rng, 4.4, factor); });
  CHECK(ks_p_value(x.at(0, 0), [](double v) { return 1.0 - chi_square_cdf(4.4, 9.0 / v); }) >
        kRejects);
}

TEST_CASE("only the lower triangle of the scale factor is read") {
  const MatrixXd factor = lower_factor(scale3());
  MatrixXd dirty = factor;
  dirty(0, 1) = dirty(0, 2) = dirty(1, 2) = kNaN;
  Rng a(46), b(46);
  CHECK(wishart(a, 4.0, factor) == wishart(b, 4.0, dirty));
  CHECK(inverse_wishart(a, 4.0, factor) == inverse_wishart(b, 4.0, dirty));
}

TEST_CASE("wishart refuses bad parameters at once") {
  const MatrixXd factor = lower_factor(scale3());
  Rng rng(47);
  for (const double bad : {kNaN, kInf, -kInf, -1.0, 0.0, 2.0}) {
    INFO("df = " << bad);
    CHECK_THROWS_AS(wishart(rng, bad, factor), std::invalid_argument);
    CHECK_THROWS_AS(wishart_factor(rng, bad, factor), std::invalid_argument);
    CHECK_THROWS_AS(inverse_wishart(rng, bad, factor), std::invalid_argument);
    CHECK_THROWS_AS(inverse_wishart_factor(rng, bad, factor), std::invalid_argument);
  }
  for (const double bad : not_positive()) {
    MatrixXd broken = factor;
    broken(1, 1) = bad;
    CHECK_THROWS_AS(wishart(rng, 5.0, broken), std::invalid_argument);
    CHECK_THROWS_AS(inverse_wishart(rng, 5.0, broken), std::invalid_argument);
  }
  for (const double bad : {kNaN, kInf}) {
    MatrixXd broken = factor;
    broken(2, 0) = bad;
    CHECK_THROWS_AS(wishart(rng, 5.0, broken), std::invalid_argument);
    CHECK_THROWS_AS(inverse_wishart(rng, 5.0, broken), std::invalid_argument);
  }
  CHECK_THROWS_AS(wishart(rng, 5.0, MatrixXd(0, 0)), std::invalid_argument);
  CHECK_THROWS_AS(wishart(rng, 5.0, MatrixXd::Ones(2, 3)), std::invalid_argument);
  CHECK(rng == Rng(47));
}

TEST_CASE("a draw that underflows is an error, not a singular matrix") {
  Rng rng(48);
  const MatrixXd one = MatrixXd::Ones(1, 1);
  CHECK_THROWS_AS(inverse_wishart(rng, 1e-200, one), std::domain_error);
}
