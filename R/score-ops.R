# One-posterior sampling, a competitor for studies: instead of a noisy statistic,
# draws from a flattened posterior are published.

#' One-posterior sampling, a baseline for studies
#'
#' Publishes draws from the posterior of a proportion, flattened just enough to be
#' differentially private. What it publishes are draws, not statistics: they
#' cannot be used for another model, and their spread is that of the flattened
#' posterior, so that intervals made from them are not calibrated. This is the
#' competitor of the papers, for comparison with [infer()]. It is **not a mechanism
#' of [release()]**: it works in floating point, draws from a seeded stream and
#' charges no ledger. Do not publish its results.
#'
#' With `D = log((1 - trim) / trim)`, the posterior density raised to the power
#' `epsilon / (2 * draws * D)` and truncated to `[trim, 1 - trim]` is an exponential
#' mechanism whose utility, the log of prior times likelihood, changes by at most D
#' if one record is replaced. So each draw costs `epsilon / draws`. The power of a
#' Beta density is a Beta density again, which is sampled by inversion of its
#' distribution function.
#'
#' @param successes,n Exact numbers of successes and of records. They are private.
#' @param epsilon The privacy loss of all draws together, if one record is replaced.
#' @param prior [prior_beta()].
#' @param draws Number of draws.
#' @param trim The smallest probability of success, or of failure, that can be drawn.
#'   Larger values flatten less, and cut off more.
#' @param seed As in [infer()].
#' @return Draws of `theta`: a `draws_matrix` of package \pkg{posterior} that is also
#'   of class `noiseaware_baseline`, with an attribute `baseline` that says how they
#'   were made.
#' @references Wang, Fienberg and Smola (2015) Privacy for free: posterior sampling
#'   and stochastic gradient Monte Carlo. <https://arxiv.org/abs/1502.07645>
#' @references Foulds, Geumlek, Welling and Chaudhuri (2016) On the theory and
#'   practice of privacy-preserving Bayesian data analysis.
#'   <https://arxiv.org/abs/1603.07294>
#' @family evaluation
#' @examples
#' one <- baseline_ops(successes = 312, n = 1000, epsilon = 1, seed = 1)
#' one
#' # More draws for the same epsilon come from a flatter distribution:
#' posterior::summarise_draws(baseline_ops(312, 1000, epsilon = 1, draws = 100, seed = 1))
#' @export
baseline_ops <- function(successes, n, epsilon, prior = prior_beta(1, 1), draws = 1, trim = 0.1,
                         seed = NULL) {
  check_supplied(missing(successes), "successes")
  check_supplied(missing(n), "n")
  check_supplied(missing(epsilon), "epsilon")
  check_private_counts(successes, n)
  epsilon <- check_number(epsilon, "epsilon", 0, open = TRUE)
  check_class(prior, "prior", "noiseaware_prior_beta", "prior_beta")
  draws <- check_whole(draws, "draws", 1, 1e7)
  trim <- check_number(trim, "trim", 0, 0.5, open = TRUE)
  seed <- take_seed(seed)
  power <- ops_power(epsilon / draws, trim)
  check_flattened(prior, power)
  theta <- ops_quantile(uniform_draws_cpp(draws, seed),
                        ops_posterior(successes, n, prior, power, trim))
  new_baseline(theta, list(name = "ops", epsilon = epsilon, draws = draws, trim = trim,
                           power = power, relation = "replace_one", exact_noise = FALSE,
                           seed = seed))
}

# No message shows what was given: it is private.
check_private_counts <- function(successes, n) {
  whole <- function(x) is_number(x) && is.finite(x) && x == floor(x) && x >= 0 && x <= 2^53
  if (!whole(successes) || !whole(n) || successes > n) {
    abort_input(c("{.arg successes} and {.arg n} must be whole numbers, the first from 0 to
                   {.arg n}.",
                  "i" = "What was given is not shown, because it is private."))
  }
}

# The exponent of the flattened posterior: the exponential mechanism with a
# utility of sensitivity log((1 - trim) / trim).
ops_power <- function(epsilon, trim) epsilon / (2 * log((1 - trim) / trim))

# A prior density that rises towards 0 or 1 may rise too fast when it is sharpened.
check_flattened <- function(prior, power) {
  if (power * (min(prior$shape1, prior$shape2) - 1) + 1 > 0) return()
  abort_input(c("{.arg prior} and {.arg epsilon} do not fit together.",
                "x" = "The prior would be raised to the power {format_number(power)}.",
                "i" = "Use shapes of at least 1, or a smaller {.arg epsilon}."))
}

# The flattened, truncated posterior, as a Beta distribution and its ends.
ops_posterior <- function(successes, n, prior, power, trim) {
  list(shape1 = power * (prior$shape1 + successes - 1) + 1,
       shape2 = power * (prior$shape2 + n - successes - 1) + 1, trim = trim)
}

# Log probabilities of the two ends, from below or from above. The tail is taken in
# which the interval is not all there is, so that far ends keep their digits.
ops_ends <- function(target) {
  lower <- target$shape1 >= target$shape2
  ends <- c(target$trim, 1 - target$trim)
  at <- stats::pbeta(if (lower) ends else rev(ends), target$shape1, target$shape2,
                     lower.tail = lower, log.p = TRUE)
  list(lower = lower, from = at[[1]], to = at[[2]])
}

# Quantiles of the truncated distribution: log(F0 + u (F1 - F0)) without overflow.
ops_quantile <- function(u, target) {
  ends <- ops_ends(target)
  if (!ends$lower) u <- 1 - u
  p <- ends$to + log(u + (1 - u) * exp(ends$from - ends$to))
  theta <- stats::qbeta(p, target$shape1, target$shape2, lower.tail = ends$lower, log.p = TRUE)
  pmin(pmax(theta, target$trim), 1 - target$trim)
}

# Log density of the truncated distribution between its ends.
ops_log_density <- function(theta, target) {
  ends <- ops_ends(target)
  stats::dbeta(theta, target$shape1, target$shape2, log = TRUE) -
    (ends$to + log1p(-exp(ends$from - ends$to)))
}

new_baseline <- function(theta, baseline) {
  made <- posterior::as_draws_matrix(matrix(theta, dimnames = list(NULL, "theta")))
  structure(made, baseline = baseline, class = c("noiseaware_baseline", class(made)))
}

#' @export
print.noiseaware_baseline <- function(x, ...) {
  made <- attr(x, "baseline")
  cat("<baseline> one-posterior sampling, ", plural(made$draws, "draw"), ", epsilon = ",
      format(made$epsilon), " in all (", made$relation, ")\n", sep = "")
  cat("!! For studies only: floating point, seeded, charged to no ledger. !!\n")
  class(x) <- setdiff(class(x), "noiseaware_baseline")
  attr(x, "baseline") <- NULL
  print(x, ...)
  invisible(x)
}
