"""Probabilities of words: shares of words and shares of documents, by hand."""

import numpy as np
import pytest

from supervised.bayes.text import presence_probabilities, word_probabilities


def test_probabilities():
    totals = np.array([[0, 3], [0, 1], [0, 0]])
    np.testing.assert_allclose(word_probabilities(totals, 0),
                               [[1 / 3, 3 / 4], [1 / 3, 1 / 4], [1 / 3, 0]])
    np.testing.assert_allclose(word_probabilities(totals, 2),
                               [[1 / 3, 5 / 10], [1 / 3, 3 / 10], [1 / 3, 2 / 10]])
    np.testing.assert_allclose(presence_probabilities(totals, [0, 3], 0),
                               [[1 / 2, 1], [1 / 2, 1 / 3], [1 / 2, 0]])
    np.testing.assert_allclose(presence_probabilities(totals, [0, 3], 1) * 10,
                               [[5, 8], [5, 4], [5, 2]])
    for function in (word_probabilities, lambda t, s: presence_probabilities(t, [1, 3], s)):
        with pytest.raises(ValueError, match="alpha"):
            function(totals, -1)
    assert totals.tolist() == [[0, 3], [0, 1], [0, 0]]
