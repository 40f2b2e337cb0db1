"""Parameters of Laplace densities: by hand and SciPy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from supervised.bayes import numeric
from supervised.bayes.densities import laplace_parameters
from tests import examples

quick = examples(25)


def test_laplace_parameters_by_hand():
    incomes = np.array([60, 70, 75, 100, 120, 125, 220.0])
    center, scale = laplace_parameters(incomes, np.ones(7))
    assert center == 100 and np.isclose(scale, 260 / 7)
    assert numeric.laplace_parameters is laplace_parameters  # also where it was first


@quick
@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 4)), min_size=1, max_size=12,
                unique_by=lambda p: p[0]))
def test_laplace_parameters_of_scipy(pairs):
    values, weights = np.array(sorted(pairs), dtype=float).T
    again = np.repeat(values, weights.astype(int))
    np.testing.assert_allclose(laplace_parameters(values, weights),
                               stats.laplace.fit(again))
