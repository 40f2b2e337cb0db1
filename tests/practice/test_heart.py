"""What the page on heart disease claims, computed a second time by other means."""

import json
from collections import Counter
from fractions import Fraction
from math import comb, log2, sqrt
from statistics import mean, variance

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from supervised.basics.datasets import load_heart_disease
from supervised.evaluation import paired_test
from supervised.features.discretization import MDLDiscretizer
from tools.book import ROOT

X, y = load_heart_disease()
SICK = (y == "present").to_numpy()


def printed(start):
    """What the page's cell prints whose code contains this text."""
    page = json.loads((ROOT / "nbs/practice/heart.ipynb").read_text(encoding="utf-8"))
    cell, = [c for c in page["cells"] if c["cell_type"] == "code"
             and start in "".join(c["source"])]
    return "".join(text for output in cell["outputs"]
                   for text in output.get("text", []) or output["data"]["text/plain"])


def peer(model):
    """A model of scikit-learn with what it needs before it."""
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    names = make_pipeline(SimpleImputer(strategy="most_frequent"), OneHotEncoder())
    return make_pipeline(make_column_transformer(
        (numbers, make_column_selector(dtype_include="number")),
        (names, make_column_selector(dtype_exclude="number"))), model)


def by_fold(model, deals):
    """Accuracies of ten folds in each deal."""
    frame = X.assign(**{c: X[c].astype(object) for c in X.select_dtypes(exclude="number")})
    found = []
    for seed in range(deals):
        folds = StratifiedKFold(10, shuffle=True, random_state=seed)
        said = cross_val_predict(peer(model), frame, SICK, cv=folds)
        found += [(said == SICK)[test].mean() for _, test in folds.split(SICK, SICK)]
    return found


def corrected_by_hand(a, b, ratio):
    """The p of Nadeau and Bengio, term by term."""
    d = [x - z for x, z in zip(a, b, strict=True)]
    s = mean(d) / sqrt((1 / len(d) + ratio) * variance(d))
    return 2 * student.sf(abs(s), len(d) - 1)


@pytest.mark.deep
def test_differences_that_survive_do_so_with_scikit_learns_models():
    line = by_fold(LogisticRegression(), 3)
    tree = by_fold(DecisionTreeClassifier(random_state=0), 3)
    forest = by_fold(RandomForestClassifier(30, random_state=0), 3)
    for one, other, survives in ((line, tree, True), (line, forest, False)):
        p = corrected_by_hand(one, other, 1 / 9)
        assert (p < 0.05) == survives
        assert paired_test(one, other, correction=1 / 9).p_value == pytest.approx(p)
        # the usual test is surer of itself, and the more so the more deals there are
        assert corrected_by_hand(one, other, 0) < p
        assert (corrected_by_hand(one * 4, other * 4, 0)
                < corrected_by_hand(one, other, 0) / 2)
    assert 0.80 < mean(line) < 0.86 and 0.68 < mean(tree) < 0.79


def test_counts_of_pairs():
    table = printed("per_deal, rows")
    counts = {int(row.split()[0]): [int(v) for v in row.split()[1:]]
              for row in table.splitlines()[2:] if row.strip()}
    assert list(counts) == [1, 3, 10]
    usual, corrected, holm = zip(*counts.values(), strict=True)
    assert list(usual) == sorted(usual) and 0.75 < usual[-1] / 66 < 0.85
    assert corrected[1] == corrected[2] and all(h < c for h, c in zip(holm, corrected,
                                                                      strict=True))


def test_gaps_by_counting():
    holes = X.isna().any(axis=1)
    assert X.isna().sum().sum() == 6 == holes.sum() and X.size == 3939
    assert X.isna().sum()[["major_vessels", "thal"]].tolist() == [4, 2]
    few = sum(Fraction(comb(139, k) * comb(164, 6 - k), comb(303, 6)) for k in range(3))
    assert SICK[holes].sum() == 2 and round(float(few), 2) == 0.42
    assert "0.42" in printed("hypergeom(")


def test_patients_needed():
    rows = printed("patients needed").splitlines()
    for row in rows[1:]:
        *_, d, delta, needed = row.split()
        n = (1.96 + 0.84) ** 2 * float(d) / float(delta) ** 2
        assert int(needed.replace(",", "")) == pytest.approx(n, rel=0.3)  # rounded digits


def test_the_choice_of_patients_by_bayes_rule():
    sick, pain, strain = Fraction(1, 10), {1: 0.6, 0: 0.1}, {1: 0.6, 0: 0.01}

    def share(of):
        """Share of the sick among those with this probability of being here."""
        ill, well = float(sick) * of(1), float(1 - sick) * of(0)
        return f"{ill / (ill + well):.2f}"

    everybody, seen = printed("200_000").strip().splitlines()
    assert everybody.endswith(f"with pain {share(lambda c: pain[c])}, "
                              f"without {share(lambda c: 1 - pain[c])}")
    assert seen.endswith(f"with pain {share(lambda c: pain[c])}, "
                         f"without {share(lambda c: (1 - pain[c]) * strain[c])}")
    # without the choice the order is the other way round
    assert share(lambda c: pain[c]) > share(lambda c: 1 - pain[c])


def card_of(columns, sick):
    """Points by cross tables of pandas."""
    card = {}
    for name, column in columns.items():
        counts = pd.crosstab(column.astype(object), sick) + 1
        ratio = counts[True] / counts[True].sum() / (counts[False] / counts[False].sum())
        card[name] = {value: round(log2(r)) for value, r in ratio.items()}
    return card


def test_the_card():
    card = card_of(MDLDiscretizer().fit_transform(X, y), SICK)
    lines = printed("cuts = MDLDiscretizer().fit(X, y)\n").strip().splitlines()
    shown = {line.split()[0]: line for line in lines}
    assert set(shown) == {name for name, worth in card.items() if any(worth.values())}
    assert len(shown) == 10
    for name, line in shown.items():
        assert all(f"{value}: {n:+d}" in line for value, n in card[name].items())


def test_the_price_of_the_card():
    """The page's bill, with cross tables and scikit-learn's logistic regression."""
    bills = []
    for seed in range(2):
        p = np.zeros(len(SICK))
        for train, test in StratifiedKFold(10, shuffle=True, random_state=seed).split(
                SICK, SICK):
            cuts = MDLDiscretizer().fit(X.iloc[train], y.iloc[train])
            card = card_of(cuts.transform(X.iloc[train]), SICK[train])
            sums = np.array([[sum(card[n].get(v, 0) for n, v in row.items())]
                             for row in cuts.transform(X).to_dict("records")])
            model = LogisticRegression().fit(sums[train], SICK[train])
            p[test] = model.predict_proba(sums[test])[:, 1]
        sent = p > 1 / 6
        bills.append((5 * (SICK & ~sent).sum() + (sent & ~SICK).sum()) / len(SICK))
    row, = [r for r in printed('p_sick["card"] = out_of_fold').splitlines()
            if r.startswith("card")]
    assert float(row.split()[-3]) == pytest.approx(np.mean(bills), abs=0.03)
    assert np.mean(bills) < 0.45 < (~SICK).mean()


def test_what_the_report_says():
    pain = pd.crosstab(X["chest_pain"].astype(object), SICK)
    assert pain.loc["asymptomatic"].tolist() == [39, 105]
    assert pain.loc["typical angina"].tolist() == [16, 7]
    assert Counter(SICK.tolist()) == {True: 139, False: 164}
    assert round(sqrt(0.83 * 0.17 / 303), 4) == 0.0216
