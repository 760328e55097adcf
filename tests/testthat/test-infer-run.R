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
