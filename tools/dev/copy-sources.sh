#!/bin/sh
# Copies the sources, without anything built, to a new directory; times are kept.
#   copy-sources.sh build/somewhere
set -eu
. "$(dirname "$0")/lib.sh"
to=$1

rm -rf "$to"
mkdir -p "$to"
tar --format=pax -cf - --exclude=./.git --exclude=./build --exclude=./docs --exclude=./demo-output \
  --exclude='*.o' --exclude='*.so' --exclude='*.Rcheck' . | tar -xf - -C "$to"
