# Conjugate priors of the families with unbounded records.

#' Priors for rates, means and standard deviations
#'
#' `prior_gamma()` is for the `rate` of an exponential or Poisson model.
#' `prior_nig()`, normal-inverse-gamma, is for the `mean` and `sd` of a normal
#' model: `sd^2` is inverse gamma with `shape` and `rate`, and given it the mean is
#' normal about `mean` with variance `sd^2 / precision`. For a linear regression it is
#' for the coefficients, which have several means and a precision matrix, and the
#' residual standard deviation `sigma`; its covariates have [prior_niw()]. All are in
#' the natural units of the domain.
#'
#' The default priors of [infer()] are made from the declared bounds, which are
#' public, and from nothing else. With bounds from a to b they are
#' - exponential: `prior_gamma(1, b / 10)`, which weighs as much as one record of a
#'   tenth of the upper bound;
#' - Poisson: `prior_gamma(1, 2 / (a + b))`, whose mean is the middle of the bounds;
#' - normal: `prior_nig((a + b) / 2, 0.1, 1.5, ((b - a) / 8)^2)`: the mean has a
#'   Student distribution with 3 degrees of freedom about the middle of the bounds,
#'   with a scale of a third of their distance, and `sd` is between 6% and 38% of the
#'   distance with probability 0.95.
#'
#' [prior_summary()] shows the prior of a fit.
#'
#' @param shape,rate Positive numbers. A gamma prior has mean `shape / rate` and
#'   variance `shape / rate^2`. An inverse gamma prior of `sd^2` has mean
#'   `rate / (shape - 1)` if `shape` is above 1; it weighs as much as `2 * shape`
#'   records.
#' @param mean The prior mean of the mean. For a regression one number for all
#'   coefficients, or one each, the intercept first, or named by coefficient.
#' @param precision Positive: how many records the prior mean weighs as much as. For a
#'   regression a number or one per coefficient for a diagonal matrix, or a symmetric
#'   positive definite matrix.
#' @return A prior of class `noiseaware_prior`, for the argument `prior` of
#'   [infer()].
#' @family prior
#' @examples
#' prior_gamma(2, 10)
#' prior_nig(mean = 120, precision = 1, shape = 3, rate = 500)
#'
#' query <- query_moments(domain(waiting = c(0, 60)))
#' rel <- as_release(query, n = 200, values = c("sum(waiting)" = 2460), noise = noise_laplace(60))
#' prior_summary(infer(rel, ~ waiting, family = "exponential", seed = 1))
#' @name prior_families
NULL

#' @rdname prior_families
#' @export
prior_gamma <- function(shape, rate) {
  check_supplied(missing(shape), "shape")
  check_supplied(missing(rate), "rate")
  new_prior("gamma", shape = check_shape(shape), rate = check_positive(rate, "rate"))
}

#' @rdname prior_families
#' @export
prior_nig <- function(mean, precision, shape, rate) {
  check_supplied(missing(mean), "mean")
  check_supplied(missing(precision), "precision")
  check_supplied(missing(shape), "shape")
  check_supplied(missing(rate), "rate")
  new_prior("nig", mean = check_means(mean), precision = check_spread(precision, "precision"),
            shape = check_shape(shape), rate = check_positive(rate, "rate"))
}

check_positive <- function(x, arg) check_number(x, arg, 0, open = TRUE)

# Smaller shapes spread the prior over hundreds of orders of magnitude.
least_shape <- 0.01

check_shape <- function(x) {
  check_number(x, "shape", least_shape, expected = "a positive number (at least 0.01)")
}

#' @export
format.noiseaware_prior_gamma <- function(x, ...) {
  paste0("Gamma(", format_number(x$shape), ", ", format_number(x$rate), ")")
}

#' @export
format.noiseaware_prior_nig <- function(x, ...) {
  numbers <- vapply(unclass(x)[c("mean", "precision", "shape", "rate")], format_block, "")
  paste0("NormalInverseGamma(", paste(numbers, collapse = ", "), ")")
}
