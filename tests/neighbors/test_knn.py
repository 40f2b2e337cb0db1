"""The rules of the section: who wins a tie, and when a tree is worth its while."""

import numpy as np
import pandas as pd
import pytest

from supervised.basics.tables import learn_table
from supervised.neighbors.engine.distances import learn_space
from supervised.neighbors.knn import choose_algorithm, is_norm, winning_class

NUMBERS = learn_space(learn_table(pd.DataFrame({"a": [0.0, 1], "b": [2.0, 5]})))


@pytest.mark.parametrize(("totals", "winner"), [
    ([3, 1, 1], 0), ([1, 2, 2], 2), ([1, 1, 1], 2), ([0.1 + 0.2, 0.3, 0], 1)])
def test_a_tie_goes_to_the_class_of_the_nearest(totals: list[float], winner: int) -> None:
    neighbors, labels = np.array([4, 2, 0]), np.array([0, 9, 1, 9, 2])
    assert winning_class(np.array(totals, dtype=float), neighbors, labels) == winner


@pytest.mark.parametrize(("n", "r", "algorithm"), [
    (50_000, 10, "kd_tree"), (50_000, 11, "brute"), (200, 2, "kd_tree"), (100, 2, "brute")])
def test_a_tree_has_a_level_for_each_coordinate(n: int, r: int, algorithm: str) -> None:
    assert choose_algorithm("auto", NUMBERS, np.zeros((n, r))) == algorithm


def test_a_gap_is_no_norm() -> None:
    points = np.array([[0.0, 1.0], [np.nan, 0.0]])
    assert is_norm(NUMBERS, points[:1]) and not is_norm(NUMBERS, points)
    assert choose_algorithm("auto", NUMBERS, points) == "brute"
    with pytest.raises(ValueError, match="no norm"):
        choose_algorithm("kd_tree", NUMBERS, points)
