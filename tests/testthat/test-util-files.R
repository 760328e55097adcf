test_that("JSON is written for people and reads back as it was", {
  path <- withr::local_tempfile()
  value <- stats::setNames(list(list("x", 1L, NULL), list(c = TRUE), "\u4e2d \"q\" \\"),
                           c("b", "a", "\u00e9"))
  expect_identical(write_json_file(value, path), path)
  expect_match(file_text(path), "\n \"a\": {\n", fixed = TRUE)
  expect_identical(parse_untrusted_json(read_untrusted_text(path)), value[c(2, 1, 3)])
})

test_that("an existing file is left alone unless told otherwise", {
  path <- local_file("precious")
  expect_error(write_text_file("new", path), class = "noiseaware_error_release")
  expect_identical(file_text(path), "precious")
  write_text_file("new", path, overwrite = TRUE)
  expect_identical(file_text(path), "new")
})

test_that("a file that cannot be written leaves nothing behind", {
  dir <- withr::local_tempdir()
  error <- tryCatch(write_text_file("text", file.path(dir, "absent", "x.json")), error = identity)
  expect_s3_class(error, "noiseaware_error_release")
  expect_match(conditionMessage(error), "could not be written")
  expect_error(write_text_file("text", dir), class = "noiseaware_error_release")
  expect_identical(list.files(dir, all.files = TRUE, no.. = TRUE), character())
})

test_that("a path is one string and a leading tilde is the home directory", {
  expect_error(write_json_file(list(), NULL), "path", class = "noiseaware_error_input")
  expect_error(write_json_file(list(), c("a", "b")), "path", class = "noiseaware_error_input")
  home <- withr::local_tempdir()
  withr::local_envvar(HOME = home)
  skip_if_not(path.expand("~") == home, "R finds the home directory elsewhere")
  write_json_file(list(a = 1), "~/x.json")
  expect_identical(list.files(home), "x.json")
})

test_that("text is written as UTF-8 whatever its encoding, byte for byte", {
  path <- withr::local_tempfile()
  write_text_file(iconv("gr\u00f6\u00dfe\n", "UTF-8", "latin1"), path)
  expect_identical(readBin(path, "raw", 100), charToRaw("gr\u00f6\u00dfe\n"))
})
