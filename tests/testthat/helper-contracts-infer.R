# What a new model and a new method must pass. `oracle` is a list with mean, sd
# and cdf of one variable, from a closed form, enumeration or quadrature.

# Monte Carlo distance in standard errors: mean and distribution function.
expect_draws_follow <- function(fit, variable, oracle, limit = 4) {
  draws <- posterior::extract_variable_matrix(fit$draws, variable)
  size <- min(posterior::ess_bulk(draws), length(draws))
  z_mean <- abs(mean(draws) - oracle$mean) / (oracle$sd / sqrt(posterior::ess_mean(draws)))
  testthat::expect_lt(z_mean, limit)
  for (p in c(0.05, 0.25, 0.5, 0.75, 0.95)) {
    at <- stats::quantile(draws, p, names = FALSE)
    testthat::expect_lt(abs(oracle$cdf(at) - p) / sqrt(p * (1 - p) / size), limit)
  }
}

# A model: built by the registry, with a prior whose pieces agree, draws that follow
# the oracle, predictions of the right shape, and a fit that can be stored. `tolerance`
# is that of the reported moments.
expect_model <- function(observation, formula, variable, oracle, ..., family = NULL,
                         tolerance = 1e-9, newdata = NULL) {
  model <- find_model(read_formula(formula, observation), read_family(family), observation)
  testthat::expect_s3_class(model, "noiseaware_model")
  testthat::expect_gt(length(methods_of(model)), 0)
  testthat::expect_true(variable %in% model_variables(model)$variable)
  expect_prior_consistent(model, default_prior(model))
  fit <- suppressWarnings(infer(observation, formula, family = family, ..., seed = 1, iter = 5000,
                                warmup = 1000))
  expect_draws_follow(fit, variable, oracle)
  row <- match(variable, fit$moments$variable)
  testthat::expect_equal(fit$moments$mean[[row]], oracle$mean, tolerance = tolerance)
  testthat::expect_equal(fit$moments$sd[[row]], oracle$sd, tolerance = tolerance)
  expect_stored(fit)
  expect_predictions(fit, newdata)
  invisible(fit)
}

# Moments, density and quantiles of the prior are of one distribution.
expect_prior_consistent <- function(model, prior) {
  prior <- check_prior(model, prior)
  moments <- prior_moments(model, prior)
  testthat::expect_identical(moments$variable, model_variables(model)$variable)
  for (k in seq_len(nrow(moments))) {
    name <- moments$variable[[k]]
    range <- variable_range(model, name)
    against <- function(f) {
      stats::integrate(function(x) f(x) * prior_density(model, prior, name, x), range[[1]],
                       range[[2]], rel.tol = 1e-8)$value
    }
    testthat::expect_equal(against(function(x) 1 + 0 * x), 1, tolerance = 1e-6)
    testthat::expect_equal(against(identity), moments$mean[[k]], tolerance = 1e-6)
    testthat::expect_equal(against(function(x) (x - moments$mean[[k]])^2), moments$sd[[k]]^2,
                           tolerance = 1e-5)
    middle <- prior_quantile(model, prior, name, 0.5)
    testthat::expect_equal(
      stats::integrate(function(x) prior_density(model, prior, name, x), range[[1]], middle,
                       rel.tol = 1e-8)$value, 0.5, tolerance = 1e-6
    )
  }
}

# Identical after a trip through a file: no environment, closure or pointer.
expect_stored <- function(x) {
  file <- withr::local_tempfile()
  saveRDS(x, file)
  testthat::expect_identical(readRDS(file), x)
  testthat::expect_false(holds_code(x))
}

holds_code <- function(x) {
  if (is.environment(x) || is.function(x) || is.call(x) || typeof(x) == "externalptr") return(TRUE)
  inside <- c(if (is.list(x)) unclass(x), attributes(x))
  any(vapply(inside, holds_code, NA))
}

expect_predictions <- function(fit, newdata = NULL) {
  draws <- posterior::ndraws(fit$draws)
  for (predictor in list(rstantools::posterior_predict, rstantools::posterior_epred,
                         rstantools::posterior_linpred)) {
    found <- predictor(fit, newdata = newdata, ndraws = 10)
    testthat::expect_true(is.matrix(found) && nrow(found) == 10 && all(is.finite(found)))
    testthat::expect_false(is.null(colnames(found)))
  }
  testthat::expect_equal(nrow(rstantools::posterior_epred(fit, newdata = newdata)), draws)
  replicated <- pp_check_data(fit, ndraws = 50, seed = 1)
  known <- c(fit$observation$statistics$name, "suppressed cells")
  testthat::expect_true(all(replicated$statistic %in% known))
}

# A method: its draws follow the oracle; they depend on (seed, chain) and nothing
# else; R's generator is untouched; and, if it claims to be calibrated, ranks of the
# truth are uniform. `simulate(trial)` returns an observation and the truth.
expect_method <- function(method, observation, formula, variable, oracle, simulate = NULL,
                          family = NULL, prior = NULL) {
  run <- function(...) {
    suppressWarnings(infer(observation, formula, family = family, method = method, prior = prior,
                           ...))
  }
  fit <- run(seed = 3, iter = 5000, warmup = 1000)
  expect_draws_follow(fit, variable, oracle)
  withr::with_seed(5, {
    before <- .Random.seed
    one <- run(seed = 7, iter = 200, cores = 1)
    two <- run(seed = 7, iter = 200, cores = 2)
    testthat::expect_identical(.Random.seed, before)
  })
  testthat::expect_identical(one, two)
  fewer <- run(seed = 7, iter = 200, chains = 2)
  testthat::expect_identical(unclass(fewer$draws)[, 2, 1], unclass(one$draws)[, 2, 1])
  testthat::expect_false(identical(unclass(one$draws)[, 1, 1], unclass(one$draws)[, 2, 1]))
  testthat::expect_false(identical(run(seed = 8, iter = 200)$draws, one$draws))
  if (is.null(simulate)) return(invisible(fit))
  testthat::expect_lt(calibration_distance(method, formula, variable, simulate, family), 1)
}

# Kolmogorov-Smirnov distance of the ranks of the truth from uniform, in units of
# its 0.1% critical value 1.95 / sqrt(trials).
calibration_distance <- function(method, formula, variable, simulate, family = NULL, trials = 100,
                                 draws = 99, warmup = 200) {
  u <- vapply(seq_len(trials), function(trial) {
    case <- withr::with_seed(1000 + trial, simulate(trial))
    fit <- suppressWarnings(infer(case$observation, formula, family = family, method = method,
                                  prior = case$prior, chains = 1, iter = warmup + 10 * draws,
                                  warmup = warmup, thin = 10, seed = trial))
    (0.5 + sum(fit$draws[, , variable] < case$truth)) / (draws + 1)
  }, 0)
  steps <- seq_len(trials) / trials
  distance <- max(steps - sort(u), sort(u) - steps + 1 / trials)
  distance * sqrt(trials) / 1.95
}
