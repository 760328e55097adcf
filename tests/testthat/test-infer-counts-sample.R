# Test vectors: mpmath, 50 digits. The rest is checked by enumeration.

exact_of <- function(observation, formula, prior, kept = 10) {
  suppressWarnings(
    infer_one(observation, list(formula = formula, family = NULL, prior = prior, method = NULL,
                                run = check_run(2, kept, 0, 1, 1, 0), seed = 1)),
    classes = "noiseaware_warning_prior_dominated"
  )
}

test_that("one noisy count agrees with the published vectors", {
  cases <- list(
    list(bernoulli_observation(7.3, 10, scale = 2), 10, -2.3585955748, .5366347565),
    list(bernoulli_observation(7, 10, scale = 2, grid = 1), 10, -2.2701236380, .5336794137),
    list(bernoulli_observation(-30.5, 1000, scale = 100), 1, -7.9019510757, .1002553275),
    list(bernoulli_observation(55.2, 100, noise = "gaussian", scale = 4), 1, -4.6151205168,
         .5509803922)
  )
  for (case in cases) {
    fit <- exact_of(case[[1]], ~ x, prior_beta(case[[2]], case[[2]]))
    expect_equal(fit$log_evidence, case[[3]], tolerance = 1e-10)
    expect_equal(fit$moments$mean, case[[4]], tolerance = 1e-9)
  }
})

test_that("counts of a factor agree with the published vectors", {
  observation <- categorical_observation()
  fit <- exact_of(observation, ~ g, prior_dirichlet(5))
  expect_equal(fit$log_evidence, -8.1013798166, tolerance = 1e-11)
  expect_equal(fit$moments$mean[[1]], .3457493371, tolerance = 1e-9)
  observation$statistics <- observation$statistics[1:2, ]
  expect_equal(exact_of(observation, ~ g, prior_dirichlet(5))$log_evidence, -5.20026045985,
               tolerance = 1e-11)
})

test_that("a binary column passes the contract of a model", {
  for (noise in c("laplace", "gaussian")) {
    for (grid in c(0, 1)) {
      observation <- bernoulli_observation(8, 30, noise = noise, scale = 3, grid = grid)
      oracle <- enumerate_bernoulli(8, noise, 3, grid, 30, 1, 1)
      fit <- expect_model(observation, ~ x, "theta", oracle)
      expect_equal(fit$log_evidence, oracle$log_evidence, tolerance = 1e-10)
      expect_equal(fit$moments$privacy_share, oracle$privacy_share, tolerance = 1e-9)
    }
  }
})

test_that("a binary column of a moment release is taken about its centre", {
  observation <- make_observation(c("sum(x)" = -6.2), n = 30, kind = "moments", scale = 3)
  oracle <- enumerate_bernoulli(-6.2, "laplace", 3, 0, 30, 1, 1, centre = 0.5)
  expect_model(observation, ~ x, "theta", oracle)
})

test_that("a latent n is summed out", {
  size <- list(value = 33.1, noise = "gaussian", scale = 4, grid = 0)
  observation <- make_observation(c(n = 33.1, "sum(x)" = -6.2), noise = c("gaussian", "laplace"),
                                  scale = c(4, 3), kind = "moments", relation = "add_remove")
  oracle <- enumerate_bernoulli(-6.2, "laplace", 3, 0, size, 1, 1, centre = 0.5, most = 300)
  fit <- expect_model(observation, ~ x, "theta", oracle)
  expect_equal(fit$log_evidence, oracle$log_evidence, tolerance = 1e-10)
  expect_identical(posterior::variables(fit$latent), c("count(x=1)", "n"))
})

test_that("n may be told by another table", {
  regions <- c("a", "b", "c")
  columns <- list(binary_column(), factor_column(levels = regions))
  observation <- make_observation(
    c("count(x=1)" = 7.4, stats::setNames(c(9.3, 12.1, 4.4), paste0("count(g=", regions, ")"))),
    scale = 1.5, columns = columns, relation = "add_remove"
  )
  # The sum of three Laplace variables by numerical convolution.
  two <- function(x) (1 + abs(x) / 1.5) * exp(-abs(x) / 1.5) / 6
  three <- vapply(0:200, function(n) {
    stats::integrate(function(e) exp(-abs(25.8 - n - e) / 1.5) / 3 * two(e), -Inf, Inf,
                     rel.tol = 1e-10)$value
  }, 0)
  weights <- do.call(rbind, lapply(0:200, function(n) {
    s <- 0:n
    data.frame(n = n, s = s, w = exp(-abs(7.4 - s) / 1.5) / 3 / (n + 1) * three[[n + 1]])
  }))
  fit <- exact_of(observation, ~ x, NULL)
  expect_equal(fit$log_evidence, log(sum(weights$w)), tolerance = 1e-8)
  mean <- sum(weights$w * (1 + weights$s) / (2 + weights$n)) / sum(weights$w)
  expect_equal(fit$moments$mean, mean, tolerance = 1e-8)
})

test_that("a factor passes the contract of a model, in whole and in part", {
  values <- c(4.2, -1.1, 6.5)
  oracle <- enumerate_categorical(values, rep("laplace", 3), rep(3, 3), 8, rep(1, 3))
  fit <- expect_model(categorical_observation(values), ~ g, "theta[1]", oracle)
  expect_equal(fit$log_evidence, oracle$log_evidence, tolerance = 1e-10)
  expect_equal(fit$moments$privacy_share[[1]], oracle$privacy_share, tolerance = 1e-9)
  expect_equal(unname(rowSums(draws_matrix(fit$draws))), rep(1, posterior::ndraws(fit$draws)))

  partial <- categorical_observation(values)
  partial$statistics <- partial$statistics[c(1, 3), ]
  oracle <- enumerate_categorical(c(4.2, NA, 6.5), rep("laplace", 3), rep(3, 3), 8, rep(1, 3), 2)
  expect_model(partial, ~ g, "theta[2]", oracle)
})

test_that("a factor without any n is told by its counts", {
  values <- c(4.2, -1.1, 6.5)
  observation <- categorical_observation(values, n = NULL, scale = 0.7, relation = "add_remove")
  oracle <- enumerate_categorical(values, rep("laplace", 3), rep(.7, 3), NULL, rep(1, 3))
  fit <- expect_model(observation, ~ g, "theta[1]", oracle)
  expect_equal(fit$log_evidence, oracle$log_evidence, tolerance = 1e-8)
  expect_identical(posterior::variables(fit$latent), c(paste0("count(g=", letters[1:3], ")"), "n"))
})

test_that("without noise the posterior is conjugate", {
  fit <- exact_of(bernoulli_observation(30, 100, noise = "none"), ~ x, prior_beta(2, 5), 20000)
  expect_equal(fit$moments$mean, 32 / 107)
  expect_equal(fit$moments$privacy_share, 0)
  expect_draws_follow(fit, "theta", list(mean = 32 / 107, sd = sqrt(32 * 75 / 107^2 / 108),
                                         cdf = function(x) stats::pbeta(x, 32, 75)))
  fit <- exact_of(categorical_observation(c(2, 3, 4), 9, noise = "none"), ~ g, NULL)
  expect_equal(fit$moments$mean, c(3, 4, 5) / 12)
})

test_that("more budget narrows the posterior, less moves it to the prior", {
  sd_at <- function(scale) {
    exact_of(bernoulli_observation(300, 1000, scale = scale), ~ x, NULL)$moments$sd
  }
  sds <- vapply(c(1, 10, 100, 1000, 1e5), sd_at, 0)
  expect_true(all(diff(sds) > 0))
  expect_equal(sd_at(1e5), sqrt(1 / 12), tolerance = 1e-3)
  expect_equal(sd_at(1e-3), sqrt(301 * 701 / 1002^2 / 1003), tolerance = 1e-6)
})

test_that("the exact method passes the contract of a method", {
  simulate <- function(trial) {
    theta <- stats::rbeta(1, 2, 3)
    value <- stats::rbinom(1, 50, theta) + 6 * (stats::rexp(1) - stats::rexp(1))
    list(observation = bernoulli_observation(value, 50, scale = 6), prior = prior_beta(2, 3),
         truth = theta)
  }
  oracle <- enumerate_bernoulli(7.3, "laplace", 2, 0, 10, 1, 1)
  expect_method("exact", bernoulli_observation(), ~ x, "theta", oracle, simulate)
  # The scorer can fail: the naive method is not calibrated.
  expect_gt(calibration_distance("naive", ~ x, "theta", simulate), 1)
})

test_that("Markov chains on the counts pass the contract of a method", {
  values <- c(14.2, -1.1, 16.5)
  simulate <- function(trial) {
    theta <- stats::rgamma(3, 1)
    counts <- stats::rmultinom(1, 40, theta)[, 1]
    list(observation = categorical_observation(counts + stats::rnorm(3, 0, 5), 40, 5,
                                               noise = "gaussian"),
         prior = prior_dirichlet(1), truth = theta[[1]] / sum(theta))
  }
  oracle <- enumerate_categorical(values, rep("laplace", 3), rep(3, 3), 30, rep(1, 3))
  fit <- expect_method(method_exact(max_work = 0), categorical_observation(values, 30), ~ g,
                       "theta[1]", oracle, simulate)
})

test_that("Markov chains say so, and serve binary columns and latent n", {
  observation <- make_observation(c(n = 33.1, "sum(x)" = -6.2), scale = 3, kind = "moments")
  size <- list(value = 33.1, noise = "laplace", scale = 3, grid = 0)
  oracle <- enumerate_bernoulli(-6.2, "laplace", 3, 0, size, 1, 1, centre = 0.5, most = 300)
  fit <- infer(observation, ~ x, method = method_exact(max_work = 0), seed = 4, iter = 5000)
  expect_identical(fit$sampler$kind, "chains")
  expect_length(fit$sampler$acceptance, 4)
  expect_draws_follow(fit, "theta", oracle)
  # Averages over the draws of the counts, not of theta.
  expect_equal(fit$moments$mean, oracle$mean, tolerance = 0.01)
  expect_equal(fit$moments$sd, oracle$sd, tolerance = 0.02)
  expect_equal(fit$moments$privacy_share, oracle$privacy_share, tolerance = 0.03)
  expect_true(is.na(fit$log_evidence))
})

test_that("the naive method takes the release at face value", {
  naive <- function(observation) quick_fit(observation, method = "naive")
  beta_mean <- function(s, n) (1 + s) / (2 + n)
  expect_equal(naive(bernoulli_observation(7.3, 10))$moments$mean, beta_mean(7.3, 10))
  expect_equal(naive(bernoulli_observation(-4, 10))$moments$mean, beta_mean(0, 10))
  expect_equal(naive(bernoulli_observation(14, 10))$moments$mean, beta_mean(10, 10))
  expect_equal(naive(categorical_observation(c(4, -1, 6), 8))$moments$mean, c(1 + 3, 1, 1 + 5) / 11)
  expect_equal(naive(categorical_observation(c(4, -1, 6), NULL))$moments$mean, c(5, 1, 7) / 13)
  expect_true(is.na(naive(bernoulli_observation())$moments$privacy_share))
  partial <- categorical_observation(c(4, -1, 6), 8)
  partial$statistics <- partial$statistics[1, ]
  expect_equal(naive(partial)$moments$mean, c(5, 3, 3) / 11)
})

test_that("releases that no counts can explain are refused", {
  refused <- function(observation, pattern) {
    expect_error(infer(observation), pattern, class = "noiseaware_error_model")
  }
  refused(categorical_observation(c(2, 3, 4), 10, noise = "none"), "cannot have produced")
  refused(bernoulli_observation(7.3, 10, grid = 1), "grid")
})
