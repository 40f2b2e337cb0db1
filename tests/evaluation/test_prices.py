"""Prices of errors: agreement with sums case by case, and what hostile users pass."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from supervised.basics.learning import accuracy
from supervised.evaluation.prices import (
    cheapest_class,
    cost_accuracy,
    cost_curve,
    mean_cost,
)
from tests import examples
from tests.evaluation.test_measures import draw


@examples(60)
@given(st.data())
def test_costs(data):
    ours, plain, w = draw(data)
    classes = np.unique(plain).tolist()
    prices = {c: data.draw(st.sampled_from([0.5, 1, 3, 50])) for c in classes}
    per_case = (np.array([prices[c] for c in plain[0].tolist()])
                * (1 if w is None else np.array(w)))
    assert cost_accuracy(*ours, prices, w) == pytest.approx(accuracy(*plain, per_case),
                                                            abs=1e-12)
    equal = pd.Series(2, index=pd.Index(classes))
    assert cost_accuracy(*ours, equal, w) == pytest.approx(accuracy(*plain, w), abs=1e-12)

    k = len(classes)
    cells = np.array(data.draw(st.lists(st.integers(0, 9), min_size=k * k, max_size=k * k)),
                     dtype=float).reshape(k, k)
    order = data.draw(st.permutations(range(k)))
    names = pd.Index(classes, dtype=object)
    costs = pd.DataFrame(cells, names, names)
    # the same prices, laid out otherwise
    mixed = pd.DataFrame(cells[:, order], names, names[list(order)])
    place = {c: i for i, c in enumerate(classes)}
    paid = [cells[place[t], place[p]]
            for t, p in zip(plain[0].tolist(), plain[1].tolist(), strict=True)]
    for matrix in (costs, mixed):
        assert mean_cost(*ours, matrix, w) == pytest.approx(np.average(paid, weights=w),
                                                            abs=1e-12)


def test_balanced_accuracy():
    rng = np.random.default_rng(0)
    true, predicted = rng.integers(0, 5, (2, 300))
    rarity = 1 / pd.Series(true).value_counts()
    expected = metrics.balanced_accuracy_score(true, predicted)
    assert cost_accuracy(true, predicted, rarity) == pytest.approx(expected, abs=1e-12)


def test_cheapest_class():
    rng = np.random.default_rng(1)
    chance = rng.dirichlet(np.ones(3), 50)
    costs = pd.DataFrame(rng.integers(0, 9, (3, 3)), ["b", "a", "c"], ["c", "b", "a"])
    expected = []
    for row in chance:  # by definition, in the sorted order of predict_proba
        bill = {j: sum(p * costs.loc[i, j] for p, i in zip(row, "abc", strict=True))
                for j in "abc"}
        expected.append(min("abc", key=bill.__getitem__))
    assert cheapest_class(chance, costs).tolist() == expected
    named = pd.DataFrame(chance, columns=list("abc"))[["c", "a", "b"]]
    assert cheapest_class(named, costs).tolist() == expected
    assert cheapest_class(chance.astype(np.float32), costs).tolist() == expected
    numbers = pd.DataFrame(1 - np.eye(3), [3, 1, 2], [3, 1, 2])
    answer = cheapest_class(chance, numbers)
    assert answer.dtype.kind == "i" and (answer == chance.argmax(axis=1) + 1).all()
    flags = pd.DataFrame([[0, 1], [4, 0]], [False, True], [False, True])
    assert cheapest_class([[0.81, 0.19], [0.79, 0.21]], flags).tolist() == [False, True]
    assert cheapest_class(np.empty((0, 2)), flags).shape == (0,)


def test_cheapest_is_cheapest_on_average():
    rng = np.random.default_rng(2)
    p = rng.random(4000)
    true = (rng.random(4000) < p).astype(int)
    costs = pd.DataFrame([[0, 1], [5, 0]])
    chosen = mean_cost(true, cheapest_class(np.column_stack([1 - p, p]), costs), costs)
    others = [mean_cost(true, (p > t).astype(int), costs) for t in np.linspace(0, 1, 21)]
    assert chosen <= min(others) + 0.02 and chosen < others[10] - 0.1


@examples(60)
@given(st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=2, max_size=30)
       .filter(lambda rows: len({r[0] for r in rows}) == 2))
def test_the_cost_curve_is_the_least_of_all_thresholds(rows):
    label, score = (np.array(part) for part in zip(*rows, strict=True))
    x, y = cost_curve(label, score)
    assert x[0] == 0 and x[-1] == 1 and (np.diff(x) >= 0).all()
    thresholds = [np.inf, *np.unique(score)]
    rates = [((score[~label] >= t).mean(), (score[label] >= t).mean()) for t in thresholds]
    for place in np.linspace(0, 1, 41):
        least = min((1 - tpr) * place + fpr * (1 - place) for fpr, tpr in rates)
        assert np.isclose(np.interp(place, x, y), least)
        assert least <= min(place, 1 - place) + 1e-12
