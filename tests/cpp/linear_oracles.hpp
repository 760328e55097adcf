#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <noiseaware/infer/expfam/noise_draw.hpp>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/infer/linear/run_linear.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/rng/wishart.hpp>
#include <noiseaware/score/effective_size.hpp>
#include <vector>

#include "linear_vectors.hpp"

// Posterior means of linear regression by simulation from the prior: parameters,
// then records, then weights from the noise alone. No formula of the sampler.

namespace linear_oracles {

using noiseaware::LinearProblem;

//! One draw from the prior, by its definition.
template <class Rng>
noiseaware::LinearParameters draw_prior(Rng& rng, const LinearProblem& problem) {
  const Eigen::Index d = problem.d(), k = problem.terms();
  noiseaware::LinearParameters out;
  const auto& theta = problem.coefficients;
  out.sigma = std::sqrt(noiseaware::inverse_gamma(rng, theta.shape, theta.rate));
  Eigen::VectorXd g(k), h(d);
  for (Eigen::Index i = 0; i < k; ++i) g[i] = noiseaware::normal01(rng);
  for (Eigen::Index i = 0; i < d; ++i) h[i] = noiseaware::normal01(rng);
  theta.precision.llt().matrixU().solveInPlace(g);
  out.coefficients = theta.mean + out.sigma * g;
  const Eigen::MatrixXd psi = problem.covariates.scale.llt().matrixL();
  out.covariate_factor = noiseaware::inverse_wishart_factor(rng, problem.covariates.df, psi);
  out.covariate_mean =
      problem.covariates.mean + out.covariate_factor * h / std::sqrt(problem.covariates.strength);
  return out;
}

//! Moments of n records, each mapped by `clip` (identity or clamping).
template <class Rng, class Clip>
Eigen::MatrixXd draw_moments(Rng& rng, const LinearProblem& problem,
                             const noiseaware::LinearParameters& p, double n, Clip clip) {
  const Eigen::Index d = problem.d();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(d + 2, d + 2);
  Eigen::VectorXd row(d + 2), g(d);
  for (int i = 0; i < static_cast<int>(n); ++i) {
    for (Eigen::Index j = 0; j < d; ++j) g[j] = noiseaware::normal01(rng);
    row[0] = 1.0;
    row.segment(1, d) = p.covariate_mean + p.covariate_factor * g;
    Eigen::VectorXd effects = p.coefficients;
    if (!problem.plain_design()) effects = problem.offset + problem.design * p.coefficients;
    row[d + 1] = row.head(d + 1).dot(effects) + p.sigma * noiseaware::normal01(rng);
    clip(row);
    out += row * row.transpose();
  }
  return out;
}

//! log p(z | moments) by the definition of the noise.
inline double log_weight(const LinearProblem& problem, const Eigen::MatrixXd& moments) {
  double sum = 0.0;
  for (const auto& o : problem.observations) {
    const double r =
        o.value - moments(o.row, o.col) + o.minus_weight * moments(o.minus_row, o.minus_col);
    sum += o.law == noiseaware::NoiseLaw::laplace ? -std::abs(r) / o.scale
                                                  : -.5 * r * r / (o.scale * o.scale);
  }
  return sum;
}

//! Weighted mean and its standard error for each summary.
struct Estimate {
  std::vector<double> mean, error;
  double effective = 0.0;
};

//! Importance sampling from the prior. `count(rng)` draws n; `summarise(parameters)`
//! returns the quantities of interest.
template <class Count, class Clip, class Summarise>
Estimate importance(const LinearProblem& problem, int draws, std::uint64_t seed, Count count,
                    Clip clip, Summarise summarise) {
  auto rng = noiseaware::make_stream(seed, 0);
  std::vector<double> weights;
  std::vector<std::vector<double>> values;
  for (int i = 0; i < draws; ++i) {
    const auto p = draw_prior(rng, problem);
    const auto moments = draw_moments(rng, problem, p, count(rng), clip);
    weights.push_back(std::exp(log_weight(problem, moments)));
    values.push_back(summarise(p));
  }
  Estimate out;
  double sum = 0.0, squares = 0.0;
  for (double w : weights) {
    sum += w;
    squares += w * w;
  }
  out.effective = sum * sum / squares;
  for (std::size_t k = 0; k < values.front().size(); ++k) {
    double mean = 0.0, error = 0.0;
    for (std::size_t i = 0; i < weights.size(); ++i) mean += weights[i] * values[i][k] / sum;
    for (std::size_t i = 0; i < weights.size(); ++i)
      error += std::pow(weights[i] / sum * (values[i][k] - mean), 2);
    out.mean.push_back(mean);
    out.error.push_back(std::sqrt(error));
  }
  return out;
}

//! A run of the exact sampler with its draws.
struct ExactRun {
  noiseaware::ChainConfig config;
  std::size_t size;
  std::vector<double> parameters, statistics, conditional, diagnostics;
  bool converged = false;

  ExactRun(const LinearProblem& problem, const noiseaware::LinearScaling& scaling,
           const noiseaware::ChainConfig& config_)
      : config(config_),
        size(static_cast<std::size_t>(config.kept()) * static_cast<std::size_t>(config.chains)),
        parameters(size * static_cast<std::size_t>(noiseaware::LinearReport::size(problem))),
        statistics(size * static_cast<std::size_t>((problem.q() + 1) * (problem.q() + 2) / 2)),
        conditional(size * static_cast<std::size_t>(2 * (problem.terms() + 1))),
        diagnostics(size * 7) {
    converged = noiseaware::run_linear(problem, scaling, noiseaware::NutsOptions(), config,
                                       output(), noiseaware::NoMonitor());
  }

  noiseaware::LinearOutput output() {
    const auto array = [this](std::vector<double>& x) {
      return noiseaware::DrawArray(x.data(), config.kept(), config.chains);
    };
    return {array(parameters), array(statistics), array(conditional), array(diagnostics)};
  }

  //! f(parameter k) of every draw, chain by chain.
  template <class F>
  std::vector<double> values(const std::vector<double>& from, std::size_t k, F f) const {
    std::vector<double> out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = f(from[size * k + i]);
    return out;
  }

  //! Distance of the mean of x from truth in standard errors of both.
  double z(const std::vector<double>& x, double truth, double error = 0.0) const {
    double mean = 0.0, variance = 0.0;
    for (double v : x) mean += v / static_cast<double>(size);
    for (double v : x) variance += (v - mean) * (v - mean) / static_cast<double>(size);
    const double ess = noiseaware::effective_size(x.data(), static_cast<std::size_t>(config.kept()),
                                                  static_cast<std::size_t>(config.chains));
    return std::abs(mean - truth) / std::sqrt(variance / ess + error * error);
  }

  double divergences() const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size; ++i) sum += diagnostics[5 * size + i];
    return sum;
  }
};

}  // namespace linear_oracles
