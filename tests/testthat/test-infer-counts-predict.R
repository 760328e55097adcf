binary_fit <- function(...) quick_fit(bernoulli_observation(700, 1000, scale = 20), ...)
factor_fit <- function(...) quick_fit(categorical_observation(c(500, 300, 200), 1000, 20), ...)

test_that("counts of new records have the predictive distribution", {
  fit <- binary_fit(iter = 20000)
  theta <- draws_matrix(fit$draws)[, 1]
  new <- rstantools::posterior_predict(fit, newdata = 40, seed = 3)
  expect_identical(dim(new), c(length(theta), 1L))
  expect_identical(colnames(new), "1")
  expect_true(all(new >= 0 & new <= 40 & new == round(new)))
  # Law of total variance, with the draws at hand.
  spread <- 40 * mean(theta * (1 - theta)) + 1600 * stats::var(theta)
  expect_lt(abs(mean(new) - 40 * mean(theta)) / sqrt(spread / length(new)), 4)
  expect_equal(stats::var(new[, 1]), spread, tolerance = 0.05)
})

test_that("counts of a factor add up to the number of new records", {
  fit <- factor_fit()
  new <- rstantools::posterior_predict(fit, newdata = 7, seed = 3)
  expect_identical(colnames(new), c("a", "b", "c"))
  expect_true(all(rowSums(new) == 7))
  expect_equal(rowSums(rstantools::posterior_epred(fit, newdata = 7)), rep(7, nrow(new)))
})

test_that("expectations and log odds are functions of the draws", {
  theta <- draws_matrix(binary_fit()$draws)
  expect_equal(unname(rstantools::posterior_epred(binary_fit())), unname(theta))
  expect_equal(unname(rstantools::posterior_linpred(binary_fit())),
               unname(log(theta / (1 - theta))))
  expect_equal(unname(rstantools::posterior_linpred(binary_fit(), transform = TRUE)), unname(theta))
  theta <- draws_matrix(factor_fit()$draws)
  odds <- rstantools::posterior_linpred(factor_fit())
  expect_identical(colnames(odds), c("b", "c"))
  expect_equal(unname(odds), unname(log(theta[, 2:3] / theta[, 1])))
})

test_that("simulation depends on its seed and leaves R's generator alone", {
  fit <- factor_fit()
  withr::local_seed(1)
  before <- .Random.seed
  one <- rstantools::posterior_predict(fit, newdata = 5, seed = 3)
  expect_identical(.Random.seed, before)
  expect_identical(rstantools::posterior_predict(fit, newdata = 5, seed = 3), one)
  expect_false(identical(rstantools::posterior_predict(fit, newdata = 5, seed = 4), one))
  rstantools::posterior_predict(fit, newdata = 5)
  expect_false(identical(.Random.seed, before))
})

test_that("replicated releases have the mean and spread of the model", {
  fit <- binary_fit(iter = 20000)
  theta <- draws_matrix(fit$draws)
  replicated <- replicate_release(fit$model, theta, NULL, 5)
  expect_identical(colnames(replicated), "count(x=1)")
  spread <- mean(1000 * theta * (1 - theta)) + 1e6 * stats::var(theta[, 1]) + 2 * 20^2
  expect_lt(abs(mean(replicated) - 1000 * mean(theta)) / sqrt(spread / nrow(theta)), 4)
  expect_equal(stats::var(replicated[, 1]), spread, tolerance = 0.05)
})

test_that("replicated releases include a noisy n and keep the centre", {
  observation <- make_observation(c(n = 200, "sum(x)" = -40), scale = c(5, 3), kind = "moments")
  fit <- quick_fit(observation, iter = 8000)
  latent <- draws_matrix(fit$latent)
  replicated <- replicate_release(fit$model, draws_matrix(fit$draws), latent, 5)
  expect_identical(colnames(replicated), c("n", "sum(x)"))
  error <- replicated[, "n"] - latent[, "n"]
  expect_lt(abs(mean(error)) / sqrt(50 / length(error)), 4)
  expect_equal(stats::var(error), 50, tolerance = 0.1)
  expect_equal(mean(replicated[, "sum(x)"]), -40, tolerance = 0.05)
})

test_that("new records are a number", {
  fit <- binary_fit()
  for (bad in list(0, -1, 1.5, "2", NA, c(1, 2))) {
    expect_error(rstantools::posterior_predict(fit, newdata = bad),
                 "`newdata` must be a whole number", class = "noiseaware_error_input")
  }
  expect_error(rstantools::posterior_predict(fit, newdata = data.frame(x = 1)),
               "number of new records", class = "noiseaware_error_input")
})

test_that("given records are looked up by level", {
  fit <- factor_fit()
  found <- record_outcome(fit$model, data.frame(g = c("b", "a", "b")))
  expect_identical(found, cbind(a = c(0, 1, 0), b = c(1, 0, 1), c = c(0, 0, 0)))
  found <- record_outcome(binary_fit()$model, data.frame(x = c(TRUE, FALSE)))
  expect_identical(found, cbind("1" = c(1, 0)))
  expect_error(record_outcome(fit$model, data.frame(g = "z")), "not declared",
               class = "noiseaware_error_input")
  expect_error(record_outcome(fit$model, data.frame(h = "a")), "column g",
               class = "noiseaware_error_input")
})
