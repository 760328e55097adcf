paper_query <- function(reach = 5) {
  query_moments(domain(x = c(-1, 1), y = c(-reach, reach)), "replace_one")
}

test_that("parameters come from the prior", {
  task <- study_task(paper_query(), mech_laplace(1), 10,
                     read_question(y ~ x, NULL, paper_prior(), NULL))
  drawn <- draw_prior(task$model, task$prior, 5000, 1)
  expect_identical(colnames(drawn), c("(Intercept)", "x", "sigma", "mu_x[x]", "Sigma_x[x,x]"))
  uniform <- function(u) expect_gt(ks.test(u, punif)$p.value, 1e-3)
  uniform(pgamma(1 / drawn[, "sigma"]^2, 20, 0.5))
  uniform(pnorm(drawn[, "x"] / drawn[, "sigma"] * sqrt(0.5 / 19)))
  uniform(pnorm(drawn[, "(Intercept)"] / drawn[, "sigma"] * sqrt(0.5 / 19)))
  uniform(pgamma(1 / drawn[, "Sigma_x[x,x]"], 25, 0.5))
  uniform(pnorm(drawn[, "mu_x[x]"] / sqrt(drawn[, "Sigma_x[x,x]"])))
  for (name in c("(Intercept)", "x", "sigma")) {
    below <- function(at) {
      gap <- function(p) prior_quantile(task$model, task$prior, name, p) - at
      uniroot(gap, c(1e-12, 1 - 1e-12))$root
    }
    uniform(vapply(drawn[1:300, name], below, 0))
  }
})

test_that("records are those of the parameters", {
  task <- study_task(paper_query(), mech_laplace(1), 10,
                     read_question(y ~ x, NULL, paper_prior(), NULL))
  theta <- t(c(`(Intercept)` = 1, x = -2, sigma = 0.3, `mu_x[x]` = 0.1, `Sigma_x[x,x]` = 0.04))
  records <- draw_records(task$model, theta, 5000, 2)
  expect_gt(ks.test((records$x - 0.1) / 0.2, pnorm)$p.value, 1e-3)
  expect_gt(ks.test((records$y - 1 + 2 * records$x) / 0.3, pnorm)$p.value, 1e-3)
  expect_error(draw_records(task$model, theta[, 1:3, drop = FALSE], 5, 2), "covariates",
               class = "noiseaware_error_model")
  levels <- query_moments(domain(g = c("a", "b", "c"), y = c(0, 1)), "replace_one")
  task <- study_task(levels, mech_laplace(1), 10, read_question(y ~ g, NULL, NULL, NULL))
  expect_error(draw_records(task$model, theta, 5, 2), "cannot simulate",
               class = "noiseaware_error_model")
})

test_that("the exact method is calibrated, and the naive one is not", {
  study <- check_calibration(paper_query(), y ~ x, prior = paper_prior(),
                             method = c("exact", "naive"), n = c(10, 100),
                             mechanism = mech_laplace(1), trials = 100, chains = 1, iter = 600,
                             warmup = 300, seed = 5)
  found <- summary(study)
  expect_true(all(found$failed == 0))
  exact <- found[found$method == "exact", ]
  expect_true(all(exact$verdict != "flagged"))
  expect_lt(max(exact$ks / exact$limit_all), 1)
  expect_true(any(found$verdict[found$method == "naive"] == "flagged"))
})
