input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

test_that("infer() reads an observation and returns a fit", {
  fit <- infer(bernoulli_observation(), ~ x, seed = 1)
  expect_s3_class(fit, "noiseaware_fit")
  expect_identical(dim(fit$draws), c(1000L, 4L, 1L))
  expect_identical(fit$formula, "~x")
  expect_identical(fit$family, "bernoulli")
  expect_identical(fit$seed, 1)
  expect_visible(infer(bernoulli_observation(), ~ x, seed = 1))
})

test_that("families have other names and other forms", {
  families <- list(NULL, "bernoulli", "binomial", stats::binomial, stats::binomial())
  fits <- lapply(families, function(family) {
    infer(bernoulli_observation(), ~ x, family = family, seed = 1)
  })
  for (fit in fits[-1]) expect_identical(fit, fits[[1]])
  factor <- categorical_observation(c(50, 30, 20), 100)
  expect_identical(infer(factor, ~ g, family = "multinomial", seed = 1),
                   infer(factor, ~ g, seed = 1))
})

test_that("a formula may be left out if there is one column", {
  expect_identical(infer(bernoulli_observation(), seed = 1)$draws,
                   infer(bernoulli_observation(), ~ x, seed = 1)$draws)
})

test_that("thinning and warmup decide how many draws there are", {
  size <- function(...) {
    fit <- suppressWarnings(infer(bernoulli_observation(), ~ x, seed = 1, ...))
    dim(fit$draws)[1:2]
  }
  expect_identical(size(iter = 100), c(50L, 4L))
  expect_identical(size(iter = 100, warmup = 0, chains = 1), c(100L, 1L))
  expect_identical(size(iter = 100, warmup = 50, thin = 7), c(8L, 4L))
  expect_identical(size(iter = 100, thin = 7, method = method_exact(0)), c(8L, 4L))
})

test_that("a seed is taken from R once and stored", {
  withr::local_seed(3)
  first <- infer(bernoulli_observation(), ~ x)
  expect_identical(infer(bernoulli_observation(), ~ x, seed = first$seed), first)
  expect_false(identical(infer(bernoulli_observation(), ~ x)$seed, first$seed))
  withr::local_seed(3)
  expect_identical(infer(bernoulli_observation(), ~ x), first)
})

test_that("every argument is checked", {
  good <- bernoulli_observation()
  expect_snapshot(error = TRUE, {
    infer(3)
    infer(list(good, good))
    infer(good, "x")
    infer(good, ~ y)
    infer(good, ~ x + y)
    infer(good, ~ .)
    infer(good, y ~ x)
    infer(good, ~ x, family = 3)
    infer(good, ~ x, family = "poisson")
    infer(good, ~ x, prior = 1)
    infer(good, ~ x, prior = prior_dirichlet(1))
    infer(good, ~ x, method = "taylor")
    infer(good, ~ x, public = data.frame(y = 1))
    infer(good, ~ x, chains = 0)
    infer(good, ~ x, iter = 1.5)
    infer(good, ~ x, warmup = 2000)
    infer(good, ~ x, thin = 0)
    infer(good, ~ x, cores = 0)
    infer(good, ~ x, seed = -1)
    infer(good, ~ x, refresh = -1)
  })
})

test_that("arguments of models of numbers are checked", {
  sums <- sum_observation(4, 40)
  expect_snapshot(error = TRUE, {
    infer(sums)
    infer(sums, family = "poisson", prior = prior_nig(0, 1, 1, 1))
    infer(sums, family = stats::Gamma())
    infer(sums, family = stats::poisson("identity"))
    infer(sum_observation(4, NULL), family = "exponential")
    infer(sum_observation(4, 40, grid = 1), family = "exponential")
    infer(sum_observation(4, 40, upper = 2.5), family = "poisson")
    infer(sum_observation(4, 40, lower = -2, upper = 0), family = "exponential")
    infer(normal_observation(c(4, 8), 40), prior = prior_gamma(1, 1))
    infer(normal_observation(c(4, 8), 1), method = "gibbs")
    infer(normal_observation(c(40, 8), 10, noise = "none"))
  })
})

test_that("releases of this package and of others are read", {
  query <- query_tables(domain(smoker = dom_binary()), ~ smoker)
  rel <- as_release(query, n = 1000, values = c("count(smoker=1)" = 312.4),
                    noise = noise_laplace(10))
  oracle <- enumerate_bernoulli(312.4, "laplace", 10, 0, 1000, 1, 1)
  fit <- infer(rel, ~ smoker, seed = 1)
  expect_equal(fit$moments$mean, oracle$mean, tolerance = 1e-9)
  expect_equal(fit$log_evidence, oracle$log_evidence, tolerance = 1e-10)
})

test_that("a release set is fitted group by group, each with its own stream", {
  groups <- lapply(c(300, 500, 700), bernoulli_observation, n = 1000)
  set <- structure(list(releases = stats::setNames(groups, c("a", "b", "c")), by = "tract"),
                   class = "noiseaware_release_set")
  fits <- infer(set, ~ x, seed = 5)
  expect_s3_class(fits, "noiseaware_fit_set")
  expect_named(fits$fits, c("a", "b", "c"))
  expect_identical(fits$fits$b, infer(groups[[2]], ~ x, seed = 6))
  expect_equal(vapply(fits$fits, function(fit) fit$moments$mean, 0), c(a = .3, b = .5, c = .7),
               tolerance = 0.01)
  expect_stored(fits)
})

test_that("a release is required", {
  expect_error(infer(), "`release` is missing", class = "noiseaware_error_input")
  expect_error(infer(formula = ~ x), "`release` is missing", class = "noiseaware_error_input")
})
