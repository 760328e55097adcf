#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace noiseaware {

//! A ledger that does not verify. Nothing is ever spent from one.
class LedgerError : public std::runtime_error {
 public:
  //! One word for callers that cannot catch by type: torn, chain, record, unit,
  //! another, overspent or empty.
  const char* kind() const noexcept { return kind_; }

 protected:
  LedgerError(const char* kind, const std::string& message)
      : std::runtime_error(message), kind_(kind) {}

 private:
  const char* kind_;
};

//! A process was killed, or the disk was full, while the last line was written.
class TornLedger : public LedgerError {
 public:
  TornLedger() : LedgerError("torn", "the last record is incomplete; run ledger_repair()") {}
};

//! A record was edited, removed, inserted or moved.
class BrokenChain : public LedgerError {
 public:
  explicit BrokenChain(std::size_t record)
      : LedgerError("chain", "hash chain broken at record " + std::to_string(record)) {}
};

//! A line that this version would not have written.
class MalformedRecord : public LedgerError {
 public:
  MalformedRecord(std::size_t record, const std::string& reason)
      : LedgerError("record", "record " + std::to_string(record) + " is malformed: " + reason) {}
};

//! A cost in another unit than the budget's: the two cannot be added.
class UnitMismatch : public LedgerError {
 public:
  UnitMismatch(const std::string& asked, const std::string& budget)
      : LedgerError("unit", "a cost in unit '" + asked +
                                "' cannot be charged to a budget in unit '" + budget + "'") {}
};

//! A valid ledger, but of another population or budget than the caller opened.
class AnotherLedger : public LedgerError {
 public:
  AnotherLedger() : LedgerError("another", "the file is not the ledger that was opened") {}
};

//! The records add up to more than the budget.
class OverspentLedger : public LedgerError {
 public:
  explicit OverspentLedger(std::size_t record)
      : LedgerError("overspent", "record " + std::to_string(record) + " exceeds the budget") {}
};

//! A file without a single complete record.
class EmptyLedger : public LedgerError {
 public:
  EmptyLedger() : LedgerError("empty", "the file has no complete record") {}
};

}  // namespace noiseaware
