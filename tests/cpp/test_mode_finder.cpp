#include <catch.h>

#include <cmath>
#include <noiseaware/infer/mode_finder.hpp>
#include <stdexcept>

#include "nuts_targets.hpp"

using namespace noiseaware;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using nuts_targets::Normal;

namespace {

//! Logarithm of a gamma variate, scaled: shape k, mode log(k), variance 1/k there.
struct LogGamma {
  VectorXd shape, unit;
  Eigen::Index dim() const { return shape.size(); }
  double logp_grad(const VectorXd& u, VectorXd& g) {
    double lp = 0.0;
    for (Eigen::Index i = 0; i < u.size(); ++i) {
      const double x = u[i] / unit[i], e = std::exp(x);
      lp += shape[i] * x - e;
      g[i] = (shape[i] - e) / unit[i];
    }
    return lp;
  }
};

//! Two wells of unequal depth joined by a saddle at 0.
struct Wells {
  Eigen::Index dim() const { return 2; }
  double logp_grad(const VectorXd& u, VectorXd& g) {
    g[0] = -4.0 * u[0] * (u[0] * u[0] - 1.0) + .3;
    g[1] = -2.0 * u[1];
    const double well = u[0] * u[0] - 1.0;
    return -well * well + .3 * u[0] - u[1] * u[1];
  }
};

}  // namespace

TEST_CASE("the mode of a normal is found in one step, whatever its scales", "[mode]") {
  MatrixXd covariance(2, 2);
  covariance << 1e-12, .7e-3, .7e-3, 1e6;
  Normal model{covariance.llt().solve(MatrixXd::Identity(2, 2))};
  VectorXd start(2), scales(2);
  start << 1e-4, -1e4;
  scales << 1e-6, 1e3;
  const Mode mode = find_mode(model, start, scales);
  CHECK(mode.converged);
  CHECK(mode.iterations <= 2);
  CHECK(mode.position.cwiseQuotient(scales).cwiseAbs().maxCoeff() < 1e-4);
  CHECK(mode.covariance.isApprox(covariance, 1e-7));
  CHECK(mode.log_density == Approx(0.0).margin(1e-8));
}

TEST_CASE("the mode finder follows curvature that changes by decades", "[mode]") {
  LogGamma model;
  model.shape = VectorXd(3);
  model.unit = VectorXd(3);
  model.shape << 2, 50, 1e4;
  model.unit << 1, 1e-8, 1e5;
  const VectorXd scales = model.unit.cwiseQuotient(model.shape.cwiseSqrt());
  const Mode mode = find_mode(model, -3.0 * model.unit, scales);
  CHECK(mode.converged);
  for (Eigen::Index i = 0; i < 3; ++i) {
    CHECK(mode.position[i] / model.unit[i] == Approx(std::log(model.shape[i])).epsilon(1e-4));
    // Central differences are exact up to the third derivative.
    CHECK(mode.covariance(i, i) == Approx(scales[i] * scales[i]).epsilon(1e-2));
  }
}

TEST_CASE("the mode finder leaves a saddle and never descends", "[mode]") {
  Wells model;
  VectorXd start(2);
  start << -.1, 3.0;
  const Mode mode = find_mode(model, start, VectorXd::Ones(2));
  CHECK(mode.converged);
  VectorXd gradient(2);
  CHECK(mode.log_density == model.logp_grad(mode.position, gradient));
  CHECK(gradient.norm() < 1e-2);
  CHECK(std::abs(mode.position[0]) > .8);
  CHECK(mode.covariance.llt().info() == Eigen::Success);
}

TEST_CASE("the mode finder keeps off points without density", "[mode]") {
  nuts_targets::Cliff model;  // The supremum is at the cliff itself.
  const Mode mode = find_mode(model, VectorXd::Ones(1), VectorXd::Ones(1));
  CHECK(mode.position[0] > 0.0);
  CHECK(mode.position[0] < .1);
  CHECK_THROWS_AS(find_mode(model, -VectorXd::Ones(1), VectorXd::Ones(1)), std::domain_error);
  CHECK_THROWS_AS(find_mode(model, VectorXd::Ones(1), VectorXd::Zero(1)), std::invalid_argument);
}
