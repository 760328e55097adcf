test_that("a posterior that is mostly prior is a classed warning with name, number and remedy", {
  expect_warning(infer(bernoulli_observation(5, 10, scale = 100), ~ x, seed = 1),
                 "theta.*sd / prior sd = 0.99.*less noise",
                 class = "noiseaware_warning_prior_dominated")
  expect_warning(infer(categorical_observation(scale = 100), ~ g, seed = 1), "and 2 more",
                 class = "noiseaware_warning_prior_dominated")
  expect_no_warning(infer(bernoulli_observation(300, 1000, scale = 5), ~ x, seed = 1))
})

test_that("chains that have not mixed are a classed warning", {
  short <- function() {
    infer(categorical_observation(c(500, 300, 200), 1000, 30), ~ g, seed = 1, iter = 20,
          method = method_exact(max_work = 0))
  }
  expect_warning(short(), "Run longer", class = "noiseaware_warning_convergence")
})

test_that("diagnostics are those of package posterior", {
  fit <- quick_fit(categorical_observation())
  found <- chain_diagnostics(fit$draws)
  expected <- posterior::summarise_draws(fit$draws, "rhat", "ess_bulk", "ess_tail")
  expect_equal(found$rhat, as.double(expected$rhat))
  expect_equal(found$ess_bulk, as.double(expected$ess_bulk))
  expect_equal(found$ess_tail, as.double(expected$ess_tail))
})
