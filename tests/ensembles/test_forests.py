"""The idea page: its plain forest beside all cuts tried one by one, Breiman's bound, what
it says of importances, and WEKA's forests on ten tables.

What WEKA found stands in tests/references/forests.json, which forests.py beside it writes.
"""

import ast
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.datasets import load_breast_cancer, load_credit
from supervised.basics.tables import apply_attributes
from supervised.ensembles.engine.forests import RandomForestClassifier
from tests import examples
from tests.references import forests
from tools.book import ROOT, read_notebook

WEKA = json.loads(forests.REFERENCE.read_text())["wrong"]


def plain_functions(*names):
    """Functions that the page defines."""
    space = {"np": np, "apply_attributes": apply_attributes}
    for cell in read_notebook(ROOT / "nbs/ensembles/forests.ipynb").cells:
        for part in ast.parse(cell.source).body if cell.kind == "code" else []:
            if isinstance(part, ast.FunctionDef) and part.name in names:
                exec(compile(ast.Module([part], []), "forests", "exec"), space)
    return [space[name] for name in names]


best_cut, grow, answers, plain_forest, vote, strength_and_correlation = plain_functions(
    "best_cut", "grow", "answers", "plain_forest", "vote", "strength_and_correlation")


def impurity(y):
    """n times Gini's impurity of two classes, halved, from the definition."""
    p = np.mean(y)
    return len(y) * (1 - p**2 - (1 - p) ** 2) / 2


@examples(200)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1)), min_size=1, max_size=25))
def test_no_cut_is_better(rows):
    x, y = np.array(rows, dtype=float).T
    found, cut = best_cut(x, y)
    values = np.unique(x)
    tried = [impurity(y[x <= v]) + impurity(y[x > v]) for v in values[:-1]]
    assert found == (pytest.approx(min(tried)) if tried else np.inf)
    if tried:
        assert impurity(y[x <= cut]) + impurity(y[x > cut]) == pytest.approx(found)


@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 4))
def test_a_plain_tree_knows_its_rows(seed, m):
    rng = np.random.default_rng(seed)
    X = rng.permuted(np.tile(np.arange(30.0)[:, None], 4), axis=0)  # no two values alike
    y = rng.integers(2, size=30)
    tree = grow(X, y, m, rng)
    assert np.array_equal(answers(tree, X), y)
    assert not isinstance(tree, tuple) or 0 <= tree[0] < 4


def test_the_vote_is_a_share():
    X = np.array([[0.0], [1.0], [2.0]])
    assert vote([(0, 0.5, 0, 1), (0, 1.5, 0, 1), 1], X) == pytest.approx([1 / 3, 2 / 3, 1])


@pytest.mark.parametrize("kind", ["breiman", "ho", "handout", "geurts", "fan"])
def test_the_error_is_within_breimans_bound(kind):
    X, y = load_breast_cancer()
    for seed in range(3):
        rows = np.random.default_rng(seed).permutation(len(y))
        a, b = rows[:200], rows[200:]
        model = RandomForestClassifier(20, kind, max_features=0.2, random_state=seed)
        model.fit(X.iloc[a], y.iloc[a])
        new, truth = X.iloc[b], y.iloc[b].to_numpy()
        s, rho, error = strength_and_correlation(model, new, truth)
        right = np.mean([tree.score(new, truth) for tree in model.estimators_])
        assert s == pytest.approx(2 * right - 1)
        assert 0 < rho < 1 and error <= rho * (1 - s**2) / s**2


def test_bagged_trees_ask_the_same_question_first():
    X, y = load_credit()
    first = {m: {X.columns[tree.tree_.attribute[0]] for tree in RandomForestClassifier(
        100, max_features=m).fit(X, y).estimators_} for m in (None, "sqrt")}
    assert first[None] == {"checking_status"} and len(first["sqrt"]) > 10


def test_importance_by_impurity_grows_with_the_number_of_values():
    X, y = load_credit()
    for seed in range(3):
        drawn = np.random.default_rng(seed).permutation(len(X)).astype(float)
        of = [RandomForestClassifier(50, random_state=seed).fit(
            X.assign(form=column), y).importances()["form"] for column in
            (drawn, drawn // 100, drawn // 500)]
        assert of[0] > 1.1 * of[1] > 2 * of[2]


@pytest.fixture(scope="module")
def wrong():
    """Rows that a forest of each kind gets wrong, as a mean over three seeds."""
    return {kind: {name: np.mean([sum(forests.ours(name, seed, kind=kind))
                                  for seed in forests.SEEDS]) for name in forests.TABLES}
            for kind in ("breiman", "geurts")}


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["breiman", "geurts"])
@pytest.mark.parametrize("name", forests.TABLES)
def test_no_worse_than_weka(wrong, name, kind):
    theirs = np.sum(WEKA[name]) / len(WEKA[name])
    assert wrong[kind][name] - theirs <= 0.01 * len(forests.table(name)[1]) + 1


@pytest.mark.deep
@pytest.mark.parametrize("kind", ["breiman", "geurts"])
def test_on_ten_tables_as_good_as_weka(wrong, kind):
    apart = [(wrong[kind][name] - np.sum(WEKA[name]) / len(WEKA[name]))
             / len(forests.table(name)[1]) for name in forests.TABLES]
    assert np.mean(apart) < 0.002
    assert abs(np.mean(apart)) < 3 * np.std(apart, ddof=1) / np.sqrt(len(apart))


def test_wekas_forests_are_judged_on_as_many_rows():
    for name, folds in WEKA.items():
        sizes = [len(test) for _, test in forests.folds(*forests.table(name))]
        assert len(folds) == len(forests.SEEDS) and len(sizes) == 5
        assert all(0 <= n <= size for seed in folds for n, size in zip(seed, sizes,
                                                                         strict=True))
