model_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_model")
}

model_of <- function(observation, family = NULL, formula = ~ x) {
  find_model(read_formula(formula, observation), read_family(family), observation)
}

test_that("a number without a family is normal", {
  observation <- normal_observation(c(3, 20), 40)
  expect_s3_class(model_of(observation), "noiseaware_model_normal")
  for (family in list("normal", "gaussian", stats::gaussian(), stats::gaussian)) {
    expect_identical(model_of(observation, family), model_of(observation))
  }
  counts <- sum_observation(3, 40, upper = 8, column = count_column)
  for (family in list("poisson", stats::poisson(), stats::poisson)) {
    expect_s3_class(model_of(counts, family), "noiseaware_model_poisson")
  }
  model_error(model_of(observation, stats::gaussian("log")), "must be \"identity\"")
  model_error(model_of(counts, stats::poisson("sqrt")), "must be \"log\"")
})

test_that("models keep what was released and how records were mapped", {
  model <- model_of(sum_observation(-3, 40, scale = 2, lower = 1, upper = 5), "exponential")
  expect_identical(model$sums$value, -3)
  expect_identical(model$centre, 3)
  expect_identical(model$map, list(lower = 1, upper = 5, below = 1, above = 5))
  redacted <- model_of(sum_observation(-3, 40, lower = 1, upper = 5, outside = "redact"),
                       "exponential")
  expect_identical(redacted$map, list(lower = 1, upper = 5, below = 3, above = 3))
  # No rate has records below 0.
  wide <- model_of(sum_observation(-3, 40, lower = -5, upper = 5), "exponential")
  expect_identical(wide$map$lower, 0)
  expect_identical(model_of(normal_observation(c(0, 1), 40, lower = -5, upper = 5))$map$lower, -5)
})

test_that("a normal model needs the sum of squares and says which query has it", {
  only_sum <- sum_observation(3, 40)
  model_error(model_of(only_sum), "degree = 2")
  model_error(model_of(only_sum), "sum\\(x\\*x\\) was not released")
  only_squares <- normal_observation(c(3, 20), 40)
  only_squares$statistics <- only_squares$statistics[2, ]
  model_error(model_of(only_squares), "sum\\(x\\) was not released")
  model_error(model_of(only_squares, "exponential"), "sum\\(x\\) was not released")
})

test_that("columns that are not numbers are refused", {
  observation <- make_observation(c("sum(x)" = -2, "sum(g=a)" = 3, "sum(g=b)" = 4, "sum(g=c)" = 3),
                                  n = 10, kind = "moments",
                                  columns = list(binary_column(), factor_column()))
  for (family in c("exponential", "poisson", "normal")) {
    model_error(model_of(observation, family), "family = \"bernoulli\"")
    model_error(model_of(observation, family, ~ g), "family = \"categorical\"")
  }
  tables <- categorical_observation()
  model_error(model_of(tables, "normal", ~ g), "release of tables")
})

test_that("bounds must suit the family", {
  model_error(model_of(sum_observation(3, 40, lower = -5, upper = 0), "exponential"),
              "able to exceed 0")
  model_error(model_of(sum_observation(3, 40, lower = -5, upper = -1), "poisson"),
              "able to exceed 0")
  model_error(model_of(sum_observation(3, 40, lower = 0, upper = 2.5), "poisson"),
              "whole numbers.*dom_count")
  expect_s3_class(model_of(sum_observation(3, 40, lower = 0, upper = 3), "poisson"),
                  "noiseaware_model")
})

test_that("n must be public or released", {
  for (family in c("exponential", "poisson")) {
    model_error(model_of(sum_observation(3, NULL), family), "neither public nor released")
    model_error(model_of(sum_observation(3, 0), family), "no records")
  }
  model_error(model_of(normal_observation(c(3, 20), NULL)), "neither public nor released")
  noisy <- make_observation(c(n = 9.4, "sum(x)" = 3), kind = "moments",
                            columns = list(real_column("x")))
  expect_identical(model_of(noisy, "exponential")$size$status, "noisy")
})

test_that("coarse noise suits sums of whole numbers only", {
  model_error(model_of(sum_observation(3, 40, grid = 1, scale = 5), "exponential"),
              "nearly continuous")
  model_error(model_of(normal_observation(c(3, 20), 40, grid = 1, scale = 5)), "nearly continuous")
  fine <- model_of(sum_observation(3, 40, grid = 2^-20, scale = 5), "exponential")
  expect_identical(fine$sums$grid, 0)
  expect_s3_class(model_of(sum_observation(3, 40, grid = 0.05, scale = 5), "exponential"),
                  "noiseaware_model")
  counts <- function(grid) {
    model_of(sum_observation(3, 40, grid = grid, scale = 5, upper = 8, column = count_column),
             "poisson")
  }
  expect_identical(counts(1)$sums$grid, 1)
  expect_identical(counts(0.01)$sums$grid, 0)
  model_error(counts(0.3), "divides 1")
})

test_that("exact sums must be sums of records", {
  exact <- function(value, n = 10, ...) {
    model_of(sum_observation(value, n, noise = "none", upper = 4, ...), "exponential")
  }
  expect_s3_class(exact(20), "noiseaware_model")
  expect_s3_class(exact(-20), "noiseaware_model")
  model_error(exact(20.1), "not a sum of records")
  model_error(exact(-20.1), "not a sum of records")
  squares <- function(values) model_of(normal_observation(values, 10, noise = "none"))
  expect_s3_class(squares(c(5, 2.5)), "noiseaware_model")
  model_error(squares(c(5, 2.4)), "not a sum of records")
  model_error(squares(c(5, 10.1)), "not a sum of records")
})

test_that("models say what they assume", {
  assumed <- function(observation, family, ...) {
    model_assumptions(model_of(observation, family), observation, ...)
  }
  clamped <- sum_observation(3, 40, upper = 3)
  expect_identical(assumed(clamped, "exponential"),
                   c("records are independent, x is exponential",
                     "records outside [0, 3] were clamped; this is modelled"))
  expect_true("no record was outside [0, 3]" %in%
                assumed(clamped, "exponential", method = method_naive()))
  exact <- sum_observation(3, 40, upper = 3, noise = "none")
  expect_true("no record was outside [0, 3]" %in% assumed(exact, "exponential"))
  redacted <- sum_observation(3, 40, outside = "redact")
  expect_true("records outside [0, 3] were redacted (set to 1.5); this is modelled" %in%
                assumed(redacted, "poisson"))
  own <- sum_observation(3, 40, origin = "noiseaware")
  expect_true("no x was missing (it would count as 1.5)" %in% assumed(own, "exponential"))
  both <- make_observation(c("sum(x)" = 1, "sum(age)" = 2, "sum(x*x)" = 9, "sum(x*age)" = 3),
                           n = 30, kind = "moments", outside = "redact",
                           columns = list(real_column("x", 0, 3), real_column()))
  found <- assumed(both, "exponential")
  expect_true("no record was redacted because of another column" %in% found)
  expect_true("not used, though about x: sum(x*x), sum(x*age)" %in% found)
  noisy <- make_observation(c(n = 9.4, "sum(x)" = 3), kind = "moments",
                            columns = list(real_column("x")))
  expect_true("n: flat prior on the non-negative integers" %in% assumed(noisy, "exponential"))
})

test_that("models are described in words", {
  exponential <- model_of(sum_observation(-3.25, 40, scale = 2), "exponential")
  expect_identical(model_title(exponential), "exponential model of x in [0, 3]")
  expect_identical(release_words(exponential),
                   "sum(x) = -3.25 (about 1.5), Laplace noise, sd 2.828")
  normal <- model_of(normal_observation(c(3, 20), 40, scale = c(1, 2), noise = "gaussian"))
  expect_identical(release_words(normal),
                   "sum(x) = 3, sum(x*x) = 20, Gaussian noise, sd 1 and 2")
  mixed <- model_of(normal_observation(c(3, 20), 40, noise = c("none", "gaussian")))
  expect_match(release_words(mixed), "no noise and Gaussian noise, sd 1", fixed = TRUE)
  expect_identical(model_variables(normal)$variable, c("mean", "sd"))
  expect_identical(model_size(normal), 40)
  poisson <- model_of(sum_observation(3, 40, upper = 8, column = count_column), "poisson")
  expect_identical(model_title(poisson), "Poisson model of x in [0, 8]")
})
