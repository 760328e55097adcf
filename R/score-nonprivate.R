# The yardstick of every study: the same model with nothing in the way.

#' Fit the same model to exact statistics
#'
#' **Not private.** Computes the posterior the custodian could have computed from
#' the records: the same query, model and prior, without noise. For simulations
#' and for the custodian's own use; the result must not be published.
#'
#' @param query A query from [query_tables()] or [query_moments()].
#' @param data Records, as for [tally_records()].
#' @param formula,... As for [infer()].
#' @return A fit of class `noiseaware_fit` that prints `NON-PRIVATE`.
#' @family evaluation
#' @examples
#' query <- query_tables(domain(am = dom_binary()), ~ am, "replace_one")
#' infer_nonprivate(query, mtcars, ~ am, seed = 1)
#' @export
infer_nonprivate <- function(query, data, formula = NULL, ...) {
  check_supplied(missing(query), "query")
  check_supplied(missing(data), "data")
  infer(observe(tally_records(query, data)), formula, ...)
}
