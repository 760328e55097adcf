test_that("a study in words", {
  local_reproducible_output(width = 100)
  study <- small_calibration(method = c("exact", "naive"), trials = 40)
  expect_snapshot(study)
  expect_snapshot(print(study, rows = 1))
})

test_that("data from elsewhere are said to be so", {
  study <- small_calibration(trials = 2, data = function(theta, n) data.frame(smoker = rep(1, n)))
  expect_output(print(study), "from the function given, not from the model")
})
