# What people will get wrong when they score and plan. Each mistake gets one clear
# error with a class, before anything is run or written.

query <- score_query()
laplace <- mech_laplace(1)
mixed <- query_moments(domain(x = c(0, 1), smoker = dom_binary()), "replace_one")
regions <- query_tables(domain(r = c("p", "q", "s")), ~ r, "replace_one")

# One condition each, of ours and without a call; and their text in a snapshot, unless
# it lists the families or methods there are.
expect_refused <- function(cases, env = parent.frame(), snapshot = TRUE) {
  for (case in as.list(cases)) {
    label <- paste(deparse(case), collapse = " ")
    seen <- tryCatch({
      eval(case, env)
      NULL
    }, condition = identity)
    expect_s3_class(seen, "noiseaware_error")
    expect_null(conditionCall(seen), info = label)
  }
  if (!snapshot) return(invisible())
  block <- as.call(c(quote(`{`), as.list(cases)))
  eval(bquote(expect_snapshot(.(block), error = TRUE, cnd_class = TRUE)), env)
}

test_that("distances", {
  local_reproducible_output(width = 100)
  two <- cbind(a = c(1, 2, 3), b = c(1, 2, 4))
  expect_refused(expression(
    mmd(), mmd(1:3), mmd("a", 1:3), mmd(1:3, NULL), mmd(1, 1:3), mmd(c(1, NA), 1:3),
    mmd(c(1, Inf), 1:3), mmd(1:3, list(1, 2)), mmd(two, 1:3), mmd(two, cbind(a = 1:3, c = 1:3)),
    mmd(1:3, 1:3, scale = 0), mmd(1:3, 1:3, scale = NA), mmd(1:3, 1:3, scale = "sd"),
    mmd(two, two, scale = 1:3), ks_distance(1:3), ks_distance(1:3, "x"), wasserstein(1:3),
    wasserstein(1:3, 1:3, scale = -1)
  ))
})

test_that("coverage", {
  local_reproducible_output(width = 100)
  draws <- cbind(theta = seq(0, 1, 0.1))
  study <- small_calibration(trials = 2)
  comparison <- small_comparison(trials = 1)
  expect_refused(expression(
    coverage(), coverage(draws), coverage("draws", 1), coverage(draws, "a"), coverage(draws, 1:2),
    coverage(draws, c(rate = 1)), coverage(draws, NA_real_), coverage(draws, 1, prob = 1),
    coverage(draws, 1, prob = "a"), coverage(draws, 1, prob = NULL), coverage(list(draws)),
    coverage(list(draws, draws), 1:3), coverage(list(draws), "a"), coverage(study, truth = 1),
    coverage(study, prob = 2), coverage(comparison, truth = 1), coverage(comparison, prob = 0.5)
  ))
})

test_that("simulate", {
  local_reproducible_output(width = 100)
  expect_refused(expression(
    simulate(query), simulate(query, n = 10), simulate(query, mechanism = laplace),
    simulate(query_tables(domain(b = dom_binary()), ~ b), n = 10, mechanism = laplace),
    simulate(query, n = 0, mechanism = laplace), simulate(query, n = 2^31, mechanism = laplace),
    simulate(query, n = 10, mechanism = 1), simulate(query, nsim = 0, n = 10, mechanism = laplace),
    simulate(query, nsim = 2, n = 10, mechanism = laplace),
    simulate(query, seed = "a", n = 10, mechanism = laplace),
    simulate(query, n = 10, mechanism = laplace, formula = "smoker"),
    simulate(query, n = 10, mechanism = laplace, formula = ~ age),
    simulate(query, n = 10, mechanism = laplace, formula = ~ smoker, prior = prior_dirichlet(1)),
    simulate(query, n = 10, mechanism = laplace, theta = 0.5),
    simulate(query, n = 10, mechanism = laplace, theta = c(theta = 1.5)),
    simulate(query, n = 10, mechanism = laplace, data = mtcars),
    simulate(query, n = 10, mechanism = laplace, data = function(theta) 1),
    simulate(query, n = 10, mechanism = laplace, data = function(theta, n) 1),
    simulate(query, n = 10, mechanism = laplace, data = function(theta, n) data.frame(x = 1:n)),
    simulate(query, n = 10, mechanism = laplace, sead = 1)
  ))
})

test_that("check_calibration", {
  local_reproducible_output(width = 100)
  check <- function(...) {
    do.call(check_calibration, override(list(query = query, formula = ~ smoker, n = 10,
                                             mechanism = laplace, trials = 2), list(...)))
  }
  expect_refused(expression(
    check_calibration(), check_calibration(query), check_calibration(query, n = 10),
    check(query = "smoker"), check(query = query_tables(domain(b = dom_binary()), ~ b)),
    check(query = mixed, formula = NULL), check(formula = "smoker"), check(formula = ~ age),
    check(family = 1), check(prior = 1), check(prior = prior_dirichlet(1)),
    check(n = "a"), check(n = 0), check(n = c(10, 10)), check(n = NULL), check(n = c(10, NA)),
    check(mechanism = 1), check(mechanism = list()), check(mechanism = list(laplace, "a")),
    check(trials = 0), check(trials = "a"), check(trials = 1.5), check(prob = 1), check(prob = NA),
    check(chains = 0), check(iter = 0), check(warmup = -1), check(thin = 0), check(cores = 0),
    check(data = 1), check(data = function(n) 1), check(seed = -1), check(seed = "a"),
    check(file = 1), check(file = "/nowhere/at/all.jsonl"), check(refresh = "a")
  ))
  expect_refused(expression(
    check(family = "odd"), check(method = "odd"), check(method = 1), check(method = list()),
    check(method = list("exact", 1))
  ), snapshot = FALSE)
})

test_that("compare_methods", {
  local_reproducible_output(width = 100)
  compare <- function(...) {
    do.call(compare_methods, override(list(query = query, formula = ~ smoker, n = 10,
                                           mechanism = laplace, trials = 2), list(...)))
  }
  expect_refused(expression(
    compare_methods(), compare_methods(query), compare_methods(query, n = 10),
    compare(query = 1), compare(formula = 1), compare(prior = 1),
    compare(n = 0), compare(mechanism = 1),
    compare(trials = 0), compare(prob = 0), compare(null = "a"), compare(null = c(rate = 1)),
    compare(null = NA_real_), compare(chains = 0), compare(iter = 0), compare(warmup = 1e9),
    compare(thin = 0), compare(cores = "a"), compare(data = 1), compare(seed = -1),
    compare(file = TRUE), compare(refresh = -1)
  ))
  expect_refused(expression(
    compare(family = "odd"), compare(methods = "odd"), compare(methods = 1),
    compare(methods = list())
  ), snapshot = FALSE)
})

test_that("plan_release", {
  local_reproducible_output(width = 100)
  plan <- function(...) {
    do.call(plan_release, override(list(query = query, n = 10, formula = ~ smoker, epsilon = 1,
                                        trials = 2), list(...)))
  }
  expect_refused(expression(
    plan_release(), plan_release(query), plan(query = 1), plan(n = 0), plan(n = "a"),
    plan(query = query_tables(domain(b = dom_binary()), ~ b), formula = ~ b),
    plan(formula = 1), plan(prior = 1), plan(epsilon = 0),
    plan(epsilon = "a"), plan(epsilon = c(1, 1)), plan(epsilon = NULL), plan(epsilon = 1e-13),
    plan(delta = 1), plan(delta = "a"), plan(mechanism = laplace), plan(mechanism = "laplace"),
    plan(epsilon = NULL, mechanism = 1), plan(epsilon = NULL, mechanism = laplace, width = 0.1),
    plan(width = 0), plan(width = "a"), plan(power = 2, effect = 0.1), plan(power = 0.8),
    plan(width = 0.1, power = 0.8, effect = 0.1), plan(guess = "a"), plan(guess = c(rate = 1)),
    plan(guess = c(theta = 2)), plan(guess = c(theta = NA)), plan(guess = 0.1, effect = 0.1),
    plan(effect = "a"), plan(effect = 2), plan(null = "a"), plan(null = c(rate = 1)),
    plan(variable = "rate"), plan(variable = 1), plan(prob = 1),
    plan(trials = 1), plan(trials = "a"), plan(chains = 0), plan(iter = 0), plan(warmup = -1),
    plan(thin = 0), plan(cores = 0), plan(seed = -1), plan(refresh = "a"),
    plan(query = regions, formula = ~ r, guess = c("theta[1]" = 0.5)),
    plan(query = regions, formula = ~ r, effect = 0.1),
    plan(query = regions, formula = ~ r, variable = c("theta[1]", "theta[2]"))
  ))
  expect_refused(expression(
    plan(family = "odd"), plan(method = "odd"), plan(method = 1),
    simulate(query, n = 10, mechanism = laplace, formula = ~ smoker, family = "odd")
  ), snapshot = FALSE)
})

test_that("summaries and plots", {
  local_reproducible_output(width = 100)
  study <- small_calibration(trials = 2)
  comparison <- small_comparison(trials = 1)
  plan <- plan_release(query, 10, ~ smoker, epsilon = 1, trials = 2, seed = 1)
  expect_refused(expression(
    summary(study, prob = 1), tidy(study, prob = "a"), plot(study, type = "box"),
    plot(study, prob = 0), plot(study, cell = 9), plot(study, cell = "a"),
    plot(study, variable = "rate"), plot(comparison, measure = "beauty"),
    plot(comparison, measure = 1), plot(comparison, variable = "rate"),
    plot(plan, measure = "beauty"), plot(plan, variable = "rate")
  ))
})
