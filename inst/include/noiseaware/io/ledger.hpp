#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/hash/sha256.hpp>
#include <noiseaware/io/atomic_write.hpp>
#include <noiseaware/io/file_lock.hpp>
#include <noiseaware/io/ledger_state.hpp>
#include <string>

// The privacy budget of one population, as an append-only file of hash-chained
// records. What it defends against, and what it cannot:
//  - races: check and charge happen under one exclusive lock;
//  - crashes: spend() returns once the charge is on disk, and noise is drawn
//    only afterwards, so whatever was revealed has been paid for;
//  - edits: changing, removing or moving a record breaks the chain behind it;
//  - not rollback: an older copy, or one without its last lines, is a valid
//    ledger. The sequence number and head hash in every published release let
//    others see two releases with one number.
// Sums of epsilon, rho and mu^2 stay valid when later queries depend on earlier
// answers (Rogers et al. 2016; Feldman and Zrnic 2021; Smith and Thakurta 2022).

namespace noiseaware {

//! The answer to spend(): `spent` and `left` are the ledger's after the call.
//! If not accepted, nothing was written; `seq` and `head` are those of the last
//! record, which is the new one if accepted.
struct SpendResult {
  bool accepted = false;
  std::uint64_t seq = 0;
  std::string head;
  u128 spent = 0;
  u128 asked = 0;
  u128 left = 0;
};

namespace detail {

//! Numbers, chains and appends one record; returns its hash.
template <class Body>
std::string append_record(LockedFile& file, const LedgerState& state, const Body& body) {
  const std::string line = format_record({state.records.size() + 1, state.head, body});
  file.append_line(line);
  return Sha256::hex(line);
}

inline bool same_budget(const LedgerBudget& a, const LedgerBudget& b) {
  return a.unit == b.unit && a.population == b.population && a.units == b.units;
}

}  // namespace detail

//! Creates a ledger that only its owner can read. Throws FileExists rather than
//! touch a file that is there.
inline void create_ledger(const std::string& path, const LedgerBudget& budget) {
  const LedgerRecord first{1, std::string(64, '0'), budget};
  atomic_write(path, format_record(first) + "\n", Overwrite::refuse, 0600);
}

//! Reads and verifies a ledger, waiting for a spend in progress to end.
inline LedgerState load_ledger(const std::string& path, const LockWait& wait = {}) {
  const LockedFile file(path, LockedFile::Access::read, wait);
  return read_ledger(file.read_all());
}

//! Charges the ledger, or says that the budget does not allow it. Call it after
//! everything that can fail and before any noise is drawn. `opened`, if given,
//! is what the caller took the ledger for: its file may have been swapped since.
inline SpendResult spend(const std::string& path, const SpendRequest& request,
                         const LockWait& wait = {}, const LedgerBudget* opened = nullptr) {
  validate(request);
  LockedFile file(path, LockedFile::Access::append, wait);
  const LedgerState state = read_ledger(file.read_all());
  if (request.unit != state.budget.unit)
    throw UnitMismatch(to_string(request.unit), to_string(state.budget.unit));
  if (opened != nullptr && !detail::same_budget(*opened, state.budget)) throw AnotherLedger();
  const std::uint64_t last = state.records.size();
  if (request.cost > state.left())
    return {false, last, state.head, state.spent, request.cost, state.left()};
  const std::string head = detail::append_record(file, state, request);
  return {
      true, last + 1, head, state.spent + request.cost, request.cost, state.left() - request.cost};
}

//! Records the hash of a published release; costs nothing. Returns the hash of
//! the new record.
inline std::string append_note(const std::string& path, const std::string& release,
                               const LockWait& wait = {}) {
  LockedFile file(path, LockedFile::Access::append, wait);
  const LedgerState state = read_ledger(file.read_all());
  return detail::append_record(file, state, ReleaseNote{release});
}

//! Drops an incomplete last line and returns how many bytes it had; 0 if there
//! was none. Its writer never got as far as drawing noise, so nothing was
//! revealed for it. The rest is verified first: a ledger that is broken
//! otherwise is left as it is.
inline std::size_t repair_ledger(const std::string& path, const LockWait& wait = {}) {
  LockedFile file(path, LockedFile::Access::append, wait);
  const std::string text = file.read_all();
  const std::size_t complete = detail::complete_bytes(text);
  detail::verify_lines(text, complete);
  if (complete != text.size()) file.cut(complete);
  return text.size() - complete;
}

}  // namespace noiseaware
