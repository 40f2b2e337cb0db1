"""What all ensembles share: samples, views, members side by side, one walk for all
trees, votes, explanations, storage."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import MajorityClassifier, learn_table
from supervised.basics.datasets import load_iris, load_votes
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.bagging import BaggingClassifier
from supervised.ensembles.engine.base import (
    _Bags,
    _Ensemble,
    _explain_votes,
    _fit_member,
    _fitted_members,
    _member_codes,
    _member_votes,
    _Views,
)
from supervised.ensembles.engine.forests import _KINDS, RandomForestClassifier
from supervised.ensembles.engine.voting import StackingClassifier
from supervised.trees import C45Classifier, CARTClassifier, ID3Classifier
from tests import examples, interrupting
from tests.ensembles import mixed, same


class Given(_Ensemble):
    """An ensemble of the learners that it is given, each trained on all rows."""

    def __init__(self, learners=(), voting="hard", weights=None, n_jobs=None):
        self.learners, self.voting = learners, voting
        self.weights, self.n_jobs = weights, n_jobs

    def _learn(self, table, labels, weights):
        views, names = _Views(table, self._named), self.classes_[labels]
        self.estimators_ = _fitted_members(
            _fit_member, [(clone(m), views.of(m), names, None, None, self._named)
                          for m in self.learners], self.n_jobs)

    def _member_weights(self):
        return (np.ones(len(self.estimators_)) if self.weights is None
                else np.array(self.weights, dtype=float))


# ---------------------------------------------------------------------------------- samples


def test_draws_are_binomial():
    n = 1000
    bags = _Bags(learn_table(np.arange(n, dtype=float)[:, None]), np.zeros(n, dtype=int),
                 np.ones(n))
    counts = np.concatenate([bags.counts(seed) for seed in range(30)])
    seen = np.bincount(np.minimum(counts, 5), minlength=6)
    expected = stats.binom.pmf(np.arange(5), n, 1 / n)
    expected = 30 * n * np.append(expected, 1 - expected.sum())
    assert stats.chisquare(seen, expected).pvalue > 1e-3


# ---------------------------------------------------------------------------- what is read


LABELS = [np.array(["a", "b", "c"]), np.array([3, 5, 9]), np.array([False, True])]


@pytest.mark.parametrize("classes", LABELS, ids=str)
@pytest.mark.parametrize("learner", [NaiveBayesClassifier(), DecisionTreeClassifier(),
                                     LinearSVC()], ids=lambda m: type(m).__name__)
def test_a_member_that_lacks_a_class(classes, learner):
    X = np.array([[0.0], [0.1], [1.0], [1.1]])
    y = classes[[0, 0, -1, -1]]  # of three classes it knows the first and the last
    member = clone(learner).fit(X, y)
    k = len(classes)
    codes = _member_codes(member, X, classes)
    assert codes.tolist() == [0, 0, k - 1, k - 1]
    shares = _member_votes(member, X, classes)
    assert shares.shape == (4, k) and np.allclose(shares.sum(axis=1), 1)
    assert np.array_equal(shares.argmax(axis=1), codes)
    assert k < 3 or (shares[:, 1] == 0).all()


# ----------------------------------------------------------------- members, side by side


@interrupting.CAN_BE_SENT
def test_a_real_interrupt_inside_a_compiled_call_keeps_what_is_finished():
    assert interrupting.said("""if True:
        import warnings
        from supervised.ensembles.engine.base import _fitted_members
        from tests.interrupting import interrupted_call
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            print(_fitted_members(lambda i: interrupted_call() if i == 2 else i,
                                  [(i,) for i in range(5)]))
        print(told[0].message)
    """) == ["[0, 1]", "interrupted: the ensemble has the 2 members that were finished, "
                       "of 5"]


@pytest.mark.parametrize("model", [
    *(BaggingClassifier(learner, 4, 0.6, "soft", oob_score=True, random_state=3)
      for learner in (None, NaiveBayesClassifier(), SGDClassifier(loss="log_loss"))),
    *(RandomForestClassifier(6, kind, oob_score=_KINDS[kind].rows, random_state=3)
      for kind in _KINDS),
    StackingClassifier()], ids=str)
def test_any_number_of_jobs_and_any_back_end(model):
    X, y = mixed(4, 150)
    foreign = isinstance(model.get_params().get("estimator"), SGDClassifier)
    X = X.iloc[:, 3:].fillna(0.0) if foreign else X
    alone, others = clone(model).fit(X, y), [clone(model).set_params(n_jobs=2).fit(X, y)]
    for backend in ("threading", "loky"):
        with parallel_config(backend, n_jobs=2):
            others.append(clone(model).fit(X, y))
    for other in others:
        assert same(alone, other, X)
        assert getattr(alone, "oob_score_", 0) == getattr(other, "oob_score_", 0)
        assert foreign or alone.to_json() == other.set_params(n_jobs=None).to_json()


@pytest.mark.parametrize("model", [
    BaggingClassifier(n_estimators=4),
    *(RandomForestClassifier(4, kind) for kind in _KINDS)], ids=str)
@examples(20)
@given(st.integers(0, 10**6))
def test_neither_order_nor_writing_out_of_copies_matters(model, seed):
    rng, model = np.random.default_rng(seed), clone(model).set_params(random_state=seed)
    (X, y), order, light = mixed(seed, 50), rng.permutation(50), rng.random(50) + 0.1
    for w, turned in ((None, None), (light, light[order])):
        one, other = (clone(model).fit(*rows) for rows in (
            (X, y, w), (X.iloc[order], y.iloc[order], turned)))
        assert same(one, other, X)
    if isinstance(model, RandomForestClassifier):
        X = mixed(seed, 50, 0.0)[0]  # a gap of a row of weight 2 draws one lot, not two
    weights = rng.integers(0, 4, size=50)
    rows = np.repeat(np.arange(50), weights)
    if y.iloc[rows].nunique() == y.nunique():
        weighted = clone(model).fit(X, y, sample_weight=weights)
        assert same(weighted, clone(model).fit(X.iloc[rows], y.iloc[rows]), X)


@pytest.mark.parametrize("kind", [BaggingClassifier, RandomForestClassifier])
def test_more_members_go_on_where_fewer_end(kind):
    X, y = mixed(5, 100)
    many, few = (kind(n_estimators=n).fit(X, y) for n in (20, 8))
    stages = list(many.staged_predict_proba(X))
    assert len(stages) == 20 and np.allclose(stages[7], few.predict_proba(X))
    assert np.allclose(stages[-1], many.predict_proba(X))


# -------------------------------------------------------------------- ensembles of trees

TREES = (C45Classifier(pruning=None), C45Classifier(pruning=None, smoothing="laplace"),
         CARTClassifier(smoothing=2.5), CARTClassifier(criterion="entropy", max_depth=2),
         ID3Classifier())


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n", [0, 1, 3, 255, 256, 257, 5000])
def test_any_number_of_rows_and_threads(n, missing):
    X, y = mixed(3, 300, missing)
    ensemble = Given(TREES).fit(X, y)
    new = X.iloc[np.arange(n) % 300]
    alone = ensemble.predict_proba(new)
    together = ensemble.set_params(n_jobs=3).predict_proba(new)
    assert alone.shape == (n, 2) and np.array_equal(alone, together)



# ----------------------------------------------------------------------- votes and stages


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 3.0]])
def test_votes_stages_and_weights(voting, weights):
    X, y = mixed(4, 80, 0.1)
    X = X.iloc[:, 3:].fillna(0.0)
    learners = (C45Classifier(), NaiveBayesClassifier(), CARTClassifier(max_depth=1),
                DecisionTreeClassifier(max_depth=2, random_state=0))
    ensemble = Given(learners, voting, weights).fit(X, y)
    w = np.ones(4) if weights is None else np.array(weights)
    said = [m.predict_proba(X) if voting == "soft"
            else (m.predict(X)[:, None] == ensemble.classes_).astype(float)
            for m in ensemble.estimators_]
    stages = list(ensemble.staged_predict_proba(X))
    for k in range(1, 5):
        by_hand = sum(a * b for a, b in zip(w[:k], said[:k], strict=True)) / w[:k].sum()
        assert np.allclose(stages[k - 1], by_hand)
    assert np.allclose(ensemble.predict_proba(X), stages[-1])
    answers = list(ensemble.staged_predict(X))
    assert [a.tolist() for a in answers] == [
        ensemble.classes_[s.argmax(axis=1)].tolist() for s in stages]
    assert answers[-1].tolist() == ensemble.predict(X).tolist()


def test_of_equal_votes_the_first_class_wins():
    X = np.array([[0.0], [1.0]])
    ensemble = Given((MajorityClassifier(), MajorityClassifier())).fit(X, ["z", "a"])
    ensemble.estimators_ = [MajorityClassifier().fit(X, [c, c]) for c in ("z", "a")]
    assert ensemble.predict(X).tolist() == ["a", "a"]
    assert ensemble.predict_proba(X).tolist() == [[0.5, 0.5]] * 2


def test_importances_are_the_members_mean():
    X, y = load_iris()
    ensemble = Given((CARTClassifier(), DecisionTreeClassifier(random_state=0)),
                      weights=[3.0, 1.0]).fit(X, y)
    one, other = (m.feature_importances_ for m in ensemble.estimators_)
    assert np.allclose(ensemble.feature_importances_, (3 * one + other) / 4)
    assert not hasattr(Given((NaiveBayesClassifier(),)).fit(X, y), "feature_importances_")


# --------------------------------------------------------------- explanations and storage


def test_an_explanation_by_hand():
    voices = np.array([[1.0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    told = _explain_votes(["x", "y", "z"], ["m", "n", "o", "p"], voices,
                          np.array([2.0, 1, 4, 1]))
    assert told.prediction == "x" and told.probability == 0.75
    # y and z have an eighth each; of equal ones the first is the rival
    assert [p.contribution for p in told.parts] == [0.25, -0.125, 0.5, 0.0]
    assert [p.name for p in told.parts] == ["m", "n", "o", "p"]
    assert [p.value for p in told.parts] == ["x", "y", "x", "z"]
    # the lead is 0.625; the third member alone would move it by 1
    assert told.otherwise == "y, if 1 member changed sides"
    assert {p.text for p in told.parts} == {""}


def test_an_explanation_of_many():
    voices = np.repeat([[0.8, 0.2], [0.3, 0.7]], [15, 10], axis=0)
    told = _explain_votes(["x", "y"], [str(i) for i in range(25)], voices, np.ones(25))
    assert told.probability == pytest.approx((15 * 0.8 + 10 * 0.3) / 25)  # 0.6
    (for_it, against) = told.parts
    assert for_it.name == "15 of 25 members" and against.value == "y"
    assert for_it.contribution == pytest.approx(15 * 0.6 / 25)
    assert against.contribution == pytest.approx(-10 * 0.4 / 25)
    assert for_it.text == "80% sure on average"
    # the lead is 0.2, and each who changes sides moves it by 2 * 0.6 / 25 = 0.048
    assert told.otherwise == "y, if 5 members changed sides"


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_an_explanation_is_that_of_the_answer(voting):
    X, y = load_votes()
    ensemble = Given(TREES, voting).fit(X, y)
    for i in range(10):
        told = ensemble.explain(X.iloc[i])
        p = ensemble.predict_proba(X.iloc[[i]])[0]
        assert told.prediction == ensemble.predict(X.iloc[[i]])[0]
        assert told.probability == pytest.approx(p.max())
        assert sum(part.contribution for part in told.parts) == pytest.approx(
            p.max() - p.min())


def test_the_members_by_kind():
    X, y = load_votes()
    assert Given((*TREES, NaiveBayesClassifier())).fit(X, y).to_text().splitlines() == [
        "2 × C45Classifier", "2 × CARTClassifier", "1 × ID3Classifier",
        "1 × NaiveBayesClassifier"]


def test_json_refuses_members_of_other_libraries():
    X, y = load_iris()
    ensemble = Given((C45Classifier(), DecisionTreeClassifier())).fit(X, y)
    with pytest.raises(TypeError, match="DecisionTreeClassifier 1 .* pickle the ensemble"):
        ensemble.to_json()
    copy = pickle.loads(pickle.dumps(ensemble))
    assert np.array_equal(copy.predict(X), ensemble.predict(X))
