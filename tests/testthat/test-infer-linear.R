observed <- function(...) moment_observation(regression_data(), regression_declared(), ...)

linear_model <- function(formula, observation = observed()) {
  find_model(read_formula(formula, observation), NULL, observation)
}

linear_error <- function(expr, text, class = "noiseaware_error_model") {
  expect_error(expr, text, class = class)
}

test_that("coefficients have the names of model.matrix()", {
  data <- regression_data()
  names <- colnames(model.matrix(y ~ x + g, data))
  expect_identical(coefficient_names(linear_model(y ~ x + g)), names)
  # 0 and 1 is a number to model.matrix(); other levels are a factor.
  expect_identical(coefficient_names(linear_model(y ~ b + x)), c("(Intercept)", "b", "x"))
  sex <- moment_observation(data.frame(sex = c("f", "m"), y = 1:2), list(
    binary_column("sex", c("f", "m")), real_column("y", 0, 3)
  ))
  expect_identical(coefficient_names(linear_model(y ~ sex, sex)), c("(Intercept)", "sexm"))
  expect_identical(model_variables(linear_model(x ~ 0 + y))$variable, c("y", "sigma"))
  expect_identical(model_variables(linear_model(y ~ 1))$variable, c("(Intercept)", "sigma"))
})

test_that("any outcome and any covariates among the released columns will do", {
  data <- regression_data()
  for (formula in list(y ~ x, x ~ y, y ~ g + x + b, x ~ b + g, b ~ x + y, y ~ 1)) {
    # With almost no prior the posterior mean is least squares.
    fit <- quick_fit(observed(), formula, prior = prior_nig(0, 1e-9, 2, 1e-9))
    frame <- transform(data, b = as.numeric(b == "1"))
    least_squares <- coef(lm(formula, frame))
    expect_equal(fit$moments$mean[seq_along(least_squares)], unname(least_squares),
                 tolerance = 1e-5)
  }
})

test_that("the model and the family are found by either name", {
  for (family in list("gaussian", gaussian(), "normal", "linear", NULL)) {
    fit <- quick_fit(observed(), y ~ x, family = family)
    expect_s3_class(fit$model, "noiseaware_model_linear")
  }
  linear_error(infer(observed(), y ~ x, family = gaussian("log")), "link")
})

test_that("what was not released is an error that lists what was", {
  linear_error(infer(observed(), y ~ x + weight), "weight.*not released")
  expect_error(infer(observed(), y ~ weight), "sum\\(x\\*x\\)")
  linear_error(infer(observed(), weight ~ x), "weight.*not released")
  for (formula in list(y ~ x:b, y ~ x * b, y ~ I(x^2), y ~ log(x), log(y) ~ x, y ~ poly(x, 2),
                       cbind(x, y) ~ b)) {
    linear_error(infer(observed(), formula), "was not released")
  }
  partly <- observed()
  partly$statistics <- partly$statistics[partly$statistics$name != "sum(x*y)", ]
  linear_error(infer(partly, y ~ x), "sum\\(x\\*y\\).*not released")
  linear <- observed()
  linear$statistics <- linear$statistics[!grepl("*", linear$statistics$name, fixed = TRUE), ]
  linear_error(infer(linear, y ~ x), "not released")
  expect_error(infer(linear, y ~ x), "degree = 2")
})

test_that("formulas that moments cannot serve are refused", {
  linear_error(infer(observed(), y ~ x + offset(b)), "offset")
  linear_error(infer(observed(), y ~ 0), "no terms")
  linear_error(infer(observed(), y ~ y), "cannot explain itself")
  linear_error(infer(observed(), g ~ x), "3 levels")
  linear_error(infer(observed(), y ~ 0 + g), "needs the intercept")
  expect_error(infer(observed(), y ~ .), class = "noiseaware_error_input")
})

test_that("runs that cannot be are refused", {
  refused <- function(...) {
    expect_error(infer(observed(), y ~ x, ...), class = "noiseaware_error_input")
  }
  refused(iter = -1)
  refused(chains = 0)
  refused(warmup = 3000)
  refused(seed = -1)
  refused(method = 3)
  expect_error(method_exact(target_acceptance = 1), "`target_acceptance`",
               class = "noiseaware_error_input")
  expect_error(method_exact(max_depth = 0), "`max_depth`", class = "noiseaware_error_input")
  expect_error(method_exact(clamped = NA), "`clamped`", class = "noiseaware_error_input")
  expect_error(method_gibbs("all"), "`moments`", class = "noiseaware_error_input")
})

test_that("too few records, tables and coarse noise are refused", {
  one <- observed()
  one$n <- 1
  linear_error(infer(one, y ~ x), "two or more records")
  none <- observed()
  none["n"] <- list(NULL)
  linear_error(infer(none, y ~ x), "number of records")
  linear_error(infer(bernoulli_observation(), x ~ y), "release of moments")
  coarse <- observed(noise = "laplace", scale = 2)
  coarse$statistics$grid <- 1
  linear_error(infer(coarse, y ~ x), "nearly continuous")
})

test_that("a print-out tells model, release, prior, privacy and assumptions", {
  fit <- quick_fit(observed(noise = "laplace", scale = 3), y ~ x + b)
  text <- paste(capture.output(print(fit)), collapse = "\n")
  for (words in c("linear regression of y on x, b", "8 sums and sums of products", "Laplace noise",
                  "epsilon = 1", "60 \\(public and exact\\)", "normal-inverse-gamma",
                  "no-U-turn sampler", "jointly normal", "no record was outside the bounds")) {
    expect_match(text, words)
  }
  clamped <- quick_fit(observed(noise = "laplace", scale = 3), y ~ x,
                       method = method_exact(clamped = TRUE))
  expect_match(paste(capture.output(print(clamped)), collapse = "\n"), "clamped; modelled")
})

test_that("derived columns are columns like others, in releases of any degree above 1", {
  declared <- derive(domain(x = c(0, 10), y = c(-5, 15)), x2 = x^2)
  data <- withr::with_seed(1, data.frame(x = runif(500, 0, 10)))
  data$y <- withr::with_seed(2, 1 + 0.3 * data$x + 0.05 * data$x^2 + rnorm(500))
  for (degree in c(2, 4)) {
    query <- query_moments(declared, "replace_one", degree = degree)
    fit <- infer_nonprivate(query, data, y ~ x + x2, prior = prior_nig(0, 1e-9, 2, 1), seed = 1)
    expect_equal(fit$moments$mean[1:3], unname(coef(lm(y ~ x + I(x^2), data))), tolerance = 1e-3)
    expect_output(print(fit), "missing inputs at their constants")
  }
})
