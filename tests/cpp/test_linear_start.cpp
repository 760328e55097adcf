#include <catch.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <noiseaware/infer/linear/naive.hpp>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/infer/linear/row_moments.hpp>
#include <noiseaware/infer/linear/start.hpp>
#include <noiseaware/infer/mode_ascent.hpp>
#include <stdexcept>
#include <vector>

#include "linear_oracles.hpp"
#include "linear_vectors.hpp"
#include "nuts_targets.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using namespace linear_oracles;
using namespace linear_vectors;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using oracles::kMaxZ;

namespace {

//! Exact moments of n records of d covariates with slope 1/2 in all, about 95% of
//! them within [-1, 1], plus noise of one scale; the default prior.
LinearProblem simulated(Eigen::Index d, double n, double scale, std::uint64_t seed) {
  auto rng = make_stream(seed, 0);
  LinearProblem out;
  out.n = n;
  out.coefficients = {VectorXd::Zero(d + 1), .1 * MatrixXd::Identity(d + 1, d + 1), 2.0, .1};
  out.covariates = {VectorXd::Zero(d), .2, .3 * MatrixXd::Identity(d, d),
                    static_cast<double>(d) + 3.0};
  const VectorXd theta = VectorXd::Constant(d + 1, .5 / static_cast<double>(d));
  const auto [mean, covariance] =
      joint_normal(theta, .04, VectorXd::Constant(d, .1), .15 * MatrixXd::Identity(d, d));
  LatentStatistics s;
  s.n = n;
  s.mean = mean;
  s.factor = wishart_factor(rng, n - 1.0, covariance.llt().matrixL());
  MatrixXd z(d + 2, d + 2);
  s.moments(z);
  out.observations = observe_all(z, MatrixXd::Constant(d + 2, d + 2, scale), NoiseLaw::laplace);
  for (auto& o : out.observations)
    o.value += draw_noise(rng, NoiseDensity(NoiseLaw::laplace, scale));
  return out;
}

VectorXd smooth_gradient(const LinearProblem& problem, const LinearStart& start) {
  LinearDensity density(problem, start.reference, 1.0);
  VectorXd gradient(density.dim());
  density.logp_grad(start.centre, gradient);
  return gradient;
}

}  // namespace

TEST_CASE("a mode is found whatever the number of records and the noise", "[linear]") {
  for (Eigen::Index d : {1, 3, 6})
    for (double n : {20.0, 1e3, 1e6, 1e9})
      for (double scale : {.5, 6.0, 100.0}) {
        INFO("d = " << d << ", n = " << n << ", scale " << scale);
        const LinearProblem problem = simulated(d, n, scale, 81);
        const LinearStart start = start_linear(problem);
        REQUIRE(start.converged);
        // In units of the metric, which is the inverse Hessian, the gradient is small.
        const VectorXd g = smooth_gradient(problem, start);
        CHECK(g.dot(start.metric.covariance() * g) < 1e-5 + 1e-10 * n);
      }
}

TEST_CASE("chains converge at once for a billion records", "[linear]") {
  const LinearProblem problem = simulated(1, 1e9, 16.0 / 3.0, 82);
  const ExactRun run(problem, LinearScaling::identity(2), ChainConfig(4, 600, 300, 1, 2, 83));
  CHECK(run.divergences() == 0.0);
  const auto slope = run.values(run.parameters, 1, [](double x) { return x; });
  CHECK(effective_size(slope.data(), 300, 4) > 400.0);
  // The noise is nothing beside sampling error: the conjugate posterior at z.
  LinearProblem exact = problem;
  for (auto& o : exact.observations) o.law = NoiseLaw::none;
  ConjugateUpdate update(exact);
  update.update(plug_in_moments(exact).moments);
  const VectorXd moments = LinearReport(exact, LinearScaling::identity(2)).conditional(update);
  CHECK(run.z(slope, moments[1]) < kMaxZ);
  CHECK(std::sqrt(oracles::Moments(slope).variance / moments[4]) == Approx(1.0).epsilon(.2));
}

TEST_CASE("scales are those of the Gauss-Newton Hessian", "[linear]") {
  LinearProblem problem = simulated(2, 50.0, 3.0, 84);
  MomentObservation tie;
  tie.row = tie.col = 1;
  tie.minus_col = 1;
  tie.minus_weight = .7;
  tie.law = NoiseLaw::laplace;
  tie.scale = .2;
  problem.observations.push_back(tie);
  MomentObservation count;
  count.value = 50.0;
  count.law = NoiseLaw::gaussian;
  count.scale = 3.0;
  problem.observations.push_back(count);
  problem.n = std::numeric_limits<double>::quiet_NaN();
  LinearDensity density(problem, linear_reference(FirstGuess(problem).statistics()), 1.0);
  VectorXd u = VectorXd::LinSpaced(density.dim(), -.2, .3);
  const VectorXd scales = linear_scales(density, u);
  const auto predicted = [&](const VectorXd& at) {
    MatrixXd moments(4, 4);
    density.statistics(at).moments(moments);
    VectorXd out(static_cast<Eigen::Index>(problem.observations.size()));
    for (Eigen::Index r = 0; r < out.size(); ++r) {
      const auto& o = problem.observations[static_cast<std::size_t>(r)];
      out[r] = (moments(o.row, o.col) - o.minus_weight * moments(o.minus_row, o.minus_col)) /
               o.standard_deviation();
    }
    return out;
  };
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    VectorXd up = u, down = u;
    up[i] += 1e-5;
    down[i] -= 1e-5;
    const VectorXd slope = (predicted(up) - predicted(down)) / 2e-5;
    CHECK(scales[i] == Approx(1.0 / std::sqrt(1.0 + slope.squaredNorm())).epsilon(1e-6));
  }
}

TEST_CASE("ties make up for squares that were not released", "[linear]") {
  // A 0/1 column: 300 ones among 1000. Its square equals its sum.
  LinearProblem problem = simulated(1, 1000.0, 6.0, 85);
  const double values[] = {300.0, 200.0, 0.0, 120.0, 150.0};
  for (std::size_t k = 0; k < 5; ++k) problem.observations[k].value = values[k];
  MomentObservation& square = problem.observations[2];
  square.minus_col = 1;
  square.minus_weight = 1.0;
  square.scale = .6;
  const ExactRun tied(problem, LinearScaling::identity(2), ChainConfig(2, 1500, 500, 1, 2, 86));
  // Statistics are (n, x, y, xx, xy, yy).
  const auto gap = [&](const ExactRun& run) {
    std::vector<double> out(run.size);
    for (std::size_t i = 0; i < run.size; ++i)
      out[i] = run.statistics[3 * run.size + i] - run.statistics[run.size + i];
    return std::sqrt(oracles::Moments(out).variance);
  };
  CHECK(gap(tied) < 1.5);
  problem.observations.erase(problem.observations.begin() + 2);
  const ExactRun loose(problem, LinearScaling::identity(2), ChainConfig(2, 1500, 500, 1, 2, 87));
  const auto sd = [](const ExactRun& run) {
    return std::sqrt(
        oracles::Moments(run.values(run.parameters, 1, [](double x) { return x; })).variance);
  };
  CHECK(sd(tied) < .7 * sd(loose));
  // An entry without noise beside noisy ones is a tie, too.
  problem.observations[0].law = NoiseLaw::none;
  const ExactRun known(problem, LinearScaling::identity(2), ChainConfig(2, 400, 200, 1, 2, 88));
  const auto sums = known.values(known.statistics, 1, [](double x) { return x; });
  CHECK(std::abs(oracles::Moments(sums).mean - 300.0) < 1.0);
  CHECK(oracles::Moments(sums).variance < 1.5);
}

TEST_CASE("many coordinates use ascent and a diagonal metric", "[linear]") {
  const LinearProblem problem = simulated(6, 2000.0, 10.0, 89);
  const LinearStart dense = start_linear(problem), diagonal = start_linear(problem, 10);
  CHECK(dense.metric.is_dense());
  REQUIRE(!diagonal.metric.is_dense());
  LinearDensity smooth(problem, dense.reference, 1.0);
  VectorXd ignored(smooth.dim());
  const double gap =
      smooth.logp_grad(dense.centre, ignored) - smooth.logp_grad(diagonal.centre, ignored);
  CHECK((gap > -1e-4 && gap < .5));
}

TEST_CASE("ascent without a Hessian reaches the mode of a normal", "[mode]") {
  MatrixXd covariance(3, 3);
  covariance << 4e-6, 1e-3, 0, 1e-3, 1, .3, 0, .3, 9;
  nuts_targets::Normal model{covariance.llt().solve(MatrixXd::Identity(3, 3))};
  const VectorXd scales = covariance.diagonal().cwiseSqrt();
  const Ascent ascent = climb_to_mode(model, 20.0 * scales, scales);
  CHECK(ascent.converged);
  CHECK(ascent.log_density > -.01);
  CHECK_THROWS_AS(climb_to_mode(model, scales, VectorXd::Zero(3)), std::invalid_argument);
  nuts_targets::Cliff cliff;
  CHECK_THROWS_AS(climb_to_mode(cliff, -VectorXd::Ones(1), VectorXd::Ones(1)), std::domain_error);
}

TEST_CASE("moments at face value are repaired only where they must", "[linear]") {
  LinearProblem problem = problem_of(cases().front());
  const double sound[] = {1.0, 2.0, 4.0, 1.0, 5.0}, broken[] = {1.0, 2.0, 4.0, 9.0, 5.0};
  for (std::size_t k = 0; k < 5; ++k) problem.observations[k].value = sound[k];
  CHECK(!plug_in_moments(problem).repaired);
  CHECK(plug_in_moments(problem).moments(1, 2) == 1.0);
  for (std::size_t k = 0; k < 5; ++k) problem.observations[k].value = broken[k];
  const PlugInMoments repaired = plug_in_moments(problem);
  CHECK((repaired.repaired && repaired.largest_change > 1.0));
  const MatrixXd scatter =
      repaired.moments.bottomRightCorner(2, 2) -
      repaired.moments.col(0).tail(2) * repaired.moments.row(0).tail(2) / problem.n;
  CHECK(scatter.llt().info() == Eigen::Success);
  problem.observations.pop_back();
  CHECK_THROWS_AS(plug_in_moments(problem), std::invalid_argument);
}

TEST_CASE("conditional moments of sigma keep their digits", "[linear]") {
  // a = 3, b = 2: E sigma = sqrt(2) Gamma(2.5) / Gamma(3), E sigma^2 = 1.
  const detail::RootInverseGamma few(3.0, 2.0);
  CHECK(few.mean == Approx(std::sqrt(2.0) * std::tgamma(2.5) / 2.0).epsilon(1e-13));
  CHECK(few.square == 1.0);
  CHECK(few.variance == Approx(1.0 - few.mean * few.mean).epsilon(1e-12));
  // For large a the variance is b / (4 a^2) (1 + O(1/a)).
  const detail::RootInverseGamma many(1e8, 1e8);
  CHECK(many.variance == Approx(2.5e-9).epsilon(1e-4));
  CHECK(std::isinf(detail::RootInverseGamma(.9, 1.0).square));
}
