test_that("an observation is what it observes", {
  observation <- bernoulli_observation()
  expect_identical(observe(observation), observation)
})

test_that("n is public, released, exact or unknown", {
  expect_identical(observed_size(bernoulli_observation(n = 10))$status, "known")
  noisy <- make_observation(c(n = 9.5, "count(x=1)" = 3), scale = 4)
  size <- observed_size(noisy)
  expect_identical(size[c("status", "value", "noise", "scale", "terms")],
                   list(status = "noisy", value = 9.5, noise = "laplace", scale = 4, terms = 1L))
  exact <- make_observation(c(n = 9, "count(x=1)" = 3), noise = c("none", "laplace"))
  expect_identical(observed_size(exact)[c("status", "value")], list(status = "known", value = 9))
  expect_identical(observed_size(bernoulli_observation(n = NULL))$status, "unknown")
})

test_that("n is told by the whole table with the least noise", {
  columns <- list(binary_column(), factor_column(), factor_column("h", c("p", "q", "r", "s")))
  g <- stats::setNames(1:3, paste0("count(g=", letters[1:3], ")"))
  h <- stats::setNames(11:14, paste0("count(h=", c("p", "q", "r", "s"), ")"))
  both <- make_observation(c("count(x=1)" = 5, g, h), columns = columns,
                           scale = c(1, rep(5, 3), rep(2, 4)))
  size <- size_from_tables(both)
  expect_identical(size$source, "sum of the table of h")
  expect_identical(size$value, 50)
  expect_identical(size$terms, 4L)
  partial <- make_observation(c("count(x=1)" = 5, g[-1]), columns = columns)
  expect_identical(size_from_tables(partial)$status, "unknown")
  cells <- expand.grid(x = 0:1, g = letters[1:3])
  pair <- stats::setNames(1:6, paste0("count(x=", cells$x, ",g=", cells$g, ")"))
  expect_identical(size_from_tables(make_observation(pair, columns = columns))$value, 21)
  unequal <- make_observation(g, columns = columns, scale = c(1, 2, 3))
  expect_identical(size_from_tables(unequal)$status, "unknown")
  coarse <- make_observation(g, columns = columns, noise = "gaussian", scale = 1, grid = 1)
  expect_identical(size_from_tables(coarse)$status, "unknown")
  none <- make_observation(g, columns = columns, noise = "none")
  expect_identical(size_from_tables(none)[c("status", "value")], list(status = "known", value = 6))
})

test_that("numbers and lists are written for people", {
  expect_identical(format_number(c(1000, 0.25, 1234.5678, NA, 1e20, 1e-7)),
                   c("1,000", "0.25", "1,235", "NA", "1e+20", "1e-07"))
  expect_identical(list_some(1:3), "1, 2, 3")
  expect_identical(list_some(1:12, 2), "1, 2, ... (12 in all)")
  expect_identical(describe_noise(c("laplace", "gaussian", "none"), c(1, 2, 0)),
                   c("Laplace noise, sd 1.414", "Gaussian noise, sd 2", "no noise"))
  expect_identical(describe_noise("laplace", 1, terms = 2), "Laplace noise, sd 2")
})
