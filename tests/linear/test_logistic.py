"""Logistic regression on the page: the formulas by hand and by differences, odds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.datasets import load_donors, load_iris, load_titanic
from supervised.linear.engine.logistic import LogisticClassifier
from supervised.linear.logistic import (
    log_likelihood,
    log_likelihood_gradient,
    logistic_function,
    odds_ratios,
)
from tests import examples


def donors_with_ones():
    donors, gave = load_donors()
    D = np.column_stack([np.ones(11), donors["Age"], donors["Salary"] / 1000])
    return D, np.where(gave == "Y", 1, -1)


def test_the_logistic_function():
    # e^0.55 = 1.7332530
    assert logistic_function(0.55) == pytest.approx(1.7332530 / 2.7332530)
    assert logistic_function([0, np.log(3), -np.log(3)]) == pytest.approx([0.5, 0.75, 0.25])
    assert logistic_function([-1e4, 1e4]).tolist() == [0, 1]
    t = np.linspace(-30, 30, 61)
    assert logistic_function(t) + logistic_function(-t) == pytest.approx(np.ones(61))
    assert np.log(logistic_function(t) / logistic_function(-t)) == pytest.approx(t)


def test_log_likelihood_by_hand():
    D, y = donors_with_ones()
    assert log_likelihood([0, 0, 0], D, y) == pytest.approx(-11 * np.log(2))
    # the scores of the line Age + Salary / 1000 = 98.5, with the sign of the class
    margins = np.array([40.5, 30.5, 5.5, 5.5, 24.5, 8.5, 24.5, 31.5, 14.5, 30.5, 15.5])
    assert (y * (D @ [-98.5, 1, 1]) == margins).all()
    for scale in (0.1, 1.0):
        by_hand = -np.log1p(np.exp(-scale * margins)).sum()
        theta = np.array([-98.5, 1, 1]) * scale
        assert log_likelihood(theta, D, y) == pytest.approx(by_hand)
    # Eq. 10.28, the product itself
    p = logistic_function(D @ [-9.85, 0.1, 0.1])
    product = p[y > 0].prod() * (1 - p[y < 0]).prod()
    assert np.exp(log_likelihood([-9.85, 0.1, 0.1], D, y)) == pytest.approx(product)
    assert np.isfinite(log_likelihood([-98_500, 1e3, 1e3], D, -y))


@examples(40)
@given(st.integers(0, 10_000))
def test_gradient_is_the_slope_and_all_its_forms(seed):
    rng = np.random.default_rng(seed)
    D, theta = rng.normal(size=(12, 4)), rng.normal(size=4)
    y = rng.choice([-1, 1], 12)
    g = log_likelihood_gradient(theta, D, y)
    h = 1e-6 * np.eye(4)
    assert g == pytest.approx([(log_likelihood(theta + e, D, y)
                                - log_likelihood(theta - e, D, y)) / 2e-6 for e in h],
                              abs=1e-6)
    s, up = D @ theta, y > 0
    by_31 = (D[up].T @ (np.exp(-s[up]) / (1 + np.exp(-s[up])))
             - D[~up].T @ (np.exp(s[~up]) / (1 + np.exp(s[~up]))))
    assert g == pytest.approx(by_31)
    # concave: the chord lies below
    other = rng.normal(size=4)
    middle = log_likelihood((theta + other) / 2, D, y)
    assert middle >= (log_likelihood(theta, D, y) + log_likelihood(other, D, y)) / 2 - 1e-12


def test_odds_of_the_titanic():
    people, survived = load_titanic()
    model = LogisticClassifier(penalty=None).fit(people[["sex"]], survived)
    table = odds_ratios(model)
    assert list(table.index) == ["sex=male"] and list(table.columns) == ["weight", "odds"]
    assert table.loc["sex=male", "odds"] == pytest.approx((367 / 1364) / (344 / 126))
    status = LogisticClassifier(penalty=None).fit(people[["status"]], survived)
    # 203 of 325 in first class, 118 of 285, 178 of 706, and 212 of 885 of the crew
    first = 203 / 122
    assert odds_ratios(status)["odds"].tolist() == pytest.approx(
        [118 / 167 / first, 178 / 528 / first, 212 / 673 / first])
    with pytest.raises(ValueError, match="there are 3"):
        odds_ratios(LogisticClassifier().fit(*load_iris()))
    with pytest.raises(ValueError, match="not fitted"):
        odds_ratios(LogisticClassifier())


def test_the_best_line_of_the_donors_is_where_the_gradient_is_the_penalty():
    D, y = donors_with_ones()
    for strength in (10.0, 1.0, 0.1):
        model = LogisticClassifier(C=1 / strength).fit(D[:, 1:], y)
        theta = np.append(model.intercept_, model.coef_)
        assert log_likelihood_gradient(theta, D, y) == pytest.approx(
            strength * theta * [0, 1, 1], abs=1e-6)
