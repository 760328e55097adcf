// Glue for releases: exact sums, then the charge, then noise, in one call, so
// that no exact sum ever reaches R.
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/rng/os_entropy.hpp>

#include "ledger_glue.h"
#include "noise_glue.h"
#include "tally_glue.h"

using noiseaware::ExactAnswer;
using noiseaware_r::decimals;
using noiseaware_r::NoiseScales;

namespace {

std::vector<ExactAnswer> exact_answers(const Rcpp::List& plan, const Rcpp::List& source) {
  if (!source.containsElementNamed("sums"))
    return noiseaware_r::tally_batches(plan, Rcpp::Function(source["batches"]), source["cores"]);
  std::vector<ExactAnswer> out;
  out.emplace_back(noiseaware::parse_i128(Rcpp::as<std::string>(source["n"])),
                   noiseaware_r::integers(source["sums"]));
  return out;
}

noiseaware::i128 total_rows(const std::vector<ExactAnswer>& answers) {
  noiseaware::i128 total = 0;
  for (const ExactAnswer& answer : answers) total += answer.n();
  return total;
}

//! One source per group, so that simulated groups have streams of their own.
std::vector<noiseaware::i128> noisy(const ExactAnswer& answer, const NoiseScales& noise,
                                    const Rcpp::List& entropy, std::uint64_t group) {
  if (Rcpp::as<std::string>(entropy["source"]) == "os") {
    noiseaware::OsEntropy source;
    return noiseaware::add_noise(source, noise.kind, noise.scales, answer.sums());
  }
  const auto seed = static_cast<std::uint64_t>(Rcpp::as<double>(entropy["seed"]));
  noiseaware::ChaCha20Stream source(
      noiseaware::simulation_key(seed, Rcpp::as<std::string>(entropy["query"]), group));
  return noiseaware::add_noise(source, noise.kind, noise.scales, answer.sums());
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List answer_cpp(Rcpp::List plan, Rcpp::List source, Rcpp::List noise, Rcpp::List entropy) {
  const NoiseScales calibrated(noise);
  const auto exact = exact_answers(plan, source);
  const bool public_n = Rcpp::as<bool>(plan["public_n"]);
  if (public_n && total_rows(exact) == 0)
    return Rcpp::List::create(Rcpp::Named("status") = "no rows");
  Rcpp::List ledger = Rcpp::List::create(Rcpp::Named("status") = "charged");
  if (!Rf_isNull(entropy["charge"]))
    ledger = noiseaware_r::charge_ledger(Rcpp::List(entropy["charge"]));
  if (Rcpp::as<std::string>(ledger["status"]) != "charged") return ledger;
  const auto groups = static_cast<R_xlen_t>(exact.size());
  Rcpp::List values(groups), sizes(groups);
  try {
    for (R_xlen_t g = 0; g < groups; ++g) {
      const auto group = static_cast<std::size_t>(g);
      values[g] = decimals(noisy(exact[group], calibrated, entropy, group));
      sizes[g] = noiseaware::to_decimal(exact[group].n());
    }
  } catch (const std::exception&) {
    // The charge is on the disk by now, and nobody may be told otherwise.
    return Rcpp::List::create(Rcpp::Named("status") = "no noise");
  }
  return Rcpp::List::create(Rcpp::Named("status") = "charged", Rcpp::Named("ledger") = ledger,
                            Rcpp::Named("values") = values,
                            Rcpp::Named("n") = public_n ? SEXP(sizes) : R_NilValue);
}
