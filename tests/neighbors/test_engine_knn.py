"""Nearest neighbors: plain definitions, scikit-learn, ties, weights, leave-one-out,
storage, and hostile input."""

import json
import pickle
import tracemalloc
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, clone
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics import Standardizer, from_json, learn_table
from supervised.basics.datasets import load_credit, load_heart_disease, load_iris, load_wine
from supervised.neighbors.engine.distances import learn_space
from supervised.neighbors.engine.knn import (
    KNNClassifier,
    _NeighborSearch,
    choose_algorithm,
    leave_one_out_errors,
    neighbor_votes,
    poll,
    winning_class,
)
from supervised.neighbors.engine.search import KDTree
from tests import examples

quick = examples(15)
WEIGHTS = ("uniform", "distance", "squared", "gaussian")
Euclid = partial(KNNClassifier, metric="euclidean")  # numbers as they come
RAW = {"metric": "euclidean"}


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def numbers(seed, n=60, d=3, classes=3, grid=None):
    """Points and classes a, b, c ...; on a grid distances are often equal."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, grid, (n, d)).astype(float) if grid else rng.normal(size=(n, d))
    return X, np.array(list("abcdefg"))[np.append(np.arange(classes),
                                                  rng.integers(0, classes, n - classes))]


def plain_order(X, x):
    """Rows by distance, ties by row number, in plain Python."""
    return sorted(range(len(X)), key=lambda i: (
        sum((a - b) ** 2 for a, b in zip(X[i], x, strict=True)), i))


def plain_class(X, y, x, k, vote=lambda d: 1.0, rows=None):
    """The k nearest vote; of tied classes that of the nearest neighbor."""
    rows = [i for i in plain_order(X, x) if rows is None or i in rows][:k]
    totals = {}
    for i in rows:
        totals[y[i]] = totals.get(y[i], 0.0) + vote(np.linalg.norm(X[i] - x))
    most = max(totals.values())
    return next(y[i] for i in rows if np.isclose(totals[y[i]], most, rtol=1e-12, atol=0))


@quick
@given(st.integers(0, 10**6), st.integers(1, 12), st.sampled_from([None, 3]),
       st.sampled_from(["kd_tree", "brute"]))
def test_the_plain_definition(seed, k, grid, algorithm):
    X, y = numbers(seed, grid=grid)
    asked = numbers(seed + 1, n=15, grid=grid)[0]
    model = Euclid(k, algorithm=algorithm).fit(X, y)
    assert model.predict(asked).tolist() == [plain_class(X, y, x, k) for x in asked]
    _, rows = model.kneighbors(asked)
    assert rows.tolist() == [plain_order(X, x)[:k] for x in asked]
    shares = [[np.mean(y[row] == c) for c in model.classes_] for row in rows]
    assert np.allclose(model.predict_proba(asked), shares, rtol=0, atol=1e-15)


@quick
@given(st.integers(0, 10**6), st.integers(1, 10))
def test_the_largest_probability_is_the_prediction(seed, k):
    X, y = numbers(seed, grid=4)
    model = KNNClassifier(k).fit(X, y)
    p = model.predict_proba(X)
    assert (model.classes_[p.argmax(axis=1)] == model.predict(X)).all()
    assert np.allclose(p.sum(axis=1), 1, rtol=0, atol=1e-15)


@pytest.mark.parametrize("weights, theirs", [
    ("uniform", "uniform"), ("distance", "distance"), ("squared", lambda d: 1 / d**2),
    ("gaussian", lambda d: np.exp(-(d**2) / 4))])
def test_scikit_learn(weights, theirs):
    X, y = numbers(0, n=300)
    asked = numbers(1, n=200)[0]
    ours = Euclid(9, weights, bandwidth=2.0 if weights == "gaussian" else None).fit(X, y)
    peer = KNeighborsClassifier(9, weights=theirs).fit(X, y)
    assert np.allclose(ours.predict_proba(asked), peer.predict_proba(asked), atol=1e-12)
    assert np.allclose(ours.kneighbors(asked)[0], peer.kneighbors(asked)[0], atol=1e-12)
    callable_too = Euclid(9, lambda d: 1 / (1 + d)).fit(X, y)
    peer = KNeighborsClassifier(9, weights=lambda d: 1 / (1 + d)).fit(X, y)
    assert np.allclose(callable_too.predict_proba(asked), peer.predict_proba(asked),
                       atol=1e-12)


@pytest.mark.parametrize("metric, theirs", [
    ("manhattan", {"metric": "manhattan"}), ("cosine", {"metric": "cosine"}),
    ("chebyshev", {"metric": "chebyshev"}), ("minkowski", {"metric": "minkowski", "p": 3})])
def test_metrics(metric, theirs):
    X, y = load_iris()
    asked = X.to_numpy()[::3] + 0.013
    ours = KNNClassifier(7, metric=metric, p=3.0).fit(X.to_numpy(), y).kneighbors(asked)[0]
    assert np.allclose(
        ours, KNeighborsClassifier(7, **theirs).fit(X.to_numpy(), y).kneighbors(asked)[0],
        atol=1e-9)


class Learner(BaseEstimator):
    """Learns a diagonal matrix; notes what it was given."""

    def fit(self, X, y, sample_weight=None):
        self.seen_ = len(X), set(y), None if sample_weight is None else len(sample_weight)
        self.matrix_ = np.diag([4.0, 1.0, 0.25])
        return self


def test_a_matrix_and_what_learns_one():
    X, y = numbers(3)
    by_hand = Euclid(3).fit(X * [2, 1, 0.5], y).kneighbors(X * [2, 1, 0.5])
    learner = Learner()
    for metric in (np.diag([4.0, 1.0, 0.25]), learner):
        distances, rows = KNNClassifier(3, metric=metric).fit(X, y).kneighbors(X)
        assert np.allclose(distances, by_hand[0]) and (rows == by_hand[1]).all()
        errors = leave_one_out_errors(X, y, [1, 3], metric=metric)["errors"]
        assert (errors == leave_one_out_errors(X * [2, 1, 0.5], y, [1, 3],
                                               **RAW)["errors"]).all()
    assert not hasattr(learner, "seen_")  # a copy was fitted
    low = np.outer([1, 1, 0], [1, 1, 0]).astype(float)  # rank 1: one coordinate
    assert KNNClassifier(1, metric=low).fit(X, y).search_.points.shape == (60, 1)


def test_votes():
    d = np.array([[1.0, 2.0, 4.0], [0.0, 0.0, 1.0], [0.0, 1e-300, 1.0]])
    assert np.allclose(neighbor_votes(d, "distance"),
                       [[1, 0.5, 0.25], [1, 1, 0], [1, 0, 0]])
    assert np.allclose(neighbor_votes(d, "squared"),
                       [[1, 0.25, 0.0625], [1, 1, 0], [1, 0, 0]])
    assert np.allclose(neighbor_votes(d, "gaussian", np.inf), 1)
    for wrong in (None, 0.0, "wide"):
        with pytest.raises(ValueError, match="bandwidth is .*a number above 0"):
            neighbor_votes(d, "gaussian", wrong)
    far = np.array([[1e8, 1e8 + 1e-6]])
    # no underflow of all
    assert np.allclose(neighbor_votes(far, "gaussian", 10.0), [[1, np.exp(-2)]], rtol=1e-2)
    tiny = np.array([[5e-324, 1e-323]])
    assert np.allclose(neighbor_votes(tiny, "squared"), [[1, 0.25]])


@pytest.mark.parametrize("answer, message", [
    (lambda d: -d, "finite and not negative"), (lambda d: d * np.nan, "nan"),
    (lambda d: d[:, :1], "shape"), (lambda d: 0 * d, "nearest")])
def test_bad_votes(answer, message):
    X, y = numbers(0)
    model = KNNClassifier(3, answer).fit(X, y)
    with pytest.raises(ValueError, match=message):
        model.predict(X + 0.1)


def test_ties():
    labels = np.array([0, 1, 1, 0, 2])
    assert winning_class(np.array([2.0, 2.0, 0.0]), np.array([3, 1, 2, 0]), labels) == 0
    assert winning_class(np.array([2.0, 2.0, 0.0]), np.array([1, 3, 2, 0]), labels) == 1
    nearly = np.array([1.0, 1.0 + 2**-52, 0.5])  # equal but for rounding
    assert winning_class(nearly, np.array([4, 0, 1]), labels) == 0
    X = [[0.0], [1.0], [-1.0], [2.0], [-2.0]]
    model = KNNClassifier(2).fit(X, list("zbaab"))
    # not the first of the alphabet
    assert model.predict([[0.0]]) == "z" and model.predict([[0.9]]) == "b"
    # equal distances: by row number
    assert model.kneighbors([[0.0]], 5)[1].tolist() == [[0, 1, 2, 3, 4]]


@quick
@given(st.integers(0, 10**6), st.sampled_from(["uniform", "distance"]))
def test_weights_are_copies(seed, weights):
    rng = np.random.default_rng(seed)
    X, y = numbers(seed, n=25)
    w = rng.integers(0, 4, 25)
    w[:3] = 1
    asked = numbers(seed + 1, n=10)[0]
    for k in (1, 4, 9):
        once = KNNClassifier(k, weights).fit(X, y, w).predict_proba(asked)
        copied = KNNClassifier(k, weights).fit(X.repeat(w, axis=0),
                                               y.repeat(w)).predict_proba(asked)
        assert np.allclose(once, copied)


def test_small_weights_multiply_votes():
    X, y = [[1.0], [2.0], [3.0], [9.0]], ["a", "b", "b", "b"]
    assert np.allclose(KNNClassifier(3).fit(X, y, [1, 0.25, 0.25, 2.5])
                       .predict_proba([[0.0]]), [[2 / 3, 1 / 3]])
    assert (KNNClassifier(2).fit(X, y, [1.5, 1, 1, 1]).predict_proba([[0.0]])
            .tolist() == [[1, 0]])
    boosted = AdaBoostClassifier(KNNClassifier(3), n_estimators=3,
                                 random_state=0).fit(*load_wine())
    assert boosted.score(*load_wine()) > 0.6


def test_row_numbers_are_those_given():
    X, y = numbers(0, n=30)
    w = np.ones(30)
    w[[0, 7, 8]] = 0
    model = KNNClassifier(1).fit(X, y, w)
    rows = model.kneighbors(X)[1][:, 0]
    assert (rows[w > 0] == np.flatnonzero(w)).all() and not set(rows) & {0, 7, 8}


@quick
@given(st.integers(0, 10**6), st.sampled_from(WEIGHTS), st.sampled_from([None, 3]))
def test_leave_one_out(seed, weights, grid):
    X, y = numbers(seed, n=25, grid=grid)
    width = 1.3 if weights == "gaussian" else None
    table = leave_one_out_errors(X, y, [1, 2, 5, 24], weights, bandwidth=width, **RAW)
    for k in table.index:
        wrong = 0
        for i in range(25):
            others = np.delete(np.arange(25), i)
            model = Euclid(k, weights, bandwidth=width).fit(X[others], y[others])
            wrong += model.predict(X[[i]])[0] != y[i]
        assert (table["errors"][k] == wrong
                and np.isclose(table["error rate"][k], wrong / 25))


@pytest.mark.parametrize("algorithm", ["kd_tree", "brute"])
def test_leave_one_out_of_copies(algorithm):
    # a row is not even among its own first neighbors
    X, y = np.zeros((40, 2)), np.array(["a", "b"] * 20)
    table = leave_one_out_errors(X, y, [1, 2, 3], algorithm=algorithm)
    others = [[j for j in range(40) if j != i] for i in range(40)]
    for k in (1, 2, 3):
        assert table["errors"][k] == sum(
            plain_class(X, y, X[i], k, rows=set(others[i])) != y[i] for i in range(40))


def test_leave_one_out_with_holes_and_names():
    X, y = load_heart_disease()
    X, y = X[60:110], y[60:110]
    table = leave_one_out_errors(X, y, range(1, 8))
    space = learn_space(learn_table(X), "heom")  # learned once, from all rows
    search = _NeighborSearch(space, space.points(learn_table(X)), "brute")
    everyone, rows = search.nearest(search.points, 50)
    for k in (1, 4, 7):
        wrong = 0
        for i, row in enumerate(rows):
            first = [j for j in row if j != i][:k]
            votes = y.iloc[first].value_counts()
            wrong += (next(y.iloc[j] for j in first if votes[y.iloc[j]] == votes.max())
                      != y.iloc[i])
        assert table["errors"][k] == wrong


def test_leave_one_out_in_blocks(monkeypatch):
    X, y = numbers(5, n=200)
    whole = leave_one_out_errors(X, y, range(1, 31), "gaussian")
    module = __import__("supervised.neighbors.engine.knn", fromlist=["_blocks"])
    monkeypatch.setattr(module, "_blocks",
                        lambda n, k: [slice(i, i + 7) for i in range(0, n, 7)])
    pd.testing.assert_frame_equal(whole,
                                  leave_one_out_errors(X, y, range(1, 31), "gaussian"))


def test_the_choice_of_k_and_width():
    X, y = load_wine()
    table = leave_one_out_errors(X, y, range(1, 20), "gaussian")
    model = KNNClassifier(range(1, 20), "gaussian").fit(X, y)
    best = table["errors"].idxmin()
    assert model.n_neighbors_ == best and model.bandwidth_ == table["bandwidth"][best]
    fixed = leave_one_out_errors(X, y, range(1, 20), "gaussian", bandwidth=model.bandwidth_)
    assert (fixed["errors"][best] == table["errors"][best]
            and (fixed["errors"] >= table["errors"]).all())
    assert (KNNClassifier([7]).fit(X, y).n_neighbors_ == 7
            and KNNClassifier(np.array([5, 3])).fit(X, y).n_neighbors_ in (3, 5))
    # all distances 0
    one = KNNClassifier(3, "gaussian").fit(X[:1].to_numpy().repeat(4, axis=0),
                                           ["a", "b", "a", "a"])
    assert one.bandwidth_ == np.inf and one.predict(X[:1].to_numpy()) == "a"
    assert KNNClassifier(1, "gaussian").fit([[1.0]], ["a"]).bandwidth_ == 1


def test_weighted_leave_one_out():
    X, y = numbers(2, n=30)
    w = np.r_[np.full(10, 2.0), np.zeros(5), np.full(15, 0.5)]
    table = leave_one_out_errors(X, y, [1], sample_weight=w, **RAW)
    kept = np.flatnonzero(w)
    wrong = [y[[j for j in plain_order(X, X[i]) if j in kept and j != i][0]] != y[i]
             for i in kept]
    assert np.isclose(table["errors"][1], w[kept] @ wrong)
    assert np.isclose(table["error rate"][1], w[kept] @ wrong / w.sum())


@pytest.mark.deep
def test_protocol():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "all sample weights are above 1")
        check_estimator(KNNClassifier(weights="distance"), on_skip=None)


def test_scikit_learns_tools():
    X, y = load_wine()
    grid = GridSearchCV(KNNClassifier(),
                        {"n_neighbors": [1, 5], "weights": ["uniform", "squared"]},
                        cv=3).fit(X, y)
    assert grid.best_score_ > 0.6
    assert (cross_val_score(make_pipeline(Standardizer(), KNNClassifier()), X, y, cv=5)
            .mean() > 0.93)
    assert clone(KNNClassifier(metric=np.eye(2))).metric.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("model", [
    KNNClassifier(3), KNNClassifier(range(1, 9), "gaussian"),
    KNNClassifier(3, metric=np.eye(4)),
    KNNClassifier(3, algorithm="kd_tree"), KNNClassifier(2, metric="cosine", n_jobs=2)])
def test_storage(model):
    X, y = load_iris()
    model.fit(X, y)
    text = model.to_json()
    assert json.loads(text)["format"] == "supervised"
    assert model.n_neighbors in (2, 3, range(1, 9))
    for again in (from_json(text), pickle.loads(pickle.dumps(model))):
        assert (again.predict_proba(X) == model.predict_proba(X)).all()
        assert ((again.kneighbors(X, 4)[1] == model.kneighbors(X, 4)[1]).all()
                and again.algorithm_ == model.algorithm_)


def test_storage_of_a_mixed_table():
    X, y = load_credit()
    model = KNNClassifier(5, "distance").fit(X[:200], y[:200])
    assert (from_json(model.to_json())
            .predict_proba(X[200:]) == model.predict_proba(X[200:])).all()
    with pytest.raises(TypeError, match="JSON"):
        KNNClassifier(3, np.ones_like).fit(X[:50], y[:50]).to_json()


def test_the_algorithm():
    plain = learn_space(learn_table(np.zeros((3, 2))))
    sizes = (64, 256, 257, 512)  # halved 0, 2, 3 and 3 times until no leaf has more than 64
    assert [KDTree(np.zeros((n, 3))).depth for n in sizes] == [0, 2, 3, 3]
    assert [choose_algorithm("auto", plain, np.zeros((n, 3))) for n in sizes] == [
        "brute", "brute", "kd_tree", "kd_tree"]
    mixed = learn_space(learn_table(np.zeros((3, 2))), "heom")
    assert choose_algorithm("auto", mixed, np.zeros((10**5, 1))) == "kd_tree"
    assert choose_algorithm("auto", mixed, np.full((10**5, 1), np.nan)) == "brute"
    gower = learn_space(learn_table(np.zeros((3, 2))), "gower")
    assert choose_algorithm("auto", gower, np.zeros((10**5, 1))) == "brute"
    X, y = numbers(0, n=2000, d=2)
    models = [KNNClassifier(3, algorithm=i).fit(X, y) for i in ("auto", "kd_tree", "brute")]
    assert [m.algorithm_ for m in models] == ["kd_tree", "kd_tree", "brute"]
    assert isinstance(models[0].search_.tree(), KDTree)
    distances = [m.kneighbors(X + 0.1) for m in models]
    assert all((d == distances[0][0]).all() and (r == distances[0][1]).all()
               for d, r in distances)
    assert (KNNClassifier(3, n_jobs=2).fit(X, y).predict_proba(X) == models[0]
            .predict_proba(X)).all()


@pytest.mark.parametrize("parameters, message", [
    ({"n_neighbors": 0}, "n_neighbors is 0"), ({"n_neighbors": -1}, "n_neighbors is -1"),
    ({"n_neighbors": 2.5}, "n_neighbors is 2.5"),
    ({"n_neighbors": True}, "n_neighbors is True"),
    ({"n_neighbors": "3"}, "n_neighbors is '3'"),
    ({"n_neighbors": []}, "n_neighbors is empty"),
    ({"n_neighbors": [3, 0]}, "n_neighbors is 0"),
    ({"n_neighbors": 61}, "n_neighbors is 61, but there are only 60 training rows"),
    ({"n_neighbors": range(1, 61)}, "n_neighbors is 60, but .* 59 others"),
    ({"weights": "near"}, "weights is 'near', but must be 'uniform', 'distance'"),
    ({"bandwidth": 0}, "bandwidth is 0"), ({"bandwidth": np.nan}, "bandwidth is nan"),
    ({"bandwidth": "wide"}, "bandwidth is 'wide'"),
    ({"algorithm": "ball"}, "algorithm is 'ball'"),
    ({"algorithm": "kd_tree", "metric": "gower"}, "algorithm is 'kd_tree', but metric"),
    ({"metric": "hamming"}, "metric is 'hamming'"),
    ({"metric": -np.eye(3)}, "matrix has the eigenvalue -1"),
    ({"metric": "minkowski", "p": 0.5}, "p is 0.5")])
def test_bad_parameters(parameters, message):
    X, y = numbers(0)
    with pytest.raises(ValueError, match=message):
        KNNClassifier(**parameters).fit(X, y)


@pytest.mark.parametrize("ks", [[0], [60], [1.5], []])
def test_bad_ks(ks):
    with pytest.raises(ValueError, match="ks is"):
        leave_one_out_errors(*numbers(0), ks)


def test_hostile_rows():
    X, y = numbers(0)
    holes = X.copy()
    holes[3, 1] = np.nan
    model = KNNClassifier().fit(X, y)
    raw = KNNClassifier(metric="euclidean")
    for call in (lambda: raw.fit(X, y).predict(holes), lambda: raw.fit(holes, y)):
        with pytest.raises(ValueError, match="NaN.*x1"):
            call()
    assert KNNClassifier().fit(holes, y).search_.space.metric == "heom"
    zero = np.vstack([X, np.zeros(3)])
    with pytest.raises(ValueError, match="row 60 is all zeros"):
        KNNClassifier(metric="cosine").fit(zero, np.append(y, "a"))
    with pytest.raises(ValueError, match="row 2 is all zeros"):
        KNNClassifier(metric="cosine").fit(X, y).predict(zero[[0, 1, 60]])
    with pytest.raises(ValueError, match="n_neighbors is 61"):
        model.kneighbors(X, 61)
    with pytest.raises(ValueError, match="too large"):
        KNNClassifier(metric="euclidean").fit(X * 1e200, y).predict(X * 1e200)
    large = KNNClassifier().fit(X * 1e200, y).predict(X * 1e200)
    assert (large == model.predict(X)).all()
    with pytest.raises(ValueError, match="nominal"):
        KNNClassifier(metric="manhattan").fit(pd.DataFrame({"a": list("xyz") * 20}), y)


def test_small_and_dull_tables():
    assert KNNClassifier(1).fit([[1.0]], ["a"]).predict([[5.0]]) == "a"
    assert (KNNClassifier(2).fit([[1.0], [2.0]], ["a", "a"]).predict_proba([[5.0]])
            .tolist() == [[1]])
    with pytest.raises(ValueError, match="n_samples = 1"):
        KNNClassifier(2).fit([[1.0]], ["a"])
    constant = np.column_stack([np.full(20, 7.0), np.arange(20.0)])
    y = np.array(["a"] * 10 + ["b"] * 10)
    for metric in ("euclidean", "heom", "gower"):
        assert (KNNClassifier(3, metric=metric).fit(constant, y)
                .predict(constant) == y).all()
    assert (make_pipeline(Standardizer(), KNNClassifier(3)).fit(constant, y)
            .predict(constant) == y).all()
    everybody = KNNClassifier(20).fit(constant, y)
    assert (everybody.predict_proba(constant).round(12) == 0.5).all()
    assert (everybody.predict(constant) == y).all()
    assert KNNClassifier(3).fit(constant, y).predict_proba(np.empty((0, 2))).shape == (0, 2)
    mixed_labels = KNNClassifier(1).fit([[0.0], [1.0]], np.array([1, "one"], dtype=object))
    assert mixed_labels.predict([[0.9], [0.1]]).tolist() == ["one", 1]


def test_columns_in_another_order():
    X, y = load_heart_disease()
    model = KNNClassifier(5).fit(X, y)
    assert (model.predict_proba(X[X.columns[::-1]]) == model.predict_proba(X)).all()


@pytest.mark.parametrize("metric", ["heom", "gower", "overlap"])
def test_an_unseen_name_differs_from_every_other(metric):
    X = pd.DataFrame({"color": ["red", "blue", "red", "blue"],
                      "size": ["s", "s", "l", "l"]})
    model = KNNClassifier(1, metric=metric).fit(X, list("abcd"))
    new = pd.DataFrame({"size": ["l", "l", None], "color": ["green", "blue", "red"]})
    new["color"] = new["color"].astype("category")
    distances, rows = model.kneighbors(new)
    assert rows[:2, 0].tolist() == [2, 3]
    assert np.allclose(distances[:, 0], {"heom": [1, 0, 1], "gower": [0.5, 0, 0],
                                         "overlap": [0.5, 0, 0.5]}[metric])
    table = learn_table(pd.DataFrame({"color": ["green"], "size": ["l"]}))
    assert np.allclose(model.kneighbors(table)[0], distances[0])
    assert (table.codes >= 0).all()  # the table asked is as it was


def test_memory_stays_small():
    X, y = numbers(0, n=4000, d=12)
    model = KNNClassifier(5, algorithm="brute").fit(X, y)
    model.predict(X[:10])
    tracemalloc.start()
    model.predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4000 * 4000 * 8 / 8


def test_poll_when_votes_run_out():
    neighbors, votes = np.array([[1, 0]]), np.ones((1, 2))
    winners, totals = poll(neighbors, votes, np.array([0, 1]), np.array([2.0, 1.0]),
                           np.array([1, 2, 9]), 2)
    assert winners.tolist() == [[1, 1, 0]] and totals.tolist() == [[2, 1]]


# The default metric is one thing, whatever the table holds

by_range = pytest.mark.parametrize("load", [load_wine, load_iris])


@by_range
@pytest.mark.parametrize("algorithm", ["auto", "kd_tree", "brute"])
def test_complete_numbers_are_measured_by_range_as_scikit_learn_does(load, algorithm):
    X, y = load()
    asked = (X + np.random.default_rng(0).normal(scale=0.3, size=X.shape) * X.std()
             .to_numpy())
    ours = KNNClassifier(7, algorithm=algorithm).fit(X, y)
    theirs = make_pipeline(MinMaxScaler(), KNeighborsClassifier(7)).fit(X, y)
    found = theirs[-1].kneighbors(theirs[:-1].transform(asked))
    assert np.allclose(ours.kneighbors(asked)[0], found[0], atol=1e-12)
    assert np.allclose(ours.predict_proba(asked), theirs.predict_proba(asked))
    assert ours.algorithm_ == ("brute" if algorithm == "auto" else algorithm)  # few rows


@by_range
def test_a_gap_or_a_name_in_training_changes_no_other_distance(load):
    X, y = load()
    asked = (X + 0.01).iloc[::3]
    expected, rows = KNNClassifier().fit(X, y).kneighbors(asked, 10)
    named = KNNClassifier().fit(X.assign(site="here"), y)
    distances, found = named.kneighbors(asked.assign(site="here"), 10)
    assert np.allclose(distances, expected, atol=1e-12) and (found == rows).all()
    gap = X.iloc[[0]].copy()
    gap.iloc[0, 1] = np.nan  # one row more: a copy of the first, with a hole
    holey = KNNClassifier().fit(pd.concat([X, gap]), [*y, y.iloc[0]])
    distances, found = holey.kneighbors(asked, 11)
    for d, row, known, first in zip(distances, found, expected, rows, strict=True):
        assert np.allclose(d[row < len(X)][:10], known, atol=1e-12)
        assert (row[row < len(X)][:10] == first).all()


@pytest.mark.parametrize("n", [60, 2000])  # searched by brute force, and by a tree
def test_a_model_of_complete_rows_takes_rows_with_gaps(n):
    X, y = numbers(1, n=n, d=2)
    asked = X[:40] + 0.1
    asked[::3, 0] = np.nan
    asked[::5, 1] = np.nan
    model = KNNClassifier(3).fit(X, y)
    assert model.algorithm_ == ("brute" if n == 60 else "kd_tree")
    distances, rows = model.kneighbors(asked)
    ranges = np.ptp(X, axis=0)
    for row, d, found in zip(asked, distances, rows, strict=True):
        known = ~np.isnan(row)
        squares = (((row - X) / ranges)[:, known] ** 2).sum(axis=1) + (~known).sum()
        assert np.allclose(d, np.sqrt(np.sort(squares)[:3]))
        assert np.allclose(np.sqrt(squares[found]), d)
    assert np.allclose(model.predict_proba(asked[known.size:]),
                       model.predict_proba(asked)[known.size:])
    # sqrt(1 + 1) from everybody: the first rows of the table
    everything = np.full((2, 2), np.nan)
    assert np.allclose(model.kneighbors(everything)[0], np.sqrt(2))
    assert model.kneighbors(everything)[1].tolist() == [[0, 1, 2]] * 2


def test_the_unit_of_a_column_decides_nothing():
    X, y = load_wine()
    model, other = KNNClassifier().fit(X, y), KNNClassifier().fit(X * 1000 - 7, y)
    assert np.allclose(model.kneighbors(X)[0], other.kneighbors(X * 1000 - 7)[0])
    errors = leave_one_out_errors(X, y, range(1, 9))["errors"]
    scaled = leave_one_out_errors(MinMaxScaler().fit_transform(X), y, range(1, 9),
                                  metric="euclidean")
    assert (errors == scaled["errors"]).all()
    raw = leave_one_out_errors(X, y, range(1, 9), metric="euclidean")["errors"]
    assert (raw > 3 * errors).all()  # proline decides


# ------------------------------------ metrics of the user's


def test_a_metric_may_be_a_function():
    X, y = load_iris()
    for function, name in ((lambda a, b: np.abs(a - b).sum(), "manhattan"),
                           (lambda a, b: np.abs(a - b).max(), "chebyshev")):
        own, peer = (KNNClassifier(7, metric=function).fit(X, y),
                     KNNClassifier(7, metric=name).fit(X, y))
        assert (np.array_equal(own.predict_proba(X), peer.predict_proba(X))
                and own.algorithm_ == "brute")
        assert np.allclose(own.kneighbors(X)[0], peer.kneighbors(X)[0])
        theirs = KNeighborsClassifier(7, metric=function,
                                      algorithm="brute").fit(X.to_numpy(), y)
        assert np.allclose(own.kneighbors(X)[0], theirs.kneighbors(X.to_numpy())[0])
    chosen = KNNClassifier(range(1, 8), metric=lambda a, b: np.abs(a - b).sum()).fit(X, y)
    named = KNNClassifier(range(1, 8), metric="manhattan").fit(X, y)
    assert chosen.n_neighbors_ == named.n_neighbors_


def test_mahalanobis_is_scikit_learns():
    X, y = load_iris()
    ours = KNNClassifier(5, metric="mahalanobis").fit(X, y)
    inverse = np.linalg.inv(np.cov(X.to_numpy().T))
    theirs = KNeighborsClassifier(5, metric="mahalanobis", metric_params={"VI": inverse},
                                  algorithm="brute")
    theirs.fit(X.to_numpy(), y)
    fresh = X.to_numpy() + np.random.default_rng(0).normal(scale=0.3, size=X.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a frame and an array: by position
        assert np.allclose(ours.kneighbors(fresh)[0], theirs.kneighbors(fresh)[0])
    scaled = KNNClassifier(5, metric="mahalanobis").fit(X * [1, 1000, 0.01, 7], y)
    assert np.allclose(scaled.kneighbors(X * [1, 1000, 0.01, 7])[0], ours.kneighbors(X)[0],
                       atol=1e-6)
    double = X.assign(again=X.iloc[:, 0])  # a column twice: no inverse
    assert np.allclose(
        KNNClassifier(5, metric="mahalanobis").fit(double, y).kneighbors(double)[0],
        ours.kneighbors(X)[0], atol=1e-6)


def test_what_metrics_of_the_users_can_not_take():
    X, y = load_iris()
    gappy = X.where(X != X.iloc[0, 0])
    for metric, who in ((lambda a, b: 0.0, "a metric that is a function"),
                        ("mahalanobis", "mahalanobis")):
        with pytest.raises(ValueError, match=who):
            KNNClassifier(metric=metric).fit(gappy, y)
        with pytest.raises(ValueError, match=who):
            KNNClassifier(metric=metric).fit(X.assign(name="x"), y)
    with pytest.raises(ValueError, match=r"metric=<lambda> returned -1.0 .* at least 0"):
        KNNClassifier(metric=lambda a, b: -1.0).fit(X, y).predict(X)
    with pytest.raises(ValueError, match="algorithm is 'kd_tree'"):
        KNNClassifier(metric=lambda a, b: 0.0, algorithm="kd_tree").fit(X, y)
    with pytest.raises(ValueError, match="single row has no covariance"):
        KNNClassifier(1, metric="mahalanobis").fit(X[:1], y[:1])


@pytest.mark.parametrize("blas", [1, 2, 3])
def test_threads_that_nobody_asked_for_change_nothing(monkeypatch, blas):
    """The default takes as many threads as a product of matrices; one answer for any."""
    module = __import__("supervised.neighbors.engine.knn", fromlist=["_blas_threads"])
    rng = np.random.default_rng(0)
    X, Q = rng.integers(0, 4, (3000, 30)).astype(float), rng.integers(0, 4, (700, 30))
    y = rng.integers(0, 3, 3000)
    asked = []
    monkeypatch.setattr(module, "_blas_threads", lambda: asked.append(blas) or blas)
    default = KNNClassifier(7).fit(X, y)
    distances, rows = default.kneighbors(Q)
    assert default.algorithm_ == "brute" and asked
    for n_jobs in (1, 2):
        told = KNNClassifier(7, n_jobs=n_jobs).fit(X, y)
        assert all((a == b).all() for a, b in zip(told.kneighbors(Q), (distances, rows),
                                                  strict=True))
        assert (told.predict_proba(Q) == default.predict_proba(Q)).all()


def test_progress_is_shown_if_asked_for(capsys):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 2, 60)
    plain = KNNClassifier([1, 3]).fit(X, y)
    expected = plain.predict_proba(X)
    assert capsys.readouterr().err == ""
    model = KNNClassifier([1, 3], verbose=1).fit(X, y)
    assert "rows" in capsys.readouterr().err  # leave-one-out
    assert (model.predict_proba(X) == expected).all()
    assert "60/60" in capsys.readouterr().err
