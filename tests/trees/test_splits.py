"""The page on candidate splits: equi-depth candidates,
their properties and what hostile callers pass."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.trees.splits import at_candidates
from tests import examples

quick = examples(60)


@quick
@given(st.lists(st.one_of(st.floats(-1e6, 1e6), st.just(float("nan"))), min_size=1,
                max_size=80), st.integers(1, 20))
def test_candidates(values, m):
    values = np.array(values)
    known = ~np.isnan(values)
    up = at_candidates(values, m)
    assert np.array_equal(np.isnan(up), ~known)
    candidates, n = np.unique(up[known]), known.sum()
    assert len(candidates) <= m + 1 and np.isin(candidates, values).all()
    assert (up[known] >= values[known]).all()
    for a in candidates:  # the same question of old and new values
        assert np.array_equal(up[known] <= a, values[known] <= a)
    for low, high in zip(candidates[:-1], candidates[1:], strict=True):
        assert ((low < values) & (values < high)).sum() <= -(-n // (m + 1))  # equi-depth
    if n and len(np.unique(values[known])) <= m + 1 and m >= n - 1:
        assert np.array_equal(up[known], values[known])


@pytest.mark.parametrize("bad", [0, -1, 2.5, True, "3", None])
def test_candidates_refuse_a_bad_number(bad):
    with pytest.raises(ValueError, match="n_candidates is .* at least 1"):
        at_candidates([1, 2, 3], bad)


def test_candidates_of_odd_columns():
    assert np.isnan(at_candidates([np.nan, np.nan])).all() and len(at_candidates([])) == 0
    assert at_candidates([7, 7, 7], 1).tolist() == [7, 7, 7]
    assert at_candidates([-np.inf, 0, np.inf], 5).tolist() == [-np.inf, 0, np.inf]
    with pytest.raises(ValueError, match="one column"):
        at_candidates(np.ones((3, 2)))
