test_that("the curve of the ranks and its band", {
  study <- small_calibration(trials = 30)
  data <- ecdf_data(study, 0.9)
  expect_equal(nrow(data), 101)
  u <- study$trials$u
  expect_equal(data$share, vapply(data$at, function(at) mean(u <= at), 0))
  expect_true(all(data$lower <= data$at + 1e-12 & data$upper >= data$at - 1e-12))
  expect_identical(c(data$lower[[1]], data$upper[[1]]), c(0, 0))
  expect_identical(c(data$lower[[101]], data$upper[[101]]), c(1, 1))
  wider <- ecdf_data(study, 0.99)
  expect_true(all(wider$lower <= data$lower & wider$upper >= data$upper))
})

test_that("uniform samples leave the band as often as they should", {
  withr::local_seed(10)
  band <- ecdf_band_cpp(50, 100, 0.9)
  at <- seq_len(100) / 100
  leaves <- replicate(2000, {
    count <- 50 * ecdf(runif(50))(at)
    any(count < band$lower - 1e-9 | count > band$upper + 1e-9)
  })
  # At least 90% stay inside; the steps of counts make it a little more.
  expect_lt(mean(leaves), 0.1 + 4 * sqrt(0.09 / 2000))
  expect_gt(mean(leaves), 0.07)
})

test_that("curves that leave the band are marked", {
  narrow <- distorted_calibration(function(x) mean(x) + 0.5 * (x - mean(x)), trials = 200)
  expect_true(all(leaves_band(ecdf_data(narrow))))
  right <- distorted_calibration(identity, trials = 200)
  expect_false(any(leaves_band(ecdf_data(right, 0.99))))
})

test_that("coverage curves follow the ranks", {
  study <- small_calibration(trials = 30, method = c("exact", "naive"))
  data <- coverage_data(study)
  half <- data[abs(data$prob - 0.5) < 1e-9, ]
  expect_equal(half$coverage, summary(study, prob = 0.5)$coverage)
  expect_equal(half$lower, summary(study, prob = 0.5)$coverage_low)
  expect_true(all(data$lower <= data$coverage & data$coverage <= data$upper))
})

test_that("every plot can be drawn, for the panels asked for", {
  query <- query_tables(domain(r = c("p", "q", "s")), ~ r, "replace_one")
  study <- small_calibration(query = query, formula = ~ r, trials = 10, n = c(10, 20))
  for (type in c("ecdf", "qq", "coverage")) {
    expect_s3_class(ggplot2::ggplot_build(plot(study, type = type)), "ggplot_built")
  }
  some <- autoplot(study, cell = 2, variable = "theta[3]")
  expect_identical(levels(some$data$label), "n = 20, epsilon = 0.2\nexact: theta[3]")
  expect_length(levels(autoplot(study, variable = c("theta[1]", "theta[2]"))$data$label), 4)
})

test_that("too many panels are cut, aloud", {
  query <- query_tables(domain(r = letters[1:7]), ~ r, "replace_one")
  study <- small_calibration(query = query, formula = ~ r, trials = 2, n = 10:13)
  expect_warning(shown <- autoplot(study), class = "noiseaware_warning_panels")
  expect_length(levels(shown$data$label), 24)
})

test_that("methods have a row each", {
  study <- small_calibration(method = c("exact", "naive"), trials = 3, n = c(10, 20, 30))
  layout <- ggplot2::ggplot_build(autoplot(study))$layout$layout
  expect_identical(max(layout$COL), 3L)
  expect_identical(max(layout$ROW), 2L)
})
