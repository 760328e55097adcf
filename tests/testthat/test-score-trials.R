# Records from a function are never simulated in compiled trials.
coins <- function(theta, n) data.frame(smoker = rbinom(n, 1, theta[["theta"]]))

test_that("results do not depend on workers, on the order or on R's generator", {
  run <- function(...) small_calibration(n = c(10, 50), trials = 6, ...)
  model <- run()
  given <- run(data = coins)
  withr::local_seed(8)
  expect_identical(run(), model)
  expect_identical(run(data = coins), given)
  expect_identical(run(cores = 2), model)
  skip_if_not_installed("future.apply")
  withr::defer(future::plan("sequential"))
  future::plan("multisession", workers = 2)
  expect_equal(study_workers(), 2)
  before <- .Random.seed
  expect_identical(run(), model)
  expect_identical(run(data = coins), given)
  expect_identical(.Random.seed, before)
})

test_that("a longer study begins with the shorter one", {
  short <- small_calibration(trials = 4)
  long <- small_calibration(trials = 9)
  expect_identical(long$trials[1:4, ], short$trials)
})

test_that("cells have different random numbers", {
  study <- small_calibration(n = c(50, 51), trials = 3)
  truth <- split(study$trials$truth, study$trials$cell)
  expect_false(any(truth[[1]] == truth[[2]]))
})

test_that("trials that fail are results", {
  calls <- 0
  generator <- function(theta, n) {
    calls <<- calls + 1
    if (calls %in% c(3, 5)) stop("out of coins")
    if (calls == 6) rlang::abort("really", class = "no_purse")
    data.frame(smoker = rep(1, n))
  }
  study <- small_calibration(data = generator, trials = 8)
  failed <- study$trials[!is.na(study$trials$failure), ]
  expect_identical(failed$failure, c("simpleError", "simpleError", "no_purse"))
  expect_identical(failed$message, c("out of coins", "out of coins", "really"))
  expect_identical(failed$trial, c(2, 4, 5))
  expect_true(all(is.na(failed$u)))
  expect_identical(nrow(study$trials), 8L)
  expect_equal(summary(study)$trials, 5)
  expect_equal(summary(study)$failed, 3)
  expect_output(print(study), "3 of 8 trials FAILED \\(38%\\): simpleError \\(2\\), no_purse")
})

test_that("if every trial fails, that is said", {
  calls <- 0
  generator <- function(theta, n) {
    calls <<- calls + 1
    if (calls > 1) stop("empty")
    data.frame(smoker = rep(1, n))
  }
  study <- small_calibration(data = generator, trials = 3)
  expect_error(summary(study), "empty", class = "noiseaware_error_model")
})

test_that("compiled trials take the place of those in R, chunk by chunk", {
  study <- new_study("calibration", score_query(), read_question(~ smoker, NULL, NULL, NULL),
                     list("exact"), c(10, 20), mech_laplace(1), 120, check_run(1, 100, 0, 1, 1, 0),
                     NULL, 0.9, 4)
  asked <- list()
  study$tasks <- lapply(study$tasks, function(task) {
    class(task$model) <- c("noiseaware_model_imaginary", class(task$model))
    task
  })
  registerS3method("compiled_trials", "noiseaware_model_imaginary", function(model, task, work) {
    asked[[length(asked) + 1]] <<- work
    data.frame(cell = work$cell, trial = work$trials, variable = "theta", truth = 0.5, u = 0.5,
               mean = 0, sd = 1, lower = 0, upper = 1, draws = 1, failure = NA_character_,
               message = NA_character_)
  }, envir = asNamespace("noiseaware"))
  rows <- collect_trials(study, NULL, 0)
  expect_identical(rows$cell, rep(c(1, 2), each = 120))
  expect_equal(rows$trial, rep(1:120, 2))
  expect_setequal(unlist(lapply(asked, function(work) work$trials[work$cell == 2])), 1:120)
  expect_named(asked[[1]], c("query", "mechanism", "n", "prob", "run", "seed", "cell", "trials"))
  expect_identical(c(asked[[1]]$n, asked[[2]]$n), c(10, 20))
  # Records that do not come from the model are not in the core.
  study$generator <- function(theta, n) data.frame(smoker = rep(0, n))
  study$trials <- 1
  asked <- list()
  expect_false(any(collect_trials(study, NULL, 0)$truth == 0.5))
  expect_length(asked, 0)
})

test_that("progress counts trials", {
  seen <- list()
  study <- new_study("calibration", score_query(), read_question(~ smoker, NULL, NULL, NULL),
                     list("naive"), 10, mech_laplace(1), 3, check_run(1, 100, 0, 1, 1, 0),
                     function(theta, n) data.frame(smoker = rep(0, n)), 0.9, 4)
  todo <- trials_to_do(study, data.frame(cell = 1, trial = 2))
  expect_equal(todo$trial, c(1, 3))
  run_trials(study, todo, function(rows) seen[[length(seen) + 1]] <<- rows$trial)
  expect_identical(seen, list(1, 3))
})
