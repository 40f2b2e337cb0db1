"""Moments that add up and parameters of normal densities: by hand and NumPy."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from supervised.bayes.numeric import merge_moments, normal_parameters
from tests import examples

quick = examples(25)


@quick
@given(st.integers(0, 10**6))
def test_moments_of_two_samples(seed):
    rng = np.random.default_rng(seed)
    x, w = rng.normal(50, 3, 40), rng.uniform(0, 2, 40)
    cut = int(rng.integers(0, 41))

    def moments(x, w):
        mean = np.average(x, weights=w) if w.sum() else 0.0
        return np.array([w.sum(), mean,
                         np.average((x - mean) ** 2, weights=w) if w.sum() else 0.0])

    merged = merge_moments(moments(x[:cut], w[:cut]), moments(x[cut:], w[cut:]))
    np.testing.assert_allclose(merged, moments(x, w), rtol=1e-12)
    np.testing.assert_array_equal(merge_moments(np.zeros((2, 3)), np.zeros((2, 3))),
                                  np.zeros((2, 3)))


def test_parameters_by_hand():
    moments = np.array([[7, 110, 17850 / 7], [3, 90, 50 / 3], [1, 5, 0], [0, 0, 0]])
    means, variances = normal_parameters(moments)
    both = np.r_[np.repeat(110, 7), np.repeat(90, 3), 5]
    whole = (both.var() * 11 + 17850 + 50) / 11
    np.testing.assert_allclose(variances, [2975, 25, 1e-3 * whole, whole], rtol=1e-12)
    np.testing.assert_allclose(means, [110, 90, 5, both.mean()])
    _, population = normal_parameters(moments, "population", 0.5)
    np.testing.assert_allclose(population, [2550, whole / 2, whole / 2, whole])
    _, small = normal_parameters(np.array([[0.5, 1, 4.0], [1.5, 2, 4.0], [2, 3, 4.0]]),
                                 min_variance_share=0)
    np.testing.assert_allclose(small, [8, 8, 8])  # the divisor is at least n / 2
    means, never = normal_parameters(np.array([[2, 0.1, 0], [0, 0, 0]]))
    assert never.tolist() == [0, 0] and means.tolist() == [0.1, 0.1]
