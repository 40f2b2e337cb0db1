"""The widest margin: by hand on the donors, by exact arithmetic in the plane, by SciPy."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize_scalar

from supervised.basics.datasets import load_donors
from supervised.svm.engine.machines import SVMClassifier
from supervised.svm.margin import distance_to_hyperplane, margin_width

WHOLE = st.integers(-6, 6)


def donors():
    X, gave = load_donors()
    return X.to_numpy(float) / [1, 1000], np.where(gave == "Y", 1, -1)


def test_distances_by_hand():
    # 3 x + 4 y = 10: the origin is 10 / 5 away, (6, 8) is (18 + 32 - 10) / 5 away
    found = distance_to_hyperplane([[0, 0], [6, 8], [2, 1]], [3, 4], -10)
    np.testing.assert_allclose(found, [-2, 8, 0], atol=1e-15)


@given(st.lists(WHOLE, min_size=3, max_size=3).filter(any),
       st.lists(WHOLE, min_size=3, max_size=3), WHOLE)
def test_distance_is_the_shortest_way(w, x, b):
    """No point of the plane is nearer, and one is as near: by a search along the plane."""
    w, x = np.array(w, dtype=float), np.array(x, dtype=float)
    foot = x - (w @ x + b) / (w @ w) * w
    assert abs(w @ foot + b) < 1e-9
    along = np.linalg.svd(w[None])[2][1:]  # two directions within the plane
    for u in along:
        nearest = minimize_scalar(lambda t, u=u: np.linalg.norm(foot + t * u - x))
        assert nearest.fun >= abs(distance_to_hyperplane(x[None], w, b)[0]) - 1e-9
    distance = abs(distance_to_hyperplane(x[None], w, b)[0])
    assert np.isclose(np.linalg.norm(foot - x), distance)


def test_donors_by_hand():
    """Jane and Allen are (5, 6) apart, and nobody else is in the street between them."""
    X, y = donors()
    w, b = np.array([10, 12]) / 61, -1101 / 61
    np.testing.assert_allclose([*w, b], [0.163934, 0.196721, -18.049180], atol=5e-7)
    scores = [Fraction(10 * int(a) + 12 * int(s) - 1101, 61) * int(c)
              for (a, s), c in zip(X, y, strict=True)]
    assert min(scores) == 1 and scores.count(1) == 2
    assert np.isclose(margin_width(X, y, w), np.sqrt(61))
    assert np.isclose(margin_width(X, y, w), 2 / np.linalg.norm(w))
    machine = SVMClassifier(kernel="linear", C=1e6).fit(X, y)
    np.testing.assert_allclose([*machine.coef_[0], machine.intercept_[0]], [*w, b],
                               rtol=1e-6)


def widest_by_hulls(P, N):
    """Square of the widest margin in the plane by fractions: the least distance from a
    point of one class to a segment of the other, or 0 where the hulls meet."""
    def to_segment(p, a, b):
        d = [v - u for u, v in zip(a, b, strict=True)]
        square = sum(v * v for v in d)
        t = (Fraction(0) if square == 0 else
             Fraction(sum((q - u) * v for q, u, v in zip(p, a, d, strict=True)), square))
        t = min(max(t, Fraction(0)), Fraction(1))
        return sum((q - u - t * v) ** 2 for q, u, v in zip(p, a, d, strict=True))

    def segments(points):
        return [*combinations(points, 2), *[(p, p) for p in points]]

    return min(min(to_segment(p, *s) for p, s in product(P, segments(N))),
               min(to_segment(p, *s) for p, s in product(N, segments(P))))


def separable(X, y):
    """By a linear program."""
    D = y[:, None] * np.column_stack([X, np.ones(len(X))])
    found = linprog(np.zeros(3), A_ub=-D, b_ub=-np.ones(len(D)), bounds=(None, None))
    return found.status == 0


@given(st.lists(st.tuples(WHOLE, WHOLE), min_size=2, max_size=7, unique=True), st.data())
def test_machine_has_the_widest_street(points, data):
    """The packaged machine against exact distances between the hulls."""
    X = np.array(points, dtype=float)
    y = np.array([1, -1, *data.draw(st.lists(st.sampled_from([1, -1]),
                                             min_size=len(X) - 2, max_size=len(X) - 2))])
    if not separable(X, y):
        return
    exact = widest_by_hulls([p for p, c in zip(points, y, strict=True) if c > 0],
                            [p for p, c in zip(points, y, strict=True) if c < 0])
    w = SVMClassifier(kernel="linear", C=1e8).fit(X, y).coef_[0]
    assert np.isclose(margin_width(X, y, w), float(exact) ** 0.5, rtol=1e-4)
    assert np.isclose(2 / np.linalg.norm(w), float(exact) ** 0.5, rtol=1e-4)


def test_no_direction_is_wider():
    X, y = donors()
    angles = np.linspace(0, 2 * np.pi, 3000)
    widths = [margin_width(X, y, [np.cos(a), np.sin(a)]) for a in angles]
    assert max(widths) <= np.sqrt(61) + 1e-12
    assert min(widths) < 0  # directions that do not separate
