"""The engine: the search beside one that tries everything, scikit-learn's SAMME number for
number, other members, and what happens when something goes wrong."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import AdaBoostClassifier as Theirs
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from supervised.basics.classifiers import RoteClassifier
from supervised.basics.datasets import load_credit, load_iris, load_xor
from supervised.basics.tables import learn_table
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.engine.base import _Bags
from supervised.ensembles.engine.boosting import (
    AdaBoostClassifier,
    StumpClassifier,
    _on_samples,
    _StumpSearch,
    steps_of,
)
from supervised.trees import C45Classifier
from tests import examples, interrupting
from tests.ensembles import same, tied


def numbers(seed, n=300, d=5, k=2):
    """Rows in k overlapping classes, with values that a float of 32 bits holds."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)).astype(np.float32).astype(float)
    y = (X[:, 0] * 1.5 + np.abs(X[:, 1]) + rng.normal(size=n) * 0.7)
    return X, np.searchsorted(np.quantile(y, np.arange(1, k) / k), y)


# ----------------------------------------------------------------------- the search


def all_tests(table):
    """Every division of the rows by one attribute."""
    for attribute, column in table.columns():
        if attribute.is_nominal:
            yield column
        else:
            for cut in [*np.unique(column[~np.isnan(column)]), np.inf]:
                yield np.where(np.isnan(column), 2, column > cut)


def worth(branches, labels, weights, k, criterion):
    """What the branches get right, or the sum of squared class weights by branch weight."""
    counts = [np.bincount(labels[branches == b], weights[branches == b], k)
              for b in np.unique(branches)]
    if criterion == "error":
        return sum(c.max() for c in counts)
    return sum((c**2).sum() / c.sum() for c in counts if c.sum() > 0)


@examples(300)
@given(st.integers(0, 10**6), st.sampled_from(["error", "gini"]),
       st.sampled_from([1, 2, 3, 6]))
def test_no_test_is_better(seed, criterion, k):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    table, labels = learn_table(tied(rng, n)), rng.integers(0, k, n)
    weights = rng.exponential(size=n) * (rng.random(n) < 0.8)
    weights[0] += 0.1
    weights /= weights.sum()
    stump = _StumpSearch(table, labels, np.full(k, 1 / k), criterion).best(weights)
    best = max([worth(np.zeros(n), labels, weights, k, criterion),
                *(worth(b, labels, weights, k, criterion) for b in all_tests(table))])
    branches = stump.branches(table)
    assert worth(branches, labels, weights, k, criterion) == pytest.approx(best, abs=1e-11)
    for b in range(len(stump.shares)):
        counts = np.bincount(labels[branches == b], weights[branches == b], k)
        assert stump.weights[b] == pytest.approx(counts.sum(), abs=1e-12)
        expected = counts / counts.sum() if counts.sum() > 0 else np.full(k, 1 / k)
        assert stump.shares[b] == pytest.approx(expected, abs=1e-9)
        assert stump.shares[b, stump.answers[b]] == pytest.approx(stump.shares[b].max())


def test_thresholds_by_hand():
    X = pd.DataFrame({"x": [1.0, 2, 4, 8], "flat": [3.0] * 4})
    stump = StumpClassifier().fit(X, list("aabb")).stump_
    assert (stump.attribute, stump.threshold) == (0, 3.0)
    assert stump.answers[:2].tolist() == [0, 1]
    assert stump.weights.tolist() == [0.5, 0.5, 0]
    # only the gap tells the classes apart: all that is known goes left
    X = pd.DataFrame({"x": [1.0, 2, np.nan, np.nan]})
    stump = StumpClassifier().fit(X, list("aabb")).stump_
    assert stump.threshold == np.inf and stump.answers[[0, 2]].tolist() == [0, 1]
    # nothing tells them apart: the commoner class
    model = StumpClassifier().fit([[1.0], [1.0], [1.0]], list("aba"))
    assert model.stump_.attribute == -1 and model.to_text() == "always a"
    assert model.predict_proba([[5.0]])[0] == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.parametrize("k, criterion", [(2, "error"), (3, "error"), (2, "gini")])
def test_a_better_cut_wins_and_rounding_does_not(k, criterion):
    # the cuts behind the first and the second row differ by the outer weights alone
    table, labels = learn_table(np.array([[1.0], [2], [3]])), np.array([0, 1, 0])
    for lead, threshold in ((1e-6, 2.5), (-1e-6, 1.5), (1e-14, 1.5)):
        search = _StumpSearch(table, labels, np.full(k, 1 / k), criterion)
        stump = search.best(np.array([0.3 - lead / 2, 0.4, 0.3 + lead / 2]))
        assert stump.threshold == threshold


def test_first_of_equal_attributes_wins():
    X = np.repeat([[0.0], [1], [2], [3]], 3, axis=1)
    for criterion in ("error", "gini"):
        for y in ([0, 0, 1, 1], [0, 0, 1, 2]):
            assert StumpClassifier(criterion).fit(X, y).stump_.attribute == 0


@pytest.mark.parametrize("k", [2, 3, 7])
def test_gini_stump_is_scikit_learns(k):
    for seed in range(20):
        X, y = numbers(seed, 80, 3, k)
        w = np.random.default_rng(seed).exponential(size=80)
        theirs = DecisionTreeClassifier(max_depth=1).fit(X, y, w).tree_
        ours = StumpClassifier("gini").fit(X, y, w)
        assert (ours.stump_.attribute, ours.stump_.threshold) == (
            theirs.feature[0], pytest.approx(theirs.threshold[0], abs=1e-12))
        assert ours.stump_.shares[:2] == pytest.approx(theirs.value[1:, 0], abs=1e-9)


def test_values_that_training_did_not_have():
    X = pd.DataFrame({"c": pd.Categorical(list("aabbb"), categories=list("abc"))})
    model = StumpClassifier().fit(X, [0, 0, 1, 1, 1])
    new = pd.DataFrame({"c": ["a", "b", "c", "d", None]})
    assert model.predict(new).tolist() == [0, 1, 1, 1, 1]  # the commoner class
    assert model.predict_proba(new)[2:] == pytest.approx(np.tile([0.4, 0.6], (3, 1)))
    assert "missing" not in model.to_text()
    told = model.explain({"c": "d"})
    assert (told.prediction, told.parts[0].value) == (1, "(missing)")


# ----------------------------------------------------------------------- scikit-learn


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("weighted", [False, True])
def test_samme_number_for_number(k, weighted):
    X, y = numbers(10 + k, 400, 6, k)
    new, w = numbers(99, 200, 6, k)[0], None
    if weighted:
        w = np.random.default_rng(k).exponential(size=400)
    theirs = Theirs(n_estimators=60, random_state=0).fit(X, y, w)
    scores = theirs.decision_function(new) / (2 if k == 2 else 1)
    for member in (StumpClassifier("gini"), DecisionTreeClassifier(max_depth=1)):
        ours = AdaBoostClassifier(member, 60, "samme").fit(X, y, w)
        assert ours.ending_ == "full"
        np.testing.assert_allclose(ours.estimator_errors_, theirs.estimator_errors_,
                                   rtol=0, atol=1e-12)
        np.testing.assert_allclose(ours.estimator_weights_, theirs.estimator_weights_,
                                   rtol=0, atol=1e-11)
        np.testing.assert_allclose(ours.decision_function(new), scores, rtol=0, atol=1e-12)
        np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_,
                                   rtol=0, atol=1e-12)
        for a, b in zip(ours.staged_predict(new), theirs.staged_predict(new), strict=True):
            assert (a == b).all()
    assert (ours.predict(new) == theirs.predict(new)).all()


def test_two_classes_three_forms():
    X, y = numbers(3)
    beta, alpha, samme = (AdaBoostClassifier(n_estimators=40, variant=form).fit(X, y)
                          for form in ("beta", "alpha", "samme"))
    e = beta.estimator_errors_
    assert beta.estimator_weights_ == pytest.approx(np.log((1 - e) / e))
    assert alpha.estimator_weights_ == pytest.approx(np.log((1 - e) / e) / 2)
    assert (samme.estimator_weights_ == beta.estimator_weights_).all()
    assert alpha.predict_proba(X) == pytest.approx(beta.predict_proba(X), abs=1e-12)


# ----------------------------------------------------------------------- the rounds


def test_samme_by_hand():
    # six rows in three classes, one value each: the first of the best cuts parts class 0
    X, y = [[0.0], [0], [1], [1], [2], [2]], [0, 0, 1, 1, 2, 2]
    model = AdaBoostClassifier(n_estimators=2, variant="samme").fit(X, y)
    # 2 of 6 are wrong: e = 1/3, vote log 2 + log 2; they weigh 8 : 4, each 1/3, others 1/12
    assert model.estimator_errors_ == pytest.approx([1 / 3, 1 / 6])
    assert model.estimator_weights_ == pytest.approx([np.log(4), np.log(10)])


def test_perfect_member_decides_alone():
    X, y = load_xor()
    rote = AdaBoostClassifier(RoteClassifier(), 5).fit(X, y)
    assert rote.ending_ == "perfect" and len(rote.estimators_) == 1
    assert np.isinf(rote.estimator_weights_).all()
    assert (rote.predict(X) == y).all() and rote.predict_proba(X).max() == 1


class Scripted(ClassifierMixin, BaseEstimator):
    """A classifier of two classes that errs on a given share of the rows, by turns."""

    calls = 0

    def __init__(self, wrong=()):
        self.wrong = wrong

    def fit(self, X, y, sample_weight=None):
        self.classes_ = np.unique(y)
        flipped = self.wrong[min(Scripted.calls, len(self.wrong) - 1)]
        Scripted.calls += 1
        answers = np.asarray(y).copy()
        answers[list(flipped)] = 1 - answers[list(flipped)]
        rows = np.asarray(X)[:, 0].tolist()
        self.answers = dict(zip(rows, answers.tolist(), strict=True))
        return self

    def predict(self, X):
        return np.array([self.answers[x] for x in np.asarray(X)[:, 0].tolist()])


def scripted(*wrong, n=10, rounds=6, **how):
    """An ensemble whose members err on these rows, one after the other."""
    Scripted.calls = 0
    X, y = np.arange(float(n))[:, None], np.arange(n) % 2
    return AdaBoostClassifier(Scripted(wrong), rounds, **how).fit(X, y), X, y


def test_the_ends_of_the_listing():
    """E07: three classifiers were built, whatever k. E08: no error; one half."""
    model, X, y = scripted([0, 1, 2], [3, 4, 5], [6, 7, 8], range(9))
    assert model.ending_ == "worthless" and len(model.estimators_) == 3
    assert model.estimator_errors_ == pytest.approx([3 / 10, 3 / 14, 3 / 22])
    model, X, y = scripted([0, 1, 2], [0, 1, 2])  # e = 1/2 in the second round
    assert model.ending_ == "worthless" and len(model.estimators_) == 1
    model, X, y = scripted([0, 1, 2], [], [3])
    assert model.ending_ == "perfect" and len(model.estimators_) == 2
    stages = list(model.staged_predict(X))
    assert (stages[0] != y).sum() == 3 and (stages[1] == y).all()
    assert model.predict_proba(X).max(axis=1).tolist() == [1] * 10
    assert list(model.staged_predict_proba(X))[1].max(axis=1).tolist() == [1] * 10
    assert model.to_text().splitlines()[2].strip().startswith("inf")


def test_worthless_first_member_is_told():
    with pytest.warns(UserWarning, match="errs on 50% of the weight"):
        model, X, y = scripted(range(5))
    assert (model.ending_, len(model.estimators_)) == ("worthless", 1)
    assert (model.predict(X) != y).sum() == 5
    iris, species = load_iris()
    ten = np.repeat(np.arange(10), 15)
    with pytest.warns(UserWarning, match="with variant='samme' .* more than 1/10"):
        AdaBoostClassifier().fit(iris, ten)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AdaBoostClassifier(n_estimators=3, variant="samme").fit(iris, species)


@pytest.mark.parametrize("inside", [False, True])
def test_interrupt_keeps_what_was_learned(inside, monkeypatch):
    X, y = numbers(1)
    interrupting.stop_at(monkeypatch, _StumpSearch, "fit", 7, inside)
    with pytest.warns(UserWarning, match="7 members that were finished, of 30"):
        model = AdaBoostClassifier(n_estimators=30).fit(X, y)
    seven = AdaBoostClassifier(n_estimators=7).fit(X, y)
    assert model.ending_ == "interrupted" and same(model, seven, X)
    interrupting.stop_at(monkeypatch, _StumpSearch, "fit", 0, inside)
    with pytest.raises(KeyboardInterrupt):
        AdaBoostClassifier().fit(X, y)


# ----------------------------------------------------------------------- the sum


@examples(60)
@given(st.integers(0, 10**6), st.sampled_from([2, 3]), st.sampled_from(["error", "gini"]))
def test_sum_of_steps_is_the_vote_of_all(seed, k, criterion):
    rng = np.random.default_rng(seed)
    X, new = tied(rng, 60), tied(rng, 30)
    y = rng.integers(0, k, 60)
    y[:k] = np.arange(k)
    model = AdaBoostClassifier(StumpClassifier(criterion), 15, "samme").fit(X, y)
    stages = list(model.staged_predict_proba(new))
    assert len(stages) == len(model.estimators_)
    assert stages[-1] == pytest.approx(model.predict_proba(new), abs=1e-12)
    assert (list(model.staged_predict(new))[-1] == model.predict(new)).all()
    for row in range(3):
        told = model.explain(new.iloc[row])
        shares = np.sort(model.predict_proba(new.iloc[[row]])[0])
        lead = sum(part.contribution for part in told.parts)
        assert lead == pytest.approx(shares[-1] - shares[-2])
        assert told.prediction == model.predict(new.iloc[[row]])[0]


def test_steps_by_hand():
    X = pd.DataFrame({"x": [1.0, 2, 3, 4]})
    search = _StumpSearch(learn_table(X), np.array([0, 1, 1, 0]), np.full(2, 0.5))
    first = search.best(np.array([0.4, 0.2, 0.2, 0.2]))  # below 1.5 class 0, else 1
    second = search.best(np.array([0.2, 0.2, 0.2, 0.4]))  # above 3.5 class 0, else 1
    (steps,) = steps_of([first, second], np.array([2.0, 3.0]), 2)
    assert steps.thresholds.tolist() == [1.5, 3.5]
    assert steps.votes[:3].tolist() == [[2, 3], [0, 5], [3, 2]]


def test_decision_function():
    X, y = numbers(2, k=3)
    model = AdaBoostClassifier(n_estimators=20, variant="samme").fit(X, y)
    scores, shares = model.decision_function(X), model.predict_proba(X)
    assert scores == pytest.approx((3 * shares - 1) / 2)
    two = AdaBoostClassifier(n_estimators=20).fit(X, y == 2)
    assert two.decision_function(X) == pytest.approx(np.diff(two.predict_proba(X))[:, 0])
    assert ((two.decision_function(X) > 0) == two.predict(X)).all()


# ----------------------------------------------------------------------- other members


@pytest.mark.parametrize("member, resample", [
    (C45Classifier(), False), (C45Classifier(), True), (NaiveBayesClassifier(), False),
    (LogisticRegression(), False), (KNeighborsClassifier(), True),
    (make_pipeline(LogisticRegression()), True),
    (DecisionTreeClassifier(max_depth=2, max_features=1), False),
    (StumpClassifier(), True)])
def test_members_of_all_kinds(member, resample):
    X, y = numbers(4, 150)
    names = np.array(["no", "yes"], dtype=object)[y]
    models = [AdaBoostClassifier(member, 8, resample=resample, random_state=seed)
              .fit(X, names) for seed in (1, 1, 2)]
    a, b, c = (m.predict_proba(X) for m in models)
    assert (a == b).all()
    chance = resample or isinstance(member, DecisionTreeClassifier)
    assert (a == c).all() != chance
    assert (models[0].predict(X) == names).mean() > 0.75
    assert len(models[0].estimators_) == len(models[0].estimator_errors_)
    copy = pickle.loads(pickle.dumps(models[0]))
    assert (copy.predict_proba(X) == a).all()
    assert models[0].explain(X[0]).prediction in ("no", "yes")


def test_redrawn_until_better_than_guessing():
    """H's redo: a worthless sample is drawn again, ten times at most."""
    labels = np.array([0, 1] * 10)
    bags, tried = _Bags(learn_table(np.arange(20.0)[:, None]), labels, np.ones(20)), []

    def teach(t, w):
        tried.append(w)
        return len(tried), labels if len(tried) == 4 else 1 - labels

    learn = _on_samples(teach, labels, bags, 1.0, np.array([5, 6]))
    member, answers = learn(0, np.full(20, 0.05))
    assert member == 4 and (answers == labels).all()
    assert len({w.tobytes() for w in tried}) == 4
    assert all(w.sum() == pytest.approx(1) and np.allclose(w * 20, np.rint(w * 20))
               for w in tried)
    member, answers = learn(1, np.full(20, 0.05))  # never again: the tenth is returned
    assert member == 14


@pytest.mark.parametrize("resample", [False, True])
def test_order_and_copies_do_not_matter(resample):
    X, y = load_credit()
    X, y = X[:200], y[:200]
    rng = np.random.default_rng(0)
    shuffled, times = rng.permutation(200), rng.integers(1, 4, 200)
    copies = rng.permutation(np.repeat(np.arange(200), times))
    for member in (None, C45Classifier()):
        model = AdaBoostClassifier(member, 5, resample=resample)
        a, b = (clone(model).fit(X.iloc[r], y.iloc[r]) for r in (np.arange(200), shuffled))
        assert a.predict_proba(X) == pytest.approx(b.predict_proba(X), abs=1e-9)
        a = clone(model).fit(X, y, times)
        b = clone(model).fit(X.iloc[copies], y.iloc[copies])
        assert a.predict_proba(X) == pytest.approx(b.predict_proba(X), abs=1e-9)



# ----------------------------------------------------------------------- bad input


def test_errors_say_what_is_wrong():
    X, y = numbers(8, 40)
    three = numbers(8, 40, k=3)[1]
    for error, message, parameters, labels in (
            (ValueError, "variant 'alpha' is for two classes, and y has 3",
             {"variant": "alpha"}, three),
            (ValueError, "KNeighborsClassifier takes no weights: with resample=True",
             {"estimator": KNeighborsClassifier()}, y),
            (ValueError, "criterion is 'entropy'",
             {"estimator": StumpClassifier("entropy")}, y)):
        with pytest.raises(error, match=message):
            AdaBoostClassifier(**parameters).fit(X, labels)
    text = pd.DataFrame({"word": ["a", "b"] * 20})
    with pytest.raises(ValueError, match="round 1 failed: ValueError"):
        AdaBoostClassifier(DecisionTreeClassifier(), 3).fit(text, y)
