# Distances between posteriors, from their draws.

#' Distances between posteriors
#'
#' How far two posteriors are apart, judged by their draws: `mmd()` is the squared
#' maximum mean discrepancy, `ks_distance()` the largest difference of distribution
#' functions, `wasserstein()` the average distance that mass has to be moved.
#'
#' `mmd()` uses the kernel `exp(-|x - y|^2 / 2)` and returns the unbiased estimate
#' of the *square*, which can be negative; papers report `sqrt(max(0, mmd(x, y)))`.
#' With several variables it compares the joint distributions, and the others each
#' variable by itself. In one dimension `mmd()` takes time proportional to the
#' number of draws, otherwise to its square; memory is never an issue.
#'
#' For draws of equal number, draw i of `x` is not compared with draw i of `y`, so
#' that two posteriors may come from the same random numbers.
#'
#' @param x,y Draws: a vector, a matrix (draws x variables), a draws object of
#'   package \pkg{posterior}, or a fit. Both must have the same variables.
#' @param scale `TRUE` to measure each variable in units of its standard deviation
#'   in `y`, which should then be the yardstick, such as the non-private posterior.
#'   `FALSE` for natural units, as in the papers. Or positive numbers to divide by,
#'   one for all variables or one for each.
#' @return `mmd()`: a number. The others: a number per variable, named.
#' @references Gretton et al. (2012) A kernel two-sample test. *Journal of Machine
#'   Learning Research* 13, 723-773.
#' @family evaluation
#' @examples
#' mmd(c(.1, .4, .35, .8), c(.2, .9, .5, .55), scale = FALSE)
#'
#' query <- query_tables(domain(am = dom_binary()), ~ am, "replace_one")
#' exact <- infer_nonprivate(query, mtcars, ~ am, seed = 1)
#' noisy <- infer(release_insecure(query, mtcars, mech_laplace(1), seed = 1), ~ am, seed = 2)
#' sqrt(max(0, mmd(noisy, exact)))
#' ks_distance(noisy, exact)
#' wasserstein(noisy, exact)
#' @export
mmd <- function(x, y, scale = TRUE) {
  samples <- check_samples(missing(x), missing(y), x, y)
  samples <- scale_samples(samples, scale)
  mmd2_cpp(samples$x, samples$y)
}

#' @rdname mmd
#' @export
ks_distance <- function(x, y) {
  samples <- check_samples(missing(x), missing(y), x, y)
  by_variable(samples, ks_two_sample_cpp)
}

#' @rdname mmd
#' @export
wasserstein <- function(x, y, scale = TRUE) {
  samples <- check_samples(missing(x), missing(y), x, y)
  by_variable(scale_samples(samples, scale), wasserstein1_cpp)
}

by_variable <- function(samples, distance) {
  found <- vapply(seq_len(ncol(samples$x)), function(k) {
    distance(samples$x[, k], samples$y[, k])
  }, 0)
  names(found) <- colnames(samples$x)
  found
}

# Both samples with their variables in the same order.
check_samples <- function(no_x, no_y, x, y) {
  check_supplied(no_x, "x")
  check_supplied(no_y, "y")
  x <- sample_matrix(x, "x", 2)
  y <- sample_matrix(y, "y", 2)
  if (ncol(x) != ncol(y)) {
    abort_input(c("{.arg x} and {.arg y} must have the same variables.",
                  "x" = "They have {ncol(x)} and {ncol(y)}."))
  }
  if (is.null(colnames(x)) || is.null(colnames(y))) return(list(x = x, y = y))
  if (!setequal(colnames(x), colnames(y))) {
    abort_input(c("{.arg x} and {.arg y} must have the same variables.",
                  "x" = "{.arg x} has {.field {colnames(x)}}.",
                  "x" = "{.arg y} has {.field {colnames(y)}}."))
  }
  list(x = x, y = y[, colnames(x), drop = FALSE])
}

# Draws as a bare matrix, draws x variables.
sample_matrix <- function(x, arg, least = 1) {
  given <- x
  if (inherits(x, c("noiseaware_fit", "noiseaware_fit_set"))) x <- as_draws(x)
  if (posterior::is_draws(x)) {
    x <- draws_matrix(x)
  } else if (is.numeric(x) && is.null(dim(x)) && !is.object(x)) {
    x <- matrix(as.double(x), length(x))
  }
  valid <- is.matrix(x) && is.numeric(x) && nrow(x) >= least && ncol(x) > 0 && all(is.finite(x))
  if (!valid) {
    abort_argument(arg, given, paste("draws: a fit, a draws object, or finite numbers, at least",
                                 least, "of them"))
  }
  storage.mode(x) <- "double"
  x
}

scale_samples <- function(samples, scale) {
  units <- sample_units(samples, scale)
  lapply(samples, function(sample) sweep(sample, 2, units, `/`))
}

# What each variable is divided by. A variable without spread in the yardstick
# has no unit of its own.
sample_units <- function(samples, scale) {
  size <- ncol(samples$y)
  if (isFALSE(scale)) return(rep(1, size))
  if (isTRUE(scale)) {
    units <- apply(samples$y, 2, stats::sd)
    return(ifelse(units > 0, units, 1))
  }
  valid <- is.numeric(scale) && length(scale) %in% c(1, size) && all(is.finite(scale)) &&
    all(scale > 0)
  if (!valid) abort_argument("scale", scale, "TRUE, FALSE, or positive numbers, one per variable")
  rep_len(as.double(scale), size)
}
