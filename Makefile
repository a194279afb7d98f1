# `make play` and `make test` do everything on a fresh machine: virtual environment, install, run.
PYTHON ?= python3
VENV := .venv
ifeq ($(OS),Windows_NT)
BIN := $(VENV)/Scripts
else
BIN := $(VENV)/bin
endif
PIP := $(BIN)/python -m pip --disable-pip-version-check install -qq -c constraints.txt
SOURCES := suzaku tests benchmarks examples reproduce docs

.PHONY: help play test bench format check size clean
help:
	@echo "make play    play against the AI in your browser (at another port: make play PORT=9000)"
	@echo "make test    lint, types and all tests"
	@echo "make bench   measure the engine, shanten and scoring against their peers"
	@echo "make format  lay out the sources and mend what can be mended by itself"
	@echo "make check   lint, types and the size of each room"
	@echo "make size    files and lines of each room beside its budget"
	@echo "make clean   delete the virtual environment"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "Suzaku needs Python 3.10 or newer; say which one: make PYTHON=python3.12 ..." >&2; exit 2; }
	@echo "making a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# One stamp file for each set of packages: they are installed again when their lists change.
$(VENV)/play.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Suzaku and what it needs to run"
	@$(PIP) -e .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Suzaku and what its tests need"
	@$(PIP) -e '.[dev]'
	@touch $@ $(VENV)/play.stamp

# PyMahjongGB has to be compiled: without a compiler, `make test` skips the tests that call it.
$(VENV)/judge.stamp: $(VENV)/dev.stamp
	@$(PIP) -e '.[judge]' 2> /dev/null || \
	  echo "PyMahjongGB could not be compiled (it needs a C++ compiler): the tests that call it are skipped"
	@touch $@

play: $(VENV)/play.stamp
	@$(BIN)/python -m suzaku play $(if $(PORT),--port $(PORT))

test: check $(VENV)/judge.stamp
	@echo "running the tests"
	@$(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadfile --timeout 120

bench: $(VENV)/dev.stamp
	@$(BIN)/python benchmarks/engine.py
	@$(BIN)/python benchmarks/scoring.py

format: $(VENV)/dev.stamp
	@$(BIN)/python -m ruff check --fix $(wildcard $(SOURCES))
	@$(BIN)/python -m ruff format $(wildcard $(SOURCES))

check: $(VENV)/dev.stamp
	@echo "checking layout, lint and types"
	@$(BIN)/python -m ruff format --check --quiet $(wildcard $(SOURCES)) || \
	  { echo "the files above are not laid out: run make format" >&2; exit 1; }
	@$(BIN)/python -m ruff check --quiet $(wildcard $(SOURCES))
	@$(BIN)/python -m mypy
	@$(BIN)/python benchmarks/size.py --check

size: $(VENV)/dev.stamp
	@$(BIN)/python benchmarks/size.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
