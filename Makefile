# `make run` sets up and opens the app, or searches where there is no terminal; `make test` sets up and tests; `make check`
# checks all that CI checks with the versions in constraints.txt. CI also runs `make check-oldest` and `make check-newest`:
# those install spar as the README says, in folders of their own, with the oldest and the newest libraries it allows; and
# `make check-corpus`, which tests a corpus with its engine.
# The first interpreter that runs and is new enough; a shim that only promises one does not count.
PYTHON ?= $(shell for name in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$name && break; done)
# What else the two jobs of oldest and newest libraries run; CI, which runs all tests once anyway, leaves it out.
TRIED ?= --tests
# Tests spend a third to a half of their time waiting, for a service's pace or a terminal: more of them at once than
# processors. Each process first spends 10 to 17 seconds of processor time on collecting all tests.
WORKERS ?= 4
# What is compiled once need not be compiled by every process and every worker.
unexport PYTHONDONTWRITEBYTECODE
export QUESTION ?= retrieval-augmented generation for scientific literature
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test reliability bench check check-corpus check-oldest check-newest lint docs clean

run: $(VENV)/.program
	@if [ -t 0 ] && [ -t 1 ]; then $(BIN)/spar; else $(BIN)/spar search -- "$$QUESTION"; fi

# Real clocks, terminals and processes take part, which a busy machine holds up: what failed is tried once more with
# nothing beside it, and its names stay in the output. What fails twice has failed.
test: $(VENV)/.compiled
	@echo "Testing with $(WORKERS) processes, each of which first collects all tests…"
	@$(BIN)/python -m pytest --verbose --no-header --numprocesses $(WORKERS) --dist loadfile --no-loadscope-reorder; tested=$$?; [ $$tested = 1 ] || exit $$tested; \
	echo "Trying once more, alone, what failed above:"; $(BIN)/python -m pytest --last-failed --last-failed-no-failures none

lint: $(VENV)/.developer
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python tools/make_docs.py --check
	$(BIN)/python tools/make_picture.py --check
	$(BIN)/python tools/check_starter.py > /dev/null

docs: $(VENV)/.developer
	$(BIN)/python tools/make_docs.py
	$(BIN)/python tools/make_picture.py

# Lint takes one processor for a while, and tests now and then wait: both at once. What the tests count closes the
# output, or what lint says where it found something.
check: $(VENV)/.developer
	@{ $(MAKE) --no-print-directory lint > $(VENV)/lint.log 2>&1; linted=$$?; cat $(VENV)/lint.log; exit $$linted; } & \
	lint=$$!; $(MAKE) --no-print-directory test; tested=$$?; \
	wait $$lint || { cat $(VENV)/lint.log; exit 1; }; exit $$tested

# Tries the tests of generated inputs with ten times as many, then measures every line of docs/reliability.md in full and
# writes the page: an hour.
reliability: $(VENV)/.developer
	$(BIN)/python -m pytest -m hypothesis --hypothesis-profile thorough --dist loadfile --numprocesses $(WORKERS)
	$(BIN)/python -m tests.reliability --full --write

bench: $(VENV)/.developer
	$(BIN)/python -m tests.benchmarks.scorecard --write

check-oldest: $(VENV)/bin/python
	$(BIN)/python tools/try_install.py pip --constraint constraints-oldest.txt $(TRIED)

# The engine of a corpus is large, so the other checks do without it. What they have installed serves here too.
SITE := python -c "import sysconfig; print(sysconfig.get_path('purelib'))"
check-corpus: $(VENV)/.developer
	$(BIN)/python -m venv --without-pip $(VENV)/corpus
	@$(BIN)/$(SITE) > "$$($(VENV)/corpus/bin/$(SITE))/developer.pth"
	$(BIN)/python -m pip --python $(VENV)/corpus install --quiet --no-compile --constraint constraints.txt --editable ".[corpus]"
	$(VENV)/corpus/bin/python -m pytest tests/cache/corpus tests/spar_tui/cli/verbs/corpus

check-newest: $(VENV)/bin/python
	$(BIN)/python tools/try_install.py pipx $(TRIED)
	$(BIN)/python tools/try_install.py uv

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "spar needs Python 3.11 or newer; install it, or set PYTHON=…" >&2; exit 1; }
	@echo "Making the environment $(VENV)…"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/.program: $(VENV)/bin/python pyproject.toml constraints.txt
	@echo "Installing spar, which takes up to a minute…"
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.developer: $(VENV)/.program
	@echo "Installing what the tests and checks need…"
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --group dev
	@touch $@

# Compile the libraries and tests in one process, so that not every worker does it. A terminal shows how many tests are
# compiled so far; errors in tests appear when they run.
$(VENV)/.compiled: $(VENV)/.developer
	@echo "Compiling the tests once, which takes about a minute…"
	@$(BIN)/python -m pytest --verbose --no-header --no-summary --deselect tests 2> /dev/null || true
	@touch $@
