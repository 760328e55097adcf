# Installs packages from the CRAN mirror this machine is configured for.
#   Rscript setup-cran.R package ...

packages <- commandArgs(trailingOnly = TRUE)

# R without a configured mirror asks the user; a script cannot, so the environment decides
# (R_CRAN_WEB is R's own variable), else the first entry of the list of mirrors that R ships.
if ("@CRAN@" %in% getOption("repos")) {
  mirror <- Sys.getenv("R_CRAN_WEB")
  if (nzchar(mirror)) {
    options(repos = c(CRAN = mirror))
  } else {
    utils::chooseCRANmirror(graphics = FALSE, ind = 1, local.only = TRUE)
  }
}

# As install.packages() does when a person answers yes: the first library that can be written to,
# else the personal one.
writable_library <- function() {
  writable <- .libPaths()[file.access(.libPaths(), 2) == 0]
  if (length(writable)) {
    return(writable[[1]])
  }
  personal <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep)[[1]][[1]]
  dir.create(personal, recursive = TRUE, showWarnings = FALSE)
  personal
}

utils::install.packages(packages, lib = writable_library(), Ncpus = parallel::detectCores())
