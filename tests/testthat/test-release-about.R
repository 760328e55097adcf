input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

test_that("texts are kept in a fixed order", {
  expect_null(check_about(NULL))
  expect_identical(check_about(list(licence = "CC0", title = "T\u00eftle")),
                   list(title = "T\u00eftle", licence = "CC0"))
  expect_identical(check_about(list(contact = iconv("\u00e9", "UTF-8", "latin1"))),
                   list(contact = "\u00e9"))
})

test_that("only a named list of known members is taken", {
  for (bad in list("text", list(), list("text"), list(author = "x"), c(title = "x"),
                   list(title = "x", "y"), list(title = "x", title = "y"), 1,
                   data.frame(author = "x"))) {
    input_error(check_about(bad), "`about` must be a named list of texts")
  }
})

test_that("each is one line of bounded length", {
  for (bad in list(NULL, NA, 1, "", c("a", "b"), TRUE)) {
    input_error(check_about(list(title = bad)), "`about\\$title` must be one non-empty string")
  }
  for (bad in c("a\nb", "a\tb", "a\u001bb", strrep("x", 501))) {
    input_error(check_about(list(period = bad)), "`about\\$period` must be one line of at most 500")
  }
  expect_identical(check_about(list(title = strrep("\u00e9", 500)))$title, strrep("\u00e9", 500))
})

test_that("bytes that are not text are refused", {
  skip_if_not(l10n_info()[["UTF-8"]], "a session in UTF-8")
  input_error(check_about(list(title = "\xff")), "valid text")
})

test_that("whatever is accepted can be written and read", {
  made <- release_insecure(query_tables(domain(b = dom_binary()), ~ b, "replace_one"),
                           data.frame(b = 1), mech_laplace(1), seed = 1)
  made$about <- check_about(list(title = "{stop(1)} \"quote\" \\ / <b> \u4e2d \U0001F600",
                                 contact = "a%sb"))
  path <- withr::local_tempfile()
  write_release(made, path)
  expect_warning(again <- read_release(path), class = "noiseaware_warning_insecure")
  expect_identical(again, made)
  expect_true(any(grepl("{stop(1)} \"quote\"", format(made), fixed = TRUE)))
})
