// Kind and whole-number scales of the noise of a release.
#ifndef NOISEAWARE_SRC_NOISE_GLUE_H
#define NOISEAWARE_SRC_NOISE_GLUE_H

#include "convert.h"
//
#include <cstdint>
#include <noiseaware/noise/add_noise.hpp>
#include <noiseaware/wide/decimal.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace noiseaware_r {

//! An unknown name must not fall through to some other noise.
inline noiseaware::NoiseKind noise_kind(const std::string& name) {
  if (name == "gaussian") return noiseaware::NoiseKind::gaussian;
  if (name == "laplace") return noiseaware::NoiseKind::laplace;
  throw std::invalid_argument("unknown mechanism");
}

//! `x`: name of the mechanism, scales as decimal strings.
struct NoiseScales {
  explicit NoiseScales(const Rcpp::List& x) : kind(noise_kind(Rcpp::as<std::string>(x["name"]))) {
    for (const auto& text : strings(x["scales"])) {
      const noiseaware::u128 scale = noiseaware::parse_u128(text);
      if (scale > noiseaware::max_noise_scale) Rcpp::stop("noise scale out of range");
      scales.push_back(static_cast<std::uint64_t>(scale));
    }
  }
  noiseaware::NoiseKind kind;
  std::vector<std::uint64_t> scales;
};

}  // namespace noiseaware_r

#endif
