fit <- quick_fit(bernoulli_observation(300, 1000, scale = 10))

test_that("predict() summarises the predictive distribution", {
  found <- predict(fit, newdata = 50, prob = 0.8, seed = 2)
  new <- posterior_predict(fit, newdata = 50, seed = 2)
  expect_named(found, c("outcome", "estimate", "std.error", "conf.low", "conf.high"))
  expect_identical(found$outcome, "1")
  expect_equal(found$estimate, mean(new))
  expect_equal(found$conf.low, stats::quantile(new, 0.1, names = FALSE))
  expect_equal(predictive_interval(fit, prob = 0.8, newdata = 50, seed = 2)[1, ],
               c("10%" = found$conf.low, "90%" = found$conf.high))
})

test_that("one more record is the default", {
  expect_true(all(posterior_predict(fit, seed = 1) %in% 0:1))
  expect_equal(mean(posterior_epred(fit)), mean(fit$draws))
})

test_that("posterior_interval() is that of rstantools", {
  expect_equal(posterior_interval(fit, prob = 0.5),
               rstantools::posterior_interval(draws_matrix(fit$draws), prob = 0.5))
  many <- quick_fit(categorical_observation(c(50, 30, 20), 100))
  expect_identical(rownames(posterior_interval(many, variable = "theta[2]")), "theta[2]")
  expect_error(posterior_interval(many, variable = "beta"), "`variable`",
               class = "noiseaware_error_input")
  expect_error(posterior_interval(fit, prob = 1), "`prob`", class = "noiseaware_error_input")
})

test_that("predictions use the draws that are asked for", {
  expect_equal(posterior_epred(fit, draw_ids = 3:4)[, 1], draws_matrix(fit$draws)[3:4, 1])
  expect_identical(nrow(posterior_predict(fit, ndraws = 7)), 7L)
  expect_error(posterior_linpred(fit, transform = 1), "`transform`",
               class = "noiseaware_error_input")
})

test_that("the prior can be asked for", {
  found <- prior_summary(fit)
  expect_identical(found$prior, prior_beta(1, 1))
  expect_equal(found$moments$sd, sqrt(1 / 12))
  expect_output(print(found), "theta ~ Beta(1, 1)", fixed = TRUE)
})

test_that("probabilities do not depend on the number of new records", {
  expect_equal(posterior_linpred(fit, transform = TRUE, newdata = 50),
               stats::plogis(posterior_linpred(fit, newdata = 50)))
  many <- quick_fit(categorical_observation(c(50, 30, 20), 100))
  found <- posterior_linpred(many, transform = TRUE, newdata = 50)
  expect_identical(colnames(found), c("a", "b", "c"))
  expect_equal(rowSums(found), rep(1, nrow(found)))
  expect_error(posterior_linpred(fit, transform = TRUE, newdata = 0), "`newdata`",
               class = "noiseaware_error_input")
})
