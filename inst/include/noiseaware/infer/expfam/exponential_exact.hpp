#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <noiseaware/infer/expfam/exponential_record.hpp>
#include <noiseaware/infer/expfam/scalar_problem.hpp>
#include <noiseaware/infer/expfam/size_window.hpp>
#include <noiseaware/infer/expfam/sum_tilt.hpp>
#include <noiseaware/infer/expfam/tilted_noise.hpp>
#include <noiseaware/math/log_pmf.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {
namespace detail {

//! The most terms that an inversion may have.
constexpr int kInversionTerms = 60000;

//! Tilted density of a noisy sum of mapped exponential records at z, in units of
//! its saddle point factor. Sums made of atoms only are taken out of the integral,
//! as their characteristic function does not fall, and added one by one.
class ExponentialInversion {
 public:
  ExponentialInversion(const ExponentialRecord& record, const SizeWindow& sizes,
                       const TiltedNoise& noise, const LimitTilts& limits, double z)
      : record_(record),
        sizes_(sizes),
        noise_(noise),
        limits_(limits),
        z_(z),
        sum_(saddle_point(record, sizes, noise, z)),
        phi_(record, sum_.t),
        polynomial_(sizes, sum_.record.log_mgf, sum_.size) {}

  double log_bound() const { return log_density_bound(sum_, noise_, z_); }

  double log_density() {
    const double variance = sum_.variance() + noise_.variance(sum_.t);
    const double height = 1.0 / std::sqrt(2.0 * kPi * variance);
    const auto invert = [&](double nats) {
      find_tolerance(height * std::exp(-nats));
      find_atoms();
      return density_part() + atom_part();
    };
    const double value = invert_accurately(invert, height, kInversionNats);
    if (!(value > 0.0)) return -std::numeric_limits<double>::infinity();
    return log_tilt_factor(sum_, noise_, z_) + std::log(value);
  }

 private:
  //! Where every |phi| is below `bound_`, what is left of the integral is below
  //! the error allowed.
  void find_tolerance(double error) {
    tolerance_ = error * kPi;
    bound_ = polynomial_.reaching(std::max(0.0, std::log(noise_.tail(sum_.t, 0.0) / tolerance_)));
  }

  //! Sizes at which all records may be atoms.
  void find_atoms() {
    const double share = phi_.atoms();
    atoms_ = SizePolynomial();
    if (share < bound_) return;
    double last = -1.0;
    polynomial_.visit([&](double n, double weight) {
      if (weight * std::pow(share, n) > std::exp(-kNegligibleNats)) last = n;
    });
    atoms_ = polynomial_.up_to(last);
  }

  double density_part() const {
    const bool laplace = noise_.is_laplace();
    const Period period(noise_, sum_, limits_, record_.low(), record_.high(), z_);
    const double h = 2.0 * kPi / period.length();
    double value = h / kPi * trapezoid(h);
    if (laplace) value -= period.aliases(limits_.low.size.log_total, limits_.high.size.log_total);
    if (laplace && !atoms_.empty())
      value += period.aliases(log_atoms(-noise_.limit()), log_atoms(noise_.limit()));
    return value;
  }

  double log_atoms(double t) const {
    return sizes_.log_total(record_.masses(t).log_atoms, atoms_.last());
  }

  //! Half the first term and all others until the rest is negligible.
  double trapezoid(double h) const {
    ExponentialCharacteristic::Walk walk(phi_, h);
    Rotation at_z(-z_, h);
    double sum = 0.0, search_from = 0.0;
    int next_check = 8;
    for (int k = 0; k < kInversionTerms; ++k) {
      const std::complex<double> atoms = walk.atoms(), phi = atoms + walk.density();
      const std::complex<double> factor =
          times(at_z.value(), noise_.characteristic(sum_.t, walk.w()));
      const double term = times(polynomial_(phi) - atoms_(atoms), factor).real();
      sum += k == 0 ? 0.5 * term : term;
      walk.advance();
      at_z.advance();
      if (k < next_check) continue;
      if (is_over(walk.w(), h, search_from)) break;
      next_check += 4 + next_check / 8;
    }
    return sum;
  }

  //! Whether the integral from w on is negligible: by a bound on the difference of
  //! phi^n and atoms^n, or because |phi| never rises above bound_ again.
  bool is_over(double w, double h, double& search_from) const {
    const double envelope = phi_.envelope(w), share = phi_.atoms();
    if (envelope * polynomial_.derivative_bound(share + envelope) * noise_.tail(sum_.t, w) <
        tolerance_)
      return true;
    if (share >= bound_ || w < search_from) return false;
    const double sd = std::sqrt(sum_.record.variance);
    const double end = phi_.reach(bound_ - share);
    search_from = stays_below([&](double x) { return phi_.modulus(x); }, bound_, sd, w, end, h);
    return search_from >= end;
  }

  //! Sum over the numbers of records at either atom.
  double atom_part() const {
    double sum = 0.0;
    atoms_.visit(
        [&](double n, double weight) { sum += weight * std::pow(phi_.atoms(), n) * atoms_of(n); });
    return sum;
  }

  //! Noise density averaged over Binomial(n, .) records at the rarer atom,
  //! outwards from the most probable number.
  double atoms_of(double n) const {
    const bool swap = phi_.mass().above > phi_.mass().below;
    const double rare = (swap ? phi_.mass().below : phi_.mass().above) / phi_.atoms();
    const double common_at = swap ? phi_.above() : phi_.below();
    const double step = (swap ? phi_.below() : phi_.above()) - common_at;
    const double origin = z_ - n * common_at;
    const auto noise_at = [&](double k) {
      return std::exp(noise_.log_density(sum_.t, origin - k * step));
    };
    if (rare == 0.0 || step == 0.0) return noise_at(0.0);
    const double mode = std::min(n, std::floor((n + 1.0) * rare)), odds = rare / (1.0 - rare);
    const double top = std::exp(log_binomial_pmf(mode, n, rare)), least = 1e-20 * top;
    double sum = top * noise_at(mode);
    double mass = top;
    for (double k = mode; k < n && mass > least; ++k)
      sum += (mass *= odds * (n - k) / (k + 1.0)) * noise_at(k + 1.0);
    mass = top;
    for (double k = mode; k > 0.0 && mass > least; --k)
      sum += (mass *= k / (odds * (n - k + 1.0))) * noise_at(k - 1.0);
    return sum;
  }

  static constexpr double kPi = 3.14159265358979323846;

  const ExponentialRecord& record_;
  const SizeWindow& sizes_;
  const TiltedNoise& noise_;
  const LimitTilts& limits_;
  double z_;
  SumTilt sum_;
  ExponentialCharacteristic phi_;
  SizePolynomial polynomial_, atoms_;
  double tolerance_ = 0.0;
  double bound_ = 0.0;
};

}  // namespace detail

//! Likelihood of the rate of exponential records given a noisy sum of the mapped
//! records, without approximation: their characteristic function is known in
//! closed form and is inverted numerically. Noise is Laplace or Gaussian and taken
//! as continuous; n is public or released with noise. The relative error is about
//! 1e-8 for all rates, however improbable the release; it grows to 1e-5 and more only
//! for a few records with Laplace noise below one percent of the bounds' distance.
class ExponentialExact {
 public:
  explicit ExponentialExact(const ScalarProblem& problem)
      : problem_(checked(problem)),
        noise_(
            NoiseDensity(problem.noise.law(), problem.noise.scale(), 0.0, problem.noise.terms())),
        sizes_(size_windows(problem.size)) {}

  double log_likelihood(double rate) const {
    detail::require_positive(rate, "rate");
    const ExponentialRecord record(rate, problem_.map, problem_.centre);
    return log_sum_density<detail::ExponentialInversion>(record, sizes_, noise_, problem_.value);
  }

 private:
  static const ScalarProblem& checked(const ScalarProblem& problem) {
    problem.check();
    if (problem.family != ScalarFamily::exponential)
      throw std::invalid_argument("the records must be exponential");
    return problem;
  }

  ScalarProblem problem_;
  TiltedNoise noise_;
  std::vector<SizeWindow> sizes_;
};

}  // namespace noiseaware
