"""The page on SMO: its plain functions on other tables than its own."""

import ast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.svm.engine.smo import _solve_smo
from supervised.svm.kernels import rbf_kernel
from tests import examples
from tools.book import ROOT, read_notebook


def plain_functions():
    """The functions that the page defines."""
    space = {"np": np}
    for cell in read_notebook(ROOT / "nbs/svm/smo.ipynb").cells:
        if cell.kind != "code":
            continue
        for part in ast.parse(cell.source).body:
            if isinstance(part, ast.FunctionDef) and part.name in (
                    "steepest", "climb", "smo", "objectives", "largest_gain", "misses",
                    "may_move", "in_parts", "one_by_one"):
                exec(compile(ast.Module([part], []), "smo", "exec"), space)
    return space


PLAIN = plain_functions()


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
    found = _solve_smo(K, y, C)
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


def test_rows_asked_for_by_hand():
    pairs = [(1, 2), (3, 1), (2, 1)]  # 1 2 3 1 2 1
    assert [PLAIN["misses"](pairs, room) for room in (1, 2, 3, 9)] == [6, 5, 3, 3]


def test_a_row_that_is_left_out_is_in_no_violating_pair():
    for seed in range(5):
        K, y = table(seed, 50)
        beta, g, _ = PLAIN["smo"](K, y, 1.0, tol=0.3)
        lower, upper = np.minimum(0, y), np.maximum(0, y)
        violating = ((beta < upper)[:, None] & (beta > lower) & (g[:, None] > g))
        inside = violating.any(axis=0) | violating.any(axis=1)
        assert not (inside & ~PLAIN["may_move"](beta, g, lower, upper)).any()


@pytest.mark.deep
def test_parts_that_hold_the_free_rows_need_few_rounds():
    """The page's claim, on other tables: small parts read more rows."""
    for seed in range(3):
        K, y = table(seed, 300)
        beta, _, _ = PLAIN["smo"](K, y, 20.0, choose=PLAIN["largest_gain"])
        free = int(((beta != 0) & (np.abs(beta) < 20)).sum())
        small = PLAIN["in_parts"](K, y, 20.0, max(2 * (free // 4), 4))
        large = PLAIN["in_parts"](K, y, 20.0, 4 * free)
        assert large[0] < small[0] / 3


def test_without_the_rule_for_the_sum():
    K, y = table(3, 60)
    beta, _ = PLAIN["one_by_one"](K + 1, y, 1.0)
    g = y - (K + 1) @ beta
    lower, upper = np.minimum(0, y), np.maximum(0, y)
    assert g[beta < upper].max() <= 1e-3 and g[beta > lower].min() >= -1e-3
