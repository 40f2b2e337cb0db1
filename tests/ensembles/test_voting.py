"""Voting: the arithmetic of juries and of weights, counted out over all cases."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.ensembles.voting import majority_right, vote_weights
from tests import examples


@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("k", [1, 3, 5, 7])
def test_majority_over_all_outcomes(p, k):
    right = sum(p ** sum(o) * (1 - p) ** (k - sum(o))
                for o in itertools.product((0, 1), repeat=k) if sum(o) > k / 2)
    assert np.isclose(majority_right(p, k), right)


def test_majority_by_hand():
    # three: p^3 + 3 p^2 (1 - p); five of 0.6: 0.6^5 + 5 0.6^4 0.4 + 10 0.6^3 0.16
    assert np.isclose(majority_right(0.7, 3), 0.784)
    assert np.isclose(majority_right(0.6, 5), 0.07776 + 0.2592 + 0.3456)
    assert np.allclose(majority_right([0.7, 0.6], [3, 5]), [0.784, 0.68256])


@examples(60)
@given(st.floats(0.01, 0.99), st.integers(0, 60))
def test_majority_is_symmetric_and_grows_on_the_right_side(p, half):
    k = 2 * half + 1
    assert np.isclose(majority_right(p, k) + majority_right(1 - p, k), 1)
    change = majority_right(p, k + 2) - majority_right(p, k)
    assert change * (p - 0.5) >= -1e-12


def best_answer(errors, votes, n_classes):
    """The class that is most probable after the votes of independent members,
    by Bayes' theorem over all classes."""
    chances = [np.prod([1 - e if v == c else e / (n_classes - 1)
                        for e, v in zip(errors, votes, strict=True)])
               for c in range(n_classes)]
    return np.array(chances)


@examples(60)
@given(st.lists(st.floats(0.02, 0.98), min_size=1, max_size=5), st.integers(2, 4))
def test_weights_are_those_of_bayes_theorem(errors, n_classes):
    weights = vote_weights(errors, n_classes)
    for votes in itertools.product(range(n_classes), repeat=len(errors)):
        sums = np.bincount(votes, weights, minlength=n_classes)
        chances = best_answer(errors, votes, n_classes)
        # the sums of weights are the logarithms of the chances, but for a constant
        assert np.allclose(sums - sums[0], np.log(chances) - np.log(chances[0]))


def test_weights_by_hand():
    assert np.allclose(vote_weights([0.1, 0.4, 0.5]), [np.log(9), np.log(1.5), 0])
    assert np.isclose(vote_weights(2 / 3, 3), 0)  # a guess among three
    assert vote_weights(0.7) < 0 < vote_weights(0.6, 3)
