declared <- regression_declared()
fit <- quick_fit(moment_observation(regression_data(), declared, noise = "laplace", scale = 2),
                 y ~ x + b + g)
mine <- data.frame(x = c(20, 80), b = c(0, 1), g = c("a", "c"), y = c(5, 12))

test_that("expectations are linear in the covariates", {
  theta <- draws_matrix(fit$draws)
  found <- posterior_epred(fit, newdata = mine)
  expect_equal(found[, 1], unname(theta[, "(Intercept)"] + 20 * theta[, "x"]))
  expect_equal(found[, 2], unname(theta[, "(Intercept)"] + 80 * theta[, "x"] + theta[, "b"] +
                                    theta[, "gc"]))
  expect_identical(posterior_linpred(fit, newdata = mine), found)
  expect_identical(posterior_linpred(fit, newdata = mine, transform = TRUE), found)
  expect_identical(colnames(found), c("1", "2"))
  coded <- transform(mine, b = c(FALSE, TRUE), g = factor(g))
  expect_identical(posterior_epred(fit, newdata = coded), found)
})

test_that("predictions have the residual spread", {
  simulated <- posterior_predict(fit, newdata = mine, seed = 1)
  residual <- simulated - posterior_epred(fit, newdata = mine)
  sigma <- draws_matrix(fit$draws)[, "sigma"]
  z <- residual / sigma
  expect_gt(ks.test(as.vector(z), pnorm)$p.value, 1e-3)
  expect_identical(simulated, posterior_predict(fit, newdata = mine, seed = 1))
  table <- predict(fit, mine, seed = 1)
  expect_identical(table$outcome, c("1", "2"))
  expect_true(all(table$conf.low < table$estimate & table$estimate < table$conf.high))
  expect_identical(dim(predictive_interval(fit, newdata = mine)), c(2L, 2L))
})

test_that("augment() has residuals where the outcome is given", {
  found <- augment(fit, mine)
  expect_equal(found$.fitted + found$.resid, mine$y)
  expect_equal(fitted(fit, mine), found$.fitted)
  expect_equal(residuals(fit, mine), found$.resid)
  expect_true(all(is.na(augment(fit, mine[1:3])$.resid)))
  expect_error(augment(fit), class = "noiseaware_error_no_records")
  expect_identical(tidy(fit)$term, c("(Intercept)", "x", "b", "gb", "gc", "sigma"))
  expect_identical(glance(fit)$nobs, 60)
})

test_that("newdata that does not fit is refused", {
  refused <- function(newdata, text) {
    expect_error(posterior_epred(fit, newdata = newdata), text, class = "noiseaware_error_input")
  }
  refused(NULL, "`newdata` is missing")
  refused(5, "a data frame")
  refused(mine["x"], "must have the column")
  refused(transform(mine, g = c("a", "z")), "not declared")
  refused(transform(mine, b = c(0, 2)), "not declared")
  refused(transform(mine, x = c(1, NA)), "missing values")
  refused(transform(mine, x = c(1, Inf)), "finite numbers")
  refused(transform(mine, x = c("1", "2")), "finite numbers")
  expect_error(augment(fit, transform(mine, y = c("a", "b"))), class = "noiseaware_error_input")
  expect_identical(ncol(posterior_epred(quick_fit(fit$observation, y ~ 1))), 1L)
})

test_that("replicated releases are centred where the release is", {
  replicated <- pp_check_data(fit, seed = 1)
  expect_setequal(as.character(replicated$statistic), fit$model$moments$statistic)
  expect_true(all(replicated$below > 0.02 & replicated$below < 0.98))
  naive <- quick_fit(fit$observation, y ~ x, method = "naive")
  expect_identical(nrow(pp_check_data(naive, seed = 1)), 5L)
  expect_s3_class(plot(fit), "ggplot")
  expect_s3_class(plot(fit, type = "trace"), "ggplot")
})

test_that("replications have the mean and variance of sums of records", {
  model <- find_model(read_formula(y ~ x, fit$observation), NULL, fit$observation)
  size <- 4000
  theta <- matrix(c(3, 0.1, 0.8), size, 3, byrow = TRUE,
                  dimnames = list(NULL, c("(Intercept)", "x", "sigma")))
  latent <- matrix(c(50, 144), size, 2, byrow = TRUE,
                   dimnames = list(NULL, c("mu_x[x]", "Sigma_x[x,x]")))
  for (n in c(2, 3, 60)) {
    model$size$value <- n
    model$moments$scale <- 1e-9
    drawn <- replicate_release(model, theta, latent, seed = n)
    rows <- withr::with_seed(n, replicate(size, {
      x <- rnorm(n, 50, 12)
      y <- 3 + 0.1 * x + 0.8 * rnorm(n)
      c(sum(x - 50), sum(y - 8), sum((x - 50)^2), sum((x - 50) * (y - 8)), sum((y - 8)^2))
    }))
    rows <- t(rows)[, match(colnames(drawn), paper_statistics)]
    spread <- apply(rows, 2, sd)
    expect_lt(max(abs(colMeans(drawn) - colMeans(rows)) / spread * sqrt(size / 2)), 4.5)
    expect_equal(cor(drawn), cor(rows), tolerance = 0.15, ignore_attr = TRUE)
    expect_equal(apply(drawn, 2, sd), spread, tolerance = 0.1, ignore_attr = TRUE)
  }
})
