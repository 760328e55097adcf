# How the draws were made, and whether they can be trusted.

#' Diagnostics of a fit
#'
#' @param object A fit from [infer()].
#' @param ... Unused.
#' @return An object of class `noiseaware_diagnostics`: `kind` (`"independent"` draws
#'   or `"chains"`), the `algorithm`, a data frame `variables` with `rhat`, `ess_bulk`
#'   and `ess_tail` of every parameter, the `acceptance` rate of each chain where
#'   there is one, and the `log_evidence` of the release where it is known.
#' @references Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021)
#'   Rank-normalization, folding, and localization: an improved R-hat.
#'   <https://arxiv.org/abs/1903.08008>
#' @family analyst
#' @examples
#' query <- query_tables(domain(smoker = dom_binary()), ~ smoker)
#' rel <- as_release(query, n = 1000, values = c("count(smoker=1)" = 312.4),
#'                   noise = noise_laplace(10))
#' diagnostics(infer(rel, ~ smoker, seed = 1))
#' @export
diagnostics <- function(object, ...) UseMethod("diagnostics")

#' @rdname diagnostics
#' @export
diagnostics.noiseaware_fit <- function(object, ...) {
  structure(
    c(object$sampler, list(variables = chain_diagnostics(object$draws), chains = object$run$chains,
                           ndraws = posterior::ndraws(object$draws), seed = object$seed,
                           log_evidence = object$log_evidence)),
    class = "noiseaware_diagnostics"
  )
}

#' @export
print.noiseaware_diagnostics <- function(x, rows = 20, ...) {
  kind <- if (x$kind == "independent") "independent draws" else "draws of Markov chains"
  cat("<diagnostics> ", format_number(x$ndraws), " ", kind, "\n", sep = "")
  cat("  algorithm:    ", x$algorithm, "\n", sep = "")
  if (!is.na(x$log_evidence)) cat("  log evidence:", format(x$log_evidence, digits = 8), "\n")
  if (!is.null(x$acceptance)) {
    cat("  acceptance:  ", paste(format(x$acceptance, digits = 2), collapse = ", "), "\n")
  }
  print(utils::head(x$variables, rows), digits = 4, row.names = FALSE)
  more <- nrow(x$variables) - rows
  if (more > 0) cat("... and ", more, " more rows\n", sep = "")
  invisible(x)
}
