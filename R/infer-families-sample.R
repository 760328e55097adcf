# Draws for models of sums. Likelihoods and samplers are in the core; here it is
# decided which of them is used.

# What the core needs to know; see src/families_glue.h.
sum_problem <- function(model, prior) {
  list(family = model$name, prior = unclass(prior), map = model$map, centre = model$centre,
       sums = model$sums, size = model$size)
}

# --- which method -------------------------------------------------------------------

#' @export
default_method.noiseaware_model_sums <- function(model) {
  if (is_half_exact(model)) "clt" else methods_of(model)[[1]]
}

# Bounds between whole numbers leave no lattice, and latent records of very many
# people take long.
#' @export
default_method.noiseaware_model_poisson <- function(model) {
  lattice <- all(is_whole(2 * unlist(model$map)), is_whole(2 * model$centre))
  if (!lattice && model$size$value > 1e4) "clt" else NextMethod()
}

# Characteristic functions decay too slowly for few records with hardly any noise.
prefers_records <- function(model) {
  precise <- model$sums$scale[[1]] < 0.01 * (model$upper - model$lower)
  model$name == "exponential" && model$size$value < 10 && precise
}

uses_records <- function(task) {
  task$method$name == "exact" && (task$method$max_work == 0 || prefers_records(task$model))
}

check_noisy <- function(model, method) {
  if (!is_half_exact(model)) return()
  exact <- model$sums$statistic[model$sums$noise == "none"]
  abort_model(c("Method {.val {method}} needs noise on every sum, or on none.",
                "x" = "{.field {exact}} has no noise.",
                "i" = "Use {.code method = \"clt\"}."))
}

# The papers' samplers are for a public n and noisy statistics.
check_gibbs <- function(model) {
  if (model$size$status != "known") {
    abort_model(c("Method {.val gibbs} needs a public number of records.",
                  "i" = "Use {.code method = \"{default_method(model)}\"}, which sums over it."))
  }
  statistics <- model_statistics(model)
  if (any(statistics$noise[statistics$released] == "none")) {
    abort_model(c("Method {.val gibbs} is for statistics with noise.",
                  "x" = "The release has some without.",
                  "i" = "Use {.code method = \"{default_method(model)}\"}."))
  }
}

# --- one parameter --------------------------------------------------------------------

#' @export
sample_posterior.noiseaware_task_scalar_exact <- function(task, run) {
  if (has_no_noise(task$model)) return(sample_exact_sums(task, run))
  check_noisy(task$model, "exact")
  if (uses_records(task)) return(sample_records(task, run))
  problem <- sum_problem(task$model, task$prior)
  drawn <- call_core(scalar_exact_cpp(problem, run, task$method$max_work))
  if (!drawn$feasible) return(sample_records(task, run))
  grid_sample(task, drawn, "exact likelihood on a grid")
}

#' @export
sample_posterior.noiseaware_task_scalar_clt <- function(task, run) {
  if (has_no_noise(task$model)) return(sample_exact_sums(task, run))
  drawn <- call_core(scalar_clt_cpp(sum_problem(task$model, task$prior), run))
  grid_sample(task, drawn, "central limit likelihood on a grid")
}

#' @export
sample_posterior.noiseaware_task_scalar_gibbs <- function(task, run) {
  check_gibbs(task$model)
  report <- progress_reporter("Gibbs sampling", run$refresh)
  problem <- sum_problem(task$model, task$prior)
  chain_sample(task, call_core(scalar_gibbs_cpp(problem, run, report)), "Gibbs sampling", TRUE)
}

# --- what they share --------------------------------------------------------------------

# Latent records are kept in memory, eight bytes each, once per chain.
most_records <- 1e7

# Markov chains on the records themselves: no approximation, whatever the noise.
sample_records <- function(task, run) {
  if (task$model$size$value > most_records) {
    abort_model(c("There are too many records for latent ones.",
                  "x" = "n is {format_number(task$model$size$value)}.",
                  "i" = "Use {.code method = \"clt\"}."))
  }
  report <- progress_reporter("Sampling records", run$refresh)
  drawn <- call_core(records_cpp(sum_problem(task$model, task$prior), run, report))
  chain_sample(task, drawn, "data augmentation with latent records (same target)", TRUE)
}

sample_exact_sums <- function(task, run) {
  sample_conjugate(task, run, task$model$sums$value, task$model$size$value, ignored = FALSE)
}

grid_sample <- function(task, drawn, algorithm) {
  latent <- latent_sums(task$model, drawn$latent)
  variance <- drawn$moments$sd^2
  share <- 1 - mean(variance_given_sums(task, latent)[, 1]) / variance
  moments <- data.frame(mean = drawn$moments$mean, sd = drawn$moments$sd,
                        privacy_share = clip(share, 0, 1))
  new_sample(name_draws(drawn$theta, "rate"), latent, moments,
             list(kind = "independent", algorithm = algorithm), drawn$log_evidence)
}

# `conjugate`: the parameters were drawn from their distribution given the sums, so
# that averages over the sums have less Monte Carlo error than those of the draws.
chain_sample <- function(task, drawn, algorithm, conjugate) {
  latent <- latent_sums(task$model, drawn$latent)
  theta <- name_draws(drawn$theta, model_variables(task$model)$variable)
  sampler <- list(kind = "chains", algorithm = algorithm)
  if (!is.null(drawn$acceptance)) sampler$acceptance <- drawn$acceptance
  new_sample(theta, latent, chain_moments(task, theta, latent, conjugate), sampler)
}

chain_moments <- function(task, theta, latent, conjugate) {
  given <- moments_given_sums(task, latent)
  within <- colMeans(given$variance)
  if (conjugate) {
    mean <- colMeans(given$mean)
    variance <- within + apply(given$mean, 2, stats::var)
  } else {
    mean <- apply(theta, 3, mean)
    variance <- apply(theta, 3, stats::sd)^2
  }
  data.frame(mean = mean, sd = sqrt(variance), privacy_share = clip(1 - within / variance, 0, 1),
             row.names = NULL)
}

# Sums of the records themselves about the centre, and n where it is latent. The core
# puts n last.
latent_sums <- function(model, latent) {
  keep <- seq_len(nrow(model$sums))
  names <- model$sums$statistic
  if (model$size$status != "known") {
    keep <- c(keep, dim(latent)[[3]])
    names <- c(names, "n")
  }
  name_draws(latent[, , keep, drop = FALSE], names)
}

moments_given_sums <- function(task, latent) {
  flat <- matrix(latent, ncol = dim(latent)[[3]], dimnames = list(NULL, dimnames(latent)[[3]]))
  known <- task$model$size$status == "known"
  n <- if (known) task$model$size$value else flat[, "n"]
  sums <- flat[, task$model$sums$statistic, drop = FALSE]
  conjugate_moments(task$model, conjugate_update(task$model, task$prior, sums, n))
}

variance_given_sums <- function(task, latent) moments_given_sums(task, latent)$variance
