"""Distances: norms, names, holes and the spaces
that the searches of the chapter are built on."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.spatial.distance import cdist

from supervised.basics.datasets import load_heart_disease, load_votes
from supervised.basics.tables import learn_table
from supervised.neighbors.distances import (
    chebyshev,
    cosine,
    cosine_similarity,
    euclidean,
    manhattan,
    mixed_distance,
    overlap,
)
from supervised.neighbors.engine.distances import distance_matrix, learn_space
from tests import examples

rng = np.random.default_rng(0)
A, B = rng.normal(size=(23, 5)), rng.normal(size=(9, 5))
vectors = arrays(np.float64, 4, elements=st.floats(-1e6, 1e6))
PEERS = {
    "euclidean": "euclidean", "manhattan": "cityblock", "chebyshev": "chebyshev",
    "cosine": "cosine"}


@pytest.mark.parametrize("metric", PEERS)
def test_numbers_agree_with_scipy(metric: str) -> None:
    assert np.allclose(distance_matrix(A, B, metric), cdist(A, B, PEERS[metric]),
                       rtol=1e-12)
    one = {
        "euclidean": euclidean, "manhattan": manhattan, "chebyshev": chebyshev,
        "cosine": cosine}[metric]
    assert np.isclose(one(A[0], B[0]), cdist(A, B, PEERS[metric])[0, 0], rtol=1e-12)


@pytest.mark.parametrize("p", [1, 1.5, 2, 3, 7.5, np.inf])
def test_minkowski_agrees_with_scipy(p: float) -> None:
    peer = cdist(A, B, "chebyshev") if np.isinf(p) else cdist(A, B, "minkowski", p=p)
    assert np.allclose(distance_matrix(A, B, "minkowski", p), peer, rtol=1e-12)


@examples(60)
@given(vectors, vectors, st.floats(0.01, 100))
def test_the_cosine_sees_only_directions(x: np.ndarray, z: np.ndarray,
                                         scale: float) -> None:
    if np.abs(x).max() < 1e-3 or np.abs(z).max() < 1e-3:
        return
    assert -1 <= cosine_similarity(x, z) <= 1
    assert np.isclose(cosine(x, z), cosine(scale * x, z), atol=1e-9)
    both = distance_matrix([x, z], metric="cosine")
    assert np.isclose(both[0, 1], cosine(x, z), atol=1e-9)
    assert np.allclose(both.diagonal(), 0, atol=1e-15)


def test_cosine_points_are_unit_vectors_that_rank_as_the_cosine() -> None:
    table = learn_table(A)
    space = learn_space(table, "cosine")
    points = space.points(table)
    assert np.allclose(np.linalg.norm(points, axis=1), 1)
    assert (cdist(points, points).argsort(axis=1) == cdist(A, A, "cosine")
            .argsort(axis=1)).all()
    # 60 and 180 degrees
    assert np.allclose(space.finish(np.array([0.0, 1.0, 2.0])), [0, 0.5, 2])
    huge = learn_table(np.array([[1e300, 1e300], [1e-300, 0.0]]))
    assert np.allclose(learn_space(huge, "cosine").points(huge),
                       [[0.5**0.5, 0.5**0.5], [1, 0]])


# ---------------------------------------------------------------- names and holes


def by_definition(X: pd.DataFrame, Y: pd.DataFrame, gower: bool) -> np.ndarray:
    """HEOM or Gower of frames, value by value in plain Python; ranges from X."""
    table = np.empty((len(X), len(Y)))
    for i in range(len(X)):
        for j in range(len(Y)):
            parts: list[float | None] = []
            for name in X.columns:
                u, v = X[name].iloc[i], Y[name].iloc[j]
                if pd.isna(u) or pd.isna(v):
                    parts.append(None)
                elif pd.api.types.is_numeric_dtype(X[name]) and X[name].dtype != bool:
                    spread = X[name].max() - X[name].min()
                    parts.append(abs(float(u) - float(v)) / spread if spread else 0.0)
                else:
                    parts.append(float(u != v))
            known = [d for d in parts if d is not None]
            if gower:
                table[i, j] = sum(known) / len(known) if known else 1.0
            else:
                table[i, j] = sum(1.0 if d is None else d * d for d in parts) ** 0.5
    return table


@pytest.mark.parametrize("gower", [False, True])
def test_mixed_distances_follow_their_definition(gower: bool) -> None:
    hearts = load_heart_disease()[0].iloc[[0, 1, 50, 87, 166, 192, 266, 287, 302]]
    metric = "gower" if gower else "heom"
    assert np.allclose(distance_matrix(hearts, metric=metric),
                       by_definition(hearts, hearts, gower))
    some, others = hearts.iloc[:4], hearts.iloc[4:]
    assert np.allclose(distance_matrix(some, others, metric),
                       by_definition(some, others, gower))


@pytest.mark.parametrize("metric", ["heom", "gower", "overlap"])
def test_mixed_distances_are_symmetric_and_bounded(metric: str) -> None:
    votes = load_votes()[0].iloc[:120]
    D = distance_matrix(votes, metric=metric)
    assert (D == D.T).all() and D.min() >= 0 and D.max() <= (4 if metric == "heom" else 1)


def test_a_hole_differs_from_everything_in_overlap_and_heom() -> None:
    names = pd.DataFrame({"a": ["x", None, "y"], "b": ["u", "u", "u"]})
    assert distance_matrix(names, metric="overlap")[1].tolist() == [0.5, 0.5, 0.5]
    assert distance_matrix(names, metric="heom")[1].tolist() == [1, 1, 1]
    assert distance_matrix(names, metric="gower")[1].tolist() == [0, 0, 0]
    assert overlap(np.array([np.nan]), np.array([np.nan])) == 1


def test_nothing_known_in_both_is_as_far_as_can_be() -> None:
    rows = np.array([[0.0, np.nan], [np.nan, 1.0], [1.0, 0.0]])
    assert distance_matrix(rows, metric="gower")[0, 1] == 1
    assert mixed_distance(rows[0], rows[1], np.zeros(2, dtype=bool), False) == 2**0.5


def test_an_unseen_name_is_a_missing_one() -> None:
    old, new = pd.DataFrame({"a": ["x", "y"]}), pd.DataFrame({"a": ["z"]})
    assert (distance_matrix(old, new, "overlap") == 1).all()
    assert (distance_matrix(old, new, "heom") == 1).all()


def test_a_constant_or_unknown_column_is_worth_nothing() -> None:
    X = pd.DataFrame({"x": [0.0, 4.0], "same": [7.0, 7.0], "never": [np.nan, np.nan]})
    Y = pd.DataFrame({"x": [1.0], "same": [99.0], "never": [5.0]})
    assert np.allclose(distance_matrix(X, Y, "gower")[:, 0], [0.25 / 2, 0.75 / 2])
    assert np.allclose(distance_matrix(X, Y, "heom")[:, 0] ** 2, [0.0625 + 1, 0.5625 + 1])


def test_new_rows_do_not_move_the_ranges() -> None:
    X, Y = np.array([[0.0, np.nan], [10.0, 1.0]]), np.array([[30.0, 1.0]])
    assert np.allclose(distance_matrix(X, Y, "gower")[:, 0], [3.0, 2.0 / 2])


# ---------------------------------------------------------------- spaces


@pytest.mark.parametrize(
    ("metric", "p", "order"),
    [("euclidean", 2, 2), ("manhattan", 2, 1),
     ("chebyshev", 2, np.inf), ("minkowski", 3, 3), ("cosine", 2, 2)],
)
def test_points_and_norm_give_the_metric(metric: str, p: float, order: float) -> None:
    train, new = learn_table(A), learn_table(B)
    space = learn_space(train, metric, p)
    assert space.p == order and not space.mixed and len(space.nominal) == 5
    raw = np.linalg.norm(space.points(train)[:, None] - space.points(new),
                         ord=order, axis=2)
    assert np.allclose(space.finish(raw), distance_matrix(A, B, metric, p))


def test_a_matrix_becomes_a_projection() -> None:
    L = rng.normal(size=(5, 2))
    space = learn_space(learn_table(A), matrix=L @ L.T)
    assert space.factor is not None and space.factor.shape == (5, 2)
    direct = [[(x - z) @ L @ L.T @ (x - z) for z in B] for x in A]
    assert np.allclose(distance_matrix(A, B, "matrix", matrix=L @ L.T) ** 2, direct)
    assert np.allclose(distance_matrix(A, B, "matrix", matrix=np.eye(5)), cdist(A, B))
    assert (distance_matrix(A, B, "matrix", matrix=np.zeros((5, 5))) == 0).all()
