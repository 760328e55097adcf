#include <catch.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/linear/run_linear.hpp>
#include <vector>

#include "linear_oracles.hpp"
#include "linear_vectors.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using namespace linear_oracles;
using namespace linear_vectors;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using oracles::kMaxZ;

namespace {

const auto no_clip = [](VectorXd&) {};

//! Ten records, one covariate, the prior of Bernstein and Sheldon (2019), and a
//! release with Laplace noise of scale (16/3)/epsilon.
LinearProblem ten_records(double epsilon) {
  LinearProblem out = problem_of(cases().front());
  const double values[] = {.9, -1.4, .35, -.25, 1.1};
  for (std::size_t k = 0; k < 5; ++k) {
    out.observations[k].scale = 16.0 / 3.0 / epsilon;
    out.observations[k].value = values[k] / epsilon;
  }
  return out;
}

std::vector<double> summary(const LinearParameters& p) {
  const double t = p.covariate_factor(0, 0) * p.covariate_factor(0, 0);
  return {p.coefficients[0],
          p.coefficients[1],
          p.sigma,
          p.covariate_mean[0],
          t,
          p.coefficients[1] * p.coefficients[1]};
}

//! Compares means of (intercept, slope, sigma, mu_x, T) and of the squared slope.
void check_against(const Estimate& truth, const ExactRun& run) {
  REQUIRE(truth.effective > 1500.0);
  const auto same = [](double x) { return x; };
  for (std::size_t k = 0; k < 5; ++k) {
    INFO("variable " << k);
    CHECK(run.z(run.values(run.parameters, k, same), truth.mean[k], truth.error[k]) < kMaxZ);
  }
  const auto squared = run.values(run.parameters, 1, [](double x) { return x * x; });
  CHECK(run.z(squared, truth.mean[5], truth.error[5]) < kMaxZ);
}

}  // namespace

TEST_CASE("the exact posterior equals importance sampling from the prior", "[linear]") {
  for (double epsilon : {.1, 1.0}) {
    INFO("epsilon " << epsilon);
    const LinearProblem problem = ten_records(epsilon);
    const Estimate truth = importance(
        problem, 60000, 51, [](auto&) { return 10.0; }, no_clip, summary);
    const ExactRun run(problem, LinearScaling::identity(2), ChainConfig(4, 2500, 500, 1, 2, 52));
    CHECK(run.converged);
    CHECK(run.divergences() == 0.0);
    check_against(truth, run);
  }
}

TEST_CASE("fewer records than columns are handled exactly", "[linear]") {
  LinearProblem problem = problem_of(cases()[2]);  // Three columns, three records.
  const Estimate truth = importance(
      problem, 150000, 53, [](auto&) { return 3.0; }, no_clip,
      [](const auto& p) {
        return std::vector<double>{p.coefficients[0], p.coefficients[1], p.coefficients[2],
                                   p.sigma};
      });
  REQUIRE(truth.effective > 500.0);
  const ExactRun run(problem, LinearScaling::identity(3), ChainConfig(4, 3000, 1000, 1, 2, 54));
  for (std::size_t k = 0; k < 4; ++k)
    CHECK(run.z(run.values(run.parameters, k, [](double x) { return x; }), truth.mean[k],
                truth.error[k]) < kMaxZ);
}

TEST_CASE("a noisy count and moments that were not released are integrated over", "[linear]") {
  LinearProblem problem = ten_records(1.0);
  problem.observations.erase(problem.observations.begin() + 3);  // sum(x y)
  MomentObservation count;
  count.value = 9.0;
  count.law = NoiseLaw::laplace;
  count.scale = 2.0;
  problem.observations.push_back(count);
  problem.n = std::numeric_limits<double>::quiet_NaN();
  // A real n has density on n > 2; the oracle averages over whole numbers, and the
  // difference is far below the noise on the count.
  const Estimate truth = importance(
      problem, 150000, 55, [](auto& rng) { return std::floor(3.0 + 38.0 * uniform01(rng)); },
      no_clip, summary);
  const ExactRun run(problem, LinearScaling::identity(2), ChainConfig(4, 3000, 500, 1, 2, 56));
  check_against(truth, run);
}

TEST_CASE("clamped records are modelled", "[linear]") {
  LinearProblem problem = ten_records(1.0);
  problem.n = 200.0;
  problem.covariates.df = 8.0;
  const double values[] = {10.0, -20.0, 25.0, -5.0, 30.0};
  for (std::size_t k = 0; k < 5; ++k) {
    problem.observations[k].value = values[k];
    problem.observations[k].scale = 12.0;
  }
  problem.lower = VectorXd::Constant(2, -.5);
  problem.upper = VectorXd::Constant(2, .5);
  const auto clip = [](VectorXd& row) {
    for (Eigen::Index j = 1; j < row.size(); ++j) row[j] = std::min(.5, std::max(-.5, row[j]));
  };
  const Estimate truth = importance(
      problem, 40000, 57, [](auto&) { return 200.0; }, clip, summary);
  const ExactRun run(problem, LinearScaling::identity(2), ChainConfig(4, 2500, 500, 1, 2, 58));
  // Noise is centred at the expected clamped moments given the latent normal ones.
  // What that neglects, their variance of order n, is small beside noise of scale 12.
  check_against(truth, run);
}

TEST_CASE("tiny noise gives the conjugate posterior", "[linear]") {
  LinearProblem noisy = problem_of(cases()[3]);
  noisy.lower = noisy.upper = VectorXd();
  noisy.n = 100.0;
  const double values[] = {12.0, -8.0, 30.0, 9.0, 22.0};
  LinearProblem exact = noisy;
  for (std::size_t k = 0; k < 5; ++k) {
    noisy.observations[k].value = exact.observations[k].value = values[k];
    noisy.observations[k].scale = 1e-3;
    exact.observations[k].law = NoiseLaw::none;
  }
  const ExactRun run(noisy, LinearScaling::identity(2), ChainConfig(4, 2000, 1000, 1, 2, 59));
  ConjugateUpdate update(exact);
  update.update(plug_in_moments(exact).moments);
  const VectorXd conditional = LinearReport(exact, LinearScaling::identity(2)).conditional(update);
  const auto same = [](double x) { return x; };
  for (std::size_t k = 0; k < 3; ++k) {
    const double mean = conditional[static_cast<Eigen::Index>(k)];
    const double variance = conditional[static_cast<Eigen::Index>(k) + 3];
    CHECK(run.z(run.values(run.parameters, k, same), mean) < kMaxZ);
    const auto squares =
        run.values(run.parameters, k, [&](double x) { return (x - mean) * (x - mean); });
    CHECK(run.z(squares, variance) < kMaxZ);
    // Rao-Blackwell means vary by the noise only.
    const auto rao = run.values(run.conditional, k, same);
    CHECK(*std::max_element(rao.begin(), rao.end()) - *std::min_element(rao.begin(), rao.end()) <
          .05 * std::sqrt(variance));
  }
  // The same through independent draws.
  ExactRun plain = run;
  const PlugInMoments used =
      run_linear_conjugate(exact, LinearScaling::identity(2), ChainConfig(4, 1000, 0, 1, 2, 60),
                           plain.output(), NoMonitor());
  CHECK(!used.repaired);
  for (std::size_t k = 0; k < 3; ++k)
    CHECK(plain.z(plain.values(plain.parameters, k, same),
                  conditional[static_cast<Eigen::Index>(k)]) < kMaxZ);
}

TEST_CASE("draws of linear regression do not depend on the number of cores", "[linear]") {
  const LinearProblem problem = ten_records(1.0);
  const auto draws = [&](int cores) {
    ExactRun run(problem, LinearScaling::identity(2), ChainConfig(3, 200, 100, 2, cores, 61));
    run.parameters.insert(run.parameters.end(), run.statistics.begin(), run.statistics.end());
    run.parameters.insert(run.parameters.end(), run.diagnostics.begin(), run.diagnostics.end());
    return run.parameters;
  };
  CHECK(draws(1) == draws(3));
}

TEST_CASE("units of the columns do not matter", "[linear]") {
  // The same records and prior in natural units, declared with two domains.
  CoefficientPrior theta{VectorXd(2), MatrixXd(2, 2), 3.0, 8.0};
  theta.mean << 20.0, -1.0;
  theta.precision << .5, .1, .1, .4;
  CovariatePrior x{VectorXd::Constant(1, 52.0), 1.5, MatrixXd::Constant(1, 1, 90.0), 5.0};
  const LinearScaling one{(VectorXd(2) << 50.0, -30.0).finished(),
                          (VectorXd(2) << 10.0, 12.0).finished()};
  const LinearScaling other{one.centre, 7.0 * one.half};
  const auto posterior = [&](const LinearScaling& scaling) {
    LinearProblem problem;
    problem.n = 40.0;
    problem.coefficients = scaling.scaled(theta);
    problem.covariates = scaling.scaled(x);
    MatrixXd z(3, 3), scale(3, 3);
    z << 40, 70, -20, 70, 4000, -3500, -20, -3500, 4100;
    scale << 1, 30, 30, 30, 300, 300, 30, 300, 300;
    for (Eigen::Index i = 0; i < 3; ++i)
      for (Eigen::Index j = 0; j < 3; ++j) {
        z(i, j) /= scaling.unit(i, j);
        scale(i, j) /= scaling.unit(i, j);
      }
    problem.observations = observe_all(z, scale, NoiseLaw::laplace);
    return ExactRun(problem, scaling, ChainConfig(4, 2000, 500, 1, 2, 62));
  };
  const ExactRun a = posterior(one), b = posterior(other);
  for (std::size_t k = 0; k < 5; ++k) {
    const auto same = [](double v) { return v; };
    const auto reference = b.values(b.parameters, k, same);
    const oracles::Moments m(reference);
    const double error = std::sqrt(m.variance / effective_size(reference.data(), 1500, 4));
    CHECK(a.z(a.values(a.parameters, k, same), m.mean, error) < kMaxZ);
    CHECK(std::abs(std::log(oracles::Moments(a.values(a.parameters, k, same)).variance /
                            m.variance)) < .25);
  }
}

TEST_CASE("scaled coordinates describe the same model", "[linear]") {
  const LinearScaling scaling{(VectorXd(3) << 5.0, -2.0, 30.0).finished(),
                              (VectorXd(3) << 2.0, .5, 7.0).finished()};
  CHECK((scaling.map() * scaling.inverse_map()).isApprox(MatrixXd::Identity(3, 3), 1e-14));
  // theta' (1, x) in natural units is centre + half theta_s' (1, x_s).
  const VectorXd theta = (VectorXd(3) << 1.5, -2.0, .3).finished();
  const VectorXd scaled = scaling.map() * theta + scaling.shift();
  const double x1 = 3.3, x2 = -2.7;
  const double direct = theta[0] + theta[1] * x1 + theta[2] * x2;
  const double through = scaled[0] + scaled[1] * (x1 - 5.0) / 2.0 + scaled[2] * (x2 + 2.0) / .5;
  CHECK(30.0 + 7.0 * through == Approx(direct).epsilon(1e-14));
  // Var(theta_s | sigma_s) = sigma^2 map Lambda^-1 map' with sigma = 7 sigma_s.
  CoefficientPrior prior{VectorXd::Zero(3), MatrixXd::Identity(3, 3), 2.0, 1.0};
  prior.precision(0, 1) = prior.precision(1, 0) = .4;
  const MatrixXd covariance = scaling.scaled(prior).precision.llt().solve(MatrixXd::Identity(3, 3));
  const MatrixXd natural = prior.precision.llt().solve(MatrixXd::Identity(3, 3));
  CHECK(covariance.isApprox(49.0 * scaling.map() * natural * scaling.map().transpose(), 1e-12));
  CHECK(scaling.scaled(prior).rate == Approx(1.0 / 49.0).epsilon(1e-15));
}

TEST_CASE("regression through the origin is of the natural columns", "[linear]") {
  // Exact moments: the posterior mean is ridge regression of y on x without constant.
  const LinearScaling scaling{(VectorXd(2) << 4.0, 10.0).finished(),
                              (VectorXd(2) << 2.0, 5.0).finished()};
  const std::vector<double> x{3.0, 4.5, 5.0, 2.5, 4.0}, y{7.0, 9.5, 12.0, 5.0, 8.5};
  MatrixXd scaled = MatrixXd::Zero(3, 3);
  double xx = 0.0, xy = 0.0;
  for (std::size_t i = 0; i < 5; ++i) {
    const VectorXd row = (VectorXd(3) << 1.0, (x[i] - 4.0) / 2.0, (y[i] - 10.0) / 5.0).finished();
    scaled += row * row.transpose();
    xx += x[i] * x[i];
    xy += x[i] * y[i];
  }
  LinearProblem problem;
  problem.n = 5.0;
  problem.covariates = {VectorXd::Zero(1), 1.0, MatrixXd::Identity(1, 1), 4.0};
  const CoefficientPrior prior{VectorXd::Constant(1, .5), MatrixXd::Constant(1, 1, 3.0), 2.0, 1.0};
  scaling.drop_intercept(problem, prior);
  problem.observations = observe_all(scaled, MatrixXd::Zero(3, 3), NoiseLaw::none);
  problem.check();
  ConjugateUpdate update(problem);
  update.update(plug_in_moments(problem).moments);
  const VectorXd moments = LinearReport(problem, scaling).conditional(update);
  const double precision = 3.0 + xx, mean = (1.5 + xy) / precision;
  CHECK(moments[0] == Approx(mean).epsilon(1e-12));
  double yy = 0.0;
  for (double v : y) yy += v * v;
  const double rate = 1.0 + .5 * (yy + 3.0 * .25 - precision * mean * mean);
  CHECK(moments[2] == Approx(rate / 3.5 / precision).epsilon(1e-10));
}
