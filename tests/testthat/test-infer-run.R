test_that("a run is checked whole numbers", {
  run <- check_run(4, 2000, 1000, 1, 2, 0)
  expect_identical(run, list(chains = 4L, iter = 2000L, warmup = 1000L, thin = 1L, cores = 2L,
                             refresh = 0L))
  expect_error(check_run(4, 10, 10, 1, 1, 0), "`warmup` must be less",
               class = "noiseaware_error_input")
  expect_named(run_record(run), c("chains", "iter", "warmup", "thin"))
})

test_that("seeds are whole numbers that a double holds", {
  expect_identical(take_seed(7L), 7)
  expect_identical(take_seed(2^53), 2^53)
  for (bad in list(-1, 0.5, NA, "a", c(1, 2), Inf)) {
    expect_error(take_seed(bad), "`seed` must be", class = "noiseaware_error_input")
  }
  large <- quick_fit(bernoulli_observation(), seed = 2^53)
  expect_false(identical(large$draws, quick_fit(bernoulli_observation(), seed = 2^53 - 1)$draws))
})

test_that("thinning leaves at least one full step", {
  expect_error(check_run(4, 10, 5, 6, 1, 0), "thin = 6 with 5 iterations",
               class = "noiseaware_error_input")
  expect_identical(check_run(4, 10, 5, 5, 1, 0)$thin, 5L)
})

test_that("draws that no memory holds are refused before they are made", {
  observation <- categorical_observation(c(50, 30, 20), 100)
  expect_error(infer(observation, ~ g, iter = 2e9), "set `thin` to 90",
               class = "noiseaware_error_input")
  expect_error(check_memory(check_run(1e4, 2, 1, 1, 1, 0), 1e5), "fewer `chains`",
               class = "noiseaware_error_input")
  # 2^27 numbers are allowed: chains x parameters x kept iterations.
  expect_null(check_memory(check_run(4, 2^25, 0, 1, 1, 0), 1))
  expect_error(check_memory(check_run(4, 2^25 + 1, 0, 1, 1, 0), 1), "memory",
               class = "noiseaware_error_input")
})
