fit <- quick_fit(bernoulli_observation(300, 1000, scale = 10))

test_that("tidy() has broom's columns", {
  found <- tidy(fit, prob = 0.8)
  expect_named(found, c("term", "estimate", "std.error", "conf.low", "conf.high"))
  draws <- draws_matrix(fit$draws)[, 1]
  expect_equal(found$estimate, mean(draws))
  expect_equal(found$std.error, stats::sd(draws))
  expect_equal(c(found$conf.low, found$conf.high),
               stats::quantile(draws, c(0.1, 0.9), names = FALSE))
  set <- new_fit_set(list(a = fit, b = fit), "tract")
  expect_named(tidy(set), c("group", names(found)))
})

test_that("glance() is one row", {
  found <- glance(fit)
  expect_identical(nrow(found), 1L)
  expect_identical(found$nobs, 1000)
  expect_identical(found$method, "exact")
  expect_identical(found$log_evidence, fit$log_evidence)
})

test_that("there are no records to augment, fit or subtract", {
  for (verb in list(augment, fitted, residuals)) {
    expect_error(verb(fit), "needs the records", class = "noiseaware_error_no_records")
  }
  expect_snapshot(error = TRUE, augment(fit))
})

test_that("records of one's own are looked up", {
  records <- data.frame(id = 1:3, x = c(1, 0, 1))
  draws <- draws_matrix(fit$draws)[, 1]
  found <- augment(fit, newdata = records)
  expect_named(found, c("id", "x", ".fitted", ".lower", ".upper", ".resid"))
  expect_equal(found$.fitted, rep(mean(draws), 3))
  expect_equal(found$.lower, rep(stats::quantile(draws, 0.05, names = FALSE), 3))
  expect_identical(fitted(fit, newdata = records), found$.fitted)
  expect_identical(residuals(fit, newdata = records), found$.resid)
})

test_that("fitted values and residuals add up to the records", {
  records <- data.frame(x = c(1, 0, 1))
  expect_equal(fitted(fit, newdata = records) + residuals(fit, newdata = records), records$x)
  many <- quick_fit(categorical_observation(c(50, 30, 20), 100))
  records <- data.frame(g = c("b", "a"))
  expect_equal(fitted(many, newdata = records), rbind(coef(many), coef(many)),
               ignore_attr = "dimnames")
  expect_equal(fitted(many, newdata = records) + residuals(many, newdata = records),
               cbind(a = c(0, 1), b = c(1, 0), c = c(0, 0)))
  found <- augment(many, newdata = records)
  expect_equal(found$.fitted_b + found$.resid_b, c(1, 0))
  expect_identical(nrow(augment(many, newdata = records[0, , drop = FALSE])), 0L)
})
