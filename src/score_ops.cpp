// Glue for baselines: uniform numbers of a seeded stream.
#include "infer_glue.h"
//
#include <noiseaware/rng/distributions.hpp>
#include <noiseaware/rng/streams.hpp>

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector uniform_draws_cpp(double n, double seed) {
  auto rng = noiseaware::make_stream(noiseaware_r::seed_of(seed), 0);
  Rcpp::NumericVector out(static_cast<R_xlen_t>(n));
  for (double& u : out) u = noiseaware::uniform_open(rng);
  return out;
}
