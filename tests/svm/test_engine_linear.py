"""The linear SVM: the minimum that LIBLINEAR and SciPy find, by every solver."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import linprog, minimize
from sklearn.datasets import load_breast_cancer, load_wine, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from supervised.basics import IndicatorEncoder, Standardizer
from supervised.basics.datasets import load_titanic
from supervised.svm.engine import linear
from supervised.svm.engine.linear import LinearSVMClassifier

KINDS = [("hinge", "l2"), ("squared_hinge", "l2"), ("squared_hinge", "l1")]


def objective(coef, intercept, X, y, C, loss, penalty, weights=1.0):
    """What is minimized, for one line and sides of 1 and -1, written anew."""
    short = np.maximum(0.0, 1.0 - y * (X @ coef + intercept))
    line = np.append(coef, intercept)
    size = np.abs(line).sum() if penalty == "l1" else line @ line / 2
    return size + C * (weights * short ** (2 if loss == "squared_hinge" else 1)).sum()


def table(n, d, seed, noise=0.5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X @ rng.normal(size=d) + noise * rng.normal(size=n) > 0.3, 1, -1)


def tumors():
    X, y = load_breast_cancer(return_X_y=True)
    return StandardScaler().fit_transform(X), np.where(y == 1, 1, -1)


def peer_objective(X, y, C, loss, penalty):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = LinearSVC(C=C, loss=loss, penalty=penalty, dual=penalty == "l2", tol=1e-8,
                         max_iter=50_000, random_state=0).fit(X, y)
    return objective(peer.coef_[0], peer.intercept_[0], X, y, C, loss, penalty)


@pytest.mark.parametrize("C", [0.01, 1.0, 100.0])
@pytest.mark.parametrize(("loss", "penalty"), KINDS)
@pytest.mark.parametrize("data", [lambda: table(120, 6, 0), lambda: table(30, 50, 1)])
def test_objective_of_liblinear(data, loss, penalty, C):
    X, y = data()
    model = LinearSVMClassifier(C, loss, penalty).fit(X, y)
    found = objective(model.coef_[0], model.intercept_[0], X, y, C, loss, penalty)
    assert np.isclose(model.objective_[0], found, rtol=1e-9)
    assert found <= peer_objective(X, y, C, loss, penalty) * (1 + 1e-4)
    assert model.gap_[0] <= model.tol


@pytest.mark.parametrize(("loss", "penalty"), KINDS)
def test_gap_is_a_bound(loss, penalty):
    X, y = table(150, 8, 2)
    best = LinearSVMClassifier(1.0, loss, penalty, tol=1e-10).fit(X, y).objective_[0]
    for steps in (1, 2, 4, 8):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            rough = LinearSVMClassifier(1.0, loss, penalty, max_iter=steps).fit(X, y)
        assert best <= rough.objective_[0] * (1 + 1e-9)
        assert rough.objective_[0] * (1 - rough.gap_[0]) <= best * (1 + 1e-9)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_coordinate_descent_and_newton_end_alike(loss, monkeypatch):
    X, y = table(300, 12, 3)
    newton = LinearSVMClassifier(0.5, loss).fit(X, y)
    monkeypatch.setattr(linear, "_MAX_HESSIAN_SIZE", 0)
    walked = LinearSVMClassifier(0.5, loss, tol=1e-9, max_iter=20_000).fit(X, y)
    assert np.allclose(newton.coef_, walked.coef_, atol=2e-3)
    assert np.isclose(newton.objective_[0], walked.objective_[0], rtol=1e-5)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_long_tables(loss):
    X, y = table(6000, 5, 4, noise=1.0)
    model = LinearSVMClassifier(1.0, loss).fit(X, y)
    assert model.gap_[0] <= 1e-5
    assert model.objective_[0] <= peer_objective(X, y, 1.0, loss, "l2") * (1 + 1e-4)


def test_many_rows_on_few_spots():
    """The nearest quarter of the rows lies on one spot, and its best line runs far away."""
    people, fate = load_titanic()
    X = make_pipeline(IndicatorEncoder(), Standardizer()).fit_transform(people)
    y = np.where(fate == fate.iloc[0], 1, -1)
    model = LinearSVMClassifier().fit(X, y)
    assert model.objective_[0] <= peer_objective(X, y, 1.0, "hinge", "l2") * (1 + 1e-4)
    assert model.gap_[0] <= model.tol
    assert model.n_iter_[0] <= 60  # once 300, each with a sharper corner, and 0 / 0


def test_squared_hinge_by_scipy():
    X, y = table(80, 4, 5)

    def value(v):
        return objective(v[:-1], v[-1], X, y, 2.0, "squared_hinge", "l2")

    model = LinearSVMClassifier(2.0, "squared_hinge", tol=1e-12).fit(X, y)
    theirs = minimize(value, np.zeros(5), method="BFGS", options={"gtol": 1e-9}).x
    assert np.allclose(np.append(model.coef_[0], model.intercept_), theirs, atol=1e-5)


def test_l1_with_hinge_like_cost_has_zeros_that_liblinear_has():
    X, y = tumors()
    for C in (0.01, 0.1):
        model = LinearSVMClassifier(C, "squared_hinge", "l1", tol=1e-9).fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            peer = LinearSVC(C=C, penalty="l1", dual=False, tol=1e-9, max_iter=100_000,
                             random_state=0).fit(X, y)
        assert ((np.abs(model.coef_) > 1e-6) == (np.abs(peer.coef_) > 1e-6)).all()
        assert np.allclose(model.coef_, peer.coef_, atol=1e-4)


def test_by_hand_two_points():
    """Points 1 and -1 on a line, C large: the weight 1 puts both on the edge."""
    model = LinearSVMClassifier(C=100.0, tol=1e-12).fit([[1.0], [-1.0]], [1, -1])
    assert np.allclose(model.coef_, 1.0, atol=1e-8)
    assert np.allclose(model.intercept_, 0.0, atol=1e-8)
    assert np.isclose(model.objective_[0], 0.5)


def test_by_hand_squared():
    """One variable w, no b by symmetry: w^2/2 + 2 C (1 - w)^2 is least at 4C/(1 + 4C)."""
    for C in (0.25, 1.0, 10.0):
        model = LinearSVMClassifier(C, "squared_hinge", tol=1e-12).fit([[1.0], [-1.0]],
                                                                       [1, -1])
        assert np.isclose(model.coef_[0, 0], 4 * C / (1 + 4 * C), atol=1e-7)


def test_by_hand_l1():
    """|w| + 2 C (1 - w)^2 is least at 1 - 1/(4C), or at 0."""
    for C, w in ((1.0, 0.75), (0.5, 0.5), (0.2, 0.0)):
        model = LinearSVMClassifier(C, "squared_hinge", "l1", tol=1e-10).fit(
            [[1.0], [-1.0]], [1, -1])
        assert np.isclose(model.coef_[0, 0], w, atol=1e-5)


def test_by_linear_program():
    """L1 penalty in the limit of a huge cost: the least sum of weights that parts."""
    X, y = table(40, 3, 6, noise=0.0)
    model = LinearSVMClassifier(1e6, "squared_hinge", "l1", tol=1e-6).fit(X, y)
    signed = y[:, None] * np.column_stack([X, np.ones(len(y))])
    least = linprog(np.ones(8), -np.hstack([signed, -signed]), -np.ones(40)).fun
    found = np.abs(model.coef_).sum() + np.abs(model.intercept_).sum()
    assert np.isclose(found, least, rtol=1e-3)


@pytest.mark.parametrize(("loss", "penalty"), KINDS)
def test_weights_are_copies(loss, penalty):
    X, y = table(60, 4, 7)
    weights = np.random.default_rng(0).integers(0, 4, 60)
    one = LinearSVMClassifier(0.3, loss, penalty).fit(X, y, sample_weight=weights)
    many = LinearSVMClassifier(0.3, loss, penalty).fit(np.repeat(X, weights, axis=0),
                                                       np.repeat(y, weights))
    assert np.allclose(one.coef_, many.coef_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("loss", "penalty"), KINDS)
def test_sparse_and_dense_agree(loss, penalty, monkeypatch):
    X, y = make_classification(200, 30, random_state=0)
    X[np.abs(X) < 0.8] = 0.0
    dense = LinearSVMClassifier(0.1, loss, penalty).fit(X, y)
    small = LinearSVMClassifier(0.1, loss, penalty).fit(sparse.csr_matrix(X), y)
    monkeypatch.setattr(linear, "_DENSE_ENTRIES", 0)
    walked = LinearSVMClassifier(0.1, loss, penalty, max_iter=5000).fit(
        sparse.csc_array(X), y)
    assert np.allclose(dense.coef_, small.coef_)
    assert np.isclose(dense.objective_[0], walked.objective_[0], rtol=2e-5)
    scores = walked.decision_function(sparse.csr_array(X))
    assert np.allclose(scores, walked.decision_function(X))


def test_more_than_two_classes_are_lines_against_the_rest():
    X, y = load_wine(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    model = LinearSVMClassifier().fit(X, y)
    for c in range(3):
        alone = LinearSVMClassifier().fit(X, y == c)
        assert np.allclose(model.coef_[c], alone.coef_[0])
    assert model.objective_.shape == model.gap_.shape == model.n_iter_.shape == (3,)


@pytest.mark.parametrize(("loss", "penalty"), KINDS)
@pytest.mark.parametrize("C", [1e-8, 1.0, 1e8])
def test_odd_tables_end(loss, penalty, C):
    X, y = table(60, 4, 10)
    odd = np.column_stack([X, X[:, 0], np.full(60, 5.0), 1e6 * X[:, 1], 1e-6 * X[:, 2]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model = LinearSVMClassifier(C, loss, penalty, max_iter=300).fit(odd, y)
    assert np.isfinite(model.coef_).all() and (model.n_iter_ <= 300).all()


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(40))
def test_objectives_on_many_tables(seed):
    rng = np.random.default_rng(seed)
    X, y = table(int(rng.integers(5, 400)), int(rng.integers(1, 60)), seed)
    if len(set(y)) < 2:
        y[0] = -y[0]
    X = X * 10 ** rng.uniform(-2, 2)
    C = 10 ** rng.uniform(-3, 2)
    for loss, penalty in KINDS:
        model = LinearSVMClassifier(C, loss, penalty).fit(X, y)
        assert (model.objective_[0]
                <= peer_objective(X, y, C, loss, penalty) * (1 + 1e-4))
