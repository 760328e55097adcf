test_that("a fit is a plain list of public parts", {
  fit <- quick_fit(bernoulli_observation())
  expect_stored(fit)
  expect_identical(fit$observation, bernoulli_observation())
  expect_named(fit$moments, c("variable", "mean", "sd", "prior_mean", "prior_sd", "sd_ratio",
                              "privacy_share"))
  expect_equal(fit$moments$prior_sd, sqrt(1 / 12))
  expect_equal(fit$moments$sd_ratio, fit$moments$sd / sqrt(1 / 12))
  expect_equal(fit$moments$mean, mean(fit$draws), tolerance = 0.1)
})

test_that("moments come from the draws where a sampler has none", {
  fit <- quick_fit(categorical_observation())
  sample <- new_sample(unclass(fit$draws), NULL, NULL, fit$sampler)
  dimnames(sample$theta) <- unname(dimnames(fit$draws))
  moments <- fit_moments(fit$model, fit$prior, sample)
  expect_equal(moments$mean, unname(colMeans(draws_matrix(fit$draws))))
  expect_equal(moments$sd, unname(apply(draws_matrix(fit$draws), 2, stats::sd)))
  expect_true(all(is.na(moments$privacy_share)))
})

test_that("draws that are not numbers are refused", {
  fit <- quick_fit(bernoulli_observation())
  fit$draws[1] <- NaN
  expect_error(validate_fit(fit), "not numbers", class = "noiseaware_error_model")
})

test_that("a formula does not drag its environment along", {
  secret <- rnorm(1e5)
  fit <- quick_fit(bernoulli_observation(), ~ x)
  expect_lt(length(serialize(fit, NULL)), 1e5)
  expect_length(secret, 1e5)
})
