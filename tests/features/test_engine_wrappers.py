"""The engine of the wrappers: estimates made once, the rules of a search,
columns that pass as they came, and what hostile users pass."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from supervised.basics import (
    IndicatorEncoder,
    MissingValueImputer,
    RoteClassifier,
    accuracy,
    learn_table,
)
from supervised.basics.datasets import load_heart_disease, load_votes
from supervised.basics.learning import error_rate
from supervised.evaluation.engine.resampling import CrossValidation, Holdout
from supervised.features.engine.wrappers import (
    _DIRECTIONS,
    _columns_of,
    _history_table,
    _selection_rounds,
    _subset_scores,
)
from supervised.features.wrappers import WrapperSelector
from tests import examples


class NearestMean(ClassifierMixin, BaseEstimator):
    """Answers with the class whose mean is nearest; fast."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.array([X[y == c].mean(axis=0) for c in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


def data(n=60, n_attributes=5, n_classes=3, seed=0, strength=1.0):
    """Points of which the first two attributes tell the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, n_attributes))
    X[:, :2] += strength * y[:, None]
    return X, y


def folds_of(X, y, n=4):
    return list(CrossValidation(n, random_state=0).split(X, y))


def test_values_pass_unchanged():
    X, y = data()
    for given_X in (X, X.astype(np.float32), X.tolist(), pd.DataFrame(X)):
        selector = WrapperSelector(cv=3, random_state=0).fit(given_X, y)
        kept = selector.transform(given_X)
        assert np.array_equal(np.asarray(kept), np.asarray(given_X)[:, selector.support_])
    before = X.copy()
    # what comes out belongs to the caller
    WrapperSelector(cv=3).fit(X, y).transform(X)[:] = 0
    assert (X == before).all()
    assert _columns_of(X, [1, 0]).tolist() == X[:, [1, 0]].tolist()


def test_frames_with_names_and_holes():
    X, y = load_heart_disease()
    pipe = make_pipeline(MissingValueImputer(), IndicatorEncoder(), GaussianNB())
    selector = WrapperSelector(pipe, "filter_order", cv=3, random_state=0,
                               n_iter_no_change=3).fit(X, y)
    kept = selector.transform(X)
    pd.testing.assert_frame_equal(kept, X[selector.selected_])
    assert (selector.get_feature_names_out()
            .tolist() == selector.selected_ == list(X.columns[selector.get_support()]))
    pd.testing.assert_frame_equal(selector.transform(X[X.columns[::-1]]), kept)
    table = learn_table(X)
    same = WrapperSelector(pipe, "filter_order", cv=3, random_state=0,
                           n_iter_no_change=3).fit(table, y)
    assert (same.selected_ == selector.selected_
            and [a.name for a in same.transform(table).attributes] == same.selected_)
    with pytest.raises(ValueError, match=selector.selected_[0]):
        selector.transform(X.drop(columns=selector.selected_[0]))
    new = X.head(3).astype({selector.selected_[0]: object})
    assert len(selector.transform(new)) == 3


def test_nominal_attributes_and_our_classifiers():
    X, y = load_votes()
    selector = WrapperSelector(RoteClassifier(), cv=3, random_state=0,
                               max_attributes=2).fit(X, y)
    assert selector.history_["added"].iloc[0] == "physician-fee-freeze"
    text = np.array(X.astype(object).where(X.notna(), "?"), dtype=object)[:, :4]
    on_array = WrapperSelector(RoteClassifier(), cv=3, random_state=0).fit(text, y)
    assert (on_array.selected_[0].startswith("x")
            and on_array.transform(text).shape == (435, len(on_array.selected_)))


def test_cv_of_all_kinds():
    X, y = data()
    for cv in (3, StratifiedKFold(3), Holdout(random_state=0), folds_of(X, y)):
        assert WrapperSelector(cv=cv, random_state=0).fit(X, y).selected_
    one_round = WrapperSelector(cv=Holdout(random_state=0)).fit(X, y).history_
    assert one_round["standard_error"].isna().all()
    # fewer rows than folds: dealt without regard to class
    rare = np.where(np.arange(60) < 2, 7, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert WrapperSelector(cv=5, random_state=0).fit(X, rare).selected_


@pytest.mark.parametrize("parameters, error, text", [
    ({"direction": "sideways"}, ValueError,
     "direction is 'sideways', not one of 'forward'"),
    ({"direction": None}, ValueError, "direction is None"),
    ({"scoring": "prettiness"}, ValueError, "scoring is 'prettiness'"),
    ({"scoring": "error_rate"}, ValueError,
     "scoring is 'error_rate', but must be the name of a measure of which more is "
     "better, .*: less is better there, take 'accuracy'"),
    ({"scoring": error_rate}, ValueError, "less is better there, take 'accuracy'"),
    ({"scoring": 3}, ValueError, "scoring is 3"),
    ({"scoring": ["accuracy", "f1"]}, ValueError, "scoring is \\['accuracy', 'f1'\\]"),
    ({"scoring": lambda t, p: np.nan}, ValueError, "scoring gave nan"),
    ({"max_attributes": 6}, ValueError,
     "max_attributes is 6, but there are only 5 attributes"),
    ({"max_attributes": 0}, ValueError, "max_attributes is 0"),
    ({"max_attributes": 1.5}, ValueError, "max_attributes is 1.5"),
    ({"n_iter_no_change": 0}, ValueError, "n_iter_no_change is 0"),
    ({"tol": -0.1}, ValueError, "tol is -0.1"),
    ({"tol": "much"}, ValueError, "tol is 'much'"),
    ({"tol": np.nan}, ValueError, "tol is nan"),
    ({"cv": 1}, ValueError, "cv is 1"), ({"cv": "five"}, ValueError, "cv is 'five'"),
    ({"cv": 61}, ValueError, "n_folds is 61"),
    ({"estimator": 5}, TypeError, "estimator is 5, .*: it has no fit and no predict"),
    ({"estimator": GaussianNB}, TypeError,
     r"estimator is the class GaussianNB, .*: make an instance, GaussianNB\(\)"),
    ({"estimator": IndicatorEncoder()}, TypeError, "has no predict"),
    ({"random_state": "x", "direction": "random"}, ValueError, "random_state"),
])
def test_wrong_parameters(parameters, error, text):
    X, y = data()
    with pytest.raises(error, match=text):
        WrapperSelector(**parameters).fit(X, y)


def test_wrong_data():
    X, y = data()
    holes = pd.DataFrame(X, columns=list("abcde")).astype({"a": float})
    holes.loc[3, "b"] = np.nan
    with pytest.raises(ValueError, match=r"NaN.*\['b'\]"):
        WrapperSelector(GaussianNB()).fit(holes, y)
    trusted = make_pipeline(MissingValueImputer(), GaussianNB())
    assert (WrapperSelector(trusted, cv=3, random_state=0).fit(holes, y)
            .transform(holes).shape[0] == 60)
    search = GridSearchCV(trusted, {}, cv=2)
    assert (WrapperSelector(search, cv=2, random_state=0, max_attributes=1)
            .fit(holes, y).selected_)
    with pytest.raises(ValueError, match="only 1 class, 'a'"):
        WrapperSelector().fit(X, ["a"] * 60)
    with pytest.raises(ValueError, match="60 rows and y 59"):
        WrapperSelector().fit(X, y[:-1])
    with pytest.raises(ValueError, match="could not convert|nominal"):
        WrapperSelector(LogisticRegression()).fit(
            pd.DataFrame({"a": ["u", "v"] * 30, "b": X[:, 0]}), y)
    for direction in _DIRECTIONS:
        lone = WrapperSelector(direction=direction, cv=3, random_state=0).fit(X[:, :1], y)
        assert lone.selected_ == ["x0"] and lone.transform(X[:, :1]).shape == (60, 1)
    with pytest.raises(ValueError, match="twice"):
        WrapperSelector().fit(pd.DataFrame(X[:, :2], columns=["a", "a"]), y)


def test_progress_is_shown(capsys):
    X, y = data()
    WrapperSelector(cv=3, random_state=0, verbose=1).fit(X, y)
    assert "steps" in capsys.readouterr().err


@examples(20)
@given(seed=st.integers(0, 1000), direction=st.sampled_from(_DIRECTIONS),
       patience=st.integers(1, 6),
       tolerance=st.sampled_from([0.0, 0.01, 0.05]), limit=st.sampled_from([None, 1, 2, 4]))
def test_history_holds_together(seed, direction, patience, tolerance, limit):
    X, y = data(24, 4, 2, seed, strength=0.5)
    selector = WrapperSelector(NearestMean(), direction, cv=3,
                               max_attributes=limit, tol=tolerance,
                               n_iter_no_change=patience, random_state=seed).fit(X, y)
    history, cap = selector.history_, limit or 4
    last = history[history["accepted"]].iloc[-1]
    assert last["n_attributes"] == len(selector.selected_) == selector.support_.sum() <= cap
    rounds = [(i, *r)
              for i, r in enumerate(CrossValidation(3, random_state=seed).split(X, y), 1)]
    again = _subset_scores(NearestMean(), X, y, selector.get_support(indices=True), rounds,
                           accuracy)
    assert last["estimate"] == pytest.approx(again.mean())
    assert last["standard_error"] == pytest.approx(again.std(ddof=1) / 3**0.5)
    small = history[history["n_attributes"] <= cap]
    assert last["estimate"] >= small["estimate"].max() - tolerance * 4 - 1e-9
    if tolerance == 0:
        assert last["estimate"] == small["estimate"].max()
    refused = (~history["accepted"]).to_numpy()
    assert (refused[len(refused) - 1 - refused[::-1].argmin() + 1:]
            .sum() <= patience + (direction == "floating") * 4)


def test_no_set_is_judged_twice():
    X, y = data(30, 5)

    class Counting(NearestMean):
        fits = 0

        def fit(self, X, y):
            Counting.fits += 1
            return super().fit(X, y)

    for direction in ("forward", "backward", "floating"):
        Counting.fits = 0
        history = WrapperSelector(Counting(), direction, cv=3, random_state=0,
                                  n_iter_no_change=99).fit(X, y).history_
        assert Counting.fits <= 3 * 31 and len(history) >= 5  # there are 31 sets
    Counting.fits = 0
    WrapperSelector(Counting(), cv=3, random_state=0, n_iter_no_change=99).fit(X, y)
    assert Counting.fits == 3 * 15  # 5 + 4 + 3 + 2 + 1


def test_estimates_are_those_of_cross_validation():
    X, y = data(60, 4)
    cv = folds_of(X, y)
    rounds = [(i, *r) for i, r in enumerate(cv, 1)]
    got = _subset_scores(GaussianNB(), X, y, [2, 0], rounds, accuracy)
    assert got == pytest.approx(cross_val_score(GaussianNB(), X[:, [2, 0]], y, cv=cv))


def test_a_path_as_a_table():
    path = [(frozenset(), frozenset({1}), 0.5, 0.1, True),
            (frozenset({1}), frozenset({0, 1}), 0.4, 0.1, False)]
    table = _history_table(path, ["a", "b"])
    assert table.index.tolist() == [1, 2] and table["added"].tolist() == ["b", "a"]
    assert table["removed"].tolist() == ["", ""]
    whole = frozenset({0, 1})
    table = _history_table([(whole, whole, 0.5, 0.1, True),
                            (whole, frozenset({1}), 0.5, 0.1, True)], ["a", "b"])
    assert table.index.tolist() == [0, 1] and table["removed"].tolist() == ["", "a"]


def test_rounds_of_a_number_of_folds():
    rounds = _selection_rounds(2, np.zeros((6, 1)), np.array([0, 0, 0, 1, 1, 1]), 0)
    assert [sorted(np.r_[train, test]) for _, train, test in rounds] == [list(range(6))] * 2
