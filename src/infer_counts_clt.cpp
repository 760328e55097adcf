// Glue for the central limit methods of models of counts.
#include <noiseaware/infer/expfam/run_counts.hpp>
#include <noiseaware/infer/expfam/run_counts_clt.hpp>

#include "families_glue.h"
#include "infer_glue.h"

using noiseaware_r::chain_config;
using noiseaware_r::draw_array;
using noiseaware_r::draw_storage;
using noiseaware_r::encode_moments;
using noiseaware_r::RMonitor;

namespace {

Rcpp::List encode_chains(const Rcpp::NumericVector& theta, const Rcpp::NumericVector& latent,
                         const std::vector<noiseaware::MixtureMoments>& moments) {
  return Rcpp::List::create(Rcpp::Named("theta") = theta, Rcpp::Named("latent") = latent,
                            Rcpp::Named("moments") = encode_moments(moments));
}

Rcpp::List bernoulli_chains(const noiseaware::BernoulliProblem& problem, const Rcpp::List& run,
                            SEXP report) {
  const auto config = chain_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 1), latent = draw_storage(config, 2);
  noiseaware::run_bernoulli_gibbs(problem, config, draw_array(theta, config),
                                  draw_array(latent, config), RMonitor(report));
  return encode_chains(theta, latent,
                       {noiseaware::latent_moments(problem, draw_array(latent, config),
                                                   config.kept(), config.chains)});
}

Rcpp::List categorical_chains(const noiseaware::CategoricalProblem& problem, const Rcpp::List& run,
                              SEXP report) {
  const noiseaware::CategoricalCells cells(problem);
  const auto config = chain_config(run);
  Rcpp::NumericVector theta = draw_storage(config, cells.categories()),
                      latent = draw_storage(config, cells.size() + 1);
  noiseaware::run_categorical_gibbs(problem, config, draw_array(theta, config),
                                    draw_array(latent, config), RMonitor(report));
  return encode_chains(
      theta, latent,
      noiseaware::latent_moments(cells, draw_array(latent, config), config.kept(), config.chains));
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List bernoulli_clt_cpp(Rcpp::List problem, Rcpp::List run) {
  const noiseaware::BernoulliProblem decoded = noiseaware_r::decode_bernoulli(problem);
  const noiseaware::BernoulliClt likelihood(decoded);
  const auto posterior = noiseaware::beta_grid_posterior(
      decoded.shape1, decoded.shape2,
      [&](double theta) { return likelihood.log_likelihood(theta); });
  const auto config = noiseaware_r::independent_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 1), latent = draw_storage(config, 2);
  noiseaware::run_probability_grid(posterior, noiseaware::BernoulliLatent(decoded), config,
                                   draw_array(theta, config), draw_array(latent, config),
                                   RMonitor(R_NilValue));
  return noiseaware_r::encode_grid(posterior, theta, latent);
}

//! `family` is "bernoulli" or "categorical".
// [[Rcpp::export(rng = false)]]
Rcpp::List counts_gibbs_cpp(Rcpp::List problem, std::string family, Rcpp::List run, SEXP report) {
  if (family == "bernoulli")
    return bernoulli_chains(noiseaware_r::decode_bernoulli(problem), run, report);
  return categorical_chains(noiseaware_r::decode_problem(problem), run, report);
}
