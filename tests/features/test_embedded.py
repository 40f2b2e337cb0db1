"""Embedded selection: scikit-learn's RFE and RFECV,
plain definitions, and what hostile users pass."""


import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import RFE, RFECV
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import Standardizer
from supervised.basics.datasets import load_breast_cancer, load_iris, load_wine
from supervised.evaluation.engine.resampling import CrossValidation
from supervised.features.embedded import DropSmallWeights, RecursiveElimination
from supervised.features.engine.embedded import _attribute_weights
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


def test_twins_survive_elimination():
    rng = np.random.default_rng(0)
    good, other = rng.normal(size=(2, 400))
    X = np.column_stack([good[:, None] + rng.normal(0, 0.03, (400, 5)), other])
    y = good + 0.5 * other > 0
    assert DropSmallWeights(RidgeClassifier(alpha=50), max_features
                            =1).fit(X, y).selected_ == ["x5"]
    assert (RecursiveElimination(RidgeClassifier(alpha=50), n_features_to_select=1)
            .fit(X, y).selected_ != ["x5"])
