"""Wrappers: a plain search as reference, scikit-learn,
properties of every direction, hostile inputs."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from supervised.basics import (
    IndicatorEncoder,
    MissingValueImputer,
    RoteClassifier,
    accuracy,
    learn_table,
)
from supervised.basics.datasets import load_heart_disease, load_iris, load_votes, load_wine
from supervised.basics.learning import error_rate
from supervised.evaluation.engine_resampling import CrossValidation, Holdout, evaluate
from supervised.features.impurity import attribute_scores
from supervised.features.wrappers import WrapperSelector, columns_of, subset_scores
from tests import examples

DIRECTIONS = ("forward", "backward", "floating", "filter_order", "random")


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


# ------------------------------------ the searches


@pytest.mark.deep
@parametrize_with_checks([WrapperSelector(direction="random")])
def test_protocol(estimator, check):
    check(estimator)


def greedy(classifier, X, y, cv, forward):
    """The whole path of a greedy search, written down plainly."""
    n = X.shape[1]
    current, path = [] if forward else list(range(n)), []
    while (len(current) < n) if forward else (len(current) > 1):
        options = [sorted({*current, j}) if forward else sorted({*current} - {j})
                   for j in range(n) if (j in current) != forward]
        means = [round(cross_val_score(classifier, X[:, o], y, cv=cv).mean(), 12)
                 for o in options]
        current = options[int(np.argmax(means))]
        path.append((tuple(current), max(means)))
    return path


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize("seed", [0, 1])
def test_greedy_path_by_a_plain_search(direction, seed):
    X, y = data(48, 5, seed=seed)
    cv = folds_of(X, y)
    path = greedy(GaussianNB(), X, y, cv, direction == "forward")
    history = WrapperSelector(GaussianNB(), direction, cv=cv, patience=9).fit(X, y).history_
    if direction == "backward":
        full, history = history.iloc[0], history.iloc[1:]
        assert full["n_attributes"] == 5 and full["added"] == full["removed"] == ""
        assert full["estimate"] == pytest.approx(
            cross_val_score(GaussianNB(), X, y, cv=cv).mean())
    assert history["estimate"].to_numpy() == pytest.approx([e for _, e in path])
    assert history["n_attributes"].tolist() == [len(s) for s, _ in path]
    moved = history["added" if direction == "forward" else "removed"]
    walked = set() if direction == "forward" else set(range(5))
    for name, (subset, _) in zip(moved, path, strict=True):
        walked ^= {int(name[1:])}
        assert walked == set(subset)


@pytest.mark.parametrize("load, classifier, sizes", [
    (load_iris, GaussianNB(), (1, 2, 3)), *(
        pytest.param(load_wine, classifier, sizes, marks=pytest.mark.deep)
        for classifier, sizes in ((GaussianNB(), (2, 5)), (KNeighborsClassifier(3), (4,)),
                                  (DecisionTreeClassifier(random_state=0), (3,))))
])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_agreement_with_scikit_learn(load, classifier, sizes, direction):
    X, y = load()
    if direction == "backward":
        X = X.iloc[:, :7]
    cv = folds_of(X, y, 3)
    history = WrapperSelector(classifier, direction, cv=cv, patience=99).fit(X, y).history_
    for size in sizes:
        peer = SequentialFeatureSelector(classifier, n_features_to_select=size,
                                         direction=direction, cv=cv).fit(X, y)
        if direction == "forward":
            ours = set(history.loc[history["n_attributes"] <= size, "added"])
        else:
            ours = set(X) - set(history.loc[history["n_attributes"] >= size, "removed"])
        assert ours == set(peer.get_feature_names_out())


@examples(20)
@given(seed=st.integers(0, 1000), direction=st.sampled_from(DIRECTIONS),
       patience=st.integers(1, 6),
       tolerance=st.sampled_from([0.0, 0.01, 0.05]), limit=st.sampled_from([None, 1, 2, 4]))
def test_history_holds_together(seed, direction, patience, tolerance, limit):
    X, y = data(24, 4, 2, seed, strength=0.5)
    selector = WrapperSelector(NearestMean(), direction, cv=3,
                               max_attributes=limit, tolerance=tolerance,
                               patience=patience, random_state=seed).fit(X, y)
    history, cap = selector.history_, limit or 4
    last = history[history["accepted"]].iloc[-1]
    assert last["n_attributes"] == len(selector.selected_) == selector.support_.sum() <= cap
    rounds = [(i, *r)
              for i, r in enumerate(CrossValidation(3, random_state=seed).split(X, y), 1)]
    again = subset_scores(NearestMean(), X, y, selector.get_support(indices=True), rounds,
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


def test_floating_leaves_the_scout_behind():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 200))
    X = np.column_stack([a, b, a + b + rng.normal(size=200), rng.normal(size=200)])
    y = np.where(a + b > 0, "yes", "no")
    cv = folds_of(X, y, 5)
    found = {d: WrapperSelector(GaussianNB(), d, cv=cv).fit(X, y)
             for d in ("forward", "backward", "floating")}
    assert "x2" in found["forward"].selected_
    assert found["backward"].selected_ == found["floating"].selected_ == ["x0", "x1"]
    assert "x2" in found["floating"].history_["removed"].tolist()


def test_filter_order_is_that_of_the_gain():
    X, y = load_iris()
    history = (WrapperSelector(GaussianNB(), "filter_order", cv=folds_of(X, y), patience=9)
               .fit(X, y).history_)
    assert history["added"].tolist() == attribute_scores(X, y).index.tolist()
    with_refusals = history["accepted"].cumsum() + (~history["accepted"])
    # a refused attribute is not kept
    assert history["n_attributes"].tolist() == with_refusals.tolist()


def test_tolerance_and_limit():
    X, y = data(120, 6)
    cv = folds_of(X, y)
    sizes = [len(WrapperSelector(GaussianNB(), d, cv=cv, tolerance=t).fit(X, y).selected_)
             for d in ("forward", "backward") for t in (0.0, 1.0)]
    assert sizes[1] == sizes[3] == 1  # nothing is worth that much
    for direction in DIRECTIONS:
        limited = WrapperSelector(GaussianNB(), direction, cv=cv, max_attributes=1,
                                  random_state=0).fit(X, y)
        assert len(limited.selected_) == 1


def test_same_seed_same_result_whatever_n_jobs():
    X, y = data(40, 4)
    for direction in ("forward", "random"):
        one, two = (WrapperSelector(GaussianNB(), direction, n_jobs=n, random_state=3,
                                    patience=3).fit(X, y) for n in (None, 2))
        pd.testing.assert_frame_equal(one.history_, two.history_)
        assert one.selected_ == two.selected_


def test_selection_outside_flatters():
    rng = np.random.default_rng(0)
    claims, honest = [], []
    for seed in range(6):
        noise, coin = rng.normal(size=(40, 15)), np.arange(40) % 2
        selector = WrapperSelector(NearestMean(), cv=4, random_state=seed)
        claims.append(selector.fit(noise, coin).history_["estimate"].max())
        pipe = make_pipeline(selector, NearestMean())
        honest.append(evaluate(pipe, noise, coin, 5, random_state=seed)["mean"].item())
    assert np.mean(claims) > 0.64 and abs(np.mean(honest) - 0.5) < 0.12


# ------------------------------------ frames, arrays, tables, pipelines


def test_frames_with_names_and_holes():
    X, y = load_heart_disease()
    pipe = make_pipeline(MissingValueImputer(), IndicatorEncoder(), GaussianNB())
    selector = WrapperSelector(pipe, "filter_order", cv=3, random_state=0,
                               patience=3).fit(X, y)
    kept = selector.transform(X)
    pd.testing.assert_frame_equal(kept, X[selector.selected_])
    assert (selector.get_feature_names_out()
            .tolist() == selector.selected_ == list(X.columns[selector.get_support()]))
    pd.testing.assert_frame_equal(selector.transform(X[X.columns[::-1]]), kept)
    table = learn_table(X)
    same = WrapperSelector(pipe, "filter_order", cv=3, random_state=0,
                           patience=3).fit(table, y)
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
    assert columns_of(X, [1, 0]).tolist() == X[:, [1, 0]].tolist()


def test_in_pipeline_search_pickle_clone():
    X, y = data()
    pipe = make_pipeline(WrapperSelector(cv=3, random_state=0), GaussianNB())
    assert cross_val_score(pipe, X, y, cv=3).mean() > 0.5
    search = GridSearchCV(pipe, {"wrapperselector__direction": ["forward", "backward"]},
                          cv=2).fit(X, y)
    assert search.best_score_ > 0.5
    fitted = pickle.loads(pickle.dumps(search.best_estimator_[0]))
    assert (fitted.selected_ == search.best_estimator_[0].selected_
            and clone(fitted).classifier is None)
    names = pd.DataFrame(X, columns=list("abcde"))
    out = WrapperSelector(cv=3, random_state=0).set_output(transform="pandas").fit(names, y)
    assert list(out.transform(names)) == out.selected_


@pytest.mark.parametrize("measure", ["f1_macro", make_scorer(f1_score, average="macro"),
                                     lambda t, p: f1_score(t, p, average="macro")])
def test_measures(measure):
    X, y = data()
    cv = folds_of(X, y)
    estimate = (WrapperSelector(cv=cv, measure=measure, patience=9)
                .fit(X, y).history_["estimate"].iloc[-1])
    assert estimate == pytest.approx(
        cross_val_score(GaussianNB(), X, y, cv=cv, scoring="f1_macro").mean())


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


# ------------------------------------ what hostile users pass


@pytest.mark.parametrize("parameters, error, text", [
    ({"direction": "sideways"}, ValueError,
     "direction is 'sideways', not one of 'forward'"),
    ({"direction": None}, ValueError, "direction is None"),
    ({"measure": "prettiness"}, ValueError, "measure is 'prettiness'"),
    ({"measure": "error_rate"}, ValueError,
     "measure is 'error_rate', of which less is better"),
    ({"measure": error_rate}, ValueError, "of which less is better"),
    ({"measure": 3}, ValueError, "measure is 3"),
    ({"measure": ["accuracy", "f1"]}, ValueError, "measure is \\['accuracy', 'f1'\\]"),
    ({"measure": lambda t, p: np.nan}, ValueError, "measure gave nan"),
    ({"max_attributes": 6}, ValueError,
     "max_attributes is 6, but there are only 5 attributes"),
    ({"max_attributes": 0}, ValueError, "max_attributes is 0"),
    ({"max_attributes": 1.5}, ValueError, "max_attributes is 1.5"),
    ({"patience": 0}, ValueError, "patience is 0"),
    ({"tolerance": -0.1}, ValueError, "tolerance is -0.1"),
    ({"tolerance": "much"}, ValueError, "tolerance is 'much'"),
    ({"tolerance": np.nan}, ValueError, "tolerance is nan"),
    ({"cv": 1}, ValueError, "cv is 1"), ({"cv": "five"}, ValueError, "cv is 'five'"),
    ({"cv": 61}, ValueError, "n_folds is 61"),
    ({"classifier": 5}, TypeError, "classifier 5 has no fit and no predict"),
    ({"classifier": GaussianNB}, TypeError, "is a class"),
    ({"classifier": IndicatorEncoder()}, TypeError, "has no predict"),
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
    for direction in DIRECTIONS:
        lone = WrapperSelector(direction=direction, cv=3, random_state=0).fit(X[:, :1], y)
        assert lone.selected_ == ["x0"] and lone.transform(X[:, :1]).shape == (60, 1)
    with pytest.raises(ValueError, match="twice"):
        WrapperSelector().fit(pd.DataFrame(X[:, :2], columns=["a", "a"]), y)


def test_progress_is_shown(capsys):
    X, y = data()
    WrapperSelector(cv=3, random_state=0, verbose=1).fit(X, y)
    assert "steps" in capsys.readouterr().err
