two_columns <- function() {
  make_observation(c("count(x=1)" = 3), n = 10, columns = list(binary_column(), factor_column()))
}

test_that("a formula becomes plain text", {
  read <- read_formula(y ~ x1 + log(x2), two_columns())
  expect_identical(read$text, "y ~ x1 + log(x2)")
  expect_identical(read$sides, 2L)
  expect_identical(read$response, "y")
  expect_identical(read$terms, c("x1", "log(x2)"))
  expect_true(read$intercept)
  expect_false(read_formula(y ~ 0 + x, two_columns())$intercept)
  expect_stored(read)
})

test_that("names in backticks are names", {
  observation <- make_observation(c("count(my x=1)" = 3), n = 10,
                                  columns = list(binary_column("my x")))
  expect_identical(read_formula(~ `my x`, observation)$terms, "my x")
  expect_identical(read_formula(NULL, observation)$terms, "my x")
  expect_identical(infer(observation, seed = 1)$model$column, "my x")
})

test_that("text and formula are the same", {
  text <- formula_text(~ x + `a b`:c)
  expect_identical(formula_text(formula_from_text(text)), text)
  expect_identical(environment(formula_from_text("~x")), baseenv())
})

test_that("a one-sided formula names one released column", {
  observation <- two_columns()
  expect_identical(single_column(read_formula(~ x, observation), observation)$name, "x")
  for (bad in list(~ x + g, ~ x:g, ~ 1, ~ 0 + x)) {
    expect_error(single_column(read_formula(bad, observation), observation),
                 class = "noiseaware_error")
  }
  expect_error(single_column(read_formula(~ z, observation), observation), "z was not released",
               class = "noiseaware_error_model")
  expect_error(read_formula(NULL, observation), "`formula` is missing",
               class = "noiseaware_error_input")
})
