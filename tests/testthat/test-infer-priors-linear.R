test_that("priors take numbers, vectors and matrices, and refuse the rest", {
  expect_identical(prior_nig(0, 1, 2, 3)$mean, 0)
  expect_identical(prior_nig(0, 1, 2, 3)$precision, 1)
  expect_identical(prior_nig(c(a = 1, b = 2), 1, 2, 3)$mean, c(a = 1, b = 2))
  expect_identical(prior_niw(1:2, 1, diag(2), 3)$scale, diag(2))
  expect_output(print(prior_nig(c(1, 2), diag(2), 2, 3)), "(1, 2), [2 x 2 matrix], 2, 3",
                fixed = TRUE)
  expect_output(print(prior_niw(0, 1, c(2, 3), 5)), "NormalInverseWishart(0, 1, (2, 3), 5)",
                fixed = TRUE)
  refused <- function(expr, text) expect_error(expr, text, class = "noiseaware_error_input")
  refused(prior_nig(NA, 1, 2, 3), "`mean`")
  refused(prior_nig("a", 1, 2, 3), "`mean`")
  refused(prior_nig(numeric(), 1, 2, 3), "`mean`")
  refused(prior_nig(diag(2), 1, 2, 3), "`mean`")
  refused(prior_nig(c(a = 1, a = 2), 1, 2, 3), "`mean`")
  refused(prior_nig(0, 0, 2, 3), "`precision`")
  refused(prior_nig(0, c(1, -1), 2, 3), "`precision`")
  refused(prior_nig(0, matrix(c(1, 2, 2, 1), 2), 2, 3), "positive definite")
  refused(prior_nig(0, matrix(c(1, 0.5, 0, 1), 2), 2, 3), "symmetric")
  refused(prior_nig(0, matrix(1, 2, 3), 2, 3), "positive definite")
  refused(prior_niw(0, 0, 1, 5), "`kappa`")
  refused(prior_niw(0, 1, -1, 5), "`scale`")
  refused(prior_niw(0, 1, 1, Inf), "`df`")
  refused(prior_niw(0, 1, 1), "`df`")
  expect_stored(priors(prior_nig(c(a = 1, b = 2), diag(2), 2, 3), prior_niw(0, 1, 1, 5)))
})

test_that("a normal model takes one mean only", {
  observation <- normal_observation(c(1, 4), 30)
  expect_error(infer(observation, ~ x, prior = prior_nig(c(1, 2), 1, 2, 3)), "one `mean`",
               class = "noiseaware_error_model")
})
