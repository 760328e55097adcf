lines_of <- function(path) readLines(path, warn = FALSE)

test_that("a study continues where it was, with the same result", {
  path <- withr::local_tempfile()
  whole <- small_calibration(n = c(10, 50), trials = 6)
  expect_identical(small_calibration(n = c(10, 50), trials = 6, file = path), whole)
  lines <- lines_of(path)
  expect_length(lines, 13)
  # Only some trials are left, in any order.
  writeLines(lines[c(1, 9, 3, 12)], path)
  expect_identical(small_calibration(n = c(10, 50), trials = 6, file = path), whole)
  expect_identical(lines_of(path)[1:4], lines[c(1, 9, 3, 12)])
  expect_setequal(lines_of(path), lines)
})

test_that("finished trials are read, not run", {
  path <- withr::local_tempfile()
  small_calibration(trials = 3, file = path)
  lines <- sub("\"u\":\\[\"[^\"]*\"", "\"u\":[\"0.125\"", lines_of(path))
  writeLines(lines, path)
  expect_identical(small_calibration(trials = 3, file = path)$trials$u, rep(0.125, 3))
})

test_that("a torn last line is run again", {
  path <- withr::local_tempfile()
  whole <- small_calibration(trials = 4, file = path)
  text <- readChar(path, file.size(path))
  for (cut in c(1, 20, 150)) {
    writeChar(substr(text, 1, nchar(text) - cut), path, eos = NULL)
    expect_identical(small_calibration(trials = 4, file = path), whole)
    expect_identical(readChar(path, file.size(path)), text)
  }
})

test_that("a study may grow, and shrink", {
  path <- withr::local_tempfile()
  small_calibration(trials = 5, file = path)
  expect_identical(small_calibration(trials = 8, file = path), small_calibration(trials = 8))
  expect_identical(small_calibration(trials = 2, file = path), small_calibration(trials = 2))
  expect_length(lines_of(path), 9)
})

test_that("results keep every bit, failures included", {
  path <- withr::local_tempfile()
  calls <- 0
  generator <- function(theta, n) {
    calls <<- calls + 1
    if (calls == 3) stop("no \"coins\" \u00e9")
    data.frame(smoker = rep(1, n))
  }
  study <- small_calibration(data = generator, trials = 4, file = path)
  again <- small_calibration(data = generator, trials = 4, file = path)
  expect_identical(again, study)
  expect_identical(sum(!is.na(again$trials$failure)), 1L)
})

test_that("the seed of a file is taken if none is given", {
  path <- withr::local_tempfile()
  study <- small_calibration(seed = NULL, trials = 2, file = path)
  expect_identical(small_calibration(seed = NULL, trials = 2, file = path), study)
})

test_that("files of other studies are refused and left alone", {
  path <- withr::local_tempfile()
  small_calibration(trials = 2, file = path)
  before <- lines_of(path)
  others <- list(
    list(seed = 4), list(n = 51), list(mechanism = mech_laplace(0.21)), list(method = "naive"),
    list(method = method_exact(7)), list(prior = prior_beta(1, 1 + 1e-15)), list(iter = 201),
    list(chains = 3), list(prob = 0.8), list(query = score_query("add_remove")),
    list(data = function(theta, n) data.frame(smoker = rep(1, n)))
  )
  for (other in others) {
    expect_error(do.call(small_calibration, c(other, file = path, trials = 2)), "another study",
                 class = "noiseaware_error_input")
  }
  expect_error(small_comparison(file = path), "another study", class = "noiseaware_error_input")
  expect_identical(lines_of(path), before)
})

test_that("files that are no study are refused and left alone", {
  for (text in c("my thesis", "my thesis\n", "{}\n", "{\"noiseaware_study\":\"2\"}\nx")) {
    path <- withr::local_tempfile()
    writeChar(text, path, eos = NULL)
    expect_error(small_calibration(trials = 2, file = path), "does not hold a study",
                 class = "noiseaware_error_input")
    expect_identical(readChar(path, 100), text)
  }
})

test_that("a damaged line is not guessed at", {
  path <- withr::local_tempfile()
  small_calibration(trials = 3, file = path)
  lines <- lines_of(path)
  for (bad in c("{\"cell\":", "{\"cell\":[\"1\"]}", "3", "")) {
    writeLines(append(lines, bad, 2), path)
    expect_error(small_calibration(trials = 3, file = path), "damaged",
                 class = "noiseaware_error_input")
  }
})

test_that("comparisons can be resumed, too", {
  path <- withr::local_tempfile()
  without_time <- function(x) x$trials[names(x$trials) != "seconds"]
  whole <- small_comparison(trials = 3)
  first <- small_comparison(trials = 3, file = path)
  expect_identical(without_time(first), without_time(whole))
  writeLines(lines_of(path)[1:3], path)
  expect_identical(without_time(small_comparison(trials = 3, file = path)), without_time(whole))
  expect_identical(small_comparison(trials = 3, file = path),
                   small_comparison(trials = 3, file = path))
})

test_that("no file is made where none can be", {
  expect_error(small_calibration(file = file.path(tempdir(), "absent", "x")),
               class = "noiseaware_error_input")
  expect_error(small_calibration(file = tempdir()), class = "noiseaware_error_input")
})
