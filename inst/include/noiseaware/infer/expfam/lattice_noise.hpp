#pragma once

#include <cmath>
#include <complex>
#include <noiseaware/infer/expfam/tilted_noise.hpp>
#include <noiseaware/math/fft.hpp>

namespace noiseaware {

//! Fourier sum of tilted noise over a lattice of sums s = origin + step * k,
//!   sum_s f(z - s) exp(-i w s) with f the tilted density,
//! in closed form: geometric series for Laplace noise; for Gaussian noise a few
//! terms of it or, where the noise is wider than a step, of its Poisson sum.
class LatticeNoise {
 public:
  LatticeNoise(const TiltedNoise& noise, double t, double z, double origin, double step)
      : noise_(noise), t_(t), z_(z), origin_(origin), step_(step) {
    nearest_ = origin + step * std::floor((z - origin) / step);
    const double d = z - nearest_;
    if (!noise.is_laplace()) return;
    const double log_scale = noise.log_peak() - noise.log_mgf(t), rate = noise.limit();
    left_ = std::exp(log_scale - d * (rate - t));
    right_ = std::exp(log_scale - (step - d) * (rate + t));
    left_rest_ = -std::expm1(-step * (rate - t));
    right_rest_ = -std::expm1(-step * (rate + t));
  }

  //! `root` is exp(i w step).
  std::complex<double> operator()(double w, std::complex<double> root) const {
    if (!noise_.is_laplace()) return gaussian(w);
    // 1 - ratio * root without cancellation: both are next to 1 where the noise is wide.
    const double half = std::sin(0.5 * w * step_);
    const std::complex<double> turn(2.0 * half * half, -root.imag());
    const std::complex<double> left = left_rest_ + (1.0 - left_rest_) * turn;
    const std::complex<double> right = right_rest_ + (1.0 - right_rest_) * std::conj(turn);
    return detail::times(std::polar(1.0, -w * nearest_),
                         left_ / left + right_ * std::conj(root) / right);
  }

 private:
  std::complex<double> gaussian(double w) const {
    return noise_.scale() > step_ ? gaussian_dual(w) : gaussian_direct(w);
  }

  std::complex<double> gaussian_direct(double w) const {
    const double middle = z_ - noise_.mean(t_), reach = 10.0 * noise_.scale();
    const double lo = std::floor((middle - reach - origin_) / step_);
    const double hi = std::ceil((middle + reach - origin_) / step_);
    std::complex<double> sum = 0.0;
    for (double k = lo; k <= hi; ++k) {
      const double s = origin_ + step_ * k;
      sum += std::polar(std::exp(noise_.log_density(t_, z_ - s)), -w * s);
    }
    return sum;
  }

  //! (1/step) sum_m exp(-i w z - i v (z - origin)) f^(w + v), v = 2 pi m / step.
  std::complex<double> gaussian_dual(double w) const {
    std::complex<double> sum = 0.0;
    for (int m = -2; m <= 2; ++m) {
      const double v = 2.0 * 3.14159265358979323846 * m / step_;
      const std::complex<double> turn = std::polar(1.0, -w * z_ - v * (z_ - origin_));
      sum += detail::times(turn, noise_.characteristic(t_, w + v));
    }
    return sum / step_;
  }

  const TiltedNoise& noise_;
  double t_, z_, origin_, step_;
  double nearest_ = 0.0;
  double left_ = 0.0, right_ = 0.0, left_rest_ = 0.0, right_rest_ = 0.0;
};

}  // namespace noiseaware
