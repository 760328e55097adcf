# Mechanisms: how much noise is promised. They hold whole numbers of 1e-12, so
# that ten times 0.1 is exactly 1, and know nothing of data.

#' Mechanisms
#'
#' `mech_laplace()` adds discrete Laplace noise and gives pure
#' epsilon-differential privacy. `mech_gaussian()` adds discrete Gaussian noise;
#' its budget is given as `epsilon` and `delta`, or as `mu` (Gaussian
#' differential privacy), or as `rho` (zero-concentrated differential privacy).
#'
#' Parameters are read as the decimal you typed, rounded down to a multiple of
#' 1e-12. Noise is calibrated so that the loss never exceeds them.
#'
#' @param epsilon The privacy loss, a positive number.
#' @param delta The probability of a larger loss, strictly between 0 and 1.
#' @param mu,rho Alternatives to `epsilon` and `delta`.
#' @return A mechanism of class `noiseaware_mech`.
#' @references Canonne, Kamath and Steinke (2020) The discrete Gaussian for
#'   differential privacy. <https://arxiv.org/abs/2004.00010>
#' @references Balle and Wang (2018) Improving the Gaussian mechanism for
#'   differential privacy. <https://arxiv.org/abs/1805.06530>
#' @family mechanism
#' @examples
#' mech_laplace(1)
#' mech_gaussian(1, 1e-6)
#' mech_gaussian(rho = 0.1)
#' @name mech
NULL

#' @rdname mech
#' @export
mech_laplace <- function(epsilon) {
  new_mech("laplace", epsilon_units = units_from_number(epsilon, "epsilon"))
}

#' @rdname mech
#' @export
mech_gaussian <- function(epsilon = NULL, delta = NULL, mu = NULL, rho = NULL) {
  budget <- list(epsilon = epsilon, delta = delta, mu = mu, rho = rho)
  given <- !vapply(budget, is.null, NA)
  kind <- paste(names(given)[given], collapse = "+")
  switch(kind,
    "epsilon+delta" = gaussian_from_approximate(epsilon, delta),
    mu = gaussian_from_mu(mu),
    rho = gaussian_from_rho(rho),
    epsilon = abort_input(c(
      "{.fn mech_gaussian} needs {.arg delta} beside {.arg epsilon}.",
      "i" = "For example {.code mech_gaussian(1, delta = 1e-6)}; for delta = 0 use
             {.fn mech_laplace}."
    )),
    abort_input(c(
      "{.fn mech_gaussian} needs {.arg epsilon} and {.arg delta}, or {.arg mu}, or {.arg rho}.",
      "x" = "You gave {if (any(given)) names(given)[given] else 'none of them'}."
    ))
  )
}

new_mech <- function(name, ...) {
  structure(list(name = name, ...), class = c(paste0("noiseaware_mech_", name), "noiseaware_mech"))
}

gaussian_from_approximate <- function(epsilon, delta) {
  units <- units_from_number(epsilon, "epsilon")
  delta <- check_delta(delta)
  new_mech("gaussian", mu2_units = gaussian_mu2_units(epsilon, delta), epsilon_units = units,
           delta = delta)
}

gaussian_from_mu <- function(mu) {
  mu2_units <- square_units(units_from_number(mu, "mu"))
  if (mu2_units == "0") abort_argument("mu", mu, "a number of at least 1e-6")
  new_mech("gaussian", mu2_units = mu2_units)
}

gaussian_from_rho <- function(rho) {
  units <- units_from_number(rho, "rho")
  new_mech("gaussian", mu2_units = units_sum(c(units, units)), rho_units = units)
}

check_delta <- function(delta) {
  check_number(delta, "delta", 0, 1, open = TRUE)
}

# mu^2 of the Gaussian mechanism that is exactly (epsilon, delta), in units of
# 1e-12, rounded down: what one such release costs and what a budget of
# (epsilon, delta) holds are the same whole number.
gaussian_mu2_units <- function(epsilon, delta) {
  mu <- analytic_gaussian_mu_cpp(epsilon, delta)
  units <- floor(mu^2 * 1e12)
  if (units < 1 || units > 1e18) {
    abort_input(c("{.arg epsilon} and {.arg delta} are out of the range that can be accounted for.",
                  "x" = "You gave epsilon = {epsilon} and delta = {delta}."))
  }
  sprintf("%.0f", units)
}

#' @export
format.noiseaware_mech_laplace <- function(x, ...) {
  paste0("discrete Laplace, epsilon = ", decimal_from_units_cpp(x$epsilon_units))
}

#' @export
format.noiseaware_mech_gaussian <- function(x, ...) {
  paste0("discrete Gaussian, ", format_gaussian_budget(x))
}

format_gaussian_budget <- function(x) {
  if (!is.null(x$epsilon_units)) {
    epsilon <- decimal_from_units_cpp(x$epsilon_units)
    return(paste0("epsilon = ", epsilon, ", delta = ", format(x$delta)))
  }
  if (!is.null(x$rho_units)) return(paste("rho =", decimal_from_units_cpp(x$rho_units)))
  paste("mu =", format(mech_mu(x)))
}

mech_mu <- function(mechanism) sqrt(as.numeric(mechanism$mu2_units) / 1e12)

#' @export
print.noiseaware_mech <- function(x, ...) {
  cat("<mechanism> ", format(x), "\n", sep = "")
  invisible(x)
}
