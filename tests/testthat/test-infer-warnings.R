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

test_that("a set has one warning that names the groups", {
  groups <- lapply(c(a = 100, b = 1, c = 100), function(scale) {
    bernoulli_observation(5, 10, scale = scale)
  })
  set <- structure(list(releases = groups, by = "tract"), class = "noiseaware_release_set")
  caught <- list()
  withCallingHandlers(infer(set, ~ x, seed = 1), warning = function(w) {
    caught <<- c(caught, list(w))
    invokeRestart("muffleWarning")
  })
  expect_length(caught, 1)
  expect_s3_class(caught[[1]], "noiseaware_warning_prior_dominated")
  expect_match(conditionMessage(caught[[1]]), "in 2 of 3 groups: a, c.*up to 0.99")
})

test_that("chains of a set that have not mixed are one warning", {
  group <- categorical_observation(c(500, 300, 200), 1000, 30)
  set <- structure(list(releases = list(a = group, b = group), by = "tract"),
                   class = "noiseaware_release_set")
  expect_warning(infer(set, ~ g, seed = 1, iter = 20, method = method_exact(max_work = 0)),
                 "in 2 of 2 groups: a, b", class = "noiseaware_warning_convergence")
})
