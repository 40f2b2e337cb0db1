"""The engine of rule votes: kernels beside definitions,
the classifiers beside plain versions, hostile input."""

from __future__ import annotations

import pickle
import warnings
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import polars as pl
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
    _by_laplace,
    _by_strength,
    _cmar_rules,
    _cover,
    _default_class,
    _leader,
    _maximal_patterns,
    _predictive_rules,
    _without_general,
    chi_squares,
    weighted_chi_squares,
)
from supervised.basics import learn_table
from supervised.basics.datasets import load_credit, load_loan, load_votes, load_zoo
from supervised.rules.engine.rule_list import Condition, Rule
from tests import examples
from tests.associations.test_combining import cmar_choice, cpar, random_table

ALL = (StrongestRuleClassifier, CMARClassifier, CPARClassifier, MaximalPatternClassifier)


def mined(X, y, support=0.05, weights=None, confidence=0.5, extend_right=False):
    classes, labels = np.unique(y, return_inverse=True)
    weights = np.ones(len(y)) if weights is None else weights
    return _mine_table(learn_table(X), labels, weights, classes.tolist(),
                       _Asked(support, confidence, extend_right=extend_right))


def sets(rules):
    """Items and class of each rule."""
    return [(frozenset(rules.items[a:b].tolist()), int(c)) for a, b, c in
            zip(rules.start[:-1], rules.start[1:], rules.label, strict=True)]


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


def test_chi_square_of_empty_margins_is_zero():
    assert chi_squares([9, 0, 5], [14, 0, 5], [9, 5, 14], 14).tolist() == [0, 0, 0]
    assert weighted_chi_squares([9], [14], [9], 14).tolist() == [0]


def test_without_general_is_its_definition():
    rng = np.random.default_rng(1)
    for _ in range(150):
        given = [np.sort(rng.choice(8, rng.integers(1, 6), replace=False))
                 for _ in range(40)]
        kept: list[set] = []
        wanted = []
        for own in map(set, given):
            wanted.append(not any(k <= own for k in kept))
            if wanted[-1]:
                kept.append(own)
        start = np.cumsum([0, *map(len, given)])
        assert _without_general(np.concatenate(given), start).tolist() == wanted


@pytest.mark.parametrize("times", [1, 2, 4])
def test_cover_is_its_definition(times):
    for seed in range(10):
        X, y = random_table(seed)
        rules = mined(X, y)
        table = rules.table
        has = np.array([(table.codes == i).any(axis=1) for i in range(len(table.items))])
        counts, wanted = np.zeros(len(y)), []
        for own, label in sets(rules):
            rows = np.logical_and.reduce(has[list(own)]) & (counts < times)
            wanted.append(bool((rows & (table.labels == label)).any()))
            counts += rows * wanted[-1]
        found = _cover(rules.items, rules.start, rules.label, table.lines, table.begins,
                       times)
        assert found.tolist() == wanted


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


def test_equals_by_laplace_in_the_order_of_support_then_of_length():
    # two classes: 2 of 2 is (2 + 1) / (2 + 2), as good as 5 of 6, which has more support
    one, two, three = (Condition(a, "=", "x") for a in "abc")
    few = Rule((one,), "u", {"u": 2.0}, total=10.0)
    long = Rule((one, two), "u", {"u": 5.0, "v": 1.0}, total=10.0)
    short = Rule((three,), "u", {"u": 5.0, "v": 1.0}, total=10.0)
    for rules in ([few, long, short], [long, short, few]):
        found = _by_laplace(rules, 2)
        assert [r.conditions for r in found] == [(three,), (one, two), (one,)]
        assert [r.quality for r in found] == [0.75] * 3


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
    table = _item_table(learn_table(X), (y == "republican").to_numpy().astype(int),
                        np.ones(len(y)), np.zeros(2))
    found = _predictive_rules(table, np.ones(len(y)), 0, 0.7, 0.99, 2 / 3, 0.05, 3)
    assert len(found) == 3
    with pytest.warns(UserWarning, match="max_rules=3 rules of class") as told:
        CPARClassifier(max_rules=3).fit(X, y)
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


def test_by_strength_keeps_precedence_among_equals():
    rules = mined(*load_loan(), 2 / 15, confidence=0.7)
    first = _by_strength(rules, "confidence")
    assert sets(first)[:3] == sets(rules)[:3]


def test_cmar_default_is_of_the_rows_without_a_rule():
    assert _default_class({"b": 2.0, "a": 2.0}, ["a", "b"], np.array([1, 1, 1]),
                          np.ones(3)) == "a"
    assert _default_class({}, ["a", "b"], np.array([0, 1, 1]), np.array([5.0, 1, 1])) == "a"
    assert _default_class({}, ["a", "b"], np.array([0, 1, 1]), np.ones(3)) == "b"


def test_of_equal_votes_the_default_wins_and_then_the_first():
    votes = {"a": {0: 1.0}, "b": {1: 0.5, 2: 0.5}}
    assert _leader(votes, ["a", "b", "c"], "b") == "b"
    assert _leader(votes, ["a", "b", "c"], "c") == "a"
    assert _leader({}, ["a", "b", "c"], "c") == "c"


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
def test_stored_pickled_and_from_another_library(kind):
    X, y = load_votes()
    model = (kind(min_support=0.2) if kind is not CPARClassifier else kind()).fit(X, y)
    share = model.predict_proba(X)
    for again in (kind.from_json(model.to_json()), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(again.predict_proba(X), share)
        assert again.to_text() == model.to_text()
    other = clone(model).fit(pl.from_pandas(X), y.to_list())
    assert other.to_text() == model.to_text()
    assert np.array_equal(model.predict(X[X.columns[::-1]]), model.predict(X))
    assert "<table>" in model._repr_html_()


@pytest.mark.parametrize("kind", ALL)
def test_explanations_add_up(kind):
    X, y = load_zoo()
    model = (kind(min_support=0.1) if kind is not CPARClassifier else kind()).fit(X, y)
    for i in range(0, len(X), 9):
        told = model.explain(X.iloc[[i]])
        assert told.prediction == model.predict(X.iloc[[i]])[0]
        assert sum(p.contribution for p in told.parts) == pytest.approx(
            told.probability, abs=1e-6)


def test_an_explanation_says_who_would_have_to_be_silent():
    X, y = load_votes()
    told = CMARClassifier(0.3).fit(X, y).explain(X.iloc[[173]])
    assert told.prediction == "democrat" and told.otherwise == "republican, without rule 21"
    many = CMARClassifier(0.1).fit(X, y).explain(X.iloc[[1]])
    fired = int(CMARClassifier(0.1).fit(X, y).rules_.covers(X.iloc[[1]]).sum())
    weaker = [int(p.name.split()[0]) for p in many.parts if "weaker rules" in p.name]
    assert sum(p.name.startswith("rule ") for p in many.parts) == 10
    assert weaker and sum(weaker) == fired - 10


@pytest.mark.parametrize("kind", ALL)
def test_no_rules_at_all(kind):
    X = pd.DataFrame({"a": [None, None, None], "b": [1.0, 1.0, 1.0]})
    model = kind().fit(X, ["u", "v", "v"])
    assert len(model.rules_) == 0 and model.default_ == "v"
    assert model.predict(X).tolist() == ["v"] * 3
    assert model.explain(X.head(1)).prediction == "v"
    one = kind().fit(pd.DataFrame({"a": ["x"]}), ["only"])
    assert one.predict(pd.DataFrame({"a": ["y"]}))[0] == "only"


@pytest.mark.parametrize("kind", ALL)
def test_gaps_unseen_values_and_odd_labels(kind):
    X, y = load_votes()
    model = (kind(min_support=0.2) if kind is not CPARClassifier else kind()).fit(
        X, (y == "democrat").map({True: ("d", 1), False: ("r", 2)}))
    gone = pd.DataFrame({a: [None, "maybe"] for a in X})
    assert model.predict(gone).tolist() == [model.default_] * 2
    with pytest.raises(ValueError, match="handicapped-infants"):
        model.predict(X.drop(columns="handicapped-infants"))


@pytest.mark.parametrize("kind", ALL)
def test_many_classes(kind):
    n = 600
    X = pd.DataFrame({"a": [str(i % 300) for i in range(n)], "b": ["x"] * n})
    y = [i % 300 for i in range(n)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind() if kind is CPARClassifier else kind(min_support=2 / n)
        model.fit(X, y)
    assert (model.predict(X) == y).all()


@pytest.mark.parametrize(("model", "message"), [
    (StrongestRuleClassifier(min_support=0), "min_support is 0"),
    (StrongestRuleClassifier(rule_measure="lift"), "rule_measure is 'lift'"),
    (CMARClassifier(min_support=1.5), "min_support is 1.5"),
    (CMARClassifier(min_confidence=-0.1), "min_confidence is -0.1"),
    (CMARClassifier(coverage_threshold=0), "coverage_threshold is 0"),
    (CMARClassifier(significance_level=0), "significance_level is 0"),
    (CMARClassifier(max_rules=0), "max_rules is 0"),
    (CPARClassifier(min_gain=0), "min_gain is 0"),
    (CPARClassifier(decay_factor=1), "decay_factor is 1"),
    (CPARClassifier(min_weight=2), "min_weight is 2"),
    (CPARClassifier(gain_similarity_ratio=1.1), "gain_similarity_ratio is 1.1"),
    (CPARClassifier(n_best=0), "n_best is 0"),
    (CPARClassifier(max_rules=2.5), "max_rules is 2.5"),
    (MaximalPatternClassifier(min_support=np.nan), "min_support is nan"),
    (MaximalPatternClassifier(min_confidence="high"), "min_confidence is 'high'")])
def test_bad_parameters(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(*load_loan())


@pytest.mark.parametrize("kind", ALL)
def test_bad_tables(kind):
    X, y = load_loan()
    with pytest.raises(ValueError, match="NaN"):
        kind().fit(X, [None, *y[1:]])
    with pytest.raises(ValueError, match=r"0 (rows|sample)|no rows|empty|minimum"):
        kind().fit(X.iloc[:0], y[:0])
    with pytest.raises(ValueError, match="zero"):
        kind().fit(X, y, sample_weight=np.zeros(len(y)))


def test_significance_of_one_lets_all_positive_rules_pass():
    rules = mined(*load_loan(), 2 / 15, confidence=0.5)
    n = float(len(load_loan()[1]))
    kept = _cmar_rules(rules, 1, 10**6)
    worth = chi_squares(rules.count, rules.covered, rules.table.totals[rules.label], n)
    assert set(sets(kept)) <= {s for s, w in zip(sets(rules), worth, strict=True) if w > 0}
    assert len(_cmar_rules(rules, 1, 10**6)) > len(_cmar_rules(rules, 0.05, 10**6))
