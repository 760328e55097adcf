#include <catch.h>

#include <cmath>
#include <noiseaware/infer/linear/gibbs.hpp>
#include <noiseaware/infer/linear/row_moments.hpp>
#include <noiseaware/infer/linear/run_linear_gibbs.hpp>
#include <stdexcept>
#include <vector>

#include "linear_oracles.hpp"
#include "linear_vectors.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using namespace linear_oracles;
using namespace linear_vectors;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

VectorXd vector(std::vector<double> x) { return vector_of(x); }

//! Moments of a Bernoulli covariate: products of (1, x) are (1, x, x).
CovariateMoments bernoulli_covariate(double p) {
  CovariateMoments out{MatrixXd(2, 2), MatrixXd::Zero(3, 3)};
  out.second << 1, p, p, p;
  out.fourth.bottomRightCorner(2, 2).setConstant(p * (1 - p));
  return out;
}

double sd_of(const std::vector<double>& x) { return std::sqrt(oracles::Moments(x).variance); }

}  // namespace

TEST_CASE("moments of one record have their reference values", "[linear]") {
  const VectorXd theta = vector({.2, .5});
  const auto [mean, covariance] =
      joint_normal(theta, .3, vector({.1}), MatrixXd::Constant(1, 1, .04));
  const RowMoments normal = normal_row_moments(mean, covariance);
  CHECK(normal.mean.isApprox(vector({.1, .25, .05, .045, .3725}), 1e-12));
  const MatrixXd sigma =
      matrix_of({.04,  .02,   .008, .012, .01,  .02,   .31,   .004, .036, .155,  .008,  .004, .0048,
                 .004, .0028, .012, .036, .004, .0194, .0304, .01,  .155, .0028, .0304, .2697},
                5);
  CHECK(normal.covariance.isApprox(sigma, 1e-12));
  const RowMoments binary = general_row_moments(bernoulli_covariate(.3), theta, .3);
  CHECK(binary.mean.isApprox(vector({.3, .35, .3, .21, .475}), 1e-12));
  const MatrixXd binary_sigma = matrix_of(
      {.21,  .105,  .21,  .147,  .0945, .105,  .3525,  .105,  .1635,  .25725, .21,    .105,   .21,
       .147, .0945, .147, .1635, .147,  .1929, .19215, .0945, .25725, .0945,  .19215, .432525},
      5);
  CHECK(binary.covariance.isApprox(binary_sigma, 1e-12));
}

TEST_CASE("both forms of the moments agree for two covariates", "[linear]") {
  const VectorXd theta = vector({.7, -1.1, .6}), mean = vector({.3, -.4});
  const MatrixXd t = matrix_of({.5, .2, .2, .8}, 2);
  const VectorXd expected = vector({.3, -.4, .13, .59, .08, -.391, .96, .208, .8959});
  const MatrixXd sigma = matrix_of({0.5,
                                    0.2,
                                    -0.43,
                                    0.3,
                                    -0.14,
                                    -0.0640000000000001,
                                    -0.16,
                                    0.198,
                                    -0.1118,
                                    0.2,
                                    0.8,
                                    0.26,
                                    0.12,
                                    0.16,
                                    0.104,
                                    -0.64,
                                    0,
                                    0.0675999999999999,
                                    -0.43,
                                    0.26,
                                    0.879,
                                    -0.258,
                                    0.25,
                                    0.2078,
                                    -0.208,
                                    -0.3178,
                                    0.22854,
                                    0.3,
                                    0.12,
                                    -0.258,
                                    0.68,
                                    0.116,
                                    -0.4684,
                                    -0.016,
                                    -0.0532,
                                    0.30272,
                                    -0.14,
                                    0.16,
                                    0.25,
                                    0.116,
                                    0.544,
                                    0.1008,
                                    0.192,
                                    -0.3712,
                                    -0.1586,
                                    -0.0640000000000001,
                                    0.104,
                                    0.2078,
                                    -0.4684,
                                    0.1008,
                                    0.67842,
                                    0.0208,
                                    -0.00560000000000002,
                                    -0.701912,
                                    -0.16,
                                    -0.64,
                                    -0.208,
                                    -0.016,
                                    0.192,
                                    0.0208,
                                    1.792,
                                    0.416,
                                    0.08112,
                                    0.198,
                                    0,
                                    -0.3178,
                                    -0.0532,
                                    -0.3712,
                                    -0.00560000000000002,
                                    0.416,
                                    0.89792,
                                    0.374452,
                                    -0.1118,
                                    0.0675999999999999,
                                    0.22854,
                                    0.30272,
                                    -0.1586,
                                    -0.701912,
                                    0.08112,
                                    0.374452,
                                    1.6047024},
                                   9);
  const auto [m, v] = joint_normal(theta, .25, mean, t);
  const RowMoments joint = normal_row_moments(m, v);
  const RowMoments general = general_row_moments(normal_covariates(mean, t), theta, .25);
  CHECK(joint.mean.isApprox(expected, 1e-12));
  CHECK(general.mean.isApprox(expected, 1e-12));
  CHECK(joint.covariance.isApprox(sigma, 1e-12));
  CHECK(general.covariance.isApprox(sigma, 1e-12));
}

TEST_CASE("Gibbs sampling agrees with the exact posterior for many records", "[linear]") {
  LinearProblem problem = problem_of(cases().front());
  problem.n = 1000.0;
  problem.coefficients.shape = 3.0;
  problem.covariates.df = 6.0;
  const double values[] = {60.0, 110.0, 210.0, 90.0, 160.0};
  for (std::size_t k = 0; k < 5; ++k) problem.observations[k].value = values[k];
  problem.observations[4].law = NoiseLaw::gaussian;
  const ChainConfig config(4, 6000, 500, 1, 2, 71);
  const ExactRun exact(problem, LinearScaling::identity(2), config);
  ExactRun gibbs = exact, prior = exact;
  const auto repairs = run_linear_gibbs(problem, LinearGibbs(problem), LinearScaling::identity(2),
                                        config, gibbs.output(), NoMonitor());
  CHECK(repairs == std::vector<long>(4, 0));
  // Fixed moments near those of the data cost little.
  const auto matching = normal_covariates(vector({.06}), MatrixXd::Constant(1, 1, .2064));
  run_linear_gibbs(problem, LinearGibbs(problem, matching), LinearScaling::identity(2), config,
                   prior.output(), NoMonitor());
  // Without records to go by, x ~ N(0, E T (1 + 1/kappa0)) and E T = 1/(6 - 2).
  const CovariateMoments expected = LinearGibbs::prior_covariates(problem);
  CHECK(expected.second.isApprox(matrix_of({1, 0, 0, .5}, 2), 1e-14));
  CHECK(expected.fourth(2, 2) == Approx(2.0 * .25).epsilon(1e-14));
  const auto same = [](double x) { return x; };
  for (std::size_t k = 0; k < 5; ++k) {
    INFO("variable " << k);
    const auto truth = exact.values(exact.parameters, k, same);
    const auto draws = gibbs.values(gibbs.parameters, k, same);
    // The central limit theorem is an approximation: 15% of a standard deviation.
    const double centre = oracles::Moments(truth).mean, sd = sd_of(truth);
    CHECK(std::abs(oracles::Moments(draws).mean - centre) < .15 * sd);
    CHECK(std::abs(std::log(sd_of(draws) / sd)) < .15);
    CHECK(std::abs(oracles::Moments(prior.values(prior.parameters, k, same)).mean - centre) <
          .5 * sd);
  }
}

TEST_CASE("the statistics step is exact for singular moments", "[linear]") {
  LinearProblem problem = problem_of(cases().front());
  problem.n = 400.0;
  const double values[] = {120.0, 90.0, 0.0, 45.0, 80.0};
  for (std::size_t k = 0; k < 5; ++k) problem.observations[k].value = values[k];
  problem.observations.erase(problem.observations.begin() + 2);  // The square of a 0/1 column.
  LinearGibbs chain(problem, bernoulli_covariate(.3));
  auto rng = make_stream(72, 0);
  for (int i = 0; i < 2000; ++i) {
    chain.step(rng);
    REQUIRE(chain.moments()(1, 1) == Approx(chain.moments()(0, 1)).epsilon(1e-9));
  }
  // A residual variance of 1e-9 makes Sigma_t singular to working precision.
  problem.coefficients.rate = 1e-9;
  problem.coefficients.shape = 500.0;
  LinearGibbs sharp(problem);
  for (int i = 0; i < 500; ++i) sharp.step(rng);
  CHECK(sharp.parameters().coefficients.allFinite());
}

TEST_CASE("Gibbs sampling honours ties and refuses what it cannot do", "[linear]") {
  LinearProblem problem = problem_of(cases().front());
  problem.n = 400.0;
  const double values[] = {120.0, 90.0, 0.0, 45.0, 80.0};
  for (std::size_t k = 0; k < 5; ++k) problem.observations[k].value = values[k];
  MomentObservation& tie = problem.observations[2];  // sum x^2 - sum x = 0
  tie.minus_col = 1;
  tie.minus_weight = 1.0;
  tie.scale = .01;
  LinearGibbs chain(problem);
  auto rng = make_stream(73, 0);
  for (int i = 0; i < 200; ++i) {
    chain.step(rng);
    REQUIRE(std::abs(chain.moments()(1, 1) - chain.moments()(0, 1)) < .5);
  }
  LinearProblem exact = problem;
  exact.observations[0].law = NoiseLaw::none;
  CHECK_THROWS_AS(LinearGibbs(exact), std::invalid_argument);
  LinearProblem latent = problem;
  latent.n = oracles::kNaN;
  CHECK_THROWS_AS(LinearGibbs(latent), std::invalid_argument);
  LinearProblem clamped = problem;
  clamped.lower = VectorXd::Constant(2, -1.0);
  clamped.upper = VectorXd::Constant(2, 1.0);
  CHECK_THROWS_AS(LinearGibbs(clamped), std::invalid_argument);
  CovariateMoments wrong = bernoulli_covariate(.3);
  wrong.fourth = -wrong.fourth;
  CHECK_THROWS_AS(LinearGibbs(problem, wrong), std::invalid_argument);
}

TEST_CASE("draws of Gibbs sampling do not depend on the number of cores", "[linear]") {
  const LinearProblem problem = problem_of(cases().front());
  const LinearGibbs sampler(problem);
  const auto draws = [&](int cores) {
    const ChainConfig config(3, 60, 20, 2, cores, 74);
    std::vector<double> a(20 * 3 * 5), b(20 * 3 * 6), c(20 * 3 * 6);
    const LinearOutput output{DrawArray(a.data(), 20, 3), DrawArray(b.data(), 20, 3),
                              DrawArray(c.data(), 20, 3), DrawArray(nullptr, 0, 0)};
    run_linear_gibbs(problem, sampler, LinearScaling::identity(2), config, output, NoMonitor());
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  CHECK(draws(1) == draws(3));
}
