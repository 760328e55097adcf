// Glue for simulation from linear regression: parameters, records, releases.
#include <noiseaware/infer/expfam/noise_draw.hpp>
#include <noiseaware/infer/linear/simulate.hpp>
#include <noiseaware/rng/streams.hpp>

#include "infer_glue.h"
#include "linear_glue.h"

//! Draws of all parameters from the prior: draws x variables, in natural units.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix linear_prior_cpp(Rcpp::List problem, int count, double seed) {
  const noiseaware_r::DecodedLinear decoded = noiseaware_r::decode_linear(problem);
  auto rng = noiseaware::make_stream(noiseaware_r::seed_of(seed), 0);
  const noiseaware::LinearPriorDraws<decltype(rng)> draw(decoded.problem, decoded.scaling);
  Rcpp::NumericMatrix out(count, static_cast<int>(noiseaware::LinearReport::size(decoded.problem)));
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXd drawn = draw(rng);
    for (Eigen::Index k = 0; k < drawn.size(); ++k) out(i, static_cast<int>(k)) = drawn[k];
  }
  return out;
}

//! n records (x, y) of given parameters, in natural units.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix linear_records_cpp(Rcpp::NumericVector draw, int covariates, bool intercept,
                                       Rcpp::List size) {
  const noiseaware::LinearRows rows(noiseaware_r::decode_vector(draw), covariates, intercept);
  auto rng = noiseaware::make_stream(noiseaware_r::seed_of(size["seed"]), 0);
  Rcpp::NumericMatrix out(Rcpp::as<int>(size["n"]), covariates + 1);
  for (int i = 0; i < out.nrow(); ++i) {
    const Eigen::VectorXd row = rows.draw(rng);
    for (int j = 0; j <= covariates; ++j) out(i, j) = row[j];
  }
  return out;
}

//! Replicated releases, draws x moments. `problem`: centre, intercept and moments (row,
//! col, noise, scale, grid, terms), in natural units.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix linear_replicate_cpp(Rcpp::List problem, Rcpp::NumericMatrix draws,
                                         Rcpp::NumericVector sizes, double seed) {
  const Rcpp::List moments = problem["moments"];
  const Rcpp::IntegerVector row = moments["row"], col = moments["col"];
  const auto noise = noiseaware_r::decode_noises(moments);
  const Eigen::VectorXd centre = noiseaware_r::decode_vector(problem["centre"]);
  const Eigen::MatrixXd all = noiseaware_r::decode_matrix(draws);
  auto rng = noiseaware::make_stream(noiseaware_r::seed_of(seed), 0);
  Rcpp::NumericMatrix out(draws.nrow(), static_cast<int>(noise.size()));
  for (int i = 0; i < draws.nrow(); ++i) {
    const noiseaware::LinearRows rows(all.row(i), centre.size() - 1, problem["intercept"]);
    const Eigen::MatrixXd drawn = rows.draw_moments(rng, sizes[i], centre);
    for (int k = 0; k < out.ncol(); ++k)
      out(i, k) =
          drawn(row[k], col[k]) + noiseaware::draw_noise(rng, noise[static_cast<std::size_t>(k)]);
  }
  return out;
}
