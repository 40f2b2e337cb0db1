"""Accuracy and error rate: agreement with scikit-learn, and what hostile users pass."""

import numpy as np
import pandas as pd
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


@pytest.mark.parametrize("make", [list, np.array, pd.Series, pd.Categorical,
                                  lambda v: pd.Series(v, dtype="category")])
def test_any_container_on_either_side(make):
    assert accuracy(make(["a", "b", "b", "a"]),
                    np.array(["a", "b", "a", "a"], dtype=object)) == 0.75
    assert accuracy(pd.Series([1, 2, 3], index=[7, 8, 9]),
                    [1, 2, 4]) == pytest.approx(2 / 3)
    assert accuracy([True, False], [1, 0]) == 1.0


@pytest.mark.parametrize("true, predicted, weights, match", [
    ([], [], None, "at least one"),
    ([1, 2], [1], None, "2 labels and y_pred 1"),
    ([[1, 2]], [1], None, "y_true must be one-dimensional"),
    ([1, 2], [[1], [2]], None, "y_pred must be one-dimensional"),
    (["a", None], ["a", "b"], None, "y_true has a missing label in row 1"),
    ([1.0, 2.0], [np.nan, 2.0], None, "y_pred has a missing label in row 0"),
    (["1", "2"], [1, 2], None, "can't be compared"),
    ([1, 2], ["1", "2"], None, "can't be compared"),
    ([1, 2], [1, 2], [1], "sample_weight"),
    ([1, 2], [1, 2], [1, -1], "sample_weight"),
    ([1, 2], [1, 2], [0, 0], "sample_weight"),
    ([1, 2], [1, 2], [1, np.nan], "sample_weight"),
])
def test_hostile_input(true, predicted, weights, match):
    with pytest.raises(ValueError, match=match):
        accuracy(true, predicted, weights)
    with pytest.raises(ValueError, match=match):
        error_rate(true, predicted, weights)
