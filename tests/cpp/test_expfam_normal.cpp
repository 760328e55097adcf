#include <catch.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/infer/expfam/normal_clt.hpp>
#include <noiseaware/infer/expfam/normal_gibbs.hpp>
#include <noiseaware/infer/expfam/normal_sums.hpp>
#include <noiseaware/math/gauss_legendre.hpp>
#include <noiseaware/rng/streams.hpp>
#include <stdexcept>
#include <vector>

#include "chain_oracles.hpp"
#include "near.hpp"
#include "oracles.hpp"

using namespace noiseaware;
using chain_oracles::ChainSummary;
using chain_oracles::MeanSd;
using near::relative;
using near::within;

namespace {

NoiseDensity laplace(double scale) { return NoiseDensity(NoiseLaw::laplace, scale); }
NoiseDensity gaussian(double sd) { return NoiseDensity(NoiseLaw::gaussian, sd); }

//! Records on [-1, 1] about 0, so that units are those of the bounds.
NormalProblem normal_problem(RecordMap map, double n, double z1, double z2, NoiseDensity noise) {
  NormalProblem problem;
  problem.prior = {0.0, 2.0, 3.0, 0.3};
  problem.map = map;
  problem.value = {{z1, z2}};
  problem.noise = {{noise, noise}};
  problem.size = SampleSize::known(n);
  return problem;
}

//! log N(z; mean, covariance), textbook form.
double log_normal2(const Eigen::Vector2d& z, const Eigen::Vector2d& mean,
                   const Eigen::Matrix2d& cov) {
  const double det = cov(0, 0) * cov(1, 1) - cov(0, 1) * cov(1, 0);
  const Eigen::Vector2d d = z - mean;
  const double square =
      (d(0) * d(0) * cov(1, 1) - 2.0 * d(0) * d(1) * cov(0, 1) + d(1) * d(1) * cov(0, 0)) / det;
  return -.5 * square - std::log(2.0 * std::acos(-1.0)) - .5 * std::log(det);
}

double log_release(const NormalProblem& problem, const NormalMoments& record, double n,
                   double variance1, double variance2) {
  Eigen::Matrix2d cov = n * record.Vh;
  cov(0, 0) += variance1;
  cov(1, 1) += variance2;
  return log_normal2(Eigen::Vector2d(problem.value[0], problem.value[1]), n * record.mh, cov);
}

//! The same with Laplace noise: its variance r^2 has density r exp(-r^2 / (2 b^2)) / b^2
//! in r, integrated by quadrature for both sums.
double log_laplace_release(const NormalProblem& problem, const NormalMoments& record, double n) {
  const GaussLegendre64& rule = GaussLegendre64::rule();
  std::vector<double> variance[2], weight[2];
  for (std::size_t j = 0; j < 2; ++j)
    for (std::size_t i = 0; i < GaussLegendre64::size; i += 1) {
      const double b = problem.noise[j].scale(), r = 4.0 * b * (1.0 + rule.node(i));
      variance[j].push_back(r * r);
      weight[j].push_back(4.0 * b * rule.weight(i) * r / (b * b) * std::exp(-.5 * r * r / b / b));
    }
  double sum = 0.0;
  for (std::size_t i = 0; i < variance[0].size(); ++i)
    for (std::size_t k = 0; k < variance[1].size(); ++k)
      sum += weight[0][i] * weight[1][k] *
             std::exp(log_release(problem, record, n, variance[0][i], variance[1][k]) + 20.0);
  return std::log(sum) - 20.0;
}

//! Prior density of (mean, log variance), written from the definition.
double log_nig(const NigPrior& prior, double mu, double l) {
  const double variance = std::exp(l), d = mu - prior.mean;
  return -(prior.shape + 1.0) * l - prior.rate / variance + l - .5 * l -
         .5 * prior.precision * d * d / variance;
}

struct Truth {
  MeanSd mean, sd;
};

//! Moments of mean and sd under prior times exp(log_likelihood(record)), by adding
//! up over a grid of (mean, log variance).
template <class LogLikelihood>
Truth by_grid(const NormalProblem& problem, double mu_from, double mu_to, double l_from,
              double l_to, int nodes, LogLikelihood log_likelihood) {
  double total = 0.0, m1 = 0.0, m2 = 0.0, s1 = 0.0, s2 = 0.0, high = -1e300;
  std::vector<double> logs;
  const auto visit = [&](auto use) {
    for (int i = 0; i <= nodes; ++i)
      for (int k = 0; k <= nodes; ++k)
        use(mu_from + (mu_to - mu_from) * i / nodes, l_from + (l_to - l_from) * k / nodes);
  };
  visit([&](double mu, double l) {
    const NormalMoments record = normal_moments(mu, std::exp(.5 * l), problem.map);
    logs.push_back(log_nig(problem.prior, mu, l) + log_likelihood(record));
    high = std::max(high, logs.back());
  });
  std::size_t at = 0;
  visit([&](double mu, double l) {
    const double w = std::exp(logs[at++] - high), sd = std::exp(.5 * l);
    total += w;
    m1 += w * mu;
    m2 += w * mu * mu;
    s1 += w * sd;
    s2 += w * sd * sd;
  });
  m1 /= total;
  s1 /= total;
  return {{m1, std::sqrt(m2 / total - m1 * m1)}, {s1, std::sqrt(s2 / total - s1 * s1)}};
}

template <class Sampler>
void check_sampler(const NormalProblem& problem, const Truth& truth, int kept, double allowed) {
  Xoshiro256pp rng(41);
  Sampler sampler(problem, rng);
  for (int i = 0; i < 3000; ++i) sampler.step(rng, true);
  std::vector<double> mean, sd;
  for (int i = 0; i < kept; ++i) {
    sampler.step(rng, false);
    mean.push_back(sampler.mean());
    sd.push_back(sampler.sd());
  }
  const ChainSummary m(mean), s(sd);
  CHECK(m.z_mean(truth.mean.mean, allowed) < 4.0);
  CHECK(m.z_sd(truth.mean.sd, allowed) < 4.0);
  CHECK(s.z_mean(truth.sd.mean, allowed) < 4.0);
  CHECK(s.z_sd(truth.sd.sd, allowed) < 4.0);
  CHECK(m.se_mean < .025 * m.sd);  // or the test would say nothing
  CHECK(sampler.acceptance_rate() > .15);
}

}  // namespace

TEST_CASE("density of noisy sums of normal records: published vector", "[expfam]") {
  const NormalMoments record = normal_moments(.2, .5, RecordMap::clamp(-1, 1));
  NormalSums sums = NormalSums::mapped(record, 100);
  const double log_density = sums.observe(0, 15, 4) + sums.observe(1, 25, 9);
  CHECK(log_density == within(-5.1719843988, 1e-10));
  NormalSums other = NormalSums::mapped(record, 100);
  CHECK(other.observe(1, 25, 9) + other.observe(0, 15, 4) == within(log_density, 1e-12));
  // Conditioning as in the textbook: mean + K (z - mean), covariance - K covariance.
  const Eigen::Matrix2d V = 100 * record.Vh;
  Eigen::Matrix2d noisy = V;
  noisy(0, 0) += 4;
  noisy(1, 1) += 9;
  const double det = noisy(0, 0) * noisy(1, 1) - noisy(0, 1) * noisy(1, 0);
  Eigen::Matrix2d inverse;
  inverse << noisy(1, 1), -noisy(0, 1), -noisy(1, 0), noisy(0, 0);
  const Eigen::Matrix2d K = V * inverse / det;
  const Eigen::Vector2d mean = 100 * record.mh + K * (Eigen::Vector2d(15, 25) - 100 * record.mh);
  const Eigen::Matrix2d cov = V - K * V;
  for (int i = 0; i < 2; ++i) {
    CHECK(sums.mean()(i) == relative(mean(i), 1e-12));
    for (int j = 0; j < 2; ++j) CHECK(sums.covariance()(i, j) == relative(cov(i, j), 1e-11));
  }
}

TEST_CASE("sums of complete records given those of mapped ones", "[expfam]") {
  const NormalMoments record = normal_moments(.3, .8, RecordMap::redact(-1, 1, 0));
  const Eigen::Vector2d deviation(2.0, -1.5);
  const NormalSums sums = complete_sums(record, 50, deviation);
  Eigen::Matrix2d inverse;
  inverse << record.Vh(1, 1), -record.Vh(0, 1), -record.Vh(1, 0), record.Vh(0, 0);
  inverse /= record.Vh(0, 0) * record.Vh(1, 1) - record.Vh(0, 1) * record.Vh(1, 0);
  const Eigen::Matrix2d B = record.C * inverse;
  const Eigen::Vector2d mean = 50 * record.mu + B * deviation;
  const Eigen::Matrix2d cov = 50 * (record.V - B * record.C.transpose());
  for (int i = 0; i < 2; ++i) {
    CHECK(sums.mean()(i) == relative(mean(i), 1e-12));
    for (int j = 0; j < 2; ++j) CHECK(sums.covariance()(i, j) == relative(cov(i, j), 1e-11));
  }
  // All records clamped to one end: nothing to regress on, nothing fails.
  const NormalMoments far = normal_moments(60, .5, RecordMap::clamp(-1, 1));
  const NormalSums flat = complete_sums(far, 50, Eigen::Vector2d(0, 0));
  CHECK(flat.mean()(0) == relative(3000.0, 1e-12));
  CHECK(flat.covariance()(0, 0) == relative(12.5, 1e-12));

  Xoshiro256pp rng(42);
  std::vector<double> first, second;
  for (int i = 0; i < 20000; ++i) {
    const Eigen::Vector2d x = sums.draw(rng);
    first.push_back(x(0));
    second.push_back(x(1) - x(0));
  }
  CHECK(oracles::Moments(first).z_variance(cov(0, 0)) < oracles::kMaxZ);
  CHECK(oracles::Moments(second).z_mean(mean(1) - mean(0)) < oracles::kMaxZ);
  CHECK(oracles::Moments(second).z_variance(cov(0, 0) + cov(1, 1) - 2 * cov(0, 1)) <
        oracles::kMaxZ);
  // Squares that cannot be: drawn at all, and possible.
  const NormalSums odd(Eigen::Vector2d(10, -40), Eigen::Matrix2d::Identity());
  const Eigen::Vector2d x = odd.draw_possible(rng, 20);
  CHECK(x(1) >= x(0) * x(0) / 20);
}

TEST_CASE("random walk learns the shape of its target", "[expfam]") {
  Xoshiro256pp rng(43);
  AdaptiveWalk walk(1.0, 1.0);
  // N(0, [1, .045; .045, .0025]), correlation 0.9.
  const auto log_density = [](const Eigen::Vector2d& x) {
    const double a = x(0), b = x(1) / .05;
    return -.5 * (a * a - 1.8 * a * b + b * b) / .19;
  };
  Eigen::Vector2d x(0, 0);
  double accepted = 0.0;
  std::vector<double> draws;
  for (int i = 0; i < 120000; ++i) {
    const Eigen::Vector2d y = x + walk.propose(rng);
    const double p = std::exp(std::min(0.0, log_density(y) - log_density(x)));
    const bool accept = uniform01(rng) < p;
    if (accept) x = y;
    if (i < 20000) {
      walk.adapt(p);
      continue;
    }
    accepted += accept ? 1e-5 : 0.0;
    draws.push_back(x(1));
  }
  CHECK(accepted == within(AdaptiveWalk::target_rate, .05));
  const ChainSummary chain(draws);
  CHECK(chain.z_mean(0.0) < 4.0);
  CHECK(chain.z_sd(.05) < 4.0);
}

TEST_CASE("collapsed chain of normal sums: Gaussian noise, by quadrature", "[expfam]") {
  // sd of both sums 2 and 3; the target is the same up to quadrature.
  for (const RecordMap& map : {RecordMap::clamp(-1, 1), RecordMap::redact(-1, 1, 0)}) {
    NormalProblem problem = normal_problem(map, 100, 15, 25, gaussian(2));
    problem.noise[1] = gaussian(3);
    const Truth truth = by_grid(problem, -1.5, 2.5, -5.5, 3.0, 300, [&](const NormalMoments& x) {
      return log_release(problem, x, 100, 4, 9);
    });
    check_sampler<NormalClt>(problem, truth, 60000, 0.0);
  }
}

TEST_CASE("collapsed chain of normal sums: Laplace noise, by quadrature", "[expfam]") {
  const NormalProblem problem = normal_problem(RecordMap::clamp(-1, 1), 60, 9, 17, laplace(4.5));
  const Truth truth = by_grid(problem, -1.6, 2.0, -5.0, 1.6, 44, [&](const NormalMoments& x) {
    return log_laplace_release(problem, x, 60);
  });
  check_sampler<NormalClt>(problem, truth, 60000, 0.0);
}

TEST_CASE("collapsed chain of normal sums: one sum, in natural units", "[expfam]") {
  // Only the squares were released, about a centre of 50, with bounds 30 and 70.
  NormalProblem problem = normal_problem(RecordMap::clamp(30, 70), 200, 0, 0, laplace(1));
  problem.centre = 50.0;
  problem.prior = {52.0, 8.0, 4.0, 200.0};
  problem.value[1] = 16000.0;
  problem.noise[1] = NoiseDensity(NoiseLaw::laplace, 1500.0, .25);
  problem.released = {{false, true}};
  const Truth truth = by_grid(problem, 30, 75, 2.2, 6.8, 300, [&](const NormalMoments& x) {
    // Squares about the centre, from the moments about 0.
    const double mean = x.mh(1) - 100.0 * x.mh(0) + 2500.0;
    const double var = x.Vh(1, 1) - 200.0 * x.Vh(0, 1) + 1e4 * x.Vh(0, 0);
    return log_normal_laplace(16000.0, 200 * mean, 200 * var, 1500.0);
  });
  check_sampler<NormalClt>(problem, truth, 60000, 0.0);
}

TEST_CASE("collapsed chain of normal sums: latent n, by quadrature", "[expfam]") {
  NormalProblem problem = normal_problem(RecordMap::clamp(-1, 1), 0, 14, 12, gaussian(2));
  problem.size = SampleSize::noisy(40.0, NoiseDensity(NoiseLaw::laplace, 3.0, 1.0));
  const Truth truth = by_grid(problem, -1.5, 2.5, -5.5, 3.0, 150, [&](const NormalMoments& x) {
    double sum = 0.0;
    for (int n = 1; n < 140; ++n)
      sum += std::exp(-std::abs(40.0 - n) / 3.0 + log_release(problem, x, n, 4, 4) + 5.0);
    return std::log(sum);
  });
  check_sampler<NormalClt>(problem, truth, 60000, 0.0);
}

TEST_CASE("Gibbs sampler of normal sums agrees with the collapsed target", "[expfam]") {
  // Both approximate one posterior, the sampler to about 0.015 and the collapsed
  // target to about 0.015 in Kolmogorov's distance: 0.06 standard deviations.
  struct Case {
    RecordMap map;
    double n, z1, z2, sd;
    int kept;
  };
  for (const Case& c : {Case{RecordMap::clamp(-1, 1), 100, 15, 25, 2.5, 60000},
                        Case{RecordMap::clamp(-1, 1), 1000, -210, 300, 30, 60000},
                        Case{RecordMap::redact(-1, 1, 0), 100, 5, 14, 2.5, 250000}}) {
    const NormalProblem problem = normal_problem(c.map, c.n, c.z1, c.z2, gaussian(c.sd));
    const Truth truth = by_grid(problem, -1.5, 1.5, -5.5, 2.0, 300, [&](const NormalMoments& x) {
      return log_release(problem, x, c.n, c.sd * c.sd, c.sd * c.sd);
    });
    check_sampler<NormalGibbs>(problem, truth, c.kept, .06);
  }
  const NormalProblem problem = normal_problem(RecordMap::clamp(-1, 1), 60, 9, 17, laplace(4.5));
  const Truth truth = by_grid(problem, -1.6, 2.0, -5.0, 1.6, 44, [&](const NormalMoments& x) {
    return log_laplace_release(problem, x, 60);
  });
  check_sampler<NormalGibbs>(problem, truth, 60000, .06);
}

TEST_CASE("samplers of normal sums: no noise and wide bounds", "[expfam]") {
  // 40 records with mean 12 and variance 4 about it, none outside: conjugate.
  NormalProblem problem = normal_problem(RecordMap::clamp(-90, 110), 40, 80, 320, NoiseDensity());
  problem.centre = 10.0;
  problem.prior = {8.0, 1.0, 3.0, 6.0};
  const NigPrior posterior = problem.prior.update(40, {{80, 320}}, 10.0);
  Xoshiro256pp rng(44);
  NormalGibbs sampler(problem, rng);
  std::vector<double> mean, variance;
  for (int i = 0; i < 20000; ++i) {
    sampler.step(rng);
    mean.push_back(sampler.mean());
    variance.push_back(sampler.sd() * sampler.sd());
  }
  // A variance that should be 0 is 1e-16 after rounding, hence a spread of 1e-8.
  CHECK(sampler.statistic()[0] == relative(80.0, 1e-7));
  CHECK(sampler.statistic()[1] == relative(320.0, 1e-7));
  CHECK(oracles::Moments(mean).z_mean(posterior.mean) < oracles::kMaxZ);
  CHECK(oracles::ks_p_value(variance, [&](double v) {
          return 1.0 - oracles::gamma_p(posterior.shape, posterior.rate / v);
        }) > oracles::kRejects);
}

TEST_CASE("samplers of normal sums: starts, statistics and refusals", "[expfam]") {
  Xoshiro256pp rng(45);
  for (double z : {-1e5, -20.0, 0.0, 1e5})
    for (const RecordMap& map : {RecordMap::clamp(-1, 1), RecordMap::redact(-1, 1, 0)}) {
      NormalProblem problem = normal_problem(map, 30, z, z, laplace(3));
      problem.prior = {0, 1e-3, 1e-3, 1e-3};
      NormalClt chain(problem, rng);
      NormalGibbs gibbs(problem, rng);
      for (int i = 0; i < 2000; ++i) {
        chain.step(rng, i < 1000);
        gibbs.step(rng);
      }
      for (double x : {chain.mean(), chain.sd(), gibbs.mean(), gibbs.sd(), chain.log_target()})
        CHECK(std::isfinite(x));
      const auto s = chain.statistic();
      CHECK(s[1] >= s[0] * s[0] / 30);
    }
  NormalProblem problem = normal_problem(RecordMap::clamp(-1, 1), 30, 1, 9, laplace(3));
  problem.size = SampleSize::noisy(3, laplace(4));
  CHECK_THROWS_AS(NormalGibbs(problem, rng), std::invalid_argument);
  NormalClt few(problem, rng);  // n may come down to 0
  double least = 100.0;
  for (int i = 0; i < 20000; ++i) {
    few.step(rng, i < 2000);
    least = std::min(least, few.n());
  }
  CHECK(least == 0.0);
  CHECK(std::isfinite(few.mean()));
  problem.size = SampleSize::known(1);
  CHECK_THROWS_AS(NormalGibbs(problem, rng), std::invalid_argument);
  problem.size = SampleSize::unknown();
  CHECK_THROWS_AS(NormalClt(problem, rng), std::invalid_argument);
  problem.size = SampleSize::known(30);
  problem.value[1] = oracles::kNaN;
  CHECK_THROWS_AS(NormalClt(problem, rng), std::invalid_argument);
  problem.value[1] = 9.0;
  problem.noise[1] = NoiseDensity(NoiseLaw::laplace, 1.0, 0.0, 2);
  CHECK_THROWS_AS(NormalClt(problem, rng), std::invalid_argument);
}
