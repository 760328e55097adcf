#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <noiseaware/rng/discrete.hpp>
#include <noiseaware/rng/distributions.hpp>
#include <vector>

// Parameters from a prior and records from a model, for simulation studies.

namespace noiseaware {
namespace detail {

template <class Draw>
std::vector<double> repeat_draw(std::size_t count, Draw&& draw) {
  std::vector<double> out(count);
  for (double& x : out) x = draw();
  return out;
}

}  // namespace detail

//! Codes 0, 1, ... of `count` records whose levels have the given weights.
template <class Rng>
std::vector<double> draw_codes(Rng& rng, const std::vector<double>& weights, std::size_t count) {
  const Categorical level(weights);
  return detail::repeat_draw(count, [&] { return static_cast<double>(level(rng)); });
}

template <class Rng>
std::vector<double> draw_exponentials(Rng& rng, double rate, std::size_t count) {
  detail::require_positive(rate, "exponential rate");
  return detail::repeat_draw(count, [&] { return exponential1(rng) / rate; });
}

template <class Rng>
std::vector<double> draw_poissons(Rng& rng, double mean, std::size_t count) {
  return detail::repeat_draw(count, [&] { return static_cast<double>(poisson(rng, mean)); });
}

template <class Rng>
std::vector<double> draw_normals(Rng& rng, double mean, double sd, std::size_t count) {
  detail::require_finite(mean, "normal mean");
  detail::require_positive(sd, "normal sd");
  return detail::repeat_draw(count, [&] { return mean + sd * normal01(rng); });
}

template <class Rng>
std::vector<double> draw_gammas(Rng& rng, double shape, double rate, std::size_t count) {
  return detail::repeat_draw(count, [&] { return gamma(rng, shape, rate); });
}

//! Mean and standard deviation of a normal-inverse-gamma prior: sd^2 is inverse
//! gamma (shape, rate), mean given sd is normal (location, sd^2 / precision).
struct MeanSd {
  double mean, sd;
};

template <class Rng>
MeanSd draw_normal_inverse_gamma(Rng& rng, double location, double precision, double shape,
                                 double rate) {
  detail::require_finite(location, "location");
  detail::require_positive(precision, "precision");
  const double sd = std::sqrt(inverse_gamma(rng, shape, rate));
  return {location + sd / std::sqrt(precision) * normal01(rng), sd};
}

}  // namespace noiseaware
