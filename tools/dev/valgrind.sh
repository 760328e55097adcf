#!/bin/sh
# Runs the quicker C++ test cases under valgrind: the fastest first, until the time they are
# expected to take there (about fifty times their own) fills the budget in seconds.
#   valgrind.sh [budget]
# Only memory errors count, not results: valgrind computes long double in double precision. Leaks
# are left to the address sanitizer, which is not confused by tests that fork.
set -eu
. "$(dirname "$0")/lib.sh"
budget=${1:-300}
out=build/cpp/valgrind

"$dev/cpp-tests.sh" valgrind --build-only
"$out/tests" --reporter xml --durations yes >"$out/times.xml" || die "the tests fail without valgrind"
awk -F '"' '/<TestCase name=/ { name = $2 } /<OverallResult / { print $4, name }' "$out/times.xml" |
  sed 's/&lt;/</g; s/&gt;/>/g; s/&quot;/"/g; s/&amp;/\&/g' | sort -g |
  awk -v left="$budget" '{ left -= 50 * $1 } left > 0 { sub(/^[^ ]* /, ""); print }' >"$out/chosen"

say "$(wc -l <"$out/chosen") of $(grep -c '<TestCase name=' "$out/times.xml") test cases under valgrind"
valgrind --quiet --leak-check=no --log-file="$out/errors" \
  "$out/tests" --input-file "$out/chosen" >"$out/log" 2>&1 || true
tail -n 3 "$out/log"
cat "$out/errors"
grep -qE '^(All tests passed|test cases:)' "$out/log" || die "the tests did not finish under valgrind"
[ ! -s "$out/errors" ] || die "valgrind found errors"
