plan_for <- function(...) {
  plan_release(score_query(), formula = ~ smoker, epsilon = c(0.05, 0.5), trials = 8, chains = 1,
               iter = 200, seed = 5, ...)
}

test_that("curves, floor, prior and target", {
  plan <- plan_for(n = c(100, 1000), width = 0.2, guess = c(theta = 0.3))
  data <- plan_data(plan)
  expect_equal(data$lines$value, plan$table$width)
  expect_equal(data$lines$lower, plan$table$width_low)
  floors <- data$marks$value[data$marks$kind == "without noise"]
  expect_equal(floors, plan$floor$width)
  expect_equal(unique(data$marks$value[data$marks$kind == "prior alone"]), 0.9)
  expect_equal(unique(data$marks$value[data$marks$kind == "target"]), 0.2)
  expect_equal(data$chosen$epsilon, plan$needed$epsilon)
})

test_that("every measure can be drawn", {
  plan <- plan_for(n = 1000, power = 0.5, effect = 0.2)
  for (measure in c("width", "coverage", "power")) {
    expect_s3_class(ggplot2::ggplot_build(plot(plan, measure = measure)), "ggplot_built")
  }
  expect_identical(plot(plan)$labels$title, plan_titles[["power"]])
  shares <- plan_data(plan, "power")
  expect_true(all(shares$lines$lower <= shares$lines$value))
  expect_s3_class(ggplot2::ggplot_build(plot(plan_for(n = c(10, 20)))), "ggplot_built")
})

test_that("several parameters have panels of their own", {
  query <- query_tables(domain(r = c("p", "q", "s")), ~ r, "replace_one")
  plan <- plan_release(query, 50, ~ r, epsilon = c(0.1, 1), trials = 3, chains = 1, iter = 200,
                       seed = 1)
  shown <- autoplot(plan, variable = c("theta[1]", "theta[3]"))
  expect_identical(levels(shown$data$panel), c("n = 50, theta[1]", "n = 50, theta[3]"))
})

test_that("budgets without epsilon have no axis", {
  plan <- plan_release(score_query(), 100, ~ smoker, mechanism = mech_gaussian(rho = 0.1),
                       trials = 3, chains = 1, iter = 200, seed = 1)
  expect_error(plot(plan), class = "noiseaware_error_input")
})
