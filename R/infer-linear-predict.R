# What a regression says about new records, given their covariates, and about new
# releases.

# There are no records to predict, only those of the analyst's own.
#' @export
default_newdata.noiseaware_model_linear <- function(model) {
  columns <- unique(covariate_rows(model)$column)
  if (length(columns) == 0) return(data.frame(row.names = 1))
  abort_input(c("{.arg newdata} is missing.",
                "i" = "Give a data frame with the column{?s} {.field {columns}}: the records behind
                       the release are not known."))
}

# Draws x records; columns are named by row.
#' @export
link_outcome.noiseaware_model_linear <- function(model, theta, newdata) {
  x <- design_matrix(model, newdata, "newdata", covariate_rows(model))
  if (model$intercept) x <- cbind(`(Intercept)` = rep(1, nrow(x)), x)
  found <- theta[, coefficient_names(model), drop = FALSE] %*% t(x)
  dimnames(found) <- list(NULL, row.names(newdata))
  found
}

#' @export
expect_outcome.noiseaware_model_linear <- function(model, theta, newdata) {
  link_outcome(model, theta, newdata)
}

#' @export
unlink_outcome.noiseaware_model_linear <- function(model, theta, newdata) {
  link_outcome(model, theta, newdata)
}

#' @export
simulate_outcome.noiseaware_model_linear <- function(model, theta, newdata, seed) {
  expected <- link_outcome(model, theta, newdata)
  expected + theta[, "sigma"] * draw_normals_cpp(0, 1, length(expected), seed)
}

# The outcome may be absent: there is then a fitted value but no residual.
#' @export
record_outcome.noiseaware_model_linear <- function(model, newdata) {
  if (is.data.frame(newdata) && !model$column %in% names(newdata)) {
    values <- rep(NA_real_, nrow(newdata))
  } else {
    values <- design_matrix(model, newdata, "newdata", response_row(model))
  }
  matrix(values, ncol = 1, dimnames = list(NULL, model$column))
}

#' @export
record_expectation.noiseaware_model_linear <- function(model, theta, newdata, outcome) {
  unname(link_outcome(model, theta, newdata))
}

# Parameters of the covariates are among the latent draws.
#' @export
replicate_release.noiseaware_model_linear <- function(model, theta, latent, seed) {
  covariates <- covariate_variables(model)
  if (!all(covariates %in% colnames(latent))) {
    abort_model(c("The fit does not have the draws of the covariates' parameters.",
                  "i" = "They are not kept for so many covariates: refit with fewer draws."))
  }
  known <- model$size$status == "known"
  sizes <- if (known) rep(model$size$value, nrow(theta)) else pmax(latent[, "n"], 1)
  draws <- cbind(theta, latent[, covariates, drop = FALSE])
  problem <- list(centre = model$columns$centre, intercept = model$intercept,
                  moments = model$moments)
  replicated <- linear_replicate_cpp(problem, unname(draws), sizes, seed)
  colnames(replicated) <- model$moments$statistic
  if (known) return(replicated)
  n <- replicate_counts_cpp(matrix(1, nrow(theta), 1), round(sizes), model$size, seed + 1)
  cbind(n = n$release[, 1], replicated)
}
