"""Methods with a kernel: each compared with another way to the same result."""


import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import KernelPCA as PeerPCA
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics.pairwise import pairwise_kernels

from supervised.basics.datasets import load_iris
from supervised.linear.engine.perceptron import PerceptronClassifier
from supervised.svm.engine.kernel_methods import (
    KernelFisherClassifier,
    KernelKMeans,
    KernelLogisticClassifier,
    KernelPCA,
    KernelPerceptron,
    _cluster,
    _mercer_points,
)

CLASSIFIERS = (KernelLogisticClassifier, KernelFisherClassifier, KernelPerceptron)
EVERY = (*CLASSIFIERS, KernelKMeans, KernelPCA)
SQUARE = {"kernel": "polynomial", "gamma": 1.0, "degree": 2, "coef0": 1.0}


def squares(Z):
    """The map of (1 + x·z)^2 for two columns, without the constant."""
    a, b = Z.T
    r = np.sqrt(2)
    return np.column_stack([r * a, r * b, a * a, b * b, r * a * b])


def scene(seed=0, n=90, n_classes=3):
    """Rows in the plane whose classes are rings of a slanted shape."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2))
    cuts = np.linspace(0.5, 2.5, n_classes - 1)
    return Z, np.digitize((Z**2).sum(axis=1) + Z[:, 0], cuts)


def rbf(A, B=None, gamma=0.5):
    """scikit-learn's Gaussian kernel."""
    return pairwise_kernels(A, B, metric="rbf", gamma=gamma)


# ------------------------------------------------ points from a matrix


@pytest.mark.parametrize("metric, options", [
    ("rbf", {"gamma": 0.3}), ("linear", {}),
    ("poly", {"gamma": 1, "degree": 2, "coef0": 1})])
def test_points_have_the_dot_products_of_the_matrix(metric, options):
    Z, _ = scene(n=60)
    K = pairwise_kernels(Z, metric=metric, **options)
    found = _mercer_points(K)
    assert np.allclose(found.points @ found.points.T, K, atol=1e-9)
    assert np.allclose(found.factor, np.tril(found.factor))
    assert np.allclose(found.points[found.basis], found.factor)
    rank = {"poly": 6, "linear": 2}.get(metric)
    assert rank in (None, found.points.shape[1])


@pytest.mark.parametrize("K", [
    np.array([[0.0, 1.0], [1.0, 0.0]]), -np.eye(3), np.array([[1.0, 2.0], [2.0, 1.0]]),
    np.diag([1.0, 1.0, -0.01])])
def test_a_matrix_with_negative_eigenvalues_is_refused(K):
    with pytest.raises(ValueError, match="negative eigenvalues"):
        _mercer_points(K)


# ------------------------------------------------ the classifiers


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("C", [10.0, 1 / 3])
def test_logistic_regression_is_that_on_explicit_columns(n_classes, C):
    Z, y = scene(n_classes=n_classes)
    new = np.random.default_rng(5).normal(size=(50, 2))
    weights = np.random.default_rng(6).uniform(0.2, 3, len(y))
    ours = KernelLogisticClassifier(C=C, **SQUARE).fit(Z, y, weights)
    peer = LogisticRegression(C=C, tol=1e-12, max_iter=100_000)
    peer.fit(squares(Z), y, weights)
    assert np.allclose(ours.predict_proba(new), peer.predict_proba(squares(new)), atol=2e-5)
    assert len(ours.support_) <= 6


def test_numbers_of_logistic_regression_are_its_mistakes():
    """At the optimum the gradient vanishes: K a = C K (y - p)."""
    Z, y = scene(n_classes=2)
    model = KernelLogisticClassifier(C=2.0, gamma=0.5).fit(Z, y)
    a = np.zeros(len(y))
    a[model.support_] = model.dual_coef_[0]
    mistakes = 2.0 * (y - model.predict_proba(Z)[:, 1])
    assert np.allclose(rbf(Z) @ a, rbf(Z) @ mistakes, atol=1e-6)
    assert abs(mistakes.sum()) < 1e-6


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ridge", [1e-3, 0.5])
def test_fisher_is_the_normal_rule_on_explicit_columns(n_classes, ridge):
    Z, y = scene(n_classes=n_classes)
    weights = np.random.default_rng(6).integers(1, 4, len(y))
    P, copies = np.repeat(squares(Z), weights, axis=0), np.repeat(y, weights)
    shares = np.bincount(copies) / len(copies)
    means = np.array([P[copies == c].mean(axis=0) for c in range(n_classes)])
    within = sum(p * np.cov(P[copies == c].T, bias=True) for c, p in enumerate(shares))
    total = np.trace(np.cov(P.T, bias=True))
    apart = squares(Z)[:, None] - means
    inverse = np.linalg.inv(within + ridge * total * np.eye(5))
    rule = np.log(shares) - np.einsum("ncd,de,nce->nc", apart, inverse, apart) / 2
    found = KernelFisherClassifier(regularization=ridge, **SQUARE).fit(Z, y, weights)
    scores = found.decision_function(Z)
    if n_classes == 2:
        assert np.allclose(scores, rule[:, 1] - rule[:, 0])
    else:
        assert np.allclose(scores - scores[:, :1], rule - rule[:, :1])
    assert (found.predict(Z) == rule.argmax(axis=1)).all()


def test_with_equal_classes_fisher_and_ridge_regression_share_a_direction():
    Z, y = scene(n=200, n_classes=2)
    keep = np.concatenate([np.flatnonzero(y == c)[:50] for c in (0, 1)])
    Z, y = Z[keep], y[keep]
    K = rbf(Z)
    C = np.eye(100) - 1 / 100
    total = np.trace(C @ K @ C) / 100
    a = np.linalg.solve(C @ K @ C + 100 * 0.01 * total * np.eye(100), C @ (2 * y - 1))
    ours = KernelFisherClassifier(regularization=0.01, gamma
                                  =0.5).fit(Z, y).decision_function(Z)
    assert np.corrcoef(ours, C @ K @ C @ a)[0, 1] > 1 - 1e-9


@pytest.mark.parametrize("variant", ["plain", "averaged"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_perceptron_is_that_on_explicit_columns(variant, n_classes):
    Z, y = scene(n_classes=n_classes)
    same = {"shuffle": False, "max_iter": 15, "n_iter_no_change": None}
    ours = KernelPerceptron(variant=variant, **SQUARE, **same).fit(Z, y)
    # the kernel has a constant of its own, the explicit columns need it written out
    P = np.column_stack([squares(Z), np.ones(len(Z))])
    theirs = PerceptronClassifier(variant, **same).fit(P, y)
    assert np.allclose(ours.decision_function(Z), theirs.decision_function(P))
    for a, b in zip(ours.mistakes_, theirs.mistakes_, strict=True):
        assert np.array_equal(a, b)
    weights = np.random.default_rng(4).uniform(0.2, 3, len(y))
    assert np.allclose(ours.fit(Z, y, weights).decision_function(Z),
                       theirs.fit(P, y, weights).decision_function(P))
    if variant == "plain" and n_classes == 2:
        ours.fit(Z, y)
        peer = Perceptron(tol=None, max_iter=15, shuffle=False).fit(P, y)
        assert np.allclose(ours.decision_function(Z), peer.decision_function(P))


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "polynomial"])
def test_weights_copies_and_order(kind, kernel):
    Z, y = scene(n=60)
    copies = np.random.default_rng(1).integers(0, 4, 60)
    order = np.random.default_rng(2).permutation(60)
    new = np.random.default_rng(3).normal(size=(30, 2))
    model = kind(kernel, coef0=1.0)
    weighed = model.fit(Z, y, copies).decision_function(new)
    repeated = clone(model).fit(Z.repeat(copies, axis=0), y.repeat(copies))
    reordered = clone(model).fit(Z[order], y[order], copies[order])
    assert np.allclose(weighed, repeated.decision_function(new), atol=1e-6)
    assert np.allclose(weighed, reordered.decision_function(new), atol=1e-6)
    assert set(model.support_) <= set(np.flatnonzero(copies))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_precomputed_kernel_and_a_function_are_as_good_as_a_name(kind):
    Z, y = scene(n=60)
    new = np.random.default_rng(3).normal(size=(3000, 2))
    weights = np.random.default_rng(1).integers(0, 3, 60)
    options = {"shuffle": False} if kind is KernelPerceptron else {}
    named = kind(gamma=0.5, **options).fit(Z, y, weights)
    own = kind(rbf, **options).fit(Z, y, weights)
    known = kind("precomputed", **options).fit(rbf(Z), y, weights)
    assert np.allclose(named.decision_function(new), own.decision_function(new), atol=1e-6)
    assert np.allclose(named.decision_function(new), known.decision_function(rbf(new, Z)),
                       atol=1e-6)
    assert np.array_equal(named.support_, known.support_)
    assert str(known.explain(rbf(new[:1], Z))) == str(named.explain(new[:1]))


# ------------------------------------------------ clusters


def test_sums_are_those_of_ordinary_means():
    flowers, _ = load_iris()
    found = KernelKMeans(3, kernel="linear", random_state=1).fit(flowers)
    peer = KMeans(3, n_init=10, random_state=0).fit(flowers)
    assert np.isclose(found.inertia_, peer.inertia_)
    assert np.array_equal(found.predict(flowers), found.labels_)


@pytest.mark.parametrize("seed", range(4))
def test_distances_are_those_to_means_of_explicit_columns(seed):
    Z, _ = scene(seed, n=70)
    P = squares(Z)
    weights = np.random.default_rng(seed).uniform(0.1, 2, 70)
    found = KernelKMeans(4, n_init=3, random_state=seed, **SQUARE).fit(
        Z, sample_weight=weights)
    means = np.array([np.average(P[found.labels_ == c], axis=0,
                                 weights=weights[found.labels_ == c]) for c in range(4)])
    distances = ((P[:, None] - means) ** 2).sum(axis=2)
    assert np.array_equal(distances.argmin(axis=1), found.labels_)
    assert np.isclose(weights @ distances.min(axis=1), found.inertia_)
    new = np.random.default_rng(9).normal(size=(200, 2))
    nearest = ((squares(new)[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(found.predict(new), nearest)


def test_no_round_raises_the_sum():
    Z, _ = scene(n=120)
    K = rbf(Z, gamma=2.0)
    rng = np.random.default_rng(0)
    for _ in range(5):
        start = rng.integers(0, 5, 120)
        sums = [_cluster(K, np.ones(120), start, 5, rounds).inertia for rounds in range(12)]
        assert (np.diff(sums) <= 1e-9).all()


# ------------------------------------------------ axes


@pytest.mark.parametrize("n", [50, 260])
@pytest.mark.parametrize("metric, ours", [
    ("rbf", {"kernel": "rbf", "gamma": 0.1}),
    ("poly", {"kernel": "polynomial", "gamma": 0.1, "degree": 3, "coef0": 1.0}),
    ("linear", {"kernel": "linear"})])
@pytest.mark.parametrize("m", [2, 7, None])
def test_axes_are_those_of_scikit_learn(n, metric, ours, m):
    X = np.random.default_rng(0).normal(size=(n, 9)) * np.linspace(1, 3, 9)
    new = np.random.default_rng(1).normal(size=(20, 9))
    found = KernelPCA(m, **ours).fit(X)
    options = {k: v for k, v in ours.items() if k != "kernel"}
    peer = PeerPCA(m, kernel=metric, remove_zero_eig=True, **options).fit(X)
    k = min(len(found.eigenvalues_), 15)
    assert m is None or len(found.eigenvalues_) == min(m, len(peer.eigenvalues_))
    assert np.allclose(found.eigenvalues_[:k], peer.eigenvalues_[:k])
    assert np.allclose(abs(found.transform(new)[:, :k]), abs(peer.transform(new)[:, :k]),
                       atol=1e-6)
    assert np.allclose(found.fit_transform(X), found.transform(X), atol=1e-6)


def test_places_keep_the_distances_of_the_kernel():
    Z, _ = scene(n=50)
    K, P = rbf(Z), KernelPCA(gamma=0.5).fit_transform(Z)
    assert np.allclose(P.mean(axis=0), 0)
    own = K.diagonal()
    assert np.allclose(((P[:, None] - P) ** 2).sum(axis=2), own[:, None] - 2 * K + own,
                       atol=1e-7)


# ------------------------------------------------ stored, and bad input


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("factor", [1e-8, 1e6, 1e100])
def test_scales_do_not_matter_with_gamma_by_scale(kind, factor):
    Z, y = scene(n=60)
    ask = "transform" if kind is KernelPCA else "predict"
    # the perceptron's order comes from the numbers
    options = {"shuffle": False} if kind is KernelPerceptron else {}
    options |= {"n_components": 8} if kind is KernelPCA else {}
    one = getattr(kind(**options).fit(Z, y), ask)(Z)
    other = getattr(kind(**options).fit(Z * factor, y), ask)(Z * factor)
    assert np.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_rows_that_are_all_equal(kind):
    X, y = np.ones((20, 3)), np.array([0] * 13 + [1] * 7)
    assert (KernelLogisticClassifier().fit(X, y).predict(X) == 0).all()
    scores = kind().fit(X, y).decision_function(X)
    assert np.isfinite(scores).all() and np.ptp(scores) == 0
    zero = kind("linear").fit(np.zeros((20, 3)), y).decision_function(X)
    assert np.isfinite(zero).all()


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(25))
def test_many_random_tables(seed):
    """Explicit columns again, on tables of many sizes, with weights and equal rows."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 150))
    Z = rng.normal(size=(n, 2)).round(int(rng.integers(0, 3)))
    y = np.concatenate([np.arange(3), rng.integers(0, 3, n - 3)])
    weights = rng.uniform(0.1, 3, n)
    ours = KernelLogisticClassifier(C=1 / 0.3, **SQUARE).fit(Z, y, weights)
    peer = LogisticRegression(C=1 / 0.3, tol=1e-12, max_iter=100_000)
    peer.fit(squares(Z), y, weights)
    assert np.allclose(ours.predict_proba(Z), peer.predict_proba(squares(Z)), atol=1e-4)
    m = int(rng.integers(1, 6))
    places = KernelPCA(m, gamma=0.3).fit_transform(Z)
    C = np.eye(n) - 1 / n
    values = np.linalg.eigvalsh(C @ rbf(Z, gamma=0.3) @ C)[::-1][:places.shape[1]]
    assert np.allclose((places**2).sum(axis=0), values)


@pytest.mark.parametrize("kind", [KernelPCA, KernelKMeans])
def test_matrices_that_are_no_dot_products_are_refused(kind):
    X = 3 * np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(ValueError, match="negative eigenvalues"):
        kind(2, kernel="sigmoid").fit(X)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    with pytest.raises(ValueError, match="negative eigenvalues"):
        kind(2, kernel="precomputed").fit(squares)
    # minus squared distances are none either, but about the mean they are: twice X @ X.T
    kind(2, kernel="precomputed").fit(-squares)
    kind(2, kernel="polynomial", coef0=1).fit(X)
