"""The recommender by rules: counts by hand, brute force over all rules, hostile input."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from supervised.associations import RuleRecommender

SHOP = [{"beef", "chicken", "milk"}, {"beef", "cheese"}, {"cheese", "boots"},
        {"beef", "chicken", "cheese"}, {"beef", "chicken", "clothes", "cheese", "milk"},
        {"chicken", "clothes", "milk"}, {"chicken", "milk", "clothes"}]


def brute(baskets, basket, least, confidence, longest, strength):
    """Best strength of each item, over all rules, counted one by one."""
    n, items, best = len(baskets), sorted(set().union(*baskets)), {}
    for size in range(1, longest):
        for a in combinations(items, size):
            if not set(a) <= basket:
                continue
            for c in items:
                both = sum({*a, c} <= b for b in baskets)
                left, right = (sum(set(a) <= b for b in baskets),
                               sum(c in b for b in baskets))
                if (c in a or both < least or c in basket
                    or Fraction(both, left) < confidence):
                    continue
                if strength == "confidence":
                    value = both / left
                elif strength == "support_confidence":
                    value = both / n * both / left
                else:
                    free = left * right * (n - left) * (n - right)
                    value = n * (both * n - left * right) ** 2 / free if free else 0.0
                    value = value if both * n > left * right else 0.0
                best[c] = max(value, best.get(c, 0.0))
    return best


@pytest.mark.parametrize("strength", ["confidence", "support_confidence", "chi_square"])
@pytest.mark.parametrize("seed", range(4))
def test_every_item_has_its_strongest_rule(strength, seed):
    rng = np.random.default_rng(seed)
    baskets = [set(rng.choice(list("abcdef"), rng.integers(1, 5), replace=False).tolist())
               for _ in range(30)]
    model = RuleRecommender(0.1, 0.3, strength).fit(baskets)
    for basket in ({"a"}, {"a", "b"}, {"c", "d", "e"}, set()):
        want = brute(baskets, basket, 3, Fraction(3, 10), 3, strength)
        shown = model.recommend(basket, 6)
        got = shown[shown["because"].map(len) > 0].set_index("item")["strength"].to_dict()
        assert got.keys() == want.keys()
        assert all(got[c] == pytest.approx(want[c]) for c in want)
        named = shown[shown["because"].map(len) > 0]["strength"].to_numpy()
        assert (np.diff(named) <= 1e-12).all()
        assert not set(shown["item"]) & basket


def all_rules(baskets, least, confidence, longest, strength):
    """Every rule with one consequent, counted one by one in exact fractions, in its order:
    stronger, in more baskets, shorter, by the names of antecedent and consequent."""
    n, items, found = len(baskets), sorted(set().union(*baskets)), []
    for size in range(1, longest):
        for a in combinations(items, size):
            for c in sorted({*items} - {*a}):
                both = sum({*a, c} <= b for b in baskets)
                left, right = (sum({*a} <= b for b in baskets),
                               sum(c in b for b in baskets))
                if both < least or Fraction(both, left) < confidence:
                    continue
                excess = n * both - left * right
                free = left * right * (n - left) * (n - right)
                value = {"confidence": Fraction(both, left),
                         "support_confidence": Fraction(both * both, n * left),
                         "chi_square": (Fraction(n * excess ** 2, free)
                                        if free and excess > 0 else Fraction(0))}[strength]
                found.append((-value, -both, size, list(a), c))
    return sorted(found)


@pytest.mark.parametrize("strength", ["confidence", "support_confidence", "chi_square"])
@pytest.mark.parametrize("seed", range(4))
def test_rules_stand_in_their_order(strength, seed):
    rng = np.random.default_rng(20 + seed)
    baskets = [set(rng.choice(list("abcdef"), rng.integers(1, 5), replace=False).tolist())
               for _ in range(30)]
    want = all_rules(baskets, 3, Fraction(1, 5), 3, strength)
    rules = RuleRecommender(0.1, 0.2, strength).fit(baskets).rules_
    assert [(sorted(a), c, k) for a, c, k in zip(
        rules["antecedent"], rules["consequent"], rules["count"], strict=True)] == [
            (a, c, -k) for _, k, _, a, c in want]
    assert rules["strength"].tolist() == pytest.approx([float(-v) for v, *_ in want])


def test_popular_items_come_after_those_that_rules_name_and_only_once():
    model = RuleRecommender(min_support=2 / 7).fit(SHOP)  # boots are too rare
    counts = {"chicken": 5, "beef": 4, "cheese": 4, "milk": 4, "clothes": 3}
    assert model.popular_.to_dict() == pytest.approx({i: c / 7 for i, c in counts.items()})
    assert (np.diff(model.popular_) <= 0).all()
    shown = model.recommend({"chicken", "milk"}, 10)
    assert sorted(shown["item"]) == ["beef", "cheese", "clothes"]


def test_by_hand():
    model = RuleRecommender(min_support=2 / 7).fit(SHOP)
    first = model.recommend({"chicken", "milk"}, 1).iloc[0]
    assert first["item"] == "clothes" and first["strength"] == 3 / 4
    why = model.explain({"chicken", "milk"}, "clothes")
    assert sorted(map(sorted, why["antecedent"])) == [["chicken"], ["chicken", "milk"],
                                                      ["milk"]]
    assert why["confidence"].tolist() == [0.75, 0.75, 0.6]
    # boots are in one basket: no rule, so what is popular; five have chicken
    shown = model.recommend({"boots"}, 2)
    assert shown["item"].iat[0] == "chicken" and shown["strength"].tolist() == [0, 0]
    assert shown["because"].tolist() == [frozenset()] * 2


def test_what_is_rare_needs_its_own_support():
    rare = {"cheese": 1 / 7, "boots": 1 / 7}
    assert "boots" not in set(RuleRecommender(2 / 7).fit(SHOP).rules_["consequent"])
    model = RuleRecommender(2 / 7, item_supports=rare).fit(SHOP)
    boots = model.recommend({"cheese"}, 6).set_index("item").loc["boots"]
    assert boots["strength"] == 1 / 4 and boots["because"] == {"cheese"}


def test_forms_of_baskets_and_protocol():
    items = sorted(set().union(*SHOP))
    frame = pd.DataFrame([[i in b for i in items] for b in SHOP], columns=items)
    one, two = RuleRecommender(0.2).fit(SHOP), RuleRecommender(0.2).fit(frame)
    three = RuleRecommender(0.2).fit(iter(SHOP))
    for other in (two, three, clone(one).fit(pd.Series(map(tuple, SHOP)))):
        pd.testing.assert_frame_equal(one.rules_, other.rules_)
        pd.testing.assert_frame_equal(one.recommend(["milk"]), other.recommend(["milk"]))
    assert one.recommend(["unknown"], 1)["item"].iat[0] == "chicken"
    assert len(one.recommend(items)) == 0
