# What infer() warns about after sampling. Each warning has a class and names the
# variable, the number and the remedy; none stops the run.

warn_about_fit <- function(fit) {
  warn_prior_dominated(fit)
  warn_chains(fit)
}

# A posterior nearly as wide as the prior says little that the prior did not.
prior_dominated <- 0.8

warn_prior_dominated <- function(fit) {
  weak <- which(fit$moments$sd_ratio > prior_dominated)
  if (length(weak) == 0) return()
  first <- weak[[which.max(fit$moments$sd_ratio[weak])]]
  name <- fit$moments$variable[[first]]
  ratio <- format(fit$moments$sd_ratio[[first]], digits = 2)
  more <- if (length(weak) > 1) paste0(" (and ", length(weak) - 1, " more)") else ""
  noiseaware_warn(c(
    "The posterior of {.field {name}}{more} is mostly prior: posterior sd / prior sd = {ratio}.",
    "i" = "Report the prior with the answer, or ask for a release with less noise or more records."
  ), "prior_dominated")
}

# Only draws of Markov chains can fail to mix (Vehtari et al. 2021).
warn_chains <- function(fit) {
  if (fit$sampler$kind != "chains") return()
  found <- chain_diagnostics(fit$draws)
  bad <- which(found$rhat > 1.01 | found$ess_bulk < 400 | found$ess_tail < 400)
  if (length(bad) == 0) return()
  worst <- found[bad[[which.min(found$ess_bulk[bad])]], ]
  found <- paste0("rhat = ", format(worst$rhat, digits = 4), ", bulk ESS = ",
                  round(worst$ess_bulk), ", tail ESS = ", round(worst$ess_tail))
  noiseaware_warn(c(
    "The chains of {.field {worst$variable}} have not mixed: {found}.",
    "i" = "Run longer: a larger {.arg iter}, or more {.arg chains}."
  ), "convergence")
}

# One row per variable, with columns rhat, ess_bulk and ess_tail.
chain_diagnostics <- function(draws) {
  measures <- list(rhat = posterior::rhat, ess_bulk = posterior::ess_bulk,
                   ess_tail = posterior::ess_tail)
  values <- lapply(measures, function(measure) {
    vapply(posterior::variables(draws), function(name) {
      as.double(measure(posterior::extract_variable_matrix(draws, name)))
    }, 0)
  })
  data.frame(variable = posterior::variables(draws), values, row.names = NULL)
}
