"""The solvers of logistic regression: derivatives, optima, bad columns, infinity, L1."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.special import expit, softmax
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import check_estimator
from threadpoolctl import threadpool_limits

from supervised.basics import Standardizer
from supervised.basics.datasets import (
    load_breast_cancer,
    load_digits,
    load_donors,
    load_iris,
    load_titanic,
)
from supervised.linear.engine.logistic import (
    LogisticClassifier,
    _add_penalty,
    _at_infinity,
    _best_start,
    _BinaryRows,
    _block_preconditioner,
    _coefficients_of,
    _column_variances,
    _conjugate_gradients,
    _coordinate_descent,
    _derivatives,
    _diagonal_preconditioner,
    _full_newton_step,
    _hessian_blocks,
    _is_converged,
    _l1_newton,
    _Likelihood,
    _newton,
    _newton_cg,
    _newton_step,
    _null_model,
    _Optimum,
    _warm_start,
    l1_path,
)
from tests import examples

CANCER, DIAGNOSIS = load_breast_cancer()
C = CANCER.to_numpy(float)
Z = (C - C.mean(axis=0)) / C.std(axis=0)
FLOWERS, SPECIES = load_iris()


def random_rows(seed, n=40, d=3, k=2, exact=False):
    """Rows, classes and weights that no line parts."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = (np.arange(n) % k if exact else np.r_[np.arange(k), rng.integers(0, k, n - k)])
    return X, y, rng.integers(1, 4, n).astype(float)


def theirs(X, y, weights=None, C=1.0):
    """Weights and intercepts of scikit-learn at its tightest."""
    model = LogisticRegression(C=C, tol=1e-13, solver="newton-cholesky", max_iter=1000)
    model.fit(X, y, weights)
    return np.column_stack([model.coef_, model.intercept_])


def ours(X, y, weights=None, **how):
    model = LogisticClassifier(**how).fit(X, y, weights)
    return np.column_stack([model.coef_, model.intercept_])


def likelihood(X, y, weights, strength=0.0):
    """The rows as the searches read them."""
    k = y.max() + 1
    return _Likelihood(X, weights, 1 if k == 2 else k, y, strength)


# ------------------------------------ sums and steps


def test_sums_by_hand():
    # scores 0 and 2 with the mean 1 taken away; log(1 + e^-1) = 0.3132617
    rows = _BinaryRows(np.array([[0.0], [2.0]]), np.array([-1.0, 1.0]), np.ones(2),
                       np.ones(1), 3.0)
    sums = _derivatives(rows, np.array([1.0, 0.0]))
    assert sums.loss == pytest.approx(2 * 0.31326168751822286)
    p = 1 / (1 + np.e)  # of a mistake, for both
    assert sums.gradient == pytest.approx([-2 * p, 0])
    assert sums.hessian == pytest.approx(np.diag([2 * p * (1 - p)] * 2))
    penalized = _add_penalty(sums, np.array([1.0, 5.0]), 3.0)
    assert penalized.loss == pytest.approx(sums.loss + 1.5)
    assert penalized.gradient == pytest.approx([3 - 2 * p, 0])
    assert np.diag(penalized.hessian - sums.hessian) == pytest.approx([3, 0])


@examples(20)
@given(st.integers(0, 10_000))
def test_derivatives_are_differences(seed):
    X, y, weights = random_rows(seed, k=2)
    rng = np.random.default_rng(seed)
    theta, h = rng.normal(size=4), 1e-6
    rows = _BinaryRows(X, 2.0 * y - 1, weights, X.mean(axis=0), 0.0)
    sums = _derivatives(rows, theta)
    moved = [[_derivatives(rows, theta + s * e) for s in (h, -h)] for e in np.eye(4)]
    assert np.allclose([(a.loss - b.loss) / 2 / h for a, b in moved], sums.gradient,
                       atol=1e-5)
    assert np.allclose([(a.gradient - b.gradient) / 2 / h for a, b in moved],
                       sums.hessian, atol=1e-5)


@examples(20)
@given(st.integers(0, 10_000), st.sampled_from([2, 3, 5]), st.booleans())
def test_products_are_differences(seed, k, thin):
    X, y, weights = random_rows(seed, k=k)
    rows = likelihood(sparse.csr_array(X) if thin else X, y, weights, 0.7)
    rng, h = np.random.default_rng(seed), 1e-6
    theta, V = rng.normal(size=(2, 4, rows.n_lines))
    loss, P = rows.loss(theta)
    at = [rows.loss(theta + s * V) for s in (h, -h)]
    assert np.isclose((at[0][0] - at[1][0]) / 2 / h, np.vdot(rows.gradient(theta, P), V),
                      rtol=1e-4, atol=1e-5)
    slopes = [rows.gradient(theta + s * V, p) for s, (_, p) in zip((h, -h), at,
                                                                   strict=True)]
    assert np.allclose((slopes[0] - slopes[1]) / 2 / h, rows.hessian_product(P, V),
                       atol=1e-4)
    own = (np.where(y > 0, P[:, 0], 1 - P[:, 0]) if k == 2 else P[np.arange(len(y)), y])
    assert np.isclose(loss, -weights @ np.log(own) + 0.35 * (theta[:-1] ** 2).sum())


def test_steps_of_regular_and_singular_matrices():
    H = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert _newton_step(H, np.array([1.0, 2.0])) == pytest.approx([0.2, 0.6])
    assert _newton_step(np.diag([4.0, 0.0]), np.array([2.0, 0.0])).tolist() == [0.5, 0.0]
    twins = np.array([[1.0, 1.0], [1.0, 1.0]])
    assert _newton_step(twins, np.array([1.0, 1.0])) == pytest.approx([0.5, 0.5])
    near = np.array([[1.0, 1.0], [1.0, 1.0 + 1e-13]])
    assert _newton_step(near, np.array([1.0, 1.0])) == pytest.approx([0.5, 0.5], abs=1e-6)
    far = np.diag([1.0, 1e8]) @ H @ np.diag([1.0, 1e8])
    assert _newton_step(far, np.array([1.0, 2e8])) == pytest.approx([0.2, 0.6e-8])


def test_preconditioners_are_parts_of_the_inverse():
    X, y, weights = random_rows(3, k=3)
    rows = likelihood(X, y, weights, 0.5)
    P = softmax(np.random.default_rng(1).normal(size=(40, 3)), axis=1)
    whole = np.array([rows.hessian_product(P, e.reshape(4, 3)).ravel() for e in np.eye(12)])
    blocks = _block_preconditioner(rows, P)
    for c in range(3):
        assert np.allclose(blocks[c] @ whole[c::3, c::3], np.eye(4), atol=1e-5)
    diagonal = _diagonal_preconditioner(rows, X**2, P)
    assert np.allclose(1 / diagonal.ravel(), np.diag(whole))


def test_conjugate_gradients_solve():
    X, y, weights = random_rows(4, k=3)
    rows = likelihood(X, y, weights, 0.5)
    theta = np.random.default_rng(2).normal(size=(4, 3))
    _, P = rows.loss(theta)
    g = rows.gradient(theta, P)
    step = _conjugate_gradients(rows, P, g, lambda error: error, 1e-12)
    assert np.allclose(rows.hessian_product(P, step), g, atol=1e-8)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_the_full_step_solves(k, make):
    X, y, weights = random_rows(4, k=k)
    rows = likelihood(make(X), y, weights, 0.5)
    theta = np.random.default_rng(2).normal(size=(4, rows.n_lines))
    _, P = rows.loss(theta)
    g = rows.gradient(theta, P)
    assert np.allclose(rows.hessian_product(P, _full_newton_step(rows, P, g)), g, atol=1e-8)


def test_when_a_step_is_the_last():
    rows = likelihood(np.zeros((4, 1)), np.array([0, 1, 0, 1]), np.full(4, 2.0))
    assert _is_converged(1.0, 10.0, rows, 0.1) and not _is_converged(1.01, 10.0, rows, 0.1)
    assert _is_converged(0.0008, 0.0, rows, 0.1)
    assert not _is_converged(0.00081, 0.0, rows, 0.1)


def test_head_start_is_near_and_harmless():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2000, 3))
    s = np.where(X @ [1, -2, 0.5] + rng.logistic(size=2000) > 0, 1.0, -1.0)
    rows = _BinaryRows(X, s, np.ones(2000), X.mean(axis=0), 1.0)
    start = _warm_start(rows)
    best = _newton(rows, 1e-12, 100)
    warm = _newton(rows, 1e-12, 100, start)
    assert np.allclose(warm.theta, best.theta, atol=1e-9) and warm.n_iter < best.n_iter
    strong = rows._replace(strength=2000.0)
    start, best = _warm_start(strong)[:3], _newton(strong, 1e-12, 100).theta[:3, 0]
    assert np.abs(start - best).max() < 0.3 * np.abs(best).max()
    bad = np.full(4, 50.0)
    assert np.array_equal(_best_start(rows, bad)[0], _best_start(rows, None)[0])
    assert _warm_start(rows._replace(X=X[:100], sign=s[:100], weights=np.ones(100))) is None
    lopsided = s.copy()
    lopsided[::12] = 1.0
    assert _warm_start(rows._replace(sign=lopsided)) is None


# ------------------------------------ the optimum is scikit-learn's


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("inverse", [1.0, 100.0, 1 / 30])
@pytest.mark.parametrize("data", ["cancer", "standardized", "iris", "digits"])
def test_the_optimum_is_that_of_scikit_learn(data, inverse, weighted):
    X, y = {"cancer": (C, DIAGNOSIS), "standardized": (Z, DIAGNOSIS),
            "iris": (FLOWERS.to_numpy(), SPECIES),
            "digits": load_digits()}[data]
    if data == "digits":
        if inverse != 1:
            pytest.skip("takes long")
        X, y = X.to_numpy(float)[:600], y[:600]
    weights = (np.random.default_rng(0).integers(1, 5, len(X)).astype(float) if weighted
               else None)
    found, wanted = ours(X, y, weights, C=inverse), theirs(X, y, weights, inverse)
    assert np.abs(found - wanted).max() < 1e-6 * np.abs(wanted).max()


@pytest.mark.parametrize("k", [2, 3, 6])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array, sparse.csc_matrix])
def test_dense_and_sparse_agree_with_scikit_learn(k, make):
    rng = np.random.default_rng(k)
    X = rng.poisson(0.4, (150, 12)).astype(float)
    y, weights = rng.integers(0, k, 150), rng.integers(1, 4, 150).astype(float)
    found, wanted = ours(make(X), y, weights), theirs(X, y, weights)
    assert np.abs(found - wanted).max() < 1e-6


@examples(25)
@given(st.integers(0, 10_000), st.sampled_from([2, 3]), st.sampled_from([np.inf, 1 / 0.3]))
def test_random_tables_agree_with_scikit_learn(seed, k, C):
    X, y, weights = random_rows(seed, n=60, d=2, k=k)
    how = {"C": C} if C < np.inf else {"penalty": None}
    assert np.allclose(ours(X, y, weights, **how), theirs(X, y, weights, C),
                       atol=1e-5)


def test_large_systems_by_products_alone(monkeypatch):
    from supervised.linear.engine import logistic

    pixels, digit = load_digits()
    X, y = pixels.to_numpy(float)[:300], digit[:300]
    wanted = theirs(X, y)
    monkeypatch.setattr(logistic, "_MAX_BLOCK_ENTRIES", 0)
    assert np.abs(ours(X, y, tol=1e-10) - wanted).max() < 1e-4 * np.abs(wanted).max()
    monkeypatch.setattr(logistic, "_MAX_HESSIAN_COLUMNS", 5)
    assert np.allclose(ours(Z, DIAGNOSIS), theirs(Z, DIAGNOSIS), atol=1e-6)


@pytest.mark.parametrize("k", [2, 4])
def test_a_large_sparse_table_reaches_its_optimum(k):
    rng = np.random.default_rng(k)
    X = sparse.random_array((400, 40_000), density=0.002, rng=rng, format="csr")
    y = rng.integers(0, k, 400)
    model = LogisticClassifier().fit(X, y)
    P = model.predict_proba(X)
    error = P[:, 1:] - y[:, None] if k == 2 else P - np.eye(k)[y]
    left = (X.T @ error).T + model.coef_
    assert np.abs(left).max() < 1e-4 and np.abs(error.sum(axis=0)).max() < 1e-4
    assert model.n_iter_ > 2


def test_without_penalty_and_names():
    people, survived = load_titanic()
    model = LogisticClassifier(None).fit(people, survived)
    as_numbers = pd.get_dummies(people, drop_first=True).to_numpy(float)
    wanted = theirs(as_numbers, survived, C=np.inf)
    assert np.allclose(np.append(model.coef_, model.intercept_), wanted, atol=1e-6)
    sex = LogisticClassifier(None).fit(people[["sex"]], survived)
    assert np.exp(sex.coef_[0, 0]) == pytest.approx((367 / 1364) / (344 / 126))
    assert np.exp(sex.intercept_[0]) == pytest.approx(344 / 126)


def test_weights_are_repeated_rows():
    X, y, weights = random_rows(7, n=80, k=3)
    times = weights.astype(int)
    for how in ({}, {"penalty": "l1", "C": 1 / 3}, {"C": 0.05}):
        assert np.allclose(ours(X, y, weights, **how),
                           ours(X.repeat(times, axis=0), y.repeat(times), **how), atol=1e-6)
    dropped = np.where(np.arange(80) < 20, 0.0, 1.0)
    assert np.allclose(ours(X, y, dropped), ours(X[20:], y[20:]), atol=1e-12)


@pytest.mark.parametrize("how", [{}, {"penalty": "l1", "C": 0.2}, {"penalty": None},
                                 {"solver": "stochastic", "random_state": 3, "tol": 1e-4}])
def test_the_same_model_every_time_and_for_any_threads(how):
    y = SPECIES if how.get("penalty") is not None or "solver" in how else DIAGNOSIS
    X = FLOWERS.to_numpy() if len(y) == 150 else C[:, :5]
    one = ours(X, y, **how)
    assert np.array_equal(one, ours(X, y, **how))
    for threads in (1, 2, 4):
        with threadpool_limits(threads):
            assert np.allclose(ours(X, y, **how), one, rtol=1e-7, atol=1e-9)


# ------------------------------------ columns that upset careless programs


@pytest.mark.parametrize("penalty", ["l2", None])
@pytest.mark.parametrize("k", [2, 3])
def test_constant_equal_huge_and_distant_columns(penalty, k):
    X, y, _ = random_rows(5, n=200, d=3, k=k)
    plain = LogisticClassifier(penalty).fit(X, y)
    hard = np.column_stack([X, np.full(200, 0.1), np.full(200, -7e8), X[:, 0],
                            1e8 * X[:, 1], X[:, 2] + 1e8])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = LogisticClassifier(penalty).fit(hard, y)
    assert np.isfinite(model.coef_).all() and np.isfinite(model.intercept_).all()
    assert (model.coef_[:, 3:5] == 0).all()
    assert np.allclose(model.coef_[:, 0], model.coef_[:, 5], atol=1e-5)
    if penalty is None:
        assert np.allclose(model.predict_proba(hard), plain.predict_proba(X), atol=1e-4)


def test_columns_of_any_unit_without_penalty():
    X, y, _ = random_rows(6, n=100)
    units = np.array([1e8, 1e-8, 1.0])
    a, b = (LogisticClassifier(None).fit(x, y) for x in (X, X * units))
    assert np.allclose(a.coef_, b.coef_ * units, rtol=1e-6)
    thousand = C * 1e8
    assert np.isfinite(LogisticClassifier().fit(thousand, DIAGNOSIS).coef_).all()


def test_values_too_large_are_refused_by_name():
    X = pd.DataFrame({"a": [1.0, 2, 3, 4], "b": [1e200, 0, 1, 2]})
    with pytest.raises(ValueError, match="'b' has values too large to square"):
        LogisticClassifier().fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="'x1' has values too large to square"):
        LogisticClassifier().fit(sparse.csr_array(X.to_numpy()), [0, 1, 0, 1])


def test_a_table_without_columns_that_vary():
    for y in ([0, 1, 1, 0, 1], [0, 1, 2, 0, 1]):
        for how in ({}, {"penalty": None}, {"penalty": "l1"}):
            model = LogisticClassifier(**how).fit(np.ones((5, 2)), y)
            assert (model.coef_ == 0).all()
            assert np.allclose(model.predict_proba(np.ones((1, 2)))[0], np.bincount(y) / 5)
    one = pd.DataFrame({"a": ["x"] * 4})
    model = LogisticClassifier().fit(one, [0, 1, 1, 1])
    assert model.coef_.shape == (1, 0)
    assert model.predict_proba(one)[0] == pytest.approx([0.25, 0.75])


def test_a_thousand_classes_and_more_columns_than_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 2)), np.arange(2000) % 1000
    model = LogisticClassifier(tol=1e-4).fit(X, y)
    assert model.coef_.shape == (1000, 2) and np.isfinite(model.coef_).all()
    wide = rng.normal(size=(20, 1500))
    model = LogisticClassifier().fit(wide, np.arange(20) % 2)
    assert (model.predict(wide) == np.arange(20) % 2).all()
    kernel = wide @ wide.T  # the weights are a mixture of the rows: X' alpha
    alpha = np.arange(20) % 2 - model.predict_proba(wide)[:, 1]
    assert np.allclose(kernel @ alpha, wide @ model.coef_[0], atol=1e-3)


# ------------------------------------ the optimum at infinity


def warned(*data, **how):
    """The warnings of a fit, and the model."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = LogisticClassifier(**how).fit(*data)
    return [str(w.message) for w in caught if w.category is ConvergenceWarning], model


@pytest.mark.parametrize("thin", [False, True])
def test_separable_data_without_penalty_warn(thin):
    donors, gave = load_donors()
    setosa = np.where(SPECIES == "setosa", "setosa", "other")
    for X, y in ((donors, gave), (FLOWERS, setosa), (FLOWERS, SPECIES)):
        X = sparse.csr_array(X.to_numpy(float)) if thin else X
        said, model = warned(X, y, penalty=None)
        assert len(said) == 1 and "linearly separable" in said[0]
        assert np.isfinite(model.coef_).all()
        assert not warned(X, y)[0]


def test_a_group_that_is_parted_warns():
    X = pd.DataFrame({"g": ["a"] * 4 + ["b"] * 4 + ["c"] * 4,
                      "x": np.tile([0.0, 1, 2, 3], 3)})
    y = [1, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1]  # in group a all are 1
    said, model = warned(X, y, penalty=None)
    assert len(said) == 1 and np.isfinite(model.coef_).all()
    assert not warned(X, [1, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1], penalty=None)[0]


@examples(30)
@given(st.integers(0, 10_000))
def test_warned_if_and_only_if_a_line_parts_them(seed):
    from scipy.optimize import linprog

    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 16))
    X, y = rng.integers(-3, 4, (n, 2)).astype(float), np.r_[0, 1, rng.integers(0, 2, n - 2)]
    A = np.column_stack([X, np.ones(n)]) * np.where(y > 0, 1, -1)[:, None]
    # is there a direction that hurts no row and helps one?
    best = linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(n), bounds=[(-1, 1)] * 3)
    assert bool(warned(X, y, penalty=None)[0]) == (best.fun < -1e-7)


def test_still_moving_means_more_than_a_half():
    X = np.array([[-1.0], [1.0]])
    for size, moving in ((0.4, False), (0.6, True)):
        step = np.array([[size], [0.0]])
        assert _at_infinity(X, _Optimum(step, 1, True, step)) is moving
    same = np.full((2, 3), 9.0)  # all scores alike: no probability moves
    assert not _at_infinity(X, _Optimum(same, 1, True, same))


def test_steps_that_run_out_warn():
    said, model = warned(C, DIAGNOSIS, max_iter=2)
    assert len(said) == 1 and "not reached in 2 steps" in said[0] and model.n_iter_ == 2
    assert "not reached" in warned(FLOWERS, SPECIES, max_iter=1)[0][0]
    assert "not reached" in warned(C, DIAGNOSIS, solver="ascent", max_iter=3)[0][0]


# ------------------------------------ L1


def kkt(X, y, weights, model, strength):
    """How far the conditions for an L1 optimum are missed, relative to the strength."""
    y = np.unique(y, return_inverse=True)[1]
    P = model.predict_proba(X)
    error = (P[:, 1:] - y[:, None] if len(model.classes_) == 2
             else P - np.eye(P.shape[1])[y])
    g, w = (weights[:, None] * error).T @ X, model.coef_
    at_zero = np.maximum(np.abs(g) - strength, 0)
    elsewhere = np.abs(g + strength * np.sign(w))
    missed = np.where(w == 0, at_zero, elsewhere).max()
    return max(missed, np.abs((weights[:, None] * error).sum(axis=0)).max()) / strength


@pytest.mark.parametrize("strength", [0.5, 5.0, 50.0])
@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("thin", [False, True])
def test_l1_optimum_by_its_conditions(strength, k, thin):
    X, y = (Z, DIAGNOSIS) if k == 2 else (FLOWERS.to_numpy(), SPECIES)
    weights = np.random.default_rng(0).integers(1, 4, len(X)).astype(float)
    model = LogisticClassifier("l1", 1 / strength).fit(
        sparse.csr_array(X) if thin else X, y, weights)
    assert kkt(X, y, weights, model, strength) < 1e-3
    assert (model.coef_ == 0).any() or strength < 5


@pytest.mark.parametrize("strength", [3.0, 12.0])
@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_l1_intercept_moves_from_equal_shares(strength, make):
    X = np.random.default_rng(0).exponential(size=(60, 3)) ** 2
    y = (np.argsort(np.argsort(X[:, 0] + np.sin(9 * X[:, 1]))) >= 30).astype(int)
    model = LogisticClassifier("l1", 1 / strength).fit(make(X), y)
    # at 12 the pull on the intercept, 7, is smaller than the strength: it has no penalty
    assert kkt(X, y, np.ones(60), model, strength) < 1e-3 and model.coef_.any()


def test_l1_optimum_is_that_of_saga():
    X, y, weights = random_rows(8, n=100, d=5)
    saga = LogisticRegression(l1_ratio=1.0, C=1 / 3, solver="saga", tol=1e-10,
                              max_iter=20_000).fit(X, y, weights)
    model = LogisticClassifier("l1", 1 / 3).fit(X, y, weights)
    assert np.allclose(model.coef_, saga.coef_, atol=1e-5)
    assert np.allclose(model.intercept_, saga.intercept_, atol=1e-5)


def test_coordinate_steps_by_hand():
    def lowest(a, b, c):
        return _coordinate_descent(np.array([[a]]), np.array([-b]), np.zeros(1),
                                 np.array([c]), 0.0, 50)[0]

    assert lowest(2.0, 3.0, 1.0) == 1.0  # (3 - 1) / 2
    assert lowest(2.0, -3.0, 1.0) == -1.0
    assert lowest(2.0, 3.0, 4.0) == 0.0
    assert lowest(2.0, 3.0, 0.0) == 1.5
    assert lowest(0.0, 3.0, 0.0) == 0.0  # no hessian: left alone
    H, g = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-3.0, 0.0])
    found = _coordinate_descent(H, g, np.zeros(2), np.full(2, 0.1), 1e-24, 1000)
    assert found == pytest.approx([1.9, -0.9])
    again = _coordinate_descent(H, g + H @ found, found, np.full(2, 0.1), 1e-24, 1000)
    assert again == pytest.approx([1.9, -0.9])  # from anywhere the same


def test_curvature_of_pairs_is_that_of_all():
    X, y, weights = random_rows(9, k=3)
    rows = likelihood(X, y, weights)
    P = softmax(np.random.default_rng(1).normal(size=(40, 3)), axis=1)
    whole = np.array([rows.hessian_product(P, e.reshape(4, 3)).ravel() for e in np.eye(12)])
    line, column = np.array([0, 0, 1, 2, 2]), np.array([0, 3, 2, 1, 3])
    ones = np.column_stack([X, np.ones(40)])
    found = _hessian_blocks(rows, P, ones, column, line)
    assert np.allclose(found, whole[np.ix_(column * 3 + line, column * 3 + line)])


def test_path_ends_are_right_and_its_lines_are_fits():
    path = l1_path(Z, DIAGNOSIS, 8)
    assert (path.coef[0] == 0).all() and path.coef.shape == (8, 1, 30)
    assert path.Cs[-1] / path.Cs[0] == pytest.approx(1000)
    alone = LogisticClassifier("l1", path.Cs[0] / 0.99).fit(Z, DIAGNOSIS)
    assert (alone.coef_ != 0).sum() == 1
    for i in (2, 5, 7):
        model = LogisticClassifier("l1", path.Cs[i]).fit(Z, DIAGNOSIS)
        assert np.allclose(model.coef_, path.coef[i], atol=1e-3)
        assert np.allclose(model.intercept_, path.intercept[i], atol=1e-3)
    given_ = l1_path(FLOWERS, SPECIES, [1.0, 0.1, 0.5])
    assert given_.Cs.tolist() == [0.1, 0.5, 1] and given_.coef.shape == (3, 3, 4)
    assert given_.columns == list(FLOWERS.columns)
    with pytest.raises(ValueError, match="Cs is 0"):
        l1_path(Z, DIAGNOSIS, [1.0, 0.0])
    with pytest.raises(ValueError, match="Cs is 0"):
        l1_path(Z, DIAGNOSIS, 0)
    nothing = l1_path(np.ones((4, 2)), [0, 1, 0, 1], 3)  # no column says anything
    assert not nothing.coef.any() and np.isfinite(nothing.Cs).all()


# ------------------------------------ ascent, batch and stochastic


@pytest.mark.parametrize("solver, near", [("ascent", 0.02), ("stochastic", 0.05)])
@pytest.mark.parametrize("thin", [False, True])
@pytest.mark.parametrize("k", [2, 3])
def test_ascent_comes_near(solver, near, thin, k):
    X, y, weights = random_rows(10, n=300, d=4, k=k)
    X = X * [1, 100, 0.01, 1]
    X = sparse.csr_array(X) if thin else X
    best = LogisticClassifier().fit(X, y, weights)
    tol = 1e-8 if solver == "ascent" else 1e-6
    model = LogisticClassifier(solver=solver, random_state=0, tol=tol).fit(X, y, weights)
    assert np.abs(model.predict_proba(X) - best.predict_proba(X)).max() < near


@pytest.mark.parametrize("solver", ["ascent", "stochastic"])
def test_ascent_knows_the_penalty(solver):
    X, y, weights = random_rows(11, n=300, d=3)
    y = (X @ [2.0, -1.0, 0.5] > 0).astype(int)
    for strength in (30.0, 300.0):
        best, model = (LogisticClassifier(C=1 / strength, solver=s, tol=1e-6,
                                          random_state=0).fit(X, y, weights)
                       for s in ("newton", solver))
        assert np.abs(model.coef_ - best.coef_).max() < 0.05 * np.abs(best.coef_).max()


def test_variances():
    rows = _Likelihood(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, 3.0]), 1,
                       np.array([0, 1]), 0.0)
    assert _column_variances(rows).ravel().tolist() == [1, 1, 1]
    wide = _Likelihood(np.array([[3.0], [-1.0]]), np.array([1.0, 3.0]), 1,
                       np.array([0, 1]), 0.0)
    assert _column_variances(wide).ravel().tolist() == [3, 1]


# ------------------------------------ the classifier


@pytest.mark.parametrize("how, message", [
    ({"penalty": "l3"}, "penalty is 'l3'"), ({"solver": "lbfgs"}, "solver is 'lbfgs'"),
    ({"C": 0}, "C is 0"), ({"C": -1.0}, "C is -1.0"),
    ({"C": np.nan}, "C is nan"), ({"C": "1"}, "C is '1'"),
    ({"max_iter": 0}, "max_iter is 0"), ({"max_iter": 1.5}, "max_iter is 1.5"),
    ({"tol": -1}, "tol is -1"),
    ({"penalty": "l1", "solver": "stochastic"}, "only solver 'newton'"),
    ({"solver": "stochastic", "random_state": "x"}, "random_state is 'x'")])
def test_bad_parameters(how, message):
    with pytest.raises(ValueError, match=message):
        LogisticClassifier(**how).fit(Z, DIAGNOSIS)


def test_null_model_and_lines():
    rows = _Likelihood(np.zeros((4, 2)), np.ones(4), 1, np.array([0, 1, 1, 1]), 0.0)
    assert _null_model(rows).ravel() == pytest.approx([0, 0, np.log(3)])
    three = _Likelihood(np.zeros((4, 1)), np.ones(4), 3, np.array([0, 1, 2, 2]), 0.0)
    assert softmax(_null_model(three)[-1]) == pytest.approx([0.25, 0.25, 0.5])
    coef, intercept = _coefficients_of(np.array([[2.0], [1.0]]), np.array([3.0]), True)
    assert coef.tolist() == [[2.0]] and intercept.tolist() == [-5.0]
    theta = np.array([[1.0, 2, 6], [0, 0, 3]])
    coef, intercept = _coefficients_of(theta, np.zeros(1), False)
    assert coef.ravel().tolist() == [-2, -1, 3] and intercept.tolist() == [-1, -1, 2]


def test_probabilities_are_of_the_score():
    model = LogisticClassifier().fit(Z, DIAGNOSIS)
    assert np.allclose(model.predict_proba(Z)[:, 1], expit(model.decision_function(Z)))
    assert model.predict_proba(Z * 1e6).min() >= 0
    many = LogisticClassifier().fit(FLOWERS, SPECIES)
    assert np.allclose(many.predict_proba(FLOWERS).sum(axis=1), 1)
    assert (many.predict(FLOWERS) == many.classes_[
        many.predict_proba(FLOWERS).argmax(axis=1)]).all()


def test_stored_and_cloned():
    people, survived = load_titanic()
    model = LogisticClassifier("l1", 0.5).fit(people, survived)
    again = LogisticClassifier.from_json(model.to_json())
    assert np.array_equal(again.predict_proba(people), model.predict_proba(people))
    assert clone(again).get_params() == model.get_params()
    assert "log-odds" in str(model.explain(people.iloc[0]))
    thin = LogisticClassifier().fit(sparse.csr_array(Z), DIAGNOSIS)
    again = LogisticClassifier.from_json(thin.to_json())
    assert np.array_equal(again.predict_proba(Z), thin.predict_proba(Z))


def test_searches_may_be_called_alone():
    sick = (DIAGNOSIS == "malignant").to_numpy().astype(int)
    rows = likelihood(Z, sick, np.ones(569), 1.0)
    a = _newton_cg(rows, _null_model(rows), 1e-9, 50)
    assert a.converged and np.allclose(a.theta[:-1, 0], theirs(Z, DIAGNOSIS)[0, :-1],
                                       atol=1e-4)
    b = _l1_newton(
        likelihood(Z, rows.labels, np.ones(569)), 1e6, _null_model(rows), 1e-9, 50
    )
    assert (b.theta[:-1] == 0).all() and b.n_iter == 1


@pytest.mark.deep
@pytest.mark.parametrize("model", [LogisticClassifier("l1"),
                                   LogisticClassifier(solver="ascent")])
def test_protocol_on_other_settings(model):
    check_estimator(model)


def test_protocol():
    scaled = Standardizer().fit_transform(CANCER)
    assert LogisticClassifier().fit(scaled, DIAGNOSIS).score(scaled, DIAGNOSIS) > 0.98
    check_estimator(LogisticClassifier())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("unit", [1.0, 1e-4, 1e-6, 1e4, 1e8])
def test_ascent_climbs_to_the_top_whatever_the_unit_of_a_column(unit):
    """It stopped at [3e-7, 6e-4] where a column was 10,000 times smaller than the other."""
    X = np.array([[0.0, 0], [1, 2], [2, 1], [3, 3], [4, 1], [5, 2]]) * [1, unit]
    y = [0, 0, 1, 0, 1, 1]
    ascent, newton = (LogisticClassifier(solver=solver).fit(X, y)
                      for solver in ("ascent", "newton"))
    np.testing.assert_allclose(ascent.decision_function(X), newton.decision_function(X),
                               atol=2e-3)
