"""Sequential covering, CN2 and AQ: Orange's rules, plain searches with masks, consistent
tables, odd input."""

import json
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from supervised.basics import learn_table
from supervised.basics.datasets import load_credit, load_donors, load_loan
from supervised.rules.covering import AQClassifier, CN2Classifier

WEATHER = """sunny hot high FALSE no
sunny hot high TRUE no
overcast hot high FALSE yes
rainy mild high FALSE yes
rainy cool normal FALSE yes
rainy cool normal TRUE no
overcast cool normal TRUE yes
sunny mild high FALSE no
sunny cool normal FALSE yes
rainy mild normal FALSE yes
sunny mild normal TRUE yes
overcast mild high TRUE yes
overcast hot normal FALSE yes
rainy mild high TRUE no"""
WEATHER_VALUES = {"outlook": ["sunny", "overcast", "rainy"],
                  "temperature": ["hot", "mild", "cool"], "humidity": ["high", "normal"],
                  "windy": ["TRUE", "FALSE"]}
LENSES_VALUES = {"age": ["young", "pre-presbyopic", "presbyopic"],
                 "prescription": ["myope", "hypermetrope"], "astigmatism": ["no", "yes"],
                 "tears": ["reduced", "normal"]}
LENSES = ("none soft none hard none soft none hard none soft none hard "
          "none soft none none none none none hard none soft none none").split()
ORANGE = json.loads((Path(__file__).parent / "cn2_orange.json").read_text())["tables"]


def table(name):
    """A table that Orange learned from, values in the order of its file."""
    values = WEATHER_VALUES if name == "weather.nominal" else LENSES_VALUES
    rows = ([line.split() for line in WEATHER.splitlines()] if name == "weather.nominal"
            else [[*row, label] for row, label in zip(product(*values.values()), LENSES,
                                                      strict=True)])
    X = pd.DataFrame({a: pd.Categorical([r[i] for r in rows], v)
                      for i, (a, v) in enumerate(values.items())})
    return X, np.array([r[-1] for r in rows])


@pytest.mark.parametrize(("name", "number"), [
    (name, i) for name in ORANGE for i in range(len(ORANGE[name]["results"]))])
def test_orange(name, number):
    X, y = table(name)
    theirs, classes = ORANGE[name]["results"][number], ORANGE[name]["classes"]
    fitted = CN2Classifier(ordered=theirs["ordered"],
                           rule_measure=theirs["measure"]).fit(X, y)
    left = {label: np.ones(len(y), dtype=bool) for label in classes}
    found = []
    for rule, covered in zip(fitted.rules_, fitted.rules_.covers(X).T, strict=True):
        rows = covered & left[rule.label]
        found.append([rule.label, [int((y[rows] == c).sum()) for c in classes]])
        for label in classes if theirs["ordered"] else [rule.label]:
            gone = covered if theirs["ordered"] else covered & (y == label)
            left[label] &= ~gone
    if not theirs["ordered"]:  # theirs go class by class in the order of the file
        found.sort(key=lambda rule: classes.index(rule[0]))
    assert found == theirs["rules"]
    assert (fitted.predict(X) == y).all()


# ------------------------------------------------ the same search with masks


def plain_tests(table, rows, labels):
    """Conditions on some rows as masks, in the order of trying."""
    for a, codes in table.columns():
        known = codes >= 0 if a.is_nominal else ~np.isnan(codes)
        found = np.unique(codes[rows & known])
        if a.is_nominal and not a.ordered:
            for v in found:
                yield known & (codes == v)
                if len(a.domain) > 2:
                    yield known & (codes != v)
            continue
        for low, high in pairwise(found):
            classes = set(labels[rows & ((codes == low) | (codes == high))])
            if len(classes) > 1:
                yield known & (codes <= low)
                yield known & (codes > low)


def plain_cn2(table, labels, weights, k, measure, beam, level, target):
    """Class and rows of each rule: the search of the page, with gaps and weights."""
    share = np.bincount(labels, weights, k) / weights.sum()
    left, total_rows = np.ones(len(labels), dtype=bool), len(labels)

    def counts(rows):
        return np.bincount(labels[rows], weights[rows], k)

    def worth(c, label):
        n, p, now = c.sum(), c[label], counts(left)
        some = c[c > 0] / n
        value = {"laplace": (p + 1) / (n + k),
                 "m_estimate": (p + 2 * share[label]) / (n + 2),
                 "entropy": (some * np.log2(some)).sum(),
                 "wracc": n / now.sum() * (p / n - now[label] / now.sum())}[measure]
        if measure == "entropy" and target is not None and p < n - p:
            value = -2 - value
        return round(value, 9)

    def label_of(c):
        return int(c.argmax()) if target is None else target

    def significant(c):
        expected = share * c.sum()
        ratio = 2 * (c[c > 0] * np.log(c[c > 0] / expected[c > 0])).sum()
        return level == 1 or ratio >= stats.chi2.isf(level, k - 1)

    while left.any():
        everything = counts(left)
        best = None if target is None else (worth(everything, target), None)
        star = [left.copy()]
        while star:
            found, known = {}, {rows.tobytes() for rows in star}
            for old in star:
                for met in plain_tests(table, old, labels):
                    rows = old & met
                    c = counts(rows)
                    if c[label_of(c)] > 0:
                        found.setdefault(rows.tobytes(), (worth(c, label_of(c)), rows))
            order = sorted(found.items(), key=lambda item: -item[1][0])
            for _, (value, rows) in order:
                if (best is None or value > best[0]) and significant(counts(rows)):
                    best = value, rows
            star = [rows for key, (_, rows) in order if key not in known][:beam]
            star = [rows for rows in star if best is None or any(
                worth(np.where(np.arange(k) == c, counts(rows), 0), c) > best[0]
                for c in ([target] if target is not None else np.unique(labels[rows])))]
        if best is None or best[1] is None:
            return
        gone = best[1] if target is None else best[1] & (labels == target)
        yield label_of(counts(best[1])), best[1]
        left &= ~gone
    assert total_rows


def random_table(rng, n, gaps):
    """Names, ordered names and numbers."""
    X = pd.DataFrame({
        "name": rng.choice(list("uvw"), n), "two": rng.choice(list("xy"), n),
        "order": pd.Categorical(rng.choice(list("abc"), n), list("abc"), ordered=True),
        "whole": rng.integers(0, 5, n).astype(float), "real": rng.normal(size=n).round(1)})
    return X.mask(rng.random(X.shape) < gaps)


@pytest.mark.parametrize("seed", range(16))
def test_search_with_masks(seed):
    rng = np.random.default_rng(seed)
    X = random_table(rng, 30, [0, 0.2][seed % 2])
    y = rng.choice(list("ABC" if seed % 3 else "AB"), len(X))
    weights = rng.integers(1, 4, len(X)) / 2 + 0.5 if seed % 4 > 1 else np.ones(len(X))
    measure = ["laplace", "entropy", "m_estimate", "wracc"][seed // 4]
    level, beam = [1, 0.2][seed % 5 == 0], 1 + seed % 3
    learned, (classes, labels) = learn_table(X), np.unique(y, return_inverse=True)
    for ordered in (True, False):
        fitted = CN2Classifier(ordered, measure, beam, level).fit(X, y, weights)
        mine = list(zip((str(r.label) for r in fitted.rules_),
                        fitted.rules_.covers(X).T, strict=True))
        if ordered:
            plain = [(classes[c], rows) for c, rows in plain_cn2(
                learned, labels, weights, len(classes), measure, beam, level, None)]
            gone = np.zeros(len(X), dtype=bool)
            for i, (label, rows) in enumerate(mine):
                mine[i] = label, rows & ~gone
                gone |= rows
        else:
            plain = [(name, rows) for name in classes for _, rows in plain_cn2(
                learned, (y == name).astype(int), weights, 2, measure, beam, level, 1)]
            taken = {name: np.zeros(len(X), dtype=bool) for name in classes}
            for i, (label, rows) in enumerate(mine):
                mine[i] = label, rows & ~taken[label]
                taken[label] |= rows & (y == label)
        assert [a for a, _ in mine] == [a for a, _ in plain]
        assert all((a == b).all() for (_, a), (_, b) in zip(mine, plain, strict=True))


# ------------------------------------------------ AQ


@pytest.mark.parametrize("seed", range(60))
def test_aq_is_complete_and_consistent(seed):
    rng = np.random.default_rng(seed)
    X = random_table(rng, int(rng.integers(2, 50)), rng.choice([0, 0.2, 0.5, 0.8]))
    X = X[~X.astype(object).where(X.notna(), "?").duplicated()].reset_index(drop=True)
    y = rng.choice(list("ABCD")[:rng.integers(1, 5)], len(X))
    fitted = AQClassifier(max_star_size=int(rng.integers(1, 7))).fit(X, y)
    assert (fitted.predict(X) == y).all()
    if X.notna().all(axis=None) and len(set(y)) > 1:  # and no rule covers another class
        covered = fitted.rules_.covers(X)
        assert covered.any(axis=1).all()
        for rule, rows in zip(fitted.rules_, covered.T, strict=True):
            assert set(y[rows]) == {rule.label}


def test_aq_contradictions():
    X = pd.DataFrame({"a": list("xxxyy")})
    fitted = AQClassifier().fit(X, list("PPQQR"))
    assert fitted.predict(X).tolist() == list("PPPQQ")  # of Q and R the first
    heavy = AQClassifier().fit(X, list("PPQQR"), [1, 1, 5, 1, 2])
    assert heavy.predict(X).tolist() == list("QQQRR")


def test_aq_row_that_only_its_gap_tells():
    X = pd.DataFrame({"a": ["x", "x", "z"], "b": ["u", None, "v"]})
    assert AQClassifier().fit(X, list("PQP")).predict(X).tolist() == list("PQP")


# ------------------------------------------------ numbers of the texts, and odd input


def test_donor_rule():
    people, gives = load_donors()  # by hand: 6 of 6, Laplace 7/8; no other rule has it
    rule = CN2Classifier().fit(people, gives).rules_[0]
    assert {c.attribute for c in rule.conditions} == {"Age", "Salary"}
    assert rule.claimed == {"Y": 6.0}
    assert rule.quality == pytest.approx(7 / 8)


def test_the_quality_of_a_rule_of_aq_is_what_it_claims_of_its_class():
    rules = AQClassifier().fit(*load_loan()).rules_
    assert all(rule.quality == rule.claimed[rule.label] > 0 for rule in rules)


def test_loans_by_hand():
    loan, approved = load_loan()
    rules = CN2Classifier(ordered=False).fit(loan, approved).rules_
    assert [(str(r), round(r.quality, 6)) for r in rules] == [
        ("Own_house = False and Has_job = False -> No", round(7 / 8, 6)),
        ("Own_house = True -> Yes", round(7 / 8, 6)), ("Has_job = True -> Yes", 0.8)]


def test_default_of_what_is_left():
    X = pd.DataFrame({"a": ["x"] * 3 + [None] * 3})
    fitted = CN2Classifier().fit(X, list("PPPQQP"))
    assert fitted.default_ == "Q"  # P is commoner, but not among those without a value
    assert CN2Classifier(ordered=False).fit(X, list("PPPQQP")).default_ == "P"


LEARNERS = [CN2Classifier(), CN2Classifier(ordered=False), AQClassifier()]


@pytest.mark.parametrize("learner", LEARNERS)
def test_odd_tables(learner):
    X = pd.DataFrame({"a": [1.0, 2.0, np.nan], "b": ["u", "v", None]})
    assert learner.fit(X, ["P"] * 3).predict(X).tolist() == ["P"] * 3
    assert len(learner.rules_) == 0
    assert learner.fit(X[:1], ["P"]).predict(X).tolist() == ["P"] * 3
    flat = pd.DataFrame({"a": [1.0] * 4})  # nothing to tell them apart by
    assert learner.fit(flat, list("PPPQ")).predict(flat).tolist() == ["P"] * 4
    shuffled = np.random.default_rng(0).permutation(300)
    credit, risk = (part[:300] for part in load_credit())
    one = learner.fit(credit, risk).to_text()
    assert learner.fit(credit.iloc[shuffled], risk.iloc[shuffled]).to_text() == one
    twice = learner.fit(pd.concat([credit, credit]), pd.concat([risk, risk])).to_text()
    assert learner.fit(credit, risk, np.full(300, 2)).to_text() == twice
