model_of <- function(observation, family) {
  find_model(read_formula(~ x, observation), read_family(family), observation)
}
exponential_model <- function() model_of(sum_observation(0, 50, upper = 60), "exponential")
poisson_model <- function() {
  model_of(sum_observation(0, 50, upper = 20, column = count_column), "poisson")
}
normal_model <- function(...) model_of(normal_observation(c(0, 10), 50, ...), "normal")

test_that("moments, density and quantiles of a prior agree", {
  expect_prior_consistent(exponential_model(), prior_gamma(2.5, 7))
  expect_prior_consistent(poisson_model(), prior_gamma(3, 0.5))
  expect_prior_consistent(normal_model(), prior_nig(0.3, 2, 4, 1.2))
  expect_prior_consistent(normal_model(), prior_nig(-1, 0.5, 2.5, 0.7))
})

test_that("the default priors come from the bounds and pass the same test", {
  expect_identical(default_prior(exponential_model()), prior_gamma(1, 6))
  expect_identical(default_prior(poisson_model()), prior_gamma(1, 0.1))
  expect_identical(default_prior(normal_model(lower = 80, upper = 200)),
                   prior_nig(140, 0.1, 1.5, 225))
  for (model in list(exponential_model(), poisson_model())) {
    expect_prior_consistent(model, default_prior(model))
  }
  model <- normal_model()
  prior <- default_prior(model)
  ends <- prior_quantile(model, prior, "sd", c(0.025, 0.975)) / 2
  expect_equal(ends, c(0.06, 0.38), tolerance = 0.05)
})

test_that("a default prior does not depend on anything that was released", {
  for (value in c(-500, 0, 900)) {
    one <- model_of(sum_observation(value, 5, scale = 3, upper = 60), "exponential")
    expect_identical(default_prior(one), prior_gamma(1, 6))
  }
})

test_that("the default prior changes units with the column", {
  small <- normal_model(lower = 0, upper = 2)
  large <- normal_model(lower = 0, upper = 2000)
  for (variable in c("mean", "sd")) {
    expect_equal(prior_quantile(large, default_prior(large), variable, c(0.1, 0.6)),
                 1000 * prior_quantile(small, default_prior(small), variable, c(0.1, 0.6)))
  }
})

test_that("moments that do not exist are NA", {
  found <- prior_moments(normal_model(), prior_nig(0, 1, 0.8, 1))
  expect_identical(is.na(found$mean), c(FALSE, FALSE))
  expect_identical(is.na(found$sd), c(TRUE, TRUE))
  expect_identical(is.na(prior_moments(normal_model(), prior_nig(0, 1, 0.3, 1))$mean),
                   c(TRUE, TRUE))
})

test_that("moments keep their digits for many records", {
  # Var(sd) / E(sd)^2 = 1 / (4 shape) + O(shape^-2).
  for (shape in c(1e4, 1e7, 1e10)) {
    found <- nig_moments(list(mean = 0, precision = 1, shape = shape, rate = shape))
    expect_equal(found$variance[, "sd"] * 4 * shape, c(sd = 1), tolerance = 1e-3)
  }
})

test_that("priors of other models are refused", {
  refused <- function(model, prior, pattern) {
    expect_error(check_prior(model, prior), pattern, class = "noiseaware_error_model")
  }
  refused(exponential_model(), prior_beta(1, 1), "prior_gamma")
  refused(poisson_model(), prior_nig(0, 1, 1, 1), "prior_gamma")
  refused(normal_model(), prior_gamma(1, 1), "prior_nig")
  refused(normal_model(), priors(prior_gamma(1, 1), prior_gamma(1, 1)), "takes one prior")
  expect_identical(check_prior(exponential_model(), priors(prior_gamma(1, 1))), prior_gamma(1, 1))
  expect_error(check_prior(normal_model(), 3), "made by prior_nig",
               class = "noiseaware_error_input")
})

test_that("priors are described in words", {
  expect_identical(prior_words(exponential_model(), prior_gamma(1, 6)), "rate ~ Gamma(1, 6)")
  expect_identical(prior_words(normal_model(), prior_nig(140, 0.1, 1.5, 225)),
                   "sd^2 ~ InverseGamma(1.5, 225); mean ~ N(140, sd^2 / 0.1)")
})
