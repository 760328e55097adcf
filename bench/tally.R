# Exact integer tally of 10 million rows x 10 numeric columns (degree 2) against
# crossprod(X) of the same matrix, in one run, and the memory it needs.
#   Rscript bench/tally.R [rows]

library(noiseaware)

rows <- commandArgs(trailingOnly = TRUE)
rows <- if (length(rows) > 0) as.numeric(rows[[1]]) else 1e7
columns <- 10
options(mc.cores = 2)

set.seed(1)
x <- matrix(rnorm(rows * columns), rows, columns, dimnames = list(NULL, paste0("x", 1:columns)))
bounds <- stats::setNames(rep(list(c(-4, 4)), columns), colnames(x))
query <- query_moments(do.call(domain, bounds), relation = "replace_one")

# Highest resident size since the last reset, in MB (Linux).
peak_mb <- function() {
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
reset_peak <- function() cat("5", file = "/proc/self/clear_refs")

elapsed <- function(expr) system.time(expr)[["elapsed"]]
times <- function(f, reps = 5) vapply(seq_len(reps), function(i) elapsed(f()), 0)

invisible(gc())
memory <- NA
if (file.access("/proc/self/clear_refs", 2) == 0) {
  reset_peak()
  before <- peak_mb()
  invisible(tally_records(query, x))
  memory <- peak_mb() - before
}

peer <- times(function() crossprod(x))
ours <- times(function() tally_records(query, x))
one_core <- withr::with_options(list(mc.cores = 1), times(function() tally_records(query, x), 3))

result <- data.frame(
  rows = rows, columns = columns, blas = basename(extSoftVersion()[["BLAS"]]),
  crossprod_s = median(peer), tally_2_cores_s = median(ours), tally_1_core_s = median(one_core),
  ratio_2_cores = median(ours) / median(peer), extra_memory_mb = memory
)
print(format(result, digits = 3), row.names = FALSE)
if (rows >= 1e7) {
  utils::write.csv(format(result, digits = 4), "bench/results/tally.csv", row.names = FALSE,
                   quote = FALSE)
}
