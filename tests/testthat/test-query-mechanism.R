input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

test_that("mechanisms keep their contract", {
  expect_mechanism(mech_laplace(1))
  expect_mechanism(mech_laplace(0.037))
  expect_mechanism(mech_gaussian(1, 1e-6))
  expect_mechanism(mech_gaussian(mu = 0.5))
  expect_mechanism(mech_gaussian(rho = 0.1))
})

test_that("the contract would notice too little noise and noise of another kind", {
  scale_by <- function(noise, factor) {
    noise$values <- round(noise$values / noise$grid * factor) * noise$grid
    noise
  }
  half <- function(mechanism) scale_by(released_noise(mechanism), 0.5)
  ninety <- function(mechanism) scale_by(released_noise(mechanism), 0.9)
  expect_failure(expect_mechanism(mech_laplace(1), noise = half), "another size")
  expect_failure(expect_mechanism(mech_gaussian(mu = 1), noise = half), "promised distribution")
  expect_failure(expect_mechanism(mech_laplace(1), noise = ninety), "another size")
  continuous <- function(mechanism) {
    noise <- released_noise(mechanism)
    noise$values <- noise$values + 1e-9
    noise
  }
  expect_failure(expect_mechanism(mech_laplace(1), noise = continuous), "leaves the grid")
  swapped <- function(mechanism) released_noise(mech_gaussian(mu = 1))
  expect_failure(expect_mechanism(mech_laplace(1), noise = swapped), "another kind")
})

test_that("the contract would notice a scale that is one step too small", {
  short <- function(mechanism, query) {
    noise <- calibrate_noise(mechanism, query)
    # Scales are whole numbers below 2^53 here.
    noise$scales <- whole_text(as.numeric(noise$scales) - 1)
    noise
  }
  expect_failure(expect_mechanism(mech_laplace(1), calibrate = short), "too little noise")
})

# Probabilities straight from their definition; cells with fewer than 25 expected
# draws are pooled at both ends.
draws_fit <- function(draws, log_weight, reach) {
  k <- seq(-reach, reach)
  p <- exp(log_weight(k))
  p <- p / sum(p)
  inner <- range(k[p * length(draws) >= 25])
  cell <- pmin(pmax(draws, inner[[1]]), inner[[2]])
  expected <- tapply(p, pmin(pmax(k, inner[[1]]), inner[[2]]), sum)
  observed <- table(factor(cell, levels = names(expected)))
  stats::chisq.test(as.vector(observed), p = as.vector(expected))$p.value
}

test_that("the simulation stream draws from the exact discrete distributions", {
  draw <- function(name, scale) {
    as.numeric(noise_sample_cpp(list(name = name, scale = scale), 20000L, "7"))
  }
  expect_gt(draws_fit(draw("laplace", "3"), function(k) -abs(k) / 3, 200), 1e-4)
  expect_gt(draws_fit(draw("gaussian", "4"), function(k) -k^2 / 32, 200), 1e-4)
  expect_lt(draws_fit(draw("laplace", "3"), function(k) -abs(k) / 3.3, 200), 1e-4)
  expect_lt(draws_fit(draw("gaussian", "4"), function(k) -k^2 / 35, 200), 1e-4)
})

test_that("parameters are kept as the decimal that was typed", {
  expect_identical(mech_laplace(0.1)$epsilon_units, "100000000000")
  expect_identical(mech_laplace(1L)$epsilon_units, "1000000000000")
  expect_identical(mech_laplace(1 / 3)$epsilon_units, "333333333333")
  expect_identical(mech_laplace(1e-12)$epsilon_units, "1")
  expect_identical(mech_gaussian(mu = 0.3)$mu2_units, "90000000000")
  expect_identical(mech_gaussian(rho = 0.1)[c("mu2_units", "rho_units")],
                   list(mu2_units = "200000000000", rho_units = "100000000000"))
})

# 40-digit reference values: sigma of the analytic Gaussian mechanism at sensitivity 1
# (mpmath, 40 digits). mu = 1 / sigma.
test_that("(epsilon, delta) is worth the published mu", {
  vectors <- list(
    c(1, 1e-5, 3.7306316348159), c(.5, 1e-6, 8.057618480725), c(.1, 1e-5, 30.749566131977),
    c(2, 1e-9, 2.8445470734957), c(5, 1e-5, .89186826495152), c(10, 1e-10, .68304396722748),
    c(.01, 1e-8, 412.35694207972)
  )
  for (v in vectors) {
    mechanism <- mech_gaussian(v[[1]], v[[2]])
    expect_lte(as.numeric(mechanism$mu2_units), 1e12 / v[[3]]^2 * (1 + 1e-12))
    expect_gte(as.numeric(mechanism$mu2_units), 1e12 / v[[3]]^2 * (1 - 1e-9) - 1)
    expect_equal(mech_mu(mechanism), 1 / v[[3]], tolerance = 1e-6)
  }
})

test_that("parameters are positive numbers, given in one way", {
  for (bad in list(0, -1, Inf, NaN, NA, "1", NULL, c(1, 2), TRUE)) {
    input_error(mech_laplace(bad), "`epsilon` must be a positive number")
  }
  input_error(mech_laplace(1e-13), "at least 1e-12")
  input_error(mech_laplace(1e8), "below 1e7")
  for (bad in list(0, 1, -1, 2, NA, "1e-6", Inf)) {
    input_error(mech_gaussian(1, bad), "`delta` must be a number strictly between 0 and 1")
  }
  input_error(mech_gaussian(1), "needs `delta` beside `epsilon`")
  input_error(mech_gaussian(), "You gave none of them")
  input_error(mech_gaussian(delta = 1e-6), "You gave delta")
  input_error(mech_gaussian(1, 1e-6, rho = 1), "You gave epsilon, delta, and rho")
  input_error(mech_gaussian(mu = 1, rho = 1), "You gave mu and rho")
  input_error(mech_gaussian(mu = 0), "`mu` must be a positive number")
  input_error(mech_gaussian(rho = -1), "`rho` must be a positive number")
  input_error(mech_gaussian(mu = 1e-7), "`mu` must be a number of at least 1e-6")
})

test_that("mechanisms are plain lists that survive being saved", {
  for (mechanism in list(mech_laplace(1), mech_gaussian(1, 1e-6), mech_gaussian(rho = 1))) {
    expect_s3_class(mechanism, "noiseaware_mech")
    expect_identical(unserialize(serialize(mechanism, NULL)), mechanism)
  }
})

test_that("mechanisms print what they promise", {
  expect_snapshot({
    mech_laplace(0.1)
    mech_laplace(1e-6)
    mech_gaussian(1, 1e-6)
    mech_gaussian(mu = 0.5)
    mech_gaussian(rho = 0.125)
  })
})
