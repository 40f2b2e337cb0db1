"""The engine of rule votes: kernels beside definitions,
the classifiers beside plain versions, hostile input."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from supervised.associations.engine.class_rules import _Asked, _item_table, _mine_table
from supervised.associations.engine.combining import (
    CMARClassifier,
    CPARClassifier,
    MaximalPatternClassifier,
    StrongestRuleClassifier,
    _maximal_patterns,
    chi_squares,
    weighted_chi_squares,
)
from supervised.basics import learn_table
from supervised.basics.datasets import load_credit, load_loan, load_votes, load_zoo
from tests import examples
from tests.associations.test_combining import cmar_choice, cpar, random_table

ALL = (StrongestRuleClassifier, CMARClassifier, CPARClassifier, MaximalPatternClassifier)


def mined(X, y, support=0.05, weights=None, confidence=0.5, extend_right=False):
    classes, labels = np.unique(y, return_inverse=True)
    weights = np.ones(len(y)) if weights is None else weights
    return _mine_table(learn_table(X), labels, weights, classes.tolist(),
                       _Asked(support, confidence, extend_right=extend_right))


def test_chi_square_is_that_of_scipy():
    from scipy.stats import chi2_contingency
    rng = np.random.default_rng(0)
    for _ in range(50):
        table = rng.integers(1, 20, (2, 2))
        (k, wrong), (missed, rest) = table
        a, b, n = k + wrong, k + missed, int(table.sum())
        found = chi_squares(k, a, b, n)[0]
        wanted = chi2_contingency(table, correction=False).statistic
        assert abs(found) == pytest.approx(wanted)
        assert np.sign(found) == np.sign(k * n - a * b)


def test_weighted_chi_square_by_the_papers_four_fractions():
    for k, a, b, n in [(3, 3, 5, 14), (2, 3, 5, 14), (5, 8, 9, 15), (18, 20, 30, 100)]:
        e = 1 / (a * b) + 1 / (a * (n - b)) + 1 / ((n - a) * b) + 1 / ((n - a) * (n - b))
        most = (min(a, b) - a * b / n) ** 2 * n * e
        found = n * (k * n - a * b) ** 2 / (a * b * (n - a) * (n - b))
        assert weighted_chi_squares(k, a, b, n)[0] == pytest.approx(found**2 / most)


@pytest.mark.parametrize("seed", range(15))
def test_cmar_is_the_plain_one(seed):
    X, y = random_table(seed)
    model = CMARClassifier(0.05, coverage_threshold=1 + seed % 4).fit(X, y)
    base = mined(X, y)
    rules = [base.rule(r, model.classes_.tolist()) for r in range(len(base))]
    fires = np.array([[all(row[c.attribute] == c.value for c in r.conditions)
                       for r in rules] for _, row in X.iterrows()]).reshape(len(X), -1)
    chosen = cmar_choice(rules, y, fires, 1 + seed % 4)
    assert [str(r) for r in model.rules_] == [str(rules[r]) for r in chosen]


@pytest.mark.parametrize("seed", range(12))
def test_cpar_is_the_plain_one_in_any_order_of_the_rows(seed):
    X, y = random_table(seed, n=90)
    similar = 0.99 if seed % 2 else None
    model = CPARClassifier(gain_similarity_ratio=similar).fit(X, y)
    found = {(frozenset((c.attribute, c.value) for c in r.conditions), r.label)
             for r in model.rules_}
    wanted = {(frozenset(r), c) for c in sorted(set(y))
              for r in cpar(X, (y == c).to_numpy(), similar)}
    assert found == wanted
    mixed = np.random.default_rng(seed).permutation(len(y))
    assert CPARClassifier(gain_similarity_ratio=similar).fit(
        X.iloc[mixed], y.iloc[mixed]).to_text() == model.to_text()


@pytest.mark.parametrize(("similar", "min_gain"), [(0.3, 0.7), (0.5, 1.5), (0.7, 0.4)])
def test_cpar_is_the_plain_one_with_many_branches(similar, min_gain):
    # far from the best is near enough, but never below the least gain; first come, first
    # grown
    for seed in range(4):
        X, y = random_table(seed, n=90)
        model = CPARClassifier(gain_similarity_ratio=similar, min_gain=min_gain).fit(X, y)
        found = {(frozenset((c.attribute, c.value) for c in r.conditions), r.label)
                 for r in model.rules_}
        assert found == {(frozenset(r), c) for c in sorted(set(y)) for r in
                         cpar(X, (y == c).to_numpy(), similar, min_gain)}


def test_cpar_grows_nothing_while_no_more_than_enough_is_left():
    X, y = load_loan()
    assert len(CPARClassifier(min_weight=1).fit(X, y).rules_) == 0  # all is not more
    assert len(CPARClassifier(min_weight=0.99).fit(X, y).rules_) > 0


def test_cpar_gives_no_rule_twice_and_orders_by_laplace():
    X, y = load_votes()
    rules = CPARClassifier().fit(X, y).rules_
    assert len({(frozenset(r.conditions), r.label) for r in rules}) == len(rules)
    for r in rules:
        right, all_ = r.covered[r.label], sum(r.covered.values())
        assert r.quality == pytest.approx((right + 1) / (all_ + 2))
    quality = [r.quality for r in rules]
    assert quality == sorted(quality, reverse=True)


def test_cpar_hears_the_best_few_of_each_class():
    for load, best in [(load_zoo, 1), (load_zoo, 5), (load_votes, 1), (load_votes, 2)]:
        X, y = load()
        model = CPARClassifier(n_best=best).fit(X, y)
        fires = model.rules_.covers(X)
        classes = model.classes_.tolist()
        for i in range(0, len(X), 5 if load is load_zoo else 20):
            told = model.explain(X.iloc[[i]]).parts
            assert all(sum(p.text == str(r) and r.label == c for p in told
                           for r in model.rules_) <= best for c in classes)
            means = []
            for c in classes:
                own = [r.quality for r, f in zip(model.rules_, fires[i], strict=True)
                       if f and r.label == c][:best]
                means.append(np.mean(own) if own else 0.0)
            if max(means) > 0:
                wanted = np.array(means) / sum(means)
                assert model.predict_proba(X.iloc[[i]])[0] == pytest.approx(
                    wanted, abs=1e-6)


def test_predictive_rules_end_at_the_cap():
    X, y = load_votes()
    with pytest.warns(UserWarning, match="max_rules=3 rules of class") as told:
        assert len(CPARClassifier(max_rules=3).fit(X, y).rules_) <= 6
    assert len(told) == 2


def test_maximal_patterns_are_frequent_and_maximal_on_votes():
    X, y = load_votes()
    labels = (y == "republican").to_numpy().astype(int)
    table = _item_table(learn_table(X), labels, np.ones(len(y)), np.full(2, 87.0))
    has = np.array([(table.codes == i).any(axis=1) for i in range(len(table.items))])
    for c in (0, 1):
        own = has[:, table.labels == c]
        found = _maximal_patterns(table, c, 87.0, 80000)
        assert len(found) == len(set(found)) > 100
        for pattern in found[::7]:
            rows = np.logical_and.reduce(own[list(pattern)])
            assert rows.sum() >= 87
            more = [(rows & own[i]).sum() for i in range(len(own)) if i not in pattern]
            assert max(more) < 87


@examples(60)
@given(st.integers(0, 2**32 - 1))
def test_maximal_patterns_of_weights_in_parts_are_those_of_fractions(seed):
    """Weights are tenths, and the support is what some rows weigh exactly."""
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 16)), int(rng.integers(1, 5))
    X = pd.DataFrame({f"a{j}": rng.choice(list("pqr")[: rng.integers(1, 4)], n)
                      for j in range(d)}).astype(object)
    y = np.append(["x", "y"], rng.choice(list("xy"), n - 2))
    tenths = rng.integers(1, 10, n)
    support = Fraction(int(tenths[: rng.integers(1, n)].sum()), int(tenths.sum()))
    weight = {}
    for k in range(1, d + 1):
        for columns in combinations(range(d), k):
            for values in product(*[sorted(set(X.iloc[:, j])) for j in columns]):
                own = tuple(zip(columns, values, strict=True))
                met = np.all([X.iloc[:, j] == v for j, v in own], axis=0)
                weight[own] = {c: int(tenths[met & (y == c)].sum()) for c in "xy"}
    wanted = set()
    for c in "xy":
        common = {s for s, w in weight.items() if 0 < w[c] >= support * int(tenths.sum())}
        wanted |= {(s, c) for s in common if not any(set(s) < set(o) for o in common)
                   and 2 * weight[s][c] >= sum(weight[s].values())}
    model = MaximalPatternClassifier(float(support)).fit(X, y, tenths / 10)
    assert wanted == {(tuple((int(c.attribute[1:]), c.value) for c in r.conditions),
                       r.label) for r in model.rules_}


def test_maximal_cap_is_told():
    X, y = load_votes()
    with pytest.warns(UserWarning, match="max_rules=10 maximal patterns"):
        model = MaximalPatternClassifier(0.2, max_rules=10).fit(X, y)
    assert len(model.rules_) <= 20


@pytest.mark.parametrize("strength", ["confidence", "chi_square", "support_confidence"])
def test_the_strongest_rule_answers_though_rules_were_left_out(strength):
    X, y = load_votes()
    X, y = X.iloc[:150], y.iloc[:150]
    base = mined(X, y, 0.2)
    n, totals = len(y), base.table.totals[base.label]
    value = {"confidence": base.count / base.covered,
             "chi_square": chi_squares(base.count, base.covered, totals, n),
             "support_confidence": base.count**2 / base.covered}[strength]
    model = StrongestRuleClassifier(0.2, rule_measure=strength).fit(X, y)
    assert len(model.rules_) < len(base)
    lines = [base.rule(r, model.classes_.tolist()) for r in range(len(base))]
    for i in range(0, 150, 7):
        row = X.iloc[i]
        fired = [r for r, rule in enumerate(lines)
                 if all(row[c.attribute] == c.value for c in rule.conditions)]
        if fired:
            best = max(value[r] for r in fired)
            allowed = {lines[r].label for r in fired if np.isclose(value[r], best)}
            assert model.predict(X.iloc[[i]])[0] in allowed


def test_a_pattern_just_confident_enough_is_a_rule():
    # x: three u and one v; y: four v
    X, y = pd.DataFrame({"a": list("xxxxyyyy")}), list("uuuvvvvv")
    model = MaximalPatternClassifier(3 / 8, 0.75).fit(X, y)
    assert [(str(r.conditions[0]), r.label) for r in model.rules_] == [
        ("a = y", "v"), ("a = x", "u")]
    assert len(MaximalPatternClassifier(3 / 8, 0.76).fit(X, y).rules_) == 1


@pytest.mark.parametrize("kind", ALL)
def test_weights_are_rows(kind):
    X, y = load_credit()
    X, y = X.iloc[:200], y.iloc[:200]
    weights = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    model = kind(min_support=0.1) if kind is not CPARClassifier else kind()
    told = clone(model).fit(X, y, sample_weight=weights)
    repeated = clone(model).fit(X.iloc[rows], y.iloc[rows])
    assert told.to_text() == repeated.to_text()
    assert np.allclose(told.predict_proba(X), repeated.predict_proba(X))
    halves = clone(model).fit(X, y, sample_weight=weights * 0.5)
    assert np.isfinite(halves.predict_proba(X)).all()


@pytest.mark.parametrize("kind", ALL)
def test_explanations_add_up(kind):
    X, y = load_zoo()
    model = (kind(min_support=0.1) if kind is not CPARClassifier else kind()).fit(X, y)
    for i in range(0, len(X), 9):
        told = model.explain(X.iloc[[i]])
        assert told.prediction == model.predict(X.iloc[[i]])[0]
        assert sum(p.contribution for p in told.parts) == pytest.approx(
            told.probability, abs=1e-6)
