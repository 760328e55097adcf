# Rates: exact likelihoods against lattice sums, approximations against exact ones.

rate_case <- function(family, value, size, scale, noise = "laplace", lower = 0, upper = 3,
                      outside = "clamp", centre = (lower + upper) / 2, grid = 0,
                      prior = prior_gamma(2, 2), step = NULL) {
  column <- if (family == "poisson") count_column else real_column
  noisy <- is.list(size)
  n <- if (noisy) NULL else size
  observation <- sum_observation(value, n, scale, lower, upper, column, centre, outside,
                                 noise = noise, grid = grid)
  weights <- size
  if (noisy) {
    observation$statistics <- rbind(
      data.frame(name = "n", value = size$value, noise = size$noise, scale = size$scale, grid = 0),
      observation$statistics
    )
    sizes <- 0:size$most
    weights <- exp(log_noise_density(size$value - sizes, size$noise, size$scale))
    names(weights) <- sizes
  }
  if (is.null(step) || family == "poisson") {
    step <- if (family == "poisson") 0.5 else (upper - lower) / 400
  }
  log_noise <- function(x) log_noise_density(x, noise, scale, grid)
  oracle <- rate_oracle(function(rates) {
    lattice_likelihood(family, rates, value, weights, log_noise, lower, upper, outside, centre,
                       step)
  }, prior, points = 120)
  list(observation = observation, oracle = oracle, prior = prior, family = family)
}

test_that("exact likelihoods of a rate are those of lattice sums", {
  cases <- list(
    rate_case("exponential", 4, 40, 2),
    rate_case("exponential", -9, 40, 4, lower = 0.2, noise = "gaussian"),
    rate_case("exponential", -9, 40, 4, lower = 0.2, outside = "redact"),
    rate_case("exponential", 31, 40, 4, centre = 0),
    rate_case("poisson", -30, 25, 5, upper = 8),
    rate_case("poisson", 12, 25, 5, lower = 1, upper = 8, noise = "gaussian"),
    rate_case("poisson", -30, 25, 5, upper = 8, outside = "redact"),
    rate_case("poisson", -30, 25, 5, upper = 8, grid = 1),
    rate_case("poisson", 70, 25, 5, upper = 8, centre = 0)
  )
  for (case in cases) {
    fit <- expect_model(case$observation, ~ x, "rate", case$oracle, family = case$family,
                        prior = case$prior, method = "exact", tolerance = 2e-5)
    expect_identical(fit$sampler$kind, "independent")
    expect_equal(fit$log_evidence, case$oracle$log_evidence, tolerance = 2e-5)
  }
})

# A prior that leaves no doubt about the rate makes the evidence the likelihood; six
# digits are left after the normalisation of such a prior.
log_likelihood_at <- function(observation, rate, family, method) {
  fit <- quick_fit(observation, family = family, prior = prior_gamma(3e7, 3e7 / rate), iter = 10,
                   method = method)
  fit$log_evidence
}

test_that("likelihoods of a rate agree with the published vectors", {
  # mpmath and convolution on fine grids; exact, then central limit.
  exponential <- list(
    list(-3, "redact", -3.95897482, -3.95640645), list(2.5, "redact", -1.84517544, -1.85330073),
    list(15, "redact", -6.55339614, -6.55605909), list(-3, "clamp", -4.11283738, -4.10883850),
    list(2.5, "clamp", -1.92306929, -1.94092952), list(15, "clamp", -6.37300549, -6.37721557)
  )
  for (case in exponential) {
    observation <- sum_observation(case[[1]], 10, 2.4, 0.05, 1.2, centre = 0, outside = case[[2]])
    expect_equal(log_likelihood_at(observation, 3, "exponential", "exact"), case[[3]],
                 tolerance = 1e-6)
    expect_equal(log_likelihood_at(observation, 3, "exponential", "clt"), case[[4]],
                 tolerance = 1e-6)
  }
  many <- list(list("redact", -4.04984502, -4.04719803), list("clamp", -5.19907261, -5.19694615))
  for (case in many) {
    observation <- sum_observation(300, 1000, 12, 0.05, 1.2, centre = 0, outside = case[[1]])
    expect_equal(log_likelihood_at(observation, 3, "exponential", "exact"), case[[2]],
                 tolerance = 3e-6)
    expect_equal(log_likelihood_at(observation, 3, "exponential", "clt"), case[[3]],
                 tolerance = 3e-6)
  }
  # Continuous Laplace noise, then Laplace noise on the integers.
  poisson <- list(list("redact", -2.9325409148, -2.9377303424),
                  list("clamp", -2.8860577053, -2.8912471330))
  for (case in poisson) {
    for (grid in 0:1) {
      observation <- sum_observation(33, 10, 4, 1, 7, count_column, 0, case[[1]], grid = grid)
      expect_equal(log_likelihood_at(observation, 3.3, "poisson", "exact"), case[[2 + grid]],
                   tolerance = 1e-6)
    }
  }
})

test_that("a latent n is summed out", {
  size <- list(value = 21.3, noise = "laplace", scale = 1.5, most = 50)
  for (family in c("exponential", "poisson")) {
    upper <- if (family == "poisson") 6 else 3
    case <- rate_case(family, -4, size, 4, upper = upper, step = upper / 120)
    fit <- expect_model(case$observation, ~ x, "rate", case$oracle, family = family,
                        prior = case$prior, method = method_exact(), tolerance = 1e-4)
    expect_identical(posterior::variables(fit$latent), c("sum(x)", "n"))
    expect_equal(fit$log_evidence, case$oracle$log_evidence, tolerance = 1e-5)
    chains <- quick_fit(case$observation, family = family, prior = case$prior, iter = 10000,
                        method = method_exact(max_work = 0), chains = 4)
    expect_identical(chains$sampler$kind, "chains")
    expect_draws_follow(chains, "rate", case$oracle)
  }
})

test_that("latent records have the same target", {
  cases <- list(
    rate_case("exponential", 1, 6, 2),
    rate_case("exponential", -1, 6, 2, outside = "redact", lower = 0.2, noise = "gaussian"),
    rate_case("poisson", -8, 6, 3, upper = 8),
    rate_case("poisson", -8, 6, 3, upper = 8, grid = 1)
  )
  for (case in cases) {
    fit <- quick_fit(case$observation, family = case$family, prior = case$prior, chains = 4,
                     iter = 8000, method = method_exact(max_work = 0))
    expect_identical(fit$sampler$kind, "chains")
    expect_draws_follow(fit, "rate", case$oracle)
    expect_equal(fit$moments$mean, case$oracle$mean, tolerance = 0.02)
    expect_equal(fit$moments$sd, case$oracle$sd, tolerance = 0.04)
  }
  # They are the default where the likelihood would take long.
  precise <- quick_fit(sum_observation(1, 6, 0.02), family = "exponential")
  expect_match(precise$sampler$algorithm, "latent records")
})

test_that("the exact method passes the contract of a method", {
  case <- rate_case("exponential", 4, 40, 2)
  simulate <- function(trial) {
    rate <- stats::rgamma(1, 3, 3)
    x <- pmin(stats::rexp(25, rate), 3)
    list(observation = sum_observation(sum(x - 1.5) + 6 * (stats::rexp(1) - stats::rexp(1)), 25, 6),
         prior = prior_gamma(3, 3), truth = rate)
  }
  expect_method("exact", case$observation, ~ x, "rate", case$oracle, simulate, "exponential",
                case$prior)
  # The scorer can fail: the naive method is not calibrated.
  expect_gt(calibration_distance("naive", ~ x, "rate", simulate, "exponential", trials = 60), 1)
})

test_that("clt and gibbs pass the contract of a method, for either rate", {
  simulate_exponential <- function(trial) {
    rate <- stats::rgamma(1, 3, 3)
    x <- pmin(stats::rexp(60, rate), 3)
    list(observation = sum_observation(sum(x - 1.5) + stats::rnorm(1, 0, 6), 60, 6,
                                       noise = "gaussian"),
         prior = prior_gamma(3, 3), truth = rate)
  }
  simulate_poisson <- function(trial) {
    rate <- stats::rgamma(1, 3, 1)
    x <- pmin(stats::rpois(60, rate), 8)
    list(observation = sum_observation(sum(x - 4) + 8 * (stats::rexp(1) - stats::rexp(1)), 60, 8,
                                       upper = 8, column = count_column),
         prior = prior_gamma(3, 1), truth = rate)
  }
  # Exactly the posterior of the approximation, by quadrature with base R.
  clt_oracle <- function(moments, value, n, scale, prior) {
    rate_oracle(function(rates) {
      vapply(rates, function(rate) {
        m <- moments(rate)
        log(stats::integrate(function(s) {
          stats::dnorm(s, n * m[[1]], sqrt(n * m[[2]])) * exp(-abs(value - s) / scale) / 2 / scale
        }, value - 30 * scale, value + 30 * scale, rel.tol = 1e-9, subdivisions = 1000)$value)
      }, 0)
    }, prior, points = 150, range = c(-2.5, 2.5))
  }
  exponential <- function(rate) {
    part <- function(k) {
      stats::integrate(function(x) (x - 1.5)^k * stats::dexp(x, rate), 0, 3)$value +
        1.5^k * exp(-3 * rate)
    }
    c(part(1), part(2) - part(1)^2)
  }
  poisson <- function(rate) {
    at <- pmin(0:80, 8) - 4
    p <- stats::dpois(0:80, rate)
    c(sum(p * at), sum(p * at^2) - sum(p * at)^2)
  }
  prior <- prior_gamma(2, 2)
  one <- clt_oracle(exponential, 4, 40, 2, prior)
  expect_method("clt", sum_observation(4, 40, 2), ~ x, "rate", one, simulate_exponential,
                "exponential", prior)
  two <- clt_oracle(poisson, -60, 40, 4, prior)
  counts <- sum_observation(-60, 40, 4, upper = 8, column = count_column)
  expect_method("clt", counts, ~ x, "rate", two, simulate_poisson, "poisson", prior)
  fit <- quick_fit(counts, family = "poisson", method = "clt", prior = prior)
  expect_equal(fit$moments$mean, two$mean, tolerance = 1e-6)
  expect_equal(fit$log_evidence, two$log_evidence, tolerance = 1e-6)
  expect_lt(calibration_distance("gibbs", ~ x, "rate", simulate_exponential, "exponential"), 1)
  expect_lt(calibration_distance("gibbs", ~ x, "rate", simulate_poisson, "poisson"), 1)
})

# The largest difference of two distribution functions.
distance <- function(one, two) {
  a <- draws_matrix(one$draws)[, 1]
  b <- draws_matrix(two$draws)[, 1]
  suppressWarnings(unname(stats::ks.test(a, b)$statistic))
}

test_that("exact, clt and gibbs agree for a hundred records", {
  # Measured for the families: at n = 100 the central limit is off by at most 0.01 in
  # the distribution function, redaction included.
  cases <- list(
    list(sum_observation(-40, 100, 3), "exponential"),
    list(sum_observation(-300, 100, 6, lower = 0.01, outside = "redact", upper = 8), "exponential"),
    list(sum_observation(-120, 100, 8, upper = 8, column = count_column), "poisson")
  )
  for (case in cases) {
    fit <- function(method) {
      quick_fit(case[[1]], family = case[[2]], method = method, iter = 16000, chains = 4,
                prior = prior_gamma(4, 3))
    }
    exact <- fit("exact")
    gibbs <- fit("gibbs")
    size <- posterior::ess_bulk(posterior::extract_variable_matrix(gibbs$draws, "rate"))
    expect_lt(distance(exact, fit("clt")), 0.01 + 1.95 * sqrt(2 / 32000))
    expect_lt(distance(exact, gibbs), 0.01 + 1.95 * sqrt(1 / size + 1 / 32000))
    expect_equal(gibbs$moments$privacy_share, exact$moments$privacy_share, tolerance = 0.1)
  }
})

test_that("little noise and wide bounds give the conjugate posterior", {
  x <- c(0.31, 1.1, 0.22, 2.4, 0.91, 1.7, 0.05, 0.6, 1.4, 0.8)
  x <- rep(x, 5)
  for (method in list("clt", "gibbs", method_exact(max_work = 0))) {
    observation <- sum_observation(sum(x - 50), 50, 0.05, upper = 100)
    fit <- quick_fit(observation, family = "exponential", prior = prior_gamma(2, 3), chains = 4,
                     method = method, iter = 4000)
    expect_equal(fit$moments$mean, 52 / (3 + sum(x)), tolerance = 0.03)
    expect_equal(fit$moments$sd, sqrt(52) / (3 + sum(x)), tolerance = 0.06)
    expect_lt(fit$moments$privacy_share, 0.06)
  }
})

test_that("privacy noise takes its share, and more of it more", {
  share <- function(scale) {
    fit <- quick_fit(sum_observation(-40, 100, scale), family = "exponential", iter = 4000)
    fit$moments$privacy_share
  }
  shares <- vapply(c(0.1, 3, 10, 30), share, 0)
  expect_true(all(diff(shares) > 0) && shares[[1]] >= 0 && shares[[4]] < 1)
  # Clamping hides something, too: even without noise the exact sum would tell more.
  tight <- quick_fit(sum_observation(0, 100, 0.1, upper = 0.5), family = "exponential", iter = 4000)
  expect_gt(tight$moments$privacy_share, shares[[1]])
})

test_that("units do not matter", {
  for (method in c("exact", "clt", "gibbs")) {
    small <- quick_fit(sum_observation(-40, 100, 3), family = "exponential", method = method)
    large <- quick_fit(sum_observation(-40 * 1024, 100, 3 * 1024, upper = 3 * 1024),
                       family = "exponential", method = method)
    expect_equal(unclass(small$draws), 1024 * unclass(large$draws), tolerance = 1e-6)
    expect_equal(small$moments$privacy_share, large$moments$privacy_share, tolerance = 1e-6)
  }
})

test_that("a prior far from the data does not cut off the posterior", {
  # Far above what the prior allows; no record is near the bounds.
  high <- rate_oracle(function(rates) {
    vapply(rates, function(rate) {
      log(stats::integrate(function(s) stats::dgamma(s, 1000, rate) * stats::dnorm(10 - s, 0, 0.5),
                           6, 16, rel.tol = 1e-10)$value)
    }, 0)
  }, prior_gamma(1, 1), range = log(c(65, 120)))
  observation <- sum_observation(10, 1000, 0.5, centre = 0, upper = 10, noise = "gaussian")
  exact <- quick_fit(observation, family = "exponential", prior = prior_gamma(1, 1))
  expect_equal(exact$moments$mean, high$mean, tolerance = 1e-4)
  expect_equal(exact$moments$sd, high$sd, tolerance = 1e-3)
  # So far out in the tail the central limit is off by a little.
  clt <- quick_fit(observation, family = "exponential", prior = prior_gamma(1, 1), method = "clt")
  expect_equal(clt$moments$mean, high$mean, tolerance = 0.02)
  low <- quick_fit(sum_observation(1000, 1000, 0.5, centre = 0, upper = 30),
                   family = "exponential", prior = prior_gamma(50, 0.5))
  expect_equal(low$moments$mean, 1050 / 1000.5, tolerance = 1e-3)
})

test_that("gibbs needs a public n", {
  noisy <- make_observation(c(n = 21.3, "sum(x)" = -4), kind = "moments",
                            columns = list(real_column("x", 0, 3)))
  expect_error(infer(noisy, ~ x, family = "exponential", method = "gibbs"),
               "public number of records", class = "noiseaware_error_model")
})

test_that("the default method depends on n", {
  used <- function(...) {
    observation <- sum_observation(...)
    family <- if (observation$columns$x$type == "count") "poisson" else "exponential"
    default_method(find_model(read_formula(~ x, observation), read_family(family), observation))
  }
  expect_identical(used(0, 5), "exact")
  expect_identical(used(0, 1e6), "exact")
  expect_identical(used(0, 1e5, upper = 10, column = count_column), "exact")
  # A centre that is not on the lattice leaves latent records, which take long.
  expect_identical(used(0, 1e3, upper = 11, column = count_column, centre = 0.3), "exact")
  expect_identical(used(0, 1e5, upper = 11, column = count_column, centre = 0.3), "clt")
})

test_that("an exact sum with a noisy n is for clt only", {
  mixed <- make_observation(c(n = 99.5, "sum(x)" = -40), noise = c("laplace", "none"),
                            kind = "moments", columns = list(real_column("x", 0, 3)))
  expect_identical(quick_fit(mixed, family = "exponential")$method$name, "clt")
  expect_error(infer(mixed, family = "exponential", method = "exact"), "method = \"clt\"",
               class = "noiseaware_error_model")
})

test_that("few records and the central limit are a classed warning", {
  few <- sum_observation(1, 12, 2)
  for (method in c("clt", "gibbs")) {
    expect_warning(infer(few, family = "exponential", method = method, seed = 1),
                   "n is only 12", class = "noiseaware_warning_small_n")
  }
  set <- structure(list(releases = list(a = few, b = sum_observation(-40, 100)), by = "tract"),
                   class = "noiseaware_release_set")
  suppressWarnings(
    expect_warning(infer(set, family = "exponential", method = "clt", seed = 1),
                   "in 1 of 2 groups: a", class = "noiseaware_warning_small_n"),
    classes = "noiseaware_warning_prior_dominated"
  )
})

test_that("latent records have a limit", {
  many <- sum_observation(0, 1e8, 3)
  expect_error(infer(many, family = "exponential", method = method_exact(max_work = 0)),
               "too many records", class = "noiseaware_error_model")
})
