#pragma once

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {

//! Cubic spline through values at x0, x0 + h, x0 + 2h, ... with "not-a-knot" ends
//! (de Boor 1978, ch. IV): the first two and the last two pieces are one cubic, so
//! that cubics are reproduced. At least four values.
class CubicSpline {
 public:
  CubicSpline() = default;

  explicit CubicSpline(std::vector<double> values) : y_(std::move(values)), m_(y_.size()) {
    if (y_.size() < 4) throw std::invalid_argument("a cubic spline needs four values");
    solve();
  }

  std::size_t size() const { return y_.size(); }

  //! Value at x0 + (cell + part) h, 0 <= part <= 1, 0 <= cell < size() - 1.
  double at(std::size_t cell, double part) const {
    const double rest = 1.0 - part;
    return rest * y_[cell] + part * y_[cell + 1] -
           part * rest * ((1.0 + rest) * m_[cell] + (1.0 + part) * m_[cell + 1]) / 6.0;
  }

 private:
  //! Second derivatives m (times h^2): m[i-1] + 4 m[i] + m[i+1] = 6 second
  //! differences, and third differences equal across the second and last but one
  //! value, m[0] = 2 m[1] - m[2], which makes the first and last equations 6 m = 6 d.
  void solve() {
    const std::size_t last = y_.size() - 1;
    std::vector<double> diagonal(y_.size(), 4.0);
    for (std::size_t i = 1; i < last; ++i) m_[i] = 6.0 * (y_[i - 1] - 2.0 * y_[i] + y_[i + 1]);
    m_[1] /= 6.0;
    m_[last - 1] /= 6.0;
    for (std::size_t i = 2; i + 1 < last; ++i) {
      const double upper = i == 2 ? 0.0 : 1.0 / diagonal[i - 1];
      diagonal[i] -= upper;
      m_[i] -= i == 2 ? m_[1] : upper * m_[i - 1];
    }
    for (std::size_t i = last - 2; i > 1; --i) m_[i] = (m_[i] - m_[i + 1]) / diagonal[i];
    m_[0] = 2.0 * m_[1] - m_[2];
    m_[last] = 2.0 * m_[last - 1] - m_[last - 2];
  }

  std::vector<double> y_, m_;
};

}  // namespace noiseaware
