"""Separating planes and their certificates: every witness is checked in exact arithmetic,
against an independent search in the plane, on hostile and on tight tables."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from supervised.basics.datasets import (
    load_breast_cancer,
    load_donors,
    load_iris,
    load_titanic,
    load_xor,
)
from supervised.linear.engine.separability import separating_hyperplane
from tests import examples


def exact_sides(found, X):
    """Which rows lie above the plane, by fractions."""
    b = Fraction(found.intercept)
    return np.array([sum((Fraction(w) * Fraction(v) for w, v in
                          zip(found.coef.tolist(), row, strict=True)), b) > 0
                     for row in np.asarray(X, dtype=float).tolist()])


def check_witness(found, X, y):
    """A plane has each class on its side exactly;
    a certificate gives one point from both classes."""
    X, y = np.asarray(X, dtype=float), np.asarray(y)
    positive = y == found.classes[1]
    if found.separable:
        np.testing.assert_array_equal(exact_sides(found, X), positive)
        assert found.certificate is None and found.point is None
        along = X @ (found.coef / np.linalg.norm(found.coef))
        width = along[positive].min() - along[~positive].max()
        assert np.isclose(found.margin, width, rtol=1e-6,
                          atol=1e-14 * np.abs(X).max())
        return
    assert found.coef is None and found.margin is None
    a = found.certificate
    assert (a >= 0).all() and np.isclose(a[positive].sum(), 1)
    assert np.isclose(a[~positive].sum(), 1)
    reach = np.ptp(X, axis=0)
    gap = np.abs(a[positive] @ X[positive] - a[~positive] @ X[~positive])
    assert (gap <= 1e-9 * reach + 1e-12 * np.abs(X).max(axis=0)).all()
    np.testing.assert_allclose(found.point, a[positive] @ X[positive])
    assert np.count_nonzero(a > 1e-9) <= X.shape[1] + 2


def separable_in_the_plane(X, y):
    """By whole numbers: is a direction across two points, or along them and turned a
    little, one that parts the classes?"""
    P, N = X[y == 1].tolist(), X[y == 0].tolist()
    edges = {(b[0] - a[0], b[1] - a[1]) for a, b in combinations(P + N, 2)} - {(0, 0)}
    normals = {(s * -v, s * u) for (u, v), s in product(edges, (1, -1))} | {
        (s * u, s * v) for (u, v), s in product(edges, (1, -1))}
    # a direction strictly between two critical ones is a sum of neighbors
    normals = sorted(normals, key=lambda n: np.arctan2(n[1], n[0]))
    normals += [(a[0] * 1 + b[0], a[1] + b[1])
                for a, b in zip(normals, normals[1:] + normals[:1], strict=True)]
    return any(min(w[0] * p[0] + w[1] * p[1] for p in P)
               > max(w[0] * q[0] + w[1] * q[1] for q in N) for w in normals)


@examples(60)
@given(st.integers(0, 10**6))
def test_whole_numbers_in_the_plane(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    X = rng.integers(0, 5, (n, 2))
    y = np.append([0, 1], rng.integers(0, 2, n - 2))
    found = separating_hyperplane(X.astype(float), y)
    assert found.separable == separable_in_the_plane(X, y)
    check_witness(found, X, y)


@examples(60)
@given(st.integers(0, 10**6))
def test_witnesses_of_random_tables(seed):
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(1, 8)), int(rng.integers(4, 60))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(-4, 5, d) + rng.normal(0, 3, d)
    score = (X - X.mean(axis=0)) / X.std(axis=0) @ rng.normal(size=d)
    y = score + rng.choice([0, 0.5]) * rng.normal(size=n) > np.median(score)
    y[[score.argmin(), score.argmax()]] = False, True
    check_witness(separating_hyperplane(X, y), X, y)


@examples(40)
@given(st.integers(0, 10**6))
def test_planted_answers(seed):
    rng = np.random.default_rng(seed)
    d, n = int(rng.integers(1, 6)), int(rng.integers(4, 80))
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    y = X @ w > np.median(X @ w)
    if y.any():
        assert separating_hyperplane(X, y).separable
    inside = X[y][:d + 2].mean(axis=0)  # of the other class, but in the hull of this
    found = separating_hyperplane(np.vstack([X, inside]), np.append(y, False))
    assert not found.separable
    check_witness(found, np.vstack([X, inside]), np.append(y, False))


def test_donors_and_the_line_of_exercise_13():
    X, y = load_donors()
    found = separating_hyperplane(X, y)
    check_witness(found, X, y)
    assert list(found.columns) == ["Age", "Salary"]
    together = X["Age"] + X["Salary"] / 1000
    assert together[y == "N"].max() == 93 and together[y == "Y"].min() == 104
    widest = 2 / np.hypot(0.163934, 0.196721)  # margin of the support vector machine
    thousands = X.assign(Salary=X["Salary"] / 1000)
    assert 0.9 * widest < separating_hyperplane(thousands, y).margin <= widest + 1e-4


def test_square_and_its_cure():
    X, y = load_xor()
    found = separating_hyperplane(X, y)
    np.testing.assert_allclose(found.certificate, 0.5)
    np.testing.assert_allclose(found.point, 0.5)
    corners = X.to_numpy(float)
    folded = np.column_stack([corners, corners.prod(axis=1)])
    assert separating_hyperplane(folded, y).separable
    assert separating_hyperplane((2 * corners - 1).prod(axis=1)[:, None], y).separable


def test_known_tables():
    assert separating_hyperplane(*load_breast_cancer()).separable
    assert not separating_hyperplane(*load_titanic()).separable
    iris, kind = load_iris()
    assert [separating_hyperplane(iris, kind == k).separable for k in
            ("setosa", "versicolor", "virginica")] == [True, False, False]


@pytest.mark.parametrize("scale", [1e-8, 1e8, 1e150])
def test_units_play_no_part(scale):
    X, y = load_breast_cancer()
    X = X.to_numpy()[:, :12]
    plain = separating_hyperplane(X[:80], y[:80])
    other = X[:80] * np.where(np.arange(12) % 2, scale, 1.0)
    found = separating_hyperplane(other, y[:80])
    assert found.separable == plain.separable
    check_witness(found, other, y[:80]) if scale < 1e100 else None


@pytest.mark.parametrize("exponent", [3, 8, 10, 12, 15])
def test_tight_gaps(exponent):
    tiny = 2.0 ** -round(exponent / 0.30103)
    line = np.array([[0.0], [1.0], [1.0 + tiny]])
    turned = np.array([[0, 0], [2, 2], [1, 1 + tiny]])
    for X in (line, turned):
        found = separating_hyperplane(X, [0, 0, 1])
        assert found.separable
        check_witness(found, X, np.array([0, 0, 1]))
    between = np.array([[0.0], [2.0], [1 + tiny]])
    assert not separating_hyperplane(between, [0, 0, 1]).separable


def test_equal_rows_collinear_constant_sparse_wide():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), np.arange(60) % 2
    twice = np.vstack([X, X[:1]])
    assert not separating_hyperplane(twice, np.append(y, 1 - y[0])).separable
    two = separating_hyperplane(np.ones((4, 3)), [0, 1, 0, 1])
    assert not two.separable and np.count_nonzero(two.certificate) == 2
    copied = np.column_stack([X, X[:, 0] + X[:, 1], np.ones(60), X[:, 2]])
    side = (X @ [1, -1, 2, 0.5] > 0.1).astype(int)
    for table, labels in ((copied, side), (copied, y)):
        check_witness(separating_hyperplane(table, labels), table, labels)
    assert separating_hyperplane(copied, side).separable
    wide = rng.normal(size=(60, 300))
    check_witness(separating_hyperplane(wide, y), wide, y)
    thin = sparse.random_array((60, 300), density=0.2, rng=rng, format="coo")
    found = separating_hyperplane(thin, y)
    assert found.separable and (exact_sides(found, thin.toarray()) == (y == 1)).all()
    both = np.append(y, 1 - y[0])
    assert not separating_hyperplane(sparse.csr_array(twice), both).separable
