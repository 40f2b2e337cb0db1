"""Forests: what a node may ask, by hand; peers from scikit-learn, one model however it is
grown, gaps and names, weights, out-of-bag by hand, storage, bad input."""

import math
import pickle
from functools import partial

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import make_classification, make_moons
from sklearn.ensemble import ExtraTreesClassifier as ScikitExtra
from sklearn.ensemble import RandomForestClassifier as ScikitForest

from supervised.basics.classifiers import from_json
from supervised.basics.datasets import (
    load_breast_cancer,
    load_heart_disease,
    load_iris,
    load_wine,
)
from supervised.ensembles.bagging import BaggingClassifier
from supervised.ensembles.engine import forests
from supervised.ensembles.engine.forests import (
    _BLOCK,
    _KINDS,
    RandomForestClassifier,
    _n_drawn,
)
from supervised.trees import CARTClassifier
from tests import examples, interrupting
from tests.ensembles import mixed, same

EVERY_KIND = pytest.mark.parametrize("kind", list(_KINDS))


# -------------------------------------------------------- what a node may ask, by hand


def impurity(counts, criterion):
    """Weight times impurity of some counts."""
    n = sum(counts)
    if criterion == "gini":
        return n - sum(c * c for c in counts) / n
    return -sum(c * math.log2(c / n) for c in counts if c)


def best_gain(column, labels, weights, k, criterion, least):
    """The most that any cut of a column gains, None if there is none."""
    found = None
    for value in sorted(set(column))[:-1]:
        left = np.bincount(labels, weights * (column <= value), k)
        right = np.bincount(labels, weights * (column > value), k)
        if min(left.sum(), right.sum()) > least - 1e-6:
            gain = (impurity(left + right, criterion) - impurity(left, criterion)
                    - impurity(right, criterion))
            found = gain if found is None else max(found, gain)
    return found


@examples(40)
@given(st.integers(0, 10**6), st.integers(4, 50), st.sampled_from(("gini", "entropy")),
       st.sampled_from((1, 2, 5)), st.sampled_from(("ho", "breiman", "handout")))
def test_a_node_asks_the_best_cut_of_what_it_has_drawn(seed, n, criterion, least, kind):
    # each test is the best one of its attribute; with all attributes, of all of them
    rng = np.random.default_rng(seed)
    X, y = rng.integers(4, size=(n, 4)).astype(float), rng.integers(3, size=n)
    y[:3] = range(3)
    for m in (None, 2):
        model = RandomForestClassifier(2, kind, m, criterion, min_samples_leaf=least,
                                       random_state=seed).fit(X, y)
        for t, member in enumerate(model.estimators_):
            copies = np.ones(n) if kind == "ho" else np.bincount(
                model.samples(X, y)[t], minlength=n).astype(float)
            nodes = member.decision_path(X).toarray() > 0
            tree = member.tree_
            for node in range(tree.n_nodes):
                here, gains = nodes[:, node], {}
                assert np.allclose(tree.counts[node],
                                   np.bincount(y[here], copies[here], 3))
                for a in range(4):
                    inside = here & (copies > 0)
                    gains[a] = best_gain(X[inside, a], y[inside], copies[inside], 3,
                                         criterion, least)
                possible = {a: g for a, g in gains.items() if g is not None}
                if tree.attribute[node] < 0:  # pure, or nothing can be divided
                    pure = (tree.counts[node] > 0).sum() == 1
                    for_tree = m is not None and kind != "breiman"  # others may be left
                    assert pure or not possible or for_tree
                    continue
                first, a = int(tree.first[node]), int(tree.attribute[node])
                gain = impurity(tree.counts[node], criterion) - sum(
                    impurity(tree.counts[first + side], criterion) for side in (0, 1))
                assert gain == pytest.approx(possible[a], abs=1e-6)
                if m is None:
                    assert gain == pytest.approx(max(possible.values()), abs=1e-6)


@pytest.mark.parametrize("kind", ["breiman", "geurts"])
def test_attributes_are_drawn_until_one_can_be_divided(kind):
    # nine constant columns of ten: with one drawn at a node, all trees find the tenth
    X = np.zeros((40, 10))
    X[:, 7] = np.arange(40)
    y = (np.arange(40) > 19).astype(int)
    model = RandomForestClassifier(20, kind, max_features=1).fit(X, y)
    assert {int(t.tree_.attribute[0]) for t in model.estimators_} == {7}
    names = pd.DataFrame(X).astype(str)
    names[7] = np.where(y == 1, "yes", "no")
    model = RandomForestClassifier(20, kind, max_features=1).fit(names, y)
    assert {int(t.tree_.attribute[0]) for t in model.estimators_} == {7}
    assert model.score(names, y) == 1


@pytest.mark.parametrize("kind", ["breiman", "geurts"])
def test_of_equally_good_columns_each_is_asked_as_often(kind):
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X, y = np.column_stack([x] * 5), (x > 0).astype(int)
    if kind == "geurts":  # cuts of their own: only where all are drawn alike
        X = (X > 0).astype(float)
    model = RandomForestClassifier(500, kind, max_features=3).fit(X, y)
    asked = np.bincount([t.tree_.attribute[0] for t in model.estimators_], minlength=5)
    # chi squared of 4 degrees of freedom: above 23.5 once in 10,000
    assert ((asked - 100) ** 2 / 100).sum() < 23.5


def test_drawn_cuts_are_uniform_between_the_ends():
    X, y = np.array([[2.0], [2.5], [6.0], [2.1]]), ["a", "b", "b", "a"]
    model = RandomForestClassifier(2000, "fan", max_depth=1).fit(X, y)
    cuts = np.sort([t.tree_.threshold[0] for t in model.estimators_])
    assert cuts[0] >= 2 and cuts[-1] < 6
    # Kolmogorov and Smirnov: beyond 2.2 / sqrt(n) once in 10,000
    ranks = np.arange(2000) / 2000
    assert np.abs((cuts - 2) / 4 - ranks).max() < 2.2 / math.sqrt(2000)


@pytest.mark.parametrize("n_values", [2, 3, 5])
def test_drawn_groups_have_two_sides_and_favor_no_value(n_values):
    values = [f"v{i}" for i in range(n_values)]
    X = pd.DataFrame({"name": values * 4})
    y = np.arange(4 * n_values) % 2
    model = RandomForestClassifier(1000, "fan", max_depth=1).fit(X, y)
    sides = np.array([t.tree_.routes[:n_values] for t in model.estimators_])
    assert ((sides.min(axis=1) == 0) & (sides.max(axis=1) == 1)).all()
    right = sides.sum(axis=0)  # a coin each, give or take 4.5 standard deviations
    assert (np.abs(right - 500) < 4.5 * math.sqrt(250)).all()


# --------------------------------------------------------------------- CART, and others


@examples(40)
@given(st.integers(0, 10**6), st.sampled_from(("gini", "entropy")),
       st.sampled_from((None, 2)))
def test_with_all_attributes_it_is_bagged_cart(seed, criterion, max_depth):
    X, y = mixed(seed, 60, 0.0)
    options = dict(criterion=criterion, max_depth=max_depth)
    forest = RandomForestClassifier(3, max_features=None, random_state=seed, **options)
    bagged = BaggingClassifier(CARTClassifier(**options), 3, voting="soft",
                               random_state=seed)
    assert np.array_equal(forest.fit(X, y).seeds_, bagged.fit(X, y).seeds_)
    assert np.allclose(forest.predict_proba(X), bagged.predict_proba(X))
    for ours, theirs in zip(forest.estimators_, bagged.estimators_, strict=True):
        assert ours.to_text() == theirs.to_text()


def halves(make, X, y, rounds):
    """The accuracy on the other half, round by round."""
    found = []
    for seed in range(rounds):
        half = np.random.default_rng(seed).random(len(y)) < 0.5
        model = make(random_state=seed).fit(X[half], y[half])
        found.append((model.predict(X[~half]) == y[~half]).mean())
    return np.array(found)


PEERS = {"breiman": ScikitForest, "geurts": ScikitExtra,
         "ho": partial(ScikitForest, bootstrap=False, max_features=None),
         "fan": partial(ScikitExtra, max_features=1)}


@pytest.mark.parametrize("kind", ["breiman", "geurts", "fan"])
@pytest.mark.parametrize("name", ["cancer", "wine", "moons", "made"])
def test_as_good_as_the_forests_of_scikit_learn(name, kind):
    made = {"cancer": load_breast_cancer, "wine": load_wine,
            "moons": lambda: make_moons(400, noise=0.3, random_state=0),
            "made": lambda: make_classification(500, 15, n_informative=5, n_classes=3,
                                                random_state=1)}
    X, y = (np.asarray(part) for part in made[name]())
    ours = halves(partial(RandomForestClassifier, 40, kind), X.astype(float), y, 16)
    theirs = halves(partial(PEERS[kind], n_estimators=40), X.astype(float), y, 16)
    apart = ours - theirs
    # t with 15 degrees of freedom: beyond 4.1 once in 1,000
    assert abs(apart.mean()) < 4.1 * apart.std(ddof=1) / math.sqrt(16) + 0.002
    assert abs(apart.mean()) < 0.02


def test_attributes_of_a_tree_are_few_where_they_are_drawn_for_it():
    X, y = load_breast_cancer()  # 30 attributes, of which 5 are drawn
    for kind, most in (("ho", 5), ("handout", 5), ("breiman", 30)):
        used = [len(set(t.tree_.attribute[t.tree_.attribute >= 0].tolist()))
                for t in RandomForestClassifier(20, kind).fit(X, y).estimators_]
        assert max(used) <= most
        assert kind != "breiman" or max(used) > 5


# ----------------------------------------------------------------- the same, however done


@pytest.mark.deep
def test_read_only_memory_of_another_process():
    # joblib maps large arrays read-only; the kernels are compiled for others
    X, y = make_classification(2000, 6, random_state=0)
    alone = RandomForestClassifier(2, max_depth=4).fit(X, y)
    with joblib.parallel_config(backend="loky", n_jobs=2, max_nbytes=1000):
        assert same(alone, RandomForestClassifier(2, max_depth=4).fit(X, y), X[:100])


@EVERY_KIND
def test_the_same_seed_the_same_model(kind):
    X, y = mixed(0, 80)
    one, again, other = (RandomForestClassifier(5, kind, random_state=s).fit(X, y)
                         for s in (1, 1, 2))
    assert same(one, again, X) and not same(one, other, X)
    assert same(one, pickle.loads(pickle.dumps(one)), X)
    back = from_json(one.to_json())
    assert same(one, back, X) and back.to_json() == one.to_json()
    assert str(back.explain(X.iloc[0])) == str(one.explain(X.iloc[0]))
    assert np.array_equal(back.apply(X), one.apply(X))
    assert [t.to_text() for t in back.estimators_] == [t.to_text() for t in one.estimators_]


# ------------------------------------------------------------------- asking a forest


@EVERY_KIND
@examples(25)
@given(st.integers(0, 10**6), st.sampled_from((0.0, 0.2)), st.booleans())
def test_a_forest_is_the_mean_of_its_trees(kind, seed, missing, numbers):
    X, y = mixed(seed, 60, missing, n_classes=3)
    X = X.iloc[:, 3:] if numbers else X
    model = RandomForestClassifier(4, kind, random_state=seed).fit(X.iloc[:40], y.iloc[:40])
    alone = np.mean([t.predict_proba(X) for t in model.estimators_], axis=0)
    assert np.allclose(model.predict_proba(X), alone)
    assert np.allclose(alone.sum(axis=1), 1)
    said = np.searchsorted(model.classes_, model.predict(X))
    assert (alone[np.arange(len(X)), said] > alone.max(axis=1) - 1e-9).all()


def test_a_gap_goes_both_ways_by_hand():
    # one cut: 3 of 4 rows below, 2 of these "a", 1 "b"; above one "b"
    X, y = [[0.0], [0.0], [0.0], [1.0]], ["a", "a", "b", "b"]
    tree = RandomForestClassifier(1, "ho", None).fit(X, y)
    assert tree.predict_proba([[0.0], [9.0]]).tolist() == [[2 / 3, 1 / 3], [0.0, 1.0]]
    assert tree.predict_proba([[np.nan]]) == pytest.approx(np.array([[1 / 2, 1 / 2]]))
    assert tree.apply([[np.nan], [0.0], [1.0]]).tolist() == [[0], [1], [2]]


def test_a_name_that_a_node_has_not_seen():
    X = pd.DataFrame({"color": ["red", "red", "blue", "blue"]})
    model = RandomForestClassifier(1, "ho", None).fit(X, ["a", "a", "b", "b"])
    new = pd.DataFrame({"color": ["red", "green", None]})
    assert model.predict_proba(new).tolist() == [[1, 0], [0.5, 0.5], [0.5, 0.5]]


def test_rows_with_a_gap_go_whole_to_one_child():
    # drawn by the known weight there: in 3 of 4 trees to the right
    X = np.concatenate([np.zeros(250), np.ones(750), np.full(2000, np.nan)])[:, None]
    y = np.concatenate([np.zeros(250), np.ones(750), np.arange(2000) % 2])
    for kind in ("ho", "fan"):
        forest = RandomForestClassifier(400, kind, None, max_depth=1).fit(X, y)
        counts = [tree.tree_.counts[1:].tolist() for tree in forest.estimators_]
        left, right = [[1250, 1000], [0, 750]], [[250, 0], [1000, 1750]]
        assert all(c in (left, right) for c in counts)
        # give or take 4.5 standard deviations
        assert abs(counts.count(right) - 300) < 4.5 * math.sqrt(75)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(
    "n", [0, 1, 3, _BLOCK - 1, _BLOCK, _BLOCK + 1, 3 * _BLOCK + 2]
)
def test_any_number_of_rows_and_threads(n, missing):
    X, y = mixed(3, 200, missing)
    for part in (X, X.iloc[:, 3:]):
        model = RandomForestClassifier(5).fit(part, y)
        new = part.iloc[np.arange(n) % 200]
        alone = model.predict_proba(new)
        assert alone.shape == (n, 2)
        assert np.array_equal(alone, model.set_params(n_jobs=3).predict_proba(new))
        assert np.array_equal(alone[-3:], model.predict_proba(new.iloc[-3:]))
        assert model.apply(new).shape == (n, 5)


@EVERY_KIND
def test_leaves_and_proximity_by_hand(kind):
    X, y = load_iris()
    model = RandomForestClassifier(7, kind).fit(X, y)
    leaves = model.apply(X)
    for t, member in enumerate(model.estimators_):
        shares = member.tree_.distributions[leaves[:, t]]
        assert (member.tree_.attribute[leaves[:, t]] == -1).all()
        assert np.allclose(shares, member.predict_proba(X))
    near = model.proximity(X.iloc[:30], X.iloc[20:60])
    expected = [[np.mean(leaves[i] == leaves[j]) for j in range(20, 60)] for i in range(30)]
    assert np.allclose(near, expected)
    assert (np.diag(model.proximity(X)) == 1).all()


def test_importances_by_hand():
    X, y = mixed(7, 120)
    model = RandomForestClassifier(5).fit(X, y)
    shares = []
    for member in model.estimators_:
        tree, saved = member.tree_, np.zeros(6)
        for node in np.flatnonzero(tree.attribute >= 0):
            first = tree.first[node]
            saved[tree.attribute[node]] += impurity(tree.counts[node], "gini") - sum(
                impurity(tree.counts[first + side], "gini") for side in (0, 1))
        shares.append(saved / saved.sum())
    assert model.feature_importances_ == pytest.approx(np.mean(shares, axis=0))
    ordered = model.importances()
    assert ordered.is_monotonic_decreasing and set(ordered.index) == set(X.columns)
    assert ordered[X.columns[2]] == pytest.approx(model.feature_importances_[2])


@EVERY_KIND
@pytest.mark.parametrize("row", [0, 3, 7])
def test_explanations_add_up(kind, row):
    X, y = load_heart_disease()
    model = RandomForestClassifier(12, kind).fit(X, y)
    told = model.explain(X.iloc[row])
    shares = model.predict_proba(X.iloc[[row]])[0]
    assert told.prediction == model.classes_[shares.argmax()]
    assert told.probability == pytest.approx(shares.max())
    assert sum(part.contribution for part in told.parts) == pytest.approx(shares.max())
    assert told.parts[0].name == "(start)"


# --------------------------------------------------------------------------- out of bag


@pytest.mark.parametrize("kind", ["breiman", "handout"])
def test_out_of_bag_by_hand(kind):
    X, y = load_heart_disease()
    weights = np.where(np.arange(len(y)) % 2, 2.0, 1.0)
    for w in (None, weights):
        model = RandomForestClassifier(30, kind, oob_score=True).fit(X, y, w)
        votes = np.zeros((len(y), 2))
        for member, rows in zip(model.estimators_, model.samples(X, y, w), strict=True):
            out = np.setdiff1d(np.arange(len(y)), rows)
            votes[out] += member.predict_proba(X.iloc[out])
        judged = votes.sum(axis=1) > 0
        shares = votes[judged] / votes[judged].sum(axis=1, keepdims=True)
        assert np.allclose(model.oob_decision_function_[judged], shares)
        assert np.isnan(model.oob_decision_function_[~judged]).all()
        right = model.classes_[shares.argmax(axis=1)] == y[judged].to_numpy()
        share = np.average(right, weights=None if w is None else w[judged])
        assert model.oob_score_ == pytest.approx(share)


def test_smaller_samples():
    X, y = load_iris()
    model = RandomForestClassifier(4, max_samples=0.2).fit(X, y)
    assert [len(rows) for rows in model.samples(X, y)] == [30] * 4
    assert [t.tree_.counts[0].sum() for t in model.estimators_] == [30] * 4


def test_the_samples_of_a_forest_with_costs():
    X, y = mixed(2, 60, 0.0)
    costs = {y.iloc[0]: 3.0}
    model = RandomForestClassifier(3, class_weight=costs).fit(X, y)
    for rows, member in zip(model.samples(X, y), model.estimators_, strict=True):
        drawn = pd.Series(y.iloc[rows]).value_counts().reindex(model.classes_).fillna(0)
        assert member.tree_.counts[0].tolist() == drawn.tolist()


# ------------------------------------------------------------------ interrupts, weights


def test_an_interrupt_keeps_the_trees_that_are_finished(monkeypatch):
    X, y = load_iris()
    interrupting.stop_at(monkeypatch, forests, "_grow_group", 2)
    monkeypatch.setattr(forests, "_ENTRIES", 3 * 5 * 150)  # three trees grow together
    with pytest.warns(UserWarning, match="the 6 members that were finished, of 20"):
        model = RandomForestClassifier(20, oob_score=True).fit(X, y)
    monkeypatch.undo()
    whole = RandomForestClassifier(6, oob_score=True).fit(X, y)
    assert len(model.estimators_) == len(model.seeds_) == 6
    assert same(model, whole, X) and model.oob_score_ == whole.oob_score_


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("fraction", [0.0, 0.02, 0.3, 0.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_leaf_has_its_share_of_the_weight(kind, fraction, weighted):
    X, y = make_classification(200, 4, n_informative=3, n_redundant=0, random_state=1)
    w = np.random.default_rng(0).uniform(0.1, 5, 200) if weighted else np.ones(200)
    forest = RandomForestClassifier(5, kind=kind, min_weight_fraction_leaf=fraction)
    trees = [member.tree_ for member in forest.fit(X, y, w).estimators_]
    for tree in trees:
        leaves = tree.counts[tree.is_leaf].sum(axis=1) / tree.counts[0].sum()
        assert leaves.min() >= fraction - 1e-9
    least = max(1.0, fraction * trees[0].counts[0].sum())  # all have the same weight
    same = clone(forest).set_params(min_weight_fraction_leaf=0.0, min_samples_leaf=least)
    assert (same.fit(X, y, w).predict_proba(X) == forest.predict_proba(X)).all()


def test_the_trees_one_by_one():
    X, y = load_iris()
    trees = RandomForestClassifier(5).fit(X, y).estimators_
    assert len(trees) == 5 and len(list(trees)) == 5 and len(trees[1:3]) == 2
    assert trees[-1].to_text() == trees[4].to_text() != trees[0].to_text()
    tree = trees[0].tree_
    assert trees[0].n_leaves_ == (tree.attribute < 0).sum() == (trees[0].n_nodes_ + 1) // 2
    assert np.allclose(tree.counts[0], tree.counts[tree.attribute < 0].sum(axis=0))
    text = RandomForestClassifier(5).fit(X, y).to_text()
    assert text.startswith("5 trees of kind 'breiman' with ")


@pytest.mark.parametrize("value, n, expected", [
    ("sqrt", 20, 4), ("sqrt", 1, 1), ("log2", 20, 4), ("log2", 1, 1), (None, 7, 7),
    (3, 5, 3), (0.5, 5, 2), (0.01, 5, 1), (1.0, 5, 5), (np.int64(2), 5, 2)])
def test_how_many_are_drawn(value, n, expected):
    assert _n_drawn(value, n) == expected


