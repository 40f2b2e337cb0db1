"""Kernel matrices in blocks: as the plain ones, symmetric, bounded, stored, refused."""

import dataclasses

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import pairwise_kernels
from sklearn.svm import SVC

from supervised.basics.classifiers import pack, unpack
from supervised.svm import SVMClassifier
from supervised.svm.engine.kernels import (
    _BLOCK,
    _KERNELS,
    _gamma_of,
    _in_blocks,
    _in_halves,
    _Kernel,
    _kernel_of,
    _raise_to,
    _rbf_factors,
    _variance,
)

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


def test_degrees():
    for degree in (1, 2, 3, 5, 7, 12):
        values = np.array([-1.5, 0.0, 0.3, 2.0])
        expected = values**degree
        _raise_to(values, degree)
        assert np.allclose(values, expected)


def test_blocks_and_halves_are_one_product():
    for n in (_BLOCK[0] - 1, _BLOCK[0], _BLOCK[0] + 1, 3 * _BLOCK[0] + 5):
        A, B = RNG.normal(size=(n, 4)), RNG.normal(size=(_BLOCK[1] + 3, 4))
        assert np.allclose(_in_blocks(A, B.T, lambda block: None), A @ B.T)
        half = _in_halves(A, A.T, lambda block: _raise_to(block, 2))
        assert np.allclose(half, (A @ A.T) ** 2)
        assert np.array_equal(half, half.T)


def test_each_entry_is_finished_once():
    seen = []
    A = RNG.normal(size=(2 * _BLOCK[0] + 9, 3))
    _in_blocks(A, A.T, lambda block: seen.append(block.size))
    assert sum(seen) == len(A) ** 2
    seen.clear()
    _in_halves(A, A.T, lambda block: seen.append(block.size))
    assert len(A) * (len(A) + 1) / 2 <= sum(seen) < 0.75 * len(A) ** 2


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


def test_the_exponent_is_a_product():
    A, B = RNG.normal(size=(6, 3)), RNG.normal(size=(8, 3))
    left, right = _rbf_factors(A, B, 0.7)
    assert np.allclose(left @ right, -0.7 * cdist(A, B, "sqeuclidean"))


# ------------------------------------ parameters


def test_gamma_is_that_of_scikit_learn():
    X, y = RNG.normal(3, 2, size=(30, 4)), np.arange(30) % 2
    for gamma in ("scale", "auto", 0.25):
        assert _gamma_of(gamma, X) == pytest.approx(SVC(gamma=gamma).fit(X, y)._gamma)
    assert _gamma_of("scale", np.ones((5, 3))) == 1.0
    assert _gamma_of(np.float32(2), X) == 2.0


def test_weights_are_copies():
    X, weights = RNG.normal(size=(50, 4)), RNG.integers(0, 4, 50)
    copies = X.repeat(weights, axis=0)
    assert _variance(X, weights.astype(float)) == pytest.approx(copies.var())
    assert _gamma_of("scale", X, weights.astype(float)) == pytest.approx(
        _gamma_of("scale", copies))
    ours = _kernel_of("rbf", "scale", 3, 0, X, weights.astype(float))
    assert ours.gamma == pytest.approx(_gamma_of("scale", copies))


@pytest.mark.parametrize(("parameters", "message"), [
    (("gaussian", 1, 3, 0), "kernel is 'gaussian', .*: here it is called 'rbf'"),
    (("poly", 1, 3, 0), "'polynomial'"),
    (("cubic", 1, 3, 0), "kernel is 'cubic', but must be 'rbf'"),
    ((None, 1, 3, 0), "kernel is None"),
    (("rbf", 0, 3, 0), "gamma is 0"),
    (("rbf", -1.0, 3, 0), "gamma is -1.0"),
    (("rbf", np.nan, 3, 0), "gamma is nan"),
    (("rbf", np.inf, 3, 0), "gamma is inf"),
    (("rbf", "wide", 3, 0), "gamma is 'wide'"),
    (("rbf", None, 3, 0), "gamma is None"),
    (("linear", -1, 3, 0), "gamma is -1"),
    (("polynomial", 1, 0, 0), "degree is 0"),
    (("polynomial", 1, 2.5, 0), "degree is 2.5"),
    (("polynomial", 1, True, 0), "degree is True"),
    (("polynomial", 1, 3, np.inf), "coef0 is inf"),
    (("polynomial", 1, 3, "1"), "coef0 is '1'"),
    (("sigmoid", 1, 3, False), "coef0 is False"),
])
def test_parameters_are_checked(parameters, message):
    given = dict(zip(("kernel", "gamma", "degree", "coef0"), parameters, strict=True))
    with pytest.raises(ValueError, match=message):
        SVMClassifier(**given).fit(np.eye(3), [0, 1, 1])


def test_the_linear_kernel_has_no_use_for_gamma():
    huge = np.full((3, 2), 1e200) * [[1], [2], [3]]
    assert _kernel_of("linear", "scale", 3, 0, huge).kind == "linear"
    with pytest.raises(ValueError, match="gamma='scale' needs the variance of X"):
        _kernel_of("rbf", "scale", 3, 0, huge)
    assert _kernel_of("precomputed", "nonsense", 3, 0, huge).kind == "precomputed"


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


def test_what_is_large_and_finite_is_computed():
    X = RNG.normal(size=(6, 3)) * 1e50
    assert np.isfinite(_Kernel("polynomial", 1.0, 3, 1.0).matrix(X)).all()
    with pytest.raises(ValueError, match="standardize"):
        _Kernel("polynomial", 1.0, 3, 1.0).matrix(X, dtype=np.float32)
    with pytest.raises(ValueError, match="standardize"):
        _Kernel("polynomial", 1.0, 9, 1.0).matrix(X)
    K = _Kernel("rbf", 1.0).matrix(X)
    assert np.array_equal(K, np.eye(6))


def test_an_exponent_may_overflow_before_its_squares_do():
    """2ab is infinite, a^2 and b^2 are not: the distance would come out as 0."""
    rows = 1e154 * np.array([[1.0], [0.95], [-0.5], [-0.5], [-0.5], [-0.5]])
    assert np.isfinite(rows**2).all()
    with pytest.raises(ValueError, match="standardize"):
        _Kernel("rbf", 1.0).matrix(rows)


# ------------------------------------ given by the user


def test_precomputed():
    kernel = _kernel_of("precomputed", "scale", 3, 0, np.eye(3))
    K = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert np.array_equal(kernel.matrix(K), K)
    assert np.array_equal(kernel.diagonal(K), [2, 3])
    assert np.array_equal(kernel.matrix(K[:1], K), K[:1])
    with pytest.raises(ValueError, match=r"square matrix.*shape \(3, 2\)"):
        kernel.matrix(np.ones((3, 2)))
    with pytest.raises(ValueError, match=r"X\[0, 1\] is 1 and X\[1, 0\] is 5"):
        kernel.matrix(np.array([[2.0, 1.0], [5.0, 3.0]]))
    with pytest.raises(ValueError, match="missing or infinite"):
        kernel.matrix(np.array([[2.0, np.nan], [np.nan, 3.0]]))


def test_callable():
    A, B = RNG.normal(size=(4, 3)), RNG.normal(size=(5, 3))
    kernel = _kernel_of(lambda A, B: A @ B.T + 1, "scale", 3, 0, A)
    assert np.allclose(kernel.matrix(A, B), A @ B.T + 1)
    assert np.allclose(kernel.diagonal(A), (A**2).sum(axis=1) + 1)
    assert kernel.matrix(A, dtype=np.float32).dtype == np.float32
    with pytest.raises(ValueError, match=r"returned the shape \(4, 3\)"):
        _kernel_of(lambda A, B: A, "scale", 3, 0, A).matrix(A)
    with pytest.raises(ValueError, match="missing or infinite"):
        _kernel_of(lambda A, B: np.full((4, 4), np.nan), "scale", 3, 0, A).matrix(A)


# ------------------------------------ stored


def test_a_kernel_is_stored_and_comes_back():
    for kind in _KERNELS:
        kernel = _kernel_of(kind, 0.3, 2, 1.5, np.eye(3))
        assert _Kernel.from_json(kernel.to_json()) == kernel
        assert unpack(pack(kernel)) == kernel
    with pytest.raises(dataclasses.FrozenInstanceError):
        kernel.gamma = 2.0
    mine = _kernel_of(np.dot, 0.3, 2, 1.5, np.eye(3))
    with pytest.raises(TypeError, match="is a function.*can't be written"):
        mine.to_json()
    with pytest.raises(TypeError):
        pack(mine)
