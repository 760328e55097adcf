groups <- list(north = c(50, 30, 20), "south west" = c(20, 30, 50))
observations <- lapply(groups, categorical_observation, n = 100)
release_set <- structure(list(releases = observations, by = "region"),
                         class = "noiseaware_release_set")
fits <- infer(release_set, ~ g, seed = 5, iter = 400, chains = 2)

test_that("estimates have one row per group", {
  expect_equal(coef(fits), rbind(north = coef(fits$fits$north),
                                 "south west" = coef(fits$fits[["south west"]])))
  expect_identical(nobs(fits), c(north = 100, "south west" = 100))
  expect_equal(formula(fits), ~ g, ignore_formula_env = TRUE)
  found <- posterior_interval(fits, prob = 0.5, variable = "theta[2]")
  expect_identical(rownames(found), c("theta[north,2]", "theta[south west,2]"))
  expect_equal(found[1, ], posterior_interval(fits$fits$north, prob = 0.5)[2, ])
  expect_identical(prior_summary(fits), prior_summary(fits$fits$north))
})

test_that("glance and diagnostics have the group in front", {
  expect_equal(glance(fits)[1, -1], glance(fits$fits$north))
  expect_identical(glance(fits)$group, names(groups))
  found <- diagnostics(fits)
  expect_named(found, c("group", "kind", "variable", "rhat", "ess_bulk", "ess_tail"))
  expect_equal(found$rhat[1:3], diagnostics(fits$fits$north)$variables$rhat)
})

test_that("update() goes group by group with the seeds of infer()", {
  expect_identical(update(fits), fits)
  expect_identical(update(fits, method = "naive", seed = 9),
                   infer(release_set, ~ g, method = "naive", seed = 9, iter = 400, chains = 2))
  expect_identical(update(fits, release = release_set), fits)
  expect_error(update(fits, nonsense = 1), "no argument `nonsense`",
               class = "noiseaware_error_input")
  expect_warning(update(fits, prior = prior_dirichlet(1000)), "in 2 of 2 groups",
                 class = "noiseaware_warning_prior_dominated")
})

test_that("a plot shows intervals by group, in order", {
  data <- set_interval_data(fits, 0.5)
  expect_identical(nrow(data), 6L)
  expect_identical(levels(data$group), c("south west", "north"))  # from below
  numbers <- c("variable", "mean", "lower", "upper")
  expect_equal(data[data$group == "north", numbers],
               interval_data(fits$fits$north, 0.5)[numbers], ignore_attr = "row.names")
  expect_identical(levels(data$label)[[1]], "theta[1]: P(g = a)")
  other <- set_interval_data(fits, 0.5, "theta[3]")
  expect_identical(levels(other$group), c("north", "south west"))
  unsorted <- set_interval_data(fits, 0.5, "theta[3]", sorted = FALSE)
  expect_identical(levels(unsorted$group), c("south west", "north"))
  expect_s3_class(plot(fits), "ggplot")
  expect_error(plot(fits, type = "density"), "`type`", class = "noiseaware_error_input")
  expect_error(plot(fits, truth = 1), "does not have", class = "noiseaware_error_input")
})

test_that("what is for one fit says how to take one", {
  verbs <- list(vcov, predict, posterior_predict, posterior_epred, posterior_linpred,
                predictive_interval, augment, fitted, residuals)
  for (verb in verbs) {
    expect_error(verb(fits), "fits$fits[[\"north\"]]", fixed = TRUE,
                 class = "noiseaware_error_input")
  }
  skip_if_not_installed("bayesplot")
  expect_error(bayesplot::pp_check(fits), "for one fit", class = "noiseaware_error_input")
})

test_that("every format of draws is there", {
  expect_s3_class(as_draws_array(fits), "draws_array")
  expect_s3_class(as_draws_list(fits), "draws_list")
  expect_s3_class(as_draws_rvars(fits), "draws_rvars")
})
