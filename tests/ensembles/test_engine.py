"""The frame of the committees: samples, views, members side by side, one walk for all
trees, votes, explanations, storage."""

import json
import pickle
import threading
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import MajorityClassifier, learn_table, load_loan
from supervised.basics.classifiers import encode_classes, from_json
from supervised.basics.datasets import load_iris, load_votes, make_rule_table
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles.bagging import BaggingClassifier
from supervised.ensembles.engine import base
from supervised.ensembles.engine.base import (
    _Bags,
    _Committee,
    _drawn_seeds,
    _explain_votes,
    _fit_member,
    _fitted_members,
    _member_codes,
    _member_votes,
    _one_hot,
    _out_of_bag_score,
    _out_of_bag_votes,
    _row_order,
    _sampled_members,
    _seeded,
    _shares_reading,
    _Views,
)
from supervised.trees import C45Classifier, CARTClassifier, CHAIDClassifier, ID3Classifier
from tests import examples, interrupting


def mixed(seed=0, n=60, missing=0.1, **details):
    return make_rule_table(n, 3, 3, noise=0.2, missing=missing, random_state=seed,
                           **details)[:2]


def encoded(X, y):
    table, (classes, labels) = learn_table(X), encode_classes(y)
    return table, classes, labels


class Given(_Committee):
    """A committee of the learners that it is given, each trained on all rows."""

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


@examples(100)
@given(st.integers(0, 10**6), st.integers(1, 40), st.sampled_from((0.3, 1.0)))
def test_samples_do_not_depend_on_the_order_of_rows(seed, n, share):
    X, y = mixed(seed, n)
    order = np.random.default_rng(seed).permutation(n)
    found = []
    for rows in (np.arange(n), order):
        table, _, labels = encoded(X.iloc[rows], y.iloc[rows])
        bags = _Bags(table, labels, np.ones(n), share)
        drawn = rows[bags.rows(5)]
        assert len(drawn) == bags.size == max(1, round(share * n))
        found.append(pd.concat([X.iloc[drawn], y.iloc[drawn]], axis=1)
                     .reset_index(drop=True))
    pd.testing.assert_frame_equal(*found)  # in the same order too


@examples(100)
@given(st.integers(0, 10**6), st.lists(st.integers(1, 4), min_size=1, max_size=20))
def test_a_whole_weight_is_a_number_of_copies(seed, weights):
    X, y = mixed(seed, len(weights))
    table, _, labels = encoded(X, y)
    by_weight = _Bags(table, labels, np.array(weights, dtype=float)).rows(seed)
    rows = np.repeat(np.arange(len(weights)), weights)
    written_out = rows[_Bags(table[rows], labels[rows], np.ones(len(rows))).rows(seed)]
    assert len(by_weight) == sum(weights)
    # equal rows may stand for one another
    keys = [(*map(str, row), label) for row, label in zip(X.to_numpy(), y, strict=True)]
    assert [keys[i] for i in by_weight] == [keys[i] for i in written_out]


def test_other_weights_are_proportions():
    n = 4000
    X = np.arange(n, dtype=float)[:, None]
    weights = np.where(np.arange(n) < n // 2, 0.3, 0.1)
    bags = _Bags(learn_table(X), np.zeros(n, dtype=int), weights)
    counts = bags.counts(0)
    assert counts.sum() == n == bags.size
    # three of four draws fall on the first half: 5 standard deviations of a binomial
    assert abs(counts[: n // 2].sum() - 0.75 * n) < 5 * np.sqrt(n * 0.75 * 0.25)
    light = _Bags(learn_table(X), np.zeros(n, dtype=int), weights / 1e6)
    assert light.size == n


def test_huge_whole_weights_are_proportions_too():
    bags = _Bags(
        learn_table([[1.0], [2.0]]), np.zeros(2, dtype=int), np.array([1e15, 1e15])
    )
    assert bags.total is None and len(bags.rows(0)) == 2


def test_draws_are_binomial():
    n = 1000
    bags = _Bags(learn_table(np.arange(n, dtype=float)[:, None]), np.zeros(n, dtype=int),
                 np.ones(n))
    counts = np.concatenate([bags.counts(seed) for seed in range(30)])
    seen = np.bincount(np.minimum(counts, 5), minlength=6)
    expected = stats.binom.pmf(np.arange(5), n, 1 / n)
    expected = 30 * n * np.append(expected, 1 - expected.sum())
    assert stats.chisquare(seen, expected).pvalue > 1e-3


def test_rows_agree_with_counts():
    X, y = mixed(1, 50)
    table, _, labels = encoded(X, y)
    bags = _Bags(table, labels, np.ones(50), 0.5)
    for seed in range(5):
        assert np.array_equal(np.bincount(bags.rows(seed), minlength=50), bags.counts(seed))
    assert not np.array_equal(bags.counts(0), bags.counts(1))


def test_equal_rows_of_one_class_lie_side_by_side():
    other = -np.float64(np.nan)  # a NaN of other bits
    X = np.array([[0.0, np.nan], [1, 2], [-0.0, other], [1, 2], [0, 1], [1, 2]])
    assert len(np.unique(X[[0, 2], 1].view(np.int64))) == 2
    labels = np.array([0, 0, 0, 1, 0, 0])
    order = _row_order(learn_table(X), labels).tolist()
    assert abs(order.index(0) - order.index(2)) == 1  # 0.0 is -0.0, and NaN is NaN
    assert abs(order.index(1) - order.index(5)) == 1  # but not row 3, of the other class
    assert sorted(order) == list(range(6))


@examples(40)
@given(st.integers(0, 10**6))
def test_different_rows_have_different_places(seed):
    # values that a careless mixture of bits would confuse: swapped, shifted, negated
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-3, 4, size=(2, 8)).astype(float)
    X = np.column_stack([np.concatenate([a, b, -a]), np.concatenate([b, a, -b])])
    twice = np.concatenate([X, X])
    order = _row_order(learn_table(twice), np.zeros(len(twice), dtype=int))
    sorted_rows = twice[order]
    changes = (np.diff(sorted_rows, axis=0) != 0).any(axis=1).sum() + 1
    assert changes == len(np.unique(X, axis=0))


def test_a_smaller_committee_has_the_first_seeds():
    assert np.array_equal(_drawn_seeds(3, 5), _drawn_seeds(3, 50)[:5])
    assert not np.array_equal(_drawn_seeds(3, 5), _drawn_seeds(4, 5))
    rng = np.random.default_rng(0)
    assert not np.array_equal(_drawn_seeds(rng, 5), _drawn_seeds(rng, 5))
    assert not np.array_equal(_drawn_seeds(None, 5), _drawn_seeds(None, 5))
    with pytest.raises(ValueError, match="random_state must be None"):
        _drawn_seeds("zero", 5)


def test_every_random_state_gets_a_number_of_its_own():
    learner = make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=7))
    one, again, other = _seeded(learner, 1), _seeded(learner, 1), _seeded(learner, 2)
    assert one[-1].random_state == again[-1].random_state != other[-1].random_state
    assert learner[-1].random_state == 7 and one is not learner
    assert isinstance(one[-1].random_state, int)
    assert _seeded(C45Classifier(min_num_obj=3), 1).min_num_obj == 3
    with_two = _seeded(Given().set_params(learners=()), 1)  # none of its own
    assert with_two.get_params()["learners"] == ()


# ---------------------------------------------------------------------------- what is read


def test_members_of_the_book_read_the_table_itself():
    table = learn_table(load_loan()[0])
    views = _Views(table, True)
    assert views.of(C45Classifier()) is table
    assert views.of(DecisionTreeClassifier()) is views.of(LogisticRegression())


def test_members_of_other_libraries_get_what_came_in():
    numbers = np.array([[1.0, np.nan], [3.0, 4.0]])
    plain = _Views(learn_table(numbers), False).of(LogisticRegression())
    assert isinstance(plain, np.ndarray) and np.array_equal(plain, numbers, equal_nan=True)
    frame = pd.DataFrame({"a": [1, 2, 3], "b": ["u", None, "v"], "c": [0.5, np.nan, 1]})
    view = _Views(learn_table(frame), True).of(LogisticRegression())
    assert list(view) == ["a", "b", "c"] and view["b"].isna().tolist() == [0, 1, 0]
    assert view["a"].tolist() == [1, 2, 3] and np.isnan(view["c"][1])
    # a part of the rows still knows all names
    assert view["b"].iloc[:1].cat.categories.tolist() == ["u", "v"]


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


def test_labels_may_be_tuples():
    y = pd.Series([("a", 1), ("b", 2), ("a", 1), ("b", 2)])
    X = np.array([[0.0], [1.0], [0.0], [1.0]])
    committee = Given((C45Classifier(min_num_obj=1), NaiveBayesClassifier())).fit(X, y)
    assert committee.predict(X).tolist() == y.tolist()


def test_one_hot():
    assert _one_hot(np.array([2, 0]), 3).tolist() == [[0, 0, 1], [1, 0, 0]]


# ----------------------------------------------------------------- members, side by side


def numbered(i, total=None):
    return i


def failing(learner, i):
    if i == 2:
        raise learner
    return i


class Bad(BaseException):
    """What no handler of errors may swallow."""


@pytest.mark.parametrize("n_jobs", [None, 1, 2, -1])
def test_members_come_back_in_order(n_jobs):
    jobs = [(i,) for i in range(20)]
    assert _fitted_members(numbered, jobs, n_jobs) == list(range(20))


@pytest.mark.parametrize("backend", ["threading", "loky", "sequential"])
def test_any_back_end(backend):
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert _fitted_members(numbered, [(i,) for i in range(6)]) == list(range(6))


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("error, kind", [(ValueError("too few"), ValueError),
                                         (TypeError("no text"), ValueError),
                                         (ZeroDivisionError("1 / 0"), RuntimeError),
                                         (KeyError("x"), RuntimeError)])
def test_an_error_names_its_member(error, kind, n_jobs):
    with pytest.raises(kind, match=f"member 2 failed: {type(error).__name__}: ") as caught:
        _fitted_members(failing, [(error, i) for i in range(4)], n_jobs)
    if n_jobs == 1:
        assert caught.value.__cause__ is error
    with pytest.raises(kind, match="^the third failed"):
        _fitted_members(failing, [(error, i) for i in range(4)], n_jobs,
                        names=["the first", "the second", "the third", "the last"])


def test_the_kind_of_a_member_is_named():
    with pytest.raises(ValueError, match=r"member 1 \(LinearSVC\) failed"):
        _fitted_members(_fit_member, [(m, np.array([["a"], ["b"]]), np.array([0, 1]))
                                      for m in (MajorityClassifier(), LinearSVC())])


def interrupted(i, inside):
    if i == 3:
        raise interrupting.told(inside)
    return i


@pytest.mark.parametrize("inside", [False, True])
def test_an_interrupt_keeps_what_is_finished(inside):
    with pytest.warns(UserWarning, match="the 3 members that were finished, of 9"):
        jobs = [(i, inside) for i in range(9)]
        assert _fitted_members(interrupted, jobs) == [0, 1, 2]
    with pytest.raises(KeyboardInterrupt):  # nothing to keep
        _fitted_members(interrupted, [(3, inside), (4, inside)])
    with pytest.raises(Bad):
        _fitted_members(failing, [(Bad(), 2)])


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
    """) == ["[0, 1]", "interrupted: the committee has the 2 members that were finished, "
                       "of 5"]


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("sizes, kept", [(None, [0, 1]),
                                         ([2, 3, 1, 1, 2], [0, 0, 1, 1, 1])])
def test_an_interrupt_between_jobs_keeps_what_is_finished(monkeypatch, n_jobs, sizes, kept):
    class Bar:
        """A progress bar at whose second move the user interrupts."""

        n, moves = 0, 0

        def __init__(self, **details):
            pass

        def update(self, n):
            self.n, self.moves = self.n + n, self.moves + 1
            if self.moves == 2:
                raise KeyboardInterrupt

        def close(self):
            pass

    monkeypatch.setattr(base, "tqdm", Bar)
    jobs = [(i,) for i in range(9 if sizes is None else len(sizes))]
    with pytest.warns(UserWarning, match=f"the {len(kept)} members .* finished, of 9"):
        assert _fitted_members(lambda i: i if sizes is None else [i] * sizes[i], jobs,
                               n_jobs, 1, sizes=sizes) == kept


def test_the_first_error_of_threads_is_raised_and_ends_the_work():
    begun = []

    def fit(i):
        begun.append(i)
        raise ValueError(f"number {i}")

    with pytest.raises(ValueError, match=r"member (\d+) failed: ValueError: number \1"):
        _fitted_members(fit, [(i,) for i in range(99)], 3)
    assert len(begun) < 30


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_jobs_may_train_several_members(n_jobs, capsys):
    found = _fitted_members(lambda i: [i] * (i + 1), [(i,) for i in range(3)], n_jobs, 1,
                            sizes=[1, 2, 3])
    assert found == [0, 1, 1, 2, 2, 2]
    assert "6/6" in capsys.readouterr().err


def test_a_member_in_a_thread_finds_the_back_end_of_joblib():
    def back_ends(i):
        return joblib.parallel.get_active_backend()[0].nesting_level

    assert _fitted_members(back_ends, [(i,) for i in range(3)], 2) == [1, 1, 1]


def test_progress_on_request_only(capsys):
    before = set(threading.enumerate())
    _fitted_members(numbered, [(i,) for i in range(3)])
    assert capsys.readouterr().err == ""
    assert set(threading.enumerate()) == before
    _fitted_members(numbered, [(i,) for i in range(3)], verbose=1)
    assert "3/3" in capsys.readouterr().err


def test_rows_of_one_class_need_no_learner():
    X = np.array([[0.0], [1.0], [2.0]])
    member = _fit_member(LinearSVC(), X, np.array(["u", "v", "v"]), np.array([1, 2, 1]))
    assert member.predict(X).tolist() == ["v"] * 3
    by_table = _fit_member(LinearSVC(), learn_table(X), np.array([4, 4, 4]), named=False)
    assert by_table.predict(X).tolist() == [4] * 3


def test_rows_and_weights_reach_the_learner():
    X, y = np.array([[0.0], [1.0], [1.0], [5.0]]), np.array([0, 0, 1, 1])
    weights = np.array([1.0, 1.0, 9.0, 1.0])
    member = _fit_member(NaiveBayesClassifier(), X, y, weights=weights)
    assert np.allclose(member.predict_proba(X),
                       NaiveBayesClassifier().fit(X, y, weights).predict_proba(X))
    rows = np.array([0, 2, 2, 3])
    member = _fit_member(NaiveBayesClassifier(), X, y, rows, weights)
    asked = NaiveBayesClassifier().fit(X[rows], y[rows], weights[rows])
    assert np.allclose(member.predict_proba(X), asked.predict_proba(X))


@pytest.mark.filterwarnings("error")
def test_members_of_an_array_take_arrays():
    X, y = np.array([[0.0, 1], [1, 0], [2, 2], [3, 1]]), [0, 0, 1, 1]
    committee = Given((NaiveBayesClassifier(), C45Classifier())).fit(X, y)
    for member in committee.estimators_:
        assert len(member.predict(X)) == 4 and not hasattr(member, "feature_names_in_")
    named = Given((NaiveBayesClassifier(),)).fit(pd.DataFrame(X, columns=["a", "b"]), y)
    assert named.estimators_[0].feature_names_in_.tolist() == ["a", "b"]



# -------------------------------------------------------------------- committees of trees

TREES = (C45Classifier(pruning=None), C45Classifier(pruning=None, smoothing="laplace"),
         CARTClassifier(smoothing=2.5), CARTClassifier(criterion="entropy", max_depth=2),
         ID3Classifier())


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n", [0, 1, 3, 255, 256, 257, 5000])
def test_any_number_of_rows_and_threads(n, missing):
    X, y = mixed(3, 300, missing)
    committee = Given(TREES).fit(X, y)
    new = X.iloc[np.arange(n) % 300]
    alone = committee.predict_proba(new)
    together = committee.set_params(n_jobs=3).predict_proba(new)
    assert alone.shape == (n, 2) and np.array_equal(alone, together)


def test_a_value_that_no_training_row_had():
    X = pd.DataFrame({"a": ["u", "v", "u", "v"] * 3, "x": [0.0, 0, 1, 1] * 3})
    y = ["p", "q", "p", "q"] * 3
    committee = Given((CARTClassifier(), ID3Classifier())).fit(X, y)
    new = pd.DataFrame({"a": ["w", None], "x": [0.0, np.nan]})
    # half of the training rows went each way, so the first class is the answer
    assert committee.predict(new).tolist() == ["p", "p"]
    soft = committee.set_params(voting="soft")
    assert np.allclose(soft.predict_proba(new), 0.5)


def test_members_may_be_taken_away():
    X, y = mixed(0, 60)
    committee = Given(TREES).fit(X, y)
    copy = pickle.loads(pickle.dumps(committee))
    assert np.array_equal(copy.predict_proba(X), committee.predict_proba(X))
    before = committee.predict_proba(X)
    first = committee.estimators_.pop(0)
    left = 5 * before - (first.predict(X)[:, None] == committee.classes_)
    assert np.allclose(committee.predict_proba(X), left / 4)


# ------------------------------------------------------------------- trees from one reading


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 60), st.sampled_from((0.0, 0.15)))
def test_members_from_one_reading_are_those_of_the_written_out_samples(seed, n, missing):
    X, y = mixed(seed, n, missing)
    table, classes, labels = encoded(X, y)
    bags, seeds = _Bags(table, labels, np.ones(n)), _drawn_seeds(seed, 4)
    for learner in (CARTClassifier(), C45Classifier(pruning=None)):
        assert _shares_reading(learner)
        members = _sampled_members(learner, table, True, labels, classes, bags, seeds)
        for member, s in zip(members, seeds, strict=True):
            rows = bags.rows(s)
            if len(np.unique(labels[rows])) == len(classes):
                plain = clone(learner).fit(X.iloc[rows], y.iloc[rows])
                assert np.array_equal(member.tree_.attribute, plain.tree_.attribute)
                assert np.allclose(member.tree_.counts, plain.tree_.counts)
                assert np.array_equal(member.predict(X), plain.predict(X))


@pytest.mark.parametrize("learner", [
    C45Classifier(), CARTClassifier(class_weight="balanced"), CHAIDClassifier(),
    NaiveBayesClassifier(), DecisionTreeClassifier()])
def test_other_learners_read_their_samples(learner):
    X, y = mixed(2, 50, 0.0)
    X = X.iloc[:, 3:]
    table, classes, labels = encoded(X, y)
    bags, seeds = _Bags(table, labels, np.ones(50)), _drawn_seeds(0, 3)
    assert not _shares_reading(learner)
    members = _sampled_members(learner, table, True, labels, classes, bags, seeds)
    for member, s in zip(members, seeds, strict=True):
        rows = bags.rows(s)
        plain = _seeded(learner, s).fit(X.iloc[rows], y.iloc[rows])
        assert np.allclose(member.predict_proba(X), plain.predict_proba(X))


def test_a_group_that_fails_names_its_members():
    X, y = load_iris()
    with pytest.raises(ValueError, match=r"members 0 to 7 \(C45Classifier\) failed"):
        BaggingClassifier(C45Classifier(pruning=None, min_num_obj=-1), 32).fit(X, y)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_the_back_end_changes_nothing(backend):
    X, y = load_iris()
    table, classes, labels = encoded(X, y)
    big = table[np.arange(30_000) % 150]  # large enough for files in memory
    labels = labels[np.arange(30_000) % 150]
    bags, seeds = _Bags(big, labels, np.ones(30_000), 0.02), _drawn_seeds(0, 4)
    arguments = C45Classifier(pruning=None), big, True, labels, classes, bags, seeds
    alone = _sampled_members(*arguments)
    with joblib.parallel_config(backend=backend, n_jobs=2):
        together = _sampled_members(*arguments)
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.tree_.threshold, other.tree_.threshold, equal_nan=True)


# ----------------------------------------------------------------------- votes and stages


class Says:
    """A member that always answers alike."""

    def __init__(self, answers, shares=None, classes=("a", "b", "c")):
        self.answers, self.classes_ = list(answers), np.array(classes)
        if shares is not None:
            self.predict_proba = lambda rows: np.array(shares)[rows]

    def predict(self, rows):
        return np.array(self.answers)[np.asarray(rows)]


def test_votes_out_of_bag_by_hand():
    # three rows; the members have drawn rows 0, 0, 1; 1, 2, 2; 0, 1, 2
    counts = [np.array([2, 1, 0]), np.array([0, 1, 2]), np.array([1, 1, 1])]
    members = [Says("abc"), Says("cab"), Says("ccc")]
    views = _Views(learn_table([[0.0], [1.0], [2.0]]), False)
    views.__dict__["foreign"] = np.arange(3)
    votes = _out_of_bag_votes(members, views, counts.__getitem__, np.array(["a", "b", "c"]))
    assert votes.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 1]]
    # row 0 by the second member: "c"; row 1 by nobody; row 2 by the first: "c"
    labels = np.array([2, 0, 1])
    assert _out_of_bag_score(votes, labels, np.ones(3)) == 0.5
    assert _out_of_bag_score(votes, labels, np.array([3.0, 9.0, 1.0])) == 0.75
    assert np.isnan(_out_of_bag_score(np.zeros((3, 3)), labels, np.ones(3)))
    shares = np.array([[0.2, 0.5, 0.3], [1, 0, 0], [0.1, 0.1, 0.8]])
    members = [Says("abc", shares), Says("cab"), Says("ccc")]
    votes = _out_of_bag_votes(members, views, counts.__getitem__, np.array(["a", "b", "c"]),
                              "soft")
    assert np.allclose(votes, [[0, 0, 1], [0, 0, 0], [0.1, 0.1, 0.8]])


@pytest.mark.parametrize("voting", ["hard", "soft"])
@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 3.0]])
def test_votes_stages_and_weights(voting, weights):
    X, y = mixed(4, 80, 0.1)
    X = X.iloc[:, 3:].fillna(0.0)
    learners = (C45Classifier(), NaiveBayesClassifier(), CARTClassifier(max_depth=1),
                DecisionTreeClassifier(max_depth=2, random_state=0))
    committee = Given(learners, voting, weights).fit(X, y)
    w = np.ones(4) if weights is None else np.array(weights)
    said = [m.predict_proba(X) if voting == "soft"
            else (m.predict(X)[:, None] == committee.classes_).astype(float)
            for m in committee.estimators_]
    stages = list(committee.staged_predict_proba(X))
    for k in range(1, 5):
        by_hand = sum(a * b for a, b in zip(w[:k], said[:k], strict=True)) / w[:k].sum()
        assert np.allclose(stages[k - 1], by_hand)
    assert np.allclose(committee.predict_proba(X), stages[-1])
    answers = list(committee.staged_predict(X))
    assert [a.tolist() for a in answers] == [
        committee.classes_[s.argmax(axis=1)].tolist() for s in stages]
    assert answers[-1].tolist() == committee.predict(X).tolist()


def test_of_equal_votes_the_first_class_wins():
    X = np.array([[0.0], [1.0]])
    committee = Given((MajorityClassifier(), MajorityClassifier())).fit(X, ["z", "a"])
    committee.estimators_ = [MajorityClassifier().fit(X, [c, c]) for c in ("z", "a")]
    assert committee.predict(X).tolist() == ["a", "a"]
    assert committee.predict_proba(X).tolist() == [[0.5, 0.5]] * 2


def test_importances_are_the_members_mean():
    X, y = load_iris()
    committee = Given((CARTClassifier(), DecisionTreeClassifier(random_state=0)),
                      weights=[3.0, 1.0]).fit(X, y)
    one, other = (m.feature_importances_ for m in committee.estimators_)
    assert np.allclose(committee.feature_importances_, (3 * one + other) / 4)
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


def test_an_explanation_of_one_class():
    told = _explain_votes(["only"], ["m"], np.ones((1, 1)), np.ones(1))
    assert told.prediction == "only" and told.probability == 1 and told.otherwise == ""


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_an_explanation_is_that_of_the_answer(voting):
    X, y = load_votes()
    committee = Given(TREES, voting).fit(X, y)
    for i in range(10):
        told = committee.explain(X.iloc[i])
        p = committee.predict_proba(X.iloc[[i]])[0]
        assert told.prediction == committee.predict(X.iloc[[i]])[0]
        assert told.probability == pytest.approx(p.max())
        assert sum(part.contribution for part in told.parts) == pytest.approx(
            p.max() - p.min())


def test_json_with_members_of_the_book():
    X, y = load_votes()
    for learner in (None, NaiveBayesClassifier(), CHAIDClassifier()):
        committee = BaggingClassifier(learner, 5, voting="soft", oob_score=True).fit(X, y)
        text = committee.to_json()
        json.loads(text)
        again = from_json(text)
        assert np.allclose(again.predict_proba(X), committee.predict_proba(X))
        assert again.oob_score_ == committee.oob_score_


def test_the_members_by_kind():
    X, y = load_votes()
    assert Given((*TREES, NaiveBayesClassifier())).fit(X, y).to_text().splitlines() == [
        "2 × C45Classifier", "2 × CARTClassifier", "1 × ID3Classifier",
        "1 × NaiveBayesClassifier"]


def test_json_refuses_members_of_other_libraries():
    X, y = load_iris()
    committee = Given((C45Classifier(), DecisionTreeClassifier())).fit(X, y)
    with pytest.raises(TypeError, match="DecisionTreeClassifier 1 .* pickle the committee"):
        committee.to_json()
    copy = pickle.loads(pickle.dumps(committee))
    assert np.array_equal(copy.predict(X), committee.predict(X))


def test_tags_are_those_of_the_member():
    assert BaggingClassifier().__sklearn_tags__().input_tags.allow_nan
    assert not BaggingClassifier(LinearSVC()).__sklearn_tags__().input_tags.allow_nan


def test_nothing_warns_on_the_way():
    X, y = load_iris()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Given(TREES).fit(X, y).predict(X)
        Given((DecisionTreeClassifier(),)).fit(X, y).predict(X)
