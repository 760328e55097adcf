#!/bin/sh
# Runs the named gates one after the other, whatever happens to each, and sums up.
#   gates.sh warnings format ...
set -u
. "$(dirname "$0")/lib.sh"
logs=build/gates
mkdir -p "$logs"
summary=$logs/summary
: >"$summary"

status=0
for gate in "$@"; do
  started=$(date +%s)
  if make --no-print-directory "gate-$gate" >"$logs/$gate.log" 2>&1; then
    result=pass
  else
    result=FAIL status=1
    cat "$logs/$gate.log"
  fi
  printf '%-4s  %-20s %5d s\n' "$result" "$gate" $(($(date +%s) - started)) | tee -a "$summary"
done
say "gates (logs in $logs)"
cat "$summary"
exit $status
