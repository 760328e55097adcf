#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

namespace noiseaware {

struct Interval {
  double lower, upper;
};

//! Finds where a log density on the line has its mass: disjoint intervals, one per
//! mode unless modes run into each other, outside of which it is `nats` or more
//! below its maximum. A mode may be much narrower than the spacing of the points
//! looked at first, as long as the function rises towards it from both sides.
//! -Inf and NaN both mean no density.
template <class LogDensity>
class ModeSearch {
 public:
  //! Looks first at `points` points of [lower, upper], densest around `centre`, and
  //! goes on beyond the ends, up to `limits`, while the density rises there.
  ModeSearch(LogDensity& log_density, Interval range, double centre, Interval limits)
      : log_density_(log_density), limits_(limits) {
    look_around(range, centre);
    rise_beyond();
    climb();
  }

  //! Largest value found.
  double maximum() const { return maximum_; }

  std::vector<Interval> within(double nats) const {
    const double floor = maximum_ - nats;
    std::vector<Interval> found;
    for (const Point& peak : peaks_) {
      if (peak.value < floor) continue;
      found.push_back({edge(peak.x, -peak.step, floor), edge(peak.x, peak.step, floor)});
    }
    return merged(found);
  }

 private:
  static constexpr int kPoints = 41;

  struct Point {
    double x, value, step;
  };

  double evaluate(double x) const {
    const double value = log_density_(x);
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  }

  //! Points x = centre + sinh(s), s equally spaced: a vague prior spans hundreds of
  //! units, of which only those near its centre are likely.
  void look_around(Interval range, double centre) {
    const double from = std::asinh(range.lower - centre), to = std::asinh(range.upper - centre);
    for (int i = 0; i < kPoints; ++i) {
      const double x = centre + std::sinh(from + (to - from) * i / (kPoints - 1));
      points_.push_back({x, evaluate(x), 0.0});
    }
  }

  void rise_beyond() {
    while (points_.back().value > points_[points_.size() - 2].value &&
           points_.back().x < limits_.upper) {
      const double x = points_.back().x, step = x - points_[points_.size() - 2].x;
      const double next = std::min(x + 1.5 * step, limits_.upper);
      points_.push_back({next, evaluate(next), 0.0});
    }
    while (points_[0].value > points_[1].value && points_[0].x > limits_.lower) {
      const double x = points_[0].x, step = points_[1].x - x;
      const double next = std::max(x - 1.5 * step, limits_.lower);
      points_.insert(points_.begin(), {next, evaluate(next), 0.0});
    }
  }

  //! Climbs from every local maximum among the points.
  void climb() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& before = points_[i > 0 ? i - 1 : i];
      const Point& after = points_[i + 1 < points_.size() ? i + 1 : i];
      const double value = points_[i].value;
      if (!std::isfinite(value) || value < before.value || value < after.value) continue;
      peaks_.push_back(golden_section(before, points_[i], after));
      maximum_ = std::max(maximum_, peaks_.back().value);
    }
    if (peaks_.empty()) throw std::domain_error("the posterior density is 0 everywhere");
  }

  //! Golden section until the neighbours are less than half a nat below.
  Point golden_section(Point a, Point m, Point b) const {
    constexpr double golden = 0.38196601125010515180;
    for (int k = 0; k < 100; ++k) {
      if (m.value - std::min(a.value, b.value) < 0.5) break;
      const bool right = b.x - m.x > m.x - a.x;
      const double x = right ? m.x + golden * (b.x - m.x) : m.x - golden * (m.x - a.x);
      if (x <= a.x || x >= b.x || x == m.x) break;
      const Point next{x, evaluate(x), 0.0};
      if (next.value > m.value) {
        (right ? a : b) = m;
        m = next;
      } else {
        (right ? b : a) = next;
      }
    }
    m.step = std::max(0.5 * (b.x - a.x), 1e-12 * (1.0 + std::abs(m.x)));
    return m;
  }

  //! First point found below `floor` in the direction of `step`, not much further out
  //! than necessary; or, where the density ends abruptly, the last point of it.
  double edge(double from, double step, double floor) const {
    double inside = from, outside = from, value = 0.0;
    for (;;) {
      outside = std::min(std::max(inside + step, limits_.lower), limits_.upper);
      value = outside == inside ? floor : evaluate(outside);
      if (outside == inside || value < floor) break;
      inside = outside;
      step *= 1.6;
    }
    while (std::isinf(value) || std::abs(outside - inside) > 0.1 * std::abs(outside - from)) {
      const double middle = 0.5 * (inside + outside);
      if (middle == inside || middle == outside) return inside;
      const double at_middle = evaluate(middle);
      if (at_middle < floor) value = at_middle;
      (at_middle < floor ? outside : inside) = middle;
    }
    return outside;
  }

  //! Joins intervals that overlap.
  static std::vector<Interval> merged(std::vector<Interval> found) {
    std::sort(found.begin(), found.end(),
              [](const Interval& a, const Interval& b) { return a.lower < b.lower; });
    std::vector<Interval> out;
    for (const Interval& one : found) {
      if (!out.empty() && one.lower <= out.back().upper)
        out.back().upper = std::max(out.back().upper, one.upper);
      else
        out.push_back(one);
    }
    return out;
  }

  LogDensity& log_density_;
  Interval limits_;
  std::vector<Point> points_;
  std::vector<Point> peaks_;
  double maximum_ = -std::numeric_limits<double>::infinity();
};

}  // namespace noiseaware
