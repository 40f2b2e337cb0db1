"""Bagging: the plain version, scikit-learn's, out-of-bag by hand, any member, bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils import get_tags

from supervised.basics.classifiers import BaseClassifier
from supervised.basics.datasets import (
    load_iris,
    load_votes,
)
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.bagging import BaggingClassifier
from supervised.neighbors import KNNClassifier
from supervised.trees import C45Classifier, CARTClassifier, CHAIDClassifier
from tests import examples, interrupting
from tests.ensembles import mixed, same
from tests.house.test_estimators import estimators


def vote(members, X):
    """The plain version: most votes, of several classes the first."""
    answers = np.array([m.predict(X) for m in members])
    classes = np.unique(answers)
    return classes[np.argmax([(answers == c).sum(axis=0) for c in classes], axis=0)]


# ------------------------------------------------------------------------- what it computes


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 60), st.sampled_from((0.0, 0.15)),
       st.sampled_from((1.0, 0.4)),
       st.sampled_from((CARTClassifier(), C45Classifier(pruning=None))))
def test_the_vote_of_members_from_the_samples(seed, n, missing, share, learner):
    X, y = mixed(seed, n, missing)
    ensemble = BaggingClassifier(learner, 5, share, random_state=seed).fit(X, y)
    samples = ensemble.samples(X, y)
    assert [len(rows) for rows in samples] == [max(1, round(share * n))] * 5
    if all(y.iloc[rows].nunique() > 1 for rows in samples):
        members = [clone(learner).fit(X.iloc[rows], y.iloc[rows]) for rows in samples]
        assert np.array_equal(ensemble.predict(X), vote(members, X))
        soft = clone(ensemble).set_params(voting="soft").fit(X, y).predict_proba(X)
        assert np.allclose(soft, np.mean([m.predict_proba(X) for m in members], axis=0))


@pytest.mark.parametrize("learner", [
    NaiveBayesClassifier(), KNNClassifier(3), DecisionTreeClassifier(random_state=0),
    C45Classifier(), CARTClassifier(class_weight="balanced"), CHAIDClassifier(),
    LogisticRegression(max_iter=1000),
    make_pipeline(StandardScaler(), SVC())],
    ids=lambda m: type(m).__name__)
def test_other_learners_by_hand(learner):
    X, y = load_iris()
    ensemble = BaggingClassifier(learner, 5).fit(X, y)
    members = [clone(m).fit(X.iloc[rows], y.iloc[rows]) for m, rows in
               zip(ensemble.estimators_, ensemble.samples(X, y), strict=True)]
    assert np.array_equal(ensemble.predict(X), vote(members, X))


# ------------------------------------------------------------------ the same, however done


# --------------------------------------------------------------------------- out of bag


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("learner", [None, NaiveBayesClassifier(), LinearSVC()],
                         ids=["trees", "bayes", "svm"])
def test_out_of_bag_by_hand(learner, voting):
    X, y = load_iris()
    y = y.astype(str)
    ensemble = BaggingClassifier(learner, 25, voting=voting, oob_score=True).fit(X, y)
    votes = np.zeros((150, 3))
    for member, rows in zip(ensemble.estimators_, ensemble.samples(X, y), strict=True):
        for i in set(range(150)) - set(rows.tolist()):
            row = X.iloc[[i]]
            if voting == "soft" and hasattr(member, "predict_proba"):
                votes[i] += member.predict_proba(row)[0]
            else:
                votes[i] += member.predict(row)[0] == ensemble.classes_
    assert (votes.sum(axis=1) > 0).all()
    shares = votes / votes.sum(axis=1, keepdims=True)
    assert np.allclose(ensemble.oob_decision_function_, shares)
    right = ensemble.classes_[shares.argmax(axis=1)] == y
    assert ensemble.oob_score_ == pytest.approx(right.mean())


def test_weights_count_in_the_estimate():
    X, y = mixed(1, 80)
    weights = np.where(np.arange(80) < 40, 2.0, 1.0)
    ensemble = BaggingClassifier(n_estimators=30, oob_score=True).fit(X, y, weights)
    shares = ensemble.oob_decision_function_
    right = ensemble.classes_[shares.argmax(axis=1)] == y.to_numpy()
    assert ensemble.oob_score_ == pytest.approx(np.average(right, weights=weights))


# ------------------------------------------------------------------------------ any member


CLASSIFIERS = {type(e).__name__: e for e in estimators()
               if isinstance(e, BaseClassifier) and ".ensembles." not in type(e).__module__}


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", sorted(CLASSIFIERS))
def test_any_classifier_of_the_book(name):
    X, y = load_iris()
    learner = CLASSIFIERS[name]
    if not get_tags(learner).classifier_tags.multi_class:
        X, y = X[y != "setosa"], y[y != "setosa"]
    ensemble = BaggingClassifier(learner, 3, oob_score=True).fit(X, y)
    assert ensemble.score(X, y) > (0.3 if name == "MajorityClassifier" else 0.6)
    assert np.allclose(ensemble.predict_proba(X).sum(axis=1), 1)
    assert str(ensemble.explain(X.iloc[0])).startswith(ensemble.predict(X.head(1))[0])


def test_names_and_gaps_for_members_of_scikit_learn():
    X, y = load_votes()
    prepared = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    ensemble = BaggingClassifier(prepared, 5).fit(X, y)
    assert ensemble.score(X, y) > 0.94
    with pytest.raises(ValueError, match=r"member 0 \(LogisticRegression\) failed: "):
        BaggingClassifier(LogisticRegression(), 3).fit(X, y)
    by_name = make_pipeline(make_column_transformer((OneHotEncoder(), [X.columns[0]])),
                            DecisionTreeClassifier())
    assert BaggingClassifier(by_name, 3).fit(X, y).score(X, y) > 0.5


def test_a_sample_without_a_class():
    # with 5 rare rows in 60 and 200 members some sample lacks them; LinearSVC refuses those
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.array(["rare"] * 3 + ["usual"] * 57)
    ensemble = BaggingClassifier(LinearSVC(), 200, voting="soft").fit(X, y)
    kinds = {type(m).__name__ for m in ensemble.estimators_}
    assert kinds == {"LinearSVC", "MajorityClassifier"}
    assert ensemble.predict_proba(X).shape == (60, 2)
    assert len(ensemble.predict(X)) == 60


# ------------------------------------------------------------------------------ interrupts


def test_an_interrupt_keeps_the_members_that_are_finished(monkeypatch):
    X, y = load_iris()
    interrupting.stop_at(monkeypatch, NaiveBayesClassifier, "_learn", 4)
    with pytest.warns(UserWarning, match="the 4 members that were finished, of 20"):
        ensemble = BaggingClassifier(NaiveBayesClassifier(), 20, oob_score=True).fit(X, y)
    assert len(ensemble.estimators_) == len(ensemble.seeds_) == 4
    assert len(ensemble.samples(X, y)) == 4
    whole = BaggingClassifier(NaiveBayesClassifier(), 4, oob_score=True).fit(X, y)
    assert same(ensemble, whole, X) and ensemble.oob_score_ == whole.oob_score_
