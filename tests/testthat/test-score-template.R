mixed <- function(relation, kind = query_moments) {
  kind(domain(x = c(0, 10), k = dom_count(0, 4), b = dom_binary(), r = c("p", "q", "s")), relation)
}

# What the model sees of a blank observation is what it sees of a real release.
expect_like_release <- function(query, mechanism) {
  data <- complete_records(query, NULL, 7)
  real <- observe(release_insecure(query, data, mechanism, 1))
  blank <- blank_observation(query, mechanism, 7)
  real$statistics$value <- blank$statistics$value
  real$privacy <- blank$privacy
  expect_equal(blank[sort(names(blank))], real[sort(names(blank))])
}

test_that("a blank observation is a release without its values", {
  expect_like_release(mixed("replace_one"), mech_laplace(0.3))
  expect_like_release(mixed("add_remove"), mech_gaussian(1, 1e-6))
  expect_like_release(score_query("add_remove"), mech_laplace(2))
  tables <- query_tables(domain(a = dom_binary(), r = c("p", "q", "s")), ~ a:r, "add_remove")
  expect_like_release(tables, mech_gaussian(rho = 0.1))
})

test_that("without a mechanism it is the tally of missing records", {
  query <- mixed("add_remove")
  expect_equal(blank_observation(query, NULL, 7),
               observe(tally_records(query, complete_records(query, NULL, 7))))
})

test_that("records are completed with public constants", {
  query <- mixed("replace_one")
  data <- complete_records(query, data.frame(r = c("q", "s", "q")))
  expect_identical(dim(data), c(3L, 4L))
  expect_identical(names(data), names(query$columns))
  public <- data.frame(x = 5, k = 2, b = 0, r = c("q", "s", "q"))
  expect_identical(tally_records(query, data), tally_records(query, public))
})

test_that("levels that are numbers become numbers in count columns", {
  query <- query_tables(domain(k = dom_count(0, 3)), ~ k, "replace_one")
  data <- complete_records(query, data.frame(k = c("0", "3", "3")))
  expect_identical(data$k, c(0, 3, 3))
})

test_that("a task has everything that was asked for", {
  task <- study_task(score_query(), mech_laplace(1), 12,
                     read_question(~ smoker, "binomial", prior_beta(2, 3), "naive"))
  expect_s3_class(task, "noiseaware_task_bernoulli_naive")
  expect_identical(task$prior, prior_beta(2, 3))
  expect_equal(task$model$size$value, 12)
})

test_that("derived columns follow from simulated ones, and are not simulated themselves", {
  skewed <- derive(domain(x = c(0, 4)), log_x = log1p(x))
  query <- query_moments(skewed, "replace_one", degree = 1)
  rehearsal <- simulate(query, n = 200, mechanism = mech_laplace(50), seed = 1)
  # The mean of log1p() of a uniform on [0, 4] is 5 log(5) / 4 - 1.
  seen <- observe(rehearsal)
  at <- match("sum(log_x)", seen$statistics$name)
  mean <- seen$statistics$value[[at]] / 200 + seen$centre[["log_x"]]
  expect_equal(mean, 5 * log(5) / 4 - 1, tolerance = 0.1)
  expect_error(check_calibration(query, ~ log_x, n = 50, mechanism = mech_laplace(1)),
               class = "noiseaware_error_model")
})
