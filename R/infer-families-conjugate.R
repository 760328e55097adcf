# The posterior given exact sums: what the naive method and the yardstick report, and
# what tells how much of the spread is privacy noise. Sums are about the centre, as in
# the release.

# The prior updated by `n` records with the given `sums` (a matrix, one row per case).
# Members of the value are as long as there are cases.
conjugate_update <- function(model, prior, sums, n) UseMethod("conjugate_update")

#' @export
conjugate_update.noiseaware_model_exponential <- function(model, prior, sums, n) {
  list(shape = prior$shape + n, rate = prior$rate + sums[, 1] + n * model$centre)
}

#' @export
conjugate_update.noiseaware_model_poisson <- function(model, prior, sums, n) {
  list(shape = prior$shape + sums[, 1] + n * model$centre, rate = prior$rate + n)
}

#' @export
conjugate_update.noiseaware_model_normal <- function(model, prior, sums, n) {
  average <- sums[, 1] / pmax(n, 1e-300)  # the sum of no records is 0
  nig_update(prior, n, model$centre + average, pmax(sums[, 2] - n * average^2, 0))
}

# `squares` are about the average.
nig_update <- function(prior, n, average, squares) {
  precision <- prior$precision + n
  list(mean = prior$mean + n / precision * (average - prior$mean), precision = precision,
       shape = prior$shape + n / 2,
       rate = prior$rate + squares / 2 +
         prior$precision * (n / precision) * (average - prior$mean)^2 / 2)
}

# Mean and variance of every parameter: matrices, cases x variables.
conjugate_moments <- function(model, updated) UseMethod("conjugate_moments")

#' @export
conjugate_moments.noiseaware_model_scalar <- function(model, updated) {
  list(mean = cbind(rate = updated$shape / updated$rate),
       variance = cbind(rate = updated$shape / updated$rate^2))
}

#' @export
conjugate_moments.noiseaware_model_normal <- function(model, updated) nig_moments(updated)

# --- draws -----------------------------------------------------------------------

# Independent draws given exact sums. `ignored` says that there was noise.
sample_conjugate <- function(task, run, sums, n, ignored) {
  updated <- conjugate_update(task$model, task$prior, matrix(sums, 1), n)
  theta <- conjugate_cpp(task$model$name, updated, run)
  found <- conjugate_moments(task$model, updated)
  moments <- data.frame(mean = as.vector(found$mean), sd = sqrt(as.vector(found$variance)),
                        privacy_share = if (ignored) NA_real_ else 0)
  words <- if (ignored) ", privacy noise ignored" else " with exact sums"
  sampler <- list(kind = "independent", algorithm = paste0("conjugate update", words))
  new_sample(name_draws(theta, model_variables(task$model)$variable), NULL, moments, sampler)
}

#' @export
sample_posterior.noiseaware_task_sums_naive <- function(task, run) {
  n <- max(task$model$size$value, 0)
  # The released sums, moved to the nearest that n records could have; see naive.hpp.
  sums <- naive_sums_cpp(sum_problem(task$model, task$prior))
  sample_conjugate(task, run, sums, n, ignored = !has_no_noise(task$model))
}

clip <- function(x, lower, upper) pmin(pmax(x, lower), upper)
