#!/bin/sh
# R CMD build and R CMD check --as-cran; notes are shown, errors and warnings fail.
set -eu
. "$(dirname "$0")/lib.sh"
work=$root/build/check
"$dev/copy-sources.sh" "$work/noiseaware"
cd "$work"
rm -rf noiseaware.Rcheck noiseaware_*.tar.gz

# Checked as a user's machine would: the short tests, no unusual compiler flags.
unset MAKELEVEL MAKEFLAGS MFLAGS NOT_CRAN
MAKEFLAGS=-j$(cores)
_R_CHECK_FORCE_SUGGESTS_=false
_R_CHECK_CRAN_INCOMING_REMOTE_=false
_R_CHECK_SYSTEM_CLOCK_=false
export MAKEFLAGS _R_CHECK_FORCE_SUGGESTS_ _R_CHECK_CRAN_INCOMING_REMOTE_ _R_CHECK_SYSTEM_CLOCK_

R CMD build noiseaware
manual=--no-manual
if have pdflatex; then manual=; fi
# shellcheck disable=SC2086 # an option or nothing
R CMD check --as-cran $manual noiseaware_*.tar.gz || true

log=noiseaware.Rcheck/00check.log
[ -f "$log" ] || die "R CMD check did not run"
awk '/\.\.\. *(\[.*\] *)?NOTE$/ { note = 1 } /^\* / && !/NOTE$/ { note = 0 } note' "$log"
status=$(sed -n 's/^Status: //p' "$log")
say "R CMD check: $status"
case $status in *ERROR* | *WARNING* | '') exit 1 ;; esac
