#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/tally/quantise.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {

//! A numeric column as the caller stores it; nothing is copied.
class NumberView {
 public:
  explicit NumberView(const double* values) : doubles_(values) {}
  //! Integers in which `missing` stands for a missing cell.
  NumberView(const int* values, int missing) : ints_(values), missing_(missing) {}

  double operator[](std::size_t row) const {
    return doubles_ != nullptr ? doubles_[row] : from_int(ints_[row]);
  }

  //! Quantised values of `rows` cells from `first` on. The grid is copied and the
  //! storage type decided once, so that the loop keeps everything in registers.
  void quantise(const CellGrid& grid, std::size_t first, std::size_t rows, double* out) const {
    const CellGrid local = grid;
    if (doubles_ != nullptr) {
      const double* const cells = doubles_ + first;
      for (std::size_t r = 0; r < rows; ++r) out[r] = local(cells[r]);
    } else {
      const int* const cells = ints_ + first;
      for (std::size_t r = 0; r < rows; ++r) out[r] = local(from_int(cells[r]));
    }
  }

 private:
  double from_int(int x) const {
    return x == missing_ ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(x);
  }

  const double* doubles_ = nullptr;
  const int* ints_ = nullptr;
  int missing_ = 0;
};

//! A column of level codes. `codes[v - first]` is the declared code, from 0, of
//! the stored value v; whatever is not in the table becomes `unknown`.
class CodeView {
 public:
  CodeView(const int* values, int first, std::vector<int> codes, int unknown)
      : values_(values), first_(first), codes_(std::move(codes)), unknown_(unknown) {}

  int operator[](std::size_t row) const {
    const std::int64_t at = static_cast<std::int64_t>(values_[row]) - first_;
    if (at < 0 || at >= static_cast<std::int64_t>(codes_.size())) return unknown_;
    const int code = codes_[static_cast<std::size_t>(at)];
    return code < 0 ? unknown_ : code;
  }

 private:
  const int* values_;
  int first_;
  std::vector<int> codes_;
  int unknown_;
};

//! One batch of rows: the numeric and the coded columns of a query, each in the
//! order of the plan.
struct RowBatch {
  std::size_t rows = 0;
  std::vector<NumberView> numbers;
  std::vector<CodeView> codes;
};

}  // namespace noiseaware
