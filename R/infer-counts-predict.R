# What a model of counts says about records not yet seen. Records have no
# covariates, so `newdata` is how many there are.

check_new_records <- function(newdata) {
  if (is.data.frame(newdata)) {
    abort_input(c("{.arg newdata} must be a number of new records.",
                  "x" = "You gave a data frame.",
                  "i" = "Records have no covariates here: give {.code nrow(newdata)}."))
  }
  check_whole(newdata, "newdata", 1)
}

# One more record.
#' @export
default_newdata.noiseaware_model_counts <- function(model) 1

# Outcomes are counts of levels: the second level of a binary column, else all.
outcome_levels <- function(model) {
  if (length(model$levels) == 2) model$levels[2] else model$levels
}

#' @export
expect_outcome.noiseaware_model_counts <- function(model, theta, newdata) {
  expected <- theta * check_new_records(newdata)
  colnames(expected) <- outcome_levels(model)
  expected
}

# Probabilities do not depend on how many records there will be.
#' @export
unlink_outcome.noiseaware_model_counts <- function(model, theta, newdata) {
  check_new_records(newdata)
  expect_outcome(model, theta, 1)
}

#' @export
link_outcome.noiseaware_model_bernoulli <- function(model, theta, newdata) {
  check_new_records(newdata)
  logit <- stats::qlogis(theta)
  colnames(logit) <- outcome_levels(model)
  logit
}

# Log odds against the first level, which is left out.
#' @export
link_outcome.noiseaware_model_categorical <- function(model, theta, newdata) {
  check_new_records(newdata)
  odds <- log(theta[, -1, drop = FALSE]) - log(theta[, 1])
  colnames(odds) <- model$levels[-1]
  odds
}

#' @export
simulate_outcome.noiseaware_model_counts <- function(model, theta, newdata, seed) {
  size <- check_new_records(newdata)
  simulated <- simulate_counts(model, theta, rep(size, nrow(theta)), seed)
  simulated$counts[, model$levels %in% outcome_levels(model), drop = FALSE]
}

# Counts of all levels of new records, and their release with fresh noise.
simulate_counts <- function(model, theta, sizes, seed) {
  if (ncol(theta) == 1) theta <- cbind(1 - theta, theta)
  simulated <- replicate_counts_cpp(unname(theta), sizes, model$counts, seed)
  lapply(simulated, `colnames<-`, model$levels)
}

#' @export
replicate_release.noiseaware_model_counts <- function(model, theta, latent, seed) {
  known <- model$size$status == "known"
  sizes <- if (known) rep(model$size$value, nrow(theta)) else latent[, "n"]
  released <- model$counts$released
  noisy <- simulate_counts(model, theta, sizes, seed)$release[, released, drop = FALSE]
  noisy <- noisy - outer(sizes, model$counts$centre[released])
  colnames(noisy) <- model$counts$statistic[released]
  noisy <- suppress_replicated(model, noisy)
  if (model$size$status != "noisy") return(noisy)
  # n is itself a noisy statistic: a count with one level.
  n <- replicate_counts_cpp(matrix(1, nrow(theta), 1), sizes, model$size, seed + 1)
  cbind(n = n$release[, 1], noisy)
}

# Whether one cell was suppressed is a coin; how many were is a statistic. Values
# of the cells that were published are shown as they are, below the threshold too.
suppress_replicated <- function(model, noisy) {
  censored <- model$counts$censored[model$counts$released]
  if (!any(censored)) return(noisy)
  below <- rowSums(noisy < model$threshold - 1e-9)
  cbind(noisy[, !censored, drop = FALSE], "suppressed cells" = below)
}

# --- given records -----------------------------------------------------------

# 0 or 1 for each outcome: whether the record has that level.
#' @export
record_outcome.noiseaware_model_counts <- function(model, newdata) {
  levels <- outcome_levels(model)
  observed <- outer(read_records(model, newdata, "newdata"), match(levels, model$levels), `==`) + 0
  colnames(observed) <- levels
  observed
}

# Records have no covariates: the expectation is the same for all.
#' @export
record_expectation.noiseaware_model_counts <- function(model, theta, newdata, outcome) {
  unname(theta[, match(outcome, outcome_levels(model)), drop = FALSE])
}
