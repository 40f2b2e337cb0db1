"""How rules are held: counts by hand, answers, errors, text, JSON, weights, gaps."""

import numpy as np
import pandas as pd
import pytest

from supervised.basics.tables import apply_attributes, learn_table
from supervised.rules.engine.rule_list import (
    Condition,
    Rule,
    RuleList,
    RuleSet,
    _all_rules,
    _first_rules,
    _rule_arrays,
    _rule_counts,
    _rule_votes,
)

X = pd.DataFrame({"x": [0.0, 1, 2, 3, np.nan], "c": ["u", "v", "u", "v", None]})
Y = np.array(["q", "p", "p", "q", "q"])
# x > 1 covers rows 2 and 3; c = u covers 0 and 2, and claims 0 alone; 1 and 4 are left


def test_counts_by_hand():
    for kind in (RuleList, RuleSet):
        rules = kind([Rule([("x", ">", 1)], "p"), Rule([("c", "=", "u")], "q")],
                     "q").counted(X, Y)
        assert rules[0].covered == rules[0].claimed == {"p": 1.0, "q": 1.0}
        assert rules[1].covered == {"p": 1.0, "q": 1.0} and rules[1].claimed == {"q": 1.0}
        assert rules.unclaimed == {"p": 1.0, "q": 1.0}
        assert rules[0].support == pytest.approx(1 / 5) and rules[0].confidence == 0.5
        assert rules[1].claimed_confidence == 1.0


def test_answers_of_a_list_and_of_a_set():
    rules = [Rule([("x", ">", 1)], "p"), Rule([("c", "=", "u")], "q")]
    assert RuleList(rules, "q").predict(X).tolist() == ["q", "q", "p", "p", "q"]
    assert RuleList(rules, "q").first(X).tolist() == [1, 2, 0, 0, 2]
    assert RuleList(rules[::-1], "q").predict(X).tolist() == ["q", "q", "q", "p", "q"]
    # one vote each for row 2: a tie, and the default is q; with r neither vote wins over p
    assert RuleSet(rules, "q").predict(X).tolist() == ["q", "q", "q", "p", "q"]
    assert RuleSet(rules, "q").votes(X).iloc[2].to_dict() == {"q": 1.0, "p": 1.0}


def test_a_missing_value_meets_no_condition():
    rows = pd.DataFrame({"x": [np.nan], "c": [None]}, dtype=object).astype({"x": float})
    for operator in ("<=", ">", "<", ">=", "="):
        assert not RuleList([Rule([("x", operator, 1)], "p")], "q",
                            learn_table(X).attributes).covers(rows).any()
    for operator, value in (("=", "u"), ("!=", "u"), ("in", ("u", "v"))):
        assert not RuleList([Rule([("c", operator, value)], "p")], "q",
                            learn_table(X).attributes).covers(rows).any()


def test_all_operators_against_pandas():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(0, 4, 60).astype(float),
                          "o": pd.Categorical(rng.choice(list("abc"), 60),
                                              categories=list("abc"), ordered=True)})
    codes = frame["o"].cat.codes
    expected = {("x", "<", 2): frame.x < 2, ("x", "<=", 2): frame.x <= 2,
                ("x", ">", 2): frame.x > 2, ("x", ">=", 2): frame.x >= 2,
                ("x", "=", 2): frame.x == 2, ("o", "=", "b"): codes == 1,
                ("o", "!=", "b"): codes != 1, ("o", "in", ("a", "c")): codes != 1,
                ("o", "<", "b"): codes < 1, ("o", "<=", "b"): codes <= 1,
                ("o", ">", "b"): codes > 1, ("o", ">=", "b"): codes >= 1}
    met = RuleList([Rule([c], "p") for c in expected], "q").covers(frame)
    for column, (condition, rows) in zip(met.T, expected.items(), strict=True):
        assert (column == rows.to_numpy()).all(), condition


@pytest.mark.parametrize("make, error, message", [
    (lambda: Condition("x", "~", 1), ValueError, "'~' is none of"),
    (lambda: Condition("x", "in", "ab"), ValueError, "needs a tuple"),
    (lambda: Condition("x", "in", ()), ValueError, "needs a tuple"),
    (lambda: Rule([("x", 1)], "p"), ValueError, "is no condition"),
    (lambda: RuleList(["x"], "p"), TypeError, "'x' is no Rule"),
    (lambda: RuleList([Rule([("z", "=", 1)], "p")], "q").predict(X), ValueError,
     r"rule 1 \(z = 1 -> p\) names 'z'"),
    (lambda: RuleList([Rule([("c", "<", "u")], "p")], "q").predict(X), ValueError,
     "rule 1 .*'c' can't be compared so"),
    (lambda: RuleList([Rule([("x", "=", "u")], "p")], "q").predict(X), ValueError,
     "rule 1 .*'x' can't be compared so")])
def test_errors_name_rule_and_attribute(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_text_and_frame():
    rules = RuleList([Rule([("x", ">", 1)], "p"), Rule([("c", "in", ("u", "v"))], "q")],
                     "q").counted(X, Y)
    assert str(rules).splitlines() == [
        "1. x > 1 -> p (1 of 2)",
        "2. c in {u, v} -> q (1 of 2; of all it covers 2 of 4)", "otherwise -> q (1 of 1)"]
    assert str(RuleList([], "q")) == "always -> q"
    assert "&lt;" in RuleList([Rule([("x", "<", 1)], "p")], "q")._repr_html_()
    assert rules.to_frame()["claimed"].tolist() == [2.0, 2.0]
    assert rules.n_conditions == 2 and len(rules) == 2 and list(rules) == rules.rules


def meets(row, condition):
    """A condition read as it is written; a missing value meets none."""
    value, bound = row[condition.attribute], condition.value
    if value is None or value != value:
        return False
    return {"=": lambda: value == bound, "!=": lambda: value != bound,
            "in": lambda: value in bound, "<=": lambda: value <= bound,
            ">=": lambda: value >= bound, "<": lambda: value < bound,
            ">": lambda: value > bound}[condition.operator]()


def random_rules(rng, n):
    """Rules of up to four conditions, some twice about one attribute, some about none."""
    rules = []
    for _ in range(n):
        conditions = []
        for a in rng.integers(0, 4, rng.integers(0, 5) if rng.random() < 0.02 else
                              rng.integers(1, 5)):
            if a < 2:
                bound = [*np.arange(-3.0, 4), 0.1, np.inf, -np.inf][rng.integers(0, 10)]
                operator = str(rng.choice(["=", "<=", ">=", "<", ">"]))
                conditions.append(("xy"[a], operator, float(bound)))
            else:
                operator = str(rng.choice(["=", "!=", "in"]))
                names = [str(v) for v in rng.choice(list("abcdz"), 2, replace=False)]
                conditions.append(("cd"[a - 2], operator,
                                   tuple(names) if operator == "in" else names[0]))
        rules.append(Rule(conditions, str(rng.choice(["p", "q"]))))
    return rules


@pytest.mark.parametrize("n_rules", [0, 1, 5, 62, 63, 64, 130, 1100])
def test_lines_of_bits_against_the_rules_as_they_are_written(n_rules):
    rng = np.random.default_rng(n_rules)
    n = 150
    X = pd.DataFrame({"x": rng.integers(-3, 4, n) + rng.choice([0.0, 0.1, 1e-16], n),
                      "y": rng.normal(size=n), "c": rng.choice(list("abcd"), n),
                      "d": pd.Categorical(rng.choice(list("ab"), n), list("abc"))})
    X.loc[rng.random(n) < 0.15, "x"] = np.nan
    X["c"] = X["c"].astype(object).where(rng.random(n) > 0.15, None)
    learned = learn_table(X)
    new = X.copy()
    new.loc[::7, "c"] = "never seen"  # unseen: a missing value
    rules = random_rules(rng, n_rules)
    seen = new.assign(c=new["c"].where(new["c"] != "never seen", None))
    expected = np.array([[all(meets(row, c) for c in rule.conditions) for rule in rules]
                         for _, row in seen.astype(object).iterrows()]).reshape(n, n_rules)
    table = apply_attributes(new, learned.attributes)
    flat, rows = _rule_arrays(rules, table.attributes), (table.codes, table.values)
    assert (_all_rules(flat, *rows) == expected).all()
    first = np.where(expected.any(axis=1),
                     expected.argmax(axis=1) if n_rules else 0, n_rules)
    assert (_first_rules(flat, *rows) == first).all()
    labels, weights = rng.integers(0, 3, n), rng.random(n)
    covered, claimed = _rule_counts(flat, table, labels, weights, 3)
    one_hot = np.eye(3)[labels] * weights[:, None]
    np.testing.assert_allclose(covered[:-1], expected.T.astype(float) @ one_hot)
    assert not covered[-1].any()
    np.testing.assert_allclose(claimed, np.eye(n_rules + 1)[first].T @ one_hot)
    ballots = rng.random((n_rules, 3))
    np.testing.assert_allclose(_rule_votes(flat, table, ballots)[0],
                               expected.astype(float) @ ballots, atol=1e-12)


def test_ordered_names_and_a_name_without_values():
    X = pd.DataFrame({"size": pd.Categorical(["s", "m", "l", None],
                                             list("sml"), ordered=True),
                      "none": pd.Series([None] * 4, dtype=object), "c": list("abab")})
    rules = RuleList([Rule([("none", "=", "a")], "p"), Rule([("size", "<", "m")], "p"),
                      Rule([("size", ">=", "m"), ("c", "=", "a")], "p"),
                      Rule([("c", "!=", "a")], "p")], "q", learn_table(X).attributes)
    assert rules.first(X).tolist() == [1, 3, 2, 3]
    assert rules.covers(X).sum(axis=0).tolist() == [0, 1, 1, 2]
