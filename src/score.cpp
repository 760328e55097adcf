// Glue for scoring: distances between samples, bands, and simulated records.
#include <noiseaware/rng/streams.hpp>
#include <noiseaware/score/draw_records.hpp>
#include <noiseaware/score/ecdf_bands.hpp>
#include <noiseaware/score/ks.hpp>
#include <noiseaware/score/mmd.hpp>
#include <noiseaware/score/score_draws.hpp>
#include <noiseaware/score/trial_stream.hpp>
#include <noiseaware/score/wasserstein.hpp>

#include "infer_glue.h"

using noiseaware_r::seed_of;

namespace {

//! Points are rows of an R matrix, which keeps its columns together.
noiseaware::PointSample decode_points(const Rcpp::NumericMatrix& x) {
  noiseaware::PointSample out;
  out.dimension = static_cast<std::size_t>(x.ncol());
  out.values.reserve(static_cast<std::size_t>(x.size()));
  for (int i = 0; i < x.nrow(); ++i)
    for (int k = 0; k < x.ncol(); ++k) out.values.push_back(x(i, k));
  return out;
}

noiseaware::Xoshiro256pp stream_of(double seed) {
  return noiseaware::make_stream(seed_of(seed), 0);
}

std::size_t count_of(double count) { return static_cast<std::size_t>(count); }

}  // namespace

//! Unbiased squared discrepancy of the rows of two matrices.
// [[Rcpp::export(rng = false)]]
double mmd2_cpp(Rcpp::NumericMatrix x, Rcpp::NumericMatrix y) {
  return noiseaware::mmd2(decode_points(x), decode_points(y), [] { Rcpp::checkUserInterrupt(); });
}

// [[Rcpp::export(rng = false)]]
double ks_uniform_cpp(std::vector<double> u) { return noiseaware::ks_uniform(std::move(u)); }

// [[Rcpp::export(rng = false)]]
double ks_two_sample_cpp(std::vector<double> x, std::vector<double> y) {
  return noiseaware::ks_two_sample(std::move(x), std::move(y));
}

// [[Rcpp::export(rng = false)]]
double wasserstein1_cpp(std::vector<double> x, std::vector<double> y) {
  return noiseaware::wasserstein1(std::move(x), std::move(y));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List ecdf_band_cpp(int size, int points, double prob) {
  const noiseaware::EcdfBand band = noiseaware::ecdf_band(size, points, prob);
  return Rcpp::List::create(Rcpp::Named("lower") = band.lower, Rcpp::Named("upper") = band.upper,
                            Rcpp::Named("level") = band.level);
}

//! Scores one variable of a posterior; `draws` is iterations x chains.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector score_draws_cpp(Rcpp::NumericMatrix draws, bool independent, double truth,
                                    Rcpp::List settings) {
  const noiseaware::TrialScore score = noiseaware::score_draws(
      std::vector<double>(draws.begin(), draws.end()), static_cast<std::size_t>(draws.ncol()),
      independent, truth, settings["u"], settings["prob"]);
  return Rcpp::NumericVector::create(
      Rcpp::Named("u") = score.u, Rcpp::Named("mean") = score.mean, Rcpp::Named("sd") = score.sd,
      Rcpp::Named("lower") = score.lower, Rcpp::Named("upper") = score.upper,
      Rcpp::Named("draws") = score.draws);
}

//! `count` seeds for what happens inside one trial.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector trial_seeds_cpp(double seed, double cell, double trial, int count) {
  auto stream = noiseaware::trial_stream(seed_of(seed), seed_of(cell), seed_of(trial));
  Rcpp::NumericVector out(count);
  for (double& x : out) x = noiseaware::next_seed(stream);
  return out;
}

// [[Rcpp::export(rng = false)]]
std::vector<double> draw_uniforms_cpp(double count, double seed) {
  auto rng = stream_of(seed);
  return noiseaware::detail::repeat_draw(count_of(count),
                                         [&] { return noiseaware::uniform_open(rng); });
}

// [[Rcpp::export(rng = false)]]
std::vector<double> draw_codes_cpp(std::vector<double> weights, double count, double seed) {
  auto rng = stream_of(seed);
  return noiseaware::draw_codes(rng, weights, count_of(count));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> draw_exponentials_cpp(double rate, double count, double seed) {
  auto rng = stream_of(seed);
  return noiseaware::draw_exponentials(rng, rate, count_of(count));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> draw_poissons_cpp(double mean, double count, double seed) {
  auto rng = stream_of(seed);
  return noiseaware::draw_poissons(rng, mean, count_of(count));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> draw_normals_cpp(double mean, double sd, double count, double seed) {
  auto rng = stream_of(seed);
  return noiseaware::draw_normals(rng, mean, sd, count_of(count));
}

// [[Rcpp::export(rng = false)]]
std::vector<double> draw_gammas_cpp(double shape, double rate, double count, double seed) {
  auto rng = stream_of(seed);
  return noiseaware::draw_gammas(rng, shape, rate, count_of(count));
}

//! One row per draw.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix draw_dirichlets_cpp(std::vector<double> concentration, int count, double seed) {
  auto rng = stream_of(seed);
  Rcpp::NumericMatrix out(count, static_cast<int>(concentration.size()));
  for (int i = 0; i < count; ++i) {
    const std::vector<double> drawn = noiseaware::dirichlet(rng, concentration);
    for (int k = 0; k < out.ncol(); ++k) out(i, k) = drawn[static_cast<std::size_t>(k)];
  }
  return out;
}

//! One row per draw: mean, sd.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix draw_nigs_cpp(Rcpp::List prior, int count, double seed) {
  auto rng = stream_of(seed);
  Rcpp::NumericMatrix out(count, 2);
  for (int i = 0; i < count; ++i) {
    const auto drawn = noiseaware::draw_normal_inverse_gamma(rng, prior["mean"], prior["precision"],
                                                             prior["shape"], prior["rate"]);
    out(i, 0) = drawn.mean;
    out(i, 1) = drawn.sd;
  }
  return out;
}
