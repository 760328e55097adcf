# Predictive checks against the one thing the analyst has: the release.

#' Compare the release with replicated releases
#'
#' Draws parameters from the posterior, records from the model and fresh noise from
#' the mechanism, and shows where the statistics that were released lie among those
#' that would have been. There are no records to compare with.
#'
#' This is a method for the generic of package \pkg{bayesplot}.
#'
#' @param object A fit from [infer()].
#' @param ndraws Number of replicated releases.
#' @param prob Probability of the central intervals of the replicated statistics.
#' @param seed As in [infer()].
#' @param ... Unused.
#' @return A ggplot.
#' @family analyst
#' @examplesIf requireNamespace("bayesplot", quietly = TRUE)
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' bayesplot::pp_check(fit, seed = 2)
#' @exportS3Method bayesplot::pp_check
pp_check.noiseaware_fit <- function(object, ndraws = 1000, prob = 0.9, seed = NULL, ...) {
  prob <- check_prob(prob)
  data <- pp_check_data(object, ndraws, prob, seed)
  ggplot2::ggplot(data, ggplot2::aes(y = .data$statistic)) +
    interval_layer("statistic", "middle") +
    ggplot2::geom_point(ggplot2::aes(x = .data$released), shape = 18, size = 3,
                        colour = colours$truth) +
    ggplot2::labs(
      x = NULL, y = NULL, title = "The release among replicated releases",
      subtitle = paste0("Diamond: released. Dot and bar: median and central ", format(100 * prob),
                        "% of ", data$ndraws[[1]], " replications.")
    ) +
    fit_theme()
}

# statistic, released, lower, middle, upper, and the share of replications below.
pp_check_data <- function(object, ndraws = 1000, prob = 0.9, seed = NULL) {
  total <- posterior::ndraws(object$draws)
  ids <- choose_draws(total, min(check_whole(ndraws, "ndraws", 1), total), NULL)
  theta <- draws_matrix(object$draws, draw_ids = ids)
  replicated <- replicate_release(object$model, theta, latent_matrix(object, ids), take_seed(seed))
  released <- released_values(object, colnames(replicated))
  ends <- apply(replicated, 2, stats::quantile, c(central_ends(prob), 0.5), names = FALSE)
  data.frame(
    statistic = factor(colnames(replicated), rev(colnames(replicated))), released = released,
    lower = ends[1, ], middle = ends[3, ], upper = ends[2, ],
    below = rowMeans(t(replicated) < released), ndraws = length(ids), row.names = NULL
  )
}

# What was released, and how much was suppressed.
released_values <- function(object, names) {
  statistics <- object$observation$statistics
  values <- statistics$value[match(names, statistics$name)]
  values[names == "suppressed cells"] <- sum(object$model$counts$censored)
  values
}

# Latent statistics of the same draws; the naive method has none and takes a
# released n for the truth.
latent_matrix <- function(object, ids) {
  if (!is.null(object$latent)) return(draws_matrix(object$latent, draw_ids = ids))
  n <- object$model$size$value
  if (is.na(n)) n <- sum(naive_counts(object$model, object$prior))
  matrix(round(max(n, 0)), length(ids), 1, dimnames = list(NULL, "n"))
}
