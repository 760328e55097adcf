// What every inference export shares: how R describes a run, where draws go,
// and how the main thread listens to R while chains work.
#ifndef NOISEAWARE_SRC_INFER_GLUE_H
#define NOISEAWARE_SRC_INFER_GLUE_H

#include "convert.h"
//
#include <chrono>
#include <cstdint>
#include <noiseaware/chain/config.hpp>
#include <noiseaware/chain/monitor.hpp>
#include <noiseaware/infer/draw_array.hpp>

namespace noiseaware_r {

inline std::uint64_t seed_of(double seed) { return static_cast<std::uint64_t>(seed); }

//! Chains with warmup and thinning.
inline noiseaware::ChainConfig chain_config(const Rcpp::List& run) {
  return noiseaware::ChainConfig(run["chains"], run["iter"], run["warmup"], run["thin"],
                                 run["cores"], seed_of(run["seed"]));
}

//! As many independent draws as such chains would keep.
inline noiseaware::ChainConfig independent_config(const Rcpp::List& run) {
  const noiseaware::ChainConfig config = chain_config(run);
  return noiseaware::ChainConfig(config.chains, config.kept(), 0, 1, config.cores, config.seed);
}

//! An array of iterations x chains x variables, as package posterior has it.
inline Rcpp::NumericVector draw_storage(const noiseaware::ChainConfig& config,
                                        std::size_t variables) {
  return Rcpp::NumericVector(
      Rcpp::Dimension(config.kept(), config.chains, static_cast<int>(variables)));
}

inline noiseaware::DrawArray draw_array(Rcpp::NumericVector& storage,
                                        const noiseaware::ChainConfig& config) {
  return noiseaware::DrawArray(storage.begin(), config.kept(), config.chains);
}

//! Called on the main thread only: lets the user interrupt, and tells R how far
//! the chains are, five times a second at most.
class RMonitor {
 public:
  explicit RMonitor(SEXP report) : report_(report) {}

  void operator()(const noiseaware::Progress& progress) {
    Rcpp::checkUserInterrupt();
    if (Rf_isNull(report_)) return;
    const auto now = std::chrono::steady_clock::now();
    const bool finished = progress.done() >= progress.total();
    if (!finished && now - last_ < std::chrono::milliseconds(200)) return;
    last_ = now;
    Rcpp::Function report(report_);
    report(static_cast<double>(progress.done()), static_cast<double>(progress.total()));
  }

 private:
  Rcpp::RObject report_;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace noiseaware_r

#endif
