"""Ranking measures: by hand, by definition, and by scikit-learn and SciPy."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import binomtest
from sklearn import metrics

from supervised.evaluation.engine.ranking import _auc, _threshold_curves, curves_from_ranks
from supervised.evaluation.ranking import (
    break_even_point,
    dominates,
    lift_curve,
    one_vs_rest_auc,
    precision_recall_curve,
    rank_sum_auc,
    roc_auc,
    wilson_interval,
)
from tests import examples

few = st.integers(-3, 3).map(float)  # many ties
anything = st.floats(-1e6, 1e6, allow_subnormal=False)
rows = st.lists(st.tuples(st.integers(0, 1), few | anything, st.integers(0, 4)), min_size=2,
                max_size=40)
exact = {"rtol": 0, "atol": 1e-12}


def columns(rows):
    y, s, w = (np.array(c) for c in zip(*rows, strict=True))
    return y, s, w * 0.37


@examples(60)
@given(rows)
def test_area_by_every_route(rows):
    y, s, _ = columns(rows)
    assume(0 < y.sum() < len(y))
    pairs = [(p > n) + Fraction(int(p == n), 2) for p in s[y == 1] for n in s[y == 0]]
    by_definition = float(sum(pairs, Fraction(0)) / len(pairs))
    assert_allclose([roc_auc(y, s), rank_sum_auc(y, s), 1 - roc_auc(y, -s)],
                    by_definition, **exact)


@examples(25)
@given(st.lists(st.integers(0, 1), min_size=1, max_size=30), st.data())
def test_break_even_point(marks, data):
    assume(sum(marks) > 0)
    p, n = sum(marks), len(marks)
    strict = break_even_point(marks, -np.arange(n))
    # erratum E34: rank P always gives p = r
    assert_allclose(strict, sum(marks[:p]) / p, **exact)
    grades = np.sort(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    rng, y = np.random.default_rng(0), np.array(marks)
    shuffled = [y[np.lexsort((rng.random(n), grades))][:p].mean() for _ in range(2000)]
    assert abs(break_even_point(marks, -grades) - np.mean(shuffled)) < 0.06


def test_table_10_2():
    a, b = (curves_from_ranks([1, 5, 8, 15, 20], 100),
            curves_from_ranks([3, 7, 11, 13, 15], 100))
    assert_allclose([_auc(c.fpr, c.recall) for c in (a, b)], 441 / 475, **exact)
    oracle, chance = (curves_from_ranks(range(1, 6), 100),
                      curves_from_ranks([17, 36, 45, 59, 66], 100))
    assert (all(dominates(oracle, c) for c in (a, b, chance)) and dominates(a, chance)
            and dominates(b, chance))
    assert not any([dominates(a, b), dominates(b, a), dominates(a, a),
                    dominates(chance, a)])


@examples(60)
@given(rows, st.lists(few, min_size=40, max_size=40))
def test_dominates_by_definition(rows, other):
    y, s, _ = columns(rows)
    assume(0 < y.sum() < len(y))
    a, b = _threshold_curves(y, s), _threshold_curves(y, other[: len(y)])
    # between the bends
    x = np.setdiff1d(np.linspace(0, 1, 20011), np.union1d(a.fpr, b.fpr))
    lead = np.interp(x, a.fpr, a.recall) - np.interp(x, b.fpr, b.recall)
    assert dominates(a, b) == bool((lead > -1e-9).all() and (lead > 1e-9).any())


@examples(60)
@given(rows)
def test_lift(rows):
    y, s, w = columns(rows)
    assume((w * y).sum() > 0)
    depth, gain, lift = lift_curve(y, s, sample_weight=w)
    base = (w * y).sum() / w.sum()
    precision, recall, _ = precision_recall_curve(y, s, sample_weight=w)
    assert depth[0] == gain[0] == 0 and lift[0] == lift[1]
    assert_allclose([depth[-1], gain[-1], lift[-1]], 1, **exact)
    assert_allclose(lift[1:], precision[-2::-1] / base, rtol=1e-12)
    assert_allclose(gain, recall[::-1], **exact)


@pytest.mark.parametrize("k, n, confidence", [(0, 1, 0.95), (3, 3, 0.9), (7, 10, 0.99),
                                              (50, 1000, 0.5), (0, 70, 0.95)])
def test_wilson_equals_scipy(k, n, confidence):
    peer = binomtest(k, n).proportion_ci(confidence, method="wilson")
    assert_allclose(wilson_interval(k, n, confidence), peer, **exact)


def test_one_vs_rest_equals_scikit_learn():
    rng = np.random.default_rng(0)
    y = np.r_[np.arange(10), rng.integers(0, 10, 290)]
    scores = np.round(rng.random((300, 10)) + np.eye(10)[y] / 2, 1)
    scores /= scores.sum(axis=1, keepdims=True)
    areas = one_vs_rest_auc(y, scores)
    peer = metrics.roc_auc_score(y, scores, multi_class="ovr", average=None)
    assert_allclose(areas, peer, **exact)
    assert_allclose(areas.mean(),
                    metrics.roc_auc_score(y, scores, multi_class="ovr"), **exact)
    names = np.array(list("jihgfedcba"))
    renamed = one_vs_rest_auc(names[y], scores, classes=names)
    assert renamed.index.tolist() == list(names) and np.array_equal(renamed, areas)
