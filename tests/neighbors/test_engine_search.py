"""k-d trees and brute force: one answer, whatever the data,
the norm, the tree and the number of threads."""

import pickle
import tracemalloc
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from supervised.neighbors.engine import search as engine
from supervised.neighbors.engine.search import (
    _BLOCK_BYTES,
    KDTree,
    brute_mixed,
    brute_neighbors,
)
from tests import examples

quick = examples(50)
NORMS = (1, 1.5, 2, 3, np.inf)


def reference(points, queries, k, p):
    """By SciPy's distances and a full sort: nearest first, ties by row number."""
    table = (cdist(queries, points, "chebyshev") if p == np.inf
             else cdist(queries, points, "minkowski", p=p))
    order = np.lexsort((np.broadcast_to(np.arange(len(points)), table.shape), table),
                       axis=1)[:, :k]
    return np.take_along_axis(table, order, axis=1), order


@st.composite
def searches(draw, kinds=("random", "huge", "clustered", "duplicated", "collinear", "grid",
                          "equal")):
    """Points of some kind, queries (some of them points),
    k, a leaf size and a rule of splitting."""
    n, r = draw(st.integers(1, 40)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    kind = draw(st.sampled_from(kinds))
    points = {
        "random": lambda: rng.normal(size=(n, r)),
        "huge": lambda: 1e60 * rng.integers(1, 4, (n, r)) * (
            1 + 2e-16 * rng.integers(0, 9, (n, r))),
        "clustered": lambda: 1e3 * rng.integers(0, 3, (n, 1)) + 1e-3 * rng.normal(
            size=(n, r)),
        "duplicated": lambda: rng.normal(size=(4, r))[rng.integers(0, 4, n)],
        "collinear": lambda: np.outer(rng.normal(size=n), rng.normal(size=r)),
        "grid": lambda: rng.integers(0, 4, (n, r)).astype(float),
        "equal": lambda: np.full((n, r), 0.1),
    }[kind]()
    queries = np.vstack([points[rng.integers(0, n, 3)], rng.integers(0, 4, (2, r))])
    k = draw(st.sampled_from(sorted({1, min(2, n), (n + 1) // 2, n})))
    return (points, queries, k, draw(st.sampled_from([1, 2, 5, 64])),
            draw(st.sampled_from(["widest", "alternate"])))


# ------------------------------------------------------------------ identity


@quick
@pytest.mark.parametrize("p", NORMS)
@given(searches())
def test_tree_equals_brute_force(p, search):
    points, queries, k, leaf_size, split = search
    brute, tree = (brute_neighbors(points, queries, k, p),
                   KDTree(points, leaf_size, p, split))
    for ours in (tree.query(queries, k), tree.query(queries, k, 2),
                 brute_neighbors(points, queries, k, p, 2)):
        assert (ours[0] == brute[0]).all() and (ours[1] == brute[1]).all()
    assert brute[0].dtype == np.float64 and brute[1].dtype == np.int64
    assert brute[0].shape == brute[1].shape == (len(queries), k)
    np.testing.assert_allclose(brute[0], reference(points, queries, k, p)[0], rtol=1e-12,
                               atol=1e-12)
    pairs = [list(zip(*row, strict=True)) for row in zip(*brute, strict=True)]
    # by distance, then by row number; each row once
    assert all(row == sorted(set(row)) for row in pairs)


@quick
@pytest.mark.parametrize("p", [1, 2, np.inf])
@given(searches(["grid"]))
def test_ties_go_to_the_smaller_row(p, search):
    # whole numbers: distances without rounding
    points, queries, k, leaf_size, split = search
    distances, rows = KDTree(points, leaf_size, p, split).query(queries, k)
    expected = reference(points, queries, k, p)
    assert (rows == expected[1]).all() and (distances == expected[0]).all()


@quick
@pytest.mark.parametrize("p", NORMS)
@given(searches(), st.sampled_from([0.0, 1.0, 2.0, 0.3, np.inf]))
def test_radius(p, search, radius):
    points, queries, _, leaf_size, split = search
    distances, rows = brute_neighbors(points, queries, len(points), p)
    found = KDTree(points, leaf_size, p, split).query_radius(queries, radius)
    for i, inside in enumerate(found):
        assert inside.dtype == np.int64
        assert inside.tolist() == sorted(rows[i][distances[i] <= radius].tolist())


EDGES = [0.0, -0.0, 1.0, 1 + 2**-52, 1 - 2**-53, 1e-160, -1e-160, 1e-320, 3.0, 1e8,
         1e8 + 1e-8, 1e100]
adverse = st.tuples(st.sampled_from(EDGES), st.sampled_from(EDGES))


@quick
@given(st.lists(adverse, min_size=1, max_size=12), adverse, st.sampled_from(NORMS))
@example([(0.0, 1e8), (1e8, 0.0), (1e8, 1e8)], (1e8, 1e8), 2)
def test_numbers_at_the_edge_of_rounding(points, query, p):
    brute = brute_neighbors(points, [query], len(points), p)
    for leaf_size in (1, 3):
        tree = KDTree(points, leaf_size, p).query([query], len(points))
        assert (tree[0] == brute[0]).all() and (tree[1] == brute[1]).all()
        first = KDTree(points, leaf_size, p).query([query])
        assert first[1][0, 0] == brute[1][0, 0]


@quick
@given(st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=15),
       st.integers(0, 40))
def test_exact_fractions_far_from_the_origin(points, shift):
    """The sieve cancels digits; the distances
    that it lets through are those of exact arithmetic."""
    moved = np.array(points, dtype=float) + 2.0**shift
    exact = [(Fraction(x - points[0][0]) ** 2 + Fraction(y - points[0][1]) ** 2, i)
             for i, (x, y) in enumerate(points)]
    distances, rows = brute_neighbors(moved, moved[:1], len(points))
    assert rows[0].tolist() == [i for _, i in sorted(exact)]
    assert np.allclose(distances[0] ** 2, [float(d) for d, _ in sorted(exact)])


def test_an_outlier_does_not_blunt_the_sieve():
    rng = np.random.default_rng(0)
    points = np.vstack([rng.random((400, 12)), np.full((1, 12), 1e12)])
    queries = np.vstack([rng.random((20, 12)), np.full((1, 12), 1e12)])
    ours, expected = brute_neighbors(points, queries, 6), reference(points, queries, 6, 2)
    assert (ours[1] == expected[1]).all()
    np.testing.assert_allclose(ours[0], expected[0], rtol=1e-12)


# ------------------------------------------------------------------ the tree


@quick
@given(searches())
def test_structure(search):
    points, queries, k, leaf_size, split = search
    tree, n = KDTree(points, leaf_size, split=split), len(points)
    assert sorted(tree.order) == list(range(n)) and tree.n_nodes == 2 * tree.n_leaves - 1
    assert (tree.n_leaves == 2**tree.depth
            and (tree.depth == 0 or n > leaf_size * 2 ** (tree.depth - 1)))
    for node in range(1, tree.n_nodes + 1):
        rows = tree.region(node)
        if len(rows):
            assert (tree.boxes[node] == [points[rows].min(axis=0),
                                         points[rows].max(axis=0)]).all()
        if node < tree.n_leaves:
            assert sorted(rows) == sorted([*tree.region(2 * node),
                                           *tree.region(2 * node + 1)])
            axis, cut = tree.axes[node], tree.cuts[node]
            assert (points[tree.region(2 * node), axis] <= cut).all()
            assert (points[tree.region(2 * node + 1), axis] >= cut).all()
            wanted = (node.bit_length() - 1 if split == "alternate"
                      else np.ptp(tree.boxes[node], axis=0).argmax())
            assert axis == wanted % points.shape[1]
        else:
            assert (len(rows) in (n // tree.n_leaves, -(-n // tree.n_leaves))
                    and len(rows) <= leaf_size)
    path = tree.visited(queries[0], k)
    seen = {row for leaf in path for row in tree.region(leaf)}
    assert len(path) == len(set(path)) and seen >= set(tree.query(queries[:1], k)[1][0])


def test_one_point_one_dimension_and_whole_numbers():
    tree = KDTree([[3]])
    assert tree.depth == 0 and tree.n_nodes == 1
    assert tree.query([[1], [3]])[0].tolist() == [[2], [0]]
    line = np.arange(100)[:, None]
    assert KDTree(line, 4).query([[50]], 5)[1].tolist() == [[50, 49, 51, 48, 52]]
    assert KDTree(line, 4).query(np.empty((0, 1)), 5)[1].shape == (0, 5)
    assert brute_neighbors(line, np.empty((0, 1)), 5)[1].shape == (0, 5)
    assert KDTree(line).query_radius(np.empty((0, 1)), 1) == []


def test_pickle_and_other_layouts():
    rng = np.random.default_rng(1)
    points, queries = rng.random((200, 3)), rng.random((20, 3))
    tree = KDTree(points, 8)
    for other in (pickle.loads(pickle.dumps(tree)), KDTree(np.asfortranarray(points), 8),
                  KDTree(points.tolist(), 8)):
        assert (other.query(queries[::-1], 4)[1] == tree.query(queries, 4)[1][::-1]).all()


def test_memory_stays_within_the_budget():
    rng = np.random.default_rng(2)
    points, queries = rng.random((3000, 4)), rng.random((600, 4))
    brute_neighbors(points[:10], queries[:10], 1)
    tracemalloc.start()
    brute_neighbors(points, queries, 3)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (peak < 2 * _BLOCK_BYTES + 4 * points.nbytes + 4 * queries.nbytes
            < 8 * len(points) * len(queries) / 2)


# ------------------------------------------------------------------ mixed rows


def mixed_by_hand(a, b, nominal, gower):
    columns = zip(a, b, nominal, strict=True)
    parts = [None if np.isnan(x + y) else float(x != y) if code else abs(x - y)
             for x, y, code in columns]
    if gower:
        known = [part for part in parts if part is not None]
        return sum(known) / len(known) if known else 1.0
    return sqrt(sum(1.0 if part is None else part**2 for part in parts))


value = st.sampled_from([0.0, 0.25, 0.5, 1.0, np.nan])


@quick
@given(st.lists(st.tuples(value, value, value), min_size=1, max_size=12), st.booleans())
def test_mixed(rows, gower):
    nominal = [False, True, False]
    table = np.array([[mixed_by_hand(a, b, nominal, gower) for b in rows] for a in rows])
    order = np.lexsort((np.broadcast_to(np.arange(len(rows)), table.shape), table), axis=1)
    for n_threads in (1, 2):
        distances, found = brute_mixed(rows, rows, len(rows), nominal, gower, n_threads)
        np.testing.assert_allclose(distances, np.sort(table, axis=1), atol=1e-15)
        assert (found == order).all()


# ------------------------------------------------------------------ what can't be searched

GOOD = np.arange(8.0).reshape(4, 2)


@pytest.mark.parametrize("points, message", [
    (np.empty((0, 2)), "number of points is 0"),
    (np.empty((3, 0)), "matrix with a point in each row"),
    ([1.0, 2.0], r"shape is \(2,\)"),
    ([[0, 1], [np.nan, 2]], "nan in row 1, column 0"),
    ([[0, np.inf]], "inf in row 0, column 1"),
    ([["a", "b"]], "could not convert"),
])
def test_bad_points(points, message):
    with pytest.raises(ValueError, match=message):
        KDTree(points)


@pytest.mark.parametrize("options, message", [
    ({"leaf_size": 0}, "leaf_size is 0"),
    ({"p": 0.5}, "p is 0.5"),
    ({"p": np.nan}, "p is nan"),
    ({"p": "two"}, "p is 'two'"),
    ({"split": "random"}, "split is 'random'"),
])
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        KDTree(GOOD, **options)


def searchers():
    tree = KDTree(GOOD)
    mixed = [False, True]
    return {"tree": tree.query, "brute": lambda *a, **b: brute_neighbors(GOOD, *a, **b),
            "manhattan": lambda *a, **b: brute_neighbors(GOOD, *a, p=1, **b),
            "mixed": lambda queries, k, **b: brute_mixed(GOOD, queries, k, mixed, **b)}


@pytest.mark.parametrize("name", ["tree", "brute", "manhattan", "mixed"])
def test_bad_queries(name):
    search = searchers()[name]
    for k, message in ((0, "k is 0"), (5, "k is 5, but there are only 4 points"),
                       (1.5, "k is 1"), (True, "k is True")):
        with pytest.raises(ValueError, match=message):
            search(GOOD, k)
    for queries, message in (([[1.0]], "queries have 1 dimensions, but the points have 2"),
                             ([1.0, 2.0], "queries must be"),
                             ([[0.0, np.inf]], "queries has inf in row 0, column 1")):
        with pytest.raises(ValueError, match=message):
            search(queries, 1)
    with pytest.raises(ValueError, match="n_threads is 0"):
        search(GOOD, 1, n_threads=0)
    if name != "mixed":
        with pytest.raises(ValueError, match="queries has nan in row 0, column 0"):
            search([[np.nan, 0.0]], 1)


def test_bad_radius_and_the_rest():
    for radius in (-1, np.nan, "far"):
        with pytest.raises(ValueError, match="radius is"):
            KDTree(GOOD).query_radius(GOOD, radius)
    with pytest.raises(ValueError, match="too large for p = 2"):
        brute_neighbors([[1e200]], [[0.0]], 1)
    with pytest.raises(ValueError, match="too large for p = 200"):
        KDTree(GOOD * 10, p=200).query(GOOD, 1)
    with pytest.raises(ValueError, match="k is 1, but there are only 0 points"):
        brute_neighbors(np.empty((0, 2)), GOOD, 1)
    with pytest.raises(ValueError, match="for each of the 2 columns"):
        brute_mixed(GOOD, GOOD, 1, [True])
    huge = KDTree(GOOD * 1e300, p=np.inf)  # nothing is raised to a power here
    assert huge.query([[4e300, 4e300]])[1].tolist() == [[2]]


# ------------------------------------ in a browser: without compiled loops


@quick
@given(searches(), st.sampled_from(NORMS))
def test_without_loops_the_neighbors_are_the_same(asked, p):
    points, queries, k, leaf_size, split = asked
    tree = KDTree(points, leaf_size, p, split)
    loops = tree.query(queries, k)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "IN_BROWSER", True)
        patch.setattr(engine, "_search", None)  # no loop is called
        patch.setattr(engine, "_refine", None)
        found = [tree.query(queries, k), brute_neighbors(points, queries, k, p)]
    for distances, rows in found:
        if p in (1, 2, np.inf):  # other powers are another library's
            assert (distances == loops[0]).all() and (rows == loops[1]).all()
        else:
            assert np.allclose(distances, loops[0], rtol=1e-12)


@quick
@given(st.integers(0, 2**20), st.booleans())
def test_without_loops_mixed_neighbors_are_the_same(seed, gower):
    rng = np.random.default_rng(seed)
    r = rng.integers(1, 6)
    points, queries = (np.round(rng.random((n, r)), 1) for n in (30, 300))
    for table in (points, queries):
        table[rng.random(table.shape) < 0.2] = np.nan
    nominal, k = rng.random(r) < 0.5, rng.integers(1, 31)
    loops = brute_mixed(points, queries, k, nominal, gower)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "IN_BROWSER", True)
        patch.setattr(engine, "_scan_mixed", None)
        distances, rows = brute_mixed(points, queries, k, nominal, gower)
    assert (distances == loops[0]).all() and (rows == loops[1]).all()
