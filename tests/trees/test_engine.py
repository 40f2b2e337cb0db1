"""The tree in flat arrays: dealing, walks and cutting
back beside plain recursions, on trees that nobody grew."""

import copy
import pickle
from dataclasses import fields, replace
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from supervised.basics import Attribute
from supervised.basics.tables import table_of
from supervised.trees.engine.tree import (
    Tree,
    _branch_shares,
    _check_family,
    _check_rows,
    _columns_of,
    _compacted,
    _first_largest,
    _inherited_counts,
    _node_answers,
    _node_counts,
    _NodeRows,
    _partition,
    _summed_up,
    _Tests,
    _visits,
    apply,
    class_shares,
    prune,
    row_parts,
)
from tests import examples

_Tests.__test__ = False  # no test, though pytest would take it for one
quick = examples(80)
CLASSES = np.array(["a", "b", "c"])
CUTS = (0.0, 0.5, 1.0, 2.0)
VALUES = (-1.0, 0.0, 0.5, 0.7, 1.0, 2.0, 7.0)


# -------------------------------------------------------- trees and tables that nobody grew


@st.composite
def attribute_lists(draw, numeric_only=False):
    kinds = st.sampled_from([0] if numeric_only else [0, 0, 2, 3, 4])
    domains = draw(st.lists(kinds, min_size=1, max_size=4))
    return tuple(Attribute(f"a{i}", "nominal", tuple(range(k))) if k else Attribute(f"a{i}")
                 for i, k in enumerate(domains))


def questions(attributes, strays):
    """A test as (attribute, cut, routes, number of branches);
    a route of -1 leads nowhere."""

    def test(a):
        if not attributes[a].is_nominal:
            return st.sampled_from(CUTS).map(lambda cut: (a, cut, None, 2))
        k = len(attributes[a].domain)
        return st.integers(2, k).flatmap(
            lambda n: st.lists(st.integers(-1 if strays else 0, n - 1),
                               min_size=k, max_size=k).map(lambda r: (a, None, r, n)))

    return st.integers(0, len(attributes) - 1).flatmap(test)


def nested_trees(attributes, strays=True, most=12):
    """A leaf, which is its counts, or (test, [subtrees])."""
    leaf = st.lists(st.sampled_from([0, 0, 1, 2, 0.25]), min_size=3, max_size=3)

    def node(below):
        return questions(attributes, strays).flatmap(
            lambda test: st.lists(below, min_size=test[3], max_size=test[3])
            .map(lambda trees: (test, trees)))

    return st.recursive(leaf, node, max_leaves=most)


def counts_of(nested):
    return (nested if isinstance(nested, list)
            else [sum(c) for c in zip(*map(counts_of, nested[1]), strict=True)])


def flat(nested, attributes):
    """The arrays of a nested tree, numbered level by level;
    and the nested trees by their number."""
    order, parent, first, i = [nested], [-1], [], 0
    while i < len(order):
        below = [] if isinstance(order[i], list) else order[i][1]
        first.append(len(order) if below else -1)
        order += below
        parent += [i] * len(below)
        i += 1
    asked = [None if isinstance(n, list) else n[0] for n in order]
    routes, route = [], []
    for test in asked:
        route.append(len(routes) if test and test[2] is not None else -1)
        routes += test[2] if test and test[2] is not None else []
    tree = Tree(
        attributes, CLASSES,
        attribute=np.array([t[0] if t else -1 for t in asked], dtype=np.int32),
        threshold=np.array([t[1] if t and t[1] is not None else np.nan for t in asked]),
        first=np.array(first, dtype=np.int32),
        n_branches=np.array([t[3] if t else 0 for t in asked], dtype=np.int32),
        parent=np.array(parent, dtype=np.int32), route=np.array(route),
        counts=np.array([counts_of(n) for n in order], float),
        routes=np.array(routes, dtype=np.int32))
    return tree, order


def rows_for(attributes, gaps=True, least=0, most=9):
    """Rows of plain values; None is missing."""
    one = [st.sampled_from(a.domain if a.is_nominal else VALUES) for a in attributes]
    return st.lists(st.tuples(*[st.none() | v if gaps else v for v in one]), min_size=least,
                    max_size=most)


def table_from(attributes, rows):
    columns = []
    for a, attribute in enumerate(attributes):
        missing = -1 if attribute.is_nominal else np.nan
        columns.append((attribute,
                        np.array([missing if row[a] is None else row[a] for row in rows])))
    return table_of(columns, len(rows))


@st.composite
def problems(draw, gaps=True, strays=True, numeric_only=False, least=0):
    attributes = draw(attribute_lists(numeric_only))
    nested = draw(nested_trees(attributes, strays))
    rows = draw(rows_for(attributes, gaps, least))
    return attributes, nested, rows


def some_weights(n):
    return st.lists(st.sampled_from([1.0, 2.0, 0.7]), min_size=n, max_size=n)


# --------------------------------------------- plain recursions over lists of (row, weight)


def plain_branch(test, row):
    a, cut, routes, _ = test
    if row[a] is None:
        return None
    branch = int(row[a] > cut) if routes is None else routes[row[a]]
    return None if branch < 0 else branch


def plain_shares(nested):
    """What each branch of a node took of the weights below; equal where nothing came."""
    sizes = [sum(counts_of(below)) for below in nested[1]]
    return [size / sum(sizes) if sum(sizes) > 0 else 1 / len(sizes) for size in sizes]


def plain_visits(nested, rows, entries, trained, path=()):
    """Every visit as (path of the node, row, weight);
    shares are those of training, or of the known entries."""
    yield from ((path, i, w) for i, w in entries)
    if isinstance(nested, list):
        return
    known = [[(i, w) for i, w in entries if plain_branch(nested[0], rows[i]) == b]
             for b in range(len(nested[1]))]
    lost = [(i, w) for i, w in entries if plain_branch(nested[0], rows[i]) is None]
    sizes = [sum(w for _, w in part) for part in known]
    total = sum(sizes)
    shares = (plain_shares(nested) if trained
              else [s / total if total else 1 / len(sizes) for s in sizes])
    for b, below in enumerate(nested[1]):
        here = known[b] + [(i, w * shares[b]) for i, w in lost if shares[b] > 0]
        yield from plain_visits(below, rows, here, trained, (*path, b))


def paths_of(tree):
    paths = [()]
    for node in range(1, tree.n_nodes):
        above = tree.parent[node]
        paths.append((*paths[above], node - int(tree.first[above])))
    return paths


def plain_answer(nested, row, above=None):
    """Class shares of a row, by recursion from the leaves' counts alone."""
    counts = counts_of(nested)
    here = [c / sum(counts) for c in counts] if sum(counts) else above
    if isinstance(nested, list):
        return here
    branch = plain_branch(nested[0], row)
    if branch is not None:
        return plain_answer(nested[1][branch], row, here)
    answers = [plain_answer(below, row, here) for below in nested[1]]
    return [sum(s * a[c] for s, a in zip(plain_shares(nested), answers, strict=True))
            for c in range(3)]


# ------------------------------------------------------------------ walks


@pytest.mark.parametrize("trained", [False, True])
@quick
@given(st.data())
def test_visits_by_plain_recursion(trained, data):
    attributes, nested, rows = data.draw(problems())
    weights = data.draw(some_weights(len(rows)))
    tree, _ = flat(nested, attributes)
    shares = _branch_shares(tree) if trained else None
    walk = _visits(tree, table_from(attributes, rows), np.array(weights), shares=shares)
    paths = paths_of(tree)
    ours = sorted((paths[n], int(r), float(w))
                  for n, r, w in zip(walk.nodes, walk.rows, walk.parts, strict=True))
    plain = sorted(plain_visits(nested, rows, list(enumerate(weights)), trained))
    assert [v[:2] for v in ours] == [v[:2] for v in plain]
    assert [v[2] for v in ours] == pytest.approx([v[2] for v in plain])
    depths = tree.depths[walk.nodes]
    assert (np.diff(depths) >= 0).all()  # nodes of a level together
    node = data.draw(st.integers(0, tree.n_nodes - 1))
    at_node = sorted(zip(*(part.tolist() for part in walk.at(node)), strict=True))
    assert at_node == sorted((r, w) for p, r, w in ours if p == paths[node])


@quick
@given(st.data())
def test_visits_of_chosen_rows_and_of_rows_repeated(data):
    attributes, nested, rows = data.draw(problems(least=1))
    tree, _ = flat(nested, attributes)
    table, weights = (table_from(attributes, rows),
                      np.array(data.draw(some_weights(len(rows)))))
    chosen = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=12)),
                      dtype=int)
    some, copies = (_visits(tree, table, weights, chosen),
                    _visits(tree, table[chosen], weights[chosen]))
    assert (np.array_equal(some.nodes, copies.nodes)
            and np.array_equal(some.rows, chosen[copies.rows]))
    assert np.allclose(some.parts, copies.parts)


@quick
@given(problems())
def test_row_parts_by_plain_recursion(problem):
    attributes, nested, rows = problem
    tree, _ = flat(nested, attributes)
    expected, paths = np.zeros((len(rows), tree.n_nodes)), paths_of(tree)
    for path, i, w in plain_visits(nested, rows,
                                   [(i, 1.0) for i in range(len(rows))], True):
        expected[i, paths.index(path)] = w
    parts = row_parts(tree, table_from(attributes, rows))
    assert parts == pytest.approx(expected)
    assert np.allclose(parts[:, tree.is_leaf].sum(axis=1), 1)


@quick
@given(problems())
def test_class_shares_by_plain_recursion(problem):
    attributes, nested, rows = problem
    if sum(counts_of(nested)) == 0:
        return  # a tree of nothing says nothing
    tree, _ = flat(nested, attributes)
    table = table_from(attributes, rows)
    expected = np.array([plain_answer(nested, row) for row in rows]).reshape(-1, 3)
    assert class_shares(tree, table) == pytest.approx(expected, abs=1e-9)
    # anything that a node may answer
    other = np.random.default_rng(0).random((tree.n_nodes, 2))
    leaves = tree.is_leaf
    by_parts = row_parts(tree, table)[:, leaves] @ other[leaves]
    assert class_shares(tree, table, other) == pytest.approx(by_parts, abs=1e-9)


@quick
@given(st.data())
def test_node_counts_by_plain_recursion(data):
    attributes, nested, rows = data.draw(problems())
    tree, _ = flat(nested, attributes)
    weights = data.draw(some_weights(len(rows)))
    labels = data.draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    expected, paths = np.zeros((tree.n_nodes, 3)), paths_of(tree)
    for path, i, w in plain_visits(nested, rows, list(enumerate(weights)), True):
        expected[paths.index(path), labels[i]] += w
    counts = _node_counts(tree, table_from(attributes, rows), np.array(labels, dtype=int),
                          np.array(weights))
    assert counts == pytest.approx(expected, abs=1e-9)
    assert counts[0].sum() == pytest.approx(sum(weights))


@quick
@given(st.data())
def test_shares_are_those_of_the_parts_at_the_leaves(data):
    """The kernel of the answers beside `row_parts`, which deals piles."""
    attributes, nested, rows = data.draw(problems())
    tree, _ = flat(nested, attributes)
    assume(tree.counts[0].sum() > 0)
    table = table_from(attributes, rows)
    parts = row_parts(tree, table) * tree.is_leaf
    assert class_shares(tree, table) == pytest.approx(parts @ tree.distributions, abs=1e-12)
    one_by_one = [class_shares(tree, table_from(attributes, [row]))[0] for row in rows]
    assert np.array_equal(np.reshape(one_by_one, (-1, 3)), class_shares(tree, table))


def test_what_follows_from_a_tree_is_worked_out_once_and_not_stored():
    attributes = (Attribute("n", "nominal", (0, 1)),)
    tree, _ = flat(((0, None, [0, 1], 2), [[1, 0, 0], [0, 2, 0]]), attributes)
    assert _node_answers(tree) is _node_answers(tree)
    assert _branch_shares(tree) is _branch_shares(tree)
    other = copy.deepcopy(tree)
    assert vars(other).keys() == vars(tree).keys() == {f.name for f in fields(tree)}
    assert _node_answers(other) is not _node_answers(tree)
    again = pickle.loads(pickle.dumps(tree))
    assert again.labels.tolist() == _node_answers(tree)[1].tolist()


def test_shares_by_hand():
    attributes = (Attribute("n", "nominal", (0, 1, 2)),)
    tree, _ = flat(((0, None, [0, 1, 2], 3), [[1, 0, 0], [0, 0, 0], [0, 2, 1]]), attributes)
    assert _branch_shares(tree).tolist() == [1, 0.25, 0, 0.75]
    empty, _ = flat(((0, None, [0, 1, 2], 3), [[0, 0, 0]] * 3), attributes)
    assert _branch_shares(empty) == pytest.approx([1, 1 / 3, 1 / 3, 1 / 3])
    leaf, _ = flat([1, 2, 0], attributes)
    assert _branch_shares(leaf).tolist() == [1]
    assert (row_parts(tree, table_from(attributes, [(None,), (1,)]))
            .tolist() == [[1, 0.25, 0, 0.75], [1, 0, 1, 0]])
    assert (class_shares(tree, table_from(attributes, [(1,), (None,)]))
            .tolist() == [[0.25, 0.5, 0.25]] * 2)


def test_an_empty_table():
    attributes = (Attribute("n", "nominal", (0, 1)), Attribute("x"))
    for nested in (((0, None, [0, 1], 2), [[1, 0, 0], [0, 2, 0]]), [1, 0, 0]):
        tree, _ = flat(nested, attributes)
        table = table_from(attributes, [])
        assert apply(tree, table).shape == (0,)
        assert [part.shape for part in _visits(tree, table)] == [(0,)] * 3
        assert row_parts(tree, table).shape == (0, tree.n_nodes)
        assert class_shares(tree, table).shape == (0, 3)
        assert (_node_counts(tree, table, np.zeros(0, dtype=int), np.zeros(0))
                .tolist() == [[0, 0, 0]] * tree.n_nodes)


# ------------------------------------------------------------------ dealing


@st.composite
def piles_to_deal(draw, gaps=True):
    """Some piles, each in two orders, a test for each, and what is needed to check."""
    attributes = draw(attribute_lists())
    rows = draw(rows_for(attributes, gaps, least=1, most=14))
    table = table_from(attributes, rows)
    pile_of = draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))
    other = draw(st.permutations(range(len(rows))))
    lists, begins = [[], []], []
    n_piles = max(pile_of) + 1
    for pile in range(n_piles):
        begins.append(len(lists[0]))
        lists[0] += [i for i in range(len(rows)) if pile_of[i] == pile]
        lists[1] += [i for i in other if pile_of[i] == pile]
    ends = [*begins[1:], len(rows)]
    nonempty = [p for p in range(n_piles) if ends[p] > begins[p]]
    tests = [draw(questions(attributes, strays=gaps)) for _ in nonempty]
    weights = np.array(draw(some_weights(len(rows))))
    piles = _NodeRows(np.array(lists, dtype=np.int32), weights[lists[0]],
                   np.array([begins[p] for p in nonempty]),
                   np.array([ends[p] for p in nonempty]))
    return table, rows, piles, tests, weights


def as_tests(tests):
    routes, route = [], []
    for test in tests:
        route.append(len(routes) if test[2] is not None else -1)
        routes += test[2] or []
    return _Tests(np.array([t[0] for t in tests]),
                  np.array([np.nan if t[1] is None else t[1] for t in tests]),
                  np.array([t[3] for t in tests]), np.array(route),
                  np.array(routes, dtype=np.int32))


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("given_shares", [False, True])
@quick
@given(st.data())
def test_dealing_by_hand(gaps, given_shares, data):
    table, rows, piles, tests, weights = data.draw(piles_to_deal(gaps))
    before, k = piles.lists.copy(), [t[3] for t in tests]
    shares = None
    if given_shares:
        shares = np.concatenate(
            [np.array(data.draw(st.permutations([0.25, 0.75, 0.0, 0.0][:n]))) for n in k])
    given = () if shares is None else (lambda *_: shares,)
    new = _partition(piles, as_tests(tests), _columns_of(table), *given)
    assert len(new.begins) == len(new.ends) == sum(k)
    child = 0
    for pile, test in enumerate(tests):
        stretch = slice(piles.begins[pile], piles.ends[pile])
        here = before[:, stretch]
        branches = {i: plain_branch(test, rows[i]) for i in here[0].tolist()}
        known = [sum(weights[i] for i, b in branches.items() if b == c)
                 for c in range(test[3])]
        total = sum(known)
        for b in range(test[3]):
            share = (shares[child] if given_shares else known[b] / total if total
                     else 1 / test[3])
            for order in (0, 1):  # each list keeps its order
                wanted = [i for i in here[order].tolist()
                          if branches[i] == b or (branches[i] is None and share > 0)]
                assert (new.lists[order, new.begins[child] : new.ends[child]]
                        .tolist() == wanted)
            parts = [weights[i] * (1 if branches[i] == b else share)
                     for i in here[0].tolist()
                     if branches[i] == b or (branches[i] is None and share > 0)]
            assert new.parts[new.begins[child] : new.ends[child]] == pytest.approx(parts)
            child += 1
        children = slice(child - test[3], child)  # nothing is lost, nothing comes twice
        dealt_out = sum(new.parts[b:e].sum() for b, e in zip(
            new.begins[children], new.ends[children], strict=True))
        assert dealt_out == pytest.approx(weights[here[0]].sum())
    # what was dealt is left alone
    assert np.array_equal(piles.lists, before)


def test_rows_of_which_nobody_has_a_value_are_shared_equally():
    attributes = (Attribute("n", "nominal", (0, 1, 2)),)
    table = table_from(attributes, [(None,), (None,)])
    tree, _ = flat(((0, None, [0, 1, 2], 3), [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), attributes)
    walk = _visits(tree, table, np.array([3.0, 1.5]))
    assert np.bincount(walk.nodes, walk.parts).tolist() == [4.5, 1.5, 1.5, 1.5]


def test_a_tiny_share_is_none_while_growing():
    attributes = (Attribute("n", "nominal", (0, 1)),)
    table = table_from(attributes, [(0,), (1,), (None,)])
    piles = _NodeRows(np.arange(3, dtype=np.int32)[None], np.array([1.0, 1e-7, 1.0]),
                   np.array([0]), np.array([3]))
    new = _partition(piles, as_tests([(0, None, [0, 1], 2)]), _columns_of(table))
    assert ([new.lists[0, b:e].tolist() for b, e in zip(new.begins, new.ends, strict=True)]
            == [[0, 2], [1]])
    assert new.parts.tolist() == pytest.approx([1, 1, 1e-7])


# ------------------------------------------------------------------ the way down


def plain_stop(nested, row, path=()):
    branch = None if isinstance(nested, list) else plain_branch(nested[0], row)
    return path if branch is None else plain_stop(nested[1][branch], row, (*path, branch))


@quick
@given(problems())
def test_stops_by_plain_recursion(problem):
    attributes, nested, rows = problem
    tree, _ = flat(nested, attributes)
    paths = paths_of(tree)
    assert [paths[n] for n in apply(tree, table_from(attributes, rows))] == [
        plain_stop(nested, row) for row in rows]


def test_infinite_numbers_and_the_cut_itself():
    attributes = (Attribute("x"),)
    tree, _ = flat(((0, 1.0, None, 2), [[1, 0, 0], [0, 1, 0]]), attributes)
    table = table_from(attributes,
                       [(-np.inf,), (1.0,), (np.nextafter(1.0, 2.0),), (np.inf,)])
    assert apply(tree, table).tolist() == [1, 1, 2, 2]
    assert apply(tree, table_from(attributes, [(np.inf,), (None,)])).tolist() == [2, 0]


@pytest.mark.parametrize("k", [100, 200, 40_000])
def test_codes_of_any_size(k):
    attributes = (Attribute("n", "nominal", tuple(range(k))),)
    tree, _ = flat(((0, None, list(range(k)), k), [[1, 0, 0]] * k), attributes)
    table = table_from(attributes, [(k - 1,), (0,), (None,)])
    assert apply(tree, table).tolist() == [k, 1, 0]
    assert (row_parts(tree, table) > 0).sum(axis=1).tolist() == [2, 2, k + 1]


# ------------------------------------------------------------------ ties, ghosts, sums


@quick
@given(st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=1)))
def test_first_largest_is_argmax_up_to_rounding(rows):
    rows = np.array(rows, dtype=float)
    assert np.array_equal(_first_largest(rows), rows.argmax(axis=1))
    noise = np.random.default_rng(0).uniform(-4e-7, 4e-7, rows.shape)
    assert np.array_equal(_first_largest(rows + noise), rows.argmax(axis=1))


def test_first_largest_by_hand():
    rows = np.array([[1, 1 + 0.9e-6], [1, 1 + 1.1e-6], [1 + 0.9e-6, 1]])
    assert _first_largest(rows).tolist() == [0, 1, 0]
    assert _first_largest(np.zeros((0, 3))).tolist() == []


def test_ghosts_below_ghosts_inherit_from_the_nearest_node_with_instances():
    counts = np.array([[4, 2], [0, 0], [4, 2], [0, 0], [0, 0], [1e-9, 0]])
    parent = np.array([-1, 0, 0, 1, 3, 2])
    assert _inherited_counts(counts, parent).tolist() == [[4, 2]] * 6
    assert counts[1].tolist() == [0, 0]  # left alone
    assert (_inherited_counts(np.array([[1, 2], [0, 0]]), np.array([-1, 0])).dtype
            == np.float64)


@quick
@given(problems())
def test_distributions_and_labels_by_plain_recursion(problem):
    attributes, nested, _ = problem
    if sum(counts_of(nested)) == 0:
        return
    tree, order = flat(nested, attributes)
    for node, below in enumerate(order):
        counts, above = counts_of(below), node
        while sum(counts) == 0:
            above = tree.parent[above]
            counts = counts_of(order[above])
        assert tree.distributions[node] == pytest.approx([c / sum(counts) for c in counts])
        assert tree.labels[node] == counts.index(max(counts))
    assert (tree.n_leaves == sum(isinstance(n, list) for n in order)
            and tree.n_nodes == len(order))
    assert tree.depths.tolist() == [len(p) for p in paths_of(tree)]


@quick
@given(problems())
def test_sums_over_leaves(problem):
    attributes, nested, _ = problem
    tree, order = flat(nested, attributes)
    errors = np.arange(1.0, tree.n_nodes + 1)
    number = {id(n): i for i, n in enumerate(order)}

    def plain(n):
        return errors[number[id(n)]] if isinstance(n, list) else sum(map(plain, n[1]))

    if len(number) == len(order):  # no subtree object stands in two places
        assert (_summed_up(tree.parent, errors, tree.is_leaf)
                == pytest.approx([plain(n) for n in order]))


# ------------------------------------------------------------------ cutting back


def cut_by_hand(nested, cut, path=()):
    """The nested tree with leaves at the paths of `cut`."""
    if path in cut or isinstance(nested, list):
        return counts_of(nested)
    return nested[0], [cut_by_hand(below, cut, (*path, b))
                       for b, below in enumerate(nested[1])]


ARRAYS = ("attribute", "threshold", "first", "n_branches", "parent", "route", "counts",
          "routes")


@quick
@given(st.data())
def test_cut_back_is_the_tree_cut_by_hand(data):
    attributes, nested, rows = data.draw(problems())
    tree, _ = flat(nested, attributes)
    leaves = np.array(data.draw(st.lists(st.booleans(), min_size=tree.n_nodes,
                                         max_size=tree.n_nodes)))
    paths = paths_of(tree)
    by_hand, _ = flat(cut_by_hand(nested, {paths[n] for n in np.flatnonzero(leaves)}),
                      attributes)
    cut = prune(tree, leaves)
    for name in ARRAYS:
        assert getattr(cut, name) == pytest.approx(getattr(by_hand, name),
                                                   nan_ok=True), name
    assert cut.classes is tree.classes and cut.attributes is tree.attributes
    table = table_from(attributes, rows)
    if tree.counts.sum():
        assert class_shares(cut, table) == pytest.approx(class_shares(by_hand, table))


@pytest.mark.deep
@quick
@given(problems())
def test_compacted_numbers_a_shuffled_tree_level_by_level(problem):
    """Children side by side anywhere in the arrays, parents below them:
    the order of the text comes back."""
    attributes, nested, _ = problem
    tree, _ = flat(nested, attributes)
    groups = [[0], *([*range(tree.first[n], tree.first[n] + tree.n_branches[n])]
                     for n in range(tree.n_nodes) if tree.n_branches[n])]
    order = np.array([n for group in [groups[0], *groups[:0:-1]] for n in group])
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    first = np.where(tree.first[order] >= 0, place[tree.first[order]], -1)
    again = _compacted(tree, tree.attribute[order], tree.threshold[order], first,
                       tree.n_branches[order], tree.route[order], tree.counts[order])
    for name in ARRAYS:
        assert getattr(again, name) == pytest.approx(getattr(tree, name), nan_ok=True), name


@pytest.mark.parametrize("mask", [[True], np.zeros(3), np.zeros((3, 1), dtype=bool),
                                  np.zeros(4, dtype=bool), None])
def test_a_mask_that_is_none(mask):
    tree, _ = flat(((0, 1.0, None, 2), [[1, 0, 0], [0, 1, 0]]), (Attribute("x"),))
    with pytest.raises(ValueError, match="truth value for each of the 3 nodes"):
        prune(tree, mask)


# ------------------------------------------------------------------ bad input


def test_rows_that_do_not_fit():
    attributes = (Attribute("n", "nominal", (0, 1)), Attribute("x"))
    tree, _ = flat(((0, None, [0, 1], 2), [[1, 0, 0], [0, 2, 0]]), attributes)
    table, one = table_from(attributes, [(0, 1.0), (1, None)]), np.ones(2)
    _node_counts(tree, table, np.array([0, 2]), one)
    wider = (Attribute("n", "nominal", (0, 1, 2)), Attribute("x"))
    numeric = (Attribute("n"), Attribute("x"))
    others = [attributes[:1], attributes[::-1], wider, numeric,
              (attributes[0], Attribute("z"))]
    for other in others:
        rows = ([(0.0,) * len(other)] * 2 if all(not a.is_nominal for a in other)
                else [(0,) * len(other)] * 2)
        with pytest.raises(ValueError, match="other attributes than the tree"):
            _node_counts(tree, table_from(other, rows), np.array([0, 1]), one)
    for labels, weights in ((np.zeros(1, int), one), (np.zeros(3, int), np.ones(3)),
                            (np.zeros(2, int), np.ones(1))):
        with pytest.raises(ValueError, match=f"2 rows, but there are {len(labels)} labels "
                           f"and {len(weights)} weights"):
            _node_counts(tree, table, labels, weights)
    for labels in ([0, 3], [-1, 0]):
        with pytest.raises(ValueError,
                           match="labels must be places in the 3 classes, but range from"):
            _node_counts(tree, table, np.array(labels), one)
    assert _check_rows(attributes, 3, table_from(attributes, []), np.zeros(0, int),
                       np.zeros(0)) is None


# ------------------------------------------------------------ a chain of ten thousand nodes


@pytest.fixture(scope="module")
def chain():
    """At depth d: x <= d + 0.5 leads to a leaf of class d % 3,
    anything else further down; one instance a leaf."""
    tests = 5_000
    inner, sides = np.arange(tests), np.arange(1, 2 * tests + 1)
    # of nodes 2 d + 1 (the leaf) and 2 d + 2
    parent = np.concatenate([[-1], (sides - 1) // 2 * 2])
    n = 2 * tests + 1
    attribute, threshold, first = (np.full(n, -1, np.int32), np.full(n, np.nan),
                                   np.full(n, -1, np.int32))
    attribute[2 * inner], threshold[2 * inner], first[2 * inner] = (0, inner + 0.5,
                                                                    2 * inner + 1)
    leaves = np.zeros((n, 3))
    leaves[2 * inner + 1, inner % 3] = 1.0
    leaves[-1, tests % 3] = 1.0
    counts = np.stack([_summed_up(parent, column, attribute < 0) for column in leaves.T],
                      axis=1)
    return Tree((Attribute("x"),), CLASSES, attribute, threshold, first,
                np.where(attribute < 0, 0, 2).astype(np.int32), parent.astype(np.int32),
                np.full(n, -1), counts, np.zeros(0, dtype=np.int32))


@pytest.mark.deep
def test_a_chain_of_ten_thousand_nodes(chain):
    assert chain.n_nodes == 10_001 and chain.depths[-1] == 5_000
    rows = [(float(v),) for v in (0, 1, 2, 4_999, 5_000, 9_999)]
    table = table_from(chain.attributes, rows)
    assert chain.labels[apply(chain, table)].tolist() == [0, 1, 2, 4_999 % 3, 5_000 % 3,
                                                             5_000 % 3]
    lost = table_from(chain.attributes, [(None,), *rows])
    assert apply(chain, lost)[1:].tolist() == apply(chain, table).tolist()
    assert class_shares(chain, lost)[0] == pytest.approx([1667 / 5001] * 3)
    parts = row_parts(chain, lost)[0]
    assert parts[chain.is_leaf] == pytest.approx(np.full(5_001, 1 / 5_001))
    counts = _node_counts(chain, lost, np.array([0] + [1] * 6), np.ones(7))
    assert counts[0].tolist() == [1, 6, 0]
    assert counts[chain.is_leaf, 0] == pytest.approx(np.full(5_001, 1 / 5_001))
    cut = prune(chain, np.arange(10_001) == 2 * 2_500)
    assert cut.n_nodes == 5_001 and cut.counts[-1].sum() == 2_501


def test_a_row_lost_for_half_the_tests_of_a_chain(chain):
    """Two attributes in turn, one of them known:
    the other's tests divide the row, again and again."""
    twin = replace(chain, attributes=(Attribute("x"), Attribute("z")),
                   attribute=np.where(chain.attribute < 0, -1,
                                      np.arange(10_001) // 2 % 2).astype(np.int32))
    weights = twin.counts.sum(axis=1)
    expected, left = np.zeros(10_001), 1.0
    for d in range(5_000):
        node = 2 * d
        if twin.attribute[node] == 0:  # x is 1e9, always above the cut
            continue
        expected[node + 1], left = (left * weights[node + 1] / weights[node],
                                    left * weights[node + 2] / weights[node])
    expected[-1] = left
    parts = row_parts(twin, table_from(twin.attributes, [(1e9, None)]))[0]
    assert parts[twin.is_leaf] == pytest.approx(expected[twin.is_leaf], abs=1e-12)
    assert not any(isnan(p) for p in parts)


def test_a_circle_of_nodes_is_no_tree():
    """Each node has one parent, and yet 3 and 5 stand below each other."""
    first = np.array([1, -1, -1, 5, -1, 3, -1])
    n_branches, parent = np.where(first > 0, 2, 0), np.array([-1, 0, 0, 5, 5, 3, 3])
    with pytest.raises(ValueError, match=r"first\[5\] is 3"):
        _check_family(first, n_branches, parent)
