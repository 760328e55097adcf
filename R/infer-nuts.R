# What the no-U-turn sampler reports about its draws, for any model that uses it.

# `drawn`: nuts (iterations x chains x columns), names of the columns, and whether a
# mode was found to start from.
nuts_sampler <- function(drawn) {
  nuts <- name_draws(drawn$nuts, drawn$names)
  list(kind = "chains", algorithm = "the no-U-turn sampler on the latent statistics",
       acceptance = colMeans(nuts_column(nuts, "accept_stat__")), nuts = nuts_summary(nuts),
       mode_found = drawn$mode_found, draws = posterior::as_draws_array(nuts))
}

nuts_column <- function(nuts, name) matrix(nuts[, , name], dim(nuts)[[1]])

# One row per chain.
nuts_summary <- function(nuts) {
  energy <- nuts_column(nuts, "energy__")
  data.frame(chain = seq_len(dim(nuts)[[2]]),
             divergences = colSums(nuts_column(nuts, "divergent__")),
             depth = apply(nuts_column(nuts, "treedepth__"), 2, max),
             e_bfmi = apply(energy, 2, energy_fraction),
             step_size = nuts_column(nuts, "stepsize__")[dim(nuts)[[1]], ],
             leapfrogs = colSums(nuts_column(nuts, "n_leapfrog__")))
}

# Estimated Bayesian fraction of missing information (Betancourt 2016).
energy_fraction <- function(energy) {
  if (length(energy) < 3) return(NA_real_)
  sum(diff(energy)^2) / sum((energy - mean(energy))^2)
}

# --- warnings ------------------------------------------------------------------------

# Below this fraction momenta are refreshed too slowly for the tails.
least_energy_fraction <- 0.3

# A few trajectories that are cut short cost nothing.
most_deep <- 0.01

# data.frame(kind, found, remedy): what is wrong with a fit, no rows if nothing is.
nuts_problems <- function(fit) {
  nuts <- fit$sampler$nuts
  none <- data.frame(kind = character(), found = character(), remedy = character())
  if (is.null(nuts)) return(none)
  draws <- posterior::ndraws(fit$draws)
  divergent <- sum(nuts$divergences)
  depth <- fit$method$max_depth
  deep <- sum(fit$sampler$draws[, , "treedepth__"] >= depth)
  energy <- min(nuts$e_bfmi, Inf, na.rm = TRUE)
  all <- data.frame(
    kind = c("divergences", "max_depth", "energy"),
    found = c(paste0(divergent, " of ", draws, " draws diverged"),
              paste0(deep, " of ", draws, " trajectories reached the largest depth, ", depth),
              paste0("the energy fraction (E-BFMI) of a chain is ", format(energy, digits = 2))),
    remedy = c("Use {.code method_exact(target_acceptance = 0.99)}; results may be biased.",
               "Use {.code method_exact(max_depth = 12)}; draws are valid but worth less.",
               "Run longer, or give a more informative prior: tails are explored slowly.")
  )
  rbind(none, all[c(divergent > 0, deep > most_deep * draws, energy < least_energy_fraction), ])
}

warn_nuts <- function(fit) {
  problems <- nuts_problems(fit)
  for (k in seq_len(nrow(problems))) {
    found <- problems$found[[k]]
    noiseaware_warn(c("The sampler had difficulties: {found}.", "i" = problems$remedy[[k]]),
                    problems$kind[[k]])
  }
}

warn_nuts_set <- function(fits) {
  troubled <- Filter(function(fit) nrow(nuts_problems(fit)) > 0, fits)
  if (length(troubled) == 0) return()
  found <- nuts_problems(troubled[[1]])
  noiseaware_warn(c("The sampler had difficulties in {group_list(troubled, fits)}.",
                    "x" = "In the first of them, {found$found[[1]]}.",
                    "i" = found$remedy[[1]]), found$kind[[1]])
}
