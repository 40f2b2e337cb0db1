"""Growing trees: a plain recursion,
invariants of the arrays, extreme shapes, and hostile input."""

from dataclasses import replace
from itertools import product
from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import learn_table, load_loan
from supervised.basics.classifiers import encode_classes
from supervised.basics.datasets import load_donors, load_heart_disease
from supervised.basics.tables import Attribute, Table, is_missing
from supervised.features.engine.impurity import _ERROR, ENTROPY, GINI
from supervised.features.impurity import attribute_scores
from supervised.trees.classifiers import C45Classifier, CARTClassifier
from supervised.trees.engine.builder import (
    Settings,
    _grow_trees,
    _sorted_rows,
    grow_tree,
    growth_trace,
)
from supervised.trees.engine.splitter import MERGED, ONE_VALUE, SUBSETS
from supervised.trees.engine.tree import _split_forest, apply
from tests import examples
from tests.trees import grown

quick = examples(40)
ARRAYS = ("attribute", "threshold", "first", "n_branches", "parent", "route", "counts",
          "routes")
C45 = Settings(by_ratio=True, mdl_correction=True, large_sides=True, equal_within=1e-5,
               slack=1e-6, min_samples_leaf=2.0)
ALL_KINDS = [
    Settings(), C45, Settings(kind=GINI, grouping=SUBSETS),
    Settings(kind=_ERROR, grouping=ONE_VALUE, min_samples_leaf=3.0),
    Settings(grouping=MERGED, by_p_value=True,
             min_gain=4.3, log_alpha=float(np.log(0.05))),
]


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
        "d": rng.integers(0, 9, n) / 4})
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
    small = n < 2 * how.min_samples_leaf - 1e-6
    if n - max(counts) < 1e-6 or small or depth >= how.max_depth:
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
            large = sum(size(part) > how.min_samples_leaf - 1e-6 for part in parts)
            if large < 2:
                continue
            after = sum(size(part) * plain_impurity(count(part), how.kind)
                        for part in parts)
            gain = (size(known) * plain_impurity(count(known), how.kind) - after) / n
            if gain >= how.min_gain - 1e-12 and (best is None or gain > best[0] + 1e-9):
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
    how = Settings(kind=kind, min_samples_leaf=min_leaf, min_gain=threshold,
                   max_depth=max_depth)
    table = learn_table(X)
    columns = [[None if lost else value
                for value, lost in zip(column.tolist(), is_missing(column), strict=True)]
               for _, column in table.columns()]
    domains = [len(a.domain) if a.is_nominal else None for a in table.attributes]
    classes, labels = encode_classes(y)
    held = list(enumerate(weights.tolist()))
    assert_alike(nested(grown(X, y, how, weights)),
                 plain_tree(columns, domains, labels, len(classes), held, how))


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
    how = Settings(large_sides=True, min_samples_leaf=2.0)
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



# ------------------------------------------------------------------ the trace


@quick
@given(problems(missing=False))
def test_trace_agrees_with_attribute_scores(problem):
    X, y, weights = problem
    table, labels = learn_table(X), encode_classes(y)[1]
    how = Settings(min_samples_leaf=0.0)  # some weights are less than 1
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
    how = Settings(by_ratio=True, mdl_correction=True)
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
        ({"weights": ones[:3]}, "3 weights"), ({"labels": labels + 1}, "range from 1 to 2"),
        ({"labels": labels - 1}, "range from -1"),
        ({"weights": ones * 0}, "weights must be positive"),
        ({"weights": ones * np.nan}, "weights must be positive"),
        ({"weights": ones * np.inf}, "weights must be positive"),
        ({"rows": np.empty(0, dtype=int)}, "no row")]:
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
