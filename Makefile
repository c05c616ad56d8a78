# Every target works from a bare clone with Python 3.11 or later and the package registries; `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CONSTRAINTS := --constraint constraints.txt
WORKERS = $(shell $(PYTHON) -c 'import os; print(os.cpu_count() + 1)')

.DEFAULT_GOAL := help
.PHONY: help demo setup test tests data thorough check kernels bench audit wheel docs results reference clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*##/\1\t/p' Makefile | expand -t 12

demo: $(VENV)/.base  ## install what is needed, make levels, and write a page to play them on
	$(BIN)/levelsmith demo

setup: $(VENV)/.all $(VENV)/.browser $(VENV)/.npm  ## install levelsmith with all its extras

# Tests wait for processes and browsers now and then: the checks and one worker more than cores fill the time.
test: $(VENV)/.base  ## run every check and the tests
	$(MAKE) --jobs 2 setup
	$(MAKE) --jobs 2 check tests
	$(BIN)/python -m pytest -m timing $$(grep -rl 'pytest.mark.timing' tests --include '*.py') $(call again,timing)

# With AGAIN=1, as the build says, what fails beside others is run once more, alone. Who fails then is at fault.
QUICK = "not timing and not slow and not data"
MEND = "== once more, alone, what failed above; a test that passes now depends on what runs beside it: mend it"
ALONE = $(BIN)/python -m pytest -n 0 --last-failed --last-failed-no-failures none
again = $(if $(AGAIN),|| { echo $(MEND) >&2; $(ALONE) -m $(1); })

tests: setup
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m $(QUICK) $(call again,$(QUICK))

data: setup  ## run the tests that read public levels, from the folder that LEVELSMITH_DATA names
	@test -d "$$LEVELSMITH_DATA" || { echo "expected LEVELSMITH_DATA to name a folder of public levels, got '$$LEVELSMITH_DATA'" >&2; exit 2; }
	$(BIN)/python -m pytest -n auto -m "data and not slow" $(call again,"data and not slow")

thorough: setup  ## run what takes long, at full length; with LEVELSMITH_DATA also on public levels
	$(PIP) install $(CONSTRAINTS) --editable '.[kernels]'
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m slow $(call again,slow)

check: $(VENV)/.all  ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

kernels: $(VENV)/.all  ## compile the kernels of which a source has changed, for every system that they ship for
	$(PIP) install $(CONSTRAINTS) --editable '.[kernels]'
	$(BIN)/python tools/kernels.py

bench: $(VENV)/.all  ## measure speed, as ratios in one run, and write docs/benchmarks.md
	$(BIN)/python benchmarks/run.py --write

audit: $(VENV)/.all  ## look up known holes of everything that is installed, by pip-audit
	$(PIP) install pip-audit
	$(BIN)/pip-audit --local --skip-editable --strict

# Beside the archive of sources and the wheel from which any system can install.
wheel: $(VENV)/.all  ## build into dist/ the wheels, one for each system that kernels are built for
	$(BIN)/python -m build --no-isolation --outdir dist
	$(BIN)/python tools/wheel.py dist

docs: $(VENV)/.all  ## build the documentation into docs/_build/html
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html
	@echo "docs/_build/html/index.html"

results: $(VENV)/.all  ## run the papers' experiments at full size, hours of work that can be stopped, and write docs/results
	$(BIN)/python tools/results.py

reference: $(VENV)/.all  ## write the command reference anew from --help, and files into the pages that show them
	$(BIN)/python docs/reference.py docs/commands.md
	$(BIN)/python docs/shown.py docs/own-game.md

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist docs/_build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "expected Python 3.11 or later, got $$($(PYTHON) --version 2>&1); try: make PYTHON=python3.11" >&2; exit 2; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info >= (3, 14))' || \
	  echo "$$($(PYTHON) --version): levelsmith is not tried with this version; 3.11 to 3.13 are" >&2
	$(PYTHON) -m venv $(VENV)

# What levelsmith itself needs is installed by its digests, the extras by their versions. Most modules of those are
# never imported, so that Python compiles them when they are, not pip all of them.
$(VENV)/.base: pyproject.toml constraints.txt hashes.txt | $(VENV)/bin/python
	$(PIP) install --require-hashes --only-binary :all: --requirement hashes.txt
	$(PIP) install --no-deps --editable .
	@touch $@

$(VENV)/.all: pyproject.toml constraints.txt $(VENV)/.base
	$(PIP) install --no-compile $(CONSTRAINTS) --editable '.[all]'
	@touch $@

# Browser tests drive Debian's chromium; without it they are skipped, with this as the reason.
$(VENV)/.browser: | $(VENV)/bin/python
	@if command -v chromium >/dev/null || command -v google-chrome >/dev/null; then touch $@; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium >/dev/null; } && touch $@ || \
	  echo "chromium could not be installed: browser tests will be skipped" >&2; \
	else echo "no chromium here: install it for the browser tests (Debian: sudo apt-get install chromium)" >&2; fi

# What tests of pages take from npm: Python for a page, and checks of accessibility. Nothing of it is installed.
$(VENV)/.npm: | $(VENV)/bin/python
	@if command -v npm >/dev/null && \
	  npm pack --silent --fetch-retries 1 --fetch-timeout 60000 --pack-destination $(VENV) pyodide@314.0.7 axe-core@4.14.1 >/dev/null 2>&1; then touch $@; \
	else echo "npm's packages could not be had: tests of Python in a page and of accessibility will be skipped" >&2; fi
