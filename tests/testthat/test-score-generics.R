test_that("a model that cannot be simulated says so", {
  model <- structure(list(name = "odd", column = "x", levels = c("0", "1")),
                     class = c("noiseaware_model_odd", "noiseaware_model"))
  registerS3method("model_title", "noiseaware_model_odd", function(model) "odd model",
                   envir = asNamespace("noiseaware"))
  expect_error(draw_prior(model, NULL, 1, 1), "odd model", class = "noiseaware_error_model")
  expect_error(draw_records(model, NULL, 1, 1), "odd model", class = "noiseaware_error_model")
})

test_that("every registered family of one column can be simulated", {
  for (prototype in Filter(function(model) model$sides == 1, model_registry())) {
    classes <- sub("^noiseaware_model_", "", class(prototype))
    for (generic in c("draw_prior", "draw_records")) {
      found <- lapply(class(prototype), utils::getS3method, f = generic, optional = TRUE,
                      envir = asNamespace("noiseaware"))
      expect_false(all(vapply(found, is.null, NA)), label = paste(generic, classes[[1]]))
    }
  }
})

test_that("guesses replace draws of the variables they name", {
  theta <- matrix(1:4 + 0, 2, dimnames = list(NULL, c("mean", "sd")))
  model <- structure(list(), class = "noiseaware_model")
  expect_equal(place_guess(model, theta, c(sd = 9)),
               matrix(c(1, 2, 9, 9), 2, dimnames = dimnames(theta)))
})
