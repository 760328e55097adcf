// Decodes derived columns: keys of core_derived() in R/tally-plan.R.
#ifndef NOISEAWARE_SRC_DERIVE_GLUE_H
#define NOISEAWARE_SRC_DERIVE_GLUE_H

#include <map>
#include <noiseaware/tally/derive.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "convert.h"

namespace noiseaware_r {

//! The operations by their names in R/query-expression.R.
inline noiseaware::DeriveOp derive_op(const std::string& name) {
  using Op = noiseaware::DeriveOp;
  static const std::map<std::string, Op> ops{
      {"input", Op::input},   {"constant", Op::constant}, {"negate", Op::negate},
      {"abs", Op::absolute},  {"^", Op::power},           {"sqrt", Op::square_root},
      {"log", Op::log},       {"exp", Op::exponential},   {"log1p", Op::log1p},
      {"log2", Op::log2},     {"log10", Op::log10},       {"+", Op::add},
      {"-", Op::subtract},    {"*", Op::multiply},        {"/", Op::divide},
      {"pmin", Op::minimum},  {"pmax", Op::maximum},      {"<", Op::less},
      {"<=", Op::less_equal}, {">", Op::greater},         {">=", Op::greater_equal},
      {"==", Op::equal},      {"!=", Op::not_equal}};
  const auto found = ops.find(name);
  if (found == ops.end()) throw std::invalid_argument("unknown operation");
  return found->second;
}

//! A program: `op` and `value`, one of each per step. Inputs count from 1 in R.
inline std::vector<noiseaware::DeriveStep> derive_steps(const Rcpp::List& program) {
  const auto ops = strings(program["op"]);
  const auto values = Rcpp::as<std::vector<double>>(program["value"]);
  if (ops.size() != values.size()) throw std::invalid_argument("a program is damaged");
  std::vector<noiseaware::DeriveStep> steps;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const noiseaware::DeriveOp op = derive_op(ops[i]);
    steps.push_back({op, op == noiseaware::DeriveOp::input ? values[i] - 1 : values[i]});
  }
  return steps;
}

}  // namespace noiseaware_r

#endif
