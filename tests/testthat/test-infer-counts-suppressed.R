# Counts suppressed below a threshold: absent, and known to be small.

model_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_model")
}

count_names <- function(levels) paste0("count(g=", levels, ")")

# A table of the levels a, b, c, ... in which values below the threshold are absent.
suppressed_table <- function(values, threshold, n = NULL, ..., scale = 2, noise = "laplace",
                             grid = 0) {
  levels <- letters[seq_along(values)]
  values <- stats::setNames(values, count_names(levels))
  shown <- values[values >= threshold]
  told <- if (length(shown) == 0) {
    data.frame(name = names(values), noise = noise, scale = scale, grid = grid)
  }
  make_observation(shown, noise = noise, scale = scale, grid = grid[rep(1, length(shown))], n = n,
                   columns = list(factor_column(levels = levels)), threshold = threshold,
                   suppressed = told, ...)
}

suppressed_binary <- function(threshold, n, ..., noise = "laplace", scale = 2, grid = 0) {
  make_observation(c("count(x=1)" = 1)[0], noise = noise, scale = scale, grid = numeric(), n = n,
                   threshold = threshold, ...,
                   suppressed = data.frame(name = "count(x=1)", noise = noise, scale = scale,
                                           grid = grid))
}

exact_fit <- function(observation, prior = NULL) {
  suppressWarnings(
    infer_one(observation, list(formula = NULL, family = NULL, prior = prior, method = NULL,
                                run = check_run(2, 10, 0, 1, 1, 0), seed = 1)),
    classes = "noiseaware_warning_prior_dominated"
  )
}

expect_posterior <- function(fit, oracle, row = 1) {
  expect_equal(fit$log_evidence, oracle$log_evidence, tolerance = 1e-10)
  expect_equal(fit$moments$mean[[row]], oracle$mean, tolerance = 1e-10)
  expect_equal(fit$moments$sd[[row]], oracle$sd, tolerance = 1e-10)
}

# ---- exact, against enumeration --------------------------------------------

test_that("a suppressed count of a binary column agrees with enumeration", {
  for (case in list(list("laplace", 2, 0), list("laplace", 2, 1), list("gaussian", 1.5, 0),
                    list("gaussian", 1.5, 0.5), list("none", 0, 0))) {
    for (threshold in c(3, 10, 25)) {
      observation <- suppressed_binary(threshold, 30, noise = case[[1]], scale = case[[2]],
                                       grid = case[[3]])
      oracle <- enumerate_bernoulli(threshold, case[[1]], case[[2]], case[[3]], 30, 2, 3,
                                    censored = TRUE)
      expect_posterior(exact_fit(observation, prior_beta(2, 3)), oracle)
    }
  }
})

test_that("a suppressed sum about a centre, and a noisy n, agree with enumeration", {
  told <- data.frame(name = "sum(x)", noise = "laplace", scale = 2, grid = 0)
  known <- make_observation(c("sum(x)" = 1)[0], grid = numeric(), n = 30, kind = "moments",
                            threshold = 1, suppressed = told)
  oracle <- enumerate_bernoulli(1, "laplace", 2, 0, 30, 1, 1, centre = 0.5, censored = TRUE)
  expect_posterior(exact_fit(known), oracle)
  noisy <- make_observation(c(n = 33.1), scale = 3, kind = "moments", threshold = 1,
                            suppressed = told)
  size <- list(value = 33.1, noise = "laplace", scale = 3, grid = 0)
  oracle <- enumerate_bernoulli(1, "laplace", 2, 0, size, 1, 1, centre = 0.5, most = 300,
                                censored = TRUE)
  expect_posterior(exact_fit(noisy), oracle)
})

test_that("suppressed counts of a factor agree with enumeration", {
  for (case in list(list("laplace", 2, 0), list("laplace", 2, 1), list("gaussian", 1.5, 1),
                    list("none", 0, 0))) {
    observation <- suppressed_table(c(2, 9, 3, 14), 5, 28, noise = case[[1]], scale = case[[2]],
                                    grid = case[[3]])
    for (k in 1:2) {
      oracle <- enumerate_categorical(c(5, 9, 5, 14), rep(case[[1]], 4), rep(case[[2]], 4), 28,
                                      c(1, 2, 0.5, 3), k, grid = case[[3]],
                                      censored = c(TRUE, FALSE, TRUE, FALSE))
      expect_posterior(exact_fit(observation, prior_dirichlet(c(1, 2, 0.5, 3))), oracle, k)
    }
  }
})

test_that("suppressed counts and an n that is unknown or a statistic agree with enumeration", {
  observation <- suppressed_table(c(1, 7.2, 0), 3, scale = 0.7)
  oracle <- enumerate_categorical(c(3, 7.2, 3), rep("laplace", 3), rep(0.7, 3), NULL, rep(1, 3),
                                  most = 60, censored = c(TRUE, FALSE, TRUE))
  expect_posterior(exact_fit(observation), oracle)
  row <- data.frame(name = "n", value = 10, noise = "none", scale = 0, grid = 0)
  observation$statistics <- rbind(observation$statistics, row)
  oracle <- enumerate_categorical(c(3, 7.2, 3), rep("laplace", 3), rep(0.7, 3), 10, rep(1, 3),
                                  censored = c(TRUE, FALSE, TRUE))
  expect_posterior(exact_fit(observation), oracle)
})

test_that("all cells suppressed is a release too", {
  observation <- suppressed_table(c(1, 2, 0), 5, 9, scale = 2)
  oracle <- enumerate_categorical(rep(5, 3), rep("laplace", 3), rep(2, 3), 9, c(1, 1, 4), 3,
                                  censored = rep(TRUE, 3))
  fit <- exact_fit(observation, prior_dirichlet(c(1, 1, 4)))
  expect_posterior(fit, oracle, 3)
  expect_identical(release_words(fit$model), "no count: all were suppressed")
})

test_that("a threshold that nothing reaches says nothing, a low one says zero", {
  values <- c(8.1, 2, 11.4)
  # Suppressed below a million, of 40 records: as if it had never been released.
  high <- suppressed_table(values, 5, 40)
  high$threshold <- 1e6
  high$statistics$value <- high$statistics$value + 2e6
  hidden <- high
  hidden$threshold <- NULL
  expect_equal(exact_fit(high)$log_evidence, exact_fit(hidden)$log_evidence, tolerance = 1e-11)
  expect_equal(exact_fit(high)$moments, exact_fit(hidden)$moments, tolerance = 1e-10)
  # Exact counts below 1 are 0.
  zero <- suppressed_table(c(8, 0, 12), 1, 20, noise = "none")
  expect_equal(exact_fit(zero)$moments$mean, c(9, 1, 13) / 23)
  # Two cells below 3 that share 4 records have 2 each.
  tight <- suppressed_table(c(8, 2, 2), 3, 12, noise = "none")
  expect_equal(exact_fit(tight)$moments$mean, c(9, 3, 3) / 15)
})

test_that("leaving suppressed cells out of the model would be wrong", {
  observation <- suppressed_table(c(30, 2, 28), 10, NULL, scale = 2)
  observation$n <- 200
  hidden <- observation
  hidden$threshold <- NULL
  # The rest of n = 200 cannot be in a cell below 10: the counts must be larger.
  expect_gt(exact_fit(hidden)$moments$mean[[2]], 0.6)
  expect_lt(exact_fit(observation)$moments$mean[[2]], 0.5)
})

# ---- draws ------------------------------------------------------------------

test_that("a model with suppressed cells passes the contract of a model", {
  observation <- suppressed_table(c(2, 9.3, 3), 5, 16)
  oracle <- enumerate_categorical(c(5, 9.3, 5), rep("laplace", 3), rep(2, 3), 16, rep(1, 3), 1,
                                  censored = c(TRUE, FALSE, TRUE))
  fit <- expect_model(observation, ~ g, "theta[1]", oracle)
  expect_identical(posterior::variables(fit$latent), count_names(c("a", "b", "c")))
  binary <- suppressed_binary(10, 40)
  oracle <- enumerate_bernoulli(10, "laplace", 2, 0, 40, 1, 1, censored = TRUE)
  expect_model(binary, ~ x, "theta", oracle)
})

test_that("exact draws and Markov chains with suppressed cells are calibrated", {
  levels <- letters[1:4]
  # Small counts in the first two cells, so that they are suppressed most of the time.
  simulate <- function(trial) {
    theta <- stats::rgamma(4, c(1, 1, 4, 4))
    counts <- stats::rmultinom(1, 60, theta)[, 1] + 3 * (stats::rexp(4) - stats::rexp(4))
    list(observation = suppressed_table(counts, 10, 60, scale = 3),
         prior = prior_dirichlet(c(1, 1, 4, 4)), truth = (theta / sum(theta))[[1]])
  }
  expect_lt(calibration_distance("exact", ~ g, "theta[1]", simulate), 1)
  # The scorer can fail: suppressed cells taken as 0, or left out.
  expect_gt(calibration_distance("naive", ~ g, "theta[1]", simulate), 1)
  observation <- suppressed_table(c(2, 14.3, 3, 20), 8, 45, scale = 3)
  oracle <- enumerate_categorical(c(8, 14.3, 8, 20), rep("laplace", 4), rep(3, 4), 45, rep(1, 4),
                                  censored = c(TRUE, FALSE, TRUE, FALSE))
  expect_method(method_exact(max_work = 0), observation, ~ g, "theta[1]", oracle, simulate)
})

# ---- what is known of the noise ----------------------------------------------

regions <- query_tables(domain(g = letters[1:4]), ~ g)

publish <- function(values, with, n) {
  as_release(regions, n, stats::setNames(values, count_names(letters[seq_along(values)])),
             noise = with, threshold = 5)
}

noise_of <- function(release) {
  observation <- observe(release)
  find_model(read_formula(~ g, observation), NULL, observation)$counts[c("noise", "scale", "grid")]
}

test_that("the noise of absent counts is that of all, of their own, or of the others", {
  one <- publish(c(9, 8), noise_laplace(2, grid = 1), n = 25)
  expect_identical(one$suppressed,
                   data.frame(name = count_names(c("c", "d")), noise = "laplace", scale = 2,
                              grid = 1))
  expect_identical(noise_of(one)$scale, c(2, 2, 2, 2))
  each <- stats::setNames(list(noise_laplace(1), noise_gaussian(3), noise_none(), noise_laplace(4)),
                          count_names(letters[1:4]))
  expect_identical(noise_of(publish(c(9, 8), each, n = 25)),
                   data.frame(noise = c("laplace", "gaussian", "none", "laplace"),
                              scale = c(1, 3, 0, 4), grid = 0))
  in_order <- publish(c(9, 8), list(noise_laplace(2), noise_laplace(2)), n = 25)
  expect_null(in_order$suppressed)
  expect_identical(noise_of(in_order)$scale, c(2, 2, 2, 2))
})

test_that("noise that is not known is asked for", {
  model_error(noise_of(publish(c(9, 8), list(noise_laplace(2), noise_laplace(3)), n = 25)),
              "No noise was given for count\\(g=c\\), count\\(g=d\\).*different noise")
  some <- stats::setNames(list(noise_laplace(2), noise_laplace(3), noise_laplace(3)),
                          count_names(c("a", "b", "c")))
  model_error(noise_of(publish(c(9, 8), some, n = 25)), "No noise was given for count\\(g=d\\)")
  none <- as_release(regions, values = c(n = 25), noise = list(n = noise_none()), threshold = 5)
  model_error(noise_of(none), "no other was published")
})

test_that("a release whose counts contradict the threshold is refused", {
  model_error(noise_of(publish(c(9, 4.5), noise_laplace(2), n = 25)),
              "count\\(g=b\\) should have been suppressed below 5")
  expect_silent(noise_of(publish(c(9, 5), noise_laplace(2), n = 25)))
})

test_that("exact counts that leave too much for suppressed cells are refused", {
  made <- publish(c(9, 8), noise_none(), n = 60)
  model_error(infer(made, ~ g, seed = 1), "cannot have produced this release")
  model_error(infer(made, ~ g, seed = 1, method = method_exact(max_work = 0)),
              "cannot have produced this release")
})

test_that("other methods are not available for suppressed cells", {
  made <- publish(c(9, 8), noise_laplace(2), n = 25)
  observation <- observe(made)
  model <- find_model(read_formula(~ g, observation), NULL, observation)
  expect_identical(methods_of(model), c("exact", "naive"))
})

# ---- in words, at face value, replicated --------------------------------------

test_that("the print-out says what was suppressed and how it was treated", {
  made <- publish(c(9, 8), noise_laplace(2), n = 25)
  said <- utils::capture.output(print(quick_fit(made, ~ g)))
  expect_true(any(grepl("absent:  2 cells suppressed below 5: modelled as censored", said)))
  expect_true(any(grepl("2 of 4 counts, Laplace noise", said)))
  said <- utils::capture.output(print(quick_fit(made, ~ g, method = "naive")))
  expect_true(any(grepl("2 cells suppressed below 5: taken as 0", said)))
  said <- utils::capture.output(print(quick_fit(suppressed_binary(1234.5, 2000))))
  expect_true(any(grepl("1 cell suppressed below 1,23[45]", said)))
  whole <- publish(c(9, 8, 6, 7), noise_laplace(2), n = 25)
  expect_false(any(grepl("suppressed", utils::capture.output(print(quick_fit(whole, ~ g))))))
})

test_that("the naive method takes suppressed cells for empty ones", {
  means <- function(...) quick_fit(suppressed_table(...), ~ g, method = "naive")$moments$mean
  # 9 and 8 are moved to add up to 20.
  expect_equal(means(c(9, 8, 1), 5, 20), c(11.5, 10.5, 1) / 23)
  expect_equal(means(c(9, 8, 1), 5, NULL), c(10, 9, 1) / 20)
  expect_equal(means(c(1, 1, 1), 5, 20), c(1, 1, 1) / 3)
  fit <- quick_fit(suppressed_binary(10, 40), method = "naive")
  expect_equal(fit$moments$mean, 1 / 42)
})

test_that("replicated releases count the suppressed cells", {
  fit <- quick_fit(suppressed_table(c(2, 9.3, 3, 22), 5, 38), ~ g)
  data <- pp_check_data(fit, ndraws = 200, seed = 1)
  expect_identical(as.character(data$statistic),
                   c("count(g=b)", "count(g=d)", "suppressed cells"))
  expect_identical(data$released, c(9.3, 22, 2))
  expect_true(all(data$lower <= data$upper))
  expect_true(data$lower[[3]] >= 0 && data$upper[[3]] <= 4)
  # Posterior and replication agree: the mean number of suppressed cells is that of
  # the same draws with fresh noise, computed here from the probabilities.
  theta <- draws_matrix(fit$draws)
  replicated <- replicate_release(fit$model, theta, NULL, 7)[, "suppressed cells"]
  chance <- function(p) {
    s <- 0:38
    sum(stats::dbinom(s, 38, p) * exp(log_noise_below(5 - s, "laplace", 2)))
  }
  expected <- apply(theta, 1, function(p) sum(vapply(p, chance, 0)))
  gap <- replicated - expected
  expect_lt(abs(mean(gap)) / (stats::sd(gap) / sqrt(length(gap))), 4)
  binary <- pp_check_data(quick_fit(suppressed_binary(10, 40)), ndraws = 50, seed = 1)
  expect_identical(as.character(binary$statistic), "suppressed cells")
})
