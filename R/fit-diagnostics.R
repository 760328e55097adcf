# How the draws were made, and whether they can be trusted.

#' Diagnostics of a fit
#'
#' The log evidence is the log density of the release under the model, its prior
#' and its noise, for the comparison of priors. Where n is not public it has a flat
#' prior that does not sum to one: the log evidence is then up to the flat prior on
#' n, a constant that is the same for all priors of the parameters.
#'
#' @inheritParams summary.noiseaware_fit
#' @return An object of class `noiseaware_diagnostics`: `kind` (`"independent"` draws
#'   or `"chains"`), the `algorithm`, a data frame `variables` with `rhat`, `ess_bulk`
#'   and `ess_tail` of every parameter, the `acceptance` rate of each chain where
#'   there is one, the `log_evidence` of the release where it is known, and `flat_n`,
#'   whether that is up to the flat prior on n. The no-U-turn sampler adds a data frame
#'   `nuts` with one row per chain: `divergences`, largest tree `depth`, `e_bfmi` (the
#'   energy fraction of Betancourt 2016; below 0.3 is too low), `step_size` and
#'   `leapfrogs`; `mode_found`, whether the search for a start converged; and `draws` of
#'   its variables, such as `divergent__`. For a set of fits a data frame with one row
#'   per group and parameter.
#' @references Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021)
#'   Rank-normalization, folding, and localization: an improved R-hat.
#'   <https://arxiv.org/abs/1903.08008>
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' diagnostics(infer(rel, ~ smoker, seed = 1))
#' @export
diagnostics <- function(object, ...) UseMethod("diagnostics")

#' @rdname diagnostics
#' @export
diagnostics.noiseaware_fit <- function(object, ...) {
  structure(
    c(object$sampler, list(variables = chain_diagnostics(object$draws), chains = object$run$chains,
                           ndraws = posterior::ndraws(object$draws), seed = object$seed,
                           log_evidence = object$log_evidence, flat_n = has_flat_n(object$model))),
    class = "noiseaware_diagnostics"
  )
}

#' @export
diagnostics.default <- function(object, ...) {
  abort_argument("object", object, "a fit from infer()")
}

has_flat_n <- function(model) !is.null(model$size) && model$size$status != "known"

#' @export
print.noiseaware_diagnostics <- function(x, rows = 20, ...) {
  kind <- if (x$kind == "independent") "independent draws" else "draws of Markov chains"
  cat("<diagnostics> ", format_number(x$ndraws), " ", kind, "\n", sep = "")
  cat("  algorithm:    ", x$algorithm, "\n", sep = "")
  if (!is.na(x$log_evidence)) {
    cat("  log evidence: ", format(x$log_evidence, digits = 8),
        if (x$flat_n) " (up to the flat prior on n)", "\n", sep = "")
  }
  if (!is.null(x$acceptance)) {
    cat("  acceptance:  ", paste(format(x$acceptance, digits = 2), collapse = ", "), "\n")
  }
  if (!is.null(x$nuts)) print_nuts(x)
  print(utils::head(x$variables, rows), digits = 4, row.names = FALSE)
  more <- nrow(x$variables) - rows
  if (more > 0) cat("... and ", more, " more rows\n", sep = "")
  invisible(x)
}

print_nuts <- function(x) {
  cat("  divergences:  ", sum(x$nuts$divergences), "\n", sep = "")
  cat("  tree depth:   ", max(x$nuts$depth), " at most\n", sep = "")
  cat("  E-BFMI:       ", paste(format(x$nuts$e_bfmi, digits = 2), collapse = ", "), "\n", sep = "")
  if (!x$mode_found) cat("  start:        the search for a mode did not converge\n")
}
