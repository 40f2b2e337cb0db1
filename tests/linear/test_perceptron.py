"""The perceptron: walks by hand, scikit-learn's weights, the bound, weights, bad input."""


import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Perceptron, SGDClassifier

from supervised.basics.datasets import load_donors
from supervised.linear.engine.perceptron import PerceptronClassifier, _Pocket, _RowReader

VARIANTS = ("averaged", "pocket", "plain")
# literal: scikit-learn 1.9.1, Perceptron(shuffle=False, tol=None, max_iter=1000) on the
# donors in tens, rows as in A Table 10.1
DONORS = ([3.0, 8.8], -63.0)


def donors_in_tens():
    people, gives = load_donors()
    return people.to_numpy() / [10, 10_000], (gives == "Y").to_numpy()


def noisy(n=200, d=7, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X @ rng.normal(size=d) + rng.normal(0, 2, n) > 0.5


def test_donors_by_hand_and_as_scikit_learn():
    X, y = donors_in_tens()
    model = PerceptronClassifier("plain", shuffle=False, n_iter_no_change=None,
                                 max_iter=1000)
    model.fit(X[:3], y[:3])
    one = clone(model).set_params(max_iter=1).fit(X[:3], y[:3])
    # Nancy: -x; Jim right; Allen: +x
    assert np.allclose(one.coef_, [[4.3 - 2.1, 6.1 - 3.7]]) and one.intercept_ == [0]
    model.fit(X, y)
    assert np.allclose(model.coef_[0], DONORS[0]) and np.isclose(model.intercept_[0],
                                                                 DONORS[1])
    assert len(model.mistakes_[0]) == 91 and model.mistakes_[0].sum() == 403
    assert model.converged_.tolist() == [True] and model.score(X, y) == 1


@pytest.mark.parametrize("variant", ["plain", "averaged"])
@pytest.mark.parametrize("epochs", [1, 7])
def test_weights_of_scikit_learn(variant, epochs):
    X, y = noisy()
    same = {"tol": None, "max_iter": epochs, "shuffle": False}
    peer = (Perceptron(**same) if variant == "plain" else
            SGDClassifier(loss="perceptron", learning_rate="constant", eta0=1.0,
                          penalty=None, average=True, **same)).fit(X, y)
    model = PerceptronClassifier(variant, shuffle=False, n_iter_no_change=None,
                                 max_iter=epochs).fit(X, y)
    assert np.allclose(model.coef_, peer.coef_)
    assert np.allclose(model.intercept_, peer.intercept_)


def test_rate_by_epoch():
    X, y = np.array([[1.0], [2.0]]), np.array([1, 0])  # epoch 1: +1, then -2; epoch 2 ...
    model = PerceptronClassifier("plain", learning_rate_schedule="epoch", shuffle=False,
                                 n_iter_no_change=None, max_iter=2).fit(X, y)
    # w, b: (1, 1), (-1, 0); then score -1: + half: (-.5, .5); score -.5: right
    assert np.allclose(model.coef_, -0.5) and np.allclose(model.intercept_, 0.5)
    assert model.mistakes_[0].tolist() == [2, 1]


@pytest.mark.parametrize("seed", range(5))
def test_bound_of_novikoff(seed):
    """Rows at least 0.05 away from a plane through 0, none longer than R."""
    rng = np.random.default_rng(seed)
    X, u = rng.uniform(-1, 1, (300, 4)), np.array([0.5, 0.5, 0.5, 0.5])
    X = X[np.abs(X @ u) >= 0.05]
    model = PerceptronClassifier("plain", n_iter_no_change=None, max_iter=10_000,
                                 random_state=seed).fit(X, X @ u > 0)
    assert model.converged_[0] and model.score(X, X @ u > 0) == 1
    assert model.mistakes_[0].sum() <= ((X ** 2).sum(axis=1).max() + 1) / 0.05 ** 2


def test_average_is_the_mean_of_all_lines():
    X, y = noisy(40, 3)
    A, sides = np.column_stack([X, np.ones(40)]), np.where(y, 1, -1)
    w, lines = np.zeros(4), []
    for _ in range(3):
        for x, side in zip(A, sides, strict=True):
            w = w + side * x if side * (w @ x) <= 0 else w
            lines.append(w)
    model = PerceptronClassifier(shuffle=False, n_iter_no_change=None, max_iter=3).fit(X, y)
    assert np.allclose(np.append(model.coef_, model.intercept_), np.mean(lines, axis=0))


@pytest.mark.parametrize("patience", [1, 3])
def test_it_stops_where_mistakes_do_not_become_fewer(patience):
    """One row with both labels: it is wrong twice, comes back to zero, and so on."""
    model = PerceptronClassifier("plain", shuffle=False, n_iter_no_change=patience)
    assert model.fit([[1.0], [1.0]], [0, 1]).mistakes_[0].tolist() == [2] * (1 + patience)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_the_average_under_fractional_weights(form):
    X, y = noisy(40, 3)
    weights = np.random.default_rng(1).uniform(0.5, 2, 40)
    A, sides = np.column_stack([X, np.ones(40)]), np.where(y, 1, -1)
    w, lines = np.zeros(4), []
    times = np.ceil(weights).astype(int)  # a row of weight 1.5 is shown twice, with 0.75
    A, sides, weights = (np.repeat(part, times, axis=0)
                         for part in (A, sides, weights / times))
    given = np.bincount(np.repeat(np.arange(40), times), weights)
    for x, side, weight in zip(A, sides, weights, strict=True):
        w = w + weight * side * x if side * (w @ x) <= 0 else w
        lines.append(w)
    model = PerceptronClassifier(shuffle=False, n_iter_no_change=None, max_iter=1)
    model.fit(form(X), y, sample_weight=given)
    expected = np.average(lines, axis=0, weights=weights)
    assert np.allclose(np.append(model.coef_, model.intercept_), expected)


def test_pocket_is_never_worse_than_the_last_line():
    for seed in range(8):
        X, y = noisy(seed=seed)
        right = {v: PerceptronClassifier(v, max_iter=20).fit(X, y).score(X, y)
                 for v in VARIANTS}
        assert right["pocket"] >= right["plain"]
    pocket = _Pocket(_RowReader(X), np.where(y, 1.0, -1.0), np.ones(len(y)))
    best, other = np.append(np.ones(7), 0), np.zeros(8)
    pocket.offer(best, 3.0)
    pocket.offer(other, 9.0)  # zeros err on every row
    assert (pocket.coef == best).all() and pocket.record == 9 and pocket.n_counts == 2
    assert pocket.errors == ((X.sum(axis=1) > 0) != y).sum()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("format_", ["csr", "csc", "coo"])
def test_sparse_as_dense(variant, format_):
    rng = np.random.default_rng(1)
    X = rng.poisson(0.5, (150, 9)).astype(float)
    y = X[:, 0] + rng.poisson(0.4, 150) > X[:, 1]
    one = PerceptronClassifier(variant).fit(X, y)
    other = PerceptronClassifier(variant).fit(sparse.coo_array(X).asformat(format_), y)
    assert np.allclose(one.coef_, other.coef_) and np.allclose(one.intercept_,
                                                               other.intercept_)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("shuffle", [True, False])
def test_weights_are_copies(variant, shuffle):
    X, y = noisy()
    copies = np.random.default_rng(2).integers(0, 4, len(y))
    one = PerceptronClassifier(variant, shuffle=shuffle).fit(X, y, copies)
    other = PerceptronClassifier(variant, shuffle=shuffle).fit(
        X.repeat(copies, axis=0), y.repeat(copies))
    assert np.allclose(one.coef_, other.coef_) and one.intercept_ == other.intercept_
    assert np.allclose(one.mistakes_[0], other.mistakes_[0])
