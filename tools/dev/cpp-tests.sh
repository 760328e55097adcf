#!/bin/sh
# Builds the C++ tests, without R's headers, in one of several ways, and runs them. Writes
# "passed failed skipped" (test cases) to build/cpp/<way>/count; fails unless all passed.
#   cpp-tests.sh default|gcc|gcc-eigen34|clang|clang-eigen34|asan|tsan|coverage|valgrind [--build-only]
set -eu
. "$(dirname "$0")/lib.sh"
way=$1
out=build/cpp/$way

directory_of() { Rscript -e "cat(system.file('$2', package = '$1', mustWork = TRUE))"; }

compiler=g++
eigen=$(directory_of RcppEigen include)
flags='-O1 -Wall -Wextra -pedantic -Wshadow -Werror'
case $way in
  default) compiler=${CXX:-g++} ;;
  gcc) ;;
  gcc-eigen34) eigen=/usr/include/eigen3 ;;
  clang) compiler=clang++ flags="$flags -stdlib=libc++" ;;
  clang-eigen34) compiler=clang++ flags="$flags -stdlib=libc++" eigen=/usr/include/eigen3 ;;
  asan) flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all' ;;
  tsan) flags='-O1 -g -fsanitize=thread' ;;
  coverage) flags='-O0 --coverage' ;;
  valgrind) flags='-O1 -g' ;;
  *) die "unknown way: $way" ;;
esac
includes="-isystem $(directory_of testthat include/testthat/vendor) -isystem $eigen"

# Objects depend on the command that makes them, so a changed flag rebuilds them.
mkdir -p "$out"
command="$compiler $flags $includes"
[ "$command" = "$(cat "$out/command" 2>/dev/null)" ] || printf '%s\n' "$command" >"$out/command"

unset MAKELEVEL MAKEFLAGS MFLAGS
rm -f "$out/count"
make -s -j"$(cores)" -f "$dev/cpp-tests.mk" OUT="$out" CXX="$compiler" FLAGS="$flags" \
  INCLUDES="$includes"
if [ "${2:-}" = --build-only ]; then exit 0; fi

# The thread sanitizer cannot map its shadow memory under strong address randomisation.
unrandomised=
if [ "$way" = tsan ] && setarch -R true 2>/dev/null; then unrandomised='setarch -R'; fi

status=0
$unrandomised "$out/tests" >"$out/log" 2>&1 || status=$?
cat "$out/log"
awk -v status="$status" -f "$dev/cpp-tests-count.awk" "$out/log" >"$out/count"
read -r passed failed _ <"$out/count"
[ "$failed" -eq 0 ] || die "C++ tests ($way): $passed passed, $failed failed"
