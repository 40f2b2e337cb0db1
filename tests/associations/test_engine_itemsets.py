"""The packaged miner: brute force, forms of baskets, thresholds, other miners,
rules, hostile input."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import chi2_contingency

from supervised.associations.engine.itemsets import (
    association_rules,
    count_itemsets,
    frequent_itemsets,
)
from supervised.basics.datasets import load_imports, load_weather
from tests import examples


def counts(frame):
    return dict(zip(frame["itemset"], frame["count"], strict=True))


def brute_force(baskets, share, shares=None):
    """All subsets of all items, counted one by one, with fractions."""
    sets = [frozenset(b) for b in baskets]
    items, found = sorted(frozenset().union(*sets)), {}
    for size in range(1, len(items) + 1):
        for subset in map(frozenset, combinations(items, size)):
            n = sum(subset <= b for b in sets)
            need = min(Fraction(str((shares or {}).get(i, share))) for i in subset)
            if n and n >= need * len(sets):
                found[subset] = n
    return found


baskets_drawn = st.lists(st.lists(st.integers(0, 6), max_size=8), min_size=1, max_size=20)
shares_drawn = st.sampled_from([0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1])


@examples(200)
@given(baskets_drawn, shares_drawn, st.booleans(),
       st.dictionaries(st.integers(0, 6), shares_drawn))
def test_both_methods_are_brute_force(baskets, share, several, shares):
    shares = shares if several else None
    truth = brute_force(baskets, share, shares)
    found = {m: frequent_itemsets(baskets, share, m, item_supports=shares)
             for m in ("eclat", "apriori")}
    assert counts(found["eclat"]) == truth
    assert found["eclat"].equals(found["apriori"])
    maximal = {s for s in truth if not any(s < t for t in truth)}
    closed = {s for s in truth if not any(s < t and truth[s] == truth[t] for t in truth)}
    for method in ("eclat", "apriori"):
        given_ = {"method": method, "item_supports": shares}
        assert counts(frequent_itemsets(baskets, share, maximal=True, **given_)) == {
            s: truth[s] for s in maximal}
        assert counts(frequent_itemsets(baskets, share, closed=True, **given_)) == {
            s: truth[s] for s in closed}


@examples(40)
@given(baskets_drawn, shares_drawn, st.integers(1, 4))
def test_a_limit_on_length_and_threads(baskets, share, longest):
    whole = frequent_itemsets(baskets, share)
    short = whole[whole["itemset"].map(len) <= longest].reset_index(drop=True)
    for method in ("eclat", "apriori"):
        assert frequent_itemsets(baskets, share, method, max_length=longest).equals(short)
    assert frequent_itemsets(baskets, share, n_jobs=2).equals(whole)


@examples(40)
@given(baskets_drawn, shares_drawn, st.randoms())
def test_the_order_of_baskets_and_items_does_not_show(baskets, share, random):
    mixed = [random.sample(b, len(b)) for b in random.sample(baskets, len(baskets))]
    assert frequent_itemsets(mixed, share).equals(frequent_itemsets(baskets, share))


def test_one_result_from_every_form():
    baskets = [["b", "a", "b"], ["c", "a"], [], ["a", "b", "c"], ["b"]]
    truth = {frozenset(s): n for s, n in (("a", 3), ("b", 3), ("c", 2), ("ab", 2),
                                          ("ac", 2))}
    frame = pd.DataFrame([{i: i in b for i in "abc"} for b in baskets])
    whole = frequent_itemsets(baskets, 0.4)
    assert counts(whole) == truth
    assert whole["support"].tolist() == [0.6, 0.6, 0.4, 0.4, 0.4]
    assert whole["itemset"].map("".join).str.len().tolist() == [1, 1, 1, 2, 2]
    for other in (frame, frame.astype("boolean"), pl.from_pandas(frame),
                  map(tuple, baskets),
                  map(iter, baskets), pd.Series(baskets), tuple(map(set, baskets)),
                  [dict.fromkeys(b) for b in baskets], list(map(np.array, baskets))):
        assert counts(frequent_itemsets(other, 0.4)) == truth
    numbers = {frozenset(map("abc".index, s)): n for s, n in truth.items()}
    for other in (frame.to_numpy(), sparse.csr_array(frame.to_numpy().astype(int) * 7),
                  sparse.csc_matrix(frame.to_numpy()), sparse.coo_array(frame.to_numpy()),
                  [[("abc").index(i) for i in b] for b in baskets]):
        assert counts(frequent_itemsets(other, 0.4)) == numbers
    stored_zero = sparse.csr_array((np.array([1, 0, 1]), np.array([0, 1, 1]),
                                    np.array([0, 2, 3])), shape=(2, 2))
    assert counts(frequent_itemsets(stored_zero, 1 / 2)) == {frozenset([0]): 1,
                                                             frozenset([1]): 1}


@pytest.mark.parametrize(("share", "n", "least"), [
    (0.1, 10, 1), (0.1, 11, 2), (0.07, 100, 7), (0.29, 100, 29), (0.57, 100, 57),
    (1 / 3, 3, 1), (2 / 15, 15, 2), (0.133, 15, 2), (0.14, 15, 3), (1, 7, 7), (1e-9, 5, 1),
    (Fraction(1, 7), 7, 1), (0.005, 10_000, 50), (0.0251, 10_000, 251)])
def test_thresholds_are_exact(share, n, least):
    baskets = [["a"]] * least + [["b"]] * (n - least)
    assert frozenset("a") in counts(frequent_itemsets(baskets, share))
    fewer = [["a"]] * (least - 1) + [["b"]] * (n - least + 1)
    assert frozenset("a") not in counts(frequent_itemsets(fewer, share))


# Itemsets of WEKA's weather.nominal under MIS(i) = max(beta f(i), 0.1 n), counted by a
# brute force of another author from the definition. (SPMF rounds the first part down, and
# so finds more.)
ORACLE = json.loads((Path(__file__).parent / "multiple_supports.json").read_text())


def weather_baskets():
    X, y = load_weather()
    table = X.assign(windy=X["windy"].map({True: "TRUE", False: "FALSE"}), **{"class": y})
    return [{f"{a}={v}" for a, v in row.items()} for row in table.to_dict("records")]


@pytest.mark.parametrize(("beta", "lengths"), [("0.5", [12, 36, 19, 3]), ("0.9", [12, 2])])
def test_multiple_supports_are_those_of_a_brute_force(beta, lengths):
    baskets, tenth = weather_baskets(), Fraction(14, 10)
    need = {i: max(Fraction(beta) * sum(i in b for b in baskets), tenth) / 14
            for i in set().union(*baskets)}
    truth = {frozenset(s.split("&")): n for s, n in ORACLE[f"beta {beta}"].items()}
    for method in ("eclat", "apriori"):
        found = frequent_itemsets(baskets, 0.1, method, item_supports=need)
        assert counts(found) == truth
        sizes = found["itemset"].map(len)
        assert sizes.value_counts().sort_index().tolist() == lengths


# pyfim 6.28 on load_imports(): eclat(baskets, target=t, supp=100 * support, zmin=1), how
# many for t = "s", "c" and "m"; those of three items and more at 5 %; some of
# arules(baskets, supp=10, conf=70, report="acl")
FIM_NUMBERS = {0.1: (20, 20, 5), 0.05: (63, 63, 27), 0.02: (327, 305, 83),
               0.01: (1200, 1011, 270), 0.005: (4280, 3062, 723)}
FIM_LARGE = {"datetime numpy pandas": 267, "datetime numpy pytest": 266,
             "numpy numpy.testing pytest": 396, "numpy pandas pandas._testing": 703,
             "numpy pandas pandas._testing pytest": 663, "numpy pandas pandas.core": 276,
             "numpy pandas pandas.errors": 272, "numpy pandas pytest": 754,
             "numpy pandas._testing pytest": 678, "pandas pandas._testing pytest": 761}
FIM_RULES = [("numpy", "pytest", 1454, 0.7183794466403162, 1.263968708381693),
             ("numpy", "pandas pytest", 754, 0.8331491712707182, 1.4659028551349815),
             ("pytest", "pandas._testing numpy", 678, 0.9416666666666667,
              2.4197669631093546),
             ("pandas._testing", "pandas pytest numpy", 663, 0.8793103448275862,
              5.323973345108587)]


@pytest.mark.parametrize("support", FIM_NUMBERS)
def test_as_many_itemsets_as_another_miner_finds(support):
    baskets, _ = load_imports()
    assert FIM_NUMBERS[support] == (
        len(frequent_itemsets(baskets, support)),
        len(frequent_itemsets(baskets, support, closed=True)),
        len(frequent_itemsets(baskets, support, maximal=True)))


def test_counts_and_rules_of_another_miner():
    baskets, _ = load_imports()
    found = counts(frequent_itemsets(baskets, 0.05))
    assert {s: n for s, n in found.items() if len(s) > 2} == {
        frozenset(s.split()): n for s, n in FIM_LARGE.items()}
    rules = association_rules(frequent_itemsets(baskets, 0.1), 0.7)
    by_sides = {(r.consequent, r.antecedent): r for r in rules.itertuples()}
    for consequent, antecedent, n, confidence, lift in FIM_RULES:
        rule = by_sides[frozenset([consequent]), frozenset(antecedent.split())]
        assert rule[3] == n and rule.support == n / 5201
        assert rule.confidence == pytest.approx(confidence)
        assert rule.lift == pytest.approx(lift)


# ------------------------------------------------------------------- rules


def test_rules_by_hand():
    shop = ["ab", "ab", "ab", "a", "b", "c", "abc", "c"]  # a 5, b 5, ab 4, n 8
    rules = association_rules(frequent_itemsets(map(list, shop), 0.5), 0.8)
    assert rules["antecedent"].tolist() == [frozenset("b"), frozenset("a")]
    assert rules["consequent"].tolist() == [frozenset("a"), frozenset("b")]
    assert rules["count"].tolist() == [4, 4] and rules["confidence"].tolist() == [0.8, 0.8]
    assert rules["lift"].tolist() == pytest.approx([8 * 4 / 25] * 2)
    table = [[4, 1], [1, 2]]
    assert rules["chi_square"].tolist() == pytest.approx(
        [chi2_contingency(table, correction=False).statistic] * 2)
    assert len(association_rules(frequent_itemsets(map(list, shop), 0.5), 0.81)) == 0


@examples(60)
@given(baskets_drawn, st.sampled_from([0.1, 0.3, 0.5, 2 / 3, 0.8, 1]))
def test_rules_are_all_splits(baskets, confidence):
    sets = [frozenset(b) for b in baskets]

    def n(items):
        return sum(items <= b for b in sets)

    itemsets = frequent_itemsets(baskets, 0.2)
    found = association_rules(itemsets, confidence)
    bound = Fraction(confidence).limit_denominator(100)
    wanted = {(frozenset(a), s - set(a)) for s in itemsets["itemset"]
              for k in range(1, len(s)) for a in combinations(sorted(s), k)
              if n(s) >= bound * n(frozenset(a))}
    assert set(zip(found["antecedent"], found["consequent"], strict=True)) == wanted
    assert len(found) == len(wanted)
    for rule in found.itertuples():
        a, c, both = (n(s) for s in (rule.antecedent, rule.consequent,
                                     rule.antecedent | rule.consequent))
        assert rule.count == both and rule.confidence == both / a
        assert rule.lift == pytest.approx(both * len(sets) / (a * c))
        if a < len(sets) and c < len(sets):
            table = [[both, a - both], [c - both, len(sets) - a - c + both]]
            assert rule.chi_square == pytest.approx(
                chi2_contingency(table, correction=False).statistic)
        else:
            assert rule.chi_square == 0
    order = [(-Fraction(r.count, n(r.antecedent)), -r.count, len(r.antecedent))
             for r in found.itertuples()]
    assert order == sorted(order)  # of equals the shorter antecedent first
    assert pickle.loads(pickle.dumps(found)).equals(found)


def test_parts_that_the_frame_lacks():
    baskets = [list("ab"), list("ab"), list("abr"), list("a"), list("b"), list("c")]
    itemsets = frequent_itemsets(baskets, 0.6, item_supports={"r": 0.1})
    assert frozenset("abr") in counts(itemsets) and frozenset("ab") not in counts(itemsets)
    with pytest.raises(ValueError, match="itemsets has no row for"):
        association_rules(itemsets, 0.3)
    rules = association_rules(itemsets, 0.3, baskets)
    rare = rules[rules["consequent"].map(lambda c: c == {"r"})].set_index("antecedent")
    assert rare.loc[[frozenset("ab")], "confidence"].tolist() == [1 / 3]
    with pytest.raises(ValueError, match="itemsets has no row for"):
        association_rules(frequent_itemsets(baskets, 1 / 6, maximal=True))
    assert count_itemsets(baskets, ["ab", "", "z", "r"]).tolist() == [3, 6, 0, 1]


# ------------------------------------------------------------------- hostile input


@pytest.mark.parametrize(("given_", "named", "message"), [
    (([["a"]], 0), {}, "min_support is 0, but must be a share above 0 and at most 1"),
    (([["a"]], 0.1, "fim"), {}, "method is 'fim', not one of 'eclat', 'apriori'"),
    (([["a"]],), {"maximal": True, "closed": True}, "choose maximal or closed"),
    (([["a"]],), {"max_length": 0}, "max_length is 0, but must be a whole number"),
    (([["a"]],), {"item_supports": {"a": 0}}, r"item_supports\['a'\] is 0"),
    (([],), {}, "there is no basket"),
    ((pd.DataFrame({"a": []}, dtype=bool),), {}, "no bas"),
    (([["a", None]],), {}, "basket 0 holds a missing item"),
    ((pd.DataFrame({"a": [True, None]}, dtype="boolean"),), {}, "'a' has missing values"),
    ((pd.DataFrame([[True, True]], columns=["a", "a"]),), {}, "'a' occurs twice")])
def test_bad_values(given_, named, message):
    with pytest.raises(ValueError, match=message):
        frequent_itemsets(*given_, **named)


@pytest.mark.parametrize(("given_", "message"), [
    (["bread"], "basket 0 is 'bread', but must be a list of items"),
    ([["a"], [["b"]]], r"basket 1 holds \['b'\], which can't be an item"),
    ("bread", "baskets are str"),
    (pd.DataFrame({"a": [True], "n": [2]}), "column 'n' is int64, not Boolean"),
    (np.ones((2, 2)), "must be Boolean"), (np.ones((2, 2, 2), bool), "two dimensions")])
def test_baskets_that_are_none(given_, message):
    with pytest.raises(TypeError, match=message):
        frequent_itemsets(given_)


def test_as_many_sets_as_are_allowed():
    found = frequent_itemsets(weather_baskets(), 0.2)
    again = frequent_itemsets(weather_baskets(), 0.2, max_itemsets=len(found))
    assert again.equals(found)
    with pytest.raises(ValueError, match="itemsets are frequent"):
        frequent_itemsets(weather_baskets(), 0.2, max_itemsets=len(found) - 1)


def test_too_many_sets():
    with pytest.raises(ValueError, match="more than 1,000 itemsets are frequent; raise"):
        frequent_itemsets([list(range(30))] * 2, 1, max_itemsets=1000)
    for given_ in ({"n_jobs": 2}, {"method": "apriori"}):
        with pytest.raises(ValueError, match="more than 1,000 itemsets"):
            frequent_itemsets([list(range(12))] * 2, 1, max_itemsets=1000, **given_)
    assert len(frequent_itemsets([list(range(12))] * 2, 1)) == 4095
    with pytest.raises(TypeError, match="item_supports must map items"):
        frequent_itemsets([["a"]], item_supports=[0.1])
    with pytest.raises(ValueError, match="min_confidence is 2"):
        association_rules(frequent_itemsets([["a"]]), 2)
    with pytest.raises(ValueError, match="itemsets must be a frame"):
        association_rules([["a"]])
    assert len(frequent_itemsets([["a"], ["b"], ["a"]], Fraction(1, 3))) == 2


def test_rules_are_limited():
    """A set of 13 items has 2^13 - 2 rules, and a row of such sets millions."""
    sets = frequent_itemsets([list("abcdefghijklm")] * 3, 1.0)
    with pytest.raises(ValueError, match="more than 8,000 rules .* max_consequent"):
        association_rules(sets[sets["itemset"].map(len) == 13], 0.5,
                          [list("abcdefghijklm")] * 3, max_rules=8000)
    rules = association_rules(sets, 0.5, max_consequent=1)
    # each set of k items has k of them
    assert len(rules) == sum(k * comb(13, k) for k in range(2, 14))
    assert rules["consequent"].map(len).max() == 1
    with pytest.raises(ValueError, match="max_consequent is 0"):
        association_rules(sets, 0.5, max_consequent=0)
