"""How rules are held: counts by hand, answers, errors, text, JSON, weights, gaps."""

import numpy as np
import pandas as pd
import pytest

from supervised.basics.classifiers import from_json
from supervised.basics.datasets import load_donors, load_votes
from supervised.basics.tables import apply_attributes, learn_table
from supervised.rules import CN2Classifier
from supervised.rules.engine.ripper import RIPPERClassifier
from supervised.rules.engine.rule_list import (
    Condition,
    Rule,
    RuleClassifier,
    RuleList,
    RuleSet,
    _all_rules,
    _allowed_values,
    _answer_shares,
    _first_rules,
    _interval,
    _rule_arrays,
    _rule_counts,
    _rule_votes,
    _votes_to_shares,
)
from supervised.rules.from_trees import C45RulesClassifier
from supervised.rules.part import PARTClassifier


class FixedRules(RuleClassifier):
    """A learner that always says the same two rules."""

    def _rules(self, table, labels, weights):
        return [Rule([("x", ">", 1)], "p"), Rule([("c", "=", "u")], "q")], "q"


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


def test_weights_are_counted():
    rules = RuleList([Rule([("x", ">", 1)], "p")], "q").counted(X, Y, [1, 2, 3, 4, 5])
    assert rules[0].covered == {"p": 3.0, "q": 4.0}
    assert rules.unclaimed == {"p": 2.0, "q": 6.0} and rules[0].total == 15.0


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


def test_intervals_are_closed_and_exact():
    low, high = _interval(">", 50.0)
    assert low == np.nextafter(50.0, 51) and high == np.inf
    assert _interval("=", 2.0) == (2.0, 2.0)
    with pytest.raises(ValueError, match="numeric"):
        _interval("in", 1.0)
    with pytest.raises(ValueError, match="not ordered"):
        _allowed_values("<", "a", ("a", "b"), False)
    with pytest.raises(ValueError, match="do not include 'z'"):
        _allowed_values("<", "z", ("a", "b"), True)


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


def test_json():
    votes, party = load_votes()
    model = C45RulesClassifier().fit(votes, party)
    again = from_json(model.to_json())
    assert again.to_text() == model.to_text()
    assert (again.predict_proba(votes) == model.predict_proba(votes)).all()
    assert [r.covered for r in again.rules_] == [r.covered for r in model.rules_]


def test_what_a_learner_need_not_write():
    model = FixedRules().fit(X, Y)
    assert model.to_text().splitlines()[0] == "1. x > 1 -> p (1 of 2)"
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    assert (model.predict(X) == RuleList(model.rules_, "q").predict(X)).all()


def test_shares_by_hand():
    rule = Rule([], "p", covered={"p": 3, "q": 1}, claimed={"p": 1, "q": 3})
    # what it claims is against it, what it covers for it
    assert _answer_shares(rule, "q", {}, ["p", "q"]).tolist() == [0.75, 0.25]
    against = Rule([], "p", covered={"q": 4}, claimed={"q": 4})
    np.testing.assert_allclose(_answer_shares(against, "q", {}, ["p", "q"]), [2 / 3, 1 / 3])
    assert _answer_shares(None, "q", {}, ["p", "q"]).tolist() == [0.0, 1.0]
    votes = _votes_to_shares(np.array([[3.0, 1.0], [0, 0], [2, 2]]), np.array([0.2, 0.8]))
    np.testing.assert_allclose(votes, [[0.75, 0.25], [0.2, 0.8], [0.5, 0.5]], atol=1e-6)
    assert votes[2].argmax() == 1  # the tie goes to the default


def test_first_rule_against_a_loop():
    people, _ = load_donors()
    rng = np.random.default_rng(1)
    rules = [Rule([("Age", str(rng.choice(["<=", ">"])), int(rng.integers(20, 65))), (
        "Salary", str(rng.choice(["<=", ">"])), int(rng.integers(3, 9)) * 10_000)],
                  "p") for _ in range(12)]
    table = learn_table(people)
    found = _first_rules(_rule_arrays(rules, table.attributes), table.codes, table.values)
    for i, row in enumerate(people.itertuples()):
        met = [all(getattr(row, c.attribute) <= c.value if c.operator == "<="
                   else getattr(row, c.attribute) > c.value for c in rule.conditions)
               for rule in rules]
        assert found[i] == (met.index(True) if True in met else len(rules))


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
    covered, claimed = _rule_counts(*flat, *rows, labels, weights, 3)
    one_hot = np.eye(3)[labels] * weights[:, None]
    np.testing.assert_allclose(covered[:-1], expected.T.astype(float) @ one_hot)
    assert not covered[-1].any()
    np.testing.assert_allclose(claimed, np.eye(n_rules + 1)[first].T @ one_hot)
    ballots = rng.random((n_rules, 3))
    np.testing.assert_allclose(_rule_votes(flat, table, ballots),
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


def test_fitting_leaves_the_numbers_of_the_frame_alone():
    rng = np.random.default_rng(3)
    numbers = np.asfortranarray(rng.normal(size=(60, 2)))
    frame = pd.DataFrame(numbers, columns=["x", "y"]).assign(c=list("abc") * 20)
    before, weights = frame.copy(), rng.random(60)
    given = weights.copy()
    for make in (PARTClassifier, RIPPERClassifier, CN2Classifier, C45RulesClassifier):
        make().fit(frame, frame["x"] > 0, weights).predict(frame)
        pd.testing.assert_frame_equal(frame, before)
        assert (weights == given).all()
