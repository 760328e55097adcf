#pragma once

#include <cmath>
#include <complex>
#include <limits>
#include <noiseaware/infer/expfam/noise_density.hpp>
#include <noiseaware/math/special.hpp>
#include <stdexcept>

namespace noiseaware {

//! Laplace or Gaussian noise under exponential tilting: its moment generating
//! function as if it were continuous, times the density at 0 it really has (on a
//! grid that is a probability).
class TiltedNoise {
 public:
  explicit TiltedNoise(const NoiseDensity& noise)
      : laplace_(noise.law() == NoiseLaw::laplace),
        scale_(noise.scale()),
        log_peak_(noise.log_peak()) {
    if (noise.exact() || noise.terms() > 1)
      throw std::invalid_argument("the noise of a released sum must be Laplace or Gaussian");
  }

  bool is_laplace() const { return laplace_; }
  double scale() const { return scale_; }
  double log_peak() const { return log_peak_; }

  //! Tilts t with |t| < limit() are possible.
  double limit() const { return laplace_ ? 1.0 / scale_ : std::numeric_limits<double>::infinity(); }

  //! log of the integral of f(r) exp(t r).
  double log_mgf(double t) const {
    const double x = scale_ * t;
    if (laplace_) return log_peak_ + std::log(2.0 * scale_) - std::log((1.0 - x) * (1.0 + x));
    return log_peak_ + detail::kLogSqrt2Pi + std::log(scale_) + 0.5 * x * x;
  }

  //! Mean and variance of the tilted noise.
  double mean(double t) const {
    const double x = scale_ * t;
    return laplace_ ? 2.0 * scale_ * x / ((1.0 - x) * (1.0 + x)) : scale_ * x;
  }
  double variance(double t) const {
    if (!laplace_) return scale_ * scale_;
    const double x = scale_ * t, rest = (1.0 - x) * (1.0 + x);
    return 2.0 * scale_ * scale_ * (1.0 + x * x) / (rest * rest);
  }

  //! Characteristic function of the tilted noise.
  std::complex<double> characteristic(double t, double w) const {
    const double x = scale_ * t, y = scale_ * w;
    if (!laplace_) return std::polar(std::exp(-0.5 * y * y), x * y);
    const double rest = (1.0 - x) * (1.0 + x), re = rest + y * y, im = -2.0 * x * y;
    const double factor = rest / (re * re + im * im);
    return {factor * re, -factor * im};
  }

  //! Density of the tilted noise.
  double log_density(double t, double r) const {
    const double u = std::abs(r) / scale_;
    return log_peak_ - (laplace_ ? u : 0.5 * u * u) + t * r - log_mgf(t);
  }

  //! log of the largest value of f(r) exp(t r).
  double log_peak_of_tilted(double t) const {
    const double x = scale_ * t;
    return laplace_ ? log_peak_ : log_peak_ + 0.5 * x * x;
  }

  //! At least the integral over (w, Inf) of |characteristic(t, .)|.
  double tail(double t, double w) const {
    const double x = scale_ * t, y = scale_ * w;
    if (laplace_) {
      const double rest = (1.0 - x) * (1.0 + x), whole = half_pi * std::sqrt(rest);
      return (y * whole > rest ? rest / y : whole) / scale_;
    }
    return std::sqrt(half_pi) / scale_ * std::exp(-0.5 * y * y);
  }

 private:
  static constexpr double half_pi = 1.57079632679489661923;

  bool laplace_;
  double scale_;
  double log_peak_;
};

}  // namespace noiseaware
