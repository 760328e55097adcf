binary_model <- function() {
  find_model(read_formula(~ x, bernoulli_observation()), NULL, bernoulli_observation())
}
factor_model <- function() {
  find_model(read_formula(~ g, categorical_observation()), NULL, categorical_observation())
}

test_that("priors of models of counts are consistent", {
  expect_prior_consistent(binary_model(), prior_beta(2, 5))
  expect_prior_consistent(factor_model(), prior_dirichlet(c(2, 1.5, 4)))
})

test_that("the weight of the second level is the first shape", {
  expect_identical(concentration(binary_model(), prior_beta(2, 5)), c(5, 2))
  expect_equal(prior_moments(binary_model(), prior_beta(2, 6))$mean, 0.25)
})

test_that("weights are recycled, ordered by level, and checked", {
  weights <- function(prior) check_prior(factor_model(), prior)$concentration
  expect_identical(weights(prior_dirichlet(2)), c(a = 2, b = 2, c = 2))
  expect_identical(weights(prior_dirichlet(1:3)), c(a = 1, b = 2, c = 3))
  expect_identical(weights(prior_dirichlet(c(c = 3, a = 1, b = 2))), c(a = 1, b = 2, c = 3))
  refused <- function(prior, pattern) {
    expect_error(check_prior(factor_model(), prior), pattern, class = "noiseaware_error_model")
  }
  refused(prior_dirichlet(1:2), "2 for 3 levels")
  refused(prior_dirichlet(c(a = 1, b = 2, z = 3)), "no level \"z\"")
  refused(prior_beta(1, 1), "You gave a beta prior")
  refused(priors(prior_dirichlet(1), prior_dirichlet(1)), "takes one prior")
  expect_identical(weights(priors(prior_dirichlet(2))), c(a = 2, b = 2, c = 2))
  expect_error(check_prior(factor_model(), 3), "made by prior_dirichlet",
               class = "noiseaware_error_input")
})

test_that("priors are described in words", {
  expect_identical(prior_words(binary_model(), prior_beta(1, 2.5)), "theta ~ Beta(1, 2.5)")
  prior <- check_prior(factor_model(), prior_dirichlet(1))
  expect_identical(prior_words(factor_model(), prior), "theta ~ Dirichlet(1, ...), 3 levels")
  prior <- check_prior(factor_model(), prior_dirichlet(1:3))
  expect_identical(prior_words(factor_model(), prior), "theta ~ Dirichlet(1, 2, 3)")
})
