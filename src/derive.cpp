// Glue for derived columns: public bounds, without any record.
#include "derive_glue.h"

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector derive_bounds_cpp(Rcpp::List program, Rcpp::NumericVector lower,
                                      Rcpp::NumericVector upper) {
  std::vector<noiseaware::PublicBounds> inputs;
  for (R_xlen_t i = 0; i < lower.size(); ++i) inputs.push_back({lower[i], upper[i]});
  const noiseaware::DerivedColumn column(noiseaware_r::derive_steps(program), inputs);
  return Rcpp::NumericVector::create(column.bounds().lower, column.bounds().upper);
}
