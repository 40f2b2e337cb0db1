"""Accuracy and error rate: agreement with scikit-learn, and what hostile users pass."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score

from supervised.basics import accuracy
from supervised.basics.learning import error_rate
from tests import examples

labels = st.sampled_from(["a", "b", "c"])
pairs = st.lists(st.tuples(labels, labels, st.integers(0, 5)), min_size=1, max_size=30)


@examples(50)
@given(pairs)
def test_agrees_with_scikit_learn(rows):
    true, predicted, weights = zip(*rows, strict=True)
    assert accuracy(true, predicted) == pytest.approx(accuracy_score(true, predicted),
                                                      abs=1e-12)
    assert error_rate(true, predicted) == pytest.approx(1 - accuracy_score(true, predicted),
                                                        abs=1e-12)
    if sum(weights):
        expected = accuracy_score(true, predicted, sample_weight=weights)
        assert accuracy(true, predicted, weights) == pytest.approx(expected, abs=1e-12)
