test_that("ranks count draws below the truth and split ties", {
  expect_equal(core_rank(c(1, 2, 3), TRUE, 2.5, 0.5), 2.5 / 4)
  expect_equal(core_rank(c(1, 2, 2, 3), TRUE, 2, 0.25), (1 + 0.25 * 3) / 5)
  expect_equal(core_rank(c(1, 2, 3), TRUE, 0, 0.1), 0.1 / 4)
  expect_equal(core_rank(c(1, 2, 3), TRUE, 9, 0.9), 3.9 / 4)
})

test_that("ranks among independent draws are uniform, ties or not", {
  withr::local_seed(4)
  smooth <- replicate(2000, core_rank(rnorm(9), TRUE, rnorm(1), runif(1)))
  tied <- replicate(2000, core_rank(rbinom(9, 3, 0.5), TRUE, rbinom(1, 3, 0.5), runif(1)))
  expect_lt(ks_uniform_cpp(smooth), 1.95 / sqrt(2000))
  expect_lt(ks_uniform_cpp(tied), 1.95 / sqrt(2000))
})

test_that("chains are thinned to what they are worth", {
  withr::local_seed(5)
  chain <- matrix(as.vector(stats::filter(rnorm(4000), 0.95, "recursive")), 1000)
  score <- function(draws, independent) {
    score_draws_cpp(draws, independent, 0.3, list(u = 0.4, prob = 0.9))
  }
  expect_equal(score(chain, FALSE)[["draws"]], floor(posterior::ess_basic(chain)))
  expect_equal(score(chain, FALSE)[["u"]], rank_of_truth(thinned(chain), 0.3, 0.4))
  expect_equal(score(chain, TRUE)[["draws"]], 4000)
  expect_equal(score(matrix(1, 100, 2), FALSE)[["draws"]], 1)
})

test_that("ranks of autocorrelated draws are uniform only after thinning", {
  withr::local_seed(6)
  # A stationary chain and a truth from its own distribution.
  chain <- function() {
    innovations <- rnorm(400) * sqrt(1 - 0.97^2)
    matrix(as.vector(stats::filter(innovations, 0.97, "recursive", init = rnorm(1))), 200)
  }
  ranks <- function(independent) {
    replicate(600, core_rank(chain(), independent, rnorm(1), runif(1)))
  }
  expect_gt(rank_tests(ranks(TRUE), 1)$spread, 5)
  expect_lt(abs(rank_tests(ranks(FALSE), 1)$spread), 4)
})

test_that("a fit is scored variable by variable", {
  query <- query_tables(domain(r = c("p", "q", "s")), ~ r, "replace_one")
  data <- data.frame(r = rep(c("p", "q", "s"), c(5, 10, 15)))
  fit <- infer(release_insecure(query, data, mech_laplace(1), 1), ~ r, seed = 1, iter = 200)
  rows <- score_fit(fit, c(0.2, 0.3, 0.5), 0.8, 7)
  draws <- draws_matrix(fit$draws)
  expect_identical(rows$variable, colnames(draws))
  u <- draw_uniforms_cpp(3, 7)
  for (k in 1:3) {
    expect_equal(rows$u[[k]], rank_of_truth(draws[, k], rows$truth[[k]], u[[k]]))
    expect_equal(c(rows$lower[[k]], rows$upper[[k]]),
                 quantile(draws[, k], c(0.1, 0.9), names = FALSE))
  }
  expect_equal(rows$mean, unname(colMeans(draws)))
  expect_equal(rows$draws, rep(400, 3))
})
