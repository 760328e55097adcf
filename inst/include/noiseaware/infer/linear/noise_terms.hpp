#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/math/eigen.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! Log density, up to a constant, of the noise of all released moments. Entries
//! without noise beside noisy ones are held to a tenth of the smallest noise: tighter
//! ties change nothing but the time. `smooth` > 0 replaces Laplace noise by a normal
//! of equal variance, which has a mode that Newton's method can find, and multiplies
//! all standard deviations by it.
class NoiseTerms {
 public:
  NoiseTerms(const LinearProblem& problem, double smooth) : terms_(problem.observations) {
    const double tie = 0.1 * smallest_deviation();
    for (MomentObservation& o : terms_) {
      if (o.law == NoiseLaw::none) {
        o.scale = tie;
        o.law = NoiseLaw::gaussian;
      }
      if (!(smooth > 0.0)) continue;
      o.scale = smooth * o.standard_deviation();
      o.law = NoiseLaw::gaussian;
    }
  }

  const std::vector<MomentObservation>& terms() const { return terms_; }

  //! The log density (0 at its peak) at these moments, both triangles; adds its symmetric adjoint:
  //! whole on the diagonal, half to each side off it.
  double add(const Eigen::MatrixXd& moments, Eigen::MatrixXd& adjoint) const {
    double sum = 0.0;
    for (const MomentObservation& o : terms_) {
      double residual = o.value - moments(o.row, o.col);
      if (o.is_tie()) residual += o.minus_weight * moments(o.minus_row, o.minus_col);
      const double slope = log_term(o, residual, sum);
      spread(adjoint, o.row, o.col, slope);
      if (o.is_tie()) spread(adjoint, o.minus_row, o.minus_col, -o.minus_weight * slope);
    }
    return sum;
  }

 private:
  double smallest_deviation() const {
    double out = std::numeric_limits<double>::infinity();
    for (const MomentObservation& o : terms_)
      if (o.law != NoiseLaw::none) out = std::min(out, o.standard_deviation());
    if (std::isinf(out) && !terms_.empty())
      throw std::invalid_argument("without noise the posterior is conjugate: nothing to sample");
    return out;
  }

  //! Adds the log density of one term; returns its derivative in the moment.
  static double log_term(const MomentObservation& o, double residual, double& sum) {
    const double standard = residual / o.scale;
    if (o.law == NoiseLaw::gaussian) {
      sum -= 0.5 * standard * standard;
      return standard / o.scale;
    }
    sum -= std::abs(standard);
    return std::copysign(1.0 / o.scale, residual);
  }

  static void spread(Eigen::MatrixXd& adjoint, Eigen::Index row, Eigen::Index col, double slope) {
    adjoint(row, col) += 0.5 * slope;
    adjoint(col, row) += 0.5 * slope;
  }

  std::vector<MomentObservation> terms_;
};

}  // namespace noiseaware
