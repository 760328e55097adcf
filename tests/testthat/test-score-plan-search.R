# A plan whose width is 1 / epsilon and whose power is epsilon / (1 + epsilon).
search_with <- function(measure, value, grid = c(0.1, 1, 10), floor = list(width = 0, power = 1)) {
  plan <- list(target = list(measure = measure, value = value), variable = "theta")
  line <- function(epsilon) {
    data.frame(n = 5, epsilon = epsilon, variable = "theta", width = 1 / epsilon,
               power = epsilon / (1 + epsilon))
  }
  known <- do.call(rbind, lapply(grid, line))
  search_epsilon(plan, known, data.frame(n = 5, floor), line)$needed
}

test_that("the smallest epsilon that reaches the target, rounded up", {
  expect_equal(search_with("width", 0.4)$epsilon, 2.5, tolerance = 0.05)
  expect_gte(search_with("width", 0.4)$epsilon, 2.5)
  expect_gte(search_with("power", 0.8)$epsilon, 4)
  expect_equal(search_with("power", 0.8)$epsilon, 4, tolerance = 0.05)
  expect_identical(search_with("width", 0.4)$status, "found")
})

test_that("the search leaves the grid in both directions", {
  expect_equal(search_with("width", 50)$epsilon, 0.02, tolerance = 0.06)
  expect_equal(search_with("width", 1 / 300)$epsilon, 300, tolerance = 0.05)
  expect_equal(search_with("width", 2, grid = 1)$epsilon, 0.5, tolerance = 0.06)
})

test_that("what cannot be reached is said to be so", {
  out <- search_with("width", 0.4, floor = list(width = 0.5, power = 1))
  expect_identical(out$status, "out of reach")
  expect_true(is.na(out$epsilon))
  expect_identical(search_with("width", 1e-5)$status, "not found")
  expect_identical(search_with("width", 1e9)$status, "easily")
})

test_that("a wobbly grid is entered where everything beyond is good", {
  known <- data.frame(epsilon = c(1, 2, 3, 4), width = c(5, 2, 4, 1))
  target <- list(measure = "width", value = 3)
  expect_equal(bracket_epsilon(known, target, stop), c(3, 4))
})

test_that("mechanisms that cannot be calibrated end the search", {
  refuse <- function(epsilon) abort_query("too small a scale")
  expect_equal(step_out(10, 4, refuse), c(10, NA))
  expect_equal(step_out(0.1, 1 / 4, refuse), c(NA, 0.1))
})

test_that("numbers are rounded up to two digits", {
  expect_equal(round_up(c(0.1234, 0.12, 9.91, 99.01, 0.00101)), c(0.13, 0.12, 10, 100, 0.0011))
})

test_that("the answer of a real plan reaches its target, and hardly more", {
  plan <- plan_release(score_query(), 400, ~ smoker, guess = c(theta = 0.3), width = 0.12,
                       epsilon = c(0.03, 1), trials = 30, chains = 1, iter = 400, seed = 5)
  needed <- plan$needed
  expect_identical(needed$status, "found")
  expect_lte(needed$value, 0.12)
  expect_gt(needed$value, 0.105)
  expect_true(needed$epsilon %in% plan$table$epsilon)
})
