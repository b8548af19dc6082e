# demo, test, lint and bench set up all they need on a machine that has only Python (3.11 or newer), pip and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PROTOS := $(shell find protos -name '*.proto')
READY  := $(VENV)/.ready

.PHONY: help demo clients test slow lint bench golden release lock clean
help:           ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Croupier needs Python 3.11 or newer; run make PYTHON=/path/to/it")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@touch $@

$(READY): $(VENV)/.locked pyproject.toml protos/generate.py $(PROTOS)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --no-deps -e .
	@touch $@

demo: $(READY)  ## bots play all five games through the service to rated results and a report
	$(BIN)/croupier run docs/examples/demo.toml --into demo.results --fresh

clients: $(READY) ## builds the clients of all languages; says which cannot be built on this machine
	$(BIN)/python clients/languages.py

test: $(READY) lint  ## everything that must hold, with the real thing
	$(BIN)/python tests/system_programs.py
	$(BIN)/python clients/languages.py
	$(BIN)/python -m pytest -n 2 --dist worksteal

slow: $(READY)  ## the long simulations behind docs/statistics.md
	$(BIN)/python -m pytest -n 2 -m slow

lint: $(READY)  ## ruff, mypy, import rules, buf
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint protos
	$(BIN)/python protos/breaking.py

bench: $(READY) ## what a move costs, as ratios to a floor measured beside it
	$(BIN)/python -m tests.bench

golden: $(READY) ## writes the golden play-throughs anew (read the diff!)
	$(BIN)/python -m croupier_games.conformance golden --write tests/games/golden

release: $(READY) ## freezes the wire API: from then on lint refuses what would break a client
	$(BIN)/python protos/breaking.py --release

lock:           ## resolves requirements.lock anew from pyproject.toml, and the images' part of it
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --extra dev pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate --no-emit-index-url --extra fast --extra postgres -c requirements.lock pyproject.toml -o deploy/docker/requirements.lock

clean:          ## removes what these commands made
	rm -rf $(VENV) demo.results clients/python/croupier .pytest_cache .mypy_cache .ruff_cache
