"""The engine that prunes: brute force, scikit-learn's path,
deep chains, hostile users; pessimistic pruning beside J48 stands in test_j48.py."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import log2, pi

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri
from scipy.stats import beta
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import Attribute, Table, learn_table
from supervised.basics.datasets import load_breast_cancer, load_digits, load_iris
from supervised.evaluation.engine.resampling import _assign_folds
from supervised.features.impurity import IMPURITIES
from supervised.trees.engine import pruning
from supervised.trees.engine.builder import Settings, grow_tree
from supervised.trees.engine.drawing import tree_from_tests
from supervised.trees.engine.pruning import (
    _collapse,
    _description_lengths,
    _pessimistic_errors,
    choose_alpha,
    prune_cost_complexity,
    prune_mdl,
    prune_pessimistic,
    prune_reduced_error,
    weakest_links,
)
from supervised.trees.engine.splitter import SUBSETS
from supervised.trees.engine.tree import Tree, _node_counts, apply, prune
from tests import examples
from tests.trees import read
from tests.trees.test_engine_growing import assert_sound

quick = examples(60)
# else loops run at Python's speed: smaller trees
COMPILED = hasattr(pruning._summed_up, "py_func")


@st.composite
def tables(draw, missing=True, most=36):
    """A small table of names and numbers, with holes, and the rows' weights."""
    n, seed = draw(st.integers(4, most)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    codes, values = (rng.integers(0, 3, (n, 2)).astype(np.int16),
                     rng.integers(0, draw(st.integers(2, 8)), (n, 2)) * 1.0)
    if missing and draw(st.booleans()):
        codes[rng.random((n, 2)) < 0.15], values[rng.random((n, 2)) < 0.15] = -1, np.nan
    attributes = [
        Attribute("a", "nominal", ("p", "q", "r")), Attribute("x"),
        Attribute("b", "nominal", ("p", "q", "r")), Attribute("y")]
    labels = rng.integers(0, draw(st.integers(1, 3)), n)
    weights = rng.choice([0.5, 0.7, 1.0, 2.0], n) if draw(st.booleans()) else np.ones(n)
    return Table(attributes, codes, values), labels, weights, np.array(["k0", "k1", "k2"])


def nested(tree, node=0, digits=6):
    """A tree as tuples: the test, the counts, the branches."""
    counts = tuple((tree.counts[node].round(digits) + 0.0).tolist())
    if tree.n_branches[node] == 0:
        return counts
    a, route = tree.attribute[node], tree.route[node]
    n_values = len(tree.attributes[a].domain)
    test = (tuple(tree.routes[route : route + n_values].tolist()) if route >= 0
            else float(tree.threshold[node]))
    below = range(tree.first[node], tree.first[node] + tree.n_branches[node])
    return int(a), test, counts, tuple(nested(tree, child, digits) for child in below)


def is_subtree(small, big):
    """Whether the small tree is the big one with some nodes turned into leaves."""
    pairs = [(0, 0)]
    while pairs:
        i, j = pairs.pop()
        if small.counts[i].tolist() != big.counts[j].tolist() or (i > 0) != (j > 0):
            return False
        if small.n_branches[i]:
            same = (small.attribute[i] == big.attribute[j]
                    and small.n_branches[i] == big.n_branches[j])
            if (not same or not np.array_equal(small.threshold[i], big.threshold[j],
                                               equal_nan=True)):
                return False
            pairs += [(small.first[i] + b, big.first[j] + b)
                      for b in range(small.n_branches[i])]
    return True


def all_subtrees(tree):
    """Every tree that can be cut from a small one."""
    tests = np.flatnonzero(~tree.is_leaf)
    masks = (
        np.isin(np.arange(tree.n_nodes), tests[list(chosen)])
        for chosen in product([False, True], repeat=len(tests))
    )
    return list({nested(t): t for t in (prune(tree, mask) for mask in masks)}.values())


# ------------------------------------------------------------------ C4.5's pruning


def test_raising_happens_and_can_be_switched_off():
    raised = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame(
            {
                "a": rng.choice(list("pqr"), 200), "x": rng.random(200),
                "b": rng.choice(list("pq"), 200), "y": rng.random(200)}
        )
        data = read(X, ((X["x"] > 0.5) ^ (rng.random(200) < 0.25)).astype(int))
        tree = grow_tree(*data, Settings())
        off = prune_pessimistic(tree, *data[:3], raising=False)
        assert is_subtree(off, tree)
        raised += not is_subtree(prune_pessimistic(tree, *data[:3]), tree)
    assert raised > 3


# ------------------------------------------------------------------ numbers


def test_the_numbers_of_quinlans_example():
    z = float(ndtri(0.75))
    for n, limit in ((6, 0.206), (9, 0.143), (1, 0.750)):
        assert (_pessimistic_errors(n, 0, 0.25, z) / n == pytest.approx(limit, abs=5e-4)
                == beta.ppf(0.75, 1, n))
    # z as his program has it
    assert _pessimistic_errors(16, 1, 0.25, 0.6925) / 16 == pytest.approx(0.157, abs=5e-4)
    assert _pessimistic_errors(16, 1, 0.25, z) / 16 == pytest.approx(0.1547, abs=5e-5)


def test_description_lengths_by_hand():
    X = pd.DataFrame({"x": range(8), "a": list("ppqqrrss"), "c": ["u", "v"] * 4})
    tree = tree_from_tests(X, list("++++----"),
                           ("x", 3.5, ("a", {("p", "q"): None, ("r", "s"): None}), None))
    as_leaf, of_test = _description_lengths(tree)
    assert as_leaf[0] == pytest.approx(8 + 0.5 * log2(4) + log2(pi) + 1)
    assert of_test[0] == pytest.approx(1 + log2(3) + log2(7))  # 7 places to cut 8 instances
    assert of_test[1] == pytest.approx(1 + log2(3) + 4)  # 4 values in 2 groups
    assert as_leaf[1] == pytest.approx(0.5 * log2(2) + log2(pi) + 1)
    assert as_leaf[4] == pytest.approx(1) and of_test[4] == 0  # nobody is there
    asked = tree_from_tests(X, list("++++----"),
                            ("a", {"p": None, "q": None, "r": None, "s": None}))
    assert (_description_lengths(asked)[1]
            .tolist() == pytest.approx([1 + log2(3), 0, 0, 0, 0]))


# ----------------------------------------------------------------- the best of all subtrees


def cost(tree, own, test=None):
    """What a tree costs: its leaves and its tests."""
    return own[tree.is_leaf].sum() + (0 if test is None else test[~tree.is_leaf].sum())


@quick
@given(tables(most=14))
def test_bottom_up_finds_the_best_subtree(data):
    tree = grow_tree(*data, Settings(max_depth=3))
    if (~tree.is_leaf).sum() > 8:
        return
    every = all_subtrees(tree)
    shortest = [cost(t, *_description_lengths(t)) for t in every]
    assert (cost(prune_mdl(tree), *_description_lengths(prune_mdl(tree)))
            == pytest.approx(min(shortest), abs=1e-5))
    total = data[2].sum()
    for criterion in IMPURITIES:

        def own(t, criterion=criterion):
            return IMPURITIES[criterion](t.counts) * t.counts.sum(axis=1) / total

        for alpha in (0, 0.01, 0.05, 0.2, 1):
            cut = prune_cost_complexity(tree, alpha, criterion)
            best = min(cost(t, own(t)) + alpha * t.n_leaves for t in every)
            assert (cost(cut, own(cut)) + alpha * cut.n_leaves
                    == pytest.approx(best, abs=1e-9))
            as_good = [t for t in every
                       if cost(t, own(t)) + alpha * t.n_leaves < best + 1e-11]
            assert cut.n_leaves == min(t.n_leaves for t in as_good)


@quick
@given(tables(most=14), tables(missing=False, most=20))
def test_reduced_error_is_the_smallest_of_the_best(data, held_out):
    tree = grow_tree(*data, Settings(max_depth=3))
    table, labels, weights = held_out[:3]
    if (~tree.is_leaf).sum() > 8:
        return
    pruned = prune_reduced_error(tree, table, labels, weights)

    def errors(t):
        return weights[t.labels[apply(t, table)] != labels].sum()

    every = {nested(t): errors(t) for t in all_subtrees(tree)}
    assert errors(pruned) == pytest.approx(min(every.values()), abs=1e-4)
    assert is_subtree(pruned, tree)
    smallest = min(t.n_leaves for t in all_subtrees(tree)
                   if errors(t) <= min(every.values()) + 1e-7)
    assert pruned.n_leaves <= smallest


# ---------------------------------------------------------------- properties of all methods

METHODS = {
    "reduced error": lambda tree, data: prune_reduced_error(tree, data[0][::2],
                                                            data[1][::2], data[2][::2]),
    "pessimistic": lambda tree, data: prune_pessimistic(tree, *data[:3], raising=False),
    "collapse": lambda tree, data: _collapse(tree),
    "cost-complexity": lambda tree, data: prune_cost_complexity(tree, 0.02),
    "MDL": lambda tree, data: prune_mdl(tree),
}


@quick
@given(tables(), st.sampled_from(list(METHODS)), st.sampled_from([0, SUBSETS]))
def test_subtrees_that_stay_as_they_are(data, method, grouping):
    tree = grow_tree(*data, Settings(grouping=grouping))
    before = [part.copy() for part in vars(tree).values() if isinstance(part, np.ndarray)]
    pruned = METHODS[method](tree, data)
    assert_sound(pruned)
    assert is_subtree(pruned, tree)
    assert nested(METHODS[method](pruned, data)) == nested(pruned)
    after = [part for part in vars(tree).values() if isinstance(part, np.ndarray)]
    assert all(np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
               for a, b in zip(before, after, strict=True))


@quick
@given(tables())
def test_raising_keeps_the_root_and_the_weights(data):
    tree = grow_tree(*data, Settings())
    pruned = prune_pessimistic(tree, *data[:3])
    assert (pruned.counts[0] == pytest.approx(tree.counts[0])
            and pruned.n_leaves <= tree.n_leaves)
    inner = np.flatnonzero(~pruned.is_leaf)
    for node in inner:
        below = pruned.counts[pruned.first[node] : pruned.first[node]
                              + pruned.n_branches[node]]
        assert below.sum(axis=0) == pytest.approx(pruned.counts[node],
                                                  abs=1e-4 * data[2].sum())
    if not np.isnan(data[0].values).any() and (data[0].codes >= 0).all():
        # what raising counted
        assert _node_counts(pruned, *data[:3]) == pytest.approx(pruned.counts)
        assert nested(prune_pessimistic(pruned, *data[:3])) == nested(pruned)


# ------------------------------------------------------------------ cost-complexity


def from_sklearn(model, X):
    """A tree of scikit-learn as one of ours."""
    t, order, first = model.tree_, [0], []
    for node in order:
        first.append(len(order) if t.children_left[node] >= 0 else -1)
        order += [c[node] for c in (t.children_left, t.children_right) if c[node] >= 0]
    first = np.array(first)
    parent = np.full(len(order), -1)
    for node in np.flatnonzero(first >= 0):
        parent[first[node] : first[node] + 2] = node
    leaf = first < 0
    attribute, first, branches, parent, routes = int32(
        np.where(leaf, -1, t.feature[order]), first, np.where(leaf, 0, 2), parent, [])
    counts = t.value[order, 0] * t.weighted_n_node_samples[order][:, None]
    threshold = np.where(leaf, np.nan, t.threshold[order])
    return Tree(
        learn_table(X).attributes, model.classes_, attribute, threshold, first, branches,
        parent, np.full(len(order), -1), counts, routes)


def noise(n, seed=0, classes=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(rng.random(n) < 0.4, rng.integers(0, classes, n),
                       X[:, 0] + X[:, 1] > 0)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("name",
                         ["iris", "breast cancer", "digits", "noise", "10,000 nodes"])
def test_the_path_is_scikit_learns(name, criterion):
    load = {"iris": load_iris, "breast cancer": load_breast_cancer, "digits": load_digits,
            "noise": lambda: noise(600)}
    X, y = load.get(name, lambda: noise(16_000 if COMPILED else 1000))()
    # so that no two links are equally weak
    weights = np.random.default_rng(1).uniform(0.5, 2, len(y))
    model = DecisionTreeClassifier(criterion=criterion, random_state=0)
    peer = model.cost_complexity_pruning_path(X, y, weights)
    alphas, path = weakest_links(from_sklearn(model.fit(X, y, weights), X), criterion)
    assert len(path) == len(peer.ccp_alphas)
    assert np.allclose(path["alpha"], peer.ccp_alphas, rtol=0, atol=1e-10)
    assert np.allclose(path["impurity"], peer.impurities, rtol=0, atol=1e-10)
    assert (path["n_leaves"].iloc[0] == model.get_n_leaves()
            and path["n_leaves"].iloc[-1] == 1)
    if name == "10,000 nodes" and COMPILED:
        assert len(alphas) > 9000


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(4))
def test_equal_links_lead_to_the_same_subtrees(criterion, seed):
    X, y = noise(150, seed)
    model = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    tree, peer = from_sklearn(model, X), model.cost_complexity_pruning_path(X, y)
    distinct = peer.ccp_alphas[np.append(np.diff(peer.ccp_alphas) > 1e-9, True)]
    _, path = weakest_links(tree, criterion)
    # between two links it is clear what must have gone
    for alpha in (distinct[1:] + distinct[:-1]) / 2:
        at = path[path["alpha"] <= alpha].iloc[-1]
        cut = prune_cost_complexity(tree, alpha, criterion)
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0,
                                        ccp_alpha=alpha).fit(X, y)
        assert cut.n_leaves == at["n_leaves"] == theirs.get_n_leaves()
        assert at["impurity"] == pytest.approx(
            peer.impurities[peer.ccp_alphas <= alpha][-1], abs=1e-10)
        assert sorted(cut.threshold[~cut.is_leaf]) == pytest.approx(
            sorted(theirs.tree_.threshold[theirs.tree_.feature >= 0]))


@quick
@given(tables(), st.sampled_from(list(IMPURITIES)))
def test_the_path_is_nested_and_its_training_error_grows(data, criterion):
    tree = grow_tree(*data, Settings())
    alphas, path = weakest_links(tree, criterion)
    assert (
        (np.diff(path["alpha"]) >= 0).all()
        and (np.diff(path["impurity"]) >= -1e-12).all()
        and (np.diff(path["n_leaves"]) < 0).all()
    )
    assert (path["alpha"].iloc[0] == 0 and path["n_leaves"].iloc[-1] == 1
            or tree.n_leaves == 1)
    assert np.isinf(alphas[tree.is_leaf]).all() and np.isfinite(alphas[~tree.is_leaf]).all()
    for node in range(1, tree.n_nodes):
        assert alphas[node] <= alphas[tree.parent[node]] or tree.is_leaf[node]
    before = tree
    for _, row in path.drop_duplicates("alpha", keep="last").iterrows():
        cut = prune_cost_complexity(tree, row["alpha"], criterion)
        own = IMPURITIES[criterion](cut.counts) * cut.counts.sum(axis=1) / data[2].sum()
        assert (cut.n_leaves == row["n_leaves"]
                and own[cut.is_leaf].sum() == pytest.approx(row["impurity"], abs=1e-9))
        assert is_subtree(cut, before)
        before = cut
    scaled = replace(tree, counts=7 * tree.counts)
    assert np.allclose(weakest_links(scaled, criterion)[0], alphas)
    assert prune_cost_complexity(tree, np.inf, criterion).n_leaves == 1


@pytest.mark.parametrize("criterion", list(IMPURITIES))
def test_choosing_a_price_against_pruning_at_each(criterion):
    X, y = noise(120, 5, 2)
    data = read(X, y, np.random.default_rng(2).uniform(0.5, 2, 120))
    table, labels, weights, _ = data

    def grow(rows):
        return grow_tree(*data, Settings(kind=list(IMPURITIES).index(criterion)), rows)

    alpha, curve = choose_alpha(grow, *data[:3], criterion, n_folds=5, random_state=3)
    prices = np.append(np.sqrt(curve["alpha"].values[:-1] * curve["alpha"].values[1:]),
                       np.inf)
    folds = _assign_folds(labels, 5, np.random.default_rng(3).permutation(len(labels)))
    wrong = np.zeros(len(prices))
    for fold in range(5):
        tree, out = grow(np.flatnonzero(folds != fold)), folds == fold
        for i, price in enumerate(prices):
            cut = prune_cost_complexity(tree, price, criterion)
            answers = cut.labels[apply(cut, table[out])]
            wrong[i] += weights[out][answers != labels[out]].sum()
    rate = wrong / weights.sum()
    assert np.allclose(curve["error"], rate)
    size = weights.sum() ** 2 / (weights**2).sum()
    assert np.allclose(curve["standard_error"], np.sqrt(rate * (1 - rate) / size))
    best = rate.argmin()
    assert (alpha == curve["alpha"][rate <= rate[best] + curve["standard_error"].iloc[best]]
            .max())
    tightest = choose_alpha(grow, *data[:3], criterion, n_folds=5, n_errors=0,
                            random_state=3)[0]
    assert tightest == curve["alpha"][rate <= rate.min() + 1e-15].max() <= alpha


# ---------------------------------------------------------------- large, deep and odd trees


def int32(*arrays):
    """Arrays as they are in a tree that was grown:
    another dtype would compile every kernel again."""
    return (np.asarray(a, dtype=np.int32) for a in arrays)


def chain(n):
    """A tree that splits off one instance at each of n levels, and its data."""
    data = read(np.arange(n + 1.0)[:, None], np.arange(n + 1) % 2)
    return grow_tree(*data, Settings()), data[:3]


@pytest.mark.parametrize("method", ["pessimistic", "raising", "reduced error",
                                    "cost-complexity", "MDL", "collapse"])
def test_chains_of_many_levels(method):
    n = 2000 if COMPILED else 60
    tree, data = chain(n)
    assert tree.depths.max() == n
    pruned = {
        "pessimistic": lambda: prune_pessimistic(tree, *data, raising=False),
        "raising": lambda: prune_pessimistic(tree, *data),
        "reduced error": lambda: prune_reduced_error(tree, *data),
        "cost-complexity": lambda: prune_cost_complexity(tree, 1e-9),
        "MDL": lambda: prune_mdl(tree), "collapse": lambda: _collapse(tree)}[method]()
    assert pruned.counts[0].tolist() == tree.counts[0].tolist()
    assert pruned.n_leaves == (
        tree.n_leaves if method in ("reduced error", "cost-complexity", "collapse") else 1)


@pytest.mark.parametrize("method", list(METHODS))
def test_a_leaf_and_one_class(method):
    for y in (["a"] * 4, ["a", "b", "a", "b"]):
        data = read(pd.DataFrame({"x": [1.0, 1, 1, 1], "a": list("pppp")}), y)
        tree = grow_tree(*data, Settings())
        pruned = METHODS[method](tree, data)
        assert pruned.n_nodes == 1 and pruned.counts.tolist() == tree.counts.tolist()
        assert prune_pessimistic(tree, *data[:3]).n_nodes == 1
        assert weakest_links(tree)[1].values.tolist() == [
            [0, IMPURITIES["gini"](tree.counts)[0], 1]]


def test_ghost_leaves():
    X = pd.DataFrame({"a": pd.Categorical(list("ppqqqppq"), categories=list("pqrs"))})
    data = read(X, list("++---++-"))
    tree = grow_tree(*data, Settings())
    assert tree.n_leaves == 4 and (tree.counts.sum(axis=1) == 0).sum() == 2
    assert weakest_links(tree)[1].values.tolist() == [
        [0, 0, 4], [pytest.approx(0.5 / 3), 0.5, 1]]  # ghosts cost a leaf each
    assert (prune_pessimistic(tree, *data[:3]).n_leaves == 4
            and prune_reduced_error(tree, *data[:3]).n_leaves == 4)
    ghost = read(pd.DataFrame({"a": pd.Categorical(["r", "s"], categories=list("pqrs"))}),
                 list("+-"))
    assert _node_counts(tree, *ghost[:3]).sum(axis=1).tolist() == [2, 0, 0, 1, 1]
    assert prune_reduced_error(tree, *ghost[:3]).n_leaves == 1
    nobody = Table(tree.attributes, np.zeros((0, 1), np.int16), np.zeros((0, 0)))
    # nobody speaks for a test
    assert prune_reduced_error(tree, nobody, np.zeros(0, int), np.zeros(0)).n_leaves == 1


# ------------------------------------------------------------------ hostile users


def test_rows_that_do_not_fit():
    tree, (table, labels, weights) = chain(3)
    other = learn_table(pd.DataFrame({"z": [1.0, 2, 3, 4]}))
    for method in (prune_reduced_error, prune_pessimistic, _node_counts):
        with pytest.raises(ValueError, match="other attributes"):
            method(tree, other, labels, weights)
        with pytest.raises(ValueError,
                           match="4 rows, but there are 3 labels and 4 weights"):
            method(tree, table, labels[:3], weights)
        with pytest.raises(ValueError,
                           match="places in the 2 classes, but range from 0 to 2"):
            method(tree, table, labels * 2, weights)
        with pytest.raises(ValueError, match="places in the 2 classes"):
            method(tree, table, labels - 1, weights)
