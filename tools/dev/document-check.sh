#!/bin/sh
# Fails if what `make document` generates differs from what is committed.
set -eu
. "$(dirname "$0")/lib.sh"
copy=build/document

# Another roxygen2 words the same pages differently.
wanted=$(sed -n 's/^RoxygenNote: //p' DESCRIPTION)
found=$(Rscript -e 'cat(format(packageVersion("roxygen2")))')
if [ "$wanted" != "$found" ]; then
  say "documentation was made with roxygen2 $wanted, this is $found: not compared"
  exit 0
fi
"$dev/copy-sources.sh" "$copy"
Rscript "$dev/document.R" "$copy" >build/document.log 2>&1 || { cat build/document.log; exit 1; }
for generated in NAMESPACE man R/RcppExports.R src/RcppExports.cpp; do
  diff -ru "$generated" "$copy/$generated" || stale=true
done
[ -z "${stale:-}" ] || die "generated files are out of date: run make document and commit"
