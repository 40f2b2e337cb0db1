"""How tall a tree of medians is."""

import pytest

from supervised.neighbors.kdtree import tree_depth


@pytest.mark.parametrize(("n", "size", "depth"), [
    (1, 64, 0), (64, 64, 0), (65, 64, 1), (1000, 64, 4), (50_000, 64, 10), (8, 2, 2),
    (9, 2, 3), (3, 1, 2)])
def test_halving_goes_on_until_no_leaf_is_too_large(n: int, size: int, depth: int) -> None:
    assert tree_depth(n, size) == depth
    assert n / 2**depth <= size and (depth == 0 or n / 2**(depth - 1) > size)
