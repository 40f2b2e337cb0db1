"""The engine of rankings: curves as scikit-learn's, plots, bands,
and what hostile users pass."""

import warnings
from fractions import Fraction

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from sklearn import metrics
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from supervised.evaluation.engine.ranking import (
    CostPlot,
    RocPlot,
    _auc,
    _roc_heights,
    _roc_hull,
    _threshold_curves,
    bootstrap_band,
    bootstrap_curves,
    curves_from_ranks,
    one_vs_rest_roc,
    positive_scores,
)
from supervised.evaluation.prices import cost_curve
from supervised.evaluation.ranking import (
    average_precision,
    break_even_point,
    dominates,
    lift_curve,
    precision_recall_curve,
    rank_sum_auc,
    roc_auc,
    roc_curve,
)
from tests import examples
from tests.evaluation.test_ranking import columns, exact, rows


@examples(40)
@given(rows)
def test_curves_equal_scikit_learn(rows):
    y, s, w = columns(rows)
    assume(0 < y.sum() < len(y))
    for weights in (None, w):
        if (weights is not None
            and (weights[y == 1].sum() == 0 or weights[y == 0].sum() == 0)):
            continue
        peer = metrics.roc_curve(y, s, sample_weight=weights, drop_intermediate=False)
        for mine, theirs in zip(roc_curve(y, s, sample_weight=weights), peer, strict=True):
            assert_allclose(mine, theirs, **exact)
        peer = metrics.precision_recall_curve(y, s, sample_weight=weights)
        for mine, theirs in zip(precision_recall_curve(y, s, sample_weight=weights), peer,
                                strict=True):
            assert_allclose(mine, theirs, **exact)
        peer = metrics.roc_auc_score(y, s, sample_weight=weights)
        assert_allclose(roc_auc(y, s, sample_weight=weights), peer, **exact)
        peer = metrics.average_precision_score(y, s, sample_weight=weights)
        assert_allclose(average_precision(y, s, sample_weight=weights), peer, **exact)


@examples(40)
@given(rows)
def test_counts_by_definition(rows):
    y, s, w = columns(rows)
    assume((w * y).sum() > 0)
    curves = _threshold_curves(y, s, sample_weight=w)
    assert curves.thresholds[1:].tolist() == sorted(set(s[w > 0]), reverse=True)
    for t, tp, fp, size in zip(curves.thresholds, curves.tp, curves.fp, curves.size,
                               strict=True):
        assert_allclose(
            [tp, fp], [w[(s >= t) & (y == 1)].sum(), w[(s >= t) & (y == 0)].sum()], **exact)
        assert_allclose(size, w[s >= t].sum(), **exact)
    for t, f1 in zip(curves.thresholds, curves.f1, strict=True):
        peer = metrics.f1_score(y, s >= t, sample_weight=w, zero_division=0)
        assert_allclose(f1, peer, **exact)


@examples(60)
@given(rows)
def test_weights_are_copies(rows):
    y, s, w = columns(rows)
    w = np.round(w / 0.37).astype(int)
    assume((w * y).sum() > 0 and (w * (1 - y)).sum() > 0)
    again, more = np.repeat(y, w), np.repeat(s, w)
    for measure in (roc_auc, average_precision, break_even_point):
        assert_allclose(measure(y, s, sample_weight=w), measure(again, more), **exact)


@examples(60)
@given(st.integers(1, 40).flatmap(lambda n: st.tuples(
    st.just(n), st.lists(st.integers(1, n), min_size=1, max_size=n, unique=True))))
def test_ranks_alone(case):
    n, ranks = case
    curves = curves_from_ranks(ranks, n)
    assert_allclose(curves.size, np.arange(n + 1), **exact)
    assert_allclose(curves.tp[1:],
                    [sum(r <= k for r in ranks) for k in range(1, n + 1)], **exact)
    p = len(ranks)
    if p < n:
        area = 1 - Fraction(sum(ranks) - p * (p + 1) // 2, p * (n - p))
        assert_allclose(_auc(curves.fpr, curves.recall), float(area), **exact)


def test_one_class_only():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for measure in (roc_auc, rank_sum_auc):
            with pytest.raises(ValueError, match="AUC.* both classes"):
                measure([1, 1], [1, 2])
        with pytest.raises(ValueError, match="both classes"):
            roc_curve([1, 1], [1, 2])
        # no negatives needed
        assert average_precision([1, 1], [1, 2]) == break_even_point([1, 1], [1, 1]) == 1.0
        for measure in (roc_curve, roc_auc, precision_recall_curve, average_precision,
                        break_even_point, lift_curve):
            with pytest.raises(ValueError, match="no positive instance"):
                measure([0, 0], [1, 2])
        with pytest.raises(ValueError, match="no positive instance of positive weight"):
            average_precision([0, 1], [1, 2], sample_weight=[1, 0])
        assert dominates(curves_from_ranks([1], 3), curves_from_ranks([3], 3))


def test_bootstrap():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], [60, 40])
    s = rng.normal(y)
    same = [list(bootstrap_curves(y, x, n_rounds=5, random_state=3))
            for x in (s, s, np.exp(s))]
    for a, b, c in zip(*same, strict=True):
        assert (np.array_equal(a.tp, b.tp) and np.array_equal(a.fp, b.fp)
                and np.array_equal(a.tp, c.tp))
        assert a.tp[-1] == 40 and a.fp[-1] == 60  # each class by itself
    areas = np.array([_auc(c.fpr, c.recall)
                      for c in bootstrap_curves(y, s, n_rounds=400, random_state=0)])
    assert abs(areas.mean() - metrics.roc_auc_score(y, s)) < 0.01
    by_sample = []  # the plain way: draw rows, and rank them anew
    for _ in range(400):
        rows = np.r_[rng.integers(0, 60, 60), rng.integers(60, 100, 40)]
        by_sample.append(metrics.roc_auc_score(y[rows], s[rows]))
    assert abs(areas.std() / np.std(by_sample) - 1) < 0.25
    fpr, low, high = bootstrap_band(y, s, n_rounds=200, random_state=0)
    assert (len(fpr) == 101 and (low <= high).all() and (np.diff(low) >= 0).all()
            and high[-1] == low[-1] == 1)
    at_20 = [c.recall[c.fpr <= 0.2].max()
             for c in bootstrap_curves(y, s, n_rounds=200, random_state=0)]
    # no ties: stairs
    assert_allclose([low[20], high[20]], np.quantile(at_20, [0.025, 0.975]), **exact)
    _, inner_low, inner_high = bootstrap_band(y, s, n_rounds=200, confidence=0.5,
                                              random_state=0)
    assert (low <= inner_low).all() and (inner_high <= high).all()


def test_positive_scores():
    rng = np.random.default_rng(0)
    y = np.array(["a", "b"] * 20)
    X = rng.normal(size=(40, 2)) + (y == "b")[:, None]
    svm, bayes = LinearSVC().fit(X, y), GaussianNB().fit(X, y)
    assert_allclose(positive_scores(svm, X, "b"), svm.decision_function(X), **exact)
    assert_allclose(positive_scores(svm, X, "a"), -svm.decision_function(X), **exact)
    assert_allclose(positive_scores(bayes, X, "a"), bayes.predict_proba(X)[:, 0], **exact)
    three = np.array(["a", "b", "c", "b"] * 10)
    svm = LinearSVC(random_state=0).fit(X, three)
    assert_allclose(positive_scores(svm, X, "c"), svm.decision_function(X)[:, 2], **exact)
    assert len(positive_scores(GaussianNB().fit(X, y == "b"), X)) == 40  # 1 is True
    with pytest.raises(
            ValueError,
            match=r"pos_label=1 is not among the classes of the estimator: \['a', 'b'\]"):
        positive_scores(bayes, X)
    with pytest.raises(NotFittedError):
        RocPlot.from_estimator(GaussianNB(), X, y, pos_label="a")


# ------------------------------------ cost curves, bands, many classes


def test_the_hull_by_hand():
    """+ - + -: the corners of the staircase at (0,
    1/2) and (1/2, 1) stay, (1/2, 1/2) goes."""
    fpr, tpr = _roc_hull(_threshold_curves([1, 0, 1, 0], [4, 3, 2, 1]))
    assert fpr.tolist() == [0, 0, 0.5, 1] and tpr.tolist() == [0, 0.5, 1, 1]
    x, y = cost_curve([1, 0, 1, 0], [4, 3, 2, 1])
    assert x.tolist() == [0, 0, 0.5, 1, 1][: len(x)] or np.interp(0.5, x, y) == 0.25
    plot = CostPlot.from_predictions([1, 0, 1, 0], [4, 3, 2, 1], chance=True)
    assert (np.allclose(plot.line_.get_data(), [x, y])
            and "area 0.125" in plot.line_.get_label())
    plt.close("all")


@pytest.mark.parametrize("ties", [False, True])
def test_the_curves_of_many_classes_are_scikit_learns(ties):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 4, 200)
    p = np.exp(rng.normal(size=(200, 4)) + 1.5 * np.eye(4)[y])
    p = p / p.sum(axis=1, keepdims=True)
    p = p.round(1) if ties else p
    curves = one_vs_rest_roc(y, p)
    assert list(curves) == [0, 1, 2, 3, "macro average", "micro average"]
    for c in range(4):
        fpr, tpr, _ = metrics.roc_curve(y == c, p[:, c], drop_intermediate=False)
        assert np.allclose(curves[c][0], fpr) and np.allclose(curves[c][1], tpr)
    fpr, tpr, _ = metrics.roc_curve(np.eye(4)[y].ravel(), p.ravel(),
                                    drop_intermediate=False)
    assert np.allclose(curves["micro average"], [fpr, tpr])
    areas = [metrics.roc_auc_score(y == c, p[:, c]) for c in range(4)]
    assert np.isclose(_auc(*curves["macro average"]), np.mean(areas))
    if not ties:
        wanted = metrics.roc_auc_score(y, p, multi_class="ovr")
        assert np.isclose(_auc(*curves["macro average"]), wanted)
    named = one_vs_rest_roc(np.array(list("abcd"))[y], p)
    assert list(named)[:4] == list("abcd") and np.array_equal(named["c"], curves[2])
    with pytest.raises(ValueError, match="a column for each of the 4 classes"):
        one_vs_rest_roc(y, p[:, :3])


def test_the_heights_of_a_staircase_by_hand():
    """+++-+-: up to 3/4 at 0, right to 1/2, up to 1, right to 1."""
    curves = _threshold_curves([1, 1, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    feet, tops = _roc_heights(curves, np.array([0, 0.25, 0.5, 1]))
    assert feet.tolist() == [0, 0.75, 0.75, 1] and tops.tolist() == [0.75, 0.75, 1, 1]
