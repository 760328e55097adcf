#pragma once

#include <cstddef>
#include <cstdint>
#include <noiseaware/math/eigen.hpp>
#include <noiseaware/tally/columns.hpp>
#include <noiseaware/tally/derive.hpp>
#include <noiseaware/wide/wipe.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

//! A column that derived columns are computed from, in natural units. Binary
//! columns count as 0 and 1.
struct DerivedInput {
  int number = -1;  //!< among the numeric columns of a batch, or -1
  int code = -1;    //!< among its code columns, or -1
  PublicBounds bounds{0.0, 1.0};
  double missing = 0.0;
};

//! A derived column among the numbers of a query.
struct DerivedMoment {
  std::size_t column;     //!< among the numeric columns of the query
  DerivedColumn value;    //!< its inputs are positions in MomentPlan::inputs
  double redacted = 0.0;  //!< steps from the centre in a redacted row
};

//! The code column of a number that is derived rather than stored.
constexpr int derived_code = -2;

//! What a moment query adds up. Columns are numbered within their kind: numbers
//! (binary columns included, as two-valued numbers) and factors.
struct MomentPlan {
  std::vector<CellGrid> grids;     //!< one per numeric column
  std::vector<int> binary_code;    //!< code column of a numeric column, -1 or derived_code
  std::vector<double> binary_low;  //!< steps from the centre of codes 0 and 1
  std::vector<double> binary_high;
  std::vector<int> factor_code;     //!< code column of each factor
  std::vector<int> factor_levels;   //!< number of levels of each factor
  std::vector<int> redacted_level;  //!< level of a redacted row, per code column
  bool redact = false;
  bool products = true;
  int degree = 2;  //!< 3 or 4 for PowerSums; MomentSums has `products` instead
  std::vector<DerivedInput> inputs;
  std::vector<DerivedMoment> derived;
};

//! Quantised rows of one block: an exact whole number in every cell.
struct QuantisedBlock {
  Eigen::MatrixXd numbers;  //!< rows x numeric columns
  std::vector<int> levels;  //!< rows x factors, column-major
  std::vector<char> redacted;
  Eigen::Index rows = 0;
};

//! Rows per block. 2^10 products below 2^40.01 add up below 2^53, so every
//! partial sum of a block is exact in a double, in any order.
constexpr Eigen::Index block_rows = 1024;

//! Exact sums over rows: associative, hence the same whatever the order of
//! rows, chunks, threads or merges.
class MomentSums {
 public:
  explicit MomentSums(const MomentPlan& plan)
      : p_(plan.grids.size()), factors_(plan.factor_levels), products_(plan.products) {
    linear_.assign(p_, 0);
    if (products_) square_.assign(p_ * p_, 0);
    std::size_t levels = 0;
    for (const int k : factors_) {
      first_level_.push_back(levels);
      levels += static_cast<std::size_t>(k);
    }
    levels_ = levels;
    counts_.assign(levels, 0);
    if (products_) {
      level_number_.assign(levels * p_, 0);
      if (factors_.size() > 1) level_level_.assign(levels * levels, 0);
    }
  }

  void add(const QuantisedBlock& block) {
    n_ += block.rows;
    const auto numbers = block.numbers.topRows(block.rows);
    for (std::size_t j = 0; j < p_; ++j)
      linear_[j] += whole(numbers.col(static_cast<Eigen::Index>(j)).sum());
    if (products_ && p_ > 0) add_products(numbers);
    for (Eigen::Index r = 0; r < block.rows; ++r) add_levels(block, r);
  }

  void merge(const MomentSums& other) {
    n_ += other.n_;
    merge_into(linear_, other.linear_);
    merge_into(square_, other.square_);
    merge_into(counts_, other.counts_);
    merge_into(level_number_, other.level_number_);
    merge_into(level_level_, other.level_level_);
  }

  i128 n() const { return n_; }
  i128 number(std::size_t j) const { return linear_.at(j); }
  i128 number_number(std::size_t j, std::size_t k) const {
    return j <= k ? square_.at(j * p_ + k) : square_.at(k * p_ + j);
  }
  i128 level(std::size_t f, std::size_t l) const { return counts_.at(index(f, l)); }
  i128 level_number(std::size_t f, std::size_t l, std::size_t j) const {
    return level_number_.at(index(f, l) * p_ + j);
  }
  i128 level_level(std::size_t f, std::size_t l, std::size_t g, std::size_t m) const {
    return f < g ? level_level_.at(index(f, l) * levels_ + index(g, m))
                 : level_level_.at(index(g, m) * levels_ + index(f, l));
  }

 private:
  template <class Block>
  void add_products(const Block& numbers) {
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(numbers.cols(), numbers.cols());
    gram.template selfadjointView<Eigen::Upper>().rankUpdate(numbers.transpose());
    for (std::size_t j = 0; j < p_; ++j)
      for (std::size_t k = j; k < p_; ++k)
        square_[j * p_ + k] +=
            whole(gram(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(k)));
  }

  void add_levels(const QuantisedBlock& block, Eigen::Index r) {
    for (std::size_t f = 0; f < factors_.size(); ++f) {
      const std::size_t at = index(f, level_of(block, f, r));
      ++counts_[at];
      if (!products_) continue;
      for (std::size_t j = 0; j < p_; ++j)
        level_number_[at * p_ + j] += whole(block.numbers(r, static_cast<Eigen::Index>(j)));
      for (std::size_t g = f + 1; g < factors_.size(); ++g)
        ++level_level_[at * levels_ + index(g, level_of(block, g, r))];
    }
  }

  static std::size_t level_of(const QuantisedBlock& block, std::size_t f, Eigen::Index r) {
    return static_cast<std::size_t>(
        block.levels[f * static_cast<std::size_t>(block_rows) + static_cast<std::size_t>(r)]);
  }
  static std::int64_t whole(double x) { return static_cast<std::int64_t>(x); }
  static void merge_into(SecretSums& to, const SecretSums& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += from[i];
  }
  std::size_t index(std::size_t f, std::size_t l) const { return first_level_.at(f) + l; }

  std::size_t p_, levels_ = 0;
  std::vector<int> factors_;
  std::vector<std::size_t> first_level_;
  bool products_;
  i128 n_ = 0;
  SecretSums linear_, square_, counts_, level_number_, level_level_;
};

}  // namespace noiseaware
