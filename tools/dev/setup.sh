#!/bin/sh
# Installs what a make target needs and this machine lacks. A machine that has everything pays
# for one start of R and no network.
#   setup.sh build|test|document|check|gates|site
set -eu
. "$(dirname "$0")/lib.sh"
level=$1

# One "test of presence|Debian package" per line.
tools_needed() {
  echo 'have R|r-base-core'
  echo 'have g++|g++'
  case $level in
    site) echo 'have pandoc|pandoc' ;;
    check)
      echo 'have pandoc|pandoc'
      echo 'have qpdf|qpdf'
      ;;
    gates)
      echo 'have pandoc|pandoc'
      echo 'have qpdf|qpdf'
      echo 'have clang++|clang'
      echo 'have clang-format|clang-format'
      echo 'have valgrind|valgrind'
      echo 'have_header -stdlib=libc++ vector|libc++-dev libc++abi-dev'
      echo 'have_header -I/usr/include/eigen3 Eigen/Core|libeigen3-dev'
      ;;
  esac
}

have_header() { echo "#include <$2>" | clang++ "$1" -x c++ -fsyntax-only - 2>/dev/null; }

missing_tools() {
  tools_needed | while IFS='|' read -r present package; do
    $present </dev/null || printf '%s ' "$package"
  done
}

missing_packages() {
  answer=$(Rscript "$dev/setup-missing.R" "$level") || exit 1
  printf '%s\n' "$answer" | sed -n 's/^missing: //p' # a start-up file may print as well
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

can_apt() {
  have apt-get && { [ "$(id -u)" -eq 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }
}

apt_updated=false
apt_update() {
  if $apt_updated; then return 0; fi
  say "apt-get update"
  as_root apt-get update -q >/dev/null || say "the package index could not be refreshed"
  apt_updated=true
}

apt_install() {
  apt_update
  say "apt-get install $*"
  quietly apt as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y \
    --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@"
}

# Debian calls the CRAN package Foo r-cran-foo; not every one is there.
debian_names() {
  for package in "$@"; do
    name=r-cran-$(printf '%s' "$package" | tr '[:upper:]' '[:lower:]')
    if apt-cache show "$name" >/dev/null 2>&1; then printf '%s ' "$name"; fi
  done
}

install_tools() {
  tools=$(missing_tools)
  [ -n "$tools" ] || return 0
  can_apt || die "please install: $tools
(Debian's names.) They are installed for you where apt-get and root or password-less sudo exist."
  # shellcheck disable=SC2086 # a list of names
  apt_install $tools
}

install_packages_apt() {
  can_apt || return 0
  apt_update
  # shellcheck disable=SC2046,SC2086 # lists of names
  set -- $(debian_names $1)
  [ $# -eq 0 ] || apt_install "$@"
}

# For packages that Debian lacks or has only in a version older than DESCRIPTION asks for.
install_packages_cran() {
  if can_apt; then apt_install r-base-dev; fi
  # shellcheck disable=SC2086 # a list of names
  set -- $1
  say "from CRAN, compiled here, which takes a while: $*"
  quietly cran Rscript "$dev/setup-cran.R" "$@"
}

install_packages() {
  packages=$(missing_packages)
  [ -n "$packages" ] || return 0
  install_packages_apt "$packages"
  packages=$(missing_packages)
  [ -n "$packages" ] || return 0
  install_packages_cran "$packages"
  Rscript "$dev/setup-missing.R" "$level" --report
}

install_tools
install_packages
