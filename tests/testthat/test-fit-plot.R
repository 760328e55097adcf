fit <- quick_fit(categorical_observation(c(50, 30, 20), 100), iter = 4000)
chains <- quick_fit(categorical_observation(c(50, 30, 20), 100),
                    method = method_exact(max_work = 0))

area <- function(x, y) sum(diff(x) * (y[-1] + y[-length(y)]) / 2)

test_that("densities integrate to one and mark the interval", {
  data <- density_data(fit, prob = 0.9)
  expect_identical(levels(data$label), paste0("theta[", 1:3, "]: P(g = ", letters[1:3], ")"))
  for (name in unique(data$variable)) {
    curve <- data[data$variable == name, ]
    expect_equal(area(curve$x, curve$posterior), 1, tolerance = 0.01)
    inside <- curve[curve$inside, ]
    expect_equal(area(inside$x, inside$posterior), 0.9, tolerance = 0.03)
    expect_equal(curve$prior, stats::dbeta(curve$x, 1, 2))
  }
})

test_that("mass that leaks over a bound is reflected back", {
  withr::local_seed(1)
  x <- stats::rbeta(20000, 1, 20)
  curve <- bounded_density(x, c(0, 1))
  expect_gte(min(curve$x), 0)
  expect_equal(curve$y[[1]], stats::dbeta(0, 1, 20), tolerance = 0.1)
  expect_equal(area(curve$x, curve$y), 1, tolerance = 0.01)
  free <- bounded_density(stats::rnorm(5000), c(-Inf, Inf))
  expect_equal(area(free$x, free$y), 1, tolerance = 0.01)
})

test_that("intervals are quantiles, beside those of the prior", {
  data <- interval_data(fit, prob = 0.8)
  draws <- draws_matrix(fit$draws)
  expect_equal(data$lower, unname(apply(draws, 2, stats::quantile, 0.1)))
  expect_equal(data$mean, unname(colMeans(draws)))
  expect_equal(data$prior_upper, rep(stats::qbeta(0.9, 1, 2), 3))
  expect_identical(levels(data$label), rev(as.character(data$label)))
})

test_that("traces are paths of chains; independent draws have none", {
  data <- trace_data(chains, "theta[2]")
  expect_identical(nrow(data), 500L)
  expect_identical(data$value, as.vector(unclass(chains$draws)[, , 2]))
  expect_identical(data$iteration[1:3], 1:3)
  expect_error(trace_data(fit), "no chain to trace", class = "noiseaware_error_model")
})

test_that("truths are matched by name", {
  data <- truth_data(fit, c("theta[3]" = 0.2), c("theta[1]", "theta[3]"))
  expect_identical(as.character(data$label), "theta[3]: P(g = c)")
  expect_identical(data$x, 0.2)
  expect_identical(nrow(truth_data(fit, NULL, "theta[1]")), 0L)
})

test_that("every type can be drawn", {
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  for (plot in list(autoplot(fit), plot(fit, truth = c("theta[1]" = 0.5)),
                    autoplot(fit, type = "interval", truth = c("theta[1]" = 0.5)),
                    autoplot(chains, type = "trace", variable = "theta[1]"))) {
    expect_s3_class(plot, "ggplot")
    expect_silent(print(plot))
  }
})

test_that("a picture says what the print-out shouts", {
  naive <- quick_fit(bernoulli_observation(300, 1000), method = "naive")
  expect_match(autoplot(naive)$labels$caption, "NAIVE")
  expect_null(autoplot(fit)$labels$caption)
})

test_that("arguments are checked", {
  expect_error(autoplot(fit, type = "pie"), "`type`", class = "noiseaware_error_input")
  expect_error(autoplot(fit, variable = "beta"), "`variable`", class = "noiseaware_error_input")
  expect_error(autoplot(fit, truth = 0.5), "`truth`", class = "noiseaware_error_input")
  expect_error(autoplot(fit, prob = 0), "`prob`", class = "noiseaware_error_input")
})
