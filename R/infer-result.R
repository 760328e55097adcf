# The value of infer(): a plain list of public parts, without calls,
# environments or closures.

new_fit <- function(model, prior, method, formula, observation, sample, run, seed,
                    public = NULL) {
  fit <- list(
    draws = posterior::as_draws_array(sample$theta),
    latent = if (!is.null(sample$latent)) posterior::as_draws_array(sample$latent),
    model = model, prior = prior, method = method, formula = formula$text, family = model$name,
    observation = observation, public = public, seed = seed, run = run_record(run),
    sampler = sample$sampler, log_evidence = sample$log_evidence,
    moments = fit_moments(model, prior, sample)
  )
  validate_fit(structure(fit, class = "noiseaware_fit"))
}

# Posterior and prior moments side by side, one row per variable.
fit_moments <- function(model, prior, sample) {
  variables <- dimnames(sample$theta)[[3]]
  moments <- sample$moments
  if (is.null(moments)) {
    by_variable <- function(f) apply(sample$theta, 3, f)
    moments <- data.frame(mean = by_variable(mean), sd = by_variable(stats::sd),
                          privacy_share = NA_real_)
  }
  before <- prior_moments(model, prior)
  before <- before[match(variables, before$variable), ]
  data.frame(variable = variables, mean = moments$mean, sd = moments$sd, prior_mean = before$mean,
             prior_sd = before$sd, sd_ratio = moments$sd / before$sd,
             privacy_share = moments$privacy_share, row.names = NULL)
}

# Invariants every model and sampler must keep; a failure is a bug of ours.
validate_fit <- function(fit) {
  variables <- posterior::variables(fit$draws)
  whole <- identical(variables, fit$moments$variable) &&
    identical(variables, model_variables(fit$model)$variable) && all(is.finite(fit$draws))
  if (!whole) {
    abort_model(c("The sampler returned draws that are not numbers or not of this model.",
                  "i" = "Please report this with the release and the seed {fit$seed}."))
  }
  fit
}

new_fit_set <- function(fits, by) {
  structure(list(fits = fits, by = by), class = "noiseaware_fit_set")
}
