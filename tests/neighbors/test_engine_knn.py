"""Nearest neighbors: plain definitions, scikit-learn, ties, weights, leave-one-out,
storage, and hostile input."""

import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator
from sklearn.ensemble import AdaBoostClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from supervised.basics import from_json, learn_table
from supervised.basics.datasets import (
    load_heart_disease,
    load_iris,
    load_votes,
    load_wine,
)
from supervised.neighbors.engine.distances import distance_matrix, learn_space
from supervised.neighbors.engine.knn import (
    KNNClassifier,
    _NeighborSearch,
    leave_one_out_errors,
    neighbor_votes,
    winning_class,
)
from tests import examples

quick = examples(15)
WEIGHTS = ("uniform", "distance", "squared", "gaussian")
Euclid = partial(KNNClassifier, metric="euclidean")  # numbers as they come
RAW = {"metric": "euclidean"}


pytestmark = pytest.mark.filterwarnings("error")


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
    assert model.kneighbors([[0.0]], 1)[1].tolist() == [[0]]


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


# By hand: all that is red is an a, all that is blue a b, and of the green one of each.
COLORED = pd.DataFrame({"color": ["red", "red", "blue", "blue", "green", "green"],
                        "size": [1.0, 2.0, 3.0, 4.0, 5.0, 3.0]})
KINDS = np.array(list("aabbab"))


def test_values_differ_by_their_shares_of_the_classes() -> None:
    model = KNNClassifier(1, metric="vdm").fit(COLORED, KINDS)
    width = 4 * COLORED["size"].std(ddof=0)
    shares = {"red": (1, 0), "blue": (0, 1), "green": (0.5, 0.5)}
    points = np.array([[size / width, *shares[color]]
                       for color, size in COLORED.itertuples(index=False)])
    far, rows = model.kneighbors(COLORED, 6)
    by_hand = cdist(points, points)
    assert np.allclose(far, np.sort(by_hand, axis=1))
    assert np.allclose(np.take_along_axis(by_hand, rows, axis=1), far)
    # red to blue at one size apart: sqrt(1 + 1 + (1 / width) ** 2)
    assert np.isclose(by_hand[1, 2], np.sqrt(2 + 1 / width**2))


def test_what_is_not_known_is_at_the_shares_of_all_and_at_the_mean() -> None:
    model = KNNClassifier(1, metric="vdm").fit(COLORED, KINDS)
    assert len(model.predict(COLORED[:0])) == 0
    asked = pd.DataFrame({"color": ["purple", None], "size": [3.0, np.nan]})
    far, rows = model.kneighbors(asked, 1)
    assert np.allclose(far, 0) and (rows == 5).all()  # green is half and half, 3 the mean
    holes = COLORED.assign(color=[None, *COLORED["color"][1:]])
    assert KNNClassifier(1, metric="vdm").fit(holes, KINDS).score(holes[1:], KINDS[1:]) == 1


def test_weights_are_copies_to_the_value_difference_metric() -> None:
    weights = np.array([3, 1, 2, 1, 1, 2])
    heavy = KNNClassifier(3, metric="vdm").fit(COLORED, KINDS, sample_weight=weights)
    copies = np.repeat(np.arange(6), weights)
    many = KNNClassifier(3, metric="vdm").fit(COLORED.iloc[copies], KINDS[copies])
    assert np.allclose(heavy.search_.space.shares, many.search_.space.shares)
    assert np.allclose(heavy.search_.space.ranges, many.search_.space.ranges)
    assert np.allclose(heavy.predict_proba(COLORED), many.predict_proba(COLORED))


def test_the_value_difference_metric_is_a_norm_and_is_stored() -> None:
    votes, party = load_votes()
    tree = KNNClassifier(5, metric="vdm", algorithm="kd_tree").fit(votes[::2], party[::2])
    brute = KNNClassifier(5, metric="vdm", algorithm="brute").fit(votes[::2], party[::2])
    again = from_json(tree.to_json())
    far = tree.kneighbors(votes[1::2])[0]
    assert np.allclose(far, brute.kneighbors(votes[1::2])[0])
    assert np.array_equal(far, again.kneighbors(votes[1::2])[0])
    assert (again.predict(votes[1::2]) == tree.predict(votes[1::2])).all()


def test_the_value_difference_metric_needs_classes() -> None:
    with pytest.raises(ValueError, match="learns from the classes"):
        distance_matrix(COLORED, metric="vdm")
    with pytest.raises(ValueError, match="'vdm'"):
        KNNClassifier(metric="vmd").fit(COLORED, KINDS)
    huge = pd.DataFrame({"x": [0.0, 1e308, 1.5e308]})
    assert KNNClassifier(1, metric="vdm").fit(huge, list("aab")).predict(huge)[2] == "b"


def test_damaged_shares_are_refused() -> None:
    text = KNNClassifier(1, metric="vdm").fit(COLORED, KINDS).to_json()
    with pytest.raises(ValueError, match="shares"):
        from_json(text.replace('"vdm"', '"gower"'))
    other = KNNClassifier(1, metric="vdm").fit(COLORED.replace("green", "red"), KINDS)
    model = KNNClassifier(1, metric="vdm").fit(COLORED, KINDS)
    model.search_ = other.search_
    with pytest.raises(TypeError, match="shares has 3 rows"):
        model.to_json()
