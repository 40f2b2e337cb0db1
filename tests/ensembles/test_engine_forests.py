"""Forests: a plain recursion with the same dice, peers from scikit-learn, one model
however it is grown, gaps and names, weights, out-of-bag by hand, storage, bad input."""

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
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics import learn_table
from supervised.basics.classifiers import encode_classes, from_json
from supervised.basics.datasets import (
    load_breast_cancer,
    load_heart_disease,
    load_iris,
    load_soybean,
    load_wine,
    make_rule_table,
)
from supervised.ensembles.bagging import BaggingClassifier
from supervised.ensembles.engine import forests
from supervised.ensembles.engine.base import _Bags, _drawn_seeds
from supervised.ensembles.engine.forests import (
    _AT_ONCE,
    _KINDS,
    RandomForestClassifier,
    _cells_of,
    _forest_leaves,
    _growing_order,
    _leaf_matches,
    _n_drawn,
    _new_dice,
    _randint,
)
from supervised.trees import CARTClassifier
from tests import examples

EVERY_KIND = pytest.mark.parametrize("kind", list(_KINDS))


def mixed(seed=0, n=60, missing=0.1, **details):
    """Three names and three numbers, with gaps."""
    return make_rule_table(n, 3, 3, noise=0.2, missing=missing, random_state=seed,
                           **details)[:2]


def same(a, b, X):
    return np.array_equal(a.predict_proba(X), b.predict_proba(X))


# ------------------------------------------------------------------- dice, ranks, the sort


class Dice:
    """Marsaglia's multiply-with-carry in Python's own numbers."""

    def __init__(self, seed):
        self.state = 12345 * 2**32 + seed
        for _ in range(8):
            self.roll(2)

    def roll(self, n):
        self.state = 698769069 * (self.state % 2**32) + self.state // 2**32
        return (self.state % 2**32 ^ self.state // 2**32) * n // 2**32


@examples(60)
@given(st.integers(0, 2**32 - 1), st.lists(st.integers(1, 2**31), min_size=1, max_size=50))
def test_the_dice_are_those_of_pythons_numbers(seed, sides):
    ours, plain = _new_dice(seed), Dice(seed)
    for n in sides:
        thrown = _randint(ours, n)
        assert thrown == plain.roll(n) and 0 <= thrown < n


def test_the_dice_are_fair():
    throws = np.array([[_randint(dice, 10) for _ in range(50)]
                       for dice in map(_new_dice, _drawn_seeds(0, 2000).tolist())])
    # all throws, the first of each tree, one beside the next, one tree beside the next
    for column in (throws.ravel(), throws[:, 0], np.diff(throws).ravel() + 10,
                   np.diff(throws, axis=0).ravel() + 10):
        seen = np.bincount(column % 10, minlength=10)
        # chi squared of 9 degrees of freedom: above 33.7 once in 10,000
        assert ((seen - len(column) / 10) ** 2).sum() / (len(column) / 10) < 33.7


@examples(60)
@given(st.lists(st.sampled_from((0.5, -1.0, 3.0, 7.25, np.nan)), min_size=1, max_size=20))
def test_ranks(values):
    data, source = _cells_of(learn_table(np.array(values)[:, None]), None, ranked=True)
    known = sorted({v for v in values if v == v})
    assert data.cells[0].tolist() == [known.index(v) if v == v else -1 for v in values]
    assert data.has_gaps.tolist() == [len([v for v in values if v == v]) < len(values)]


# ------------------------------------------------ the kernel beside a plain recursion


def impurity(counts, criterion):
    """Weight times impurity of some counts."""
    n = sum(counts)
    if criterion == "gini":
        return n - sum(c * c for c in counts) / n
    return -sum(c * math.log2(c / n) for c in counts if c)


class PlainTree:
    """A tree of a forest, with lists and Python's numbers, by the same dice."""

    def __init__(self, model, columns, nominal, k, rows, labels, weights, seed):
        self.columns, self.nominal, self.k = columns, nominal, k
        self.labels, self.weights, self.dice = labels, weights, Dice(seed)
        self.criterion, self.least = model.criterion, model.min_samples_leaf - 1e-6
        kind, m = _KINDS[model.kind], _n_drawn(model.max_features, len(columns))
        self.cuts, self.deepest = kind.cuts, model.max_depth or 10**9
        self.max_depth = 0 if model.max_depth == 0 else self.deepest
        self.per_tree = m if kind.for_tree else len(columns)
        self.per_node = 1 if model.kind == "fan" else m
        self.order, self.blind = list(range(len(columns))), model.min_samples_leaf <= 1
        if self.per_tree < len(columns):
            for i in range(self.per_tree):
                self.swap(i, len(columns))
        self.root = self.node(rows, 0)

    def swap(self, i, n):
        j = i + self.dice.roll(n - i)
        self.order[i], self.order[j] = self.order[j], self.order[i]

    def counts(self, rows):
        found = [0.0] * self.k
        for i in rows:
            found[self.labels[i]] += self.weights[i]
        return found

    def left_over(self, left, right):
        """What a division leaves, None if a side is too light."""
        a, b = self.counts(left), self.counts(right)
        if min(sum(a), sum(b)) <= self.least:
            return None
        return impurity(a, self.criterion) + impurity(b, self.criterion)

    def best_of(self, known, divisions):
        """The first division of the smallest impurity, and its gain."""
        found, best, slack = None, math.inf, 1e-9 * sum(self.weights[i] for i in known)
        for test, goes in divisions:
            after = self.left_over([i for i in known if not goes(i)],
                                   [i for i in known if goes(i)])
            if after is not None and after < best - slack:
                found, best = test, after
        if found is None:
            return -1.0, None
        return max(impurity(self.counts(known), self.criterion) - best, 0.0), found

    def cuts_of(self, a, known):
        column = self.columns[a]
        values = sorted({column[i] for i in known})
        for low, high in zip(values, values[1:], strict=False):
            middle = low / 2 + high / 2
            yield ("<=", middle if low <= middle < high else low), \
                lambda i, low=low: column[i] > low

    def groups_of(self, a, known):
        column = self.columns[a]
        values = sorted({column[i] for i in known})
        whole = self.counts(known)
        classes = [1] if self.k == 2 else sorted(
            (c for c in range(self.k) if whole[c]), key=lambda c: (-whole[c], c))[:8]

        def share(v, c):
            of_value = self.counts([i for i in known if column[i] == v])
            return int(of_value[c] / sum(of_value) * 2**30)

        for c in classes if len(values) > 1 else []:
            inorder = sorted(values, key=lambda v, c=c: (share(v, c), v))
            for n in range(1, len(inorder)):
                left = inorder[:n]
                yield ("in", {v: int(v not in left) for v in values}), \
                    lambda i, left=left: column[i] not in left

    def drawn_test(self, a, known):
        """A random division and its gain, or (-1, None)."""
        column = self.columns[a]
        if self.nominal[a]:
            values = list(dict.fromkeys(column[i] for i in known))
            if len(values) < 2:
                return -1.0, None
            sides = {}
            while len(set(sides.values())) < 2:
                sides = {v: self.dice.roll(2) for v in values}
            divisions = [(("in", sides), lambda i: sides[column[i]] == 1)]
        else:
            low = min((column[i] for i in known), default=0)
            high = max((column[i] for i in known), default=0)
            if low == high:
                return -1.0, None
            u = self.dice.roll(2**30) / 2**30
            x = low * (1.0 - u) + high * u
            x = x if x < high else low
            if self.per_node == 1 and self.blind:
                return 0.0, ("<=", x)
            divisions = [(("<=", x), lambda i: column[i] > x)]
        return self.best_of(known, divisions)

    def best_test(self, rows):
        drawn, chosen, most = 0, None, -1.0
        slack = 1e-9 * sum(self.weights[i] for i in rows)
        while drawn < self.per_tree and (drawn < self.per_node or chosen is None):
            if self.per_node < self.per_tree:
                self.swap(drawn, self.per_tree)
            a = self.order[drawn]
            drawn += 1
            known = [i for i in rows if self.columns[a][i] is not None]
            if self.cuts:
                gain, test = self.drawn_test(a, known)
            else:
                divisions = self.groups_of if self.nominal[a] else self.cuts_of
                gain, test = self.best_of(known, divisions(a, known))
            if test is not None and gain > most + slack:
                chosen, most = (a, *test), gain
        return chosen

    def node(self, rows, depth):
        counts = self.counts(rows)
        may = (sum(counts) - max(counts) >= 1e-6 and depth < self.max_depth
               and sum(counts) >= 2 * (self.least + 1e-6) - 1e-6)
        test = self.best_test(rows) if may else None
        if test is None:
            return counts
        a, how, by = test
        column, sides = self.columns[a], {}
        for i in rows:
            if column[i] is not None:
                sides[i] = by[column[i]] if how == "in" else int(column[i] > by)
        heavy = [sum(self.weights[i] for i, s in sides.items() if s == side)
                 for side in (0, 1)]
        share = heavy[1] / sum(heavy) * 2**30
        for i in rows:
            if i not in sides:
                sides[i] = int(self.dice.roll(2**30) < share)
        return (a, how, by, *(self.node([i for i in rows if sides[i] == side], depth + 1)
                              for side in (0, 1)))


def of_package(tree, node=0):
    """A tree of the package, in the same words."""
    if tree.attribute[node] < 0:
        return tree.counts[node].tolist()
    a, child = int(tree.attribute[node]), int(tree.first[node])
    below = [of_package(tree, child + side) for side in (0, 1)]
    if tree.attributes[a].is_nominal:
        n = len(tree.attributes[a].domain)
        route = tree.routes[tree.route[node] : tree.route[node] + n].tolist()
        return (a, "in", {v: s for v, s in enumerate(route) if s >= 0}, *below)
    return (a, "<=", float(tree.threshold[node]), *below)


def by_hand(model, X, y, weights=None):
    """The trees that the plain recursion grows from the samples of a fitted forest."""
    table, (classes, labels) = learn_table(X), encode_classes(np.asarray(y))
    weights = np.ones(len(labels)) if weights is None else np.asarray(weights, dtype=float)
    columns = [[None if (v < 0 if attribute.is_nominal else np.isnan(v)) else
                int(v) if attribute.is_nominal else float(v) for v in column]
               for attribute, column in table.columns()]
    for seed in model.seeds_.tolist():
        if _KINDS[model.kind].rows:
            bags = _Bags(table, labels, weights, model.max_samples)
            order, each = bags.order, bags.counts(seed).astype(float)
        else:
            order, each = _growing_order(table, labels, weights), weights
            order = np.arange(len(labels)) if order is None else order
        rows = [int(i) for i in order if each[i] > 0]
        yield PlainTree(model, columns, table.is_nominal, len(classes), rows,
                        labels.tolist(), each.tolist(), seed).root


@examples(120)
@given(st.integers(0, 10**6), st.integers(2, 50), st.sampled_from((0.0, 0.15)),
       st.sampled_from(tuple(_KINDS)), st.sampled_from((2, 3)), st.booleans(),
       st.sampled_from((dict(), dict(criterion="entropy"),
                        dict(min_samples_leaf=2, max_features=3),
                        dict(max_depth=2, max_features=1), dict(max_features=None))))
def test_a_plain_recursion_grows_the_same_trees(seed, n, missing, kind, k, whole, options):
    X, y = mixed(seed, n, missing, n_classes=k)
    weights = np.random.default_rng(seed).integers(1, 4, size=n) if whole else None
    model = RandomForestClassifier(2, kind, random_state=seed, **options)
    model.fit(X, y, weights)
    for t, plain in enumerate(by_hand(model, X, y, weights)):
        assert of_package(model.estimators_[t].tree_) == plain


def test_a_column_of_many_ranks_and_one_of_few():
    # 400 rows: the root counts by rank, below keys are sorted in buckets, then by insertion
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=400), rng.integers(5, size=400),
                         rng.exponential(size=400) ** 6])
    y = (X[:, 0] + (X[:, 1] > 2) + rng.normal(size=400) > 0.5).astype(int)
    for kind in _KINDS:
        model = RandomForestClassifier(2, kind, max_features=2).fit(X, y)
        for t, plain in enumerate(by_hand(model, X, y)):
            assert of_package(model.estimators_[t].tree_) == plain


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


def test_importances_are_those_of_scikit_learns_tree():
    X, y = make_classification(2000, 8, n_informative=8, n_redundant=0, random_state=0)
    X = X.astype(np.float32).astype(float)  # as scikit-learn reads it
    for criterion in ("gini", "entropy"):
        ours = RandomForestClassifier(1, "ho", None, criterion, max_depth=3).fit(X, y)
        theirs = DecisionTreeClassifier(criterion=criterion, max_depth=3).fit(X, y)
        assert ours.feature_importances_ == pytest.approx(theirs.feature_importances_)
        assert np.allclose(ours.predict_proba(X), theirs.predict_proba(X))


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
    ours = halves(partial(RandomForestClassifier, 40, kind), X.astype(float), y, 8)
    theirs = halves(partial(PEERS[kind], n_estimators=40), X.astype(float), y, 8)
    apart = ours - theirs
    # t with 7 degrees of freedom: beyond 5.4 once in 1,000
    assert abs(apart.mean()) < 5.4 * apart.std(ddof=1) / math.sqrt(8) + 0.002
    assert abs(apart.mean()) < 0.02


def test_more_chance_makes_trees_less_alike():
    X, y = make_classification(600, 15, n_informative=6, random_state=3)
    likeness = {}
    for kind, m in (("breiman", None), ("breiman", "sqrt"), ("fan", None)):
        leaves = RandomForestClassifier(40, kind, m).fit(X[:300], y[:300])
        votes = np.array([t.predict(X[300:]) for t in leaves.estimators_])
        likeness[kind, m] = np.mean([(a == b).mean() for a in votes for b in votes])
    all_of_them, some, random = likeness.values()
    assert all_of_them > some > random


def test_attributes_of_a_tree_are_few_where_they_are_drawn_for_it():
    X, y = load_breast_cancer()  # 30 attributes, of which 5 are drawn
    for kind, most in (("ho", 5), ("handout", 5), ("breiman", 30)):
        used = [len(set(t.tree_.attribute[t.tree_.attribute >= 0].tolist()))
                for t in RandomForestClassifier(20, kind).fit(X, y).estimators_]
        assert max(used) <= most
        assert kind != "breiman" or max(used) > 5


# ----------------------------------------------------------------- the same, however done


@EVERY_KIND
def test_any_number_of_jobs_and_any_back_end(kind):
    X, y = mixed(4, 150)
    options = dict(n_estimators=6, kind=kind, oob_score=_KINDS[kind].rows, random_state=3)
    alone = RandomForestClassifier(**options).fit(X, y)
    found = [RandomForestClassifier(n_jobs=2, **options).fit(X, y)]
    for backend in ("threading", "loky"):
        with joblib.parallel_config(backend=backend, n_jobs=2):
            found.append(RandomForestClassifier(**options).fit(X, y))
    for other in found:
        assert same(alone, other, X)
        assert alone.to_json().replace('"n_jobs": null', "") == other.to_json().replace(
            '"n_jobs": 2', "").replace('"n_jobs": null', "")
        assert getattr(alone, "oob_score_", 0) == getattr(other, "oob_score_", 0)


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


@EVERY_KIND
@examples(20)
@given(st.integers(0, 10**6))
def test_the_order_of_rows_does_not_matter(kind, seed):
    X, y = mixed(seed, 50)
    order = np.random.default_rng(seed).permutation(50)
    forest = RandomForestClassifier(4, kind, random_state=seed)
    weights = np.random.default_rng(seed).random(50) + 0.1
    for w in (None, weights):
        a = clone(forest).fit(X, y, w)
        b = clone(forest).fit(X.iloc[order], y.iloc[order], None if w is None else w[order])
        assert same(a, b, X)


@EVERY_KIND
@examples(20)
@given(st.integers(0, 10**6))
def test_a_whole_weight_is_a_number_of_copies(kind, seed):
    X, y = mixed(seed, 40, 0.0)  # with a gap, a row of weight 2 draws one lot, two rows two
    weights = np.random.default_rng(seed).integers(0, 4, size=40)
    rows = np.repeat(np.arange(40), weights)
    forest = RandomForestClassifier(4, kind, random_state=seed)
    if y.iloc[rows].nunique() == y.nunique():
        weighted = clone(forest).fit(X, y, sample_weight=weights)
        assert same(weighted, clone(forest).fit(X.iloc[rows], y.iloc[rows]), X)


@EVERY_KIND
def test_only_the_proportions_of_other_weights_count(kind):
    X, y = mixed(3, 80, 0.0)
    weights = np.random.default_rng(0).random(80)
    a, b = (RandomForestClassifier(4, kind).fit(X, y, w) for w in (weights, weights / 64))
    assert np.allclose(a.predict_proba(X), b.predict_proba(X))


def test_weights_move_the_border():
    X, y = make_moons(400, noise=0.4, random_state=0)
    for options in (dict(sample_weight=np.where(y == 1, 6.0, 1.0)), dict()):
        model = RandomForestClassifier(30, min_samples_leaf=5)
        if not options:
            model.set_params(class_weight={1: 6, 0: 1})
        plain = clone(model).set_params(class_weight=None).fit(X, y).predict(X).sum()
        assert model.fit(X, y, **options).predict(X).sum() > 1.15 * plain


def test_more_trees_go_on_where_fewer_end():
    X, y = mixed(5, 100)
    many = RandomForestClassifier(20).fit(X, y)
    few = RandomForestClassifier(8).fit(X, y)
    stages = list(many.staged_predict_proba(X))
    assert len(stages) == 20 and np.allclose(stages[7], few.predict_proba(X))
    assert np.allclose(stages[-1], many.predict_proba(X))


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


def test_lots_for_gaps_follow_the_known_rows():
    # a gap goes right with the share of the known weight there, 0.75; 2000 such rows
    X = np.concatenate([np.zeros(250), np.ones(750), np.full(2000, np.nan)])[:, None]
    y = np.concatenate([np.zeros(250), np.ones(750), np.arange(2000) % 2])
    tree = RandomForestClassifier(1, "ho", None, max_depth=1).fit(X, y).estimators_[0].tree_
    right = tree.counts[2].sum() - 750
    assert abs(right - 1500) < 5 * math.sqrt(2000 * 0.75 * 0.25)


@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize(
    "n", [0, 1, 3, _AT_ONCE - 1, _AT_ONCE, _AT_ONCE + 1, 3 * _AT_ONCE + 2]
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
    assert np.array_equal(_leaf_matches(leaves, leaves), model.proximity(X))
    assert np.array_equal(_forest_leaves(model.forest_, learn_table(X)), leaves)


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


def test_an_earlier_estimate_is_forgotten():
    X, y = load_iris()
    model = RandomForestClassifier(5, oob_score=True).fit(X, y)
    model.set_params(oob_score=False).fit(X, y)
    assert not hasattr(model, "oob_score_")


# ----------------------------------------------------------- interrupts, progress, checks


def test_an_interrupt_keeps_the_trees_that_are_finished(monkeypatch):
    X, y = load_iris()
    grow, calls = forests._grow_random_tree, iter(range(100))

    def interrupted(*arguments):
        if next(calls) == 4:
            raise KeyboardInterrupt
        return grow(*arguments)

    monkeypatch.setattr(forests, "_grow_random_tree", interrupted)
    with pytest.warns(UserWarning, match="the 4 members that were finished, of 20"):
        model = RandomForestClassifier(20, oob_score=True).fit(X, y)
    monkeypatch.undo()
    whole = RandomForestClassifier(4, oob_score=True).fit(X, y)
    assert len(model.estimators_) == len(model.seeds_) == 4
    assert same(model, whole, X) and model.oob_score_ == whole.oob_score_


def test_a_tree_that_fails_is_named(monkeypatch):
    def failing(*arguments):
        raise MemoryError("no room")

    monkeypatch.setattr(forests, "_grow_random_tree", failing)
    with pytest.raises(RuntimeError, match="member 0 failed: MemoryError: no room"):
        RandomForestClassifier(3).fit(*load_iris())


def test_progress(capsys):
    X, y = load_iris()
    RandomForestClassifier(3, verbose=1).fit(X, y)
    assert "3/3" in capsys.readouterr().err
    RandomForestClassifier(3).fit(X, y)
    assert capsys.readouterr().err == ""


@pytest.mark.deep
@pytest.mark.parametrize("options", [dict(kind=k) for k in _KINDS] + [
    dict(criterion="entropy", max_features=None), dict(oob_score=True, max_samples=0.5)],
    ids=str)
@pytest.mark.filterwarnings("ignore")
def test_checks_of_scikit_learn(options):
    check_estimator(RandomForestClassifier(n_estimators=5, **options), on_skip=None)


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


@pytest.mark.parametrize("fraction", [-0.1, 0.6, "half"])
def test_a_share_of_the_weight_is_at_most_half(fraction):
    with pytest.raises((TypeError, ValueError), match="min_weight_fraction_leaf"):
        RandomForestClassifier(min_weight_fraction_leaf=fraction).fit([[0.0], [1]], [0, 1])


@pytest.mark.parametrize("kind", ["breiman", "fan"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_few_rows_are_answered_as_among_many(kind, n_jobs):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((2500, 3))
    y = rng.integers(3, size=2500)  # nothing to learn, so trees of hundreds of nodes
    model = RandomForestClassifier(4, kind, n_jobs=n_jobs).fit(X, y)
    many = model.predict_proba(X)
    assert np.array_equal(many[:3], model.predict_proba(X[:3]))
    leaves = np.array([member.tree_.distributions[stops] for member, stops in zip(
        model.estimators_, model.apply(X).T, strict=True)])
    assert np.allclose(many, leaves.mean(axis=0))


def test_trees_are_a_sequence():
    X, y = load_iris()
    trees = RandomForestClassifier(5).fit(X, y).estimators_
    assert len(trees) == 5 and len(list(trees)) == 5 and len(trees[1:3]) == 2
    assert trees[-1].to_text() == trees[4].to_text() != trees[0].to_text()
    with pytest.raises(IndexError, match="there are 5 trees, but no tree 5"):
        trees[5]
    with pytest.raises(IndexError, match="no tree -6"):
        trees[-6]
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


# ------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize("options, match", [
    ({"n_estimators": 0}, "n_estimators is 0, but must be a whole number"),
    ({"n_estimators": 2.5}, "n_estimators is 2.5"),
    ({"kind": "oak"}, "kind is 'oak', not one of 'breiman', 'ho', 'handout', 'geurts'"),
    ({"max_features": 0}, "max_features is 0, but must be"),
    ({"max_features": 5}, "max_features is 5, .* from 1 to 4"),
    ({"max_features": 1.5}, "max_features is 1.5"),
    ({"max_features": True}, "max_features is True"),
    ({"max_features": "all"}, "max_features is 'all'"),
    ({"max_features": float("nan")}, "max_features is nan"),
    ({"criterion": "error"}, "criterion is 'error'"),
    ({"max_depth": -1}, "max_depth is -1"),
    ({"min_samples_leaf": -1}, "min_samples_leaf is -1"),
    ({"max_samples": 0}, "max_samples is 0, but must be a number above 0"),
    ({"max_samples": 1.5}, "max_samples is 1.5.* at most 1"),
    ({"kind": "ho", "oob_score": True}, "'ho' grows each tree from all rows: oob_score"),
    ({"kind": "fan", "max_samples": 0.5}, "'fan' grows each tree from all rows"),
    ({"class_weight": {"no such": 2}}, "no such"),
    ({"random_state": "zero"}, "random_state is .*, but must be None"),
])
def test_unusable_parameters(options, match):
    X, y = load_iris()
    with pytest.raises(ValueError, match=match):
        RandomForestClassifier(**{"n_estimators": 3, **options}).fit(X, y)


@pytest.mark.parametrize("X, y, match", [
    (np.empty((0, 2)), [], "0 sample"),
    (np.empty((2, 0)), [0, 1], r"0 feature"),
    ([[1.0], [2.0]], [0, np.nan], "label is missing"),
    ([[1.0], [2.0]], [0], "inconsistent numbers"),
    ([[np.inf], [2.0]], [0, 1], "infinity"),
    ([1.0, 2.0], [0, 1], "Expected 2D array"),
])
def test_unusable_data(X, y, match):
    with pytest.raises(ValueError, match=match):
        RandomForestClassifier(2).fit(X, y)


@EVERY_KIND
def test_unusable_weights(kind):
    for weights, match in (([0, 0], "all sample weights are zero"), ([1, -1], "-1"),
                           ([1], "sample_weight.shape"), ([1, np.nan], "nan in row 1")):
        with pytest.raises(ValueError, match=match):
            RandomForestClassifier(2, kind).fit([[1.0], [2.0]], [0, 1], weights)


@EVERY_KIND
@pytest.mark.filterwarnings("error")
def test_one_row_one_class_many_classes(kind):
    one = RandomForestClassifier(3, kind).fit([[1.0, 2.0]], ["a"])
    assert one.predict([[5.0, 5.0]]).tolist() == ["a"]
    assert one.feature_importances_.tolist() == [0, 0]
    same_class = RandomForestClassifier(3, kind).fit([[1.0], [2.0]], ["a", "a"])
    assert same_class.predict_proba([[0.0]]).tolist() == [[1.0]]
    X = np.arange(2000.0)[:, None]
    many = RandomForestClassifier(5, kind).fit(X, np.arange(2000) // 2)
    assert many.predict_proba(X[:5]).shape == (5, 1000)
    assert many.score(X, X[:, 0] // 2) > 0.5
    labels = [("a", 1), ("b", 2)] * 3
    tuples = pd.Series(labels)
    model = RandomForestClassifier(9, kind).fit(np.arange(6.0)[:, None] % 2, tuples)
    assert model.predict([[0.0], [1.0]]).tolist() == labels[:2]


@EVERY_KIND
@pytest.mark.filterwarnings("error")
def test_columns_with_nothing_in_them(kind):
    X = pd.DataFrame({"constant": [1.0] * 8, "empty": [np.nan] * 8,
                      "nameless": pd.Series([None] * 8, dtype=object),
                      "one": ["x"] * 8, "told": [0.0, 0, 0, 0, 1, 1, 1, 1]})
    model = RandomForestClassifier(9, kind, max_features=1).fit(X, list("aaaabbbb"))
    assert np.allclose(model.predict_proba(X).sum(axis=1), 1)
    if kind not in ("ho", "handout"):  # these may draw a useless attribute for a tree
        assert model.predict(X).tolist() == list("aaaabbbb")
    nothing = X.iloc[:, :4]
    blind = RandomForestClassifier(5, kind).fit(nothing, list("aaaaaabb"))
    assert blind.predict(nothing).tolist() == ["a"] * 8
    assert blind.feature_importances_.tolist() == [0, 0, 0, 0]


@EVERY_KIND
def test_values_far_apart_and_close_together(kind):
    # neighbors in floating point, and the ends of its range
    near = np.nextafter(1.0, 2.0)
    for values in ([1.0, near] * 4, [-1.7e308, 1.7e308] * 4, [5e-324, 0.0] * 4):
        X, y = np.array(values)[:, None], ["a", "b"] * 4
        model = RandomForestClassifier(15, kind).fit(X, y)
        assert model.predict(X).tolist() == y


def test_columns_by_name_and_unknown_values():
    X, y = mixed(2, 80, 0.0)
    model = RandomForestClassifier(5).fit(X, y)
    assert np.array_equal(model.predict(X), model.predict(X[X.columns[::-1]]))
    new = X.head(3).copy()
    new[X.columns[0]] = pd.Series(["never seen"] * 3, new.index)
    assert len(model.predict(new)) == 3
    with pytest.raises(ValueError, match="missing"):
        model.predict(X.iloc[:, 1:])
    for ask in ("predict", "apply", "proximity", "staged_predict_proba", "explain"):
        with pytest.raises(NotFittedError):
            getattr(RandomForestClassifier(), ask)(X)
    for name in ("estimators_", "feature_importances_"):
        with pytest.raises((NotFittedError, AttributeError)):
            getattr(RandomForestClassifier(), name)
    with pytest.raises(NotFittedError):
        RandomForestClassifier().samples(X, y)
    with pytest.raises(ValueError, match="kind 'fan' grows each tree from all rows"):
        RandomForestClassifier(2, "fan").fit(X, y).samples(X, y)


def test_many_classes_and_wide_domains():
    X, y = load_soybean()  # 19 classes, names, gaps
    assert cross_val_score(RandomForestClassifier(40), X, y, cv=4).mean() > 0.9
    rng = np.random.default_rng(0)
    names = pd.DataFrame({"id": [f"n{i}" for i in range(500)], "x": rng.normal(size=500)})
    labels = (names["x"] > 0).to_numpy()
    for kind in _KINDS:
        model = RandomForestClassifier(10, kind).fit(names, labels)
        assert model.score(names, labels) > 0.9
