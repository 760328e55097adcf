# Draws for models of counts: exact sums in the core, Markov chains on the counts
# where the sum is too long, and the naive conjugate update.

# What the core needs to know; see decode_problem() in the glue.
count_problem <- function(model, prior) {
  list(concentration = concentration(model, prior), counts = model$counts, size = model$size)
}

#' @export
sample_posterior.noiseaware_task_counts_exact <- function(task, run) {
  problem <- count_problem(task$model, task$prior)
  drawn <- call_core(sum_counts(task$model, problem, run, task$method$max_work))
  if (!drawn$feasible) return(sample_counts_chain(task$model, problem, run))
  sampler <- list(kind = "independent", algorithm = "exact sum over the latent counts",
                  work = drawn$work)
  new_sample(theta_array(task$model, drawn$theta), latent_array(task$model, drawn$latent),
             exact_moments(task$model, drawn$moments), sampler, drawn$log_evidence)
}

# The direct sum, or feasible = FALSE.
sum_counts <- function(model, problem, run, max_work) UseMethod("sum_counts")

#' @export
sum_counts.noiseaware_model_bernoulli <- function(model, problem, run, max_work) {
  bernoulli_exact_cpp(problem, run, max_work)
}

#' @export
sum_counts.noiseaware_model_categorical <- function(model, problem, run, max_work) {
  categorical_exact_cpp(problem, run, max_work)
}

sample_counts_chain <- function(model, problem, run) {
  report <- progress_reporter("Sampling counts", run$refresh)
  drawn <- call_core(counts_metropolis_cpp(problem, run, report))
  sampler <- list(kind = "chains", algorithm = "Metropolis on the latent counts (same target)",
                  acceptance = drawn$acceptance)
  new_sample(theta_array(model, drawn$theta), latent_array(model, drawn$latent),
             exact_moments(model, drawn$moments), sampler)
}

# The core returns every category and, for a binary column, sometimes only the
# counted one; variables are the counted one there.
theta_array <- function(model, theta) {
  variables <- model_variables(model)$variable
  if (dim(theta)[[3]] > length(variables)) theta <- theta[, , 2, drop = FALSE]
  name_draws(theta, variables)
}

# Counts of the released cells and, where it is latent, n. The core puts n last
# and, before it, what belongs to levels without a count.
latent_array <- function(model, latent) {
  released <- model$counts[model$counts$released, ]
  keep <- seq_len(nrow(released))
  names <- paste0("count(", model$column, "=", released$level, ")")
  if (model$size$status != "known") {
    keep <- c(keep, dim(latent)[[3]])
    names <- c(names, "n")
  }
  name_draws(latent[, , keep, drop = FALSE], names)
}

name_draws <- function(draws, variables) {
  dimnames(draws) <- list(NULL, NULL, variables)
  draws
}

# Mean, sd, and the share of the variance that exact counts would remove.
exact_moments <- function(model, moments) {
  keep <- if (length(moments$mean) > nrow(model_variables(model))) 2 else seq_along(moments$mean)
  variance <- moments$within + moments$between
  all <- data.frame(mean = moments$mean, sd = sqrt(variance),
                    privacy_share = moments$between / variance)
  all[keep, ]
}

#' @export
sample_posterior.noiseaware_task_counts_naive <- function(task, run) {
  drawn <- counts_conjugate_cpp(count_problem(task$model, task$prior),
                                naive_counts(task$model, task$prior), run)
  moments <- exact_moments(task$model, drawn$moments)
  moments$privacy_share <- NA_real_
  sampler <- list(kind = "independent", algorithm = "conjugate update, privacy noise ignored")
  new_sample(theta_array(task$model, drawn$theta), NULL, moments, sampler)
}

# The release at face value: counts that n records could have, nearest to the released
# ones; see naive.hpp.
naive_counts <- function(model, prior) naive_counts_cpp(count_problem(model, prior))
