# Merges gcov's counts over the translation units of the C++ tests and reports, per header of the
# core, the share of lines that ran; fails below a minimum or for a header no test includes.
#   Rscript coverage-cpp.R build/cpp/coverage 95
#
# A header is compiled once per unit and a template once per instantiation: a line exists if any of
# them has it, and ran if it ran in any of them.

args <- commandArgs(trailingOnly = TRUE)
minimum <- as.numeric(args[[2]])
core <- "inst/include/noiseaware/"

file_lines <- function(file) {
  data.frame(
    file = rep(sub(paste0(".*", core), "", file$file), length(file$lines)),
    line = vapply(file$lines, `[[`, 0, "line_number"),
    ran = vapply(file$lines, `[[`, 0, "count") > 0
  )
}

unit_lines <- function(counts) {
  json <- system2("gcov", c("--json-format", "--stdout", counts), stdout = TRUE, stderr = FALSE)
  files <- jsonlite::fromJSON(paste(json, collapse = ""), simplifyVector = FALSE)$files
  ours <- vapply(files, function(f) grepl(core, f$file, fixed = TRUE), NA)
  do.call(rbind, lapply(files[ours], file_lines))
}

# Headers that some test includes, whether or not they hold a line that can run.
included_headers <- function(directory) {
  text <- unlist(lapply(list.files(directory, "[.]d$", full.names = TRUE), readLines))
  words <- unlist(strsplit(text, "[ :\\\\]+"))
  unique(sub(core, "", grep(core, words, value = TRUE, fixed = TRUE), fixed = TRUE))
}

units <- list.files(args[[1]], "[.]gcda$", full.names = TRUE)
lines <- do.call(rbind, lapply(units, unit_lines))
lines <- stats::aggregate(ran ~ file + line, lines, any)

for (file in sort(unique(lines$file))) {
  here <- lines[lines$file == file, ]
  idle <- sort(here$line[!here$ran])
  cat(sprintf("%6.1f%%  %-44s %s\n", 100 * mean(here$ran), file, toString(idle)))
}
# What is for another operating system cannot run on this one.
headers <- grep("_windows[.]hpp$", list.files(core, recursive = TRUE), value = TRUE, invert = TRUE)
unseen <- setdiff(headers, included_headers(args[[1]]))
cat(sprintf("included by no test: %s\n", unseen), sep = "")
total <- 100 * mean(lines$ran)
cat(sprintf("%6.1f%%  of %d lines; at least %g%% wanted\n", total, nrow(lines), minimum))
if (total < minimum || length(unseen)) quit(status = 1)
