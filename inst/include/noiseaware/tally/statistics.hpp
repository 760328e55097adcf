#pragma once

#include <cstddef>
#include <noiseaware/tally/moment_sums.hpp>
#include <noiseaware/tally/table_sums.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {

//! A factor of a moment: the constant 1, a number, or the indicator of a level.
struct Atom {
  enum class Kind { constant, number, level };
  Kind kind = Kind::constant;
  std::size_t column = 0;  //!< within its kind
  std::size_t level = 0;
};

//! Counts move in steps of 2^-20, so that their noise has the same fine grid as
//! every other statistic.
constexpr int count_shift = 20;

//! A statistic of moments: the sum over records of first * second.
struct MomentTerm {
  Atom first, second;
};

//! The exact value, in grid steps.
inline i128 exact_statistic(const MomentSums& sums, const MomentTerm& term) {
  using Kind = Atom::Kind;
  const Atom &first = term.first, &second = term.second;
  if (first.kind == Kind::constant) {
    if (second.kind == Kind::constant) return sums.n() << count_shift;
    if (second.kind == Kind::number) return sums.number(second.column);
    return sums.level(second.column, second.level) << count_shift;
  }
  const i128 one_count = static_cast<i128>(1) << count_shift;
  if (first.kind == Kind::number) {
    if (second.kind == Kind::number) return sums.number_number(first.column, second.column);
    return sums.level_number(second.column, second.level, first.column) * one_count;
  }
  if (second.kind == Kind::number)
    return sums.level_number(first.column, first.level, second.column) * one_count;
  return sums.level_level(first.column, first.level, second.column, second.level)
         << (2 * count_shift);
}

//! A cell of a table, or the number of records where `table` is negative.
struct TableCell {
  int table = -1;
  std::size_t cell = 0;
};

inline i128 exact_statistic(const TableSums& sums, const TableCell& cell) {
  const i128 count =
      cell.table < 0 ? sums.n() : sums.count(static_cast<std::size_t>(cell.table), cell.cell);
  return count << count_shift;
}

template <class Sums, class Term>
SecretSums exact_statistics(const Sums& sums, const std::vector<Term>& terms) {
  SecretSums out;
  out.reserve(terms.size());
  for (const Term& term : terms) out.push_back(exact_statistic(sums, term));
  return out;
}

//! The exact answer to a query for one group.
class ExactAnswer {
 public:
  ExactAnswer(i128 n, SecretSums sums) : n_(n), sums_(std::move(sums)) {}
  ExactAnswer(ExactAnswer&&) = default;
  ExactAnswer& operator=(ExactAnswer&&) = default;
  ExactAnswer(const ExactAnswer&) = delete;
  ExactAnswer& operator=(const ExactAnswer&) = delete;

  i128 n() const { return n_; }
  const SecretSums& sums() const { return sums_; }

 private:
  i128 n_;
  SecretSums sums_;
};

}  // namespace noiseaware
