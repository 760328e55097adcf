#!/bin/sh
# The package's own C++ compiles without a warning, and every header of the core stands alone.
# R's, Rcpp's and Eigen's headers are not ours to judge; RcppExports.cpp is generated.
set -eu
. "$(dirname "$0")/lib.sh"

system_includes() {
  Rscript -e 'cat(paste("-isystem", c(R.home("include"), system.file("include", package = "Rcpp"),
    system.file("include", package = "RcppEigen"))))'
}

includes=$(system_includes)
strict='-std=c++17 -O1 -Wall -Wextra -pedantic -Wshadow -Werror -Iinst/include -Isrc'
failed=0
for source in src/*.cpp; do
  case $source in */RcppExports.cpp) continue ;; esac
  # shellcheck disable=SC2086 # lists of options
  g++ $strict $includes -c -o /dev/null "$source" || failed=1
done
for header in $(cd inst/include && find noiseaware -name '*.hpp' ! -name '*_windows.hpp'); do
  # shellcheck disable=SC2086
  echo "#include <$header>" | g++ $strict $includes -x c++ -fsyntax-only - || failed=1
done
exit $failed
