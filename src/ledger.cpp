// Glue for the ledger and for files that are written whole.
#include "ledger_glue.h"
//
#include <noiseaware/io/ledger_loss.hpp>
#include <variant>
#include <vector>

using noiseaware::LedgerState;
using noiseaware::to_decimal;
using noiseaware_r::with_ledger_failures;

namespace {

//! One field of every record; empty where the record has no such field.
std::vector<std::string> record_column(const LedgerState& state, const std::string& key) {
  std::vector<std::string> column;
  for (const auto& record : state.records) {
    column.emplace_back();
    for (const auto& member : noiseaware::record_members(record))
      if (member.first == key) column.back() = member.second;
  }
  return column;
}

//! What was spent up to and including each record, and what was left after it.
void add_running_totals(const LedgerState& state, Rcpp::List& out) {
  std::vector<std::string> cumulative, left;
  noiseaware::u128 spent = 0;
  for (const auto& record : state.records) {
    const auto* charge = std::get_if<noiseaware::SpendRequest>(&record.body);
    spent += charge == nullptr ? 0 : charge->cost;
    cumulative.push_back(to_decimal(spent));
    left.push_back(to_decimal(state.budget.units - spent));
  }
  out["cumulative"] = cumulative;
  out["left"] = left;
}

Rcpp::List encode_records(const LedgerState& state) {
  Rcpp::List out;
  for (const char* key : {"seq", "type", "mechanism", "query", "release", "size", "cost"})
    out[key] = record_column(state, key);
  add_running_totals(state, out);
  return out;
}

Rcpp::List encode_state(const LedgerState& state) {
  Rcpp::String population(state.budget.population, CE_UTF8);
  return Rcpp::List::create(
      Rcpp::Named("status") = "verified", Rcpp::Named("population") = population,
      Rcpp::Named("unit") = to_string(state.budget.unit),
      Rcpp::Named("budget") = std::to_string(state.budget.units),
      Rcpp::Named("epsilon") = state.budget.epsilon, Rcpp::Named("delta") = state.budget.delta,
      Rcpp::Named("spent") = to_decimal(state.spent),
      Rcpp::Named("left") = to_decimal(state.left()),
      Rcpp::Named("statistics") = to_decimal(state.statistics), Rcpp::Named("head") = state.head,
      Rcpp::Named("records") = encode_records(state));
}

Rcpp::List done(const char* name, const std::string& value) {
  return Rcpp::List::create(Rcpp::Named("status") = "done", Rcpp::Named(name) = value);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List ledger_create_cpp(std::string path, Rcpp::List budget) {
  return with_ledger_failures([&] {
    const auto text = [&](const char* key) { return Rcpp::as<std::string>(budget[key]); };
    noiseaware::create_ledger(
        path, {noiseaware::parse_budget_unit(text("unit")), text("population"),
               noiseaware::parse_units(text("units"), "budget"), text("epsilon"), text("delta")});
    return done("path", path);
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List ledger_read_cpp(std::string path) {
  return with_ledger_failures([&] {
    return encode_state(noiseaware::load_ledger(path, noiseaware_r::interruptible_wait()));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List ledger_spend_cpp(Rcpp::List charge) { return noiseaware_r::charge_ledger(charge); }

// [[Rcpp::export(rng = false)]]
Rcpp::List ledger_note_cpp(std::string path, std::string release) {
  return with_ledger_failures([&] {
    return done("head", noiseaware::append_note(path, release, noiseaware_r::interruptible_wait()));
  });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List ledger_repair_cpp(std::string path) {
  return with_ledger_failures([&] {
    const std::size_t dropped = noiseaware::repair_ledger(path, noiseaware_r::interruptible_wait());
    return done("dropped", std::to_string(dropped));
  });
}

// [[Rcpp::export(rng = false)]]
std::string rho_units_cpp(std::string units, bool from_epsilon) {
  const noiseaware::u128 amount = noiseaware::parse_units(units, "cost");
  return to_decimal(from_epsilon ? noiseaware::rho_units_from_epsilon(amount)
                                 : noiseaware::rho_units_from_mu2(amount));
}

// [[Rcpp::export(rng = false)]]
double implied_epsilon_cpp(std::string unit, std::string spent, double statistics, double delta) {
  return noiseaware::implied_epsilon(noiseaware::parse_budget_unit(unit),
                                     noiseaware::parse_u128(spent), statistics, delta);
}

// [[Rcpp::export(rng = false)]]
void atomic_write_cpp(std::string path, std::string text, bool overwrite) {
  noiseaware::atomic_write(
      path, text, overwrite ? noiseaware::Overwrite::replace : noiseaware::Overwrite::refuse);
}
