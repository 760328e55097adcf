fit <- quick_fit(categorical_observation(c(50, 30, 20), 100))

test_that("a summary has posterior's columns and two of ours", {
  found <- summary(fit)
  expected <- as.data.frame(posterior::summarise_draws(fit$draws))
  expect_named(found, c(names(expected), "sd_ratio", "privacy_share"))
  for (name in setdiff(names(expected), "variable")) {
    expect_equal(found[[name]], as.double(expected[[name]]))
  }
  expect_identical(found$sd_ratio, fit$moments$sd_ratio)
  expect_identical(attr(found, "prob"), 0.9)
})

test_that("prob names the ends of the interval", {
  expect_identical(interval_columns(0.9), c("q5", "q95"))
  expect_identical(interval_columns(0.95), c("q2.5", "q97.5"))
  expect_identical(interval_columns(0.5), c("q25", "q75"))
  found <- summary(fit, prob = 0.5)
  expect_equal(found$q25[[1]], stats::quantile(draws_matrix(fit$draws)[, 1], 0.25, names = FALSE))
  for (bad in list(0, 1, -1, "a", NA, c(0.1, 0.2))) {
    expect_error(summary(fit, prob = bad), "`prob` must be", class = "noiseaware_error_input")
  }
})

test_that("a summary says what its interval is", {
  expect_output(print(summary(fit, prob = 0.8)), "q10 and q90: central interval of probability 0.8")
})

test_that("a part of a summary still prints", {
  expect_output(print(summary(fit)[1, 1:3]), "theta[1]", fixed = TRUE)
})

test_that("a set is summarised with its groups in front", {
  set <- new_fit_set(list(a = fit, b = fit), "tract")
  found <- summary(set)
  expect_identical(found$group, rep(c("a", "b"), each = 3))
  expect_equal(found$mean[1:3], summary(fit)$mean)
  expect_output(print(found), "central interval of probability 0.9")
})
