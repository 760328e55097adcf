test_that("all methods see the same release, and the yardstick its records", {
  comparison <- small_comparison(trials = 3)
  rows <- comparison$trials
  expect_identical(nrow(rows), 2L * 3L * 3L)
  truth <- tapply(rows$truth, rows$trial, function(x) length(unique(x)))
  expect_equal(as.vector(truth), c(1, 1, 1))
  query <- score_query()
  task <- study_task(query, mech_laplace(0.5), 50, read_question(~ smoker, NULL, NULL, NULL))
  seeds <- trial_seeds(3, 0, 2)
  case <- simulate_trial(task, new_scenario(query, mech_laplace(0.5), 50), seeds)
  yard <- infer_nonprivate(query, case$data, ~ smoker, iter = 200, seed = seeds$yardstick)
  naive <- infer(case$release, ~ smoker, method = "naive", iter = 200, seed = seeds$draws)
  own <- rows[rows$cell == 2 & rows$trial == 2, ]
  expect_identical(own$method, c("non-private", "exact", "naive"))
  expect_equal(own$mean[own$method == "non-private"], mean(yard$draws))
  found <- own[own$method == "naive", ]
  expect_equal(found$mean, mean(naive$draws))
  expect_equal(found$mmd, sqrt(max(0, mmd(naive, yard))))
  expect_equal(found$ks, ks_distance(naive, yard)[["theta"]])
  expect_equal(found$wasserstein, wasserstein(naive, yard)[["theta"]])
  expect_equal(found$squared_error, (mean(naive$draws) - case$truth[["theta"]])^2)
})

test_that("cells share truths and records, so that budgets can be compared", {
  rows <- small_comparison(trials = 3)$trials
  yard <- rows[rows$method == "non-private", ]
  expect_identical(yard$lower[yard$cell == 1], yard$lower[yard$cell == 2])
})

test_that("averages are over trials that worked", {
  comparison <- small_comparison(trials = 6)
  found <- summary(comparison)
  expect_identical(found$method, rep(c("non-private", "exact", "naive"), 2))
  own <- comparison$trials
  own <- own[own$cell == 2 & own$method == "exact", ]
  row <- found[found$cell == 2 & found$method == "exact", ]
  expect_equal(row$width, mean(own$width))
  expect_equal(row$coverage, mean(own$covered))
  expect_equal(row$rmse, sqrt(mean(own$squared_error)))
  expect_true(all(is.na(found$mmd[found$method == "non-private"])))
  expect_identical(tidy(comparison), found)
  expect_identical(glance(comparison)$trials, 6)
  expect_stored(comparison)
})

test_that("less noise brings every method closer to the yardstick", {
  comparison <- small_comparison(trials = 15, n = 200,
                                 mechanism = lapply(c(0.01, 10), mech_laplace))
  found <- summary(comparison)
  for (method in c("exact", "naive")) {
    rows <- found[found$method == method, ]
    expect_lt(rows$mmd[[2]], rows$mmd[[1]])
    expect_lt(rows$wasserstein[[2]], rows$wasserstein[[1]])
    expect_gt(rows$overlap[[2]], rows$overlap[[1]])
  }
})

test_that("a method that fails does not take the others with it", {
  study <- new_study("comparison", score_query(), read_question(~ smoker, NULL, NULL, NULL),
                     list(NULL), 20, mech_laplace(1), 2, check_run(1, 100, 0, 1, 1, 0), NULL, 0.9,
                     5)
  study <- compare_in(study, list("exact", "naive"), NULL)
  study$compared$naive <- structure(list(name = "broken"), class = "noiseaware_method")
  rows <- collect_trials(study, NULL, 0)
  expect_identical(is.na(rows$failure), rep(c(TRUE, TRUE, FALSE), 2))
  found <- summary(new_comparison(rows, study))
  expect_identical(found$method, c("non-private", "exact"))
  expect_identical(rows$method[!is.na(rows$failure)], c("naive", "naive"))
})

test_that("methods with options have labels of their own", {
  comparison <- small_comparison(methods = list(method_exact(), method_exact(max_work = 0)),
                                 trials = 2)
  expect_identical(comparison$settings$methods, c("exact", "exact 1"))
})
