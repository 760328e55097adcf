#include <catch.h>

#include <cmath>
#include <limits>
#include <noiseaware/infer/linear/conjugate.hpp>
#include <noiseaware/infer/linear/density.hpp>
#include <noiseaware/infer/linear/log_statistics.hpp>
#include <noiseaware/infer/nuts/trajectory.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>
#include <vector>

#include "linear_vectors.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using namespace linear_vectors;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using oracles::relative_error;

namespace {

template <class Rng>
MatrixXd random_covariance(Rng& rng, Eigen::Index size, double scale) {
  MatrixXd root(size, size + 2);
  for (Eigen::Index i = 0; i < root.size(); ++i) root.data()[i] = normal01(rng);
  return scale * root * root.transpose() / static_cast<double>(size);
}

template <class Rng>
VectorXd random_vector(Rng& rng, Eigen::Index size, double scale) {
  VectorXd out(size);
  for (Eigen::Index i = 0; i < size; ++i) out[i] = scale * normal01(rng);
  return out;
}

//! A random problem with d covariates: unequal scales, an entry that was not
//! released, one without noise, a tie, and both laws of noise.
template <class Rng>
LinearProblem random_problem(Rng& rng, Eigen::Index d, double n) {
  LinearProblem out;
  out.n = n;
  out.coefficients = {random_vector(rng, d + 1, .5), random_covariance(rng, d + 1, 1.0), 2.5, .7};
  out.covariates = {random_vector(rng, d, .3), .8, random_covariance(rng, d, .6),
                    static_cast<double>(d) + 2.5};
  const MatrixXd z = n * random_covariance(rng, d + 2, .3);
  const MatrixXd scale =
      MatrixXd::Constant(d + 2, d + 2, 1.0) + random_covariance(rng, d + 2, .2).cwiseAbs();
  out.observations = observe_all(z, scale, NoiseLaw::laplace);
  for (std::size_t k = 0; k < out.observations.size(); k += 3)
    out.observations[k].law = NoiseLaw::gaussian;
  out.observations.erase(out.observations.begin() + 1);
  out.observations.back().law = NoiseLaw::none;
  MomentObservation tie;
  tie.row = tie.col = 1;
  tie.minus_col = 1;
  tie.minus_weight = 1.3;
  tie.law = NoiseLaw::laplace;
  tie.scale = .4;
  out.observations.push_back(tie);
  return out;
}

template <class Rng>
LinearReference random_reference(Rng& rng, Eigen::Index q, double n) {
  LinearReference out;
  out.mean = random_vector(rng, q, .3);
  out.factor = random_covariance(rng, q, .3 * n).llt().matrixL();
  out.log_excess = std::log(n);
  return out;
}

//! Largest error of the gradient against Richardson's extrapolation of central
//! differences, relative to the largest component.
double gradient_error(LinearDensity& density, const VectorXd& u) {
  VectorXd gradient(u.size()), ignored(u.size());
  density.logp_grad(u, gradient);
  double worst = 0.0;
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    const auto slope = [&](double h) {
      VectorXd up = u, down = u;
      up[i] += h;
      down[i] -= h;
      return (density.logp_grad(up, ignored) - density.logp_grad(down, ignored)) / (2.0 * h);
    };
    const double truth = (4.0 * slope(5e-4) - slope(1e-3)) / 3.0;
    worst = std::max(worst, std::abs(gradient[i] - truth));
  }
  return worst / std::max(1.0, gradient.cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("the collapsed density and its gradient have their reference values", "[linear]") {
  for (const Case& x : cases()) {
    INFO(x.name);
    const LinearProblem problem = problem_of(x);
    problem.check();
    LinearDensity density(problem, reference_of(x));
    for (const Point& point : x.points) {
      const VectorXd u = vector_of(point.u);
      REQUIRE(density.dim() == u.size());
      VectorXd gradient(u.size());
      CHECK(relative_error(density.logp_grad(u, gradient), point.lp) < 1e-11);
      CHECK(gradient.isApprox(vector_of(point.gradient), 1e-11));
      MatrixXd moments(x.d + 2, x.d + 2);
      density.statistics(u).moments(moments);
      CHECK(moments.isApprox(matrix_of(point.moments, x.d + 2), 1e-12));
    }
  }
}

TEST_CASE("the conjugate update has its reference values", "[linear]") {
  const Case& x = cases().front();
  ConjugateUpdate update(problem_of(x));
  update.update(matrix_of(x.points.front().moments, 3));
  CHECK(relative_error(update.coefficients()[0], -.0659268909926) < 1e-10);
  CHECK(relative_error(update.coefficients()[1], .0902776389194) < 1e-10);
  CHECK(update.shape() == 25.0);
  CHECK(relative_error(update.rate(), .680176392444) < 1e-10);
  CHECK(update.df() == 60.0);
  const double psi = update.factor_x()(1, 1) * update.factor_x()(1, 1);
  CHECK(relative_error(psi, 1.25090909091) < 1e-10);
  CHECK(relative_error(update.covariate_mean()[0], .0287479787288) < 1e-10);
}

TEST_CASE("the density of the statistics has its reference values", "[linear]") {
  const LinearProblem problem = problem_of(cases()[1]);
  VectorXd mean(3);
  mean << .25, -.1, .3;
  const MatrixXd scatter = matrix_of({9, 1.5, -6, 1.5, 11, 2, -6, 2, 20}, 3);
  const auto value = [&](double n) { return log_statistics_density(problem, n, mean, scatter); };
  CHECK(relative_error(value(12), -31.946393316212) < 1e-12);
  CHECK(relative_error(value(13), -31.490552233170) < 1e-12);
  CHECK(relative_error(value(40), -28.125954509413) < 1e-12);
  CHECK_THROWS_AS(value(3), std::invalid_argument);
  CHECK_THROWS_AS(log_statistics_density(problem, 12, mean, -scatter), std::domain_error);
}

TEST_CASE("gradients equal finite differences for random problems", "[linear]") {
  auto rng = make_stream(31, 0);
  for (Eigen::Index d = 0; d <= 6; ++d)
    for (double n : {2.0, 3.0, 5.0, 8.0, 60.0, 2000.0}) {
      INFO("d = " << d << ", n = " << n);
      const LinearProblem problem = random_problem(rng, d, n);
      problem.check();
      LinearDensity density(problem, random_reference(rng, d + 1, n));
      CHECK(gradient_error(density, random_vector(rng, density.dim(), .2)) < 2e-8);
      LinearDensity smooth(problem, random_reference(rng, d + 1, n), 1.0);
      CHECK(gradient_error(smooth, random_vector(rng, smooth.dim(), .2)) < 2e-8);
    }
}

TEST_CASE("gradients hold with clamping, latent n and a general design", "[linear]") {
  auto rng = make_stream(32, 0);
  for (Eigen::Index d = 1; d <= 4; ++d)
    for (int way = 0; way < 8; ++way) {
      INFO("d = " << d << ", way " << way);
      LinearProblem problem = random_problem(rng, d, 30.0);
      if ((way & 1) != 0) {
        problem.lower = VectorXd::Constant(d + 1, -.7);
        problem.upper = VectorXd::Constant(d + 1, .9);
        problem.lower[0] = -std::numeric_limits<double>::infinity();
        problem.upper[d] = std::numeric_limits<double>::infinity();
      }
      if ((way & 2) != 0) {
        MomentObservation count;
        count.value = problem.n;
        count.law = NoiseLaw::laplace;
        count.scale = 4.0;
        problem.observations.push_back(count);
        problem.n = std::numeric_limits<double>::quiet_NaN();
      }
      if ((way & 4) != 0) {
        problem.design = MatrixXd::Zero(d + 1, d);
        problem.design.row(0) = random_vector(rng, d, .5).transpose();
        problem.design.bottomRows(d) = 1.5 * MatrixXd::Identity(d, d);
        problem.offset = random_vector(rng, d + 1, .5);
        problem.coefficients.mean = random_vector(rng, d, .5);
        problem.coefficients.precision = random_covariance(rng, d, 1.0);
      }
      problem.check();
      // Normal noise: a kink of Laplace noise between two points misleads differences.
      LinearDensity density(problem, random_reference(rng, d + 1, 30.0), 1.0);
      CHECK(gradient_error(density, random_vector(rng, density.dim(), .1)) < 2e-8);
    }
}

TEST_CASE("the density in n is that of the statistics", "[linear]") {
  // With noise on n alone, flat in u: differences in log(n - q) at fixed statistics
  // must be those of log p(s | n), of the noise and of the Jacobian n - q.
  LinearProblem problem = problem_of(cases()[1]);
  problem.observations.clear();
  MomentObservation count;
  count.value = 14.0;
  count.law = NoiseLaw::gaussian;
  count.scale = 3.0;
  problem.observations.push_back(count);
  problem.n = std::numeric_limits<double>::quiet_NaN();
  auto rng = make_stream(33, 0);
  LinearReference reference = random_reference(rng, 3, 1.0);
  reference.log_excess = 0.0;
  const auto collapsed = [&](double n) {
    // The same w and S for every n: u_w grows with sqrt(n).
    VectorXd u(10), ignored(10);
    u << .2, -.3, .1, .05, .2, -.1, -.15, .3, .1, std::log(n - 3.0);
    u.head(3) *= std::sqrt(n);
    LinearDensity density(problem, reference);
    const double log_w = 1.5 * std::log(n);      // du_w = n^(q/2) dw
    const double log_sums = -3.0 * std::log(n);  // d(sum a, sum aa') = n^q d(w, S)
    return density.logp_grad(u, ignored) + log_w + log_sums - std::log(n - 3.0);
  };
  const auto direct = [&](double n) {
    VectorXd u(10);
    u << .2, -.3, .1, .05, .2, -.1, -.15, .3, .1, 0.0;
    LinearDensity density(problem, reference);
    const LatentStatistics s = density.statistics((VectorXd(10) << u).finished());
    // At u as given, w is that of sqrt(n) = 2: n = q + exp(0).
    const VectorXd mean = reference.mean + 2.0 * (s.mean - reference.mean);
    const double r = (14.0 - n) / 3.0;
    return log_statistics_density(problem, n, mean, s.factor * s.factor.transpose()) - .5 * r * r;
  };
  for (double n : {4.5, 9.0, 30.0})
    CHECK(collapsed(n) - collapsed(12.0) == Approx(direct(n) - direct(12.0)).epsilon(1e-10));
}

TEST_CASE("points far outside have no density instead of an error that escapes", "[linear]") {
  const Case& x = cases().front();
  LinearDensity density(problem_of(x), reference_of(x));
  VectorXd gradient(5);
  for (double far : {800.0, -800.0, 1e200})
    for (Eigen::Index i = 0; i < 5; ++i) {
      VectorXd u = VectorXd::Zero(5);
      u[i] = far;
      const double value = guarded_logp_grad(density, u, gradient);
      CHECK((value < -100.0 && gradient.allFinite()));
    }
}

TEST_CASE("problems that make no sense are refused", "[linear]") {
  const LinearProblem good = problem_of(cases()[1]);
  const auto refused = [&](auto change) {
    LinearProblem bad = good;
    change(bad);
    CHECK_THROWS_AS(bad.check(), std::invalid_argument);
  };
  refused([](LinearProblem& p) { p.n = 0.0; });
  refused([](LinearProblem& p) { p.n = 2.5; });
  refused([](LinearProblem& p) { p.n = oracles::kNaN; });
  refused([](LinearProblem& p) { p.coefficients.precision(0, 0) = -1.0; });
  refused([](LinearProblem& p) { p.coefficients.precision(0, 1) += 1.0; });
  refused([](LinearProblem& p) { p.coefficients.rate = 0.0; });
  refused([](LinearProblem& p) { p.coefficients.mean = VectorXd::Zero(2); });
  refused([](LinearProblem& p) { p.covariates.df = 1.0; });
  refused([](LinearProblem& p) { p.covariates.scale = MatrixXd::Identity(3, 3); });
  refused([](LinearProblem& p) { p.observations[0].row = 4; });
  refused([](LinearProblem& p) { p.observations[0].scale = 0.0; });
  refused([](LinearProblem& p) { p.observations[0].value = oracles::kInf; });
  refused([](LinearProblem& p) { p.lower = p.upper = VectorXd::Zero(3); });
  refused([](LinearProblem& p) { p.design = MatrixXd::Identity(2, 2); });
}
