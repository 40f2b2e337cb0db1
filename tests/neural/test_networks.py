"""Cross-entropy of softmax, and its slopes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax
from sklearn.metrics import log_loss

from supervised.neural.networks import cross_entropy
from tests import examples


def test_by_hand():
    loss, slopes = cross_entropy(np.log([[1, 1, 2]]), [2])
    assert loss == pytest.approx(np.log(2))
    assert slopes == pytest.approx(np.array([[0.25, 0.25, -0.5]]))


@examples(40)
@given(seed=st.integers(0, 10_000), k=st.integers(2, 6), n=st.integers(1, 8))
def test_peers_differences_and_shifts(seed, k, n):
    rng = np.random.default_rng(seed)
    S, labels = rng.normal(0, 3, (n, k)), rng.integers(0, k, n)
    loss, slopes = cross_entropy(S, labels)
    assert loss == pytest.approx(log_loss(labels, softmax(S, axis=1), labels=range(k)))
    assert slopes.sum(axis=1) == pytest.approx(0, abs=1e-12)
    shifted = cross_entropy(S + rng.normal(0, 50, (n, 1)), labels)
    assert shifted[0] == pytest.approx(loss) and shifted[1] == pytest.approx(slopes)
    i, c, h = rng.integers(n), rng.integers(k), 1e-6
    nudge = np.zeros((n, k))
    nudge[i, c] = h
    above, below = (cross_entropy(S + s * nudge, labels)[0] for s in (1, -1))
    assert slopes[i, c] == pytest.approx((above - below) / 2 / h, abs=1e-8)
