"""CBA: lists of an independent M1, ours = the plain one, the cut, weights, storage."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.associations.cba import CBAClassifier
from supervised.associations.engine.cba import _build_list, _cba_list
from supervised.associations.engine.class_rules import (
    _Asked,
    _mine_table,
    class_rules,
    pruned,
)
from supervised.basics.classifiers import encode_classes
from supervised.basics.datasets import (
    load_contact_lenses,
    load_iris,
    load_loan,
    load_votes,
)
from supervised.basics.tables import learn_table

from .. import examples

# An independent builder M1, by the paper's definition, on WEKA's tables cut by MDL at a
# confidence of 50 %: items, class, confidence, rows right; the default; rows right in all
LENSES = [("tear rate = reduced", "none", 1.0, 12),
          ("prescription = hypermetrope and astigmatic = no and tear rate = normal", "soft",
           1.0, 3),
          ("prescription = myope and astigmatic = yes and tear rate = normal", "hard",
           1.0, 3),
          ("prescription = hypermetrope and astigmatic = yes", "none", 5 / 6, 5)]
IRIS = [("petal length (cm) <= 2.45", "setosa", 1.0, 50),
        ("sepal length (cm) > 6.15 and petal width (cm) > 1.75", "virginica", 1.0, 37),
        ("sepal length (cm) > 5.55 and sepal length (cm) <= 6.15 and petal length (cm) > "
         "2.45 and petal length (cm) <= 4.75", "versicolor", 1.0, 21),
        ("sepal width (cm) <= 2.95 and petal width (cm) > 1.75", "virginica", 1.0, 17),
        ("sepal length (cm) > 6.15 and petal length (cm) > 2.45 and petal length (cm) <= "
         "4.75", "versicolor", 1.0, 12),
        ("sepal width (cm) > 2.95 and sepal width (cm) <= 3.35 and petal length (cm) > "
         "2.45 and petal length (cm) <= 4.75", "versicolor", 1.0, 12),
        ("petal width (cm) > 1.75", "virginica", 45 / 46, 45)]


@pytest.mark.parametrize("load, support, expected, default, right", [
    (load_contact_lenses, 0.1, LENSES, "soft", 22),
    (load_iris, 0.05, IRIS, "versicolor", 144)])
def test_an_independent_m1(load, support, expected, default, right):
    X, y = load()
    if load is load_contact_lenses:
        X = X.astype(str)  # values in the alphabet's order, as in the oracle
    model = CBAClassifier(support, 0.5, pruning=False).fit(X, y)
    found = [(" and ".join(map(str, r.conditions)), r.label, r.confidence,
              r.covered[r.label]) for r in model.rules_]
    assert [f[:2] + f[3:] for f in found] == [e[:2] + e[3:] for e in expected]
    np.testing.assert_allclose([f[2] for f in found], [e[2] for e in expected])
    assert model.default_ == default and (model.predict(X) == y).sum() == right


def plain_m1(rules, rows, y, weights):
    """Fig. 3.13 with the cut, on sets: numbers of the rules, errors, default."""
    left, wrong, chosen = list(range(len(y))), 0.0, []
    totals = np.bincount(y, weights)
    for r, (items, label) in enumerate(rules):
        met = [i for i in left if items <= rows[i]]
        if not any(y[i] == label for i in met):
            continue
        wrong += sum(weights[i] for i in met if y[i] != label)
        left = [i for i in left if i not in set(met)]
        rest = np.bincount(y[left], weights[left], len(totals))
        default = int(rest.argmax() if left else totals.argmax())
        chosen.append((r, wrong + rest.sum() - rest[default], default))
    if not chosen:
        return [], int(totals.argmax())
    last = int(np.argmin([e for _, e, _ in chosen]))
    return [r for r, *_ in chosen[: last + 1]], chosen[last][2]


def check_builder(seed):
    """The builder and the plain one, with and without pruning; returns rules chosen."""
    rng = np.random.default_rng(seed)
    n, n_classes = int(rng.integers(2, 130)), int(rng.integers(1, 5))
    X = pd.DataFrame({f"a{j}": rng.choice(list("pqrs")[: rng.integers(1, 5)], n)
                      for j in range(rng.integers(1, 5))}).astype(object)
    if rng.random() < 0.4:
        X = X.mask(rng.random(X.shape) < 0.2)
    classes, labels = encode_classes(rng.choice(list("wxyz")[:n_classes], n))
    weights = (rng.integers(1, 4, n).astype(float) if rng.random() < 0.5 else np.ones(n))
    rules = _mine_table(learn_table(X), labels, weights, classes.tolist(), _Asked(
        float(rng.choice([0.01, 0.05, 0.1])), float(rng.choice([0, 0.3, 0.5, 0.7])),
        extend_right=bool(rng.integers(2))))
    sets = [({(c.attribute, c.value) for c in rules.conditions(r)}, int(rules.label[r]))
            for r in range(len(rules))]
    rows = [{(a, v) for a, v in row.items() if isinstance(v, str)}
            for row in X.to_dict("records")]
    for pruning in (False, True):
        kept = np.flatnonzero(~pruned(rules)) if pruning else np.arange(len(rules))
        numbers, default = plain_m1([sets[r] for r in kept], rows, labels, weights)
        expected = kept[numbers].tolist(), default
        chosen, other = _cba_list(rules, pruning)
        assert (chosen.tolist(), other) == expected, pruning
    return len(expected[0])


@examples(120)
@given(st.integers(0, 2**32 - 1))
def test_the_builder_is_the_plain_one(seed):
    check_builder(seed)


@pytest.mark.parametrize("pruning", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_large_tables_are_shared_by_threads(pruning, weighted):
    rng = np.random.default_rng(7)
    X = pd.DataFrame(rng.integers(0, 4, (9000, 6)), columns=list("abcdef")).astype(str)
    y = np.where((X["a"] == "1") & (X["b"] == "2"), "p",
                 np.where(X["c"] == "3", "q", np.where(X["d"] < "2", "r", "s")))
    noisy = rng.random(9000) < 0.2
    y[noisy] = rng.choice(list("pqrs"), noisy.sum())
    X = X.mask(rng.random(X.shape) < 0.05)
    weights = rng.integers(1, 4, 9000) if weighted else None
    one, *others = (CBAClassifier(0.002, 0.3, pruning=pruning,
                                  n_jobs=n_jobs).fit(X, y, weights) for n_jobs in (1, 2, 3))
    assert len(one.rules_) > 40
    for other in others:
        assert other.to_text() == one.to_text()


def test_the_loans_with_the_cut_and_without():
    # by hand: six house owners, then six without house and job; the three left are Yes, so
    # the list may end (Liu, Hsu, Ma), while L's Fig. 3.13 goes on to Has_job = True
    X, y = load_loan()
    rules = class_rules(X, y, 2 / 15, 0.7)
    chosen, errors, defaults = _build_list(
        rules.mined.table.tidsets, rules.mined.table.totals, rules.mined.flat, 0.0, 0.0)
    assert [str(rules[r]) for r in chosen] == [
        "Own_house = True -> Yes", "Has_job = False and Own_house = False -> No",
        "Has_job = True -> Yes"]
    assert errors.tolist() == [3, 0, 0] and defaults.tolist() == [0, 1, 1]
    for pruning in (False, True):
        model = CBAClassifier(2 / 15, 0.7, pruning=pruning).fit(X, y)
        assert model.to_text() == (
            "1. Own_house = True -> Yes (6 of 6)\n"
            "2. Has_job = False and Own_house = False -> No (6 of 6)\n"
            "otherwise -> Yes (3 of 3)")


def test_a_row_whose_wrong_rule_comes_first():
    # a=1 -> p (4/5) precedes b=1 -> q (3/4). Row 5 (a=1, b=1, q) goes with a=1, wrongly, as
    # that rule is the first of rows 1-4. Behind it q, q, p, q are left: one error more.
    # With b=1 -> q there would be one error more as well, so the list ends before
    X = pd.DataFrame({"a": list("111110000"), "b": list("000011110")}).replace("0", None)
    model = CBAClassifier(0.2, 0.6, pruning=False).fit(X, list("ppppqqqpq"))
    assert model.to_text() == "1. a = 1 -> p (4 of 5)\notherwise -> q (3 of 4)"


def test_the_first_of_equal_defaults_and_none_left():
    X = pd.DataFrame({"a": list("xxyz")})
    model = CBAClassifier(0.5, 0.9, pruning=False).fit(X, list("pprq"))
    assert model.default_ == "q"  # one q and one r are left
    alike = pd.DataFrame({"a": list("xxx")})
    # the first rule takes all rows: the commonest of all
    assert CBAClassifier(0.1, 0.5, pruning=False).fit(alike, list("pqq")).default_ == "q"
    nothing = CBAClassifier(1.0, 1.0).fit(X, list("ppqr"))
    assert len(nothing.rules_) == 0 and nothing.default_ == "p"
    assert nothing.to_text() == "always -> p (2 of 4)"


def test_the_cap_warns_and_the_list_still_answers():
    X, y = load_votes()
    with pytest.warns(UserWarning, match="max_rules=100 "):
        model = CBAClassifier(0.05, max_rules=100).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.9


def flags(n_columns):
    """Sparse truth values; the class depends on two of them."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((150, n_columns)) < 0.1,
                     columns=[f"b{i}" for i in range(n_columns)])
    return X, (X["b0"] | X["b1"]).astype(int)


def test_sparse_truth_values_stay_below_the_limit_where_false_is_missing():
    X, y = flags(15)
    with pytest.warns(UserWarning, match="max_rules"):  # False is an item, too
        CBAClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = CBAClassifier().fit(X.where(X), y)
    assert len(model.rules_) == 2 and (model.predict(X.where(X)) == y).all()
