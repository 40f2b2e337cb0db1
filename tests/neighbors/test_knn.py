"""The rules of the section: who wins a tie, and when a tree is worth its while."""

import numpy as np
import pytest

from supervised.neighbors.knn import winning_class


@pytest.mark.parametrize(("totals", "winner"), [
    ([3, 1, 1], 0), ([1, 2, 2], 2), ([1, 1, 1], 2), ([0.1 + 0.2, 0.3, 0], 1)])
def test_a_tie_goes_to_the_class_of_the_nearest(totals: list[float], winner: int) -> None:
    neighbors, labels = np.array([4, 2, 0]), np.array([0, 9, 1, 9, 2])
    assert winning_class(np.array(totals, dtype=float), neighbors, labels) == winner
