"""The tree in flat arrays: rows dealt, walked, counted and cut back, beside a recursion over lists of rows and weights."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supervised.basics import learn_table
from supervised.basics.tables import Attribute, Table
from supervised.trees.engine import (
    Piles,
    Tests,
    branch_shares,
    check_rows,
    class_shares,
    columns_of,
    cut_back,
    dealt,
    first_largest,
    last_nodes,
    node_counts,
    stops_of,
    visits,
)
from supervised.trees.engine_growing import Settings, grow_tree, sorted_rows

quick = settings(max_examples=60, deadline=None)
CLASSES = np.array(["a", "b", "c"])
WAYS = [Settings(), Settings(min_leaf=2.0), Settings(grouping=2, kind=1)]


@st.composite
def grown(draw, holes=True, names=True):
    """A random table of names and numbers with ties and gaps, its labels and weights, and a tree grown from it."""
    n, rng = draw(st.integers(2, 30)), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    attributes = [Attribute("x"), Attribute("y")]
    if names:
        attributes = [Attribute("p", "nominal", ("a", "b", "c")), *attributes, Attribute("q", "nominal", ("n", "y"))]
    codes = np.column_stack([rng.integers(-1 if holes else 0, k, n) for k in ((3, 2) if names else ())]
                            or [np.empty((n, 0))]).astype(np.int32)
    values = rng.integers(0, 7, (n, 2)) / 2
    if holes:
        values[rng.random((n, 2)) < 0.2] = np.nan
    table, labels = Table(attributes, codes, values), rng.integers(0, 3, n)
    weights = rng.choice([0.5, 1.0, 2.0], n) if draw(st.booleans()) else np.ones(n)
    tree = grow_tree(table, labels, weights, CLASSES, draw(st.sampled_from(WAYS)))
    return tree, table, labels, weights


def branch_of(tree, table, node, row):
    """The branch that a row takes at a node; None without a value, or with one that has no branch."""
    a = tree.attribute[node]
    place = table.position[a]
    if table.is_nominal[a]:
        code = table.codes[row, place]
        b = tree.routes[tree.route[node] + code] if code >= 0 else -1
        return None if b < 0 else int(b)
    x = table.values[row, place]
    return None if np.isnan(x) else int(x > tree.threshold[node])


def plain_walk(tree, table, held, shares, node=0):
    """Recursion over pairs of a row and its weight: {node: {row: weight}}."""
    came = {node: {row: w for row, w in held if w > 0}}
    if len(held) == 0:
        return came
    for b in range(tree.n_branches[node]):
        child, below = tree.first[node] + b, []
        for row, w in held:
            taken = branch_of(tree, table, node, row)
            if taken is None and shares[child] > 0:
                below.append((row, w * shares[child]))
            elif taken == b:
                below.append((row, w))
        came |= plain_walk(tree, table, below, shares, child)
    return came


@quick
@given(grown())
def test_a_walk_is_the_plain_recursion(made):
    tree, table, _, weights = made
    shares = branch_shares(tree)
    expected = plain_walk(tree, table, list(enumerate(weights.tolist())), shares)
    walk = visits(tree, table, weights, shares=shares)
    for node, came in expected.items():
        rows, parts = walk.at(node)
        assert sorted(rows) == sorted(came)  # nobody is lost, nobody counted twice
        assert parts == pytest.approx([came[row] for row in rows], abs=1e-12)
    assert len(walk.nodes) == sum(map(len, expected.values()))


@quick
@given(grown())
def test_counts_and_answers_are_those_of_the_recursion(made):
    tree, table, labels, weights = made
    came = plain_walk(tree, table, list(enumerate(weights.tolist())), branch_shares(tree))
    counts = np.zeros((tree.n_nodes, 3))
    for node, rows in came.items():
        for row, w in rows.items():
            counts[node, labels[row]] += w
    assert node_counts(tree, table, labels, weights) == pytest.approx(counts, abs=1e-9)
    assert counts == pytest.approx(tree.counts, abs=1e-9)  # the rows that it was grown from
    ends = plain_walk(tree, table, [(row, 1.0) for row in range(len(table))], branch_shares(tree))
    votes = np.zeros((len(table), 3))
    for node, rows in ends.items():
        for row, part in rows.items() if tree.is_leaf[node] else ():
            votes[row] += part * tree.distributions[node]
    assert class_shares(tree, table) == pytest.approx(votes, abs=1e-9)


@quick
@given(grown())
def test_a_row_stops_at_a_leaf_or_where_it_has_no_value(made):
    tree, table, _, _ = made
    for row, stop in enumerate(stops_of(tree, table)):
        node = 0
        while not tree.is_leaf[node] and branch_of(tree, table, node, row) is not None:
            node = tree.first[node] + branch_of(tree, table, node, row)
        assert stop == node


@quick
@given(grown(holes=False, names=False))
def test_both_ways_down_end_alike(made):
    tree, table, _, _ = made
    slow = last_nodes(tree.attribute, tree.threshold, tree.first, tree.route, tree.routes,
                      table.codes, table.values, table.is_nominal, table.position)
    assert stops_of(tree, table).tolist() == slow.tolist()


@quick
@given(grown())
def test_dealing_keeps_order_and_weight(made):
    tree, table, _, weights = made
    if tree.n_nodes == 1:
        return
    root = Tests(tree.attribute[:1], tree.threshold[:1], tree.n_branches[:1].astype(np.int64), tree.route[:1], tree.routes)
    piles = Piles(sorted_rows(table), weights.copy(), np.array([0]), np.array([len(table)]), False)
    below = dealt(piles, root, columns_of(table))
    for begin, end in zip(below.begins, below.ends, strict=True):
        rows = below.lists[:, begin:end]
        assert (np.diff(rows[0]) > 0).all()  # the order of the table
        for j in range(2):
            assert sorted(rows[1 + j]) == rows[0].tolist()
            known = table.values[rows[1 + j], j]
            assert (np.diff(known[~np.isnan(known)]) >= 0).all()
    assert below.parts[: below.ends[-1]].sum() == pytest.approx(weights.sum())


def nested(tree, node=0, leaves=()):
    """A tree as tuples; some of its nodes are taken for leaves."""
    counts = tree.counts[node].tolist()
    if tree.is_leaf[node] or node in leaves:
        return counts
    a, route = tree.attribute[node], tree.route[node]
    routes = tree.routes[route:][: len(tree.attributes[a].domain)].tolist() if route >= 0 else tree.threshold[node]
    children = range(tree.first[node], tree.first[node] + tree.n_branches[node])
    return int(a), routes, counts, [nested(tree, child, leaves) for child in children]


@quick
@given(grown(), st.integers(0, 2**32 - 1))
def test_a_tree_cut_back_is_the_tree_cut_by_hand(made, seed):
    tree, table, _, _ = made
    mask = np.random.default_rng(seed).random(tree.n_nodes) < 0.3
    cut = cut_back(tree, mask)
    assert nested(cut) == nested(tree, leaves=np.flatnonzero(mask).tolist())
    assert (cut.parent[1:] < np.arange(1, cut.n_nodes)).all() and (cut.counts[0] == tree.counts[0]).all()
    children = [np.arange(f, f + k) for f, k in zip(cut.first, cut.n_branches, strict=True) if k]
    assert np.concatenate([[0], *children]).tolist() == list(range(cut.n_nodes))  # level by level, siblings together


def test_of_equal_numbers_the_first():
    third = 1 / 3
    rows = np.array([[third + third, 1 - third, 0.0], [0.0, 1e-7, 0.0], [1.0, 1.0 + 1e-5, 0.0]])
    assert first_largest(rows).tolist() == [0, 0, 1]


def test_rows_that_do_not_fit_are_refused():
    table, other = learn_table(np.arange(3.0)[:, None]), learn_table(np.array([["u"], ["v"], ["u"]]))
    with pytest.raises(ValueError, match="other attributes than the tree"):
        check_rows(table.attributes, 2, other, np.zeros(3, int), np.ones(3))
    with pytest.raises(ValueError, match="3 rows, but there are 2 labels and 3 weights"):
        check_rows(table.attributes, 2, table, np.zeros(2, int), np.ones(3))
    with pytest.raises(ValueError, match="2 classes, but range from 0 to 2"):
        check_rows(table.attributes, 2, table, np.array([0, 1, 2]), np.ones(3))
