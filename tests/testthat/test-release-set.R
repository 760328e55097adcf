input_error <- function(expr, pattern) expect_error(expr, pattern, class = "noiseaware_error_input")

people <- domain(x = c(0, 10), r = dom_levels(c("p", "q", "s"), other = "s"), b = dom_binary())
records <- data.frame(x = c(1, 2, 3, 4), r = c("p", "q", "q", "nowhere"), b = c(0, 1, 1, 0))

quietly <- function(...) {
  suppressWarnings(release(...), classes = "noiseaware_warning_no_ledger")
}

test_that("every declared level is released, even where no record has it", {
  query <- query_moments(people, "add_remove")
  set <- quietly(query, records[2:3, ], mech_laplace(1), no_ledger(), by = "r")
  expect_s3_class(set, "noiseaware_release_set")
  expect_named(set$releases, c("p", "q", "s"))
  for (level in names(set$releases)) {
    group <- list(by = "r", level = level, public = FALSE, query_sha256 = query_id(query))
    expect_identical(set$releases[[level]]$group, group)
    expect_named(set$releases[[level]]$query$columns, c("x", "b"))
    expect_null(set$releases[[level]]$n)
  }
  expect_identical(unserialize(serialize(set, NULL)), set)
})

test_that("groups hold the records of their level, and the rest goes where it is declared", {
  query <- query_moments(people, "replace_one")
  by <- check_by(by_groups("r", public = TRUE), query)
  sums <- tally_source(as_source(records), without_column(query, by), by)
  alone <- function(rows) tally_records(without_column(query, by), records[rows, ])$sums
  expect_identical(lapply(sums, `[[`, "sums"), list(alone(1), alone(2:3), alone(4)))
  expect_identical(vapply(sums, `[[`, "", "n"), c("1", "2", "1"))
})

test_that("a release by public groups has their sizes", {
  query <- query_moments(people, "replace_one")
  set <- quietly(query, records[1:3, ], mech_laplace(1), no_ledger(),
                 by = by_groups("r", public = TRUE))
  expect_identical(vapply(set$releases, `[[`, 0, "n"), c(p = 1, q = 2, s = 0))
  expect_true(set$releases$p$group$public)
  path <- withr::local_tempfile()
  write_release(set, path)
  expect_identical(read_release(path), set)
})

test_that("tables lose the grouping column", {
  query <- query_tables(people, ~ r:b + b + r, "add_remove")
  set <- quietly(query, records, mech_laplace(1), no_ledger(), by = "r")
  expect_identical(set$releases$p$statistics$name, c("n", "count(b=1)"))
  only <- query_tables(people, ~ r, "add_remove")
  expect_error(quietly(only, records, mech_laplace(1), no_ledger(), by = "r"), "no other",
               class = "noiseaware_error_query")
})

test_that("groups have noise of their own", {
  query <- query_moments(people, "add_remove")
  set <- quietly(query, records[0, ], mech_laplace(1), no_ledger(), by = "r")
  values <- vapply(set$releases, function(release) release$payload$values[[2]], "")
  expect_false(anyDuplicated(values) > 0)
})

# Adding a record touches one group, so all together cost what one costs.
test_that("a set is charged once", {
  ledger <- local_ledger(epsilon = 1)
  set <- suppressMessages(release(query_moments(people, "add_remove"), records, mech_laplace(1),
                                  ledger, by = "r"))
  expect_identical(set$releases$p$ledger, set$releases$q$ledger)
  expect_identical(ledger_state(ledger)$left, "0")
})

test_that("by names a declared factor, and says aloud that groups are public", {
  added <- query_moments(people, "add_remove")
  input_error(quietly(added, records, mech_laplace(1), no_ledger(), by = "x"), "declared levels")
  input_error(quietly(added, records, mech_laplace(1), no_ledger(), by = "zzz"), "You gave \"zzz\"")
  input_error(quietly(added, records, mech_laplace(1), no_ledger(), by = 1), "by_groups")
  input_error(quietly(added, records, mech_laplace(1), no_ledger(), by = c("r", "b")), "`by`")
  input_error(quietly(added, records, mech_laplace(1), no_ledger(), by = ~ r), "by_groups")
  replaced <- query_moments(people, "replace_one")
  input_error(quietly(replaced, records, mech_laplace(1), no_ledger(), by = "r"),
              "by = by_groups\\(\"r\", public = TRUE\\)")
  input_error(by_groups(1), "`column`")
  input_error(by_groups("r", public = NA), "`public`")
})

test_that("groups and sets print", {
  local_reproducible_output(width = 100)
  set <- example_set(population = "people of A")
  expect_snapshot({
    by_groups("region", public = TRUE)
    by_groups("region")
    set
  })
})

# ---- files -----------------------------------------------------------------

read_set <- function(edit, set = example_set()) {
  read_release(local_file(canonical_json(edit(release_lists(set)))))
}

test_that("a set that was tampered with is refused", {
  set <- example_set()
  refuse <- function(edit, pattern) {
    expect_error(read_set(edit, set), pattern, class = "noiseaware_error_release")
  }
  refuse(edit("version", to = "2"), "another version")
  refuse(edit("by", to = "x"), "do not belong together")
  refuse(edit("by", to = 1L), "format")
  refuse(edit("by", to = list("r")), "format")
  refuse(edit("extra", to = "x"), "format")
  refuse(edit("releases", to = list()), "format")
  refuse(edit("releases", to = "x"), "format")
  refuse(edit("releases", 1, to = "x"), "must be of type object")
  refuse(edit("releases", 1, to = NULL), "must be of type object")
  refuse(edit("releases", 1, to = list(format = "other")), "not a release")
  refuse(edit("releases", 1, "payload", "statistics", 1, "value", to = "5"), "own hash")
})

rehashed <- function(...) {
  change <- edit(...)
  function(file) {
    file$releases[[2]] <- change(file$releases[[2]])
    file$releases[[2]]$payload_sha256 <- sha256(canonical_json(file$releases[[2]]$payload))
    file
  }
}

test_that("releases that do not belong together are refused, even with new hashes", {
  set <- example_set()
  refuse <- function(edit) {
    expect_error(read_set(edit, set), "do not belong together", class = "noiseaware_error_release")
  }
  refuse(rehashed("payload", "group", "level", to = "p"))
  refuse(rehashed("payload", "group", "by", to = "other"))
  refuse(rehashed("payload", "group", "public", to = TRUE))
  refuse(rehashed("payload", "group", to = NULL))
  refuse(rehashed("payload", "ledger", "seq", to = "99"))
  refuse(rehashed("payload", "ledger", to = NULL))
  refuse(rehashed("payload", "about", "title", to = "Other"))
  # One group with less privacy than the print-out of the set would say.
  other <- example_set()
  weak <- release_lists(other)
  query <- other$releases[[2]]$query
  loud <- assemble_release(query, mech_laplace(5), other$releases[[2]]$payload$values, NULL,
                           rng = other$releases[[2]]$rng, ledger = other$releases[[2]]$ledger,
                           group = other$releases[[2]]$group, about = other$releases[[2]]$about)
  weak$releases[[2]] <- release_lists(loud)
  expect_error(read_release(local_file(canonical_json(weak))), "do not belong together",
               class = "noiseaware_error_release")
})

# A copy of the parsed file `f` with one change made to it.
within_list <- function(f, change) {
  eval(change)
  f
}

test_that("a set carries the signed query and must be complete", {
  d <- domain(region = c("n", "e", "s"), x = c(0, 1))
  signed <- query_moments(d, "add_remove", degree = 1)
  ledger <- ledger_create(withr::local_tempfile(), "people", epsilon = 1)
  path <- withr::local_tempfile()
  data <- data.frame(region = c("n", "s"), x = c(0.2, 0.4))
  set <- release(signed, data, mech_laplace(0.5), ledger, file = path, by = "region")
  expect_identical(set$query, signed)
  expect_identical(set$releases$e$group$query_sha256, query_id(signed))
  spends <- subset(as.data.frame(unclass(ledger_report(ledger))), type == "spend")
  expect_true(startsWith(query_id(signed), spends$query))
  expect_identical(read_release(path), set)

  file <- jsonlite::read_json(path)
  damaged <- function(change) {
    out <- withr::local_tempfile(.local_envir = parent.frame())
    jsonlite::write_json(change(file), out, auto_unbox = TRUE, null = "null")
    expect_error(read_release(out), class = "noiseaware_error_release")
  }
  damaged(function(f) within_list(f, quote(f$releases[[2]] <- NULL)))
  damaged(function(f) within_list(f, quote(f$releases <- f$releases[3:1])))
  damaged(function(f) within_list(f, quote(f$releases[[2]] <- f$releases[[1]])))
  damaged(function(f) within_list(f, quote(f$by <- "x")))
  damaged(function(f) within_list(f, quote(f$query$outside <- "redact")))
  damaged(function(f) within_list(f, quote(f$extra <- "member")))
})

test_that("what could not be read back is refused before it is paid for", {
  levels <- sprintf("level %04d", 1:150)
  d <- domain(a = levels, b = levels, g = c("u", "v"))
  expect_error(query_tables(d, ~ a:b:g, "add_remove"), class = "noiseaware_error_query")
  d <- domain(a = levels[1:120], b = levels[1:100], g = c("u", "v", "w"))
  query <- query_tables(d, ~ a:b + g, "add_remove")
  path <- withr::local_tempfile()
  ledger <- ledger_create(path, "people", epsilon = 1)
  before <- readLines(path)
  data <- data.frame(a = levels[1], b = levels[1], g = "u")
  expect_error(release(query, data, mech_laplace(0.5), ledger, by = "g"),
               "more than 20000 statistics", class = "noiseaware_error_query")
  long <- strrep("x", 250)
  d <- domain(a = paste0(long, 1:120), b = paste0(long, 1:120))
  expect_error(release(query_tables(d, ~ a:b, "add_remove"), data, mech_laplace(0.5), ledger),
               "larger than 8 MiB", class = "noiseaware_error_query")
  expect_identical(readLines(path), before)
})
