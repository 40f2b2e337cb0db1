"""The engine of comparisons: agreement with SciPy, exact false-alarm rates,
the report, and what hostile users pass."""

import pickle
import warnings

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from joblib import parallel_config
from scipy import sparse, stats
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

from supervised.associations import (
    CBAClassifier,
    CMARClassifier,
    CPARClassifier,
    MaximalPatternClassifier,
    StrongestRuleClassifier,
    XRulesClassifier,
)
from supervised.basics import (
    IndicatorEncoder,
    MajorityClassifier,
    MissingValueImputer,
    RoteClassifier,
    learn_table,
    load_loan,
)
from supervised.basics.datasets import load_heart_disease, load_votes
from supervised.basics.learning import error_rate
from supervised.basics.tables import is_missing
from supervised.evaluation.comparison import holm
from supervised.evaluation.engine.comparison import (
    _compare_pairs,
    _compare_rounds,
    _model_size,
    blank_values,
    compare_classifiers,
    flip_labels,
    mcnemar_test,
    paired_test,
    plot_comparison,
    plot_robustness,
)
from supervised.evaluation.engine.resampling import (
    Bootstrap,
    CrossValidation,
    Holdout,
    LeaveOneOut,
    RepeatedHoldout,
    evaluate,
    evaluate_rounds,
    rounds_of,
)
from supervised.rules import (
    AQClassifier,
    C45RulesClassifier,
    CN2Classifier,
    FOCLClassifier,
    FOILClassifier,
    IREPClassifier,
    PARTClassifier,
    REPClassifier,
    RIPPERClassifier,
)
from supervised.trees import C45Classifier
from tests import examples

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


def points(n=90, n_classes=3, seed=0):
    """Points whose class shifts the mean."""
    y = np.arange(n) % n_classes
    return np.random.default_rng(seed).normal(size=(n, 3)) + y[:, None], y


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


def test_equally_correlated_rounds():
    """With correlation rho in all pairs, the corrected test has its level,
    and the plain one a known excess."""
    r, rho = 20, 0.2
    rng = np.random.default_rng(0)
    d = (np.sqrt(1 - rho) * rng.normal(size=(2000, r))
         + np.sqrt(rho) * rng.normal(size=(2000, 1)))
    plain = np.mean([paired_test(x, 0, correction=None).p_value < 0.05 for x in d])
    corrected = np.mean([paired_test(x, 0, correction=rho / (1 - rho)).p_value < 0.05
                         for x in d])
    excess = 2 * stats.t(r - 1).cdf(stats.t(r - 1)
                                    .ppf(0.025) / np.sqrt(1 + r * rho / (1 - rho)))
    assert abs(corrected - 0.05) < 0.015 and abs(plain - excess) < 0.035 and excess > 0.3


def test_results_print_and_freeze():
    result = paired_test([3, 1, 2, 0, 4], 0, correction=None)
    assert str(result) == ("mean difference 2.0000, 95% interval 0.0368 to 3.9632; "
                           "s = 2.83, p = 0.0474 (t(4), 5 rounds)")
    assert "normal, 5 rounds" in str(paired_test([3, 1, 2, 0, 4], 0, "normal", None))
    with pytest.raises(AttributeError):
        result.p_value = 0
    assert pickle.loads(pickle.dumps(result)) == result
    assert str(mcnemar_test([1, 1], [1, 0], [1, 1], labels=[0])) == (
        "only a right: 0, only b right: 1; difference -0.5000, p = 1 (exact)")


@pytest.mark.parametrize("a, b, options, message", [
    ([1, 2, 3], [1, 2], {}, "a has 3 rounds and b 2"),
    ([1], [2], {}, "only 1 rounds"), ([], [], {}, "only 0 rounds"),
    ([1], 0, {}, "only 1 rounds"), ([1, np.nan], [1, 2], {}, "a has nan in round 2"),
    ([1, 2], [1, np.inf], {}, "b has inf in round 2"),
    ([1, 2], np.nan, {}, "b has nan"), ([1, None], [1, 2], {}, "a has nan in round 2"),
    (["x", "y"], [1, 2], {}, "a must be numbers"),
    ([[1, 2]], [1, 2], {}, r"a must be one number .* \(1, 2\)"),
    ([1, 2], [[1], [2]], {}, "b must be one number"), (3, 4, {}, "a must be one number"),
    ([1, 2], [1, 3], {"version": "z"}, "version is 'z'"),
    ([1, 2], [1, 3], {"correction": -1}, "correction is -1"),
    ([1, 2], [1, 3], {"correction": np.nan}, "correction is nan"),
    ([1, 2], [1, 3], {"correction": "1/9"}, "correction is '1/9'"),
    ([1, 2], [1, 3], {"confidence": 95}, "confidence is 95"),
    ([1, 2], [1, 3], {"confidence": 0}, "confidence is 0")])
def test_hostile_scores(a, b, options, message):
    with pytest.raises(ValueError, match=message):
        paired_test(a, b, **{"correction": None} | options)


# ------------------------------------ results know their rounds


def two_results(how, **options):
    X, y = points()
    return [how(c, X, y, **{"cv": 5, "random_state": 0} | options)
            for c in (GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0))]


@pytest.mark.parametrize("how", [evaluate, evaluate_rounds])
def test_of_results_the_corrected_test_is_the_default(how):
    X, y = points()
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


@pytest.mark.parametrize("how", [evaluate, evaluate_rounds])
def test_one_measure_is_to_be_chosen(how):
    first, second = two_results(how, measures=["accuracy", "neg_log_loss"])
    with pytest.raises(ValueError,
                       match="several values in a round, of .*neg_log_loss.*choose one"):
        paired_test(first, second)
    if how is evaluate:
        chosen = paired_test(first.loc[["accuracy"]], second.loc[["accuracy"]])
    else:
        chosen = paired_test(*(t[t["measure"] == "accuracy"] for t in (first, second)))
    assert chosen == paired_test(*two_results(how))
    with pytest.raises(ValueError, match="a has the columns .*give what evaluate"):
        paired_test(pd.DataFrame({"x": [1.0, 2.0]}), 0)


def test_several_classifiers_are_evaluated_in_the_same_rounds():
    X, y = points()
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


def test_mcnemar_takes_labels_of_any_type():
    y = pd.Series(["cat", "dog", "cat", "cow"], dtype="category")
    a, b = ["cat", "dog", "dog", "cow"], np.array(["dog", "dog", "dog", "cat"],
                                                  dtype=object)
    result = mcnemar_test(y, a, b)
    assert (result.only_a, result.only_b) == (2, 0) and result.p_value == 0.5
    assert mcnemar_test([True, False], [1, 0], [0.0, 0.0]).only_a == 1
    assert mcnemar_test(y, a, a).p_value == 1 and mcnemar_test(y, a, a, False).p_value == 1


@pytest.mark.parametrize("y, a, b, options, message", [
    ([1, 0], [1], [1, 0], {}, "y_true has 2 labels and y_pred_a 1"),
    ([1, 0], [1, 0], [1, 0, 1], {}, "y_true has 2 labels and y_pred_b 3"),
    ([], [], [], {}, "at least one"),
    ([1, None], [1, 1], [1, 1], {}, "y_true has a missing label in row 1"),
    ([1, 0], [1, np.nan], [1, 1], {}, "y_pred_a has a missing label in row 1"),
    ([1, 0], [1, 2], [1, 1], {}, "y_pred_a has 2, which y_true has not"),
    (["no", "yes"], ["no", "no"], ["no", "Yes"], {}, "y_pred_b has 'Yes'"),
    ([1, 0], ["1", "0"], [1, 1], {}, "labels can't be compared"),
    ([[1, 0]], [1, 0], [1, 0], {}, "y_true must be one-dimensional"),
    ([1, 0], [1, 0], [1, 0], {"exact": "maybe"}, "exact is 'maybe'")])
def test_hostile_predictions(y, a, b, options, message):
    with pytest.raises(ValueError, match=message):
        mcnemar_test(y, a, b, **options)


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


def test_blanks_in_every_kind_of_column():
    frame = pd.DataFrame({
        "bool": [True, False] * 10, "text": pd.array(list("ab") * 10, dtype="string"),
        "int": range(20), "float": np.linspace(0, 1, 20),
        "kind": pd.Categorical(list("xy") * 10), "Int": pd.array(range(20), "Int64"),
        "object": ["u", "v"] * 10}, index=range(100, 120))
    gaps = blank_values(frame, 0.3, 0)
    assert gaps.isna().to_numpy().sum() == 42 and (gaps.index == frame.index).all()
    assert ((gaps == frame) | gaps.isna()).all(axis=None)
    assert gaps.dtypes[["text", "float", "kind", "Int", "object"]].equals(
        frame.dtypes[["text", "float", "kind", "Int", "object"]])
    learned, before = learn_table(gaps), learn_table(frame)
    assert [a.kind for a in learned.attributes] == [a.kind for a in before.attributes]
    table = blank_values(before, 0.3, 0)
    for (attribute, column), (_, old), name in zip(table.columns(), before.columns(), frame,
                                                   strict=True):
        assert attribute.name == name and (is_missing(column) == gaps[name].isna()).all()
        assert (column[~is_missing(column)] == old[~is_missing(column)]).all()
    assert blank_values([["a", 1], ["b", 2]], 0.5, 0).shape == (2, 2)
    assert np.isnan(blank_values(np.arange(4).reshape(2, 2), 0.5, 0)).sum() == 2


@pytest.mark.parametrize("share", [1, 1.5, -0.1, np.nan, np.inf, "0.1", None, True])
def test_hostile_shares(share):
    X, y = points()
    with pytest.raises(ValueError, match="share is"):
        flip_labels(y, share)
    with pytest.raises(ValueError, match="share is"):
        blank_values(X, share)
    for name in ("noise", "missing"):
        with pytest.raises(ValueError, match=f"{name} is"):
            compare_classifiers([GaussianNB()], X, y, **{name: [share]})


def test_hostile_damage():
    with pytest.raises(TypeError, match="Sparse"):
        blank_values(sparse.csr_array(np.eye(3)), 0.1)
    with pytest.raises(ValueError, match="2D"):
        blank_values([1, 2, 3], 0.1)
    with pytest.raises(ValueError, match="missing label in row 1"):
        flip_labels(["a", None, "b"], 0.5)
    with pytest.raises(ValueError, match="no rows"):
        flip_labels([], 0.5)
    for function in (flip_labels, blank_values):
        with pytest.raises(ValueError, match="random_state"):
            function(np.eye(3) if function is blank_values else [0, 1], 0.5, "seed")


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


def test_conditions_and_columns():
    X, y = load_votes()
    report = compare_classifiers([MajorityClassifier(), RoteClassifier()], X, y, 3,
                                 noise=(0.1, 0, 0.1), missing=[0.2])
    assert list(zip(report["injected"], report["share"], report["classifier"],
                    strict=True)) == [(injected, share, name) for injected, share in [
                        ("nothing", 0), ("label noise", 0.1), ("missing values", 0.2)]
                                      for name in ("MajorityClassifier", "RoteClassifier")]
    assert list(report.columns) == ["classifier", "injected", "share", "measure", "mean",
                                    "low", "high", "difference", "p_value", "fit_time",
                                    "predict_time", "size", "leaves", "rules"]
    assert ((report[["fit_time", "predict_time", "size"]] > 0).all(axis=None)
            and report["leaves"].isna().all())


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
    table = _compare_rounds({"one": Spy(), "two": Spy()}, X, y, rounds_of(3, X, y, 0),
                            noise=(0.25, 0.5), missing=(0.5,))
    assert len(table) == 2 * 3 * 4 and all(not np.isnan(rows).any() for rows in asked)
    clean = seen[:6:2]
    for i, ((rows, labels), (same_rows, same_labels)) in enumerate(
            zip(seen[::2], seen[1::2], strict=True)):
        before_rows, before = clean[i % 3]
        assert (np.array_equal(rows, same_rows, equal_nan=True)
                and (labels == same_labels).all())
        assert (labels != before).sum() == [0, 10, 20, 0][i // 3]
        assert (np.isnan(rows).sum() == [0, 0, 0, 60][i // 3]
                and (rows == before_rows)[~np.isnan(rows)].all())


def test_same_seed_same_report_whatever_n_jobs():
    X, y = points()
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


def test_progress(capsys):
    X, y = points()
    compare_classifiers([GaussianNB()], X, y, 3, verbose=1)
    assert "3/3" in capsys.readouterr().err


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


def test_lists_and_frames_as_data():
    X, y = load_loan()
    report = compare_classifiers([MajorityClassifier(), RoteClassifier()], X, y, 3,
                                 noise=(0.2,), missing=(0.2,))
    rows = [list(row) for row in X.astype(object).to_numpy()]
    same = compare_classifiers([MajorityClassifier(), RoteClassifier()], rows, list(y), 3,
                               noise=(0.2,), missing=(0.2,))
    # undeclared domains may lose a value
    assert report["mean"].tolist()[:4] == same["mean"].tolist()[:4]


def test_sizes():
    X, y = points()
    tree = DecisionTreeClassifier(max_leaf_nodes=5, random_state=0).fit(X, y)
    size = _model_size(make_pipeline(MissingValueImputer(),
                                     DecisionTreeClassifier(max_leaf_nodes=5)).fit(X, y))
    assert (_model_size(tree)["leaves"] == size["leaves"] == 5
            and size["size"] > _model_size(tree)["size"])
    assert (np.isnan(size["rules"])
            and 1 <= _model_size(tree)["size"] / len(pickle.dumps(tree, protocol=5)) < 1.5)
    loaded = pickle.loads(pickle.dumps(tree))  # other objects with the same content
    assert _model_size(loaded) | {"rules": 0} == _model_size(tree) | {"rules": 0}
    tree.note = lambda: None  # can't be pickled
    assert np.isnan(_model_size(tree)["size"])


RULES = [C45RulesClassifier, CN2Classifier, AQClassifier, FOILClassifier, FOCLClassifier,
         PARTClassifier, IREPClassifier, REPClassifier, RIPPERClassifier, CBAClassifier,
         StrongestRuleClassifier, CMARClassifier, CPARClassifier, MaximalPatternClassifier]


@pytest.mark.parametrize("learner", RULES)
def test_the_rules_of_every_rule_learner_are_counted(learner):
    X, y = load_loan()
    model = learner().fit(X, y)
    lines = model.to_text().splitlines()  # a rule on each, and the default on the last
    assert _model_size(model)["rules"] == len(lines) - 1
    assert np.isnan(_model_size(model)["leaves"])


def test_rules_in_a_report():
    X, y = load_loan()
    report = compare_classifiers([PARTClassifier(), C45Classifier(), MajorityClassifier()],
                                 X, y, 3).set_index("classifier")
    rounds = [PARTClassifier().fit(X.iloc[train], y.iloc[train])
              for _, train, _ in rounds_of(3, X, y, 0)]
    counted = [len(model.to_text().splitlines()) - 1 for model in rounds]
    assert report["rules"]["PARTClassifier"] == np.mean(counted) > 0
    assert report["leaves"]["C45Classifier"] > 1
    assert report[["leaves", "rules"]].isna().to_numpy().tolist() == [
        [True, False], [False, True], [True, True]]
    trees = ["a(b)", "a(b)", "c", "c"]
    model = XRulesClassifier().fit(trees, [0, 0, 1, 1])
    assert _model_size(model)["rules"] == len(model.to_text().splitlines()) - 1


@pytest.mark.parametrize("classifiers, message", [
    ([], "classifiers is empty"), ({}, "classifiers is empty"), ("tree", "dict or list"),
    (None, "dict or list"), (GaussianNB(), "dict or list of classifiers, not GaussianNB"),
    ([GaussianNB(), GaussianNB()], "name twice"),
    ([prepared(GaussianNB()), GaussianNB()], "name twice"),
    ({1: GaussianNB(), "1": GaussianNB()}, "name twice"),
    ([GaussianNB], "no classifier to fit"), ({"x": 3}, r"classifiers\['x'\] is 3")])
def test_hostile_classifiers(classifiers, message):
    with pytest.raises(ValueError, match=message):
        compare_classifiers(classifiers, *points())


@pytest.mark.parametrize("options, message", [
    ({"cv": 1}, "n_folds is 1"), ({"cv": Holdout(random_state=0)}, "single round"),
    ({"cv": "five"}, "cv is 'five'"), ({"cv": 31}, "n_folds is 31, but class"),
    ({"noise": 0.1}, "noise is 0.1"), ({"missing": "0.1"}, "missing is"),
    ({"confidence": 2}, "confidence is 2"), ({"random_state": -1}, "random_state")])
def test_hostile_options(options, message):
    with pytest.raises(ValueError, match=message):
        compare_classifiers([GaussianNB()], *points(), **options)


def test_errors_say_where():
    X, y = points()
    with pytest.raises(ValueError, match="NaN") as caught:
        compare_classifiers({"fussy": LogisticRegression()}, X, y, 3, missing=(0.2,))
    assert "classifier 'fussy' in round 1, injected: missing values, 0.2" in " ".join(
        caught.value.__notes__)
    with pytest.raises(ValueError, match="X has 90 rows and y 89"):
        compare_classifiers([GaussianNB()], X, y[1:])
    with pytest.raises(ValueError, match="missing label"):
        compare_classifiers([GaussianNB()], X, np.where(y == 0, np.nan, y))


# ------------------------------------ measures, and all pairs


def test_nothing_is_damaged_unless_asked():
    report = compare_classifiers([GaussianNB(), MajorityClassifier()], *points(), cv=3)
    assert set(report["injected"]) == {"nothing"} and len(report) == 2


def test_a_report_of_several_measures():
    X, y = points()
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
    X, y = points()
    three = {"bayes": GaussianNB(), "most": MajorityClassifier(), "rote": RoteClassifier()}
    pairs = compare_classifiers(three, X, y, 5, measures=["accuracy", "error_rate"],
                                against="all")
    assert list(zip(pairs["first"], pairs["second"], strict=True)) == [
        ("bayes", "most"), ("bayes", "rote"), ("most", "rote")] * 2
    report = compare_classifiers(three, X, y, 5).set_index("classifier")
    one = pairs.iloc[0]
    assert np.isclose(one["p_value"], report.loc["most", "p_value"])
    assert np.isclose(one["difference"], -report.loc["most", "difference"])
    for _, part in pairs.groupby("measure"):
        assert np.allclose(part["holm"], holm(part["p_value"]))  # a family for each measure
    rounds = _compare_rounds(three, X, y, rounds_of(5, X, y, 0),
                             measures=["accuracy", "error_rate"])
    pd.testing.assert_frame_equal(_compare_pairs(rounds), pairs)
    with pytest.raises(ValueError, match="only one classifier"):
        compare_classifiers([GaussianNB()], X, y, 5, against="all")
    with pytest.raises(ValueError, match="against is 'each'"):
        compare_classifiers(three, X, y, against="each")


# ------------------------------------ the plots


def test_plots_show_the_report():
    X, y = points()
    classifiers = {"tree": DecisionTreeClassifier(random_state=0), "bayes": GaussianNB(),
                   "most": MajorityClassifier()}
    report = compare_classifiers(classifiers, X, y, 5, noise=(0.1, 0.3))
    ax = plot_comparison(report)
    names = [label.get_text() for label in ax.get_yticklabels()]
    shown = {names[int(line.get_ydata()[0])]: line.get_xdata()[0]
             for line in ax.lines if len(line.get_xdata()) == 1}
    clean = report[report["injected"] == "nothing"].set_index("classifier")["mean"]
    assert (shown == clean.to_dict()
            and names == list(clean.sort_values(kind="stable").index))
    assert sum(text.get_text() == "best" for text in ax.texts) == 1
    (ax,) = plot_robustness(report)
    assert [line.get_label() for line in ax.lines] == list(classifiers)
    for line in ax.lines:
        rows = report[report["classifier"] == line.get_label()]
        assert (line.get_xdata().tolist() == [0, 0.1, 0.3]
                and np.allclose(line.get_ydata(), rows["mean"]))
    own = plt.subplots()[1]
    assert (plot_comparison(report, ax=own) is own
            and plot_robustness(report, [own]) == [own])


def test_hostile_reports():
    X, y = points()
    clean = compare_classifiers([GaussianNB()], X, y, 3)
    with pytest.raises(ValueError, match="no damage"):
        plot_robustness(clean)
    for draw in (plot_comparison, plot_robustness):
        for report in (None, pd.DataFrame({"min_precision": [1]}),
                       clean.drop(columns="p_value")):
            with pytest.raises(ValueError,
                               match="report must be what compare_classifiers returns"):
                draw(report)


# ------------------------------------ shares, and groups


def nearly_all_right():
    """A hundred rows, and a column that tells the class of all but the first."""
    x = np.repeat([0, 1], 50)
    return x[:, None], np.where(np.arange(100) == 0, 1, x)


def test_intervals_of_shares_end_at_0_and_1():
    X, y = nearly_all_right()
    given = {"classifiers": {"bayes": GaussianNB()}, "X": X, "y": y, "cv": 10,
             "measures": {"right": "accuracy", "wrong": error_rate, "auc": "roc_auc",
                          "loss": "neg_log_loss", "own": lambda t, p: (t == p).mean()}}
    report = compare_classifiers(**given).set_index("measure")
    assert report["high"]["own"] > 1  # nobody can know that it is a share
    assert report["high"]["right"] == 1 and report["low"]["wrong"] == 0
    assert report["high"]["auc"] <= 1
    assert report["low"]["right"] == report["low"]["own"]
    assert report["low"]["loss"] < 0


def test_groups_in_a_comparison():
    X, y = points()
    groups = np.arange(len(X)) % 5
    report = compare_classifiers([GaussianNB()], X, y, GroupKFold(5), groups=groups)
    pairs = [(np.flatnonzero(groups != g), np.flatnonzero(groups == g)) for g in range(5)]
    by_hand = compare_classifiers([GaussianNB()], X, y, pairs)
    assert report["mean"].tolist() == pytest.approx(by_hand["mean"].tolist())
