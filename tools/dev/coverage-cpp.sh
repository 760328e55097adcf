#!/bin/sh
# Line coverage of the core's headers by the C++ tests.
#   coverage-cpp.sh [minimum per cent]
set -eu
. "$(dirname "$0")/lib.sh"
out=build/cpp/coverage
mkdir -p "$out"

find "$out" -name '*.gcda' -exec rm -f {} + 2>/dev/null || true
"$dev/cpp-tests.sh" coverage >"$out.log" 2>&1 || { cat "$out.log"; exit 1; }
Rscript "$dev/coverage-cpp.R" "$out" "${1:-95}"
