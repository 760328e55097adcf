# What a model of sums says about records not yet seen. Records have no covariates, so
# `newdata` is how many there are, and the outcome is their sum. New records are as
# they are: nothing clamps them.

#' @export
default_newdata.noiseaware_model_sums <- function(model) 1

# Expectation of one record, one per draw.
record_mean <- function(model, theta) UseMethod("record_mean")

#' @export
record_mean.noiseaware_model_exponential <- function(model, theta) 1 / theta[, "rate"]

#' @export
record_mean.noiseaware_model_poisson <- function(model, theta) theta[, "rate"]

#' @export
record_mean.noiseaware_model_normal <- function(model, theta) theta[, "mean"]

# One column, named as the column of the data.
as_outcome <- function(model, values) matrix(values, dimnames = list(NULL, model$column))

#' @export
expect_outcome.noiseaware_model_sums <- function(model, theta, newdata) {
  as_outcome(model, record_mean(model, theta) * check_new_records(newdata))
}

# The mean of one record does not depend on how many there will be.
#' @export
unlink_outcome.noiseaware_model_sums <- function(model, theta, newdata) {
  check_new_records(newdata)
  as_outcome(model, record_mean(model, theta))
}

#' @export
link_outcome.noiseaware_model_scalar <- function(model, theta, newdata) {
  check_new_records(newdata)
  as_outcome(model, log(record_mean(model, theta)))
}

#' @export
link_outcome.noiseaware_model_normal <- function(model, theta, newdata) {
  unlink_outcome(model, theta, newdata)
}

#' @export
simulate_outcome.noiseaware_model_sums <- function(model, theta, newdata, seed) {
  size <- check_new_records(newdata)
  as_outcome(model, simulate_totals_cpp(model$name, unname(theta), size, seed))
}

#' @export
replicate_release.noiseaware_model_sums <- function(model, theta, latent, seed) {
  known <- model$size$status == "known"
  sizes <- if (known) rep(model$size$value, nrow(theta)) else latent[, "n"]
  problem <- list(family = model$name, map = model$map, centre = model$centre, sums = model$sums)
  replicated <- replicate_sums_cpp(problem, unname(theta), sizes, seed)
  colnames(replicated) <- model$sums$statistic
  if (known) return(replicated)
  # n is itself a noisy statistic: a count with one level.
  n <- replicate_counts_cpp(matrix(1, nrow(theta), 1), sizes, model$size, seed + 1)
  cbind(n = n$release[, 1], replicated)
}

# --- given records -----------------------------------------------------------------

#' @export
record_outcome.noiseaware_model_sums <- function(model, newdata) {
  values <- read_records(model, newdata, "newdata")
  matrix(values, dimnames = list(NULL, model$column))
}

#' @export
record_expectation.noiseaware_model_sums <- function(model, theta, newdata, outcome) {
  matrix(record_mean(model, theta))
}
