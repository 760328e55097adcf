// Glue for tallies: decode the plan and the batches, call the core, hand back.
#include "tally_glue.h"

using noiseaware_r::decimals;

// [[Rcpp::export(rng = false)]]
Rcpp::List tally_cpp(Rcpp::List plan, Rcpp::Function next_batch, int cores) {
  const auto answers = noiseaware_r::tally_batches(plan, next_batch, cores);
  Rcpp::List out;
  for (const auto& answer : answers)
    out.push_back(Rcpp::List::create(Rcpp::Named("n") = noiseaware::to_decimal(answer.n()),
                                     Rcpp::Named("sums") = decimals(answer.sums())));
  return out;
}

// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector add_integers_cpp(Rcpp::CharacterVector x, Rcpp::CharacterVector y) {
  auto total = noiseaware_r::integers(x);
  const auto more = noiseaware_r::integers(y);
  if (total.size() != more.size()) Rcpp::stop("lengths differ");
  for (std::size_t i = 0; i < total.size(); ++i) total[i] += more[i];
  return decimals(total);
}
