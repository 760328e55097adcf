query <- query_moments(domain(x = c(0, 10), f = c("p", "q", "r")), "replace_one")
data <- data.frame(x = c(1, 5, 9.5), f = c("p", "q", "q"))

test_that("a release is charged, written, noted and returned", {
  ledger <- local_ledger(epsilon = 1)
  path <- withr::local_tempfile()
  expect_silent(made <- release(query, data, mech_laplace(0.25), ledger, file = path))
  expect_identical(class(made), "noiseaware_release")
  expect_identical(read_release(path), made)
  expect_identical(ledger_state(ledger)$spent, "250000000000")
  expect_identical(made$ledger$population, "adults of Vaud")
  expect_identical(made$ledger$seq, "2")
  # The mark is the record of the charge, as anyone with the ledger can check.
  lines <- ledger_lines(ledger)
  expect_identical(made$ledger$head, sha256(lines[[2]]))
  expect_match(lines[[3]], release_hash(made), fixed = TRUE)
  expect_match(lines[[2]], query_id(query), fixed = TRUE)
})

test_that("without a file a copy is left beside the ledger", {
  ledger <- local_ledger(epsilon = 1)
  expect_message(made <- release(query, data, mech_laplace(0.25), ledger),
                 "A copy of the release is in")
  copy <- paste0(ledger$path, "-release-2.json")
  expect_identical(read_release(copy), made)
  unlink(copy)
})

test_that("a release without a ledger says so", {
  expect_warning(made <- release(query, data, mech_laplace(1), no_ledger()), "no ledger",
                 class = "noiseaware_warning_no_ledger")
  expect_null(made$ledger)
  expect_match(format(made), "NO: released without a ledger", all = FALSE)
})

test_that("a budget that does not allow it stops everything", {
  ledger <- local_ledger(epsilon = 1)
  dir <- withr::local_tempdir()
  release(query, data, mech_laplace(0.75), ledger, file = file.path(dir, "first.json"))
  before <- ledger_lines(ledger)
  expect_error(release(query, data, mech_laplace(0.5), ledger,
                       file = file.path(dir, "second.json")), "does not allow",
                       class = "noiseaware_error_ledger")
  expect_identical(ledger_lines(ledger), before)
  expect_identical(list.files(dir), "first.json")
  release(query, data, mech_laplace(0.25), ledger, file = file.path(dir, "third.json"))
  expect_identical(ledger_state(ledger)$left, "0")
})

test_that("data that cannot be used spend nothing", {
  ledger <- local_ledger(epsilon = 1)
  before <- ledger_lines(ledger)
  for (bad in list(NULL, data["x"], data[0, ], data.frame(x = "a", f = "p"), function() stop("no"),
                   1:3)) {
    expect_error(release(query, bad, mech_laplace(0.5), ledger), class = "noiseaware_error")
  }
  expect_identical(ledger_lines(ledger), before)
})

test_that("no rows are an error only where n is public", {
  empty <- data[0, ]
  expect_error(release(query, empty, mech_laplace(1), no_ledger()), "no rows",
               class = "noiseaware_error_release")
  expect_error(release_insecure(query, empty, mech_laplace(1), 1), "no rows",
               class = "noiseaware_error_release")
  added <- query_moments(domain(x = c(0, 10), f = c("p", "q", "r")), "add_remove")
  expect_null(release_insecure(added, empty, mech_laplace(1), 1)$n)
  expect_error(release(query, tally_records(query, empty), mech_laplace(1), no_ledger()), "no rows",
               class = "noiseaware_error_release")
})

test_that("an existing file or a missing directory is found before anything is spent", {
  ledger <- local_ledger(epsilon = 1)
  before <- ledger_lines(ledger)
  there <- local_file("mine")
  expect_error(release(query, data, mech_laplace(0.5), ledger, file = there), "must not exist yet",
               class = "noiseaware_error_input")
  expect_error(release(query, data, mech_laplace(0.5), ledger, file = file.path(there, "x.json")),
               "directory", class = "noiseaware_error_input")
  expect_error(release(query, data, mech_laplace(0.5), ledger,
                       file = file.path(tempdir(), "absent", "x.json")), "directory",
                       class = "noiseaware_error_input")
  expect_identical(ledger_lines(ledger), before)
  expect_identical(file_text(there), "mine")
})

# Paid for and public: it must not be lost because a disk is full.
test_that("a release that could not be written is handed over in the condition", {
  ledger <- local_ledger(epsilon = 1)
  dir <- withr::local_tempdir()
  path <- file.path(dir, "x.json")
  # The file appears while the records are being read.
  calls <- 0
  racing <- function() {
    calls <<- calls + 1
    if (calls > 1) return(NULL)
    writeLines("mine", path)
    data
  }
  error <- tryCatch(release(query, racing, mech_laplace(0.5), ledger, file = path),
                    error = identity)
  expect_s3_class(error, "noiseaware_error_release")
  expect_match(conditionMessage(error), "it is in the condition's `release`", fixed = TRUE)
  expect_s3_class(error$release, "noiseaware_release")
  expect_identical(ledger_state(ledger)$spent, "500000000000")
  expect_identical(readLines(path), "mine")
  saved <- file.path(dir, "y.json")
  write_release(error$release, saved)
  expect_identical(read_release(saved), error$release)
})

test_that("a hash that could not be noted is warned about", {
  ledger <- local_ledger(epsilon = 1)
  made <- release_insecure(query, data, mech_laplace(1), 1)
  gone <- ledger
  gone$path <- file.path(tempdir(), "no such ledger")
  expect_warning(note_release(gone, made), "could not be noted",
                 class = "noiseaware_warning_ledger")
})

test_that("a tally is released like the records it came from", {
  tally <- c(tally_records(query, data[1, ]), tally_records(query, data[2:3, ]))
  expect_identical(release_insecure(query, tally, mech_laplace(1), 5),
                   release_insecure(query, data, mech_laplace(1), 5))
  other <- query_moments(domain(x = c(0, 11), f = c("p", "q", "r")), "replace_one")
  expect_error(release_insecure(other, tally, mech_laplace(1), 5), "the query it was made for",
               class = "noiseaware_error_input")
  expect_error(release(query, tally, mech_laplace(1), no_ledger(),
                       by = by_groups("f", public = TRUE)), "groups",
                       class = "noiseaware_error_input")
})

test_that("seeded noise is a function of seed, query and group alone", {
  noise <- function(seed, query, data = data.frame(x = 5, f = "p")) {
    exact <- as.numeric(tally_records(query, data)$sums)
    as.numeric(release_insecure(query, data, mech_laplace(1), seed)$payload$values) - exact
  }
  set.seed(1)
  first <- noise(1, query)
  set.seed(2)
  expect_identical(noise(1, query), first)
  expect_identical(noise(1, query, data.frame(x = c(7, 8), f = "q")), first)
  expect_false(any(noise(2, query) == first))
  # Same grid, weights and scales; only the names of levels differ.
  renamed <- query_moments(domain(x = c(0, 10), f = c("p", "q", "s")), "replace_one")
  expect_false(any(noise(1, renamed) == first))
})

test_that("R's generator has no part in it and is left alone", {
  draw <- function() {
    set.seed(1)
    suppressWarnings(release(query, data, mech_laplace(1), no_ledger()))$payload$values
  }
  expect_false(any(draw() == draw()))
  set.seed(42)
  before <- .Random.seed
  suppressWarnings(release(query, data, mech_laplace(1), no_ledger()))
  release_insecure(query, data, mech_gaussian(1, 1e-6), 1)
  expect_identical(.Random.seed, before)
  rm(.Random.seed, envir = globalenv())
  release_insecure(query, data, mech_laplace(1), 1)
  expect_false(exists(".Random.seed", globalenv()))
})

test_that("a seed is a whole number", {
  for (bad in list(NULL, NA, -1, 1.5, "1", c(1, 2), Inf)) {
    expect_error(release_insecure(query, data, mech_laplace(1), bad), "`seed`",
                 class = "noiseaware_error_input")
  }
  expect_s3_class(release_insecure(query, data, mech_laplace(1), 0), "noiseaware_release_insecure")
  expect_s3_class(release_insecure(query, data, mech_laplace(1), 2^53),
                  "noiseaware_release_insecure")
})

test_that("more budget means less noise", {
  scales <- vapply(c(0.1, 1, 10), function(epsilon) {
    release_insecure(query, data, mech_laplace(epsilon), 1)$statistics$scale[[1]]
  }, 0)
  expect_equal(scales / scales[[1]], c(1, 0.1, 0.01), tolerance = 1e-4)
})

test_that("every source that can be tallied can be released", {
  expected <- release_insecure(query, data, mech_laplace(1), 3)
  parts <- split(data, 1:3)
  chunks <- function() {
    if (length(parts) == 0) return(NULL)
    part <- parts[[1]]
    parts <<- parts[-1]
    part
  }
  expect_identical(release_insecure(query, chunks, mech_laplace(1), 3), expected)
})

test_that("a copy beside the ledger takes a free name", {
  dir <- withr::local_tempdir()
  path <- file.path(dir, "ledger")
  ledger <- ledger_create(path, "people", epsilon = 1)
  writeLines("somebody else's", paste0(path, "-release-2.json"))
  query <- query_tables(domain(x = dom_binary()), ~ x, "replace_one")
  made <- suppressMessages(release(query, data.frame(x = 1), mech_laplace(0.5), ledger))
  expect_identical(readLines(paste0(path, "-release-2.json")), "somebody else's")
  expect_identical(read_release(paste0(path, "-release-2-1.json")), made)
})

test_that("missing arguments are named", {
  query <- query_tables(domain(x = dom_binary()), ~ x, "replace_one")
  expect_error(release(), "`query`", class = "noiseaware_error_input")
  expect_error(release(query, data.frame(x = 1)), "`mechanism`", class = "noiseaware_error_input")
  expect_error(release(query, data.frame(x = 1), mech_laplace(1)), class = "noiseaware_error_input")
  expect_error(cost(query), "`mechanism`", class = "noiseaware_error_input")
  expect_error(cost(), "`query`", class = "noiseaware_error_input")
  expect_error(as_release(query, 10), "`values`", class = "noiseaware_error_input")
  expect_error(tally_records(query), "`data`", class = "noiseaware_error_input")
})
