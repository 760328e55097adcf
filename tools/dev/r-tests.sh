#!/bin/sh
# Runs the testthat files of a directory against the installed package, as many at a time as there
# are cores, and writes "passed failed skipped" (expectations) to <out>/count; fails unless all
# passed. A process per file: files cannot influence each other, and a crash is one failed file.
#   r-tests.sh tests/testthat build/test/r
set -eu
. "$(dirname "$0")/lib.sh"
use_library
tests=$1
out=$2
rm -rf "$out"
mkdir -p "$out"
export out dev

# A file's report appears in one piece; a file that leaves no count behind has failed.
one_file='
  name=$(basename "$1" .R)
  Rscript "$dev/r-test-file.R" "$1" "$out/$name.count" >"$out/$name.log" 2>&1 || true
  [ -s "$out/$name.count" ] || { echo 0 1 0 >"$out/$name.count"; echo "$name.R crashed"; }
  cat "$out/$name.log"
'
find "$tests" -name 'test-*.R' | sort | xargs -n 1 -P "$(cores)" sh -c "$one_file" one_file
awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' "$out"/*.count >"$out/count"
read -r passed failed _ <"$out/count"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
