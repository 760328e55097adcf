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

test_that("n is told by tables of any number of columns", {
  columns <- list(binary_column("a"), binary_column("b"), factor_column("c"))
  cells <- expand.grid(a = 0:1, b = 0:1, c = letters[1:3])
  names <- paste0("count(a=", cells$a, ",b=", cells$b, ",c=", cells$c, ")")
  three <- c("count(a=1)" = 30, stats::setNames(1:12, names))
  size <- size_from_tables(make_observation(three, columns = columns))
  expect_identical(size$value, 78)
  expect_identical(size$source, "sum of the table of a:b:c")
  expect_identical(size$statistics, names)
  partial <- make_observation(three[-5], columns = columns)
  expect_identical(size_from_tables(partial)$status, "unknown")
})

test_that("a query of ours with one table of three columns can be analysed", {
  d <- domain(a = dom_binary(), b = dom_binary(), c = c("p", "q", "r"))
  query <- query_tables(d, ~ a + a:b:c, "add_remove")
  people <- data.frame(a = rep(0:1, 300), b = rep(0:2 > 1, 200), c = rep(c("p", "q", "r"), 200))
  rel <- suppressWarnings(release_insecure(query, people, mech_laplace(2), seed = 1))
  fit <- quick_fit(rel, ~ a)
  expect_identical(fit$model$size$status, "noisy")
  expect_identical(fit$model$size$terms, 12L)
  expect_equal(fit$moments$mean, 0.5, tolerance = 0.1)
})

test_that("the least noise is the least variance, whatever the mechanism", {
  columns <- list(factor_column(), factor_column("h"))
  g <- stats::setNames(1:3, paste0("count(g=", letters[1:3], ")"))
  h <- stats::setNames(4:6, paste0("count(h=", letters[1:3], ")"))
  # Variances: 2 * 10^2 for each Laplace cell, 12^2 for each Gaussian one.
  mixed <- make_observation(c(g, h), columns = columns, scale = rep(c(10, 12), each = 3),
                            noise = rep(c("laplace", "gaussian"), each = 3))
  expect_identical(size_from_tables(mixed)$source, "sum of the table of h")
})

test_that("columns are read from names of statistics, whatever the levels hold", {
  columns <- list(binary_column("a", c("x,b=1", "y*z")), factor_column("b", c("1", "2,a=y*z", "=")),
                  real_column())
  read <- function(kind, ...) {
    statistic_columns(make_observation(stats::setNames(seq_along(c(...)), c(...)), kind = kind,
                                       columns = columns))
  }
  expect_identical(read("tables", "n", "count(a=y*z)", "count(a=x,b=1)", "count(a=x,b=1,b=2,a=y*z)",
                        "count(a=y*z,b==)", "count(d=1)"),
                   list(character(), "a", "a", c("a", "b"), c("a", "b"), character()))
  expect_identical(read("moments", "sum(age)", "sum(age*age)", "sum(b=2,a=y*z*age)", "sum(a*b==)"),
                   list("age", "age", c("b", "age"), c("a", "b")))
})

test_that("a tally counts n in the records", {
  tally <- bernoulli_observation(3, 10, noise = "none", origin = "tally")
  expect_identical(observed_size(tally)$source, "counted in the records")
})
