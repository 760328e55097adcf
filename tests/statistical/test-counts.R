# Calibration of the models of counts: ranks of the truth among posterior draws are
# uniform (Talts et al. 2018). The limit is for all cells of the study together:
# sqrt(log(2 K / 0.01) / (2 M)) for K cells of M trials.

source(test_path("../testthat/helper-observation.R"), local = TRUE)

trials <- 1000
draws <- 99

laplace_noise <- function(n, scale) scale * (stats::rexp(n) - stats::rexp(n))

binary_trial <- function(n, scale, noisy_size = FALSE, coarse = FALSE) {
  theta <- stats::rbeta(1, 2, 3)
  size <- if (noisy_size) sample(seq(n - 200, n + 200), 1) else n
  noise <- function() {
    error <- if (coarse) stats::rgeom(1, 1 - exp(-1 / scale)) - stats::rgeom(1, 1 - exp(-1 / scale))
    if (coarse) error else laplace_noise(1, scale)
  }
  count <- stats::rbinom(1, size, theta) + noise()
  values <- if (noisy_size) c(n = size + noise(), "count(x=1)" = count) else c("count(x=1)" = count)
  list(observation = make_observation(values, scale = scale, grid = as.double(coarse),
                                      n = if (!noisy_size) n),
       formula = ~ x, prior = prior_beta(2, 3), variable = "theta", truth = theta)
}

factor_trial <- function(n, scale, alpha, released = alpha > 0, noise = "laplace") {
  theta <- stats::rgamma(length(alpha), alpha)
  counts <- stats::rmultinom(1, n, theta)[, 1]
  size <- length(alpha)
  error <- if (noise == "laplace") laplace_noise(size, scale) else stats::rnorm(size, 0, scale)
  observation <- categorical_observation(counts + error, n, scale, noise = noise)
  observation$statistics <- observation$statistics[released, ]
  list(observation = observation, formula = ~ g, prior = prior_dirichlet(alpha),
       variable = "theta[1]", truth = theta[[1]] / sum(theta))
}

cells <- list(
  "binary, n 10, scale 10" = function() binary_trial(10, 10),
  "binary, n 100, scale 1" = function() binary_trial(100, 1),
  "binary, n 1000, scale 30" = function() binary_trial(1000, 30),
  "binary, integer noise" = function() binary_trial(40, 2, coarse = TRUE),
  "binary, noisy n" = function() binary_trial(1000, 10, noisy_size = TRUE),
  "factor, n 10, scale 5" = function() factor_trial(10, 5, c(1, 2, 0.5)),
  "factor, n 1000, scale 20" = function() factor_trial(1000, 20, c(1, 2, 0.5, 3)),
  "factor, Gaussian noise" = function() factor_trial(200, 10, c(1, 2, 0.5), noise = "gaussian"),
  "factor, one count missing" = function() {
    factor_trial(200, 10, c(1, 2, 0.5), released = c(TRUE, FALSE, TRUE))
  }
)

ranks <- function(trial, method) {
  vapply(seq_len(trials), function(k) {
    case <- withr::with_seed(k, trial())
    fit <- suppressWarnings(infer(case$observation, case$formula, prior = case$prior, chains = 1,
                                  method = method, iter = 10 * draws, warmup = 0, thin = 10,
                                  seed = k))
    (0.5 + sum(fit$draws[, , case$variable] < case$truth)) / (draws + 1)
  }, 0)
}

distance <- function(u) {
  steps <- seq_along(u) / length(u)
  max(steps - sort(u), sort(u) - steps + 1 / length(u))
}

limit <- sqrt(log(2 * 2 * length(cells) / 0.01) / (2 * trials))

test_that("exact posteriors of counts are calibrated", {
  skip_if_not(identical(Sys.getenv("NOISEAWARE_SLOW"), "true"), "slow")
  for (name in names(cells)) {
    expect_lt(distance(ranks(cells[[name]], method_exact())), limit, label = name)
    expect_lt(distance(ranks(cells[[name]], method_exact(max_work = 0))), limit,
              label = paste(name, "by chains"))
  }
})

test_that("the study can fail: the naive method is not calibrated", {
  skip_if_not(identical(Sys.getenv("NOISEAWARE_SLOW"), "true"), "slow")
  expect_gt(distance(ranks(cells[["binary, n 10, scale 10"]], method_naive())), limit)
  expect_gt(distance(ranks(cells[["factor, n 10, scale 5"]], method_naive())), limit)
})
