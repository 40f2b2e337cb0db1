# Two commands are all a reader needs: `make lab` opens the book, `make test` runs all of it.
# Both set up what they need in .venv; the other targets are for those who write.

PYTHON ?= python3
ifeq ($(OS),Windows_NT)
BIN := .venv/Scripts
else
BIN := .venv/bin
endif
PY := $(BIN)/python
READY := .venv/ready
export JUPYTER_PREFER_ENV_PATH = 1
export PYDEVD_DISABLE_FILE_VALIDATION = 1
export JUPYTER_PLATFORM_DIRS = 1

.DEFAULT_GOAL := help
.PHONY: help env lab test run export docs bench constraints clean

help:  ## list the targets
	@grep -E '^[a-z]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up the environment in .venv (once; a minute or two)"
	$(PYTHON) -m venv .venv
	$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	@touch $(READY)

env: $(READY)  ## set up the environment in .venv

lab: $(READY)  ## open the book in JupyterLab
	$(PY) -m jupyter lab nbs/index.ipynb

test: $(READY)  ## run every notebook and every test
	$(PY) -m pytest -n auto

run: $(READY)  ## run notebooks and store their outputs: make run NB="nbs/basics/01_learning.ipynb"
	$(PY) -m tools.run $(NB)

export: $(READY)  ## write the package, README.md and pyproject.toml from the notebooks and settings.ini
	$(PY) -m tools.export

docs:  ## build the web site into _docs (needs Quarto)
	@command -v quarto >/dev/null 2>&1 || \
	  { echo "Quarto is missing: get it from https://quarto.org/docs/get-started/ and run make docs again."; exit 1; }
	@$(MAKE) --no-print-directory $(READY)
	$(PY) -m tools.export
	PYTHONPATH=. $(BIN)/nbdev_docs
	$(PY) -m tools.export

bench: $(READY)  ## measure against the peers, side by side: make bench ONLY=table
	$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev,bench]"
	$(PY) -m pip install --quiet --disable-pip-version-check -c constraints.txt --no-deps pyarc  # asks for a retired name of scikit-learn
	$(PY) -m benchmarks run $(if $(ONLY),--only $(ONLY))

constraints: ## refresh constraints.txt with the newest versions that the requirements admit
	$(PYTHON) -m tools.constraints

clean:  ## remove what can be made again
	rm -rf .venv _docs _proc build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
