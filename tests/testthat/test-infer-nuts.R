noisy_fit <- function(...) {
  observation <- moment_observation(regression_data(), regression_declared(), noise = "laplace",
                                    scale = 5)
  suppressWarnings(infer(observation, y ~ x, seed = 1, iter = 600, ...))
}

test_that("diagnostics tell what the sampler did", {
  fit <- noisy_fit()
  found <- diagnostics(fit)
  expect_identical(found$nuts$chain, 1:4)
  expect_true(all(found$nuts$divergences == 0))
  expect_true(all(found$nuts$e_bfmi > 0.3))
  expect_true(all(found$nuts$depth >= 1 & found$nuts$depth <= 10))
  expect_identical(dim(found$draws), c(300L, 4L, 7L))
  expect_output(print(found), "divergences:  0")
  expect_output(print(found), "E-BFMI")
  found$mode_found <- FALSE
  expect_output(print(found), "did not converge")
})

test_that("the energy fraction is that of its definition", {
  energy <- c(1, 3, 2, 5)
  expect_equal(energy_fraction(energy), (4 + 1 + 9) / sum((energy - 2.75)^2))
  expect_identical(energy_fraction(1:2), NA_real_)
})

test_that("difficulties are warnings with a class and a remedy", {
  fit <- noisy_fit()
  expect_identical(nrow(nuts_problems(fit)), 0L)
  fit$sampler$nuts$divergences[[2]] <- 3
  expect_warning(warn_nuts(fit), "3 of 1200 draws diverged",
                 class = "noiseaware_warning_divergences")
  expect_warning(warn_nuts(fit), "target_acceptance", class = "noiseaware_warning")
  fit <- noisy_fit()
  fit$sampler$nuts$e_bfmi[[1]] <- 0.1
  expect_warning(warn_nuts(fit), "0.1", class = "noiseaware_warning_energy")
  shallow <- noisy_fit(method = method_exact(max_depth = 1))
  expect_warning(warn_nuts(shallow), "largest depth, 1", class = "noiseaware_warning_max_depth")
  expect_warning(warn_nuts_set(list(a = noisy_fit(), b = shallow)), "1 of 2 groups: b",
                 class = "noiseaware_warning_max_depth")
  expect_silent(warn_nuts(quick_fit(bernoulli_observation())))
})
