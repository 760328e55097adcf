// Glue for predictions of the exponential, Poisson and normal families.
#include <noiseaware/infer/expfam/replicate_families.hpp>

#include "families_glue.h"
#include "infer_glue.h"

using noiseaware::ExponentialOutcome;
using noiseaware::NormalOutcome;
using noiseaware::PoissonOutcome;

//! Sums of `size` new records, one per row of `theta` (draws x parameters).
// [[Rcpp::export(rng = false)]]
std::vector<double> simulate_totals_cpp(std::string family, Rcpp::NumericMatrix theta, double size,
                                        double seed) {
  const std::vector<double> draws(theta.begin(), theta.end());
  const auto stream = noiseaware_r::seed_of(seed);
  if (family == "normal") return noiseaware::simulate_totals<NormalOutcome>(draws, size, stream);
  if (family == "poisson") return noiseaware::simulate_totals<PoissonOutcome>(draws, size, stream);
  return noiseaware::simulate_totals<ExponentialOutcome>(draws, size, stream);
}

//! Replicated releases, draws x statistics; `problem` has family, map, centre, sums.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix replicate_sums_cpp(Rcpp::List problem, Rcpp::NumericMatrix theta,
                                       std::vector<double> sizes, double seed) {
  const std::vector<double> draws(theta.begin(), theta.end());
  const auto noise = noiseaware_r::decode_noises(problem["sums"]);
  const noiseaware::RecordMap map = noiseaware_r::decode_map(problem["map"]);
  const std::string family = Rcpp::as<std::string>(problem["family"]);
  const auto replicate = family == "normal"    ? noiseaware::replicate_sums<NormalOutcome>
                         : family == "poisson" ? noiseaware::replicate_sums<PoissonOutcome>
                                               : noiseaware::replicate_sums<ExponentialOutcome>;
  const std::vector<double> out =
      replicate(draws, sizes, map, problem["centre"], noise, noiseaware_r::seed_of(seed));
  return Rcpp::NumericMatrix(theta.nrow(), static_cast<int>(noise.size()), out.begin());
}
