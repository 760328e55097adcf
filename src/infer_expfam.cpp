// Glue for models of counts: decode the problem, call the core, hand back draws.
#include <noiseaware/infer/expfam/naive.hpp>
#include <noiseaware/infer/expfam/run_counts.hpp>

#include "counts_glue.h"
#include "infer_glue.h"

using noiseaware::BernoulliExact;
using noiseaware_r::chain_config;
using noiseaware_r::decode_bernoulli;
using noiseaware_r::decode_noises;
using noiseaware_r::decode_problem;
using noiseaware_r::draw_array;
using noiseaware_r::draw_storage;
using noiseaware_r::encode_moments;
using noiseaware_r::independent_config;
using noiseaware_r::RMonitor;

namespace {

Rcpp::List encode_draws(const Rcpp::NumericVector& theta, const Rcpp::NumericVector& latent,
                        const Rcpp::List& moments, double log_evidence, double work) {
  return Rcpp::List::create(Rcpp::Named("feasible") = true, Rcpp::Named("theta") = theta,
                            Rcpp::Named("latent") = latent, Rcpp::Named("moments") = moments,
                            Rcpp::Named("log_evidence") = log_evidence, Rcpp::Named("work") = work);
}

Rcpp::List infeasible() { return Rcpp::List::create(Rcpp::Named("feasible") = false); }

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List bernoulli_exact_cpp(Rcpp::List problem, Rcpp::List run, double max_work) {
  const BernoulliExact posterior(decode_bernoulli(problem), max_work / BernoulliExact::cell_work);
  if (!posterior.feasible()) return infeasible();
  const auto config = independent_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 1), latent = draw_storage(config, 2);
  noiseaware::run_bernoulli(posterior, config, draw_array(theta, config),
                            draw_array(latent, config), RMonitor(R_NilValue));
  return encode_draws(theta, latent, encode_moments({posterior.moments()}),
                      posterior.log_evidence(), posterior.cells() * BernoulliExact::cell_work);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List categorical_exact_cpp(Rcpp::List problem, Rcpp::List run, double max_work) {
  const noiseaware::CategoricalExact posterior(decode_problem(problem), max_work);
  if (!posterior.feasible()) return infeasible();
  const auto config = independent_config(run);
  Rcpp::NumericVector theta = draw_storage(config, posterior.cells().categories()),
                      latent = draw_storage(config, posterior.cells().size() + 1);
  noiseaware::run_categorical(posterior, config, draw_array(theta, config),
                              draw_array(latent, config), RMonitor(R_NilValue));
  return encode_draws(theta, latent, encode_moments(posterior.moments()), posterior.log_evidence(),
                      posterior.work());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List counts_metropolis_cpp(Rcpp::List problem, Rcpp::List run, SEXP report) {
  const noiseaware::CategoricalProblem decoded = decode_problem(problem);
  const noiseaware::CategoricalCells cells(decoded);
  const auto config = chain_config(run);
  Rcpp::NumericVector theta = draw_storage(config, cells.categories()),
                      latent = draw_storage(config, cells.size() + 1);
  const auto acceptance = noiseaware::run_metropolis(decoded, config, draw_array(theta, config),
                                                     draw_array(latent, config), RMonitor(report));
  const auto moments =
      noiseaware::latent_moments(cells, draw_array(latent, config), config.kept(), config.chains);
  return Rcpp::List::create(Rcpp::Named("theta") = theta, Rcpp::Named("latent") = latent,
                            Rcpp::Named("moments") = encode_moments(moments),
                            Rcpp::Named("acceptance") = Rcpp::wrap(acceptance));
}

//! Counts nearest to the released ones: one per released category, in order, then
//! one for all others together where there are any.
// [[Rcpp::export(rng = false)]]
std::vector<double> naive_counts_cpp(Rcpp::List problem) {
  return noiseaware::naive_counts(decode_problem(problem));
}

//! Draws given counts taken at face value: one per released category, in order,
//! then one for all others together where there are any.
// [[Rcpp::export(rng = false)]]
Rcpp::List counts_conjugate_cpp(Rcpp::List problem, std::vector<double> counts, Rcpp::List run) {
  const noiseaware::CategoricalCells cells(decode_problem(problem));
  const auto config = independent_config(run);
  Rcpp::NumericVector theta = draw_storage(config, cells.categories());
  noiseaware::run_conjugate(cells, counts, config, draw_array(theta, config), RMonitor(R_NilValue));
  return Rcpp::List::create(
      Rcpp::Named("theta") = theta,
      Rcpp::Named("moments") = encode_moments(noiseaware::conjugate_moments(cells, counts)));
}

//! `theta`: draws x categories. Returns counts of new records and what a release
//! of them would look like.
// [[Rcpp::export(rng = false)]]
Rcpp::List replicate_counts_cpp(Rcpp::NumericMatrix theta, std::vector<double> sizes,
                                Rcpp::List noise, double seed) {
  const std::vector<double> weights(theta.begin(), theta.end());
  std::vector<double> counts(weights.size()), noisy(weights.size());
  noiseaware::replicate_counts(weights, sizes, decode_noises(noise), noiseaware_r::seed_of(seed),
                               counts, noisy);
  const Rcpp::Dimension shape(theta.nrow(), theta.ncol());
  Rcpp::NumericVector released = Rcpp::wrap(noisy), drawn = Rcpp::wrap(counts);
  released.attr("dim") = shape;
  drawn.attr("dim") = shape;
  return Rcpp::List::create(Rcpp::Named("counts") = drawn, Rcpp::Named("release") = released);
}
