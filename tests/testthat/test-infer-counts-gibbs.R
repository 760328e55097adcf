# The central limit for counts, against the exact sum.

fit_of <- function(observation, method, ...) {
  quick_fit(observation, method = method, iter = 12000, chains = 4, ...)
}

# Distance of distribution functions beyond Monte Carlo error.
excess <- function(one, two, variable) {
  a <- posterior::extract_variable_matrix(one$draws, variable)
  b <- posterior::extract_variable_matrix(two$draws, variable)
  sizes <- c(posterior::ess_bulk(a), posterior::ess_bulk(b))
  found <- suppressWarnings(stats::ks.test(as.vector(a), as.vector(b))$statistic)
  unname(found) - 1.95 * sqrt(sum(1 / pmin(sizes, length(a))))
}

test_that("clt and gibbs are near the exact posterior of a binary column", {
  # Measured: 0.01 in the distribution function from thirty records on.
  cases <- list(
    bernoulli_observation(31.5, 100, scale = 4),
    bernoulli_observation(31.5, 100, scale = 4, noise = "gaussian"),
    bernoulli_observation(8.5, 100, scale = 2),
    make_observation(c("sum(x)" = -18.5), n = 100, kind = "moments", scale = 4)
  )
  for (observation in cases) {
    exact <- fit_of(observation, "exact")
    clt <- fit_of(observation, "clt")
    gibbs <- fit_of(observation, "gibbs")
    expect_identical(clt$sampler$kind, "independent")
    expect_identical(gibbs$sampler$kind, "chains")
    expect_lt(excess(exact, clt, "theta"), 0.015)
    expect_lt(excess(exact, gibbs, "theta"), 0.015)
    for (fit in list(clt, gibbs)) {
      expect_equal(fit$moments$mean, exact$moments$mean, tolerance = 0.03)
      expect_equal(fit$moments$sd, exact$moments$sd, tolerance = 0.05)
      expect_equal(fit$moments$privacy_share, exact$moments$privacy_share, tolerance = 0.15)
    }
    expect_equal(clt$log_evidence, exact$log_evidence, tolerance = 0.01)
  }
})

test_that("a noisy n is summed out by clt, refused by gibbs", {
  noisy <- make_observation(c(n = 101.1, "sum(x)" = -18.5), kind = "moments", scale = 3)
  exact <- fit_of(noisy, "exact")
  clt <- fit_of(noisy, "clt")
  expect_lt(excess(exact, clt, "theta"), 0.01)
  expect_identical(posterior::variables(clt$latent), c("count(x=1)", "n"))
  latent <- draws_matrix(clt$latent)
  expect_equal(colMeans(latent), colMeans(draws_matrix(exact$latent)), tolerance = 0.02)
  expect_true(all(latent[, 1] >= 0 & latent[, 1] <= latent[, 2]))
  for (observation in list(noisy, categorical_observation(n = NULL))) {
    expect_error(infer(observation, method = "gibbs"), "public number of records",
                 class = "noiseaware_error_model")
  }
})

test_that("gibbs is near the exact posterior of a factor, in whole and in part", {
  whole <- categorical_observation(c(42.3, 8.1, 51.5), 100, 3)
  partial <- whole
  partial$statistics <- partial$statistics[c(1, 3), ]
  for (observation in list(whole, partial)) {
    exact <- fit_of(observation, "exact")
    gibbs <- fit_of(observation, "gibbs")
    for (variable in paste0("theta[", 1:3, "]")) expect_lt(excess(exact, gibbs, variable), 0.02)
    expect_equal(gibbs$moments$mean, exact$moments$mean, tolerance = 0.03)
    expect_equal(gibbs$moments$privacy_share, exact$moments$privacy_share, tolerance = 0.15)
    expect_equal(unname(rowSums(draws_matrix(gibbs$draws))), rep(1, 24000))
  }
})

test_that("the samplers pass the contract of a method", {
  simulate <- function(trial) {
    theta <- stats::rbeta(1, 2, 3)
    value <- stats::rbinom(1, 50, theta) + 6 * (stats::rexp(1) - stats::rexp(1))
    list(observation = bernoulli_observation(value, 50, scale = 6), prior = prior_beta(2, 3),
         truth = theta)
  }
  expect_lt(calibration_distance("clt", ~ x, "theta", simulate), 1)
  expect_lt(calibration_distance("gibbs", ~ x, "theta", simulate), 1)
  cases <- list(list(bernoulli_observation(31.5, 100), "clt"),
                list(bernoulli_observation(31.5, 100), "gibbs"),
                list(categorical_observation(c(42.3, 8.1, 51.5), 100), "gibbs"))
  for (case in cases) {
    run <- function(...) quick_fit(case[[1]], method = case[[2]], chains = 3, iter = 100, ...)
    withr::with_seed(5, {
      before <- .Random.seed
      one <- run(cores = 1)
      two <- run(cores = 2)
      expect_identical(.Random.seed, before)
    })
    expect_identical(one, two)
    expect_false(identical(run(seed = 2)$draws, one$draws))
    expect_stored(one)
    expect_predictions(one)
  }
})

test_that("without noise there is nothing to approximate", {
  exact <- bernoulli_observation(30, 100, noise = "none")
  expect_identical(quick_fit(exact, method = "clt")$draws, quick_fit(exact)$draws)
  expect_error(infer(exact, method = "gibbs"), "statistics with noise",
               class = "noiseaware_error_model")
  expect_error(infer(categorical_observation(c(2, 3, 4), 9, noise = "none"), method = "gibbs"),
               "statistics with noise", class = "noiseaware_error_model")
})

test_that("few records and the central limit are a classed warning", {
  expect_warning(infer(bernoulli_observation(3, 10), method = "clt", seed = 1), "n is only 10",
                 class = "noiseaware_warning_small_n")
  expect_no_warning(infer(bernoulli_observation(300, 1000), method = "clt", seed = 1))
})
