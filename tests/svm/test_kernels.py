"""Kernels: against explicit maps, brute force, scikit-learn, and by their eigenvalues."""

from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import factorial

import numpy as np
import pytest
from sklearn.metrics import pairwise_kernels
from sklearn.preprocessing import KernelCenterer

from supervised.svm.kernels import (
    centered_kernel,
    linear_kernel,
    mercer_map,
    polynomial_kernel,
    rbf_kernel,
    sigmoid_kernel,
    subsequence_kernel,
    subtree_counts,
    subtree_kernel,
)

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(20, 3)), RNG.normal(size=(30, 3))


def least(K):
    return np.linalg.eigvalsh(K)[0]


@pytest.mark.parametrize(("ours", "name", "parameters"), [
    (linear_kernel, "linear", {}),
    (polynomial_kernel, "poly", {"degree": 4, "gamma": 0.3, "coef0": 2.0}),
    (rbf_kernel, "rbf", {"gamma": 0.7}),
    (sigmoid_kernel, "sigmoid", {"gamma": 0.3, "coef0": -0.5})])
def test_rows_by_rows_as_scikit_learn(ours, name, parameters):
    theirs = pairwise_kernels(A, B, metric=name, **parameters)
    assert ours(A, B, **parameters).shape == (20, 30)
    assert np.allclose(ours(A, B, **parameters), theirs)
    assert np.allclose(ours(A.tolist(), B.tolist(), **parameters), theirs)


def test_example_17():
    """(2, 3) and (1, 4): (2 + 12)^2 = 196 = 4 * 1 + 9 * 16 + 2 * 6 * 4."""
    assert polynomial_kernel([[2, 3]], [[1, 4]], 2) == 196 == 4 * 1 + 9 * 16 + 2 * 6 * 4


@pytest.mark.parametrize("degree", [1, 2, 3, 5])
def test_polynomial_is_a_dot_product_of_all_monomials(degree):
    """L Eq. 83: C(r + d - 1, d) coordinates."""
    places = list(combinations_with_replacement(range(3), degree))

    def phi(X):
        return np.array([[np.prod(x[list(p)]) * np.sqrt(factorial(degree) / np.prod(
            [factorial(n) for n in Counter(p).values()])) for p in places] for x in X])

    assert np.allclose(polynomial_kernel(A, B, degree), phi(A) @ phi(B).T)


def test_the_sigmoid_is_no_kernel():
    """tanh(xz - 1) on -1 and 1: zeros in the diagonal, tanh(-2) beside it."""
    K = sigmoid_kernel([[-1.0], [1.0]], [[-1.0], [1.0]], 1, -1)
    assert np.allclose(K, [[0, np.tanh(-2)], [np.tanh(-2), 0]])
    assert least(K) == pytest.approx(-0.964028, abs=1e-6)


def test_a_negative_constant_makes_no_kernel():
    """(xz - 1)^2 on -1 and 1: 0 and 4, eigenvalues 4 and -4."""
    K = polynomial_kernel([[-1.0], [1.0]], [[-1.0], [1.0]], 2, coef0=-1)
    assert K.tolist() == [[0, 4], [4, 0]]
    assert least(K) == pytest.approx(-4)
    assert least(polynomial_kernel(A, A, 3, coef0=0.5)) > -1e-9


def test_mercer_map():
    K = rbf_kernel(A, A, 0.5)
    points = mercer_map(K)
    assert np.allclose(points @ points.T, K)
    lengths = (points**2).sum(axis=0)  # the eigenvalues
    assert np.allclose(lengths, np.linalg.eigvalsh(K)[::-1])
    low = mercer_map(linear_kernel(A, A))  # of rank 3
    assert np.allclose(low[:, :3] @ low[:, :3].T, A @ A.T)
    assert np.abs(low[:, 3:]).max() < 1e-6


def test_centered_kernel():
    K = polynomial_kernel(A, A, 2, coef0=1)
    H = np.eye(20) - 1 / 20
    assert np.allclose(centered_kernel(K), H @ K @ H)
    assert np.allclose(centered_kernel(K), KernelCenterer().fit_transform(K))
    assert np.allclose(centered_kernel(K).sum(axis=0), 0)
    Z = A - A.mean(axis=0)
    assert np.allclose(centered_kernel(A @ A.T), Z @ Z.T)


# ------------------------------------ strings


def spelled_out(s, length, decay):
    found = Counter()
    for places in combinations(range(len(s)), length):
        found[tuple(s[i] for i in places)] += decay ** (places[-1] - places[0] + 1)
    return found


def test_cat_and_car():
    """They share "ca" only, with span 2 in both."""
    assert subsequence_kernel("cat", "car", decay=0.3) == pytest.approx(0.3**4)
    assert subsequence_kernel("cat", "cat", decay=0.3) == pytest.approx(2 * 0.3**4 + 0.3**6)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_subsequences_by_brute_force(length):
    rng = np.random.default_rng(length)
    for _ in range(10):
        s, t = ("".join(rng.choice(list("abc"), rng.integers(0, 8))) for _ in range(2))
        decay = rng.uniform(0.1, 1)
        a, b = spelled_out(s, length, decay), spelled_out(t, length, decay)
        expected = sum(n * b[u] for u, n in a.items())
        assert subsequence_kernel(s, t, length, decay) == pytest.approx(expected)
        assert subsequence_kernel(t, s, length, decay) == pytest.approx(expected)


# ------------------------------------ trees


def parts(tree):
    """All subtrees of a nested tuple, by recursion."""
    label, *children = tree if isinstance(tree, tuple) else (tree,)
    return [(label, *(c if isinstance(c, tuple) else (c,) for c in children)),
            *(p for c in children for p in parts(c))]


def test_subtrees_by_hand():
    one, other = "Return(Call(Name Name))", "Assign(Name Call(Name Name))"
    assert subtree_counts(one) == {one: 1, "Call(Name Name)": 1, "Name": 2}
    assert subtree_kernel(one, other) == 1 * 1 + 2 * 3
    assert subtree_kernel("a(b c)", "a(c b)") == 2  # the order of children counts


def grown(rng, depth):
    """A random tree as nested tuples."""
    label = str(rng.choice(["a", "b", "c"]))
    if depth == 0:
        return (label,)
    return (label, *(grown(rng, depth - 1) for _ in range(rng.integers(0, 4))))


def test_subtrees_by_recursion():
    rng = np.random.default_rng(0)
    trees = [grown(rng, 4) for _ in range(12)]
    for a in trees:
        assert sum(subtree_counts(a).values()) == len(parts(a))
        for b in trees:
            of_a, of_b = Counter(parts(a)), Counter(parts(b))
            assert subtree_kernel(a, b) == sum(n * of_b[p] for p, n in of_a.items())
