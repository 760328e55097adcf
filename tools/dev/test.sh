#!/bin/sh
# Everything `make test` runs, and its last line: "N passed, N failed".
set -u
. "$(dirname "$0")/lib.sh"
results=build/test
rm -rf "$results" build/cpp/default/count
mkdir -p "$results"
NOT_CRAN=true
export NOT_CRAN

# A step that leaves no count behind has crashed: one failure.
add() {
  if [ -s "$1" ]; then read -r p f s <"$1"; else p=0 f=1 s=0; fi
  say "$2: $p passed, $f failed, $s skipped"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  if [ "$p" -eq 0 ] && [ "$f" -eq 0 ]; then failed=$((failed + 1)); fi
}

passed=0 failed=0 skipped=0
say "C++ tests"
"$dev/cpp-tests.sh" default
say "R tests"
"$dev/r-tests.sh" tests/testthat "$results/r"
say "C++ format"
"$dev/format.sh" --check || failed=1

add build/cpp/default/count "C++ test cases"
add "$results/r/count" "R expectations"
suffix=
[ "$skipped" -eq 0 ] || suffix=", $skipped skipped"
echo "$passed passed, $failed failed$suffix"
[ "$failed" -eq 0 ]
