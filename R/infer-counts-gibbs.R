# The central limit for models of counts: the counts are taken for normal numbers.
# There is no need for it, because the exact sum is cheap; it is here to be compared
# with.

#' @export
sample_posterior.noiseaware_task_bernoulli_clt <- function(task, run) {
  released <- task$model$counts[task$model$counts$released, ]
  if (all(released$noise == "none")) {
    task$method <- method_exact()
    return(sample_posterior.noiseaware_task_counts_exact(task, run))
  }
  drawn <- call_core(bernoulli_clt_cpp(count_problem(task$model, task$prior), run))
  sampler <- list(kind = "independent", algorithm = "central limit likelihood on a grid")
  latent <- latent_array(task$model, drawn$latent)
  variance <- drawn$moments$sd^2
  share <- 1 - mean(beta_variance(task, latent)) / variance
  moments <- data.frame(mean = drawn$moments$mean, sd = drawn$moments$sd,
                        privacy_share = clip(share, 0, 1))
  new_sample(theta_array(task$model, drawn$theta), latent, moments, sampler, drawn$log_evidence)
}

# Variance of theta given the count, for every draw of it.
beta_variance <- function(task, latent) {
  known <- task$model$size$status == "known"
  n <- if (known) task$model$size$value else as.vector(latent[, , "n"])
  weights <- concentration(task$model, task$prior)
  shape1 <- weights[[2]] + as.vector(latent[, , 1])
  total <- sum(weights) + n
  shape1 * (total - shape1) / total^2 / (total + 1)
}

#' @export
sample_posterior.noiseaware_task_counts_gibbs <- function(task, run) {
  check_gibbs(task$model)
  problem <- count_problem(task$model, task$prior)
  report <- progress_reporter("Gibbs sampling", run$refresh)
  drawn <- call_core(counts_gibbs_cpp(problem, task$model$name, run, report))
  sampler <- list(kind = "chains", algorithm = "Gibbs sampling")
  new_sample(theta_array(task$model, drawn$theta), latent_array(task$model, drawn$latent),
             exact_moments(task$model, drawn$moments), sampler)
}
