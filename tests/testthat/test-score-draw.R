# Sample mean and variance within 4.5 standard errors of theirs.
expect_moments <- function(x, mean, variance) {
  error <- sqrt(variance / length(x))
  expect_lt(abs(mean(x) - mean) / error, 4.5)
  fourth <- mean((x - mean)^4) / variance^2
  expect_lt(abs(mean((x - mean)^2) / variance - 1) / sqrt((fourth - 1) / length(x)), 4.5)
}

task_of <- function(query, formula, prior = NULL, mechanism = mech_laplace(1)) {
  study_task(query, mechanism, 10, read_question(formula, NULL, prior, NULL))
}

test_that("priors of counts have their moments", {
  task <- task_of(score_query(), ~ smoker, prior_beta(2, 5))
  drawn <- draw_prior(task$model, task$prior, 20000, 1)
  expect_identical(colnames(drawn), "theta")
  expect_moments(drawn[, "theta"], 2 / 7, 10 / (49 * 8))
  query <- query_tables(domain(region = c("n", "e", "s")), ~ region, "replace_one")
  task <- task_of(query, ~ region, prior_dirichlet(c(n = 1, e = 2, s = 3)))
  drawn <- draw_prior(task$model, task$prior, 20000, 2)
  expect_identical(colnames(drawn), paste0("theta[", 1:3, "]"))
  expect_equal(rowSums(drawn), rep(1, 20000))
  expect_moments(drawn[, 3], 0.5, 9 / (36 * 7))
})

test_that("records of counts are levels with their probabilities", {
  query <- query_tables(domain(region = c("n", "e", "s")), ~ region, "replace_one")
  model <- task_of(query, ~ region)$model
  records <- draw_records(model, t(c(0.2, 0.3, 0.5)), 20000, 3)
  expect_named(records, "region")
  expect_moments(records$region == "e", 0.3, 0.21)
  binary <- task_of(score_query(), ~ smoker)$model
  expect_moments(draw_records(binary, t(0.1), 20000, 4)$smoker == "1", 0.1, 0.09)
})

# The methods use nothing of a model but its column and variables, and nothing of a
# prior but its numbers.
bare_model <- function(name) {
  structure(list(name = name, column = "x"),
            class = c(paste0("noiseaware_model_", name), "noiseaware_model"))
}

test_that("numbers of the other families have their moments", {
  rates <- draw_gammas_cpp(8, 2, 20000, 5)
  expect_moments(rates, 4, 2)
  expect_moments(draw_records(bare_model("exponential"), t(4), 20000, 6)$x, 0.25, 0.0625)
  expect_moments(draw_records(bare_model("poisson"), t(3.5), 20000, 7)$x, 3.5, 3.5)
  expect_moments(draw_records(bare_model("normal"), t(c(-1, 2)), 20000, 8)$x, -1, 4)
  prior <- list(mean = 1, precision = 4, shape = 6, rate = 3)
  drawn <- draw_prior(bare_model("normal"), prior, 20000, 9)
  expect_identical(colnames(drawn), c("mean", "sd"))
  expect_moments(1 / drawn[, "sd"]^2, 2, 6 / 9)
  expect_moments((drawn[, "mean"] - 1) * 2 / drawn[, "sd"], 0, 1)
})

test_that("R's generator is left alone and seeds decide", {
  model <- task_of(score_query(), ~ smoker)$model
  withr::local_seed(1)
  before <- .Random.seed
  one <- draw_records(model, t(0.4), 50, 1)
  expect_identical(draw_records(model, t(0.4), 50, 1), one)
  expect_false(identical(draw_records(model, t(0.4), 50, 2), one))
  expect_identical(.Random.seed, before)
})

test_that("a guess of probabilities must be whole", {
  query <- query_tables(domain(region = c("n", "e", "s")), ~ region, "replace_one")
  task <- task_of(query, ~ region)
  theta <- draw_prior(task$model, task$prior, 3, 1)
  whole <- c("theta[1]" = 0.2, "theta[3]" = 0.5, "theta[2]" = 0.3)
  expect_equal(unname(place_guess(task$model, theta, whole)), matrix(c(.2, .3, .5), 3, 3, TRUE))
  expect_error(place_guess(task$model, theta, whole[1:2]), class = "noiseaware_error_input")
  expect_error(place_guess(task$model, theta, 2 * whole), class = "noiseaware_error_input")
})
