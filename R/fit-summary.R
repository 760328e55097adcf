# Summaries in the columns of package posterior, with two of our own.

#' Summarise a fit
#'
#' @param object A fit from [infer()].
#' @param prob Probability of the central interval, whose ends are columns such as
#'   `q5` and `q95`.
#' @param ... Unused.
#' @return A data frame with one row per variable: the columns of
#'   [posterior::summarise_draws()], then `sd_ratio` (posterior over prior standard
#'   deviation: near 1 the answer is mostly prior) and `privacy_share` (the share of
#'   the posterior variance that is there because of the privacy noise; `NA` for the
#'   naive method, which ignores it).
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' summary(infer(rel, ~ smoker, seed = 1), prob = 0.95)
#' @export
summary.noiseaware_fit <- function(object, prob = 0.9, ...) {
  prob <- check_prob(prob)
  ends <- central_ends(prob)
  found <- posterior::summarise_draws(
    object$draws, "mean", "median", "sd", "mad",
    function(x) posterior::quantile2(x, probs = ends), "rhat", "ess_bulk", "ess_tail"
  )
  # Plain numbers: posterior's own type prints in a width of its own.
  found <- as.data.frame(lapply(found, as.vector))
  names(found)[6:7] <- interval_columns(prob)
  found$sd_ratio <- object$moments$sd_ratio
  found$privacy_share <- object$moments$privacy_share
  structure(found, class = c("noiseaware_summary", "data.frame"), prob = prob)
}

# Probabilities of the ends of the central interval.
central_ends <- function(prob) c(1 - prob, 1 + prob) / 2

# Names of the ends of the interval: 0.9 gives "q5" and "q95".
interval_columns <- function(prob) {
  paste0("q", format(100 * central_ends(prob), digits = 6, trim = TRUE, drop0trailing = TRUE))
}

#' @export
summary.noiseaware_fit_set <- function(object, prob = 0.9, ...) {
  table <- group_tables(object, function(fit) as.data.frame(summary(fit, prob = prob)))
  structure(table, class = c("noiseaware_summary", "data.frame"), prob = prob)
}

#' @export
as.data.frame.noiseaware_summary <- function(x, ...) {
  structure(x, class = "data.frame", prob = NULL)
}

#' @export
print.noiseaware_summary <- function(x, digits = 3, ...) {
  print(as.data.frame(x), digits = digits, row.names = FALSE)
  prob <- attr(x, "prob")
  if (is.null(prob)) return(invisible(x))  # a part of a summary
  ends <- paste(interval_columns(prob), collapse = " and ")
  cat(ends, ": central interval of probability ", format(prob), "\n", sep = "")
  invisible(x)
}
