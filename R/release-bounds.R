# Bounds of a column, learned from the records and paid for. The order is that of
# a release: everything that can fail without data, then the records, then the
# charge (on disk), then random numbers.

#' Choose bounds privately
#'
#' Bounds must be public, and it is best to know them: a law, a questionnaire, an
#' earlier survey. Where nobody does, `private_bounds()` spends part of the budget
#' on quantiles of a column, drawn by the exponential mechanism from the points of
#' a wide public range, and charged to the ledger before anything is drawn. Use the
#' result in [domain()].
#'
#' A quantile is right to within a few records if
#' `n * e * min(p, 1 - p) / 2 > log(range / spread) + 3`, where `e` is the epsilon
#' of one quantile (`epsilon` divided by the number of `probs`), `range` the width
#' of the limits and `spread` that of the data. So wide limits cost little, but not
#' nothing, and quantiles far out cost most. If the inequality does not hold the
#' answer is as private, but may be anywhere between the limits.
#'
#' Records outside the limits count as being at them. A missing record counts as
#' the `missing` of [dom_real()] or [dom_count()], by default the middle of the
#' limits.
#'
#' The loss is exactly `epsilon`, without rounding error: probabilities are
#' quotients of whole numbers, and random numbers come from the operating system.
#' Each quantile costs an equal part. `private_bounds_insecure()` draws from a
#' seeded stream instead, for simulation only: like [release_insecure()] it is
#' **not private**, charged to no ledger, and marked for ever.
#'
#' Analyses that clamp records to these bounds treat them as fixed in advance. That
#' the same records chose them is a small effect, which is not modelled.
#'
#' @param data Records: a data frame, a matrix with column names, or a function, as
#'   in [tally_records()]. One row per person.
#' @param column The name of the column.
#' @param limits A wide public range: a pair of numbers, [dom_real()] or, for whole
#'   numbers, [dom_count()]. It is written down without looking at the data.
#' @param probs Probabilities of the quantiles, in thousandths, such as 0.025 and
#'   0.975. The first and the last become the bounds. One number gives one bound,
#'   a lower one if it is below 0.5; the other bound is then a limit.
#' @param epsilon The privacy loss of all quantiles together.
#' @param relation `"replace_one"` or `"add_remove"`, as in [query_moments()].
#' @param ledger As in [release()]. A ledger of [mech_gaussian()] alone (`mu`, or
#'   `epsilon` and `delta`) cannot be charged for quantiles.
#' @param seed A whole number.
#' @param ... Must be empty.
#' @return An object of class `noiseaware_bounds`, a list with the `column`, the
#'   bounds `lower` and `upper`, the drawn `quantiles` and what they cost. If the
#'   bounds fell on one point they are moved one step of the grid apart, and a
#'   warning says so.
#' @references McSherry and Talwar (2007) Mechanism design via differential
#'   privacy. \doi{10.1109/FOCS.2007.66}
#' @references Smith (2011) Privacy-preserving statistical estimation with optimal
#'   convergence rates. \doi{10.1145/1993636.1993743}
#' @family custodian
#' @examples
#' incomes <- data.frame(income = round(exp(rnorm(5000, 10, 0.7))))
#' ledger <- ledger_create(tempfile(), population = "a town", epsilon = 1)
#' bounds <- private_bounds(incomes, "income", limits = c(0, 1e7), probs = c(0.05, 0.95),
#'                          epsilon = 0.5, relation = "replace_one", ledger = ledger)
#' bounds
#' query_moments(domain(income = bounds), relation = "replace_one")
#' ledger_report(ledger)
#' @export
private_bounds <- function(data, column, limits, probs = c(0.025, 0.975), epsilon, relation,
                           ledger, ...) {
  check_no_more(...)
  check_all_supplied(data = missing(data), column = missing(column), limits = missing(limits),
                     epsilon = missing(epsilon), relation = missing(relation))
  request <- bounds_request(column, limits, probs, epsilon, relation)
  check_ledger_argument(ledger)
  unpaid <- inherits(ledger, "noiseaware_no_ledger")
  charge <- if (!unpaid) {
    ledger_charge(ledger, request$mechanism, request$id, length(request$thousandths))
  }
  drawn <- draw_bounds(request, data, list(source = "os", charge = charge))
  if (unpaid) {
    noiseaware_warn(c("These bounds are charged to no ledger.",
                      "i" = "Nobody keeps track of what was spent on these people."), "no_ledger")
  }
  new_bounds(request, drawn$values, TRUE, ledger_mark(ledger, drawn$ledger))
}

#' @rdname private_bounds
#' @export
private_bounds_insecure <- function(data, column, limits, probs = c(0.025, 0.975), epsilon,
                                    relation, seed, ...) {
  check_no_more(...)
  check_all_supplied(data = missing(data), column = missing(column), limits = missing(limits),
                     epsilon = missing(epsilon), relation = missing(relation),
                     seed = missing(seed))
  request <- bounds_request(column, limits, probs, epsilon, relation)
  seed <- check_whole(seed, "seed", 0)
  entropy <- list(source = "simulation", seed = seed, query = request$id, charge = NULL)
  new_bounds(request, draw_bounds(request, data, entropy)$values, FALSE, NULL)
}

check_all_supplied <- function(...) {
  absent <- c(...)
  for (arg in names(absent)) check_supplied(absent[[arg]], arg)
}

# ---- what is asked, all of it public -----------------------------------------

# Everything the core needs, and what the ledger will call it. Half ranges have
# 2^30 steps: bounds must be found in limits that are far too wide for sums.
bounds_request <- function(column, limits, probs, epsilon, relation) {
  name <- check_names(check_string(column, "column"), "column")
  limits <- check_limits(limits, name)
  thousandths <- check_thousandths(probs)
  units <- units_from_number(epsilon, "epsilon")
  relation <- check_one_relation(relation)
  column <- bounds_grid(limits, name)
  if (as.numeric(units) < length(thousandths)) {
    abort_argument("epsilon", epsilon, "at least 1e-12 for each of `probs`")
  }
  list(column = column, thousandths = thousandths, epsilon_units = units, lower_q = column$lower_q,
       upper_q = column$upper_q, relation = relation, limits = limits,
       mechanism = new_mech("exponential", epsilon_units = units),
       id = bounds_id(column, thousandths, relation))
}

check_limits <- function(limits, name) {
  column <- if (inherits(limits, "noiseaware_column")) limits
  if (is.numeric(limits) && length(limits) == 2) column <- as_column(limits, name)
  if (is.null(column) || !column$type %in% c("real", "count")) {
    given <- if (is.null(column)) describe_value(limits) else paste0("a ", column$type, " column")
    abort_input(c("{.arg limits} must be a pair of numbers, {.fn dom_real} or {.fn dom_count}.",
                  "x" = "You gave {given}.",
                  "i" = "It is the widest range anyone would think of, not the range of the data."))
  }
  column
}

# Probabilities are whole thousandths, so that ranks are whole thousandths too.
check_thousandths <- function(probs) {
  known <- is.numeric(probs) && length(probs) >= 1 && length(probs) <= 100 && !anyNA(probs) &&
    all(probs >= 0 & probs <= 1)
  thousandths <- if (known) round(1000 * probs)
  whole <- known && all(abs(1000 * probs - thousandths) < 1e-6)
  if (!whole || is.unsorted(probs, strictly = TRUE)) {
    abort_argument("probs", probs,
                   "increasing probabilities from 0 to 1, in thousandths such as 0.025")
  }
  as.integer(thousandths)
}

# The public points among which bounds are drawn. Whole numbers stay whole.
bounds_bits <- 30L

bounds_grid <- function(limits, name) {
  size <- max(abs(limits$lower), abs(limits$upper))
  k <- bounds_bits - ceiling_log2(limits$upper / 2 - limits$lower / 2)
  k <- min(k, 51 - ceiling_log2(size), if (limits$type == "count") 0)
  grid <- list(lower_q = floor(limits$lower * 2^k + 0.5), upper_q = floor(limits$upper * 2^k + 0.5))
  # A domain one step wide must have a grid of its own, 20 powers of two finer.
  if (k > 70 || k < -70 || grid$lower_q >= grid$upper_q) {
    abort_query(c("The limits of {.field {name}} are too wide or too close to each other.",
                  "x" = "You gave [{limits$lower}, {limits$upper}].",
                  "i" = "Rescale the column, or subtract a public constant from it first."))
  }
  grid$centre_q <- floor((grid$lower_q + grid$upper_q) / 2)
  grid$grid_exp <- as.integer(k)
  c(list(name = name, type = limits$type), grid, missing_q = snap_missing(limits, grid))
}

# The hash under which a charge for bounds is known: of the public arguments, like
# that of a query.
bounds_id <- function(column, thousandths, relation) {
  whole <- c("lower_q", "upper_q", "missing_q", "grid_exp")
  sha256(canonical_json(list(
    format = "dp-bounds", version = "1", relation = relation,
    column = c(column[c("name", "type")], lapply(column[whole], whole_text)),
    probs = lapply(as.list(thousandths), whole_text)
  )))
}

# ---- drawing -------------------------------------------------------------------

draw_bounds <- function(request, data, entropy) {
  plan <- list(columns = list(core_column(request$column)), group = NULL,
               public_n = request$relation == "replace_one")
  rows <- batches(as_source(data), list(columns = list(request$column)), NULL)
  check_answer(guard_records(private_bounds_cpp(plan, rows, request, entropy)), entropy)
}

# Quantiles in order: they may have been drawn in another one.
new_bounds <- function(request, values, secure, ledger) {
  column <- request$column
  steps <- sort(values)
  ends <- bounds_ends(steps, request)
  widened <- ends[[1]] == ends[[2]]
  if (widened) ends <- widen_ends(ends, column)
  bounds <- structure(
    list(column = column$name, type = column$type, lower = ends[[1]] * column_step(column),
         upper = ends[[2]] * column_step(column),
         quantiles = data.frame(prob = request$thousandths / 1000,
                                value = steps * column_step(column)),
         limits = c(column_lower(column), column_upper(column)),
         missing = if (!is.null(request$limits$missing)) column$missing_q * column_step(column),
         epsilon = as.numeric(decimal_from_units_cpp(request$epsilon_units)),
         relation = request$relation,
         widened = widened, id = request$id, secure = secure, ledger = ledger),
    class = "noiseaware_bounds"
  )
  if (widened) warn_widened(bounds)
  bounds
}

# The first and the last quantile; of a single one, the other end is a limit.
bounds_ends <- function(steps, request) {
  if (length(steps) > 1) return(range(steps))
  if (request$thousandths < 500) c(steps, request$upper_q) else c(request$lower_q, steps)
}

# A public rule: one step to either side, within the limits.
widen_ends <- function(ends, column) {
  c(max(ends[[1]] - 1, column$lower_q), min(ends[[2]] + 1, column$upper_q))
}

warn_widened <- function(bounds) {
  noiseaware_warn(c("The bounds of {.field {bounds$column}} fell on one point and were moved one
                     step of the grid apart.",
                    "i" = "The column may be almost constant, or {.arg epsilon} too small: see the
                           rule in {.code ?private_bounds}."), "bounds")
}

#' @export
print.noiseaware_bounds <- function(x, ...) {
  cat(format(x), sep = "\n")
  invisible(x)
}

#' @export
format.noiseaware_bounds <- function(x, ...) {
  percents <- paste0(format_each(100 * x$quantiles$prob), "% at ", format_each(x$quantiles$value))
  c(
    paste0("<private bounds> ", x$column, " in [", format_each(x$lower), ", ",
           format_each(x$upper), "]", if (x$widened) " (moved apart)"),
    if (!x$secure) insecure_notice,
    paste0("  quantiles:  ", paste(percents, collapse = ", ")),
    paste0("  limits:     [", paste(format_each(x$limits), collapse = ", "), "]"),
    paste0("  privacy:    epsilon = ", format_each(x$epsilon), " for one row (", x$relation, ")"),
    paste0("  accounted:  ", bounds_account(x))
  )
}

format_each <- function(x) vapply(x, format, "", digits = 7)

bounds_account <- function(x) {
  if (!x$secure) return("no: simulated")
  if (is.null(x$ledger)) return("NO: drawn without a ledger")
  paste0("yes, record ", x$ledger$seq, " of the ledger of ", x$ledger$population)
}
