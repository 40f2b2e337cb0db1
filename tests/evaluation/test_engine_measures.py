"""The engine of the measures: pairs of labels, bad matrices, the picture."""

from collections import Counter

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.evaluation.engine.measures import _count_pairs, plot_confusion
from supervised.evaluation.measures import confusion_matrix, outcome_counts
from tests import examples
from tests.evaluation.test_measures import draw


@examples(60)
@given(st.data())
def test_pairs_are_counted(data):
    ours, plain, _ = draw(data)
    counts, classes = _count_pairs(*ours, None, None)
    pairs = Counter(zip(plain[0].tolist(), plain[1].tolist(), strict=True))
    assert counts.tolist() == [[pairs[i, j] for j in classes] for i in classes]


@pytest.mark.parametrize("matrix, match", [
    (np.eye(2), "square DataFrame"),
    (pd.DataFrame([[1, 2, 3]]), "square DataFrame"),
    (pd.DataFrame(), "square DataFrame"),
    (pd.DataFrame([[1, -1], [0, 1]]), "none negative"),
    (pd.DataFrame([[1, np.nan], [0, 1]]), "none negative or missing"),
    (pd.DataFrame([["1"]]), "must hold counts"),
])
def test_hostile_matrix(matrix, match):
    for call in (outcome_counts, plot_confusion):
        with pytest.raises(ValueError, match=match):
            call(matrix)


def test_picture():
    matrix = confusion_matrix(["a", "a", "b"], ["a", "b", "b"])
    ax = plot_confusion(matrix)
    assert [t.get_text() for t in ax.texts] == ["1", "1", "·", "1"]
    assert [t.get_text() for t in ax.get_xticklabels()] == ["a", "b"]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("predicted", "true")
    blue, orange, empty, full = (patch.get_facecolor() for patch in ax.patches)
    assert (blue[2] > blue[0] and orange[0] > orange[2] and full[2] > full[0]
            and min(empty[:3]) > 0.9)
    again = plot_confusion(confusion_matrix(["a", "a", "b"], ["a", "b", "b"],
                                            normalize="true"), ax=plt.subplots()[1])
    assert [t.get_text() for t in again.texts] == ["0.50", "0.50", "·", "1.00"]
    plt.close("all")
