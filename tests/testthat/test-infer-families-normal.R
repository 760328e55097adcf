# Prior draws with their records, weighted by the noise: exact, whatever the bounds,
# the noise and what is known of n.
prior <- prior_nig(0.2, 2, 3, 0.6)

normal_oracle <- function(values, n, scale, noise = "laplace", outside = "clamp", lower = -1,
                          upper = 1, centre = 0, size = NULL, draws = 4e5) {
  withr::local_seed(17)
  sd <- 1 / sqrt(stats::rgamma(draws, prior$shape, prior$rate))
  mean <- stats::rnorm(draws, prior$mean, sd / sqrt(prior$precision))
  sums <- matrix(0, draws, 2)
  records <- rep(n, draws)
  if (!is.null(size)) records <- sample(0:n, draws, replace = TRUE)  # a flat prior, cut at n
  for (i in seq_len(n)) {
    d <- map_records(stats::rnorm(draws, mean, sd), lower, upper, outside, centre) - centre
    sums <- sums + (i <= records) * cbind(d, d^2)
  }
  if (!is.null(size)) {
    sums <- cbind(sums, records)
    values <- c(values, size$value)
    scale <- c(scale, size$scale)
  }
  importance_oracle(data.frame(mean = mean, sd = sd), sums, values, noise, scale)
}

long_fit <- function(observation, ..., iter = 12000) {
  quick_fit(observation, prior = prior, chains = 4, iter = iter, ...)
}

test_that("the exact method has the posterior of the release", {
  cases <- list(
    list(values = c(2.5, 3), n = 8, scale = c(1.5, 1.5)),
    list(values = c(2.5, 3), n = 8, scale = c(1.5, 1.5), outside = "redact"),
    list(values = c(4, 1), n = 8, scale = c(1.5, 1), noise = "gaussian"),
    list(values = c(1, 4), n = 6, scale = c(2, 1), lower = -0.5, upper = 2, centre = 0.75)
  )
  for (case in cases) {
    oracle <- do.call(normal_oracle, case)
    fit <- long_fit(do.call(normal_observation, case), method = "exact", iter = 5000)
    for (variable in c("mean", "sd")) expect_draws_near(fit, variable, oracle)
    weighted <- vapply(oracle$theta, function(x) sum(oracle$weight * x), 0)
    expect_equal(fit$moments$mean, unname(weighted), tolerance = 0.03)
  }
})

test_that("a noisy n is sampled along", {
  case <- list(values = c(2.5, 3), n = 30, scale = c(1.5, 1.5),
               size = list(value = 8.4, scale = 1.2))
  oracle <- do.call(normal_oracle, case)
  observation <- make_observation(
    c(n = 8.4, "sum(x)" = 2.5, "sum(x*x)" = 3), scale = c(1.2, 1.5, 1.5), kind = "moments",
    columns = list(real_column("x", -1, 1))
  )
  exact <- long_fit(observation, method = "exact", iter = 5000)
  expect_identical(posterior::variables(exact$latent), c("sum(x)", "sum(x*x)", "n"))
  clt <- long_fit(observation, method = "clt")
  for (variable in c("mean", "sd")) {
    expect_draws_near(exact, variable, oracle)
    # The central limit is off by up to 0.03 in the distribution function at n = 10.
    expect_draws_near(clt, variable, oracle, slack = 0.03)
  }
})

test_that("clt and gibbs are near the exact posterior", {
  # Measured: within 0.03 in the distribution function for ten or more records, 0.04
  # for the standard deviation by gibbs.
  case <- list(values = c(6, 8), n = 25, scale = c(1.5, 1.5))
  oracle <- do.call(normal_oracle, case)
  for (method in c("clt", "gibbs")) {
    fit <- long_fit(do.call(normal_observation, case), method = method)
    expect_draws_near(fit, "mean", oracle, slack = 0.03)
    expect_draws_near(fit, "sd", oracle, slack = 0.04)
  }
})

test_that("the methods agree for many records", {
  observation <- normal_observation(c(60, 95), 300, scale = c(4, 4))
  fits <- lapply(c("clt", "gibbs", "exact"), function(method) {
    long_fit(observation, method = method, iter = 6000)
  })
  for (fit in fits[-1]) {
    for (variable in c("mean", "sd")) {
      a <- posterior::extract_variable_matrix(fits[[1]]$draws, variable)
      b <- posterior::extract_variable_matrix(fit$draws, variable)
      error <- sqrt(stats::var(as.vector(a)) / posterior::ess_mean(a) +
                      stats::var(as.vector(b)) / posterior::ess_mean(b))
      expect_lt(abs(mean(a) - mean(b)), 4 * error + 0.02 * stats::sd(a))
      expect_equal(stats::sd(a), stats::sd(b), tolerance = 0.08)
    }
    expect_equal(fit$moments$privacy_share, fits[[1]]$moments$privacy_share, tolerance = 0.1)
  }
})

test_that("little noise and wide bounds give the conjugate posterior", {
  withr::local_seed(3)
  x <- stats::rnorm(60, 3, 2)
  exact <- nig_moments(nig_update(prior, 60, mean(x), sum((x - mean(x))^2)))
  observation <- normal_observation(c(sum(x), sum(x^2)), 60, scale = c(0.5, 2), lower = -50,
                                    upper = 50)
  for (method in c("clt", "gibbs", "exact")) {
    fit <- long_fit(observation, method = method, iter = 6000)
    expect_equal(fit$moments$mean, as.vector(exact$mean), tolerance = 0.02)
    expect_equal(fit$moments$sd, sqrt(as.vector(exact$variance)), tolerance = 0.08)
  }
})

test_that("every method passes the contract of a method", {
  case <- list(values = c(6, 8), n = 40, scale = c(1.5, 1.5))
  observation <- do.call(normal_observation, case)
  for (method in c("clt", "gibbs", "exact")) {
    run <- function(...) quick_fit(observation, method = method, chains = 3, iter = 100, ...)
    withr::with_seed(5, {
      before <- .Random.seed
      one <- run(cores = 1)
      two <- run(cores = 2)
      expect_identical(.Random.seed, before)
    })
    expect_identical(one, two)
    expect_false(identical(unclass(one$draws)[, 1, 1], unclass(one$draws)[, 2, 1]))
    expect_false(identical(run(seed = 2)$draws, one$draws))
    expect_stored(one)
    expect_predictions(one)
  }
  simulate <- function(trial) {
    sd <- 1 / sqrt(stats::rgamma(1, prior$shape, prior$rate))
    mean <- stats::rnorm(1, prior$mean, sd / sqrt(prior$precision))
    x <- map_records(stats::rnorm(50, mean, sd), -1, 1, "clamp", 0)
    noise <- 2 * (stats::rexp(2) - stats::rexp(2))
    list(observation = normal_observation(c(sum(x), sum(x^2)) + noise, 50, scale = c(2, 2)),
         prior = prior, truth = if (wanted == "mean") mean else sd)
  }
  wanted <- "mean"
  expect_lt(calibration_distance("gibbs", ~ x, wanted, simulate, trials = 60), 1)
  wanted <- "sd"
  expect_lt(calibration_distance("clt", ~ x, wanted, simulate, trials = 60), 1)
  expect_gt(calibration_distance("naive", ~ x, wanted, simulate, trials = 60), 1)
})

test_that("units and origin do not matter", {
  shift <- function(unit, origin, method) {
    quick_fit(
      normal_observation(c(6 * unit, 8 * unit^2), 40, scale = c(1.5 * unit, 1.5 * unit^2),
                         lower = origin - unit, upper = origin + unit),
      prior = prior_nig(origin + 0.2 * unit, 2, 3, 0.6 * unit^2), method = method
    )$draws
  }
  for (method in c("clt", "gibbs", "exact")) {
    small <- unclass(shift(1, 0, method))
    large <- unclass(shift(1024, 4096, method))
    expect_equal((large[, , "mean"] - 4096) / 1024, small[, , "mean"], tolerance = 1e-8)
    expect_equal(large[, , "sd"] / 1024, small[, , "sd"], tolerance = 1e-8)
  }
})

test_that("the default method depends on n", {
  used <- function(...) {
    observation <- normal_observation(...)
    default_method(find_model(read_formula(~ x, observation), NULL, observation))
  }
  expect_identical(used(c(1, 2), 29), "exact")
  expect_identical(used(c(1, 2), 30), "clt")
  expect_identical(used(c(1, 2), 12, noise = c("none", "laplace")), "clt")
})

test_that("one exact sum is for clt only", {
  half <- normal_observation(c(6, 8), 40, scale = c(1, 2), noise = c("none", "laplace"))
  fit <- long_fit(half, iter = 4000)
  expect_identical(fit$method$name, "clt")
  expect_lt(fit$moments$privacy_share[[1]], 0.35)
  expect_error(infer(half, method = "exact"), "method = \"clt\"", class = "noiseaware_error_model")
  expect_error(infer(half, method = "gibbs"), "statistics with noise",
               class = "noiseaware_error_model")
})

test_that("gibbs needs a public n", {
  noisy <- make_observation(c(n = 40.3, "sum(x)" = 6, "sum(x*x)" = 8), kind = "moments",
                            columns = list(real_column("x", -1, 1)))
  expect_error(infer(noisy, method = "gibbs"), "public number of records",
               class = "noiseaware_error_model")
})

test_that("a release of this package is read end to end", {
  withr::local_seed(8)
  people <- data.frame(pressure = stats::rnorm(2000, 127, 18), visits = stats::rpois(2000, 2.5),
                       wait = stats::rexp(2000, 1 / 20))
  bounds <- domain(pressure = c(80, 180), visits = dom_count(0, 15), wait = c(0, 120))
  for (relation in c("replace_one", "add_remove")) {
    for (outside in c("clamp", "redact")) {
      query <- query_moments(bounds, relation, outside = outside)
      rel <- suppressWarnings(release_insecure(query, people, mech_laplace(4), seed = 5))
      pressure <- quick_fit(rel, ~ pressure, iter = 2000)
      expect_equal(coef(pressure), c(mean = 127, sd = 18), tolerance = 0.08)
      visits <- quick_fit(rel, ~ visits, family = "poisson")
      expect_equal(coef(visits), c(rate = 2.5), tolerance = 0.08)
      # A rate can be told from a redacted sum in two ways; the prior knows which.
      wait <- quick_fit(rel, ~ wait, family = "exponential", prior = prior_gamma(20, 400))
      expect_equal(coef(wait), c(rate = 1 / 20), tolerance = 0.1)
    }
  }
})
