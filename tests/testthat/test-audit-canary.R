# Records that can be recognised by their bytes are planted in the data; then
# everything that leaves the custodian's functions is searched for them.

open_ledger <- function(env = parent.frame()) local_ledger(epsilon = 100, env = env)

# A release of the planted records, also in calls that hold the data themselves.
planted_release <- function(ledger, ..., data = canary_records(), relation = "replace_one") {
  suppressMessages(do.call(release, list(query = canary_query(relation), data = data,
                                         mechanism = mech_laplace(1), ledger = ledger, ...)))
}

# A chunk function whose environment holds the data.
local_chunks <- function(data) {
  parts <- split(data, rep(1:2, length.out = nrow(data)))
  function() {
    part <- if (length(parts) > 0) parts[[1]]
    parts <<- parts[-1]
    part
  }
}

test_that("the search finds what it looks for", {
  data <- canary_records()
  for (column in data) expect_true(carries_canary(column[[1]]))
  expect_false(carries_canary(data[-1, ]))
})

test_that("releases, sets and their files carry no record", {
  skip_on_cran()
  ledger <- open_ledger()
  file <- withr::local_tempfile(fileext = ".json")
  about <- list(title = "a search")
  released <- list(
    planted_release(ledger, file = file, about = about),
    planted_release(ledger, data = local_chunks(canary_records())),
    planted_release(ledger, data = tally_records(canary_query(), canary_records())),
    planted_release(ledger, by = "f", relation = "add_remove"),
    release_insecure(canary_query(), canary_records(), mech_gaussian(1, 1e-6), seed = 1)
  )
  for (one in released) expect_false(carries_canary(one))
  for (path in c(file, Sys.glob(paste0(ledger$path, "*")))) {
    expect_false(has_canary(readBin(path, "raw", file.size(path))))
  }
  # The copies beside the ledger, without the one that went to `file`.
  expect_length(Sys.glob(paste0(ledger$path, "-release-*")), 3)
})

test_that("a tally holds sums, not records, and prints neither", {
  skip_on_cran()
  tally <- do.call(tally_records, list(query = canary_query(), data = canary_records()))
  expect_false(carries_canary(tally))
  shown <- utils::capture.output(print(tally), print(summary(tally)), cat(format(tally)))
  expect_false(any(vapply(tally$sums, function(sum) any(grepl(sum, shown, fixed = TRUE)), NA)))
})

test_that("observations and fits carry no record", {
  skip_on_cran()
  query <- query_tables(domain(f = c("a", "b", "c")), ~ f, relation = "replace_one")
  made <- bquote(release_insecure(.(query), .(canary_records()), .(mech_laplace(1)), seed = 1))
  expect_false(carries_canary(eval(bquote(observe(.(made))))))
  skip_if_not(exists("infer", asNamespace("noiseaware")), "infer() is not there")
  fit <- eval(bquote(suppressWarnings(infer(.(made), ~ f, iter = 200, chains = 1, seed = 1))))
  expect_false(carries_canary(fit))
})

# ---- conditions ------------------------------------------------------------

condition_with <- function(data, kind) {
  structure(class = c("own", kind, "condition"), list(message = "bad", call = NULL, data = data))
}

chunk_that <- function(fail) {
  data <- canary_records()
  function() fail(data)
}

# Chunk functions that fail with the records in their hands, in the message, the
# call, a field or the trace.
failing_chunks <- list(
  chunk_that(function(data) stop("bad cell: ", format(data$x[[1]], digits = 17), data$f[[1]])),
  chunk_that(function(data) do.call("stop", list("bad", data$f[[1]], call. = TRUE))),
  chunk_that(function(data) stop(condition_with(data, "error"))),
  chunk_that(function(data) rlang::abort(data$f[[1]], data = data)),
  chunk_that(function(data) do.call(function(rows) rlang::abort("bad"), list(data))),
  chunk_that(function(data) as.integer(match.arg(data$f[[1]], "a"))),
  chunk_that(function(data) data$x + "text"),
  chunk_that(function(data) transform(data, x = as.character(x))),
  chunk_that(function(data) transform(data, x = I(as.list(x)))),
  chunk_that(function(data) as.list(data)),
  chunk_that(function(data) data["x"])
)

# Requests that fail before or while the data are read, as users get them wrong.
failing_requests <- function() {
  data <- canary_records()
  good <- list(query = canary_query(), data = data, mechanism = mech_laplace(1),
               ledger = no_ledger())
  change <- function(...) {
    changes <- list(...)
    c(good[setdiff(names(good), names(changes))], changes)
  }
  list(
    change(data = transform(data, x = as.character(x))), change(data = transform(data, k = f)),
    change(data = data[0, ]), change(data = data["x"]), change(data = as.list(data)),
    change(data = as.matrix(data)), change(data = unname(as.matrix(data["x"]))),
    change(data = data$f[[1]]), change(data = data$x), change(data = NULL),
    change(query = data), change(mechanism = data), change(ledger = data), change(by = data),
    change(about = data), change(file = data), change(by = "x"), change(by = "f"),
    change(mechanism = data$x), change(ledger = tempfile()),
    good[c("query", "data")], good[c("query", "data", "mechanism")], good[c("data", "ledger")]
  )
}

condition_leaks <- function(conditions) vapply(conditions, carries_canary, NA)

test_that("no failing request puts a record into a condition", {
  skip_on_cran()
  requests <- c(failing_requests(), lapply(failing_chunks, function(chunk) {
    list(query = canary_query(), data = chunk, mechanism = mech_laplace(1), ledger = no_ledger())
  }))
  for (i in seq_along(requests)) {
    run <- audit_conditions(do.call(release, requests[[i]]))
    expect_true(any(vapply(run$raised, inherits, NA, "error")), info = i)
    expect_identical(which(condition_leaks(run$raised)), integer(), info = i)
  }
})

test_that("no failing tally or simulation puts a record into a condition", {
  skip_on_cran()
  for (data in c(failing_chunks, list(as.list(canary_records()), canary_records()["x"]))) {
    tally <- audit_conditions(do.call(tally_records, list(canary_query(), data)))
    request <- list(canary_query(), data, mech_laplace(1), 1)
    simulation <- audit_conditions(do.call(release_insecure, request))
    for (run in list(tally, simulation)) {
      expect_true(any(vapply(run$raised, inherits, NA, "error")))
      expect_identical(which(condition_leaks(run$raised)), integer())
    }
  }
})

test_that("a successful release says nothing about a record", {
  skip_on_cran()
  ledger <- open_ledger()
  said <- function(ledger) {
    request <- list(canary_query(), canary_records(), mech_laplace(1), ledger)
    audit_conditions(do.call(release, request))
  }
  run <- said(ledger)
  unaccounted <- said(no_ledger())
  expect_length(run$raised, 1)
  expect_length(unaccounted$raised, 1)
  expect_identical(condition_leaks(c(run$raised, unaccounted$raised)), c(FALSE, FALSE))
})

# ---- planted mistakes ------------------------------------------------------

test_that("releases that keep something of the records are caught", {
  skip_on_cran()
  honest <- release_insecure(canary_query(), canary_records(), mech_laplace(1), seed = 1)
  data <- canary_records()
  kept <- list(
    structure(honest, data = data),
    c(honest, list(predict = function() data)),
    c(honest, list(formula = local({
      rows <- data
      x ~ k
    }))),
    c(honest, list(call = do.call(function(data) sys.call(), list(data)))),
    c(honest, list(levels = unique(data$f)))
  )
  expect_false(carries_canary(honest))
  for (mutant in kept) expect_true(carries_canary(mutant))
})

test_that("errors that keep something of the records are caught", {
  skip_on_cran()
  mutants <- list(
    function(data) stop("wrong type"),
    function(data) rlang::abort("wrong type"),
    function(data) stop("unknown level ", data$f[[1]], call. = FALSE),
    function(data) warning(condition_with(data, "warning"))
  )
  for (mutant in mutants) {
    run <- audit_conditions(do.call(mutant, list(data = canary_records())))
    expect_true(any(condition_leaks(run$raised)))
  }
})
