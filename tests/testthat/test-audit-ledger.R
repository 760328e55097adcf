# Money first: whatever goes wrong, and whenever, noise that was drawn has been
# paid for, and what was not paid for has not been drawn. Chunk functions run in
# the middle of a release, so they are where these tests interfere.

query <- query_moments(domain(x = c(0, 1)), relation = "replace_one")
records <- data.frame(x = c(0.1, 0.7, 0.4))

spent <- function(ledger) attr(ledger_report(ledger), "summary")$spent

# Hands over the records once, after doing something else.
records_after <- function(interfere) {
  left <- 1
  function() {
    if (left == 0) return(NULL)
    left <<- 0
    interfere()
    records
  }
}

beside <- function(ledger) Sys.glob(paste0(ledger$path, "-release-*"))

attempt <- function(...) suppressMessages(tryCatch(release(query, ...), error = identity))

# ---- the order -------------------------------------------------------------

# Noise of scale 0 cannot be drawn, so the attempt shows what came before it.
impossible_noise <- function() {
  audit_weaken(calibrate_noise(mech_laplace(1), query), 0)
}

answer_in_order <- function(ledger, data = records) {
  answer(query, data, mech_laplace(1), paid_entropy(ledger, mech_laplace(1), query), NULL,
         impossible_noise())
}

# The mistake: noise first, then the charge.
answer_then_charge <- function(ledger, data = records) {
  result <- answer(query, data, mech_laplace(1), audit_entropy(query, 1), NULL, impossible_noise())
  ledger_spend_cpp(ledger_charge(ledger, mech_laplace(1), query_id(query), 2))
  result
}

charged_before_noise <- function(answer_query) {
  ledger <- local_ledger(epsilon = 1)
  error <- tryCatch(answer_query(ledger), error = identity)
  stopifnot(inherits(error, "noiseaware_error_release"))
  identical(spent(ledger), "1")
}

test_that("the charge comes before the noise; the other order is caught", {
  skip_on_cran()
  expect_true(charged_before_noise(answer_in_order))
  expect_false(charged_before_noise(answer_then_charge))
})

test_that("a charge that stands is not denied", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  error <- tryCatch(answer_in_order(ledger), error = identity)
  expect_match(paste(error$body, collapse = " "), "stays charged")
})

# What a second process does between our look at the ledger and our charge.
exhaust <- function(ledger) {
  function() ledger_spend_cpp(ledger_charge(ledger, mech_laplace(1), query_id(query), 2))
}

refused_without_noise <- function(answer_query) {
  ledger <- local_ledger(epsilon = 1)
  error <- tryCatch(answer_query(ledger, records_after(exhaust(ledger))), error = identity)
  inherits(error, "noiseaware_error_ledger") && identical(spent(ledger), "1")
}

test_that("a refusal under the lock comes before the noise; the other order is caught", {
  skip_on_cran()
  expect_true(refused_without_noise(answer_in_order))
  expect_false(refused_without_noise(answer_then_charge))
})

test_that("records are added up before anything is charged", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  failed <- attempt(records_after(function() stop("disk error")), mech_laplace(1), ledger)
  expect_s3_class(failed, "noiseaware_error_release")
  empty <- attempt(records[0, , drop = FALSE], mech_laplace(1), ledger)
  expect_s3_class(empty, "noiseaware_error_release")
  expect_identical(spent(ledger), "0")
})

# ---- a ledger that says no -------------------------------------------------

test_that("nothing is returned or written when the budget does not allow it", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  file <- withr::local_tempfile()
  before <- readLines(ledger$path)
  refused <- attempt(records, mech_laplace(1.000000000001), ledger, file = file)
  expect_s3_class(refused, "noiseaware_error_ledger")
  expect_null(refused$release)
  expect_identical(readLines(ledger$path), before)
  expect_false(file.exists(file))
  expect_length(beside(ledger), 0)
})

test_that("nothing is returned or written when the budget goes while we add up", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  file <- withr::local_tempfile()
  refused <- attempt(records_after(exhaust(ledger)), mech_laplace(0.5), ledger, file = file)
  expect_s3_class(refused, "noiseaware_error_ledger")
  expect_null(refused$release)
  expect_identical(spent(ledger), "1")
  expect_false(file.exists(file))
})

test_that("nothing is returned or written when the ledger is damaged meanwhile", {
  skip_on_cran()
  damages <- list(
    torn = function(path) cat("{\"v\":\"1\"", file = path, append = TRUE),
    edited = function(path) writeLines(sub("100000000000", "900000000000", readLines(path)), path),
    empty = function(path) file.create(path),
    gone = function(path) unlink(path)
  )
  for (damage in damages) {
    ledger <- local_ledger(epsilon = 1)
    suppressMessages(release(query, records, mech_laplace(0.1), ledger))
    refused <- attempt(records_after(function() damage(ledger$path)), mech_laplace(0.1), ledger)
    expect_s3_class(refused, "noiseaware_error_ledger")
    expect_null(refused$release)
    expect_length(beside(ledger), 1)
  }
})

test_that("no other population pays when the file is swapped meanwhile", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  other <- local_ledger(epsilon = 1, population = "adults of Bern")
  swap <- function() file.copy(other$path, ledger$path, overwrite = TRUE)
  refused <- attempt(records_after(swap), mech_laplace(1), ledger)
  expect_s3_class(refused, "noiseaware_error_ledger")
  expect_null(refused$release)
  expect_identical(spent(ledger_open(ledger$path)), "0")
})

# ---- a release that cannot be written --------------------------------------

test_that("what was paid for is handed over when its file cannot be written", {
  skip_on_cran()
  dir <- withr::local_tempdir()
  ledger <- local_ledger(epsilon = 1)
  taken <- file.path(dir, "taken.json")
  lost <- file.path(dir, "lost", "release.json")
  dir.create(dirname(lost))
  obstacles <- list(
    list(file = taken, by = function() writeLines("mine", taken)),
    list(file = lost, by = function() unlink(dirname(lost), recursive = TRUE))
  )
  for (i in seq_along(obstacles)) {
    failed <- attempt(records_after(obstacles[[i]]$by), mech_laplace(0.25), ledger,
                      file = obstacles[[i]]$file)
    expect_s3_class(failed, "noiseaware_error_release")
    expect_s3_class(failed$release, "noiseaware_release")
    expect_identical(failed$release$ledger$seq, as.character(i + 1))
    expect_identical(spent(ledger), sprintf("%g", 0.25 * i))
  }
  expect_identical(readLines(taken), "mine")
})

test_that("a release whose hash cannot be noted says so", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  made <- suppressMessages(release(query, records, mech_laplace(0.1), ledger))
  cat("torn", file = ledger$path, append = TRUE)
  expect_warning(note_release(ledger, made), class = "noiseaware_warning_ledger")
})

# ---- kill -9 ---------------------------------------------------------------

# A child process that releases until it is killed, some milliseconds after its
# first charge.
kill_while_releasing <- function(ledger, milliseconds) {
  size <- file.size(ledger$path)
  job <- parallel::mcparallel(
    repeat suppressMessages(release(query, records, mech_laplace(1e-3), ledger)), silent = TRUE
  )
  deadline <- Sys.time() + 20
  while (file.size(ledger$path) == size && Sys.time() < deadline) Sys.sleep(0.001)
  Sys.sleep(milliseconds / 1000)
  tools::pskill(job$pid, tools::SIGKILL)
  suppressWarnings(parallel::mccollect(job))
}

# The spends of a ledger that a killed process left behind. An incomplete last
# line was not paid for, and nothing was revealed for it.
left_behind <- function(ledger) {
  state <- tryCatch(ledger_report(ledger), noiseaware_error_ledger = function(e) {
    suppressMessages(ledger_report(ledger_repair(ledger$path)))
  })
  state[state$type == "spend", ]
}

# What is wrong with the ledger in view of what was published.
unpaid <- function(ledger) {
  spends <- left_behind(ledger)
  seen <- vapply(beside(ledger), function(path) as.numeric(read_release(path)$ledger$seq), 0)
  c(if (!all(seen %in% spends$seq)) "released without a charge",
    if (anyDuplicated(seen)) "two releases for one charge",
    if (sum(spends$cost) > 1 + 1e-12) "overspent")
}

test_that("a killed process leaves a ledger that has paid for everything it revealed", {
  skip_on_cran()
  skip_on_os("windows")
  ledger <- local_ledger(epsilon = 1)
  for (milliseconds in c(0, 1, 2, 3, 5, 8, 13, 21)) {
    before <- nrow(left_behind(ledger))
    kill_while_releasing(ledger, milliseconds)
    expect_gt(nrow(left_behind(ledger)), before)
    expect_null(unpaid(ledger))
  }
  expect_s3_class(attempt(records, mech_laplace(1e-3), ledger), "noiseaware_release")
})

test_that("a release that nobody paid for is caught", {
  skip_on_cran()
  ledger <- local_ledger(epsilon = 1)
  suppressMessages(release(query, records, mech_laplace(0.1), ledger))
  before <- readBin(ledger$path, "raw", file.size(ledger$path))
  suppressMessages(release(query, records, mech_laplace(0.1), ledger))
  expect_null(unpaid(ledger))
  writeBin(before, ledger$path)
  expect_identical(unpaid(ledger), "released without a charge")
})

test_that("a process killed while it reads the records has spent nothing", {
  skip_on_cran()
  skip_on_os("windows")
  ledger <- local_ledger(epsilon = 1)
  suicide <- records_after(function() tools::pskill(Sys.getpid(), tools::SIGKILL))
  job <- parallel::mcparallel(release(query, suicide, mech_laplace(1), ledger), silent = TRUE)
  suppressWarnings(parallel::mccollect(job))
  expect_identical(spent(ledger), "0")
  expect_length(beside(ledger), 0)
})
