"""The best rule list beside brute force over all ordered lists."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning

from supervised.basics.datasets import load_iris, load_votes
from supervised.rules import OptimalRuleListClassifier, RIPPERClassifier


def objective(order, y, weights, cost):
    """Errors of a list, counted rule by rule, and what the rules cost."""
    left, errors = np.ones(len(y), dtype=bool), 0.0
    for rows in [*order, np.ones(len(y), dtype=bool)]:
        taken = left & rows
        own = np.array([weights[taken & (y == c)].sum() for c in np.unique(y)])
        errors, left = errors + own.sum() - own.max(), left & ~rows
    return errors / weights.sum() + cost * len(order)


def singles_and_pairs(X, pairs):
    """Which rows each candidate covers, by pandas."""
    singles = [(a, (X[a] == v).to_numpy()) for a in X for v in sorted(X[a].unique())]
    return [rows for _, rows in singles] + [
        p & q for i, (a, p) in enumerate(singles) for b, q in singles[:i]
        if pairs and a != b]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("pairs", [False, True])
def test_no_list_is_better(seed, pairs):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 2, (30, 3)).astype(str), columns=list("abc"))
    y = rng.integers(0, 2 + seed % 2, 30)
    weights = rng.integers(1, 4, 30).astype(float)
    cost = 0.07
    model = OptimalRuleListClassifier(cost, 1 + pairs).fit(X, y, weights)
    rows = singles_and_pairs(X, pairs)
    most = 2 if pairs else 3
    brute = min(objective([rows[i] for i in order], y, weights, cost)
                for n in range(most + 1) for order in permutations(range(len(rows)), n))
    assert model.objective_ <= brute + 1e-9
    if len(model.rules_) <= most:
        assert model.objective_ == pytest.approx(brute)
    assert model.objective_ == model.lower_bound_
    mine = [np.logical_and.reduce([X[c.attribute] == c.value for c in r.conditions])
            for r in model.rules_]
    assert model.objective_ == pytest.approx(objective(mine, y, weights, cost))
    errors = weights @ (model.predict(X) != y) / weights.sum()
    assert model.objective_ == pytest.approx(errors + cost * len(mine))


@pytest.mark.parametrize("seed", [0, 1, 2, 21])  # in 21 a later prefix is the better one
def test_no_list_of_any_length_is_better(seed):
    """Cheap rules make long lists, and the same rows are left by many of them."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({a: rng.integers(0, 4, 40).astype(str) for a in "ab"})
    y, cost = rng.integers(0, 2 + seed % 2, 40), 0.02
    rows = singles_and_pairs(X, False)
    model = OptimalRuleListClassifier(cost).fit(X, y)
    assert len(model.rules_) <= 5
    assert model.objective_ == pytest.approx(min(
        objective([rows[i] for i in order], y, np.ones(40), cost)
        for n in range(6) for order in permutations(range(len(rows)), n)))


def test_cuts_are_quantiles_and_both_sides_are_asked():
    X = np.arange(8.0)[:, None]
    model = OptimalRuleListClassifier(0.05).fit(X, [0, 0, 1, 1, 1, 1, 0, 0])
    assert model.score(X, [0, 0, 1, 1, 1, 1, 0, 0]) == 1.0
    assert {c.value for r in model.rules_ for c in r.conditions} == {1.0, 5.0}
    assert len(model.rules_) == 2


def test_a_pair_tells_what_no_single_condition_does():
    X = pd.DataFrame([(a, b) for a in "xy" for b in "xy"] * 5, columns=["a", "b"])
    y = np.where(X.a == X.b, "same", "other")
    assert OptimalRuleListClassifier(0.05).fit(X, y).score(X, y) == 0.75
    model = OptimalRuleListClassifier(0.05, 2).fit(X, y)
    assert model.score(X, y) == 1.0 and model.objective_ == pytest.approx(0.1)


def test_no_worse_than_ripper_where_it_may_say_the_same():
    X, y = load_votes()
    ripper = RIPPERClassifier().fit(X, y)
    assert all(len(rule.conditions) <= 2 for rule in ripper.rules_)
    theirs = 1 - ripper.score(X, y) + 0.02 * len(ripper.rules_)
    assert OptimalRuleListClassifier(0.02, 2).fit(X, y).objective_ <= theirs + 1e-12


def test_a_search_that_is_broken_off_says_what_it_has_proved():
    X, y = load_votes()
    with pytest.warns(ConvergenceWarning, match="broken off after 3 prefixes"):
        model = OptimalRuleListClassifier(0.002, max_nodes=3).fit(X, y)
    assert model.n_nodes_ == 3 and model.lower_bound_ < model.objective_
    best = OptimalRuleListClassifier(0.005).fit(X, y)
    few = OptimalRuleListClassifier(0.005, max_nodes=2)
    with pytest.warns(ConvergenceWarning):
        few.fit(X, y)
    assert few.lower_bound_ <= best.objective_ <= few.objective_


def test_three_classes():
    X, y = load_iris()
    model = OptimalRuleListClassifier(0.01, n_cuts=5).fit(X, y)
    assert model.score(X, y) > 0.9
    assert {rule.label for rule in model.rules_} | {model.default_} == set(y)


def test_one_condition_to_three():
    with pytest.raises(ValueError, match="max_conditions"):
        OptimalRuleListClassifier(max_conditions=4).fit([[0.0], [1.0]], [0, 1])
