"""The plain prunings of "Pruning a tree":
beside the package on random tables, by hand on the texts' examples."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from supervised.trees import (
    Settings,
    class_shares,
    grow_tree,
    prune_mdl,
    prune_pessimistic,
    prune_reduced_error,
)
from supervised.trees.engine.pruning import _pessimistic_errors, weakest_links
from tests import examples
from tests.pages import plain_versions
from tests.trees import read

quick = examples(30)


@pytest.fixture(scope="module")
def page():
    return plain_versions("trees/pruning", "squares", "circles", "plane", "shape", "left",
                          "right", "fig_36", "held_out", "truth")


@st.composite
def tables(draw, names=True, most=40):
    """A small table of numbers, and perhaps of names, and its classes."""
    n, rng = (draw(st.integers(4, most)),
              np.random.default_rng(draw(st.integers(0, 2**32 - 1))))
    X = pd.DataFrame({"x": rng.integers(0, 6, n) * 1.0, "y": rng.integers(0, 6, n) * 1.0})
    if names:
        X["a"], X["b"] = rng.choice(list("pqr"), n), rng.choice(list("pq"), n)
    return X, pd.Series(rng.choice(["k0", "k1"], n))


def grown(X, y):
    """The package's tree of a table, and the table as it reads it."""
    data = read(X, y)
    return grow_tree(*data, Settings()), data[:3]


def as_dictionary(tree, node=0):
    """The tree as the page writes it."""
    if tree.n_branches[node] == 0:
        return str(tree.classes[tree.labels[node]])
    attribute, first = tree.attributes[tree.attribute[node]], tree.first[node]
    if attribute.is_nominal:
        values = list(attribute.domain)
    else:
        values = [("<=", tree.threshold[node]), (">", tree.threshold[node])]
    return {attribute.name: {value: as_dictionary(tree, first + b)
                             for b, value in enumerate(values)}}


def cut_at(page, price, tree, X, y):
    """What the page's recursion leaves of a tree at a price for each leaf."""
    return page["prune_by"](lambda y: page["gini"](y) + price, tree, X, y, leeway=1e-9)


# ------------------------------------------------------------------ plain and packaged


@quick
@given(tables(), st.integers(0, 2**32 - 1))
def test_reduced_error(page, data, seed):
    X, y = data
    rng = np.random.default_rng(seed)
    held = rng.random(len(y)) < 0.4
    held[:2] = [True, False]
    tree, (table, labels, weights) = grown(X, y)
    classes = tree.classes
    small = grow_tree(table, labels, weights, classes, Settings(), np.flatnonzero(~held))
    theirs = prune_reduced_error(small, table[held], labels[held], weights[held])
    ours = page["prune"](as_dictionary(small), X[~held], y[~held], X[held], y[held])
    assert ours == as_dictionary(theirs)
    answers = class_shares(theirs, table[held]).argmax(axis=1)
    assert page["errors"](ours, X[held], y[held]) == (answers != labels[held]).sum()


@quick
@given(tables())
def test_the_pessimist(page, data):
    tree, rows = grown(*data)
    ours = page["prune_by"](page["pessimistic"], as_dictionary(tree), *data, leeway=0.1)
    assert ours == as_dictionary(prune_pessimistic(tree, *rows, raising=False))


@pytest.mark.parametrize("confidence", [0.05, 0.25, 0.5])
def test_the_pessimistic_errors_of_a_leaf(page, confidence):
    z = page["NormalDist"]().inv_cdf(1 - confidence)
    for n in range(1, 30):
        for e in range(n // 2 + 1):
            y = pd.Series(["k0"] * (n - e) + ["k1"] * e)
            assert page["pessimistic"](y, confidence) == pytest.approx(
                _pessimistic_errors(n, e, confidence, z))
    assert page["pessimistic"](pd.Series([], dtype=object)) == 0


@quick
@given(tables())
def test_the_weakest_links(page, data):
    X, y = data
    tree, _ = grown(X, y)
    ours, smaller = {}, as_dictionary(tree)
    while isinstance(smaller, dict):
        g = page["smallest_g"](page["gini"], smaller, X, y)
        smaller = cut_at(page, g, smaller, X, y)
        ours[round(max(g / len(y), 0), 9)] = page["n_leaves"](smaller)
    path = weakest_links(tree)[1]
    theirs = {round(alpha, 9): n
              for alpha, n in zip(path["alpha"][1:], path["n_leaves"][1:], strict=True)}
    assert list(ours.values()) == list(theirs.values())
    assert list(ours) == pytest.approx(list(theirs), abs=2e-9)


@quick
@given(tables(names=False))
def test_the_shortest_message(page, data):
    X, y = data
    tree, _ = grown(X, y)
    if tree.counts[0].min() == 0:
        return  # a single class, for which the page has no formula
    assert page["shortest"](as_dictionary(tree), X, y) == as_dictionary(prune_mdl(tree))


def n_subtrees(tree):
    """How many trees can be cut from a tree:
    1 plus the product over its branches, 1 for a leaf."""
    if not isinstance(tree, dict):
        return 1
    (branches,) = tree.values()
    return 1 + math.prod(map(n_subtrees, branches.values()))


@quick
@given(tables(names=False, most=12))
def test_subtrees_are_counted(page, data):
    X, y = data
    tree = as_dictionary(grown(X, y)[0])
    found = page["subtrees"](tree, X, y)
    assert len(found) == n_subtrees(tree) == len({str(t) for t in found}) and tree in found
    assert max(map(page["n_leaves"], found)) == page["n_leaves"](tree)


# ------------------------------------------------------------------ the examples


def test_eight_points_that_one_can_count(page):
    held = page["held_out"], page["truth"]
    pruned = page["prune"](page["fig_36"], page["plane"], page["shape"], *held)
    # the odd square at (3.5, 2.2)
    assert pruned == {"X": {("<=", 2): "square", (">", 2): "circle"}}
    assert page["errors"](pruned, *held) == 1


def test_example_9_and_quinlans_subtree(page):
    ours = page["prune_by"](page["pessimistic"], page["fig_36"], page["plane"],
                            page["shape"], leeway=0.1)
    assert ours == {"X": {("<=", 2): "square", (">", 2): page["right"]}}
    assert page["upper_limit"](16, 1, 0.6925) == pytest.approx(0.157, abs=5e-4)
    clean = [n * beta.ppf(0.75, 1, n) for n in (6, 9, 1)]
    assert sum(clean) == pytest.approx(3.273, abs=5e-4)
    ours = [page["pessimistic"](pd.Series(["+"] * n)) for n in (6, 9, 1)]
    assert ours == pytest.approx(clean)


def test_complexity_parameters_by_hand(page):
    smaller, prices = page["fig_36"], []
    while isinstance(smaller, dict):
        g = page["smallest_g"](page["gini"], smaller, page["plane"], page["shape"])
        prices.append((page["n_leaves"](smaller), g))
        smaller = cut_at(page, g, smaller, page["plane"], page["shape"])
    whole, right = 2 * 12 * 11 / 23, 2 * 3 * 10 / 13
    assert prices == [(6, pytest.approx(0.9)), (4, pytest.approx(right / 2)),
                      (2, pytest.approx(whole - 1.8 - right))]


def test_what_raising_would_cost(page):
    rows = ([("a1", "b1", "+")] * 2 + [("a1", "b2", "-")] + [("a2", "b1", "+")] * 12
            + [("a2", "b2", "-")] * 10)
    table = pd.DataFrame(rows, columns=["A", "B", "class"])
    raised = page["total"](page["pessimistic"], {"B": {"b1": "+", "b2": "-"}}, table,
                           table["class"])
    assert raised == pytest.approx(14 * (1 - 0.25 ** (1 / 14))
                                   + 11 * (1 - 0.25 ** (1 / 11)))
