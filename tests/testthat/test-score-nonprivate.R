test_that("the yardstick is the conjugate posterior of the records", {
  columns <- domain(am = dom_binary(), gear = dom_levels(3:5))
  query <- query_tables(columns, ~ am + gear, "replace_one")
  fit <- infer_nonprivate(query, mtcars, ~ am, seed = 1, prior = prior_beta(2, 3))
  expect_equal(fit$moments$mean, (2 + sum(mtcars$am)) / (5 + nrow(mtcars)))
  expect_identical(fit$moments$privacy_share, 0)
  expect_output(print(fit), "!! NON-PRIVATE", fixed = TRUE)
  gears <- infer_nonprivate(query, mtcars, ~ gear, seed = 1)
  expect_equal(gears$moments$mean, as.vector(1 + table(mtcars$gear)) / (3 + nrow(mtcars)))
})

test_that("moments and tables of the same records agree", {
  columns <- domain(am = dom_binary(), gear = dom_levels(3:5))
  tables <- query_tables(columns, ~ am + gear, "add_remove")
  moments <- query_moments(columns, "add_remove")
  for (formula in list(~ am, ~ gear)) {
    one <- infer_nonprivate(tables, mtcars, formula, seed = 1)
    two <- infer_nonprivate(moments, mtcars, formula, seed = 1)
    expect_equal(one$moments, two$moments)
    expect_identical(one$draws, two$draws)
  }
})

test_that("n of the yardstick is counted, not public", {
  query <- query_tables(domain(am = dom_binary()), ~ am, "add_remove")
  fit <- infer_nonprivate(query, mtcars, ~ am, seed = 1)
  expect_output(print(fit), "n:       32 (counted in the records)", fixed = TRUE)
  expect_error(infer_nonprivate(), "`query` is missing", class = "noiseaware_error_input")
  expect_error(infer_nonprivate(query), "`data` is missing", class = "noiseaware_error_input")
})
