"""The engine of comparisons: agreement with SciPy, exact false-alarm rates,
the report, and what hostile users pass."""

import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from scipy import stats
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import (
    IndicatorEncoder,
    MajorityClassifier,
    MissingValueImputer,
    RoteClassifier,
    load_loan,
)
from supervised.basics.datasets import load_heart_disease, load_votes
from supervised.evaluation.comparison import holm
from supervised.evaluation.engine.comparison import (
    _model_size,
    blank_values,
    compare_classifiers,
    compare_pairs,
    flip_labels,
    mcnemar_test,
    paired_test,
    plot_comparison,
)
from supervised.evaluation.engine.resampling import (
    Bootstrap,
    CrossValidation,
    LeaveOneOut,
    RepeatedHoldout,
    evaluate,
    evaluate_rounds,
)
from tests import examples
from tests.evaluation import points
from tests.house.test_estimators import estimators

SCORES = st.floats(0, 1)
PAIRS = st.integers(2, 60).flatmap(
    lambda r: st.tuples(st.lists(SCORES, min_size=r, max_size=r),
                        st.lists(SCORES, min_size=r, max_size=r)))


@pytest.fixture(autouse=True)
def no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield
    plt.close("all")


# ------------------------------------ paired differences


@pytest.mark.parametrize("r", [2, 3, 10, 100, 1000])
@pytest.mark.parametrize("shift", [0, 0.02, 1])
def test_t_is_scipys(r, shift):
    rng = np.random.default_rng(r)
    a, b = rng.uniform(size=(2, r))
    a += shift
    ours, peer = paired_test(a, b, correction=None, confidence=0.9), stats.ttest_rel(a, b)
    assert np.allclose([ours.statistic, ours.p_value], [peer.statistic, peer.pvalue],
                       rtol=1e-12, atol=1e-12)
    assert np.allclose([ours.low, ours.high], peer.confidence_interval(0.9), rtol=0,
                       atol=1e-12)
    alone, peer = paired_test(a, 0.5, correction=None), stats.ttest_1samp(a, 0.5)
    assert np.allclose([alone.statistic, alone.p_value], [peer.statistic, peer.pvalue],
                       rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("ratio", [None, 0, 1 / 9, 0.5, 2])
def test_normal_and_correction_by_the_formula(ratio):
    a, b = np.random.default_rng(1).normal(size=(2, 12))
    d = a - b
    sigma = np.sqrt(sum((x - sum(d) / 12) ** 2 for x in d) / 11)
    error = sigma * np.sqrt(1 / 12 + (ratio or 0))
    ours = paired_test(a, b, "normal", ratio)
    assert np.isclose(ours.statistic, sum(d) / 12 / error, rtol=1e-12)
    assert np.isclose(ours.p_value, 2 * stats.norm.sf(abs(ours.statistic)), rtol=1e-12)
    assert np.allclose([ours.low, ours.high], stats.norm.interval(0.95, sum(d) / 12, error),
                       atol=1e-12)
    t = paired_test(a, b, "t", ratio)
    assert (np.isclose(t.p_value, 2 * stats.t(11).sf(abs(t.statistic)), rtol=1e-12)
            and t.p_value > ours.p_value)
    assert np.allclose([t.low, t.high], stats.t.interval(0.95, 11, sum(d) / 12, error),
                       atol=1e-12)


@examples(60)
@given(PAIRS, st.sampled_from(["t", "normal"]), st.sampled_from([None, 1 / 9, 0.5]))
def test_symmetry_and_order(pair, version, ratio):
    a, b = pair
    there, back = paired_test(a, b, version, ratio), paired_test(b, a, version, ratio)
    assert (np.isclose(there.p_value, back.p_value)
            and np.isclose(there.difference, -back.difference))
    assert np.isclose(there.low, -back.high) and there.low <= there.difference <= there.high
    assert 0 <= there.p_value <= 1
    if ratio:  # the correction never makes a difference more significant
        assert there.p_value >= paired_test(a, b, version, None).p_value - 1e-12
    if (abs(there.p_value - 0.05) > 1e-6 and np.isfinite(there.statistic)
        and there.low < there.high):
        assert (there.p_value < 0.05) == (there.low > 0 or there.high < 0)


@pytest.mark.parametrize("a, b, p, s", [
    ([0.5, 0.5], [0.5, 0.5], 1, 0), ([0.3, 0.6], [0.1 + 0.2, 0.6], 1, 0),
    ([0.8, 0.9, 0.7], [0.7, 0.8, 0.6], 0, np.inf),
    ([0.7, 0.8, 0.6], [0.8, 0.9, 0.7], 0, -np.inf),
    ([1, 1, 1], 0, 0, np.inf), ([0, 0, 0], 0, 1, 0)])
@pytest.mark.parametrize("version", ["t", "normal"])
@pytest.mark.parametrize("ratio", [None, 1 / 9])
def test_no_spread(a, b, p, s, version, ratio):
    result = paired_test(a, b, version, ratio)
    assert (result.p_value, result.statistic) == (p, s)
    assert result.low == result.difference == result.high


# ------------------------------------ results know their rounds


def two_results(how, **options):
    X, y = points(90)
    return [how(c, X, y, **{"cv": 5, "random_state": 0} | options)
            for c in (GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0))]


@pytest.mark.parametrize("how", [evaluate, evaluate_rounds])
def test_of_results_the_corrected_test_is_the_default(how):
    X, y = points(90)
    scores = [cross_validate(c, X, y, cv=CrossValidation(5, random_state=0))["test_score"]
              for c in (GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0))]
    d = scores[0] - scores[1]
    s = d.mean() / (d.std(ddof=1) * np.sqrt(1 / 5 + 18 / 72))  # 90 rows in five folds
    found = paired_test(*two_results(how))
    assert (np.isclose(found.statistic, s)
            and np.isclose(found.p_value, 2 * stats.t.sf(abs(s), 4)))
    plain = paired_test(*two_results(how), correction=None)
    assert (np.isclose(plain.p_value, stats.ttest_rel(*scores).pvalue)
            and plain.p_value < found.p_value)
    alone = paired_test(two_results(how)[0], 0.5)
    s = (scores[0].mean() - 0.5) / (scores[0].std(ddof=1) * np.sqrt(1 / 5 + 18 / 72))
    assert np.isclose(alone.statistic, s)


def test_results_say_how_many_rows_trained_and_tested():
    (first, _) = two_results(evaluate)
    assert first.loc["accuracy", ["train_rows", "test_rows"]].tolist() == [72, 18]


def test_bare_numbers_want_the_correction_said():
    with pytest.raises(ValueError, match="bare numbers.*correction=1 / 9.*correction=None"):
        paired_test([0.8, 0.9, 0.7], [0.7, 0.9, 0.6])
    rounds = two_results(evaluate_rounds)
    with pytest.raises(ValueError, match="bare numbers"):
        paired_test(*(table["value"] for table in rounds))


@pytest.mark.parametrize("how", [evaluate, evaluate_rounds])
def test_other_rows_are_no_pairs(how):
    (first, _), (_, second) = two_results(how), two_results(how, random_state=1)
    with pytest.raises(ValueError, match="not tested on the same rows"):
        paired_test(first, second)
    (_, second) = two_results(how, cv=3)
    with pytest.raises(ValueError, match="not tested on the same rows"):
        paired_test(first, second)


def test_several_classifiers_are_evaluated_in_the_same_rounds():
    X, y = points(90)
    several = {"bayes": GaussianNB(), "most": MajorityClassifier()}
    found = evaluate(several, X, y, 5, ["accuracy", "error_rate"], random_state=0)
    assert found.index.names == ["classifier", "measure"] and len(found) == 4
    for name, classifier in several.items():
        alone = evaluate(classifier, X, y, 5, ["accuracy", "error_rate"], random_state=0)
        pd.testing.assert_frame_equal(found.loc[name], alone)
    listed = evaluate([GaussianNB(), MajorityClassifier()], X, y, 5)
    assert listed.index.get_level_values(0).tolist() == ["GaussianNB", "MajorityClassifier"]
    with pytest.raises(ValueError, match="name twice"):
        evaluate([GaussianNB(), GaussianNB()], X, y)


# ------------------------------------ McNemar


@examples(60)
@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 30))
def test_mcnemar_is_the_binomial_test(only_a, only_b, both):
    a = np.repeat([1, 0, 1], [only_a, only_b, both + 1])
    b = np.repeat([0, 1, 1], [only_a, only_b, both + 1])
    truth, n = np.ones(len(a)), only_a + only_b
    ours = mcnemar_test(truth, a, b, labels=[0])
    assert (ours.only_a, ours.only_b, ours.exact) == (only_a, only_b, True)
    assert np.isclose(ours.p_value, stats.binomtest(only_a, n).pvalue if n else 1,
                      rtol=1e-12, atol=1e-12)
    assert np.isclose(ours.difference, a.mean() - b.mean())
    square = mcnemar_test(truth, a, b, exact=False, labels=[0])
    chi2 = max(abs(only_a - only_b) - 1, 0) ** 2 / n if n else 0
    assert (np.isclose(square.statistic, chi2)
            and np.isclose(square.p_value, stats.chi2(1).sf(chi2), atol=1e-12))


def test_mcnemar_on_many_rows():
    truth = np.zeros(5000)
    a, b = np.repeat([0, 1], [2600, 2400]), np.repeat([1, 0], [2600, 2400])
    auto, exact = (mcnemar_test(truth, a, b, labels=[1]),
                   mcnemar_test(truth, a, b, True, [1]))
    assert not auto.exact and np.isclose(auto.statistic, 199**2 / 5000)
    assert np.isclose(exact.p_value, stats.binomtest(2400, 5000).pvalue, rtol=1e-11)
    assert abs(auto.p_value - exact.p_value) < 1e-3


# ------------------------------------ damage


@examples(60)
@given(st.lists(st.sampled_from("abcd"), min_size=2, max_size=50), st.floats(0, 0.99),
       st.integers(0, 99))
def test_flips(labels, share, seed):
    y = pd.Series(labels, index=[f"row {i}" for i in range(len(labels))], dtype="category",
                  name="kind")
    wanted = int(share * len(y) + 0.5)
    if len(set(labels)) == 1 and wanted:
        with pytest.raises(ValueError, match="only the class"):
            flip_labels(y, share, seed)
        return
    flipped = flip_labels(y, share, seed)
    assert (flipped != y).sum() == wanted and set(flipped) <= set(y)
    assert (flipped.dtype == y.dtype and flipped.name == "kind"
            and flipped.index.equals(y.index))
    assert flipped.equals(flip_labels(y, share, seed)) and list(y) == labels
    assert flip_labels(labels, share, seed) == list(flipped)
    less = flip_labels(y, share / 2, seed)
    # nested: more noise keeps what less noise did
    assert (flipped[less != y] == less[less != y]).all()


def test_each_other_class_is_equally_likely():
    y = np.repeat([0, 1, 2, 3], [9000, 500, 250, 250])
    counts = np.bincount(
        flip_labels(y, 0.9, 0)[:9000][y[:9000] != flip_labels(y, 0.9, 0)[:9000]],
        minlength=4)
    assert counts[0] == 0 and stats.chisquare(counts[1:]).pvalue > 0.001


def test_blanks_are_counted_and_nested():
    X = np.arange(60.0).reshape(12, 5)
    one, two = blank_values(X, 0.2, 3), blank_values(X, 0.5, 3)
    assert np.isnan(one).sum() == 12 and np.isnan(two).sum() == 30 and not np.isnan(X).any()
    assert (np.isnan(two[np.isnan(one)]).all()
            and (two[~np.isnan(two)] == X[~np.isnan(two)]).all())
    assert (blank_values(X, 0, 3) == X).all()
    columns = np.sum([np.isnan(blank_values(X, 0.4, seed)) for seed in range(300)], axis=0)
    # every cell as likely as any other
    assert stats.chisquare(columns.ravel()).pvalue > 0.001


# ------------------------------------ the report


def prepared(learner):
    return make_pipeline(MissingValueImputer(), IndicatorEncoder(), learner)


def test_report_is_what_cross_validation_says():
    X, y = load_heart_disease()
    classifiers = {"bayes": prepared(GaussianNB()),
                   "tree": prepared(DecisionTreeClassifier(random_state=0)),
                   "majority": MajorityClassifier()}
    cv = CrossValidation(5, random_state=3)
    report = compare_classifiers(classifiers, X, y, cv=cv).set_index("classifier")
    peer = {name: cross_validate(c, X, y, cv=cv)["test_score"]
            for name, c in classifiers.items()}
    assert (list(report.index) == list(classifiers)
            and (report["injected"] == "nothing").all())
    ratio = np.mean([len(test) / len(train) for train, test in cv.split(X, y)])
    for name, scores in peer.items():
        assert np.isclose(report.loc[name, "mean"], scores.mean(), atol=1e-12)
        t = stats.t.ppf(0.975, 4) * scores.std(ddof=1) * np.sqrt(1 / 5 + ratio)
        assert np.isclose(report.loc[name, "high"] - scores.mean(), t, atol=1e-12)
        d = peer["bayes"] - scores
        if name != "bayes":
            s = d.mean() / (d.std(ddof=1) * np.sqrt(1 / 5 + ratio))
            assert np.isclose(report.loc[name, "p_value"], 2 * stats.t.sf(s, 4), atol=1e-12)
            assert np.isclose(report.loc[name, "difference"], -d.mean(), atol=1e-12)
    assert report.loc["bayes", ["difference", "p_value"]].tolist() == [0, 1]


def test_rounds_share_rows_and_damage():
    """The noise is in the training rows alone,
    the same for all, and as much as was asked for."""

    class Spy(MajorityClassifier):
        def fit(self, X, y, sample_weight=None):
            seen.append((X.copy(), y.copy()))
            return super().fit(X, y)

        def predict(self, X):
            asked.append(X)
            return super().predict(X)

    seen, asked = [], []
    X, y = points(60, 2)
    report = compare_classifiers({"one": Spy(), "two": Spy()}, X, y, 3,
                                 noise=(0.25, 0.5), missing=(0.5,))
    assert len(report.attrs["rounds"]["value"]) == 2 * 3 * 4
    assert all(not np.isnan(rows).any() for rows in asked)
    clean = seen[:6:2]
    for i, ((rows, labels), (same_rows, same_labels)) in enumerate(
            zip(seen[::2], seen[1::2], strict=True)):
        before_rows, before = clean[i % 3]
        assert (np.array_equal(rows, same_rows, equal_nan=True)
                and (labels == same_labels).all())
        assert (labels != before).sum() == [0, 10, 20, 0][i // 3]
        assert (np.isnan(rows).sum() == [0, 0, 0, 80][i // 3]
                and (rows == before_rows)[~np.isnan(rows)].all())


def test_same_seed_same_report_whatever_n_jobs():
    X, y = points(90)
    stable = ["classifier", "injected", "share", "mean", "low", "high", "difference",
              "p_value", "size", "leaves"]
    options = {"cv": 3, "noise": (0.2,)}
    classifiers = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB()}
    one = compare_classifiers(classifiers, X, y, **options)[stable]
    with parallel_config(backend="threading"):
        assert one.equals(compare_classifiers(classifiers, X, y, n_jobs=2,
                                              **options)[stable])
    other = compare_classifiers(classifiers, X, y, random_state=1, **options)[stable]
    assert not one.equals(other)
    generators = [compare_classifiers(
        classifiers, X, y, random_state=np.random.default_rng(5), **options)[stable]
                  for _ in range(2)]
    assert generators[0].equals(generators[1])


@pytest.mark.parametrize("cv", [RepeatedHoldout(4, random_state=0),
                                Bootstrap(4, random_state=0), LeaveOneOut(),
                                [([0, 1, 2, 3], [4, 5]), ([2, 3, 4, 5], [0, 1])]])
def test_any_scheme(cv):
    X, y = points(12, 2)
    report = compare_classifiers([GaussianNB(), MajorityClassifier()], X, y, cv)
    assert report[["mean", "p_value"]].notna().all(axis=None)


def test_perfect_and_equal_classifiers():
    X = np.repeat([[0.0], [10.0]], 20, axis=0)
    y = np.repeat(["low", "high"], 20)
    report = compare_classifiers({"a": RoteClassifier(), "b": DecisionTreeClassifier(),
                                  "m": MajorityClassifier()}, X, y, 5)
    assert (report["mean"].tolist() == [1, 1, 0.5]
            and report["p_value"].tolist() == [1, 1, 0])
    assert report["low"].tolist() == report["high"].tolist() == [1, 1, 0.5]


@pytest.mark.parametrize("learner", [
    e for e in estimators() if is_classifier(e) and "XRules" not in type(e).__name__
    and type(e).__module__.split(".")[1] in ("rules", "associations")], ids=str)
def test_the_rules_of_every_rule_learner_are_counted(learner):
    X, y = load_loan()
    model = clone(learner).fit(X, y)
    lines = model.to_text().splitlines()  # a rule on each, and the default on the last
    assert _model_size(model)["rules"] == len(lines) - 1
    assert np.isnan(_model_size(model)["leaves"])


# ------------------------------------ measures, and all pairs


def test_a_measure_of_one_class_takes_the_second_of_two_names():
    X, y = load_votes()
    rounds = CrossValidation(3, random_state=0)
    report = compare_classifiers([MajorityClassifier(), RoteClassifier()], X, y, rounds,
                                 measures="recall")
    told = evaluate(RoteClassifier(), X, y, rounds, "recall")
    assert report.set_index("classifier")["mean"].to_dict() == {
        "MajorityClassifier": 0, "RoteClassifier": told.loc["recall", "mean"]}


def test_a_report_of_several_measures():
    X, y = points(90)
    several = {"bayes": GaussianNB(), "most": MajorityClassifier()}
    cv = CrossValidation(5, random_state=3)
    report = compare_classifiers(several, X, y, cv, measures=["error_rate", "neg_log_loss"])
    assert report["measure"].tolist() == ["error_rate"] * 2 + ["neg_log_loss"] * 2
    for name, classifier in several.items():
        peer = cross_validate(classifier, X, y, cv=cv, scoring=["accuracy", "neg_log_loss"])
        rows = report[report["classifier"] == name].set_index("measure")["mean"]
        assert np.isclose(rows["error_rate"], 1 - peer["test_accuracy"].mean())
        assert np.isclose(rows["neg_log_loss"], peer["test_neg_log_loss"].mean())
    best = report[report["difference"] == 0]
    # the fewest errors, the largest score
    assert best["classifier"].tolist() == ["bayes", "bayes"]
    assert plot_comparison(report).get_xlabel() == "error_rate"
    ax = plot_comparison(report, measure="neg_log_loss")
    assert ax.get_xlabel() == "neg_log_loss"
    with pytest.raises(ValueError, match="measure is 'auc', but the report has"):
        plot_comparison(report, measure="auc")
    with pytest.raises(ValueError, match="measures has 3"):
        compare_classifiers(several, X, y, measures=[3])


def test_all_pairs():
    X, y = points(90)
    three = {"bayes": GaussianNB(), "most": MajorityClassifier(), "rote": RoteClassifier()}
    pairs = compare_pairs(compare_classifiers(three, X, y, 5,
                                              measures=["accuracy", "error_rate"]))
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [
        ("bayes", "most"), ("bayes", "rote"), ("most", "rote")] * 2
    report = compare_classifiers(three, X, y, 5).set_index("classifier")
    one = pairs.iloc[0]
    assert np.isclose(one["p_value"], report.loc["most", "p_value"])
    assert np.isclose(one["difference"], -report.loc["most", "difference"])
    for _, part in pairs.groupby("measure"):
        assert np.allclose(part["holm"], holm(part["p_value"]))  # a family for each measure
    with pytest.raises(ValueError, match="only one classifier"):
        compare_pairs(compare_classifiers([GaussianNB()], X, y, 5))
    with pytest.raises(ValueError, match="confidence is 2"):
        compare_pairs(report, confidence=2)
    with pytest.raises(ValueError, match="what compare_classifiers returns"):
        compare_pairs(pairs)



# ------------------------------------ shares, and groups


def test_groups_in_a_comparison():
    X, y = points(90)
    groups = np.arange(len(X)) % 5
    report = compare_classifiers([GaussianNB()], X, y,
                                 GroupKFold(5).split(X, y, groups))
    pairs = [(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in range(5)]
    by_hand = compare_classifiers([GaussianNB()], X, y, pairs)
    assert report["mean"].tolist() == pytest.approx(by_hand["mean"].tolist())
