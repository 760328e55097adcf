// How R describes problems of sums: exponential, Poisson and normal models.
#ifndef NOISEAWARE_SRC_FAMILIES_GLUE_H
#define NOISEAWARE_SRC_FAMILIES_GLUE_H

#include "counts_glue.h"
//
#include <noiseaware/infer/expfam/grid_posterior.hpp>
#include <noiseaware/infer/expfam/normal_problem.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <string>
#include <vector>

namespace noiseaware_r {

//! `map`: lower, upper, and what records below and above them become.
inline noiseaware::RecordMap decode_map(const Rcpp::List& map) {
  return {map["lower"], map["upper"], map["below"], map["above"]};
}

//! `prior`: shape, rate.
inline noiseaware::GammaPrior decode_gamma(const Rcpp::List& prior) {
  return {prior["shape"], prior["rate"]};
}

//! `prior`: mean, precision, shape, rate.
inline noiseaware::NigPrior decode_nig(const Rcpp::List& prior) {
  return {prior["mean"], prior["precision"], prior["shape"], prior["rate"]};
}

//! `problem`: family ("exponential" or "poisson"), prior, map, centre, sums (a data
//! frame with one row: value, noise, scale, grid, terms) and size (as for counts).
inline noiseaware::ScalarProblem decode_scalar(const Rcpp::List& problem) {
  const Rcpp::List sums = problem["sums"];
  const bool is_poisson = Rcpp::as<std::string>(problem["family"]) == "poisson";
  noiseaware::ScalarProblem out;
  out.family =
      is_poisson ? noiseaware::ScalarFamily::poisson : noiseaware::ScalarFamily::exponential;
  out.prior = decode_gamma(problem["prior"]);
  out.map = decode_map(problem["map"]);
  out.centre = problem["centre"];
  out.value = Rcpp::as<std::vector<double>>(sums["value"]).at(0);
  out.noise = decode_noises(sums).at(0);
  out.size = decode_size(problem["size"]);
  return out;
}

//! `problem`: as for decode_scalar(), with a normal-inverse-gamma prior and two rows
//! of sums: of x and of x squared.
inline noiseaware::NormalProblem decode_normal(const Rcpp::List& problem) {
  const Rcpp::List sums = problem["sums"];
  const std::vector<double> values = Rcpp::as<std::vector<double>>(sums["value"]);
  const std::vector<noiseaware::NoiseDensity> noise = decode_noises(sums);
  noiseaware::NormalProblem out;
  out.prior = decode_nig(problem["prior"]);
  out.map = decode_map(problem["map"]);
  out.centre = problem["centre"];
  out.size = decode_size(problem["size"]);
  for (std::size_t j = 0; j < 2; ++j) {
    out.value[j] = values.at(j);
    out.noise[j] = noise.at(j);
  }
  return out;
}

//! Draws from a grid with the moments of the parameter, which are not those of the
//! draws.
inline Rcpp::List encode_grid(const noiseaware::GridPosterior& posterior,
                              const Rcpp::NumericVector& theta, const Rcpp::NumericVector& latent) {
  return Rcpp::List::create(
      Rcpp::Named("feasible") = true, Rcpp::Named("theta") = theta, Rcpp::Named("latent") = latent,
      Rcpp::Named("moments") = Rcpp::List::create(Rcpp::Named("mean") = posterior.mean(),
                                                  Rcpp::Named("sd") = posterior.sd()),
      Rcpp::Named("log_evidence") = posterior.log_evidence());
}

}  // namespace noiseaware_r

#endif
