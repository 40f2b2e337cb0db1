"""The tree in flat arrays: dealing, walks and cutting
back beside plain recursions, on trees that nobody grew."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import Attribute
from supervised.basics.tables import table_of
from supervised.trees.engine import tree as tree_page
from supervised.trees.engine.tree import Tree, apply, class_shares, prune, row_parts
from tests import examples

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


# ------------------------------------------------------------------ room for parts


def shares_in_python(tree, table, most):
    """The class shares where an entry behind the end of a list is an IndexError, and the
    entries that each call of the kernel had room for, `most` or those of one row."""
    in_python, rooms = getattr(tree_page._add_parts, "py_func", tree_page._add_parts), []

    def watched(asked, *others):
        *_, room, answers = others
        rooms.append(len(asked) * room)
        assert rooms[-1] <= max(most, room)
        in_python(asked, *others)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_page, "_add_parts", watched)
        patch.setattr(tree_page, "_MOST_ENTRIES", most)
        return class_shares(tree, table), rooms


@quick
@given(problems(), st.sampled_from([1, 40, 2**20]))
def test_lists_of_rows_that_lack_values_stay_in_their_room(problem, most):
    attributes, nested, rows = problem
    if sum(counts_of(nested)) == 0:
        return
    nothing = [(None,) * len(attributes)] * 5
    tree, table = flat(nested, attributes)[0], table_from(attributes, nothing + rows)
    alone, rooms = shares_in_python(tree, table, most)
    assert (alone == class_shares(tree, table)).all()
    assert alone[:5] == pytest.approx(np.tile(tree.distributions[0], (5, 1)), abs=1e-9)
    assert most > 1 or len(rooms) == (~tree.is_leaf[apply(tree, table)]).sum()


def comb(depth, side, place):
    """A test below a test, `depth` of them, each with `side` as its other branch."""
    nested = [1, 2, 0]
    for _ in range(depth):
        nested = (0, 0.5, None, 2), [side, nested][:: 1 - 2 * place]
    return nested


X, NAMES = (Attribute("x"),), (Attribute("n", "nominal", tuple(range(300))),)
A_TEST = ((0, 1.0, None, 2), [[1, 0, 0], [0, 2, 0]])
EACH_NAME = (0, None, list(range(300)), 300)


@pytest.mark.parametrize(("attributes", "nested", "a_row"), [
    (X, comb(200, [0, 1, 3], 0), 400), (X, comb(200, [0, 1, 3], 1), 400),
    (X, comb(200, A_TEST, 0), 601), (X, comb(200, A_TEST, 1), 601),
    (NAMES, (EACH_NAME, [[1, 0, 0]] * 300), 2),
    (NAMES, (EACH_NAME, [(EACH_NAME, [[0, 1, 2]] * 300)] * 2 + [[1, 0, 0]] * 298), 5)],
    ids=["deep right", "deep left", "right, with tests", "left, with tests", "identifier",
         "identifiers below an identifier"])
def test_deep_and_wide_trees_take_rows_by_few(attributes, nested, a_row):
    tree, most = flat(nested, attributes)[0], 2000
    table = table_from(attributes, [(None,)] * 30)
    shares, rooms = shares_in_python(tree, table, most)
    assert shares == pytest.approx(np.tile(tree.distributions[0], (30, 1)))
    at_once = min(30, most // a_row)
    assert len(rooms) == -(-30 // at_once)
    assert max(rooms) == at_once * a_row <= most


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
