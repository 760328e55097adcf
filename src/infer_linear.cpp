// Glue for linear regression: decode the problem, call the core, hand back draws.
#include <noiseaware/infer/linear/run_linear.hpp>
#include <noiseaware/infer/linear/run_linear_gibbs.hpp>

#include "infer_glue.h"
#include "linear_glue.h"

using noiseaware_r::draw_array;
using noiseaware_r::draw_storage;
using noiseaware_r::RMonitor;

namespace {

//! Memory for the draws of one run.
struct LinearStorage {
  Rcpp::NumericVector theta, statistics, conditional, nuts;
  noiseaware::LinearOutput output;

  LinearStorage(const noiseaware::LinearProblem& problem, const noiseaware::ChainConfig& config)
      : theta(draw_storage(config, count(noiseaware::LinearReport::size(problem)))),
        statistics(draw_storage(config, count((problem.q() + 1) * (problem.q() + 2) / 2))),
        conditional(draw_storage(config, count(2 * (problem.terms() + 1)))),
        nuts(draw_storage(config, noiseaware::NutsDraw::names.size())),
        output{draw_array(theta, config), draw_array(statistics, config),
               draw_array(conditional, config), draw_array(nuts, config)} {}

  Rcpp::List encode() const {
    return Rcpp::List::create(Rcpp::Named("theta") = theta, Rcpp::Named("statistics") = statistics,
                              Rcpp::Named("conditional") = conditional);
  }

  static std::size_t count(Eigen::Index size) { return static_cast<std::size_t>(size); }
};

}  // namespace

//! The exact posterior by the no-U-turn sampler on the latent statistics.
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_exact_cpp(Rcpp::List problem, Rcpp::List run, Rcpp::List options, SEXP report) {
  const noiseaware_r::DecodedLinear decoded = noiseaware_r::decode_linear(problem);
  const auto config = noiseaware_r::chain_config(run);
  LinearStorage storage(decoded.problem, config);
  const bool converged =
      noiseaware::run_linear(decoded.problem, decoded.scaling, noiseaware_r::decode_nuts(options),
                             config, storage.output, RMonitor(report));
  Rcpp::List out = storage.encode();
  out["nuts"] = storage.nuts;
  out["names"] =
      Rcpp::CharacterVector(noiseaware::NutsDraw::names.begin(), noiseaware::NutsDraw::names.end());
  out["mode_found"] = converged;
  return out;
}

//! Gibbs-SS; `moments` is "update" or "prior".
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_gibbs_cpp(Rcpp::List problem, std::string moments, Rcpp::List run, SEXP report) {
  const noiseaware_r::DecodedLinear decoded = noiseaware_r::decode_linear(problem);
  const auto config = noiseaware_r::chain_config(run);
  LinearStorage storage(decoded.problem, config);
  const auto fixed = noiseaware::LinearGibbs::prior_covariates(decoded.problem);
  const noiseaware::LinearGibbs sampler = moments == "prior"
                                              ? noiseaware::LinearGibbs(decoded.problem, fixed)
                                              : noiseaware::LinearGibbs(decoded.problem);
  const std::vector<long> repairs = noiseaware::run_linear_gibbs(
      decoded.problem, sampler, decoded.scaling, config, storage.output, RMonitor(report));
  Rcpp::List out = storage.encode();
  out["repairs"] = std::vector<double>(repairs.begin(), repairs.end());
  return out;
}

//! Independent draws given the moments at face value.
// [[Rcpp::export(rng = false)]]
Rcpp::List linear_conjugate_cpp(Rcpp::List problem, Rcpp::List run) {
  const noiseaware_r::DecodedLinear decoded = noiseaware_r::decode_linear(problem);
  const auto config = noiseaware_r::independent_config(run);
  LinearStorage storage(decoded.problem, config);
  const noiseaware::PlugInMoments plug_in = noiseaware::run_linear_conjugate(
      decoded.problem, decoded.scaling, config, storage.output, RMonitor(R_NilValue));
  Rcpp::List out = storage.encode();
  out["repaired"] = plug_in.repaired;
  return out;
}
