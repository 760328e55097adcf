# Runs one testthat file against the installed package, reports what did not pass, and writes
# "passed failed skipped" (expectations).
#   Rscript r-test-file.R tests/testthat/test-x.R build/test/r/test-x.count

suppressPackageStartupMessages({
  library(testthat)
  library(noiseaware)
})

# A snapshot that was not committed proves nothing, so adding one is not a success.
outcome <- function(expectation) {
  kind <- sub("^expectation_", "", class(expectation)[[1]])
  new_snapshot <- kind == "warning" &&
    grepl("^Adding new (file )?snapshot", conditionMessage(expectation))
  if (new_snapshot) "failure" else kind
}

describe <- function(expectation, test) {
  line <- expectation$srcref
  where <- if (is.null(line)) "" else sprintf(" (line %d)", line[[1]])
  if (is.na(test)) test <- "outside test_that()"
  what <- paste(format(expectation), collapse = "\n")
  sprintf("  %s: %s%s\n%s\n", outcome(expectation), test, where, gsub("(^|\n)", "\\1    ", what))
}

run_file <- function(path) {
  set.seed(1)
  test_file(
    path,
    reporter = "silent", package = "noiseaware", load_package = "installed",
    stop_on_failure = FALSE
  )
}

args <- commandArgs(trailingOnly = TRUE)
seconds <- system.time(
  printed <- utils::capture.output(tests <- run_file(args[[1]]))
)[["elapsed"]]
expectations <- unlist(lapply(tests, `[[`, "results"), recursive = FALSE)
test_names <- unlist(lapply(tests, function(test) rep(test$test, length(test$results))))
outcomes <- vapply(expectations, outcome, "")
counts <- c(
  sum(outcomes == "success"), sum(outcomes %in% c("failure", "error")), sum(outcomes == "skip")
)

cat(sprintf(
  "%-40s %5d passed %3d failed %3d skipped %6.1f s\n",
  basename(args[[1]]), counts[[1]], counts[[2]], counts[[3]], seconds
))
notable <- outcomes != "success"
cat(unlist(mapply(describe, expectations[notable], test_names[notable])), sep = "")
if (counts[[2]] > 0) cat(sprintf("  printed: %s\n", printed), sep = "")
writeLines(paste(counts, collapse = " "), args[[2]])
