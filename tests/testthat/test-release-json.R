release_error <- function(expr, pattern = NULL, ...) {
  expect_error(expr, pattern, class = "noiseaware_error_release", ...)
}

test_that("every kind of release comes back from its file as it was", {
  releases <- example_releases()
  expect_gt(length(releases), 15)
  for (name in names(releases)) {
    path <- withr::local_tempfile()
    expect_identical(write_release(releases[[name]], path), path)
    expect_identical(read_release(path), releases[[name]], info = name)
  }
})

test_that("a release with everything in it comes back as it was", {
  ledger <- ledger_create(withr::local_tempfile(), "people of \u00c5", epsilon = 1, delta = 1e-6)
  path <- withr::local_tempfile()
  made <- release(example_queries()[[1]], example_data(), mech_gaussian(0.3, 1e-7), ledger,
                  file = path, about = list(contact = "a@b.example",
                                            title = "T\u00efte \"l\" \\ {x}", period = "2026",
                                            population = "all", licence = "CC0"))
  expect_identical(read_release(path), made)
  expect_named(made$about, c("title", "population", "period", "contact", "licence"))
  expect_identical(made$ledger$population, "people of \u00c5")
})

test_that("a set of releases comes back as it was", {
  set <- example_set()
  path <- withr::local_tempfile()
  write_release(set, path)
  expect_identical(read_release(path), set)
})

test_that("budgets of many digits come back as they were", {
  query <- query_tables(domain(b = dom_binary()), ~ b, "replace_one")
  for (epsilon in c(1e-6 / 3, 1 / 3, 0.1, 2 / 3, 12.345678901234, 1e-5 / 7)) {
    for (mechanism in list(mech_laplace(epsilon), mech_gaussian(epsilon, 1e-5),
                           mech_gaussian(rho = epsilon), mech_gaussian(mu = epsilon + 1e-6))) {
      made <- suppressWarnings(release(query, data.frame(b = 1), mechanism, no_ledger()))
      path <- withr::local_tempfile()
      write_release(made, path)
      expect_identical(read_release(path), made, info = format(mechanism))
    }
  }
})

test_that("a seeded release is warned about every time it is read", {
  made <- release_insecure(query_tables(domain(b = dom_binary()), ~ b, "replace_one"),
                           data.frame(b = 1), mech_laplace(1), seed = 1)
  path <- withr::local_tempfile()
  write_release(made, path)
  for (time in 1:3) {
    expect_warning(again <- read_release(path), "INSECURE", class = "noiseaware_warning_insecure")
    expect_identical(again, made)
  }
  expect_no_match(file_text(path), "seed\"")
})

test_that("the file is plain JSON with the hash of its canonical payload", {
  path <- withr::local_tempfile()
  write_release(plain_release(), path)
  file <- jsonlite::parse_json(file_text(path), simplifyVector = FALSE)
  expect_setequal(names(file), c("format", "version", "payload", "payload_sha256"))
  expect_identical(file$payload_sha256, sha256(canonical_json(file$payload)))
  # No number with a fraction or an exponent: parsers of the world disagree about those.
  outside <- gsub("\"(\\\\.|[^\"\\\\])*\"", "", file_text(path))
  expect_no_match(outside, "[0-9][.eE]|[.eE][0-9]")
})

test_that("other tools' layout of the same file reads the same", {
  made <- plain_release()
  file <- release_lists(made)
  shuffled <- function(x) {
    if (is.list(x) && !is.null(names(x))) x <- rev(x)
    if (is.list(x)) lapply(x, shuffled) else x
  }
  expect_identical(read_release(local_file(as.character(
    jsonlite::toJSON(shuffled(file), auto_unbox = TRUE, null = "null", pretty = 4)
  ))), made)
})

test_that("write_release() takes releases only and overwrites nothing", {
  expect_error(write_release(1, tempfile()), "`release` must be made by",
               class = "noiseaware_error_input")
  expect_error(write_release(plain_release(), NULL), "`path`", class = "noiseaware_error_input")
  path <- local_file("mine")
  release_error(write_release(plain_release(), path), "could not be written")
  expect_identical(file_text(path), "mine")
})
