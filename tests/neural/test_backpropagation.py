"""Slopes by the graph: by hand, by finite differences, scikit-learn's, in odd shapes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import expit
from sklearn.neural_network import MLPClassifier

from supervised.neural.backpropagation import Value, finite_differences

LOGISTIC = (expit, lambda h: h * (1 - h))
TANH = (np.tanh, lambda h: 1 - h**2)
NUMBERS = st.floats(-3, 3).map(lambda v: round(v, 3))


def test_five_nodes_by_hand():
    # u = wx = 1, s = u + b = 0, z = 1/2, e = z - y = -1/2, L = e^2 = 1/4;
    # back: 2e = -1, times z(1 - z) = 1/4, times x = 2
    w, b = Value(0.5), Value(-1)
    e = (w * 2 + b).apply(*LOGISTIC) - 1
    L = e * e
    L.backward()
    assert (L.value, e.gradient, b.gradient, w.gradient) == (0.25, -1, -0.25, -0.5)
    assert L.gradient == 1


@pytest.mark.parametrize(("f", "slope"), [
    (lambda v: v + v, 2), (lambda v: v * v, 6), (lambda v: v * v * v, 27),
    (lambda v: v - v, 0), (lambda v: -v, -1), (lambda v: 2 + v, 1), (lambda v: v - 2, 1),
    (lambda v: 2 * v, 2), (lambda v: v * 2, 2), (lambda v: v.log(), 1 / 3),
    (lambda v: (v * v).log() * v, 2 * math.log(3) + 2),
    (lambda v: sum([v, v * v, 4 * v]), 11)])
def test_operations_at_3(f, slope):
    v = Value(3)
    f(v).backward()
    assert v.gradient == pytest.approx(slope, rel=1e-15)


def expression(v):
    """Several ways from the same numbers, some of them through others."""
    a, b, c = v
    u = a * b + c
    h = (u * a - b).apply(*TANH)
    g = (h * u + h * h).apply(*LOGISTIC)
    return -(g * 0.9 + 0.05).log() + u * h - 2 * c


def plain(v):
    """The same with plain numbers."""
    a, b, c = v
    u = a * b + c
    h = np.tanh(u * a - b)
    g = expit(h * u + h * h)
    return -np.log(g * 0.9 + 0.05) + u * h - 2 * c


@settings(max_examples=60, deadline=None)
@given(st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_any_expression_as_finite_differences(numbers):
    leaves = [Value(v) for v in numbers]
    out = expression(leaves)
    out.backward()
    assert out.value == pytest.approx(plain(numbers), rel=1e-12, abs=1e-12)
    assert np.allclose([v.gradient for v in leaves], finite_differences(plain, numbers),
                       rtol=1e-6, atol=1e-6)


def test_ways_of_different_lengths_are_all_heard_before_a_number_speaks():
    # v -> a -> b -> c, and v, a straight to the end: an order by depth alone would fail
    v = Value(2)
    a = v * 3
    b = a * a
    c = b * v
    (c + a + v).backward()  # 9 v^3 + 3 v + v
    assert v.gradient == 27 * 4 + 4


def test_slopes_of_a_network_are_those_of_scikit_learn():
    """One step of plain descent with rate 1 moves the weights by minus the slopes."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12, 3)), np.arange(12) % 2
    peer = MLPClassifier((4,), activation="tanh", solver="sgd", alpha=0, batch_size=12,
                         learning_rate_init=1.0, momentum=0, shuffle=False, random_state=0)
    peer.partial_fit(X, y, classes=[0, 1])
    W, b = [w.copy() for w in peer.coefs_], [c.copy() for c in peer.intercepts_]
    leaves = [np.vectorize(Value, otypes=[object])(a) for a in (*W, *b)]
    V, U, c, d = leaves
    loss = Value(0)
    for x, target in zip(X, y, strict=True):
        h = [(sum(p * q for p, q in zip(x, V[:, j], strict=True)) + c[j]).apply(*TANH)
             for j in range(4)]
        s = sum(p * q for p, q in zip(h, U[:, 0], strict=True)) + d[0]
        loss = loss - (s * (2 * int(target) - 1)).apply(*LOGISTIC).log()
    (loss * (1 / 12)).backward()
    peer.partial_fit(X, y)
    after = (*peer.coefs_, *peer.intercepts_)
    for leaf, before, then in zip(leaves, (*W, *b), after, strict=True):
        slopes = np.vectorize(lambda v: v.gradient)(leaf)
        assert np.allclose(slopes, before - then, rtol=0, atol=1e-12)


# ------------------------------------ finite differences


def test_a_parabola_by_hand_and_in_any_shape():
    w = np.array([[1, -2], [0, 3]])  # whole numbers: nudges must not be cut off
    slopes = finite_differences(lambda v: float((v**2).sum()), w)
    assert slopes.shape == (2, 2)
    assert np.allclose(slopes, 2 * w, atol=1e-9)
    assert w.tolist() == [[1, -2], [0, 3]]
    assert np.isclose(finite_differences(lambda v: float(3 * v), 5.0), 3)


def test_central_differences_are_exact_where_one_sided_ones_are_not():
    w, step = np.array([1.0, 2.0]), 0.25
    f = lambda v: float((v**2).sum())  # noqa: E731
    assert finite_differences(f, w, step).tolist() == [2, 4]
    assert approx_fprime(w, f, step).tolist() == [2.25, 4.25]
