"""The frame of the tree learners: parameters, costs
and weights, held-out rows, thresholds, CHAID's categories."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_selection import SelectFromModel
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import MissingValueImputer, learn_table, load_loan
from supervised.basics.classifiers import encode_classes
from supervised.basics.datasets import (
    load_heart_disease,
    load_iris,
    load_xor,
    make_rule_table,
)
from supervised.basics.tables import Attribute, equal_frequency_cuts
from supervised.trees.classifiers import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
)
from supervised.trees.engine.builder import _sorted_rows
from supervised.trees.engine.classifiers import (
    _at_occurring_values,
    _attribute_importances,
    _attribute_prices,
    _equal_weight_cuts,
    _fit_samples,
    _held_out_fold,
    _largest_up_to,
    _priced_weights,
    _TreeClassifier,
)
from supervised.trees.engine.drawing import row_path
from supervised.trees.engine.tree import apply
from tests import examples

FOUR = [ID3Classifier, C45Classifier, CARTClassifier, CHAIDClassifier]


def same_tree(a, b, **tolerance):
    """Whether two trees have the same tests, and the same counts."""
    return (a.n_nodes == b.n_nodes and np.array_equal(a.attribute, b.attribute)
            and np.array_equal(a.routes, b.routes)
            and np.allclose(a.threshold, b.threshold, equal_nan=True)
            and np.allclose(a.counts, b.counts, **tolerance))


def mixed(seed=0, n=200, missing=0.1, **details):
    return make_rule_table(n, 3, 3, noise=0.1, missing=missing, random_state=seed,
                           **details)


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


def test_the_held_out_fold_of_many_classes():
    codes = np.arange(50_000)
    assert _held_out_fold(codes, 5).sum() == 10_000  # and does not take forever


# -------------------------------------------------------------------- thresholds that occur


@pytest.mark.parametrize("seed", range(4))
def test_occurring_thresholds_move_no_training_row(seed):
    X, y = mixed(seed, 300)
    midway = C45Classifier(cut="midpoint", pruning=None).fit(X, y)
    table = learn_table(X)
    moved = _at_occurring_values(midway.tree_, table)
    assert np.array_equal(apply(moved, table), apply(midway.tree_, table))
    for node in np.flatnonzero(~np.isnan(moved.threshold)):
        values = table.columns()[moved.attribute[node]][1]
        below = values[values <= midway.tree_.threshold[node]]  # NaN is not below
        assert moved.threshold[node] == below.max()

    classes, labels = encode_classes(y)
    copies = np.array([np.random.default_rng(seed + i).integers(0, 3, 300) for i in (0, 9)])
    copies[:, 0] += copies.sum(axis=1).max() - copies.sum(axis=1)  # samples of one size
    some, low = (_fit_samples([C45Classifier(cut=cut, pruning=None) for _ in range(2)],
                              table, labels, classes, copies, _sorted_rows(table))
                 for cut in ("midpoint", "value"))
    for i in range(2):
        tree, moved, wanted = some[i].tree_, low[i].tree_, copies[i] > 0
        for node in np.flatnonzero(~np.isnan(tree.threshold)):
            values = table.columns()[tree.attribute[node]][1][wanted]
            assert moved.threshold[node] == values[values <= tree.threshold[node]].max()


@examples(200)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=40),
       st.data())
def test_each_threshold_moves_to_the_largest_value_below_it(values, data):
    values = np.array(values)
    thresholds = np.sort(data.draw(st.lists(st.sampled_from(values), min_size=1,
                                            max_size=20)))
    thresholds = np.sort(np.maximum(
        thresholds, np.nextafter(thresholds, data.draw(st.sampled_from([0, np.inf])))))
    expected = [values[values <= t].max() for t in thresholds]
    assert _largest_up_to(thresholds, np.append(values, np.nan)).tolist() == expected


def test_many_thresholds_move_as_in_the_plain_version():
    rng = np.random.default_rng(0)
    for values in (rng.normal(size=3000), rng.exponential(size=3000) ** 5,
                   rng.integers(0, 9, 3000) * 1.0):
        thresholds = np.sort(rng.choice(values, 500) + rng.choice([0, 1e-9, 0.1], 500))
        assert _largest_up_to(thresholds, values).tolist() == [values[values <= t].max()
                                                               for t in thresholds]


# ------------------------------------------------------------------------------ parameters


@pytest.mark.parametrize("kind, name, value, match", [
    (ID3Classifier, "criterion", "entropy", "criterion is 'entropy', not one of 'gain'"),
    (C45Classifier, "criterion", "gini", "criterion is 'gini'"),
    (CARTClassifier, "criterion", "gain", "criterion is 'gain'"),
    (C45Classifier, "pruning", "mdl ", "pruning is 'mdl '"),
    (ID3Classifier, "pruning", False, "pruning is False"),
    (C45Classifier, "confidence_factor", 0,
     "confidence_factor is 0, but must be a number above 0 and at most 0.5"),
    (C45Classifier, "confidence_factor", 0.51, "confidence_factor is 0.51"),
    (C45Classifier, "confidence_factor", "0.2", "confidence_factor is '0.2'"),
    (C45Classifier, "confidence_factor", np.nan, "confidence_factor is nan"),
    (C45Classifier, "confidence_factor", None, "confidence_factor is None"),
    (CARTClassifier, "min_samples_leaf", 0, "min_samples_leaf is 0"),
    (CARTClassifier, "min_samples_leaf", -1, "min_samples_leaf is -1"),
    (CHAIDClassifier, "min_num_obj", np.inf, "min_num_obj is inf"),
    (C45Classifier, "min_num_obj", True, "min_num_obj is True"),
    (ID3Classifier, "max_depth", -1, "max_depth is -1"),
    (ID3Classifier, "max_depth", 2.0, "max_depth is 2.0"),
    (ID3Classifier, "min_gain", -0.1,
     "min_gain is -0.1, but must be a number of at least 0"),
    (CARTClassifier, "ccp_alpha", -1, "ccp_alpha is -1"),
    (CARTClassifier, "n_folds", 1, "n_folds is 1"),
    (C45Classifier, "cut", "middle", "cut is 'middle'"),
    (C45Classifier, "mdl_correction", "yes", "mdl_correction is 'yes'"),
    (C45Classifier, "collapse", None, "collapse is None"),
    (C45Classifier, "subtree_raising", 2, "subtree_raising is 2"),
    (CHAIDClassifier, "significance_level", 0, "significance_level is 0"),
    (CHAIDClassifier, "significance_level", 1.5, "at most 1"),
    (CHAIDClassifier, "merge_significance_level", -0.1, "merge_significance_level is -0.1"),
    (CHAIDClassifier, "n_bins", 1, "n_bins is 1"),
    (CHAIDClassifier, "n_bins", 2.5, "n_bins is 2.5"),
])
def test_parameters_are_checked(kind, name, value, match):
    X, y = load_loan()
    with pytest.raises(ValueError, match=match):
        kind(**{name: value}).fit(X, y)


def test_numbers_of_numpy_are_numbers():
    X, y = load_loan()
    numbers = {"confidence_factor": np.float32(0.25), "min_num_obj": np.int64(2),
               "max_depth": np.int32(3), "subtree_raising": np.True_}
    assert C45Classifier(**numbers).fit(X, y).n_leaves_ == 3


def test_the_base_leaves_a_hook():
    with pytest.raises(NotImplementedError):
        _TreeClassifier()._settings()


# ------------------------------------------------------------------------ weights and costs


@pytest.mark.parametrize("kind", [ID3Classifier, CARTClassifier])
def test_only_ratios_of_light_weights_count(kind):
    X, y = mixed(7, 300, 0.0)
    w = np.random.default_rng(0).uniform(0.5, 1, 300)
    a, b = kind().fit(X, y, w / w.sum()), kind().fit(X, y, w / w.min())
    assert same_tree(a.tree_, b.tree_) and a.n_leaves_ > 5
    assert same_tree(kind().fit(X, y, np.full(300, 1e-9)).tree_, kind().fit(X, y).tree_)


@pytest.mark.filterwarnings("error")
def test_boosting_takes_cart_and_c45():
    X, y = load_iris()
    for learner in (CARTClassifier(max_depth=2), C45Classifier(max_depth=2)):
        boosted = AdaBoostClassifier(learner, n_estimators=10, random_state=0).fit(X, y)
        assert boosted.score(X, y) > 0.97


@pytest.mark.filterwarnings("error")
def test_few_rows_give_no_warning():
    X, y = load_xor()
    assert C45Classifier(min_num_obj=3).fit(X, y).n_nodes_ == 1


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


def test_priced_weights_by_hand():
    codes = np.array([0, 1, 1, 1])
    found = _priced_weights(np.array([1.0, 1, 1, 1]), codes, np.array(["a", "b"]), {"a": 3})
    assert np.allclose(found, [2, 2 / 3, 2 / 3, 2 / 3])
    assert (_priced_weights(np.ones(4), codes, np.array([0, 1]), {0: 1e300, 1: 1e300})
            .tolist() == [1] * 4)
    assert np.isfinite(_priced_weights(np.ones(4), codes, np.array([0, 1]),
                                       {0: 1e308, 1: 1e-308})).all()


@pytest.mark.parametrize("costs, match", [
    ({"maybe": 2},
     r"class_costs names the classes \['maybe'\], but there are \['No', 'Yes'\]"),
    ({"No": 0}, "the cost of class 'No' is 0"),
    ({"No": -1}, "'No' is -1"), ({"No": np.inf}, "'No' is inf"),
    ({"No": np.nan}, "'No' is nan"), ({"No": "dear"}, "'No' is 'dear'"),
    ([1, 2], r"class_weight is \[1, 2\], .* a mapping from classes to costs"),
    ("equal", "class_weight is 'equal', but must be None, 'balanced', or a"),
])
def test_unusable_costs(costs, match):
    X, y = load_loan()
    with pytest.raises(ValueError, match=match):
        C45Classifier(class_weight=costs).fit(X, y)


def test_prices_of_attributes_stand_in_the_order_of_the_table():
    X, _ = load_loan()
    attributes = learn_table(X).attributes
    assert _attribute_prices(attributes, None).tolist() == [1, 1, 1, 1]
    assert (_attribute_prices(attributes, {"Credit_rating": 8, "Age": np.float32(0.5)})
            .tolist() == [0.5, 1, 1, 8])
    assert (_attribute_prices(attributes, pd.Series({"Own_house": 2}))
            .tolist() == [1, 1, 2, 1])
    assert (_attribute_prices([Attribute(0), Attribute(("a", 1))], {("a", 1): 3})
            .tolist() == [1, 3])
    assert _attribute_prices([], None).tolist() == []


@pytest.mark.parametrize("kind", FOUR)
@pytest.mark.parametrize("costs, match", [(
    {"Rating": 2},
    r"attribute_costs names the attributes \['Rating'\], but there are \['Age', 'Has_job'"),
                                          ({"Age": 0}, "the cost of attribute 'Age' "
                                           "is 0, but must be a number above 0"),
                                          ({"Age": -1}, "'Age' is -1"),
                                          ({"Age": np.inf}, "'Age' is inf"),
                                          ({"Age": np.nan}, "'Age' is nan"),
                                          ({"Age": None}, "'Age' is None"),
                                          ({"Age": True}, "'Age' is True"),
                                          ([1, 2, 1, 1], r"attribute_costs is \[1, 2, .* a "
                                           "mapping from attributes to costs"),
])
def test_unusable_costs_of_attributes(kind, costs, match):
    X, y = load_loan()
    with pytest.raises(ValueError, match=match):
        kind(attribute_costs=costs).fit(X, y)


@pytest.mark.parametrize("kind", FOUR)
def test_the_cost_rule_is_checked(kind):
    X, y = load_loan()
    with pytest.raises(ValueError,
                       match="cost_rule is 'tan', not one of 'tan_schlimmer', 'nunez'"):
        kind(cost_rule="tan").fit(X, y)
    assert (kind(attribute_costs=dict.fromkeys(X, 1.0)).fit(X, y).to_text() == kind()
            .fit(X, y).to_text())


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


def test_cuts_of_equal_weight_are_those_of_equal_frequency():
    values = np.random.default_rng(0).normal(size=120)
    assert np.allclose(_equal_weight_cuts(values, np.ones(120), 8),
                       equal_frequency_cuts(values, 8))


def test_cuts_of_odd_columns():
    assert len(_equal_weight_cuts(np.full(5, np.nan), np.ones(5), 4)) == 0
    assert len(_equal_weight_cuts(np.full(5, 2.0), np.ones(5), 4)) == 0
    assert len(_equal_weight_cuts(np.empty(0), np.empty(0), 4)) == 0
    assert (_equal_weight_cuts(np.array([1, np.nan, 3.0]), np.array([0.1, 5, 0.1]), 2)
            .tolist() == [2])


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


def test_importances():
    X, y = load_heart_disease()
    for kind in FOUR:
        shares = kind().fit(X, y).feature_importances_
        assert (shares.shape == (13,) and np.isclose(shares.sum(), 1)
                and (shares >= -1e-12).all())
    leaf = CARTClassifier(max_depth=0).fit(X, y)
    assert ((leaf.feature_importances_ == 0).all()
            and (_attribute_importances(leaf.tree_, "error") == 0).all())
    chosen = SelectFromModel(CARTClassifier(max_depth=2),
                             threshold=1e-9).fit(MissingValueImputer().fit_transform(X), y)
    assert 2 <= chosen.get_support().sum() <= 3


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
    with pytest.raises(ValueError,
                       match="class_weight is .* a mapping from classes to costs"):
        CARTClassifier(class_weight="equal").fit(X, y)


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


def test_importances_have_names():
    X, y = load_heart_disease()
    model = C45Classifier().fit(X, y)
    found = model.importances()
    assert sorted(found.index) == sorted(X) and found.is_monotonic_decreasing
    assert np.allclose(found[list(X)], model.feature_importances_)


def test_logarithms_of_probabilities():
    X, y = load_iris()
    model = C45Classifier().fit(X, y)
    assert np.allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))
    assert np.isneginf(model.predict_log_proba(X)).any()  # and no warning


# ------------------------------------------------------ rows that count so often


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 80), st.sampled_from((0.0, 0.2)),
       st.sampled_from((ID3Classifier(), CARTClassifier(), C45Classifier(pruning=None),
                        C45Classifier(pruning=None, min_num_obj=7, cut="midpoint"))))
def test_copies_grow_the_tree_of_the_rows_written_out(seed, n, missing, learner):
    X, y = make_rule_table(n, 3, 3, noise=0.2, missing=missing, random_state=seed)[:2]
    table, (classes, labels) = learn_table(X), encode_classes(y)
    rows = np.sort(np.random.default_rng(seed).integers(n, size=n))
    written_out = clone(learner).fit(table[rows], labels[rows])
    copies = np.bincount(rows, minlength=n)
    grown, = _fit_samples([clone(learner)], table, labels, classes, copies[None],
                          _sorted_rows(table))
    if len(written_out.classes_) == len(classes):  # else C4.5's mean class size differs
        assert same_tree(grown.tree_, written_out.tree_, atol=1e-9)
        assert (grown.n_leaves_, grown.depth_) == (written_out.n_leaves_,
                                                   written_out.depth_)
    assert grown.classes_.tolist() == classes.tolist()


def test_c45_counts_copies_as_instances():
    # 0.1 of a class's mean size is at most 25; half of it is what a side needs
    x, y = np.array([[0.0], [1.0]]), np.array([0, 1])
    table, few = learn_table(x), np.array([1, 1])
    for copies, leaves in ((few, 1), (2 * few, 2)):
        learner, = _fit_samples([C45Classifier(pruning=None)], table, y, y, copies[None],
                                _sorted_rows(table))
        assert learner.n_leaves_ == leaves


def test_copies_are_for_trees_without_pruning():
    table, y = learn_table([[0.0], [1.0]]), np.array([0, 1])
    for learner in (C45Classifier(), CARTClassifier(class_weight="balanced")):
        with pytest.raises(ValueError, match="neither pruning nor class_weight"):
            _fit_samples([learner], table, y, y, (y + 1)[None], _sorted_rows(table))
