"""The page on itemsets: its plain versions against the packaged miner on other baskets."""

from __future__ import annotations

from io import StringIO

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.associations.engine.itemsets import association_rules, frequent_itemsets
from tests import examples
from tests.pages import plain_versions


@pytest.fixture(scope="module")
def page():
    return plain_versions("associations/itemsets")


SHOP = ["bread butter milk", "bread butter", "bread milk coffee", "butter milk",
        "bread butter coffee", "milk coffee", "bread butter milk", "coffee tea"]


def test_the_shop_by_hand(page):
    shop = [frozenset(r.split()) for r in SHOP]
    by_hand = {("bread",): 5, ("butter",): 5, ("milk",): 5, ("coffee",): 4,
               ("bread", "butter"): 4, ("bread", "milk"): 3, ("butter", "milk"): 3}
    assert page["apriori"](shop, 3) == {frozenset(k): n for k, n in by_hand.items()}
    assert page["count"]({"bread", "butter", "milk"}, shop) == 2


drawn = st.lists(st.lists(st.sampled_from("abcdef"), max_size=6), min_size=1, max_size=15)


@examples(80)
@given(drawn, st.integers(1, 6))
def test_plain_and_packaged_find_the_same(page, baskets, least):
    sets, n = [frozenset(b) for b in baskets], len(baskets)
    least = min(least, n)
    found = frequent_itemsets(baskets, least / n)
    truth = dict(zip(found["itemset"], found["count"], strict=True))
    assert page["apriori"](sets, least) == truth
    rows = page["rows_by_item"](sets, least)
    assert page["eclat"](rows, least) == truth
    lost = {i: set(range(n)) - r for i, r in rows.items()}
    assert page["declat"](lost, {i: len(r) for i, r in rows.items()}, least)[0] == truth
    plain = {(frozenset(a), frozenset(c)): k for a, c, k, _ in page["rules"](truth, 0.5)}
    packaged = association_rules(found, 0.5)
    assert plain == {(r.antecedent, r.consequent): r.count for r in packaged.itertuples()}


@examples(80)
@given(drawn, st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 8), min_size=6))
def test_the_order_by_minimum_loses_nothing(page, baskets, need):
    sets, n = [frozenset(b) for b in baskets], len(baskets)
    need = {i: min(k, n) for i, k in need.items()}
    rows = page["rows_by_item"](sets, 1)
    found = page["ms_eclat"](rows, need, lambda i: (need[i], i))
    packaged = frequent_itemsets(baskets, 1, item_supports={i: k / n
                                                            for i, k in need.items()})
    assert found == dict(zip(packaged["itemset"], packaged["count"], strict=True))
    other = page["ms_eclat"](rows, need, lambda i: i)
    assert other.items() <= found.items()


def test_lift_and_chi_square_by_hand(page):
    # antecedent in 4 of 8, consequent in 4, both in 4: twice what chance says, and n
    assert page["lift_and_chi_square"](4, 4, 4, 8) == (2, 8)
    assert page["lift_and_chi_square"](4, 4, 2, 8) == (1, 0)


def test_itemsets_read_from_a_file_are_text():
    found = frequent_itemsets([["a", "b"], ["a"], ["a", "b"]], 0.5)
    again = pd.read_csv(StringIO(found.to_csv(index=False)))
    with pytest.raises((TypeError, ValueError), match="itemset.* text"):
        association_rules(again, 0.5)
