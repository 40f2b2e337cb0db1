"""The plain versions of the page on reading a tree:
beside the packaged ones, and undone by their inverses."""

from __future__ import annotations

import json

import matplotlib as mpl

mpl.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.trees import C45Classifier, tree_from_tests, tree_to_text
from supervised.trees.engine.drawing import (
    _preorder,
    leaf_numbers,
    node_boxes,
    path_text,
    row_path,
    tree_layout,
)
from tests import examples
from tests.pages import plain_versions

quick = examples(40)
RNG = np.random.default_rng(3)
N = 80
ROWS = pd.DataFrame(
    {"c": RNG.choice(list("pqr"), N), "b": RNG.choice(["False", "True"], N),
     "u": RNG.integers(0, 10, N) / 2, "v": RNG.normal(size=N).round(2)}
)
KINDS = pd.Series(RNG.choice(["no", "yes"], N))


@pytest.fixture(scope="module")
def page():
    return plain_versions("trees/drawing", "LOOK")


def trees_over(names):
    """Dictionary trees that ask for some columns
    of ROWS, at most once for each name on a path."""

    def extend(below):
        cut = {"u": st.integers(0, 9).map(lambda i: i / 2 + 0.25),
               "v": st.integers(-4, 4).map(lambda i: i / 2 + 0.01)}
        kinds = {"c": list("pqr"), "b": ["False", "True"]}

        def numeric(a):
            return st.tuples(cut[a], below, below).map(
                lambda t: {a: {("<=", t[0]): t[1], (">", t[0]): t[2]}})

        def nominal(a):
            return st.fixed_dictionaries(
                {a: st.fixed_dictionaries({value: below for value in kinds[a]})})

        return st.one_of(*(nominal(a) if a in kinds else numeric(a) for a in names))

    return st.recursive(st.sampled_from(["no", "yes"]), extend,
                        max_leaves=12).filter(lambda t: isinstance(t, dict))


any_tree, plane_tree = trees_over("cbuv"), trees_over("uv")


@quick
@given(tree=any_tree)
def test_text_has_the_same_tests(page, tree):
    packaged = tree_from_tests(ROWS, KINDS, page["tests_of"](tree))
    plain = [line.split(":")[0] for line in page["lines_of"](tree)]
    assert plain == [line.split(":")[0] for line in tree_to_text(packaged).splitlines()]


@quick
@given(tree=any_tree)
def test_the_text_can_be_read_back(page, tree):
    """Where no attribute is asked for twice on a path
    and side by side, the text says all that the tree says."""
    again = page["tree_of"]("\n".join(page["lines_of"](tree)))
    assert list(page["lines_of"](again)) == list(page["lines_of"](tree))
    assert again == tree


@quick
@given(tree=any_tree)
def test_rows_take_the_same_path(page, tree):
    packaged = tree_from_tests(ROWS, KINDS, page["tests_of"](tree))
    rules = list(page["rules_of"](tree))
    numbers = leaf_numbers(packaged)
    for row in range(0, N, 7):
        here = page["path_of"](tree, ROWS.iloc[row])
        leaf = row_path(packaged, ROWS, row)[-1]
        assert rules[numbers[leaf] - 1] == (tuple(here[0]), here[1])
        meeting = [all(page["meets"](ROWS[a].iloc[row], v) for a, v in path)
                   for path, _ in rules]
        assert sum(meeting) == 1


def test_rules_of_a_consistent_tree(page):
    tree = {"u": {("<=", 2.25): {"c": {"p": "yes", "q": "no", "r": "no"}},
                  (">", 2.25): "no"}}
    answers = pd.Series([page["path_of"](tree, row)[1] for _, row in ROWS.iterrows()])
    packaged = tree_from_tests(ROWS, answers, page["tests_of"](tree))
    plain = [page["say"](path, answer, ROWS, answers)
             for path, answer in page["rules_of"](tree)]
    assert plain == [path_text(packaged, leaf) for leaf in leaf_numbers(packaged)]


@quick
@given(tree=any_tree)
def test_the_drawing_puts_nodes_where_the_packaged_layout_does(page, tree):
    ax = plt.figure().add_subplot()
    root, free = page["draw"](tree, ax)
    packaged = tree_from_tests(ROWS, KINDS, page["tests_of"](tree))
    places = tree_layout(packaged, np.ones(packaged.n_nodes)) - 0.5
    assert free == packaged.n_leaves and np.isclose(root, places[0])
    drawn = sorted((-t.get_position()[1], t.get_position()[0])
                   for t in ax.texts if t.get_size() > 8)
    assert np.allclose(drawn, sorted(zip(packaged.depths, places, strict=True)))
    plt.close("all")


@quick
@given(tree=plane_tree)
def test_rectangles_are_boxes(page, tree):
    X = ROWS[["u", "v"]]
    packaged = tree_from_tests(X, KINDS, page["tests_of"](tree))
    everywhere = {"u": (-np.inf, np.inf), "v": (-np.inf, np.inf)}
    low, high = node_boxes(packaged)
    for leaf, (box, _) in zip(leaf_numbers(packaged), page["rectangles"](tree, everywhere),
                              strict=True):
        sides = np.array(list(box.values())).T
        assert (sides == [low[leaf], high[leaf]]).all()


@quick
@given(tree=any_tree)
def test_json_there_and_back(page, tree):
    assert page["unlisted"](json.loads(json.dumps(page["listed"](tree)))) == tree


@quick
@given(tree=any_tree)
def test_contours_are_never_wider_than_strips(page, tree):
    packaged = tree_from_tests(ROWS, KINDS, page["tests_of"](tree))
    left, right = page["contours"](tree)
    depths = packaged.depths[_preorder(packaged)]
    assert len(left) == len(right) == depths.max() + 1
    width = max(right) - min(left)
    assert max(np.bincount(depths)) - 1e-9 <= width <= packaged.n_leaves + 1e-9
    assert all(b - a >= n - 1e-9
               for a, b, n in zip(left, right, np.bincount(depths), strict=True))


def test_text_with_as_many_digits_as_are_asked_for():
    X, y = np.array([[1.23456], [2.34567]] * 5), [0, 1] * 5
    text = C45Classifier().fit(X, y).to_text(digits=2)
    assert text == "x0 <= 1.2: 0 (5/5)\nx0 > 1.2: 1 (5/5)"
