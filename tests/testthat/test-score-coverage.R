test_that("an interval covers or does not", {
  draws <- cbind(a = seq(0, 1, length.out = 101), b = seq(2, 3, length.out = 101))
  found <- coverage(draws, c(a = 0.04, b = 2.5), c(0.5, 0.9, 0.95))
  expect_identical(found$variable, rep(c("a", "b"), 3))
  expect_equal(found$lower[found$variable == "a"], c(0.25, 0.05, 0.025))
  expect_equal(found$upper[found$variable == "b"], c(2.75, 2.95, 2.975))
  expect_identical(found$covered, c(FALSE, TRUE, FALSE, TRUE, TRUE, TRUE))
  expect_identical(coverage(draws, c(b = 2.5)), coverage(draws[, "b", drop = FALSE], 2.5))
  expect_identical(coverage(draws[, 1], 0.5)$covered, TRUE)
})

test_that("coverage of many posteriors is the share, with Wilson's interval", {
  posteriors <- lapply(1:10, function(k) seq(k, k + 1, length.out = 101))
  truth <- 1:10 + rep(c(0.5, 2), c(7, 3))
  found <- coverage(posteriors, truth)
  expect_equal(found$trials, 10)
  expect_equal(found$coverage, 0.7)
  oracle <- prop.test(7, 10, correct = FALSE)$conf.int
  expect_equal(c(found$coverage_low, found$coverage_high), as.vector(oracle))
  by_name <- coverage(lapply(posteriors, function(x) cbind(z = x)), data.frame(z = truth))
  expect_identical(by_name$variable, "z")
  expect_equal(by_name$coverage, 0.7)
})

test_that("Wilson's interval at the ends and at other levels", {
  for (hits in c(0, 3, 20)) {
    oracle <- prop.test(hits, 20, conf.level = 0.8, correct = FALSE)$conf.int
    expect_equal(as.vector(wilson_interval(hits, 20, 0.8)), as.vector(oracle))
  }
})

test_that("draws objects that are lists are one posterior", {
  draws <- posterior::as_draws_list(list(x = seq(0, 1, length.out = 101)))
  expect_identical(coverage(draws, c(x = 0.5))$covered, TRUE)
})

test_that("studies know their truths", {
  study <- small_calibration()
  found <- coverage(study, prob = c(0.5, 0.9))
  expect_equal(found$coverage[[2]], mean(study$trials$u >= 0.05 & study$trials$u <= 0.95))
  comparison <- small_comparison()
  found <- coverage(comparison)
  expect_identical(unique(found$method), c("non-private", "exact", "naive"))
  own <- comparison$trials
  expect_equal(found$coverage[[1]], mean(own$covered[own$cell == 1 & own$method == "non-private"]))
})
