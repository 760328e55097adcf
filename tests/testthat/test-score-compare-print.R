test_that("a comparison in words", {
  local_reproducible_output(width = 100)
  comparison <- small_comparison(trials = 10)
  comparison$trials$seconds <- 0.25
  expect_snapshot(comparison)
})

test_that("ranges are shortened", {
  expect_identical(range_words(c(0.123, 0.456)), "0.12 to 0.46")
  expect_identical(range_words(c(90, 90.2)), "90")
})

test_that("utility curves are averages against epsilon", {
  comparison <- small_comparison(n = c(20, 50), trials = 4)
  data <- utility_data(comparison, c("coverage", "mmd"))
  found <- summary(comparison)
  expect_equal(nrow(data), 12 + 8)
  at <- data$measure == "coverage" & data$method == "naive" & data$n == 50
  expect_equal(data$value[at], found$coverage[found$method == "naive" & found$n == 50])
  expect_equal(data$epsilon[at], c(0.05, 0.5))
  expect_equal(unique(nominal_data(comparison, data)$value), 0.9)
  expect_s3_class(ggplot2::ggplot_build(plot(comparison)), "ggplot_built")
  all <- plot(comparison, measure = names(measure_labels), variable = "theta")
  expect_s3_class(ggplot2::ggplot_build(all), "ggplot_built")
})

test_that("budgets without epsilon are told apart by name", {
  comparison <- small_comparison(mechanism = list(mech_gaussian(rho = 1), mech_laplace(1)),
                                 trials = 2)
  built <- ggplot2::ggplot_build(plot(comparison))
  expect_identical(built$plot$labels$x, "mechanism")
})
