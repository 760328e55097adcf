#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <noiseaware/infer/expfam/lattice_noise.hpp>
#include <noiseaware/infer/expfam/poisson_record.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/infer/expfam/size_window.hpp>
#include <noiseaware/infer/expfam/sum_tilt.hpp>
#include <noiseaware/infer/expfam/tilted_noise.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {
namespace detail {

//! Tilted density of a noisy sum of mapped Poisson records at z, in units of its
//! saddle point factor: Parseval's formula on the lattice of the sums.
class PoissonInversion {
 public:
  PoissonInversion(const PoissonRecord& record, const SizeWindow& sizes, const TiltedNoise& noise,
                   const LimitTilts& limits, double z)
      : record_(record),
        sizes_(sizes),
        noise_(noise),
        limits_(limits),
        z_(z),
        step_(record.lattice().step),
        sum_(saddle_point(record, sizes, noise, z)),
        phi_(record, sum_),
        polynomial_(sizes, sum_.record.log_mgf, sum_.size) {}

  double log_bound() const { return log_density_bound(sum_, noise_, z_); }

  double log_density() const {
    Period period(noise_, sum_, limits_, record_.low(), record_.high(), z_);
    // An odd number of points has no unpaired highest frequency.
    const double points = 2.0 * std::ceil(0.5 * period.length() / step_) + 1.0;
    period.set_length(points * step_);
    const double known = period.aliases(limits_.low.size.log_total, limits_.high.size.log_total);
    const double variance = sum_.variance() + noise_.variance(sum_.t);
    const double share = std::min(1.0, step_ / std::sqrt(2.0 * kPi * variance));
    const LatticeNoise noise(noise_, sum_.t, z_, origin(), step_);
    const auto invert = [&](double nats) {
      return transform(noise, points, polynomial_.reaching(nats - std::log(share))) - known;
    };
    const double value = invert_accurately(invert, share * noise(0.0, 1.0).real(), kInversionNats);
    if (!(value > 0.0)) return -std::numeric_limits<double>::infinity();
    return log_tilt_factor(sum_, noise_, z_) + std::log(value);
  }

 private:
  //! Sums of n records lie on low * n + step * k; where n varies, low is a multiple
  //! of the step.
  double origin() const { return sizes_.first() * record_.low(); }

  //! The sum ends early where every |phi| to come is below `bound`. Gaussian noise
  //! has no high frequencies: past 9.6 / sd they are exp(-46) of the first.
  double transform(const LatticeNoise& noise, double points, double bound) const {
    const double h = 2.0 * kPi / (points * step_);
    const double heard = noise_.is_laplace() ? points : std::ceil(9.6 / (noise_.scale() * h));
    const int last = static_cast<int>(std::min({0.5 * (points - 1.0), heard, 1e9}));
    double sum = noise(0.0, 1.0).real(), search_from = 0.0;
    int next_check = 8;
    for (int k = 1; k <= last; ++k) {
      const double w = h * k;
      const std::complex<double> root = std::polar(1.0, w * step_);
      const std::complex<double> phi = times(phi_(root), std::polar(1.0, w * record_.low()));
      sum += 2.0 * times(polynomial_(phi), noise(w, root)).real();
      if (k < next_check || w < search_from) continue;
      if (is_over(w, h, bound, search_from)) break;
      next_check = k + 4 + k / 8;
    }
    return sum / points;
  }

  bool is_over(double w, double h, double bound, double& search_from) const {
    const double end = kPi / step_, sd = std::sqrt(sum_.record.variance);
    const auto modulus = [&](double x) { return std::abs(phi_(std::polar(1.0, x * step_))); };
    search_from = stays_below(modulus, bound, sd, w, end, h);
    return search_from >= end;
  }

  static constexpr double kPi = 3.14159265358979323846;

  const PoissonRecord& record_;
  const SizeWindow& sizes_;
  const TiltedNoise& noise_;
  const LimitTilts& limits_;
  double z_, step_;
  SumTilt sum_;
  PoissonCharacteristic phi_;
  SizePolynomial polynomial_;
};

}  // namespace detail

//! Likelihood of the mean of Poisson records given a noisy sum of the mapped
//! records, without approximation. Mapped counts lie on a lattice, so that their
//! sum and the noise meet in a finite Fourier sum. Noise is Laplace or Gaussian,
//! continuous or on a grid that divides the lattice; n is public or released with
//! noise. The relative error is about 1e-8, everywhere but where one or two redacted
//! records can explain the release only by an event of probability below 1e-13.
class PoissonExact {
 public:
  //! Does nothing but measure where one value of the likelihood takes more than
  //! about `max_work` multiplications.
  PoissonExact(const ScalarProblem& problem, double max_work)
      : problem_(checked(problem)),
        noise_(problem.noise),
        sizes_(size_windows(problem.size)),
        lattice_(problem.map, problem.centre, !problem.size.is_known()) {
    if (lattice_.step == 0.0 || !grid_divides()) return;
    feasible_ = work() <= max_work;
    if (feasible_) check_value();
  }

  //! Whether likelihoods can be asked for.
  bool feasible() const { return feasible_; }

  //! Multiplications that one value of the likelihood takes, roughly: an inversion
  //! has some hundred terms.
  double work() const {
    double pieces = 0.0;
    for (const SizeWindow& window : sizes_) pieces += static_cast<double>(window.pieces().size());
    const double windows = static_cast<double>(sizes_.size());
    return 100.0 * (windows * static_cast<double>(lattice_.cells) + pieces);
  }

  double log_likelihood(double rate) const {
    detail::require_positive(rate, "rate");
    if (!feasible_) throw std::invalid_argument("the Poisson likelihood is not feasible");
    const PoissonRecord record(rate, lattice_);
    return log_sum_density<detail::PoissonInversion>(record, sizes_, noise_, problem_.value);
  }

 private:
  static const ScalarProblem& checked(const ScalarProblem& problem) {
    problem.check();
    if (problem.family != ScalarFamily::poisson)
      throw std::invalid_argument("the records must be Poisson counts");
    return problem;
  }

  //! A grid a thousand times finer than the scale cannot be told from none.
  bool coarse() const { return problem_.noise.grid() > 1e-3 * problem_.noise.scale(); }
  bool grid_divides() const {
    return !coarse() || detail::is_whole(lattice_.step / problem_.noise.grid());
  }

  void check_value() const {
    const double sum = sizes_[0].first() * lattice_.low;
    if (coarse() && !std::isfinite(problem_.noise.log_density(problem_.value - sum)))
      detail::no_count_fits();
  }

  ScalarProblem problem_;
  TiltedNoise noise_;
  std::vector<SizeWindow> sizes_;
  PoissonLattice lattice_;
  bool feasible_ = false;
};

}  // namespace noiseaware
