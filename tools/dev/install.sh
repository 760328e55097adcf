#!/bin/sh
# Installs the package into build/library, compiling in a copy so that src/ stays clean.
set -eu
. "$(dirname "$0")/lib.sh"
use_library
copy=$root/build/package
old=$root/build/package.old

# R's own makefile knows nothing of headers: an object is stale if any file it was made from is newer.
is_fresh() {
  [ -f "$1.o" ] && [ -f "$1.d" ] || return 1
  for file in $(sed -e 's/^[^:]*://' -e 's/\\$//' "$1.d"); do
    if [ ! -e "$file" ] || [ "$file" -nt "$1.o" ]; then return 1; fi
  done
}

keep_fresh_objects() {
  for source in *.cpp; do
    object=$old/src/${source%.cpp}
    if is_fresh "$object"; then mv "$object.o" "$object.d" .; fi
  done
}

rm -rf "$old"
if [ -d "$copy" ]; then mv "$copy" "$old"; fi
"$dev/copy-sources.sh" "$copy"
(cd "$copy/src" && keep_fresh_objects)

# The outer make's flags (a job server, perhaps) are not for R's. RcppExports.cpp includes all of
# Eigen, which is not free of warnings.
unset MAKELEVEL MFLAGS
MAKEFLAGS=-j$(cores)
PKG_CXXFLAGS='-MMD -Wno-ignored-attributes'
export MAKEFLAGS PKG_CXXFLAGS
say "building the package"
quietly install R CMD INSTALL --no-multiarch --library="$root/build/library" "$copy"
touch "$root/build/library/noiseaware/DESCRIPTION"
