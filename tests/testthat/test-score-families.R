# Every family of numbers goes through every kind of study. Clamping is part of the
# models: the bounds cut off some records.

families <- list(
  exponential = list(domain = c(0, 1.2), prior = function() prior_gamma(8, 2), variables = "rate"),
  poisson = list(domain = dom_count(0, 8), prior = function() prior_gamma(8, 2),
                 variables = "rate"),
  normal = list(domain = c(-2, 2), prior = function() prior_nig(0, 2, 4, 3),
                variables = c("mean", "sd"))
)

family_query <- function(name, relation = "replace_one") {
  query_moments(domain(x = families[[name]]$domain, y = c(0, 1)), relation,
                degree = if (name == "normal") 2 else 1)
}

test_that("records of every family are simulated and released", {
  for (name in names(families)) {
    sim <- simulate(family_query(name), nsim = 2, seed = 1, formula = ~ x, family = name,
                    prior = families[[name]]$prior(), n = 40, mechanism = mech_laplace(1))
    expect_identical(colnames(sim$truth), families[[name]]$variables)
    expect_true(is.numeric(sim$data[[1]]$x) && all(is.na(sim$data[[1]]$y)))
  }
})

test_that("the best method of every family is calibrated, the naive one is not", {
  for (name in names(families)) {
    study <- check_calibration(family_query(name), ~ x, family = name,
                               prior = families[[name]]$prior(), method = c("clt", "naive"), n = 60,
                               mechanism = mech_laplace(1), trials = 150, chains = 2, iter = 600,
                               seed = 5)
    found <- summary(study)
    expect_true(all(is.na(study$trials$failure)), label = name)
    expect_false(any(found$verdict[found$method == "clt"] == "flagged"), label = name)
    expect_true(any(found$verdict[found$method == "naive"] == "flagged"), label = name)
  }
})

test_that("every family can be compared with its yardstick", {
  for (name in names(families)) {
    comparison <- compare_methods(family_query(name), ~ x, family = name,
                                  prior = families[[name]]$prior(), methods = c("clt", "naive"),
                                  n = 60, mechanism = mech_laplace(2), trials = 3, iter = 400,
                                  seed = 2)
    expect_true(all(is.na(comparison$trials$failure)), label = name)
    expect_equal(nrow(summary(comparison)), 3 * length(families[[name]]$variables))
  }
})

test_that("every family can be planned for, with n public or noisy", {
  for (name in names(families)) {
    for (relation in c("replace_one", "add_remove")) {
      plan <- plan_release(family_query(name, relation), 200, ~ x, family = name, method = "clt",
                           prior = families[[name]]$prior(), epsilon = c(0.1, 10), trials = 8,
                           chains = 2, iter = 600, seed = 3)
      own <- plan$table[plan$table$variable == families[[name]]$variables[[1]], ]
      expect_equal(sum(plan$table$failed), 0, label = paste(name, relation))
      expect_lt(own$width[[2]], own$width[[1]])
      expect_lt(own$width_ratio[[2]], 2)
    }
  }
})

test_that("planned widths of a mean are those of simulated records", {
  query <- family_query("normal")
  prior <- prior_nig(0, 2, 4, 3)
  guess <- c(mean = 0.3, sd = 0.8)
  plan <- plan_release(query, 100, ~ x, family = "normal", prior = prior, guess = guess,
                       method = "clt", epsilon = 1, trials = 60, chains = 2, iter = 600, seed = 1)
  sim <- simulate(query, nsim = 60, seed = 2, formula = ~ x, family = "normal", prior = prior,
                  theta = guess, n = 100, mechanism = mech_laplace(1))
  widths <- vapply(sim$release, function(release) {
    fit <- suppressWarnings(infer(release, ~ x, family = "normal", prior = prior, method = "clt",
                                  chains = 2, iter = 600, seed = 4))
    diff(quantile(draws_matrix(fit$draws)[, "mean"], c(0.05, 0.95), names = FALSE))
  }, 0)
  expect_lt(abs(plan$table$width[[1]] - mean(widths)) / sqrt(2 * var(widths) / 60), 4.5)
})
