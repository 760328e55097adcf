// How R describes problems of linear regression.
#ifndef NOISEAWARE_SRC_LINEAR_GLUE_H
#define NOISEAWARE_SRC_LINEAR_GLUE_H

#include "counts_glue.h"
//
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/infer/linear/scaling.hpp>
#include <noiseaware/infer/nuts/options.hpp>
#include <noiseaware/math/eigen.hpp>
#include <string>

namespace noiseaware_r {

inline Eigen::VectorXd decode_vector(SEXP x) {
  const Rcpp::NumericVector values(x);
  return Eigen::Map<const Eigen::VectorXd>(values.begin(), values.size());
}

inline Eigen::MatrixXd decode_matrix(SEXP x) {
  const Rcpp::NumericMatrix values(x);
  return Eigen::Map<const Eigen::MatrixXd>(values.begin(), values.nrow(), values.ncol());
}

//! A problem in scaled coordinates, and what they are.
struct DecodedLinear {
  noiseaware::LinearProblem problem;
  noiseaware::LinearScaling scaling;
};

//! `prior`: mean, precision (a matrix), shape, rate.
inline noiseaware::CoefficientPrior decode_coefficients(const Rcpp::List& prior) {
  return {decode_vector(prior["mean"]), decode_matrix(prior["precision"]), prior["shape"],
          prior["rate"]};
}

//! `prior`: mean, kappa, scale (a matrix), df.
inline noiseaware::CovariatePrior decode_covariates(const Rcpp::List& prior) {
  return {decode_vector(prior["mean"]), prior["kappa"], decode_matrix(prior["scale"]), prior["df"]};
}

//! `moments`: row, col, value, noise, scale and, for ties, minus_row, minus_col and
//! minus_weight; all in scaled coordinates.
inline std::vector<noiseaware::MomentObservation> decode_moments(const Rcpp::List& moments) {
  using noiseaware::NoiseLaw;
  const auto law = strings(moments["noise"]);
  const Rcpp::NumericVector value = moments["value"], scale = moments["scale"],
                            weight = moments["minus_weight"];
  const Rcpp::IntegerVector row = moments["row"], col = moments["col"],
                            minus_row = moments["minus_row"], minus_col = moments["minus_col"];
  std::vector<noiseaware::MomentObservation> out(law.size());
  for (std::size_t k = 0; k < law.size(); ++k) {
    const auto i = static_cast<R_xlen_t>(k);
    out[k] = {row[i],   col[i],       value[i],     decode_noise(law[k], scale[i], 0.0, 1).law(),
              scale[i], minus_row[i], minus_col[i], weight[i]};
  }
  return out;
}

//! `problem`: coefficients and covariates (priors in natural units), centre and half
//! (one per column of (x, y)), intercept, moments, n (NA if latent), and lower and
//! upper (bounds in scaled coordinates; empty if no record is outside).
inline DecodedLinear decode_linear(const Rcpp::List& problem) {
  DecodedLinear out;
  out.scaling = {decode_vector(problem["centre"]), decode_vector(problem["half"])};
  out.scaling.check();
  const noiseaware::CoefficientPrior coefficients = decode_coefficients(problem["coefficients"]);
  out.problem.covariates = out.scaling.scaled(decode_covariates(problem["covariates"]));
  if (Rcpp::as<bool>(problem["intercept"]))
    out.problem.coefficients = out.scaling.scaled(coefficients);
  else
    out.scaling.drop_intercept(out.problem, coefficients);
  out.problem.observations = decode_moments(problem["moments"]);
  out.problem.n = problem["n"];
  out.problem.lower = decode_vector(problem["lower"]);
  out.problem.upper = decode_vector(problem["upper"]);
  return out;
}

//! `options`: target_acceptance, max_depth.
inline noiseaware::NutsOptions decode_nuts(const Rcpp::List& options) {
  noiseaware::NutsOptions out;
  out.target_acceptance = options["target_acceptance"];
  out.max_depth = options["max_depth"];
  return out;
}

}  // namespace noiseaware_r

#endif
