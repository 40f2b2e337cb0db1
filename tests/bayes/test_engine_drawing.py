"""Nomograms and reliability diagrams: the marks, what is refused, what models tell."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from supervised.basics.datasets import load_heart_disease, load_iris
from supervised.bayes.engine.drawing import plot_nomogram
from supervised.bayes.engine.tables import NaiveBayesClassifier


@pytest.fixture
def evidence():
    return {"size": pd.Series({"small": -1.0, "middle": 0.2, "large": 2.0}),
            3: pd.Series({True: 0.5, False: -0.4})}


def test_nomogram(evidence):
    fig, mine = plt.subplots()
    ax = plot_nomogram(evidence, 0.3, {"size": "small", 3: True}, mine)
    assert (ax is mine and [t.get_text() for t in ax.get_yticklabels()]
            == ["(prior)", "size", "3", "probability"])
    marks = [c.get_offsets()[0].tolist() for c in ax.collections if c.get_sizes()[0] == 90]
    np.testing.assert_allclose(marks, [[0.3, 0], [-1.0, 1], [0.5, 2], [-0.2, 3]])
    places = {t.get_text(): t.xy[0] for t in ax.texts if t.xy[1] == 3}
    np.testing.assert_allclose(places["0.8"], np.log(4))
    ax = plot_nomogram(evidence, row={"size": "large"})  # the other one is missing
    assert [c.get_offsets()[0].tolist() for c in ax.collections
            if c.get_sizes()[0] == 90][-1] == [2.0, 3]
    assert not [c for c in plot_nomogram(evidence).collections if c.get_sizes()[0] == 90]
    plt.close("all")


# ---------------------------------------------------------------- a model as a nomogram


def marks(ax):
    """Where the diamonds of a nomogram stand, from top to bottom."""
    return [c.get_offsets()[0][0] for c in ax.collections if c.get_sizes()[0] == 90]


@pytest.mark.parametrize("numeric", ["gaussian", "kernel", "discretized"])
def test_a_nomogram_takes_a_model_and_a_row(numeric):
    X, y = load_heart_disease()
    model = NaiveBayesClassifier(numeric).fit(X, y)
    row = X.iloc[3]
    ax = plot_nomogram(model, row)
    terms = model.explain(row).to_frame()
    sign = 1 if model.explain(row).prediction == model.classes_[1] else -1
    known = terms["value"].notna().to_numpy()
    assert np.allclose(marks(ax)[:-1], sign * terms["contribution"][known])
    p = model.predict_proba(X.iloc[[3]])[0]
    assert np.isclose(marks(ax)[-1], np.log(p[1] / p[0]))
    assert ax.get_title() == f"{model.classes_[1]} (right) or {model.classes_[0]} (left)"
    assert np.allclose(marks(plot_nomogram(model, row=row.to_dict())), marks(ax))
    assert (not marks(plot_nomogram(model))
            and not marks(plot_nomogram(model, ax=plt.subplots()[1])))
    plt.close("all")


def test_a_nomogram_of_many_classes_shows_the_answer_and_its_rival():
    X, y = load_iris()
    model = NaiveBayesClassifier().fit(X, y)
    ax = plot_nomogram(model, X.iloc[100])
    p = np.sort(model.predict_proba(X.iloc[[100]])[0])
    assert np.isclose(marks(ax)[-1], np.log(p[-1] / p[-2]))
    assert ax.get_title() == "virginica (right) or versicolor (left)"
    with pytest.raises(ValueError,
                       match="of the 3 classes, .* a nomogram shows two: give a row"):
        plot_nomogram(model)
    with pytest.raises(ValueError, match="only the class 1"):
        plot_nomogram(NaiveBayesClassifier().fit(X, np.ones(150, dtype=int)))
    with pytest.raises(NotFittedError):
        plot_nomogram(NaiveBayesClassifier(), X.iloc[0])
    with pytest.raises(TypeError, match="fitted NaiveBayesClassifier, not a int"):
        plot_nomogram(3)
    plt.close("all")
