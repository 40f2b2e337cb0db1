"""Shapley values: by hand, beside the `shap` library, by all coalitions, and hostile input.

What the library found stands in tests/references/shapley.json, which shapley.py beside it
writes.
"""

import json
from itertools import product
from math import factorial

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from supervised.basics import Standardizer, load_loan
from supervised.basics.classifiers import from_json, to_json
from supervised.basics.datasets import load_heart_disease, load_iris
from supervised.ensembles import (
    BaggingClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from supervised.evaluation import CalibratedClassifier
from supervised.neighbors import KNNClassifier
from supervised.trees import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
    ObliqueTreeClassifier,
    Tree,
    shapley_values,
)
from supervised.trees.engine.tree import _branch_shares
from tests import examples
from tests.references.shapley import BOOSTING, REFERENCE, rows, table

STORED = json.loads(REFERENCE.read_text(encoding="utf-8"))["found"]


def from_worths(v, n):
    """Shapley values of a game, by the definition: v of a tuple of n truth values."""
    found = []
    for i in range(n):
        total = 0.0
        for others in product([False, True], repeat=n - 1):
            without, with_i = ((*others[:i], on, *others[i:]) for on in (False, True))
            size = sum(others)
            total = total + (factorial(size) * factorial(n - 1 - size) / factorial(n)
                             * (v[with_i] - v[without]))
        found.append(total)
    return np.array(found)


def struck_out(model, X, row):
    """The same of a model that divides rows without a value: unknown values are missing."""
    on = list(product([False, True], repeat=X.shape[1]))
    Z = pd.concat([X.iloc[[row]]] * len(on), ignore_index=True)
    for j, name in enumerate(X):
        Z[name] = Z[name].where([known[j] for known in on])
    worth = dict(zip(on, model.predict_proba(Z), strict=True))
    return from_worths(worth, X.shape[1])


def expected(tree, table, row, known, shares, answers, node=0):
    """What a tree is expected to answer if some attributes are known."""
    if tree.n_branches[node] == 0:
        return answers[node]
    a, b = tree.attribute[node], -1
    children = range(tree.first[node], tree.first[node] + tree.n_branches[node])
    p = table.position[a]
    if known[a] and table.attributes[a].is_nominal and table.codes[row, p] >= 0:
        b = tree.routes[tree.route[node] + table.codes[row, p]]
    elif known[a] and not table.attributes[a].is_nominal:
        value = table.values[row, p]
        b = -1 if np.isnan(value) else int(value > tree.threshold[node])
    if b >= 0:
        return expected(tree, table, row, known, shares, answers, children[b])
    return sum(shares[c] * expected(tree, table, row, known, shares, answers, c)
               for c in children)


def by_recursion(model, X, row):
    """The same of any single tree."""
    tree, answers = model.tree_, model._answers()[0]
    table, shares, n = model._view(model._read_table(X)), _branch_shares(tree), X.shape[1]
    worth = {known: expected(tree, table, row, known, shares, answers)
             for known in product([False, True], repeat=n)}
    return from_worths(worth, n)


def boosted(model, X, row):
    """The same of boosted trees: unknown at a split, a row goes both ways by weight."""
    trees, n = model.trees_, X.shape[1]
    table = model._read_table(X)
    values = [column[row] for _, column in table.columns()]

    def score(node, known):
        j = trees.column[node]
        if j < 0:
            return trees.value[node]
        left, x = trees.left[node], values[j]
        if not known[j]:
            w = trees.weight[[left, left + 1]]
            return (w[0] * score(left, known) + w[1] * score(left + 1, known)) / w.sum()
        missing = x < 0 if trees.attributes[j].is_nominal else np.isnan(x)
        right = (trees.missing_right[node] if missing else
                 trees.subsets[trees.subset[node] + x] if trees.subset[node] >= 0 else
                 x > trees.threshold[node])
        return score(left + int(right), known)

    k, worth = len(trees.baseline), {}
    for known in product([False, True], repeat=n):
        worth[known] = np.array([sum(score(root, known) for root in trees.roots[c::k])
                                 for c in range(k)])
    return from_worths(worth, n)


def prediction(model, X):
    """What the values of each row should add up to."""
    if isinstance(model, GradientBoostingClassifier):
        scores = model.decision_function(X)
        return scores[:, None] if scores.ndim == 1 else scores
    return model.predict_proba(X)


def check_sums(model, X):
    """Values and base values add up; returned are the values."""
    found = shapley_values(model, X)
    whole = found.values.sum(axis=1) + found.base_values
    assert whole == pytest.approx(prediction(model, X), abs=1e-9)
    return found


# ------------------------------------------------------------------------- by hand


def test_two_attributes_by_hand():
    loan, approved = load_loan()
    found = check_sums(C45Classifier().fit(loan, approved), loan.iloc[[1]])
    assert found.feature_names == tuple(loan) and found.output_names.tolist() == ["No",
                                                                                  "Yes"]
    assert found.base_values == pytest.approx([6 / 15, 9 / 15])
    # No if nothing is known .4, without a house 6/9, without a job .6, without both 1
    house = ((6 / 9 - 0.4) + (1 - 0.6)) / 2
    job = ((0.6 - 0.4) + (1 - 6 / 9)) / 2
    assert found.values[0, :, 0] == pytest.approx([0, job, house, 0])
    assert found.values[0, :, 1] == pytest.approx([0, -job, -house, 0])


def test_a_leaf_alone_says_nothing():
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": list("xyx")})
    found = check_sums(CARTClassifier(max_depth=0).fit(X, [0, 1, 1]), X)
    assert not found.values.any() and found.base_values == pytest.approx([1 / 3, 2 / 3])


# ---------------------------------------------------------- beside the shap library


def as_ours(stored, attributes, classes):
    """A tree of scikit-learn's, in our arrays: children side by side, level by level."""
    order, parent = [0], [-1]
    first = []
    for i, node in enumerate(order):
        leaf = stored["column"][node] < 0
        first.append(-1 if leaf else len(order))
        if not leaf:
            order += [stored["left"][node], stored["right"][node]]
            parent += [i, i]
    column = np.array(stored["column"])[order]
    cut = np.where(column < 0, np.nan, np.array(stored["threshold"])[order])
    return Tree(attributes, classes, column, cut, np.array(first),
                np.where(column < 0, 0, 2), np.array(parent), np.full(len(order), -1),
                np.array(stored["counts"])[order], np.zeros(0, dtype=int))


def agrees(found, name, far):
    """Whether the values are those that are stored."""
    values, base = (np.array(STORED[name][part]) for part in ("values", "base_values"))
    values = values[..., None] if values.ndim == 2 else values
    assert found.values == pytest.approx(values, abs=far)
    assert found.base_values == pytest.approx(base, abs=far)
    assert np.abs(values).max() > 0.05


def test_a_tree_beside_the_library():
    X, y = table("tree")
    model = CARTClassifier(max_depth=3).fit(X, y)
    agrees(check_sums(model, X[rows("tree")]), "tree", 1e-7)
    model.tree_ = as_ours(STORED["tree"]["trees"][0], model.attributes_, model.classes_)
    agrees(check_sums(model, X[rows("tree")]), "tree", 1e-7)


def test_a_forest_beside_the_library():
    X, y = table("forest")
    model = RandomForestClassifier(4, max_depth=6).fit(X, y)
    for member, stored in zip(model.estimators_, STORED["forest"]["trees"], strict=True):
        member.tree_ = as_ours(stored, model.attributes_, model.classes_)
    agrees(check_sums(model, X[rows("forest")]), "forest", 1e-7)


def test_boosting_beside_the_library():
    X, y = table("boosting")
    model = GradientBoostingClassifier(8, early_stopping=False, **BOOSTING).fit(X, y)
    agrees(check_sums(model, X[rows("boosting")]), "boosting", 1e-5)  # theirs: 32 bits


# ----------------------------------------------------------- beside all coalitions


@st.composite
def small_tables(draw):
    """Rows of two nominal and two numeric columns, with missing values; classes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, k = draw(st.integers(8, 40)), draw(st.integers(2, 3))
    X = pd.DataFrame({"kind": rng.choice(list("abc"), n), "size": rng.integers(0, 6, n) / 2,
                      "side": rng.choice(["left", "right"], n), "age": rng.normal(size=n)})
    y = (rng.integers(0, k, n) + (X["size"] > 1) * (X["kind"] == "a")) % k
    y[:k] = range(k)  # none is missing: a parameter of `dividing` names class 0
    if draw(st.booleans()):
        X = X.mask(rng.random(X.shape) < 0.2)
    X[["kind", "side"]] = X[["kind", "side"]].astype("category")
    return X, y.to_numpy(), rng.integers(1, 4, n)


def dividing():
    """Learners whose trees divide a row without a value."""
    return [C45Classifier(pruning=None), C45Classifier(pruning=None, smoothing="laplace"),
            CARTClassifier(), ID3Classifier(), CARTClassifier(class_weight={0: 3.0}),
            RandomForestClassifier(4), RandomForestClassifier(3, kind="geurts")]


@examples(40)
@given(small_tables())
def test_values_are_those_of_all_coalitions(data):
    X, y, weights = data
    for model in dividing():
        model.fit(X, y, sample_weight=weights)
        found = check_sums(model, X)
        row = int(weights.sum()) % len(X)
        assert found.values[row] == pytest.approx(struck_out(model, X, row), abs=1e-9)


@examples(40)
@given(small_tables())
def test_values_of_a_tree_are_those_of_a_recursion(data):
    X, y, weights = data
    new = X.assign(kind=pd.Categorical(["never seen"] * len(X)))
    for model in (C45Classifier(pruning=None, min_num_obj=1), CHAIDClassifier(
            significance_level=0.9), CARTClassifier(smoothing=2.0)):
        model.fit(X, y, sample_weight=weights)
        for asked in (X, new):
            found, row = check_sums(model, asked), int(weights[0])
            assert found.values[row] == pytest.approx(by_recursion(model, asked, row),
                                                      abs=1e-9)


@examples(40)
@given(small_tables())
def test_values_of_boosting_are_those_of_a_recursion(data):
    X, y, weights = data
    ordered = X.assign(kind=X["kind"].cat.as_ordered())
    for frame in (X, ordered):
        model = GradientBoostingClassifier(4, min_samples_leaf=2, max_leaf_nodes=5)
        model.fit(frame, y, sample_weight=weights)
        found, row = check_sums(model, frame), int(weights[-1])
        assert found.values[row] == pytest.approx(boosted(model, frame, row), abs=1e-9)


# --------------------------------------------------------------------- properties


def test_an_attribute_that_is_not_asked_gets_nothing():
    X, y = load_heart_disease()
    model = C45Classifier().fit(X, y)
    asked = set(model.tree_.attribute[model.tree_.attribute >= 0].tolist())
    found = check_sums(model, X)
    for j in range(X.shape[1]):
        assert found.values[:, j].any() == (j in asked)


def test_attributes_with_the_same_part_get_the_same():
    rng = np.random.default_rng(0)
    X = np.array(list(product([0, 1], repeat=2)) * 5)
    tree = CARTClassifier().fit(X, X.prod(axis=1))
    values = check_sums(tree, X[[0, 3]]).values
    assert values[:, 0] == pytest.approx(values[:, 1])
    order = rng.permutation(20)
    assert check_sums(tree, X[order]).values == pytest.approx(
        check_sums(tree, X).values[order])


def test_a_forest_has_the_mean_of_its_trees():
    X, y = load_iris()
    forest = RandomForestClassifier(5).fit(X, y)
    each = [shapley_values(member, X.to_numpy()[:9]).values
            for member in RandomForestClassifier(5).fit(X.to_numpy(), y).estimators_]
    assert shapley_values(forest, X[:9]).values == pytest.approx(np.mean(each, axis=0))


def test_columns_are_found_by_name():
    X, y = load_heart_disease()
    model = RandomForestClassifier(3).fit(X, y)
    turned = X[:5][X.columns[::-1]]
    assert np.array_equal(shapley_values(model, turned).values,
                          shapley_values(model, X[:5]).values)


def test_boosting_of_one_class_and_of_three():
    X, y = load_iris()
    found = check_sums(GradientBoostingClassifier(3).fit(X, ["one"] * 150), X[:4])
    assert found.values.shape == (4, 4, 1) and found.output_names.tolist() == ["one"]
    found = check_sums(GradientBoostingClassifier(3).fit(X, y), X[::50])
    assert found.values.shape == (3, 4, 3) and len(found.output_names) == 3
    two = check_sums(GradientBoostingClassifier(3).fit(X[:100], y[:100]), X[::50])
    assert two.output_names.tolist() == ["versicolor"]


def test_a_model_that_was_stored():
    X, y = load_heart_disease()
    for model in (C45Classifier(), RandomForestClassifier(3),
                  GradientBoostingClassifier(3)):
        model.fit(X, y)
        again = shapley_values(from_json(to_json(model)), X[:5])
        assert np.array_equal(again.values, shapley_values(model, X[:5]).values)


# -------------------------------------------------------------------- hostile input


def test_forty_attributes_on_one_path():
    """Node 2 i asks attribute i: 0 leads to leaf 2 i + 1, 1 to the next test."""
    n, rng = 40, np.random.default_rng(0)
    nodes = np.arange(2 * n + 1)
    asks = (nodes % 2 == 0) & (nodes < 2 * n)
    parent, counts = (nodes - 1) // 2 * 2, np.zeros((2 * n + 1, 2))
    counts[~asks] = rng.integers(1, 9, (n + 1, 2))
    for node in nodes[:0:-1]:
        counts[parent[node]] += counts[node]
    parent[0] = -1
    X, y = rng.integers(0, 2, (50, n)), rng.integers(0, 2, 50)
    model = CARTClassifier().fit(X, y)
    model.tree_ = Tree(model.attributes_, model.classes_,
                       *(np.where(asks, told, untold) for told, untold in (
                           (nodes // 2, -1), (0.5, np.nan), (nodes + 1, -1), (2, 0))),
                       parent, np.full(2 * n + 1, -1), counts, np.zeros(0, dtype=int))
    assert model.tree_.depths.max() == n
    found = check_sums(model, np.vstack([np.ones(n), np.zeros(n), X[:3]]))
    assert (np.abs(found.values[0]).max(axis=1) > 1e-12).all()


def test_a_deep_tree_of_one_attribute():
    X = np.arange(600.0)[:, None]
    model = CARTClassifier().fit(X, np.arange(600) % 2)
    found = check_sums(model, X[::50])
    assert found.values[:, 0] == pytest.approx(
        model.predict_proba(X[::50]) - found.base_values)


def test_what_is_no_tree_is_refused():
    X, y = load_iris()
    X, y = X[:100], y[:100]
    for model in (KNNClassifier(), ObliqueTreeClassifier(),
                  BaggingClassifier(n_estimators=3), CalibratedClassifier(C45Classifier()),
                  make_pipeline(Standardizer(), C45Classifier())):
        with pytest.raises(TypeError, match=f"{type(model).__name__} is no tree"):
            shapley_values(model.fit(X, y), X)
    with pytest.raises(TypeError, match="KNNClassifier is no tree"):
        shapley_values(KNNClassifier, X)
    with pytest.raises(TypeError):
        shapley_values(C45Classifier, X)
    with pytest.raises(TypeError, match="NoneType is no tree"):
        shapley_values(None, X)


@pytest.mark.parametrize("model", [C45Classifier(), RandomForestClassifier(2),
                                   GradientBoostingClassifier(2)])
def test_rows_that_do_not_fit_are_refused(model):
    X, y = load_iris()
    with pytest.raises(NotFittedError):
        shapley_values(type(model)(), X)
    model.fit(X, y)
    with pytest.raises(ValueError, match="missing \\['petal width"):
        shapley_values(model, X.iloc[:, :3])
    with pytest.raises(ValueError, match="unknown \\['color'\\]"):
        shapley_values(model, X.assign(color=1))
    with pytest.raises(ValueError, match="no rows"):
        shapley_values(model, X[:0])
    with pytest.raises(ValueError):
        shapley_values(model, X.iloc[0])
    nothing = X[:2] * np.nan
    found = check_sums(model, nothing)
    if not isinstance(model, GradientBoostingClassifier):  # which have learned a side
        assert found.values == pytest.approx(0, abs=1e-12)
