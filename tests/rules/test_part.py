"""Partial trees: WEKA's lists on its tables and on random ones, values by hand, weights,
gaps, hostile input."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from supervised.basics.classifiers import encode_classes
from supervised.basics.datasets import load_credit, load_iris, load_votes, load_weather
from supervised.basics.tables import learn_table
from supervised.rules.engine.part import _answers_in_parts, _counts_in_parts, _part_rules
from supervised.rules.engine.rule_list import Rule, _rule_arrays
from supervised.rules.part import PARTClassifier

WEKA = json.loads((Path(__file__).parent / "weka_part.json").read_text())["tables"]


def as_frame(columns):
    """The columns of a stored table; text is nominal, with the values in their order."""
    frame = {}
    for name, values in columns.items():
        text = any(isinstance(v, str) for v in values)
        domain = sorted({v for v in values if v is not None}) if text else None
        frame[name] = (pd.Categorical(values, categories=domain) if text
                       else np.array([np.nan if v is None else v for v in values], float))
    return pd.DataFrame(frame)


def as_weka(model):
    """Conditions, class, weight and errors of each rule, the default last."""
    found = [([[c.attribute, c.operator, c.value if isinstance(c.value, str)
                else round(c.value, 5)] for c in rule.conditions], rule.label, rule.claimed)
             for rule in model.rules_]
    found.append(([], model.default_, model.rules_.unclaimed))
    return [(conditions, label, sum(counts.values()),
             sum(counts.values()) - counts.get(label, 0)) for conditions, label, counts
            in found]


@pytest.mark.parametrize("table", WEKA)
def test_weka_on_random_tables(table):
    X, y = as_frame(table["columns"]), np.array(table["classes"])
    model = PARTClassifier().fit(X, y)
    ours = as_weka(model)
    assert [r[:2] for r in ours] == [(r[0], r[1]) for r in table["rules"]]
    told = np.array([r[2:] for r in table["rules"]])
    np.testing.assert_allclose([r[2:] for r in ours], told, atol=0.0051)
    np.testing.assert_allclose(model.predict_proba(X), table["shares"], atol=0.0006)


# PART of WEKA 3.9.7: conditions, class, (weight, errors); the default last
IRIS = [([["petal width (cm)", "<=", 0.6]], "setosa", 50, 0),
        ([["petal width (cm)", "<=", 1.7], ["petal length (cm)", "<=", 4.9]],
         "versicolor", 48, 1), ([], "virginica", 52, 3)]
VOTES = [
    ([["physician-fee-freeze", "=", "n"]], "democrat", 253.41, 3.75),
    ([["synfuels-corporation-cutback", "=", "n"], ["education-spending", "=", "y"]],
     "republican", 125.78, 1.29),
    ([["immigration", "=", "y"], ["adoption-of-the-budget-resolution", "=", "n"]],
     "republican", 14.32, 0.25),
    ([["crime", "=", "y"], ["anti-satellite-test-ban", "=", "y"]], "republican",
     13.08, 1.63),
    ([["crime", "=", "y"], ["adoption-of-the-budget-resolution", "=", "y"],
      ["superfund-right-to-sue", "=", "y"]], "democrat", 7.05, 0.07),
    ([["crime", "=", "y"]], "republican", 19.07, 4.94), ([], "democrat", 2.29, 0.03)]
# the ARFF file has "high" before "normal", as the alphabet has
WEATHER = [([["outlook", "=", "overcast"]], "yes", 4, 0),
           ([["humidity", "=", "high"]], "no", 5, 1), ([], "yes", 5, 1)]


@pytest.mark.parametrize("load, expected", [
    (load_iris, IRIS), (load_votes, VOTES),
    (lambda: tuple(part.astype(str) for part in load_weather()), WEATHER)])
def test_weka_on_its_own_tables(load, expected):
    ours = as_weka(PARTClassifier().fit(*load()))
    assert [r[:2] for r in ours] == [r[:2] for r in expected]
    np.testing.assert_allclose([r[2:] for r in ours], [r[2:] for r in expected],
                               atol=0.0051)


def test_a_gap_by_hand():
    # a is known for nine rows: five x (all p), four z (all q); share of x is 5/9.
    # The tenth row, a p without a: 5/9 of it follow rule 1, which takes 5 + 5/9 rows, and
    # 4/9 of it stay with the four q
    X = pd.DataFrame({"a": list("xxxxxzzzz") + [None]})
    model = PARTClassifier().fit(X, list("pppppqqqqp"))
    assert [str(rule) for rule in model.rules_] == ["a = x -> p"]
    assert model.rules_[0].claimed == {"p": pytest.approx(5 + 5 / 9)}
    assert model.rules_.unclaimed == {"p": pytest.approx(4 / 9), "q": 4.0}
    assert model.shares_.tolist() == [pytest.approx(5 / 9)]
    # a new row without a: 5/9 sure of p, and 4/9 at the default, where p has (4/9)/(40/9)
    p = model.predict_proba(pd.DataFrame({"a": [None, "x", "z"]}, dtype=object))
    np.testing.assert_allclose(p[:, 0], [5 / 9 + 4 / 9 * 0.1, 1.0, 0.1])
    # the list by itself: a missing value meets no condition
    assert model.rules_.predict(pd.DataFrame({"a": [None]}, dtype=object)).tolist() == ["q"]


def test_bounds_on_one_side_are_joined_and_so_are_their_shares():
    # duration <= 33 and then duration <= 15 on one path: the later bound says it all
    X, y = load_credit()
    X.loc[::9, ["duration", "credit_amount", "age"]] = np.nan
    model = PARTClassifier().fit(X, y)
    for rule in model.rules_:
        sides = [(c.attribute, c.operator) for c in rule.conditions]
        assert len(sides) == len(set(sides))
    assert len(model.shares_) == model.rules_.n_conditions
    assert ((model.shares_ > 0) & (model.shares_ < 1)).all()


def test_whole_weights_are_copies_where_all_is_known():
    X, y = load_credit()
    X, y = X[:300].drop(columns=X.select_dtypes("number")), y[:300]
    weights = np.arange(300) % 3 + 1
    copied = PARTClassifier().fit(X.loc[X.index.repeat(weights)], np.repeat(y, weights))
    assert PARTClassifier().fit(X, y, weights).to_text() == copied.to_text()


def test_rows_in_parts_against_asking_rule_after_rule():
    rng = np.random.default_rng(5)
    X = pd.DataFrame({"x": rng.normal(size=300), "y": rng.normal(size=300),
                      "c": rng.choice(list("abc"), 300)})
    y = np.where((X["x"] > 0) ^ (rng.random(300) < 0.1), "p", "q")
    X = X.mask(rng.random(X.shape) < 0.2)
    rules = [Rule([("x", ">", rng.normal()), ("y", "<=", rng.normal()), ("c", "=", c)][k:],
                  "p") for c in "abc" for k in (0, 1) for _ in range(12)]
    n = len(rules)
    assert n > 63  # more than one word of bits
    table = learn_table(X)
    flat, labels, weights = (_rule_arrays(rules, table.attributes), (y == "q").astype(int),
                             rng.random(300))
    shares, answers = rng.random(len(flat.column)), rng.random((n + 1, 2))
    met = [[(X[c.attribute].isna(),
             X[c.attribute] == c.value if c.operator == "=" else
             X[c.attribute] > c.value if c.operator == ">" else X[c.attribute] <= c.value)
            for c in rule.conditions] for rule in rules]
    covered, claimed, said = np.zeros((n + 1, 2)), np.zeros((n + 1, 2)), np.zeros((300, 2))
    covered[n] = np.bincount(labels, weights)
    for i in range(300):
        left = 1.0
        for r in range(n):
            part = np.prod([shares[t] if missing[i] else float(holds[i])
                            for t, (missing, holds) in enumerate(met[r], flat.start[r])])
            covered[r, labels[i]] += weights[i] * part
            claimed[r, labels[i]] += weights[i] * left * part
            said[i] += left * part * answers[r]
            left *= 1 - part
        claimed[n, labels[i]] += weights[i] * left
        said[i] += left * answers[n]
    told = _counts_in_parts(flat, shares, table, labels, weights, 2)
    np.testing.assert_allclose(told[0], covered)
    np.testing.assert_allclose(told[1], claimed, atol=1e-9)
    np.testing.assert_allclose(_answers_in_parts(flat, shares, table, answers), said,
                               atol=1e-5)
    model = PARTClassifier().fit(X, y)
    for shown in (X, X.dropna()):
        best = model.predict_proba(shown).argmax(axis=1)
        assert (model.predict(shown) == model.classes_[best]).all()


def large_table(n, seed=3, gaps=0.0):
    """Four planted rules, a tenth of the classes drawn anew."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"x": rng.normal(size=n), "z": rng.normal(size=n),
                      "c": rng.choice(list("abcd"), n), "d": rng.choice(list("uv"), n)})
    y = np.where((X["c"] == "a") & (X["x"] > 0), "p",
                 np.where((X["d"] == "u") & (X["z"] > 0.5), "q",
                          np.where(X["c"] == "b", "r", "p")))
    noisy = rng.random(n) < 0.1
    y[noisy] = rng.choice(list("pqr"), noisy.sum())
    return X.mask(rng.random(X.shape) < gaps), y


@pytest.mark.parametrize("gaps, weighted", [(0.0, False), (0.0, True), (0.05, False)])
def test_rules_count_what_the_leaves_counted(gaps, weighted):
    X, y = large_table(4000, gaps=gaps)
    weights = np.random.default_rng(1).random(4000) + 0.6 if weighted else np.ones(4000)
    model = PARTClassifier().fit(X, y, weights)
    table, (classes, labels) = learn_table(X), encode_classes(y)
    leaves = _part_rules(table, labels, weights, len(classes))
    claimed = [rule.claimed for rule in model.rules_] + [model.rules_.unclaimed]
    assert len(leaves) > 10
    for counts, leaf in zip(claimed, leaves, strict=True):
        np.testing.assert_allclose([counts.get(c, 0) for c in classes.tolist()],
                                   leaf.counts, atol=1e-3)
    assert sum(sum(c.values()) for c in claimed) == pytest.approx(weights.sum())
