"""Resampling: agreement with scikit-learn, properties
of every scheme, and what hostile users pass."""

import copy
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from scipy import sparse, stats
from sklearn.metrics import f1_score, make_scorer
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
    StratifiedKFold,
    cross_val_score,
    cross_validate,
)
from sklearn.model_selection import LeaveOneOut as PeerLeaveOneOut
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from supervised.basics import MajorityClassifier, RoteClassifier
from supervised.evaluation.engine.resampling import (
    Bootstrap,
    CrossValidation,
    Holdout,
    LeaveOneOut,
    RepeatedHoldout,
    _assign_folds,
    bootstrap_632,
    evaluate,
    evaluate_rounds,
)
from supervised.evaluation.resampling import confidence_interval
from tests import examples
from tests.evaluation import points

SOME_LABELS = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=4, max_size=60)


# ------------------------------------ the schemes


@examples(60)
@given(SOME_LABELS, st.floats(0.05, 0.95), st.integers(0, 99), st.booleans())
def test_holdouts(labels, share, seed, stratify):
    n, y = len(labels), np.array(labels)
    n_test = int(n * share + 0.5)
    if not 0 < n_test < n:
        with pytest.raises(ValueError, match="at least one must test and one must train"):
            Holdout(share, stratify).split(y, y)
        return
    rounds = list(RepeatedHoldout(3, share, stratify, seed).split(y, y))
    assert len(rounds) == 3
    first, = Holdout(share, stratify, random_state=seed).split(y, y)
    assert (first[1] == rounds[0][1]).all()
    for train, test in rounds:
        assert sorted([*train, *test]) == list(range(n)) and len(test) == n_test
        if stratify:
            names, counts = np.unique(y, return_counts=True)
            drawn = np.array([(y[test] == c).sum() for c in names])
            assert (np.abs(drawn - counts * n_test / n) < 1).all()


def test_ordered_holdout():
    (train, test), = Holdout(0.25, ordered=True).split(np.zeros(8))
    assert train.tolist() == [0, 1, 2, 3, 4, 5] and test.tolist() == [6, 7]
    (train, test), = Holdout(3, ordered=True).split(np.zeros(8))
    assert test.tolist() == [5, 6, 7]


@examples(60)
@given(SOME_LABELS, st.integers(2, 12), st.integers(0, 99), st.booleans(), st.booleans())
def test_cross_validation(labels, n_folds, seed, stratified, shuffle):
    y = np.array(labels)
    names, counts = np.unique(y, return_counts=True)
    scheme = CrossValidation(n_folds, stratified, shuffle, seed)
    if n_folds > len(y) or (stratified and counts.min() < n_folds):
        with pytest.raises(ValueError, match=f"n_folds is {n_folds}, but"):
            scheme.split(y, y)
        return
    rounds = list(scheme.split(y, y))
    assert len(rounds) == n_folds == scheme.get_n_splits()
    assert sorted(np.concatenate([test for _, test in rounds])) == list(range(len(y)))
    sizes = [len(test) for _, test in rounds]
    assert max(sizes) - min(sizes) <= 1
    for train, test in rounds:
        assert sorted([*train, *test]) == list(range(len(y)))
        if stratified:
            drawn = np.array([(y[test] == c).sum() for c in names])
            assert (np.abs(drawn - counts / n_folds) < 1).all()
    if not shuffle:
        peer = StratifiedKFold(n_folds) if stratified else KFold(n_folds)
        for (train, test), (peer_train, peer_test) in zip(rounds, peer.split(y, y),
                                                          strict=True):
            assert (train == peer_train).all() and (test == peer_test).all()


def test_leave_one_out():
    X = np.zeros((7, 2))
    for (train, test), (peer_train, peer_test) in zip(
            LeaveOneOut().split(X), PeerLeaveOneOut().split(X), strict=True):
        assert (train == peer_train).all() and (test == peer_test).all()
    assert LeaveOneOut().get_n_splits(X) == 7


@examples(40)
@given(st.integers(2, 40), st.integers(0, 99))
def test_bootstrap(n, seed):
    for train, test in Bootstrap(5, seed).split(np.zeros(n)):
        assert len(train) == n and len(test) > 0
        assert sorted({*train} | {*test}) == list(range(n)) and not {*train} & {*test}


SCHEMES = [Holdout(random_state=3),
           Holdout(stratify=True, random_state=3), Holdout(ordered=True),
           RepeatedHoldout(4, random_state=3), CrossValidation(4, random_state=3),
           CrossValidation(4, stratified=False, random_state=3), LeaveOneOut(),
           Bootstrap(4, random_state=3)]


@pytest.mark.parametrize("scheme", SCHEMES, ids=repr)
def test_protocol(scheme):
    X, y = points(40)
    rounds = [(a.tolist(), b.tolist()) for a, b in scheme.split(X, y)]
    assert scheme.get_n_splits(X, y) == len(rounds)
    for twin in (scheme, copy.deepcopy(scheme), pickle.loads(pickle.dumps(scheme)),
                 eval(repr(scheme))):
        assert twin == scheme
        assert [(a.tolist(), b.tolist())
                for a, b in twin.split(pd.DataFrame(X), pd.Series(y))] == rounds
    peer = cross_validate(GaussianNB(), X, y, cv=scheme)["test_score"]
    assert evaluate_rounds(GaussianNB(), X, y, scheme)["value"].tolist() == peer.tolist()
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]},
                          cv=scheme).fit(X, y)
    assert search.n_splits_ == len(rounds)


def test_lengths_and_counts():
    with pytest.raises(ValueError, match="X has 3 rows and y 2"):
        Holdout().split(np.zeros((3, 1)), [0, 1])
    with pytest.raises(ValueError, match="X is None"):
        LeaveOneOut().get_n_splits()
    with pytest.raises(ValueError, match="n_folds is 0"):
        CrossValidation(0).get_n_splits()


# ------------------------------------ evaluate


@pytest.mark.parametrize("n_classes", [2, 10])
@pytest.mark.parametrize("make", [lambda v: v, pd.DataFrame, sparse.csr_array],
                         ids=["array", "frame", "sparse"])
@pytest.mark.parametrize("text", [False, True])
def test_agrees_with_scikit_learn(n_classes, make, text):
    X, y = points(150, n_classes)
    X = make(X)
    if text:
        y = pd.Series(y, index=np.arange(len(y))[::-1]).map("class {}".format)
    classifier = KNeighborsClassifier(5)
    cv = CrossValidation(5, random_state=1)
    scoring = (["accuracy", "f1_macro", "roc_auc_ovr"] if n_classes > 2
               else ["accuracy", "balanced_accuracy", "roc_auc"])
    table = evaluate(classifier, X, y, cv, [*scoring, "error_rate"])
    peer = cross_validate(classifier, X, y, cv=cv, scoring=scoring)
    for scorer in scoring:
        scores = peer[f"test_{scorer}"]
        low, high = stats.t.interval(0.95, 4, scores.mean(), stats.sem(scores))
        wanted = [scores.mean(), scores.std(ddof=1), low, high, 5]
        assert table.loc[scorer].to_numpy()[:5] == pytest.approx(wanted, abs=1e-12)
    assert table.loc["error_rate", "mean"] == pytest.approx(
        1 - table.loc["accuracy", "mean"], abs=1e-12)


def test_ways_to_name_measures():
    X, y = points(60, 2)
    def right(truth, predicted):
        return (truth == predicted).mean()
    scorer = make_scorer(f1_score)
    table = evaluate(GaussianNB(), X, y, 3,
                     {"a": right, "b": scorer, "c": "f1", "d": "accuracy"}, random_state=0)
    assert table.index.tolist() == ["a", "b", "c", "d"] and table.index.name == "measure"
    assert ((table.loc["a"] == table.loc["d"]).all()
            and (table.loc["b"] == table.loc["c"]).all())
    assert (evaluate(GaussianNB(), X, y, 3, right, random_state=0).index.tolist()
            == ["right"])
    assert (evaluate(GaussianNB(), X, y, 3, ["f1", right], random_state=0).index.tolist()
            == ["f1", "right"])


def test_rounds_given_as_pairs():
    X, y = points(12, 2)
    mask = np.arange(12) < 8
    rounds = evaluate_rounds(GaussianNB(), X, y, [(mask, ~mask), ([0, 1, 2, 3], [-1]),
                                                  (slice(0, 6), range(6, 12))])
    assert (rounds["train_rows"].tolist() == [8, 4, 6]
            and rounds["test_rows"].tolist() == [4, 1, 6])
    assert (rounds["round"].tolist() == [1, 2, 3]
            and (rounds[["fit_time", "predict_time"]] >= 0).all(axis=None))
    with pytest.raises(IndexError, match="12 is out of bounds"):
        evaluate(GaussianNB(), X, y, [([0, 12], [1])])
    for wrong in ([], "ten", None, True, 2.5):
        with pytest.raises(ValueError,
                           match="cv has no rounds" if wrong == [] else f"cv is {wrong!r}"):
            evaluate(GaussianNB(), X, y, wrong)


def test_rounds_of_several_measures():
    X, y = points(30, 2)
    rounds = evaluate_rounds(GaussianNB(), X, y, 3, ["accuracy", "error_rate"],
                             random_state=0)
    assert rounds["measure"].tolist() == ["accuracy", "error_rate"] * 3
    assert rounds["round"].tolist() == [1, 1, 2, 2, 3, 3]
    wide = rounds.pivot(index="round", columns="measure", values="value")
    assert np.allclose(wide.sum(axis=1), 1)
    table = evaluate(GaussianNB(), X, y, 3, ["accuracy", "error_rate"], random_state=0)
    assert table["mean"].to_numpy() == pytest.approx(wide.mean().to_numpy(), abs=1e-12)


def test_one_round_has_no_spread():
    X, y = points(30, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = evaluate(GaussianNB(), X, y, Holdout(random_state=0))
    assert (table.loc["accuracy", ["std", "low", "high"]].isna().all()
            and table.loc["accuracy", "rounds"] == 1)


@pytest.mark.deep
def test_same_result_whatever_n_jobs(capsys):
    X, y = points(60)
    classifier = make_pipeline(RoteClassifier())
    alone = evaluate(classifier, X, y, Bootstrap(6, 1), ["accuracy", "f1_macro"])
    spread = evaluate(classifier, X, y, Bootstrap(6, 1), ["accuracy", "f1_macro"], n_jobs=2)
    pd.testing.assert_frame_equal(alone, spread)
    assert capsys.readouterr().err == ""
    with parallel_config(backend="threading", n_jobs=2):
        shown = evaluate(classifier, X, y, Bootstrap(6, 1), ["accuracy", "f1_macro"],
                         verbose=1)
    pd.testing.assert_frame_equal(alone, shown)
    assert "6/6" in capsys.readouterr().err
    pd.testing.assert_series_equal(bootstrap_632(classifier, X, y, 6, random_state=1),
                                   bootstrap_632(classifier, X, y, 6, random_state=1,
                                                 n_jobs=2))


def test_an_error_says_in_which_round():
    X, y = points(20, 2)
    X[0] = np.nan
    with pytest.raises(ValueError, match="NaN") as caught:
        evaluate(GaussianNB(), X, y, [([2, 3, 4, 5], [6]), ([0, 1, 2, 3], [6])])
    assert caught.value.__notes__ == ["This happened in round 2, with 4 training rows."]


# ------------------------------------ the .632 bootstrap


def slow_bootstrap(classifier, X, y, n_repeats, seed):
    """The definitions of A 10.9.1.3, row by row."""
    rounds = list(Bootstrap(n_repeats, seed).split(X))
    models = [copy.deepcopy(classifier).fit(X[train], y[train]) for train, _ in rounds]
    everything = [m.score(X, y) for m in models]
    training = [m.score(X[train], y[train])
                for m, (train, _) in zip(models, rounds, strict=True)]
    rows = []
    for i in range(len(y)):
        asked = [m.predict(X[[i]])[0] == y[i]
                 for m, (_, test) in zip(models, rounds, strict=True) if i in test]
        if asked:
            rows.append(np.mean(asked))
    left_out, training = np.mean(rows), np.mean(training)
    return [np.mean(everything), training, left_out, 0.632 * left_out + 0.368 * training]


@pytest.mark.parametrize("n_repeats", [1, 3, 12])
@pytest.mark.parametrize(
    "classifier", [GaussianNB(), KNeighborsClassifier(1), RoteClassifier()], ids=repr)
def test_bootstrap_632(classifier, n_repeats):
    X, y = points(24, 2, seed=5)
    found = bootstrap_632(classifier, X, y, n_repeats, random_state=2)
    assert found.index.tolist() == ["all rows", "training", "left out", ".632"]
    assert found.to_numpy() == pytest.approx(slow_bootstrap(classifier, X, y, n_repeats, 2),
                                             abs=1e-12)


# ------------------------------------ intervals of shares, and groups


def nearly_all_right():
    """A hundred rows, and a column that tells the class of all but the first."""
    x = np.repeat([0, 1], 50)
    return x[:, None], np.where(np.arange(100) == 0, 1, x)


def test_intervals_of_shares_end_at_0_and_1():
    X, y = nearly_all_right()
    # nine folds of ten without an error and one with one: 0.99 ± 2.262 * 0.01 by hand
    plain = confidence_interval([0.9] + [1.0] * 9)
    assert plain == pytest.approx((0.96738, 1.01262), abs=1e-5)
    assert confidence_interval([0.9] + [1.0] * 9, limits=(0, 1)) == (plain[0], 1)
    found = evaluate(GaussianNB(), X, y, measures={
        "accuracy": "accuracy", "renamed": "accuracy", "wrong": "error_rate",
        "f1": "f1", "auc": "roc_auc", "scorer": make_scorer(f1_score),
        "loss": make_scorer(f1_score, greater_is_better=False),
        "own": lambda t, p: (t == p).mean()}, random_state=0)
    assert (found.loc[["accuracy", "renamed", "f1", "scorer"], "high"] == 1).all()
    assert found.loc["wrong", "low"] == 0 and found.loc["auc", "high"] <= 1
    assert found.loc["own", ["low", "high"]].tolist() == pytest.approx(plain)
    assert found.loc["loss", "low"] < -1  # its limits are others
    several = evaluate([GaussianNB()], X, y, random_state=0)
    assert several["high"].tolist() == [1]


@pytest.mark.parametrize("cv", [GroupKFold(4), LeaveOneGroupOut(), StratifiedGroupKFold(4)],
                         ids=lambda cv: type(cv).__name__)
def test_groups_stay_together(cv):
    X, y = points()
    groups = pd.Series(np.random.default_rng(1).integers(0, 6, 120))
    ours = evaluate_rounds(GaussianNB(), X, y, cv, groups=groups)
    peer = cross_val_score(GaussianNB(), X, y, cv=cv, groups=groups)
    assert ours["value"].tolist() == pytest.approx(peer.tolist())
    assert evaluate(GaussianNB(), X, y, cv, groups=groups)["mean"].iloc[0] == (
        pytest.approx(peer.mean()))
    several = evaluate({"a": GaussianNB(), "b": MajorityClassifier()}, X, y, cv,
                       groups=groups)
    assert several.loc["a", "mean"].iloc[0] == pytest.approx(peer.mean())


@pytest.mark.parametrize("cv", [Bootstrap(3), Holdout(), LeaveOneOut(), [([0, 1], [2])]])
def test_groups_that_would_be_ignored_are_refused(cv):
    X, y = points()
    with pytest.raises(ValueError, match="groups is given, but"):
        evaluate(GaussianNB(), X, y, cv, groups=y)
    with pytest.raises(ValueError, match="120 rows and groups 119"):
        evaluate(GaussianNB(), X, y, GroupKFold(3), groups=y[1:])


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 2)), min_size=10, max_size=60),
       st.integers(2, 5), st.booleans(), st.booleans())
def test_no_group_is_on_both_sides(rows, n_folds, stratified, shuffle):
    groups, y = map(np.array, zip(*rows, strict=True))
    cv = CrossValidation(n_folds, stratified, shuffle, random_state=0)
    if len(set(groups)) < n_folds:
        with pytest.raises(ValueError, match=f"n_folds is {n_folds}, but"):
            cv.split(groups, y, groups)
        return
    tested = []
    for train, test in cv.split(groups, y, groups):
        assert len(test) and not set(groups[train]) & set(groups[test])
        assert sorted([*train, *test]) == list(range(len(y)))
        tested += test.tolist()
    assert sorted(tested) == list(range(len(y)))
    sizes = sorted(len(test) for _, test in CrossValidation(
        n_folds, stratified=False, shuffle=False).split(groups, y, groups))
    assert sizes == sorted(len(test) for _, test in GroupKFold(n_folds).split(y, y, groups))


def test_groups_are_stratified_about_as_well_as_scikit_learns():
    """Mean square distance of the share of each class in a fold from that of all rows."""
    rng = np.random.default_rng(0)
    ours, theirs = [], []
    for seed in range(20):
        groups = rng.integers(0, 60, 400)
        y = (rng.random(60)[groups] < 0.3).astype(int)  # a class for each group
        peer = StratifiedGroupKFold(5, shuffle=True, random_state=seed)
        for cv, found in ((CrossValidation(5, random_state=seed), ours), (peer, theirs)):
            found.append(np.mean([(y[test].mean() - y.mean()) ** 2
                                  for _, test in cv.split(y, y, groups)]))
    assert np.mean(ours) <= 1.5 * np.mean(theirs)


@pytest.mark.parametrize("cv", [3, CrossValidation(3), GroupKFold(3)], ids=str)
def test_unusable_groups(cv):
    X, y = points()
    holes = np.where(np.arange(120) == 7, np.nan, np.arange(120.0) // 10)
    with pytest.raises(ValueError, match="groups has a missing value in row 7"):
        evaluate(GaussianNB(), X, y, cv, groups=holes)
    with pytest.raises(ValueError, match="groups has a missing value in row 7"):
        evaluate(GaussianNB(), X, y, cv, groups=pd.Series(holes).map(
            lambda g: None if np.isnan(g) else f"patient {g:g}"))
    with pytest.raises(ValueError):
        evaluate(GaussianNB(), X, y, cv, groups=np.zeros(120))  # one group
    with pytest.raises(ValueError):
        evaluate(GaussianNB(), X[:1], y[:1], cv, groups=["a"])


def test_groups_by_number_of_folds():
    """Copies of a row in one group: neighbors know nothing about the others."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(40), 5)
    X, y = rng.normal(size=(40, 3))[groups], rng.integers(0, 2, 40)[groups]
    nearest = KNeighborsClassifier(1)
    assert evaluate(nearest, X, y, 5, random_state=0)["mean"].item() == 1
    apart = evaluate(nearest, X, y, 5, random_state=0, groups=groups)
    assert apart["mean"].item() < 0.8
    text = evaluate(nearest, X, y, 5, random_state=0, groups=[f"g{g:02}" for g in groups])
    assert text["mean"].item() == apart["mean"].item()
    given = list(CrossValidation(5, random_state=0).split(X, y, groups))
    assert evaluate(nearest, X, y, given)["mean"].item() == apart["mean"].item()


# ------------------------------------ what is to come


def test_weights_of_rows_train_and_count():
    X, y = points(60, 2)
    w = np.random.default_rng(0).integers(1, 5, 60).astype(float)
    pairs = [(np.arange(60) % 3 != i, np.arange(60) % 3 == i) for i in range(3)]
    by_hand = [np.average(GaussianNB().fit(X[train], y[train], w[train]).predict(X[test])
                          == y[test], weights=w[test]) for train, test in pairs]
    found = evaluate(GaussianNB(), X, y, pairs, sample_weight=w)
    assert found["mean"].iloc[0] == pytest.approx(np.mean(by_hand))


def test_f1_of_named_classes_is_that_of_the_second():
    X, y = points(60, 2)
    named = np.array(["bad", "good"])[y]
    assert (evaluate(GaussianNB(), X, named, 3, "f1", random_state=0)["mean"].iloc[0]
            == evaluate(GaussianNB(), X, y, 3, "f1", random_state=0)["mean"].iloc[0])


@pytest.mark.parametrize("shape", [lambda c: pd.DataFrame({"y": c}), lambda c: c[:, None]],
                         ids=["frame", "array"])
def test_classes_in_a_single_column(shape):
    """As `fit` takes them."""
    v, c = np.arange(40.0)[:, None], (np.arange(40) // 10) % 2
    near = KNeighborsClassifier(1)
    wanted, found = (evaluate(near, v, y, random_state=0)[["mean", "std"]]
                     for y in (c, shape(c)))
    pd.testing.assert_frame_equal(found, wanted)


@examples(60)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(1, 9),
       st.integers(0, 99))
def test_rows_dealt_in_any_order_spread_each_class_over_the_folds(labels, n_folds, seed):
    codes = np.array(labels)
    folds = _assign_folds(codes, n_folds,
                        np.random.default_rng(seed).permutation(len(codes)))
    assert np.ptp(np.bincount(folds, minlength=n_folds)) <= 1
    for c in np.unique(codes):
        assert np.ptp(np.bincount(folds[codes == c], minlength=n_folds)) <= 1
