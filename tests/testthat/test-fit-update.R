fit <- quick_fit(categorical_observation(c(50, 30, 20), 100), prior = prior_dirichlet(2))

test_that("coefficients and covariance are those of the draws", {
  draws <- draws_matrix(fit$draws)
  expect_equal(coef(fit), colMeans(draws))
  expect_equal(vcov(fit), stats::cov(draws))
  expect_identical(nobs(fit), 100)
  expect_true(is.na(nobs(quick_fit(categorical_observation(c(50, 30, 20), NULL)))))
})

test_that("the formula comes back without the user's environment", {
  expect_equal(formula(fit), ~ g, ignore_formula_env = TRUE)
  expect_identical(environment(formula(fit)), baseenv())
})

test_that("update() changes what is asked and keeps the rest", {
  expect_identical(update(fit), fit)
  other <- suppressWarnings(update(fit, prior = prior_dirichlet(50)))
  expect_identical(other$seed, fit$seed)
  expect_identical(other$run, fit$run)
  expect_equal(other$prior$concentration, c(a = 50, b = 50, c = 50))
  expect_identical(update(fit, method = "naive")$method$name, "naive")
  expect_identical(dim(update(fit, chains = 1, iter = 100)$draws), c(50L, 1L, 3L))
})

test_that("a prior goes with its model", {
  observation <- make_observation(
    c("count(x=1)" = 40, "count(g=a)" = 50, "count(g=b)" = 30, "count(g=c)" = 20), n = 100,
    columns = list(binary_column(), factor_column())
  )
  first <- quick_fit(observation, ~ g, prior = prior_dirichlet(2))
  expect_identical(update(first, formula = ~ x)$prior, prior_beta(1, 1))
  swapped <- update(first, release = observation)
  expect_equal(swapped$prior$concentration, c(a = 1, b = 1, c = 1))
})

test_that("update() takes arguments of infer()", {
  expect_error(update(fit, ~ g), "named arguments", class = "noiseaware_error_input")
  expect_error(update(fit, nonsense = 1), "no argument `nonsense`",
               class = "noiseaware_error_input")
})

test_that("another release replaces the old one whole", {
  query <- query_tables(domain(x = dom_binary()), ~ x)
  other <- as_release(query, n = 500, c("count(x=1)" = 400), noise_gaussian(3))
  first <- quick_fit(bernoulli_observation(300, 1000))
  expect_identical(update(first, release = other),
                   infer(other, ~ x, seed = 1, iter = 500, chains = 2))
})
