#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/record_map.hpp>
#include <noiseaware/infer/expfam/region_moments.hpp>
#include <noiseaware/infer/expfam/sum_tilt.hpp>
#include <noiseaware/math/fft.hpp>
#include <noiseaware/math/log_pmf.hpp>
#include <noiseaware/math/special.hpp>
#include <vector>

namespace noiseaware {

//! The values a mapped Poisson record can take about the centre, as whole multiples
//! of `step` from `low` on. The sums of any n records lie on one lattice if low is a
//! multiple of the step.
struct PoissonLattice {
  double step = 0.0;  //!< 0 if there is no such step down to 1/8
  double low = 0.0;
  std::size_t cells = 0;
  double first = 0.0, last = -1.0;  //!< counts that are not changed
  std::size_t first_cell = 0, below_cell = 0, above_cell = 0;

  //! `common`: whether low must be a multiple of the step.
  PoissonLattice(const RecordMap& map, double centre, bool common)
      : first(std::max(std::ceil(map.lower), 0.0)), last(std::floor(map.upper)) {
    const double start = last >= first ? first : map.above;
    low = std::min({start, map.below, map.above});
    const double high = std::max({last >= first ? last : map.above, map.below, map.above});
    for (double size = 1.0; step == 0.0 && size >= 0.125; size *= 0.5)
      if (on_grid(start - low, size) && on_grid(map.below - low, size) &&
          on_grid(map.above - low, size) && (!common || on_grid(low - centre, size)))
        step = size;
    if (step == 0.0) return;
    cells = index(high - low) + 1;
    first_cell = index(start - low);
    below_cell = index(map.below - low);
    above_cell = index(map.above - low);
    low -= centre;
  }

  double high() const { return low + step * static_cast<double>(cells - 1); }
  double value(std::size_t cell) const { return low + step * static_cast<double>(cell); }
  std::size_t index(double distance) const {
    return static_cast<std::size_t>(std::nearbyint(distance / step));
  }

 private:
  static bool on_grid(double x, double size) {
    const double steps = x / size;
    return std::abs(steps - std::nearbyint(steps)) < 1e-9;
  }
};

//! A mapped Poisson record about the centre: log probabilities of the lattice.
class PoissonRecord {
 public:
  PoissonRecord(double rate, const PoissonLattice& lattice)
      : lattice_(lattice), log_mass_(lattice.cells, -std::numeric_limits<double>::infinity()) {
    const auto stride = static_cast<std::size_t>(1.0 / lattice.step);
    const double log_rate = std::log(rate);
    double mass = 0.0;
    std::size_t cell = lattice.first_cell;
    for (double k = lattice.first; k <= lattice.last; ++k, cell += stride) {
      // Neighbours differ by log(rate / k); every 64th is computed afresh.
      const auto i = static_cast<std::size_t>(k - lattice.first);
      mass = i % 64 == 0 ? log_poisson_pmf(k, rate) : mass + log_rate - std::log(k);
      log_mass_[cell] = mass;
    }
    if (lattice.first > 0.0)
      add(lattice.below_cell, poisson_region(rate, 0.0, lattice.first - 1.0).log_q);
    const double beyond = std::max(lattice.last + 1.0, lattice.first);
    add(lattice.above_cell,
        poisson_region(rate, beyond, std::numeric_limits<double>::infinity()).log_q);
  }

  const PoissonLattice& lattice() const { return lattice_; }
  double low() const { return lattice_.low; }
  double high() const { return lattice_.high(); }

  RecordTilt tilt(double t) const {
    const double top = highest(t);
    double s0 = 0.0, s1 = 0.0, s2 = 0.0;
    for (std::size_t i = 0; i < log_mass_.size(); ++i) {
      const double w = std::exp(log_mass_[i] + t * lattice_.value(i) - top);
      const double d = static_cast<double>(i);
      s0 += w;
      s1 += w * d;
      s2 += w * d * d;
    }
    const double mean = s1 / s0, step = lattice_.step;
    return {top + std::log(s0), lattice_.low + step * mean,
            step * step * std::max(0.0, s2 / s0 - mean * mean)};
  }

  //! Probabilities of the cells under the tilt t.
  std::vector<double> masses(double t, double log_mgf) const {
    std::vector<double> out(log_mass_.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = std::exp(log_mass_[i] + t * lattice_.value(i) - log_mgf);
    return out;
  }

 private:
  void add(std::size_t cell, double log_mass) {
    log_mass_[cell] = log_sum_exp(log_mass_[cell], log_mass);
  }

  double highest(double t) const {
    double top = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < log_mass_.size(); ++i)
      top = std::max(top, log_mass_[i] + t * lattice_.value(i));
    return top;
  }

  const PoissonLattice& lattice_;
  std::vector<double> log_mass_;
};

//! Characteristic function of a tilted Poisson record, by Horner's rule over the
//! cells that are not negligible.
class PoissonCharacteristic {
 public:
  PoissonCharacteristic(const PoissonRecord& record, const SumTilt& tilt)
      : mass_(record.masses(tilt.t, tilt.record.log_mgf)) {
    const auto matters = [](double m) { return m > 1e-20; };
    const auto begin = std::find_if(mass_.begin(), mass_.end(), matters);
    first_ = begin - mass_.begin();
    last_ = std::find_if(mass_.rbegin(), mass_.rend(), matters).base() - mass_.begin();
  }

  //! E root^cell for root = exp(i w step), as a power of the first cell and the rest.
  std::complex<double> operator()(std::complex<double> root) const {
    std::complex<double> sum = 0.0;
    for (std::ptrdiff_t i = last_; i-- > first_;)
      sum = detail::times(sum, root) + mass_[static_cast<std::size_t>(i)];
    return detail::times(sum, power(root, static_cast<std::size_t>(first_)));
  }

 private:
  std::vector<double> mass_;
  std::ptrdiff_t first_, last_;
};

}  // namespace noiseaware
