#!/bin/sh
# Proves the promise of `make demo` and `make test`: runs them in a new minimal Debian that has
# only make, with the mirror and the apt settings of this machine. Needs root and debootstrap.
#   fresh-machine.sh /path/for/the/system [target ...]
set -eu
. "$(dirname "$0")/lib.sh"
system=${1:?where to make the system}
shift
[ $# -gt 0 ] || set -- demo demo test
[ ! -e "$system" ] || die "$system exists"

# The first archive this machine uses, in either of apt's formats.
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$system" "$mirror"
rm -f "$system/etc/apt/sources.list"
cp -R /etc/apt/. "$system/etc/apt/"
cp /etc/resolv.conf "$system/etc/resolv.conf"
mkdir "$system/noiseaware"
"$dev/copy-sources.sh" "$system/noiseaware"
mount -t proc proc "$system/proc"
trap 'umount "$system/proc"' EXIT

for target in "$@"; do
  started=$(date +%s)
  chroot "$system" make -C /noiseaware "$target"
  say "make $target took $(($(date +%s) - started)) s"
done
