#pragma once

#include <cmath>
#include <noiseaware/infer/linear/conjugate.hpp>
#include <noiseaware/infer/linear/coordinates.hpp>
#include <noiseaware/infer/linear/count_constants.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/special.hpp>
#include <stdexcept>

namespace noiseaware {

//! log p(s | n): the normalised prior predictive density of the statistics (sum a,
//! sum aa', unique entries) of n > q rows with mean w and centred scatter S. n may
//! be real. Evidences of different columns condition on different statistics and
//! must not be compared.
inline double log_statistics_density(const LinearProblem& problem, double n,
                                     const Eigen::VectorXd& mean, const Eigen::MatrixXd& scatter) {
  const double q = static_cast<double>(problem.q());
  detail::require(n > q, "n", n, "above the number of columns");
  const Eigen::LLT<Eigen::MatrixXd> factor(scatter);
  if (factor.info() != Eigen::Success) throw std::domain_error("scatter is not positive definite");
  LatentStatistics statistics;
  statistics.n = n;
  statistics.mean = mean;
  statistics.factor = factor.matrixL();
  Eigen::MatrixXd moments(problem.q() + 1, problem.q() + 1);
  statistics.moments(moments);
  ConjugateUpdate update(problem);
  update.update(moments);
  const ConjugateUpdate prior(problem);  // Before an update it is at the prior.
  const auto& theta = problem.coefficients;
  const auto& x = problem.covariates;
  const double log_prior = -log_gamma(theta.shape) + theta.shape * std::log(theta.rate) +
                           prior.log_pivots_y() - detail::log_multigamma(problem.d(), 0.5 * x.df) +
                           x.df * prior.log_pivots_x() +
                           0.5 * static_cast<double>(problem.d()) * std::log(x.strength);
  const double log_scatter = 2.0 * factor.matrixLLT().diagonal().array().log().sum();
  return 0.5 * (n - q - 2.0) * log_scatter + CountConstants(problem).value(n) +
         update.log_kernel() + log_prior;
}

}  // namespace noiseaware
