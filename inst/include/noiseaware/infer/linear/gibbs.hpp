#pragma once

#include <cmath>
#include <noiseaware/infer/expfam/normal_laplace.hpp>
#include <noiseaware/infer/linear/conjugate.hpp>
#include <noiseaware/infer/linear/first_guess.hpp>
#include <noiseaware/infer/linear/parameters.hpp>
#include <noiseaware/infer/linear/prior_moments.hpp>
#include <noiseaware/infer/linear/problem.hpp>
#include <noiseaware/infer/linear/release_rows.hpp>
#include <noiseaware/infer/linear/row_moments.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/math/symmetric_eigen.hpp>
#include <noiseaware/rng/distributions_basic.hpp>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

// Gibbs-SS of Bernstein and Sheldon (2019): statistics are normal given parameters
// by the central limit theorem. Approximate; the exact method needs no such limit.

namespace noiseaware {

//! Which moments of the covariates the central limit theorem uses.
enum class GibbsMoments {
  update,  //!< Normal with the current (mu_x, T).
  fixed    //!< Given once: prior expectations, or released fourth moments.
};

//! One chain: parameters | s (conjugate); s | parameters, noise variances; noise
//! variances | s, Laplace noise being a scale mixture of normals (Park and Casella
//! 2008). The statistics step is Matheron's rule: a draw from the prior of s moved
//! by its regression on the release. It inverts no covariance of s, which is
//! singular for binary covariates and small sigma.
class LinearGibbs {
 public:
  //! Moments of normal covariates that follow the chain.
  explicit LinearGibbs(const LinearProblem& problem)
      : LinearGibbs(problem, GibbsMoments::update, CovariateMoments()) {}

  //! Fixed moments of the covariates.
  LinearGibbs(const LinearProblem& problem, CovariateMoments moments)
      : LinearGibbs(problem, GibbsMoments::fixed, std::move(moments)) {}

  //! The moments that the prior expects: normal, uncertainty of mu_x included.
  static CovariateMoments prior_covariates(const LinearProblem& problem) {
    return normal_covariates(problem.covariates.mean, PriorMoments::inflated_covariance(problem));
  }

  template <class Rng>
  void step(Rng& rng) {
    update_.update(moments_);
    parameters_ = draw_parameters(rng, update_);
    draw_statistics(rng);
    draw_noise_variances(rng);
  }

  const LinearParameters& parameters() const { return parameters_; }
  //! The moment matrix of (1, x, y).
  const Eigen::MatrixXd& moments() const { return moments_; }
  const ConjugateUpdate& update() const { return update_; }
  //! How often no draw of the statistics had a positive definite scatter.
  long repairs() const { return repairs_; }

 private:
  LinearGibbs(const LinearProblem& problem, GibbsMoments kind, CovariateMoments covariates)
      : problem_(checked(problem)),
        kind_(kind),
        release_(problem),
        update_(problem),
        covariates_(std::move(covariates)),
        pairs_(product_pairs(problem.q() + 1, false)),
        moments_(problem.q() + 1, problem.q() + 1) {
    if (kind == GibbsMoments::fixed) factor_covariates();
    FirstGuess(problem).statistics().moments(moments_);
    noise_variance_.resize(release_.values.size());
    for (Eigen::Index r = 0; r < noise_variance_.size(); ++r) {
      const double sd = release_.terms[static_cast<std::size_t>(r)].standard_deviation();
      noise_variance_[r] = sd * sd;
    }
  }

  static const LinearProblem& checked(const LinearProblem& problem) {
    problem.check();
    if (!problem.n_known()) throw std::invalid_argument("Gibbs sampling needs a known n");
    if (problem.clamped()) throw std::invalid_argument("Gibbs sampling does not model clamping");
    for (const MomentObservation& o : problem.observations)
      if (o.law == NoiseLaw::none && (o.row > 0 || o.col > 0))
        throw std::invalid_argument("Gibbs sampling needs noise on every released moment");
    return problem;
  }

  //! Square roots of the second and fourth moments, which may be singular.
  void factor_covariates() {
    const Eigen::Index p = problem_.d() + 1, size = p * (p + 1) / 2;
    if (covariates_.second.rows() != p || covariates_.fourth.rows() != size)
      throw std::invalid_argument("moments of the covariates do not fit the problem");
    root_second_ = square_root(covariates_.second);
    root_fourth_ = square_root(covariates_.fourth);
  }

  static Eigen::MatrixXd square_root(const Eigen::MatrixXd& x) {
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(x);
    if (!(eigen.eigenvalues().minCoeff() > -1e-8 * eigen.eigenvalues().maxCoeff()))
      throw std::invalid_argument("moments of the covariates are not positive semidefinite");
    return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  }

  Eigen::VectorXd effects() const {
    if (problem_.plain_design()) return parameters_.coefficients;
    return problem_.offset + problem_.design * parameters_.coefficients;
  }

  template <class Rng>
  static Eigen::VectorXd normals(Rng& rng, Eigen::Index size) {
    Eigen::VectorXd out(size);
    for (Eigen::Index i = 0; i < size; ++i) out[i] = normal01(rng);
    return out;
  }

  template <class Rng>
  void draw_statistics(Rng& rng) {
    const double sigma2 = parameters_.sigma * parameters_.sigma;
    if (kind_ == GibbsMoments::fixed) {
      row_ = general_row_moments(covariates_, effects(), sigma2);
    } else {
      const Eigen::MatrixXd t =
          parameters_.covariate_factor * parameters_.covariate_factor.transpose();
      std::tie(joint_mean_, joint_covariance_) =
          joint_normal(effects(), sigma2, parameters_.covariate_mean, t);
      row_ = normal_row_moments(joint_mean_, joint_covariance_);
    }
    const Eigen::MatrixXd spread = problem_.n * row_.covariance * release_.rows.transpose();
    Eigen::MatrixXd total = release_.rows * spread;
    total.diagonal() += noise_variance_;
    const Eigen::LLT<Eigen::MatrixXd> factor(total);
    if (factor.info() != Eigen::Success)
      throw std::domain_error("the covariance of a release is not positive definite");
    for (int attempt = 0; attempt < 50; ++attempt) {
      set_moments(draw_once(rng, spread, factor));
      if (scatter_is_positive()) return;
    }
    repair();
  }

  //! Matheron's rule: s0 + n Sigma K' (K n Sigma K' + Omega)^-1 (z - K s0 - noise).
  template <class Rng>
  Eigen::VectorXd draw_once(Rng& rng, const Eigen::MatrixXd& spread,
                            const Eigen::LLT<Eigen::MatrixXd>& factor) {
    Eigen::VectorXd s = problem_.n * row_.mean + std::sqrt(problem_.n) * draw_deviation(rng);
    Eigen::VectorXd gap = release_.values - release_.rows * s;
    gap -= noise_variance_.cwiseSqrt().cwiseProduct(normals(rng, gap.size()));
    return s + spread * factor.solve(gap);
  }

  //! A normal vector with covariance Sigma_t, from factors of small matrices only.
  template <class Rng>
  Eigen::VectorXd draw_deviation(Rng& rng) {
    return kind_ == GibbsMoments::fixed ? general_deviation(rng) : normal_deviation(rng);
  }

  //! A Xi^(1/2) g + sigma J eta^(1/2) g + sqrt(2) sigma^2 e g.
  template <class Rng>
  Eigen::VectorXd general_deviation(Rng& rng) {
    const Eigen::VectorXd theta = effects();
    const double sigma = parameters_.sigma;
    Eigen::VectorXd out = response_map(theta) * (root_fourth_ * normals(rng, root_fourth_.cols()));
    out += sigma * (residual_map(theta) * (root_second_ * normals(rng, root_second_.cols())));
    out[out.size() - 1] += std::sqrt(2.0) * sigma * sigma * normal01(rng);
    return out;
  }

  //! With c = chol V, g normal and W symmetric (variance 2 on the diagonal): c g for
  //! first and c g m' + m g' c' + c W c' for second moments.
  template <class Rng>
  Eigen::VectorXd normal_deviation(Rng& rng) {
    const Eigen::Index q = joint_mean_.size();
    const Eigen::LLT<Eigen::MatrixXd> factor(joint_covariance_);
    const Eigen::MatrixXd c = factor.matrixL();
    const Eigen::VectorXd first = c * normals(rng, q);
    Eigen::MatrixXd w(q, q);
    for (Eigen::Index i = 0; i < q; ++i) {
      w(i, i) = std::sqrt(2.0) * normal01(rng);
      for (Eigen::Index j = 0; j < i; ++j) w(i, j) = w(j, i) = normal01(rng);
    }
    const Eigen::MatrixXd second =
        first * joint_mean_.transpose() + joint_mean_ * first.transpose() + c * w * c.transpose();
    Eigen::VectorXd out(static_cast<Eigen::Index>(pairs_.size()));
    for (std::size_t s = 0; s < pairs_.size(); ++s) {
      const auto [j, k] = pairs_[s];
      out[static_cast<Eigen::Index>(s)] = j == 0 ? first[k - 1] : second(j - 1, k - 1);
    }
    return out;
  }

  void set_moments(const Eigen::VectorXd& s) {
    moments_(0, 0) = problem_.n;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const auto [j, k] = pairs_[i];
      moments_(j, k) = moments_(k, j) = s[static_cast<Eigen::Index>(i)];
    }
  }

  Eigen::MatrixXd scatter() const {
    const Eigen::VectorXd mean = moments_.col(0).tail(problem_.q()) / problem_.n;
    return moments_.bottomRightCorner(problem_.q(), problem_.q()) -
           problem_.n * mean * mean.transpose();
  }

  bool scatter_is_positive() const { return scatter().llt().info() == Eigen::Success; }

  //! Clips the eigenvalues of the centred scatter, not those of B: the mean stays.
  void repair() {
    ++repairs_;
    const Eigen::MatrixXd old = scatter();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(old);
    const double floor = 1e-8 * eigen.eigenvalues().cwiseAbs().sum();
    moments_.bottomRightCorner(problem_.q(), problem_.q()) +=
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(floor).asDiagonal() *
            eigen.eigenvectors().transpose() -
        old;
  }

  template <class Rng>
  void draw_noise_variances(Rng& rng) {
    Eigen::VectorXd s(static_cast<Eigen::Index>(pairs_.size()));
    for (std::size_t i = 0; i < pairs_.size(); ++i)
      s[static_cast<Eigen::Index>(i)] = moments_(pairs_[i].first, pairs_[i].second);
    const Eigen::VectorXd residual = release_.values - release_.rows * s;
    for (Eigen::Index r = 0; r < residual.size(); ++r) {
      const MomentObservation& o = release_.terms[static_cast<std::size_t>(r)];
      if (o.law != NoiseLaw::laplace) continue;
      noise_variance_[r] = draw_laplace_variance(rng, residual[r], o.scale);
    }
  }

  LinearProblem problem_;
  GibbsMoments kind_;
  detail::LinearRelease release_;
  ConjugateUpdate update_;
  CovariateMoments covariates_;
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs_;
  Eigen::MatrixXd moments_, root_second_, root_fourth_, joint_covariance_;
  Eigen::VectorXd joint_mean_, noise_variance_;
  RowMoments row_;
  LinearParameters parameters_;
  long repairs_ = 0;
};

}  // namespace noiseaware
