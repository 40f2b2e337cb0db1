"""What a rule says: witnesses of overlaps and gaps against brute force on small grids."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from supervised.basics.datasets import load_donors, load_loan
from supervised.rules.engine.boxes import exclusiveness, exhaustiveness
from supervised.rules.engine.rule_list import Rule, RuleList

GRID = pd.DataFrame(list(product([0.0, 1, 2, 3], [0.0, 1, 2, 3], ["u", "v", "w"])),
                    columns=["x", "y", "c"])


def random_rules(rng):
    """One to six rules; bounds between the values of the grid and on them."""
    rules = []
    for _ in range(int(rng.integers(1, 7))):
        conditions = []
        for a in rng.permutation(["x", "y", "c"])[:int(rng.integers(0, 4))]:
            if a == "c":
                conditions.append(("c", *[("=", "u"), ("!=", "v"), ("in", ("v", "w"))]
                                   [int(rng.integers(3))]))
            else:
                conditions.append((str(a), str(rng.choice(["<=", ">"])),
                                   float(rng.integers(-1, 4))))
        rules.append(Rule(conditions, "p"))
    return rules


@pytest.mark.parametrize("seed", range(60))
def test_witnesses_against_all_rows_of_a_grid(seed):
    # bounds are whole, so each piece of the space has a point of a grid from -0.5 to 3.5
    rng = np.random.default_rng(seed)
    rules = random_rules(rng)
    fine = pd.DataFrame(list(product(np.arange(-1, 4.5, 0.5), np.arange(-1, 4.5, 0.5),
                                     ["u", "v", "w"])), columns=["x", "y", "c"])
    fired = RuleList(rules, "q").covers(fine).sum(axis=1)
    twice, never = exclusiveness(rules, GRID), exhaustiveness(rules, GRID)
    assert (twice is not None) == (fired > 1).any()
    assert (never is not None) == (fired == 0).any()
    for witness, wanted in ((twice, lambda n: n > 1), (never, lambda n: n == 0)):
        if witness is not None:
            row = pd.DataFrame([witness.to_dict()]).astype({"x": float, "y": float})
            attributes = RuleList(rules, "q")
            n = attributes.covers(pd.concat([GRID, row], ignore_index=True))[-1].sum()
            assert wanted(n)


def test_exercise_10():
    people, _ = load_donors()
    rules = [Rule([("Age", ">", 40)], "Y"), Rule([("Age", "<=", 50)], "N")]
    assert 40 < exclusiveness(rules, people)["Age"] <= 50
    assert exhaustiveness(rules, people) is None
    moved = [Rule([("Age", ">", 45)], "Y"), Rule([("Age", "<=", 40)], "N")]
    assert exclusiveness(moved, people) is None
    assert 40 < exhaustiveness(moved, people)["Age"] <= 45


def test_example_13_by_counting():
    # Table 3.1 by hand: age, job, house, rating (fair 0, good 1, excellent 2), class
    table = ["y--0N", "y--1N", "yj-1Y", "yjh0Y", "y--0N", "m--0N", "m--1N", "mjh1Y",
             "m-h2Y", "m-h2Y", "o-h2Y", "o-h1Y", "oj-1Y", "oj-2Y", "o--0N"]
    loan, approved = load_loan()
    rated = {"fair": "0", "good": "1", "excellent": "2"}
    assert table == [a[0] + "-j"[j] + "-h"[h] + rated[c] + label[0]
                     for (a, j, h, c), label in zip(
                         loan[["Age", "Has_job", "Own_house", "Credit_rating"]].to_numpy(),
                         approved, strict=True)]
    passed = {}
    for body in product("ymo?", "j-?", "h-?", "012?"):
        rows = [r for r in table
                if all(b in ("?", v) for b, v in zip(body, r, strict=False))]
        for label in "YN":
            right = sum(r[-1] == label for r in rows)
            if right >= 2 and 10 * right >= 7 * len(rows):
                passed[body, label] = right / len(rows)

    def within(short, long):
        return (short != long
                and all(s in ("?", v) for s, v in zip(short, long, strict=True)))

    needed = [(body, label) for (body, label), sure in passed.items() if not any(
        of == label and known >= sure and within(short, body)
        for (short, of), known in passed.items())]
    assert (len(passed), len(needed)) == (40, 12)  # as exercise 3 of the page has it
    assert passed[("y", "j", "?", "?"), "Y"] == passed[("y", "-", "?", "?"), "N"] == 1
    assert passed[("?", "?", "?", "0"), "N"] == 4 / 5
