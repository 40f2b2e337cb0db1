"""The formulas of comparison: Holm's correction, the corrected statistic, the coin."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from supervised.evaluation.comparison import binomial_p_value, corrected_statistic, holm
from tests import examples


def test_the_statistic_by_hand():
    """3, 1, 2, 0, 4: mean 2, sigma sqrt(10 / 4), and s = 2 sqrt(5) / sigma = sqrt(8)."""
    error, s = corrected_statistic([3, 1, 2, 0, 4])
    assert np.isclose(error, np.sqrt(0.5)) and np.isclose(s, np.sqrt(8))
    # with test rows a fifth of the training rows the variance of the mean is doubled
    error, s = corrected_statistic([3, 1, 2, 0, 4], 1 / 5)
    assert np.isclose(error, 1) and np.isclose(s, 2)


@pytest.mark.parametrize("d, s", [([0, 0, 0], 0), ([2, 2], np.inf),
                                  ([-1, -1, -1], -np.inf)])
@pytest.mark.parametrize("ratio", [0, 1 / 9])
def test_equal_differences_have_no_error(d, s, ratio):
    assert corrected_statistic(d, ratio) == (0, s)


@examples(60)
@given(st.lists(st.integers(-9, 9), min_size=2, max_size=30)
       .filter(lambda d: len(set(d)) > 1))
def test_without_overlap_it_is_students(d):
    assert np.isclose(corrected_statistic(d)[1], stats.ttest_1samp(d, 0).statistic)


@examples(60)
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_coin_is_counted(a, b):
    n, m = a + b, min(a, b)
    exact = min(Fraction(1), 2 * Fraction(sum(comb(n, k) for k in range(m + 1)), 2**n))
    assert np.isclose(binomial_p_value(a, b), float(exact), rtol=1e-12, atol=0)
    assert binomial_p_value(a, b) == binomial_p_value(b, a)


@pytest.mark.parametrize("p, corrected", [
    ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]), ([0.5], [0.5]), ([], []),
    ([0.6, 0.7], [1, 1]), ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06])])
def test_holm_by_hand(p, corrected):
    assert np.allclose(holm(p), corrected)


@examples(60)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), st.floats(0.001, 0.5))
def test_holm_rejects_what_stepping_down_rejects(p, level):
    """Holm 1979: go up the sorted p-values while p <= level / (tests that are left)."""
    rejected, order = set(), sorted(range(len(p)), key=lambda i: p[i])
    for step, i in enumerate(order):
        if p[i] * (len(p) - step) > level:
            break
        rejected.add(i)
    assert {i for i, q in enumerate(holm(p)) if q <= level} == rejected
