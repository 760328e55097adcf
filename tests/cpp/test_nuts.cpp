#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/nuts/dual_averaging.hpp>
#include <noiseaware/infer/nuts/run_nuts.hpp>
#include <noiseaware/infer/nuts/windows.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "nuts_targets.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using namespace nuts_targets;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using oracles::kMaxZ;

namespace {

double mean_of(const std::vector<double>& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

//! Covariance with scales from 1e-6 to 1e4 and correlations 0.8^|i-j|.
MatrixXd ill_scaled_covariance() {
  MatrixXd out(4, 4);
  const double sd[] = {1e-6, 1e-2, 1.0, 1e4};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) out(i, j) = sd[i] * sd[j] * std::pow(.8, std::abs(i - j));
  return out;
}

Normal normal_target(const MatrixXd& covariance) {
  return {covariance.llt().solve(MatrixXd::Identity(covariance.rows(), covariance.cols()))};
}

//! A flat density: its trajectories never turn.
struct FlatChain {
  Normal own{MatrixXd::Zero(1, 1)};
  Normal& model() { return own; }
  template <class Rng>
  VectorXd start(Rng&) {
    return VectorXd::Zero(1);
  }
  template <class Rng>
  void keep(int, const VectorXd&, Rng&) {}
};

}  // namespace

TEST_CASE("NUTS samples an ill-scaled normal with a dense metric", "[nuts]") {
  const MatrixXd covariance = ill_scaled_covariance();
  NutsOptions options;
  options.target_acceptance = .8;
  // The initial metric knows the scales only; warm-up must find the correlations.
  const MatrixXd scales = covariance.diagonal().asDiagonal();
  const Run<Normal> run(normal_target(covariance), Metric::dense(scales), VectorXd::Zero(4),
                        options, ChainConfig(4, 2000, 1000, 1, 2, 11));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    CHECK(run.z(i, identity, 0.0) < kMaxZ);
    CHECK(run.z(i, square, covariance(k, k)) < kMaxZ);
  }
  const auto divergent = run.diagnostic(5);
  CHECK(mean_of(divergent) == 0.0);
  // The mean of log step sizes errs to the small side, hence above the target.
  CHECK(std::abs(mean_of(run.diagnostic(1)) - .85) < .1);
  CHECK(mean_of(run.diagnostic(4)) < 8.0);  // An adapted metric needs few steps.
}

TEST_CASE("NUTS samples a correlated normal with a diagonal metric", "[nuts]") {
  const MatrixXd covariance = ill_scaled_covariance();
  NutsOptions options;
  options.shrink_scale = 1e-3;
  const VectorXd rough = 9.0 * covariance.diagonal();
  const Run<Normal> run(normal_target(covariance), Metric::diagonal(rough),
                        covariance.diagonal().cwiseSqrt(), options,
                        ChainConfig(4, 1500, 500, 1, 1, 12));
  for (std::size_t i = 0; i < 4; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    CHECK(run.z(i, identity, 0.0) < kMaxZ);
    CHECK(run.z(i, square, covariance(k, k)) < kMaxZ);
  }
}

TEST_CASE("NUTS samples heavy tails and a funnel", "[nuts]") {
  NutsOptions options;
  options.shrink_scale = 1e-3;
  const ChainConfig config(4, 3000, 1000, 1, 2, 13);
  const Run<Student> student(Student(), Metric::unit(3), VectorXd::Ones(3), options, config);
  const Run<Funnel> funnel(Funnel(), Metric::unit(3), VectorXd::Ones(3), options, config);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(student.z(i, identity, 0.0) < kMaxZ);
    CHECK(student.z(i, square, 8.0 / 6.0) < kMaxZ);
    CHECK(funnel.z(i, identity, 0.0) < kMaxZ);
  }
  CHECK(funnel.z(0, square, .25) < kMaxZ);
  CHECK(funnel.z(1, square, std::exp(.125)) < kMaxZ);
  CHECK(funnel.z(2, square, std::exp(.125)) < kMaxZ);
}

TEST_CASE("NUTS corrects for coarse steps and shallow trees", "[nuts]") {
  // Small steps would hide wrong weights: here a step loses energy worth noticing.
  const double second = 2.0 * std::tgamma(.75) / std::tgamma(.25);
  for (int max_depth : {1, 2, 5}) {
    Quartic model;
    NutsOptions options;
    options.max_depth = max_depth;
    NutsSampler<Quartic> sampler(model, VectorXd::Ones(2), Metric::unit(2), options);
    sampler.set_step_size(1.1);
    auto rng = make_stream(14, max_depth);
    std::vector<double> squares, fourth, acceptance;
    for (int i = 0; i < 40000; ++i) {
      acceptance.push_back(sampler.step(rng).acceptance);
      const double x = sampler.position()[i % 2];
      squares.push_back(x * x);
      fourth.push_back(x * x * x * x);
    }
    CHECK(mean_of(acceptance) < .9);
    const auto z = [](const std::vector<double>& x, double truth) {
      const oracles::Moments m(x);
      return std::abs(m.mean - truth) / std::sqrt(m.variance / effective_size(x));
    };
    CHECK(z(squares, second) < kMaxZ);
    CHECK(z(fourth, 1.0) < kMaxZ);
  }
}

TEST_CASE("NUTS counts divergences at a cliff and stays on its side", "[nuts]") {
  for (int way = 0; way < 4; ++way) {
    Cliff model;
    model.way = way;
    NutsSampler<Cliff> sampler(model, VectorXd::Ones(1), Metric::unit(1), NutsOptions());
    sampler.set_step_size(.4);
    auto rng = make_stream(15, way);
    int divergent = 0;
    std::vector<double> draws;
    for (int i = 0; i < 20000; ++i) {
      const NutsDraw draw = sampler.step(rng);
      divergent += draw.divergent;
      REQUIRE(sampler.position()[0] > 0.0);
      REQUIRE((std::isfinite(draw.energy) && draw.acceptance >= 0.0 && draw.acceptance <= 1.0));
      draws.push_back(sampler.position()[0]);
    }
    CHECK(divergent > 1000);
    CHECK(divergent < 20000);
    const oracles::Moments m(draws);
    const double error = std::sqrt(m.variance / effective_size(draws));
    CHECK(std::abs(m.mean - std::sqrt(2.0 / std::acos(-1.0))) < kMaxZ * error);
  }
}

TEST_CASE("NUTS reports depth, steps, energy and log density of the draw", "[nuts]") {
  const Normal target{MatrixXd::Identity(5, 5)};
  NutsOptions options;
  options.max_depth = 6;
  const Run<Normal> run(target, Metric::unit(5), VectorXd::Zero(5), options,
                        ChainConfig(2, 3000, 500, 1, 2, 16));
  const auto lp = run.diagnostic(0), step = run.diagnostic(2), depth = run.diagnostic(3),
             leapfrogs = run.diagnostic(4), energy = run.diagnostic(6);
  std::vector<double> kinetic;
  for (std::size_t i = 0; i < lp.size(); ++i) {
    double square_sum = 0.0;
    for (std::size_t k = 0; k < 5; ++k) square_sum += square(run.positions[lp.size() * k + i]);
    REQUIRE(lp[i] == Approx(-.5 * square_sum).epsilon(1e-12));
    REQUIRE(leapfrogs[i] >= std::exp2(depth[i]) - 1);
    REQUIRE(leapfrogs[i] < std::exp2(depth[i] + 1));
    kinetic.push_back(energy[i] + lp[i]);
  }
  CHECK(run.z_of(kinetic, 2.5) < kMaxZ);  // Half of a chi-square with five degrees.
  CHECK(std::count(step.begin(), step.begin() + 2500, step[0]) == 2500);
  const double fraction = energy_fraction(energy.data(), 2500);
  CHECK((fraction > .6 && fraction < 1.6));
  const double few[] = {1.0, 2.0, 4.0};
  CHECK(energy_fraction(few, 3) == Approx(5.0 / (14.0 / 3.0)).epsilon(1e-14));
  CHECK(std::isnan(energy_fraction(few, 2)));
}

TEST_CASE("NUTS draws do not depend on the number of cores", "[nuts]") {
  const Normal target = normal_target(ill_scaled_covariance());
  const Metric metric = Metric::dense(ill_scaled_covariance());
  const auto draws = [&](int cores) {
    const Run<Normal> run(target, metric, VectorXd::Zero(4), NutsOptions(),
                          ChainConfig(3, 260, 160, 2, cores, 17));
    auto all = run.positions;
    all.insert(all.end(), run.diagnostics.begin(), run.diagnostics.end());
    return all;
  };
  const auto one = draws(1);
  CHECK(one == draws(3));
  CHECK(std::count(one.begin(), one.end(), 0.0) < 400);  // Only divergent__ is all zero.
}

TEST_CASE("Warm-up windows are those of Stan", "[nuts]") {
  const auto closes = [](int warmup) {
    const WarmupWindows windows(warmup, NutsOptions());
    std::vector<int> out;
    for (int i = 0; i < warmup; ++i)
      if (windows.closes(i)) out.push_back(i + 1);
    return out;
  };
  CHECK(closes(1000) == std::vector<int>({100, 150, 250, 450, 950}));
  CHECK(closes(150) == std::vector<int>{100});
  CHECK(closes(100) == std::vector<int>{90});
  CHECK(closes(19).empty());
  CHECK(closes(0).empty());
  const WarmupWindows windows(1000, NutsOptions());
  CHECK((!windows.inside(74) && windows.inside(75) && windows.inside(949) && !windows.inside(950)));
}

TEST_CASE("Dual averaging follows its recursion", "[nuts]") {
  DualAveraging averaging(.8);
  averaging.restart(.1);
  // mu = log 1 = 0; after one step error = (.8 - .5)/11, log step = -20 error.
  const double first = averaging.update(.5);
  CHECK(std::log(first) == Approx(-20.0 * .3 / 11.0).epsilon(1e-12));
  CHECK(averaging.adapted() == Approx(first).epsilon(1e-12));
  const double error = .3 / 11.0 + (-.2 - .3 / 11.0) / 12.0;
  const double second = averaging.update(1.0);
  CHECK(std::log(second) == Approx(-20.0 * error * std::sqrt(2.0)).epsilon(1e-12));
  const double weight = std::pow(2.0, -.75);
  CHECK(std::log(averaging.adapted()) ==
        Approx(weight * std::log(second) + (1 - weight) * std::log(first)).epsilon(1e-12));
}

TEST_CASE("The metric estimate is a shrunken covariance", "[nuts]") {
  auto rng = make_stream(18, 0);
  MetricEstimator dense(2, true), diagonal(2, false);
  MatrixXd rows(7, 2);
  for (Eigen::Index i = 0; i < 7; ++i) {
    rows.row(i) << 1e6 + 1e-3 * normal01(rng), normal01(rng);
    dense.add(rows.row(i).transpose());
    diagonal.add(rows.row(i).transpose());
  }
  const MatrixXd centred = rows.rowwise() - rows.colwise().mean();
  const MatrixXd sample = centred.transpose() * centred / 6.0;
  MatrixXd initial(2, 2);
  initial << 1e-6, 0, 0, 4;
  const MatrixXd expected = 7.0 / 12.0 * sample + 5.0 / 12.0 * .5 * initial;
  const Metric estimate = dense.estimate(Metric::dense(initial), .5, 5.0);
  CHECK((estimate.covariance() - expected).cwiseAbs().maxCoeff() <
        1e-5 * expected.cwiseAbs().minCoeff());
  const Metric variances = diagonal.estimate(Metric::diagonal(initial.diagonal()), .5, 5.0);
  CHECK(variances.variances().isApprox(expected.diagonal(), 1e-6));
}

TEST_CASE("NUTS refuses what it cannot start from", "[nuts]") {
  Cliff model;
  const Metric unit = Metric::unit(1);
  CHECK_THROWS_AS(NutsSampler<Cliff>(model, -VectorXd::Ones(1), unit, NutsOptions()),
                  std::domain_error);
  CHECK_THROWS_AS(NutsSampler<Cliff>(model, VectorXd::Ones(2), unit, NutsOptions()),
                  std::invalid_argument);
  NutsOptions options;
  options.target_acceptance = 1.0;
  CHECK_THROWS_AS(NutsSampler<Cliff>(model, VectorXd::Ones(1), unit, options),
                  std::invalid_argument);
  CHECK_THROWS_AS(Metric::dense(-MatrixXd::Identity(2, 2)), std::domain_error);
  CHECK_THROWS_AS(Metric::diagonal(VectorXd::Zero(2)), std::invalid_argument);
  auto rng = make_stream(19, 0);
  // Half of the proposals fall off the cliff; the start does not.
  for (int k = 0; k < 20; ++k)
    CHECK(draw_start(model, VectorXd::Constant(1, .1), unit, rng)[0] > 0.0);
}

TEST_CASE("A stopped run ends within a trajectory", "[nuts]") {
  // Without the check inside, one trajectory of 2^30 steps would take minutes.
  NutsOptions options;
  options.max_depth = 30;
  struct Interrupt {};
  std::vector<double> info(140);
  const auto stop = [](const Progress&) { throw Interrupt(); };
  CHECK_THROWS_AS(run_nuts(
                      ChainConfig(2, 20, 10, 1, 2, 1), options, Metric::unit(1),
                      DrawArray(info.data(), 10, 2), [](int) { return FlatChain(); }, stop),
                  Interrupt);
}
