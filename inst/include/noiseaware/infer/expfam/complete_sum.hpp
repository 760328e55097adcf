#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/expfam/normal_laplace.hpp>
#include <noiseaware/infer/expfam/record_moments.hpp>

namespace noiseaware {

//! Draws the sum of n records given that of their mapped values, which lies
//! `deviation` away from its mean, by the central limit theorem: both sums are
//! jointly normal. The sum is not negative.
template <class Rng>
double draw_complete_sum(Rng& rng, const ScalarMoments& record, double n, double deviation) {
  const double slope = record.vh > 0.0 ? record.c / record.vh : 0.0;
  const double variance = n * std::max(0.0, record.v - slope * record.c);
  return normal_within(rng, n * record.mu + slope * deviation, std::sqrt(variance), 0.0,
                       std::numeric_limits<double>::infinity());
}

}  // namespace noiseaware
