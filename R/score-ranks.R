# Where the truth lies among posterior draws.

# Ranks, moments and intervals of every variable of a fit: the rows of a trial. The
# rank is randomised, (less + U (1 + ties)) / (1 + draws), which is exactly uniform
# for independent draws if the posterior is right. Talts et al. (2018) use the whole
# part, which is uniform on a grid; the jitter within a step makes the usual limits
# hold for any number of draws. Chains are thinned first; see score_draws.hpp.
score_fit <- function(fit, truth, prob, seed) {
  variables <- fit$moments$variable
  # A study may draw more, such as parameters of covariates, which come last.
  truth <- truth[seq_along(variables)]
  u <- draw_uniforms_cpp(length(variables), seed)
  bare <- unclass(fit$draws)
  independent <- fit$sampler$kind == "independent"
  rows <- lapply(seq_along(variables), function(k) {
    draws <- matrix(bare[, , k], dim(bare)[[1]])
    score_draws_cpp(draws, independent, truth[[k]], list(u = u[[k]], prob = prob))
  })
  data.frame(variable = variables, truth = unname(truth), do.call(rbind, rows))
}
