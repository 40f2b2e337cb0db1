"""The miner of class rules: brute force, counts of pyfim, exact thresholds, the cap,
pruning, weights and gaps, hostile input."""

import itertools
import pickle
import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from supervised.associations.engine.class_rules import (
    _Asked,
    _mine_table,
    class_rules,
    pruned,
)
from supervised.basics.classifiers import encode_classes
from supervised.basics.datasets import (
    load_contact_lenses,
    load_credit,
    load_iris,
    load_loan,
    load_titanic,
    load_votes,
)
from supervised.basics.tables import learn_table

from .. import examples


def mine(X, y, support, confidence, class_support=None, weights=None, **more):
    """Rules as (items, class, rows right, rows covered), items as (column, value)."""
    classes, labels = encode_classes(np.asarray(y))
    weights = np.ones(len(y)) if weights is None else weights
    rules = _mine_table(learn_table(X), labels, weights, classes.tolist(),
                        _Asked(support, confidence, class_support, **more))
    items = rules.table.items
    names = [(int(j), items.attributes[j].domain[v])
             for j, v in zip(items.column, items.value, strict=True)]
    return [(tuple(names[i] for i in rules.items[a:b]), int(c), n, m) for a, b, c, n, m in
            zip(rules.start[:-1], rules.start[1:], rules.label, rules.count, rules.covered,
                strict=True)]


def brute_force(X, y, support, confidence, class_support=None, weights=None,
                extend_right=True, max_length=None, **_):
    """The definition: every set of items, in fractions."""
    y, classes = np.asarray(y), sorted(set(y))
    weights = np.ones(len(y)) if weights is None else weights
    total = Fraction(int(weights.sum()))
    share = {c: Fraction(support) for c in classes}
    if isinstance(class_support, dict):
        share |= {c: Fraction(s) for c, s in class_support.items()}
    elif class_support is not None:
        share = {c: class_support * Fraction(int(weights[y == c].sum())) / total
                 for c in classes}
    found, right = [], set()
    for n in range(1, (max_length or X.shape[1]) + 1):
        for columns in itertools.combinations(range(X.shape[1]), n):
            domains = [sorted(set(X.iloc[:, j].dropna())) for j in columns]
            for values in itertools.product(*domains):
                items = tuple(zip(columns, values, strict=True))
                if not extend_right and any(
                        tuple(i for i in items if i != left) in right for left in items):
                    right.add(items)
                    continue
                met = np.all([X.iloc[:, j] == v for j, v in items], axis=0)
                covered = Fraction(int(weights[met].sum()))
                for k, c in enumerate(classes):
                    count = Fraction(int(weights[met & (y == c)].sum()))
                    if (count and count / total >= share[c]
                        and count / covered >= confidence):
                        found.append((-count / covered, -count, n, items, k, covered))
                    if count and count == covered:
                        right.add(items)
    return [(items, k, -count, covered)
            for _, count, _, items, k, covered in sorted(found)]


def random_table(seed):
    """A small table of names, with gaps or weights at times."""
    rng = np.random.default_rng(seed)
    n, columns = int(rng.integers(2, 40)), int(rng.integers(1, 5))
    X = pd.DataFrame({f"a{j}": rng.choice(list("pqr")[: rng.integers(1, 4)], n)
                      for j in range(columns)}).astype(object)
    if rng.random() < 0.4:
        X = X.mask(rng.random(X.shape) < 0.2)
    y = rng.choice(list("xyz")[: rng.integers(1, 4)], n)
    weights = rng.integers(1, 4, n).astype(float) if rng.random() < 0.5 else None
    return rng, X.loc[:, X.notna().any()], y, weights


@examples(120)
@given(st.integers(0, 2**32 - 1))
def test_brute_force(seed):
    rng, X, y, weights = random_table(seed)
    if not X.shape[1]:
        return
    support = Fraction(*[(1, 20), (1, 10), (1, 5), (1, 3), (2, 15)][rng.integers(5)])
    confidence = Fraction(*[(0, 1), (3, 10), (1, 2), (7, 10), (1, 1)][rng.integers(5)])
    class_support = [None, None, Fraction(1, 5), {y[0]: Fraction(3, 10)}][rng.integers(4)]
    more = {"extend_right": bool(rng.integers(2)),
            "max_length": [None, 1, 2][rng.integers(3)]}
    expected = brute_force(X, y, support, confidence, class_support, weights, **more)
    if isinstance(class_support, dict):
        class_support = {c: float(s) for c, s in class_support.items()}
    elif class_support is not None:
        class_support = float(class_support)
    assert mine(X, y, float(support), float(confidence), class_support, weights,
                **more) == expected


# pyfim 6.28, mode "o", numbers cut by MDL first, without rules of no condition:
# the number of rules by their length
PYFIM = [
    (load_votes, 0.05, 0.5, [32, 418, 2555, 8330, 18264, 29319, 34390, 29638, 18772, 8741,
                             2944, 674, 93, 6]),
    (load_votes, 0.1, 0.8, [16, 241, 1442, 4305, 8190, 10521, 9231, 5541, 2279, 623, 112,
                            14, 1]),
    (load_contact_lenses, 0.05, 0.5, [8, 36, 26]),
    (load_iris, 0.05, 0.5, [11, 33, 26, 6]), (load_iris, 0.1, 0.8, [7, 22, 16, 4]),
    (load_credit, 0.05, 0.5, [42, 409, 1639, 3300, 3615, 2156, 636, 62]),
    (load_titanic, 0.05, 0.5, [7, 11, 5]), (load_loan, 0.1, 0.8, [5, 19, 13, 2])]


@pytest.mark.parametrize("load, support, confidence, counts", PYFIM)
def test_counts_of_pyfim(load, support, confidence, counts):
    rules = class_rules(*load(), support, confidence, max_rules=10**6)
    found = Counter(np.diff(rules.mined.start).tolist())
    assert [found[n] for n in range(1, max(found) + 1)] == counts


@examples(40)
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_the_cap_keeps_the_shortest_and_of_those_the_best(seed, cap):
    _, X, y, _ = random_table(seed)
    if not X.shape[1]:
        return
    whole = mine(X, y, 0.01, 0.5)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        kept = mine(X, y, 0.01, 0.5, max_rules=cap)
    places = sorted(range(len(whole)), key=lambda r: (len(whole[r][0]), r))[:cap]
    assert kept == [whole[r] for r in sorted(places)]
    assert [str(w.message) for w in told if "max_rules" in str(w.message)] == [
        w for w in [str(w.message) for w in told] if f"max_rules={cap} " in w]
    assert bool(told) == (len(whole) > cap)


def test_the_cap_bounds_a_search_that_would_not_end():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.choice(list("ab"), (60, 40)))
    with pytest.warns(UserWarning, match="max_rules=500 "):
        rules = class_rules(X, rng.choice(["p", "q"], 60), 1 / 60, 0.5, max_rules=500)
    assert len(rules) == 500 and np.diff(rules.mined.start).max() == 2
    y = rng.choice(["p", "q"], 60)
    singles = mine(X, y, 1 / 60, 0.5, max_length=1)
    with pytest.warns(UserWarning, match="max_rules"):
        kept = mine(X, y, 1 / 60, 0.5, max_rules=1000)
    assert [r for r in kept if len(r[0]) == 1] == singles


def test_a_right_rule_is_not_extended_whatever_the_order_of_columns():
    X, y = load_loan()
    for columns in itertools.permutations(X):
        rules = class_rules(X[list(columns)], y, 2 / 15, 0.7, extend_right=False)
        assert len(rules) == 12  # by hand: 9 minimal ones of confidence 1, and 3 below
    votes, party = load_votes()
    whole = class_rules(votes, party, 0.2, max_rules=10**6)
    general = class_rules(votes, party, 0.2, extend_right=False)
    right = [frozenset(r.conditions) for r in general if r.confidence == 1]
    assert {str(r) for r in general} == {
        str(r) for r in whole if not any(p < set(r.conditions) for p in right)}


@examples(40)
@given(st.integers(0, 2**32 - 1))
def test_pruned_by_the_definition(seed):
    _, X, y, weights = random_table(seed)
    if not X.shape[1]:
        return
    classes, labels = encode_classes(y)
    weights = np.ones(len(y)) if weights is None else weights
    rules = _mine_table(learn_table(X), labels, weights, classes.tolist(),
                        _Asked(0.05, 0.3))
    items = rules.table.items

    def feared(e, n):  # C4.5's, by hand from its source: exact for 0, Wilson's with
        if n <= 0:     # half an error more from 1 on
            return 0.0
        if e < 1:
            clean = n * (1 - 0.25 ** (1 / n))
            return clean if e == 0 else clean + e * (feared(1.0, n) - clean)
        if e + 0.5 >= n:
            return max(n, e)
        z, f = stats.norm.isf(0.25), (e + 0.5) / n
        return n * (f + z * z / (2 * n) + z * np.sqrt(f / n - f * f / n
                                                      + z * z / (4 * n * n))) / (
                                                          1 + z * z / n)

    for r, gone in enumerate(pruned(rules)):
        own = rules.items[rules.start[r]: rules.start[r + 1]]
        rates = []
        for left in [None, *own]:
            met = np.all([X.iloc[:, items.column[i]].to_numpy()
                          == items.attributes[items.column[i]].domain[items.value[i]]
                          for i in own if i != left] or [np.ones(len(y), bool)], axis=0)
            n = weights[met].sum()
            wrong = n - weights[met & (labels == rules.label[r])].sum()
            rates.append(feared(wrong, n) / n)
        if abs(min(rates[1:]) - rates[0]) > 1e-9:
            assert gone == (min(rates[1:]) < rates[0])
        else:
            assert not gone


def test_weights_are_repetitions():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({"n": rng.normal(size=60), "a": rng.choice(list("pq"), 60)})
    y = np.where(X["n"] + rng.normal(size=60) > 0, "u", "v")
    weights = rng.integers(0, 4, 60)
    again = np.repeat(np.arange(60), weights)
    kept = weights > 0
    by_weight = mine_rules(X[kept], y[kept], weights[kept].astype(float))
    by_row = mine_rules(X.iloc[again], y[again], np.ones(len(again)))
    assert by_weight == by_row and len(by_row) > 3
    names = X[["a"]].assign(b=np.where(X["n"] > 0, "r", "s"))  # where nothing is cut
    whole, half = (mine_rules(names[kept], y[kept], weights[kept] * w) for w in (1.0, 0.5))
    assert [(r, n / 2, m / 2) for r, n, m in whole] == half and len(half) > 3


def mine_rules(X, y, weights):
    classes, labels = encode_classes(y)
    rules = _mine_table(learn_table(X), labels, weights, classes.tolist(),
                        _Asked(0.1, 0.5))
    return [(str(rules.rule(r, classes.tolist())), rules.count[r], rules.covered[r])
            for r in range(len(rules))]


def test_a_gap_meets_no_item():
    X = pd.DataFrame({"a": ["x", "x", None, None, "z"], "b": ["u", None, "u", None, "u"]})
    rules = class_rules(X, list("pppqq"), 0.2, 0.5)
    assert [(str(r), r.covered) for r in rules] == [
        ("a = x -> p", {"p": 2.0}), ("a = z -> q", {"q": 1.0}),
        ("a = x and b = u -> p", {"p": 1.0}), ("a = z and b = u -> q", {"q": 1.0}),
        ("b = u -> p", {"p": 2.0, "q": 1.0})]


def test_numbers_are_cut_at_the_classes():
    X = pd.DataFrame({"n": np.arange(40.0), "noise": np.tile([1.0, 2.0], 20)})
    rules = class_rules(X, np.repeat(["a", "b"], 20), 0.1, 0.5)
    assert [str(r) for r in rules] == ["n <= 19.5 -> a", "n > 19.5 -> b"]
    X["n"] = np.r_[np.arange(20), np.arange(20) + 20.0]
    three = class_rules(X, np.repeat(["a", "b", "a"], [13, 14, 13]), 0.1, 0.5)
    assert "n > 12.5 and n <= 26.5 -> b" in [str(r) for r in three]
    assert "n in (12.5, 26.5] -> b" in three.to_text()


def test_a_list_of_class_rules():
    X, y = load_loan()
    rules = class_rules(X, y, 2 / 15, 0.7)
    assert len(rules) == 40 and str(rules[-1]) == "Age = young and Own_house = False -> No"
    assert [str(r) for r in rules[:2]] == [str(rules[0]), str(rules[1])]
    frame = rules.to_frame()
    assert frame.loc[39, ["rule", "class", "count", "covered", "confidence"]].tolist() == [
        "Credit_rating = fair", "No", 4, 5, 0.8]  # L Example 13
    assert frame.loc[39, "support"] == pytest.approx(4 / 15)
    assert "sup=4/15, conf=4/5" in rules.to_text().splitlines()[38]
    assert "and 20 more" in rules._repr_html_()
    assert rules.counted(X, y)[0].claimed == {"Yes": 6.0}
    assert pickle.loads(pickle.dumps(rules)).to_text() == rules.to_text()
    assert (rules.predict(X) == y).all()
    with pytest.raises(IndexError):
        rules[40]
