"""Every chapter has a landing page of the same shape, which leads to all its sections and estimators."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.test_estimators import estimators
from tools.book import ROOT, Cell, Notebook, below, chapters, notebooks, offered, pages, read_notebook

SHAPE = ["Sections", "What to import", "How it hangs together"]
PAGES = {chapter: read_notebook(ROOT / "nbs" / chapter / "index.ipynb") for chapter in chapters()}
SECTIONS = {c: [Path(p).stem for p in pages() if p.startswith(f"{c}/") and Path(p).stem != "index"] for c in PAGES}
LEARNERS = {c: [type(e).__name__ for e in estimators() if type(e).__module__.split(".")[1] == c] for c in PAGES}


def problems(nb: Notebook, sections: list[str], learners: list[str], public: set[str]) -> list[str]:
    """What a landing page lacks."""
    texts = [cell.source for cell in nb.cells if cell.kind == "markdown"]
    found = []
    if re.findall(r"^## (.*)$", "\n".join(texts), flags=re.M) != SHAPE:
        found.append(f"its headings are not {SHAPE}")
    figures = sum("image/png" in out.get("data", {}) for cell in nb.cells for out in cell.outputs)
    if figures != 1:
        found.append(f"{figures} figures instead of one")
    if (linked := re.findall(r"^\| \[[^]]+\]\((\w+)\.ipynb\) \| \S", below(nb, "Sections"), flags=re.M)) != sections:
        found.append(f"its sections are {linked}, those of the sidebar {sections}")
    rows = re.findall(r"^\| (\[`.*) \| (\S.*) \|$", below(nb, "What to import"), flags=re.M)
    names = re.findall(rf"\[`(\w+)`\]\(\.\./api/{nb.chapter}\.ipynb#(\w+)\)", "\n".join(row[0] for row in rows))
    told = [name for name, anchor in names if name == anchor]
    found += [f"{name} is no public name of the chapter" for name in told if name not in public]
    found += [f"{name} is not told of" for name in learners if name not in told]
    found += [f"{row[1]!r} is not one sentence" for row in rows if not re.fullmatch(r"[^.]+(\.\d[^.]*)*\.", row[1])]
    if f"(../api/{nb.chapter}.ipynb)" not in below(nb, "What to import"):
        found.append("no link to the reference of the chapter")
    others = set(re.findall(r"\]\(\.\./(\w+)/index\.ipynb\)", below(nb, "How it hangs together")))
    return found if others else [*found, "no link to another chapter"]


def test_there_is_a_page_for_each_chapter():
    assert list(PAGES) == chapters() and {nb.chapter for nb in notebooks() if nb.module} == set(PAGES)


@pytest.mark.parametrize("chapter", PAGES)
def test_a_landing_page_is_whole(chapter):
    public = set(importlib.import_module(f"supervised.{chapter}").__all__)
    assert problems(PAGES[chapter], SECTIONS[chapter], LEARNERS[chapter], public) == []


def changed(old: str, new: str) -> Notebook:
    """The page of the chapter trees with another text."""
    nb = PAGES["trees"]
    assert any(old in cell.source for cell in nb.cells), old
    return replace(nb, cells=[replace(cell, source=cell.source.replace(old, new)) for cell in nb.cells])


@pytest.mark.parametrize(("old", "new", "said"), [
    ("## Sections", "## Contents", "its headings"),
    ("(pruning.ipynb)", "(purning.ipynb)", "its sections"),
    ("`C45Classifier`", "`C45`", "C45Classifier is not told of"),
    ("trees.ipynb#draw_tree", "trees.ipynb#drawtree", None),  # left to the check of links
    ("[`draw_tree`](../api/trees.ipynb#draw_tree)", "[`saw`](../api/trees.ipynb#saw)", "saw is no public name"),
    ("by the Gini index.", "by the Gini index. And more.", "is not one sentence"),
    ("(../api/trees.ipynb)", "(../api/bayes.ipynb)", "no link to the reference"),
])
def test_a_broken_page_is_found(old, new, said):
    public = set(importlib.import_module("supervised.trees").__all__)
    found = problems(changed(old, new), SECTIONS["trees"], LEARNERS["trees"], public)
    assert any(said in problem for problem in found) if said else found == []


def test_a_page_without_figure_or_neighbors_is_found():
    nb = PAGES["trees"]
    bare = [Cell(c.number, c.kind, c.source.replace("/index.ipynb)", "/tree.ipynb)")) for c in nb.cells]
    public = set(importlib.import_module("supervised.trees").__all__)
    found = problems(replace(nb, cells=bare), SECTIONS["trees"], LEARNERS["trees"], public)
    assert found == ["0 figures instead of one", "no link to another chapter"]
