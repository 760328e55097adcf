test_that("priors are values that can be stored", {
  expect_identical(unclass(prior_gamma(1, 2)), list(name = "gamma", shape = 1, rate = 2))
  expect_identical(unclass(prior_nig(-3, 0.1, 2, 9)),
                   list(name = "nig", mean = -3, precision = 0.1, shape = 2, rate = 9))
  expect_stored(prior_gamma(1, 2))
  expect_stored(prior_nig(0, 1, 2, 3))
})

test_that("every number is checked", {
  for (bad in list(0, -1, NA, Inf, NaN, "1", c(1, 2), NULL, list(1))) {
    expect_error(prior_gamma(bad, 1), "`shape` must be a positive number",
                 class = "noiseaware_error_input")
    expect_error(prior_gamma(1, bad), "`rate` must be a positive number",
                 class = "noiseaware_error_input")
    expect_error(prior_nig(0, 1, bad, 1), "`shape` must be a positive number",
                 class = "noiseaware_error_input")
    expect_error(prior_nig(0, 1, 1, bad), "`rate` must be a positive number",
                 class = "noiseaware_error_input")
  }
  for (bad in list(0, -1, NA, Inf, NaN, "1", c(1, -2), NULL, list(1))) {
    expect_error(prior_nig(0, bad, 1, 1), "`precision` must be positive numbers",
                 class = "noiseaware_error_input")
  }
  for (bad in list(NA, Inf, "1", c(1, NA), NULL)) {
    expect_error(prior_nig(bad, 1, 1, 1), "`mean` must be one or more finite numbers",
                 class = "noiseaware_error_input")
  }
  expect_error(prior_gamma(1e-5, 1), "at least 0.01", class = "noiseaware_error_input")
})

test_that("a number that is left out is named", {
  expect_error(prior_gamma(), "`shape` is missing", class = "noiseaware_error_input")
  expect_error(prior_gamma(1), "`rate` is missing", class = "noiseaware_error_input")
  expect_error(prior_nig(), "`mean` is missing", class = "noiseaware_error_input")
  expect_error(prior_nig(0), "`precision` is missing", class = "noiseaware_error_input")
  expect_error(prior_nig(0, 1), "`shape` is missing", class = "noiseaware_error_input")
  expect_error(prior_nig(0, 1, 1), "`rate` is missing", class = "noiseaware_error_input")
})

test_that("priors print", {
  expect_snapshot({
    prior_gamma(2, 0.25)
    prior_nig(120, 0.1, 1.5, 225)
    priors(prior_gamma(1, 1), prior_nig(0, 1, 2, 3))
  })
})
