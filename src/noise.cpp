// Glue for calibration, for the samplers as tests see them, and for whole numbers
// that R cannot hold. Whole numbers travel as decimal strings.
#include "convert.h"
//
#include <noiseaware/hash/sha256.hpp>
#include <noiseaware/noise/calibrate.hpp>
#include <noiseaware/noise/compose.hpp>
#include <noiseaware/noise/discrete_gaussian.hpp>
#include <noiseaware/noise/discrete_laplace.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/wide/decimal.hpp>
#include <string>
#include <vector>

using noiseaware::parse_u128;
using noiseaware::to_decimal;
using noiseaware::u128;

namespace {

std::vector<u128> unsigned_integers(const Rcpp::CharacterVector& x) {
  std::vector<u128> out;
  for (const auto& text : noiseaware_r::strings(x)) out.push_back(parse_u128(text));
  return out;
}

std::vector<std::string> unsigned_decimals(const std::vector<u128>& values) {
  std::vector<std::string> out;
  for (const u128 value : values) out.push_back(to_decimal(value));
  return out;
}

//! An integer below 2^64 from its decimal.
std::uint64_t word(const std::string& text) {
  const u128 value = parse_u128(text);
  if (value >> 64 != 0) throw std::invalid_argument("integer must be below 2^64");
  return static_cast<std::uint64_t>(value);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
std::vector<std::string> laplace_scales_cpp(std::string l1_num, std::string l1_den,
                                            std::string epsilon_units,
                                            Rcpp::CharacterVector weights) {
  return unsigned_decimals(noiseaware::laplace_scales(parse_u128(l1_num), parse_u128(l1_den),
                                                      parse_u128(epsilon_units),
                                                      unsigned_integers(weights)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List gaussian_scales_cpp(std::string l2_squared_num, std::string l2_squared_den,
                               std::string mu2_units, Rcpp::CharacterVector weights) {
  const noiseaware::GaussianScales out =
      noiseaware::gaussian_scales(parse_u128(l2_squared_num), parse_u128(l2_squared_den),
                                  parse_u128(mu2_units), unsigned_integers(weights));
  return Rcpp::List::create(Rcpp::Named("scales") = unsigned_decimals(out.scales),
                            Rcpp::Named("mu_actual") = out.mu_actual);
}

// Draws of the raw simulation stream: for tests, never for a release.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector noise_sample_cpp(Rcpp::List noise, int n, std::string seed) {
  const std::string name = noise["name"];
  if (name != "laplace" && name != "gaussian") Rcpp::stop("noise must be laplace or gaussian");
  const std::uint64_t scale = word(noise["scale"]);
  const std::uint64_t divisor =
      noise.containsElementNamed("divisor") ? word(noise["divisor"]) : std::uint64_t{1};
  noiseaware::ChaCha20Stream source(noiseaware::simulation_key(word(seed)));
  std::vector<noiseaware::i128> draws;
  for (int i = 0; i < n; ++i)
    draws.push_back(name == "laplace" ? noiseaware::discrete_laplace(source, scale, divisor)
                                      : noiseaware::discrete_gaussian(source, scale));
  return noiseaware_r::decimals(draws);
}

// [[Rcpp::export(rng = false)]]
std::string sha256_hex_cpp(std::string text) { return noiseaware::Sha256::hex(text); }

// [[Rcpp::export(rng = false)]]
std::string units_from_decimal_cpp(std::string decimal) {
  return to_decimal(noiseaware::units_from_decimal(decimal));
}

// [[Rcpp::export(rng = false)]]
std::string decimal_from_units_cpp(std::string units) {
  return noiseaware::decimal_from_units(parse_u128(units));
}

// [[Rcpp::export(rng = false)]]
std::string units_add_cpp(Rcpp::CharacterVector units) {
  return to_decimal(noiseaware::compose_sequential(unsigned_integers(units)));
}

// [[Rcpp::export(rng = false)]]
std::string units_square_cpp(std::string units) {
  return to_decimal(noiseaware::square_units(parse_u128(units)));
}

// [[Rcpp::export(rng = false)]]
std::string units_parallel_cpp(Rcpp::CharacterVector add_remove,
                               Rcpp::Nullable<Rcpp::CharacterVector> replace_one) {
  const std::vector<u128> between = unsigned_integers(add_remove);
  if (replace_one.isNull()) return to_decimal(noiseaware::compose_parallel_add_remove(between));
  const std::vector<u128> within = unsigned_integers(Rcpp::CharacterVector(replace_one));
  return to_decimal(noiseaware::compose_parallel_replace_one(within, between));
}
