"""RuleFit beside scikit-learn, its optimality conditions, and sums by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from supervised.basics.datasets import load_credit, load_iris, load_votes
from supervised.ensembles import RuleFitClassifier


def rows_of(model, X):
    """What the linear model reads, from the model's public parts alone."""
    rules = np.column_stack([
        np.logical_and.reduce([met(X[c.attribute], c) for c in rule.conditions])
        for rule in model.rules_] or [np.empty((len(X), 0))])
    numbers = X.select_dtypes("number").astype(float)
    span = np.where(model.high_ > model.low_, model.high_ - model.low_, 1.0)
    lines = (numbers.clip(model.low_, model.high_, axis=1) - model.low_) / span
    lines -= model.mean_
    return np.column_stack([rules, lines.fillna(0.0)]).astype(float)


def met(column, condition):
    """Which rows meet a condition, by pandas."""
    if condition.operator == "in":
        return column.isin(condition.value).to_numpy()
    compare = {"=": "eq", "!=": "ne", "<=": "le", ">": "gt", "<": "lt", ">=": "ge"}
    return np.asarray(getattr(column, compare[condition.operator])(condition.value)
                      & column.notna(), dtype=bool)


@pytest.mark.parametrize("load, most", [(load_credit, 12), (load_votes, 6)])
def test_a_sum_of_rules_that_are_met(load, most):
    X, y = load()
    model = RuleFitClassifier(most).fit(X, y)
    assert 0 < np.count_nonzero(model.coef_[0]) <= most
    score = rows_of(model, X) @ model.coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(model.predict_proba(X)[:, 1], 1 / (1 + np.exp(-score)),
                               atol=1e-12)


def test_the_weights_are_those_of_scikit_learn():
    X, y = load_credit()
    model = RuleFitClassifier(25).fit(X, y)
    rows = rows_of(model, X)
    lines = slice(len(model.rules_), None)
    scale = np.ones(rows.shape[1])
    scale[lines] = 0.5 / rows[:, lines].std(axis=0)
    theirs = LogisticRegression(l1_ratio=1.0, C=model.C_, solver="saga", tol=1e-8,
                                max_iter=20_000).fit(rows * scale, y)
    assert model.coef_[0, lines].any()
    np.testing.assert_allclose(model.coef_, theirs.coef_ * scale, atol=1e-3)
    np.testing.assert_allclose(model.intercept_, theirs.intercept_, atol=1e-3)


def test_as_many_terms_as_are_allowed():
    X, y = load_credit()
    sizes = [np.count_nonzero(RuleFitClassifier(most, 10).fit(X, y).coef_)
             for most in (4, 7, 10)]
    assert all(size <= most for size, most in zip(sizes, (4, 7, 10), strict=True))
    for size in sizes:  # the same path, so the same model
        assert np.count_nonzero(RuleFitClassifier(size, 10).fit(X, y).coef_) == size


def test_many_classes_have_a_score_each():
    X, y = load_iris()
    model = RuleFitClassifier(6).fit(X, y)
    scores = rows_of(model, X) @ model.coef_.T + model.intercept_
    shares = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(X), shares, atol=1e-12)
    assert np.count_nonzero(model.coef_.any(axis=0)) <= 6


def test_more_terms_fit_better():
    X, y = load_credit()
    truth = np.arange(len(y)), (y == "good").to_numpy().astype(int)
    losses = [-np.log(RuleFitClassifier(n).fit(X, y).predict_proba(X)[truth]).mean()
              for n in (3, 10, 40)]
    assert losses[0] > losses[1] > losses[2]


def test_a_planted_rule_is_found():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.uniform(size=(2000, 4)), columns=list("abcd"))
    y = np.where((X.a > 0.5) & (X.b <= 0.5), "yes", "no")
    best = RuleFitClassifier(5).fit(X, y).rules_[0]
    assert {c.attribute for c in best.conditions} == {"a", "b"}
    for c in best.conditions:
        assert abs(c.value - 0.5) < 0.01
    assert best.label == "yes" and best.confidence > 0.98


def test_a_line_is_found_where_there_is_no_rule():
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(2000, 2))
    y = rng.uniform(size=2000) < 1 / (1 + np.exp(3 - 6 * X[:, 0]))
    model = RuleFitClassifier(12).fit(X, y)
    assert model.coef_[0, len(model.rules_)] > 2.0


def test_an_explanation_adds_up():
    X, y = load_credit()
    model = RuleFitClassifier(12).fit(X, y)
    for i in range(0, 60, 7):
        row = X.iloc[[i]]
        found = model.explain(row)
        p = model.predict_proba(row)[0].max()
        total = sum(part.contribution for part in found.parts)
        assert found.prediction == model.predict(row)[0]
        assert total == pytest.approx(np.log(p / (1 - p)))


def test_extreme_and_missing_numbers_are_no_obstacle():
    X = np.array([[-1e308], [1e308], [np.nan], [0.0]] * 10)
    y = np.array(["a", "b", "b", "a"] * 10)
    model = RuleFitClassifier(5).fit(X, y)
    assert np.isfinite(model.predict_proba(X)).all()
    assert (model.predict(X) == y).mean() >= 0.75


def test_without_anything_to_ask_the_shares_remain():
    model = RuleFitClassifier().fit(pd.DataFrame({"a": ["x"] * 6}), list("nnnnyy"))
    assert len(model.rules_) == 0
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"a": ["x"]})),
                               [[4 / 6, 2 / 6]], atol=1e-6)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="one class, 'a': RuleFit needs two"):
        RuleFitClassifier().fit([[1.0], [2.0]], ["a", "a"])
