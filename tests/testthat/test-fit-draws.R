fit <- quick_fit(categorical_observation(c(50, 30, 20), 100))

test_that("every format of posterior holds the same draws", {
  expect_s3_class(as_draws(fit), "draws_array")
  expect_s3_class(as_draws_array(fit), "draws_array")
  expect_s3_class(as_draws_df(fit), "draws_df")
  expect_s3_class(as_draws_matrix(fit), "draws_matrix")
  expect_s3_class(as_draws_list(fit), "draws_list")
  expect_s3_class(as_draws_rvars(fit), "draws_rvars")
  expect_identical(as_draws_df(fit)$`theta[2]`, as.vector(unclass(as_draws(fit))[, , 2]))
})

test_that("names and sizes are those of posterior", {
  expect_identical(posterior::variables(fit), c("theta[1]", "theta[2]", "theta[3]"))
  expect_identical(posterior::nvariables(fit), 3L)
  expect_identical(posterior::ndraws(fit), 500L)
  expect_identical(posterior::nchains(fit), 2L)
  expect_identical(posterior::niterations(fit), 250L)
  expect_identical(nrow(posterior::summarise_draws(fit)), 3L)
})

test_that("latent statistics come on request only", {
  latent <- as_draws_matrix(fit, latent = TRUE)
  expect_identical(posterior::variables(latent), c(paste0("theta[", 1:3, "]"),
                                                   paste0("count(g=", letters[1:3], ")")))
  expect_true(all(rowSums(unclass(latent)[, 4:6]) == 100))
  expect_error(as_draws(quick_fit(bernoulli_observation(), method = "naive"), latent = TRUE),
               "no latent statistics", class = "noiseaware_error_model")
  expect_error(as_draws(fit, latent = 3), "`latent`", class = "noiseaware_error_input")
})

test_that("the group is the first index of a set", {
  expect_identical(grouped_variable(c("theta", "theta[2]", "(Intercept)"), "north"),
                   c("theta[north]", "theta[north,2]", "(Intercept)[north]"))
  set <- new_fit_set(list(a = fit, b = fit), "tract")
  expect_identical(posterior::variables(as_draws(set)),
                   c(paste0("theta[a,", 1:3, "]"), paste0("theta[b,", 1:3, "]")))
  expect_s3_class(as_draws_df(set), "draws_df")
  expect_s3_class(as_draws_matrix(set), "draws_matrix")
})

test_that("draws can be chosen by number or by index", {
  expect_identical(choose_draws(10, NULL, NULL), 1:10)
  expect_equal(choose_draws(10, 2, NULL), c(1, 10))
  expect_identical(choose_draws(10, NULL, c(3, 3)), c(3L, 3L))
  for (bad in list(0, 11, "a", NA, 1.5, numeric())) {
    expect_error(choose_draws(10, NULL, bad), "`draw_ids`", class = "noiseaware_error_input")
  }
  expect_error(choose_draws(10, 11, NULL), "`ndraws`", class = "noiseaware_error_input")
  expect_error(choose_draws(10, 1, 1), "not both", class = "noiseaware_error_input")
})

test_that("a data frame of a fit has one row per draw", {
  found <- as.data.frame(fit)
  expect_identical(class(found), "data.frame")
  expect_named(found, c(paste0("theta[", 1:3, "]"), ".chain", ".iteration", ".draw"))
  expect_identical(found$`theta[2]`, as_draws_df(fit)$`theta[2]`)
  expect_true("count(g=a)" %in% names(as.data.frame(fit, latent = TRUE)))
  set <- new_fit_set(list(p = fit, q = fit), "tract")
  expect_identical(names(as.data.frame(set))[[4]], "theta[q,1]")
})
