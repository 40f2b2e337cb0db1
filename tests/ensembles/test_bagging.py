"""Bagging: the plain version, scikit-learn's, out-of-bag by hand, any member, bad input."""

import inspect
import pickle
from importlib import import_module

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import make_classification, make_moons
from sklearn.ensemble import BaggingClassifier as ScikitBagging
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import MissingValueImputer
from supervised.basics.classifiers import BaseClassifier
from supervised.basics.datasets import (
    load_breast_cancer,
    load_heart_disease,
    load_iris,
    load_votes,
    make_rule_table,
)
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.bagging import BaggingClassifier
from supervised.neighbors import KNNClassifier
from supervised.trees import C45Classifier, CARTClassifier
from tests import examples, work
from tools.book import modules


def mixed(seed=0, n=60, missing=0.1, **details):
    return make_rule_table(n, 3, 3, noise=0.2, missing=missing, random_state=seed,
                           **details)[:2]


def vote(members, X):
    """The plain version: most votes, of several classes the first."""
    answers = np.array([m.predict(X) for m in members])
    classes = np.unique(answers)
    return classes[np.argmax([(answers == c).sum(axis=0) for c in classes], axis=0)]


# ------------------------------------------------------------------------- what it computes


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 60), st.sampled_from((0.0, 0.15)),
       st.sampled_from((1.0, 0.4)))
def test_the_vote_of_members_from_the_samples(seed, n, missing, share):
    X, y = mixed(seed, n, missing)
    learner = CARTClassifier()
    committee = BaggingClassifier(learner, 5, share, random_state=seed).fit(X, y)
    samples = committee.samples(X, y)
    assert [len(rows) for rows in samples] == [max(1, round(share * n))] * 5
    if all(y.iloc[rows].nunique() > 1 for rows in samples):
        members = [clone(learner).fit(X.iloc[rows], y.iloc[rows]) for rows in samples]
        assert np.array_equal(committee.predict(X), vote(members, X))
        soft = clone(committee).set_params(voting="soft").fit(X, y).predict_proba(X)
        assert np.allclose(soft, np.mean([m.predict_proba(X) for m in members], axis=0))


def test_the_default_is_unpruned_c45():
    X, y = load_heart_disease()
    committee = BaggingClassifier(n_estimators=7).fit(X, y)
    members = [C45Classifier(pruning=None).fit(X.iloc[rows], y.iloc[rows])
               for rows in committee.samples(X, y)]
    assert [m.to_text() for m in committee.estimators_] == [m.to_text() for m in members]
    assert BaggingClassifier().n_estimators == 100


@pytest.mark.parametrize("learner", [
    NaiveBayesClassifier(), KNNClassifier(3), DecisionTreeClassifier(random_state=0),
    LogisticRegression(max_iter=1000),
    make_pipeline(StandardScaler(), SVC())],
    ids=lambda m: type(m).__name__)
def test_other_learners_by_hand(learner):
    X, y = load_iris()
    committee = BaggingClassifier(learner, 5).fit(X, y)
    members = [clone(m).fit(X.iloc[rows], y.iloc[rows]) for m, rows in
               zip(committee.estimators_, committee.samples(X, y), strict=True)]
    assert np.array_equal(committee.predict(X), vote(members, X))


@pytest.mark.deep
def test_as_good_as_that_of_scikit_learn():
    # the same learner; the difference of two means over ten halves stays within what
    # other seeds make of it, 1.5 percent
    tables = [load_breast_cancer(), load_iris(),
              make_moons(400, noise=0.3, random_state=0),
              make_classification(400, 12, random_state=1)]
    for X, y in tables:
        X, y = np.asarray(X, dtype=float), np.asarray(y)
        scores = []
        for make in (ScikitBagging, BaggingClassifier):
            found = []
            for seed in range(10):
                half = np.random.default_rng(seed).random(len(y)) < 0.5
                model = make(DecisionTreeClassifier(random_state=0), n_estimators=25,
                             random_state=seed)
                found.append(model.fit(X[half], y[half]).score(X[~half], y[~half]))
            scores.append(np.mean(found))
        assert abs(scores[0] - scores[1]) < 0.015


def test_more_members_go_on_where_fewer_end():
    X, y = mixed(5, 100)
    many = BaggingClassifier(n_estimators=20).fit(X, y)
    few = BaggingClassifier(n_estimators=8).fit(X, y)
    stages = list(many.staged_predict_proba(X))
    assert len(stages) == 20
    assert np.allclose(stages[7], few.predict_proba(X))
    assert np.allclose(stages[-1], many.predict_proba(X))


def test_one_neighbor_gains_nothing_from_full_samples():
    X, y = make_moons(400, noise=0.3, random_state=1)
    new, _ = make_moons(500, noise=0.3, random_state=2)
    alone = KNNClassifier(1).fit(X, y).predict(new)
    full = BaggingClassifier(KNNClassifier(1), 101).fit(X, y).predict(new)
    small = BaggingClassifier(KNNClassifier(1), 101, 0.2).fit(X, y).predict(new)
    assert (full != alone).mean() < 0.01 < 0.05 < (small != alone).mean()


def test_a_stable_learner_gains_nothing_and_an_unstable_one_does():
    errors = {"tree": [], "bayes": []}
    new, truth = make_moons(2000, noise=0.3, random_state=99)
    for seed in range(8):
        data = make_moons(150, noise=0.3, random_state=seed)
        for name, learner in (("tree", C45Classifier(pruning=None)),
                              ("bayes", NaiveBayesClassifier())):
            alone = clone(learner).fit(*data).predict(new)
            bagged = BaggingClassifier(learner, 25, random_state=seed).fit(*data)
            errors[name].append([(alone != truth).mean(),
                                 (bagged.predict(new) != truth).mean()])
    tree, bayes = (np.mean(e, axis=0) for e in errors.values())
    assert tree[1] < 0.9 * tree[0] and abs(bayes[1] - bayes[0]) < 0.005


# ------------------------------------------------------------------ the same, however done


def same(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X))


@pytest.mark.parametrize("learner", [None, NaiveBayesClassifier(),
                                     SGDClassifier(loss="log_loss")],
                         ids=["trees", "bayes", "sgd"])
def test_any_number_of_jobs_and_any_back_end(learner):
    X, y = load_breast_cancer()
    options = dict(estimator=learner, n_estimators=4, max_samples=0.3, voting="soft",
                   oob_score=True, random_state=3)
    alone = BaggingClassifier(**options).fit(X, y)
    together = BaggingClassifier(n_jobs=2, **options).fit(X, y)
    assert same(alone, together, X) and alone.oob_score_ == together.oob_score_
    for backend in ("threading", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            assert same(alone, BaggingClassifier(**options).fit(X, y), X)


def test_the_same_seed_the_same_model():
    X, y = mixed(0, 80)
    one, again, other = (BaggingClassifier(n_estimators=5, random_state=s).fit(X, y)
                         for s in (1, 1, 2))
    assert same(one, again, X) and not same(one, other, X)
    assert same(one, pickle.loads(pickle.dumps(one)), X)
    assert same(one, BaggingClassifier.from_json(one.to_json()), X)


@examples(30)
@given(st.integers(0, 10**6))
def test_neither_order_nor_writing_out_of_copies_matters(seed):
    X, y = mixed(seed, 40)
    rng = np.random.default_rng(seed)
    order, weights = rng.permutation(40), rng.integers(0, 4, size=40)
    committee = BaggingClassifier(n_estimators=4, random_state=seed)
    plain = clone(committee).fit(X, y)
    assert same(plain, clone(committee).fit(X.iloc[order], y.iloc[order]), X)
    rows = np.repeat(np.arange(40), weights)
    weighted = clone(committee).fit(X, y, sample_weight=weights)
    if y.iloc[rows].nunique() == y.nunique():
        assert same(weighted, clone(committee).fit(X.iloc[rows], y.iloc[rows]), X)


def test_chance_differs_from_member_to_member():
    X, y = load_iris()
    X = X.iloc[:, :2]
    committee = BaggingClassifier(DecisionTreeClassifier(splitter="random"), 5).fit(X, y)
    assert len({m.random_state for m in committee.estimators_}) == 5


# --------------------------------------------------------------------------- out of bag


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("learner", [None, NaiveBayesClassifier(), LinearSVC()],
                         ids=["trees", "bayes", "svm"])
def test_out_of_bag_by_hand(learner, voting):
    X, y = load_iris()
    y = y.astype(str)
    committee = BaggingClassifier(learner, 25, voting=voting, oob_score=True).fit(X, y)
    votes = np.zeros((150, 3))
    for member, rows in zip(committee.estimators_, committee.samples(X, y), strict=True):
        for i in set(range(150)) - set(rows.tolist()):
            row = X.iloc[[i]]
            if voting == "soft" and hasattr(member, "predict_proba"):
                votes[i] += member.predict_proba(row)[0]
            else:
                votes[i] += member.predict(row)[0] == committee.classes_
    assert (votes.sum(axis=1) > 0).all()
    shares = votes / votes.sum(axis=1, keepdims=True)
    assert np.allclose(committee.oob_decision_function_, shares)
    right = committee.classes_[shares.argmax(axis=1)] == y
    assert committee.oob_score_ == pytest.approx(right.mean())


def test_a_row_that_all_have_drawn_has_no_estimate():
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 1, 1, 1]
    committee = BaggingClassifier(n_estimators=1, oob_score=True).fit(X, y)
    rows = committee.samples(X, y)[0]
    in_bag = np.isin(np.arange(6), rows)
    assert 0 < in_bag.sum() < 6
    assert np.array_equal(np.isnan(committee.oob_decision_function_).all(axis=1), in_bag)
    single = BaggingClassifier(n_estimators=3, oob_score=True).fit([[1.0]], ["a"])
    assert np.isnan(single.oob_score_) and single.predict([[2.0]]).tolist() == ["a"]


def test_an_earlier_estimate_is_forgotten():
    X, y = load_iris()
    committee = BaggingClassifier(n_estimators=5, oob_score=True).fit(X, y)
    committee.set_params(oob_score=False).fit(X, y)
    assert not hasattr(committee, "oob_score_")
    assert not hasattr(committee, "oob_decision_function_")


def test_weights_count_in_the_estimate():
    X, y = mixed(1, 80)
    weights = np.where(np.arange(80) < 40, 2.0, 1.0)
    committee = BaggingClassifier(n_estimators=30, oob_score=True).fit(X, y, weights)
    shares = committee.oob_decision_function_
    right = committee.classes_[shares.argmax(axis=1)] == y.to_numpy()
    assert committee.oob_score_ == pytest.approx(np.average(right, weights=weights))


def test_the_estimate_is_near_the_truth():
    new, truth = make_moons(4000, noise=0.3, random_state=50)
    away = []
    for seed in range(10):
        X, y = (part[:200] for part in make_moons(2000, noise=0.3, random_state=seed))
        committee = BaggingClassifier(n_estimators=40, oob_score=True).fit(X, y)
        away.append(committee.oob_score_ - committee.score(new, truth))
    assert abs(np.mean(away)) < 0.03 and np.std(away) < 0.05


# ------------------------------------------------------------------------------ any member


def of_the_book():
    """Every classifier of the earlier chapters that needs no arguments."""
    found = {}
    for module_name in modules():
        if module_name.startswith("ensembles."):
            continue
        module = import_module(f"supervised.{module_name}")
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if (inspect.isclass(kind) and issubclass(kind, BaseClassifier)
                and name.endswith("Classifier") and kind.__module__ == module.__name__):
                found[name] = kind
    return found


BASES = {"TreeClassifier", "RuleClassifier", "LinearClassifier", "AssociativeClassifier",
         "VotingRuleClassifier", "StrongestRuleClassifier", "BaseClassifier",
         "KernelClassifier"}


QUICK = {"C45Classifier", "CBAClassifier", "KNNClassifier", "LogisticClassifier",
         "MajorityClassifier", "NaiveBayesClassifier", "NeuralNetworkClassifier",
         "RIPPERClassifier", "SVMClassifier"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [
    name if name in QUICK else pytest.param(name, marks=pytest.mark.deep)
    for name in sorted(set(of_the_book()) - BASES)])
def test_any_classifier_of_the_book(name):
    X, y = load_iris()
    learner = of_the_book()[name]()
    committee = BaggingClassifier(learner, 3, oob_score=True).fit(X, y)
    assert committee.score(X, y) > (0.3 if name == "MajorityClassifier" else 0.6)
    assert np.allclose(committee.predict_proba(X).sum(axis=1), 1)
    assert str(committee.explain(X.iloc[0])).startswith(committee.predict(X.head(1))[0])


def test_names_and_gaps_for_members_of_scikit_learn():
    X, y = load_votes()
    prepared = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression())
    committee = BaggingClassifier(prepared, 5).fit(X, y)
    assert committee.score(X, y) > 0.94
    with pytest.raises(ValueError, match=r"member 0 \(LogisticRegression\) failed: "):
        BaggingClassifier(LogisticRegression(), 3).fit(X, y)
    by_name = make_pipeline(make_column_transformer((OneHotEncoder(), [X.columns[0]])),
                            DecisionTreeClassifier())
    assert BaggingClassifier(by_name, 3).fit(X, y).score(X, y) > 0.5


def test_members_that_are_searches_and_pipelines():
    X, y = load_iris()
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 3]}, cv=3)
    assert BaggingClassifier(search, 3).fit(X, y).score(X, y) > 0.9
    ours = make_pipeline(MissingValueImputer(), NaiveBayesClassifier())
    assert BaggingClassifier(ours, 3).fit(X, y).score(X, y) > 0.9
    nested = BaggingClassifier(BaggingClassifier(n_estimators=3), 3).fit(X, y)
    assert nested.score(X, y) > 0.9
    assert len({m.random_state for m in nested.estimators_}) == 3
    assert cross_val_score(BaggingClassifier(n_estimators=5), X, y).mean() > 0.9


def test_a_sample_without_a_class():
    # with 5 rare rows in 60 and 200 members some sample lacks them; LinearSVC refuses those
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.array(["rare"] * 3 + ["usual"] * 57)
    committee = BaggingClassifier(LinearSVC(), 200, voting="soft").fit(X, y)
    kinds = {type(m).__name__ for m in committee.estimators_}
    assert kinds == {"LinearSVC", "MajorityClassifier"}
    assert committee.predict_proba(X).shape == (60, 2)
    assert len(committee.predict(X)) == 60


def test_importances_find_what_matters():
    X, y = make_classification(300, 6, n_informative=2, n_redundant=0, shuffle=False,
                               random_state=0)
    committee = BaggingClassifier(n_estimators=20).fit(X, y)
    assert committee.feature_importances_.sum() == pytest.approx(1)
    assert set(np.argsort(committee.feature_importances_)[-2:]) == {0, 1}


# ------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("options, error, match", [
    ({"n_estimators": 0}, ValueError, "n_estimators is 0, but must be a whole number"),
    ({"n_estimators": 2.5}, ValueError, "n_estimators is 2.5"),
    ({"max_samples": 0}, ValueError, "max_samples is 0, but must be a number above 0"),
    ({"max_samples": 1.5}, ValueError, "max_samples is 1.5.* at most 1"),
    ({"max_samples": "half"}, ValueError, "max_samples is 'half'"),
    ({"voting": "loud"}, ValueError, "voting is 'loud', not one of 'hard', 'soft'"),
    ({"random_state": "zero"}, ValueError, "random_state is .*, but must be None"),
    ({"estimator": LinearRegression()}, TypeError, "estimator is LinearRegression()"),
    ({"estimator": C45Classifier}, TypeError, "but must be None, or a classifier"),
    ({"estimator": C45Classifier(confidence_factor=2.0)}, ValueError,
     r"member 0 \(C45Classifier\) failed: ValueError: confidence_factor is 2.0"),
    ({"estimator": C45Classifier(pruning=None, min_num_obj=-1)}, ValueError,
     r"members 0 to \d+ \(C45Classifier\) failed: ValueError: min_num_obj is -1"),
])
def test_unusable_parameters(options, error, match):
    X, y = load_iris()
    with pytest.raises(error, match=match):
        BaggingClassifier(**{"n_estimators": 3, **options}).fit(X, y)


@pytest.mark.parametrize("X, y, match", [
    (np.empty((0, 2)), [], "0 sample"),
    ([[1.0], [2.0]], [0, np.nan], "label is missing"),
    ([[1.0], [2.0]], [0], "inconsistent numbers"),
    ([[np.inf], [2.0]], [0, 1], "infinity"),
    ([1.0, 2.0], [0, 1], "Expected 2D array"),
])
def test_unusable_data(X, y, match):
    with pytest.raises(ValueError, match=match):
        BaggingClassifier(n_estimators=2).fit(X, y)


def test_unusable_weights():
    for weights, match in (([0, 0], "all sample weights are zero"), ([1, -1], "-1"),
                           ([1], "sample_weight.shape")):
        with pytest.raises(ValueError, match=match):
            BaggingClassifier(n_estimators=2).fit([[1.0], [2.0]], [0, 1], weights)


def test_one_row_one_class_many_classes():
    one = BaggingClassifier(n_estimators=3).fit([[1.0, 2.0]], ["a"])
    assert one.predict([[5.0, 5.0]]).tolist() == ["a"]
    same_class = BaggingClassifier(LinearSVC(), 3).fit([[1.0], [2.0]], ["a", "a"])
    assert same_class.predict_proba([[0.0]]).tolist() == [[1.0]]
    X = np.arange(2000.0)[:, None]
    many = BaggingClassifier(CARTClassifier(), 3).fit(X, np.arange(2000) // 2)
    assert many.predict_proba(X[:5]).shape == (5, 1000) and many.score(X, X[:, 0] // 2) > .5


def test_columns_by_name_and_unknown_values():
    X, y = mixed(2, 80, 0.0)
    committee = BaggingClassifier(n_estimators=5).fit(X, y)
    assert same(committee, committee, X)
    assert np.array_equal(committee.predict(X), committee.predict(X[X.columns[::-1]]))
    new = X.head(3).copy()
    new[X.columns[0]] = pd.Series(["never seen"] * 3, new.index)
    assert len(committee.predict(new)) == 3
    with pytest.raises(ValueError, match="missing"):
        committee.predict(X.iloc[:, 1:])
    with pytest.raises(NotFittedError):
        BaggingClassifier().predict(X)
    with pytest.raises(NotFittedError):
        BaggingClassifier().samples(X, y)
    with pytest.raises(NotFittedError):
        BaggingClassifier().staged_predict(X)


class Interrupts(NaiveBayesClassifier):
    """Is interrupted by the user in its fifth training."""

    fits = 0

    def _learn(self, table, labels, weights):
        Interrupts.fits += 1
        if Interrupts.fits == 5:
            raise KeyboardInterrupt
        super()._learn(table, labels, weights)


def test_an_interrupt_keeps_the_members_that_are_finished():
    X, y = load_iris()
    Interrupts.fits = 0
    with pytest.warns(UserWarning, match="the 4 members that were finished, of 20"):
        committee = BaggingClassifier(Interrupts(), 20, oob_score=True).fit(X, y)
    assert len(committee.estimators_) == len(committee.seeds_) == 4
    assert len(committee.samples(X, y)) == 4
    Interrupts.fits = 10
    whole = BaggingClassifier(Interrupts(), 4, oob_score=True).fit(X, y)
    assert same(committee, whole, X) and committee.oob_score_ == whole.oob_score_


def test_progress(capsys):
    X, y = load_iris()
    BaggingClassifier(n_estimators=3, verbose=1).fit(X, y)
    assert "3/3" in capsys.readouterr().err
    BaggingClassifier(n_estimators=3).fit(X, y)
    assert capsys.readouterr().err == ""


@pytest.mark.xfail(strict=True,
                   reason="engines are rebuilt: it takes the identifier, and guesses")
def test_a_column_of_identifiers_is_warned_of():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": [f"i{i}" for i in range(60)], "x": rng.normal(size=60)})
    with pytest.warns(UserWarning, match="'id' has a different value in each row"):
        BaggingClassifier(n_estimators=3).fit(X, (X["x"] > 0).astype(int))


@pytest.mark.xfail(strict=True, reason="engines are rebuilt: rows times branches")
def test_work_of_answers_grows_with_the_rows_where_names_are_new():
    less, more = work.work(work.IDENTIFIED + """
from supervised.ensembles import BaggingClassifier

def answer(n):
    X, y = table(n, True)
    model = BaggingClassifier(n_estimators=3).fit(X, y)
    return lambda: model.predict(X.assign(id="new"))

calls = [answer(100), answer(400)]""")
    assert more <= 6 * less
