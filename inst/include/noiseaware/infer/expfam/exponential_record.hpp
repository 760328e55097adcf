#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/infer/expfam/region_moments.hpp>
#include <noiseaware/infer/expfam/sum_tilt.hpp>
#include <noiseaware/math/fft.hpp>
#include <noiseaware/math/special.hpp>

namespace noiseaware {
namespace detail {

//! exp(i w y) for w = 0, h, 2h, ... by multiplication; every 512th is computed
//! afresh so that rounding errors do not add up.
class Rotation {
 public:
  Rotation(double y, double h) : angle_(y * h), step_(std::polar(1.0, angle_)), now_(1.0, 0.0) {}

  std::complex<double> value() const { return now_; }

  void advance() {
    ++k_;
    now_ = k_ % 512 == 0 ? std::polar(1.0, angle_ * k_) : times(now_, step_);
  }

 private:
  double angle_;
  std::complex<double> step_, now_;
  int k_ = 0;
};

//! (1 - exp(-x)) / x for complex x near 0.
inline std::complex<double> mean_exponential(std::complex<double> x) {
  std::complex<double> sum = 1.0;
  for (int k = 12; k >= 2; --k) sum = 1.0 - times(x, sum) / static_cast<double>(k);
  return sum;
}

}  // namespace detail

//! A mapped exponential record about the centre: atoms where records outside the
//! bounds go, and a density in between.
class ExponentialRecord {
 public:
  ExponentialRecord(double rate, const RecordMap& map, double centre)
      : rate_(rate),
        lower_(std::max(map.lower, 0.0)),
        length_(map.upper - lower_),
        start_(lower_ - centre),
        below_(map.below - centre),
        above_(map.above - centre),
        log_below_(lower_ > 0.0 ? log1m_exp(rate * lower_)
                                : -std::numeric_limits<double>::infinity()),
        log_above_(-rate * map.upper) {}

  //! Ends of the range of the record.
  double low() const { return std::min({start_, below_, above_}); }
  double high() const { return std::max({start_ + length_, below_, above_}); }
  double below() const { return below_; }
  double above() const { return above_; }
  double start() const { return start_; }
  double length() const { return length_; }

  RecordTilt tilt(double t) const {
    const Masses mass = masses(t);
    const double rate_length = (rate_ - t) * length_;
    const detail::ExponentialPiece piece = detail::exponential_piece(std::abs(rate_length));
    // A density that increases is one that decreases, mirrored.
    const double inside = start_ + length_ * (rate_length < 0.0 ? 1.0 - piece.mean : piece.mean);
    const double p[3] = {mass.below, mass.inside, mass.above}, x[3] = {below_, inside, above_};
    RecordTilt out{mass.log_total, p[0] * x[0] + p[1] * x[1] + p[2] * x[2],
                   p[1] * length_ * length_ * piece.var};
    for (int r = 0; r < 3; ++r) out.variance += p[r] * (x[r] - out.mean) * (x[r] - out.mean);
    return out;
  }

  //! Shares of the regions under the tilt t; log of the moment generating function
  //! of the record, and of its atoms alone.
  struct Masses {
    double below, inside, above, log_total, log_atoms;
  };

  Masses masses(double t) const {
    const double b = log_below_ + t * below_, a = log_above_ + t * above_;
    const double u = (rate_ - t) * length_;
    const double end = u < 0.0 ? start_ + length_ : start_;
    const double c = std::log(rate_ * length_) - rate_ * (end - start_ + lower_) + t * end +
                     log_mean_exponential(std::abs(u));
    const double atoms = log_sum_exp(a, b), total = log_sum_exp(atoms, c);
    return {std::exp(b - total), std::exp(c - total), std::exp(a - total), total, atoms};
  }

  double rate() const { return rate_; }

 private:
  static double log_mean_exponential(double u) {
    return u < 1e-8 ? -0.5 * u : log1m_exp(u) - std::log(u);
  }

  double rate_;
  double lower_, length_;
  double start_, below_, above_;
  double log_below_, log_above_;
};

//! Characteristic function of a tilted exponential record at w = 0, h, 2h, ...
//! and, for the search for a revival, anywhere.
class ExponentialCharacteristic {
 public:
  ExponentialCharacteristic(const ExponentialRecord& record, double t)
      : mass_(record.masses(t)),
        u_((record.rate() - t) * record.length()),
        length_(record.length()),
        first_(u_ < 0.0 ? record.start() + length_ : record.start()),
        second_(u_ < 0.0 ? record.start() : record.start() + length_),
        below_(record.below()),
        above_(record.above()),
        fall_(std::exp(-std::abs(u_))),
        scale_(mass_.inside / mean_factor()) {}

  const ExponentialRecord::Masses& mass() const { return mass_; }
  double below() const { return below_; }
  double above() const { return above_; }
  double atoms() const { return mass_.below + mass_.above; }

  //! At least the modulus of the density's part from w on.
  double envelope(double w) const { return scale_ * (1.0 + fall_) / std::hypot(u_, w * length_); }

  //! The w from which on the envelope is at most `height`.
  double reach(double height) const {
    const double distance = scale_ * (1.0 + fall_) / height;
    return std::sqrt(std::max(0.0, distance * distance - u_ * u_)) / length_;
  }

  double modulus(double w) const {
    return std::abs(std::polar(mass_.below, w * below_) + std::polar(mass_.above, w * above_) +
                    density_part(w, std::polar(1.0, w * first_), std::polar(1.0, w * second_)));
  }

  //! Values in order of w.
  class Walk {
   public:
    Walk(const ExponentialCharacteristic& phi, double h)
        : phi_(phi),
          h_(h),
          first_(phi.first_, h),
          second_(phi.second_, h),
          below_(phi.below_, h),
          above_(phi.above_, h) {}

    double w() const { return h_ * k_; }
    std::complex<double> atoms() const {
      return phi_.mass_.below * below_.value() + phi_.mass_.above * above_.value();
    }
    std::complex<double> density() const {
      return phi_.density_part(w(), first_.value(), second_.value());
    }
    void advance() {
      ++k_;
      first_.advance();
      second_.advance();
      below_.advance();
      above_.advance();
    }

   private:
    const ExponentialCharacteristic& phi_;
    double h_;
    detail::Rotation first_, second_, below_, above_;
    int k_ = 0;
  };

 private:
  double mean_factor() const {
    const double u = std::abs(u_);
    return u < 1e-8 ? 1.0 - 0.5 * u : -std::expm1(-u) / u;
  }

  //! The density falls away from the end `first` at the rate |u| per length:
  //!   (exp(i w first) - exp(-|u|) exp(i w second)) / (|u| -+ i w length).
  std::complex<double> density_part(double w, std::complex<double> at_first,
                                    std::complex<double> at_second) const {
    const double v = u_ < 0.0 ? w * length_ : -w * length_;
    const std::complex<double> x(std::abs(u_), v);
    const double square = std::norm(x);
    if (square < 0.04) return scale_ * detail::times(at_first, detail::mean_exponential(x));
    const std::complex<double> top = at_first - fall_ * at_second;
    return (scale_ / square) * detail::times(top, std::conj(x));
  }

  ExponentialRecord::Masses mass_;
  double u_, length_;
  double first_, second_;
  double below_, above_;
  double fall_;
  double scale_;
};

}  // namespace noiseaware
