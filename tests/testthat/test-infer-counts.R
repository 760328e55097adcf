model_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_model")
}

model_of <- function(observation, formula = NULL, family = NULL) {
  find_model(read_formula(formula, observation), read_family(family), observation)
}

test_that("a table of a binary column is its single count", {
  model <- model_of(bernoulli_observation(7.3, 10, scale = 2))
  expect_s3_class(model, "noiseaware_model_bernoulli")
  expect_identical(model$counts$released, c(FALSE, TRUE))
  expect_identical(model$counts$value[[2]], 7.3)
  expect_identical(model$counts$centre, c(0, 0))
  expect_identical(model_size(model), 10)
})

test_that("moments of a binary column keep their centre, levels have none", {
  observation <- make_observation(
    c("sum(x)" = -2, "sum(g=a)" = 3, "sum(g=b)" = 4, "sum(g=c)" = 3), n = 10, kind = "moments",
    columns = list(binary_column(), factor_column())
  )
  expect_identical(model_of(observation, ~ x)$counts$centre[[2]], 0.5)
  model <- model_of(observation, ~ g)
  expect_s3_class(model, "noiseaware_model_categorical")
  expect_identical(model$counts$centre, c(0, 0, 0))
  expect_identical(model$counts$statistic, paste0("sum(g=", letters[1:3], ")"))
})

test_that("a table of a count column has its whole numbers as levels", {
  column <- list(name = "visits", type = "count", lower = 0, upper = 2, centre = 0, missing = 0)
  observation <- make_observation(
    c("count(visits=0)" = 5, "count(visits=1)" = 3, "count(visits=2)" = 2), n = 10,
    columns = list(column)
  )
  expect_identical(model_of(observation)$levels, c("0", "1", "2"))
})

test_that("families must fit the number of levels", {
  model_error(model_of(bernoulli_observation(), family = "categorical"), "2 levels")
  model_error(model_of(categorical_observation(), family = "bernoulli"), "3 levels")
  moments <- make_observation(c("sum(age)" = 3), n = 10, kind = "moments",
                              columns = list(real_column()))
  model_error(model_of(moments, family = "bernoulli"), "no levels to count")
})

test_that("columns that were not counted are refused with a list of what was", {
  observation <- make_observation(c("count(x=1,g=a)" = 3), n = 10,
                                  columns = list(binary_column(), factor_column()))
  model_error(model_of(observation, ~ x), "count\\(x=1,g=a\\)")
})

test_that("an absent count is suppressed if there is a threshold, else not released", {
  partial <- categorical_observation()
  partial$statistics <- partial$statistics[c(1, 3), ]
  expect_identical(model_of(partial)$counts$released, c(TRUE, FALSE, TRUE))
  partial$threshold <- 4
  expect_identical(model_of(partial)$counts$released, c(TRUE, TRUE, TRUE))
  expect_identical(model_of(partial)$counts$censored, c(FALSE, TRUE, FALSE))
})

test_that("n must be told by something", {
  model_error(model_of(bernoulli_observation(n = NULL)), "neither public nor released")
  partial <- categorical_observation(n = NULL)
  expect_identical(model_of(partial)$size$status, "unknown")
  partial$statistics <- partial$statistics[1:2, ]
  model_error(model_of(partial), "neither public nor released")
})

test_that("exact counts must be counts", {
  model_error(model_of(bernoulli_observation(3.5, 10, noise = "none")), "not a count of records")
  model_error(model_of(bernoulli_observation(11, 10, noise = "none")), "not a count of records")
  model_error(model_of(bernoulli_observation(-1, 10, noise = "none")), "not a count of records")
  expect_s3_class(model_of(bernoulli_observation(3, 10, noise = "none")), "noiseaware_model")
})

test_that("a grid must divide 1", {
  model_error(model_of(bernoulli_observation(4, 10, grid = 0.3)), "grid that divides 1")
  model_error(model_of(bernoulli_observation(4, 10, grid = 2)), "grid that divides 1")
  for (grid in c(1, 0.5, 2^-20)) {
    expect_s3_class(model_of(bernoulli_observation(4, 10, grid = grid)), "noiseaware_model")
  }
})

test_that("models say what they assume", {
  assumed <- function(observation, formula = NULL) {
    model_assumptions(model_of(observation, formula), observation)
  }
  expect_identical(assumed(bernoulli_observation()), "records are independent given theta")
  own <- bernoulli_observation(origin = "noiseaware", outside = "redact")
  expect_true(any(grepl("counted as 0", assumed(own))))
  expect_true("no record was redacted" %in% assumed(own))
  partial <- categorical_observation()
  partial$statistics <- partial$statistics[1:2, ]
  expect_true("no count of c was released: it is the rest" %in% assumed(partial))
  partial$statistics <- partial$statistics[1, ]
  expect_true(any(grepl("2 levels have no released count", assumed(partial))))
  expect_true(any(grepl("flat prior", assumed(categorical_observation(n = NULL)))))
})

test_that("models are described in words", {
  expect_identical(model_title(model_of(bernoulli_observation())), "Bernoulli model of x (0 or 1)")
  expect_identical(model_title(model_of(categorical_observation())),
                   "categorical model of g (3 levels)")
  expect_identical(release_words(model_of(bernoulli_observation(scale = 2))),
                   "count(x=1) = 7.3, Laplace noise, sd 2.828")
  mixed <- categorical_observation(c(2.5, 3.1, 2), noise = c("laplace", "gaussian", "none"))
  expect_match(release_words(model_of(mixed)), "noise differs")
})
