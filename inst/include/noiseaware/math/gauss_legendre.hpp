#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace noiseaware {

//! Gauss-Legendre rule of 64 points on [-1, 1]: exact for polynomials up to degree
//! 127. Points ascend.
class GaussLegendre64 {
 public:
  static constexpr std::size_t size = 64;

  //! The rule, computed at first use; the language makes that safe among threads.
  static const GaussLegendre64& rule() {
    static const GaussLegendre64 instance;
    return instance;
  }

  double node(std::size_t i) const { return nodes_[i]; }
  double weight(std::size_t i) const { return weights_[i]; }

 private:
  //! A Legendre polynomial and its derivative at one point.
  struct Legendre {
    double value, slope;
  };

  //! Three-term recurrence (Abramowitz and Stegun, 8.5.3) and 8.5.4 for the slope.
  static Legendre legendre(double x) {
    double before = 1.0, value = x;
    for (std::size_t k = 2; k <= size; ++k) {
      const double degree = static_cast<double>(k);
      const double next = ((2.0 * degree - 1.0) * x * value - (degree - 1.0) * before) / degree;
      before = value;
      value = next;
    }
    return {value, static_cast<double>(size) * (before - x * value) / (1.0 - x * x)};
  }

  //! Newton's method from the cosine guess reaches machine precision in a few
  //! steps; Abramowitz and Stegun, 25.4.29, gives the weight.
  GaussLegendre64() {
    for (std::size_t i = 0; i < size / 2; ++i) {
      double x = std::cos(3.14159265358979323846 * (static_cast<double>(i) + 0.75) / (size + 0.5));
      for (int step = 0; step < 8; ++step) {
        const Legendre at = legendre(x);
        x -= at.value / at.slope;
      }
      const double slope = legendre(x).slope;
      nodes_[i] = -x;
      nodes_[size - 1 - i] = x;
      weights_[i] = weights_[size - 1 - i] = 2.0 / ((1.0 - x * x) * slope * slope);
    }
  }

  std::array<double, size> nodes_{};
  std::array<double, size> weights_{};
};

}  // namespace noiseaware
