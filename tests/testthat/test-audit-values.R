# Nothing that happens may depend on what is in a cell: no error, no message, no
# size of noise, no shape of the result, and no other record.

public_domain <- domain(x = c(0, 1), k = dom_count(0, 20), b = dom_binary(), f = c("u", "v", "w"),
                        g = c("Z\u00fcrich", "Gen\u00e8ve", "Bern"))

plain_records <- function() {
  data.frame(x = c(0.2, 0.4, 0.9, 0.5), k = c(1L, 3L, 20L, 0L), b = c(TRUE, FALSE, TRUE, TRUE),
             f = factor(c("u", "v", "w", "u"), levels = c("u", "v", "w", "extra")),
             g = c("Bern", "Z\u00fcrich", "Gen\u00e8ve", "Bern"))
}

as_bytes <- function(x) {
  Encoding(x) <- "bytes"
  x
}

# Values anyone might put into the first record.
hostile_values <- list(
  x = list(NA, NaN, Inf, -Inf, 1e308, -1e308, 5e-324, -0, 1 + 1e-12, -7),
  k = list(NA_integer_, .Machine$integer.max, -.Machine$integer.max),
  b = list(NA, FALSE),
  f = list("extra", NA),
  g = list("nowhere", NA, "", strrep("long", 20000), "\xff\xfe\x80", as_bytes("\xff\x01"),
           as_bytes("Gen\xe8ve"), iconv("Gen\u00e8ve", "UTF-8", "latin1"), "Bern ", "bern")
)

mutate_record <- function(data, name, value) {
  data[[name]][[1]] <- value
  data
}

# One data set per hostile value.
mutations <- function() {
  unlist(lapply(names(hostile_values), function(name) {
    lapply(hostile_values[[name]], function(value) mutate_record(plain_records(), name, value))
  }), recursive = FALSE)
}

derived_domain <- derive(public_domain, lx = log(x + 0.01), xk = x / (k + 1), bk = (b - k)^3,
                         far = k >= 10, e = exp(x * 5), m = pmax(x, k, 2), low = sqrt(x) < 0.5)

audit_queries <- list(
  query_moments(derived_domain, "replace_one"),
  query_moments(derived_domain[c("b", "lx", "xk", "far", "f", "g")], "add_remove",
                outside = "redact"),
  query_tables(public_domain, ~ k + b + f:g, "add_remove"),
  query_moments(derived_domain[c("x", "xk", "lx")], "replace_one", degree = 4),
  query_moments(derived_domain[c("k", "m")], "add_remove", degree = 3, outside = "redact")
)

# All of a release but its noisy values and its place in the ledger.
outline <- function(released) {
  released$statistics$value <- NULL
  released$payload$values <- NULL
  released$ledger <- NULL
  released
}

run_outline <- function(expr) {
  run <- audit_conditions(expr)
  list(outline = outline(run$value), conditions = lapply(run$raised, class))
}

# Data sets whose release can be told from `expected` without reading a value.
distinguished <- function(data_sets, expected, make) {
  which(!vapply(data_sets, function(data) identical(run_outline(make(data)), expected), NA))
}

test_that("no value raises a condition or changes the outline of a simulated release", {
  skip_on_cran()
  for (query in audit_queries) {
    make <- function(data) release_insecure(query, data, mech_laplace(1), seed = 1)
    expected <- run_outline(make(plain_records()))
    expect_identical(expected$conditions, list())
    expect_identical(distinguished(mutations(), expected, make), integer())
  }
})

test_that("no value raises a condition or changes the outline of a release", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 100)
  dir <- withr::local_tempdir()
  for (query in audit_queries[2:3]) {
    make <- function(data) {
      release(query, data, mech_laplace(0.1), ledger, file = tempfile("r", dir, ".json"))
    }
    expected <- run_outline(make(plain_records()))
    expect_identical(expected$conditions, list())
    expect_identical(distinguished(mutations(), expected, make), integer())
  }
})

test_that("an error, a message or a number of levels that depends on a value is caught", {
  skip_on_cran()
  query <- query_tables(domain(f = c("u", "v", "w")), ~ f, relation = "replace_one")
  honest <- function(data) release_insecure(query, data, mech_laplace(1), seed = 1)
  strict <- function(data) {
    if (anyNA(data$f)) stop("missing")
    honest(data)
  }
  talkative <- function(data) {
    if (any(data$f %in% "extra")) message("unknown level")
    honest(data)
  }
  shaped <- function(data) {
    levels <- unique(as.character(data$f[!is.na(data$f)]))
    query <- query_tables(domain(f = levels), ~ f, relation = "replace_one")
    release_insecure(query, data, mech_laplace(1), seed = 1)
  }
  for (mutant in list(strict, talkative, shaped)) {
    expected <- run_outline(mutant(plain_records()))
    expect_gt(length(distinguished(mutations(), expected, mutant)), 0)
  }
})

test_that("under add_remove nobody can tell that there are no records", {
  skip_on_cran()
  for (query in audit_queries[2:3]) {
    make <- function(data) release_insecure(query, data, mech_laplace(1), seed = 1)
    empty <- plain_records()[0, ]
    expect_identical(run_outline(make(empty)), run_outline(make(plain_records())))
  }
})

# ---- a record counts alone -------------------------------------------------

# Data sets in which the first record changes what the others add up to.
entangled <- function(data_sets, query, tally = tally_records) {
  which(!vapply(data_sets, function(data) {
    identical(c(tally(query, data[1, , drop = FALSE]), tally(query, data[-1, , drop = FALSE])),
              tally(query, data))
  }, NA))
}

test_that("no record changes what another adds up to", {
  skip_on_cran()
  for (query in audit_queries) expect_identical(entangled(mutations(), query), integer())
  latin1 <- lapply(mutations(), function(data) {
    data$g[-1] <- iconv(data$g[-1], "UTF-8", "latin1")
    data
  })
  for (query in audit_queries) expect_identical(entangled(latin1, query), integer())
})

test_that("text that depends on the whole column is caught, and cannot come in", {
  skip_on_cran()
  query <- query_tables(domain(g = c("Basel", "Bern", "Sion")), ~ g, relation = "replace_one")
  padded <- function(query, data) tally_records(query, transform(data, g = format(g)))
  data <- lapply(c("Bern", "La Chaux-de-Fonds"), function(first) {
    data.frame(g = c(first, "Bern", "Bern"))
  })
  expect_identical(entangled(data, query), integer())
  expect_identical(entangled(data, query, padded), 2L)
  # Date-times drop their time when all of them are at midnight.
  days <- query_tables(domain(day = paste0("2026-01-0", 1:3)), ~ day, relation = "replace_one")
  times <- data.frame(day = as.POSIXct(c("2026-01-02 01:00", "2026-01-02 00:00"), tz = "UTC"))
  expect_error(tally_records(days, times), class = "noiseaware_error_input")
})

test_that("no cell outside the data is ever read", {
  skip_on_cran()
  damaged <- structure(list(x = 0.5, f = "u"), class = "data.frame", row.names = 1:1000)
  for (query in list(query_moments(domain(x = c(0, 1)), "replace_one"),
                     query_tables(domain(f = c("u", "v", "w")), ~ f, "replace_one"))) {
    expect_error(tally_records(query, damaged), class = "noiseaware_error_input")
  }
})

test_that("noise has the size of the declared bounds, whatever the data span", {
  skip_on_cran()
  query <- query_moments(domain(x = c(0, 1)), "replace_one")
  scale <- function(x) {
    release_insecure(query, data.frame(x = x), mech_laplace(1), seed = 1)$statistics$scale
  }
  # p (p + 2)^2 / (2 (p + 1)) = 9/4 half ranges for the sum, 9/4 squared half
  # ranges for the sum of squares, up to one grid step of 2^-20 per half range.
  expect_equal(scale(c(0.1, 0.2)), 9 / 4 * c(1 / 2, 1 / 4), tolerance = 1e-5)
  expect_identical(scale(c(-1e9, 1e9)), scale(c(0.1, 0.2)))
})
