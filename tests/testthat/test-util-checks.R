input_error <- function(expr, pattern) {
  expect_error(expr, pattern, class = "noiseaware_error_input")
}

test_that("values are described without being dumped", {
  expect_identical(describe_value(NULL), "NULL")
  expect_identical(describe_value(NA), "NA")
  expect_identical(describe_value(-1.5), "-1.5")
  expect_identical(describe_value("a"), "\"a\"")
  expect_identical(describe_value("a\n\"b\""), "\"a\\n\\\"b\\\"\"")
  expect_identical(describe_value(sum), "a function")
  expect_identical(describe_value(1:3), "an object of class <integer> and length 3")
  expect_identical(describe_value(data.frame(secret = 7)),
                   "an object of class <data.frame> and length 1")
  expect_identical(describe_value(matrix(1)), "an object of class <matrix/array> and length 1")
})

test_that("check_number() takes one finite number in its range", {
  expect_identical(check_number(2L, "x"), 2)
  expect_identical(check_number(0, "x", 0, 1), 0)
  expect_identical(check_number(1, "x", 0, 1), 1)
  for (bad in list(NULL, NA, NA_real_, NaN, Inf, -Inf, "1", TRUE, c(1, 2), numeric(), list(1),
                   matrix(1), 1i, sum, as.Date("2026-01-01"), factor(1))) {
    input_error(check_number(bad, "x"), "`x` must be one finite number")
  }
  input_error(check_number(0, "x", 0, open = TRUE), "positive number")
  input_error(check_number(-1, "x", 0), "at least 0")
  input_error(check_number(1, "x", 0, 1, open = TRUE), "strictly between 0 and 1")
  input_error(check_number(2, "x", 0, 1), "between 0 and 1")
})

test_that("check_whole() takes whole numbers of either type", {
  expect_identical(check_whole(3L, "x"), 3)
  expect_identical(check_whole(2^53, "x"), 2^53)
  for (bad in list(0, 1.5, -1, NA, Inf, "1", c(1, 2), NULL, 2^54, TRUE)) {
    input_error(check_whole(bad, "x"), "`x` must be a whole number of at least 1")
  }
  input_error(check_whole(5, "x", 1, 4), "from 1 to 4")
})

test_that("check_string() takes one non-empty string", {
  expect_identical(check_string(c(name = "a"), "x"), "a")
  expect_null(check_string(NULL, "x", null_ok = TRUE))
  for (bad in list(NULL, NA, NA_character_, "", 1, c("a", "b"), character(), quote(a),
                   factor("a"))) {
    input_error(check_string(bad, "x"), "`x` must be one non-empty string")
  }
})

test_that("bytes that are not text are refused", {
  skip_if_not(l10n_info()[["UTF-8"]], "a session in UTF-8")
  input_error(check_string("\xff\xfe", "x"), "valid text")
  input_error(check_names(c("a", "\xff"), "x"), "distinct, non-empty names")
})

test_that("check_flag() takes TRUE or FALSE", {
  expect_true(check_flag(TRUE, "x"))
  expect_false(check_flag(FALSE, "x"))
  for (bad in list(NA, 1, "TRUE", NULL, c(TRUE, FALSE))) {
    input_error(check_flag(bad, "x"), "`x` must be TRUE or FALSE")
  }
})

test_that("check_choice() takes one of the words, the first by default", {
  words <- c("one", "two")
  expect_identical(check_choice(words, "x", words), "one")
  expect_identical(check_choice("two", "x", words), "two")
  for (bad in list("o", "three", NA_character_, NULL, 1, c("two", "one"), character())) {
    input_error(check_choice(bad, "x", words), "`x` must be one of \"one\", \"two\"")
  }
})

test_that("check_class() tells the class and nothing else", {
  object <- structure(list(secret = 42), class = "thing")
  expect_identical(check_class(object, "x", "thing", "make_thing"), object)
  error <- tryCatch(check_class(data.frame(secret = 123456789), "x", "thing", "make_thing"),
                    error = identity)
  expect_s3_class(error, "noiseaware_error_input")
  expect_identical(conditionMessage(error),
                   paste0("`x` must be made by `make_thing()`.\n",
                          "x You gave an object of class <data.frame>."))
})

test_that("check_names() takes names that are fit for a file", {
  expect_identical(check_names(c("a", "b c", "gr\u00f6\u00dfe"), "x"),
                   c("a", "b c", "gr\u00f6\u00dfe"))
  latin <- iconv("gr\u00f6\u00dfe", "UTF-8", "latin1")
  expect_identical(charToRaw(check_names(latin, "x")), charToRaw("gr\u00f6\u00dfe"))
  for (bad in list(NULL, character(), "", NA_character_, c("a", "a"), 1, "a\nb", "a\tb", "a\u007f",
                   strrep("a", 257), strrep("\u00f6", 129))) {
    input_error(check_names(bad, "x"), "distinct, non-empty names")
  }
})

test_that("arguments that do not exist are named but never shown", {
  query <- query_tables(domain(x = dom_binary()), ~ x, "replace_one")
  secret <- data.frame(x = c(1, 0, 1), note = "canary-4711")
  mechanism <- mech_laplace(1)
  calls <- list(
    quote(do.call(release, list(query, records = secret, mechanism = mechanism))),
    quote(do.call(release_insecure, list(query, mechanism = mechanism, seed = 1, Data = secret))),
    quote(do.call(tally_records, list(query, secret, secret)))
  )
  for (call in calls) {
    error <- expect_error(eval(call), class = "noiseaware_error_input")
    expect_false(any(grepl("canary-4711", unlist(lapply(error, deparse)))))
  }
  expect_error(do.call(release, list(query, records = secret)), "records")
})

test_that("text for other people's terminals cannot reorder or control them", {
  fine <- c("Z\u00fcrich", "\u6771\u4eac", "a b")
  expect_true(all(is_printable(fine)))
  for (code in c("\u0007", "\u007f", "\u009b", "\u200e", "\u202e", "\u2028", "\u2066")) {
    expect_false(is_printable(paste0("a", code, "b")), info = code)
    expect_error(domain(a = paste0(c("x", "y"), code)), class = "noiseaware_error")
    title <- list(title = paste0("a", code))
    expect_error(check_about(title), class = "noiseaware_error_input")
    expect_match(schema_problem(paste0("a", code), list("$ref" = "#/definitions/text"), "title",
                                list(read_schema("release-v1.schema.json"))), "required form")
  }
})
