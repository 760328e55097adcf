# Builds the web site into docs/ without asking the network whether the package is on CRAN.

options(pkgdown.internet = FALSE)
pkgdown::build_site(devel = FALSE, preview = FALSE, install = FALSE)
