#pragma once

#include <catch.h>

#include <cmath>

// Approx() of Catch 1 allows 1e-5 (1 + |truth|) beside the margin it is given, and
// measures its epsilon from 1 + |truth|. These allow what they say.

namespace near {

//! |value - truth| < tolerance.
inline Approx within(double truth, double tolerance) {
  return Approx(truth).epsilon(0.0).margin(tolerance);
}

//! |value - truth| < tolerance |truth|.
inline Approx relative(double truth, double tolerance) {
  return within(truth, tolerance * std::abs(truth));
}

}  // namespace near
