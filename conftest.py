"""How pytest runs the notebooks: stored outputs are compared, counts or no counts."""

import gc
import os
from pathlib import Path

from tools.book import Cell

os.environ.setdefault(
    "JUPYTER_PREFER_ENV_PATH", "1"
)  # the kernel of this environment, not the user's
# The workers fill the cores. Threads of their own, which wait for work in a loop, would
# only take the cores from each other.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("SUPERVISED_QUIET", "1")  # no stored output tells what was compiled


# Modules that take minutes in `make test-all`. A module is run by one worker, so they come
# first: at the end the other worker would wait for them.
LONG = (
    "tests/site/test_lite.py",
    "tests/house/test_without_numba.py",
    "tests/house/test_hostile.py",
    "tests/house/test_estimators.py",
)


def pytest_configure(config):
    # nbval looks for this file from where pytest was started.
    rules = config.getoption("nbval_sanitize_with", None)
    if rules and not Path(rules).exists():
        config.option.nbval_sanitize_with = str(config.rootpath / rules)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))
    for item in items:
        cell = getattr(item, "cell", None)
        if cell is None or cell.get("cell_type") != "code":
            continue
        # Each version of matplotlib writes a drawing in its own way. What it shows is
        # asserted where it is drawn; pixels nbval passes over by itself.
        item.parent.skip_compare = {*item.parent.skip_compare, "image/svg+xml"}
        # its own 5 seconds are few on a busy machine
        item.output_timeout = item.config.option.nbval_cell_timeout
        # nbval takes a cell without a count for one that never ran, and fails it.
        if cell.get("execution_count") is None:
            cell["execution_count"] = 0
        take_from_the_package(item, cell)


FILL = """import importlib as _importlib
globals().update({{_name: _value for _name, _value in
                  vars(_importlib.import_module("supervised.{}")).items()
                  if not _name.startswith("__")}})
"""


def take_from_the_package(item, cell):
    """An engine page takes what it exports from the package, where its kernels have been
    compiled: its exported cells are skipped, and the one that names its module fills the
    page's namespace. In JupyterLab they all run, so that a change shows at once."""
    if Path(item.fspath).parent.name != "engine":
        return
    directives = Cell(0, "code", cell["source"]).directives
    if "default_exp" in directives:
        cell["source"] = FILL.format(directives["default_exp"])
    elif {"export", "exports", "exporti"} & set(directives):
        item.add_marker("skip")


def pytest_collection_finish():
    """The book and its tests are kept to the end: no use looking among them for garbage."""
    gc.freeze()


def pytest_sessionfinish():
    """The last look of pytest would take seconds in each worker."""
    gc.freeze()
