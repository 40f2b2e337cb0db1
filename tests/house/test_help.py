"""`help()` stands on its own: every public docstring
explains each of its parameters itself."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from tools.book import ROOT, notebooks
from tools.docstrings import Explanations, comments, item, meant, points_to, with_docstrings
from tools.reference import Package, items_of, list_and_rest, sections_of

MODULES = [nb.module for nb in notebooks() if nb.module]


@cache
def package() -> Package:
    return Package(ROOT)


def public(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """The public classes and functions that a module defines."""
    for name in module.__all__:
        value = getattr(module, name)
        value = getattr(value, "py_func", value)  # what Numba has compiled
        if inspect.isclass(value) or inspect.isfunction(value):
            yield name, value


def explained(doc: str) -> dict[str, str]:
    """What a docstring says about each parameter, beside its type."""
    found = {}
    for title, body in sections_of(doc)[1]:
        if title in ("Parameters", "Other Parameters", "Attributes"):
            for head, below in items_of(list_and_rest(title, body)[0]):
                for name in head.partition(" : ")[0].split(","):
                    found[name.strip(" *")] = below
    return found


@pytest.mark.parametrize("name", MODULES)
def test_every_parameter_is_explained_where_help_is_asked(name: str) -> None:
    problems = []
    for what, value in public(importlib.import_module(f"supervised.{name}")):
        told = explained(value.__doc__)
        for parameter in inspect.signature(value).parameters.values():
            if parameter.name in ("args", "kwargs") and inspect.isclass(value):
                continue  # a class without a constructor of its own
            words = told.get(parameter.name, "")
            if not words:
                problems.append(f"{what}: {parameter.name} has no explanation; write one, "
                                "or put it into tools/parameters.toml")
            elif points_to(words):
                problems.append(f"{what}: {parameter.name} only points elsewhere: {words}")
    assert not problems, "\n".join(problems)


def test_help_says_what_the_notebook_says_shortly() -> None:
    from supervised.neighbors import KNNClassifier
    from supervised.trees import C45Classifier
    from supervised.trees.engine_growing import Settings

    metric = explained(KNNClassifier.__doc__)["metric"]
    # over remember_rows, from learn_space
    assert '"gower"' in metric and "the matrix" in metric
    # ID3 sends back, CART explains
    assert explained(C45Classifier.__doc__)["n_folds"] != "Number of folds."
    # a comment behind a field
    assert explained(Settings.__doc__)["max_depth"] == "Most tests on a path."


@pytest.mark.parametrize("words, expected", [
    ("As for `evaluate`.", (["evaluate"], "")), ("as in `collect`", (["collect"], "")),
    ("See `remember_rows`.", (["remember_rows"], "")),
    ("Of an `ObliqueTree`.", (["ObliqueTree"], "")),
    ("Of normal densities, see `normal_parameters`.", (["normal_parameters"], "")),
    ("As for `a`, `b` and `c.d`; at least two.", (["a", "b", "c.d"], "At least two.")),
    ("What a vote is worth, as the kernel of the text counts it, see `neighbor_votes`.",
     None), ("Threads, as joblib counts them.", None),
])
def test_what_only_points_elsewhere(words: str,
                                    expected: tuple[list[str], str] | None) -> None:
    assert points_to(words) == expected


def test_words_behind_a_pointer_go_to_the_parameters_they_name() -> None:
    assert meant("`alpha` is squared.", ["alpha", "beta"]) == ["alpha"]
    assert meant("What the metric learns.", ["k", "metric"]) == ["metric"]
    assert meant("At least two.", ["k", "metric"]) == ["k"]


def test_comments_of_fields_are_sentences() -> None:
    source = ("class A:\n    x: int = 0  # how many\n    y: str\n    z: str  # Its name.\n"
              "\nclass B:\n    w: int  # no\n")
    assert comments(source, "A") == {"x": "How many.", "z": "Its name."}


def test_an_item_in_numpys_style() -> None:
    assert (item("a, b", "int", "Two\n\nparagraphs.")
            == "a, b : int\n    Two\n\n    paragraphs.")
    assert item("a", "", "") == "a"


def test_only_docstrings_that_differ_are_written() -> None:
    source = ('x = 1\n\ndef f(a):\n    """Old.\n\n    Words."""\n    return "\\n"\n\nclass '
              'C:\n    """Stays."""\n\n    def m(self):\n        """Old."""\n')
    made = with_docstrings(source,
                           {"f": "New, \\alpha.\n\nEnd.", "C": "Stays.", "C.m": "New."})
    assert made == ('x = 1\n\ndef f(a):\n    r"""New, \\alpha.\n\n    '
                    'End.\n    """\n    return "\\n"\n\nclass C:\n'
                    '    """Stays."""\n\n    def m(self):\n        """New.\n        """\n')
    space: dict[str, Any] = {}
    exec(made, space)
    assert inspect.getdoc(space["f"]) == "New, \\alpha.\n\nEnd." and space["f"](0) == "\n"


def test_what_is_filled_in_once_is_filled_in_for_good() -> None:
    explain = Explanations(package())
    for module in package().modules:
        for entry in module.entries:
            if entry.doc and entry.kind in ("function", "class"):
                assert inspect.cleandoc(explain.filled(entry)) == entry.doc, entry.name


def test_comments_of_fields_are_read_behind_and_above() -> None:
    source = 'class A:\n    # how many\n    n: int\n    x: float  # where\n    y: float\n'
    assert comments(source, "A") == {"n": "How many.", "x": "Where."}
