"""What the page on class rules says: the examples of L, and its plain versions."""


import pandas as pd
import pytest

from supervised.associations.engine.class_rules import class_rules
from supervised.basics.datasets import load_loan, load_votes


def test_example_13():
    rules = class_rules(*load_loan(), min_support=2 / 15, min_confidence=0.7)
    told = {frozenset((c.attribute, str(c.value)) for c in r.conditions):
            (r.label, r.covered[r.label], sum(r.covered.values())) for r in rules}
    tree = [{("Own_house", "True")}, {("Own_house", "False"), ("Has_job", "True")},
            {("Own_house", "False"), ("Has_job", "False")}]
    assert [told[frozenset(leaf)] for leaf in tree] == [
        ("Yes", 6, 6), ("Yes", 3, 3), ("No", 6, 6)]
    others = [{("Age", "young"), ("Has_job", "True")},
              {("Age", "young"), ("Has_job", "False")}, {("Credit_rating", "fair")}]
    assert [told[frozenset(items)] for items in others] == [
        ("Yes", 2, 2), ("No", 3, 3), ("No", 4, 5)]
    assert len(class_rules(*load_loan(), 0.133, 0.7)) == len(rules) == 40


def test_example_14():
    # 99 % of class Y and 1 % of N: no rule for N can have a support of 1.5 %
    X = pd.DataFrame({"a": ["u"] * 8 + ["v"] * 992, "b": ["s", "t"] * 500})
    y = ["N"] * 8 + ["Y"] * 990 + ["N"] * 2
    assert {r.label for r in class_rules(X, y, 0.015)} == {"Y"}
    low = class_rules(X, y, 0.002)
    assert {r.label for r in low} == {"Y", "N"}
    shared = class_rules(X, y, class_min_support=0.7)  # 7 rows of N, 693 of Y
    assert [str(r) for r in shared] == ["a = u -> N", "a = v -> Y"]
    named = class_rules(X, y, 0.9, class_min_support={"N": 0.004})
    assert sorted(map(str, named)) == ["a = u -> N", "a = u and b = s -> N",
                                       "a = u and b = t -> N", "a = v -> Y"]


@pytest.mark.parametrize("support", [0.14, 0.2, 0.4])
def test_rows_that_a_first_rule_answers_for(support):
    # with and without extensions of rules that have no exception (A 10.4.4)
    X, y = load_votes()
    whole = class_rules(X, y, support, max_rules=10**6)
    general = class_rules(X, y, support, extend_right=False)
    assert len(general) < len(whole)
    rows = X.iloc[:60]
    first = [[str(r[k]) if k < len(r) else None for k in r.first(rows)]
             for r in (whole, general)]
    assert first[0] == first[1]


def test_ties_are_broken_by_length_then_by_the_table():
    X = pd.DataFrame({"b": ["u", "u", "v", "v"], "a": ["s", "s", "t", "t"]})
    rules = class_rules(X, ["p", "p", "q", "q"])
    assert [str(r) for r in rules] == [
        "b = u -> p", "b = v -> q", "a = s -> p", "a = t -> q",
        "b = u and a = s -> p", "b = v and a = t -> q"]
    declared = X.assign(b=pd.Categorical(X["b"], ["v", "u"]))
    assert str(class_rules(declared, ["p", "p", "q", "q"])[0]) == "b = v -> q"
    both = class_rules(X, ["p", "q", "p", "q"])
    assert [r.label for r in both[:2]] == ["p", "q"]  # the same items: the first class
