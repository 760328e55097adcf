#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/hash/sha256.hpp>
#include <noiseaware/io/ledger_errors.hpp>
#include <noiseaware/io/ledger_record.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace noiseaware {

//! A ledger that was read and verified: what it holds and what it adds up to.
struct LedgerState {
  LedgerBudget budget;
  u128 spent = 0;
  u128 statistics = 0;  //!< released so far, over all spends
  std::vector<LedgerRecord> records;
  std::string head = std::string(64, '0');  //!< hash of the last line

  u128 left() const { return budget.units - spent; }
};

namespace detail {

inline LedgerRecord parse_numbered(const std::string& line, std::size_t number) {
  try {
    return parse_record(line);
  } catch (const std::invalid_argument& reason) {
    throw MalformedRecord(number, reason.what());
  }
}

//! Adds the effect of one record, whose place in the chain is verified already.
struct LedgerTotals {
  LedgerState& state;
  std::size_t number;

  void operator()(const LedgerBudget& open) const { state.budget = open; }

  void operator()(const SpendRequest& spend) const {
    if (spend.unit != state.budget.unit)
      throw UnitMismatch(to_string(spend.unit), to_string(state.budget.unit));
    if (spend.cost > state.left()) throw OverspentLedger(number);
    state.spent += spend.cost;
    state.statistics += spend.size;
  }

  void operator()(const ReleaseNote&) const {}
};

inline void add_line(LedgerState& state, const std::string& line) {
  const std::size_t number = state.records.size() + 1;
  LedgerRecord record = parse_numbered(line, number);
  if (record.prev != state.head) throw BrokenChain(number);
  if (record.seq != number) throw MalformedRecord(number, "its sequence number is wrong");
  const bool opens = std::holds_alternative<LedgerBudget>(record.body);
  if (opens != (number == 1))
    throw MalformedRecord(number, "the first record, and no other, opens the ledger");
  std::visit(LedgerTotals{state, number}, record.body);
  state.head = Sha256::hex(line);
  state.records.push_back(std::move(record));
}

//! Bytes up to and including the last newline.
inline std::size_t complete_bytes(const std::string& text) {
  const std::size_t newline = text.rfind('\n');
  return newline == std::string::npos ? 0 : newline + 1;
}

//! Verifies the complete lines among the first `bytes` bytes.
inline LedgerState verify_lines(const std::string& text, std::size_t bytes) {
  LedgerState state;
  for (std::size_t at = 0; at < bytes;) {
    const std::size_t end = text.find('\n', at);
    add_line(state, text.substr(at, end - at));
    at = end + 1;
  }
  if (state.records.empty()) throw EmptyLedger();
  return state;
}

}  // namespace detail

//! Verifies the text of a ledger: canonical lines, hash chain, numbering, one
//! unit, spends within the budget. Throws a LedgerError that says what failed.
//! A broken chain is reported before a torn last line, which alone is harmless.
inline LedgerState read_ledger(const std::string& text) {
  const std::size_t complete = detail::complete_bytes(text);
  LedgerState state = detail::verify_lines(text, complete);
  if (complete != text.size()) throw TornLedger();
  return state;
}

}  // namespace noiseaware
