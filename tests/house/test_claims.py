"""Replications: what is recorded of a page, what counts as a change, those stored."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from tools import claims
from tools.book import Notebook, notebooks, read_notebook

IMPORTS = "import numpy as np\nfrom supervised.basics.learning import claim, draws"
AGAIN = 7  # the replication that is done again


def page(root: Path, *cells: str) -> Notebook:
    """A page with these cells of code."""
    path = root / "nbs/toys/toy.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Toy"),
                                               *map(nbformat.v4.new_code_cell, cells)])
    nbformat.write(notebook, path)
    return read_notebook(path, root)


def test_a_page_is_replicated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Claims and figures with the seeds of the replication; failures don't stop it."""
    page(tmp_path, IMPORTS,
         "seeds = draws(2)\nassert seeds[0] == 0\nprint(seeds)\n"
         'claim("holds", sum(seeds) > 0, null=lambda: sum(seeds) < 0)',
         'claim("fails", np.array([1, 2]) > 0)\nseeds[0]', "1 / 0",
         'claim("has a broken control", True, null=lambda: 1 / 0)')
    monkeypatch.setattr(claims, "ROOT", tmp_path)
    monkeypatch.setenv("SUPERVISED_REPLICATION", "0")
    found = claims.replicate("toys/toy.ipynb", 3)
    said = {k: (v["holds"], v["null"], v["figures"]) for k, v in found.items()}
    assert said == {"holds": (True, False, "[30000, 30001]"),
                    "fails": (False, None, "30000"),
                    "has a broken control": (True, True, "")}


def test_a_summary_counts(tmp_path: Path) -> None:
    """Marks in order, figures of the first and of the failed, and what never changes."""
    nb = page(tmp_path, IMPORTS, 'claim("a", 1 > 0)\nclaim("b", 1 > 0)')
    runs = [{"a": {"holds": i != 2, "null": i == 1, "figures": f"{i}"},
             "b": {"holds": True, "null": None, "figures": "same"}} for i in range(1, 5)]
    assert claims.summary(nb, runs)["claims"] == [
        {"sentence": "a", "held": "1011", "null": "1000", "by_construction": False,
         "figures": {"1": "1", "2": "2"}},
        {"sentence": "b", "held": "1111", "null": "", "by_construction": True,
         "figures": {"1": "same"}}]


@pytest.mark.deep
def test_stored_replications_come_out_again() -> None:
    """Three pages, or as many as have claims: the machinery is tested, not luck."""
    known = claims.stored()
    there = [name for name in claims.claiming(notebooks()) if name in known]
    for name in there[:: max(1, len(there) // 3)][:3]:
        again = claims.replicate(name, AGAIN)
        held = {row["sentence"]: row["held"][AGAIN - 1] == "1"
                for row in known[name]["claims"]}
        assert {sentence: found["holds"] for sentence, found in again.items()} == held
