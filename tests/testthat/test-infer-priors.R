test_that("priors are values that can be stored", {
  expect_identical(unclass(prior_beta(1, 2)), list(name = "beta", shape1 = 1, shape2 = 2))
  expect_identical(prior_dirichlet(c(a = 1, b = 2))$concentration, c(a = 1, b = 2))
  expect_length(priors(prior_beta(1, 1), prior_dirichlet(1)), 2)
  expect_stored(priors(prior_beta(1, 1), prior_dirichlet(1)))
})

test_that("weights are positive numbers", {
  for (bad in list(0, -1, NA, Inf, "1", c(1, 2), NULL, 1e-9)) {
    expect_error(prior_beta(bad, 1), "`shape1` must be a positive number",
                 class = "noiseaware_error_input")
    expect_error(prior_beta(1, bad), "`shape2` must be a positive number",
                 class = "noiseaware_error_input")
  }
  for (bad in list(0, c(1, -1), NA_real_, Inf, "1", numeric(), NULL, matrix(1))) {
    expect_error(prior_dirichlet(bad), "`concentration` must be", class = "noiseaware_error_input")
  }
  expect_error(prior_dirichlet(c(a = 1, a = 2)), "distinct", class = "noiseaware_error_input")
  expect_error(priors(), "at least one", class = "noiseaware_error_input")
  expect_error(priors(3), "prior_beta", class = "noiseaware_error_input")
})

test_that("priors print", {
  expect_snapshot({
    prior_beta(0.5, 2)
    prior_dirichlet(1)
    prior_dirichlet(c(1, 2, 3))
    priors(prior_beta(1, 1), prior_dirichlet(2))
  })
})

test_that("a number that is left out is named", {
  expect_error(prior_beta(), "`shape1` is missing", class = "noiseaware_error_input")
  expect_error(prior_beta(1), "`shape2` is missing", class = "noiseaware_error_input")
  expect_error(prior_dirichlet(), "`concentration` is missing", class = "noiseaware_error_input")
})
