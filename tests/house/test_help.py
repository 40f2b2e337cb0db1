"""`help()` stands on its own: every public docstring
explains each of its parameters itself."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import griffe
import pytest

from tools.book import modules
from tools.docstrings import (
    ERRORS,
    Explanations,
    comments,
    item,
    meant,
    points_to,
    sentence,
    with_docstrings,
)
from tools.reference import Entry, items_of, list_and_rest, package, sections_of

MODULES = modules()


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


def made(doc: str, **hints: str) -> Entry:
    """An entry of a function with these parameters."""
    taken = [griffe.Parameter(n, annotation=h, kind=None) for n, h in hints.items()]
    return Entry("made", "function", "basics.learning", inspect.cleandoc(doc), 1, "", taken)


def test_a_list_of_types_is_not_given_to_each_name() -> None:
    explain = Explanations(package())
    explain.here |= {"made.answer": "The class.", "made.probability": "Of the class."}
    hints = {"answer": "Any", "probability": "float"}
    together = """Do.

    Parameters
    ----------
    answer, probability : label, float
    """
    with pytest.raises(ValueError,
                       match=r"'answer, probability : label, float' gives names"):
        explain.filled(made(together, **hints))
    apart = together.replace("answer, probability : label, float",
                             "answer : label\n    probability : float; below 1")
    told = explain.filled(made(apart, **hints))
    assert told.endswith("answer : label\n    The class.\n"
                         "probability : float\n    Of the class. Below 1.")
    alike = together.replace("label, float", "float")
    assert "answer : float\n" in explain.filled(made(alike, answer="float",
                                                     probability="float"))


def test_names_that_share_an_explanation_have_one_type() -> None:
    problems = []
    for module in package().modules:
        for entry in module.entries:
            hints = {p.name: str(p.annotation) for p in entry.parameters}
            for title, body in sections_of(entry.doc)[1]:
                for head, _ in (items_of(list_and_rest(title, body)[0])
                                if title == "Parameters" else []):
                    names, _, kind = head.partition(" : ")
                    types = {hints[n.strip(" *")] for n in names.split(",")
                             if n.strip(" *") in hints}
                    if kind and len(types) > 1:
                        problems.append(f"{module.name}.{entry.name}: {head} {types}")
    assert not problems, "\n".join(problems)


def test_words_for_a_name_hold_only_for_its_type() -> None:
    explain = Explanations(package())
    tree = made("Do.", tree="Tree")
    assert explain.words_for(tree, "tree", "") == "The tree that is looked at."
    assert explain.words_for(tree, "tree", "Tree or fitted tree classifier")
    assert not explain.words_for(made("Do.", tree="KDTree"), "tree", "")
    assert not explain.words_for(made("Do.", value="Any"), "value", "")


def test_words_that_are_kept_for_all_are_in_use() -> None:
    explain, told = Explanations(package()), {}
    for module in package().modules:
        for entry in module.entries:
            for name, words in explained(entry.doc).items():
                told.setdefault(name, {})[entry.name] = " ".join(words.split())
    stale = [key for key, words in explain.here.items()
             for owner, _, name in [key.partition(".")]
             if not told.get(name, {}).get(owner, "").startswith(words)]
    stale += [name for name, (_, words) in explain.everywhere.items()
              if not any(said.startswith(words) for said in told.get(name, {}).values())]
    assert not stale, f"tools/parameters.toml has words that nothing needs: {stale}"


def test_errors_of_another_function_are_listed_as_errors() -> None:
    from supervised.evaluation import recall
    from supervised.evaluation.prices import cost_curve
    from supervised.features.discriminant import fisher_ratio

    for function, raised in [
            (recall, "no class is named"), (cost_curve, "a label is missing"),
            (fisher_ratio, "one finite number"), (fisher_ratio, "nominal")]:
        sections = dict(sections_of(function.__doc__)[1])
        assert raised in sections["Raises"], function.__name__
    for module in package().modules:
        for entry in module.entries:
            for name, words in explained(entry.doc).items():
                assert not ERRORS.search(words), f"{entry.name}: {name}: {words}"


@pytest.mark.parametrize("words, expected", [
    ("which take 1.", "Which take 1."), ("x log2 x", "x log2 x."), ("a row", "A row."),
    ("n_rows of all", "n_rows of all."), ("-1 at the root", "-1 at the root."), ("", ""),
])
def test_a_sentence_keeps_the_names_it_begins_with(words: str, expected: str) -> None:
    assert sentence(words) == expected


def test_the_parts_of_an_explanation_are_explained() -> None:
    from supervised.basics.explanations import Explanation, Part

    assert explained(Part.__doc__)["value"] == "The row's value of it."
    assert explained(Part.__doc__)["text"] == "The reason in words."
    assert re.search(r"^ *answer : label\n", Explanation.__doc__, re.M)
    assert re.search(r"^ *probability : float\n", Explanation.__doc__, re.M)
