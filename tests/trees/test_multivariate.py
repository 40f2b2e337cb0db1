"""Oblique trees: units, weights, parameters, and what hostile users pass."""


import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import LinearSVC

from supervised.basics.datasets import load_breast_cancer, load_donors, load_iris, load_xor
from supervised.features.discriminant import fisher_direction
from supervised.trees.multivariate import ObliqueTreeClassifier
from tests import examples
from tests.trees.test_engine_oblique import random_data

quick = examples(25)
DIRECTIONS = ("discriminant", "margin")


pytestmark = pytest.mark.filterwarnings("error")


# ------------------------------------ directions, units and weights


def test_root_follows_fisher_and_the_machine():
    X, y = load_breast_cancer()
    W = fisher_direction(X, y)
    found = ObliqueTreeClassifier(max_depth=1).fit(X, y).tree_.weights[0]
    np.testing.assert_allclose(found * np.sign(found @ W) / np.linalg.norm(found), W,
                               atol=1e-4)
    Z = (X - X.mean()) / X.std(ddof=0)
    peer = (LinearSVC(loss="hinge", C=0.1, tol=1e-8, max_iter=10**6, random_state=0)
            .fit(Z, y).coef_[0])
    found = (ObliqueTreeClassifier("margin", C=0.1, max_depth=1)
             .fit(X, y).tree_.weights[0] * X.std(ddof=0).to_numpy())
    assert abs(found @ peer) / np.linalg.norm(found) / np.linalg.norm(peer) > 0.99


@quick
@given(st.integers(0, 10**6), st.sampled_from(DIRECTIONS))
def test_units_do_not_matter(seed, direction):
    X, y = random_data(seed)
    units = 2.0 ** np.random.default_rng(seed).integers(-20, 20, X.shape[1])
    plain, scaled = (ObliqueTreeClassifier(direction).fit(Z, y) for Z in (X, X * units))
    fresh = np.random.default_rng(seed).normal(size=(50, X.shape[1])) * X.std(axis=0)
    np.testing.assert_array_equal(plain.predict(X), scaled.predict(X * units))
    assert plain.n_leaves_ == scaled.n_leaves_
    # a border may move by rounding
    assert (plain.predict(fresh) == scaled.predict(fresh * units)).mean() > 0.95


@quick
@given(st.integers(0, 10**6))
def test_weights_are_repetitions(seed):
    X, y = random_data(seed)
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    times[0] = 1
    again = np.repeat(np.arange(len(y)), times)
    weighted, repeated = (ObliqueTreeClassifier().fit(X, y, times),
                          ObliqueTreeClassifier().fit(X[again], y[again]))
    np.testing.assert_allclose(weighted.tree_.counts, repeated.tree_.counts)
    np.testing.assert_allclose(weighted.tree_.threshold, repeated.tree_.threshold,
                               rtol=1e-3, atol=1e-6)
    present = times > 0
    absent = ObliqueTreeClassifier().fit(X[present], y[present], times[present])
    np.testing.assert_array_equal(weighted.tree_.counts, absent.tree_.counts)
    assert set(weighted.classes_) == set(y[present])


def test_ties_go_to_the_univariate_test():
    X = np.column_stack([np.arange(20.0), np.arange(20.0) % 3])
    tree = ObliqueTreeClassifier().fit(X, X[:, 0] > 9).tree_
    assert (tree.weights[0].tolist() == [1, 0] and tree.threshold[0] == 9.5
            and tree.n_leaves == 2)


def test_donors():
    X, y = load_donors()
    for direction in DIRECTIONS:
        model = ObliqueTreeClassifier(direction).fit(X, y)
        assert model.n_leaves_ == 2 and model.score(X, y) == 1
        assert model.tree_.is_oblique.tolist() == [True, False, False]
        assert model.tree_.counts.tolist() == [[5, 6], [5, 0], [0, 6]]
    # Fisher's weights are 0.28784 and 0.41710 with salaries in thousands;
    # Jane and Allen are nearest
    tree = ObliqueTreeClassifier().fit(X, y).tree_
    ratio = 1000 * 0.28784103 / 0.41710112
    np.testing.assert_allclose(tree.weights[0], [ratio, 1], rtol=1e-6)
    assert tree.threshold[0] == pytest.approx((55_000 + 61_000 + ratio * (38 + 43)) / 2)


# ------------------------------------ parameters


def test_depth_leaf_and_gain():
    X, y = load_iris()
    full = ObliqueTreeClassifier().fit(X, y)
    assert full.score(X, y) == 1
    assert ObliqueTreeClassifier(max_depth=1).fit(X, y).n_leaves_ == 2
    for least in (5, 20, 60):
        tree = ObliqueTreeClassifier(min_samples_leaf=least).fit(X, y).tree_
        assert tree.counts[tree.first < 0].sum(axis=1).min() >= least
    assert ObliqueTreeClassifier(min_samples_leaf=76).fit(X, y).n_leaves_ == 1
    # the third test gains less
    assert ObliqueTreeClassifier(min_gain=0.5).fit(X, y).n_leaves_ == 3
    # more than all there is, log2 3
    assert ObliqueTreeClassifier(min_gain=1.6).fit(X, y).n_leaves_ == 1


# ------------------------------------ hostile input


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_degenerate_tables(direction):
    model = ObliqueTreeClassifier(direction)
    one = model.fit([[1.0, 2.0]], ["a"])
    assert (one.n_leaves_ == 1 and one.predict([[9.0, 9.0]]).tolist() == ["a"]
            and one.to_text() == "a (1/1)")
    assert (
        model.fit(np.random.default_rng(0).normal(size=(30, 2)), ["a"] * 30).n_leaves_ == 1)
    assert model.fit(np.ones((30, 3)), np.arange(30) % 2).n_leaves_ == 1
    assert model.predict_proba(np.ones((1, 3))).tolist() == [[0.5, 0.5]]
    two = model.fit([[0.0, 5.0], [1.0, 5.0]], ["a", "b"])
    assert two.n_leaves_ == 2 and two.tree_.threshold[0] == 0.5
    assert (model.fit([[3.0, 5.0], [3.0, 5.0]], ["a", "b"]).predict([[3.0, 5.0]])
            .tolist() == ["a"])
    conflict = np.repeat(np.random.default_rng(0).normal(size=(20, 2)), 2, axis=0)
    assert (model.fit(conflict, np.tile(["a", "b"], 20))
            .score(conflict, np.tile(["a", "b"], 20)) == 0.5)
    corners, sign = load_xor()
    assert model.fit(corners, sign).score(corners, sign) == 1 and model.n_leaves_ == 4


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_singular_scatter(direction):
    """Equal, dependent and constant columns,
    and columns without spread inside the classes."""
    X, y = load_iris()
    wide = X.assign(one=1.0, tenth=0.1, inches=X.iloc[:, 0] / 2.54, total=X.sum(axis=1),
                    same=X.iloc[:, 0])
    model = ObliqueTreeClassifier(direction).fit(wide, y)
    assert model.score(wide, y) == 1 and np.isfinite(model.tree_.weights).all()
    assert not model.tree_.weights[:, 4:6].any()
    other = wide.assign(one=1e9, tenth=-1e9)  # no test looks at a constant column
    np.testing.assert_array_equal(model.predict_proba(other), model.predict_proba(wide))
    exact = np.column_stack([np.tile(np.arange(10.0), 2),
                             np.tile(np.arange(10.0), 2) + np.repeat([0.0, 1.0], 10)])
    assert (ObliqueTreeClassifier(direction, C=1000)
            .fit(exact, np.repeat(["a", "b"], 10)).n_leaves_ == 2)


def test_far_from_zero():
    """An offset a million times the spread moves no row to the wrong side."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = X.sum(axis=1) > 0.1
    for direction in DIRECTIONS:
        near, far = (ObliqueTreeClassifier(direction).fit(X, y),
                     ObliqueTreeClassifier(direction).fit(X + 1e6, y))
        assert near.score(X, y) == far.score(X + 1e6, y) == 1
        assert near.tree_.is_oblique[0] and far.tree_.is_oblique[0]


def test_values_too_large():
    X, y = random_data(0, n=60, d=2, k=2)
    wild = pd.DataFrame(X, columns=["fine", "huge"])
    wild.loc[0, "huge"] = 1e200
    with pytest.raises(ValueError, match="column 'huge' has values too large"):
        ObliqueTreeClassifier().fit(wild, y)
    X = np.random.default_rng(0).normal(size=(200, 3))
    steep = ObliqueTreeClassifier().fit(X * [1, 1e4, 1], X @ [1.0, -3.0, 1.0] > 0)
    assert steep.tree_.is_oblique[0] and (steep.tree_.weights[0, [0, 2]] < -100).all()
    assert len(steep.predict([[1.7e308, 0.0, 0.0]])) == 1  # infinitely far on one side
    with pytest.raises(ValueError, match="row 1 of X has values too large"):
        steep.predict([[0.0, 0.0, 0.0], [1.7e308, 0.0, -1.7e308], [1.0, 1.0, 1.0]])


# ------------------------------------ reading and storing


def test_text():
    X, y = load_donors()
    X = X.assign(Salary=X["Salary"] / 1000)
    lines = ObliqueTreeClassifier().fit(X, y).to_text().splitlines()
    assert (len(lines) == 2 and lines[0].startswith("Salary + 0.69 Age <= 85.9")
            and lines[1].endswith(": Y (6/6)"))
    X = pd.DataFrame({"a": [0.0, 1, 2, 3, 4, 5, 6, 7, 8],
                      "b": [1.0, 0, 3, 2, 5, 4, 7, 6, 9]})
    text = ObliqueTreeClassifier().fit(X, X["a"] - 0.999 * X["b"] > 0).to_text()
    assert " - " in text.splitlines()[0]
