"""Counterfactuals: the loans by hand, a tree against all rows that can be put together, a
line against the formula, and what is fixed or does not fit."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier

from supervised.basics.datasets import load_loan
from supervised.basics.generators import make_rule_table
from supervised.bayes import NaiveBayesClassifier
from supervised.ensembles import AdaBoostClassifier, RandomForestClassifier
from supervised.linear import LogisticClassifier
from supervised.neighbors import KNNClassifier
from supervised.practice import (
    HoeffdingTreeClassifier,
    counterfactual,
    explain_with_counterfactual,
)
from supervised.rules import RIPPERClassifier
from supervised.trees import C45Classifier, CARTClassifier, ID3Classifier


def small_table(seed=0, n=120):
    X, y = make_rule_table(n, n_nominal=2, n_numeric=2, n_values=3, n_rules=4,
                           random_state=seed)
    return X.round({"x1": 1, "x2": 0}), y


def cheapest_of_all(model, row, X):
    """The least cost of all rows that are put together of values that occur."""
    rows = pd.DataFrame(list(product(*(X[c].unique() for c in X))), columns=X.columns)
    cost = sum((abs(rows[c] - row[c]) / X[c].std(ddof=0)
                if pd.api.types.is_numeric_dtype(X[c]) else (rows[c] != row[c]).astype(int))
               for c in X)
    other = model.predict(rows) != model.predict(row.to_frame().T.infer_objects())[0]
    return cost[other].min() if other.any() else None


def test_loans_by_hand():
    X, y = load_loan()
    tree = ID3Classifier().fit(X, y)
    told = counterfactual(tree, X.iloc[0], X, fixed=["Own_house"])
    assert told.changes == {"Has_job": (False, True, 1.0)}
    assert (told.before, told.after, told.cost) == ("No", "Yes", 1.0)
    assert "Has_job: False -> True (cost 1.000)" in str(told)
    assert told.to_frame().loc["Has_job"].tolist() == [False, True, 1.0]
    dear = counterfactual(tree, X.iloc[0], X, costs={"Has_job": 5})
    assert list(dear.changes) == ["Own_house"]
    assert counterfactual(tree, X.iloc[0], X, fixed=list(X)) is None


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("learner", [CARTClassifier(), C45Classifier(), ID3Classifier()],
                         ids=lambda m: type(m).__name__)
def test_a_tree_against_all_rows(learner, seed):
    X, y = small_table(seed)
    model = learner.fit(X, y)
    for i in range(5):
        told, wanted = counterfactual(model, X.iloc[i], X), cheapest_of_all(model,
                                                                            X.iloc[i], X)
        assert (told is None) == (wanted is None)
        if told is not None:
            assert told.cost == pytest.approx(wanted)
            assert model.predict(told.row)[0] == told.after != told.before


@pytest.mark.parametrize("learner", [
    RIPPERClassifier(random_state=0), NaiveBayesClassifier(),
    HoeffdingTreeClassifier(30, 0.5), HoeffdingTreeClassifier(30, 0.5, 0.5, "majority")],
    ids=lambda m: type(m).__name__)
def test_others_against_all_rows(learner):
    X, y = small_table(1)
    model = learner.fit(X, y)
    for i in range(5):
        told = counterfactual(model, X.iloc[i], X, max_changes=4, n_values=200)
        wanted = cheapest_of_all(model, X.iloc[i], X)
        assert (told is None) == (wanted is None)
        if told is not None:
            assert told.cost == pytest.approx(wanted)
            assert model.predict(told.row)[0] == told.after != told.before


class Either:
    """Says yes if `far` is 9, at three standard deviations, or `near` at least 1."""

    classes_ = np.array(["no", "yes"])

    def predict(self, X):
        return np.where((X["far"] >= 9) | (X["near"] >= 1), "yes", "no")


def test_the_cheaper_of_two_attributes_whichever_comes_first():
    X = pd.DataFrame({"far": [0.0] * 9 + [9.0], "near": [0.0, 1.0] * 5})
    for columns in (["far", "near"], ["near", "far"]):
        told = counterfactual(Either(), X[columns].iloc[0], X[columns])
        assert told.changes == {"near": (0.0, 1.0, 2.0)}  # its standard deviation is 1/2
    told = counterfactual(Either(), X.iloc[0], X, costs={"near": 2})
    assert list(told.changes) == ["far"]  # 9 / 2.7 is 3.33, less than 4


def test_a_line_is_crossed_where_its_formula_says():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(400, 2)), columns=["a", "b"])
    X["b"] *= 10
    model = LogisticClassifier().fit(X, (X["a"] + X["b"] / 20 > 0).astype(int))
    row = X.iloc[int((model.decision_function(X)).argmin())]
    told = counterfactual(model, row, X, n_values=400)
    (w,), (score,) = model.coef_, model.decision_function(row.to_frame().T)
    best = np.argmax(np.abs(w) * X.std(ddof=0).to_numpy())  # the most per deviation
    needed = row.iloc[best] - score / w[best]
    beyond = X.iloc[:, best][X.iloc[:, best] * np.sign(-score * w[best])
                             > needed * np.sign(-score * w[best])]
    if len(told.changes) == 1:
        assert told.row.iloc[0, best] == beyond.loc[(beyond - needed).abs().idxmin()]
    step = abs(score) / np.abs(w * X.std(ddof=0)).max()
    assert step <= told.cost <= step + 0.5  # never cheaper than the exact line


def test_target_gaps_and_what_does_not_fit():
    X, y = make_rule_table(300, n_classes=3, random_state=2)
    model = CARTClassifier().fit(X, y)
    row = X.iloc[0]
    for target in set(y) - {model.predict(X[:1])[0]}:
        assert counterfactual(model, row, X, target).after == target
    gap = counterfactual(model, row.where(X.columns != "x1"), X)
    assert gap is not None
    for wrong, words in (({"fixed": ["z"]}, "fixed names"), ({"costs": {"z": 1}}, "costs"),
                         ({"costs": {"x1": 0}}, "the cost of 'x1'"),
                         ({"target": "c9"}, "target is 'c9'")):
        with pytest.raises(ValueError, match=words):
            counterfactual(model, row, X, **wrong)
    with pytest.raises(ValueError, match="row has the columns"):
        counterfactual(model, row.drop("x1"), X)
    with pytest.raises(ValueError, match="one row"):
        counterfactual(model, X[:2], X)
    with pytest.raises(ValueError, match="X has no rows"):
        counterfactual(model, row, X[:0])
    with pytest.raises(ValueError, match="max_changes"):
        counterfactual(NaiveBayesClassifier().fit(X, y), row, X, max_changes=0)


@pytest.mark.parametrize("learner", [
    ID3Classifier(), RIPPERClassifier(random_state=0), NaiveBayesClassifier(),
    LogisticClassifier(), KNNClassifier(3), RandomForestClassifier(5, random_state=0),
    AdaBoostClassifier(n_estimators=5, random_state=0)], ids=lambda m: type(m).__name__)
def test_the_explanation_names_a_change_that_turns_the_prediction(learner):
    X, y = load_loan()
    model = learner.fit(X, y)
    for i in (0, 3):
        told, plain = explain_with_counterfactual(model, X.iloc[i], X), model.explain(
            X.iloc[i])
        assert told.parts == plain.parts and told.prediction == plain.prediction
        after = model.predict(X.iloc[[i]].assign(**told.changes))[0]
        assert after != told.prediction and told.otherwise.startswith(f"{after}, if ")
        assert all(f"{name} = " in told.otherwise for name in told.changes)


def test_an_explanation_with_a_change_by_hand():
    X, y = load_loan()
    told = explain_with_counterfactual(ID3Classifier().fit(X, y), X.iloc[0], X,
                                       fixed=["Own_house"])
    assert told.otherwise == "Yes, if Has_job = True"
    assert dict(told.changes) == {"Has_job": True}
    assert "otherwise: Yes, if Has_job = True" in str(told)


def test_an_explanation_without_a_change_stays_and_one_without_reasons_is_refused():
    X, y = load_loan()
    model = NaiveBayesClassifier().fit(X, y)
    kept = explain_with_counterfactual(model, X.iloc[0], X, fixed=list(X))
    assert kept.otherwise == model.explain(X.iloc[0]).otherwise and kept.changes == {}
    foreign = DummyClassifier().fit(X, y)
    with pytest.raises(TypeError, match="DummyClassifier has no `explain`"):
        explain_with_counterfactual(foreign, X.iloc[0], X)
