# `make help` lists the targets; each installs what it needs and the machine lacks.
# The work is done by the scripts in tools/dev, the products land in build/.

DEV = tools/dev
INSTALLED = build/library/noiseaware/DESCRIPTION
# Directories are listed as well: their time changes when a file is removed.
SOURCES := $(shell find DESCRIPTION NAMESPACE LICENSE R src inst data \
  ! -name '*.o' ! -name '*.so' -print 2>/dev/null)
CPP_GATES = gcc gcc-eigen34 clang clang-eigen34 asan tsan
GATES = warnings format lintr document $(CPP_GATES) valgrind coverage-cpp coverage-r check

.PHONY: help demo test check gates bench site slow document format install clean \
  $(GATES:%=gate-%)
.NOTPARALLEL:

help: ## this list
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
	@echo "  make gate-NAME      one gate: $(GATES)"

demo: $(INSTALLED) ## the whole story: release, file, inference, comparison; see demo-output/
	@$(DEV)/rscript.sh $(DEV)/demo.R demo-output

test: setup-test $(INSTALLED) ## what continuous integration runs; ends with "N passed, N failed"
	@$(DEV)/test.sh

check: setup-check ## R CMD check --as-cran, and generated files are up to date
	@$(DEV)/document-check.sh
	@$(DEV)/check.sh

gates: setup-gates ## everything a change must pass beyond the tests
	@$(DEV)/gates.sh $(GATES)

bench: setup-test $(INSTALLED) ## every script of bench/
	@set -e; for script in bench/*.R; do echo "== $$script"; $(DEV)/rscript.sh "$$script"; done

site: setup-site $(INSTALLED) ## the web site, into docs/
	@$(DEV)/rscript.sh $(DEV)/site.R

slow: setup-test $(INSTALLED) ## Geweke and calibration studies of tests/statistical
	@NOT_CRAN=true NOISEAWARE_SLOW=true $(DEV)/r-tests.sh tests/statistical build/slow

document: setup-document ## regenerate RcppExports, NAMESPACE and man/
	@$(DEV)/rscript.sh $(DEV)/document.R

format: ## lay out the C++ sources
	@$(DEV)/format.sh

install: $(INSTALLED) ## build the package into build/library

clean: ## remove everything built
	rm -rf build docs demo-output

$(INSTALLED): $(SOURCES) | setup-build
	@$(DEV)/install.sh

setup-%:
	@$(DEV)/setup.sh $*

$(GATES:%=gate-%): | setup-gates
gate-warnings:
	@$(DEV)/warnings.sh
gate-format:
	@$(DEV)/format.sh --check
gate-lintr:
	@$(DEV)/rscript.sh $(DEV)/lint.R
gate-document:
	@$(DEV)/document-check.sh
$(CPP_GATES:%=gate-%): gate-%:
	@$(DEV)/cpp-tests.sh $*
gate-valgrind:
	@$(DEV)/valgrind.sh
gate-coverage-cpp:
	@$(DEV)/coverage-cpp.sh
gate-coverage-r:
	@$(DEV)/rscript.sh $(DEV)/coverage-r.R
gate-check:
	@$(DEV)/check.sh
