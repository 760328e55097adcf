test_that("tracts are as documented and depend on the seed only", {
  withr::with_seed(1, {
    before <- .Random.seed
    people <- simulate_tracts(400, seed = 3)
    expect_identical(.Random.seed, before)
  })
  truth <- attr(people, "truth")
  expect_identical(simulate_tracts(400, seed = 3), people)
  expect_false(identical(simulate_tracts(400, seed = 4), people))
  expect_identical(as.vector(table(people$tract)[truth$tract]), as.integer(truth$n))
  expect_true(all(truth$n >= 20 & truth$n <= 446))
  expect_gt(mean(truth$n), median(truth$n))
  expect_true(all(people$pir >= 0 & people$pir <= 1 & people$kir >= 0 & people$kir <= 1))
  expect_lt(abs(mean(truth$slope) - 0.35), 4 * 0.1 / sqrt(400))
  expected <- with(truth[match(people$tract, truth$tract), ], intercept + slope * people$pir)
  # Hardly anything is clamped where 0.5 is expected, 2.5 standard deviations away.
  residual <- (people$kir - expected)[abs(expected - 0.5) < 0.05]
  expect_lt(abs(sd(residual) - 0.2), 0.005)
  expect_lt(abs(mean(residual)), 4 * 0.2 / sqrt(length(residual)))
  expect_error(simulate_tracts(0), "`tracts`", class = "noiseaware_error_input")
})
