# From a promise to whole-number noise scales. Rounding always
# goes towards more noise.

# One scale per statistic in grid steps, as decimal strings (they may exceed
# 2^53), with the sensitivity used and what is really achieved.
calibrate_noise <- function(mechanism, query) UseMethod("calibrate_noise")

#' @export
calibrate_noise.default <- function(mechanism, query) {
  check_class(mechanism, "mechanism", "noiseaware_mech", "mech_laplace")
}

#' @export
calibrate_noise.noiseaware_mech_laplace <- function(mechanism, query) {
  sensitivity <- sensitivity(query, "L1")
  scales <- calibrated(laplace_scales_cpp(
    whole_text(sensitivity$num), whole_text(sensitivity$den), mechanism$epsilon_units,
    whole_text(statistic_plan(query)$weight)
  ))
  list(scales = scales, sensitivity = sensitivity)
}

#' @export
calibrate_noise.noiseaware_mech_gaussian <- function(mechanism, query) {
  sensitivity <- sensitivity(query, "L2")
  weights <- statistic_plan(query)$weight
  size <- length(weights) * query$unit_rows
  target <- gaussian_target(mechanism, sensitivity$value, weights, size)
  gaussian_noise(target, sensitivity, weights)
}

# Scales that meet mu^2 = `target`, whole units of 1e-12.
gaussian_noise <- function(target, sensitivity, weights) {
  noise <- calibrated(gaussian_scales_cpp(whole_text(sensitivity$num), whole_text(sensitivity$den),
                                          target, whole_text(weights)))
  list(scales = noise$scales, sensitivity = sensitivity, mu_actual = noise$mu_actual,
       target = target)
}

# mu^2 to calibrate for. rho and mu are met by the discrete Gaussian as they
# are; (epsilon, delta) needs the fine-grid correction (see the privacy vignette), taken
# at the smallest scale the uncorrected mu would give. `size` is the number of
# statistics one person can touch: rows of one person may be in several groups.
gaussian_target <- function(mechanism, sensitivity, weights, size) {
  if (is.null(mechanism$epsilon_units)) return(mechanism$mu2_units)
  mu <- mech_mu(mechanism)
  inner <- calibrated(fine_grid_budget_cpp(mech_epsilon(mechanism), mechanism$delta, size,
                                           sensitivity * min(weights) / mu))
  corrected <- floor(analytic_gaussian_mu_cpp(inner$epsilon, inner$delta)^2 * 1e12)
  whole_text(min(corrected, as.numeric(mechanism$mu2_units)))
}

# The core refuses scales its samplers or proofs do not cover.
calibrated <- function(expr) {
  tryCatch(expr, error = function(e) {
    # What the core advises is about grids, which users do not choose.
    reason <- sub("^(.)", "\\U\\1", sub(":.*", "", conditionMessage(e)), perl = TRUE)
    abort_query(c(
      "This mechanism cannot be calibrated for this query.",
      "x" = "{reason}.",
      "i" = "Too large a scale needs a larger epsilon (or rho, or mu) or fewer statistics;
             too small a one needs a smaller epsilon."
    ))
  })
}

# Whole doubles, exact up to 2^53, as decimal strings.
whole_text <- function(x) sprintf("%.0f", x)
