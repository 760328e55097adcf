observed <- function(...) moment_observation(regression_data(), regression_declared(), ...)

design <- function(formula, data = regression_data()) {
  model.matrix(formula, transform(data, b = as.numeric(b == "1")))
}

proper_prior <- function(k, seed = 4) {
  root <- withr::with_seed(seed, matrix(rnorm(k * k), k))
  list(mean = seq_len(k) / k, precision = crossprod(root) + diag(k), shape = 3, rate = 2)
}

as_prior <- function(x) prior_nig(x$mean, x$precision, x$shape, x$rate)

test_that("without noise the posterior is conjugate", {
  data <- regression_data()
  for (formula in list(y ~ x, y ~ x + b, y ~ 0 + x + b, y ~ g + x, y ~ 1)) {
    x <- design(formula)
    nig <- textbook_nig(x, data$y, proper_prior(ncol(x)))
    for (method in c("exact", "naive")) {
      fit <- infer(observed(), formula, prior = as_prior(proper_prior(ncol(x))), method = method,
                   seed = 1, iter = 5000)
      for (k in seq_len(ncol(x))) {
        oracle <- coefficient_oracle(nig, k)
        expect_draws_follow(fit, colnames(x)[[k]], oracle)
        expect_equal(fit$moments$mean[[k]], oracle$mean, tolerance = 1e-8)
        expect_equal(fit$moments$sd[[k]], oracle$sd, tolerance = 1e-8)
      }
      expect_draws_follow(fit, "sigma", sigma_oracle(nig))
      expect_equal(fit$moments$privacy_share, rep(0, ncol(x) + 1))
    }
  }
})

test_that("the conjugate update has the reference values", {
  # Case C1 of the reference vectors at u1: moments, then mu_n, a_n and b_n to 12 digits.
  value <- c(0.316227766016838, -0.632455532033676, 0.26, 0.00500000000000001, 0.4025)
  observation <- make_observation(stats::setNames(value, paper_statistics), noise = "none", n = 10,
                                  columns = list(real_column("x", -1, 1), real_column("y", -1, 1)),
                                  kind = "moments", outside = "clamp")
  fit <- suppressWarnings(infer(observation, y ~ x, prior = paper_prior(), seed = 1))
  expect_equal(fit$moments$mean[1:2], c(-0.0659268909926, 0.0902776389194), tolerance = 1e-10)
  sigma <- sigma_oracle(list(shape = 25, rate = 0.680176392444))
  expect_equal(fit$moments$mean[[3]], sigma$mean, tolerance = 1e-10)
  expect_equal(fit$moments$sd[[3]], sigma$sd, tolerance = 1e-10)
})

test_that("tiny noise gives the conjugate posterior", {
  data <- regression_data()
  for (noise in c("laplace", "gaussian")) {
    scale <- 1e-3
    for (formula in list(y ~ x, x ~ 0 + y)) {
      x <- design(formula)
      # A proper prior tells most of an intercept far from the records.
      fit <- suppressWarnings(infer(observed(noise = noise, scale = scale), formula, seed = 2,
                                    prior = as_prior(proper_prior(ncol(x))), iter = 4000),
                              classes = "noiseaware_warning_prior_dominated")
      nig <- textbook_nig(x, data[[fit$model$column]], proper_prior(ncol(x)))
      for (k in seq_len(ncol(x))) {
        expect_draws_follow(fit, colnames(x)[[k]], coefficient_oracle(nig, k))
      }
      expect_draws_follow(fit, "sigma", sigma_oracle(nig))
      expect_lt(max(fit$moments$privacy_share), 0.01)
    }
  }
})

test_that("exact draws follow importance sampling from the prior", {
  simulated <- simulate_paper_prior(2e6, 10, 1)
  value <- c(1.5, -2, 0.4, -0.3, 3.2)  # the release of the reference vector C1
  columns <- list(real_column("x", -1, 1), real_column("y", -1, 1))
  for (scale in c(16 / 3, 160 / 3)) {  # epsilon 1 and 0.1
    observation <- make_observation(stats::setNames(value, paper_statistics), scale = scale,
                                    n = 10, columns = columns, kind = "moments",
                                    outside = "clamp")
    fit <- suppressWarnings(infer(observation, y ~ x, prior = paper_prior(), seed = 1,
                                  iter = 4000))
    log_weight <- -rowSums(abs(sweep(simulated$sums, 2, value))) / scale
    for (variable in c("(Intercept)", "x", "sigma")) {
      oracle <- weighted_oracle(simulated, variable, log_weight)
      expect_gt(oracle$effective, 2e5)
      expect_draws_follow(fit, variable, oracle)
      row <- match(variable, fit$moments$variable)
      expect_equal(fit$moments$sd[[row]], oracle$sd, tolerance = 0.03)
    }
  }
})

test_that("fewer records than columns will do", {
  data <- regression_data(3)
  fit <- suppressWarnings(infer(
    moment_observation(data, regression_declared(), noise = "gaussian", scale = 1), y ~ x + b,
    seed = 1
  ))
  expect_true(all(is.finite(fit$draws)))
})

test_that("a model passes the contract, and so do its methods", {
  observation <- observed()
  prior <- proper_prior(2)
  x <- design(y ~ x)
  oracle <- coefficient_oracle(textbook_nig(x, regression_data()$y, prior), 2)
  fit <- expect_model(observation, y ~ x, "x", oracle, prior = as_prior(prior), tolerance = 1e-8,
                      newdata = data.frame(x = c(20, 30)))
  noisy <- observed(noise = "laplace", scale = 1e-3)
  for (method in c("exact", "gibbs")) {
    expect_method(method, noisy, y ~ x, "x", oracle, prior = as_prior(prior))
  }
  expect_stored(quick_fit(noisy, y ~ x + g))
})

test_that("results do not depend on units", {
  data <- regression_data()
  other <- transform(data, x = 4 * x - 30, y = y / 8 + 5)
  declared <- list(real_column("x", 0, 100), real_column("y", 0, 16))
  changed <- list(real_column("x", -30, 370), real_column("y", 5, 7))
  natural <- proper_prior(2)
  # theta' = map theta + shift for y' = y / 8 + 5, x' = 4 x - 30.
  map <- rbind(c(1 / 8, 30 / 32), c(0, 1 / 32))
  back <- solve(map)
  prior <- list(mean = as.vector(map %*% natural$mean + c(5, 0)), shape = natural$shape,
                precision = t(back) %*% natural$precision %*% back / 64, rate = natural$rate / 64)
  prior$precision <- (prior$precision + t(prior$precision)) / 2
  covariates <- list(prior_niw(40, 2, 90, 7), prior_niw(4 * 40 - 30, 2, 16 * 90, 7))
  unit <- c(4, 1 / 8, 16, 0.5, 1 / 64)  # of the sums
  scale <- c(2, 1, 60, 20, 9)
  fit_one <- function(data, declared, prior, covariates, scale, method) {
    observation <- moment_observation(data, declared, noise = "laplace", scale = scale)
    suppressWarnings(infer(observation, y ~ x, prior = priors(as_prior(prior), covariates),
                           method = method, seed = 3, iter = 4000))
  }
  for (method in c("naive", "exact", "gibbs")) {
    one <- fit_one(data, declared, natural, covariates[[1]], scale, method)
    two <- fit_one(other, changed, prior, covariates[[2]], scale * unit, method)
    first <- draws_matrix(one$draws)
    theta <- first[, 1:2] %*% t(map) + rep(c(5, 0), each = nrow(first))
    sigma <- first[, 3] / 8
    second <- draws_matrix(two$draws)
    if (method == "naive") {
      expect_equal(unname(second), unname(cbind(theta, sigma)), tolerance = 1e-7)
    }
    size <- if (method == "gibbs") 100 else 2000
    mcse <- apply(second, 2, sd) / sqrt(size)
    expect_lt(max(abs(colMeans(second) - c(colMeans(theta), mean(sigma))) / mcse), 4)
    expect_equal(two$moments$privacy_share, one$moments$privacy_share, tolerance = 0.2)
    # The intercept is another parameter where x has another zero.
    expect_equal(two$moments$sd_ratio[-1], one$moments$sd_ratio[-1], tolerance = 0.1)
  }
})

test_that("factors and binary columns are recovered through noise", {
  data <- regression_data(2000)
  noisy <- moment_observation(data, regression_declared(), noise = "laplace",
                              scale = 3, shift = withr::with_seed(9, rnorm(20, 0, 3)))
  fit <- infer(noisy, y ~ x + b + g, seed = 1)
  truth <- coef(lm(y ~ x + b + g, transform(data, b = as.numeric(b == "1"))))
  row <- match(names(truth), fit$moments$variable)
  expect_lt(max(abs(fit$moments$mean[row] - truth) / fit$moments$sd[row]), 3)
  # Without what is known of indicators their variance would be noise.
  loose <- find_model(read_formula(y ~ b, noisy), NULL, noisy)
  expect_identical(nrow(loose$ties), 1L)
})

test_that("a noisy n is latent and close to a known one when its noise is small", {
  known <- observed(noise = "laplace", scale = 2)
  latent <- known
  latent["n"] <- list(NULL)
  latent$statistics <- rbind(
    data.frame(name = "n", value = 60, noise = "laplace", scale = 0.2, grid = 0),
    known$statistics
  )
  one <- infer(known, y ~ x, seed = 1, iter = 4000)
  two <- infer(latent, y ~ x, seed = 1, iter = 4000)
  expect_true(is.na(nobs(two)))
  expect_true("n" %in% posterior::variables(as_draws(two, latent = TRUE)))
  mcse <- one$moments$sd / sqrt(1500)
  expect_lt(max(abs(two$moments$mean - one$moments$mean) / mcse), 5)
  expect_error(infer(latent, y ~ x, method = "gibbs"), "public number", class =
                 "noiseaware_error_model")
})

test_that("with a noisy n draws follow importance sampling from the prior", {
  value <- c(1.5, -2, 0.4, -0.3, 3.2)
  columns <- list(real_column("x", -1, 1), real_column("y", -1, 1))
  observation <- make_observation(
    c(n = 15, stats::setNames(value, paper_statistics)), scale = c(2, rep(16 / 3, 5)), n = NULL,
    columns = columns, kind = "moments", outside = "clamp"
  )
  fit <- suppressWarnings(infer(observation, y ~ x, prior = paper_prior(), seed = 1, iter = 4000))
  # The same records in every size: sums of the first n of 40, for every n.
  log_weight <- matrix(0, 2e5, 40)
  simulated <- simulate_paper_prior(2e5, 40, 2, function(sums, n) {
    log_weight[, n] <<- -rowSums(abs(sweep(sums, 2, value))) / (16 / 3) - abs(15 - n) / 2
  })
  weight <- rowSums(exp(log_weight))
  for (variable in c("(Intercept)", "x", "sigma")) {
    expect_draws_follow(fit, variable, weighted_oracle(simulated, variable, log(weight)))
  }
  sizes <- colSums(exp(log_weight)) / sum(weight)
  drawn <- draws_matrix(as_draws(fit, latent = TRUE))[, "n"]
  mcse <- sd(drawn) / sqrt(posterior::ess_mean(as.vector(fit$latent[, , "n"])))
  expect_lt(abs(mean(drawn) - sum(sizes * 1:40)), 5 * mcse)
})

test_that("less noise narrows the posterior, and naive intervals are narrower still", {
  sd_at <- function(scale, method = "exact") {
    suppressWarnings(infer(observed(noise = "laplace", scale = scale), y ~ x, seed = 1,
                           method = method))$moments$sd
  }
  expect_true(all(sd_at(400) > sd_at(40)))
  expect_true(all(sd_at(40) > sd_at(40, "naive")))
})

test_that("names of covariates' parameters and latent statistics", {
  fit <- quick_fit(observed(noise = "laplace", scale = 2), y ~ x + b)
  latent <- setdiff(posterior::variables(as_draws(fit, latent = TRUE)), fit$moments$variable)
  expect_identical(latent[1:5], c("mu_x[x]", "mu_x[b]", "Sigma_x[x,x]", "Sigma_x[x,b]",
                                  "Sigma_x[b,b]"))
  expect_setequal(latent[-(1:5)], c("sum(x)", "sum(b)", "sum(y)", "sum(x*x)", "sum(x*b)",
                                    "sum(x*y)", "sum(b*y)", "sum(y*y)"))
  draws <- draws_matrix(as_draws(fit, latent = TRUE))
  # Nearly exact statistics: the mean of x is that of the records.
  expect_equal(mean(draws[, "sum(x)"]), sum(regression_data()$x - 50), tolerance = 0.02)
  expect_equal(mean(draws[, "mu_x[x]"]), mean(regression_data()$x), tolerance = 0.02)
})

test_that("methods refuse what they cannot do", {
  noisy <- observed(noise = "laplace", scale = 2)
  refused <- function(expr, text) expect_error(expr, text, class = "noiseaware_error_model")
  refused(infer(noisy, y ~ x, method = method_gibbs("release")), "degree 4")
  refused(infer(observed(), y ~ x, method = "gibbs"), "with noise")
  refused(infer(noisy, y ~ x, method = "clt"), "not available")
  refused(infer(observed(), y ~ x, method = method_exact(clamped = TRUE)), "with noise")
  redacted <- noisy
  redacted$outside <- "redact"
  refused(infer(redacted, y ~ x, method = method_exact(clamped = TRUE)), "redacts")
  impossible <- observed()
  impossible$statistics$value[impossible$statistics$name == "sum(y*y)"] <- -1e6
  refused(infer(impossible, y ~ x), "cannot have produced")
})

test_that("clamping is modelled on request", {
  data <- withr::with_seed(5, data.frame(x = rnorm(4000, 50, 12)))
  data$y <- withr::with_seed(6, 3 + 0.1 * data$x + rnorm(4000, 0, 2))
  clamp <- function(v, lower, upper) pmin(pmax(v, lower), upper)
  seen <- data.frame(x = data$x, y = clamp(data$y, 0, 9.5))
  declared <- list(real_column("x", 0, 100), real_column("y", 0, 9.5))
  observation <- moment_observation(seen, declared, noise = "laplace", scale = 20)
  plain <- infer(observation, y ~ x, seed = 1)
  modelled <- infer(observation, y ~ x, seed = 1, method = method_exact(clamped = TRUE))
  gap <- function(fit) abs(fit$moments$mean[[3]] - 2)
  expect_gt(gap(plain), 5 * plain$moments$sd[[3]])
  expect_lt(gap(modelled), 4 * modelled$moments$sd[[3]])
})
