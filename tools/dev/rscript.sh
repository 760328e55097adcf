#!/bin/sh
# Runs an R script that sees the package in build/library.
#   rscript.sh script.R [argument ...]
set -eu
. "$(dirname "$0")/lib.sh"
use_library
exec Rscript "$@"
