"""The frame of the tree learners: parameters, costs
and weights, held-out rows, thresholds, CHAID's categories."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import learn_table, load_loan
from supervised.basics.datasets import load_iris
from supervised.trees.classifiers import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
)
from supervised.trees.engine.builder import _sorted_rows
from supervised.trees.engine.classifiers import (
    _equal_weight_cuts,
    _fit_samples,
    _held_out_fold,
)
from supervised.trees.engine.drawing import row_path
from tests import examples
from tests.trees.test_classifiers import mixed, same_tree

FOUR = [ID3Classifier, C45Classifier, CARTClassifier, CHAIDClassifier]


# ------------------------------------------------------------------------ the rows held out


def wekas_fold(labels, n_folds):
    """`stratify` and `testCV` of WEKA's Instances, line by line."""
    data, index = list(range(len(labels))), 1
    while index < len(data):
        first = data[index - 1]
        for j in range(index, len(data)):
            if labels[first] == labels[data[j]]:
                data[index], data[j] = data[j], data[index]
                index += 1
        index += 1
    dealt, start = [], 0
    while len(dealt) < len(data):
        dealt += data[start::n_folds]
        start += 1
    size = len(data) // n_folds
    return sorted(dealt[len(data) - size :])


@examples(200)
@given(st.lists(st.integers(0, 5), min_size=2, max_size=60), st.integers(2, 12))
def test_the_held_out_fold_is_wekas(labels, n_folds):
    codes = np.unique(labels, return_inverse=True)[1]
    if n_folds > len(codes):
        with pytest.raises(ValueError, match=f"n_folds is {n_folds}, but there are only "
                           f"{len(codes)} rows"):
            _held_out_fold(codes, n_folds)
    else:
        assert (np.flatnonzero(_held_out_fold(codes, n_folds))
                .tolist() == wekas_fold(codes.tolist(), n_folds))



# ------------------------------------------------------------------------ weights and costs


@pytest.mark.filterwarnings("error")
def test_boosting_takes_cart_and_c45():
    X, y = load_iris()
    for learner in (CARTClassifier(max_depth=2), C45Classifier(max_depth=2)):
        boosted = AdaBoostClassifier(learner, n_estimators=10, random_state=0).fit(X, y)
        assert boosted.score(X, y) > 0.97


@pytest.mark.parametrize("kind", FOUR)
def test_class_costs_are_weights(kind):
    X, y = mixed(8, 300)
    cost = ({"c1": 4, "c2": 1} if "c1" in set(y)
            else dict(zip(sorted(set(y)), (4, 1), strict=True)))
    w = y.map(cost).astype(float)
    X = X.select_dtypes("category")  # CHAID makes its intervals before it hears of costs
    priced, weighed = (kind(class_weight=cost).fit(X, y),
                       kind().fit(X, y, w * (300 / w.sum())))
    assert same_tree(priced.tree_, weighed.tree_)
    assert np.isclose(priced.tree_.counts[0].sum(),
                      300 if kind in (C45Classifier, CHAIDClassifier) else w.sum())
    tripled = kind(class_weight=pd.Series(cost) * 3).fit(X, y)
    assert same_tree(tripled.tree_, priced.tree_)
    assert same_tree(kind(class_weight=dict.fromkeys(cost, 7.5)).fit(X, y).tree_,
                     kind().fit(X, y).tree_)


@pytest.mark.parametrize("costs, match", [
    ({"maybe": 2},
     r"class_costs names the classes \['maybe'\], but there are \['No', 'Yes'\]"),
    ({"No": 0}, "the cost of class 'No' is 0"), ({"No": "dear"}, "'No' is 'dear'"),
])
def test_unusable_costs(costs, match):
    X, y = load_loan()
    with pytest.raises(ValueError, match=match):
        C45Classifier(class_weight=costs).fit(X, y)


@pytest.mark.parametrize(("rule", "asked"), [("tan_schlimmer", "b"), ("nunez", "a")])
def test_a_gain_is_weighed_against_its_cost(rule, asked):
    """a gains 1 bit, b 1 - 5/8 (0.8 log2 5/4 + 0.2 log2 5) = 0.549. By Tan and Schlimmer
    a is worth 1 / 1, b 0.549^2 / 0.25 = 1.2; by Nunez 1 / 2 and 0.463 / 1.25 = 0.37."""
    X = pd.DataFrame({"a": list("yyyynnnn"), "b": list("yyynnnnn")})
    tree = ID3Classifier(attribute_costs={"a": 1, "b": 0.25}, cost_rule=rule)
    assert tree.fit(X, list("++++----")).to_text().startswith(f"{asked} = ")


# ----------------------------------------------------------------------- CHAID's categories


@examples(80)
@given(st.lists(st.tuples(st.integers(-20, 20), st.integers(1, 4)), min_size=1,
                max_size=40), st.integers(2, 12))
def test_cuts_of_equal_weight(pairs, n_bins):
    values, times = np.array(pairs).T
    cuts = _equal_weight_cuts(values.astype(float), times.astype(float), n_bins)
    row = sorted(np.repeat(values, times).tolist())
    # the last before each cut
    left = {row[-(-i * len(row) // n_bins) - 1] for i in range(1, n_bins)} - {row[-1]}
    assert (len(cuts) == len(left)
            and [max(v for v in row if v <= c) for c in cuts] == sorted(left))
    assert np.array_equal(cuts, _equal_weight_cuts(np.array(row, dtype=float),
                                                   np.full(len(row), 0.1), n_bins))


def test_a_gap_is_a_value_of_chaid():
    X = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6, 7, 8] * 5 + [np.nan] * 20})
    y = ["low"] * 40 + ["gone"] * 20
    model = CHAIDClassifier(n_bins=4).fit(X, y)
    assert model.tree_.attributes[0].domain[-1] == "missing" and model.n_leaves_ == 2
    assert (model.predict(pd.DataFrame({"x": [np.nan, 3.0, 99.0]}))
            .tolist() == ["gone", "low", "low"])


def test_rare_values_of_chaid():
    rng = np.random.default_rng(0)
    names = np.array([f"id{i}" for i in range(3000)] + ["often"] * 300 + ["also"] * 300)
    X = pd.DataFrame({"name": names, "x": rng.random(3600)})
    y = np.where(names == "often", "a",
                 np.where(names == "also", "b", rng.choice(["a", "b"], 3600)))
    model = CHAIDClassifier().fit(X, y)
    domain = model.tree_.attributes[0].domain
    assert (len(domain) == 50 and domain[-1] == "any other"
            and {"often", "also"} < set(domain))
    asked = pd.DataFrame({"name": ["often", "also", "id2999", "new"], "x": 0.5})
    assert (model.predict(asked)[:2].tolist() == ["a", "b"]
            and len(model.predict(asked)) == 4)


# ------------------------------------------------------------------------------ importances


def test_importances_by_hand():
    X, y = load_loan()
    shares = pd.Series(ID3Classifier().fit(X, y).feature_importances_, list(X))
    # bits of all, and of the nine without a house
    root, below = 15 * 0.970951, 9 * 0.918296
    assert np.allclose(shares[["Own_house", "Has_job"]],
                       [(root - below) / root, below / root], atol=1e-6)


@pytest.mark.parametrize("weights", [None, np.r_[np.ones(100), np.full(200, 0.5)]])
def test_balanced_costs_are_scikit_learns(weights) -> None:
    from sklearn.utils.class_weight import compute_class_weight

    from supervised.basics.datasets import load_credit
    from supervised.trees import C45Classifier, CARTClassifier

    X, y = load_credit()
    X, y = X[:300], y[:300]
    classes = np.unique(y)
    known = {} if weights is None else {"sample_weight": weights}
    costs = compute_class_weight("balanced", classes=classes, y=y, **known)
    for kind in (C45Classifier, CARTClassifier):
        small = {"max_depth": 3}  # a full tree has pure leaves, whatever the costs
        named = dict(zip(classes, costs, strict=True))
        by_name = kind(class_weight=named, **small).fit(X, y, weights)
        balanced = kind(class_weight="balanced", **small).fit(X, y, weights)
        assert np.allclose(balanced.predict_proba(X), by_name.predict_proba(X))
        plain = kind(**small).fit(X, y, weights)
        assert not np.allclose(balanced.predict_proba(X), plain.predict_proba(X))
    stump = CARTClassifier(class_weight="balanced", max_depth=0).fit(X, y, weights)
    assert np.allclose(stump.predict_proba(X[:1]), 0.5)  # all classes weigh the same


# ------------------------------------------------------------- what others expect of a tree


def test_the_decision_path_is_scikit_learns():
    X, y = load_iris()
    ours = CARTClassifier().fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0).fit(X, y)
    path, peer = ours.decision_path(X), theirs.decision_path(X.to_numpy(np.float32))
    assert path.shape == (150, ours.n_nodes_) and sparse.issparse(path)
    assert set(np.unique(path.data)) == {1.0}
    assert np.asarray(path.sum(axis=0)).ravel()[0] == 150
    if ours.n_nodes_ == theirs.tree_.node_count:
        assert np.array_equal(np.sort(path.sum(axis=0)), np.sort(peer.sum(axis=0)))
    for i in (0, 77, 149):
        assert (path[i].indices[np.argsort(ours.tree_.depths[path[i].indices])]
                .tolist() == row_path(ours, X, i))


def test_a_row_with_a_gap_has_a_path_in_parts():
    X, y = mixed(missing=0.3)
    model = C45Classifier(pruning=None).fit(X, y)
    path = model.decision_path(X)
    leaves = np.asarray(path[:, model.tree_.is_leaf].sum(axis=1)).ravel()
    assert np.allclose(leaves, 1) and (path.data < 1).any()
    shares = path[:, model.tree_.is_leaf] @ model.tree_.distributions[model.tree_.is_leaf]
    assert np.allclose(shares, model.predict_proba(X))


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_pruning_path_is_scikit_learns(criterion):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 3)).round(3)
    y = (X[:, 0] + rng.normal(scale=0.5, size=200) > 0).astype(int)
    ours = CARTClassifier(criterion).cost_complexity_pruning_path(X, y)
    peer = DecisionTreeClassifier(criterion=criterion,
                                  random_state=0).cost_complexity_pruning_path(X, y)
    alphas, last = np.unique(peer.ccp_alphas.round(12), return_index=True)
    last = np.append(last[1:] - 1, len(peer.ccp_alphas) - 1)
    assert (np.allclose(ours.ccp_alphas, alphas)
            and np.allclose(ours.impurities, peer.impurities[last]))
    assert ours.n_leaves[-1] == 1 and (np.diff(ours.n_leaves) < 0).all()
    for alpha, n_leaves in zip(ours.ccp_alphas, ours.n_leaves, strict=True):
        model = CARTClassifier(criterion, pruning="cost_complexity", ccp_alpha
                               =alpha).fit(X, y)
        assert model.n_leaves_ == n_leaves


# ------------------------------------------------------ rows that count so often


def test_c45_counts_copies_as_instances():
    # 0.1 of a class's mean size is at most 25; half of it is what a side needs
    x, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    table, few = learn_table(x), np.array([1, 1])
    for copies, leaves in ((few, 1), (2 * few, 2)):
        learner, = _fit_samples([C45Classifier(pruning=None)], table, y, y, copies[None],
                                _sorted_rows(table))
        assert learner.n_leaves_ == leaves
