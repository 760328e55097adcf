# Without noise the posterior is the textbook's.

records <- c(0.3, 1.1, 0.2, 2.4, 0.9, 1.7, 0.05, 0.6)
counts <- c(0, 3, 1, 2, 2, 5, 1, 0, 4)

test_that("exact sums of exponential records give the gamma posterior", {
  for (centre in c(0, 1.5)) {
    observation <- sum_observation(sum(records - centre), 8, noise = "none", centre = centre)
    fit <- quick_fit(observation, family = "exponential", prior = prior_gamma(2, 3), iter = 20000)
    shape <- 2 + 8
    rate <- 3 + sum(records)
    expect_equal(fit$moments$mean, shape / rate)
    expect_equal(fit$moments$sd, sqrt(shape) / rate)
    expect_identical(fit$moments$privacy_share, 0)
    expect_draws_follow(fit, "rate", list(mean = shape / rate, sd = sqrt(shape) / rate,
                                          cdf = function(x) stats::pgamma(x, shape, rate)))
  }
})

test_that("exact sums of Poisson records give the gamma posterior", {
  observation <- sum_observation(sum(counts - 4), 9, noise = "none", upper = 8,
                                 column = count_column)
  fit <- quick_fit(observation, family = "poisson", prior = prior_gamma(2, 3), iter = 20000)
  shape <- 2 + sum(counts)
  expect_equal(fit$moments$mean, shape / 12)
  expect_draws_follow(fit, "rate", list(mean = shape / 12, sd = sqrt(shape) / 12,
                                        cdf = function(x) stats::pgamma(x, shape, 12)))
})

# Murphy (2007), Conjugate Bayesian analysis of the Gaussian distribution, section 3.
normal_posterior <- function(x, prior) {
  n <- length(x)
  precision <- prior$precision + n
  list(mean = (prior$precision * prior$mean + sum(x)) / precision, precision = precision,
       shape = prior$shape + n / 2,
       rate = prior$rate + sum((x - mean(x))^2) / 2 +
         prior$precision * n * (mean(x) - prior$mean)^2 / (2 * precision))
}

test_that("exact sums of normal records give the normal-inverse-gamma posterior", {
  prior <- prior_nig(0.5, 2, 3, 1.5)
  for (centre in c(0, 1.5)) {
    values <- c(sum(records - centre), sum((records - centre)^2))
    observation <- normal_observation(values, 8, noise = "none", lower = 0, upper = 3,
                                      centre = centre)
    fit <- quick_fit(observation, prior = prior, iter = 20000)
    exact <- normal_posterior(records, prior)
    scale <- sqrt(exact$rate / exact$shape / exact$precision)
    expect_equal(fit$moments$mean[[1]], exact$mean)
    expect_equal(fit$moments$sd[[1]], sqrt(exact$rate / (exact$shape - 1) / exact$precision))
    root <- sqrt(exact$rate) * gamma(exact$shape - 0.5) / gamma(exact$shape)
    expect_equal(fit$moments$mean[[2]], root)
    expect_equal(fit$moments$sd[[2]], sqrt(exact$rate / (exact$shape - 1) - root^2))
    expect_draws_follow(fit, "mean", list(
      mean = exact$mean, sd = fit$moments$sd[[1]],
      cdf = function(x) stats::pt((x - exact$mean) / scale, 2 * exact$shape)
    ))
    expect_draws_follow(fit, "sd", list(
      mean = root, sd = fit$moments$sd[[2]],
      cdf = function(x) stats::pgamma(1 / x^2, exact$shape, exact$rate, lower.tail = FALSE)
    ))
  }
})

test_that("exact and clt agree where there is no noise, gibbs refuses", {
  observation <- sum_observation(3, 20, noise = "none")
  exact <- quick_fit(observation, family = "exponential", method = "exact")
  clt <- quick_fit(observation, family = "exponential", method = "clt")
  expect_identical(exact$draws, clt$draws)
  expect_no_warning(infer(observation, family = "exponential", method = "clt", seed = 1))
  expect_error(quick_fit(observation, family = "exponential", method = "gibbs"),
               "statistics with noise", class = "noiseaware_error_model")
  squares <- normal_observation(c(3, 20), 40, noise = "none")
  expect_error(quick_fit(squares, method = "gibbs"), "statistics with noise",
               class = "noiseaware_error_model")
  expect_identical(quick_fit(squares, method = "exact")$draws, quick_fit(squares)$draws)
})

test_that("the naive method takes the release at face value", {
  naive <- function(...) quick_fit(..., method = "naive", prior = prior_gamma(2, 3))
  fit <- naive(sum_observation(4.4, 8, centre = 0), family = "exponential")
  expect_equal(fit$moments$mean, 10 / 7.4)
  expect_true(is.na(fit$moments$privacy_share))
  expect_null(fit$latent)
  # An impossible sum is moved to the nearest possible one.
  expect_equal(naive(sum_observation(-5, 8, centre = 0), family = "exponential")$moments$mean,
               10 / 3.03)
  expect_equal(naive(sum_observation(99, 8, centre = 0), family = "exponential")$moments$mean,
               10 / 27)
  low <- naive(sum_observation(-9, 8, centre = 1.5, lower = 1), family = "exponential")
  expect_equal(low$moments$mean, 10 / 11)
  poisson <- function(value, ...) {
    naive(sum_observation(value, 8, centre = 0, upper = 8, column = count_column, ...),
          family = "poisson")
  }
  expect_equal(poisson(12.5)$moments$mean, 14.5 / 11)
  expect_equal(poisson(-3)$moments$mean, 2 / 11)
  expect_equal(poisson(100)$moments$mean, 66 / 11)
})

test_that("the naive normal method clips sums and squares", {
  prior <- prior_nig(0, 1, 2, 1)
  naive <- function(values, ...) {
    quick_fit(normal_observation(values, 10, ...), method = "naive", prior = prior)$moments
  }
  expect_equal(naive(c(4, 6))$mean[[1]], 4 / 11)
  expect_equal(naive(c(40, 6))$mean[[1]], 10 / 11)
  # The spread is at least a millionth of the squared half range.
  rate <- 1 + 1e-6 / 2 + 10 * 0.4^2 / 22
  expect_equal(naive(c(4, 1))$sd[[1]], sqrt(rate / 6 / 11))
  rate <- 1 + (10 - 1.6) / 2 + 10 * 0.4^2 / 22
  expect_equal(naive(c(4, 99))$sd[[1]], sqrt(rate / 6 / 11))
  noisy <- make_observation(c(n = -3, "sum(x)" = 1, "sum(x*x)" = 1), kind = "moments",
                            columns = list(real_column("x", -1, 1)))
  expect_equal(quick_fit(noisy, method = "naive", prior = prior)$moments$mean[[1]], 0)
})

test_that("units do not matter to the naive method", {
  small <- quick_fit(sum_observation(-5, 8, centre = 0), family = "exponential", method = "naive")
  large <- quick_fit(sum_observation(-5000, 8, centre = 0, upper = 3000, scale = 1000),
                     family = "exponential", method = "naive")
  expect_equal(small$moments$mean, 1000 * large$moments$mean)
})

test_that("the yardstick is the conjugate posterior of the records", {
  query <- query_moments(domain(mpg = c(0, 50), carb = dom_count(0, 10)), "replace_one")
  fit <- infer_nonprivate(query, mtcars, ~ mpg, seed = 1, prior = prior_nig(20, 1, 2, 30))
  exact <- normal_posterior(mtcars$mpg, prior_nig(20, 1, 2, 30))
  expect_equal(fit$moments$mean[[1]], exact$mean, tolerance = 1e-5)
  expect_equal(fit$moments$sd[[1]], sqrt(exact$rate / (exact$shape - 1) / exact$precision),
               tolerance = 1e-5)
  expect_output(print(fit), "!! NON-PRIVATE", fixed = TRUE)
  expect_output(print(fit), "no record was outside [0, 50]", fixed = TRUE)
  carb <- infer_nonprivate(query, mtcars, ~ carb, family = "poisson", seed = 1,
                           prior = prior_gamma(1, 1))
  expect_equal(carb$moments$mean, (1 + sum(mtcars$carb)) / 33)
  wait <- infer_nonprivate(query, mtcars, ~ mpg, family = "exponential", seed = 1,
                           prior = prior_gamma(1, 1))
  expect_equal(wait$moments$mean, 33 / (1 + sum(mtcars$mpg)), tolerance = 1e-5)
})
