observed <- function() moment_observation(regression_data(), regression_declared())

linear_model <- function(formula, observation = observed()) {
  find_model(read_formula(formula, observation), NULL, observation)
}

test_that("pieces of the prior are of one distribution", {
  for (formula in list(y ~ x + b, y ~ g, x ~ 0 + y, y ~ 1)) {
    model <- linear_model(formula)
    expect_prior_consistent(model, default_prior(model))
  }
  model <- linear_model(y ~ x)
  expect_prior_consistent(model, prior_nig(c(1, 2), matrix(c(2, 0.5, 0.5, 1), 2), 3, 4))
})

test_that("the default prior is the documented one in scaled units", {
  model <- linear_model(y ~ x + b)
  prior <- default_prior(model)
  # Outcome at the middle of the covariates (50, 0.5), in halves (8) about its middle (8).
  at <- c(1, 50, 0.5)
  mean <- sum(at * prior$coefficients$mean)
  expect_equal(mean, 8)
  covariance <- prior$coefficients$rate / (prior$coefficients$shape - 1) *
    solve(prior$coefficients$precision)
  expect_equal(as.vector(t(at) %*% covariance %*% at), 8^2)
  expect_equal(unname(diag(covariance)[-1]), (8 / c(50, 0.5))^2)
  expect_equal(prior$coefficients$rate, 0.1 * 8^2)
  expect_equal(unname(prior$covariates$mean), c(50, 0.5))
  expect_equal(unname(prior$covariates$scale), diag(0.3 * c(50, 0.5)^2))
  expect_identical(prior$covariates[c("kappa", "df")], list(kappa = 0.2, df = 5))
})

test_that("without an intercept the default prior is the conditional one", {
  with <- default_prior(linear_model(y ~ x + b))$coefficients
  without <- default_prior(linear_model(y ~ 0 + x + b))$coefficients
  # Conditioning a normal on its first element being 0.
  covariance <- solve(with$precision)
  gain <- covariance[-1, 1] / covariance[[1, 1]]
  expect_equal(without$mean, with$mean[-1] - gain * with$mean[[1]])
  expect_equal(solve(without$precision), covariance[-1, -1] - outer(gain, covariance[1, -1]))
})

test_that("priors are filled, reordered by name, and kept when whole", {
  model <- linear_model(y ~ x + b)
  names <- c("(Intercept)", "x", "b")
  named <- prior_nig(c(b = 3, `(Intercept)` = 1, x = 2), c(x = 20, b = 30, `(Intercept)` = 10), 2,
                     4)
  found <- check_prior(model, named)
  expect_identical(found$coefficients$mean, c(`(Intercept)` = 1, x = 2, b = 3))
  expect_identical(unname(diag(found$coefficients$precision)), c(10, 20, 30))
  expect_identical(check_prior(model, found), found)
  expect_identical(found$covariates, default_prior(model)$covariates)
  matrix <- matrix(c(3, 1, 0, 1, 2, 0, 0, 0, 1), 3, dimnames = list(names[c(2, 1, 3)], NULL))
  turned <- check_prior(model, prior_nig(0, matrix, 2, 4))$coefficients$precision
  expect_identical(turned[["x", "x"]], 3)
  expect_identical(turned[["(Intercept)", "x"]], 1)
  expect_identical(unname(check_prior(model, prior_niw(1, 2, 3, 4))$covariates$scale), diag(3, 2))
})

test_that("priors that do not fit are refused", {
  model <- linear_model(y ~ x + b)
  refused <- function(prior, text) {
    expect_error(check_prior(model, prior), text, class = "noiseaware_error")
  }
  refused(prior_nig(c(1, 2), 1, 2, 3), "must fit the terms")
  refused(prior_nig(c(a = 1, b = 2, c = 3), 1, 2, 3), "must fit the terms")
  refused(prior_nig(0, diag(2), 2, 3), "`precision`")
  refused(prior_niw(0, 1, diag(3), 9), "`scale`")
  refused(prior_niw(0, 1, 1, 1), "`df`")
  refused(prior_beta(1, 1), "does not fit")
  refused(priors(prior_nig(0, 1, 2, 3), prior_nig(0, 1, 2, 3)), "does not fit")
  refused("flat", "`prior`")
  expect_error(check_prior(linear_model(y ~ 1), prior_niw(0, 1, 1, 5)), "has none",
               class = "noiseaware_error_model")
})

test_that("prior_summary() is in natural units", {
  fit <- quick_fit(observed(), y ~ x, prior = prior_nig(c(5, 1), c(4, 100), 3, 8))
  shown <- prior_summary(fit)$moments
  expect_equal(shown$mean[1:2], c(5, 1))
  expect_equal(shown$sd[1:2], sqrt(8 / 2 / c(4, 100)))
})
