"""Committees of different members: folds, votes and stacks beside loops by hand and
beside scikit-learn; parameters, weights, gaps, explanations, storage, bad input."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris, load_wine
from sklearn.ensemble import StackingClassifier as TheirStacking
from sklearn.ensemble import VotingClassifier as TheirVoting
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import GroupKFold, LeaveOneGroupOut, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from supervised.basics import MajorityClassifier, learn_table
from supervised.basics.datasets import (
    load_credit,
    load_heart_disease,
    load_loan,
    load_votes,
)
from supervised.basics.tables import MissingValueImputer, Standardizer
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.engine.voting import (
    StackingClassifier,
    VotingClassifier,
    _check_votes,
    _given_folds,
    _named_members,
    _second_level,
    _stratified_folds,
    _weights_for,
)
from supervised.linear import LogisticClassifier
from supervised.neighbors import KNNClassifier
from supervised.trees import C45Classifier
from tests import examples

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


@parametrize_with_checks([VotingClassifier(voting="soft", weights="log_odds"),
                          StackingClassifier(passthrough=True, voting="hard"),
                          StackingClassifier(theirs()[:2], LogisticRegression())])
@pytest.mark.deep
def test_protocol_with_other_settings(estimator, check):
    check(estimator)


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
    judge = LogisticRegression(max_iter=1000, tol=1e-9)
    mine = StackingClassifier(theirs(), judge, cv=folds, passthrough=passthrough).fit(X, y)
    other = TheirStacking(theirs(), judge, cv=folds, passthrough=passthrough,
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
    judge = DecisionTreeClassifier(random_state=0)
    mine = StackingClassifier(theirs(), judge, voting="hard", cv=folds).fit(X, y)
    names = [f"{n}: {c}" for n, _ in theirs() for c in classes]
    by_hand = clone(judge).fit(pd.DataFrame(heard, columns=names), y)
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


def test_a_vote_that_one_member_decides():
    X, y, new, _ = halves(*wine())
    alone = clone(theirs()[1][1]).fit(X, y).predict(new)
    others = VotingClassifier(theirs()).fit(X, y).predict(new)
    weighted = VotingClassifier(theirs(), weights=[1, 2.5, 1]).fit(X, y)
    assert (weighted.predict(new) == alone).all() and (others != alone).any()


# --------------------------------------------------------------------------------- folds


@examples(60)
@given(st.integers(2, 60), st.integers(1, 5), st.integers(2, 8), st.integers(0, 10**6))
def test_folds_are_dealt_by_content_and_by_class(n, k, n_folds, seed):
    rng = np.random.default_rng(seed)
    X, labels = rng.integers(0, 4, (n, 2)).astype(float), rng.integers(0, k, n)
    folds = _stratified_folds(learn_table(X), labels, n_folds)
    assert len(folds) == min(n, n_folds)
    assert sorted(np.concatenate([b for _, b in folds])) == list(range(n))
    for a, b in folds:
        assert sorted([*a, *b]) == list(range(n))
    for c in range(k):  # each class as equally as whole numbers allow
        sizes = [(labels[b] == c).sum() for _, b in folds]
        assert max(sizes) - min(sizes) <= 1
    order = rng.permutation(n)
    again = _stratified_folds(learn_table(X[order]), labels[order], n_folds)
    for (_, b), (_, d) in zip(folds, again, strict=True):
        assert (sorted(map(tuple, np.column_stack([X, labels])[b]))
                == sorted(map(tuple, np.column_stack([X, labels])[order[d]])))


def test_copies_are_spread_over_the_folds():
    X, labels = np.repeat([[1.0], [2.0]], 10, axis=0), np.tile([0, 1], 10)
    for _, b in _stratified_folds(learn_table(X), labels, 5):
        kinds = np.unique(np.column_stack([X[b], labels[b]]), axis=0)
        assert len(kinds) == 4  # each of the four kinds has five copies, one for each fold


def test_given_folds_skip_rows_without_weight():
    kept = np.array([1, 0, 1, 1, 0, 1], dtype=bool)  # 0, 2, 3, 5 become 0, 1, 2, 3
    cv = [([3, 4, 5], [0, 1, 2]), ([0, 1, 2], [3, 4, 5])]
    folds = _given_folds(cv, np.zeros((6, 1)), np.zeros(6), kept)
    assert [(a.tolist(), b.tolist()) for a, b in folds] == [([2, 3], [0, 1]),
                                                            ([0, 1], [2, 3])]
    with pytest.raises(ValueError, match="no row with a weight"):
        _given_folds(cv, np.zeros((6, 1)), np.zeros(6), np.arange(6) < 3)
    only = _given_folds([*cv[:1], ([0, 1, 2, 3], [4]), ([0, 1], [3, 5])],
                        np.zeros((6, 1)), np.zeros(6), kept)
    assert len(only) == 2  # the fold of row 4 is empty


@pytest.mark.parametrize("cv, message", [
    ([([0, 1, 2], [3])], "row 0 0 times"), ([([0], [1, 2, 3]), ([1], [0, 1])], "row 1 2"),
    (1, "at least 2"), (True, "cv"), ("five", "cv"), ([], "no rounds"), (2.5, "cv")])
def test_folds_that_make_no_sense(cv, message):
    X, y = np.array([[1.0], [2], [3], [4]]), [0, 1, 0, 1]
    with pytest.raises(ValueError, match=message):
        StackingClassifier(cv=cv).fit(X, y)


def test_groups_are_held_out_together():
    X, y = load_iris(return_X_y=True)
    groups = np.arange(150) % 7
    model = StackingClassifier(theirs(), cv=GroupKFold(7).split(X, y, groups)).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.9
    seen = []

    class Spy(NaiveBayesClassifier):
        """Writes down which groups it was trained on."""

        def fit(self, X, y, sample_weight=None):
            seen.append(set(X.values[:, 0]))
            return super().fit(X, y, sample_weight)

    rows = groups[:, None].astype(float)
    StackingClassifier([("spy", Spy())],
                       cv=LeaveOneGroupOut().split(rows, y, groups)).fit(rows, y)
    assert [set(range(7)) - s for s in seen] == [{0}, {1}, {2}, {3}, {4}, {5}, {6}, set()]


# ------------------------------------------------------------------- rows, weights, gaps


@pytest.mark.parametrize("model", [
    VotingClassifier(ours()), VotingClassifier(ours(), "soft", "log_odds"),
    StackingClassifier(ours()), StackingClassifier(ours(), C45Classifier(), "hard")])
def test_another_order_of_rows_is_the_same_model(model):
    X, y = load_heart_disease()
    order = np.random.default_rng(0).permutation(len(y))
    one, other = clone(model).fit(X, y), clone(model).fit(X.iloc[order], y.iloc[order])
    assert np.allclose(one.predict_proba(X), other.predict_proba(X), atol=1e-9)


def test_columns_in_another_order():
    X, y = load_heart_disease()
    for kind in BOTH:
        model = kind(ours()).fit(X, y)
        assert (model.predict_proba(X[X.columns[::-1]]) == model.predict_proba(X)).all()


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
    with pytest.raises(ValueError, match="the judge takes no weights"):
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
    judge = make_pipeline(MissingValueImputer(), LogisticClassifier())
    told = StackingClassifier(final_estimator=judge, passthrough=True).fit(votes, party)
    assert told.final_estimator_[-1].n_features_in_ == 3 + 16


def test_pipelines_are_members():
    X, y = load_heart_disease()
    line = make_pipeline(MissingValueImputer(), Standardizer(), LogisticClassifier())
    model = StackingClassifier([line, C45Classifier()]).fit(X, y)
    assert model.names_ == ["LogisticClassifier", "C45Classifier"]
    assert (model.named_estimators_["LogisticClassifier"].predict(X)
            == clone(line).fit(X, y).predict(X)).all()


def test_a_class_that_a_fold_lacks():
    X = np.arange(12.0)[:, None]
    y = np.array(["a"] * 6 + ["b"] * 5 + ["c"])
    cv = [(np.arange(11), np.array([11])), (np.arange(1, 12), np.array([0])),
          (np.array([0, 11]), np.arange(1, 11))]
    members = {**ours(), "near": KNNClassifier(1)}
    for voting in ("hard", "soft"):
        for judge in (None, GaussianNB(), RidgeClassifier()):
            model = StackingClassifier(members, judge, voting, cv).fit(X, y)
            p = model.predict_proba(X)
            assert p.shape == (12, 3) and np.allclose(p.sum(axis=1), 1)
    X = np.append(X, X, axis=0)  # one row of class c: any deal leaves it out of a fold
    model = VotingClassifier(ours(), weights="log_odds").fit(X, np.append(y, y))
    assert np.isfinite(model.weights_).all()


@pytest.mark.parametrize("kind", BOTH)
def test_one_class_and_one_row(kind):
    model = kind().fit([[1.0], [2.0]], ["yes", "yes"])
    assert model.predict([[7.0]]).tolist() == ["yes"]
    assert model.predict_proba([[7.0]]).tolist() == [[1.0]]
    assert kind().fit([[1.0]], [3]).predict([[1.0]]).tolist() == [3]
    assert str(model.explain([7.0])).startswith("yes, with probability 1")
    with pytest.raises(ValueError, match="neighbors failed.*only"):
        kind().fit([[0.0], [9.0]], ["no", "yes"])  # five neighbors of two rows
    small = {"tree": C45Classifier(), "near": KNNClassifier(1)}
    two = kind(small).fit([[0.0], [9.0]], ["no", "yes"])  # a row of each class: two folds
    assert set(two.predict([[0.0], [9.0]])) <= {"no", "yes"}


def test_a_member_that_is_always_wrong_has_no_say():
    class Contrary(ClassifierMixin, BaseEstimator):
        """Says the other one of two classes."""

        def fit(self, X, y):
            self.classes_ = np.unique(y)
            return self

        def predict(self, X):
            return self.classes_[(np.asarray(X)[:, 0] < 0).astype(int)]

    X = np.random.default_rng(0).normal(size=(60, 1))
    y = (X[:, 0] > 0).astype(int)
    model = VotingClassifier({"wrong": Contrary(), "right": GaussianNB()},
                             weights="log_odds").fit(X, y)
    assert model.weights_[0] == 0 < model.weights_[1]
    assert (model.predict(X) == y).mean() > 0.9
    lost = VotingClassifier({"wrong": Contrary()}, weights="log_odds").fit(X, y)
    assert lost.weights_.tolist() == [1.0] and (lost.predict(X) != y).all()
    judged = StackingClassifier({"wrong": Contrary()}).fit(X, y)
    assert (judged.predict(X) == y).all()  # a judge turns it around


def test_a_thousand_classes():
    X = np.arange(2000.0)[:, None] // 2
    y = np.arange(2000) // 2
    members = {"near": KNNClassifier(1), "bayes": NaiveBayesClassifier()}
    model = VotingClassifier(members).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.99


# --------------------------------------------------------- jobs, interrupts, bad members


@pytest.mark.parametrize("backend", [
    None, "threading", pytest.param("loky", marks=pytest.mark.deep)])
def test_any_number_of_jobs_is_the_same_model(backend):
    X, y = load_heart_disease()
    alone = StackingClassifier(ours()).fit(X, y).predict_proba(X)
    with parallel_config(backend, n_jobs=2) if backend else warnings.catch_warnings():
        model = StackingClassifier(ours(), n_jobs=None if backend else 2).fit(X, y)
    assert (model.predict_proba(X) == alone).all()


class Stops(NaiveBayesClassifier):
    """A member during whose third training somebody loses patience."""

    trained = 0

    def fit(self, X, y, sample_weight=None):
        type(self).trained += 1
        if type(self).trained == 3:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


@pytest.mark.filterwarnings("ignore:interrupted")
def test_an_interrupt_keeps_the_members_that_are_complete():
    X, y = load_iris(return_X_y=True)
    Stops.trained = 0
    members = [("near", KNNClassifier()), ("tree", C45Classifier()), ("stops", Stops())]
    model = StackingClassifier(members, cv=4).fit(X, y)
    assert model.names_ == ["near", "tree"] and len(model.estimators_) == 2
    whole = StackingClassifier(members[:2], cv=4).fit(X, y)
    assert (model.predict_proba(X) == whole.predict_proba(X)).all()
    Stops.trained = 0
    with pytest.raises(KeyboardInterrupt):
        StackingClassifier(members[::-1], cv=4).fit(X, y)
    Stops.trained = 2
    votes = VotingClassifier(members, weights=[1, 2, 3]).fit(X, y)
    assert votes.names_ == ["near", "tree"] and votes.weights_.tolist() == [1, 2]


def test_a_member_that_fails_is_named():
    loan, approved = load_loan()
    for kind in BOTH:
        with pytest.raises(ValueError, match="line failed"):
            kind({"tree": C45Classifier(), "line": LogisticRegression()}).fit(
                loan, approved)
    with pytest.raises(ValueError, match="the judge failed"):
        StackingClassifier(final_estimator=LogisticRegression(), passthrough=True).fit(
            loan, approved)


@pytest.mark.parametrize("estimators, error, message", [
    ([], ValueError, "at least one"), ({}, ValueError, "at least one"),
    (7, ValueError, "estimators is 7"), ("tree", ValueError, "must be None, or a dict"),
    ([C45Classifier(), C45Classifier()], ValueError, "name twice"),
    ([("a", C45Classifier()), ("a", GaussianNB())], ValueError, "name twice"),
    ({"a__b": C45Classifier()}, ValueError, "two underscores"),
    ({"cv": C45Classifier()}, ValueError, "'cv'"),
    ({"a": C45Classifier}, TypeError, "estimators\\['a'\\]"),
    ({"a": StandardScaler()}, TypeError, "must be a classifier"),
    ({"a": None}, TypeError, "must be a classifier")])
def test_members_that_make_no_sense(estimators, error, message):
    X, y = load_iris(return_X_y=True)
    for kind in BOTH:
        with pytest.raises(error, match=message):
            kind(estimators).fit(X, y)
        repr(kind(estimators))


@pytest.mark.parametrize("options, message", [
    ({"voting": "loud"}, "voting"), ({"weights": "odds"}, "weights"),
    ({"weights": [1, 2]}, "3 members"), ({"weights": [1, -1, 1]}, "negative"),
    ({"weights": [0, 0, 0]}, "above zero"), ({"weights": [1, np.nan, 1]}, "finite"),
    ({"weights": ["a", "b", "c"]}, "numbers")])
def test_votes_that_make_no_sense(options, message):
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match=message):
        VotingClassifier(ours(), **options).fit(X, y)


def test_stacks_that_make_no_sense():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(TypeError, match="final_estimator"):
        StackingClassifier(final_estimator=StandardScaler()).fit(X, y)
    with pytest.raises(ValueError, match="passthrough"):
        StackingClassifier(passthrough="yes").fit(X, y)
    for kind in BOTH:
        with pytest.raises(NotFittedError):
            kind().predict(X)
        with pytest.raises(ValueError, match="NaN"):
            kind().fit(X[:3], [0, np.nan, 1])
        with pytest.raises(ValueError):
            kind().fit(X[:0], y[:0])
    assert _check_votes((1, 2), 2).dtype == np.float64


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


def test_members_are_copied_and_names_kept():
    X, y = load_iris(return_X_y=True)
    members = ours()
    model = VotingClassifier(members).fit(X, y)
    with pytest.raises(NotFittedError):
        members["tree"].predict(X)
    assert list(model.named_estimators_) == ["tree", "bayes", "near"]
    assert [type(m) for m in model.estimators_] == [type(m) for m in members.values()]
    assert list(_named_members(None)) == ["C4.5", "naive Bayes", "neighbors"]
    assert list(_named_members(ours(), ["cv"])) == ["tree", "bayes", "near"]


def test_gaps_are_promised_only_if_all_can_read_them():
    assert VotingClassifier().__sklearn_tags__().input_tags.allow_nan
    assert not VotingClassifier([GaussianNB()]).__sklearn_tags__().input_tags.allow_nan
    stack = StackingClassifier()
    assert stack.__sklearn_tags__().input_tags.allow_nan
    stack.set_params(passthrough=True)  # now the judge reads them, too
    assert not stack.__sklearn_tags__().input_tags.allow_nan


# -------------------------------------------------------------- the second level, answers


def test_second_level_by_hand():
    said = np.array([[[0.2, 0.8], [0.6, 0.4]], [[1.0, 0.0], [0.3, 0.7]]])
    table = _second_level(said, ["a", "b"], np.array(["no", "yes"]))
    assert [x.name for x in table.attributes] == ["a: yes", "b: yes"]
    assert table.values.tolist() == [[0.8, 0.0], [0.4, 0.7]]
    rows = learn_table(pd.DataFrame({"color": ["red", None], "size": [1.0, np.nan]}))
    both = _second_level(said, ["a", "b"], np.array(["no", "yes"]), rows)
    assert [x.name for x in both.attributes] == ["a: yes", "b: yes", "color", "size"]
    assert both.codes.ravel().tolist() == [0, -1] and np.isnan(both.values[1, 2])
    three = _second_level(np.zeros((1, 2, 3)), ["a"], np.arange(3))
    assert len(three.attributes) == 3


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


def test_a_judge_from_elsewhere_is_asked_without_each_member():
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


def test_a_stack_has_no_stages_and_no_importances():
    X, y = load_iris(return_X_y=True)
    stack, vote = StackingClassifier().fit(X, y), VotingClassifier(ours()).fit(X, y)
    with pytest.raises(AttributeError, match="no stages"):
        stack.staged_predict(X)
    assert not hasattr(stack, "feature_importances_")
    *_, last = vote.staged_predict(X)
    assert (last == vote.predict(X)).all()


def test_json_and_pickle():
    X, y = load_heart_disease()
    for model in (VotingClassifier(ours(), "soft", "log_odds"), StackingClassifier(ours()),
                  StackingClassifier(ours(), C45Classifier(), passthrough=True)):
        model.fit(X, y)
        for back in (type(model).from_json(model.to_json()),
                     pickle.loads(pickle.dumps(model))):
            assert (back.predict_proba(X) == model.predict_proba(X)).all()
            assert back.get_params()["near__n_neighbors"] == 7
    with pytest.raises(TypeError, match="bayes can't be written"):
        X, y = load_iris(return_X_y=True)
        VotingClassifier({"tree": C45Classifier(), "bayes": GaussianNB()}).fit(
            X, y).to_json()
    with pytest.raises(TypeError, match="the judge can't"):
        StackingClassifier(final_estimator=GaussianNB()).fit(X, y).to_json()


def test_in_cross_validation_a_stack_is_about_as_good_as_its_best_member():
    X, y = wine()
    members = {**ours(), "majority": MajorityClassifier()}
    alone = {name: cross_val_score(m, X, y, cv=5).mean() for name, m in members.items()}
    stacked = cross_val_score(StackingClassifier(members), X, y, cv=5).mean()
    assert stacked > max(alone.values()) - 0.03
    assert alone["majority"] < 0.5


def test_no_share_is_above_one():
    """Sums in another order differ in the last digit, and a log loss refuses that."""
    X, y = pd.DataFrame({"x": range(4)}), ["a", "a", "a", "b"]
    rng = np.random.default_rng(0)
    members = [(f"m{i}", MajorityClassifier()) for i in range(20)]
    for _ in range(30):
        jury = VotingClassifier(members, weights=rng.random(20)).fit(X, y)
        assert jury.predict_proba(X).max() <= 1
