// Glue for the conversions between privacy notions.
#include "convert.h"
//
#include <noiseaware/noise/accountant.hpp>
#include <noiseaware/noise/discrete_gaussian_delta.hpp>
#include <noiseaware/noise/fine_grid.hpp>
#include <noiseaware/noise/pld.hpp>
#include <string>
#include <vector>

using noiseaware::PldKind;
using noiseaware::PldStep;

namespace {

double number(const Rcpp::List& x, const char* key) {
  return x.containsElementNamed(key) ? Rcpp::as<double>(x[key]) : 0.0;
}

PldKind pld_kind(const std::string& name) {
  if (name == "subsampled_gaussian") return PldKind::subsampled_gaussian;
  if (name == "laplace") return PldKind::laplace;
  if (name == "pure") return PldKind::pure;
  throw std::invalid_argument("kind must be subsampled_gaussian, laplace or pure");
}

//! The keys of pld_epsilon() in R/query-accountant.R.
PldStep pld_step(const Rcpp::List& x) {
  const double count = number(x, "count");
  if (!(count >= 1 && count <= 1e8)) throw std::invalid_argument("count must be from 1 to 1e8");
  return {pld_kind(Rcpp::as<std::string>(x["kind"])), static_cast<std::size_t>(count),
          number(x, "epsilon"), number(x, "sigma"), number(x, "rate")};
}

}  // namespace

// [[Rcpp::export(rng = false)]]
double gdp_delta_cpp(double epsilon, double mu) { return noiseaware::gdp_delta(epsilon, mu); }

// [[Rcpp::export(rng = false)]]
double gdp_epsilon_cpp(double delta, double mu) { return noiseaware::gdp_epsilon(delta, mu); }

// [[Rcpp::export(rng = false)]]
double gdp_mu_cpp(double epsilon, double delta) { return noiseaware::gdp_mu(epsilon, delta); }

// [[Rcpp::export(rng = false)]]
double analytic_gaussian_mu_cpp(double epsilon, double delta) {
  return noiseaware::analytic_gaussian_mu(epsilon, delta);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List fine_grid_budget_cpp(double epsilon, double delta, double dimension,
                                double smallest_scale) {
  const noiseaware::ApproximateBudget out =
      noiseaware::fine_grid_budget(epsilon, delta, dimension, smallest_scale);
  return Rcpp::List::create(Rcpp::Named("epsilon") = out.epsilon, Rcpp::Named("delta") = out.delta);
}

// [[Rcpp::export(rng = false)]]
double zcdp_delta_cpp(double rho, double epsilon) { return noiseaware::zcdp_delta(rho, epsilon); }

// [[Rcpp::export(rng = false)]]
double zcdp_epsilon_cpp(double rho, double delta) { return noiseaware::zcdp_epsilon(rho, delta); }

// [[Rcpp::export(rng = false)]]
double discrete_gaussian_delta_cpp(double variance, double shift, double epsilon) {
  return noiseaware::discrete_gaussian_delta(variance, shift, epsilon);
}

// [[Rcpp::export(rng = false)]]
double pld_epsilon_cpp(Rcpp::List steps, double delta) {
  std::vector<PldStep> decoded;
  for (const Rcpp::List step : steps) decoded.push_back(pld_step(step));
  return noiseaware::pld_epsilon(decoded, delta);
}
