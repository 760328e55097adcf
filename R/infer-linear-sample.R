# Draws for linear regression. Densities and samplers are in the core; here the problem
# is described and the draws get their names.

# What the core needs to know; see src/linear_glue.h.
linear_problem <- function(model, prior, clamped = FALSE) {
  columns <- model$columns
  bounds <- function(ends) if (clamped) (ends - columns$centre) / columns$half else numeric()
  list(coefficients = unclass(prior$coefficients), covariates = covariate_law(prior),
       centre = columns$centre, half = columns$half, intercept = model$intercept,
       moments = scaled_moments(model), n = model_size(model), lower = bounds(columns$lower),
       upper = bounds(columns$upper))
}

# Without covariates: of no dimension.
covariate_law <- function(prior) {
  if (!is.null(prior$covariates)) return(unclass(prior$covariates))
  list(mean = numeric(), kappa = 1, scale = matrix(0, 0, 0), df = 1)
}

has_exact_moments <- function(model) {
  model$size$status == "known" && all(model$moments$noise == "none")
}

#' @export
sample_posterior.noiseaware_task_linear_exact <- function(task, run) {
  clamped <- isTRUE(task$method$clamped)
  if (clamped) check_clamped(task$model)
  if (has_exact_moments(task$model)) return(sample_moments_conjugate(task, run, FALSE))
  report <- progress_reporter("Sampling", run$refresh)
  problem <- linear_problem(task$model, task$prior, clamped)
  drawn <- call_core(linear_exact_cpp(problem, run, unclass(task$method), report))
  regression_sample(task, drawn, nuts_sampler(drawn))
}

check_clamped <- function(model) {
  if (model$outside == "redact") {
    abort_model(c("{.code clamped = TRUE} is for records that were clamped.",
                  "x" = "The query redacts records outside the bounds."))
  }
  if (has_exact_moments(model)) {
    abort_model(c("{.code clamped = TRUE} is for moments with noise.",
                  "x" = "These have none."))
  }
}

#' @export
sample_posterior.noiseaware_task_linear_gibbs <- function(task, run) {
  check_gibbs(task$model)
  moments <- task$method$moments
  if (moments == "release") {
    abort_model(c("{.code moments = \"release\"}, from moments of degree 4, is not available in this
                   version.",
                  "i" = "Use {.val update} or {.val prior}."))
  }
  report <- progress_reporter("Gibbs sampling", run$refresh)
  drawn <- call_core(linear_gibbs_cpp(linear_problem(task$model, task$prior), moments, run, report))
  sampler <- list(kind = "chains", algorithm = paste0("Gibbs sampling, moments = ", moments),
                  repairs = drawn$repairs)
  regression_sample(task, drawn, sampler)
}

#' @export
sample_posterior.noiseaware_task_linear_naive <- function(task, run) {
  sample_moments_conjugate(task, run, !has_exact_moments(task$model))
}

# Independent draws given exact moments. `ignored` says that there was noise.
sample_moments_conjugate <- function(task, run, ignored) {
  drawn <- call_core(linear_conjugate_cpp(linear_problem(task$model, task$prior), run))
  words <- if (ignored) ", privacy noise ignored" else " with exact sums"
  repaired <- if (drawn$repaired) "; the noisy scatter was made positive definite"
  sampler <- list(kind = "independent",
                  algorithm = paste0("conjugate update", words, repaired))
  sample <- regression_sample(task, drawn, sampler)
  sample$moments$privacy_share <- if (ignored) NA_real_ else 0
  sample
}

# --- what they share ---------------------------------------------------------------

# Parameters of the model are coefficients and sigma. Those of the covariates are drawn,
# too, and kept with the latent statistics.
regression_sample <- function(task, drawn, sampler) {
  variables <- model_variables(task$model)$variable
  keep <- seq_along(variables)
  theta <- name_draws(drawn$theta[, , keep, drop = FALSE], variables)
  new_sample(theta, regression_latent(task, drawn), regression_moments(theta, drawn$conditional),
             sampler)
}

# Mean and variance by averaging over the statistics, where parameters have moments given
# these; else from the draws.
regression_moments <- function(theta, conditional) {
  size <- dim(theta)[[3]]
  given <- matrix(conditional, ncol = 2 * size)
  means <- given[, seq_len(size), drop = FALSE]
  within <- colMeans(given[, size + seq_len(size), drop = FALSE])
  if (!all(is.finite(within)) || !all(is.finite(means))) return(NULL)
  between <- if (nrow(means) > 1) apply(means, 2, stats::var) else 0
  variance <- within + between
  data.frame(mean = colMeans(means), sd = sqrt(variance),
             privacy_share = clip(between / variance, 0, 1))
}

# The covariance matrix of many covariates is not kept: numbers in a fit, at most.
most_latent <- 2^24

# mu_x, Sigma_x, then (not where the release was taken at face value) the statistics.
regression_latent <- function(task, drawn) {
  model <- task$model
  first <- length(model_variables(model)$variable)
  size <- dim(drawn$theta)
  if (prod(size) > most_latent) return(NULL)
  names <- covariate_variables(model)
  latent <- drawn$theta[, , first + seq_along(names), drop = FALSE]
  shown <- latent_moments(model, task$method)
  latent <- array(c(latent, drawn$statistics[, , shown$at]),
                  c(size[1:2], length(names) + nrow(shown)))
  if (dim(latent)[[3]] == 0) return(NULL)
  name_draws(latent, c(names, shown$statistic))
}

covariate_variables <- function(model) {
  terms <- covariate_rows(model)$term
  at <- expand.grid(col = seq_along(terms), row = seq_along(terms))
  at <- at[at$row <= at$col, ]
  c(paste0("mu_x[", terms, "]", recycle0 = TRUE),
    paste0("Sigma_x[", terms[at$row], ",", terms[at$col], "]", recycle0 = TRUE))
}

# Which of the core's statistics are shown: those that were released, and n if latent.
latent_moments <- function(model, method) {
  pairs <- moment_pairs(model$columns)
  known <- is_known_pair(model$columns, pairs$row, pairs$col)
  found <- data.frame(at = seq_len(nrow(pairs)),
                      statistic = moment_labels(model$columns, pairs$row, pairs$col))
  counted <- pairs$col == 0 & model$size$status != "known"
  at_face_value <- method$name == "naive" || has_exact_moments(model)
  found[counted | (pairs$col > 0 & !known & !at_face_value), ]
}
