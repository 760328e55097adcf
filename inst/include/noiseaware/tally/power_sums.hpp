#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <noiseaware/tally/moment_sums.hpp>
#include <noiseaware/tally/statistics.hpp>
#include <stdexcept>
#include <vector>

namespace noiseaware {

// Moments up to degree 3 or 4 of numbers. Every monomial is a product of two
// monomials of degree at most 2, so all sums are entries of one Gram matrix.
//
// Exactness. A cell is a whole number of at most M = 2^14 + 1 steps for degree 3
// and M = 2^11 + 1 for degree 4. A monomial is then at most M^3 < 2^42.001 or
// M^4 < 2^44.003, a monomial of degree 2 at most 2^28.001, and each is exact in a
// double. 2^8 rows add up below 2^53, so every partial sum of the Gram matrix of
// 2^8 rows is exact, in any order. Sums of 2^40 records stay below 2^85, far
// inside 128 bits, so nothing depends on blocks, chunks, threads or merges.

//! A monomial: positions of its factors among the numbers, from 1 and in order,
//! after zeros for what is left of degree 4. All zeros is the count of records.
using PowerTerm = std::array<int, 4>;

//! Bits of half the range of a cell.
constexpr int power_bits(int degree) { return degree == 3 ? 14 : 11; }

//! Rows per Gram matrix.
constexpr Eigen::Index power_rows = 256;

class PowerSums {
 public:
  explicit PowerSums(const MomentPlan& plan)
      : degree_(plan.degree), p_(static_cast<Eigen::Index>(plan.grids.size())) {
    if (degree_ != 3 && degree_ != 4) throw std::invalid_argument("degree must be 3 or 4");
    const bool numbers_only = plan.factor_code.empty() && plan.grids.size() > 0;
    if (!numbers_only) throw std::invalid_argument("higher moments are of numbers only");
    for (const CellGrid& grid : plan.grids)
      if (grid.largest_step() > static_cast<double>((1 << power_bits(degree_)) + 1))
        throw std::invalid_argument("the grid of a column is too fine for this degree");
    sums_.assign(static_cast<std::size_t>(left_size() * features()), 0);
  }

  void add(const QuantisedBlock& block) {
    n_ += block.rows;
    for (Eigen::Index at = 0; at < block.rows; at += power_rows) {
      const Eigen::Index rows = std::min(power_rows, block.rows - at);
      add_gram(block.numbers.middleRows(at, rows));
    }
  }

  void merge(const PowerSums& other) {
    n_ += other.n_;
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += other.sums_[i];
  }

  int degree() const { return degree_; }
  i128 n() const { return n_; }

  //! The sum over records of a monomial of degree 1 or more, in products of steps.
  i128 sum(const PowerTerm& term) const {
    return sums_.at(static_cast<std::size_t>(feature(term[0], term[1]) * features() +
                                             feature(term[2], term[3])));
  }

 private:
  Eigen::Index features() const { return (p_ + 1) * (p_ + 2) / 2; }

  //! Features that are the left factor of a monomial: up to degree 1 for degree
  //! 3, whose products of two quadratic features would not be exact.
  Eigen::Index left_size() const { return degree_ == 3 ? p_ + 1 : features(); }

  //! Position of the product of numbers i <= j, where 0 is the constant 1: the
  //! constant, the numbers, then the products.
  Eigen::Index feature(Eigen::Index i, Eigen::Index j) const {
    if (i < 0 || i > j || j > p_) throw std::out_of_range("no such monomial");
    return i * (p_ + 1) - i * (i - 1) / 2 + (j - i);
  }

  template <class Rows>
  void add_gram(const Rows& numbers) {
    Eigen::MatrixXd terms(numbers.rows(), features());
    terms.col(0).setOnes();
    terms.middleCols(1, p_) = numbers;
    for (Eigen::Index i = 1; i <= p_; ++i)
      for (Eigen::Index j = i; j <= p_; ++j)
        terms.col(feature(i, j)) = numbers.col(i - 1).cwiseProduct(numbers.col(j - 1));
    // The factors of a monomial are in order, so the upper triangle is enough.
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(left_size(), features());
    if (degree_ == 4)
      gram.template selfadjointView<Eigen::Upper>().rankUpdate(terms.transpose());
    else
      gram.noalias() += terms.leftCols(left_size()).transpose() * terms;
    for (Eigen::Index a = 0; a < left_size(); ++a)
      for (Eigen::Index b = 0; b < features(); ++b)
        sums_[static_cast<std::size_t>(a * features() + b)] +=
            static_cast<std::int64_t>(gram(a, b));
  }

  int degree_;
  Eigen::Index p_;
  i128 n_ = 0;
  SecretSums sums_;
};

//! The exact value, in grid steps. Counts and low degrees move in finer steps
//! than their product of cells, so that 2^20 is the least weight of a statistic.
inline i128 exact_statistic(const PowerSums& sums, const PowerTerm& term) {
  int factors = 0;
  for (const int column : term) factors += column > 0 ? 1 : 0;
  const int shift = std::max(0, count_shift - factors * power_bits(sums.degree()));
  return (factors == 0 ? sums.n() : sums.sum(term)) * (i128{1} << shift);
}

}  // namespace noiseaware
