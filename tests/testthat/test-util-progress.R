test_that("nobody is bothered unless someone is watching", {
  expect_null(progress_reporter("Sampling", 0))
  expect_null(progress_reporter("Sampling", 1, shown = FALSE))
  expect_type(progress_reporter("Sampling", 1, shown = TRUE), "closure")
  expect_identical(check_refresh(0), 0L)
  expect_identical(check_refresh(NULL), as.integer(interactive()))
  expect_error(check_refresh(-1), "`refresh`", class = "noiseaware_error_input")
})

test_that("a run without an audience is silent", {
  expect_silent(infer(bernoulli_observation(300, 1000), ~ x, seed = 1))
  expect_silent(infer(bernoulli_observation(300, 1000), ~ x, seed = 1,
                      method = method_exact(max_work = 0)))
})

test_that("a bar is shown, updated and taken away", {
  withr::local_options(cli.progress_show_after = 0, cli.dynamic = FALSE)
  report <- progress_reporter("Sampling", 1, shown = TRUE)
  expect_no_error(suppressMessages({
    report(0, 10)
    report(5, 10)
    report(10, 10)
  }))
})
