test_that("public records update the prior as records would", {
  data <- regression_data()
  declared <- regression_declared()
  observation <- moment_observation(data[1:40, ], declared)
  mine <- data[41:60, ]
  prior <- list(mean = c(1, 0.2, 0.3), precision = diag(c(2, 3, 4)), shape = 3, rate = 2)
  given <- priors(prior_nig(prior$mean, prior$precision, 3, 2), prior_niw(c(40, 0.4), 2, 5, 7))
  for (formula in list(y ~ x + b, y ~ 0 + x + b)) {
    x <- model.matrix(formula, transform(data, b = as.numeric(b == "1")))
    k <- seq_len(ncol(x))
    used <- list(mean = prior$mean[k], precision = prior$precision[k, k], shape = 3, rate = 2)
    own <- priors(prior_nig(used$mean, used$precision, 3, 2), given[[2]])
    model <- find_model(read_formula(formula, observation), NULL, observation)
    whole <- check_prior(model, own)
    updated <- update_prior(model, whole, read_public(model, mine))
    nig <- textbook_nig(x[41:60, ], mine$y, used)
    for (part in c("mean", "precision", "shape", "rate")) {
      expect_equal(unname(updated$coefficients[[part]]), unname(nig[[part]]), tolerance = 1e-9)
    }
    # All records at once: the public ones and the rest.
    fit <- infer(observation, formula, prior = own, public = mine, seed = 1)
    together <- textbook_nig(x, data$y, used)
    expect_equal(fit$moments$mean[k], together$mean, tolerance = 1e-8)
    expect_identical(fit$public$n, 20L)
  }
})

test_that("covariates of public records update their prior as in any textbook", {
  data <- regression_data(30)
  observation <- moment_observation(data, regression_declared())
  model <- find_model(read_formula(y ~ x + b, observation), NULL, observation)
  prior <- check_prior(model, prior_niw(c(40, 0.4), 2, matrix(c(5, 0.1, 0.1, 2), 2), 7))
  found <- update_prior(model, prior, read_public(model, data))$covariates
  x <- cbind(data$x, data$b == "1")
  gap <- colMeans(x) - c(40, 0.4)
  expect_equal(unname(found$mean), (2 * c(40, 0.4) + colSums(x)) / 32)
  expect_equal(unname(found$scale), matrix(c(5, 0.1, 0.1, 2), 2) + cov(x) * 29 +
                 2 * 30 / 32 * outer(gap, gap))
  expect_identical(c(found$kappa, found$df), c(32, 37))
})

test_that("public records that do not fit are refused", {
  observation <- moment_observation(regression_data(), regression_declared())
  refused <- function(public, text) {
    expect_error(infer(observation, y ~ x + b, public = public), text,
                 class = "noiseaware_error_input")
  }
  refused(regression_data()[c("x", "y")], "must have the column")
  refused(regression_data()[0, ], "no rows")
  refused(1:3, "must have the column")
  stored <- infer(observation, y ~ x, public = regression_data(5), seed = 1)$public
  refused(stored, "another model")
})
