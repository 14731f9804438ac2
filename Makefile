# `make play` and `make test` set up all that they need; a fresh machine needs only make and Python 3.11+.

PYTHON ?= python3
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

VENV := .venv
BENCH := .venv-bench
LOCKER := .venv-lock
UV := 0.13.7

# $(call venv,DIR): make DIR a working virtual environment, unless it is one already.
define venv
@if ! $(1)/bin/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "error: legatus needs Python 3.11 or newer, but '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)" >&2; \
		echo "       name another one: make PYTHON=/path/to/python3.12 ..." >&2; exit 1; }; \
	if ! $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing python3-venv" >&2; \
			apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null; \
		fi; \
		$(PYTHON) -c 'import ensurepip, venv' || { \
			echo "error: '$(PYTHON)' cannot make virtual environments: install the venv module" >&2; \
			echo "       (Debian, Ubuntu: sudo apt-get install python3-venv) and run make again" >&2; exit 1; }; \
	fi; \
	echo "Creating $(1)" >&2; \
	$(PYTHON) -m venv --clear $(1); \
fi
endef

# $(call install,DIR,LOCK): the locked packages, each checked against its hash. -qq: errors only.
define install
@echo "Installing $(2) into $(1)" >&2
@$(1)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r $(2)
endef

# $(call install-legatus,DIR): ourselves, editable, with the build backend that the lock has just installed.
define install-legatus
@$(1)/bin/python -m pip install -qq --disable-pip-version-check --no-deps --no-build-isolation -e .
endef

# $(call node,FLAGS): Node for `web/build.py FLAGS`, into the environment if PATH has no good one.
define node
@$(VENV)/bin/python web/build.py --ready $(1) || { \
	echo "Installing requirements-node.lock into $(VENV)" >&2; \
	$(VENV)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements-node.lock; }
endef

# $(call chromium): a browser for tests/browser, Debian's if there is none.
define chromium
@if ! command -v chromium chromium-browser google-chrome >/dev/null; then \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing chromium" >&2; \
		apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium fonts-dejavu-core >/dev/null; \
	else \
		echo "error: the tests of the page need Chromium" >&2; \
		echo "       (Debian: sudo apt-get install chromium) and run make again" >&2; exit 1; \
	fi; \
fi
endef

.NOTPARALLEL: # two of the targets may want to install the same thing
.PHONY: help play page native wheel test lint format fuzz attack cluster bench lock clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 14

play: page ## play in the browser (in the terminal: .venv/bin/legatus play)
	@$(VENV)/bin/python native/build.py --check
	@$(VENV)/bin/legatus serve

native: $(VENV)/.installed-native ## compile the rules with mypyc, a few minutes: bots think about one and a half to two times as fast
	@$(VENV)/bin/python native/build.py

page: $(VENV)/.installed ## build the page, if its sources changed
	$(call node)
	@$(VENV)/bin/python web/build.py

wheel: page $(VENV)/.installed-native ## dist/: a wheel for every machine, and one with compiled rules for machines like this
	@$(VENV)/bin/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w dist .
	@LEGATUS_NATIVE=1 $(VENV)/bin/python -m pip wheel -q --disable-pip-version-check --no-deps --no-build-isolation -w dist .

test: lint page ## lint, then every test
	$(call chromium)
	@$(VENV)/bin/python native/build.py --check
	@$(VENV)/bin/pytest -n 2 --dist worksteal

lint: $(VENV)/.installed-test ## ruff, mypy and svelte-check; changes nothing
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@$(VENV)/bin/mypy
	$(call node,--check)
	@$(VENV)/bin/python web/build.py --check

format: $(VENV)/.installed-test ## let ruff fix and format the sources
	@$(VENV)/bin/ruff check --fix .
	@$(VENV)/bin/ruff format .

fuzz: $(VENV)/.installed ## 5000 random games of Virtus, 500 of Onus, 2000 of each other game, every invariant checked; no defender out of reach
	@$(VENV)/bin/legatus fuzz virtus --games 5000 --jobs 2
	@$(VENV)/bin/legatus fuzz metaurus --games 2000 --jobs 2
	@$(VENV)/bin/legatus fuzz julian --games 2000 --jobs 2
	@$(VENV)/bin/legatus fuzz formations --games 2000 --jobs 2
	@$(VENV)/bin/legatus fuzz onus --games 500 --jobs 2
	@$(VENV)/bin/python -m tests.games.onus.sweep

attack: page $(VENV)/.installed-test ## attacks on a real server that take longer than a minute
	@$(VENV)/bin/pytest tests/attack

cluster: $(VENV)/.installed-ray ## two Ray nodes on this machine play 500 games, compared with those of processes
	@$(VENV)/bin/python -m tests.lab.two_nodes --games 500

bench: page $(BENCH)/.installed ## our speed beside python-chess, catanatron, OpenSpiel and boardgame.io's server
	@$(BENCH)/bin/python tests/bench/run.py
	@$(BENCH)/bin/python tests/bench/server.py

lock: ## pyproject.toml into the six lock files (newer versions: make lock OPTIONS=--upgrade)
	$(call venv,$(LOCKER))
	@$(LOCKER)/bin/python -m pip install -qq --disable-pip-version-check uv==$(UV)
	@$(COMPILE) -o requirements.lock
	@$(COMPILE) -c requirements.lock --extra test -o requirements-test.lock
	@$(COMPILE) -c requirements-test.lock --extra native -o requirements-native.lock
	@$(COMPILE) -c requirements.lock --extra bench -o requirements-bench.lock
	@$(COMPILE) -c requirements-test.lock --extra ray -o requirements-ray.lock
	@$(UV_COMPILE) --group node -o requirements-node.lock

UV_COMPILE = $(LOCKER)/bin/uv pip compile -q --universal --python-version 3.11 \
	--generate-hashes --no-header --no-annotate --no-emit-index-url $(OPTIONS)
COMPILE = $(UV_COMPILE) pyproject.toml --group build

clean: ## remove the environments, caches, builds and the page
	@rm -rf $(VENV) $(BENCH) $(LOCKER) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@rm -rf src/legatus/server/page web/node_modules
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

$(VENV)/.installed: requirements.lock pyproject.toml
	$(call venv,$(VENV))
	$(call install,$(VENV),requirements.lock)
	$(call install-legatus,$(VENV))
	@touch $@

$(VENV)/.installed-test: requirements-test.lock $(VENV)/.installed
	$(call install,$(VENV),requirements-test.lock)
	@touch $@

$(VENV)/.installed-native: requirements-native.lock $(VENV)/.installed
	$(call install,$(VENV),requirements-native.lock)
	@touch $@

$(VENV)/.installed-ray: requirements-ray.lock $(VENV)/.installed
	$(call install,$(VENV),requirements-ray.lock)
	@touch $@

$(BENCH)/.installed: requirements-bench.lock pyproject.toml
	$(call venv,$(BENCH))
	$(call install,$(BENCH),requirements-bench.lock)
	$(call install-legatus,$(BENCH))
	@touch $@
