study_of <- function(...) {
  defaults <- list(kind = "calibration", query = score_query(),
                   question = read_question(~ smoker, NULL, NULL, NULL), methods = list(NULL),
                   n = 20, mechanism = mech_laplace(1), trials = 5,
                   run = check_run(1, 100, 0, 1, 1, 0), generator = NULL, prob = 0.9, seed = 1)
  do.call(new_study, override(defaults, list(...)))
}

test_that("cells are all combinations", {
  study <- study_of(n = c(10, 1000), mechanism = list(mech_laplace(0.1), mech_gaussian(rho = 0.5)),
                    methods = check_methods(c("exact", "naive")))
  expect_identical(nrow(study$cells), 8L)
  expect_identical(study$cells$n, rep(c(10, 1000), 4))
  expect_equal(study$cells$epsilon, rep(c(0.1, 0.1, NA, NA), 2))
  expect_identical(study$cells$method, rep(c("exact", "naive"), each = 4))
  expect_identical(study$cells$label[[2]], "n = 1,000, epsilon = 0.1, exact")
  expect_identical(study$cells$label[[8]], "n = 1,000, rho = 0.5, naive")
  expect_s3_class(study$tasks[[8]], "noiseaware_task_counts_naive")
  expect_equal(study_scenario(study, 3)$mechanism, mech_gaussian(rho = 0.5))
  expect_equal(study_scenario(study, 6)$n, 1000)
})

test_that("methods are read in every form", {
  expect_identical(check_methods(NULL), list(NULL))
  expect_identical(check_methods("naive"), list("naive"))
  expect_identical(check_methods(method_exact()), list(method_exact()))
  expect_identical(check_methods(list("naive", method_exact(5))), list("naive", method_exact(5)))
  study <- study_of(methods = list(method_exact(), method_exact(0)))
  expect_identical(anyDuplicated(study$cells$label), 0L)
})

test_that("a generator that does not work fails before the study", {
  expect_error(study_of(generator = function(theta, n) data.frame(smoker = 1)),
               class = "noiseaware_error_input")
  expect_error(study_of(generator = function(theta, n) stop("no luck")), "no luck")
})

test_that("fits of a study warn of nothing", {
  study <- study_of(mechanism = mech_laplace(0.001))
  case <- simulate_trial(study$tasks[[1]], study_scenario(study, 1), trial_seeds(1, 1, 1))
  expect_silent(study_fit(study, study$tasks[[1]], observe(case$release), 1))
})
