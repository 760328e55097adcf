# What infer() warns about after sampling. Each warning has a class and names the
# variable, the number and the remedy; none stops the run.

warn_about_fit <- function(fit) {
  warn_prior_dominated(fit)
  warn_small_n(fit)
  warn_chains(fit)
  warn_nuts(fit)
}

# A posterior nearly as wide as the prior says little that the prior did not.
prior_dominated <- 0.8

dominated_variables <- function(fit) which(fit$moments$sd_ratio > prior_dominated)

prior_remedy <-
  "Report the prior with the answer, or ask for a release with less noise or more records."
small_n_remedy <- "Use {.code method = \"exact\"}, which does not."
mixing_remedy <- "Run longer: a larger {.arg iter}, or more {.arg chains}."

warn_prior_dominated <- function(fit) {
  weak <- dominated_variables(fit)
  if (length(weak) == 0) return()
  first <- weak[[which.max(fit$moments$sd_ratio[weak])]]
  name <- fit$moments$variable[[first]]
  ratio <- format(fit$moments$sd_ratio[[first]], digits = 2)
  more <- if (length(weak) > 1) paste0(" (and ", length(weak) - 1, " more)") else ""
  noiseaware_warn(c(
    "The posterior of {.field {name}}{more} is mostly prior: posterior sd / prior sd = {ratio}.",
    "i" = prior_remedy
  ), "prior_dominated")
}

# Below this number of records the central limit is noticeably off.
small_n <- 30

# n of a fit that relies on the central limit with too few records, else NULL.
short_of_records <- function(fit) {
  statistics <- model_statistics(fit$model)
  noisy <- any(statistics$noise[statistics$released] != "none")
  n <- fit$model$size$value
  if (fit$method$name %in% c("clt", "gibbs") && noisy && isTRUE(n < small_n)) n
}

warn_small_n <- function(fit) {
  n <- short_of_records(fit)
  if (is.null(n)) return()
  noiseaware_warn(c(
    "Method {.val {fit$method$name}} relies on the central limit, but n is only
     {format_number(n)}.",
    "i" = small_n_remedy
  ), "small_n")
}

# Only draws of Markov chains can fail to mix (Vehtari et al. 2021).
warn_chains <- function(fit) {
  bad <- unmixed_variables(fit)
  if (nrow(bad) == 0) return()
  worst <- bad[which.min(bad$ess_bulk), ]
  found <- paste0("rhat = ", format(worst$rhat, digits = 4), ", bulk ESS = ",
                  round(worst$ess_bulk), ", tail ESS = ", round(worst$ess_tail))
  noiseaware_warn(c(
    "The chains of {.field {worst$variable}} have not mixed: {found}.",
    "i" = mixing_remedy
  ), "convergence")
}

unmixed_variables <- function(fit) {
  found <- chain_diagnostics(fit$draws)
  if (fit$sampler$kind != "chains") return(found[0, ])
  found[which(found$rhat > 1.01 | found$ess_bulk < 400 | found$ess_tail < 400), ]
}

# One warning of a kind for all groups, which names them.
warn_about_set <- function(fits) {
  weak <- Filter(function(fit) length(dominated_variables(fit)) > 0, fits)
  if (length(weak) > 0) {
    ratio <- max(vapply(weak, function(fit) max(fit$moments$sd_ratio, na.rm = TRUE), 0))
    noiseaware_warn(c(
      "The posterior is mostly prior in {group_list(weak, fits)}.",
      "x" = "posterior sd / prior sd is up to {format(ratio, digits = 2)}.", "i" = prior_remedy
    ), "prior_dominated")
  }
  short <- Filter(function(fit) !is.null(short_of_records(fit)), fits)
  if (length(short) > 0) {
    noiseaware_warn(c("The central limit is off for so few records in {group_list(short, fits)}.",
                      "i" = small_n_remedy), "small_n")
  }
  unmixed <- Filter(function(fit) nrow(unmixed_variables(fit)) > 0, fits)
  if (length(unmixed) > 0) {
    noiseaware_warn(c("The chains have not mixed in {group_list(unmixed, fits)}.",
                      "i" = mixing_remedy), "convergence")
  }
  warn_nuts_set(fits)
}

group_list <- function(some, all) {
  paste0(length(some), " of ", length(all), " groups: ", list_some(names(some)))
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
