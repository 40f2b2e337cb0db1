"""The engine of oblique trees: LIBLINEAR, stumps
and plain definitions at every node, merged scatter, few rows."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import learn_table
from supervised.basics.datasets import load_wine, load_xor
from supervised.features.discriminant import scatter_matrices
from supervised.features.impurity import IMPURITIES
from supervised.trees.engine.oblique import (
    _direction,
    _merged,
    _ObliqueSettings,
    _soft_margin_cost,
    _superclasses,
    soft_margin_plane,
)
from supervised.trees.multivariate import ObliqueTreeClassifier
from tests import examples

quick = examples(25)
DIRECTIONS = ("discriminant", "margin")


pytestmark = pytest.mark.filterwarnings("error")


def random_data(seed, n=None, d=None, k=None):
    """Classes around slanted borders, some labels wrong,
    columns of different units, some rows twice."""
    rng = np.random.default_rng(seed)
    n, d, k = (n or int(rng.integers(4, 70)), d or int(rng.integers(1, 5)),
               k or int(rng.integers(2, 5)))
    X = rng.normal(size=(n, d))
    if rng.random() < 0.3:
        X = X.round(1)
    y = np.digitize(X @ rng.normal(size=d), np.sort(rng.normal(size=k - 1)))
    y = np.where(rng.random(n) < 0.15, rng.integers(0, k, n), y)
    again = rng.integers(0, n, n // 5)
    X[again] = X[rng.integers(0, n, n // 5)]
    return X * 10.0 ** rng.integers(-2, 3, d), np.array([f"c{i}" for i in range(k)])[y]


def node_rows(tree, X):
    """The rows that come to each node, by the definition of a test."""
    rows = {0: np.arange(len(X))}
    for node in range(len(tree.first)):
        if tree.first[node] >= 0:
            place = (X[rows[node]] * tree.weights[node]).sum(axis=1)
            near = np.isclose(place, tree.threshold[node], rtol=1e-12, atol=1e-12)
            assert not near.any()  # no row lies on a border
            rows[tree.first[node]] = rows[node][place <= tree.threshold[node]]
            rows[tree.first[node] + 1] = rows[node][place > tree.threshold[node]]
    return [rows[node] for node in range(len(tree.first))]


def impurity_left(counts, criterion):
    """Average impurity of the branches of a split, from a table of counts."""
    sizes = counts.sum(axis=1)
    return (sizes * IMPURITIES[criterion](counts)).sum() / sizes.sum()


# ------------------------------------ the solver


@quick
@given(st.integers(0, 10**6), st.sampled_from([0.01, 0.1, 1.0]))
def test_soft_margin_is_liblinears(seed, C):
    X, y = random_data(seed, d=3)
    Z, signs = (X - X.mean(axis=0)) / X.std(axis=0), np.where(y == y[0], 1.0, -1.0)
    if len(set(signs)) < 2:
        return
    costs = np.full(len(Z), C)
    w, b = soft_margin_plane(Z, signs, costs)
    peer = LinearSVC(loss="hinge", C=C, tol=1e-7, max_iter=10**6,
                     random_state=0).fit(Z, signs)
    least = _soft_margin_cost(peer.coef_[0], peer.intercept_[0], Z, signs, costs)
    assert _soft_margin_cost(w, b, Z, signs, costs) <= 1.01 * least


def test_soft_margin_cost_by_hand():
    """w = (3, 4), b = 1: half of 9 + 16 + 1,
    and slack 1 - (3 + 1) < 0, 1 + (4 + 1) = 6, 1 - 1 = 0."""
    X, signs = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), np.array([1.0, -1.0, 1.0])
    assert (
        _soft_margin_cost(np.array([3.0, 4.0]), 1.0, X, signs, np.array([1.0, 2.0, 5.0]))
        == 13 + 2 * 6
    )


# ------------------------------------ directions


def test_superclasses_by_hand():
    """Means 0, 1, 5, 6 with shares 4, 1, 1, 4 of 10: the overall mean is 3."""
    X = (np.repeat([0.0, 1.0, 5.0, 6.0], [4, 1, 1, 4])[:, None]
         + np.tile([-0.1, 0.1], 5)[:, None])
    y = np.repeat(["a", "b", "c", "d"], [4, 1, 1, 4])
    beyond = _superclasses(scatter_matrices(X, y))
    assert beyond.tolist() in ([False, False, True, True], [True, True, False, False])
    corners, _ = load_xor()
    assert not _superclasses(scatter_matrices(np.vstack([corners] * 3),
                                              np.repeat(["a", "b", "c"], 4))).any()


@quick
@given(st.integers(0, 10**6))
def test_merged_scatter(seed):
    X, y = random_data(seed, n=40, k=4)
    known = scatter_matrices(X, y)
    beyond = np.arange(len(known.classes)) % 2 == 1
    merged, anew = (_merged(known, beyond),
                    scatter_matrices(X, beyond[np.searchsorted(known.classes, y)]))
    unit = X.std(axis=0)
    np.testing.assert_allclose(merged.means / unit, anew.means / unit, atol=1e-9)
    np.testing.assert_allclose(merged.within / np.outer(unit, unit),
                               anew.within / np.outer(unit, unit), atol=1e-9)
    np.testing.assert_allclose(merged.shares, anew.shares)


def test_no_plane_where_none_is_worth_its_slack():
    """Two instances among many of the other class:
    w = 0 is cheapest, and its rounding is no direction."""
    X = np.random.default_rng(0).normal(size=(40, 2))
    labels = (np.arange(40) < 2).astype(int)
    X[0] = 2 * X[2:].mean(axis=0) - X[1] + 0.01  # nearly around the mean of the others
    part, oblique = learn_table(X), _ObliqueSettings("margin", C=0.1)
    assert _direction(part, labels, np.ones(40), oblique) is None
    assert _direction(part, labels, np.ones(40),
                      oblique._replace(direction="discriminant")) is not None
    labels = (X[:, 0] > 0).astype(int)
    for C, expected in ((1e-7, False), (0.01, True), (1.0, True), (1e6, True)):
        assert ((_direction(part, labels, np.ones(40), oblique._replace(C=C)) is not None)
                == expected)
    assert ObliqueTreeClassifier("margin", C=1e-7).fit(X, labels).score(X, labels) == 1


def test_few_rows_stay_univariate():
    """Fewer than 2 (d + 1) rows: a plane would part most labelings, so none is tried."""
    rng = np.random.default_rng(0)
    for d in (2, 5, 9):
        for n, expected in ((2 * d + 1, False), (2 * d + 2, True)):
            for extra in (0, 3):  # columns that do not vary do not count
                part = learn_table(np.hstack([rng.normal(size=(n, d)),
                                              np.ones((n, extra))]))
                for direction in DIRECTIONS:
                    tried = _direction(part, np.arange(n) % 2, np.ones(n),
                                       _ObliqueSettings(direction))
                    assert (tried is not None) == expected
                    assert tried is None or not tried[d:].any()
                heavier = _direction(part, np.arange(n) % 2, np.full(n, 1.5),
                                     _ObliqueSettings())
                assert heavier is not None  # weights count as rows
    one_column = learn_table(rng.normal(size=(50, 1)))
    assert (
        _direction(one_column, np.arange(50) % 2, np.ones(50), _ObliqueSettings()) is None)


# ------------------------------------ the tree, against its definition


@quick
@given(st.integers(0, 10**6), st.sampled_from(DIRECTIONS),
       st.sampled_from(["entropy", "gini"]), st.integers(1, 3))
def test_every_node(seed, direction, criterion, min_leaf):
    """Counts, order and purity; and no node gains less
    than the best univariate test, found by scikit-learn."""
    X, y = random_data(seed)
    model = ObliqueTreeClassifier(direction, criterion, min_samples_leaf=min_leaf).fit(X, y)
    tree, codes, k = model.tree_, np.searchsorted(model.classes_, y), len(model.classes_)
    univariate = DecisionTreeClassifier(max_depth=1, criterion=criterion,
                                        min_samples_leaf=min_leaf)
    rows = node_rows(tree, X)
    assert tree.parent[0] == -1 and (tree.parent[1:] < np.arange(1, len(rows))).all()
    assert model.n_nodes_ == len(rows) == 2 * model.n_leaves_ - 1
    shares = model.predict_proba(X)
    for node, inside in enumerate(rows):
        np.testing.assert_array_equal(tree.counts[node],
                                      np.bincount(codes[inside], minlength=k))
        stump = univariate.fit(X[inside], y[inside])
        if tree.first[node] < 0:
            assert len(inside) >= min_leaf
            assert stump.tree_.node_count == 1 or np.ptp(X[inside], axis=0).max() < 1e-6
            np.testing.assert_allclose(
                shares[inside], tree.counts[[node]] / len(inside) + 0 * shares[inside])
            assert not tree.weights[node].any() and np.isnan(tree.threshold[node])
            continue
        children = tree.first[node] + np.arange(2)
        assert (tree.parent[children] == node).all()
        left = impurity_left(tree.counts[children], criterion)
        ends = stump.apply(X[inside])
        parts = np.array([np.bincount(codes[inside][ends == c], minlength=k)
                          for c in (1, 2)])
        assert stump.tree_.node_count == 1 or left <= impurity_left(parts, criterion) + 1e-8
        if tree.is_oblique[node]:
            assert len(inside) >= 2 * (1 + (np.ptp(X[inside], axis=0) > 0).sum())
            assert stump.tree_.node_count == 1 or left < impurity_left(parts, criterion)
            assert np.isclose(np.abs(tree.weights[node]), 1).any()


def test_as_tree_asks_the_same():
    X, y = load_wine()
    tree = ObliqueTreeClassifier().fit(X, y).tree_
    plain, oblique = tree.as_tree(), np.flatnonzero(tree.is_oblique)
    assert len(plain.attributes) == 13 + len(oblique) and plain.n_leaves == tree.n_leaves
    more = np.column_stack([X, X.to_numpy() @ tree.weights[oblique].T])
    for node in np.flatnonzero(tree.first >= 0):
        place = X.to_numpy() @ tree.weights[node]
        np.testing.assert_allclose(more[:, plain.attribute[node]], place)
    assert ((plain.attribute[plain.is_leaf] == -1).all()
            and (plain.n_branches[~plain.is_leaf] == 2).all())
