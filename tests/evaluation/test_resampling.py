"""Whole numbers in proportion, and the interval for the mean of some rounds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from supervised.evaluation.resampling import confidence_interval, largest_remainder
from tests import examples


@examples(60)
@given(st.lists(st.integers(0, 1000), min_size=1, max_size=12), st.floats(0, 1))
def test_largest_remainder(counts, share):
    total = int(share * sum(counts))
    quotas = largest_remainder(counts, total)
    exact = total * np.array(counts) / max(sum(counts), 1)
    assert quotas.sum() == total and (quotas <= counts).all()
    assert (np.abs(quotas - exact) < 1).all()
    kept, raised = ((exact - np.floor(exact))[quotas <= exact],
                    (exact - np.floor(exact))[quotas > exact])
    assert (not len(kept) or not len(raised)
            or raised.min() >= kept[kept > 0].max(initial=0) - 1e-9)


def test_quotas_of_the_text():
    assert largest_remainder([990, 10], 200).tolist() == [198, 2]
    assert largest_remainder([1, 1, 1], 1).tolist() == [1, 0, 0]  # ties go to the first
    for total in (-1, 4):
        with pytest.raises(ValueError, match=f"total is {total}"):
            largest_remainder([1, 2], total)


@examples(40)
@given(st.lists(st.floats(0, 1), min_size=2, max_size=30), st.floats(0.01, 0.99))
def test_interval_agrees_with_scipy(values, confidence):
    low, high = confidence_interval(values, confidence)
    half = stats.t.ppf((1 + confidence) / 2, len(values) - 1) * stats.sem(values)
    assert (low, high) == pytest.approx((np.mean(values) - half, np.mean(values) + half),
                                        abs=1e-12)
