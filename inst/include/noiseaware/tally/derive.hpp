#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <noiseaware/tally/interval.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace noiseaware {

//! What a step of a derived column does: push an input or a constant, or replace
//! the topmost one or two values. `power` has its exponent in the step.
enum class DeriveOp {
  input,
  constant,
  negate,
  absolute,
  power,
  square_root,
  exponential,
  log,
  log1p,
  log2,
  log10,
  add,
  subtract,
  multiply,
  divide,
  minimum,
  maximum,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal
};

//! A step in postfix order. `value` is the position of an input, a constant, or a
//! whole exponent; otherwise it is not used.
struct DeriveStep {
  DeriveOp op;
  double value;
};

//! Limits that hold before anything is computed: programs may come from files.
constexpr std::size_t max_derive_steps = 200;
constexpr int max_derive_power = 20;

namespace detail {

inline bool takes_none(DeriveOp op) { return op == DeriveOp::input || op == DeriveOp::constant; }
inline bool takes_two(DeriveOp op) { return op >= DeriveOp::add; }

//! The two-argument operations on numbers, one row at a time.
inline double combine(DeriveOp op, double x, double y) {
  switch (op) {
    case DeriveOp::add:
      return x + y;
    case DeriveOp::subtract:
      return x - y;
    case DeriveOp::multiply:
      return x * y;
    case DeriveOp::divide:
      return x / y;
    case DeriveOp::minimum:
      return y < x ? y : x;
    case DeriveOp::maximum:
      return y > x ? y : x;
    case DeriveOp::less:
      return x < y ? 1.0 : 0.0;
    case DeriveOp::less_equal:
      return x <= y ? 1.0 : 0.0;
    case DeriveOp::greater:
      return x > y ? 1.0 : 0.0;
    case DeriveOp::greater_equal:
      return x >= y ? 1.0 : 0.0;
    case DeriveOp::equal:
      return x == y ? 1.0 : 0.0;
    case DeriveOp::not_equal:
      return x != y ? 1.0 : 0.0;
    default:
      throw std::invalid_argument("not an operation with two arguments");
  }
}

//! The one-argument operations.
inline double transform(DeriveStep step, double x) {
  switch (step.op) {
    case DeriveOp::negate:
      return -x;
    case DeriveOp::absolute:
      return std::fabs(x);
    case DeriveOp::power:
      return interval::whole_power(x, static_cast<int>(step.value));
    case DeriveOp::square_root:
      return std::sqrt(x);
    case DeriveOp::exponential:
      return std::exp(x);
    case DeriveOp::log:
      return std::log(x);
    case DeriveOp::log1p:
      return std::log1p(x);
    case DeriveOp::log2:
      return std::log2(x);
    case DeriveOp::log10:
      return std::log10(x);
    default:
      throw std::invalid_argument("not an operation with one argument");
  }
}

inline PublicBounds combine_bounds(DeriveOp op, PublicBounds x, PublicBounds y) {
  switch (op) {
    case DeriveOp::add:
      return interval::add(x, y);
    case DeriveOp::subtract:
      return interval::subtract(x, y);
    case DeriveOp::multiply:
      return interval::multiply(x, y);
    case DeriveOp::divide:
      return interval::divide(x, y);
    case DeriveOp::minimum:
      return interval::minimum(x, y);
    case DeriveOp::maximum:
      return interval::maximum(x, y);
    default:
      return {0.0, 1.0};
  }
}

inline PublicBounds transform_bounds(DeriveStep step, PublicBounds x) {
  constexpr double anything = -std::numeric_limits<double>::infinity();
  const auto f = [&](double at) { return transform(step, at); };
  switch (step.op) {
    case DeriveOp::negate:
      return interval::negate(x);
    case DeriveOp::absolute:
      return interval::absolute(x);
    case DeriveOp::power:
      return interval::power(x, static_cast<int>(step.value));
    case DeriveOp::square_root:
      return interval::increasing(x, f, 0.0, true, "the bounds under a square root go below 0");
    case DeriveOp::exponential:
      return interval::increasing(x, f, anything, true, "");
    case DeriveOp::log1p:
      return interval::increasing(x, f, -1.0, false,
                                  "the bounds of the argument of log1p() go down to -1 or below");
    default:
      return interval::increasing(
          x, f, 0.0, false, "the bounds of the argument of a logarithm go down to 0 or below");
  }
}

}  // namespace detail

//! A column computed row by row from clamped inputs, with public bounds.
//!
//! Building it walks the bounds through every step and refuses whatever could be
//! undefined or too large for some row within the bounds. Evaluation clamps the
//! result of every step to the bounds of that step. For correctly rounded
//! operations this changes nothing; for logarithms and exponentials it repairs a
//! last digit that a library may get wrong between the ends. So every step meets
//! only arguments for which it is defined, whatever a row holds.
class DerivedColumn {
 public:
  DerivedColumn(std::vector<DeriveStep> steps, const std::vector<PublicBounds>& inputs)
      : steps_(std::move(steps)) {
    if (steps_.empty() || steps_.size() > max_derive_steps)
      throw std::invalid_argument("a derived column has 1 to 200 steps");
    std::vector<PublicBounds> stack;
    for (const DeriveStep& step : steps_) {
      apply_bounds(step, inputs, stack);
      bounds_.push_back(stack.back());
      depth_ = std::max(depth_, stack.size());
    }
    if (stack.size() != 1) throw std::invalid_argument("the steps of a derived column do not fit");
  }

  PublicBounds bounds() const { return bounds_.back(); }

  //! Values of `rows` rows. `input(i)` points to the values of input i, each
  //! within its bounds; `scratch` is memory for intermediate results.
  template <class Input>
  void evaluate(const Input& input, std::size_t rows, std::vector<double>& scratch,
                double* out) const {
    if (scratch.size() < depth_ * rows) scratch.resize(depth_ * rows);
    double* top = scratch.data();  // one past the topmost value
    for (std::size_t s = 0; s < steps_.size(); ++s) {
      const DeriveStep step = steps_[s];
      if (detail::takes_none(step.op)) {
        push(step, input, rows, top);
        top += rows;
      } else if (detail::takes_two(step.op)) {
        top -= rows;
        combine_rows(step.op, bounds_[s], rows, top - rows, top);
      } else {
        transform_rows(step, bounds_[s], rows, top - rows);
      }
    }
    std::copy(scratch.data(), scratch.data() + rows, out);
  }

 private:
  static void apply_bounds(const DeriveStep& step, const std::vector<PublicBounds>& inputs,
                           std::vector<PublicBounds>& stack) {
    if (detail::takes_none(step.op)) {
      stack.push_back(pushed_bounds(step, inputs));
      return;
    }
    if (step.op == DeriveOp::power && !(step.value >= 1 && step.value <= max_derive_power &&
                                        std::floor(step.value) == step.value))
      throw std::invalid_argument("an exponent must be a whole number from 1 to 20");
    const std::size_t needed = detail::takes_two(step.op) ? 2 : 1;
    if (stack.size() < needed)
      throw std::invalid_argument("the steps of a derived column do not fit");
    const PublicBounds last = stack.back();
    if (needed == 1) {
      stack.back() = detail::transform_bounds(step, last);
    } else {
      stack.pop_back();
      stack.back() = detail::combine_bounds(step.op, stack.back(), last);
    }
  }

  static PublicBounds pushed_bounds(const DeriveStep& step,
                                    const std::vector<PublicBounds>& inputs) {
    if (step.op == DeriveOp::constant) return interval::finite(step.value, step.value);
    if (!(step.value >= 0 && step.value < static_cast<double>(inputs.size())))
      throw std::invalid_argument("a derived column has no such input");
    const PublicBounds bounds = inputs[static_cast<std::size_t>(step.value)];
    if (!(bounds.lower <= bounds.upper)) throw std::invalid_argument("bounds are not ordered");
    return interval::finite(bounds.lower, bounds.upper);
  }

  template <class Input>
  static void push(const DeriveStep& step, const Input& input, std::size_t rows, double* to) {
    if (step.op == DeriveOp::constant) {
      std::fill(to, to + rows, step.value);
    } else {
      const double* const from = input(static_cast<std::size_t>(step.value));
      std::copy(from, from + rows, to);
    }
  }

  static void combine_rows(DeriveOp op, PublicBounds bounds, std::size_t rows, double* x,
                           const double* y) {
    for (std::size_t r = 0; r < rows; ++r) x[r] = bounds.clamp(detail::combine(op, x[r], y[r]));
  }

  static void transform_rows(const DeriveStep& step, PublicBounds bounds, std::size_t rows,
                             double* x) {
    for (std::size_t r = 0; r < rows; ++r) x[r] = bounds.clamp(detail::transform(step, x[r]));
  }

  std::vector<DeriveStep> steps_;
  std::vector<PublicBounds> bounds_;  //!< after each step, of the topmost value
  std::size_t depth_ = 0;
};

}  // namespace noiseaware
