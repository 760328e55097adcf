// Glue for the exponential, Poisson and normal families: decode the problem, call
// the core, hand back draws.
#include <noiseaware/infer/expfam/exponential_exact.hpp>
#include <noiseaware/infer/expfam/naive.hpp>
#include <noiseaware/infer/expfam/poisson_exact.hpp>
#include <noiseaware/infer/expfam/run_families.hpp>

#include "families_glue.h"
#include "infer_glue.h"

using noiseaware_r::chain_config;
using noiseaware_r::draw_array;
using noiseaware_r::draw_storage;
using noiseaware_r::independent_config;
using noiseaware_r::RMonitor;

namespace {

//! Values of the likelihood that a grid takes, roughly.
constexpr double kLikelihoods = 200.0;

//! Draws from the posterior of a rate with the given likelihood.
template <class LogLikelihood>
Rcpp::List rate_grid(const noiseaware::ScalarProblem& problem, const Rcpp::List& run,
                     LogLikelihood&& log_likelihood) {
  const auto posterior = noiseaware::gamma_grid_posterior(problem.prior, log_likelihood);
  const auto config = independent_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 1), latent = draw_storage(config, 2);
  noiseaware::run_rate_grid(posterior, noiseaware::ScalarClt(problem), config,
                            draw_array(theta, config), draw_array(latent, config),
                            RMonitor(R_NilValue));
  return noiseaware_r::encode_grid(posterior, theta, latent);
}

//! feasible = FALSE if the lattice is too long, or the noise does not fit it.
Rcpp::List poisson_exact(const noiseaware::ScalarProblem& problem, const Rcpp::List& run,
                         double max_work) {
  const noiseaware::PoissonExact likelihood(problem, max_work / kLikelihoods);
  if (!likelihood.feasible()) return Rcpp::List::create(Rcpp::Named("feasible") = false);
  return rate_grid(problem, run, [&](double rate) { return likelihood.log_likelihood(rate); });
}

Rcpp::List encode_chains(const Rcpp::NumericVector& theta, const Rcpp::NumericVector& latent,
                         const std::vector<double>& acceptance) {
  return Rcpp::List::create(Rcpp::Named("theta") = theta, Rcpp::Named("latent") = latent,
                            Rcpp::Named("acceptance") = acceptance);
}

template <class Family>
Rcpp::List rate_records(const noiseaware::ScalarProblem& problem, const Rcpp::List& run,
                        SEXP report) {
  const auto config = chain_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 1), latent = draw_storage(config, 2);
  const auto acceptance = noiseaware::run_rate_records<Family>(
      problem, config, draw_array(theta, config), draw_array(latent, config), RMonitor(report));
  return encode_chains(theta, latent, acceptance);
}

template <class Sampler>
Rcpp::List normal_chains(const Rcpp::List& problem, const Rcpp::List& run, SEXP report) {
  const auto config = chain_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 2), latent = draw_storage(config, 3);
  const auto acceptance = noiseaware::run_normal<Sampler>(
      noiseaware_r::decode_normal(problem), config, draw_array(theta, config),
      draw_array(latent, config), RMonitor(report));
  return encode_chains(theta, latent, acceptance);
}

}  // namespace

//! Sums about the centre, nearest to the released ones.
// [[Rcpp::export(rng = false)]]
std::vector<double> naive_sums_cpp(Rcpp::List problem) {
  if (Rcpp::as<std::string>(problem["family"]) != "normal")
    return {noiseaware::naive_sum(noiseaware_r::decode_scalar(problem))};
  const auto sums = noiseaware::naive_sums(noiseaware_r::decode_normal(problem));
  return {sums.begin(), sums.end()};
}

//! Independent draws from a conjugate posterior; `law` has the members of a prior.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector conjugate_cpp(std::string family, Rcpp::List law, Rcpp::List run) {
  const auto config = independent_config(run);
  const bool is_normal = family == "normal";
  Rcpp::NumericVector theta = draw_storage(config, is_normal ? 2 : 1);
  if (is_normal)
    noiseaware::run_nig(noiseaware_r::decode_nig(law), config, draw_array(theta, config),
                        RMonitor(R_NilValue));
  else
    noiseaware::run_gamma(noiseaware_r::decode_gamma(law), config, draw_array(theta, config),
                          RMonitor(R_NilValue));
  return theta;
}

// [[Rcpp::export(rng = false)]]
Rcpp::List scalar_clt_cpp(Rcpp::List problem, Rcpp::List run) {
  const noiseaware::ScalarProblem decoded = noiseaware_r::decode_scalar(problem);
  const noiseaware::ScalarClt likelihood(decoded);
  return rate_grid(decoded, run, [&](double rate) { return likelihood.log_likelihood(rate); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List scalar_gibbs_cpp(Rcpp::List problem, Rcpp::List run, SEXP report) {
  const auto config = chain_config(run);
  Rcpp::NumericVector theta = draw_storage(config, 1), latent = draw_storage(config, 2);
  noiseaware::run_rate_gibbs(noiseaware_r::decode_scalar(problem), config,
                             draw_array(theta, config), draw_array(latent, config),
                             RMonitor(report));
  return Rcpp::List::create(Rcpp::Named("theta") = theta, Rcpp::Named("latent") = latent);
}

//! feasible = FALSE if the exact likelihood would take more than max_work.
// [[Rcpp::export(rng = false)]]
Rcpp::List scalar_exact_cpp(Rcpp::List problem, Rcpp::List run, double max_work) {
  const noiseaware::ScalarProblem decoded = noiseaware_r::decode_scalar(problem);
  if (decoded.family == noiseaware::ScalarFamily::poisson)
    return poisson_exact(decoded, run, max_work);
  const noiseaware::ExponentialExact likelihood(decoded);
  return rate_grid(decoded, run, [&](double rate) { return likelihood.log_likelihood(rate); });
}

//! Chains on latent records, for every family.
// [[Rcpp::export(rng = false)]]
Rcpp::List records_cpp(Rcpp::List problem, Rcpp::List run, SEXP report) {
  const std::string family = Rcpp::as<std::string>(problem["family"]);
  if (family == "normal")
    return normal_chains<noiseaware::RecordAugmentation<noiseaware::NormalRecords>>(problem, run,
                                                                                    report);
  const noiseaware::ScalarProblem decoded = noiseaware_r::decode_scalar(problem);
  return family == "poisson" ? rate_records<noiseaware::PoissonRecords>(decoded, run, report)
                             : rate_records<noiseaware::ExponentialRecords>(decoded, run, report);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List normal_clt_cpp(Rcpp::List problem, Rcpp::List run, SEXP report) {
  return normal_chains<noiseaware::NormalClt>(problem, run, report);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List normal_gibbs_cpp(Rcpp::List problem, Rcpp::List run, SEXP report) {
  return normal_chains<noiseaware::NormalGibbs>(problem, run, report);
}
