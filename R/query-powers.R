# Moments of degree 3 and 4: all monomials of the numeric columns up to that
# degree, and how much one neighbour can change them.
#
# Normalise as in query-sensitivity.R, so that a record is a point of [-1, 1]^p
# and the N statistics are the monomials x^m, 1 <= |m| <= D, N = C(p + D, D) - 1.
#
# add_remove: a corner of the box makes every |x^m| = 1 at once, and n is one
# more statistic: N + 1 in L1 and in squared L2, attained.
#
# replace_one, L1.  Let u, v be the two records, c_j <= d_j the smaller and the
# larger of |u_j| and |v_j|, s_j the sign of u_j v_j and w_j = s_j c_j. If s^m = 1,
# |u^m - v^m| <= d^m - c^m, since both lie between. If s^m = -1, it is
# |u|^m + |v|^m <= d^m + c^m, because products of non-negative numbers are
# supermodular. In both cases it is at most d^m - w^m <= 1 - w^m, and u = (1, ..., 1),
# v = w attain it for all m at once. Hence, exactly,
#   L1 = N + 1 - min over w in [-1, 1]^p of H(w),   H(w) = sum_{|m| <= D} w^m.
# H is the complete homogeneous symmetric polynomial h_D of x = (1, w), whose
# derivative in w_j is h_{D-1} of x with w_j repeated; and
# h_2(x) = ((sum x)^2 + sum x^2) / 2 > 0, since x contains 1.
#   D = 3: the derivatives are values of h_2 > 0, so the minimum is at w = -1 and
#     L1 = 2 (p + C(p + 2, 3)), twice the number of monomials of odd degree.
#   D = 4: the derivatives in w_i and w_j differ by (w_i - w_j) h_2(x, w_i, w_j).
#     If w_i < w_j at the minimum, then w_i is not at the upper end, so that the
#     derivative in w_i is at least 0, and that in w_j is positive; but w_j is not at
#     the lower end and could be decreased. So all w_j are equal, and the minimum is
#     that of g(t) = sum_{d <= 4} C(p + d - 1, d) t^d, which is convex, because
#     second derivatives of H are values of h_2 or twice such values.
#
# replace_one, L2.  sum_m (u^m - v^m)^2 = sum u^2m + sum v^2m - 2 sum (u_j v_j)^m
# <= 2 (N + 1 - min H) = 2 L1. For D = 3 the corners u = 1, v = -1 attain it.

# Sensitivity of monomials as record_change() gives it.
power_change <- function(query, relation, norm) {
  p <- length(query$columns)
  degree <- query$degree
  count <- moment_count(query$columns, degree)
  if (relation == "add_remove") return(list(num = count + 1, den = 1, status = "exact"))
  times <- if (norm == "L1") 1 else 2
  if (degree == 3) {
    return(list(num = times * 2 * (p + choose(p + 2, 3)), den = 1, status = "exact"))
  }
  steps <- 1e6
  list(num = times * ceiling((count + 1 - quartic_floor(p)) * steps), den = steps,
       status = if (norm == "L1") "exact" else "bound")
}

# A proven lower bound of the minimum of g over [-1, 1], good to nine digits: from
# any t, a convex g is nowhere lower than g(t) - 2 |g'(t)|. Rounding errors of g are
# below 1e-12, as its terms add up to less than 3 in absolute value near the minimum.
quartic_floor <- function(p) {
  d <- 0:4
  coefficients <- choose(p + d - 1, d)
  g <- function(t) sum(coefficients * t^d)
  slope <- function(t) sum(d[-1] * coefficients[-1] * t^(d[-1] - 1))
  t <- stats::uniroot(slope, c(-1, 0), tol = 1e-14)$root
  g(t) - 2 * abs(slope(t)) - 1e-9
}

# ---- statistics ---------------------------------------------------------------

check_powers <- function(domain, degree) {
  if (degree <= 2) return(invisible())
  coded <- names(domain)[vapply(domain, function(column) !is.null(column$levels), NA)]
  if (length(coded) > 0) {
    abort_query(c("Moments of degree {degree} are of numeric columns only.",
                  "x" = "{.field {coded[[1]]}} has levels.",
                  "i" = "Leave it out, or declare a binary column as {.code dom_count(0, 1)}."))
  }
}

# The plan of a query of degree 3 or 4. `factor1` to `factor4` are the columns of
# a monomial in order, after zeros.
power_plan <- function(query) {
  factors <- power_factors(length(query$columns), query$degree,
                           identical(query$relation, "add_remove"))
  range <- power_range(query$columns, factors)
  total <- rowSums(factors > 0)
  # Low degrees move in finer steps, like counts, so that 2^20 is the least weight.
  unit <- pmax(0, grid_bits - total * query_bits(query))
  exponent <- c(0, vapply(query$columns, function(column) column$grid_exp, 1L))
  plan <- data.frame(name = power_names(names(query$columns), factors),
                     weight = pmax(abs(range$lower), range$upper) * 2^unit,
                     lower = range$lower * 2^unit, upper = range$upper * 2^unit,
                     grid_exp = as.integer(pick(exponent, factors, rowSums) + unit))
  cbind(plan, factors)
}

# Values by factor: 0 picks the first.
pick <- function(values, factors, across) {
  across(matrix(values[factors + 1L], nrow = nrow(factors)))
}

# All monomials by degree, within a degree in domain order; n first where it is
# noisy.
power_factors <- function(p, degree, noisy_n) {
  blocks <- lapply(seq_len(degree), function(d) {
    # Increasing numbers minus their rank are the non-decreasing ones.
    chosen <- t(utils::combn(p + d - 1, d)) - rep(seq_len(d) - 1, each = choose(p + d - 1, d))
    cbind(matrix(0, nrow(chosen), 4 - d), chosen)
  })
  factors <- do.call(rbind, c(if (noisy_n) list(matrix(0, 1, 4)), blocks))
  storage.mode(factors) <- "integer"
  colnames(factors) <- paste0("factor", 1:4)
  factors
}

power_names <- function(names, factors) {
  labels <- apply(factors, 1, function(row) paste(names[row], collapse = "*"))
  ifelse(nzchar(labels), paste0("sum(", labels, ")"), "n")
}

# What one record contributes: powers of different columns vary freely, so the
# extremes of their product are products of extremes.
power_range <- function(columns, factors) {
  lower <- upper <- rep(1, nrow(factors))
  for (j in seq_along(columns)) {
    ends <- column_powers(columns[[j]])[rowSums(factors == j) + 1, , drop = FALSE]
    corners <- cbind(lower * ends, upper * ends)
    lower <- do.call(pmin, as.data.frame(corners))
    upper <- do.call(pmax, as.data.frame(corners))
  }
  list(lower = lower, upper = upper)
}

# The least and the largest value of powers 0 to 4 of a cell, in steps.
column_powers <- function(column) {
  low <- column$lower_q - column$centre_q
  high <- column$upper_q - column$centre_q
  k <- 0:4
  even <- k %% 2 == 0 & k > 0
  cbind(ifelse(even, 0, low^k), ifelse(even, pmax(low^k, high^k), high^k))
}
