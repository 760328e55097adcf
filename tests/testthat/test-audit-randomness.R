# Noise comes from the operating system: no seed repeats it, no fork shares it,
# and R's own generator is neither used nor moved.

query <- query_moments(domain(x = c(0, 1), y = c(0, 1)), relation = "replace_one")
records <- data.frame(x = c(0.1, 0.7), y = c(0.3, 0.2))

secure_values <- function(...) {
  suppressWarnings(release(query, records, mech_laplace(1), no_ledger()))$payload$values
}

# The same request with noise of R's generator: what these tests must catch.
r_noise_values <- function(...) {
  noise <- calibrate_noise(mech_laplace(1), query)
  scales <- as.numeric(noise$scales)
  sprintf("%.0f", summed(query, records) + round(scales * (stats::rexp(5) - stats::rexp(5))))
}

# How many of the releases made by forked workers repeat another one. Five
# statistics of 2^21 steps and more each: two honest releases never agree.
fork_repeats <- function(make, jobs = 40) {
  values <- parallel::mclapply(seq_len(jobs), make, mc.set.seed = FALSE, mc.cores = 2,
                               mc.preschedule = FALSE)
  sum(duplicated(values))
}

test_that("forked workers draw different noise; R's generator in them is caught", {
  skip_on_cran()
  skip_on_os("windows")
  # The parent has a seed, which every worker inherits.
  withr::local_seed(1)
  expect_identical(fork_repeats(secure_values), 0L)
  expect_identical(fork_repeats(r_noise_values), 39L)
})

seed_repeats <- function(make) {
  values <- lapply(1:20, function(i) withr::with_seed(7, make()))
  sum(duplicated(values))
}

test_that("set.seed() does not repeat noise; R's generator is caught", {
  skip_on_cran()
  expect_identical(seed_repeats(secure_values), 0L)
  expect_identical(seed_repeats(r_noise_values), 19L)
})

# ---- R's generator stays where it is ---------------------------------------

state <- function() get0(".Random.seed", globalenv(), inherits = FALSE)

# Everything a custodian calls, in one go.
whole_session <- function() {
  ledger <- local_ledger(epsilon = 10)
  suppressMessages(release(query, records, mech_laplace(1), ledger))
  release_insecure(query, records, mech_gaussian(1, 1e-6), seed = 3)
  c(tally_records(query, records), tally_records(query, records))
  cost(query, mech_laplace(1))
  file <- withr::local_tempfile()
  write_release(release_insecure(query, records, mech_laplace(1), seed = 3), file)
  suppressWarnings(read_release(file))
  ledger_report(ledger)
}

moves_generator <- function(run) {
  before <- state()
  run()
  !identical(state(), before)
}

test_that("the state of R's generator is the same before and after", {
  skip_on_cran()
  withr::local_seed(42)
  expect_false(moves_generator(whole_session))
  expect_true(moves_generator(r_noise_values))
})

test_that("a session without a generator state still has none afterwards", {
  skip_on_cran()
  withr::local_preserve_seed()
  clear <- function() suppressWarnings(rm(".Random.seed", envir = globalenv()))
  clear()
  expect_false(moves_generator(whole_session))
  clear()
  expect_true(moves_generator(r_noise_values))
})

test_that("no compiled function opens R's generator", {
  dir <- test_path("../../src")
  skip_if_not(dir.exists(dir), "sources not available")
  files <- setdiff(list.files(dir, "[.]cpp$", full.names = TRUE), file.path(dir, "RcppExports.cpp"))
  opens <- function(lines) grep("Rcpp::export", lines, value = TRUE)
  exports <- unlist(lapply(files, function(file) opens(readLines(file))))
  expect_gt(length(exports), 10)
  expect_identical(unique(exports), "// [[Rcpp::export(rng = false)]]")
})

test_that("the seed of a simulation is nowhere in its release", {
  skip_on_cran()
  seed <- 305419896
  released <- do.call(release_insecure, list(query, records, mech_laplace(1), seed))
  holds <- function(pattern, object) {
    length(grepRaw(pattern, serialize(object, NULL), fixed = TRUE)) > 0
  }
  # Serialised numbers are big-endian; the second pattern is the seed as an integer.
  patterns <- list(writeBin(seed, raw(), endian = "big"),
                   writeBin(as.integer(seed), raw(), endian = "big"), charToRaw("305419896"))
  mutants <- list(seed, as.integer(seed), "305419896")
  for (i in seq_along(patterns)) {
    expect_false(holds(patterns[[i]], released))
    expect_true(holds(patterns[[i]], c(released, list(seed = mutants[[i]]))))
  }
})
