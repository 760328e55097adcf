# How much one neighbour can change the statistics, in units of each
# statistic's weight. These numbers decide the noise, so each has its proof.
#
# Normalise T_m by its weight w_m = prod_j M_j, so that a record is a point of
# [-1, 1]^p (numbers and binary columns) and one cell of each factor.
#
# add_remove: one record appears, so every |T_m|/w_m <= 1 and both the L1 and
# the squared L2 sensitivity are at most the number of statistics a record
# touches: every number and product of numbers, one level per factor and its
# products, one cell per pair of factors, and n.  A corner of the box attains
# it, hence it is exact.
#
# replace_one, numbers only, degree 2.  Let u, v be the two records with a
# leading 1, P = p + 1, a = u + v, b = u - v.  Then D = uu' - vv' = (ab' + ba')/2
# and |a_j| + |b_j| <= 2, because |u_j|, |v_j| <= 1.  Increasing |a_j| or |b_j|
# only increases |D|, so put |a_j| = 1 + t_j, |b_j| = 1 - t_j; t_0 = 1 for the
# constant.  With s = sum t and W = sum t^2,
#   sum_jk |D_jk| <= (sum |a|)(sum |b|) = P^2 - s^2,   |D_jj| = 1 - t_j^2,
#   L1 = (sum_jk |D_jk| + sum_j |D_jj|)/2 <= (P^2 - s^2 + P - W)/2,
# largest at t_j = -1/P (j >= 1): L1 <= p (p+2)^2 / (2 (p+1)).  For the squares
# of the entries, |D|_F^2 = (|a|^2 |b|^2 + (a'b)^2)/2 gives
#   L2^2 <= P^2/2 + W^2/2 - s^2 + P/2 - W + sum t^4/2,
# convex in each t_j^2 and so at most its value at a vertex: P^2.
#
# replace_one, any set of statistics: coordinatewise, sum over m of the range
# of T_m/w_m: 2 for a sum or a product of two columns, 1 for a square. The
# smaller of two proven bounds is a proven bound; coordinatewise wins for sums
# alone and for one binary column.
#
# Factors.  A record touches one cell of each block by at most 1. Replacing it
# touches two cells by 1 each, or one cell by 2 when only a number in a product
# changes sign. So a block of counts adds 2 to L1 and 2 to L2^2; a block of
# products with a number 2 and 4; a pair of factors 2 and 2.
#
# unit_rows = k: k steps of add_remove, so both norms are multiplied by k.
#
# Derived columns are columns of the box like any other: that they depend on each
# other can only shrink the set of records, so every bound above holds, and none is
# said to be attained.
#
# Degrees 3 and 4: see query-powers.R.

#' How much one person can change the answer
#'
#' The largest change of the statistics between two neighbouring data sets, each
#' statistic divided by the largest value one record can give it. Both norms are
#' computed from the query alone and decide how much noise is added.
#'
#' @param query A query with a relation.
#' @param norm `"L1"` (for [mech_laplace()]) or `"L2"` (for [mech_gaussian()]).
#' @param ... Unused.
#' @return A number of class `noiseaware_sensitivity` that also says, in
#'   `status`, whether it is `"exact"` (some pair of data sets attains it, up to
#'   one step of the grid) or a proven upper `"bound"`.
#' @family query
#' @examples
#' query <- query_moments(domain(x = c(0, 10), y = c(-1, 1)), "replace_one")
#' sensitivity(query, "L1")
#' sensitivity(query, "L2")
#' @export
sensitivity <- function(query, norm = c("L1", "L2"), ...) UseMethod("sensitivity")

#' @export
sensitivity.default <- function(query, norm = c("L1", "L2"), ...) {
  check_class(query, "query", "noiseaware_query", "query_moments")
}

#' @export
sensitivity.noiseaware_query <- function(query, norm = c("L1", "L2"), ...) {
  norm <- check_choice(norm, "norm", c("L1", "L2"))
  relation <- require_relation(query)
  exact <- record_change(query, relation, norm)
  k <- query$unit_rows
  new_sensitivity(norm, exact$num * if (norm == "L1") k else k^2, exact$den, exact$status)
}

# num/den is the sensitivity for L1 and its square for L2: both are rational,
# so that the calibration is exact.
new_sensitivity <- function(norm, num, den, status) {
  value <- if (norm == "L1") num / den else sqrt(num / den)
  structure(list(norm = norm, num = num, den = den, status = status, value = value),
            class = "noiseaware_sensitivity")
}

#' @export
print.noiseaware_sensitivity <- function(x, ...) {
  status <- if (x$status == "exact") "exact" else "a proven upper bound"
  cat(x$norm, " sensitivity ", format(x$value), " (", status,
      "; each statistic in units of its weight)\n", sep = "")
  invisible(x)
}

#' @export
as.double.noiseaware_sensitivity <- function(x, ...) x$value

# The change by one record, as a fraction with its status.
record_change <- function(query, relation, norm) UseMethod("record_change")

#' @export
record_change.noiseaware_query_tables <- function(query, relation, norm) {
  single <- vapply(query$cliques, is_single_count, NA, query = query)
  touched <- if (relation == "add_remove") 1 else ifelse(single, 1, 2)
  total <- sum(rep_len(touched, length(single))) + table_needs_n(query)
  # Cells move by one each, so the sum of squares is the sum.
  list(num = total, den = 1, status = "exact")
}

#' @export
record_change.noiseaware_query_moments <- function(query, relation, norm) {
  change <- if (query$degree > 2) power_change else moment_change
  found <- change(query, relation, norm)
  if (any(vapply(query$columns, is_derived, NA))) found$status <- "bound"
  found
}

moment_change <- function(query, relation, norm) {
  shape <- moment_shape(query)
  if (relation == "add_remove") {
    return(list(num = touched_moments(shape), den = 1, status = "exact"))
  }
  numbers <- replaced_numbers(shape, norm)
  factors <- replaced_factors(shape, norm)
  exact <- numbers$exact && (shape$f == 0 || (shape$p == 0 && norm == "L1") || shape$degree == 1)
  list(num = numbers$num + factors * numbers$den, den = numbers$den,
       status = if (exact) "exact" else "bound")
}

# p numbers and binary columns (b of them binary), f factors.
moment_shape <- function(query) {
  type <- vapply(query$columns, function(column) column$type, "")
  list(p = sum(type != "levels"), b = sum(type == "binary"), f = sum(type == "levels"),
       degree = query$degree)
}

touched_moments <- function(shape) {
  linear <- 1 + shape$p + shape$f
  if (shape$degree == 1) return(linear)
  linear + shape$p * (shape$p + 1) / 2 - shape$b + shape$f * shape$p + shape$f * (shape$f - 1) / 2
}

# The smaller of the closed form and the coordinatewise bound.
replaced_numbers <- function(shape, norm) {
  p <- shape$p
  size <- if (norm == "L1") 2 else 4
  if (shape$degree == 1) return(list(num = size * p, den = 1, exact = TRUE))
  apart <- list(num = size * (p + p * (p - 1) / 2) + p - shape$b, den = 1,
                exact = p == 1 && shape$b == 1)
  joint <- if (norm == "L1") {
    list(num = p * (p + 2)^2, den = 2 * (p + 1), exact = shape$b == 0)
  } else {
    list(num = (p + 1)^2, den = 1, exact = shape$b == 0 && p %% 2 == 1)
  }
  if (p == 0) return(list(num = 0, den = 1, exact = TRUE))
  if (apart$num / apart$den <= joint$num / joint$den) apart else joint
}

replaced_factors <- function(shape, norm) {
  f <- shape$f
  if (shape$degree == 1) return(2 * f)
  pairs <- f * (f - 1) / 2
  if (norm == "L1") 2 * (f * (1 + shape$p) + pairs) else 2 * f + 4 * shape$p * f + 2 * pairs
}
