test_that("every registered model builds, has methods, and methods that exist", {
  for (prototype in model_registry()) {
    expect_true(prototype$sides %in% 1:2)
    expect_gt(length(prototype$methods), 0)
    expect_true(all(prototype$methods %in% names(method_registry())))
    kinds <- setdiff(sub("^noiseaware_model_?", "", class(prototype)), "")
    for (method in prototype$methods) {
      found <- vapply(kinds, function(kind) {
        exists(paste0("sample_posterior.noiseaware_task_", kind, "_", method),
               asNamespace("noiseaware"))
      }, NA)
      expect_true(any(found), info = paste(prototype$name, method))
    }
  }
})

test_that("no two models serve the same request", {
  served <- unlist(lapply(model_registry(), function(prototype) {
    outer(c(prototype$name, prototype$aliases), prototype$kinds, paste, prototype$sides)
  }))
  expect_identical(anyDuplicated(served), 0L)
})

test_that("the default family depends on the column", {
  observation <- make_observation(
    c("sum(x)" = 1), n = 10, kind = "moments",
    columns = list(binary_column(), factor_column(), real_column())
  )
  default <- function(formula) default_family(read_formula(formula, observation), observation)
  expect_identical(default(~ x), "bernoulli")
  expect_identical(default(~ g), "categorical")
  expect_identical(default(~ age), "normal")
  expect_identical(default(x ~ age), "gaussian")
})

test_that("a request without a model says what there is", {
  observation <- make_observation(c("sum(age)" = 1), n = 10, kind = "moments",
                                  columns = list(real_column()))
  expect_error(infer(observation, ~ age, family = "gamma"), "\"exponential\"",
               class = "noiseaware_error_model")
  expect_error(infer(observation, age ~ age, family = "poisson"), "two-sided",
               class = "noiseaware_error_model")
})

test_that("a link that is not used is refused", {
  observation <- bernoulli_observation(300, 1000)
  expect_error(infer(observation, ~ x, family = stats::binomial("probit")), "must be \"logit\"",
               class = "noiseaware_error_model")
  expect_no_error(infer(observation, ~ x, family = stats::binomial("logit"), seed = 1))
})
