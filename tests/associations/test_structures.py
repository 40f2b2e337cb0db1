"""Embedded subtrees: all subsets of nodes by brute force, scope lists worked by hand,
Zaki's own programs, hostile input."""

from __future__ import annotations

import ast
import re
from collections import Counter
from fractions import Fraction
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from supervised.associations.engine.structures import (
    XRulesClassifier,
    frequent_subtrees,
    last_below,
    read_tree,
)


def random_tree(rng, most, n_labels):
    """Labels and parents from the root down, left to right."""
    parents = [-1]
    for i in range(1, int(rng.integers(1, most))):
        path = [i - 1]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        parents.append(int(rng.choice(path)))
    return [f"l{k}" for k in rng.integers(0, n_labels, len(parents))], parents


def written(labels, levels):
    """A pattern in brackets, from labels and levels."""
    text = labels[0]
    for before, label, level in zip(levels, labels[1:], levels[1:], strict=False):
        text += ("(" if level > before else ")" * (before - level) + " ") + label
    return text + ")" * levels[-1]


def embedded(labels, parents, most):
    """All embedded subtrees: each set of nodes that one of them is above."""
    ends = last_below(np.array(parents))
    found = set()
    for size in range(1, most + 1):
        for nodes in combinations(range(len(labels)), size):
            if nodes[-1] > ends[nodes[0]]:
                continue
            levels, path = [], []
            for x in nodes:
                while path and ends[path[-1]] < x:
                    path.pop()
                levels.append(len(path))
                path.append(x)
            found.add(written([labels[x] for x in nodes], levels))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_counts_are_those_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    trees = [random_tree(rng, 9, 1 + seed % 4) for _ in range(10)]
    want = Counter(s for t in trees for s in embedded(*t, 5))
    for least in (1, 2, 5):
        frame = frequent_subtrees(trees, least / 10, max_size=5)
        got = dict(zip(frame["subtree"], frame["count"], strict=True))
        assert got == {s: n for s, n in want.items() if n >= least}
        assert frame["subtree"].is_unique


@pytest.mark.parametrize("seed", range(6))
def test_rules_match_what_holds_their_subtree(seed):
    rng = np.random.default_rng(100 + seed)
    trees = [random_tree(rng, 9, 3) for _ in range(24)]
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 24)]
    model = XRulesClassifier(0.3, 4).fit(trees, y)
    sizes = Counter(y.tolist())
    held = [embedded(*t, 4) for t in trees]
    rules = model.rules_
    assert len(rules)
    for r, c in zip(rules.itertuples(), rules["class"], strict=True):
        n = {k: sum(r.subtree in h for h, label in zip(held, y, strict=True) if label == k)
             for k in "abc"}
        share = {k: n[k] / sizes[k] for k in "abc"}
        assert r.count == n[c] and r.covered == sum(n.values())
        assert r.strength == pytest.approx(share[c] / sum(share.values()))
        assert share[c] >= 0.3 - 1e-9 and r.strength > 1 / 3
    # the answer to new trees, from the rules and the trees alone
    for labels, parents in [random_tree(rng, 9, 4) for _ in range(20)]:
        here = embedded(labels, parents, 4) & set(rules["subtree"])
        got = model.predict_proba([(labels, parents)])[0]
        if not here:
            assert model.classes_[got.argmax()] == model.default_
            continue
        mean = np.zeros(3)
        for s in here:
            share = np.array([sum(s in h for h, label in zip(held, y, strict=True)
                                  if label == k) / sizes[k] for k in "abc"])
            mean += share / share.sum() / len(here)
        assert got == pytest.approx(mean)


def test_scope_lists_by_hand():
    # a(b c(b)), a(c(d b)), a(b(c)): see the page
    frame = frequent_subtrees(["a(b c(b))", "a(c(d b))", "a(b(c))"], 2 / 3, 3)
    assert dict(zip(frame["subtree"], frame["count"], strict=True)) == {
        "a": 3, "b": 3, "c": 3, "a(b)": 3, "a(c)": 3, "c(b)": 2, "a(c(b))": 2}


def of_zaki():
    """Twelve trees, of class 0 and 1 in turn."""
    rng = np.random.default_rng(7)
    return [random_tree(rng, 8, 3) for _ in range(12)]


def test_counts_are_those_of_zaki_s_program():
    # xminer (github.com/zakimjz/Xrules) with -n 2 -S 2 2 on these trees
    frame = frequent_subtrees(of_zaki(), 2 / 12, max_size=9)
    rules = XRulesClassifier(2 / 6, 9, min_strength=0).fit(of_zaki(), [0, 1] * 6).rules_
    counts = rules.pivot(index="subtree", columns="class", values="count").fillna(0)
    want = {"l1(l0 l0 l1)": (2, 1), "l1(l1 l0 l1)": (2, 1), "l1(l1 l0(l0))": (2, 0),
            "l1(l1 l1 l0)": (2, 1), "l1(l2 l1 l1)": (0, 2)}
    sizes = rules.drop_duplicates("subtree")["size"].value_counts().to_dict()
    assert sizes == {1: 3, 2: 9, 3: 9, 4: 5}
    for subtree, (first, second) in want.items():
        # a rule is frequent in its own class; both classes together are in the frame
        assert max(first, second) == counts.loc[subtree].max()
        assert frame.set_index("subtree")["count"][subtree] == first + second
        of = rules[rules["subtree"] == subtree]
        assert set(of["covered"]) == {first + second}
    covered = rules.drop_duplicates("subtree")["covered"]
    assert covered.sum() == 61 + 42


def test_same_text_in_every_form():
    want = (["a", "b", "c", "d"], [-1, 0, 0, 2])
    xml = ElementTree.fromstring("<a><b/><!-- no node --><c><d/></c></a>")
    for form in ("a(b c(d))", "a(b, c(d))", ("a", "b", ("c", "d")), ["a", "b", ["c", "d"]],
                 (["d", "b", "c", "a"], [2, 3, 3, -1]), xml):
        assert read_tree(form) == want
    labels, _ = read_tree(ast.parse("f(x)"))
    assert labels == ["Module", "Expr", "Call", "Name", "Name"]
    assert read_tree("a") == (["a"], [-1])


def test_a_tree_that_contains_itself_is_refused():
    loop = ["a", "b"]
    loop.append(loop)
    with pytest.raises(ValueError, match="contains itself"):
        read_tree(loop)
    with pytest.raises(ValueError, match="contains itself"):
        read_tree((["a", "b", "c"], [-1, 2, 1]))
    shared = ("b", "c")
    assert read_tree(("a", shared, shared))[1] == [-1, 0, 1, 0, 3]


@pytest.mark.parametrize("wrong, message", [
    ("", "0 roots"), ("a b", "2 roots"), ("a(b", "not closed"), ("a)", "closes nothing"),
    ("(a)", "no label"), ((), "label is missing"), ((["a"], [0]), "-1 for exactly one"),
    ((["a", "b"], [-1]), "as many parents"), (("a", None), "label"),
    (("a", {"b": 1}), "hashable"), (3.5, "no tree"), (None, "no tree")])
def test_what_is_no_tree(wrong, message):
    with pytest.raises((ValueError, TypeError), match=message):
        read_tree(wrong)
    with pytest.raises((ValueError, TypeError), match="tree 1: "):
        XRulesClassifier().fit(["a", wrong], [0, 1])


def test_the_cap_keeps_whole_sizes():
    trees = ["a(b c d)", "a(b c(d))"]
    with pytest.warns(UserWarning, match="max_subtrees=8.*the 7 of up to 2 nodes"):
        frame = frequent_subtrees(trees, 1.0, max_size=4, max_subtrees=8)
    assert frame["size"].max() == 2 and len(frame) == 7
    with pytest.raises(ValueError, match="max_subtrees=2"):
        frequent_subtrees(trees, 1.0, max_subtrees=2)


@pytest.mark.parametrize("seed", range(4))
def test_subtrees_and_rules_stand_in_their_order(seed):
    rng = np.random.default_rng(50 + seed)
    trees = [random_tree(rng, 8, 3) for _ in range(20)]
    frame = frequent_subtrees(trees, 0.2)
    keys = list(zip(-frame["count"], frame["size"], frame["subtree"], strict=True))
    assert keys == sorted(keys)
    y = [0, 1] * 10  # of two classes, at most one is stronger than half
    rules = XRulesClassifier(0.2).fit(trees, y).rules_
    sizes = [len(re.findall("l", t)) for t in rules["subtree"]]
    assert rules["size"].tolist() == sizes
    counts = [[sum(t in embedded(*tree, 4) for tree, c in zip(trees, y, strict=True)
                   if c == k) for k in (0, 1)] for t in rules["subtree"]]
    keys = [(-Fraction(max(n), sum(n)), -max(n), size, t) for n, size, t
            in zip(counts, sizes, rules["subtree"], strict=True)]
    assert keys == sorted(keys) and len(keys) > 10


def test_weights_in_parts_reach_a_support_exactly():
    # 0.1 + 0.1 + 0.1 is no 0.3: equal weights, whatever they are, find the same
    for n in range(2, 14):
        trees = [*["q"] * (n - 1), "z"]
        for weight in (0.1, 0.3, 1 / 3, 1.0):
            rules = XRulesClassifier({"x": (n - 1) / n}, min_strength=0).fit(
                trees, ["x"] * n, np.full(n, weight)).rules_
            assert rules["subtree"].tolist() == (["q"] if n > 2 else ["q", "z"])


def test_a_ratio_ends_at_a_thousand():
    # q in all of x, 5,000, and in one of 5,000 of y: 5,000 times as often
    trees, y, w = ["q", "q", "z"], list("xyy"), [5000, 1, 4999]
    rules = XRulesClassifier(0.5, rule_measure="likelihood_ratio").fit(trees, y, w).rules_
    assert rules.set_index("subtree")["strength"].to_dict() == {"q": 1000, "z": 1000}


def test_an_explanation_of_many_rules():
    rng = np.random.default_rng(8)
    trees = [random_tree(rng, 9, 3) for _ in range(24)]
    model = XRulesClassifier(0.2, 4).fit(trees, [0, 1] * 12)
    order = model.rules_["subtree"].drop_duplicates().tolist()
    crowded = negative = 0
    for tree in trees:
        held = set(order) & embedded(*tree, 4)
        told, share = model.explain(tree), model.predict_proba([tree])[0]
        if not held:
            continue
        single = [p for p in told.parts if p.name.startswith("rule ")]
        sizes = [abs(p.contribution) for p in single]
        assert sizes == pytest.approx(sorted(sizes, reverse=True))
        assert all(order[int(p.name.split()[1]) - 1] == p.text for p in single)
        assert len(single) == min(12, len(held)) and {p.text for p in single} <= held
        # each subtree divides one vote between the classes: the leads add up
        assert sum(p.contribution for p in told.parts) == pytest.approx(
            share.max() - share.min())
        crowded += len(held) > 13 and told.parts[-1].name == f"({len(held) - 12} more)"
        negative += any(p.contribution < 0 for p in single[:3])
    assert crowded and negative


def test_strengths_by_hand():
    # q in 2 of 4 trees of x and 1 of 2 of y; p in 1 of 4 and none
    trees, y = ["q", "q", "p", "z", "q", "z"], list("xxxxyy")
    weighted = XRulesClassifier(0.2, min_strength=0).fit(trees, y).rules_
    by = weighted.set_index(["subtree", "class"])["strength"]
    assert by["q", "x"] == pytest.approx(0.5) and by["p", "x"] == 1
    assert by["z", "y"] == pytest.approx(0.5 / 0.75)
    by = (XRulesClassifier(0.2, rule_measure="confidence", min_strength=0).fit(trees, y)
          .rules_.set_index(["subtree", "class"])["strength"])
    assert by["q", "x"] == pytest.approx(2 / 3) and by["z", "y"] == 0.5
    by = (XRulesClassifier(0.2, rule_measure="likelihood_ratio",
                           min_strength=0).fit(trees, y)
          .rules_.set_index(["subtree", "class"])["strength"])
    assert by["z", "y"] == pytest.approx(2) and by["p", "x"] == 1000


def test_default_follows_the_measure():
    # no rule speaks for t and u: two of ten x, one of two y
    y = ["x"] * 10 + ["y"] * 2
    for strength, want in (("confidence", "x"), ("weighted_confidence", "y")):
        trees = ["m"] * 8 + ["t0", "t1"] + ["m", "u"]
        model = XRulesClassifier({"x": 0.5, "y": 0.9}, rule_measure=strength,
                                 min_strength=0.6).fit(trees, y)
        assert model.default_ == want and model.predict(["new"]) == [want]


def test_average_of_all_or_of_the_class():
    # a: 3 of 4 x, 1 of 4 y; b: 1 of 4 y alone
    trees, y = ["r(a)", "r(a)", "r(a)", "r", "r(a b)", "r", "r", "r"], list("xxxxyyyy")
    kind = {"min_support": 0.25, "max_size": 1}
    average = XRulesClassifier(**kind).fit(trees, y)
    assert average.predict_proba(["a"])[0] == pytest.approx([0.75, 0.25])
    assert average.predict_proba(["z(a b)"])[0] == pytest.approx([0.375, 0.625])
    apart = XRulesClassifier(**kind, combine="class_average").fit(trees, y)
    assert apart.predict_proba(["z(a b)"])[0] == pytest.approx([0.75 / 1.75, 1 / 1.75])


def test_weights_are_rows():
    rng = np.random.default_rng(3)
    trees = [random_tree(rng, 8, 3) for _ in range(20)]
    y, w = rng.integers(0, 3, 20), rng.integers(0, 4, 20)
    new = [random_tree(rng, 8, 3) for _ in range(20)]
    for strength in ("weighted_confidence", "confidence", "likelihood_ratio"):
        weighted = XRulesClassifier(0.3, rule_measure=strength).fit(trees, y, w)
        rows = np.repeat(np.arange(20), w)
        repeated = XRulesClassifier(0.3,
                                    rule_measure=strength).fit([trees[i] for i in rows],
                                                               y[rows])
        pd.testing.assert_frame_equal(weighted.rules_, repeated.rules_)
        assert weighted.predict_proba(new) == pytest.approx(repeated.predict_proba(new))


def test_labels_of_any_kind_and_a_tree_that_no_rule_knows():
    trees, y = ["a(b)", "a(b c)", "b(a)", "b(a c)"], [("t", 1), ("t", 1), "u", "u"]
    labels = np.empty(4, dtype=object)
    labels[:] = y
    model = XRulesClassifier(0.5, 3).fit(pd.Series(trees), labels)
    assert model.predict(np.array(trees, dtype=object)).tolist() == y
    assert model.explain("x(a(q(b)))").prediction == ("t", 1)
    assert model.explain("q").parts[0].name == "(default)"
    back = XRulesClassifier.from_json(model.to_json())
    assert np.array_equal(back.predict_proba(trees), model.predict_proba(trees))


def test_a_list_of_one_tree_is_explained_as_the_tree():
    trees = ["a(b c)", "a(b c(d))", "a(c b)", "a(c(b))"]
    model = XRulesClassifier(min_support=1.0).fit(trees, ["left", "left", "right", "right"])
    wanted = model.explain("a(b c)")
    assert wanted.parts[0].name.startswith("rule")
    nested = ("a", "b", "c")
    for one in (["a(b c)"], ("a(b c)",), np.array(["a(b c)"], dtype=object),
                pd.Series(["a(b c)"]), pd.DataFrame({"tree": ["a(b c)"]}), nested, [nested],
                [["a", "b", "c"]], list(nested), (["a", "b", "c"], [-1, 0, 0]),
                [(["a", "b", "c"], [-1, 0, 0])], ElementTree.fromstring("<a><b/><c/></a>"),
                [ElementTree.fromstring("<a><b/><c/></a>")]):
        assert str(model.explain(one)) == str(wanted), one
    assert model.explain(["a"]).parts == model.explain("a").parts
    for two in (trees[:2], [nested, nested], pd.Series(trees[:2])):
        with pytest.raises(ValueError, match="one tree, not 2"):
            model.explain(two)
    # a label with brackets is a label
    labels = [("f(x)", "g"), ("f(x)", "h")]
    model = XRulesClassifier(min_support=1.0, max_size=1).fit(labels, [0, 1])
    assert model.explain(labels[0]).parts[0].name.startswith("rule")
