// Glue for private bounds: collect a column, charge, draw, in one call, so that no
// record reaches R in another form than it came.
#include <noiseaware/noise/exponential_quantile.hpp>
#include <noiseaware/rng/chacha20.hpp>
#include <noiseaware/rng/os_entropy.hpp>
#include <noiseaware/tally/points.hpp>

#include "ledger_glue.h"
#include "tally_glue.h"

using noiseaware::ExponentialQuantile;
using noiseaware::SecretPoints;

namespace {

//! Grids of bounds are finer than those of sums.
constexpr double kReach = 4294967296.0;  // 2^32

noiseaware::ColumnPoints collect(const Rcpp::List& plan, const Rcpp::Function& next_batch) {
  const auto columns = noiseaware_r::column_plans(plan);
  const noiseaware_r::ColumnPlan& column = columns.at(0);
  noiseaware::ColumnPoints points(
      noiseaware::CellGrid(column.lower_q, column.upper_q, column.centre_q, column.grid_exp,
                           column.missing_q, kReach),
      column.centre_q);
  const noiseaware_r::GroupPlan no_groups(plan);
  for (Rcpp::RObject batch = next_batch(); !batch.isNULL(); batch = next_batch()) {
    const noiseaware_r::Batch rows(Rcpp::List(batch), columns, no_groups);
    points.add(rows.rows().numbers.at(0), rows.rows().rows);
    Rcpp::checkUserInterrupt();
  }
  return points;
}

//! The keys of bounds_request() in R/release-bounds.R.
struct Request {
  explicit Request(const Rcpp::List& x)
      : thousandths(Rcpp::as<std::vector<unsigned>>(x["thousandths"])),
        units(noiseaware::parse_units(Rcpp::as<std::string>(x["epsilon_units"]), "epsilon") /
              thousandths.size()),
        lower(static_cast<std::int64_t>(Rcpp::as<double>(x["lower_q"]))),
        upper(static_cast<std::int64_t>(Rcpp::as<double>(x["upper_q"]))) {}

  ExponentialQuantile quantile(const SecretPoints& points, std::size_t k) const {
    return ExponentialQuantile(points, lower, upper, thousandths[k], units);
  }

  std::vector<unsigned> thousandths;
  std::uint64_t units;  // of each quantile, rounded down
  std::int64_t lower, upper;
};

//! One simulated source per quantile, like the groups of a release.
double draw(const ExponentialQuantile& quantile, const Rcpp::List& entropy, std::uint64_t k) {
  if (Rcpp::as<std::string>(entropy["source"]) == "os") {
    noiseaware::OsEntropy source;
    return static_cast<double>(quantile.draw(source));
  }
  const auto seed = static_cast<std::uint64_t>(Rcpp::as<double>(entropy["seed"]));
  noiseaware::ChaCha20Stream source(
      noiseaware::simulation_key(seed, Rcpp::as<std::string>(entropy["query"]), k));
  return static_cast<double>(quantile.draw(source));
}

SecretPoints sorted_points(const Rcpp::NumericVector& x) {
  SecretPoints points;
  for (double value : x) points.push_back(static_cast<std::int64_t>(value));
  std::sort(points.begin(), points.end());
  return points;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List private_bounds_cpp(Rcpp::List plan, Rcpp::Function batches, Rcpp::List request,
                              Rcpp::List entropy) {
  const Request asked(request);
  noiseaware::ColumnPoints column = collect(plan, batches);
  const SecretPoints& points = column.sorted();
  if (Rcpp::as<bool>(plan["public_n"]) && points.empty())
    return Rcpp::List::create(Rcpp::Named("status") = "no rows");
  Rcpp::List ledger = Rcpp::List::create(Rcpp::Named("status") = "charged");
  if (!Rf_isNull(entropy["charge"]))
    ledger = noiseaware_r::charge_ledger(Rcpp::List(entropy["charge"]));
  if (Rcpp::as<std::string>(ledger["status"]) != "charged") return ledger;
  Rcpp::NumericVector values(static_cast<R_xlen_t>(asked.thousandths.size()));
  try {
    for (std::size_t k = 0; k < asked.thousandths.size(); ++k)
      values[static_cast<R_xlen_t>(k)] = draw(asked.quantile(points, k), entropy, k);
  } catch (const std::exception&) {
    // The charge is on the disk by now, and nobody may be told otherwise.
    return Rcpp::List::create(Rcpp::Named("status") = "no noise");
  }
  return Rcpp::List::create(Rcpp::Named("status") = "charged", Rcpp::Named("ledger") = ledger,
                            Rcpp::Named("values") = values);
}

//! The exact weight of every point of a small range: what tests check the privacy
//! of. `points` are whole numbers that anyone may know.
// [[Rcpp::export(rng = false)]]
Rcpp::CharacterVector quantile_weights_cpp(Rcpp::NumericVector points, Rcpp::List request) {
  const SecretPoints sorted = sorted_points(points);
  const Request asked(request);
  std::vector<noiseaware::u128> weights;
  asked.quantile(sorted, 0).visit([&](std::int64_t, std::uint64_t width, std::uint64_t weight) {
    if (weights.size() + width > 1000000) Rcpp::stop("the range is too wide to list");
    weights.insert(weights.end(), static_cast<std::size_t>(width), weight);
  });
  return noiseaware_r::decimals(weights);
}

//! Draws of the raw simulation stream: for tests, never for a release.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector quantile_sample_cpp(Rcpp::NumericVector points, Rcpp::List request, int n,
                                        double seed) {
  const SecretPoints sorted = sorted_points(points);
  const ExponentialQuantile quantile = Request(request).quantile(sorted, 0);
  noiseaware::ChaCha20Stream source(noiseaware::simulation_key(static_cast<std::uint64_t>(seed)));
  Rcpp::NumericVector draws(n);
  for (double& drawn : draws) drawn = static_cast<double>(quantile.draw(source));
  return draws;
}
