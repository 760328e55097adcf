#pragma once

#include <cmath>
#include <cstddef>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/infer/draw_array.hpp>
#include <noiseaware/infer/nuts/run_nuts.hpp>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/score/effective_size.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

// Targets with known moments, and a run that keeps every position.

namespace nuts_targets {

//! Normal with mean 0 and a given precision matrix.
struct Normal {
  Eigen::MatrixXd precision;
  Eigen::Index dim() const { return precision.rows(); }
  double logp_grad(const Eigen::VectorXd& u, Eigen::VectorXd& g) {
    g.noalias() = -precision * u;
    return 0.5 * u.dot(g);
  }
};

//! Independent Student t, 8 degrees of freedom: variance 8/6.
struct Student {
  Eigen::Index dim() const { return 3; }
  double logp_grad(const Eigen::VectorXd& u, Eigen::VectorXd& g) {
    double lp = 0.0;
    for (Eigen::Index i = 0; i < 3; ++i) {
      lp -= 4.5 * std::log1p(u[i] * u[i] / 8.0);
      g[i] = -9.0 * u[i] / (8.0 + u[i] * u[i]);
    }
    return lp;
  }
};

//! v ~ N(0, 1/4), x | v ~ N(0, e^v) twice: E x^2 = e^(1/8).
struct Funnel {
  Eigen::Index dim() const { return 3; }
  double logp_grad(const Eigen::VectorXd& u, Eigen::VectorXd& g) {
    const double squares = u[1] * u[1] + u[2] * u[2], inverse = std::exp(-u[0]);
    g[0] = -4.0 * u[0] - 1.0 + 0.5 * squares * inverse;
    g[1] = -u[1] * inverse;
    g[2] = -u[2] * inverse;
    return -2.0 * u[0] * u[0] - u[0] - 0.5 * squares * inverse;
  }
};

//! exp(-x^4/4): E x^2 = 2 Gamma(3/4) / Gamma(1/4), E x^4 = 1.
struct Quartic {
  Eigen::Index dim() const { return 2; }
  double logp_grad(const Eigen::VectorXd& u, Eigen::VectorXd& g) {
    g = -u.array().cube();
    return -0.25 * u.array().square().square().sum();
  }
};

//! Standard normal beyond a cliff at 0, reported in one of four ways.
struct Cliff {
  int way = 0;
  Eigen::Index dim() const { return 1; }
  double logp_grad(const Eigen::VectorXd& u, Eigen::VectorXd& g) {
    g = -u;
    if (u[0] > 0.0) return -0.5 * u[0] * u[0];
    if (way == 0) throw std::domain_error("cliff");
    if (way == 1) throw std::invalid_argument("cliff");
    if (way == 2) g[0] = std::nan("");
    return way == 2 ? 0.0 : std::nan("");
  }
};

//! Chains of a target that start at `origin` and keep every position.
template <class Model>
struct Run {
  noiseaware::ChainConfig config;
  std::size_t kept, variables;
  std::vector<double> positions, diagnostics;

  struct Chain {
    Model own;
    const Eigen::VectorXd& origin;
    noiseaware::DrawArray out;
    int index;
    Model& model() { return own; }
    template <class Rng>
    Eigen::VectorXd start(Rng&) {
      return origin;
    }
    template <class Rng>
    void keep(int row, const Eigen::VectorXd& u, Rng&) {
      out.write(row, index, u);
    }
  };

  Run(const Model& model, const noiseaware::Metric& metric, const Eigen::VectorXd& origin,
      const noiseaware::NutsOptions& options, const noiseaware::ChainConfig& config_)
      : config(config_),
        kept(static_cast<std::size_t>(config.kept())),
        variables(static_cast<std::size_t>(metric.dim())),
        positions(kept * static_cast<std::size_t>(config.chains) * variables),
        diagnostics(kept * static_cast<std::size_t>(config.chains) * 7) {
    const noiseaware::DrawArray out(positions.data(), config.kept(), config.chains);
    const noiseaware::DrawArray info(diagnostics.data(), config.kept(), config.chains);
    noiseaware::run_nuts(
        config, options, metric, info,
        [&](int c) {
          return Chain{model, origin, out, c};
        },
        noiseaware::NoMonitor());
  }

  //! Values of f(position of one coordinate), chain by chain.
  template <class F>
  std::vector<double> values(std::size_t coordinate, F f) const {
    const std::size_t size = kept * static_cast<std::size_t>(config.chains);
    std::vector<double> out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = f(positions[size * coordinate + i]);
    return out;
  }

  std::vector<double> diagnostic(std::size_t which) const {
    const std::size_t size = kept * static_cast<std::size_t>(config.chains);
    const auto first = diagnostics.begin() + static_cast<std::ptrdiff_t>(size * which);
    return {first, first + static_cast<std::ptrdiff_t>(size)};
  }

  //! Distance of the mean of f from the truth in Monte Carlo standard errors.
  template <class F>
  double z(std::size_t coordinate, F f, double truth) const {
    return z_of(values(coordinate, f), truth);
  }

  double z_of(const std::vector<double>& x, double truth) const {
    double mean = 0.0, square = 0.0;
    for (double v : x) mean += v / static_cast<double>(x.size());
    for (double v : x) square += (v - mean) * (v - mean) / static_cast<double>(x.size());
    const double size =
        noiseaware::effective_size(x.data(), kept, static_cast<std::size_t>(config.chains));
    return std::abs(mean - truth) / std::sqrt(square / size);
  }
};

inline double identity(double x) { return x; }
inline double square(double x) { return x * x; }

}  // namespace nuts_targets
