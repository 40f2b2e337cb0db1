"""k-d trees and brute force: one answer, whatever the data,
the norm, the tree and the number of threads."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from supervised.neighbors.engine.search import KDTree, brute_mixed, brute_neighbors
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
