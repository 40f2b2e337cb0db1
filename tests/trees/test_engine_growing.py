"""Growing trees: a plain recursion, scikit-learn,
invariants of the arrays, extreme shapes, and hostile input."""

import os
import subprocess
import sys
from dataclasses import replace
from itertools import product
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import learn_table, load_loan
from supervised.basics.classifiers import encode_classes
from supervised.basics.datasets import (
    load_credit,
    load_donors,
    load_heart_disease,
)
from supervised.basics.tables import Attribute, Table, is_missing
from supervised.features.engine.impurity import _ERROR, ENTROPY, GINI
from supervised.features.impurity import attribute_scores
from supervised.trees.classifiers import C45Classifier, CARTClassifier, CHAIDClassifier
from supervised.trees.engine import builder
from supervised.trees.engine.builder import (
    Settings,
    _grow_subsets,
    _grow_trees,
    _sorted_rows,
    grow_tree,
    growth_trace,
)
from supervised.trees.engine.splitter import (
    MERGED,
    ONE_VALUE,
    SUBSETS,
    log_n_groupings,
    values_to_branches,
)
from supervised.trees.engine.tree import Tree, _split_forest, apply
from tests import examples

quick = examples(40)
ARRAYS = ("attribute", "threshold", "first", "n_branches", "parent", "route", "counts",
          "routes")
C45 = Settings(by_ratio=True, charge=True, large_sides=True, equal_within=1e-5, slack=1e-6,
               min_leaf=2.0)
ALL_KINDS = [
    Settings(), C45, Settings(kind=GINI, grouping=SUBSETS),
    Settings(kind=_ERROR, grouping=ONE_VALUE, min_leaf=3.0),
    Settings(grouping=MERGED, by_p_value=True,
             threshold=4.3, log_alpha=float(np.log(0.05))),
]


def grown(X, y, how=None, weights=None, rows=None):
    table = learn_table(X)
    classes, labels = encode_classes(y)
    weights = np.ones(len(table)) if weights is None else np.asarray(weights, dtype=float)
    return grow_tree(table, labels, weights, classes, how or Settings(), rows)


def same(a, b):
    return all(np.allclose(getattr(a, f), getattr(b, f), atol=1e-9, equal_nan=True)
               for f in ARRAYS)


@st.composite
def problems(draw, missing=True):
    """A small table of two names and two numbers with ties, its labels and weights."""
    n = draw(st.integers(1, 25))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = pd.DataFrame({
        "a": pd.Categorical.from_codes(rng.integers(0, 3, n), list("xyz")),
        "b": rng.integers(0, 4, n).astype(float),
        "c": pd.Categorical.from_codes(rng.integers(0, 2, n), ["no", "yes"]),
        "d": rng.integers(0, 9, n) / 4,
    })
    if missing and draw(st.booleans()):
        X = X.mask(rng.random(X.shape) < 0.15)
    y = rng.integers(0, draw(st.integers(1, 3)), n)
    weights = rng.integers(1, 5, n) / draw(st.sampled_from([1, 2]))
    return X, y, weights


# ------------------------------------------------------------------ a plain recursion


def plain_impurity(counts, kind):
    n = sum(counts)
    shares = [c / n for c in counts if c > 0] if n > 0 else []
    if kind == ENTROPY:
        return -sum(p * log2(p) for p in shares)
    return ((1 - sum(p * p for p in shares) if kind == GINI else 1 - max(shares)) if shares
            else 0.0)


def plain_tree(columns, domains, labels, k, held, how, used=frozenset(), depth=0):
    """C4.5's recursion over lists of (row, weight);
    columns hold None where a value is missing."""

    def count(pairs):
        return [sum(w for i, w in pairs if labels[i] == j) for j in range(k)]

    def size(pairs):
        return sum(w for _, w in pairs)

    counts, n = count(held), size(held)
    leaf = (None, None, counts, [])
    if n - max(counts) < 1e-6 or n < 2 * how.min_leaf - 1e-6 or depth >= how.max_depth:
        return leaf
    best = None
    for a, column in enumerate(columns):
        known = [(i, w) for i, w in held if column[i] is not None]
        if domains[a] is not None:
            splits = [] if a in used else [(None, [[p for p in known if column[p[0]] == v]
                                                   for v in range(domains[a])])]
        else:
            values = sorted({column[i] for i, _ in known})
            if size(known) - max(count(known), default=0) < 1e-6:
                values = []  # no cut helps where all that is known is of one class
            cuts = [(low + high) / 2 for low, high in zip(values, values[1:], strict=False)]
            sides = [[[p for p in known if (column[p[0]] > cut) == right]
                      for right in (False, True)] for cut in cuts]
            splits = list(zip(cuts, sides, strict=True))
        for cut, parts in splits:
            large = sum(size(part) > how.min_leaf - 1e-6 for part in parts)
            if large < 2:
                continue
            after = sum(size(part) * plain_impurity(count(part), how.kind)
                        for part in parts)
            gain = (size(known) * plain_impurity(count(known), how.kind) - after) / n
            if gain >= how.threshold - 1e-12 and (best is None or gain > best[0] + 1e-9):
                best = gain, a, cut, parts, known
    if best is None:
        return leaf
    _, a, cut, parts, known = best
    below = []
    for part in parts:
        share = size(part) / size(known)
        lost = [(i, w * share) for i, w in held if columns[a][i] is None and share > 1e-6]
        below.append(plain_tree(columns, domains, labels, k, part + lost, how, used | {a},
                                depth + 1))
    return a, cut, counts, below


def nested(tree, node=0):
    counts = tree.counts[node].tolist()
    if tree.n_branches[node] == 0:
        return None, None, counts, []
    cut = None if np.isnan(tree.threshold[node]) else float(tree.threshold[node])
    children = range(tree.first[node], tree.first[node] + tree.n_branches[node])
    return int(tree.attribute[node]), cut, counts, [nested(tree, c) for c in children]


def assert_alike(ours, plain):
    assert ours[:2] == plain[:2]
    assert ours[2] == pytest.approx(plain[2], abs=1e-6)
    assert len(ours[3]) == len(plain[3])
    for a, b in zip(ours[3], plain[3], strict=True):
        assert_alike(a, b)


@examples(150)
@given(problems(), st.sampled_from([ENTROPY, GINI, _ERROR]),
       st.sampled_from([0.5, 1.0, 2.0]),
       st.sampled_from([0.0, 0.02]), st.sampled_from([2, 2**31 - 1]))
def test_plain_recursion(problem, kind, min_leaf, threshold, max_depth):
    X, y, weights = problem
    how = Settings(kind=kind, min_leaf=min_leaf, threshold=threshold, max_depth=max_depth)
    table = learn_table(X)
    columns = [[None if lost else value
                for value, lost in zip(column.tolist(), is_missing(column), strict=True)]
               for _, column in table.columns()]
    domains = [len(a.domain) if a.is_nominal else None for a in table.attributes]
    classes, labels = encode_classes(y)
    held = list(enumerate(weights.tolist()))
    assert_alike(nested(grown(X, y, how, weights)),
                 plain_tree(columns, domains, labels, len(classes), held, how))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("kind", "name"), [(ENTROPY, "entropy"), (GINI, "gini")])
def test_scikit_learn_on_numbers(seed, kind, name):
    rng = np.random.default_rng(seed)
    # scikit-learn keeps single precision
    X = rng.normal(size=(3000, 4)).astype(np.float32).astype(float)
    y = ((X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=3000) > 0)
         .astype(int) + (X[:, 3] > 1))
    ours = grown(X, y, Settings(kind=kind, max_depth=4, min_leaf=60.0))
    theirs = DecisionTreeClassifier(criterion=name, max_depth=4, min_samples_leaf=60,
                                    random_state=0).fit(X, y).tree_
    inner = theirs.feature >= 0
    mine = ~ours.is_leaf
    assert ours.n_leaves == theirs.n_leaves
    assert sorted(ours.attribute[mine]) == sorted(theirs.feature[inner])
    assert np.allclose(np.sort(ours.threshold[mine]), np.sort(theirs.threshold[inner]))


def test_scikit_learn_on_breast_cancer():
    X, y = load_breast_cancer(return_X_y=True)
    X = X.astype(np.float32).astype(float)
    ours = grown(X, y, Settings(max_depth=3))
    theirs = DecisionTreeClassifier(criterion="entropy", max_depth=3,
                                    random_state=0).fit(X, y)
    assert (ours.labels[apply(ours, learn_table(X))] == theirs.predict(X)).mean() > 0.99
    assert (ours.attribute[0], ours.threshold[0]) == (
        theirs.tree_.feature[0], pytest.approx(theirs.tree_.threshold[0]))


# ----------------------------------------------------------------- the arrays hang together


def assert_sound(tree):
    """What every reader of a tree relies on."""
    nodes = np.arange(tree.n_nodes)
    inner = nodes[~tree.is_leaf]
    assert (tree.parent[0] == -1 and (tree.parent[1:] < nodes[1:]).all()
            and (tree.parent[1:] >= 0).all())
    assert ((tree.attribute[tree.is_leaf] == -1).all()
            and (tree.first[tree.is_leaf] == -1).all())
    children = np.concatenate([np.arange(tree.first[i], tree.first[i] + tree.n_branches[i])
                               for i in inner] or [[]])
    assert sorted(children) == nodes[1:].tolist()
    assert ((tree.n_branches[inner] >= 2).all()
            and tree.n_leaves + len(inner) == tree.n_nodes)
    sums = np.zeros_like(tree.counts)
    np.add.at(sums, tree.parent[1:], tree.counts[1:])
    # no instance is lost, none is counted twice
    assert np.allclose(sums[inner], tree.counts[inner])
    nominal = np.array([tree.attributes[tree.attribute[i]].is_nominal for i in inner],
                       dtype=bool)
    assert np.isnan(tree.threshold[inner]).tolist() == nominal.tolist()
    for i in inner[nominal]:
        route = tree.routes[tree.route[i] :][
            : len(tree.attributes[tree.attribute[i]].domain)]
        assert set(route) - {-1} == set(range(tree.n_branches[i]))
    assert np.allclose(tree.distributions.sum(axis=1), 1)


@quick
@given(problems(), st.sampled_from(ALL_KINDS))
def test_arrays_are_sound(problem, how):
    assert_sound(grown(problem[0], problem[1], how, problem[2]))


@quick
@given(problems(missing=False), st.sampled_from(ALL_KINDS))
def test_rows_end_where_they_were_counted(problem, how):
    X, y, weights = problem
    tree, table = grown(X, y, how, weights), learn_table(X)
    counts = np.zeros_like(tree.counts)
    np.add.at(counts, (apply(tree, table), encode_classes(y)[1]), weights)
    assert tree.is_leaf[apply(tree, table)].all()
    assert np.allclose(counts[tree.is_leaf], tree.counts[tree.is_leaf])


@quick
@given(problems(), st.sampled_from(ALL_KINDS))
def test_the_order_of_rows_is_irrelevant(problem, how):
    X, y, weights = problem
    order = np.random.default_rng(len(X)).permutation(len(X))
    assert same(grown(X, y, how, weights),
                grown(X.iloc[order].reset_index(drop=True), y[order], how, weights[order]))


@quick
@given(problems(), st.sampled_from(ALL_KINDS))
def test_weights_are_repeated_rows(problem, how):
    X, y, _ = problem
    # attributes with many values count in the average gain or not by the number of rows
    how = how._replace(by_ratio=False)
    times = np.random.default_rng(len(X)).integers(1, 4, len(X))
    places = np.repeat(np.arange(len(X)), times)
    repeated = grown(X.iloc[places].reset_index(drop=True), y[places], how)
    assert same(repeated, grown(X, y, how, times))
    assert same(repeated, grown(X.iloc[places].reset_index(drop=True), y[places], how,
                                rows=np.arange(len(places))))
    halves = np.tile(np.arange(len(X)), 2)
    in_halves = grown(X.iloc[halves].reset_index(drop=True), y[halves], how,
                      np.tile(times, 2) / 2)
    assert same(grown(X, y, how, times), in_halves)


def test_rows_without_a_value_make_no_chain_of_tests():
    """Where all known rows are of one class, cuts only peeled off one after the other, as
    parts of rows without a value keep the node mixed: 534 tests on a path."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y = (x + rng.normal(size=300) / 2 > 0).astype(int)
    known = rng.random(300) > 0.3
    X = pd.DataFrame({"x": np.where(known, x, np.nan)})
    for kind in (ENTROPY, GINI):
        gaps = grown(X, y, Settings(kind=kind))
        alone = grown(X[known].reset_index(drop=True), y[known], Settings(kind=kind))
        assert gaps.n_leaves == alone.n_leaves and gaps.depths.max() == alone.depths.max()


def test_release_8_counts_rows_for_a_cut_not_weights():
    """Three rows of weight 2 are as good as six for a cut with two on each side, but not in
    release 8 and in J48."""
    X, y = pd.DataFrame({"x": [1.0, 2.0, 3.0]}), np.array(["a", "b", "b"])
    how = Settings(large_sides=True, min_leaf=2.0)
    assert grown(X, y, how, np.full(3, 2.0)).n_leaves == 2
    twice, theirs = np.repeat(np.arange(3), 2), how._replace(count_rows=True)
    assert grown(X, y, theirs, np.full(3, 2.0)).n_leaves == 1
    assert grown(X.iloc[twice].reset_index(drop=True), y[twice], theirs).n_leaves == 2


@quick
@given(problems(), st.sampled_from(ALL_KINDS))
def test_rows_may_be_picked_and_repeated(problem, how):
    X, y, weights = problem
    rows = np.random.default_rng(len(X)).integers(0, len(X), len(X))
    classes, labels = encode_classes(y)
    table = learn_table(X)
    picked = grow_tree(table, labels, weights, classes, how._replace(by_ratio=False), rows)
    assert same(picked, grow_tree(table[rows], labels[rows], weights[rows], classes,
                                  how._replace(by_ratio=False)))


@quick
@given(problems(missing=False))
def test_as_few_mistakes_as_any_classifier_can_make(problem):
    X, y, _ = problem
    tree = grown(X, y)
    alike = pd.Series(y).groupby([X[c] for c in X], observed=True)
    unavoidable = sum(len(group) - group.value_counts().max() for _, group in alike)
    assert ((tree.labels[apply(tree, learn_table(X))] != encode_classes(y)[1])
            .sum() == unavoidable)


@quick
@given(problems(), st.integers(0, 3), st.sampled_from([1.0, 2.0, 5.0]))
def test_limits_hold(problem, max_depth, min_leaf):
    X, y, weights = problem
    tree = grown(X[["b", "d"]], y,
                 Settings(max_depth=max_depth, min_leaf=min_leaf), weights)
    sizes = tree.counts.sum(axis=1)
    assert tree.depths.max() <= max_depth and (sizes[1:] > min_leaf - 1e-5).all()
    fewer = grown(X, y, Settings(threshold=0.1), weights)
    assert fewer.n_nodes <= grown(X, y, Settings(), weights).n_nodes


# ------------------------------------------------------------------ extreme shapes


def test_nothing_to_ask():
    for X, y in [
        (pd.DataFrame({"x": [1.0]}), ["a"]),  # one row
        (pd.DataFrame({"x": [1.0, 2.0], "n": ["p", "q"]}), ["a", "a"]),  # one class
        (pd.DataFrame({"x": [1.0] * 4, "n": ["p"] * 4}), list("abab")),  # constant columns
        # nothing known
        (pd.DataFrame({"x": [np.nan] * 4, "n": pd.Categorical([None] * 4, ["p", "q"])}),
         list("abab")),
        # an empty domain
        (pd.DataFrame({"n": pd.Series([None] * 4, dtype=object)}), list("abab")),
    ]:
        for how in ALL_KINDS:
            tree = grown(X, y, how)
            assert (tree.n_nodes, tree.n_leaves, tree.depths.tolist()) == (1, 1, [0])
            assert apply(tree, learn_table(X)).tolist() == [0] * len(X)
            trace = growth_trace(tree, learn_table(X), encode_classes(y)[1], settings=how)
            assert (len(trace) == 0 and ("gain_ratio" in trace) == how.by_ratio
                    and "chosen" in trace)


def test_an_attribute_without_values_beside_a_good_one():
    X = pd.DataFrame({"empty": pd.Series([None] * 4, dtype=object), "lost": [np.nan] * 4,
                      "x": [1, 2, 3, 4.0]})
    for how in ALL_KINDS[:4]:
        tree = grown(X, list("aabb"),
                     how._replace(min_leaf=1.0, charge=False, large_sides=False))
        assert tree.attribute.tolist() == [2, -1, -1] and tree.threshold[0] == 2.5


def test_ten_thousand_categories():
    n = 10_000
    X = pd.DataFrame({"id": pd.Categorical.from_codes(np.arange(n), np.arange(n)),
                      "x": np.arange(n) % 2})
    tree = grown(X, np.arange(n) % 2)
    assert tree.attribute[0] == 0 and tree.n_leaves == n and len(tree.routes) == n
    assert grown(X, np.arange(n) % 2, Settings(by_ratio=True)).n_leaves == 2


@pytest.mark.deep
def test_a_chain_of_ten_thousand_questions():
    n = 10_001
    tree = grown(np.arange(float(n))[:, None], np.arange(n) % 2)
    assert tree.depths.max() == n - 1 and tree.n_leaves == n
    assert_sound(tree)
    assert (tree.labels[apply(tree, learn_table(np.arange(float(n))[:, None]))]
            == np.arange(n) % 2).all()


@pytest.mark.deep
def test_a_hundred_thousand_leaves():
    rng = np.random.default_rng(0)
    names = pd.Categorical.from_codes(rng.integers(0, 300, 250_000), range(300))
    X = pd.DataFrame({"n": names, "x": rng.random(250_000)})
    tree = grown(X, rng.integers(0, 2, 250_000))
    assert tree.n_leaves > 100_000 and tree.counts.sum(axis=0)[0] > 0
    assert tree.counts[tree.is_leaf].min(axis=1).max() == 0  # every leaf is pure
    assert tree.counts[tree.is_leaf].sum() == 250_000


def test_many_missing_values_need_more_room_than_there_are_rows():
    rng = np.random.default_rng(1)
    X = (pd.DataFrame(rng.integers(0, 4, (300, 12)).astype(float))
         .mask(rng.random((300, 12)) < 0.4))
    X["n"] = (pd.Categorical(rng.choice(list("abcdef"), 300))
              .set_categories(list("abcdefgh")))
    X.loc[rng.random(300) < 0.4, "n"] = np.nan
    for how in ALL_KINDS:
        tree = grown(X, rng.integers(0, 3, 300), how._replace(max_depth=7))
        assert_sound(tree)
        assert tree.counts[0].sum() == 300


def test_only_names_only_numbers_and_both():
    X, y = load_heart_disease()
    numbers, names = X.select_dtypes("number"), X.select_dtypes(exclude="number")
    for part in (numbers, names, X, names.iloc[:, :1], numbers.iloc[:, :1]):
        assert_sound(grown(part, y))


def test_rows_picked_more_often_than_there_are():
    X, y = load_loan()
    # kernels look n log n up in a table, which must be long enough
    many = np.tile(np.arange(15), 40)
    assert (grown(X, y, rows=many).counts == 40 * grown(X, y).counts).all()


def test_huge_and_tiny_numbers():
    x = np.array([-1.7e308, -1e-320, 0.0, 1e-320, 1.7e308])
    tree = grown(x[:, None], [0, 1, 0, 1, 0])
    stops = apply(tree, learn_table(x[:, None]))
    assert tree.labels[stops].tolist() == [0, 1, 0, 1, 0]
    a, b = 1.0, np.nextafter(1.0, 2.0)
    tree = grown(np.array([[a], [b]]), [0, 1])
    assert tree.labels[apply(tree, learn_table(np.array([[a], [b]])))].tolist() == [0, 1]


# ------------------------------------------------------------------ ties, ghosts, ways down


def test_the_first_of_equal_attributes_and_the_lowest_of_equal_cuts():
    x = np.array([0, 1, 2, 3, 4, 5.0])
    y = [0, 1, 1, 1, 1, 0]  # the first and the last cut are equally good
    tree = grown(np.column_stack([x, x[::-1], x]), y)
    assert (tree.attribute[0], tree.threshold[0]) == (0, 0.5)
    assert grown(np.column_stack([x % 1, x, x]), y).attribute[0] == 1
    twice = pd.DataFrame({"p": list("aabb"), "q": list("aabb")})
    for how in (Settings(), Settings(by_ratio=True), Settings(grouping=SUBSETS)):
        assert grown(twice, [0, 0, 1, 1], how).attribute[0] == 0


def test_a_ghost_leaf_answers_for_its_parent():
    X = pd.DataFrame({"n": pd.Categorical(list("aaab"), list("abc"))})
    tree = grown(X, [0, 0, 0, 1])
    assert tree.counts.tolist() == [[3, 1], [3, 0], [0, 1], [0, 0]]
    assert (tree.distributions[3].tolist() == [0.75, 0.25]
            and tree.labels.tolist() == [0, 0, 1, 0])
    ghost = learn_table(pd.DataFrame({"n": pd.Categorical(["c"], list("abc"))}))
    assert apply(tree, ghost).tolist() == [3]


def test_a_ghost_below_a_ghost_and_a_tie_up_to_rounding():
    tree = grown(pd.DataFrame({"n": pd.Categorical(list("aaab"), list("abc"))}),
                 [0, 0, 0, 1])
    below = {"attribute": [0, -1, -1, 0, -1, -1, -1], "first": [1, -1, -1, 4, -1, -1, -1],
             "route": [0, -1, -1, 0, -1, -1, -1], "n_branches": [3, 0, 0, 3, 0, 0, 0],
             "parent": [-1, 0, 0, 0, 3, 3, 3]}
    counts = np.array([[1 / 3, 1 / 3 - 1e-12], [1 / 3, 0], [0, 1 / 3], *[[0, 0]] * 4])
    deep = replace(tree, counts=counts, threshold=np.full(7, np.nan),
                   **{k: np.array(v) for k, v in below.items()})
    assert (np.allclose(deep.distributions[3:], 0.5)
            and deep.labels.tolist() == [0, 0, 1, 0, 0, 0, 0])
    swapped = replace(deep, counts=counts[:, ::-1])
    # equal classes: the first, whatever the rounding
    assert swapped.labels.tolist() == [0, 1, 0, 0, 0, 0, 0]


def test_a_row_without_a_value_stops_at_the_question():
    X = pd.DataFrame({"n": pd.Categorical(list("aabb")), "x": [1.0, 2, 1, 2]})
    tree = grown(X, [0, 0, 1, 2])
    unknown = pd.DataFrame({"n": pd.Categorical([None, "b", "b"], list("ab")),
                            "x": [1.0, np.nan, 9.0]})
    stops = apply(tree, learn_table(unknown))
    assert (stops[0] == 0 and tree.parent[stops[1]] == 0 and tree.attribute[stops[1]] == 1
            and tree.is_leaf[stops[2]])
    assert tree.labels[stops[2]] == 2


def test_a_value_without_a_route_stops_too():
    X = pd.DataFrame({"n": pd.Categorical(list("aabb"), list("abc"))})
    tree = grown(X, [0, 0, 1, 1], Settings(grouping=SUBSETS))
    assert tree.routes.tolist() == [0, 1, -1]
    assert (apply(tree,
                     learn_table(pd.DataFrame({"n": pd.Categorical(["c"], list("abc"))})))
            .tolist() == [0])


def test_last_nodes_reads_tables_of_every_layout():
    X, y = load_credit()
    tree, table = grown(X, y), learn_table(X)
    wanted = apply(tree, table)
    backwards = np.arange(len(table))[::-1]
    assert (apply(tree, table[backwards]) == wanted[::-1]).all()
    assert (apply(tree, table[:100]) == wanted[:100]).all()
    assert len(apply(tree, table[:0])) == 0


def test_sorted_rows():
    table = learn_table(pd.DataFrame({"n": list("ab" * 3),
                                      "x": [3, np.nan, 1, 2, np.nan, 0]}))
    lists = _sorted_rows(table)
    assert lists[0].tolist() == list(range(6)) and lists[1, :4].tolist() == [5, 2, 3, 0]
    assert sorted(lists[1, 4:]) == [1, 4]
    assert _sorted_rows(table, np.array([3, 0, 3])).tolist() == [[3, 0, 3], [3, 3, 0]]
    assert _sorted_rows(learn_table(pd.DataFrame({"n": list("ab")}))).shape == (1, 2)


# ------------------------------------------------------------------ groups of names


def asked(rng, m, d, v, k):
    """Counts of values and classes at m nodes for each of d attributes, and the data and
    settings that say which of these are ordered, and which value floats."""
    counts = rng.integers(0, 12, (m * d, v + 1, k)) * rng.integers(0, 2, (m * d, v + 1, 1))
    counts[:, 0, 0] += 1  # something occurs
    frame = pd.DataFrame({f"a{j}": pd.Categorical(list("pq"), list("pqrstu")[:v],
                                                  ordered=bool(rng.integers(2)))
                          for j in range(d)})
    table = learn_table(frame)
    data = builder._data_of(table, np.array([0, 1]), np.ones(2), k, 2.0)
    how = Settings(grouping=MERGED, log_alpha=float(np.log(0.1)),
                   floating=tuple(rng.integers(-1, v, d).tolist()))
    return counts.astype(float), data, how, np.repeat(np.arange(d), m)


@quick
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(2, 4))
def test_values_of_all_nodes_are_merged_as_those_of_one(seed, v, k):
    counts, data, how, entries = asked(np.random.default_rng(seed), 4, 3, v, k)
    routes = builder._merged_values(counts[:, :-1], data, how, entries)
    for one, a, route in zip(counts[:, :-1], entries, routes, strict=True):
        wanted = values_to_branches(one, MERGED, bool(data.is_ordered[a]), ENTROPY,
                                    how.log_alpha, np.empty(0), how.floating[a])
        assert route.tolist() == wanted.tolist()


def test_names_of_many_classes_are_divided_in_every_way():
    """Values 0, 1, 4 against 2, 3, 5 is no cut of an order, and significant (SciPy)."""
    counts = np.array([[1, 2, 3, 0], [2, 2, 3, 0], [4, 1, 0, 1], [1, 2, 0, 3], [1, 3, 2, 2],
                       [2, 0, 2, 2], [0, 0, 0, 0]], dtype=float)
    _, data, how, _ = asked(np.random.default_rng(0), 1, 1, 6, 4)
    data = replace(data, is_ordered=np.array([False]))
    how = how._replace(floating=(), log_alpha=float(np.log(0.05)))
    routes = builder._merged_values(counts[None, :-1], data, how, np.array([0]))
    assert routes.tolist() == [[0, 0, 1, 1, 0, 1]]
    sides = [counts[[0, 1, 4]].sum(axis=0), counts[[2, 3, 5]].sum(axis=0)]
    assert chi2_contingency(sides, correction=False).pvalue < 0.05


@quick
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(2, 4))
def test_significance_by_scipy(seed, v, k):
    counts, data, how, entries = asked(np.random.default_rng(seed), 4, 3, v, k)
    routes = builder._merged_values(counts[:, :-1], data, how, entries)
    branches = np.zeros((len(counts), v, k))
    for i, b in product(range(len(counts)), range(v)):
        branches[i, b] = counts[i, :-1][routes[i] == b].sum(axis=0)
    bits = builder._bits_of(branches, routes, data.is_ordered[entries],
                                   builder._floating(how, entries))
    for i, a in enumerate(entries):
        groups = branches[i, : routes[i].max() + 1]
        groups = groups[:, groups.any(axis=0)]
        log2_p, here = 0.0, routes[i] >= 0
        if min(groups.shape) > 1:
            log2_p = np.log2(chi2_contingency(groups, correction=False).pvalue)
        if len(groups) > 1:
            floats = how.floating[a] >= 0 and here[how.floating[a]]
            log2_p += log_n_groupings(int(here.sum()), len(groups),
                                      bool(data.is_ordered[a]), bool(floats)) / np.log(2)
        assert bits[i] == pytest.approx(max(-log2_p, 0), rel=1e-8, abs=1e-8)


@quick
@given(st.integers(0, 2**32 - 1), st.sampled_from([ENTROPY, GINI, _ERROR]))
def test_groups_are_weighed_by_definition(seed, kind):
    rng = np.random.default_rng(seed)
    counts, _, _, _ = asked(rng, 5, 2, 4, 3)
    routes = np.where(counts[:, :-1].any(axis=2), rng.integers(0, 3, (10, 4)), -1)
    branches, n_large = np.zeros((10, 3, 3)), np.zeros(10, np.int64)
    gains, infos = np.zeros(10), np.zeros(10)
    builder._weigh_groups(counts, routes, kind, 5.0, np.empty(0), branches, n_large,
                                 gains, infos)
    for i, (one, route) in enumerate(zip(counts, routes, strict=True)):
        sides = [one[:-1][route == b].sum(axis=0) for b in range(3)]
        assert np.array_equal(branches[i], sides)
        sizes = np.array([side.sum() for side in sides])
        assert n_large[i] == (sizes > 5).sum()
        after = sum(n * plain_impurity(s, kind) for n, s in zip(sizes, sides, strict=True)
                    if n > 0)
        before = sizes.sum() * plain_impurity(sum(sides), kind)
        # L: what is missing gains nothing, and is a branch of the split info
        assert gains[i] == pytest.approx((before - after) / one.sum(), abs=1e-12)
        assert infos[i] == pytest.approx(
            plain_impurity(np.append(sizes, one[-1].sum()), ENTROPY))


@pytest.mark.parametrize("how", [how for how in ALL_KINDS if how.grouping])
def test_nodes_in_pieces(how, monkeypatch):
    X, y = load_credit()
    whole = grown(X, y, how)
    monkeypatch.setattr(builder, "_MOST_COUNTS", 200)
    assert same(grown(X, y, how), whole) and whole.n_nodes > 20


# ------------------------------------------------------------------ the trace


@quick
@given(problems(missing=False))
def test_trace_agrees_with_attribute_scores(problem):
    X, y, weights = problem
    table, labels = learn_table(X), encode_classes(y)[1]
    how = Settings(min_leaf=0.0)  # some weights are less than 1
    tree = grown(X, y, how, weights)
    trace, stops = growth_trace(tree, table, labels, weights, how), apply(tree, table)
    for node, tests in trace.groupby("node"):
        below = stops.copy()
        while (below > node).any():
            below = np.where(below > node, tree.parent[below], below)
        here = below == node
        scores = attribute_scores(X[here], y[here], sample_weight=weights[here])
        assert np.allclose(tests["gain"], scores["gain"][tests["attribute"]])
        assert np.allclose(tests["cut"], scores["cut"][tests["attribute"]], equal_nan=True)
        assert (tests["instances"] == weights[here].sum()).all()
        assert tests["chosen"].sum() == (not tree.is_leaf[node])
        if tests["chosen"].any():
            best = tests[tests["chosen"]].iloc[0]
            assert best["gain"] >= tests["gain"].max() - 1e-8
            assert np.isclose(best["cut"], tree.threshold[node], equal_nan=True)


def test_trace_of_the_gain_ratio_and_of_missing_values():
    X, y = load_heart_disease()
    table, labels = learn_table(X), encode_classes(y)[1]
    how = Settings(by_ratio=True, charge=True)
    tree = grown(X, y, how)
    trace = growth_trace(tree, table, labels, settings=how)
    root = trace[trace["node"] == 0].set_index("attribute")
    scores = attribute_scores(X, y, "gain_ratio").loc[root.index]
    assert (np.allclose(root["gain_ratio"], scores["gain_ratio"])
            and np.allclose(root["gain"], scores["net_gain"]))
    assert root["chosen"].idxmax() == attribute_scores(X, y, "gain_ratio").index[0]
    sizes = trace.groupby("node")["instances"].first()
    # the shares of rows without a value, too
    assert np.allclose(sizes, tree.counts.sum(axis=1)[sizes.index])
    assert (trace.groupby("node")["chosen"].sum() == ~tree.is_leaf[sizes.index]).all()


def test_trace_of_a_learner_is_by_its_own_criterion():
    X, y = load_loan()
    table, labels = learn_table(X), encode_classes(y)[1]
    model = C45Classifier(pruning=None).fit(X, y)
    trace = growth_trace(model, table, labels)
    scores = attribute_scores(X, y, "gain_ratio")
    root = trace[trace["node"] == 0].set_index("attribute")
    assert np.allclose(root["gain_ratio"], scores["gain_ratio"][root.index])
    names = pd.DataFrame({"id": [*"abcdefgh"], "x": [*"uuuuvvvv"]})
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    # by hand: both gain 1 bit, but asking for eight names costs 3 bits
    trace = growth_trace(C45Classifier(pruning=None, min_num_obj=1).fit(names, y),
                         learn_table(names), np.array(y)).set_index("attribute")
    assert trace["gain"].tolist() == [1, 1]
    assert trace["gain_ratio"].tolist() == pytest.approx([1 / 3, 1])
    assert trace["chosen"].tolist() == [False, True]
    gini = growth_trace(CARTClassifier().fit(names, y), learn_table(names), np.array(y))
    assert gini["before"].iloc[0] == 0.5  # Gini's index, not one bit
    # a class that counts three times: three quarters of the weight
    priced = CARTClassifier(class_weight={1: 3.0}).fit(names, y)
    trace = growth_trace(priced, learn_table(names), np.array(y))
    assert trace["before"].iloc[0] == pytest.approx(1 - 0.75**2 - 0.25**2)
    assert trace["instances"].iloc[0] == pytest.approx(priced.tree_.counts[0].sum())


def test_trace_of_groups_of_values():
    X, y = load_credit()
    table, labels = learn_table(X), encode_classes(y)[1]
    model = CHAIDClassifier(max_depth=1).fit(X, y)
    trace = growth_trace(model, table, labels)
    root = trace[trace["node"] == 0].set_index("attribute")
    assert root["gain"].idxmax() == root["chosen"].idxmax()
    assert root["gain"].max() > -np.log2(0.05)


def test_trace_names_the_paths():
    X, y = load_donors()
    trace = growth_trace(grown(X, y), learn_table(X), encode_classes(y)[1],
                         settings=Settings())
    assert trace["path"].unique().tolist() == ["", "Salary <= 55500"]
    groups = pd.DataFrame({"n": list("aabbcc"), "x": [0, 1, 0, 1, 0, 0.0]})
    how = Settings(grouping=SUBSETS)
    labels = np.array([0, 1, 0, 1, 2, 2])
    trace = growth_trace(grown(groups, labels, how), learn_table(groups), labels,
                         settings=how)
    assert trace["path"].unique().tolist() == ["", "n = a or b"]


# ------------------------------------------------------------------ input that does not fit


def test_input_that_does_not_fit():
    X, y = load_loan()
    table, (classes, labels) = learn_table(X), encode_classes(y)
    ones = np.ones(15)
    for change, message in [
        ({"labels": labels[:-1]}, "15 rows, but there are 14 labels"),
        ({"weights": ones[:3]}, "3 weights"),
        ({"labels": labels + 1}, "range from 1 to 2"),
        ({"labels": labels - 1}, "range from -1"),
        ({"weights": ones * 0}, "weights must be positive"),
        ({"weights": ones * np.nan}, "weights must be positive"),
        ({"weights": ones * np.inf}, "weights must be positive"),
        ({"rows": np.empty(0, dtype=int)}, "no row"),
    ]:
        arguments = {"table": table, "labels": labels, "weights": ones, "classes": classes,
                     "settings": Settings()} | change
        with pytest.raises(ValueError, match=message):
            grow_tree(**arguments)
    empty = Table([Attribute("x")], np.empty((0, 0), dtype=np.int16), np.empty((0, 1)))
    with pytest.raises(ValueError, match="no row"):
        grow_tree(empty, np.empty(0, dtype=int), np.empty(0), classes, Settings())
    with pytest.raises(ValueError, match="labels"):
        growth_trace(grown(X, y), table, labels[:3], settings=Settings())
    with pytest.raises(ValueError, match="settings is missing"):
        growth_trace(grown(X, y), table, labels)


def test_settings_of_any_number_type_and_tables_of_any_layout_share_one_compilation():
    X, y = load_credit()
    table, (classes, labels) = learn_table(X), encode_classes(y)
    wanted = grow_tree(table, labels, np.ones(1000), classes,
                       Settings(min_leaf=2.0, max_depth=3))
    before = len(getattr(builder._score_cuts, "signatures", []))
    odd = Settings(min_leaf=np.float32(2), threshold=0, by_ratio=np.bool_(False),
                   max_depth=3.0)
    for how in (Settings(min_leaf=2, max_depth=np.int32(3)), odd):
        assert same(grow_tree(table, labels.astype(np.int16), np.ones(1000), classes, how),
                    wanted)
    for other in (table[np.arange(1000)], table[:1000], learn_table(X.iloc[:, :2])):
        grow_tree(other, labels, np.ones(1000), classes, Settings())
    assert len(getattr(builder._score_cuts, "signatures", [])) == before


# ---------------------------------------------------------------- several trees at once


@quick
@given(problems(), st.sampled_from(ALL_KINDS), st.integers(1, 6))
def test_trees_that_grow_together_are_those_that_grow_alone(problem, how, n_trees):
    X, y = problem[:2]
    table, (classes, labels) = learn_table(X), encode_classes(y)
    rng, n = np.random.default_rng(0), len(labels)
    drawn = [np.sort(rng.integers(n, size=n)) for _ in range(n_trees)]
    copies = np.array([np.bincount(rows, minlength=n) for rows in drawn])
    lists = _sorted_rows(table)
    before = lists.copy(), copies.copy()
    grove = _grow_trees(table, labels, classes, how, copies, lists)
    for tree, one, rows in zip(_split_forest(grove, n_trees, grove.is_leaf), copies, drawn,
                               strict=True):
        alone = _grow_trees(table, labels, classes, how, one[None], lists)
        alone = _split_forest(alone, 1, alone.is_leaf)[0]
        assert all(np.array_equal(getattr(tree, f), getattr(alone, f),
                                  equal_nan=f == "threshold") for f in ARRAYS)
        written_out = grow_tree(table, labels, np.ones(n), classes, how, rows)
        assert same(tree, written_out)
    assert np.array_equal(lists, before[0]) and np.array_equal(copies, before[1])


@quick
@given(problems(), st.sampled_from(ALL_KINDS), st.integers(1, 5))
def test_subsets_that_grow_together_are_those_that_grow_alone(problem, how, n_trees):
    X, y = problem[:2]
    table, (classes, labels) = learn_table(X), encode_classes(y)
    rng, n = np.random.default_rng(0), len(labels)
    weights = rng.choice([0.5, 1.0, 3.0], n)
    subsets = [np.sort(rng.choice(n, rng.integers(1, n + 1), replace=False))
               for _ in range(n_trees)]
    trees = _grow_subsets(table, labels, weights, classes, how, subsets)
    for tree, rows in zip(trees, subsets, strict=True):
        assert same(tree, grow_tree(table, labels, weights, classes, how, rows))


def test_no_subset_is_empty():
    table, labels = learn_table([[0.0], [1.0]]), np.array([0, 1])
    for subsets in ([np.array([0]), np.array([], dtype=int)], []):
        with pytest.raises(ValueError, match="no row to grow a tree from"):
            _grow_subsets(table, labels, np.ones(2), labels, Settings(), subsets)


def test_samples_are_of_one_size_and_fit_their_table():
    table, labels = learn_table([[0.0], [1.0]]), np.array([0, 1])
    for copies in ([[1, 1], [2, 1]], [[0, 0]], np.empty((0, 2), dtype=int)):
        with pytest.raises(ValueError, match="of one size, at least 1"):
            _grow_trees(table, labels, labels, Settings(), np.array(copies),
                        _sorted_rows(table))
    with pytest.raises(ValueError, match="2 labels and 3 weights"):
        _grow_trees(table, labels, labels, Settings(), np.ones((1, 3), dtype=int),
                    _sorted_rows(table))


def test_input_is_left_alone():
    X, y = load_heart_disease()
    table, (classes, labels) = learn_table(X), encode_classes(y)
    weights, copies = np.ones(len(labels)), (table.codes.copy(), table.values.copy(),
                                             labels.copy())
    tree = grow_tree(table, labels, weights, classes, Settings())
    growth_trace(tree, table, labels, weights, Settings())
    assert ((weights == 1).all() and (table.codes == copies[0]).all()
            and (labels == copies[2]).all())
    assert np.array_equal(table.values, copies[1], equal_nan=True)
    assert isinstance(tree, Tree) and tree.attributes == table.attributes
    with pytest.raises(AttributeError):
        tree.first = None


@pytest.mark.deep
def test_the_same_tree_without_numba():
    script = (
        "import numpy as np\n"
        "from supervised.basics.classifiers import encode_classes\n"
        "from supervised.basics.datasets import load_heart_disease\n"
        "from supervised.basics.tables import learn_table\n"
        "from supervised.trees.engine.builder import Settings, grow_tree\n"
        "X, y = load_heart_disease(); X, y = X[:60], y[:60]\n"
        "t, (c, l) = learn_table(X), encode_classes(y)\n"
        "for how in (Settings(), Settings(by_ratio=True, grouping=2)):\n"
        "    tree = grow_tree(t, l, np.ones(60), c, how)\n"
        "    print(tree.attribute.tolist(), "
        "tree.threshold.round(6).tolist(), tree.counts.round(6).tolist())\n"
    )
    outputs = []
    for disabled in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": disabled}
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True,
                              check=True)
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]


# ------------------------------------------------------------- large tables, many names


def best_gini(names, y):
    """Least size times Gini impurity of two groups of names, all divisions tried."""
    counts = np.zeros((9, 9))
    np.add.at(counts, (names, y), 1)
    left = np.array(list(product((0, 1), repeat=9))) @ counts
    sides = np.stack([left, counts.sum(axis=0) - left])
    n = sides.sum(axis=2)
    return (n - (sides**2).sum(axis=2) / np.maximum(n, 1)).sum(axis=0).min()


def test_few_names_are_divided_in_the_best_way():
    """With many classes the orders alone would miss a seventh of these."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        names, y = rng.integers(0, 9, 27), rng.integers(0, 9, 27)
        X = pd.DataFrame({"name": names.astype(str)})
        sides = CARTClassifier(max_depth=1).fit(X, y).tree_.counts[1:]
        found = (sides.sum(axis=1) - (sides**2).sum(axis=1) / sides.sum(axis=1)).sum()
        assert found == pytest.approx(best_gini(names, y)), seed


def test_a_large_table_grows_the_tree_of_scikit_learn():
    rng = np.random.default_rng(0)
    n = 25_000
    # no ties, exact in single precision
    X = np.column_stack([rng.permutation(n) for _ in range(3)]).astype(float)
    y = ((X[:, 0] > 0.3 * n) & (X[:, 1] < 0.6 * n)) ^ (rng.random(n) < 0.1)
    tree = grown(X, y, Settings(kind=GINI, max_depth=5, min_leaf=500.0))
    theirs = DecisionTreeClassifier(max_depth=5, min_samples_leaf=500).fit(X, y).tree_
    assert tree.n_leaves == theirs.n_leaves
    assert np.allclose(np.sort(tree.threshold[~tree.is_leaf]),
                       np.sort(theirs.threshold[theirs.feature >= 0]))


@pytest.mark.deep
def test_a_tree_compiles_only_the_searches_that_it_needs(tmp_path):
    """Two classes need no search among all subsets."""
    pytest.importorskip("numba")
    script = """
import pandas as pd
from supervised.trees import CARTClassifier
from supervised.trees.engine import splitter
X = pd.DataFrame({"name": list("abcd") * 10, "number": range(40)})
CARTClassifier().fit(X, [i % 4 > 1 for i in range(40)])
for kernel in (splitter._search_subsets, splitter._search_orders,
               splitter.best_numeric_split):
    print(kernel.py_func.__name__, len(kernel.signatures))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                          env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)})
    assert done.stdout.split()[1::2] == ["0", "1", "1"], done.stdout + done.stderr


# ------------------------------------------------------------- what a learner overrides


def test_each_seam_of_the_builder_is_asked():
    """Candidates, the choice, shares and leaves, each by itself."""
    X, y = load_heart_disease()
    table, (classes, labels) = learn_table(X), encode_classes(y)
    weights, n = np.ones(len(y)), len(y)
    data = builder._data_of(table, labels, weights, 2, n)

    def tree_of(**answers):
        kind = type("Own", (builder._TreeBuilder,), answers)
        rows = builder._NodeRows(_sorted_rows(table), weights, np.array([0]), np.array([n]))
        return kind(data, Settings()).grow(rows).tree(table, classes)

    plain = tree_of()
    assert same(plain, grow_tree(table, labels, weights, classes, Settings()))
    three = np.arange(13) < 3
    only = tree_of(candidates=lambda self, level: ~level.used & three)
    assert set(only.attribute[~only.is_leaf]) <= {0, 1, 2} and only.n_nodes > 20
    first = tree_of(choose=lambda self, scores: np.where(
        scores.valid.any(axis=1), scores.valid.argmax(axis=1), -1))
    assert first.attribute[0] == 0
    small = tree_of(may_split=lambda self, counts, depth: counts.sum(axis=1) > 100)
    assert (small.counts[~small.is_leaf].sum(axis=1) > 100).all()
    lost = tree_of(shares_of=lambda self, weights, *_: np.zeros(len(weights)))
    assert lost.counts[lost.is_leaf].sum() < n == lost.counts[0].sum()
