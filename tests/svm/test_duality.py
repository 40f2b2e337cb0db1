"""Multipliers: by hand, against a general solver, and as bounds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, approx_fprime, minimize

from supervised.basics.datasets import load_donors
from supervised.svm.duality import dual_objective, hyperplane_of_multipliers
from supervised.svm.engine.machines import SVMClassifier


def donors():
    X, gave = load_donors()
    return X.to_numpy(float) / [1, 1000], np.where(gave == "Y", 1, -1), list(X.index)


def test_donors_by_hand():
    """Jane and Allen, (5, 6) apart, at a price of 2 / 61 each."""
    X, y, names = donors()
    alpha = np.where(np.isin(names, ["Jane", "Allen"]), 2 / 61, 0)
    w, b = hyperplane_of_multipliers(alpha, X, y)
    np.testing.assert_allclose([*w, b], [10 / 61, 12 / 61, -1101 / 61])
    assert np.isclose(dual_objective(alpha, X, y), 2 / 61)  # 4/61 - 61/2 (2/61)^2
    assert np.isclose(dual_objective(2 * alpha, X, y), 0)  # 8/61 - 61/2 (4/61)^2
    assert dual_objective(0 * alpha, X, y) == 0


def test_machine_has_the_multipliers():
    X, y, names = donors()
    machine = SVMClassifier(kernel="linear", C=1e6).fit(X, y)
    assert sorted(np.array(names)[machine.support_]) == ["Allen", "Jane"]
    np.testing.assert_allclose(np.abs(machine.dual_coef_), 2 / 61, rtol=1e-6)
    assert np.isclose(machine.objective_[0], 2 / 61, rtol=1e-6)


def test_double_sum():
    """Eq. 55 as it is written, with its two sums."""
    rng = np.random.default_rng(0)
    X, y, a = rng.normal(size=(6, 3)), rng.choice([-1, 1], 6), rng.exponential(size=6)
    double = sum(y[i] * y[j] * a[i] * a[j] * (X[i] @ X[j])
                 for i in range(6) for j in range(6))
    assert np.isclose(dual_objective(a, X, y), a.sum() - double / 2)


def test_slope_is_one_minus_the_score():
    """A's Eq. 10.54 by finite differences."""
    rng = np.random.default_rng(1)
    X, y, a = rng.normal(size=(5, 2)), np.array([1, -1, 1, 1, -1]), rng.exponential(size=5)
    slope = approx_fprime(a, lambda v: dual_objective(v, X, y), 1e-7)
    np.testing.assert_allclose(slope, 1 - y * (X @ ((a * y) @ X)), atol=1e-5)


@given(st.lists(st.integers(0, 9), min_size=8, max_size=8), st.integers(0, 200))
def test_bounds(prices, seed):
    """Balanced prices never exceed half the square of a plane that keeps all rules."""
    rng = np.random.default_rng(seed)
    y = np.repeat([1, -1], 4)
    X = rng.normal(size=(8, 2)) + 3 * y[:, None]
    v = rng.normal(size=2) + 1
    low, high = (X[y < 0] @ v).max(), (X[y > 0] @ v).min()
    a = np.array(prices, dtype=float)
    a = a * np.where(y > 0, a[y < 0].sum(), a[y > 0].sum()) / 100
    assert abs(a @ y) < 1e-9
    if low < high:
        w = 2 * v / (high - low)
        assert dual_objective(a, X, y) <= w @ w / 2 + 1e-9


def test_general_solver():
    """The dual of random tables by SciPy's trust-region solver: the same plane."""
    rng = np.random.default_rng(3)
    for _ in range(3):
        y = np.repeat([1, -1], 5)
        X = rng.normal(size=(10, 2)) + 2.5 * y[:, None]
        found = minimize(lambda a, X=X, y=y: -dual_objective(a, X, y), np.full(10, 0.1),
                         jac=lambda a, X=X, y=y: y * (X @ ((a * y) @ X)) - 1,
                         hess=lambda a, X=X, y=y: np.outer(y, y) * (X @ X.T),
                         bounds=[(0, None)] * 10, constraints=[LinearConstraint(y, 0, 0)],
                         method="trust-constr", options={"gtol": 1e-10, "xtol": 1e-12})
        machine = SVMClassifier(kernel="linear", C=1e6).fit(X, y)
        a = np.zeros(10)
        a[machine.support_] = np.abs(machine.dual_coef_[0])
        assert np.isclose(dual_objective(a, X, y), -found.fun, rtol=1e-4)
        w, b = hyperplane_of_multipliers(a, X, y)
        np.testing.assert_allclose([*w, b], [*machine.coef_[0], machine.intercept_[0]],
                                   rtol=1e-4, atol=1e-5)
        assert np.isclose(a.sum(), w @ w, rtol=1e-4)  # exercise 2
        assert (y * (X @ w + b)).min() > 1 - 1e-4
