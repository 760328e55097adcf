#pragma once

#include <cmath>
#include <cstddef>
#include <noiseaware/tally/moment_sums.hpp>
#include <vector>

namespace noiseaware {
namespace detail {

//! Memory for the derived columns of one block, kept between blocks.
struct DeriveScratch {
  explicit DeriveScratch(const MomentPlan& plan) {
    if (plan.derived.empty()) return;
    inputs.resize(block_rows, static_cast<Eigen::Index>(plan.inputs.size()));
    values.resize(static_cast<std::size_t>(block_rows));
  }

  double* input(std::size_t i) { return inputs.col(static_cast<Eigen::Index>(i)).data(); }

  Eigen::MatrixXd inputs;  //!< rows x inputs, in natural units
  std::vector<double> values, stack;
};

//! The cells of an input in natural units, mapped into its bounds: a missing one
//! becomes the declared constant, an infinite one the nearer bound.
inline void fill_input(const DerivedInput& input, const RowBatch& batch, std::size_t first,
                       std::size_t rows, double* out) {
  if (input.code >= 0) {
    const CodeView& code = batch.codes[static_cast<std::size_t>(input.code)];
    for (std::size_t r = 0; r < rows; ++r) out[r] = code[first + r] == 1 ? 1.0 : 0.0;
    return;
  }
  const NumberView& view = batch.numbers[static_cast<std::size_t>(input.number)];
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = view[first + r];
    out[r] = std::isnan(x) ? input.missing : input.bounds.clamp(x);
  }
}

//! Marks rows in which a number that only feeds derived columns is outside its
//! bounds: they are redacted like any other.
inline void mark_input(const DerivedInput& input, const RowBatch& batch, std::size_t first,
                       std::size_t rows, std::vector<char>& redacted) {
  if (input.number < 0) return;
  const NumberView& view = batch.numbers[static_cast<std::size_t>(input.number)];
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = view[first + r];
    if (x < input.bounds.lower || x > input.bounds.upper) redacted[r] = 1;
  }
}

//! Derived columns of one block: evaluated on clamped inputs, then quantised on
//! grids of their own. A row decides its own values and no other's.
inline void fill_derived(const MomentPlan& plan, const RowBatch& batch, std::size_t first,
                         QuantisedBlock& block, DeriveScratch& scratch) {
  const auto rows = static_cast<std::size_t>(block.rows);
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    fill_input(plan.inputs[i], batch, first, rows, scratch.input(i));
    if (plan.redact) mark_input(plan.inputs[i], batch, first, rows, block.redacted);
  }
  const auto input = [&](std::size_t i) { return scratch.input(i); };
  for (const DerivedMoment& derived : plan.derived) {
    derived.value.evaluate(input, rows, scratch.stack, scratch.values.data());
    const CellGrid grid = plan.grids[derived.column];
    double* const out = block.numbers.col(static_cast<Eigen::Index>(derived.column)).data();
    for (std::size_t r = 0; r < rows; ++r) out[r] = grid(scratch.values[r]);
  }
}

}  // namespace detail
}  // namespace noiseaware
