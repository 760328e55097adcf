# One-posterior sampling: private as claimed, drawn as claimed, marked as a baseline.

target_of <- function(s, n, epsilon, shape1 = 10, shape2 = shape1, trim = 0.1, draws = 1,
                      power = ops_power(epsilon / draws, trim)) {
  ops_posterior(s, n, prior_beta(shape1, shape2), power, trim)
}

# The largest log ratio of densities between s and s + 1 successes. The ratio is
# monotone in theta, so that it is at an end.
worst_ratio <- function(n, epsilon, ..., trim = 0.1) {
  ends <- c(trim, 1 - trim)
  at <- vapply(0:n, function(s) ops_log_density(ends, target_of(s, n, epsilon, ..., trim = trim)),
               numeric(2))
  max(abs(at[, -1] - at[, -(n + 1)]))
}

test_that("replacing a record changes the density by at most epsilon", {
  # Beta(10, 10) on [0.1, 0.9]: exact to the digits that are given.
  expect_equal(worst_ratio(10, 0.1), 0.053, tolerance = 0.01)
  expect_equal(worst_ratio(10, 1), 0.619, tolerance = 5e-4)
  expect_equal(worst_ratio(100, 0.1), 0.069, tolerance = 0.01)
  expect_equal(worst_ratio(100, 1), 0.896, tolerance = 5e-4)
  for (n in c(1, 20, 300)) {
    for (trim in c(1e-4, 0.01, 0.3)) {
      for (epsilon in c(0.01, 1, 10)) {
        for (shape in c(0.5, 1, 4)) {
          power <- ops_power(epsilon, trim)
          if (power * (shape - 1) + 1 <= 0) next
          expect_lte(worst_ratio(n, epsilon, shape, trim = trim), epsilon * (1 + 1e-9))
        }
      }
    }
  }
})

test_that("a power without the factor of one half is caught", {
  twice <- 2 * ops_power(1, 0.1)
  expect_gt(worst_ratio(100, 1, power = twice), 1.5)
})

test_that("several draws share epsilon", {
  one <- target_of(30, 100, 1, draws = 1)
  ten <- target_of(30, 100, 1, draws = 10)
  # Ten densities multiply, so that ten draws of a tenth lose what one draw may.
  expect_lte(10 * worst_ratio(100, 1, draws = 10), 1)
  expect_equal(ten$shape1 - 1, (one$shape1 - 1) / 10)
  made <- baseline_ops(30, 100, 1, prior_beta(10, 10), draws = 10, seed = 1)
  expect_equal(attr(made, "baseline")$power, ops_power(0.1, 0.1))
})

test_that("the density is that of the flattened posterior", {
  target <- target_of(7, 20, 2, shape1 = 2, shape2 = 3, trim = 0.05)
  power <- ops_power(2, 0.05)
  raw <- function(theta) (theta^(2 + 7 - 1) * (1 - theta)^(3 + 13 - 1))^power
  total <- stats::integrate(raw, 0.05, 0.95, rel.tol = 1e-10)$value
  at <- c(0.05, 0.2, 0.5, 0.95)
  expect_equal(exp(ops_log_density(at, target)), raw(at) / total, tolerance = 1e-9)
})

test_that("draws follow the truncated distribution", {
  cdf <- function(x, target) {
    below <- function(at) stats::pbeta(at, target$shape1, target$shape2)
    (below(x) - below(target$trim)) / (below(1 - target$trim) - below(target$trim))
  }
  for (case in list(list(3, 10, 0.5), list(95, 100, 20), list(0, 50, 8), list(500, 1000, 5))) {
    size <- 4000
    made <- baseline_ops(case[[1]], case[[2]], case[[3]] * size, prior_beta(2, 2), draws = size,
                         trim = 0.05, seed = 11)
    target <- target_of(case[[1]], case[[2]], case[[3]], shape1 = 2, trim = 0.05)
    test <- stats::ks.test(as.vector(made), function(x) cdf(x, target))
    expect_gt(test$p.value, 1e-3)
    expect_true(all(made >= 0.05 & made <= 0.95))
  }
})

test_that("quantiles keep their digits when all mass is beyond an end", {
  # Almost exponential from the end on: rate = |slope of the log density| there.
  for (successes in c(0, 1e6)) {
    target <- target_of(successes, 1e6, 1000, shape1 = 1)
    u <- c(0.1, 0.5, 0.9)
    theta <- ops_quantile(u, target)
    rate <- abs((target$shape1 - 1) / 0.9 - (target$shape2 - 1) / 0.1)
    if (successes == 0) rate <- abs((target$shape1 - 1) / 0.1 - (target$shape2 - 1) / 0.9)
    distance <- if (successes == 0) -log1p(-u) / rate else -log(u) / rate
    expect_equal(if (successes == 0) theta - 0.1 else 0.9 - theta, distance, tolerance = 1e-3)
  }
})

test_that("the result is draws that say what they are", {
  made <- baseline_ops(30, 100, 1, draws = 5, seed = 3)
  expect_s3_class(made, c("noiseaware_baseline", "draws_matrix"), exact = FALSE)
  expect_identical(posterior::variables(made), "theta")
  expect_identical(posterior::ndraws(made), 5L)
  expect_s3_class(posterior::summarise_draws(made, "mean"), "draws_summary")
  expect_identical(nrow(posterior::as_draws_df(made)), 5L)
  mark <- attr(made, "baseline")
  expect_identical(mark[c("name", "epsilon", "relation", "exact_noise")],
                   list(name = "ops", epsilon = 1, relation = "replace_one", exact_noise = FALSE))
  said <- utils::capture.output(print(made))
  expect_match(said[[1]], "one-posterior sampling, 5 draws, epsilon = 1 in all")
  expect_match(said[[2]], "For studies only")
  expect_stored(made)
})

test_that("draws are a function of the seed, and R's generator is read once", {
  draw <- function(...) as.vector(baseline_ops(30, 100, 1, draws = 4, ...))
  expect_identical(draw(seed = 1), draw(seed = 1))
  expect_false(identical(draw(seed = 1), draw(seed = 2)))
  withr::local_seed(4)
  before <- .Random.seed
  draw(seed = 1)
  expect_identical(.Random.seed, before)
  draw()
  expect_false(identical(.Random.seed, before))
})

test_that("every argument is checked, and no message shows a count", {
  good <- list(successes = 30, n = 100, epsilon = 1, prior = prior_beta(1, 1), draws = 2,
               trim = 0.1, seed = 1)
  bad <- list(
    successes = list(NULL, -1, 0.5, NA, Inf, "3", c(1, 2), 101),
    n = list(NULL, -1, 0.5, NA, Inf, "3", c(1, 2), 29),
    epsilon = list(NULL, 0, -1, NA, Inf, "1", c(1, 2)),
    prior = list(NULL, 1, prior_dirichlet(1), "beta"),
    draws = list(NULL, 0, -1, 1.5, NA, Inf, "1", 1e9),
    trim = list(NULL, 0, 0.5, 0.9, -0.1, NA, "1"),
    seed = list(-1, 1.5, NA, "1")
  )
  for (arg in names(bad)) {
    for (value in bad[[arg]]) {
      arguments <- good
      arguments[arg] <- list(value)
      error <- expect_error(do.call(baseline_ops, arguments), class = "noiseaware_error_input")
      expect_no_match(paste(c(error$message, error$body), collapse = " "), "101|29\\b")
    }
  }
  for (arg in c("successes", "n", "epsilon")) {
    expect_error(do.call(baseline_ops, good[setdiff(names(good), arg)]), "is missing",
                 class = "noiseaware_error_input")
  }
  expect_error(baseline_ops(3, 10, 100, prior_beta(0.1, 1)), "do not fit together",
               class = "noiseaware_error_input")
})
