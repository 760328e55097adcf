#pragma once

#include <cmath>
#include <stdexcept>

namespace noiseaware {

//! The point next to the boundary between `no`, where a monotone condition fails,
//! and `yes`, where it holds. It lies on the side where the condition was seen to
//! hold, so rounding errors of the search itself are always on the safe side.
template <class Holds>
double bisect(double no, double yes, Holds holds) {
  for (;;) {
    const double middle = no + (yes - no) / 2.0;
    if (middle == no || middle == yes) return yes;
    (holds(middle) ? yes : no) = middle;
  }
}

//! The first of 1, 2, 4, ... at which the condition holds.
template <class Holds>
double double_until(Holds holds) {
  for (double x = 1.0; std::isfinite(x); x *= 2.0)
    if (holds(x)) return x;
  throw std::domain_error("no finite solution");
}

}  // namespace noiseaware
