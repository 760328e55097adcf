#pragma once

#include <cmath>
#include <noiseaware/infer/linear/density.hpp>
#include <noiseaware/infer/linear/first_guess.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/infer/mode_ascent.hpp>
#include <noiseaware/infer/mode_finder.hpp>
#include <noiseaware/infer/nuts/metric.hpp>
#include <noiseaware/math/eigen.hpp>
#include <utility>

namespace noiseaware {

//! Where chains start, and with which metric: without both, chains from a large
//! number of records never converge, because the posterior is about (noise scale)/n
//! wide in coordinates of order one.
struct LinearStart {
  LinearReference reference;
  Eigen::VectorXd centre;  //!< Mode of the density with smoothed noise.
  Metric metric;
  bool converged = false;
};

//! Largest dimension with a dense metric: about 20 covariates.
constexpr Eigen::Index kDenseLimit = 300;

namespace detail {

//! Derivative of the moments in one coordinate, given those of w, L and n.
class MomentTangents {
 public:
  explicit MomentTangents(const LinearCoordinates& coordinates)
      : c_(coordinates), q_(c_.statistics().mean.size()), out_(q_ + 1, q_ + 1) {}

  //! u_w, element i.
  const Eigen::MatrixXd& by_mean(Eigen::Index i) {
    move_mean(c_.reference().factor.col(i) / std::sqrt(c_.statistics().n));
    return out_;
  }

  //! A_ij, or log A_jj for i = j: dL = R e_i e_j' (A_jj).
  const Eigen::MatrixXd& by_factor(Eigen::Index i, Eigen::Index j) {
    out_.setZero();
    const double chain = i == j ? c_.a()(j, j) : 1.0;
    const Eigen::VectorXd r = chain * c_.reference().factor.col(i);
    const Eigen::VectorXd l = c_.statistics().factor.col(j);
    out_.bottomRightCorner(q_, q_) = r * l.transpose() + l * r.transpose();
    return out_;
  }

  //! log(n - q).
  const Eigen::MatrixXd& by_count() {
    const LatentStatistics& s = c_.statistics();
    move_mean(-0.5 / s.n * (s.mean - c_.reference().mean));
    out_(0, 0) += 1.0;
    out_.col(0).tail(q_) += s.mean;
    out_.row(0).tail(q_) += s.mean.transpose();
    out_.bottomRightCorner(q_, q_) += s.mean * s.mean.transpose();
    out_ *= c_.excess();
    return out_;
  }

 private:
  void move_mean(const Eigen::VectorXd& dw) {
    const LatentStatistics& s = c_.statistics();
    out_.setZero();
    out_.col(0).tail(q_) = s.n * dw;
    out_.row(0).tail(q_) = s.n * dw.transpose();
    out_.bottomRightCorner(q_, q_) = s.n * (dw * s.mean.transpose() + s.mean * dw.transpose());
  }

  const LinearCoordinates& c_;
  Eigen::Index q_;
  Eigen::MatrixXd out_;
};

//! 1 + sum over released moments of (derivative / standard deviation)^2.
inline double information(const NoiseTerms& noise, const Eigen::MatrixXd& tangent) {
  double sum = 1.0;
  for (const MomentObservation& o : noise.terms()) {
    double slope = tangent(o.row, o.col);
    if (o.is_tie()) slope -= o.minus_weight * tangent(o.minus_row, o.minus_col);
    const double standard = slope / o.standard_deviation();
    sum += standard * standard;
  }
  return sum;
}

}  // namespace detail

//! Rough standard deviations of the coordinates at u: the diagonal of a
//! Gauss-Newton Hessian with a unit prior.
inline Eigen::VectorXd linear_scales(LinearDensity& density, const Eigen::VectorXd& u) {
  density.statistics(u);
  const LinearCoordinates& c = density.coordinates();
  detail::MomentTangents tangents(c);
  Eigen::VectorXd out(density.dim());
  Eigen::Index at = 0;
  const auto put = [&](const Eigen::MatrixXd& tangent) {
    out[at++] = 1.0 / std::sqrt(detail::information(density.noise(), tangent));
  };
  for (Eigen::Index i = 0; i < c.a().rows(); ++i) put(tangents.by_mean(i));
  for (Eigen::Index j = 0; j < c.a().cols(); ++j)
    for (Eigen::Index i = j; i < c.a().rows(); ++i) put(tangents.by_factor(i, j));
  if (at < out.size()) put(tangents.by_count());
  return out;
}

//! The reference of the coordinates: the first guess.
inline LinearReference linear_reference(const LatentStatistics& guess) {
  LinearReference out;
  out.mean = guess.mean;
  out.factor = guess.factor;
  const double excess = guess.n - static_cast<double>(guess.mean.size());
  out.log_excess = excess > 0.0 ? std::log(excess) : 0.0;  // Used for latent n only.
  return out;
}

namespace detail {

//! Mode of the density with smoothed noise, Newton's method from `start`.
inline Mode smoothed_mode(const LinearProblem& problem, const LinearReference& reference,
                          double smooth, const Eigen::VectorXd& start) {
  LinearDensity density(problem, reference, smooth);
  return find_mode(density, start, linear_scales(density, start));
}

//! Newton's method from the first guess. Where that fails, as when clamping moves
//! the moments by many times the noise, the noise is first inflated and then reduced
//! step by step, each mode being the start for the next.
inline Mode follow_mode(const LinearProblem& problem, const LinearReference& reference, double n,
                        Eigen::Index dim) {
  Eigen::VectorXd start = Eigen::VectorXd::Zero(dim);
  Mode best = smoothed_mode(problem, reference, 1.0, start);
  if (best.converged) return best;
  for (int k = static_cast<int>(std::ceil(std::log2(n))); k >= 0; --k) {
    const Mode mode = smoothed_mode(problem, reference, std::exp2(k), start);
    start = mode.position;
    if (k == 0 && (mode.converged || mode.log_density > best.log_density)) best = mode;
  }
  return best;
}

}  // namespace detail

//! Start and metric for the posterior of `problem`: first guess, mode of the
//! density with smoothed noise, inverse Hessian there. Above `dense_limit`
//! coordinates the mode is approached without a Hessian and the metric is the
//! diagonal of a Gauss-Newton one.
inline LinearStart start_linear(const LinearProblem& problem,
                                Eigen::Index dense_limit = kDenseLimit) {
  const LatentStatistics guess = FirstGuess(problem).statistics();
  const LinearReference reference = linear_reference(guess);
  LinearDensity smooth(problem, reference, 1.0);
  if (smooth.dim() <= dense_limit) {
    Mode mode = detail::follow_mode(problem, reference, guess.n, smooth.dim());
    return {reference, std::move(mode.position), Metric::dense(mode.covariance), mode.converged};
  }
  const Eigen::VectorXd origin = Eigen::VectorXd::Zero(smooth.dim());
  Ascent ascent = climb_to_mode(smooth, origin, linear_scales(smooth, origin));
  const Eigen::VectorXd at_mode = linear_scales(smooth, ascent.position);
  return {reference, std::move(ascent.position), Metric::diagonal(at_mode.cwiseAbs2()),
          ascent.converged};
}

}  // namespace noiseaware
