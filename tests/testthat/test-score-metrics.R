test_that("overlap of intervals by hand", {
  expect_equal(interval_overlap(c(0, 2), c(1, 5)), (1 / 2 + 1 / 4) / 2)
  expect_equal(interval_overlap(c(0, 2), c(0, 2)), 1)
  expect_equal(interval_overlap(c(1, 2), c(0, 4)), (1 + 1 / 4) / 2)
  expect_equal(interval_overlap(c(0, 1), c(2, 3)), 0)
  expect_equal(interval_overlap(c(1, 1), c(1, 1)), 0)
})

test_that("measures of one variable by hand", {
  draws <- seq(1, 3, length.out = 101)
  yard <- seq(0, 2, length.out = 101)
  found <- compare_draws(draws, yard, truth = 2.5, prob = 0.9, null = 0.05, range = c(-Inf, Inf))
  expect_equal(c(found$lower, found$upper), c(1.1, 2.9))
  expect_true(found$covered)
  expect_equal(found$width_ratio, 1)
  expect_equal(found$overlap, 0.8 / 1.8)
  expect_equal(found$wasserstein, 1 / sd(yard))
  expect_equal(found$ks, 0.5, tolerance = 0.02)
  expect_true(found$sign_match)
  # 0.05 is outside [1.1, 2.9] and outside [0.1, 1.9]; 0.5 is outside one of them.
  expect_true(found$significance_match)
  other <- compare_draws(draws, yard, 2.5, 0.9, null = 0.5, c(-Inf, Inf))
  expect_false(other$significance_match)
  expect_false(compare_draws(draws, yard, 2.5, 0.9, null = 1.5, c(-Inf, Inf))$sign_match)
  expect_equal(found$squared_error, 0.25)
  expect_equal(found$mmd, sqrt(mmd(draws, yard)))
})

test_that("the log score is the log density of the draws at the truth", {
  withr::local_seed(3)
  draws <- rnorm(50000)
  for (at in c(-2, 0, 1)) {
    expect_equal(log_score(draws, at, c(-Inf, Inf)), dnorm(at, log = TRUE), tolerance = 0.03)
  }
  # At a bound half of the kernel would be lost.
  expect_equal(log_score(rexp(50000), 0, c(0, Inf)), 0, tolerance = 0.1)
  expect_equal(log_score(runif(50000), 1, c(0, 1)), 0, tolerance = 0.03)
  expect_true(is.finite(log_score(draws, 1e6, c(-Inf, Inf))))
})

test_that("effects are told from 0, or from the prior mean", {
  task <- study_task(score_query(), mech_laplace(1), 10,
                     read_question(~ smoker, NULL, prior_beta(1, 3), NULL))
  expect_equal(default_null(task$model, task$prior), c(theta = 0.25))
  expect_equal(check_null(c(theta = 0.5), task$model, task$prior), c(theta = 0.5))
  expect_equal(check_null(0.5, task$model, task$prior), c(theta = 0.5))
})
