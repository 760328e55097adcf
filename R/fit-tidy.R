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
#'   front. `glance()`: one row about the fit. `augment()`: `newdata` with the
#'   posterior mean of the probability or expectation of each record in `.fitted`,
#'   and its interval in `.lower` and `.upper`.
#' @family analyst
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker)
#' rel <- as_release(query, n = 1000, values = c("count(smoker=1)" = 312.4),
#'                   noise = noise_laplace(10))
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
  ends <- c((1 - check_prob(prob)) / 2, (1 + prob) / 2)
  expected <- record_outcome(x$model, draws_matrix(x$draws), newdata)
  newdata$.fitted <- colMeans(expected)
  newdata$.lower <- apply(expected, 2, stats::quantile, ends[[1]], names = FALSE)
  newdata$.upper <- apply(expected, 2, stats::quantile, ends[[2]], names = FALSE)
  newdata
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
#' them. Both need `newdata`.
#'
#' @param object A fit from [infer()].
#' @param newdata A data frame of records of your own.
#' @param ... Unused.
#' @return A numeric vector with one value per row of `newdata`: the posterior mean
#'   of the probability or expectation of the record, or what is left of it.
#' @family analyst
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker)
#' rel <- as_release(query, n = 1000, values = c("count(smoker=1)" = 312.4),
#'                   noise = noise_laplace(10))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' try(fitted(fit))
#' fitted(fit, newdata = data.frame(smoker = c(0, 1)))
#' @importFrom stats fitted
#' @export
fitted.noiseaware_fit <- function(object, newdata = NULL, ...) {
  if (is.null(newdata)) abort_without_records("fitted")
  colMeans(record_outcome(object$model, draws_matrix(object$draws), newdata))
}

#' @rdname fitted.noiseaware_fit
#' @importFrom stats residuals
#' @export
residuals.noiseaware_fit <- function(object, newdata = NULL, ...) {
  if (is.null(newdata)) abort_without_records("residuals")
  record_residual(object$model, draws_matrix(object$draws), newdata)
}
