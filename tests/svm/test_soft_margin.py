"""What the page on the soft margin says, held against general solvers."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.svm import SVC

from supervised.basics.datasets import load_donors
from supervised.svm.engine.machines import SVMClassifier

DONORS, GAVE = load_donors()
X = np.vstack([DONORS.assign(Salary=DONORS["Salary"] / 1000), [48, 38], [50, 62]])
Y = np.append(np.where(GAVE == "Y", 1, -1), [1, -1])
RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(60, 3))
SIDE = np.where(CLOUD.sum(axis=1) + RNG.normal(0, 1, 60) > 0, 1, -1)


def slack(X, y, w, b):
    return np.maximum(0, 1 - y * (X @ w + b))


def linear(C, X=X, y=Y, **more):
    """Machine, prices, w and b."""
    machine = SVMClassifier(kernel="linear", C=C, tol=1e-8, **more).fit(X, y)
    alpha = np.zeros(len(y))
    alpha[machine.support_] = np.abs(machine.dual_coef_[0])
    return machine, alpha, (alpha * y) @ X, machine.intercept_[0]


def primal(C, cost, X=X, y=Y):
    """w and b of half the squared length of w plus C times a cost of the slacks, by SLSQP
    with the slacks as variables (L Eq. 60)."""
    n, d = X.shape
    mean, spread = X.mean(axis=0), X.std(axis=0)  # better conditioned
    Z = (X - mean) / spread

    def cut(v):
        return v[:d] / spread, v[d] - v[:d] / spread @ mean, v[d + 1:]

    def objective(v):
        w, _, xi = cut(v)
        return (w @ w / 2 + C * cost(xi)) / C
    start = np.concatenate([np.zeros(d + 1), np.ones(n)])
    found = minimize(objective, start, method="SLSQP",
                     bounds=[(None, None)] * (d + 1) + [(0, None)] * n,
                     constraints={"type": "ineq", "fun": lambda v: y * (
                         Z @ v[:d] + v[d]) - 1 + v[d + 1:]},
                     options={"maxiter": 2000, "ftol": 1e-14})
    w, b, _ = cut(found.x)
    return w, b


def test_the_donors_without_a_ceiling():
    """Jane and Allen pay 2/61 each, and both give b = -1101/61 (L Eq. 73, corrected)."""
    _, alpha, w, b = linear(1e6, X[:11], Y[:11])
    assert np.allclose(np.sort(alpha)[-2:], 2 / 61)
    assert np.allclose(w, [10 / 61, 12 / 61])
    for j in np.flatnonzero(alpha > 1e-9):
        assert 1 / Y[j] - X[j] @ w == pytest.approx(-18.049180, abs=1e-5)
    assert b == pytest.approx(-1101 / 61, abs=1e-5)


@pytest.mark.parametrize("C", [0.001, 0.003, 0.1])
def test_k_1_is_the_primal_of_equation_61(C):
    _, _, w, b = linear(C)
    w0, b0 = primal(C, np.sum)
    assert np.allclose(w, w0, atol=2e-5) and b == pytest.approx(b0, abs=2e-3)


@pytest.mark.parametrize("C", [0.0003, 0.003])
def test_k_2_is_the_sum_of_squares(C):
    _, alpha, w, b = linear(C, loss="squared_hinge")
    w0, b0 = primal(C, lambda xi: xi @ xi)
    assert np.allclose(w, w0, atol=2e-5) and b == pytest.approx(b0, abs=2e-3)
    assert np.allclose(slack(X, Y, w, b), alpha / (2 * C), atol=1e-5)


def test_k_2_by_the_diagonal():
    C = 0.7
    machine, alpha, w, b = linear(C, CLOUD, SIDE, loss="squared_hinge")
    hard = SVC(kernel="precomputed", C=1e9, tol=1e-10)
    hard.fit(CLOUD @ CLOUD.T + np.eye(60) / (2 * C), SIDE)
    assert np.array_equal(np.sort(machine.support_), np.sort(hard.support_))
    assert np.allclose(np.sort(alpha[alpha > 0]), np.sort(np.abs(hard.dual_coef_[0])),
                       atol=1e-5)
    assert (alpha > 2 * C).any()  # no ceiling


def test_a_power_of_the_sum_is_another_machine():
    """L Eq. 60 with k = 2: the machine of k = 1 with C_1 = 2 C sum(slack)."""
    C = 0.0003
    w, b = primal(C, lambda xi: xi.sum() ** 2)
    _, _, w1, _ = linear(2 * C * slack(X, Y, w, b).sum())
    assert np.allclose(w, w1, atol=1e-4)
    assert np.allclose(w1, [0.0389, 0.0601], atol=1e-4)  # as exercise 4 prints
    assert not np.allclose(w, linear(C, loss="squared_hinge")[2], atol=5e-3)


@pytest.mark.parametrize("C", [0.01, 0.3, 3.0, 100.0])
def test_three_cases(C):
    """L Eq. 74."""
    _, alpha, w, b = linear(C, CLOUD, SIDE)
    edge = SIDE * (CLOUD @ w + b)
    free, full = alpha < 1e-9, alpha > C * (1 - 1e-9)
    assert abs(alpha @ SIDE) < 1e-9 * max(1, C)
    assert (edge[free] >= 1 - 1e-5).all()
    assert np.allclose(edge[~free & ~full], 1, atol=1e-5)
    assert (edge[full] <= 1 + 1e-5).all()


@pytest.mark.parametrize("C", [0.01, 0.3, 3.0])
def test_no_gap_between_primal_and_dual(C):
    machine, alpha, w, b = linear(C, CLOUD, SIDE)
    upper = w @ w / 2 + C * slack(CLOUD, SIDE, w, b).sum()  # A Eq. 10.59
    assert alpha.sum() - w @ w / 2 == pytest.approx(upper, rel=1e-5)
    assert machine.objective_[0] == pytest.approx(upper, rel=1e-5)


def test_slack_and_b_drop_out_of_the_lagrangian():
    """A's exercise 16 (d)."""
    rng, C = np.random.default_rng(3), 1.0
    alpha = rng.uniform(0, C, 13)
    alpha[Y > 0] *= alpha[Y < 0].sum() / alpha[Y > 0].sum()
    alpha /= max(1, alpha.max() / C)
    w, mu = (alpha * Y) @ X, C - alpha
    dual = alpha.sum() - w @ w / 2
    for _ in range(5):
        xi, b = rng.exponential(size=13), rng.normal()
        L_P = (w @ w / 2 + C * xi.sum() - alpha @ (Y * (X @ w + b) - 1 + xi) - mu @ xi)
        assert L_P == pytest.approx(dual)


def test_an_interval_of_b():
    """At C = 0.0003 no row is on the edge; b may be anywhere between two rows."""
    _, alpha, w, b = linear(0.0003)
    full = alpha > 0.0003 - 1e-9
    assert (full | (alpha < 1e-9)).all()
    edge = Y - X @ w
    upper = (Y > 0) == full
    low, high = edge[~upper].max(), edge[upper].min()
    costs = [slack(X, Y, w, t).sum() for t in np.linspace(low, high, 5)]
    assert np.ptp(costs) < 1e-9
    assert slack(X, Y, w, low - 0.01).sum() > costs[0] + 1e-3
    assert slack(X, Y, w, high + 0.01).sum() > costs[0] + 1e-3
    assert low - 1e-6 <= b <= high + 1e-6


def test_left_out_only_support_vectors_are_wrong():
    machine, *_ = linear(0.3, CLOUD, SIDE)
    rows = np.arange(60)
    for i in np.setdiff1d(rows, machine.support_):
        other = linear(0.3, CLOUD[rows != i], SIDE[rows != i])[0]
        assert other.predict(CLOUD[[i]])[0] == SIDE[i]
        assert np.allclose(other.decision_function(CLOUD), machine.decision_function(CLOUD),
                           atol=1e-5)
