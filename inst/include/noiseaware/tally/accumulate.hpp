#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <noiseaware/chain/run_chains.hpp>
#include <noiseaware/tally/derive_rows.hpp>
#include <noiseaware/tally/moment_sums.hpp>
#include <noiseaware/tally/table_sums.hpp>
#include <thread>
#include <vector>

namespace noiseaware {

namespace detail {

//! Marks rows with a number outside its bounds.
inline void mark_outside(const CellGrid& grid, const NumberView& view, std::size_t first,
                         std::size_t rows, std::vector<char>& redacted) {
  for (std::size_t r = 0; r < rows; ++r)
    if (grid.outside(view[first + r])) redacted[r] = 1;
}

//! Stored numbers of one block: quantised, or the two values of a binary column.
inline void fill_numbers(const MomentPlan& plan, const RowBatch& batch, std::size_t first,
                         QuantisedBlock& block) {
  std::size_t next_number = 0;
  const auto rows = static_cast<std::size_t>(block.rows);
  std::fill(block.redacted.begin(), block.redacted.end(), char{0});
  for (std::size_t j = 0; j < plan.grids.size(); ++j) {
    if (plan.binary_code[j] == derived_code) continue;
    double* const out = block.numbers.col(static_cast<Eigen::Index>(j)).data();
    if (plan.binary_code[j] >= 0) {
      const CodeView& code = batch.codes[static_cast<std::size_t>(plan.binary_code[j])];
      for (std::size_t r = 0; r < rows; ++r)
        out[r] = code[first + r] == 1 ? plan.binary_high[j] : plan.binary_low[j];
      continue;
    }
    const NumberView& view = batch.numbers[next_number++];
    view.quantise(plan.grids[j], first, rows, out);
    if (plan.redact) mark_outside(plan.grids[j], view, first, rows, block.redacted);
  }
}

inline void fill_levels(const MomentPlan& plan, const RowBatch& batch, std::size_t first,
                        QuantisedBlock& block) {
  for (std::size_t f = 0; f < plan.factor_code.size(); ++f) {
    const CodeView& code = batch.codes[static_cast<std::size_t>(plan.factor_code[f])];
    int* const out = block.levels.data() + f * static_cast<std::size_t>(block_rows);
    for (std::size_t r = 0; r < static_cast<std::size_t>(block.rows); ++r) out[r] = code[first + r];
  }
}

//! A redacted row becomes the centre of every number and the unknown level of
//! every coded column: a point of the domain, so the sensitivity is unchanged.
inline void redact_rows(const MomentPlan& plan, QuantisedBlock& block) {
  for (std::size_t r = 0; r < static_cast<std::size_t>(block.rows); ++r) {
    if (block.redacted[r] == 0) continue;
    for (std::size_t j = 0; j < plan.grids.size(); ++j) {
      double& cell = block.numbers(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(j));
      const int code = plan.binary_code[j];
      if (code < 0)
        cell = 0.0;
      else
        cell = plan.redacted_level[static_cast<std::size_t>(code)] == 1 ? plan.binary_high[j]
                                                                        : plan.binary_low[j];
    }
    for (const DerivedMoment& derived : plan.derived)
      block.numbers(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(derived.column)) =
          derived.redacted;
    for (std::size_t f = 0; f < plan.factor_code.size(); ++f)
      block.levels[f * static_cast<std::size_t>(block_rows) + r] =
          plan.redacted_level[static_cast<std::size_t>(plan.factor_code[f])];
  }
}

inline QuantisedBlock make_block(const MomentPlan& plan) {
  QuantisedBlock block;
  block.numbers.resize(block_rows, static_cast<Eigen::Index>(plan.grids.size()));
  block.levels.resize(static_cast<std::size_t>(block_rows) * plan.factor_code.size());
  block.redacted.resize(static_cast<std::size_t>(block_rows));
  return block;
}

//! Which rows of a block, starting at row `at` of the batch, belong to which group.
inline void split_groups(const QuantisedBlock& block, const CodeView& group, std::size_t at,
                         std::vector<std::vector<Eigen::Index>>& members) {
  for (auto& rows : members) rows.clear();
  for (Eigen::Index r = 0; r < block.rows; ++r)
    members.at(static_cast<std::size_t>(group[at + static_cast<std::size_t>(r)])).push_back(r);
}

//! The given rows of a block as a block of their own.
inline void gather(const QuantisedBlock& block, const std::vector<Eigen::Index>& rows,
                   std::size_t factors, QuantisedBlock& out) {
  out.rows = static_cast<Eigen::Index>(rows.size());
  for (Eigen::Index i = 0; i < out.rows; ++i) {
    const Eigen::Index r = rows[static_cast<std::size_t>(i)];
    out.numbers.row(i) = block.numbers.row(r);
    for (std::size_t f = 0; f < factors; ++f) {
      const std::size_t column = f * static_cast<std::size_t>(block_rows);
      out.levels[column + static_cast<std::size_t>(i)] =
          block.levels[column + static_cast<std::size_t>(r)];
    }
  }
}

}  // namespace detail

//! Rows [first, last) of a batch.
struct RowRange {
  std::size_t first, last;
};

//! Adds a range of rows to the sums of their groups. `group` is a code column,
//! or null for one group. Returns early when the run is stopped. `Sums` is
//! MomentSums or PowerSums.
template <class Sums>
void accumulate(const MomentPlan& plan, const RowBatch& batch, const CodeView* group,
                RowRange range, const Progress& progress, std::vector<Sums>& sums) {
  QuantisedBlock block = detail::make_block(plan);
  QuantisedBlock part = detail::make_block(plan);
  detail::DeriveScratch scratch(plan);
  std::vector<std::vector<Eigen::Index>> members(sums.size());
  for (std::size_t at = range.first; at < range.last && !progress.stopped();
       at += static_cast<std::size_t>(block_rows)) {
    block.rows = static_cast<Eigen::Index>(
        std::min<std::size_t>(static_cast<std::size_t>(block_rows), range.last - at));
    detail::fill_numbers(plan, batch, at, block);
    if (!plan.derived.empty()) detail::fill_derived(plan, batch, at, block, scratch);
    detail::fill_levels(plan, batch, at, block);
    if (plan.redact) detail::redact_rows(plan, block);
    if (group == nullptr) {
      sums[0].add(block);
    } else {
      detail::split_groups(block, *group, at, members);
      for (std::size_t g = 0; g < sums.size(); ++g) {
        if (members[g].empty()) continue;
        detail::gather(block, members[g], plan.factor_code.size(), part);
        sums[g].add(part);
      }
    }
  }
}

namespace detail {

//! Codes of the columns of one row.
inline void fill_categories(const TablePlan& plan, const RowBatch& batch, std::size_t row,
                            std::vector<int>& category) {
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    const auto& column = plan.columns[c];
    if (column.code >= 0) {
      category[c] = batch.codes[static_cast<std::size_t>(column.code)][row];
    } else {
      const auto number = static_cast<std::size_t>(column.number);
      category[c] = static_cast<int>(plan.grids[number](batch.numbers[number][row]));
    }
  }
}

}  // namespace detail

inline void accumulate(const TablePlan& plan, const RowBatch& batch, const CodeView* group,
                       RowRange range, const Progress& progress, std::vector<TableSums>& sums) {
  std::vector<int> category(plan.columns.size());
  for (std::size_t row = range.first; row < range.last && !progress.stopped(); ++row) {
    detail::fill_categories(plan, batch, row, category);
    const std::size_t g = group == nullptr ? 0 : static_cast<std::size_t>((*group)[row]);
    sums.at(g).add(plan, category);
  }
}

//! Adds a batch on up to `cores` threads, each with sums of its own, while
//! `monitor` runs on the calling thread. Sums are exact, so the result does not
//! depend on how rows were shared out.
template <class Plan, class Sums, class Monitor>
void accumulate_parallel(const Plan& plan, const RowBatch& batch, const CodeView* group, int cores,
                         std::vector<Sums>& sums, Monitor&& monitor) {
  const std::size_t rows_worth_a_thread = 65536;
  const auto useful =
      static_cast<int>(std::min<std::size_t>(batch.rows / rows_worth_a_thread + 1, 1024));
  const int threads = std::min(cores, useful);
  std::vector<std::vector<Sums>> partial(static_cast<std::size_t>(threads),
                                         std::vector<Sums>(sums.size(), Sums(plan)));
  const auto count = static_cast<std::size_t>(threads);
  const auto add_share = [&](int thread, Progress& progress) {
    const auto t = static_cast<std::size_t>(thread);
    accumulate(plan, batch, group, {batch.rows * t / count, batch.rows * (t + 1) / count}, progress,
               partial[t]);
  };
  run_chains(ChainConfig(threads, 1, 0, 1, threads, 0), add_share, monitor);
  for (const auto& part : partial)
    for (std::size_t g = 0; g < sums.size(); ++g) sums[g].merge(part[g]);
}

}  // namespace noiseaware
