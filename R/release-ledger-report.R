# What was charged to a ledger, for people.

#' Report what a ledger has spent
#'
#' Reads and verifies the ledger and lists its records.
#'
#' For budgets in rho or mu the report also gives the epsilon that the releases
#' so far imply together at `delta`. For a Gaussian budget that includes the
#' correction for noise on a grid instead of the real line, at the coarsest grid
#' that calibration admits, so it can exceed the textbook value by about 1e-8.
#'
#' @param ledger A ledger of [ledger_create()] or [ledger_open()].
#' @param delta At which delta to state the implied epsilon; by default the one
#'   the budget was opened with, if any.
#' @return A data frame of class `noiseaware_ledger_report` with one row per
#'   record: `seq`, `type` ("open", "spend" or "note"), `mechanism`, `query` and
#'   `release` (the first 8 digits of their hashes), `size` (number of released
#'   statistics), and `cost`, `cumulative` and `left` in epsilon, rho or mu^2. Its
#'   attribute `summary` is a list with `population`, `unit`, `budget`, `spent`,
#'   `left`, `releases`, `statistics`, `delta` and the implied `epsilon`.
#' @references Dong, Roth and Su (2022) Gaussian differential privacy.
#'   <https://arxiv.org/abs/1905.02383>
#' @family custodian
#' @examples
#' path <- tempfile(fileext = ".ledger")
#' ledger <- ledger_create(path, population = "adults of Vaud, 2026", rho = 0.5)
#' ledger_report(ledger, delta = 1e-6)
#' @export
ledger_report <- function(ledger, delta = NULL) {
  check_class(ledger, "ledger", "noiseaware_ledger", "ledger_open")
  delta <- if (is.null(delta)) ledger$delta else check_delta(delta)
  state <- ledger_state(ledger)
  structure(
    record_table(state$records),
    summary = report_summary(state, ledger, delta),
    class = c("noiseaware_ledger_report", "data.frame")
  )
}

record_table <- function(records) {
  data.frame(
    seq = as.numeric(records$seq),
    type = records$type,
    mechanism = missing_if_empty(records$mechanism),
    query = short_hash(records$query),
    release = short_hash(records$release),
    size = as.numeric(missing_if_empty(records$size)),
    cost = natural_amount(records$cost),
    cumulative = natural_amount(records$cumulative),
    left = natural_amount(records$left)
  )
}

missing_if_empty <- function(x) ifelse(nzchar(x), x, NA_character_)

short_hash <- function(x) substr(missing_if_empty(x), 1, 8)

# The double nearest to the exact decimal, so that 0.3 prints as 0.3.
natural_amount <- function(units) {
  vapply(units, function(x) if (nzchar(x)) as.numeric(decimal_from_units_cpp(x)) else NA_real_, 0,
         USE.NAMES = FALSE)
}

report_summary <- function(state, ledger, delta) {
  list(
    population = state$population, unit = state$unit, budget = format_ledger_budget(ledger),
    spent = decimal_from_units_cpp(state$spent), left = decimal_from_units_cpp(state$left),
    releases = sum(state$records$type == "spend"), statistics = as.numeric(state$statistics),
    delta = delta, epsilon = implied_epsilon(state, delta)
  )
}

# NA where it depends on a delta that nobody has named.
implied_epsilon <- function(state, delta) {
  if (state$unit == "pure") return(natural_amount(state$spent))
  if (is.null(delta)) return(NA_real_)
  implied_epsilon_cpp(state$unit, state$spent, max(1, as.numeric(state$statistics)), delta)
}

#' @export
print.noiseaware_ledger_report <- function(x, ...) {
  summary <- attr(x, "summary")
  if (!is.null(summary)) print_report_summary(summary)
  shown <- structure(x, class = "data.frame", summary = NULL)
  shown[] <- lapply(shown, function(column) ifelse(is.na(column), "", format_column(column)))
  print(shown, row.names = FALSE, right = FALSE)
  invisible(x)
}

format_column <- function(column) {
  if (is.numeric(column)) vapply(column, format, "", digits = 4) else column
}

print_report_summary <- function(summary) {
  symbol <- ledger_symbol(summary$unit)
  releases <- paste(summary$releases, if (summary$releases == 1) "release" else "releases")
  cat("<ledger report> population ", encodeString(summary$population, quote = "\""), "\n", sep = "")
  cat("  budget   ", summary$budget, "\n", sep = "")
  cat("  spent    ", symbol, " = ", summary$spent, " in ", releases, " (statistics: ",
      summary$statistics, ")\n", sep = "")
  cat("  left     ", symbol, " = ", summary$left, "\n", sep = "")
  if (summary$unit != "pure") cat("  implies  ", format_implied(summary), "\n", sep = "")
}

format_implied <- function(summary) {
  if (is.na(summary$epsilon)) return("an epsilon that depends on delta: give `delta`")
  paste0("epsilon = ", format(summary$epsilon, digits = 6), " at delta = ", format(summary$delta))
}
