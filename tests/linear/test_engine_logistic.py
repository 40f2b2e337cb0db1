"""The solvers of logistic regression: derivatives, optima, bad columns, infinity, L1."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from supervised.basics.datasets import (
    load_breast_cancer,
    load_digits,
    load_donors,
    load_iris,
    load_titanic,
)
from supervised.linear.engine.logistic import LogisticClassifier, l1_path
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


# ------------------------------------ the classifier


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
