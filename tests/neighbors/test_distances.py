"""Distances of two vectors: norms, the cosine and overlap."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from supervised.neighbors.distances import (
    chebyshev,
    cosine_similarity,
    euclidean,
    manhattan,
    minkowski,
)
from tests import examples

vectors = arrays(np.float64, 4, elements=st.floats(-1e6, 1e6))


def test_minkowski_does_not_overflow() -> None:
    a, b = np.array([1e300, 0.0]), np.array([0.0, 1e300])
    assert np.isclose(minkowski(a, b, 2.0) / 1e300, np.sqrt(2))
    assert np.isclose(minkowski(a / 1e305, b / 1e305, 300.0), 1e-5 * 2 ** (1 / 300))


@examples(60)
@given(vectors, vectors, vectors, st.sampled_from([1.0, 1.3, 2.0, 5.0, np.inf]))
def test_norms_are_metrics(x: np.ndarray, y: np.ndarray, z: np.ndarray, p: float) -> None:
    slack = 1e-9 * (1 + np.abs([x, y, z]).max())
    assert minkowski(x, x, p) == 0 and minkowski(x, z, p) == minkowski(z, x, p) >= 0
    assert minkowski(x, z, p) <= minkowski(x, y, p) + minkowski(y, z, p) + slack
    r = len(x) ** 0.5
    assert (
        chebyshev(x, z) <= euclidean(x, z) + slack
        and euclidean(x, z) <= manhattan(x, z) + slack
        and manhattan(x, z) <= r * euclidean(x, z) + slack
        and euclidean(x, z) <= r * chebyshev(x, z) + slack
    )


def test_unsigned_numbers_do_not_wrap_around() -> None:
    dark, light = np.array([3, 200], dtype=np.uint8), np.array([5, 100], dtype=np.uint8)
    assert manhattan(dark, light) == 102 and chebyshev(dark, light) == 100
    assert euclidean(dark, light) == pytest.approx((4 + 10_000) ** 0.5)
    assert minkowski(dark, light, 1.0) == pytest.approx(102)
    assert cosine_similarity(light, light) == pytest.approx(1)
