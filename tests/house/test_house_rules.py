"""The house rules hold in the book."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.house import claim_rules
from tests.house import house_rules as rules
from tests.house import idea_rules as ideas
from tests.house.spelling import spelling
from tests.site import site_rules
from tests.site.formulas import formula_problems
from tools.book import ROOT, Notebook, notebooks


def each(rule: Callable[[Notebook], list[str]]) -> Callable[[list[Notebook], Path],
                                                            list[str]]:
    """A rule for one notebook, applied to all."""
    return lambda book, root: [p for nb in book for p in rule(nb)]


def on_idea_pages(rule: Callable[[Notebook],
                                 list[str]]) -> Callable[[list[Notebook], Path], list[str]]:
    """A rule for one idea page, applied to those of the chapters where it is in force."""
    return lambda book, root: [p for nb in ideas.in_force(book) for p in rule(nb)]


RULES: dict[str, Callable[[list[Notebook], Path], list[str]]] = {
    "title_cell": each(rules.title_cell),
    "outputs": each(rules.outputs),
    "cells": each(rules.cells),
    "figures": each(rules.figures),
    "structure": each(rules.structure),
    "import_order": rules.import_order,
    "import_circles": rules.import_circles,
    "machinery": on_idea_pages(ideas.machinery),
    "numbers": lambda book, root: ideas.numbers(book),
    "letters": lambda book, root: ideas.unexplained(book),
    "players": on_idea_pages(ideas.players),
    "solutions": on_idea_pages(ideas.solutions),
    "claims": claim_rules.claims,
    "exports": lambda book, root: rules.exports(book),
    "links": rules.broken_links,
    "references": rules.references,
    "equations": lambda book, root: rules.equations(book),
    "formulas": lambda book, root: formula_problems(book),
    "names": rules.stale_names,
    "spelling": spelling,
    "coverage": rules.coverage,
    "sidebar": rules.sidebar_problems,
}


# Rules that hold of pages which are no notebooks, too.
ALL_PAGES = ("figures", "structure", "links", "references", "formulas", "names", "spelling")


def none_of(problems: list[str]) -> None:
    """Fail with the list of problems, one on a line."""
    if problems:
        pytest.fail("\n".join(["the house rules are broken:", *problems]), pytrace=False)


@pytest.fixture(scope="module")
def book() -> list[Notebook]:
    return notebooks()


@pytest.mark.parametrize("name", RULES)
def test_the_book_keeps_the_rule(name: str, book: list[Notebook]) -> None:
    assert book, "there are no notebooks"
    none_of(RULES[name]([*book, *(rules.quarto_pages() if name in ALL_PAGES else [])],
                        ROOT))


# ------------------------------------ what is made follows from its source


@pytest.fixture(scope="module")
def anew(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book exported in a copy of the repository."""
    return rules.export_anew(ROOT, tmp_path_factory.mktemp("anew") / "a copy")


@pytest.fixture(scope="module")
def site_made(anew: Path) -> Path:
    """The same, and processed for the site."""
    rules.site_sources(anew)
    return anew


def test_export_leaves_no_diff(anew: Path) -> None:
    none_of(rules.export_differences(ROOT, anew))


@pytest.mark.deep
def test_every_notebook_is_processed_for_the_site(site_made: Path) -> None:
    none_of(rules.site_problems(site_made))


@pytest.mark.deep
def test_the_pages_of_the_site(site_made: Path) -> None:
    none_of(site_rules.page_problems(site_made))
