test_that("a task is dispatched on model and method", {
  model <- find_model(read_formula(~ x, bernoulli_observation()), NULL, bernoulli_observation())
  task <- new_task(model, prior_beta(1, 1), method_naive())
  expect_identical(class(task), c("noiseaware_task_bernoulli_naive", "noiseaware_task_counts_naive",
                                  "noiseaware_task"))
})

test_that("failures of the core become errors of the model", {
  failure <- structure(class = c("std::domain_error", "C++Error", "error", "condition"),
                       list(message = "no {way}", call = NULL))
  expect_error(call_core(stop(failure)), "no \\{way\\}", class = "noiseaware_error_model")
  expect_identical(call_core(3), 3)
})
