test_that("limits are those of one test and of all", {
  limits <- ks_limits(300, 72)
  expect_equal(round(limits$limit_5, 4), 0.0784)
  expect_equal(round(limits$limit_1, 4), 0.0940)
  expect_equal(round(limits$limit_all, 3), 0.126)
  expect_equal(2 * 2 * 72 * pnorm(-limits$limit_z), 0.01)
})

test_that("an exact posterior passes, what is wrong with one is found at 300 trials", {
  exact <- distorted_calibration(identity)
  expect_identical(summary(exact)$verdict, "ok")
  expect_true(glance(exact)$calibrated)
  expect_output(print(exact), "Calibrated as far as 300 trials can tell")

  verdict <- function(distort) summary(distorted_calibration(distort))[c("verdict", "shape")]
  narrow <- verdict(function(x) mean(x) + 0.8 * (x - mean(x)))
  expect_identical(unlist(narrow, use.names = FALSE), c("flagged", "too narrow"))
  wide <- verdict(function(x) mean(x) + (x - mean(x)) / 0.75)
  expect_identical(unlist(wide, use.names = FALSE), c("flagged", "too wide"))
  high <- verdict(function(x) x + 0.3 * sd(x))
  expect_identical(unlist(high, use.names = FALSE), c("flagged", "too high"))
  low <- verdict(function(x) x - 0.3 * sd(x))
  expect_identical(unlist(low, use.names = FALSE), c("flagged", "too low"))
})

test_that("the naive method is flagged, the exact one is not", {
  study <- small_calibration(method = c("exact", "naive"), n = 100, trials = 300, chains = 1,
                             mechanism = mech_laplace(0.1), seed = 20)
  found <- summary(study)
  expect_identical(found$verdict, c("ok", "flagged"))
  expect_identical(found$shape[[2]], "too narrow")
  expect_false(glance(study)$calibrated)
  expect_identical(glance(study)$flagged, 1L)
})

test_that("a wrong model is flagged", {
  study <- small_calibration(trials = 100, n = 300, mechanism = mech_laplace(1),
                             data = function(theta, n) {
                               data.frame(smoker = rbinom(n, 1, 0.8 * theta[["theta"]]))
                             })
  expect_identical(summary(study)$shape, "too low")
  expect_true(study$settings$generated)
})

test_that("the 5% line is counted against chance", {
  ranks <- function(...) {
    u <- list(...)
    rows <- do.call(rbind, lapply(seq_along(u), function(k) {
      data.frame(cell = k, trial = seq_along(u[[k]]), variable = "theta", truth = 0, u = u[[k]],
                 mean = 0, sd = 1, lower = 0, upper = 1, draws = 10, failure = NA_character_)
    }))
    study <- small_calibration(n = 10 + seq_along(u), trials = 1)
    study$trials <- rows
    study
  }
  even <- (seq_len(300) - 0.5) / 300
  # Waves about the diagonal that leave mean and spread of the ranks unchanged; the
  # largest is 0.09 at 1/2.
  wave <- function(x) x + 0.045 * (cos(4 * pi * x) - cos(2 * pi * x))
  wavy <- vapply(even, function(p) {
    stats::uniroot(function(x) wave(x) - p, c(0, 1), tol = 1e-12)$root
  }, 0)
  found <- summary(ranks(even, wavy, even))
  expect_identical(found$verdict, c("ok", "above 5%", "ok"))
  expect_equal(found$ks[c(1, 3)], c(1, 1) / 600)
  few <- ranks(even, even, wavy)
  expect_output(print(few), "1 of 3\\s+tests above the 5% line, 0.15 expected")
  expect_output(print(few), "Calibrated")
  expect_output(print(ranks(wavy, wavy, even)), "SUSPICIOUS")
})

test_that("ranks, truths and intervals are those of the fits", {
  study <- small_calibration(trials = 3, n = 40)
  query <- score_query()
  for (trial in 1:3) {
    seeds <- trial_seeds(3, 1, trial)
    sim <- simulate_trial(study_task(query, mech_laplace(0.2), 40,
                                     read_question(~ smoker, NULL, NULL, NULL)),
                          new_scenario(query, mech_laplace(0.2), 40), seeds)
    fit <- suppressWarnings(infer(sim$release, ~ smoker, iter = 200, seed = seeds$draws))
    row <- study$trials[trial, ]
    expect_identical(row$truth, sim$truth[["theta"]])
    expect_equal(row$lower, quantile(fit$draws, 0.05, names = FALSE))
    expect_equal(row$u, rank_of_truth(as.vector(fit$draws), row$truth,
                                      draw_uniforms_cpp(1, seeds$ties)))
  }
})

test_that("several variables are several tests", {
  query <- query_tables(domain(r = c("p", "q", "s")), ~ r, "replace_one")
  study <- small_calibration(query = query, formula = ~ r, trials = 5)
  expect_identical(summary(study)$variable, paste0("theta[", 1:3, "]"))
  expect_identical(nrow(study$trials), 15L)
  expect_equal(summary(study)$limit_all, rep(ks_limits(5, 3)$limit_all, 3))
})

test_that("a study is plain data", {
  study <- small_calibration(trials = 2, data = function(theta, n) data.frame(smoker = rep(1, n)))
  expect_stored(study)
  expect_identical(tidy(study), summary(study))
  expect_equal(summary(study, prob = 0.5)$coverage, mean(abs(study$trials$u - 0.5) <= 0.25))
})

test_that("Gaussian noise, noisy n and Markov chains can be studied", {
  study <- small_calibration(query = score_query("add_remove"), trials = 3,
                             mechanism = list(mech_gaussian(1, 1e-6), mech_gaussian(rho = 0.2)),
                             method = list("exact", method_exact(max_work = 0)))
  expect_true(all(is.na(study$trials$failure)))
  chains <- study$trials[study$trials$cell > 2, ]
  expect_true(any(chains$draws < 400))
  expect_true(all(study$trials$draws[study$trials$cell <= 2] == 400))
})
