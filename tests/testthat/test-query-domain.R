query_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_query")
input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

test_that("pairs and character vectors are short for columns", {
  short <- domain(income = c(0, 1e5), sex = c("f", "m"), region = c("n", "e", "s"))
  long <- domain(income = dom_real(0, 1e5), sex = dom_levels(c("f", "m")),
                 region = dom_levels(c("n", "e", "s")))
  expect_identical(short, long)
  expect_identical(domain(x = 0:1), domain(x = c(0, 1)))
  expect_named(short, c("income", "sex", "region"))
  expect_identical(domain(!!!list(x = c(0, 1))), domain(x = c(0, 1)))
})

test_that("columns hold what was declared and nothing else", {
  expect_identical(unclass(dom_real(-1, 2)),
                   list(type = "real", lower = -1, upper = 2, missing = NULL))
  expect_identical(unclass(dom_real(-1, 2, missing = 0)),
                   list(type = "real", lower = -1, upper = 2, missing = 0))
  expect_identical(unclass(dom_count(0L, 20L))[c("type", "lower", "upper")],
                   list(type = "count", lower = 0, upper = 20))
  expect_identical(unclass(dom_binary()), list(type = "binary", levels = c("0", "1"), missing = 0))
  expect_identical(unclass(dom_binary(missing = 1))$missing, 1)
  expect_identical(unclass(dom_levels(1:3, other = 3)),
                   list(type = "levels", levels = c("1", "2", "3"), missing = 2))
})

test_that("two levels are a binary column", {
  expect_identical(unclass(dom_levels(c("f", "m"), other = "m")),
                   list(type = "binary", levels = c("f", "m"), missing = 1))
})

test_that("a domain survives being saved", {
  declared <- domain(x = c(0, 1), k = dom_count(0, 5), s = c("a", "b"),
                     r = dom_levels(1:4, other = 2))
  path <- withr::local_tempfile()
  saveRDS(declared, path)
  expect_identical(readRDS(path), declared)
})

test_that("bounds are finite, ordered and different", {
  for (bad in list(NA_real_, NaN, Inf, "1", NULL, c(1, 2))) {
    input_error(dom_real(bad, 1), "`lower` must be one finite number")
    input_error(dom_count(0, bad), "`upper` must be one finite number")
  }
  query_error(dom_real(1, 1), "`lower` must be less than `upper`")
  query_error(dom_real(2, 1), "You gave 2 and 1")
  query_error(dom_count(0, 1.5), "whole numbers")
  input_error(dom_real(0, 1, missing = 2), "`missing` must be a number between 0 and 1")
  input_error(dom_real(0, 1, missing = NA), "missing")
  input_error(dom_binary(missing = 0.5), "`missing`")
})

test_that("levels are distinct printable names", {
  for (bad in list("a", character(), NULL, list("a", "b"), sum)) {
    input_error(dom_levels(bad), "at least two levels")
  }
  for (bad in list(c("a", "a"), c("a", NA), c("a", ""), c("a", "b\n"))) {
    input_error(dom_levels(bad), "distinct, non-empty names")
  }
  query_error(dom_levels(1:3, other = 4), "`other` must be one of the declared levels")
  query_error(dom_levels(1:3, other = 1:2), "`other` must be one of the declared levels")
})

test_that("a wrong column is named in the message", {
  query_error(domain(ok = c(0, 1), age = 5), "Column age .*You gave 5")
  query_error(domain(age = NULL), "Column age .*You gave NULL")
  query_error(domain(age = c(1, 2, 3)), "Column age .*length 3")
  query_error(domain(age = c(0, NA)), "Column age")
  query_error(domain(age = c(3, 1)), "Column age")
  query_error(domain(ok = c(0, 1), sex = c("m", "m")), "Column sex")
})

test_that("a domain has distinct names", {
  query_error(domain(), "at least one named column")
  input_error(domain(c(0, 1)), "names")
  input_error(domain(x = c(0, 1), x = c(0, 2)), "names")
  input_error(domain(x = c(0, 1), c(0, 2)), "names")
})

test_that("names of any script and encoding work", {
  skip_if_not(l10n_info()[["UTF-8"]], "a session in UTF-8")
  columns <- stats::setNames(list(c(0, 1), c("\u00e4", "\u00f6")),
                             c("gr\u00f6\u00dfe", "\u4e2d\u6587"))
  expect_named(do.call(domain, columns), c("gr\u00f6\u00dfe", "\u4e2d\u6587"))
  names(columns)[[1]] <- iconv("gr\u00f6\u00dfe", "UTF-8", "latin1")
  expect_identical(Encoding(names(do.call(domain, columns))), c("UTF-8", "UTF-8"))
})

test_that("domains print their rules for every value", {
  expect_snapshot({
    domain(income = c(0, 1e5), visits = dom_count(0, 20, missing = 0), smoker = dom_binary(),
           region = dom_levels(1:12, other = 12))
    domain(x = c(0, 1))
    dom_levels(c("f", "m"))
  })
})

test_that("part of a domain is a domain", {
  d <- domain(a = c(0, 1), b = c("u", "v"), c = dom_count(0, 3))
  expect_identical(d[c("c", "a")], domain(c = dom_count(0, 3), a = c(0, 1)))
})
