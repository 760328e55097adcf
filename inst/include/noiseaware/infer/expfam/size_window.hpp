#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <limits>
#include <noiseaware/infer/expfam/count_weights.hpp>
#include <noiseaware/infer/expfam/region_moments.hpp>
#include <noiseaware/math/fft.hpp>
#include <noiseaware/math/special.hpp>
#include <utility>
#include <vector>

// The number of records as a factor of a likelihood: known, or the polynomial
// sum_n w_n x^n whose weights are the noise density of a released n. Laplace weights
// are geometric on either side of the released value, so that their polynomial costs
// nothing to evaluate, however many sizes it has.

namespace noiseaware {

//! Sizes first, first + 1, ... with weights exp(log_weight + log_ratio k), k < count.
struct SizePiece {
  double first, count, log_weight, log_ratio;

  double last() const { return first + count - 1.0; }
  double log_weight_at(double n) const { return log_weight + log_ratio * (n - first); }

  //! Weights times exp(n x).
  SizePiece tilted(double x) const { return {first, count, log_weight + first * x, log_ratio + x}; }

  //! The part within lo..hi.
  SizePiece cut(double lo, double hi) const {
    const double from = std::max(lo, first), to = std::min(hi, last());
    return {from, to - from + 1.0, log_weight_at(from), log_ratio};
  }
};

namespace detail {

//! Log of the total weight, mean and variance of n.
struct SizeMoments {
  double log_total, mean, variance;
};

//! A geometric law on c sizes that falls by u per size is an exponential one on
//! (0, c) less one on (0, 1): both have closed forms that do not cancel.
inline SizeMoments size_moments(const SizePiece& piece) {
  if (piece.count == 1.0) return {piece.log_weight, piece.first, 0.0};
  const double u = std::abs(piece.log_ratio), c = piece.count;
  const ExponentialPiece long_one = exponential_piece(u * c), short_one = exponential_piece(u);
  const double distance = c * long_one.mean - short_one.mean;
  const bool falls = piece.log_ratio <= 0.0;
  const double log_sum = u > 1e-9 ? std::log(long_one.missed / short_one.missed) : std::log(c);
  return {piece.log_weight_at(falls ? piece.first : piece.last()) + log_sum,
          falls ? piece.first + distance : piece.last() - distance,
          std::max(0.0, c * c * long_one.var - short_one.var)};
}

}  // namespace detail

//! Sizes weighted by w_n exp(n x): log of the total, moments of n, and the sizes
//! first..last within kNegligibleNats of the largest weight.
struct SizeTilt {
  double log_total, mean, variance, first, last;
};

//! Neighbouring sizes with weights.
class SizeWindow {
 public:
  explicit SizeWindow(std::vector<SizePiece> pieces) : pieces_(std::move(pieces)) {}

  const std::vector<SizePiece>& pieces() const { return pieces_; }
  double first() const { return pieces_.front().first; }
  double last() const { return pieces_.back().last(); }

  SizeTilt tilt(double x) const {
    if (pieces_.size() == 1 && pieces_[0].count == 1.0)
      return {pieces_[0].tilted(x).log_weight, first(), 0.0, first(), first()};
    double top = -std::numeric_limits<double>::infinity();
    for (const SizePiece& piece : pieces_) {
      const SizePiece one = piece.tilted(x);
      top = std::max({top, one.log_weight, one.log_weight_at(one.last())});
    }
    const double shift = last();
    double s0 = 0.0, s1 = 0.0, s2 = 0.0, lo = last(), hi = first();
    for (const SizePiece& piece : pieces_) {
      const SizePiece one = piece.tilted(x);
      const detail::SizeMoments moments = detail::size_moments(one);
      const double w = std::exp(moments.log_total - top), d = moments.mean - shift;
      s0 += w;
      s1 += w * d;
      s2 += w * (d * d + moments.variance);
      widen(one, top - kNegligibleNats, lo, hi);
    }
    const double offset = s1 / s0;
    return {top + std::log(s0), shift + offset, std::max(0.0, s2 / s0 - offset * offset), lo, hi};
  }

  //! log of sum_{n <= last_size} w_n exp(n x).
  double log_total(double x, double last_size) const {
    double sum = -std::numeric_limits<double>::infinity();
    for (const SizePiece& piece : pieces_)
      if (piece.first <= last_size)
        sum = log_sum_exp(sum, detail::size_moments(piece.cut(0.0, last_size).tilted(x)).log_total);
    return sum;
  }

 private:
  //! Extends lo..hi to the sizes of the piece with log weights above `floor`.
  static void widen(const SizePiece& piece, double floor, double& lo, double& hi) {
    const double start = piece.log_weight, end = piece.log_weight_at(piece.last());
    if (!(std::max(start, end) > floor)) return;
    double from = piece.first, to = piece.last();
    if (end < floor) to = from + std::floor((floor - start) / piece.log_ratio);
    if (start < floor) from = to + std::ceil((floor - end) / piece.log_ratio);
    lo = std::min(lo, std::max(from, piece.first));
    hi = std::max(hi, std::min(to, piece.last()));
  }

  std::vector<SizePiece> pieces_;
};

namespace detail {

//! Whether weights are geometric: Laplace noise whose grid excludes no size, or is so
//! fine that it cannot be told from none.
inline bool has_geometric_weights(const SampleSize& size) {
  const NoiseDensity& noise = size.noise();
  if (noise.law() != NoiseLaw::laplace || noise.terms() != 1) return false;
  if (noise.grid() <= 1e-3 * noise.scale()) return true;
  return is_whole(1.0 / noise.grid()) && is_whole(size.value() / noise.grid());
}

//! Log weights of the sizes lo..hi under a released n: geometric below and above the
//! released value, or one by one.
inline std::vector<SizePiece> size_pieces(const SampleSize& size, double lo, double hi) {
  const NoiseDensity& noise = size.noise();
  std::vector<SizePiece> out;
  if (has_geometric_weights(size)) {
    const double rate = 1.0 / noise.scale(), split = std::floor(size.value());
    const auto log_weight = [&](double n) {
      return noise.log_peak() - std::abs(size.value() - n) * rate;
    };
    if (lo <= split) out.push_back({lo, std::min(hi, split) - lo + 1.0, log_weight(lo), rate});
    const double from = std::max(lo, split + 1.0);
    if (from <= hi) out.push_back({from, hi - from + 1.0, log_weight(from), -rate});
    return out;
  }
  for (double n = lo; n <= hi; ++n)
    if (std::isfinite(size.log_density(n))) out.push_back({n, 1.0, size.log_density(n), 0.0});
  return out;
}

}  // namespace detail

//! Sizes that the noise of a released n allows, or the one size that is public, in
//! windows within which they differ by a factor of about two, the most probable window
//! first. Sums of few and of many records need different frequencies: together they
//! would need all of both.
inline std::vector<SizeWindow> size_windows(const SampleSize& size) {
  if (size.is_known()) return {SizeWindow({{size.value(), 1.0, 0.0, 0.0}})};
  const NoiseDensity& noise = size.noise();
  // Twice what is negligible against the best size there is, as the released n may be
  // negative, and the released sum may contradict it.
  const double best = std::max(0.0, std::nearbyint(size.value())), off = best - size.value();
  const double beyond = off > 0.5 ? off / noise.scale() : 0.0;
  const double nats = noise.law() == NoiseLaw::laplace ? beyond : 0.5 * beyond * beyond;
  const double reach = noise.reach(2.0 * kNegligibleNats + nats);
  const double hi = std::max(best, std::floor(size.value() + reach));
  double lo = std::max(0.0, std::ceil(size.value() - reach));
  detail::require(hi <= 1e15, "released n", size.value(), "small enough to be summed over");
  std::vector<SizeWindow> out;
  for (double end = 0.0; lo <= hi; lo = end + 1.0) {
    end = std::min(hi, 2.0 * lo);
    std::vector<SizePiece> pieces = detail::size_pieces(size, lo, end);
    if (!pieces.empty()) out.emplace_back(std::move(pieces));
  }
  if (out.empty()) detail::no_count_fits();
  std::sort(out.begin(), out.end(), [](const SizeWindow& a, const SizeWindow& b) {
    return a.tilt(0.0).log_total > b.tilt(0.0).log_total;
  });
  return out;
}

//! sum_n w_n x^n over the sizes that matter once records are tilted; the weights
//! add up to 1. A public n is the single power x^n.
class SizePolynomial {
 public:
  SizePolynomial() = default;

  //! `x` is the log of the moment generating function of a record.
  SizePolynomial(const SizeWindow& window, double x, const SizeTilt& tilt) {
    for (const SizePiece& piece : window.pieces()) {
      if (piece.last() < tilt.first || piece.first > tilt.last) continue;
      SizePiece one = piece.cut(tilt.first, tilt.last).tilted(x);
      one.log_weight -= tilt.log_total;
      add(one);
    }
  }

  bool empty() const { return pieces_.empty(); }
  double first() const { return pieces_.front().first; }
  double last() const { return pieces_.back().last(); }

  //! The part with n <= last_size.
  SizePolynomial up_to(double last_size) const {
    SizePolynomial out;
    for (const SizePiece& piece : pieces_)
      if (piece.first <= last_size) out.add(piece.cut(0.0, last_size));
    return out;
  }

  //! Calls use(n, weight) for every size.
  template <class Use>
  void visit(Use&& use) const {
    for (const SizePiece& piece : pieces_)
      for (double n = piece.first; n <= piece.last(); ++n) use(n, std::exp(piece.log_weight_at(n)));
  }

  std::complex<double> operator()(std::complex<double> x) const {
    if (empty()) return 0.0;
    std::complex<double> sum = 0.0;
    for (std::size_t i = pieces_.size(); i-- > 0;) {
      const double gap = i + 1 < pieces_.size() ? pieces_[i + 1].first - pieces_[i].first : 0.0;
      sum = gap == 1.0 ? detail::times(sum, x)
                       : detail::times(sum, power(x, static_cast<std::size_t>(gap)));
      sum += geometric(i, x);
    }
    return detail::times(sum, power(x, static_cast<std::size_t>(first())));
  }

  //! At least the derivative at x > 0.
  double derivative_bound(double x) const { return last() * std::pow(x, first() - 1.0); }

  //! An x <= 1 up to which the value is at most exp(-nats); 0 if there is none.
  double reaching(double nats) const { return first() > 0.0 ? std::exp(-nats / first()) : 0.0; }

 private:
  void add(const SizePiece& piece) {
    pieces_.push_back(piece);
    weight_.push_back(std::exp(piece.log_weight));
    ratio_.push_back(std::exp(piece.log_ratio));
  }

  //! w (1 + y + ... + y^(count - 1)), y = ratio x. The closed form loses digits next
  //! to y = 1, where few frequencies are.
  std::complex<double> geometric(std::size_t i, std::complex<double> x) const {
    const double count = pieces_[i].count;
    if (count == 1.0) return weight_[i];
    const std::complex<double> y = ratio_[i] * x, rest = 1.0 - y;
    if (std::norm(rest) > 1e-8)
      return weight_[i] * (1.0 - power(y, static_cast<std::size_t>(count))) / rest;
    std::complex<double> sum = 0.0;
    for (double k = 0.0; k < count; ++k) sum = detail::times(sum, y) + 1.0;
    return weight_[i] * sum;
  }

  std::vector<SizePiece> pieces_;
  std::vector<double> weight_, ratio_;
};

}  // namespace noiseaware
