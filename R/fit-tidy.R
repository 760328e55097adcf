# Methods for the generics of package generics.

#' Tidy a fit
#'
#' @param x A fit from [infer()].
#' @param prob Probability of the central interval.
#' @param newdata A data frame of records of your own; there are no others.
#' @param ... Unused.
#' @return `tidy()`: a data frame with one row per parameter and the columns
#'   `term`, `estimate` (the posterior mean), `std.error` (the posterior standard
#'   deviation), `conf.low` and `conf.high`; a set of fits has a column `group` in
#'   front. `glance()`: one row about the fit, or about every fit of a set; its
#'   `log_evidence` is up to a constant if n has a flat prior, see [diagnostics()].
#'   `augment()`: `newdata` with the columns `.fitted` and `.resid` of
#'   [fitted.noiseaware_fit()] and the interval of the expectation in `.lower` and
#'   `.upper`; for a factor one of each per level, such as `.fitted_north`.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' tidy(fit)
#' glance(fit)
#' augment(fit, newdata = data.frame(smoker = c(0, 1)))
#' @name tidy.noiseaware_fit
NULL

#' @rdname tidy.noiseaware_fit
#' @export
tidy.noiseaware_fit <- function(x, prob = 0.9, ...) {
  found <- summary(x, prob = prob)
  ends <- interval_columns(prob)
  data.frame(term = found$variable, estimate = found$mean, std.error = found$sd,
             conf.low = found[[ends[[1]]]], conf.high = found[[ends[[2]]]])
}

#' @rdname tidy.noiseaware_fit
#' @export
tidy.noiseaware_fit_set <- function(x, prob = 0.9, ...) {
  group_tables(x, function(fit) tidy(fit, prob = prob))
}

#' @rdname tidy.noiseaware_fit
#' @export
glance.noiseaware_fit <- function(x, ...) {
  found <- chain_diagnostics(x$draws)
  data.frame(
    family = x$family, method = x$method$name, nobs = nobs(x),
    ndraws = posterior::ndraws(x$draws), log_evidence = x$log_evidence, rhat = max(found$rhat),
    ess_bulk = min(found$ess_bulk), ess_tail = min(found$ess_tail)
  )
}

#' @rdname tidy.noiseaware_fit
#' @export
augment.noiseaware_fit <- function(x, newdata = NULL, prob = 0.9, ...) {
  if (is.null(newdata)) abort_without_records("augment")
  ends <- central_ends(check_prob(prob))
  observed <- record_outcome(x$model, newdata)
  theta <- draws_matrix(x$draws)
  for (outcome in colnames(observed)) {
    suffix <- if (ncol(observed) > 1) paste0("_", outcome) else ""
    expected <- record_expectation(x$model, theta, newdata, outcome)
    columns <- record_columns(expected, observed[, outcome], ends)
    newdata[paste0(names(columns), suffix)] <- columns
  }
  newdata
}

# The columns augment() adds for one outcome.
record_columns <- function(expected, observed, ends) {
  quantile_of <- function(p) {
    rep_len(apply(expected, 2, stats::quantile, p, names = FALSE), length(observed))
  }
  fitted <- rep_len(colMeans(expected), length(observed))
  list(.fitted = fitted, .lower = quantile_of(ends[[1]]), .upper = quantile_of(ends[[2]]),
       .resid = unname(observed) - fitted)
}

abort_without_records <- function(verb) {
  abort_no_records(c(
    "{.fn {verb}} needs the records, which no analyst of a release has.",
    "i" = "Give records of your own as {.arg newdata}, or compare the release with replicated
           releases by {.fn pp_check}."
  ))
}

#' Fitted values and residuals
#'
#' There are none for the records behind a release: the analyst does not have
#' them. Both need `newdata`. Fitted values are posterior means of the expectation
#' of each record, and residuals are what is left: the two add up to the record.
#'
#' A record of a binary column is 1 if it has the second level and 0 otherwise. A
#' record of a factor is a row of zeros with a one at its level, as in other
#' packages for multinomial models.
#'
#' @inheritParams summary.noiseaware_fit
#' @param newdata A data frame of records of your own.
#' @return One value per row of `newdata`; for a factor a matrix with one row per
#'   row of `newdata` and one column per level.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' try(fitted(fit))
#' mine <- data.frame(smoker = c(0, 1))
#' fitted(fit, newdata = mine) + residuals(fit, newdata = mine)
#' @importFrom stats fitted
#' @export
fitted.noiseaware_fit <- function(object, newdata = NULL, ...) {
  if (is.null(newdata)) abort_without_records("fitted")
  drop_single(fitted_records(object, newdata, record_outcome(object$model, newdata)))
}

#' @rdname fitted.noiseaware_fit
#' @importFrom stats residuals
#' @export
residuals.noiseaware_fit <- function(object, newdata = NULL, ...) {
  if (is.null(newdata)) abort_without_records("residuals")
  observed <- record_outcome(object$model, newdata)
  drop_single(observed - fitted_records(object, newdata, observed))
}

# Posterior means, in the shape of the observed outcomes.
fitted_records <- function(object, newdata, observed) {
  theta <- draws_matrix(object$draws)
  means <- lapply(colnames(observed), function(outcome) {
    rep_len(colMeans(record_expectation(object$model, theta, newdata, outcome)), nrow(observed))
  })
  matrix(unlist(means), nrow(observed), ncol(observed), dimnames = dimnames(observed))
}

# One outcome is a vector.
drop_single <- function(x) if (ncol(x) == 1) as.vector(x) else x
