// How R describes noise, the number of records and problems of counts.
#ifndef NOISEAWARE_SRC_COUNTS_GLUE_H
#define NOISEAWARE_SRC_COUNTS_GLUE_H

#include "convert.h"
//
#include <noiseaware/infer/expfam/bernoulli_exact.hpp>
#include <noiseaware/infer/expfam/categorical_problem.hpp>
#include <string>
#include <vector>

namespace noiseaware_r {

inline noiseaware::NoiseDensity decode_noise(const std::string& name, double scale, double grid,
                                             int terms) {
  using noiseaware::NoiseLaw;
  if (name == "none") return noiseaware::NoiseDensity();
  return noiseaware::NoiseDensity(name == "gaussian" ? NoiseLaw::gaussian : NoiseLaw::laplace,
                                  scale, grid, terms);
}

//! `table`: noise, scale, grid and terms, one entry per statistic.
inline std::vector<noiseaware::NoiseDensity> decode_noises(const Rcpp::List& table) {
  const auto names = strings(table["noise"]);
  const Rcpp::NumericVector scale = table["scale"], grid = table["grid"];
  const Rcpp::IntegerVector terms = table["terms"];
  std::vector<noiseaware::NoiseDensity> out;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto i = static_cast<R_xlen_t>(k);
    out.push_back(decode_noise(names[k], scale[i], grid[i], terms[i]));
  }
  return out;
}

//! `size`: status ("known", "noisy", "unknown"), value, and the noise as above.
inline noiseaware::SampleSize decode_size(const Rcpp::List& size) {
  const std::string status = Rcpp::as<std::string>(size["status"]);
  if (status == "known") return noiseaware::SampleSize::known(size["value"]);
  if (status == "unknown") return noiseaware::SampleSize::unknown();
  return noiseaware::SampleSize::noisy(size["value"], decode_noises(size)[0]);
}

//! `problem`: concentration, counts (a data frame, one row per category: value,
//! noise, scale, grid, terms, centre, released, censored) and size (status, and the
//! same).
inline noiseaware::CategoricalProblem decode_problem(const Rcpp::List& problem) {
  const Rcpp::List counts = problem["counts"];
  const Rcpp::NumericVector value = counts["value"], centre = counts["centre"];
  const Rcpp::LogicalVector released = counts["released"], censored = counts["censored"];
  const std::vector<noiseaware::NoiseDensity> noise = decode_noises(counts);
  noiseaware::CategoricalProblem out;
  out.concentration = Rcpp::as<std::vector<double>>(problem["concentration"]);
  out.size = decode_size(problem["size"]);
  for (std::size_t k = 0; k < noise.size(); ++k) {
    const auto i = static_cast<R_xlen_t>(k);
    out.counts.push_back({value[i], noise[k], centre[i], censored[i] != 0});
    out.released.push_back(released[i]);
  }
  return out;
}

//! A Bernoulli problem is one of two categories, of which the second is counted.
inline noiseaware::BernoulliProblem decode_bernoulli(const Rcpp::List& problem) {
  const noiseaware::CategoricalProblem both = decode_problem(problem);
  noiseaware::BernoulliProblem out;
  out.shape1 = both.concentration[1];
  out.shape2 = both.concentration[0];
  out.count = both.counts[1];
  out.size = both.size;
  return out;
}

inline Rcpp::List encode_moments(const std::vector<noiseaware::MixtureMoments>& moments) {
  Rcpp::NumericVector mean, within, between;
  for (const auto& m : moments) {
    mean.push_back(m.mean);
    within.push_back(m.within);
    between.push_back(m.between);
  }
  return Rcpp::List::create(Rcpp::Named("mean") = mean, Rcpp::Named("within") = within,
                            Rcpp::Named("between") = between);
}

}  // namespace noiseaware_r

#endif
