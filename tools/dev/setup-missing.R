# Prints "missing: name" for each R package that a make target needs and this machine lacks, or has
# in a version older than DESCRIPTION asks for. With --report: fails if it cannot do without them.
#   Rscript setup-missing.R build|test|document|check|gates|site [--report]

args <- commandArgs(trailingOnly = TRUE)
level <- args[[1]]

# "Rcpp (>= 1.0.10)" -> c(Rcpp = "1.0.10"); without a version, "0".
parse_field <- function(field) {
  entries <- trimws(strsplit(field, ",")[[1]])
  entries <- entries[!is.na(entries) & nzchar(entries)]
  version <- ifelse(grepl(">=", entries), sub(".*>= *([0-9.-]+).*", "\\1", entries), "0")
  stats::setNames(version, sub("[ (].*", "", entries))
}

fields <- c("Depends", "Imports", "LinkingTo", "Suggests")
declared <- lapply(read.dcf("DESCRIPTION", fields)[1, ], parse_field)
required <- c(declared$Imports, declared$LinkingTo)
beyond <- declared$Suggests[!names(declared$Suggests) %in% c("covr", "rstan")]

extra <- switch(level,
  build = NULL,
  document = c(roxygen2 = "0"),
  test = beyond,
  check = c(declared$Suggests, roxygen2 = "0"),
  gates = c(declared$Suggests, roxygen2 = "0", covr = "0", lintr = "3.0.2"),
  site = c(declared$Suggests, pkgdown = "0"),
  stop("unknown level: ", level)
)

is_missing <- function(package, version) {
  found <- tryCatch(utils::packageVersion(package), error = function(e) "0")
  found < version || found == "0"
}

needed <- c(required, extra)
needed <- needed[!duplicated(paste(names(needed), needed))]
missing <- unique(names(needed)[mapply(is_missing, names(needed), needed)])

if (getRversion() < declared$Depends[["R"]]) {
  stop("noiseaware needs R ", declared$Depends[["R"]], " or newer; this is ", getRversion())
}
if ("--report" %in% args) {
  tools <- c("testthat", "roxygen2", "covr", "lintr", "pkgdown")
  fatal <- intersect(missing, c(names(required), tools))
  if (length(fatal)) stop("could not install: ", toString(fatal), call. = FALSE)
  if (length(missing)) message("not installed, what needs them is skipped: ", toString(missing))
} else {
  cat(sprintf("missing: %s\n", missing), sep = "")
}
