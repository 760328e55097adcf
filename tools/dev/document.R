# Regenerates the Rcpp exports, NAMESPACE and man/ of the package in a directory.
#   Rscript document.R [directory]

args <- commandArgs(trailingOnly = TRUE)
directory <- if (length(args)) args[[1]] else "."

# Reading the sources needs no compiled code, hence works before the first installation.
suppressPackageStartupMessages(
  roxygen2::roxygenise(directory, roclets = c("namespace", "rd"), load_code = "source")
)
# How the exports are called depends on NAMESPACE.
Rcpp::compileAttributes(directory)
