test_that("diagnostics tell how draws were made", {
  fit <- quick_fit(categorical_observation(c(50, 30, 20), 100))
  found <- diagnostics(fit)
  expect_s3_class(found, "noiseaware_diagnostics")
  expect_identical(found$kind, "independent")
  expect_identical(found$log_evidence, fit$log_evidence)
  expect_named(found$variables, c("variable", "rhat", "ess_bulk", "ess_tail"))
  expect_output(print(found), "500 independent draws")
  expect_output(print(found), "log evidence")
})

test_that("chains have acceptance rates", {
  fit <- quick_fit(categorical_observation(c(50, 30, 20), 100), method = method_exact(max_work = 0))
  found <- diagnostics(fit)
  expect_identical(found$kind, "chains")
  expect_true(all(found$acceptance > 0.1 & found$acceptance < 0.9))
  expect_output(print(found, rows = 1), "acceptance")
  expect_output(print(found, rows = 1), "2 more rows")
})

test_that("the evidence is up to the flat prior on n where there is one", {
  flat <- diagnostics(quick_fit(categorical_observation(c(50, 30, 20), NULL)))
  expect_true(flat$flat_n)
  expect_output(print(flat), "log evidence: -?[0-9.]+ [(]up to the flat prior on n[)]")
  proper <- diagnostics(quick_fit(categorical_observation(c(50, 30, 20), 100)))
  expect_false(proper$flat_n)
  expect_false(any(grepl("flat prior", utils::capture.output(print(proper)))))
})

test_that("only fits have diagnostics", {
  expect_error(diagnostics(3), "`object` must be a fit", class = "noiseaware_error_input")
})
