test_that("moments are found whatever the order of the columns", {
  observation <- moment_observation(regression_data(), regression_declared())
  model <- find_model(read_formula(x ~ y + g, observation), NULL, observation)
  expect_setequal(model$moments$statistic, c(
    "sum(x)", "sum(y)", "sum(g=b)", "sum(g=c)", "sum(x*x)", "sum(y*y)", "sum(x*y)", "sum(x*g=b)",
    "sum(x*g=c)", "sum(g=b*y)", "sum(g=c*y)"
  ))
  # Columns of the regression: y, g = b, g = c, x.
  data <- regression_data()
  centred <- cbind(1, data$y - 8, data$g == "b", data$g == "c", data$x - 50)
  products <- crossprod(centred)
  at <- cbind(model$moments$row, model$moments$col) + 1
  expect_equal(model$moments$value, products[at])
})

test_that("known products hold for every record", {
  data <- regression_data()
  for (centre in c(0.5, 0, 1, 0.3)) {
    columns <- regression_declared()
    columns[[2]]$centre <- centre
    observation <- moment_observation(data, columns, noise = "laplace", scale = 4)
    model <- find_model(read_formula(y ~ b + g + x, observation), NULL, observation)
    scaled <- cbind((data$b == "1") - centre, data$g == "b", data$g == "c", data$x - 50, data$y - 8)
    products <- crossprod(cbind(1, sweep(scaled, 2, model$columns$half, "/")))
    ties <- model$ties
    entry <- function(row, col) products[cbind(row, col) + 1]
    expect_equal(entry(ties$row, ties$col) -
                   ties$minus_weight * entry(ties$minus_row, ties$minus_col), ties$value)
    expect_setequal(paste(ties$row, ties$col), c("1 1", "2 2", "3 3", "2 3"))
    # A tenth of the noise of the counts, whose scale is 4.
    expect_equal(ties$scale, 0.1 * sqrt(2) * 4 / model$columns$half[ties$row])
    expect_identical(unique(ties$noise), "gaussian")
  }
})

test_that("a noisy n needs a centre at which the square of an indicator is simple", {
  columns <- regression_declared()
  columns[[2]]$centre <- 0.3
  observation <- moment_observation(regression_data(), columns, noise = "laplace", scale = 4)
  observation$statistics <- rbind(
    data.frame(name = "n", value = 61, noise = "laplace", scale = 2, grid = 0),
    observation$statistics
  )
  observation["n"] <- list(NULL)
  expect_error(infer(observation, y ~ b), "about 0, 0.5 or 1", class = "noiseaware_error_model")
})

test_that("scaling divides values and noise alike and adds a noisy n", {
  observation <- moment_observation(regression_data(), regression_declared(), noise = "gaussian",
                                    scale = 6)
  observation$statistics <- rbind(
    data.frame(name = "n", value = 61, noise = "laplace", scale = 2, grid = 0),
    observation$statistics
  )
  observation["n"] <- list(NULL)
  model <- find_model(read_formula(y ~ x, observation), NULL, observation)
  scaled <- scaled_moments(model)
  expect_equal(scaled$value[[1]], 61)
  expect_identical(scaled$noise, c("laplace", rep("gaussian", 5)))
  unit <- c(50, 8, 50^2, 50 * 8, 8^2)
  expect_equal(scaled$scale, c(2, 6 / unit))
  expect_equal(scaled$value[-1], model$moments$value / unit)
})
