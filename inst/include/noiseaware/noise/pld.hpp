#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <noiseaware/math/fft.hpp>
#include <noiseaware/noise/accountant.hpp>
#include <noiseaware/noise/pld_pairs.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

namespace noiseaware {

// Privacy loss distributions on a grid, composed by Fourier transform. Everything
// is rounded towards more loss: the epsilon is an upper bound, up to what is
// charged for floating point. Koskela, Jaelkoe and Honkela (2020); Doroshenko et al.
// (2022), "Connect the dots". For reports and for runs planned in advance; a ledger
// that chooses queries adaptively adds epsilon or rho instead.

namespace detail {

//! Probability of the loss being i * step, for i = lowest, lowest + 1, ...
struct LossGrid {
  double step;
  long lowest;
  std::vector<double> mass;
  double infinity;  //!< probability of an unbounded loss, charged to delta
};

//! The masses of P and Q by cells (i, i + 1] of the loss and outside the cells.
struct LossCells {
  double step;
  long first;
  std::vector<double> p, q;
  double p_below, q_below, p_above, q_above;
};

constexpr std::size_t max_grid = std::size_t{1} << 24;

//! The masses of P and Q between two positions.
template <class Pair>
std::pair<double, double> masses(const Pair& pair, double from, double to) {
  if (!(from < to)) return {0.0, 0.0};
  return {pair.p(from, to), pair.q(from, to)};
}

template <class Pair>
LossCells loss_cells(const Pair& pair, double step) {
  // One cell more on each side: an atom at the end of the range must be inside.
  const double first = std::floor(pair.lowest() / step) - 1.0;
  const double last = std::ceil(pair.highest() / step) + 1.0;
  if (!(last - first < static_cast<double>(max_grid)))
    throw std::domain_error("the privacy loss is spread too widely for its grid");
  LossCells out{};
  out.step = step;
  out.first = static_cast<long>(first);
  double from = pair.position(first * step);
  std::tie(out.p_below, out.q_below) = masses(pair, -infinite, from);
  for (double i = first; i < last; i += 1.0) {
    const double to = pair.position((i + 1.0) * step);
    const std::pair<double, double> cell = masses(pair, from, to);
    out.p.push_back(cell.first);
    out.q.push_back(cell.second);
    from = to;
  }
  std::tie(out.p_above, out.q_above) = masses(pair, from, infinite);
  return out;
}

//! The cells of the loss log(dQ / dP).
inline LossCells swapped(LossCells cells) {
  cells.first = -(cells.first + static_cast<long>(cells.p.size()));
  std::swap(cells.p, cells.q);
  std::reverse(cells.p.begin(), cells.p.end());
  std::reverse(cells.q.begin(), cells.q.end());
  std::swap(cells.p_below, cells.q_above);
  std::swap(cells.q_below, cells.p_above);
  return cells;
}

//! The share of a cell that goes to its upper end such that the masses of P and of
//! Q are both kept. It can only overstate the loss ("connect the dots"). Q is
//! useless when it is close to underflow; then all goes up.
inline double upper_share(double p, double q, double lower_end, double step) {
  if (q < 1e-290) return p;
  const double share = (p - q * std::exp(lower_end)) / -std::expm1(-step);
  return std::min(std::max(share, 0.0), p);
}

inline LossGrid loss_grid(const LossCells& cells) {
  LossGrid out{cells.step, cells.first, std::vector<double>(cells.p.size() + 1, 0.0),
               cells.p_above};
  out.mass[0] = cells.p_below;
  for (std::size_t i = 0; i < cells.p.size(); ++i) {
    const double lower_end =
        (static_cast<double>(cells.first) + static_cast<double>(i)) * cells.step;
    const double up = upper_share(cells.p[i], cells.q[i], lower_end, cells.step);
    out.mass[i] += cells.p[i] - up;
    out.mass[i + 1] += up;
  }
  return out;
}

//! A distribution that is convolved with itself `count` times.
struct Repeated {
  LossGrid grid;
  std::size_t count;
};

//! log E exp(tilt * loss) of the finite part, from the largest exponent.
inline double log_moment(const LossGrid& grid, double tilt) {
  const double top = static_cast<double>(grid.lowest) +
                     (tilt > 0.0 ? static_cast<double>(grid.mass.size()) - 1.0 : 0.0);
  double sum = 0.0;
  for (std::size_t i = 0; i < grid.mass.size(); ++i)
    if (grid.mass[i] > 0.0)
      sum +=
          grid.mass[i] * std::exp(tilt * grid.step *
                                  (static_cast<double>(grid.lowest + static_cast<long>(i)) - top));
  return std::log(sum) + tilt * grid.step * top;
}

//! Mass e^-34 may lie outside the window on each side.
constexpr double window_exponent = 34.0;

//! The end of the composed loss on the side of `sign`, from Chernoff's bound: every
//! tilt gives a valid end, so a coarse search will do.
inline double window_end(const std::vector<Repeated>& parts, double sign) {
  double end = infinite;
  for (double tilt = 0.03125; tilt < 2000.0; tilt *= 1.5) {
    double exponent = window_exponent;
    for (const Repeated& part : parts)
      exponent += static_cast<double>(part.count) * log_moment(part.grid, sign * tilt);
    end = std::min(end, exponent / tilt);
  }
  return sign * end;
}

//! The spectrum of `grid` on a circle of n cells. Indices are taken modulo n: mass
//! outside the window of the composition is misplaced, which the window charges for.
inline Spectrum spectrum(const LossGrid& grid, std::size_t n) {
  Spectrum out(n);
  const long size = static_cast<long>(n);
  for (std::size_t i = 0; i < grid.mass.size(); ++i) {
    const long at = (grid.lowest + static_cast<long>(i)) % size;
    out[static_cast<std::size_t>(at < 0 ? at + size : at)] += grid.mass[i];
  }
  fft(out);
  return out;
}

inline std::size_t window_size(double low, double high, double step) {
  const double cells = (high - low) / step + 4.0;
  if (!(cells < static_cast<double>(max_grid)))
    throw std::domain_error("the composed privacy loss is spread too widely for its grid");
  std::size_t n = 2;
  while (static_cast<double>(n) < cells) n *= 2;
  return n;
}

//! Probability that some part has an unbounded loss, the two tails outside the
//! window, and rounding. A relative error of a few units in the last place of a
//! coefficient grows in proportion to the power it is raised to.
inline double charged_to_delta(const std::vector<Repeated>& parts) {
  double log_finite = 0.0, rounding = 2e-14;
  for (const Repeated& part : parts) {
    log_finite += static_cast<double>(part.count) * std::log1p(-part.grid.infinity);
    rounding += static_cast<double>(part.count) * 0x1p-51;
  }
  return -std::expm1(log_finite) + 2.0 * std::exp(-window_exponent) + rounding;
}

//! The distribution of the sum of independent losses.
inline LossGrid compose(const std::vector<Repeated>& parts) {
  const double step = parts.front().grid.step;
  const double low = window_end(parts, -1.0), high = window_end(parts, 1.0);
  const std::size_t n = window_size(low, high, step);
  Spectrum total(n, 1.0);
  for (const Repeated& part : parts) {
    const Spectrum one = spectrum(part.grid, n);
    for (std::size_t i = 0; i < n; ++i) total[i] = times(total[i], power(one[i], part.count));
  }
  fft(total);
  LossGrid out{step, static_cast<long>(std::floor(low / step)) - 1, std::vector<double>(n),
               charged_to_delta(parts)};
  const long size = static_cast<long>(n);
  for (long i = 0; i < size; ++i) {
    // Two transforms in the same direction reverse the circle.
    const long at = -(out.lowest + i) % size;
    out.mass[static_cast<std::size_t>(i)] =
        total[static_cast<std::size_t>(at < 0 ? at + size : at)].real() / static_cast<double>(n);
  }
  return out;
}

//! The smallest epsilon >= 0 with infinity + sum over losses l > epsilon of
//! mass(l) (1 - e^{epsilon - l}) <= delta. One walk down from the largest loss:
//! between two grid points that is above - e^epsilon * weighted.
inline double loss_epsilon(const LossGrid& grid, double delta) {
  double above = grid.infinity, weighted = 0.0;
  if (above > delta) throw std::domain_error("delta is below the probability of an unbounded loss");
  for (std::size_t i = grid.mass.size(); i-- > 0;) {
    const double loss = static_cast<double>(grid.lowest + static_cast<long>(i)) * grid.step;
    if (loss <= 0.0) break;
    if (above - std::exp(loss) * weighted > delta) return std::log((above - delta) / weighted);
    above += grid.mass[i];
    weighted += grid.mass[i] * std::exp(-loss);
  }
  return above - weighted > delta ? std::log((above - delta) / weighted) : 0.0;
}

}  // namespace detail

//! Mechanisms of which a PLD can be made.
enum class PldKind { subsampled_gaussian, laplace, pure };

//! `count` independent runs of one mechanism. `sigma` (noise standard deviation /
//! sensitivity) and `rate` (Poisson sampling) belong to subsampled_gaussian,
//! `epsilon` to the other two. A vector of Laplace answers is `pure`: that it is
//! dominated by the scalar mechanism is not proved.
struct PldStep {
  PldKind kind;
  std::size_t count;
  double epsilon;
  double sigma;
  double rate;
};

namespace detail {

inline void require_pld_step(const PldStep& step) {
  if (step.count < 1 || step.count > 100000000)
    throw std::invalid_argument("count must be from 1 to 1e8");
  if (step.kind != PldKind::subsampled_gaussian) return require_above_zero(step.epsilon, "epsilon");
  require_above_zero(step.sigma, "sigma");
  if (!(step.rate > 0.0 && step.rate <= 1.0))
    throw std::invalid_argument("rate must be above 0 and at most 1");
}

inline LossCells step_cells(const PldStep& step, double grid) {
  require_pld_step(step);
  if (step.kind == PldKind::laplace) return loss_cells(ScalarLaplace{step.epsilon}, grid);
  if (step.kind == PldKind::pure) return loss_cells(RandomisedResponse{step.epsilon}, grid);
  return loss_cells(SubsampledGaussian{step.sigma, step.rate}, grid);
}

}  // namespace detail

//! The epsilon at which all steps together are (epsilon, delta)-private under adding
//! or removing one record: the larger of the two directions. `grid` is the spacing of
//! the losses; a finer one is tighter and slower. Rounding of the Fourier transform
//! makes a delta below 1e-10 meaningless, so it is refused.
inline double pld_epsilon(const std::vector<PldStep>& steps, double delta, double grid = 1e-4) {
  if (!(delta >= 1e-10 && delta < 1.0))
    throw std::invalid_argument("delta must be at least 1e-10 and below 1");
  if (!(grid >= 1e-6 && grid <= 0.1))
    throw std::invalid_argument("grid must be between 1e-6 and 0.1");
  if (steps.empty()) throw std::invalid_argument("there must be at least one step");
  std::vector<detail::Repeated> remove, add;
  for (const PldStep& step : steps) {
    const detail::LossCells cells = detail::step_cells(step, grid);
    remove.push_back({detail::loss_grid(cells), step.count});
    add.push_back({detail::loss_grid(detail::swapped(cells)), step.count});
  }
  return std::max(detail::loss_epsilon(detail::compose(remove), delta),
                  detail::loss_epsilon(detail::compose(add), delta));
}

}  // namespace noiseaware
