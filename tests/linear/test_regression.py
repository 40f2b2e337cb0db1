"""Least squares as a classifier: the normal equations, scikit-learn's ridge, Fisher's
direction, shortest solutions, sparse tables, and what hostile users pass."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, RidgeClassifier

from supervised.basics.datasets import load_breast_cancer, load_donors, load_iris
from supervised.features.discriminant import fisher_direction
from supervised.linear.engine.least_squares import (
    LeastSquaresClassifier,
    _class_codes,
    _sparse_weights,
)
from tests import examples

quick = examples(40)


def random_data(seed, k=None):
    """Columns of different units, labels as text, whole weights."""
    rng = np.random.default_rng(seed)
    k, d = k or int(rng.integers(2, 5)), int(rng.integers(1, 7))
    n = int(rng.integers(4 * d + 3 * k, 120))
    labels = np.append(np.arange(k), rng.integers(0, k, n - k))
    X = rng.normal(size=(n, d)) + rng.normal(size=(k, d))[labels]
    X = X * 10.0 ** rng.integers(-3, 4, d) + rng.normal(0, 5, d)
    return X, np.array([f"c{i}" for i in range(k)])[labels], rng


def plain(X, codes, weights, ridge):
    """Normal equations with a constant, by a pseudo-inverse of the rows."""
    mean = weights @ X / weights.sum()
    root = np.sqrt(weights)[:, None]
    rows = np.vstack([root * (X - mean), np.sqrt(ridge) * np.eye(X.shape[1])])
    middle = weights @ codes / weights.sum()
    wanted = np.vstack([root * (codes - middle), np.zeros((X.shape[1], codes.shape[1]))])
    w = np.linalg.lstsq(rows, wanted, rcond=None)[0].T
    return w, middle - w @ mean


@quick
@given(st.integers(0, 10**6))
def test_as_by_the_definition(seed):
    X, y, rng = random_data(seed)
    ridge, weights = float(rng.choice([0, 0.1, 10])), rng.uniform(0.1, 3, len(y))
    for coding in ("unit", "fisher"):
        model = LeastSquaresClassifier(ridge, coding).fit(X, y, weights)
        codes = _class_codes(np.unique(y, return_inverse=True)[1], weights,
                             len(np.unique(y)), coding)
        w, b = plain(X, codes, weights, ridge)
        size = np.abs(w * X.std(axis=0)).max()
        np.testing.assert_allclose(model.coef_ * X.std(axis=0), w * X.std(axis=0),
                                   atol=1e-7 * size)
        np.testing.assert_allclose(model.intercept_ + model.coef_ @ X.mean(axis=0),
                                   b + w @ X.mean(axis=0), atol=1e-7)


@quick
@given(st.integers(0, 10**6))
def test_as_scikit_learn_has_it(seed):
    X, y, rng = random_data(seed)
    weights = rng.integers(1, 4, len(y)).astype(float)
    for ridge in (0.5, 20.0):
        ours = LeastSquaresClassifier(ridge).fit(X, y, weights)
        theirs = RidgeClassifier(ridge, solver="svd").fit(X, y, weights)
        np.testing.assert_allclose(ours.decision_function(X), theirs.decision_function(X),
                                   atol=1e-7)
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@quick
@given(st.integers(0, 10**6))
def test_weights_are_repetitions(seed):
    X, y, rng = random_data(seed)
    w = rng.integers(0, 4, len(y))
    w[[np.flatnonzero(y == c)[0] for c in np.unique(y)]] = 2
    again = np.repeat(np.arange(len(y)), w)
    model = LeastSquaresClassifier(1.0, str(rng.choice(["unit", "fisher"])))
    np.testing.assert_allclose(model.fit(X, y, w).decision_function(X),
                               clone(model).fit(X[again], y[again]).decision_function(X),
                               atol=1e-7)


@quick
@given(st.integers(0, 10**6))
def test_fishers_direction_and_the_two_borders(seed):
    X, y, rng = random_data(seed, k=2)
    unit = LeastSquaresClassifier().fit(X, y)
    fisher = LeastSquaresClassifier(coding="fisher").fit(X, y)
    spread = X.std(axis=0)
    one, other = fisher.coef_[0] * spread, fisher_direction(X, y) * spread
    assert np.isclose(one @ other, np.linalg.norm(one) * np.linalg.norm(other), rtol=1e-7)
    p = (y == "c1").mean()
    np.testing.assert_allclose(
        unit.decision_function(X),
        2 * p * (1 - p) * fisher.decision_function(X) + 2 * p - 1,
        atol=1e-8)
    assert abs(fisher.decision_function(X.mean(axis=0)[None, :])[0]) < 1e-8


def test_donors_by_hand():
    """Solved as fractions: 11 people, ages and salaries in thousands."""
    X, y = load_donors()
    model = LeastSquaresClassifier().fit(X.assign(Salary=X["Salary"] / 1000), y)
    w = LinearRegression().fit(X, np.where(y == "Y", 1.0, -1.0))
    np.testing.assert_allclose(model.coef_[0] / [1, 1000], w.coef_, rtol=1e-9)
    assert np.isclose(model.intercept_[0], w.intercept_)
    assert model.score(X.assign(Salary=X["Salary"] / 1000), y) == 1
    points = np.array([[0.0], [1.0], [2.0], [12.0]])
    far = LeastSquaresClassifier().fit(points, [0, 0, 1, 1])
    assert np.isclose(-far.intercept_[0] / far.coef_[0, 0], 3.75)  # the mean of the points
    assert far.predict([[2.0]])[0] == 0


def test_the_middle_class_is_masked():
    X = (np.repeat([0.0, 4.0, 8.0], 10) + np.tile(np.linspace(-1, 1, 10), 3))[:, None]
    y = np.repeat([0, 1, 2], 10)
    assert 1 not in LeastSquaresClassifier().fit(X, y).predict(X)
    iris, kind = load_iris()  # 127 of 150, by scikit-learn's RidgeClassifier(alpha=1e-12)
    assert np.isclose(LeastSquaresClassifier().fit(iris, kind).score(iris, kind), 127 / 150)


def test_shortest_solutions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    y = (X[:, 0] + rng.normal(size=50) > 0).astype(int)
    alone = LeastSquaresClassifier().fit(X, y)
    twice = LeastSquaresClassifier().fit(np.column_stack([X, X[:, 0], np.ones(50)]), y)
    np.testing.assert_allclose(twice.coef_[0, [0, 3]], alone.coef_[0, 0] / 2, rtol=1e-9)
    np.testing.assert_allclose(twice.coef_[0, 1:3], alone.coef_[0, 1:], rtol=1e-9)
    assert twice.coef_[0, 4] == 0
    wide = rng.normal(size=(10, 40))  # a solution for every label, the shortest one
    wide /= wide.std(axis=0)
    model = LeastSquaresClassifier().fit(wide, y[:10])
    np.testing.assert_allclose(model.decision_function(wide), 2 * y[:10] - 1, atol=1e-8)
    centered = wide - wide.mean(axis=0)
    expected = np.linalg.pinv(centered) @ (2 * y[:10] - 1 - np.mean(2 * y[:10] - 1))
    np.testing.assert_allclose(model.coef_[0], expected, atol=1e-8)


@pytest.mark.parametrize("scale", [1e-150, 1e-8, 1e8, 1e150])
def test_columns_of_any_scale(scale):
    X, y = load_breast_cancer()
    X = X.to_numpy()[:, :8]
    plain_scores = LeastSquaresClassifier().fit(X, y).decision_function(X)
    other = X * np.where(np.arange(8) % 2, scale, 1.0)
    scores = LeastSquaresClassifier().fit(other, y).decision_function(other)
    np.testing.assert_allclose(scores, plain_scores, atol=1e-6)
    late = X + np.where(np.arange(8) == 0, 1.7e9, 0.0)
    scores = LeastSquaresClassifier().fit(late, y).decision_function(late)
    np.testing.assert_allclose(scores, plain_scores, atol=1e-4)  # seven digits are left


@pytest.mark.parametrize("ridge", [0.0, 2.0])
def test_sparse_as_full(ridge):
    rng = np.random.default_rng(1)
    counts = rng.poisson(0.4, (150, 20)).astype(float)
    counts[:, 5], counts[:, 7] = counts[:, 4], 0
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 150)]
    weights = rng.integers(1, 4, 150)
    full = LeastSquaresClassifier(ridge).fit(counts, y, weights)
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        thin = LeastSquaresClassifier(ridge).fit(kind(counts), y, weights)
        np.testing.assert_allclose(thin.coef_, full.coef_, atol=1e-8)
        np.testing.assert_allclose(thin.intercept_, full.intercept_, atol=1e-8)
    wide = sparse.random_array((30, 200), density=0.1, rng=rng, format="csr")
    w, b = _sparse_weights(wide, np.sign(rng.normal(size=(30, 1))), np.ones(30), 1.0)
    assert np.isfinite(w).all() and w.shape == (1, 200)
