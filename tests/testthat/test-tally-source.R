input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

mixed <- query_moments(domain(x = c(0, 10), k = dom_count(0, 5), b = dom_binary(),
                              f = c("p", "q", "r")), "replace_one")

mixed_data <- function(rows) {
  withr::local_seed(3)
  data.frame(
    x = sample(c(stats::rnorm(20, 5, 4), NA, NaN, Inf, -Inf), rows, replace = TRUE),
    k = sample(c(-1:7, NA), rows, replace = TRUE), b = sample(c(0L, 1L, NA), rows, replace = TRUE),
    f = sample(c("p", "q", "r", "no such level", NA), rows, replace = TRUE)
  )
}

# A source of chunks of the given sizes, the last one as long as needed.
in_chunks <- function(data, sizes) {
  group <- rep(seq_along(sizes), sizes)
  parts <- split(data, factor(c(group, rep(length(sizes) + 1, max(0, nrow(data) - length(group))))
                              [seq_len(nrow(data))], levels = seq_len(length(sizes) + 1)))
  function() {
    if (length(parts) == 0) return(NULL)
    part <- parts[[1]]
    parts <<- parts[-1]
    part
  }
}

test_that("chunks of any size give the tally of the data frame", {
  for (sizes in list(1, c(10, 1, 200), 1000, rep(7, 50), c(0, 5, 0))) {
    expect_source(function(data) in_chunks(data, sizes), mixed, mixed_data(500))
  }
})

test_that("a matrix gives the tally of the data frame", {
  numbers <- query_moments(domain(x = c(0, 10), k = dom_count(0, 5), b = dom_binary()),
                           "replace_one")
  data <- mixed_data(300)[c("k", "b", "x")]
  expect_source(as.matrix, numbers, data)
  whole <- data[c("b", "k")]
  expect_source(function(data) {
    data <- as.matrix(data)
    storage.mode(data) <- "integer"
    data
  }, query_moments(domain(k = dom_count(0, 5), b = dom_binary()), "replace_one"), whole)
  expect_source(function(data) as.matrix(data) == 1,
                query_moments(domain(b = dom_binary(), c = c(0, 1)), "replace_one"),
                data.frame(c = c(1, 0, NA, 1), b = c(0, 1, 1, NA)))
  chunked <- function(data) in_chunks(data, c(3, 4))
  expect_source(function(data) {
    pull <- chunked(data)
    function() if (is.null(part <- pull())) NULL else as.matrix(part)
  }, numbers, data)
})

test_that("tables come from any source as well", {
  query <- query_tables(domain(k = dom_count(0, 5), b = dom_binary(), f = c("p", "q", "r")),
                        ~ k + b:f + k:b:f, "replace_one")
  data <- mixed_data(400)
  expect_source(identity, query, data)
  expect_source(function(data) in_chunks(data, c(100, 1)), query, data)
})

test_that("the contract would notice a source that loses or repeats rows", {
  data <- mixed_data(100)
  expect_failure(expect_source(function(data) data[-1, ], mixed, data),
                 "differs from that of the data frame")
  expect_failure(expect_source(function(data) rbind(data, data[1, ]), mixed, data), "differs")
})

# How a number or a level is stored is not what it is.
test_that("storage types do not matter", {
  tally <- function(query, ...) tally_records(query, data.frame(...))
  whole <- query_moments(domain(x = c(0, 10)), "replace_one")
  expect_identical(tally(whole, x = c(1L, NA, 0L)), tally(whole, x = c(1, NA, 0)))
  expect_identical(tally(whole, x = c(TRUE, NA, FALSE)), tally(whole, x = c(1, NA, 0)))

  binary <- query_moments(domain(b = dom_binary(missing = 1)), "replace_one")
  reference <- tally(binary, b = c(1, 0, NA, 7))
  expect_identical(tally(binary, b = c(1L, 0L, NA, 7L)), reference)
  expect_identical(tally(binary, b = c("1", "0", NA, "7")), reference)
  expect_identical(tally(binary, b = factor(c("1", "0", NA, "7"))), reference)
  expect_identical(tally(binary, b = factor(c("1", "0", NA, "7"), levels = c("7", "z", "1", "0"))),
                   reference)
  expect_identical(tally(binary, b = c(TRUE, FALSE, NA, NA)), reference)

  for (levels in list(1:3, c(1, 2, 3), c(0.1, 0.25, 1e-3), c(1e5, 2e5, 123456),
                      c(100000L, 2e5, 3e5), c(1e15, 2e15, 3e15))) {
    query <- query_tables(domain(f = dom_levels(levels)), ~ f, "replace_one")
    for (stored in list(levels, as.double(levels), sprintf("%.15g", levels))) {
      expect_identical(tally(query, f = stored)$sums, rep("1048576", 3))
    }
    if (all(levels %% 1 == 0 & levels < 2^31)) {
      expect_identical(tally(query, f = as.integer(levels))$sums, rep("1048576", 3))
      expect_identical(tally(query, f = factor(as.integer(levels)))$sums, rep("1048576", 3))
    }
  }
})

test_that("truth values match levels declared as 0 and 1 or as FALSE and TRUE", {
  count <- function(levels, values) {
    query <- query_tables(domain(b = dom_levels(levels)), ~ b, "replace_one")
    as.numeric(tally_records(query, data.frame(b = values))$sums) / 2^20
  }
  values <- c(TRUE, TRUE, FALSE, NA)
  expect_identical(count(c(0, 1), values), 2)
  expect_identical(count(c(FALSE, TRUE), values), 2)
  expect_identical(count(c("TRUE", "FALSE"), values), 1)
  expect_identical(count(c("FALSE", "TRUE"), c("TRUE", "TRUE", "FALSE", NA)), 2)
})

test_that("columns that the query does not name do not matter, nor does their order", {
  data <- mixed_data(50)
  expect_identical(tally_records(mixed, data), tally_records(mixed, cbind(z = list(1), data[4:1])))
})

test_that("sources must be tables of the right types", {
  input_error(tally_records(mixed, NULL), "`data` must be a data frame")
  input_error(tally_records(mixed, 1:3), "You gave an object of class <integer>")
  input_error(tally_records(mixed, "file.csv"), "class <character>")
  input_error(tally_records(mixed, list(x = 1)), "class <list>")
  input_error(tally_records(mixed, matrix(1, 2, 4)), "must have column names")
  input_error(tally_records(mixed, matrix("a", 1, 1, dimnames = list(NULL, "x"))),
              "numeric or logical")
  input_error(tally_records(mixed, data.frame(x = 1, k = 1)), "no column b and f")
  input_error(tally_records(mixed, function() 1:3), "Each chunk")
  input_error(tally_records(mixed, function() matrix(1, 2, 2)), "Each chunk")
})

test_that("a column of another type is an error that tells the type only", {
  one <- query_moments(domain(x = c(0, 10)), "replace_one")
  secret <- "very private 123456789"
  for (column in list(secret, factor(secret), as.Date("1999-09-09"), list(secret), I(list(1)),
                      as.POSIXct("1999-09-09", tz = "UTC"), complex(1),
                      as.difftime(5, units = "secs"))) {
    data <- data.frame(row.names = 1)
    data$x <- column
    error <- tryCatch(tally_records(one, data), error = identity)
    expect_s3_class(error, "noiseaware_error_input")
    expect_match(conditionMessage(error), "Column x of `data` must be numeric")
    expect_no_match(conditionMessage(error), "private|1999")
  }
  coded <- query_tables(domain(x = c("a", "b", "c")), ~ x, "replace_one")
  data <- data.frame(row.names = 1)
  data$x <- list("a")
  input_error(tally_records(coded, data), "Column x of `data` must be a factor")
})

# A frame that lies about its size would have cells read that are not there.
test_that("a column must have as many cells as there are rows", {
  numbers <- query_moments(domain(x = c(0, 10)), "replace_one")
  levels <- query_tables(domain(x = c("1", "2")), ~ x, "replace_one")
  short <- structure(list(x = 1), class = "data.frame", row.names = c(NA, -1000L))
  wide <- data.frame(id = 1:3)
  wide$x <- matrix(1, 3, 2)
  for (query in list(numbers, levels)) {
    input_error(tally_records(query, short), "one value per row")
    input_error(tally_records(query, wide), "must be a plain vector")
  }
})

test_that("what goes wrong inside a source is not shown", {
  fails <- function() stop("row 17 has income 123456")
  error <- tryCatch(tally_records(mixed, fails), error = identity)
  expect_s3_class(error, "noiseaware_error_release")
  expect_no_match(conditionMessage(error), "123456|row 17")
  expect_false(any(grepl("123456", unlist(lapply(error, format)))))
  expect_null(conditionCall(error))
})

test_that("the number of threads is an option that is checked", {
  withr::local_options(mc.cores = "many")
  input_error(tally_records(mixed, mixed_data(5)), "mc.cores")
})
