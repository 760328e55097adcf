# Predictions: what the model expects of records not yet seen.

#' Predict new records
#'
#' @param object A fit from [infer()].
#' @param newdata What to predict. For a regression a data frame with the columns of the
#'   covariates; there is one outcome per row. Models of one column have no covariates:
#'   `newdata` is then the number of new records (1 if left out), and outcomes are
#'   the counts of the levels among them (of the second level for a binary column),
#'   or the sum of the new records for numbers, which nothing clamps.
#' @param prob Probability of the central intervals.
#' @param ndraws,draw_ids Use that many draws, evenly spaced, or these.
#' @param transform `TRUE` for the probability of every level instead of log odds,
#'   or for the mean of a number instead of its log; neither depends on the number of
#'   new records.
#' @param variable Names of parameters; all by default.
#' @param seed As in [infer()].
#' @param ... Unused.
#' @return `predict()`: a data frame with one row per outcome and the columns
#'   `outcome`, `estimate` (the mean of new outcomes), `std.error`, `conf.low` and
#'   `conf.high` of the predictive distribution. `posterior_predict()` (simulated
#'   outcomes), `posterior_epred()` (their expectation) and `posterior_linpred()`
#'   (log odds, against the first level for a factor; the log of the mean for
#'   exponential and Poisson models, the mean for normal ones and for regressions):
#'   matrices, draws x outcomes.
#'   `posterior_interval()` and `predictive_interval()`: matrices with one row per
#'   parameter or outcome.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' predict(fit, newdata = 50, seed = 2)
#' posterior_interval(fit, prob = 0.95)
#' head(posterior_predict(fit, newdata = 50, seed = 2))
#' @name predict.noiseaware_fit
NULL

#' @rdname predict.noiseaware_fit
#' @importFrom stats predict
#' @export
predict.noiseaware_fit <- function(object, newdata = NULL, prob = 0.9, seed = NULL, ...) {
  ends <- central_ends(check_prob(prob))
  outcomes <- posterior_predict(object, newdata = newdata, seed = seed)
  data.frame(
    outcome = colnames(outcomes), estimate = unname(colMeans(outcomes)),
    std.error = unname(apply(outcomes, 2, stats::sd)),
    conf.low = unname(apply(outcomes, 2, stats::quantile, ends[[1]])),
    conf.high = unname(apply(outcomes, 2, stats::quantile, ends[[2]]))
  )
}

#' @rdname predict.noiseaware_fit
#' @export
posterior_predict.noiseaware_fit <- function(object, newdata = NULL, ndraws = NULL, draw_ids = NULL,
                                             seed = NULL, ...) {
  theta <- draws_matrix(object$draws, ndraws, draw_ids)
  simulate_outcome(object$model, theta, new_records(object, newdata), take_seed(seed))
}

#' @rdname predict.noiseaware_fit
#' @export
posterior_epred.noiseaware_fit <- function(object, newdata = NULL, ndraws = NULL, draw_ids = NULL,
                                           ...) {
  theta <- draws_matrix(object$draws, ndraws, draw_ids)
  expect_outcome(object$model, theta, new_records(object, newdata))
}

#' @rdname predict.noiseaware_fit
#' @export
posterior_linpred.noiseaware_fit <- function(object, transform = FALSE, newdata = NULL,
                                             ndraws = NULL, draw_ids = NULL, ...) {
  newdata <- new_records(object, newdata)
  theta <- draws_matrix(object$draws, ndraws, draw_ids)
  if (check_flag(transform, "transform")) {
    return(unlink_outcome(object$model, theta, newdata))
  }
  link_outcome(object$model, theta, newdata)
}

new_records <- function(object, newdata) {
  if (is.null(newdata)) default_newdata(object$model) else newdata
}

#' @rdname predict.noiseaware_fit
#' @export
posterior_interval.noiseaware_fit <- function(object, prob = 0.9, variable = NULL, ...) {
  draws <- draws_matrix(object$draws)
  variable <- choose_variables(colnames(draws), variable)
  rstantools::posterior_interval(draws[, variable, drop = FALSE], prob = check_prob(prob))
}

#' @rdname predict.noiseaware_fit
#' @export
predictive_interval.noiseaware_fit <- function(object, prob = 0.9, newdata = NULL, seed = NULL,
                                               ...) {
  outcomes <- posterior_predict(object, newdata = newdata, seed = seed)
  rstantools::predictive_interval(outcomes, prob = check_prob(prob))
}

#' The prior of a fit
#'
#' @param object A fit from [infer()].
#' @param ... Unused.
#' @return An object of class `noiseaware_prior_summary`: the `prior` and its
#'   `moments` per parameter, in the natural units of the domain.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' prior_summary(infer(rel, ~ smoker, seed = 1))
#' @export
prior_summary.noiseaware_fit <- function(object, ...) {
  structure(
    list(prior = object$prior, words = prior_words(object$model, object$prior),
         moments = prior_moments(object$model, object$prior)),
    class = "noiseaware_prior_summary"
  )
}

#' @export
print.noiseaware_prior_summary <- function(x, digits = 3, ...) {
  cat("<prior summary> ", paste(x$words, collapse = "; "), "\n", sep = "")
  print(x$moments, digits = digits, row.names = FALSE)
  invisible(x)
}
