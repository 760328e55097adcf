# Sourced by the scripts beside it: where the project is, how to speak, how many cores.
# shellcheck shell=sh

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
dev=$root/tools/dev
cd "$root" || exit 1

say() { printf '%s\n' "== $*"; }
die() { printf '%s\n' "error: $*" >&2; exit 1; }
# Runs a talkative command silently; what it said is shown if it fails.
quietly() {
  log=$root/build/$1.log
  shift
  mkdir -p "$root/build"
  "$@" >"$log" 2>&1 || { cat "$log" >&2; die "failed: $*"; }
}
have() { command -v "$1" >/dev/null 2>&1; }
cores() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# The package under development lives in the project, never in the machine's own library.
use_library() {
  mkdir -p "$root/build/library"
  R_LIBS=$root/build/library${R_LIBS:+:$R_LIBS}
  export R_LIBS
}

# A fresh machine has the C locale, in which R cannot print what the package prints elsewhere.
use_utf8() {
  utf8=$(locale -a 2>/dev/null | grep -iE '^C\.utf-?8$' | head -n 1) || true
  if [ -n "$utf8" ]; then LC_ALL=$utf8; export LC_ALL; fi
}

use_utf8
