#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <noiseaware/noise/exponential_quantile.hpp>
#include <noiseaware/tally/columns.hpp>
#include <vector>

namespace noiseaware {

//! The cells of one column as whole numbers of grid steps, for a query that needs
//! their order and not their sum. Any cell, missing and infinite ones included,
//! goes through the same CellGrid as those of sums.
class ColumnPoints {
 public:
  ColumnPoints(const CellGrid& grid, double centre_q) : grid_(grid), centre_(centre_q) {}

  void add(const NumberView& cells, std::size_t rows) {
    std::vector<double, WipingAllocator<double>> block(std::min(rows, block_rows));
    for (std::size_t first = 0; first < rows; first += block_rows) {
      const std::size_t count = std::min(block_rows, rows - first);
      cells.quantise(grid_, first, count, block.data());
      for (std::size_t r = 0; r < count; ++r)
        points_.push_back(static_cast<std::int64_t>(block[r] + centre_));
    }
  }

  //! All points so far, sorted in place.
  const SecretPoints& sorted() {
    std::sort(points_.begin(), points_.end());
    return points_;
  }

 private:
  static constexpr std::size_t block_rows = 4096;

  CellGrid grid_;
  double centre_;
  SecretPoints points_;
};

}  // namespace noiseaware
