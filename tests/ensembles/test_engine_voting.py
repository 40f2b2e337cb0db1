"""Ensembles of different members: folds, votes and stacks beside loops by hand and
beside scikit-learn; parameters, weights, gaps, explanations, storage, bad input."""


import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import StackingClassifier as TheirStacking
from sklearn.ensemble import VotingClassifier as TheirVoting
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import MajorityClassifier, learn_table
from supervised.basics.datasets import load_credit, load_heart_disease, load_votes
from supervised.basics.tables import MissingValueImputer
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.engine.voting import (
    StackingClassifier,
    VotingClassifier,
    _named_members,
    _stratified_folds,
    _weights_for,
)
from supervised.linear import LogisticClassifier
from supervised.neighbors import KNNClassifier
from supervised.trees import C45Classifier
from tests import interrupting
from tests.ensembles import same

BOTH = (VotingClassifier, StackingClassifier)


def ours():
    """Three members of the book that read any table."""
    return {"tree": C45Classifier(), "bayes": NaiveBayesClassifier(),
            "near": KNNClassifier(7)}


def theirs():
    """Three members of scikit-learn."""
    return [("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
            ("bayes", GaussianNB()), ("near", KNeighborsClassifier(5))]


def wine():
    X, y = load_wine(return_X_y=True)
    return X, np.array(["red", "white", "rosé"])[y]


def halves(X, y):
    """Even rows and odd rows."""
    even = np.arange(len(y)) % 2 == 0
    return X[even], y[even], X[~even], y[~even]


# ------------------------------------------------------------------------- scikit-learn


@pytest.mark.parametrize("weights", [None, [1, 2.5, 0.3]])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_votes_like_theirs(voting, weights):
    X, y, new, _ = halves(*wine())
    mine = VotingClassifier(theirs(), voting, weights).fit(X, y)
    other = TheirVoting(theirs(), voting=voting, weights=weights).fit(X, y)
    assert (mine.predict(new) == other.predict(new)).all()
    if voting == "soft":
        assert np.allclose(mine.predict_proba(new), other.predict_proba(new))


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("passthrough", [False, True])
def test_stacks_like_theirs(n_classes, passthrough):
    X, y = wine()
    X, y = X[y != "rosé"] if n_classes == 2 else X, y[y != "rosé"] if n_classes == 2 else y
    X, y, new, _ = halves(StandardScaler().fit_transform(X), y)
    folds = [(np.flatnonzero(np.arange(len(y)) % 4 != f),
              np.flatnonzero(np.arange(len(y)) % 4 == f)) for f in range(4)]
    final = LogisticRegression(max_iter=1000, tol=1e-9)
    mine = StackingClassifier(theirs(), final, cv=folds, passthrough=passthrough).fit(X, y)
    other = TheirStacking(theirs(), final, cv=folds, passthrough=passthrough,
                          stack_method="predict_proba").fit(X, y)
    assert np.allclose(mine.predict_proba(new), other.predict_proba(new), atol=1e-6)
    # and not only because all are sure
    assert ((other.predict_proba(new) > 0.05) & (other.predict_proba(new) < 0.95)).any()


def test_hard_stack_by_hand():
    X, y, new, _ = halves(*wine())
    folds = [(np.flatnonzero(np.arange(len(y)) % 3 != f),
              np.flatnonzero(np.arange(len(y)) % 3 == f)) for f in range(3)]
    classes = np.unique(y)
    heard = np.zeros((len(y), 9))
    for i, (_, member) in enumerate(theirs()):
        for a, b in folds:
            said = clone(member).fit(X[a], y[a]).predict(X[b])
            heard[b, 3 * i:3 * i + 3] = said[:, None] == classes
    now = np.hstack([clone(m).fit(X, y).predict(new)[:, None] == classes
                     for _, m in theirs()]).astype(float)
    final = DecisionTreeClassifier(random_state=0)
    mine = StackingClassifier(theirs(), final, voting="hard", cv=folds).fit(X, y)
    names = [f"{n}: {c}" for n, _ in theirs() for c in classes]
    by_hand = clone(final).fit(pd.DataFrame(heard, columns=names), y)
    expected = by_hand.predict(pd.DataFrame(now, columns=names))
    assert (mine.predict(new) == expected).all()
    assert mine.final_estimator_.feature_names_in_.tolist() == names


def test_log_odds_by_hand():
    X, y = load_heart_disease()
    model = VotingClassifier(ours(), weights="log_odds", cv=4).fit(X, y)
    table, codes = learn_table(X), np.unique(y, return_inverse=True)[1]
    wrong = np.zeros(3)
    for a, b in _stratified_folds(table, codes, 4):
        for i, member in enumerate(ours().values()):
            wrong[i] += (clone(member).fit(X.iloc[a], y.iloc[a]).predict(X.iloc[b])
                         != y.iloc[b]).sum()
    e = (wrong + 1) / (len(y) + 2)
    assert np.allclose(model.weights_, np.log((1 - e) / e))


# --------------------------------------------------------------------------------- folds


@pytest.mark.parametrize("cv, message", [
    ([([0, 1, 2], [3])], "row 0 0 times"), ([([0], [1, 2, 3]), ([1], [0, 1])], "row 1 2"),
    (1, "at least 2"), ([], "no rounds")])
def test_folds_that_make_no_sense(cv, message):
    X, y = np.array([[1.0], [2], [3], [4]]), [0, 1, 0, 1]
    with pytest.raises(ValueError, match=message):
        StackingClassifier(cv=cv).fit(X, y)


# ------------------------------------------------------------------- rows, weights, gaps


@pytest.mark.parametrize("model", [
    VotingClassifier(ours()), VotingClassifier(ours(), "soft", "log_odds"),
    StackingClassifier(ours()), StackingClassifier(ours(), C45Classifier(), "hard")])
def test_another_order_of_rows_is_the_same_model(model):
    X, y = load_heart_disease()
    order = np.random.default_rng(0).permutation(len(y))
    one, other = clone(model).fit(X, y), clone(model).fit(X.iloc[order], y.iloc[order])
    assert np.allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-9)


@pytest.mark.parametrize("kind", BOTH)
def test_whole_weights_are_copies_if_the_folds_are_given(kind):
    rng = np.random.default_rng(3)
    X, y = load_heart_disease()
    X, y, weights = X[:90], y[:90], rng.integers(0, 4, 90)
    place, third = np.repeat(np.arange(90), weights), np.arange(90) % 3
    folds = [(np.flatnonzero(third != f), np.flatnonzero(third == f)) for f in range(3)]
    among = [(np.flatnonzero(third[place] != f), np.flatnonzero(third[place] == f))
             for f in range(3)]
    options = {"weights": "log_odds"} if kind is VotingClassifier else {}
    # no tree: of two cuts that are equally good but for rounding it may take the other
    members = {"bayes": NaiveBayesClassifier(), "7": KNNClassifier(7),
               "1": KNNClassifier(1)}
    weighted = kind(members, cv=folds, **options).fit(X, y, sample_weight=weights)
    copied = kind(members, cv=among, **options).fit(X.iloc[place], y.iloc[place])
    assert np.allclose(weighted.predict_proba(X), copied.predict_proba(X), atol=1e-9)
    plain = kind(members, cv=folds, **options).fit(X, y)
    assert not np.allclose(weighted.predict_proba(X), plain.predict_proba(X))


def test_weights_go_to_all_or_to_none():
    X, y = load_iris(return_X_y=True)
    weights = np.arange(1.0, 151)
    with pytest.raises(ValueError, match="near takes no weights"):
        VotingClassifier(theirs()).fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="final_estimator takes no weights"):
        StackingClassifier(ours(), KNeighborsClassifier()).fit(X, y, sample_weight=weights)
    VotingClassifier(theirs()).fit(X, y, sample_weight=np.ones(150))
    assert _weights_for({"near": KNeighborsClassifier()}, np.ones(3)) is None


def test_names_and_gaps_go_to_the_members_as_they_are():
    votes, party = load_votes()
    assert votes.isna().any().any()
    for kind in BOTH:
        model = kind().fit(votes, party)
        assert (model.predict(votes) == party).mean() > 0.93
        tree = model.named_estimators_["C4.5"]
        assert (tree.predict(votes)
                == C45Classifier().fit(votes, party).predict(votes)).all()
    final = make_pipeline(MissingValueImputer(), LogisticClassifier())
    told = StackingClassifier(final_estimator=final, passthrough=True).fit(votes, party)
    assert told.final_estimator_[-1].n_features_in_ == 3 + 16


def test_a_class_that_a_fold_lacks():
    X = np.arange(12.0)[:, None]
    y = np.array(["a"] * 6 + ["b"] * 5 + ["c"])
    cv = [(np.arange(11), np.array([11])), (np.arange(1, 12), np.array([0])),
          (np.array([0, 11]), np.arange(1, 11))]
    members = {**ours(), "near": KNNClassifier(1)}
    for voting in ("hard", "soft"):
        for final in (None, GaussianNB(), RidgeClassifier()):
            model = StackingClassifier(members, final, voting, cv).fit(X, y)
            p = model.predict_proba(X)
            assert p.shape == (12, 3) and np.allclose(p.sum(axis=1), 1)
    X = np.append(X, X, axis=0)  # one row of class c: any deal leaves it out of a fold
    model = VotingClassifier(ours(), weights="log_odds").fit(X, np.append(y, y))
    assert np.isfinite(model.weights_).all()


# --------------------------------------------------------------- interrupts, bad members


@pytest.mark.filterwarnings("ignore:interrupted")
def test_an_interrupt_keeps_the_members_that_are_complete(monkeypatch):
    X, y = load_iris(return_X_y=True)
    members = [("near", KNNClassifier()), ("tree", C45Classifier()),
               ("stops", NaiveBayesClassifier())]
    interrupting.stop_at(monkeypatch, NaiveBayesClassifier, "_learn", 2)
    model = StackingClassifier(members, cv=4).fit(X, y)
    assert model.names_ == ["near", "tree"] and len(model.estimators_) == 2
    whole = StackingClassifier(members[:2], cv=4).fit(X, y)
    assert same(model, whole, X)
    interrupting.stop_at(monkeypatch, NaiveBayesClassifier, "_learn", 2)
    with pytest.raises(KeyboardInterrupt):
        StackingClassifier(members[::-1], cv=4).fit(X, y)
    interrupting.stop_at(monkeypatch, NaiveBayesClassifier, "_learn", 0)
    votes = VotingClassifier(members, weights=[1, 2, 3]).fit(X, y)
    assert votes.names_ == ["near", "tree"] and votes.weights_.tolist() == [1, 2]


@pytest.mark.parametrize("estimators, error, message", [
    ([], ValueError, "at least one"),
    ([C45Classifier(), C45Classifier()], ValueError, "name twice"),
    ([("a", C45Classifier()), ("a", GaussianNB())], ValueError, "name twice"),
    ({"a__b": C45Classifier()}, ValueError, "two underscores"),
    ({"cv": C45Classifier()}, ValueError, "'cv'"),
    ({"a": C45Classifier}, TypeError, "estimators\\['a'\\]"),
    ({"a": None}, TypeError, "must be a classifier")])
def test_members_that_make_no_sense(estimators, error, message):
    X, y = load_iris(return_X_y=True)
    for kind in BOTH:
        with pytest.raises(error, match=message):
            kind(estimators).fit(X, y)
        repr(kind(estimators))


@pytest.mark.parametrize("options, message", [
    ({"weights": [1, 2]}, "3 members"), ({"weights": [1, -1, 1]}, "negative"),
    ({"weights": [0, 0, 0]}, "above zero")])
def test_votes_that_make_no_sense(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        VotingClassifier(ours(), **options).fit(X, y)


# ----------------------------------------------------------------------------- parameters


def test_parameters_of_members_by_name():
    model = StackingClassifier(ours(), LogisticClassifier())
    assert model.get_params()["near__n_neighbors"] == 7
    model.set_params(near__n_neighbors=3, final_estimator__C=0.5, cv=3)
    assert model.get_params()["near"].n_neighbors == 3 and model.final_estimator.C == 0.5
    model.set_params(tree=GaussianNB())
    assert isinstance(model.get_params()["tree"], GaussianNB)
    assert list(_named_members(model.estimators)) == ["tree", "bayes", "near"]
    copy = clone(model)
    assert copy.get_params()["near"] is not model.get_params()["near"]
    assert copy.get_params()["near"].n_neighbors == 3
    model.set_params(estimators=[("one", C45Classifier())], one__confidence_factor=0.1)
    assert model.get_params()["one__confidence_factor"] == 0.1
    with pytest.raises(ValueError, match="nobody"):
        model.set_params(nobody__n_neighbors=3)
    assert "near__k" not in VotingClassifier().get_params()


# -------------------------------------------------------------- the second level, answers


def test_usual_is_the_mean_of_what_was_held_out():
    X, y = load_heart_disease()
    model = StackingClassifier(ours(), cv=3).fit(X, y)
    codes = np.unique(y, return_inverse=True)[1]
    folds = _stratified_folds(learn_table(X), codes, 3)
    said = np.zeros((len(y), 2))
    for a, b in folds:
        said[b] = C45Classifier().fit(X.iloc[a], y.iloc[a]).predict_proba(X.iloc[b])
    assert np.allclose(model.usual_[0], said.mean(axis=0))


def test_explanations_say_who_said_what():
    X, y = load_credit()
    row = X.iloc[9]
    vote = VotingClassifier(ours(), weights=[3, 1, 2]).fit(X, y)
    told = vote.explain(row)
    assert [p.name for p in told.parts] == ["tree", "bayes", "near"]
    assert told.prediction == vote.predict(X[9:10])[0]
    shares = [3 / 6, 1 / 6, 2 / 6]
    signs = [1 if m.predict(X[9:10])[0] == told.prediction else -1
             for m in vote.estimators_]
    assert np.allclose([p.contribution for p in told.parts], np.multiply(shares, signs))
    stack = StackingClassifier(ours()).fit(X, y)
    told = stack.explain(row)
    assert np.isclose(told.probability, stack.predict_proba(X[9:10]).max())
    odds = np.log(told.probability / (1 - told.probability))
    assert np.isclose(sum(p.contribution for p in told.parts), odds)


def test_a_final_estimator_from_elsewhere_is_asked_without_each_member():
    X, y = load_heart_disease()
    stack = StackingClassifier(ours(), LogisticRegression()).fit(X, y)
    told, said = stack.explain(X.iloc[0]), np.array([
        m.predict_proba(X[:1]) for m in stack.estimators_])
    best = stack.classes_.tolist().index(told.prediction)
    names = stack.final_estimator_.feature_names_in_
    for i, part in enumerate(told.parts):
        without = said[:, 0, 1].copy()
        without[i] = stack.usual_[i, 1]
        p = stack.final_estimator_.predict_proba(pd.DataFrame([without], columns=names))
        assert np.isclose(part.contribution, told.probability - p[0, best])


def test_members_that_cannot_be_stored_are_named():
    with pytest.raises(TypeError, match="bayes can't be written"):
        X, y = load_iris(return_X_y=True)
        VotingClassifier({"tree": C45Classifier(), "bayes": GaussianNB()}).fit(
            X, y).to_json()
    with pytest.raises(TypeError, match="final_estimator can't"):
        StackingClassifier(final_estimator=GaussianNB()).fit(X, y).to_json()


def test_no_share_is_above_one():
    """Sums in another order differ in the last digit, and a log loss refuses that."""
    X, y = pd.DataFrame({"x": range(4)}), ["a", "a", "a", "b"]
    rng = np.random.default_rng(0)
    members = [(f"m{i}", MajorityClassifier()) for i in range(20)]
    for _ in range(30):
        jury = VotingClassifier(members, weights=rng.random(20)).fit(X, y)
        assert jury.predict_proba(X).max() <= 1
