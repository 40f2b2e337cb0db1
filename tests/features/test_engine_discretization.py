"""The engine of discretization: blocks, borders, prices and stacks, by definition."""

from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.features.engine.discretization import (
    _best_border,
    _chosen_cuts,
    _class_blocks,
    _grown_borders,
    _labeled_column,
    _mdl_borders,
    _mdl_price,
    _one_border,
    _present_rows,
    _SupervisedDiscretizer,
    _tree_borders,
)
from supervised.features.engine.impurity import log_table
from supervised.features.impurity import entropy, gain
from tests import examples
from tests.features.test_discretization import plain_mdl

quick = examples(60)
NO_LOGS = np.empty(0)


@quick
@given(st.lists(st.integers(0, 30), min_size=2, max_size=8), st.data())
def test_price_by_definition(left, data):
    right = data.draw(st.lists(st.integers(0, 30), min_size=len(left), max_size=len(left)))
    if sum(left) == 0 or sum(right) == 0:
        return
    E, E1, E2 = (entropy(np.array(c, float)) for c in (np.add(left, right), left, right))
    k, k1, k2 = (np.count_nonzero(c) for c in (np.add(left, right), left, right))
    expected = (log2(sum(left) + sum(right) - 1) + log2(3**k - 2)
                - (k * E - k1 * E1 - k2 * E2))
    for logs in (NO_LOGS, log_table(10), log_table(500)):
        assert _mdl_price(np.array(left, float), np.array(right, float),
                          logs) == pytest.approx(expected, abs=1e-10)


def test_price_of_a_thousand_classes():
    half = np.repeat([1.0, 0.0], 500)
    by_hand = log2(999) + 1000 * log2(3) - 1000 * log2(1000) + 2 * 500 * log2(500)
    assert _mdl_price(half, half[::-1].copy(), NO_LOGS) == pytest.approx(by_hand)


@quick
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 4), st.integers(1, 20))
def test_fayyads_theorem_and_the_best_border(seed, n, n_classes, n_values):
    rng = np.random.default_rng(seed)
    values, labels = (np.sort(rng.integers(0, n_values, n)).astype(float),
                      rng.integers(0, n_classes, n))
    merged, totals = _class_blocks(values, labels, np.ones(n), n_classes, True)
    single, every = _class_blocks(values, labels, np.ones(n), n_classes, False)
    assert (single.tolist() == [*np.flatnonzero(np.diff(values)) + 1, n]
            and set(merged) <= set(single))
    for ends, counts in ((merged, totals), (single, every)):
        assert (counts[1:] == [np.bincount(labels[:e], minlength=n_classes)
                               for e in ends]).all()
    gains = [gain([np.bincount(labels[:e], minlength=n_classes),
                   np.bincount(labels[e:], minlength=n_classes)]) for e in single[:-1]]
    for e, g in zip(single, gains, strict=False):
        assert e in merged or g < max(gains) + 1e-12
    for counts in (totals, every):
        border, saved = _best_border(counts, 0, len(counts) - 1, 0.0, log_table(n))
        assert saved == pytest.approx(n * max(gains, default=0.0), abs=1e-8)
        assert (border < 0) == (max(gains, default=0.0) < 1e-11)


def test_blocks_by_hand():
    values, labels = (np.array([1.0, 1, 2, 3, 3, 4, 5, 5, 6]),
                      np.array([0, 0, 0, 0, 1, 1, 1, 1, 0]))
    ends, totals = _class_blocks(values, labels, np.ones(9), 2, True)
    assert ends.tolist() == [3, 5, 8, 9]  # 1 2 | 3 (both classes) | 4 5 | 6
    assert totals.tolist() == [[0, 0], [3, 0], [4, 1], [4, 4], [5, 4]]


@quick
@given(st.integers(0, 10**6), st.integers(2, 90), st.integers(1, 4), st.integers(2, 30))
def test_borders_of_the_stack_are_those_of_the_recursion(seed, n, n_classes, n_values):
    rng = np.random.default_rng(seed)
    values = np.sort(rng.integers(0, n_values, n)).astype(float)
    labels = (values * n_classes / n_values).astype(int)
    noisy = rng.random(n) < 0.1
    labels[noisy] = rng.integers(0, n_classes, noisy.sum())
    expected = plain_mdl(values.tolist(), labels.tolist())
    for merge in (True, False):
        got = _chosen_cuts(values, labels, np.ones(n), merge, _mdl_borders)
        assert got == pytest.approx(expected)


def test_choices_by_hand():
    # blocks of 3 no, 3 yes, 4 no
    totals = np.array([[0, 0], [3, 0], [3, 3], [7, 3]], dtype=float)
    assert _one_border(totals, NO_LOGS).tolist() == [2]
    assert _one_border(totals[[0, 1]], NO_LOGS).tolist() == []
    assert _mdl_borders(totals, NO_LOGS).tolist() == []
    assert _mdl_borders(3 * totals, NO_LOGS).tolist() == [1, 2]
    assert _tree_borders(totals, 2, 0.0, NO_LOGS).tolist() == [2]
    assert _grown_borders(9, 1)(totals, NO_LOGS).tolist() == [1, 2]
    assert _grown_borders(9, 5)(totals, NO_LOGS).tolist() == []


def test_columns_lose_the_rows_without_a_value():
    values, labels, weights = _labeled_column([3.0, np.nan, 1.0], list("bab"), [1, 5, 2])
    assert values.tolist() == [3, 1] and labels.tolist() == [1, 1]
    assert weights.tolist() == [1, 2]
    whole = np.arange(3.0), np.zeros(3, dtype=int), np.ones(3)
    assert all(a is b for a, b in zip(_present_rows(*whole), whole, strict=True))


def test_a_frame_for_a_way_of_ones_own():
    class Middle(_SupervisedDiscretizer):
        def _cut(self, values, labels=None, weights=None):
            return np.array([np.average(values, weights=weights)])

    X = pd.DataFrame({"a": [1.0, 2, np.nan, 9], "b": list("xyxy")})
    fitted = Middle().fit(X, [0, 1, 0, 1], sample_weight=[1, 1, 1, 2])
    assert {n: c.tolist() for n, c in fitted.cut_points_.items()} == {"a": [5.25]}
    assert fitted.transform(X)["a"].astype(object).isna().tolist() == [False, False, True,
                                                                       False]
    with pytest.raises(NotImplementedError):
        _SupervisedDiscretizer().fit(X, [0, 1, 0, 1])
