"""The engine of impurity: totals, thresholds and counts,
by definition and at the limits of floats."""

from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.tables import Attribute
from supervised.features.engine.impurity import (
    ENTROPY,
    _best_threshold,
    _class_shares,
    _midpoint,
    _nominal_test,
    _numeric_test,
    _ranked_scores,
    _split_scores,
    _threshold_scores,
    _total_impurity,
    _unknown_weights,
    _x_log2_x,
    log_table,
)
from supervised.features.impurity import IMPURITIES
from tests import examples
from tests.features.test_impurity import counts_of, plain, plain_split, tables, weight

quick = examples(60)
KINDS = list(enumerate(IMPURITIES))


# ------------------------------------------------------------------ totals


@quick
@given(counts_of)
def test_totals_by_definition(counts):
    for (kind, name), logs in ((k, logs) for k in KINDS
                               for logs in (log_table(100), np.empty(0))):
        got = _total_impurity(np.array(counts, dtype=float), kind, logs)
        assert got == pytest.approx(sum(counts) * plain(counts, name),
                                    abs=1e-12 * max(1, sum(counts)))


@quick
@given(tables, weight)
def test_split_scores_by_definition(table, unknown):
    known = float(np.sum(table))
    share = known / (known + unknown) if known else 0.0
    sizes = [*np.sum(table, axis=1), unknown]
    padded = np.vstack([table, np.eye(len(table[0]))[0] * unknown])
    for kind, name in KINDS:
        expected = share * (plain(np.sum(table, axis=0), name) - plain_split(table, name))
        score, info = _split_scores(padded, kind, log_table(50))
        assert score >= 0 and score == pytest.approx(max(expected, 0), abs=1e-12)
        assert info == pytest.approx(plain(sizes, "entropy"), abs=1e-12)


@quick
@given(st.integers(0, 10**6), st.floats(0, 1e6))
def test_n_log_n(whole, broken):
    logs = log_table(1000)
    for x in (float(whole), broken):
        assert _x_log2_x(x, logs) == pytest.approx(x * log2(x) if x > 0 else 0, rel=1e-14)
    assert (_x_log2_x(-1e-17, logs) == 0 and _x_log2_x(1000.0, logs) == logs[1000]
            and _x_log2_x(1e300, logs) > 1e300)


# ------------------------------------------------------------------ thresholds


def cuts_by_definition(values, labels, weights, n_classes, name, min_weight):
    """Each cut counted anew."""
    scores = []
    for low, high in zip(values[:-1], values[1:], strict=True):
        sides = [values <= low, values > low]
        table = [[weights[s & (labels == c)].sum() for c in range(n_classes)]
                 for s in sides]
        light = min(np.sum(row) for row in table) < min_weight
        whole = np.sum(table, axis=0)
        scores.append(np.nan if low == high or light
                      else plain(whole, name) - plain_split(table, name))
    return scores


@pytest.mark.parametrize("n_classes", [1, 2, 10])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("spread", [3, 1000])
def test_threshold_scores_by_definition(n_classes, weighted, spread):
    rng = np.random.default_rng(n_classes + spread)
    values = np.sort(rng.integers(0, spread, 60).astype(float))
    labels = rng.integers(0, n_classes, 60)
    weights = rng.random(60) + 0.01 if weighted else np.ones(60)
    for kind, name in KINDS:
        for min_weight in (0.0, 7.5):
            got = _threshold_scores(values, labels, weights, n_classes, kind, min_weight,
                                    log_table(60))
            expected = cuts_by_definition(values, labels, weights, n_classes, name,
                                          min_weight)
            np.testing.assert_allclose(got, expected, atol=1e-12)
            place, score, n_cuts = _best_threshold(got)
            assert n_cuts == np.isfinite(expected).sum()
            if n_cuts:
                assert score == pytest.approx(np.nanmax(expected), abs=1e-11)
                assert expected[place] == pytest.approx(score, abs=1e-11)
                # the lowest of equals
                assert not np.any(np.array(expected[:place]) > score - 1e-13)


@pytest.mark.parametrize("n", [0, 1])
def test_too_few_values_for_a_cut(n):
    scores = _threshold_scores(np.ones(n), np.zeros(n, dtype=np.int64), np.ones(n), 1,
                               ENTROPY, 0.0, np.empty(0))
    assert len(scores) == 0 and _best_threshold(scores) == (-1, 0.0, 0)


@quick
@given(st.floats(-1e308, 1e308), st.floats(-1e308, 1e308))
def test_midpoint_parts_its_neighbors(a, b):
    low, high = min(a, b), max(a, b)
    assert a == b or low <= _midpoint(low, high) < high
    if abs(low) > 1e-300 and abs(high) < 1e300 and high - low > abs(low) * 1e-9:
        assert _midpoint(low, high) == pytest.approx((low + high) / 2, rel=1e-9,
                                                     abs=1e-9 * abs(high))
    tiny = np.nextafter(0, 1)
    assert _midpoint(0.0, tiny) == 0.0 and _midpoint(1e308, 1.7e308) < 1.7e308


# ------------------------------------------------------------------ shares and weights


@quick
@given(counts_of)
def test_shares_add_up(counts):
    shares = _class_shares(counts)
    assert shares.sum() == pytest.approx(float(sum(counts) > 0)) and (shares >= 0).all()
    twice = _class_shares([counts, counts], axis=0)
    assert np.allclose(twice, np.where(np.array(counts) > 0, 0.5, 0.0))


def test_one_unknown_weight_for_each_table():
    stack = np.ones((3, 4, 2, 2))
    assert (_unknown_weights(2, stack) == np.full((3, 4), 2.0)).all()
    own = np.arange(12.0).reshape(3, 4)
    assert (_unknown_weights(own, stack) == own).all()
    with pytest.raises(ValueError, match=r"unknown must be one weight or have the shape"):
        _unknown_weights(np.ones(4), stack)  # would be broadcast


# ------------------------------------------------------------------ one attribute, and all


def test_tests_of_one_attribute_by_hand():
    labels, ones, logs = np.array([0, 0, 1, 1, 1]), np.ones(5), log_table(5)
    number = _numeric_test(
        Attribute("a"), np.array([3.0, 1, np.nan, 7, 8]), labels, ones, 2, ENTROPY, logs
    )
    # 1 3 | 7 8: a gain of one bit, for four of five rows; three cuts to choose from
    assert number["cut"] == 5 and number["possible"]
    assert number["gain"] == pytest.approx(0.8)
    assert number["charge"] == pytest.approx(log2(3) / 5)
    assert number["split_info"] == pytest.approx(plain([2, 2, 1], "entropy"))
    name = _nominal_test(Attribute("b", "nominal", ("x", "y", "z")),
                         np.array([0, 0, 1, 1, -1]), labels, ones, 2, ENTROPY, logs)
    assert np.isnan(name["cut"]) and name["possible"] and name["charge"] == 0
    assert name["gain"] == pytest.approx(0.8)
    assert name["split_info"] == pytest.approx(plain([2, 2, 1], "entropy"))
    alone = _nominal_test(Attribute("c", "nominal", ("x",)), np.zeros(5, dtype=int), labels,
                          ones, 2, ENTROPY, logs)
    assert not alone["possible"] and alone["gain"] == 0
    constant = _numeric_test(Attribute("d"), np.ones(5), labels, ones, 2, ENTROPY, logs)
    assert not constant["possible"] and np.isnan(constant["cut"])


def test_a_gain_that_does_not_cover_the_charge_is_out():
    values, labels = np.arange(6.0), np.array([0, 1, 0, 1, 0, 1])
    found = _numeric_test(Attribute("a"), values, labels, np.ones(6), 2, ENTROPY,
                          log_table(6))
    # the best cut is after the first: 1 - 5/6 * 0.970951 = 0.190874, of five: log2(5)/6
    assert found["gain"] == pytest.approx(0.190874, abs=1e-6)
    assert found["charge"] == pytest.approx(0.386988, abs=1e-6) and not found["possible"]


def test_order_and_guards_by_hand():
    def tests():
        return pd.DataFrame({"cut": np.nan, "gain": [0.06, 0.30, 0.50, 0.30],
                             "split_info": [0.1, 1.0, 4.0, 1.0], "charge": 0.0,
                             "possible": True})

    attributes = tuple(Attribute(name, "nominal", tuple(range(n)))
                       for name, n in (("flag", 2), ("one", 2), ("file", 20), ("two", 2)))
    found = _ranked_scores(tests(), attributes, 20.0, "gain_ratio")
    assert found.index.tolist() == ["one", "two", "file", "flag"]
    assert found["eligible"].tolist() == [True, True, True, False]
    found = _ranked_scores(tests(), attributes, 20.0, "gain")
    assert found.index.tolist() == ["file", "one", "two", "flag"]  # equals as they came
    found = _ranked_scores(tests(), attributes, 20.0, "gini", 0.4)
    assert found.index.tolist() == ["file", "one", "two", "flag"]
    assert found["gini"].tolist() == pytest.approx([0.0, 0.1, 0.1, 0.34])
