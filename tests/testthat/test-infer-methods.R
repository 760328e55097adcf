binary_model <- function() {
  find_model(read_formula(~ x, bernoulli_observation()), NULL, bernoulli_observation())
}

test_that("the first method of a model is its default", {
  expect_identical(choose_method(binary_model(), NULL), method_exact())
  expect_identical(choose_method(binary_model(), "naive"), method_naive())
  expect_identical(choose_method(binary_model(), method_exact(5))$max_work, 5)
})

factor_model <- function() {
  find_model(read_formula(~ g, categorical_observation()), NULL, categorical_observation())
}

test_that("methods by name and by constructor are the same", {
  for (name in names(method_registry())) {
    expect_identical(method_registry()[[name]]()$name, name)
  }
  expect_identical(choose_method(binary_model(), "clt"), method_clt())
  expect_identical(choose_method(factor_model(), "gibbs"), method_gibbs())
})

test_that("unknown and unsuitable methods are refused", {
  expect_error(choose_method(binary_model(), "taylor"),
               "\"exact\", \"clt\", \"gibbs\", \"naive\"", class = "noiseaware_error_input")
  expect_error(choose_method(binary_model(), 3), "`method` must be",
               class = "noiseaware_error_input")
  expect_error(choose_method(factor_model(), "clt"), "not available for categorical",
               class = "noiseaware_error_model")
  expect_error(method_exact(-1), "`max_work`", class = "noiseaware_error_input")
})

test_that("methods print their options", {
  expect_output(print(method_exact()), "<method> exact, max_work = 10,000,000,000", fixed = TRUE)
  expect_output(print(method_naive()), "<method> naive", fixed = TRUE)
  expect_output(print(method_clt()), "<method> clt", fixed = TRUE)
  expect_output(print(method_gibbs()), "<method> gibbs", fixed = TRUE)
  expect_stored(method_exact())
})
