"""How notebooks are tested: a wrong stored output fails,
a right one passes, each in one piece."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys

import pytest

from tests.house.cells import code, md, printed, result, write_page
from tools.book import ROOT

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What pytest says about two notebooks, under the configuration of this repository."""
    root = tmp_path_factory.mktemp("runs") / "a book"
    root.mkdir()
    for name in ("pyproject.toml", "conftest.py", "settings.ini", "_quarto.yml"):
        shutil.copy(ROOT / name, root / name)
    for name in ("tools", "tests"):
        shutil.copytree(
            ROOT / name,
            root / name,
            ignore=shutil.ignore_patterns("__pycache__", "*.py")
            if name == "tests"
            else shutil.ignore_patterns("__pycache__"),
        )
    write_page(
        root,
        "01_good.ipynb",
        [
            md("# Good"),
            code("x = 2\nprint(x)", printed("2\n")),
            code("x + 1", result("3")),
            code("#| eval: false\nraise ValueError"),
            code("x = x + 1"),
            code("x", result("3")),
            code("object()", result("<object at 0x7f0123456789>")),
        ],
    )
    write_page(
        root,
        "02_wrong.ipynb",
        [
            md("# Wrong"),
            code("1 + 1", result("3")),
            code("print(2)", printed("1\n")),
            code("1 / 0"),
            code("1 + 1"),
            code("x = 1", result("1")),
            code("x", result("1")),
        ],
    )
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-vv", "-n", "2", "-p", "no:cacheprovider", "nbs"],
        cwd=root,
        env=env,
        capture_output=True,
        text=True,
        timeout=3600,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


def outcome(report: str, cell: str) -> str:
    """What became of a cell: `01_good.ipynb::Cell 0`."""
    name = re.escape(cell).replace(
        r"\.ipynb", r"(?:\.|::)ipynb"
    )  # pytest takes the dot for a path's end
    found = set(re.findall(rf"(PASSED|FAILED|SKIPPED|ERROR) \S*{name}\b", report))
    assert len(found) == 1, (cell, found, report)
    return found.pop()


def test_right_outputs_pass_although_their_counts_are_cleaned_away(report: str) -> None:
    for cell in (0, 1, 3, 4):
        assert outcome(report, f"01_good.ipynb::Cell {cell}") == "PASSED"


def test_addresses_of_objects_do_not_matter(report: str) -> None:
    assert outcome(report, "01_good.ipynb::Cell 5") == "PASSED"


def test_a_cell_that_is_not_evaluated_is_skipped(report: str) -> None:
    assert outcome(report, "01_good.ipynb::Cell 2") == "SKIPPED"


def test_a_wrong_a_missing_and_a_stale_output_fail_and_so_does_an_error(
    report: str
) -> None:
    for cell in (0, 1, 2, 3, 4):
        assert outcome(report, f"02_wrong.ipynb::Cell {cell}") == "FAILED"
    assert (
        outcome(report, "02_wrong.ipynb::Cell 5") == "PASSED"
    )  # and the others failed for what they hold


def test_a_notebook_runs_in_one_process(report: str) -> None:
    workers: dict[str, set[str]] = {}
    for worker, name in re.findall(r"\[(gw\d+)\].*?(\d\d_\w+)(?:\.|::)ipynb::", report):
        workers.setdefault(name, set()).add(worker)
    assert len(workers) == 2 and all(len(w) == 1 for w in workers.values()), workers
    assert len(set.union(*workers.values())) == 2
