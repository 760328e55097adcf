#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/io/json_text.hpp>
#include <noiseaware/wide/int128.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>

// One line of a ledger. A record is a flat JSON object of strings, without
// white space, its members in this order:
//
//   every record  v           format version, "1"
//                 seq         1 for the first line, then 2, 3, ...
//                 prev        SHA-256 of the previous line without its newline;
//                             64 zeros in the first
//                 type        open (first line only), spend or note
//   open          unit        pure (epsilon), zcdp (rho) or gdp (mu^2)
//                 population  public name of the people the budget protects
//                 budget      whole number of 1e-12 units
//                 epsilon     decimal, if the budget was given as
//                 delta       (epsilon, delta); otherwise both are empty
//   spend         unit        as in the first line
//                 cost        whole number of 1e-12 units
//                 query       SHA-256 of the query, or empty
//                 size        number of released statistics
//                 mechanism   laplace, gaussian or exponential
//   note          release     SHA-256 of the payload of a published release
//
// Units are decimal so that ten times 0.1 is exactly 1, and integers so that
// sums are exact.

namespace noiseaware {

//! What is added up: epsilon, rho, or mu^2.
enum class BudgetUnit { pure, zcdp, gdp };

inline std::string to_string(BudgetUnit unit) {
  return unit == BudgetUnit::pure ? "pure" : unit == BudgetUnit::zcdp ? "zcdp" : "gdp";
}

inline BudgetUnit parse_budget_unit(const std::string& text) {
  for (const BudgetUnit unit : {BudgetUnit::pure, BudgetUnit::zcdp, BudgetUnit::gdp})
    if (to_string(unit) == text) return unit;
  throw std::invalid_argument("unit must be pure, zcdp or gdp");
}

//! The budget a ledger is opened with.
struct LedgerBudget {
  BudgetUnit unit = BudgetUnit::pure;
  std::string population;
  std::uint64_t units = 0;
  std::string epsilon;
  std::string delta;
};

//! What one release costs.
struct SpendRequest {
  BudgetUnit unit = BudgetUnit::pure;
  std::uint64_t cost = 0;
  std::string query;
  std::uint64_t size = 0;
  std::string mechanism;
};

//! Which file came of a spend, written after the fact.
struct ReleaseNote {
  std::string release;
};

struct LedgerRecord {
  std::uint64_t seq = 0;
  std::string prev;
  std::variant<LedgerBudget, SpendRequest, ReleaseNote> body;
};

//! A positive whole number of at most `digits` digits (19 always fit in 64
//! bits), without sign or leading zero.
inline std::uint64_t parse_positive(const std::string& text, std::size_t digits, const char* name) {
  const bool plain = text.find_first_not_of("0123456789") == std::string::npos;
  if (!plain || text.empty() || text.size() > digits || text[0] == '0')
    throw std::invalid_argument(std::string(name) + " must be a positive whole number of at most " +
                                std::to_string(digits) + " digits");
  return static_cast<std::uint64_t>(parse_u128(text));
}

//! Budgets and costs: whole numbers of 1e-12, from 1 to 19 digits.
inline std::uint64_t parse_units(const std::string& text, const char* name) {
  return parse_positive(text, 19, name);
}

//! Counts of statistics.
inline std::uint64_t parse_size(const std::string& text) { return parse_positive(text, 9, "size"); }

inline void require_hash(const std::string& text, const char* name) {
  if (text.size() != 64 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw std::invalid_argument(std::string(name) + " must be 64 lower-case hexadecimal digits");
}

namespace detail {

inline void require_decimal(const std::string& text, const char* name) {
  const bool plain = text.find_first_not_of("0123456789.e-") == std::string::npos;
  if (text.empty() || text.size() > 32 || !plain || text[0] < '0' || text[0] > '9')
    throw std::invalid_argument(std::string(name) + " must be a decimal number");
}

//! Noise without a bounded loss has no finite epsilon, and noise that is not
//! Gaussian has no mu (Dong, Roth and Su 2022); zCDP has room for both.
inline bool mechanism_fits(BudgetUnit unit, const std::string& mechanism) {
  if (mechanism == "laplace" || mechanism == "exponential") return unit != BudgetUnit::gdp;
  return mechanism == "gaussian" && unit != BudgetUnit::pure;
}

}  // namespace detail

//! Each validate() throws std::invalid_argument for a body no ledger may hold.
inline void validate(const LedgerBudget& open) {
  parse_units(std::to_string(open.units), "budget");
  if (open.population.empty() || open.population.size() > 256)
    throw std::invalid_argument("population must have 1 to 256 bytes");
  require_printable(open.population);
  if (open.epsilon.empty() && open.delta.empty()) return;
  if (open.unit != BudgetUnit::gdp)
    throw std::invalid_argument("only a gdp budget is given as epsilon and delta");
  detail::require_decimal(open.epsilon, "epsilon");
  detail::require_decimal(open.delta, "delta");
}

inline void validate(const SpendRequest& spend) {
  parse_units(std::to_string(spend.cost), "cost");
  parse_size(std::to_string(spend.size));
  if (!spend.query.empty()) require_hash(spend.query, "query");
  if (!detail::mechanism_fits(spend.unit, spend.mechanism))
    throw std::invalid_argument("mechanism '" + spend.mechanism + "' has no cost in unit '" +
                                to_string(spend.unit) + "'");
}

inline void validate(const ReleaseNote& note) { require_hash(note.release, "release"); }

namespace detail {

inline JsonMembers body_members(const LedgerBudget& open) {
  return {{"type", "open"},
          {"unit", to_string(open.unit)},
          {"population", open.population},
          {"budget", std::to_string(open.units)},
          {"epsilon", open.epsilon},
          {"delta", open.delta}};
}

inline JsonMembers body_members(const SpendRequest& spend) {
  return {{"type", "spend"},
          {"unit", to_string(spend.unit)},
          {"cost", std::to_string(spend.cost)},
          {"query", spend.query},
          {"size", std::to_string(spend.size)},
          {"mechanism", spend.mechanism}};
}

inline JsonMembers body_members(const ReleaseNote& note) {
  return {{"type", "note"}, {"release", note.release}};
}

//! The value of a member that must be there; order is checked by re-formatting.
inline const std::string& member(const JsonMembers& members, const std::string& key) {
  for (const auto& candidate : members)
    if (candidate.first == key) return candidate.second;
  throw std::invalid_argument("member '" + key + "' is missing");
}

inline LedgerBudget parse_open(const JsonMembers& m) {
  return {parse_budget_unit(member(m, "unit")), member(m, "population"),
          parse_units(member(m, "budget"), "budget"), member(m, "epsilon"), member(m, "delta")};
}

inline SpendRequest parse_spend(const JsonMembers& m) {
  return {parse_budget_unit(member(m, "unit")), parse_units(member(m, "cost"), "cost"),
          member(m, "query"), parse_size(member(m, "size")), member(m, "mechanism")};
}

inline decltype(LedgerRecord::body) parse_body(const JsonMembers& m) {
  const std::string& type = member(m, "type");
  if (type == "open") return parse_open(m);
  if (type == "spend") return parse_spend(m);
  if (type == "note") return ReleaseNote{member(m, "release")};
  throw std::invalid_argument("type must be open, spend or note");
}

}  // namespace detail

//! The members of a record in their order, all as text. Throws if it is not valid.
inline JsonMembers record_members(const LedgerRecord& record) {
  require_hash(record.prev, "prev");
  JsonMembers members{{"v", "1"}, {"seq", std::to_string(record.seq)}, {"prev", record.prev}};
  const auto add_body = [&](const auto& body) {
    validate(body);
    for (auto& item : detail::body_members(body)) members.push_back(item);
  };
  std::visit(add_body, record.body);
  return members;
}

//! The line, without its newline. Throws if the record is not valid.
inline std::string format_record(const LedgerRecord& record) {
  return format_members(record_members(record));
}

//! The record of a line, which must be exactly what format_record() writes:
//! two spellings of one record would have two hashes. Throws
//! std::invalid_argument otherwise.
inline LedgerRecord parse_record(const std::string& line) {
  const JsonMembers members = parse_members(line);
  if (detail::member(members, "v") != "1")
    throw std::invalid_argument("its format version is not 1");
  const std::uint64_t seq = parse_positive(detail::member(members, "seq"), 18, "seq");
  LedgerRecord record{seq, detail::member(members, "prev"), detail::parse_body(members)};
  if (format_record(record) != line)
    throw std::invalid_argument("its members are not those of its type, in order");
  return record;
}

}  // namespace noiseaware
