"""Embedded selection: scikit-learn's RFE and RFECV,
plain definitions, and what hostile users pass."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, RFECV
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import (
    IndicatorEncoder,
    MissingValueImputer,
    Standardizer,
    learn_table,
)
from supervised.basics.datasets import (
    load_breast_cancer,
    load_heart_disease,
    load_iris,
    load_wine,
)
from supervised.evaluation.engine.resampling import CrossValidation
from supervised.features.embedded import DropSmallWeights, RecursiveElimination
from supervised.features.engine.embedded import _attribute_weights, _eliminate
from tests import examples

LOADERS = (load_iris, load_wine, load_breast_cancer)


class FixedWeights(ClassifierMixin, BaseEstimator):
    """Has the weights that it is told, whatever the data."""

    def __init__(self, weights=()):
        self.weights = weights

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.coef_ = np.asarray(self.weights, dtype=float)[..., : X.shape[1]]
        return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])


def data(n=60, n_attributes=5, n_classes=2, seed=0):
    """Points of which the first two attributes tell the class."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, n_attributes))
    X[:, :2] += y[:, None]
    return X, y


# ------------------------------------ weights


@examples(40)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(0, 10**6))
def test_weights_by_definition(n_attributes, n_rows, seed):
    weights = np.random.default_rng(seed).normal(size=(n_rows, n_attributes))
    model = FixedWeights(weights).fit(np.zeros((2, n_attributes)), [0, 1])
    plain = [sum(float(w) ** 2 for w in column) ** 0.5 for column in weights.T]
    assert _attribute_weights(model, n_attributes) == pytest.approx(plain, rel=1e-12)
    model.coef_ = model.coef_[0]  # one row may come without brackets
    assert _attribute_weights(model, n_attributes) == pytest.approx(np.abs(weights[0]),
                                                                    rel=1e-12)


def test_weights_of_trees_and_pipelines():
    X, y = load_wine()
    tree = DecisionTreeClassifier(random_state=0).fit(X, y)
    assert np.array_equal(_attribute_weights(tree, 13), tree.feature_importances_)
    pipe = make_pipeline(StandardScaler(), RidgeClassifier()).fit(X, y)
    assert np.allclose(_attribute_weights(pipe, 13), np.linalg.norm(pipe[-1].coef_, axis=0),
                       rtol=1e-14)


# ------------------------------------ small weights


@pytest.mark.parametrize("load", LOADERS)
def test_drop_small_weights_by_hand(load):
    X, y = load()
    Z = (X - X.mean()) / X.std(ddof=0)
    size = np.sqrt((np.atleast_2d(LogisticRegression().fit(Z, y).coef_) ** 2).sum(axis=0))
    selector = DropSmallWeights(LogisticRegression(), threshold=0.3).fit(X, y)
    assert selector.weights_.to_numpy() == pytest.approx(size, rel=1e-3)
    assert selector.selected_ == list(X.columns[size >= 0.3 * size.max()])
    best = set(X.columns[np.argsort(-size)[:3]])
    assert set(DropSmallWeights(LogisticRegression(), max_features
                                =3).fit(X, y).selected_) == best


def test_the_unit_does_not_matter():
    X, y = load_breast_cancer()
    other = X * np.logspace(-6, 6, 30)
    for selector in (DropSmallWeights(max_features=7),
                     RecursiveElimination(n_features_to_select=7)):
        assert selector.fit(X, y).selected_ == selector.fit(other, y).selected_


def test_threshold_and_ties():
    X, y = data(n_attributes=4)
    told = FixedWeights([1.0, -2.0, 2.0, 0.2])
    assert DropSmallWeights(told, threshold=0.5).fit(X, y).selected_ == ["x0", "x1", "x2"]
    assert DropSmallWeights(told, threshold=0.51).fit(X, y).selected_ == ["x1", "x2"]
    assert (DropSmallWeights(told, threshold=0)
            .fit(X, y).selected_ == ["x0", "x1", "x2", "x3"])
    assert DropSmallWeights(told, threshold=1).fit(X, y).selected_ == ["x1", "x2"]
    # of equals the first
    assert DropSmallWeights(told, max_features=1).fit(X, y).selected_ == ["x1"]
    # no weight is smaller than another
    nothing = DropSmallWeights().fit(np.ones((6, 2)), [0, 1] * 3)
    assert nothing.selected_ == ["x0", "x1"]


# ------------------------------------ recursive elimination


@pytest.mark.parametrize("load, learner", [
    *((load, RidgeClassifier()) for load in LOADERS),
    (load_wine, LinearDiscriminantAnalysis()),
    (load_iris, LogisticRegression()), (load_wine, LogisticRegression(C=0.1)),
])
@pytest.mark.parametrize("keep, step", [(2, 1), (3, 2)])
def test_agreement_with_rfe(load, learner, keep, step):
    X, y = load()
    Z = Standardizer().fit_transform(X)
    peer = RFE(learner, n_features_to_select=keep, step=step).fit(Z, y)
    for given_Z in (Z, Z.to_numpy()):
        ours = RecursiveElimination(learner, n_features_to_select=keep,
                                    step=step).fit(given_Z, y)
        assert (np.array_equal(ours.support_, peer.support_)
                and np.array_equal(ours.ranking_, peer.ranking_))


@pytest.mark.parametrize("load", LOADERS)
@pytest.mark.parametrize("step", [1, 4])
def test_agreement_with_rfecv(load, step):
    X, y = load()
    Z, learner = Standardizer().fit_transform(X), RidgeClassifier()
    folds = list(CrossValidation(4, random_state=0).split(Z, y))
    peer = RFECV(learner, step=step, cv=folds).fit(Z, y)
    ours = RecursiveElimination(learner, step=step, cv=folds).fit(Z, y)
    assert ours.estimates_["estimate"].to_numpy() == pytest.approx(
        peer.cv_results_["mean_test_score"], abs=1e-12)
    assert ours.estimates_.index.tolist() == list(peer.cv_results_["n_features"])
    assert (np.array_equal(ours.support_, peer.support_)
            and np.array_equal(ours.ranking_, peer.ranking_))


def test_agreement_with_importances():
    X, y = load_wine()
    forest = RandomForestClassifier(20, max_depth=3, random_state=0)
    peer = RFE(forest, n_features_to_select=4, step=3).fit(X.to_numpy(), y)
    assert np.array_equal(RecursiveElimination(forest, n_features_to_select=4,
                                               step=3).fit(X, y).support_,
                          peer.support_)


@examples(25)
@given(st.integers(1, 8), st.integers(1, 9), st.integers(1, 9), st.integers(0, 1000))
def test_elimination_by_a_plain_loop(n_attributes, keep, step, seed):
    keep = min(keep, n_attributes)
    X, y = data(30, max(n_attributes, 2), 2, seed)
    X = X[:, :n_attributes]
    left, sets = list(range(n_attributes)), []
    while True:
        weights = np.abs(np.ravel(RidgeClassifier().fit(X[:, left], y).coef_))
        sets.append(list(left))
        if len(left) <= keep:
            break
        worst = sorted(range(len(left)),
                       key=weights.__getitem__)[: min(step, len(left) - keep)]
        left = [j for i, j in enumerate(left) if i not in worst]
    assert [columns.tolist()
            for columns, *_ in _eliminate(RidgeClassifier(), X, y, keep, step)] == sets
    selector = RecursiveElimination(RidgeClassifier(), n_features_to_select=keep,
                                    step=step).fit(X, y)
    assert selector.get_support(indices=True).tolist() == left
    assert selector.weights_.index.tolist() == [len(s) for s in sets]
    alive = selector.weights_.notna().to_numpy()
    assert [np.flatnonzero(row).tolist() for row in alive] == sets
    assert ((selector.ranking_ == len(sets) + 1 - alive.sum(axis=0)).all()
            and not hasattr(selector, "estimates_"))


def test_twins_survive_elimination():
    rng = np.random.default_rng(0)
    good, other = rng.normal(size=(2, 400))
    X = np.column_stack([good[:, None] + rng.normal(0, 0.03, (400, 5)), other])
    y = good + 0.5 * other > 0
    assert DropSmallWeights(RidgeClassifier(alpha=50), max_features
                            =1).fit(X, y).selected_ == ["x5"]
    assert (RecursiveElimination(RidgeClassifier(alpha=50), n_features_to_select=1)
            .fit(X, y).selected_ != ["x5"])


def test_auto_and_equal_estimates():
    X, y = data(n_attributes=4)
    # always answers the same: all sizes are equally good
    told = FixedWeights([4.0, 3.0, 2.0, 1.0])
    selector = RecursiveElimination(told, cv=3, random_state=0).fit(X, y)
    assert selector.selected_ == ["x0"] and selector.estimates_["estimate"].nunique() == 1
    scorer = make_scorer(f1_score)
    for measure in ("f1", scorer, f1_score):
        folds = list(CrossValidation(3, random_state=0).split(X, y))
        chosen = RecursiveElimination(RidgeClassifier(), cv=folds,
                                      scoring=measure).fit(X, y)
        whole = cross_val_score(RidgeClassifier(), X, y, cv=folds, scoring="f1").mean()
        assert chosen.estimates_.loc[4, "estimate"] == pytest.approx(whole)
    chosen.set_params(n_features_to_select=2).fit(X, y)
    assert not hasattr(chosen, "estimates_")  # nothing of an earlier fit stays


@pytest.mark.deep
def test_same_seed_same_result_whatever_n_jobs():
    X, y = data(40, 6)
    one, two = (RecursiveElimination(n_jobs=n, random_state=1, cv=3).fit(X, y)
                for n in (None, 2))
    pd.testing.assert_frame_equal(one.estimates_, two.estimates_)
    assert one.selected_ == two.selected_


# ------------------------------------ frames, tables, holes


def test_frames_tables_pipelines():
    X, y = load_heart_disease()
    columns = IndicatorEncoder().fit_transform(MissingValueImputer().fit_transform(X))
    for selector in (DropSmallWeights(max_features=6),
                     RecursiveElimination(n_features_to_select=6, step=4)):
        kept = selector.fit(columns, y).transform(columns)
        pd.testing.assert_frame_equal(kept, columns[selector.selected_])
        assert selector.get_feature_names_out().tolist() == selector.selected_
        table = learn_table(columns)
        assert selector.fit(table, y).selected_ == list(kept)
        assert [a.name for a in selector.transform(table).attributes] == list(kept)
        pipe = make_pipeline(MissingValueImputer(), IndicatorEncoder(), selector,
                             Standardizer(), RidgeClassifier())
        assert cross_val_score(pipe, X, y, cv=3).mean() > 0.75
        assert pickle.loads(pickle.dumps(selector)).selected_ == selector.selected_


def test_holes():
    X, y = data()
    X[3, 1] = np.nan
    for selector in (DropSmallWeights(), RecursiveElimination(),
                     RecursiveElimination(RidgeClassifier())):
        with pytest.raises(ValueError, match=r"NaN.*\['x1'\]"):
            selector.fit(X, y)
    # takes them
    with_tree = RecursiveElimination(DecisionTreeClassifier(random_state=0),
                                     n_features_to_select=2).fit(X, y)
    assert with_tree.transform(X).shape == (60, 2)
    trusted = RecursiveElimination(make_pipeline(MissingValueImputer(), RidgeClassifier()),
                                   n_features_to_select=2).fit(X, y)
    assert np.isnan(trusted.transform(X)).any() == ("x1" in trusted.selected_)


# ------------------------------------ what hostile users pass


@pytest.mark.parametrize("kind", [DropSmallWeights, RecursiveElimination])
@pytest.mark.parametrize("classifier, error, text", [
    (KNeighborsClassifier(), TypeError,
     r"KNeighborsClassifier\(\) has neither coef_ nor feature_importances_"),
    (GaussianNB(), TypeError, "GaussianNB"), (SVC(kernel="rbf"), TypeError, "SVC"),
    (5, TypeError, "estimator is 5, .*: it has no fit"),
    (RidgeClassifier, TypeError, "make an instance"),
    (Standardizer(), TypeError, "Standardizer"),
    (FixedWeights([1.0, 2.0]), ValueError, "has 2 weights for 5 attributes"),
    (FixedWeights([1.0, np.nan, 1, 1, 1]), ValueError, "not finite"),
])
def test_classifiers_without_weights(kind, classifier, error, text):
    X, y = data()
    with pytest.raises(error, match=text):
        kind(classifier).fit(X, y)


@pytest.mark.parametrize("selector, text", [
    (DropSmallWeights(max_features=6),
     "max_features is 6, but there are only 5 attributes"),
    (DropSmallWeights(max_features=0), "max_features is 0"),
    (DropSmallWeights(max_features="auto"), "max_features is 'auto'"),
    (DropSmallWeights(threshold=1.5), "threshold is 1.5"),
    (DropSmallWeights(threshold=-1), "threshold is -1"),
    (DropSmallWeights(threshold=np.nan), "threshold is nan"),
    (DropSmallWeights(threshold="mean"), "threshold is 'mean'"),
    (RecursiveElimination(n_features_to_select=6),
     "n_features_to_select is 6, but there are only 5"),
    (RecursiveElimination(n_features_to_select="all"), "n_features_to_select is 'all'"),
    (RecursiveElimination(n_features_to_select=0), "n_features_to_select is 0"),
    (RecursiveElimination(n_features_to_select=2.0), "n_features_to_select is 2.0"),
    (RecursiveElimination(step=0), "step is 0"),
    (RecursiveElimination(step=0.5), "step is 0.5"),
    (RecursiveElimination(cv=1), "cv is 1"), (RecursiveElimination(cv="x"), "cv is 'x'"),
    (RecursiveElimination(scoring="best"), "scoring is 'best'"),
    (RecursiveElimination(scoring="error_rate"), "less is better there, take 'accuracy'"),
    (RecursiveElimination(scoring=lambda t, p: np.nan), "scoring gave nan"),
])
def test_wrong_parameters(selector, text):
    X, y = data()
    with pytest.raises(ValueError, match=text):
        selector.fit(X, y)


def test_wrong_data():
    X, y = data()
    nominal = pd.DataFrame({"a": ["u", "v"] * 30, "b": X[:, 0]})
    with pytest.raises(ValueError, match=r"\['a'\] are nominal"):
        DropSmallWeights().fit(nominal, y)
    for selector in (DropSmallWeights(), RecursiveElimination(cv=3, random_state=0)):
        with pytest.raises(ValueError, match="only 1 class"):
            selector.fit(X, np.ones(60))
        with pytest.raises(ValueError, match="60 rows and y 3"):
            selector.fit(X, y[:3])
        assert selector.fit(X[:, :1], y).selected_ == ["x0"]
        with pytest.raises(ValueError, match="2 features"):
            selector.transform(X[:, :2])
        with pytest.raises(ValueError, match="infinity"):
            selector.fit(np.where(X > 2, np.inf, X), y)
