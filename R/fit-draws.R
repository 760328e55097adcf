# The draws, in every format of package posterior.

#' Draws of a fit
#'
#' @param x A fit from [infer()].
#' @param latent `TRUE` to add the latent statistics that were summed out, such as
#'   `count(smoker=1)`, and `n` where it is not public. `sum(x)` and `sum(x*x)` are
#'   sums of the records themselves, before clamping or noise, about the same centre
#'   as in the release. A regression also has the parameters of its covariates there:
#'   the means `mu_x[x1]` and the covariances `Sigma_x[x1,x2]`.
#' @param row.names Names of the rows.
#' @param optional,... Unused.
#' @return Draws of package \pkg{posterior}; an array in the case of `as_draws()`, a
#'   plain data frame with one row per draw in that of `as.data.frame()`.
#'   For a set of fits the group is the first index: `theta[north]`,
#'   `theta[north,2]`.
#' @family analyst
#' @examples
#' rel <- read_release(system.file("extdata", "smoking.json", package = "noiseaware"))
#' fit <- infer(rel, ~ smoker, seed = 1)
#' as_draws_df(fit, latent = TRUE)
#' @name draws
NULL

#' @rdname draws
#' @export
as_draws.noiseaware_fit <- function(x, latent = FALSE, ...) {
  if (!check_flag(latent, "latent")) return(x$draws)
  if (is.null(x$latent)) {
    abort_model(c("Method {.val {x$method$name}} has no latent statistics.",
                  "i" = "It takes the release at face value."))
  }
  posterior::bind_draws(x$draws, x$latent, along = "variable")
}

#' @rdname draws
#' @export
as_draws_array.noiseaware_fit <- function(x, latent = FALSE, ...) as_draws(x, latent)

#' @rdname draws
#' @export
as_draws_df.noiseaware_fit <- function(x, latent = FALSE, ...) {
  as_draws_df(as_draws(x, latent))
}

#' @rdname draws
#' @export
as_draws_matrix.noiseaware_fit <- function(x, latent = FALSE, ...) {
  as_draws_matrix(as_draws(x, latent))
}

#' @rdname draws
#' @export
as_draws_list.noiseaware_fit <- function(x, latent = FALSE, ...) {
  as_draws_list(as_draws(x, latent))
}

#' @rdname draws
#' @export
as_draws_rvars.noiseaware_fit <- function(x, latent = FALSE, ...) {
  as_draws_rvars(as_draws(x, latent))
}

#' @rdname draws
#' @export
as_draws.noiseaware_fit_set <- function(x, latent = FALSE, ...) {
  draws <- Map(function(fit, group) {
    member <- as_draws(fit, latent)
    posterior::variables(member) <- grouped_variable(posterior::variables(member), group)
    member
  }, x$fits, names(x$fits))
  do.call(posterior::bind_draws, c(unname(draws), along = "variable"))
}

#' @rdname draws
#' @export
as_draws_array.noiseaware_fit_set <- as_draws_array.noiseaware_fit

#' @rdname draws
#' @export
as_draws_df.noiseaware_fit_set <- as_draws_df.noiseaware_fit

#' @rdname draws
#' @export
as_draws_matrix.noiseaware_fit_set <- as_draws_matrix.noiseaware_fit

#' @rdname draws
#' @export
as_draws_list.noiseaware_fit_set <- as_draws_list.noiseaware_fit

#' @rdname draws
#' @export
as_draws_rvars.noiseaware_fit_set <- as_draws_rvars.noiseaware_fit

#' @rdname draws
#' @export
as.data.frame.noiseaware_fit <- function(x, row.names = NULL, optional = FALSE, ...,
                                         latent = FALSE) {
  draws <- as_draws_df(as_draws(x, latent))
  data.frame(unclass(draws), row.names = row.names, check.names = FALSE)
}

#' @rdname draws
#' @export
as.data.frame.noiseaware_fit_set <- as.data.frame.noiseaware_fit

# The group becomes the first index of the variable.
grouped_variable <- function(variable, group) {
  indexed <- grepl("\\[.*\\]$", variable)
  ifelse(indexed, sub("[", paste0("[", group, ","), variable, fixed = TRUE),
         paste0(variable, "[", group, "]"))
}

#' @importFrom posterior variables
#' @export
variables.noiseaware_fit <- function(x, ...) posterior::variables(x$draws)

#' @importFrom posterior nvariables
#' @export
nvariables.noiseaware_fit <- function(x, ...) posterior::nvariables(x$draws)

#' @importFrom posterior ndraws
#' @export
ndraws.noiseaware_fit <- function(x) posterior::ndraws(x$draws)

#' @importFrom posterior nchains
#' @export
nchains.noiseaware_fit <- function(x) posterior::nchains(x$draws)

#' @importFrom posterior niterations
#' @export
niterations.noiseaware_fit <- function(x) posterior::niterations(x$draws)

# A bare matrix, draws x variables, for arithmetic. At most `ndraws` of them,
# evenly spaced, or those of `draw_ids`.
draws_matrix <- function(draws, ndraws = NULL, draw_ids = NULL) {
  bare <- posterior::as_draws_matrix(draws)
  bare <- matrix(as.double(bare), nrow(bare), dimnames = list(NULL, posterior::variables(draws)))
  bare[choose_draws(nrow(bare), ndraws, draw_ids), , drop = FALSE]
}

choose_draws <- function(total, ndraws, draw_ids) {
  if (!is.null(ndraws) && !is.null(draw_ids)) {
    abort_input("Give either {.arg ndraws} or {.arg draw_ids}, not both.")
  }
  if (is.null(draw_ids)) {
    if (is.null(ndraws)) return(seq_len(total))
    ndraws <- check_whole(ndraws, "ndraws", 1, total)
    return(round(seq(1, total, length.out = ndraws)))
  }
  valid <- is.numeric(draw_ids) && length(draw_ids) > 0 && all(draw_ids %in% seq_len(total))
  if (!valid) abort_argument("draw_ids", draw_ids, paste("numbers of draws from 1 to", total))
  as.integer(draw_ids)
}
