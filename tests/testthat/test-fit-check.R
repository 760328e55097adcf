test_that("a release lies among its replications", {
  fit <- quick_fit(categorical_observation(c(50, 30, 20), 100))
  data <- pp_check_data(fit, ndraws = 400, prob = 0.9, seed = 1)
  expect_identical(as.character(data$statistic), paste0("count(g=", letters[1:3], ")"))
  expect_identical(data$released, c(50, 30, 20))
  expect_true(all(data$lower < data$middle & data$middle < data$upper))
  expect_true(all(data$lower < data$released & data$released < data$upper))
  expect_true(all(data$below > 0.05 & data$below < 0.95))
})

test_that("a release that the model cannot explain stands out", {
  # Two hundred of a hundred records were counted.
  fit <- quick_fit(categorical_observation(c(200, 30, 20), 100))
  data <- pp_check_data(fit, ndraws = 400, seed = 1)
  expect_gt(data$released[[1]], data$upper[[1]])
  expect_gt(data$below[[1]], 0.99)
})

test_that("more replications than draws are not to be had", {
  fit <- quick_fit(bernoulli_observation(30, 100))
  expect_identical(pp_check_data(fit, ndraws = 1e6, seed = 1)$ndraws, 500L)
})

test_that("the naive method is checked with the n it took for granted", {
  noisy <- make_observation(c(n = 99.5, "sum(x)" = -12), scale = 4, kind = "moments")
  data <- pp_check_data(quick_fit(noisy, method = "naive"), seed = 1)
  expect_identical(as.character(data$statistic), c("n", "sum(x)"))
  unknown <- quick_fit(categorical_observation(c(50, 30, 20), NULL), method = "naive")
  expect_equal(pp_check_data(unknown, seed = 1)$middle, c(50, 30, 20), tolerance = 0.1)
})

test_that("pp_check() is a method of bayesplot's generic and returns a plot", {
  skip_if_not_installed("bayesplot")
  plot <- bayesplot::pp_check(quick_fit(bernoulli_observation(30, 100)), seed = 1)
  expect_s3_class(plot, "ggplot")
  expect_error(bayesplot::pp_check(quick_fit(bernoulli_observation(30, 100)), prob = 0), "`prob`",
               class = "noiseaware_error_input")
})
