"""Prediction sets beside MAPIE's, by hand, and with tables that are hostile."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from supervised.basics.classifiers import from_json
from supervised.basics.datasets import load_heart_disease
from supervised.bayes import NaiveBayesClassifier
from supervised.evaluation.engine.sets import ConformalClassifier
from tests import examples
from tests.references.sets import ALPHAS, REFERENCE, TABLES, as_text, parts, table

STORED = json.loads(REFERENCE.read_text(encoding="utf-8"))["sets"]
quiet = pytest.mark.filterwarnings("ignore:the calibration weight", "ignore:class ")


@pytest.mark.parametrize("by_class", [False, True])
@pytest.mark.parametrize("name", TABLES)
def test_sets_are_those_of_mapie(name, by_class):
    X, y = table(name)
    train, held_out, new = parts(len(y))
    for alpha in ALPHAS:
        model = ConformalClassifier(GaussianNB(), alpha, by_class, cv=[(train, held_out)])
        found = as_text(model.fit(X, y).predict_set(X[new]))
        assert found == STORED[name][
            f"{alpha:g} {'by class' if by_class else 'together'}"]


class Given(DummyClassifier):
    """The probability of "b" is the number in the first column, of "a" the rest."""

    def predict_proba(self, X):
        p = np.asarray(X, dtype=float)[:, 0]
        return np.column_stack([1 - p, p])


def rows_of(p):
    return np.asarray(p, dtype=float)[:, None]


# two rows train; nine of class "a" have the scores 0.05 to 0.70
SCORES = [0.05, 0.08, 0.12, 0.15, 0.20, 0.28, 0.40, 0.45, 0.70]
NINE = rows_of([0.5, 0.5, *SCORES]), np.array(["a", "b", *"a" * 9])
PAIR = [([0, 1], range(2, 11))]


@quiet
@pytest.mark.parametrize("alpha, expected", [
    (0.2, [[True, False], [False, False], [False, True], [True, False]]),
    (0.1, [[True, True], [True, True], [False, True], [True, False]]),
    (0.05, [[True, True]] * 4), (0.95, [[False, False]] * 4)])
def test_nine_scores_by_hand(alpha, expected):
    pair = [(np.array(t), np.array(c)) for t, c in PAIR]
    model = ConformalClassifier(Given(), alpha, cv=pair).fit(*NINE)
    found = model.predict_set(rows_of([0.45, 0.54, 0.71, 0.29]))
    assert model.classes_.tolist() == ["a", "b"] and found.dtype == bool
    # limits 0.45, 0.70, none, and the score with rank 1, 0.05
    assert found.tolist() == expected


@quiet
def test_by_class_a_class_without_enough_rows_is_in_every_set():
    pair = [(np.array(t), np.array(c)) for t, c in PAIR]
    with pytest.warns(UserWarning, match="class 'b' has a calibration weight of 0, and "
                                         "alpha=0.2 by class needs 4"):
        model = ConformalClassifier(Given(), 0.2, True, cv=pair).fit(*NINE)
    assert model.predict_set(rows_of([0.45, 0.5])).tolist() == [[True, True], [False, True]]


@pytest.mark.parametrize("n, alpha, few", [(8, 0.1, True), (9, 0.1, False),
                                           (18, 0.05, True), (19, 0.05, False)])
def test_too_few_rows_are_warned_of(n, alpha, few):
    X, y = rows_of(np.linspace(0.1, 0.4, n + 2)), np.array(["b", *"a" * (n + 1)])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pair = [(np.arange(2), np.arange(2, n + 2))]
        model = ConformalClassifier(Given(), alpha, cv=pair).fit(X, y)
    told = [str(w.message) for w in caught if "calibration weight" in str(w.message)]
    assert bool(told) == few and all("every set holds all classes" in t for t in told)
    assert model.predict_set(X).all(axis=0).tolist() == [True, few]


@quiet
@examples(60)
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 3)), min_size=1, max_size=25),
       st.integers(1, 99), st.booleans())
def test_it_is_the_quantile_with_ties_and_a_weight_is_copies(rows, percent, by_class):
    p, weights = map(np.array, zip(*rows, strict=True))
    alpha, labels = percent / 100, np.where(np.arange(len(p)) % 3 == 0, "b", "a")
    X, y = np.vstack([rows_of([0.5, 0.5]), rows_of(p / 20)]), np.array(["a", "b", *labels])
    pair = [(np.arange(2), np.arange(2, len(y)))]
    model = ConformalClassifier(Given(), alpha, by_class, cv=pair)
    asked = np.arange(41) / 40
    found = model.fit(X, y, np.append([1, 1], weights)).predict_set(rows_of(asked))
    own = np.where(labels == "b", 20 - p, p)  # twentieths, so nothing is rounded
    for c, column, score in (("a", 0, asked * 20), ("b", 1, 20 - asked * 20)):
        scores = np.repeat(own, weights)
        if by_class:
            scores = scores[np.repeat(labels, weights) == c]
        rank = -((len(scores) + 1) * (100 - percent) // -100)
        limit = np.sort(scores)[rank - 1] if rank <= len(scores) else np.inf
        assert (found[:, column] == (score <= limit)).all()


def test_several_pairs_add_up_their_counts():
    """Each row is compared with the scores of its own copy (Vovk 2015)."""
    X, y = table("wine")
    model = ConformalClassifier(GaussianNB(), 0.2, cv=KFold(4)).fit(X, y)
    new, n = X[::7], len(y)
    counts = np.zeros((len(new), 3))
    for train, held_out in KFold(4).split(X):
        one = GaussianNB().fit(X[train], y[train])
        place = np.searchsorted(one.classes_, y[held_out])
        known = np.isin(y[held_out], one.classes_)
        own = np.where(known, 1 - one.predict_proba(X[held_out])[
            np.arange(len(held_out)), np.minimum(place, len(one.classes_) - 1)], 1.0)
        score = np.ones((len(new), 3))
        score[:, one.classes_] = 1 - one.predict_proba(new)
        counts += (own[:, None, None] >= score - 1e-12).sum(axis=0)
    assert (model.predict_set(new) == ((counts + 1) / (n + 1) > 0.2)).all()
    assert np.allclose(model.predict_proba(new).sum(axis=1), 1)


def test_coverage_is_what_was_asked_for():
    """Over 300 draws, with a margin of four standard errors."""
    rng = np.random.default_rng(0)
    inside = []
    for seed in range(300):
        y = rng.integers(0, 3, 60)
        X = rng.normal(size=(60, 2)) + y[:, None]
        model = ConformalClassifier(GaussianNB(), 0.2, cv=0.49, random_state=seed)
        sets = model.fit(X[:40], y[:40]).predict_set(X[40:])
        inside.append(sets[np.arange(20), y[40:]].mean())
    k, n = 17, 20  # of 20 rows that calibrate
    assert abs(np.mean(inside) - k / (n + 1)) < 4 * np.std(inside) / np.sqrt(300)


def test_the_share_is_drawn_and_the_seed_decides():
    X, y = table("wine")
    one, same, other = (ConformalClassifier(GaussianNB(), cv=0.3, random_state=s).fit(X, y)
                        for s in (1, 1, 2))
    assert one.calibration_[0].shape == (3, 54)  # 0.3 of 178, rounded up
    assert np.array_equal(one.calibration_[0], same.calibration_[0])
    assert not np.array_equal(one.calibration_[0], other.calibration_[0])


@quiet
@pytest.mark.parametrize("by_class", [False, True])
def test_sets_of_no_row_of_one_class_and_of_a_stored_model(by_class):
    X, y = load_heart_disease()
    one = ConformalClassifier(NaiveBayesClassifier(), 0.1, by_class)
    sets = one.fit(X, y).predict_set(X)
    assert np.array_equal(one.predict_set(X[X.columns[::-1]]), sets)
    assert np.array_equal(one.predict_set(X[:1]), sets[:1])
    assert one.predict_set(X[:0]).shape == (0, 2)
    assert np.array_equal(from_json(one.to_json()).predict_set(X), sets)
    assert one.fit(X, ["a"] * len(X)).predict_set(X).shape == (len(X), 1)
    assert one.fit(X[:1], ["a"]).predict_set(X[:2]).all()
    zero = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    left = one.fit(X[zero > 0], y[zero > 0]).predict_set(X)
    assert np.array_equal(one.fit(X, y, zero).predict_set(X), left)


@quiet
def test_a_class_that_no_training_row_has_gets_the_score_one():
    X, y = table("iris")
    pair = [(np.arange(100), np.arange(100, 150))]
    model = ConformalClassifier(GaussianNB(), 0.1, cv=pair).fit(X, y)
    assert (model.calibration_[0][1] == 1).all() and model.predict_set(X).all()
    assert (model.predict_proba(X)[:, 2] == 0).all()


@pytest.mark.parametrize("changed, error, message", [
    ({"alpha": 0}, ValueError, "alpha is 0, but must be a number above 0 and below 1"),
    ({"alpha": 1.0}, ValueError, "alpha is 1.0"),
    ({"alpha": "0.1"}, ValueError, "write 0.1"),
    ({"by_class": "yes"}, ValueError, "by_class is 'yes'"),
    ({"cv": 1.0}, ValueError, "cv is 1.0"),
    ({"cv": "prefit"}, ValueError, "cv is 'prefit'"), ({"cv": 5}, ValueError, "cv is 5"),
    ({"random_state": "x"}, ValueError, "random_state"),
    ({"cv": [(np.arange(60), np.arange(50, 90))]}, ValueError, "trains and calibrates"),
    ({"estimator": GaussianNB}, TypeError, "make an instance"),
    ({"estimator": RidgeClassifier()}, TypeError, "no predict_proba"),
    ({"estimator": None}, TypeError, "estimator is None")])
def test_bad_parameters(changed, error, message):
    X, y = table("iris")
    with pytest.raises(error, match=message):
        ConformalClassifier(**{"estimator": GaussianNB()} | changed).fit(X, y)


def test_weights_that_nobody_takes():
    X, y = table("iris")
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no weights"):
        ConformalClassifier(KNeighborsClassifier()).fit(X, y, np.linspace(0.1, 2, len(y)))
