#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/tally/columns.hpp>
#include <noiseaware/wide/wipe.hpp>
#include <vector>

namespace noiseaware {

//! Contingency tables: which columns each table crosses, first one fastest.
//! A column is coded, or a bounded count whose distance from its lower bound is
//! the code.
struct TablePlan {
  struct Column {
    int code = -1;    //!< code column, or -1
    int number = -1;  //!< numeric column with a grid of step 1, or -1
    int levels = 0;
  };
  std::vector<Column> columns;
  std::vector<CellGrid> grids;
  std::vector<std::vector<int>> cliques;
};

//! Exact counts of every cell of every table.
class TableSums {
 public:
  explicit TableSums(const TablePlan& plan) {
    for (const auto& clique : plan.cliques) {
      std::size_t cells = 1;
      for (const int c : clique)
        cells *= static_cast<std::size_t>(plan.columns[static_cast<std::size_t>(c)].levels);
      counts_.emplace_back(cells, 0);
    }
  }

  //! `category[c]` is the code of column c in this row.
  void add(const TablePlan& plan, const std::vector<int>& category) {
    ++n_;
    for (std::size_t t = 0; t < plan.cliques.size(); ++t) {
      std::size_t cell = 0;
      std::size_t stride = 1;
      for (const int c : plan.cliques[t]) {
        const auto column = static_cast<std::size_t>(c);
        cell += stride * static_cast<std::size_t>(category[column]);
        stride *= static_cast<std::size_t>(plan.columns[column].levels);
      }
      ++counts_[t].at(cell);
    }
  }

  void merge(const TableSums& other) {
    n_ += other.n_;
    for (std::size_t t = 0; t < counts_.size(); ++t)
      for (std::size_t i = 0; i < counts_[t].size(); ++i) counts_[t][i] += other.counts_[t][i];
  }

  i128 n() const { return n_; }
  i128 count(std::size_t table, std::size_t cell) const { return counts_.at(table).at(cell); }

 private:
  i128 n_ = 0;
  std::vector<SecretSums> counts_;
};

}  // namespace noiseaware
