small_plan <- function(...) {
  defaults <- list(query = score_query(), n = 100, formula = ~ smoker, epsilon = c(0.1, 1),
                   trials = 20, chains = 1, iter = 400, seed = 2)
  do.call(plan_release, override(defaults, list(...)))
}

# Posterior sd of a proportion from an exact count: the Beta distribution.
beta_sd <- function(s, n) sqrt((s + 1) * (n - s + 1) / ((n + 2)^2 * (n + 3)))

test_that("without noise the plan is the Beta posterior, averaged over counts", {
  plan <- small_plan(guess = c(theta = 0.3), trials = 400, epsilon = 1)
  s <- 0:100
  widths <- qbeta(0.95, s + 1, 101 - s) - qbeta(0.05, s + 1, 101 - s)
  weights <- dbinom(s, 100, 0.3)
  expected <- sum(widths * weights)
  # Error of averaging 400 counts, and of quantiles from 200 draws.
  error <- sqrt(sum((widths - expected)^2 * weights) / 400 + (0.1 * expected)^2 / 400)
  expect_lt(abs(plan$floor$width - expected) / error, 4.5)
  expect_equal(plan$floor$sd, sum(beta_sd(s, 100) * weights), tolerance = 0.01)
  excluded <- qbeta(0.05, s + 1, 101 - s) > 0.5 | qbeta(0.95, s + 1, 101 - s) < 0.5
  power <- sum(weights[excluded])
  expect_lt(abs(plan$floor$power - power) / sqrt(power * (1 - power) / 400), 4.5)
})

test_that("with noise it is what simulated releases give", {
  plan <- small_plan(guess = c(theta = 0.3), trials = 150, epsilon = 0.1)
  sim <- simulate(score_query(), nsim = 150, seed = 8, theta = c(theta = 0.3), n = 100,
                  mechanism = mech_laplace(0.1))
  widths <- vapply(sim$release, function(release) {
    fit <- suppressWarnings(infer(release, ~ smoker, chains = 1, iter = 400, seed = 1))
    diff(quantile(fit$draws, c(0.05, 0.95), names = FALSE))
  }, 0)
  error <- sqrt(2 * var(widths) / 150)
  expect_lt(abs(plan$table$width - mean(widths)) / error, 4.5)
})

test_that("more budget and more records narrow the interval, towards the floor", {
  plan <- small_plan(n = c(50, 500), epsilon = c(0.03, 0.3, 3))
  wide <- plan$table$width[plan$table$n == 50]
  narrow <- plan$table$width[plan$table$n == 500]
  expect_true(all(diff(wide) < 0) && all(diff(narrow) < 0))
  expect_true(all(narrow < wide))
  expect_true(all(plan$table$width_ratio > 0.98))
  expect_equal(plan$table$width_ratio[[6]], narrow[[3]] / plan$floor$width[[2]])
})

test_that("plans are repeatable, plain, and use R's generator for nothing", {
  withr::local_seed(1)
  before <- .Random.seed
  plan <- small_plan(width = 0.3)
  expect_identical(small_plan(width = 0.3), plan)
  expect_identical(.Random.seed, before)
  expect_stored(plan)
  expect_identical(tidy(plan), plan$table)
  expect_identical(summary(plan), plan$table)
})

test_that("cost does not grow with n", {
  plan <- small_plan(n = 1e10, epsilon = 1, trials = 3)
  expect_lt(plan$table$width, 1e-3)
})

test_that("guesses fix parameters, effects are guesses", {
  plan <- small_plan(effect = -0.2, null = 0.6, trials = 3)
  expect_equal(plan$settings$guess, c(theta = 0.4))
  expect_equal(plan$settings$null, c(theta = 0.6))
  expect_identical(small_plan(guess = 0.4, null = 0.6, trials = 3)$table, plan$table)
})

test_that("factors, noisy n and Gaussian noise can be planned for", {
  query <- query_tables(domain(r = c("p", "q", "s")), ~ r, "add_remove")
  plan <- small_plan(query = query, formula = ~ r, delta = 1e-6, trials = 4,
                     guess = c("theta[1]" = 0.2, "theta[2]" = 0.3, "theta[3]" = 0.5))
  expect_identical(plan$table$variable, rep(paste0("theta[", 1:3, "]"), 2))
  expect_match(plan$table$mechanism, "Gaussian")
  expect_equal(sum(plan$table$failed), 0)
})

test_that("n that is told by another table is simulated, too", {
  query <- query_tables(domain(b = dom_binary(), r = c("p", "q", "s")), ~ b + b:r, "add_remove")
  task <- study_task(query, mech_laplace(1), 500, read_question(~ b, NULL, NULL, NULL))
  expect_identical(task$model$size$status, "noisy")
  seen <- replicate_observation(task, matrix(0.3, 1, 1), 500, 4)
  refit <- find_model(read_formula(~ b, seen), NULL, seen)
  expect_lt(abs(refit$size$value - 500), 100)
  expect_false(refit$size$value == 500)
})

test_that("mechanisms can be given as they are", {
  plan <- small_plan(mechanism = list(mech_gaussian(rho = 0.1), mech_laplace(0.5)), epsilon = NULL,
                     trials = 3)
  expect_equal(sort(plan$table$epsilon, na.last = TRUE), c(0.5, NA))
})

test_that("releases that fail are counted; if all fail, the error is shown", {
  plan <- small_plan(trials = 4)
  expect_equal(plan$table$failed, c(0, 0))
  broken <- new_plan(score_query(), 20, read_question(~ smoker, NULL, NULL, NULL),
                     check_budget(1, NULL, NULL, FALSE), check_run(1, 100, 0, 1, 1, 0), 0.9, 3, 1)
  broken <- aim_plan(broken, NULL, NULL, NULL, NULL, NULL, NULL)
  broken$theta[] <- NaN
  expect_error(plan_line(broken, 20, mech_laplace(1)))
  broken$theta[] <- c(0.5, NaN, 0.2)
  expect_equal(plan_line(broken, 20, mech_laplace(1))$failed, 1)
})
