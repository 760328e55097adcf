# Line coverage of the R code by the tests; fails below a minimum.
#   Rscript coverage-r.R [minimum per cent]

args <- commandArgs(trailingOnly = TRUE)
minimum <- if (length(args)) as.numeric(args[[1]]) else 95
Sys.setenv(NOT_CRAN = "true", MAKEFLAGS = paste0("-j", parallel::detectCores()))

# The C++ core is measured by its own tests; without these flags it is compiled as usual.
options(covr.flags = c(CXXFLAGS = ""), covr.gcov = "")
copy <- "build/coverage-r"
if (system2("tools/dev/copy-sources.sh", copy) != 0) stop("could not copy the sources")
# The tests run in the copy, because some of them read the sources.
run_tests <- sprintf(
  "testthat::test_dir('%s', package = 'noiseaware', load_package = 'installed')",
  normalizePath(file.path(copy, "tests", "testthat"))
)
coverage <- covr::package_coverage(copy, type = "none", code = run_tests, quiet = TRUE)
lines <- covr::tally_coverage(coverage, by = "line")
lines <- lines[grepl("^R/", lines$filename) & !grepl("RcppExports", lines$filename), ]

for (file in unique(lines$filename)) {
  here <- lines[lines$filename == file, ]
  idle <- here$line[here$value == 0]
  cat(sprintf("%6.1f%%  %-34s %s\n", 100 * mean(here$value > 0), file, toString(idle)))
}
total <- 100 * mean(lines$value > 0)
cat(sprintf("%6.1f%%  of %d lines; at least %g%% wanted\n", total, nrow(lines), minimum))
if (total < minimum) quit(status = 1)
