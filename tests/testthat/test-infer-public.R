input_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_input")
}

test_that("public records update the prior of every family", {
  same <- function(observation, public, prior, updated, ...) {
    with <- quick_fit(observation, prior = prior, public = public, ...)
    without <- quick_fit(observation, prior = updated, ...)
    expect_equal(unclass(with$draws), unclass(without$draws))
    expect_equal(with$moments[c("mean", "sd", "privacy_share")],
                 without$moments[c("mean", "sd", "privacy_share")])
    expect_equal(with$log_evidence, without$log_evidence)
    with
  }
  for (method in c("exact", "naive")) {
    same(bernoulli_observation(), data.frame(x = c(1, 0, 1, 1)), prior_beta(1, 2),
         prior_beta(4, 3), method = method)
    same(categorical_observation(), data.frame(g = c("c", "a", "c")), prior_dirichlet(1),
         prior_dirichlet(c(2, 1, 3)), method = method)
  }
  x <- c(0.5, 2, 7)
  waits <- sum_observation(4, 40)
  for (method in c("exact", "clt", "gibbs", "naive")) {
    same(waits, x, prior_gamma(1, 2), prior_gamma(4, 11.5), family = "exponential",
         method = method)
  }
  counts <- sum_observation(4, 40, upper = 8, column = count_column)
  same(counts, data.frame(x = c(3, 0, 11)), prior_gamma(1, 2), prior_gamma(15, 5),
       family = "poisson")
  squares <- normal_observation(c(3, 20), 40)
  # Two steps of the textbook's update, by hand: n = 2, average = 2, squares = 2.
  same(squares, c(1, 3), prior_nig(0, 2, 3, 1), prior_nig(1, 4, 4, 1 + 1 + 2 * 2 * 4 / 8))
})

test_that("public records work for the yardstick, and with noisy n", {
  query <- query_moments(domain(mpg = c(0, 50)), "replace_one")
  public <- data.frame(mpg = c(21.5, 30, 18), other = "ignored")
  fit <- infer_nonprivate(query, mtcars, ~ mpg, family = "exponential", seed = 1, public = public,
                          prior = prior_gamma(1, 1))
  expect_equal(fit$moments$mean, 36 / (1 + sum(mtcars$mpg) + 69.5), tolerance = 1e-5)
  noisy <- make_observation(c(n = 33.1, "sum(x)" = -6.2), scale = 3, kind = "moments")
  with <- quick_fit(noisy, public = c(1, 1), prior = prior_beta(1, 1))
  expect_equal(with$draws, quick_fit(noisy, prior = prior_beta(3, 1))$draws)
})

test_that("the fit remembers the prior that was given, and says so", {
  public <- rep(0:1, c(30, 10))
  fit <- quick_fit(bernoulli_observation(300, 1000), prior = prior_beta(1, 1), public = public)
  expect_identical(fit$prior, prior_beta(1, 1))
  expect_identical(fit$public$n, 40L)
  expect_equal(fit$moments$prior_sd, sqrt(1 / 12))
  expect_output(print(fit), "public:  40 records without protection", fixed = TRUE)
  expect_output(print(fit), "prior:   theta ~ Beta(1, 1)", fixed = TRUE)
  expect_output(print(fit$public), "40 records without protection of x")
  expect_output(print(quick_fit(bernoulli_observation(300, 1000), public = 1)), "1 record without")
  expect_false(any(grepl("public:", fit_header(quick_fit(bernoulli_observation())))))
  expect_stored(fit)
})

test_that("records themselves are not kept", {
  fit <- quick_fit(sum_observation(4, 40), family = "exponential", public = c(0.25, 123.456))
  expect_identical(fit$public$statistics, c(sum = 123.706))
})

test_that("update() keeps public records with the model", {
  fit <- quick_fit(bernoulli_observation(300, 1000), public = rep(0:1, c(30, 10)))
  expect_identical(update(fit), fit)
  expect_identical(update(fit, method = "naive")$public, fit$public)
  expect_null(update(fit, public = NULL)$public)
  expect_identical(update(fit, public = c(0, 1))$public$n, 2L)
  expect_null(update(fit, release = bernoulli_observation(200, 1000))$public)
  input_error(infer(categorical_observation(), ~ g, public = fit$public), "another model")
})

test_that("every group of a set is told the same", {
  groups <- lapply(c(a = 300, b = 500), bernoulli_observation, n = 1000)
  set <- structure(list(releases = groups, by = "tract"), class = "noiseaware_release_set")
  fits <- infer(set, ~ x, seed = 5, public = c(1, 1, 0))
  expect_identical(fits$fits$b, infer(groups$b, ~ x, seed = 6, public = c(1, 1, 0)))
})

test_that("levels may be given in any form that names them", {
  ways <- list(c(1, 0, 1), c(TRUE, FALSE, TRUE), c("1", "0", "1"), factor(c(1, 0, 1)),
               data.frame(x = c(1L, 0L, 1L)))
  for (way in ways) {
    expect_identical(quick_fit(bernoulli_observation(), public = way)$public$statistics,
                     c("0" = 1, "1" = 2))
  }
})

test_that("what public records cannot be", {
  levels <- function(public) infer(bernoulli_observation(), ~ x, public = public)
  for (bad in list(list(x = 1), mtcars, matrix(1), identity, ~ x, data.frame(y = 1))) {
    input_error(levels(bad), "`public` must be a data frame with the column x")
  }
  input_error(levels(data.frame(x = numeric())), "`public` has no rows")
  input_error(levels(numeric()), "`public` has no rows")
  input_error(levels(c(0, NA, 1)), "1 of x are missing")
  input_error(levels(c(0, 2)), "not declared.*2")
  input_error(levels("yes"), "not declared.*yes")
  numbers <- function(public, family = "exponential") {
    infer(sum_observation(4, 40), ~ x, family = family, public = public)
  }
  input_error(numbers(data.frame(x = "a")), "finite numbers")
  input_error(numbers(c(TRUE, FALSE)), "finite numbers")
  input_error(numbers(factor(1:3)), "finite numbers")
  input_error(numbers(c(1, Inf)), "finite numbers")
  input_error(numbers(c(1, NaN)), "missing")
  input_error(numbers(c(1, -0.5)), "negative")
  input_error(numbers(c(1, -1), "poisson"), "negative")
  input_error(numbers(c(1, 1.5), "poisson"), "whole numbers.*1.5")
  input_error(numbers(data.frame(x = numeric())), "no rows")
  squares <- normal_observation(c(3, 20), 40)
  input_error(infer(squares, ~ x, public = data.frame(z = 1)), "column x")
  expect_s3_class(quick_fit(squares, public = c(-100, 4)), "noiseaware_fit")
})
