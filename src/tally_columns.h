// Decodes the columns of a query plan, stored and derived.
#ifndef NOISEAWARE_SRC_TALLY_COLUMNS_H
#define NOISEAWARE_SRC_TALLY_COLUMNS_H

#include <cmath>
#include <noiseaware/tally/moment_sums.hpp>
#include <noiseaware/tally/statistics.hpp>
#include <string>
#include <vector>

#include "derive_glue.h"

namespace noiseaware_r {

using noiseaware::Atom;
using noiseaware::CellGrid;
using noiseaware::DerivedInput;
using noiseaware::MomentPlan;

//! A column of the plan: keys of core_column() in R/tally-plan.R.
struct ColumnPlan {
  explicit ColumnPlan(const Rcpp::List& x)
      : type(Rcpp::as<std::string>(x["type"])),
        lower_q(x["lower_q"]),
        upper_q(x["upper_q"]),
        centre_q(x["centre_q"]),
        missing_q(x["missing_q"]),
        grid_exp(x["grid_exp"]),
        categories(x["categories"]) {}

  bool is_coded() const { return type == "binary" || type == "levels"; }
  CellGrid grid() const {
    return CellGrid(lower_q, upper_q, centre_q, grid_exp, is_coded() ? centre_q : missing_q);
  }

  std::string type;
  double lower_q, upper_q, centre_q, missing_q;
  int grid_exp;
  double categories;
};

inline std::vector<ColumnPlan> column_plans(const Rcpp::List& plan, const char* key = "columns") {
  std::vector<ColumnPlan> out;
  const Rcpp::List columns = plan[key];
  for (R_xlen_t i = 0; i < columns.size(); ++i) out.emplace_back(Rcpp::List(columns[i]));
  return out;
}

//! The derived columns of the plan, if it has any.
inline Rcpp::List derived_columns(const Rcpp::List& plan) {
  return plan.containsElementNamed("derived") ? Rcpp::List(plan["derived"]) : Rcpp::List();
}

//! Which columns of the plan are derived, and not in the records.
inline std::vector<bool> derived_flags(const Rcpp::List& plan) {
  const Rcpp::List derived = derived_columns(plan);
  std::vector<bool> out(static_cast<std::size_t>(Rf_xlength(plan["columns"])), false);
  for (R_xlen_t i = 0; i < derived.size(); ++i)
    out.at(Rcpp::as<std::size_t>(Rcpp::List(derived[i])["column"]) - 1) = true;
  return out;
}

//! The columns a batch holds: those that are not derived, then those that are
//! only there to derive others from.
inline std::vector<ColumnPlan> stored_columns(const Rcpp::List& plan) {
  std::vector<ColumnPlan> out;
  const auto derived = derived_flags(plan);
  const auto columns = column_plans(plan);
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (!derived[i]) out.push_back(columns[i]);
  if (plan.containsElementNamed("inputs"))
    for (const ColumnPlan& input : column_plans(plan, "inputs")) out.push_back(input);
  return out;
}

//! Where a stored column sits among the numbers or the codes of a batch.
inline std::vector<DerivedInput> batch_places(const std::vector<ColumnPlan>& stored) {
  std::vector<DerivedInput> out;
  int numbers = 0, codes = 0;
  for (const ColumnPlan& column : stored) {
    DerivedInput place;
    if (column.is_coded()) {
      place.code = codes++;
    } else {
      place.number = numbers++;
      place.bounds = {std::ldexp(column.lower_q, -column.grid_exp),
                      std::ldexp(column.upper_q, -column.grid_exp)};
      place.missing = std::ldexp(column.missing_q, -column.grid_exp);
    }
    out.push_back(place);
  }
  return out;
}

//! Adds the derived columns: `used` has the stored columns that are their inputs,
//! `atoms` where each column of the query is among its numbers.
inline void add_derived(const Rcpp::List& plan, const std::vector<Atom>& atoms, MomentPlan& out) {
  const Rcpp::List derived = derived_columns(plan);
  if (derived.size() == 0) return;
  const auto places = batch_places(stored_columns(plan));
  const auto columns = column_plans(plan);
  std::vector<noiseaware::PublicBounds> bounds;
  for (const int stored : Rcpp::as<std::vector<int>>(plan["used"])) {
    out.inputs.push_back(places.at(static_cast<std::size_t>(stored - 1)));
    bounds.push_back(out.inputs.back().bounds);
  }
  for (R_xlen_t i = 0; i < derived.size(); ++i) {
    const Rcpp::List program = derived[i];
    const auto at = Rcpp::as<std::size_t>(program["column"]) - 1;
    const double low = columns.at(at).lower_q - columns.at(at).centre_q;
    out.derived.push_back({atoms.at(at).column,
                           noiseaware::DerivedColumn(derive_steps(program), bounds),
                           columns.at(at).is_coded() ? low : 0.0});
  }
}

}  // namespace noiseaware_r

#endif
