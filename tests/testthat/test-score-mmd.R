test_that("the squared discrepancy of a small example, negative as it should be", {
  p <- c(.1, .4, .35, .8)
  q <- c(.2, .9, .5, .55)
  expect_equal(mmd(p, q, scale = FALSE), -0.009444429759, tolerance = 1e-10)
})

# Gretton et al. (2012), eq. (4) and, for different sizes, (3), by matrices.
mmd_oracle <- function(x, y) {
  kernel <- function(a, b) {
    exp(-outer(seq_len(nrow(a)), seq_len(nrow(b)), Vectorize(function(i, j) {
      sum((a[i, ] - b[j, ])^2) / 2
    })))
  }
  off <- function(k) sum(k) - sum(diag(k))
  m <- nrow(x)
  n <- nrow(y)
  if (m == n) {
    return((off(kernel(x, x)) + off(kernel(y, y)) - 2 * off(kernel(x, y))) / (m * (m - 1)))
  }
  off(kernel(x, x)) / (m * (m - 1)) + off(kernel(y, y)) / (n * (n - 1)) -
    2 * mean(kernel(x, y))
}

test_that("discrepancies follow the definition for any shape of draws", {
  withr::local_seed(1)
  x <- matrix(rnorm(60), 30)
  y <- matrix(rnorm(80, 0.3), 40)
  expect_equal(mmd(x, y, scale = FALSE), mmd_oracle(x, y), tolerance = 1e-12)
  expect_equal(mmd(x[, 1], y[, 1], scale = FALSE), mmd_oracle(x[, 1, drop = FALSE],
                                                              y[, 1, drop = FALSE]))
  expect_equal(mmd(x[1:20, ], y[1:20, ], scale = FALSE), mmd_oracle(x[1:20, ], y[1:20, ]))
  units <- apply(y, 2, sd)
  scaled <- mmd_oracle(sweep(x, 2, units, `/`), sweep(y, 2, units, `/`))
  expect_equal(mmd(x, y), scaled)
  expect_equal(mmd(x, y, scale = units), scaled)
  expect_equal(mmd(1000 * x, 1000 * y), scaled)
})

test_that("fits, draws objects and matrices are the same thing", {
  query <- score_query()
  data <- data.frame(smoker = rep(0:1, c(30, 20)))
  release <- release_insecure(query, data, mech_laplace(1), seed = 1)
  fit <- infer(release, ~ smoker, seed = 1, iter = 200)
  yard <- infer_nonprivate(query, data, ~ smoker, seed = 2, iter = 200)
  draws <- as.vector(as_draws_matrix(fit))
  other <- as.vector(as_draws_matrix(yard))
  expect_identical(mmd(fit, yard), mmd(draws, other))
  expect_identical(mmd(as_draws_df(fit), as_draws_array(yard)), mmd(draws, other))
  expect_identical(ks_distance(fit, yard), c(theta = ks_distance(draws, other)))
  expect_equal(ks_distance(draws, other), unname(suppressWarnings(ks.test(draws, other)$statistic)))
  expect_equal(wasserstein(fit, yard, scale = FALSE),
               c(theta = mean(abs(sort(draws) - sort(other)))))
  expect_equal(wasserstein(fit, yard), wasserstein(fit, yard, scale = FALSE) / sd(other))
})

test_that("variables are matched by name", {
  withr::local_seed(2)
  x <- matrix(rnorm(40), 20, dimnames = list(NULL, c("a", "b")))
  y <- matrix(rnorm(40, 1), 20, dimnames = list(NULL, c("b", "a")))
  expect_equal(mmd(x, y), mmd(x, y[, c("a", "b")]))
  expect_named(ks_distance(x, y), c("a", "b"))
})

test_that("a variable without spread has no unit", {
  expect_equal(wasserstein(c(1, 2), c(3, 3)), 1.5)
})
