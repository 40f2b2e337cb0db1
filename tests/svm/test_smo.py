"""The page on SMO: its plain functions on other tables than its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.svm.engine.smo import _DualProblem, _solve_dual
from supervised.svm.kernels import rbf_kernel
from tests import examples
from tests.pages import plain_versions

PLAIN = plain_versions("svm/smo")


def table(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    y[:2] = 1, -1
    return rbf_kernel(X, X, 0.5), y


@examples(40)
@given(st.integers(0, 10**6), st.integers(4, 60), st.sampled_from([0.1, 1.0, 20.0]))
def test_plain_is_packaged(seed, n, C):
    K, y = table(seed, n)
    found = _solve_dual(K, _DualProblem(y, np.full(n, C)))
    for rule in ("steepest", "largest_gain"):
        beta, g, pairs = PLAIN["smo"](K, y, C, choose=PLAIN[rule])
        assert beta.sum() == pytest.approx(0, abs=1e-9)
        assert g == pytest.approx(y - K @ beta, abs=1e-9)
        dual, primal = PLAIN["objectives"](y, C, beta, g)
        assert dual == pytest.approx(found.objective, rel=1e-3, abs=1e-4)
        assert primal >= dual - 1e-9
        assert len(pairs) > 0


def test_a_step_never_lowers_the_dual_and_gains_what_is_promised():
    K, y = table(1, 40)
    lower, upper = np.minimum(0, y), np.maximum(0, y)
    beta, g, before = np.zeros(40), y.copy(), 0.0
    old, slopes = beta.copy(), g.copy()
    for i, j in PLAIN["climb"](K, lower, upper, beta, g):
        now = PLAIN["objectives"](y, 1.0, beta, g)[0]
        t = beta[i] - old[i]
        bend = K[i, i] + K[j, j] - 2 * K[i, j]
        gained = t * (slopes[i] - slopes[j]) - t**2 / 2 * bend
        assert now - before == pytest.approx(gained, abs=1e-9) and gained > 0
        before, old, slopes = now, beta.copy(), g.copy()


def test_a_row_that_is_left_out_is_in_no_violating_pair():
    for seed in range(5):
        K, y = table(seed, 50)
        beta, g, _ = PLAIN["smo"](K, y, 1.0, tol=0.3)
        lower, upper = np.minimum(0, y), np.maximum(0, y)
        violating = ((beta < upper)[:, None] & (beta > lower) & (g[:, None] > g))
        inside = violating.any(axis=0) | violating.any(axis=1)
        assert not (inside & ~PLAIN["may_move"](beta, g, lower, upper)).any()
