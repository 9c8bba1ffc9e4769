# `make run` and `make test` are all it takes: each sets up whatever is missing first.

SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

BIN := .venv/bin
SOURCES := $(wildcard src tests bench)
JOBS ?= 3
ARGS ?=
PACKAGES := all
WITH_BROWSERS := audit client engines files flows gate instruments kernel masking media page providers \
  sessions surfaces tools traffic

.PHONY: help setup packages run test tested untraced check checked lint format docs examples jailed soak oracle bench lock clean

help: ## show this list
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: packages .venv/installed ## make .venv and install system packages; nothing if both are there

packages:
	@scripts/packages $(PACKAGES)

.venv/installed: requirements.lock pyproject.toml | packages
	test -x $(BIN)/python || "$$(scripts/python)" -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

run: PACKAGES := run
run: setup ## start the server (ARGS="--port 0" and the like are passed on)
	@exec $(BIN)/stockade serve $(ARGS)

# Types and layers take one core and a while, so the tests do not wait for them.
test: lint ## everything CI runs (ARGS="-k name" narrows it)
	@$(MAKE) --no-print-directory --jobs=2 tested checked

tested:
	scripts/test -n $(JOBS) --dist loadgroup --no-loadscope-reorder --max-worker-restart 0 $(ARGS)

untraced: setup ## tests of the tools where nothing but one directory can be written
	scripts/untraced -n $(JOBS) --dist loadgroup tests/tools tests/files tests/media $(ARGS)

check: lint checked ## formatting, lint, types and layers

checked:
	$(BIN)/mypy $(SOURCES)
	$(BIN)/lint-imports

lint: setup ## formatting and lint alone
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)

format: setup ## format and fix what can be fixed
	$(BIN)/ruff format $(SOURCES)
	$(BIN)/ruff check --fix $(SOURCES)

docs: setup ## write the index of the tools, the reference pages and the SDK anew, from the code
	$(BIN)/python -m stockade.tools.indexing
	$(BIN)/python -m stockade.cli.reference docs
	$(BIN)/python -m stockade.cli.sdk.writing

examples: setup ## try the worked examples and record what comes of them (ARGS="click,fill")
	$(BIN)/python -m tests.examples $(ARGS)

jailed: setup ## every test with a browser, again, with every browser in a jail
	TEST_LEVEL=bwrap scripts/test -n $(JOBS) --dist loadgroup --max-worker-restart 0 \
	  $(addprefix tests/,$(WITH_BROWSERS)) $(ARGS)

soak: setup ## long runs and race loops at full length
	$(BIN)/pytest -m soak --soak -rP -o faulthandler_timeout=3600 $(ARGS)

oracle: setup .venv/oracle ## regenerate the goldens of the differential test
	$(BIN)/python -m tests.oracle $(ARGS)

.venv/oracle: requirements-oracle.lock | setup
	$(BIN)/pip install --quiet --disable-pip-version-check --requirement requirements-oracle.lock
	@touch $@

bench: setup ## measure against the budgets
	$(BIN)/python -m bench $(ARGS)

lock: setup ## compile the lock files anew
	scripts/lock dev requirements.lock pyproject.toml
	scripts/lock oracle requirements-oracle.lock --constraint requirements.lock

clean: ## remove everything that make made
	rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -prune -exec rm -rf {} +
