// What the R side calls things: the only place that knows the keys of the lists
// R hands over.
#ifndef NOISEAWARE_SRC_CONVERT_H
#define NOISEAWARE_SRC_CONVERT_H

#include "rcpp_system.h"
//
#include <noiseaware/wide/wipe.hpp>
#include <string>
#include <vector>

namespace noiseaware_r {

inline std::vector<std::string> strings(SEXP x) { return Rcpp::as<std::vector<std::string>>(x); }

//! Whole numbers as decimal strings: R has no type that holds them.
template <class Integers>
Rcpp::CharacterVector decimals(const Integers& values) {
  Rcpp::CharacterVector out(static_cast<R_xlen_t>(values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    out[static_cast<R_xlen_t>(i)] = noiseaware::to_decimal(values[i]);
  return out;
}

inline noiseaware::SecretSums integers(SEXP x) {
  noiseaware::SecretSums out;
  for (const auto& text : strings(x)) out.push_back(noiseaware::parse_i128(text));
  return out;
}

}  // namespace noiseaware_r

#endif
