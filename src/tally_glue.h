// Decodes a query plan and its batches of rows for the tally headers.
#ifndef NOISEAWARE_SRC_TALLY_GLUE_H
#define NOISEAWARE_SRC_TALLY_GLUE_H

#include <memory>
#include <noiseaware/tally/accumulate.hpp>
#include <noiseaware/tally/power_sums.hpp>
#include <noiseaware/tally/statistics.hpp>
#include <string>
#include <vector>

#include "tally_columns.h"

namespace noiseaware_r {

using noiseaware::Atom;
using noiseaware::CodeView;
using noiseaware::ExactAnswer;
using noiseaware::MomentSums;
using noiseaware::MomentTerm;
using noiseaware::NumberView;
using noiseaware::PowerSums;
using noiseaware::PowerTerm;
using noiseaware::RowBatch;
using noiseaware::TableCell;
using noiseaware::TablePlan;
using noiseaware::TableSums;

//! Number of groups and the code of an undeclared group; one group by default.
struct GroupPlan {
  explicit GroupPlan(const Rcpp::List& plan) {
    if (Rf_isNull(plan["group"])) return;
    const Rcpp::List group = plan["group"];
    count = static_cast<std::size_t>(Rcpp::as<double>(group["categories"]));
    unknown = Rcpp::as<int>(group["missing_q"]);
    present = true;
  }
  bool present = false;
  std::size_t count = 1;
  int unknown = 0;
};

//! A batch as encode_batch() in R/tally-source.R hands it over. It keeps the R
//! vectors alive and only points into them.
class Batch {
 public:
  Batch(const Rcpp::List& x, const std::vector<ColumnPlan>& columns, const GroupPlan& group)
      : data_(x["columns"]) {
    rows_.rows = static_cast<std::size_t>(Rcpp::as<double>(x["rows"]));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Rcpp::List column = data_[static_cast<R_xlen_t>(c)];
      if (columns[c].is_coded())
        rows_.codes.push_back(code_view(column, static_cast<int>(columns[c].missing_q)));
      else
        rows_.numbers.push_back(number_view(column));
    }
    if (group.present) {
      const Rcpp::List column = data_[static_cast<R_xlen_t>(columns.size())];
      group_ = std::make_unique<CodeView>(code_view(column, group.unknown));
    }
  }

  const RowBatch& rows() const { return rows_; }
  const CodeView* group() const { return group_.get(); }

 private:
  static NumberView number_view(const Rcpp::List& column) {
    SEXP values = column["values"];
    const auto offset = static_cast<R_xlen_t>(Rcpp::as<double>(column["offset"]));
    if (TYPEOF(values) == REALSXP) return NumberView(REAL(values) + offset);
    if (TYPEOF(values) == INTSXP) return NumberView(INTEGER(values) + offset, NA_INTEGER);
    return NumberView(LOGICAL(values) + offset, NA_LOGICAL);
  }
  static CodeView code_view(const Rcpp::List& column, int unknown) {
    SEXP values = column["values"];
    return CodeView(INTEGER(values), Rcpp::as<int>(column["first"]),
                    Rcpp::as<std::vector<int>>(column["codes"]), unknown);
  }

  Rcpp::List data_;
  RowBatch rows_;
  std::unique_ptr<CodeView> group_;
};

//! Adds up every batch that R hands over, on this thread between batches.
template <class Sums, class Plan>
std::vector<Sums> sum_batches(const Plan& core, const Rcpp::List& plan,
                              const Rcpp::Function& next_batch, int cores) {
  const auto columns = stored_columns(plan);
  const GroupPlan group(plan);
  std::vector<Sums> sums(group.count, Sums(core));
  for (Rcpp::RObject batch = next_batch(); !batch.isNULL(); batch = next_batch()) {
    const Batch rows(Rcpp::List(batch), columns, group);
    noiseaware::accumulate_parallel(
        core, rows.rows(), rows.group(), cores, sums,
        [](const noiseaware::Progress&) { Rcpp::checkUserInterrupt(); });
  }
  return sums;
}

//! Where a column of the query sits among the numbers or the factors.
struct MomentLayout {
  MomentPlan plan;
  std::vector<Atom> columns;
};

inline MomentLayout moment_layout(const Rcpp::List& plan) {
  MomentLayout out;
  int codes = 0;
  const auto columns = column_plans(plan);
  const auto derived = derived_flags(plan);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const ColumnPlan& column = columns[i];
    const int stored = column.is_coded() && !derived[i] ? codes++ : -1;
    const int code = derived[i] ? noiseaware::derived_code : stored;
    if (code >= 0) out.plan.redacted_level.push_back(static_cast<int>(column.missing_q));
    if (column.type == "levels") {
      out.columns.push_back({Atom::Kind::level, out.plan.factor_code.size(), 0});
      out.plan.factor_code.push_back(code);
      out.plan.factor_levels.push_back(static_cast<int>(column.categories));
      continue;
    }
    out.columns.push_back({Atom::Kind::number, out.plan.grids.size(), 0});
    out.plan.grids.push_back(column.grid());
    out.plan.binary_code.push_back(code);
    out.plan.binary_low.push_back(column.lower_q - column.centre_q);
    out.plan.binary_high.push_back(column.upper_q - column.centre_q);
  }
  add_derived(plan, out.columns, out.plan);
  out.plan.redact = Rcpp::as<bool>(plan["redact"]);
  if (plan.containsElementNamed("degree"))
    out.plan.degree = Rcpp::as<int>(plan["degree"]);
  else
    out.plan.products = Rcpp::as<bool>(plan["products"]);
  return out;
}

//! The factors of every statistic: rows of `terms` are column and level, twice.
inline std::vector<MomentTerm> moment_terms(const Rcpp::List& plan, const MomentLayout& layout) {
  const Rcpp::IntegerMatrix terms = plan["terms"];
  const auto atom = [&](int column, int level) {
    if (column == 0) return Atom{};
    Atom out = layout.columns.at(static_cast<std::size_t>(column - 1));
    out.level = static_cast<std::size_t>(level);
    return out;
  };
  std::vector<MomentTerm> out;
  for (int i = 0; i < terms.nrow(); ++i)
    out.push_back({atom(terms(i, 0), terms(i, 1)), atom(terms(i, 2), terms(i, 3))});
  return out;
}

//! The monomials of higher moments: rows of `terms` are four positions of numbers.
inline std::vector<PowerTerm> power_terms(const Rcpp::List& plan) {
  const Rcpp::IntegerMatrix terms = plan["terms"];
  std::vector<PowerTerm> out;
  for (int i = 0; i < terms.nrow(); ++i)
    out.push_back({terms(i, 0), terms(i, 1), terms(i, 2), terms(i, 3)});
  return out;
}

inline std::vector<TableCell> table_cells(const Rcpp::List& plan) {
  const Rcpp::IntegerMatrix cells = plan["cells"];
  std::vector<TableCell> out;
  for (int i = 0; i < cells.nrow(); ++i)
    out.push_back({cells(i, 0), static_cast<std::size_t>(cells(i, 1))});
  return out;
}

//! One exact answer per group: the statistic of every term.
template <class Sums, class Term>
std::vector<ExactAnswer> answer_groups(const std::vector<Sums>& groups,
                                       const std::vector<Term>& terms) {
  std::vector<ExactAnswer> answers;
  for (const Sums& group : groups)
    answers.emplace_back(group.n(), noiseaware::exact_statistics(group, terms));
  return answers;
}

inline std::vector<ExactAnswer> tally_moments(const Rcpp::List& plan,
                                              const Rcpp::Function& next_batch, int cores) {
  const MomentLayout layout = moment_layout(plan);
  if (layout.plan.degree > 2)
    return answer_groups(sum_batches<PowerSums>(layout.plan, plan, next_batch, cores),
                         power_terms(plan));
  return answer_groups(sum_batches<MomentSums>(layout.plan, plan, next_batch, cores),
                       moment_terms(plan, layout));
}

inline TablePlan table_plan(const Rcpp::List& plan) {
  TablePlan out;
  int codes = 0;
  for (const ColumnPlan& column : column_plans(plan)) {
    TablePlan::Column place;
    place.levels = static_cast<int>(column.categories);
    if (column.is_coded()) {
      place.code = codes++;
    } else {
      place.number = static_cast<int>(out.grids.size());
      out.grids.push_back(column.grid());
    }
    out.columns.push_back(place);
  }
  const Rcpp::List cliques = plan["cliques"];
  for (R_xlen_t i = 0; i < cliques.size(); ++i)
    out.cliques.push_back(Rcpp::as<std::vector<int>>(cliques[i]));
  return out;
}

inline std::vector<ExactAnswer> tally_tables(const Rcpp::List& plan,
                                             const Rcpp::Function& next_batch, int cores) {
  return answer_groups(sum_batches<TableSums>(table_plan(plan), plan, next_batch, cores),
                       table_cells(plan));
}

inline std::vector<ExactAnswer> tally_batches(const Rcpp::List& plan,
                                              const Rcpp::Function& next_batch, int cores) {
  const auto kind = Rcpp::as<std::string>(plan["kind"]);
  return kind == "tables" ? tally_tables(plan, next_batch, cores)
                          : tally_moments(plan, next_batch, cores);
}

}  // namespace noiseaware_r

#endif
