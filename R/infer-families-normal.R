# Draws for the normal model: two sums, hence no grid. Both the central limit and the
# exact likelihood are sampled by Markov chains.

# Thirty records are enough for the central limit, and few enough to be sampled.
#' @export
default_method.noiseaware_model_normal <- function(model) {
  if (model$size$value < small_n && !is_half_exact(model)) "exact" else "clt"
}

#' @export
sample_posterior.noiseaware_task_normal_exact <- function(task, run) {
  if (has_no_noise(task$model)) return(sample_exact_sums(task, run))
  check_noisy(task$model, "exact")
  sample_records(task, run)
}

#' @export
sample_posterior.noiseaware_task_normal_clt <- function(task, run) {
  if (has_no_noise(task$model)) return(sample_exact_sums(task, run))
  report <- progress_reporter("Sampling", run$refresh)
  drawn <- call_core(normal_clt_cpp(sum_problem(task$model, task$prior), run, report))
  chain_sample(task, drawn, "Metropolis with the sums integrated out", FALSE)
}

#' @export
sample_posterior.noiseaware_task_normal_gibbs <- function(task, run) {
  check_gibbs(task$model)
  if (task$model$size$value < 2) {
    abort_model(c("Method {.val gibbs} needs two or more records.",
                  "i" = "Use {.code method = \"exact\"}."))
  }
  report <- progress_reporter("Gibbs sampling", run$refresh)
  problem <- sum_problem(task$model, task$prior)
  drawn <- call_core(normal_gibbs_cpp(problem, run, report))
  drawn$acceptance <- NULL
  chain_sample(task, drawn, "Gibbs sampling", TRUE)
}
