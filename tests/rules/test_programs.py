"""`to_sql` and `to_python`: the program predicts what the model predicts. The judges are
SQLite and Python themselves."""

from __future__ import annotations

import sqlite3
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from supervised.associations import CBAClassifier
from supervised.basics.datasets import (
    load_credit,
    load_flights,
    load_iris,
    load_loan,
    load_votes,
    load_weather,
)
from supervised.basics.tables import learn_table
from supervised.bayes import NaiveBayesClassifier
from supervised.rules import (
    C45RulesClassifier,
    CN2Classifier,
    PARTClassifier,
    RIPPERClassifier,
    Rule,
    RuleList,
)
from supervised.rules.programs import to_python, to_sql
from supervised.trees import C45Classifier, CARTClassifier, CHAIDClassifier, ID3Classifier


def by_sqlite(model: Any, X: pd.DataFrame) -> list:
    with sqlite3.connect(":memory:") as database:
        X.to_sql("t", database, index=False)
        return [row[0] for row in database.execute(f"SELECT {to_sql(model)} FROM t")]


def by_python(model: Any, X: pd.DataFrame) -> list:
    space: dict[str, Any] = {}
    exec(to_python(model, "say"), space)
    return [space["say"](row) for row in X.to_dict("records")]


LEARNERS = [RIPPERClassifier(), C45RulesClassifier(), PARTClassifier(),
            CN2Classifier(), CBAClassifier(), C45Classifier(), CARTClassifier()]


@pytest.mark.parametrize("load", [load_iris, load_credit, load_loan])
@pytest.mark.parametrize("learner", LEARNERS, ids=lambda m: type(m).__name__)
def test_a_program_predicts_what_its_model_does(learner, load) -> None:
    X, y = load()
    half = np.arange(len(X)) % 2 == 0  # the other half reaches leaves without training rows
    model = learner.fit(X[half], y[half])
    if hasattr(model, "apply"):  # rows that are new at a node are divided by the tree
        X = X[model.tree_.is_leaf[model.apply(X)]]
    assert len(X) > 0.9 * len(y)
    assert by_sqlite(model, X) == by_python(model, X) == model.predict(X).tolist()


def test_of_a_list_missing_values_too() -> None:
    X, y = load_votes()
    for learner in (RIPPERClassifier(), C45RulesClassifier(), CN2Classifier()):
        expected = learner.fit(X, y).predict(X).tolist()
        assert by_sqlite(learner, X) == by_python(learner, X) == expected
    X, y = (part[:3000] for part in load_flights())
    model = RIPPERClassifier().fit(X, y)
    assert by_sqlite(model, X) == by_python(model, X) == model.predict(X).tolist()


def test_costs_and_smoothing_decide_what_a_leaf_says() -> None:
    X, y = load_credit()
    for setting in ({"smoothing": 50.0}, {"class_weight": {"bad": 5, "good": 1}}):
        model = C45Classifier(**setting).fit(X, y)
        seen = X[model.tree_.is_leaf[model.apply(X)]]
        expected = model.predict(seen).tolist()
        assert (expected != C45Classifier().fit(X, y).predict(seen)).any()
        assert by_sqlite(model, seen) == by_python(model, seen) == expected


def test_weather_by_hand() -> None:
    X, y = load_weather()
    model = ID3Classifier().fit(X, y)
    assert set(to_sql(model).splitlines()) == {
        "CASE", "  ELSE 'yes'", "END",
        "  WHEN \"outlook\" IN ('overcast') THEN 'yes'",
        "  WHEN \"outlook\" IN ('sunny') AND \"humidity\" IN ('high') THEN 'no'",
        "  WHEN \"outlook\" IN ('sunny') AND \"humidity\" IN ('normal') THEN 'yes'",
        "  WHEN \"outlook\" IN ('rainy') AND \"windy\" IN (FALSE) THEN 'yes'",
        "  WHEN \"outlook\" IN ('rainy') AND \"windy\" IN (TRUE) THEN 'no'"}


NASTY = ["O'Hare", 'a "b"', "'; DROP TABLE t; --", "back\\slash", "new\nline", "ünï", ""]


def test_names_and_values_are_quoted() -> None:
    X = pd.DataFrame({'a "nasty" col\'umn; --': NASTY, "0": range(7)})
    y = pd.Series(NASTY)
    rules = RuleList([Rule([(X.columns[0], "=", v)], v) for v in NASTY[:4]] +
                     [Rule([("0", ">", 4), ("0", "<", 6)], NASTY[5]),
                      Rule([("0", ">=", 6)], NASTY[6])], NASTY[4],
                     learn_table(X).attributes)
    assert by_sqlite(rules, X) == by_python(rules, X) == y.tolist()


def test_a_new_category_meets_no_condition() -> None:
    X = pd.DataFrame({"light": ["red", "yellow", "green"]})
    rules = RuleList([Rule([("light", "!=", "red")], "go")], "stop",
                     learn_table(X).attributes)
    street = pd.DataFrame({"light": ["red", "green", "blue", None]})
    assert by_sqlite(rules, street) == by_python(rules, street) == [
        "stop", "go", "stop", "stop"] == rules.predict(street).tolist()


def test_ordered_categories_and_thresholds_to_the_last_bit() -> None:
    size = pd.Categorical(["s", "m", "l"], ["s", "m", "l"], ordered=True)
    X = pd.DataFrame({"size": size, "x": [0.1 + 0.2, 0.3, 1e-300]})
    attributes = learn_table(X).attributes
    rules = RuleList([Rule([("size", ">=", "m"), ("x", "<=", 0.3)], 1)], 0, attributes)
    assert by_python(rules, X) == [0, 1, 1] == by_sqlite(rules, X.astype({"size": str}))
    rules = RuleList([Rule([("x", "<=", 0.3)], True)], False, attributes)
    assert by_python(rules, X) == [False, True, True]
    assert by_sqlite(rules, X.astype({"size": str})) == [0, 1, 1]


def test_lists_without_rules_or_conditions() -> None:
    X = pd.DataFrame({"x": [1.0, 2.0]})
    empty = RuleList([], "a", learn_table(X).attributes)
    always = RuleList([Rule([], "b")], "a", learn_table(X).attributes)
    assert by_sqlite(empty, X) == by_python(empty, X) == ["a", "a"]
    assert by_sqlite(always, X) == by_python(always, X) == ["b", "b"]
    none = RuleList([Rule([("x", ">", 1)], "b")], None, learn_table(X).attributes)
    assert by_sqlite(none, X) == by_python(none, X) == [None, "b"]
    one = C45Classifier().fit(X, ["c", "c"])
    assert by_sqlite(one, X) == by_python(one, X) == ["c", "c"]


@pytest.mark.parametrize("write", [to_sql, to_python])
def test_refusals(write) -> None:
    X, y = load_iris()
    with pytest.raises(NotFittedError):
        write(RIPPERClassifier())
    with pytest.raises(TypeError, match="CN2Classifier vote"):
        write(CN2Classifier(ordered=False).fit(X, y))
    with pytest.raises(TypeError, match="CHAIDClassifier tests columns that it has made"):
        write(CHAIDClassifier().fit(X, y))
    with pytest.raises(TypeError, match="NaiveBayesClassifier has no tree"):
        write(NaiveBayesClassifier().fit(X, y))
    with pytest.raises(TypeError, match="estimator"):
        write("rules")
    with pytest.raises(ValueError, match="does not know its attributes"):
        write(RuleList([Rule([("x", "=", 1)], "a")], "b"))
    attributes = learn_table(X).attributes
    with pytest.raises(ValueError, match="'nose'"):
        write(RuleList([Rule([("nose", "<", 1)], "a")], "b", attributes))
    with pytest.raises(ValueError, match="numeric"):
        write(RuleList([Rule([(X.columns[0], "!=", 1)], "a")], "b", attributes))


@pytest.mark.parametrize("name", ["", "two words", "class", "1st"])
def test_a_function_needs_a_name(name) -> None:
    with pytest.raises(ValueError, match="can't be the name"):
        to_python(RuleList([], "a", ()), name)
