# Priors with several means: of the coefficients and of the covariates of a
# regression. Vectors and matrices are checked here; how long they must be is known
# to the model only.

#' Prior for the covariates of a regression
#'
#' `prior_niw()`, normal-inverse-Wishart, is for the mean and the covariance matrix of
#' the covariates of a linear regression, which the release does not tell exactly: the
#' covariance is inverse Wishart with `df` and `scale`, and given it the mean is normal
#' about `mean` with covariance (covariance / `kappa`). The coefficients and the
#' residual standard deviation have [prior_nig()]; [priors()] joins the two.
#'
#' All is in the natural units of the domain. A binary column is 0 or 1, a factor has
#' one indicator per level but the first.
#'
#' The default priors of a regression are made from the declared bounds, which are
#' public. With m and h the middles and half widths of the bounds, columns scaled to
#' (x - m) / h have `prior_nig(0, 0.1, 2, 0.1)` and `prior_niw(0, 0.2, 0.3, d + 3)`,
#' where d is the number of covariates: the outcome at the middle of all covariates is
#' near the middle of its bounds, moving a covariate by half its width moves the
#' outcome by about half of its own, and the residual standard deviation is about 0.3
#' of that. Indicators of a factor have m = 0 and h = 1. Without an intercept the
#' coefficients have the default prior given that the intercept is 0.
#' [prior_summary()] shows the result.
#'
#' @param mean Prior means of the covariates: one number for all, or one per covariate,
#'   in the order of the coefficients or named by them.
#' @param kappa Positive: how many records the prior mean weighs as much as.
#' @param scale Positive: a number or one per covariate for a diagonal matrix, or a
#'   symmetric positive definite matrix. The prior mean of the covariance is
#'   `scale / (df - d - 1)` if that is positive.
#' @param df Degrees of freedom, above d - 1.
#' @return A prior of class `noiseaware_prior`, for the argument `prior` of [infer()].
#' @references Bernstein and Sheldon (2019) Differentially private Bayesian linear
#'   regression. <https://arxiv.org/abs/1910.13153>
#' @family prior
#' @examples
#' prior_niw(mean = c(age = 50, weight = 75), kappa = 1, scale = c(400, 200), df = 5)
#'
#' # Coefficients in order, the intercept first, or by name:
#' priors(prior_nig(mean = c(100, 0, 0), precision = c(0.01, 1, 1), shape = 2, rate = 100),
#'        prior_niw(c(50, 75), 1, diag(c(400, 200)), 5))
#' @export
prior_niw <- function(mean, kappa, scale, df) {
  check_supplied(missing(mean), "mean")
  check_supplied(missing(kappa), "kappa")
  check_supplied(missing(scale), "scale")
  check_supplied(missing(df), "df")
  new_prior("niw", mean = check_means(mean), kappa = check_positive(kappa, "kappa"),
            scale = check_spread(scale, "scale"), df = check_positive(df, "df"))
}

# Finite numbers, perhaps named.
check_means <- function(x) {
  valid <- is.numeric(x) && length(x) > 0 && is.null(dim(x)) && all(is.finite(x))
  if (!valid) abort_argument("mean", x, "one or more finite numbers")
  if (!is.null(names(x))) names(x) <- check_names(names(x), "mean")
  keep_double(x)
}

# Doubles with names or dimnames and nothing else.
keep_double <- function(x) {
  if (is.matrix(x)) return(matrix(as.double(x), nrow(x), dimnames = dimnames(x)))
  stats::setNames(as.double(x), names(x))
}

# A positive number, positive numbers, or a positive definite matrix.
check_spread <- function(x, arg) {
  valid <- is.numeric(x) && length(x) > 0 && all(is.finite(x)) &&
    (if (is.matrix(x)) is_definite(x) else is.null(dim(x)) && all(x > 0))
  if (!valid) {
    abort_argument(arg, x, "positive numbers, or a symmetric positive definite matrix")
  }
  if (!is.matrix(x) && !is.null(names(x))) names(x) <- check_names(names(x), arg)
  keep_double(x)
}

is_definite <- function(x) {
  nrow(x) == ncol(x) && isSymmetric(unname(x)) &&
    !inherits(try(chol(unname(x)), silent = TRUE), "try-error")
}

#' @export
format.noiseaware_prior_niw <- function(x, ...) {
  paste0("NormalInverseWishart(", format_block(x$mean), ", ", format_number(x$kappa), ", ",
         format_block(x$scale), ", ", format_number(x$df), ")")
}

# A number, a short vector, or the shape of a matrix.
format_block <- function(x) {
  if (is.matrix(x) && nrow(x) > 1) return(paste0("[", nrow(x), " x ", ncol(x), " matrix]"))
  if (length(x) == 1) format_number(x) else paste0("(", list_some(format_number(x), 6), ")")
}
