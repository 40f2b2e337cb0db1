"""Kernel matrices: as the plain ones, symmetric, bounded, stored, refused."""


import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_kernels
from sklearn.svm import SVC

from supervised.svm.engine.kernels import _gamma_of, _Kernel, _kernel_of

RNG = np.random.default_rng(0)
NAMES = {"rbf": "rbf", "linear": "linear", "polynomial": "poly", "sigmoid": "sigmoid"}


def peer(kernel, A, B=None):
    more = {"rbf": {"gamma": kernel.gamma}, "linear": {},
            "sigmoid": {"gamma": kernel.gamma, "coef0": kernel.coef0},
            "polynomial": {"gamma": kernel.gamma, "coef0": kernel.coef0,
                           "degree": kernel.degree}}[kernel.kind]
    return pairwise_kernels(A, B, metric=NAMES[kernel.kind], **more)


@pytest.mark.parametrize("kind", list(NAMES))
@pytest.mark.parametrize("shape", [(1, 1, 3), (5, 0, 3), (130, 520, 7), (300, 1100, 1)])
def test_matrices_are_those_of_scikit_learn(kind, shape):
    n, m, d = shape
    A, B = RNG.normal(size=(n, d)), RNG.normal(size=(m, d))
    kernel = _kernel_of(kind, 0.3, 3, 0.5, A)
    K = kernel.matrix(A)
    assert np.allclose(K, peer(kernel, A))
    assert np.array_equal(K, K.T)
    assert np.allclose(kernel.diagonal(A), K.diagonal())
    if m:
        assert np.allclose(kernel.matrix(A, B), peer(kernel, A, B))
    assert kernel.matrix(A, B).shape == (n, m)
    assert kernel.matrix(A[:0], A).shape == (0, n)


@pytest.mark.parametrize("kind", list(NAMES))
def test_single_precision(kind):
    A, B = RNG.normal(size=(200, 6)), RNG.normal(size=(700, 6))
    kernel = _kernel_of(kind, "scale", 3, 1.0, A)
    for C in (None, B):
        K = kernel.matrix(A, C, dtype=np.float32)
        assert K.dtype == np.float32
        assert np.allclose(K, kernel.matrix(A, C), rtol=1e-5, atol=1e-5)


def test_far_from_the_origin():
    near = RNG.normal(size=(150, 5))
    kernel = _Kernel("rbf", 0.2)
    exact = np.exp(-0.2 * cdist(near, near, "sqeuclidean"))
    assert np.allclose(kernel.matrix(near + 1e7), exact, rtol=1e-5)
    assert np.allclose(kernel.matrix(near + 1e7, near[:9] + 1e7), exact[:, :9], rtol=1e-5)


def test_equal_rows_have_the_value_one():
    A = np.repeat(RNG.normal(size=(40, 30)) * 1e3, 3, axis=0)
    K = _Kernel("rbf", 1e-3).matrix(A)
    assert K.max() == 1.0
    assert np.allclose(K[::3], K[1::3])


# ------------------------------------ parameters


def test_gamma_is_that_of_scikit_learn():
    X, y = RNG.normal(3, 2, size=(30, 4)), np.arange(30) % 2
    for gamma in ("scale", "auto", 0.25):
        assert _gamma_of(gamma, X) == pytest.approx(SVC(gamma=gamma).fit(X, y)._gamma)
    assert _gamma_of("scale", np.ones((5, 3))) == 1.0
    assert _gamma_of(np.float32(2), X) == 2.0


# ------------------------------------ values that are no numbers


@pytest.mark.parametrize("kind", list(NAMES))
@pytest.mark.parametrize("value", [1e200, np.nan, np.inf])
def test_overflow_is_refused_and_not_computed(kind, value):
    X = RNG.normal(size=(6, 3))
    bad = X.copy()
    bad[4, 1] = value
    kernel = _Kernel(kind, 1.0, 3, 1.0)
    for pair in ((bad,), (bad, X), (X, bad)):
        with pytest.raises(ValueError, match="too large for it; standardize"):
            kernel.matrix(*pair)
    if kind != "rbf":
        with pytest.raises(ValueError, match="standardize"):
            kernel.diagonal(bad)


def test_an_exponent_may_overflow_before_its_squares_do():
    """2ab is infinite, a^2 and b^2 are not: the distance would come out as 0."""
    rows = 1e154 * np.array([[1.0], [0.95], [-0.5], [-0.5], [-0.5], [-0.5]])
    assert np.isfinite(rows**2).all()
    with pytest.raises(ValueError, match="standardize"):
        _Kernel("rbf", 1.0).matrix(rows)
