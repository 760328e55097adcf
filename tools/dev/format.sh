#!/bin/sh
# Lays out the C++ sources, or with --check names those that `make format` would change. Versions of
# clang-format differ about the same style, so only the one we use decides.
set -eu
. "$(dirname "$0")/lib.sh"
version=14

if ! have clang-format || ! clang-format --version | grep -q "version $version\."; then
  say "clang-format $version is not installed: skipped"
  exit 0
fi
changed=0
for file in $(find inst/include src tests/cpp -name '*.hpp' -o -name '*.h' -o -name '*.cpp'); do
  case $file in */RcppExports.cpp) continue ;; esac
  if clang-format "$file" | cmp -s - "$file"; then continue; fi
  if [ "${1:-}" = --check ]; then echo "not formatted: $file"; else clang-format -i "$file"; fi
  changed=1
done
[ "${1:-}" != --check ] || exit $changed
