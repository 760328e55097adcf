input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

tables <- query_tables(domain(smoker = dom_binary(), region = c("n", "e", "s")),
                       ~ smoker + region + smoker:region)
moments <- query_moments(domain(x = c(0, 10), y = c(-5, 5)))

test_that("published statistics are kept as given", {
  made <- as_release(moments, n = 100, values = c("sum(x)" = 480.5, "sum(x*y)" = -3),
                     noise = list(noise_laplace(2), noise_gaussian(5, grid = 0.5)), threshold = 10)
  expect_s3_class(made, "noiseaware_release")
  expect_identical(made$origin, "external")
  expect_identical(made$n, 100)
  expect_identical(made$statistics, data.frame(name = c("sum(x)", "sum(x*y)"), value = c(480.5, -3),
                                               scale = c(2, 5), grid = c(0, 0.5)))
  expect_identical(made$noise, c("laplace", "gaussian"))
  expect_identical(made$threshold, 10)
  expect_identical(made$centre, c(x = 0, y = 0))
  expect_null(made$privacy)
  expect_null(made$ledger)
  expect_null(made$payload)
})

test_that("neither a relation nor n is needed", {
  made <- as_release(tables, values = c("count(smoker=1)" = 31L), noise = noise_none())
  expect_null(made$n)
  expect_null(made$relation)
  expect_identical(made$statistics$value, 31)
  noisy <- as_release(moments, values = c(n = 99.5), noise = noise_laplace(1))
  expect_identical(noisy$statistics$name, "n")
})

test_that("noise is one for all, one each in order, or one each by name", {
  values <- c("sum(x)" = 1, "sum(y)" = 2)
  each <- list(noise_laplace(1), noise_gaussian(2))
  in_order <- as_release(moments, values = values, noise = each)
  named <- list("sum(y)" = each[[2]], "sum(x)" = each[[1]])
  by_name <- as_release(moments, values = values, noise = named)
  expect_identical(in_order, by_name)
  expect_identical(as_release(moments, values = values, noise = each[[1]])$statistics$scale,
                   c(1, 1))
  for (bad in list(1, NULL, list(), each[1], c(each, each), list(a = each[[1]], b = each[[2]]),
                   list(1, 2), "laplace")) {
    input_error(as_release(moments, values = values, noise = bad), "`noise` must be one noise")
  }
})

test_that("a data frame of cells is accepted for tables", {
  cells <- expand.grid(region = c("n", "e", "s"), smoker = 0:1)
  cells$value <- 1:6
  made <- as_release(tables, values = cells, noise = noise_laplace(1, grid = 1))
  expect_identical(made$statistics$name[1:2],
                   c("count(smoker=0,region=n)", "count(smoker=0,region=e)"))
  expect_identical(made$statistics$value, as.double(1:6))
  expect_identical(as_release(tables, values = data.frame(value = 5, region = "s"),
                              noise = noise_none())$statistics$name, "count(region=s)")
  big <- query_tables(domain(z = dom_levels(c(1e5, 2e5, 3e5))), ~ z)
  expect_identical(as_release(big, values = data.frame(z = 1e5, value = 2),
                              noise = noise_none())$statistics$name, "count(z=100000)")
})

test_that("a data frame that is not of cells is refused", {
  noise <- noise_none()
  input_error(as_release(tables, values = data.frame(region = "n"), noise = noise), "column value")
  input_error(as_release(tables, values = data.frame(value = 1), noise = noise),
              "one\\s+column per variable")
  input_error(as_release(tables, values = data.frame(region = "n", value = "7"), noise = noise),
              "numeric")
  input_error(as_release(tables, values = data.frame(region = "n", value = factor(7)),
                         noise = noise), "numeric")
  input_error(as_release(tables, values = data.frame(region = "n", age = 5, value = 7),
                         noise = noise), "age")
  input_error(as_release(tables, values = data.frame(region = "x", value = 7), noise = noise),
              "not a statistic")
  input_error(as_release(tables, values = data.frame(region = c("n", "n"), value = 1:2),
                         noise = noise), "values")
  input_error(as_release(moments, values = data.frame(x = 1, value = 7), noise = noise),
              "named vector")
})

test_that("values are finite numbers, each named once after a statistic", {
  for (bad in list(NULL, 1, c(1, 2), "a", list("sum(x)" = 1), numeric(),
                   c("sum(x)" = 1, "sum(x)" = 2), TRUE)) {
    input_error(as_release(moments, values = bad, noise = noise_none()),
                "`values` must be a named numeric vector")
  }
  for (bad in c(NA, NaN, Inf, -Inf)) {
    input_error(as_release(moments, values = c("sum(x)" = bad), noise = noise_none()), "finite")
  }
  input_error(as_release(moments, values = c("sum(z)" = 1), noise = noise_none()),
              "\"sum\\(z\\)\", not a statistic of the query")
})

test_that("the other arguments are checked", {
  make <- function(...) as_release(moments, values = c("sum(x)" = 1), noise = noise_none(), ...)
  for (bad in list(-1, 1.5, "10", NA, Inf, c(1, 2))) input_error(make(n = bad), "`n`")
  expect_identical(make(n = 0)$n, 0)
  for (bad in list("a", NA, Inf, c(1, 2), c(x = 1), c(x = 1, z = 2), NULL)) {
    input_error(make(centre = bad), "`centre`")
  }
  expect_identical(make(centre = c(y = 1, x = 2))$centre, c(x = 2, y = 1))
  expect_identical(make(centre = 3)$centre, c(x = 3, y = 3))
  for (bad in list(-1, "a", NA, Inf, c(1, 2))) input_error(make(threshold = bad), "`threshold`")
  input_error(as_release(1, values = c(a = 1), noise = noise_none()), "`query`")
})

test_that("noise has a positive scale and a grid of at least 0", {
  for (bad in list(0, -1, NA, Inf, NaN, "1", NULL, c(1, 2))) {
    input_error(noise_laplace(bad), "`scale` must be a positive number")
    input_error(noise_gaussian(bad), "`sd` must be a positive number")
  }
  for (bad in list(-1, NA, Inf, "1", NULL)) input_error(noise_laplace(1, bad), "`grid`")
  expect_snapshot({
    noise_laplace(2)
    noise_gaussian(10, grid = 1)
    noise_none()
  })
})

# ---- suppressed values ---------------------------------------------------------

test_that("with a threshold, noise may be given for what is absent, and values may be none", {
  table <- query_tables(domain(region = c("n", "e", "s")), ~ region)
  one <- as_release(table, n = 9, c("count(region=n)" = 7), noise_laplace(2), threshold = 5)
  absent <- c("count(region=e)", "count(region=s)")
  expect_identical(one$suppressed, data.frame(name = absent, noise = "laplace", scale = 2,
                                              grid = 0))
  expect_null(as_release(table, n = 9, c("count(region=n)" = 7), noise_laplace(2))$suppressed)
  each <- stats::setNames(list(noise_gaussian(3), noise_none()), c("count(region=s)",
                                                                   "count(region=n)"))
  some <- as_release(table, n = 9, c("count(region=n)" = 7), each, threshold = 5)
  expect_identical(some$suppressed$name, "count(region=s)")
  expect_identical(some$noise, "none")
  input_error(as_release(table, n = 9, c("count(region=n)" = 7), each), "`noise` must be one noise")
  names(each) <- c("count(region=x)", "count(region=n)")
  input_error(as_release(table, n = 9, c("count(region=n)" = 7), each, threshold = 5),
              "`noise` must be one noise")
  nothing <- as_release(table, n = 9, numeric(), noise_laplace(2, grid = 1), threshold = 5)
  expect_identical(nrow(nothing$statistics), 0L)
  expect_identical(nrow(nothing$suppressed), 3L)
  expect_output(print(nothing), "none: all were suppressed")
  whole <- as_release(table, values = c(n = 12.5), noise = noise_laplace(1), threshold = 5)
  expect_identical(nrow(whole$suppressed), 3L)
  for (made in list(one, some, nothing, whole)) {
    file <- withr::local_tempfile()
    write_release(made, file)
    expect_identical(read_release(file), made)
  }
})

test_that("a file that contradicts itself about what was suppressed is refused", {
  made <- as_release(tables, n = 10, values = c("count(smoker=1)" = 7), noise = noise_laplace(2.5),
                     threshold = 5)
  refused <- function(edit, pattern = NULL) {
    expect_error(read_tampered(made, edit), pattern, class = "noiseaware_error")
  }
  suppressed <- function(member, to) edit("payload", "suppressed", 1, member, to = to)
  refused(suppressed("name", "count(smoker=1)"), "what was suppressed")
  refused(suppressed("name", "count(region=e)"), "what was suppressed")
  refused(suppressed("name", "count(region=x)"), "what was suppressed")
  refused(suppressed("name", "n"), "what was suppressed")
  refused(edit("payload", "threshold", to = NULL))
  refused(suppressed("scale", "0"), "not positive")
  refused(suppressed("scale", "2.50"), "contradicts itself in suppressed")
  refused(suppressed("noise", "cauchy"), "one of laplace, gaussian, none")
  refused(suppressed("grid", "-1"), "not positive")
})

# ---- files -----------------------------------------------------------------

refuse <- function(edit, pattern = NULL) {
  made <- as_release(moments, n = 10, values = c("sum(x)" = 1, "sum(y)" = 2),
                     noise = list(noise_laplace(2.5), noise_none()), threshold = 5)
  expect_error(read_tampered(made, edit), pattern, class = "noiseaware_error")
}

test_that("an external file that contradicts itself is refused", {
  statistic <- function(member, to, at = 1) edit("payload", "statistics", at, member, to = to)
  for (bad in c("0", "-1", "-2.5")) refuse(statistic("scale", bad), "not positive")
  for (bad in c("NaN", "Inf", "", "1e", "0x1", "2.5\u0660", "1e9999")) {
    refuse(statistic("scale", bad), "required form")
  }
  refuse(statistic("scale", "1e999"), "contradicts itself|not finite")
  refuse(statistic("scale", "3", at = 2), "not positive")
  refuse(statistic("grid", "1", at = 2), "not positive")
  refuse(statistic("grid", "-1"), "not positive")
  refuse(statistic("noise", "none"), "not positive")
  refuse(statistic("noise", "laplace", at = 2), "not positive")
  refuse(statistic("noise", "cauchy"), "one of laplace, gaussian, none")
  refuse(statistic("value", "1e999"), "finite")
  refuse(statistic("value", "1.0"), "contradicts itself in statistics")
  refuse(statistic("name", "sum(z)"), "not a statistic")
  refuse(statistic("name", "sum(y)"))
  refuse(edit("payload", "centre", to = list("0")), "centre")
  refuse(edit("payload", "centre", to = list("0", "0", "0")), "centre")
  refuse(edit("payload", "centre", 1, to = "1e999"), "centre")
  refuse(edit("payload", "threshold", to = "-1"), "required form")
  refuse(edit("payload", "threshold", to = "1e999"))
  refuse(edit("payload", "n", to = "9999999999999999"), "contradicts itself in n")
  refuse(edit("payload", "privacy", to = list(unit = "pure")), "not part of the format")
  refuse(edit("payload", "origin", to = "noiseaware"))
})

test_that("problems of an external file are reported where they are", {
  refuse(edit("payload", "threshold", to = 5L), "file.payload.threshold must be of type string")
  refuse(edit("payload", "statistics", 1, "grid", to = 5L), "file.payload.statistics\\[1\\].grid")
})

# Seventeen digits must bring back the same double, also near the ends.
test_that("decimals in files are exact", {
  withr::local_seed(2)
  values <- c(0.1, 1 / 3, pi, 5e-324, .Machine$double.xmax, .Machine$double.xmin, 2^53 + 2, -0.1,
              stats::rnorm(500) * 10^stats::runif(500, -300, 300))
  expect_identical(as.numeric(exact_decimal(values)), values)
})
