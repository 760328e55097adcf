# Compiled trials and trials in R are two ways to the same numbers: the compiled ones
# must not take a shortcut past the pipeline.

binary <- query_tables(domain(x = dom_binary()), ~ x, "replace_one")
halves <- query_moments(domain(x = dom_binary()), "replace_one", degree = 1)
levels3 <- query_tables(domain(x = c("a", "b", "c")), ~ x, "replace_one")
waits <- query_moments(domain(x = c(0.01, 1.2)), "replace_one", degree = 1)
redacted <- query_moments(domain(x = c(0.01, 1.2)), "replace_one", degree = 1, outside = "redact")
visits <- query_moments(domain(x = dom_count(0, 10)), "replace_one", degree = 1)
heights <- query_moments(domain(x = c(-1, 1)), "replace_one", degree = 2)

small_study <- function(query, family, prior, methods, mechanism = mech_laplace(0.3),
                        n = c(6, 40), formula = ~ x) {
  run <- check_run(2, 300, 100, 1, 2, 0)
  new_study("calibration", query, read_question(formula, family, prior, NULL),
            check_methods(methods), n, mechanism, 3, run, NULL, 0.9, seed = 11)
}

in_r <- function(study, cell) {
  do.call(rbind, lapply(1:3, function(trial) guard_trial(study, cell, trial)))
}

expect_same_trials <- function(study) {
  for (cell in study$cells$cell) {
    compiled <- run_compiled(study, cell, 1:3)
    expect_equal(compiled, in_r(study, cell), tolerance = 1e-12, info = study$cells$label[[cell]])
    expect_true(all(is.na(compiled$failure)))
  }
}

test_that("trials of counts are the same compiled and in R", {
  methods <- c("exact", "clt", "gibbs", "naive")
  expect_same_trials(small_study(binary, "bernoulli", prior_beta(3, 5), methods))
  expect_same_trials(small_study(halves, "bernoulli", prior_beta(3, 5), methods))
  expect_same_trials(small_study(levels3, "categorical", prior_dirichlet(c(2, 3, 4)),
                                 c("exact", "gibbs", "naive"), mech_gaussian(0.5, 1e-5)))
})

test_that("trials of sums are the same compiled and in R", {
  methods <- c("exact", "clt", "gibbs", "naive")
  expect_same_trials(small_study(waits, "exponential", prior_gamma(8, 2), methods))
  expect_same_trials(small_study(redacted, "exponential", prior_gamma(8, 2), methods,
                                 mech_gaussian(1, 1e-5)))
  expect_same_trials(small_study(visits, "poisson", prior_gamma(8, 2), methods))
  expect_same_trials(small_study(heights, "normal", prior_nig(0, 2, 3, 0.3), methods))
})

test_that("chains on counts stand in for a sum that is too long, in both", {
  study <- small_study(levels3, "categorical", prior_dirichlet(2), list(method_exact(1)), n = 40)
  expect_same_trials(study)
  direct <- small_study(levels3, "categorical", prior_dirichlet(2), "exact", n = 40)
  expect_false(any(run_compiled(study, 1, 1:3)$u == run_compiled(direct, 1, 1:3)$u))
})

test_that("what is not compiled runs in R", {
  two <- query_moments(domain(x = c(0, 1), y = c(0, 1)), "replace_one")
  expect_null(run_compiled(small_study(two, "normal", NULL, "clt", n = 40), 1, 1:3))
  latent <- query_moments(domain(x = c(0, 1)), "add_remove", degree = 1)
  study <- small_study(latent, "exponential", prior_gamma(8, 2), "clt", n = 40)
  expect_null(run_compiled(study, 1, 1:3))
  fourth <- query_moments(domain(x = c(-1, 1)), "replace_one", degree = 4)
  expect_null(run_compiled(small_study(fourth, "normal", NULL, "clt", n = 40), 1, 1:3))
  table <- query_tables(domain(x = dom_count(0, 3)), ~ x, "replace_one")
  study <- small_study(table, "categorical", prior_dirichlet(1), "exact", n = 40)
  expect_null(run_compiled(study, 1, 1:3))
})

test_that("cores do not change compiled trials", {
  study <- small_study(waits, "exponential", prior_gamma(8, 2), "gibbs", n = 40)
  one <- study
  one$run$cores <- 1L
  expect_identical(run_compiled(study, 1, 1:3), run_compiled(one, 1, 1:3))
})

test_that("a trial that fails is a row with its reason", {
  study <- small_study(heights, "normal", prior_nig(0, 2, 3, 0.3), "gibbs", n = 1)
  rows <- run_compiled(study, 1, 1:3)
  expect_identical(nrow(rows), 3L)
  expect_true(all(rows$failure == "std::exception"))
  expect_true(all(is.na(rows$u)) && all(nzchar(rows$message)))
})
