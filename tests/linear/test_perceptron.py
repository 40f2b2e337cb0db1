"""The perceptron: walks by hand, scikit-learn's weights, the bound, weights, bad input."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Perceptron, SGDClassifier
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics.datasets import (
    load_breast_cancer,
    load_donors,
    load_iris,
    load_titanic,
)
from supervised.linear.engine.perceptron import (
    _BLOCK_ROWS,
    _MAX_COPIES,
    _MAX_ROWWISE,
    PerceptronClassifier,
    _epoch_order,
    _fit_one,
    _memory_order,
    _PerceptronSettings,
    _Pocket,
    _repeat_rows,
    _RowReader,
    _stable_argsort,
)

VARIANTS = ("averaged", "pocket", "plain")
# literal: scikit-learn 1.9.1, Perceptron(shuffle=False, tol=None, max_iter=1000) on the
# donors in tens, rows as in A Table 10.1
DONORS = ([3.0, 8.8], -63.0)


def donors_in_tens():
    people, gives = load_donors()
    return people.to_numpy() / [10, 10_000], (gives == "Y").to_numpy()


def standard(load):
    X, y = load()
    X = X.to_numpy(float)
    return (X - X.mean(axis=0)) / X.std(axis=0), np.asarray(y)


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


def test_equal_rows_score_alike_dense_or_sparse():
    rng = np.random.default_rng(0)
    for d in (1, 3, 4, 5, 9):
        X, coef = rng.normal(size=(6, d)), rng.normal(size=d + 1)
        X[rng.random((6, d)) < 0.4] = 0
        expected = X @ coef[:-1] + coef[-1]
        for rows in (X, sparse.csr_array(X)):
            assert np.allclose(_RowReader(rows).scores(coef), expected)
            many = _RowReader(rows[np.tile(np.arange(6), 20)]).scores(coef)
            assert len(set(many.tolist())) == len(set(many[:6].tolist()))


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


def test_order_of_the_table_makes_no_difference():
    X, y = noisy(_MAX_ROWWISE + 500, 4)
    order = np.random.default_rng(3).permutation(len(y))
    one, other = (PerceptronClassifier(max_iter=3).fit(X[o], y[o])
                  for o in (np.arange(len(y)), order))
    assert (one.coef_ == other.coef_).all() and (one.intercept_ == other.intercept_).all()


def test_ties_keep_their_order():
    rng = np.random.default_rng(0)
    for marks in (rng.normal(size=1000), rng.integers(0, 20, 1000).astype(float),
                  np.repeat([2.0, -np.inf, np.inf], 50), np.zeros(0), np.ones(1)):
        by_hand = sorted(range(len(marks)), key=lambda i: (marks[i], i))
        assert _stable_argsort(marks).tolist() == by_hand


def test_rows_shown_once_lie_as_they_were_drawn():
    shown = np.random.default_rng(1).permutation(50)
    rows, places = _memory_order(shown, np.random.default_rng(2))
    assert sorted(rows) == list(range(50)) and places.tolist() == list(range(50))
    some, places = _memory_order(np.array([7, 2, 9]), np.random.default_rng(2))
    assert sorted(some[places]) == [2, 7, 9]
    often, places = _memory_order(np.array([0, 2, 2]), np.random.default_rng(2))
    assert sorted(often) == [0, 2] and sorted(often[places]) == [0, 2, 2]


def test_showings_and_orders():
    rows = _RowReader(np.arange(8.0).reshape(4, 2))
    weights = np.array([1, 3, 0.5, 1000.0])
    shown, steps = _repeat_rows(rows, np.zeros(4, int), weights, False)
    assert shown.tolist() == [0, 1, 1, 1, 2] + [3] * _MAX_COPIES
    assert steps.tolist() == [1, 1, 0.5, 1000 / _MAX_COPIES]
    often, parts = _repeat_rows(rows, np.zeros(4, int), np.array([2.5, 1, 1, 1]), False)
    assert often.tolist() == [0, 0, 0, 1, 2, 3] and parts[0] == 2.5 / 3
    laid, places = _memory_order(shown, np.random.default_rng(0))
    assert sorted(laid) == [0, 1, 2, 3] and sorted(laid[places]) == shown.tolist()
    many = _epoch_order(np.arange(_MAX_ROWWISE + 100), np.random.default_rng(0))
    assert sorted(many) == list(range(_MAX_ROWWISE + 100))
    assert (many != np.arange(len(many))).any()
    assert (np.diff(many[:_BLOCK_ROWS]) == 1).all()  # neighbors stay together
    few = _epoch_order(np.arange(_MAX_ROWWISE), np.random.default_rng(0))
    assert sorted(few) == list(range(_MAX_ROWWISE))
    assert not (np.diff(few[:_BLOCK_ROWS]) == 1).all()


def test_ends_by_patience_by_epochs_or_without_a_mistake():
    X, y = noisy()
    assert len(PerceptronClassifier(max_iter=3).fit(X, y).mistakes_[0]) == 3
    trace = PerceptronClassifier(n_iter_no_change=4, max_iter=500).fit(X, y).mistakes_[0]
    assert len(trace) < 500 and len(trace) - 1 - trace.argmin() == 4
    assert len(PerceptronClassifier(n_iter_no_change=None, max_iter=60).fit(X, y)
               .mistakes_[0]) == 60
    line, trace = _fit_one(_RowReader(X), np.where(X[:, 0] > 0, 1.0, -1.0), np.arange(200),
                              np.ones(200), np.ones(200),
                              _PerceptronSettings("plain", False, 5000, None, True, 0))
    assert trace[-1] == 0 and (trace[:-1] > 0).all()


def test_many_classes_names_and_storage():
    X, y = standard(load_iris)
    model = PerceptronClassifier().fit(X, y)
    assert model.coef_.shape == (3, 4) and model.score(X, y) > 0.85
    three, one = (PerceptronClassifier(shuffle=False).fit(X, labels)
                  for labels in (y, y == "setosa"))
    assert np.allclose(three.coef_[0], one.coef_[0]) and three.converged_[0]
    assert one.score(X, y == "setosa") > 0.99  # one against the rest
    people, survived = load_titanic()
    model = PerceptronClassifier().fit(people, survived)
    again = [PerceptronClassifier.from_json(model.to_json()),
             pickle.loads(pickle.dumps(model))]
    for copy in again:
        assert (copy.predict(people) == model.predict(people)).all()
        assert (copy.mistakes_[0] == model.mistakes_[0]).all()
    assert not hasattr(model, "predict_proba")
    assert model.score(people, survived) > 0.76  # always "no" is right on 0.68


def test_real_table():
    X, y = standard(load_breast_cancer)
    for variant in VARIANTS:
        model = PerceptronClassifier(variant).fit(X[::2], y[::2])
        assert model.score(X[1::2], y[1::2]) > 0.94
    seeds = [PerceptronClassifier(random_state=s).fit(X, y).coef_ for s in (1, 1, 2)]
    assert (seeds[0] == seeds[1]).all() and (seeds[0] != seeds[2]).any()


@pytest.mark.parametrize(("parameters", "words"), [
    ({"variant": "voted"}, "variant"), ({"learning_rate_schedule": 0.1}, "rate_sch"),
    ({"max_iter": 0}, "max_iter"), ({"n_iter_no_change": 0}, "n_iter_no_change"),
    ({"max_iter": 2.5}, "max_iter")])
def test_bad_parameters(parameters, words):
    with pytest.raises((TypeError, ValueError), match=words):
        PerceptronClassifier(**parameters).fit([[0.0], [1.0]], [0, 1])


def test_bad_rows():
    X, y = noisy()
    with pytest.raises(ValueError, match="one class"):
        PerceptronClassifier().fit(X, np.zeros(len(y)))
    with pytest.raises(ValueError, match="overflow"):
        PerceptronClassifier().fit(X / np.abs(X).max() * 1.7e308, y)
    with pytest.raises(ValueError, match="NaN|missing|gap"):
        PerceptronClassifier().fit(pd.DataFrame(X).mask(X > 2), y)
    huge = PerceptronClassifier().fit(X * [1e8, 1, 1, 1, 1, 1, 1], y)
    assert np.isfinite(huge.coef_).all()
    thousand = PerceptronClassifier(max_iter=2).fit(
        np.repeat(np.eye(100), 20, axis=0), np.arange(2000) // 2)
    assert thousand.coef_.shape == (1000, 100)


@pytest.mark.parametrize("variant", ["pocket", "plain"])
def test_protocol(variant):
    check_estimator(PerceptronClassifier(variant))


def test_the_number_of_epochs_is_that_of_the_longest_walk():
    X, y = load_iris()
    model = PerceptronClassifier(max_iter=7).fit(X, y)
    assert model.n_iter_ == max(len(mistakes) for mistakes in model.mistakes_) <= 7
