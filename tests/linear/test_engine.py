"""What linear classifiers share: indicators, gaps, unseen values, sparse rows, reasons."""


import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from supervised.basics.datasets import load_donors, load_titanic
from supervised.linear.engine.base import (
    LinearClassifier,
    _weights_text,
)

ROWS = pd.DataFrame({"age": [29, 41, 7, 50], "deck": ["A", "C", "B", "C"],
                     "sex": ["female", "male", "male", "female"], "one": ["x"] * 4})


class Given(LinearClassifier):
    """Lines that are known beforehand: weights 1, 2, ... and the intercept -1."""

    def _solve(self, X, labels, weights):
        lines = 1 if len(self.classes_) == 2 else len(self.classes_)
        coef = np.arange(1.0, 1 + lines * X.shape[1]).reshape(lines, X.shape[1])
        return coef, -np.arange(1.0, lines + 1)


class Shared(Given):
    """The same with probabilities."""

    def _shares(self, scores):
        p = 1 / (1 + np.exp(-scores))
        return np.column_stack([1 - p, p])


def test_answers_of_two_and_of_many():
    X = np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 0.25]])
    two = Given().fit(X, ["a", "b", "a"])
    # scores 1*x0 + 2*x1 - 1: 0 lies on the line, and counts for the first class
    assert two.decision_function(X).tolist() == [0.0, -1.0, 0.0]
    assert two.predict(X + 0.01).tolist() == ["b", "a", "b"]
    assert two.predict(X).tolist() == ["a", "a", "a"]
    three = Given().fit(X, ["a", "b", "c"])
    assert three.coef_.shape == (3, 2) and three.decision_function(X).shape == (3, 3)
    assert three.predict(X).tolist() == ["c", "a", "c"]


def test_an_unseen_value_counts_as_the_reference():
    model = Given().fit(ROWS, ["p", "q", "p", "q"])
    reference = model.decision_function(ROWS.assign(deck="A"))
    assert (model.decision_function(ROWS.assign(deck="Z")) == reference).all()
    told = model.explain(ROWS.assign(deck="Z").iloc[0])
    part = next(p for p in told.parts if p.name == "deck")
    assert part.value == "(not seen)"


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_and_full_are_one(kind):
    X = np.random.default_rng(0).poisson(0.5, (20, 4)).astype(float)
    y = np.arange(20) % 2
    full, thin = Given().fit(X, y), Given().fit(kind(X), y)
    for model in (full, thin):
        for rows in (X, kind(X), X.tolist()):
            assert np.allclose(model.decision_function(rows), full.decision_function(X))
    assert thin.attributes_ == () and thin.n_features_in_ == 4
    with pytest.raises(ValueError, match="X has 3 features, but Given is expecting 4"):
        thin.predict(kind(X[:, :3]))
    with pytest.raises(ValueError, match="X has 3 features"):
        full.predict(kind(X[:, :3]))


def test_weights_choose_rows():
    X = np.arange(8.0).reshape(4, 2)
    for data in (X, sparse.csr_array(X)):
        seen = []

        class Looks(Given):
            def _solve(self, X, labels, weights, seen=seen):
                seen.append((X.shape[0], labels.tolist(), weights.tolist()))
                return super()._solve(X, labels, weights)

        Looks().fit(data, list("abca"), [1, 2, 0, 3])
        assert seen == [(3, [0, 1, 0], [1, 2, 3])]
    assert Given().fit(X, list("abca"), [1, 2, 0, 3]).mean_.tolist() == [
        (0 * 1 + 2 * 2 + 6 * 3) / 6, (1 * 1 + 3 * 2 + 7 * 3) / 6]


def test_explanations_add_up():
    people, survived = load_titanic()
    model = Shared().fit(people, survived)
    for i in (0, 700, 2000):
        told = model.explain(people.iloc[i])
        score = model.decision_function(people.iloc[[i]])[0]
        assert np.isclose(sum(p.contribution for p in told.parts), abs(score))
        assert told.prediction == model.predict(people.iloc[[i]])[0]
        assert np.isclose(told.probability, model.predict_proba(people.iloc[[i]]).max())
        assert [p.name for p in told.parts] == ["(at the mean)", "status", "age", "sex"]
    donors, gave = load_donors()
    told = Given().fit(donors, gave).explain(donors.iloc[0])
    assert "probability" not in str(told) and "probability" not in told._repr_html_()


def test_text():
    text = _weights_text(np.array([0.5, -20.0, 0.001]), 3.0, ["a", "b", "c"], most=2)
    assert text == "    +3\n  +0.5 * a\n   -20 * b\n  and 1 smaller weights"
    model = Given().fit(np.eye(2), ["no", "yes"])
    assert model.to_text() == ("yes if this is above 0, else no:\n"
                               "  -1\n  +1 * x0\n  +2 * x1")
    assert Given().fit(np.eye(3), [1, 2, 3]).to_text().startswith(
        "the largest score wins\n1:\n")
