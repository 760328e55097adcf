exponential_fit <- function(...) {
  quick_fit(sum_observation(-40, 100, scale = 3), family = "exponential", ...)
}
poisson_fit <- function(...) {
  quick_fit(sum_observation(-120, 100, scale = 3, upper = 8, column = count_column),
            family = "poisson", ...)
}
normal_fit <- function(...) quick_fit(normal_observation(c(30, 40), 100), ...)

# Law of total variance, with the draws at hand.
expect_new_sums <- function(fit, size, mean, variance) {
  new <- rstantools::posterior_predict(fit, newdata = size, seed = 3)
  expect_identical(colnames(new), "x")
  spread <- size * mean(variance) + size^2 * stats::var(mean)
  error <- sqrt(spread / length(new))
  expect_lt(abs(mean(new) - size * mean(mean)) / error, 4)
  expect_equal(stats::var(new[, 1]), spread, tolerance = 0.1)
  expect_equal(unname(rstantools::posterior_epred(fit, newdata = size)[, 1]),
               size * unname(mean))
}

test_that("sums of new records have the predictive distribution", {
  fit <- exponential_fit(iter = 16000)
  rate <- draws_matrix(fit$draws)[, "rate"]
  for (size in c(1, 25)) expect_new_sums(fit, size, 1 / rate, 1 / rate^2)
  fit <- poisson_fit(iter = 16000)
  rate <- draws_matrix(fit$draws)[, "rate"]
  for (size in c(1, 25)) expect_new_sums(fit, size, rate, rate)
  new <- rstantools::posterior_predict(fit, newdata = 25, seed = 3)
  expect_true(all(new == round(new) & new >= 0))
  fit <- normal_fit(iter = 16000)
  theta <- draws_matrix(fit$draws)
  for (size in c(1, 25)) expect_new_sums(fit, size, theta[, "mean"], theta[, "sd"]^2)
})

test_that("linear predictors are on the scale of the link", {
  rate <- draws_matrix(exponential_fit()$draws)
  expect_equal(unname(rstantools::posterior_linpred(exponential_fit())), unname(-log(rate)))
  expect_equal(rstantools::posterior_linpred(exponential_fit(), transform = TRUE, newdata = 9),
               exp(rstantools::posterior_linpred(exponential_fit(), newdata = 9)))
  rate <- draws_matrix(poisson_fit()$draws)
  expect_equal(unname(rstantools::posterior_linpred(poisson_fit())), unname(log(rate)))
  mean <- draws_matrix(normal_fit()$draws)[, "mean", drop = FALSE]
  expect_equal(unname(rstantools::posterior_linpred(normal_fit())), unname(mean))
})

test_that("simulation depends on its seed and leaves R's generator alone", {
  fit <- normal_fit()
  withr::local_seed(1)
  before <- .Random.seed
  one <- rstantools::posterior_predict(fit, newdata = 5, seed = 3)
  replicated <- replicate_release(fit$model, draws_matrix(fit$draws), NULL, 3)
  expect_identical(.Random.seed, before)
  expect_identical(rstantools::posterior_predict(fit, newdata = 5, seed = 3), one)
  expect_false(identical(rstantools::posterior_predict(fit, newdata = 5, seed = 4), one))
  expect_identical(replicate_release(fit$model, draws_matrix(fit$draws), NULL, 3), replicated)
})

# Moments of a mapped record by quadrature, with base R only.
mapped_moments <- function(density, map, centre, order) {
  part <- function(f, from, to) stats::integrate(f, from, to, rel.tol = 1e-9)$value
  inside <- part(function(x) (x - centre)^order * density(x), map$lower, map$upper)
  below <- part(density, -Inf, map$lower) * (map$below - centre)^order
  above <- part(density, map$upper, Inf) * (map$above - centre)^order
  inside + below + above
}

test_that("replicated releases have the moments of mapped records, few or many", {
  for (outside in c("clamp", "redact")) {
    for (n in c(50, 40000)) {
      observation <- normal_observation(c(0.2, 0.3) * n, n, outside = outside, centre = 0.25)
      model <- find_model(read_formula(~ x, observation), NULL, observation)
      theta <- cbind(mean = rep(0.3, 4000), sd = 0.6)
      found <- replicate_release(model, theta, NULL, 5)
      expect_identical(colnames(found), c("sum(x)", "sum(x*x)"))
      density <- function(x) stats::dnorm(x, 0.3, 0.6)
      m <- vapply(1:4, mapped_moments, 0, density = density, map = model$map, centre = 0.25)
      spread <- n * c(m[[2]] - m[[1]]^2, m[[4]] - m[[2]]^2) + 2
      expect_lt(max(abs(colMeans(found) - n * m[1:2]) / sqrt(spread / 4000)), 4)
      expect_equal(unname(apply(found, 2, stats::var)), spread, tolerance = 0.1)
      expect_equal(stats::cov(found)[1, 2], n * (m[[3]] - m[[1]] * m[[2]]), tolerance = 0.15)
    }
  }
})

test_that("replicated releases of rates have the right moments, few or many", {
  for (n in c(50, 40000)) {
    observation <- sum_observation(0, n, lower = 0.2, upper = 2)
    model <- find_model(read_formula(~ x, observation), read_family("exponential"), observation)
    found <- replicate_release(model, cbind(rate = rep(0.8, 4000)), NULL, 5)
    density <- function(x) stats::dexp(x, 0.8)
    m <- vapply(1:2, mapped_moments, 0, density = density, map = model$map, centre = 1.1)
    spread <- n * (m[[2]] - m[[1]]^2) + 2
    expect_lt(abs(mean(found) - n * m[[1]]) / sqrt(spread / 4000), 4)
    expect_equal(stats::var(found[, 1]), spread, tolerance = 0.1)

    observation <- sum_observation(0, n, lower = 1, upper = 6, column = count_column)
    model <- find_model(read_formula(~ x, observation), read_family("poisson"), observation)
    found <- replicate_release(model, cbind(rate = rep(2.7, 4000)), NULL, 5)
    at <- pmin(pmax(0:60, 1), 6) - 3.5
    mean <- sum(stats::dpois(0:60, 2.7) * at)
    spread <- n * (sum(stats::dpois(0:60, 2.7) * at^2) - mean^2) + 2
    expect_lt(abs(mean(found) - n * mean) / sqrt(spread / 4000), 4)
    expect_equal(stats::var(found[, 1]), spread, tolerance = 0.1)
  }
})

test_that("predictive checks look at every released statistic, n among them", {
  data <- pp_check_data(normal_fit(), ndraws = 300, seed = 1)
  expect_identical(as.character(data$statistic), c("sum(x)", "sum(x*x)"))
  expect_true(all(data$below > 0.02 & data$below < 0.98))
  noisy <- make_observation(c(n = 102, "sum(x)" = -40), kind = "moments",
                            columns = list(real_column("x", 0, 3)))
  for (method in c("exact", "clt", "naive")) {
    fit <- quick_fit(noisy, family = "exponential", method = method)
    data <- pp_check_data(fit, ndraws = 300, seed = 1)
    expect_identical(as.character(data$statistic), c("n", "sum(x)"))
    expect_true(all(data$below > 0.02 & data$below < 0.98))
  }
})

test_that("new records are a number", {
  for (bad in list(0, -1, 1.5, "2", NA, c(1, 2))) {
    expect_error(rstantools::posterior_predict(normal_fit(), newdata = bad),
                 "`newdata` must be a whole number", class = "noiseaware_error_input")
  }
  expect_error(rstantools::posterior_predict(normal_fit(), newdata = data.frame(x = 1)),
               "number of new records", class = "noiseaware_error_input")
})

test_that("given records have fitted values and residuals", {
  fit <- normal_fit()
  records <- data.frame(id = 1:3, x = c(-0.5, 0.2, 1.4))
  expect_equal(fitted(fit, newdata = records), rep(coef(fit)[["mean"]], 3))
  expect_equal(fitted(fit, newdata = records) + residuals(fit, newdata = records), records$x)
  found <- augment(fit, newdata = records)
  expect_named(found, c("id", "x", ".fitted", ".lower", ".upper", ".resid"))
  rate <- draws_matrix(exponential_fit()$draws)
  expect_equal(fitted(exponential_fit(), newdata = data.frame(x = 1)), mean(1 / rate))
  expect_error(fitted(exponential_fit(), newdata = data.frame(x = -1)), "negative",
               class = "noiseaware_error_input")
  expect_error(fitted(fit, newdata = data.frame(y = 1)), "column x",
               class = "noiseaware_error_input")
  expect_error(fitted(fit), class = "noiseaware_error_no_records")
})
