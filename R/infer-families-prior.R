# Gamma and normal-inverse-gamma priors of the models of sums.

#' @export
default_prior.noiseaware_model_exponential <- function(model) prior_gamma(1, model$upper / 10)

#' @export
default_prior.noiseaware_model_poisson <- function(model) {
  prior_gamma(1, 2 / (model$map$lower + model$upper))
}

#' @export
default_prior.noiseaware_model_normal <- function(model) {
  prior_nig(mean = model$lower / 2 + model$upper / 2, precision = 0.1, shape = 1.5,
            rate = ((model$upper - model$lower) / 8)^2)
}

#' @export
check_prior.noiseaware_model_scalar <- function(model, prior) {
  take_prior(prior, "gamma", "prior_gamma")
}

#' @export
check_prior.noiseaware_model_normal <- function(model, prior) {
  prior <- take_prior(prior, "nig", "prior_nig")
  if (length(prior$mean) == 1 && length(prior$precision) == 1) {
    prior[c("mean", "precision")] <- lapply(prior[c("mean", "precision")], as.vector)
    return(prior)
  }
  abort_model(c("{.fn prior_nig} must have one {.arg mean} and one {.arg precision} here.",
                "x" = "You gave {length(prior$mean)} and {length(prior$precision)}.",
                "i" = "A normal model has no coefficients."))
}

# --- a rate ------------------------------------------------------------------------

#' @export
prior_moments.noiseaware_model_scalar <- function(model, prior) {
  data.frame(variable = "rate", mean = prior$shape / prior$rate,
             sd = sqrt(prior$shape) / prior$rate)
}

#' @export
prior_density.noiseaware_model_scalar <- function(model, prior, variable, x) {
  stats::dgamma(x, prior$shape, prior$rate)
}

#' @export
prior_quantile.noiseaware_model_scalar <- function(model, prior, variable, p) {
  stats::qgamma(p, prior$shape, prior$rate)
}

#' @export
variable_range.noiseaware_model_scalar <- function(model, variable) c(0, Inf)

#' @export
prior_words.noiseaware_model_scalar <- function(model, prior) paste("rate ~", format(prior))

# --- mean and standard deviation -----------------------------------------------------

#' @export
prior_moments.noiseaware_model_normal <- function(model, prior) {
  found <- nig_moments(prior)
  data.frame(variable = c("mean", "sd"), mean = c(found$mean[, "mean"], found$mean[, "sd"]),
             sd = sqrt(c(found$variance[, "mean"], found$variance[, "sd"])))
}

# Marginal moments of mean and sd for one or more normal-inverse-gamma laws: Student
# with 2 * shape degrees of freedom, and the root of an inverse gamma; NA where there
# are none. The beta function keeps the digits of the ratio of two gamma functions.
nig_moments <- function(nig) {
  has_mean <- ifelse(nig$shape > 0.5, 1, NA_real_)
  shape <- pmax(nig$shape, 0.5 + 1e-8)
  log_ratio <- lbeta(shape - 0.5, 0.5) - lgamma(0.5)
  spread <- ifelse(shape > 1, 1 / (shape - 1), NA_real_)
  list(
    mean = cbind(mean = nig$mean * has_mean, sd = sqrt(nig$rate) * exp(log_ratio) * has_mean),
    variance = cbind(mean = nig$rate * spread / nig$precision,
                     sd = nig$rate * exp(2 * log_ratio) * (spread * exp(-2 * log_ratio) - 1))
  )
}

# Scale of the Student distribution of the mean.
mean_scale <- function(prior) sqrt(prior$rate / (prior$shape * prior$precision))

#' @export
prior_density.noiseaware_model_normal <- function(model, prior, variable, x) {
  nig_density(prior, variable == "sd", x)
}

# Marginal density of the mean, or of the standard deviation, at x.
nig_density <- function(prior, is_sd, x) {
  if (!is_sd) {
    scale <- mean_scale(prior)
    return(stats::dt((x - prior$mean) / scale, 2 * prior$shape) / scale)
  }
  # The density of sd^2 = 1 / g at sd, times what sd^2 changes by.
  ifelse(x <= 0, 0, stats::dgamma(1 / x^2, prior$shape, prior$rate) * 2 / x^3)
}

#' @export
prior_quantile.noiseaware_model_normal <- function(model, prior, variable, p) {
  nig_quantile(prior, variable == "sd", p)
}

nig_quantile <- function(prior, is_sd, p) {
  if (!is_sd) return(prior$mean + mean_scale(prior) * stats::qt(p, 2 * prior$shape))
  1 / sqrt(stats::qgamma(p, prior$shape, prior$rate, lower.tail = FALSE))
}

#' @export
variable_range.noiseaware_model_normal <- function(model, variable) {
  if (variable == "mean") c(-Inf, Inf) else c(0, Inf)
}

#' @export
prior_words.noiseaware_model_normal <- function(model, prior) {
  text <- format_number(unlist(unclass(prior)[c("mean", "precision", "shape", "rate")]))
  paste0("sd^2 ~ InverseGamma(", text[[3]], ", ", text[[4]], "); mean ~ N(", text[[1]],
         ", sd^2 / ", text[[2]], ")")
}
