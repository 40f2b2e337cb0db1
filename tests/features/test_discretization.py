"""Discretization: the cut points of Orange and WEKA, scikit-learn's trees, plain
definitions, hostile users."""

from math import log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from supervised.basics import learn_table
from supervised.basics.datasets import (
    load_breast_cancer,
    load_heart_disease,
    load_iris,
    load_tax_evasion,
    load_wine,
)
from supervised.features.discretization import (
    MDLDiscretizer,
    TreeDiscretizer,
    TwoWayDiscretizer,
    mdl_cuts,
    tree_cuts,
    two_way_cut,
)
from tests import examples

quick = examples(60)
KINDS = [MDLDiscretizer, TreeDiscretizer, TwoWayDiscretizer]
FUNCTIONS = [mdl_cuts, tree_cuts, two_way_cut]

# What Orange 3.39.0 (Discretize with EntropyMDL, force=False) and WEKA 3.9 (the filter
# supervised.attribute.Discretize with its defaults) gave on these data.
# They agree; both cut midway.
PEERS = {
    "iris": {
        "sepal length (cm)": [5.55, 6.15], "sepal width (cm)": [2.95, 3.35],
        "petal length (cm)": [2.45, 4.75], "petal width (cm)": [0.8, 1.75],
    }, "wine": {
        "alcohol": [12.185, 12.78], "malic_acid": [1.42, 2.235],
        "ash": [2.03], "alcalinity_of_ash": [17.9], "magnesium": [88.5],
        "total_phenols": [1.84, 2.335], "flavanoids": [0.975, 1.575, 2.31],
        "nonflavanoid_phenols": [0.395], "proanthocyanins": [1.27],
        "color_intensity": [3.46, 7.55], "hue": [0.785, 0.975, 1.295],
        "od280/od315_of_diluted_wines": [2.115, 2.475], "proline": [468, 755, 987.5],
    }, "breast_cancer": {
        "mean radius": [13.095, 15.045, 17.88], "mean texture": [18.635],
        "mean perimeter": [85.25, 98.755, 114.8], "mean area": [529.8, 696.25, 883.25],
        "mean smoothness": [0.089465], "mean compactness": [0.10215, 0.15525],
        "mean concavity": [0.069225, 0.08942, 0.1192],
        "mean concave points": [0.026805, 0.05142, 0.079005],
        "mean symmetry": [0.17155, 0.20865], "mean fractal dimension": [],
        "radius error": [0.19365, 0.42025, 0.54785], "texture error": [],
        "perimeter error": [1.751, 2.762, 5.131], "area error": [18.515, 31.285, 53.78],
        "smoothness error": [], "compactness error": [0.008401, 0.01838],
        "concavity error": [0.011, 0.02111], "concave points error": [0.0092025, 0.011965],
        "symmetry error": [0.043635], "fractal dimension error": [0.003116],
        "worst radius": [14.905, 16.795, 18.225], "worst texture": [23.35, 29.295],
        "worst perimeter": [101.65, 105.95, 117.45], "worst area": [696.05, 884.55, 1214],
        "worst smoothness": [0.13615], "worst compactness": [0.17925, 0.28105, 0.36725],
        "worst concavity": [0.2164, 0.3663],
        "worst concave points": [0.10955, 0.14235, 0.17575],
        "worst symmetry": [0.28065, 0.3571], "worst fractal dimension": [0.09279],
    }, "heart_disease": {
        "age": [54.5], "resting_blood_pressure": [], "cholesterol": [],
        "max_heart_rate": [147.5], "st_depression": [1.7], "major_vessels": [0.5],
    },
}
LOADERS = {"iris": load_iris, "wine": load_wine, "breast_cancer": load_breast_cancer,
           "heart_disease": load_heart_disease}


@pytest.mark.parametrize("name", PEERS)
def test_mdl_cuts_of_orange_and_weka(name):
    X, y = LOADERS[name]()
    fitted = MDLDiscretizer().fit(X, y)
    assert list(fitted.cut_points_) == list(PEERS[name]) == list(X.select_dtypes("number"))
    for column, cuts in PEERS[name].items():
        assert fitted.cut_points_[column] == pytest.approx(cuts, rel=1e-9)
        assert (mdl_cuts(X[column], y) == fitted.cut_points_[column]).all()


# ------------------------------------------------------------------ by definition


def plain_entropy(labels):
    shares = [labels.count(c) / len(labels) for c in set(labels)]
    return -sum(p * log2(p) for p in shares)


def plain_gain(left, right):
    both = left + right
    rest = (len(left) * plain_entropy(left) + len(right) * plain_entropy(right)) / len(both)
    return plain_entropy(both) - rest


def plain_pays(left, right):
    """The criterion as Fayyad and Irani print it."""
    both, k = left + right, [len(set(part)) for part in (left + right, left, right)]
    E, E1, E2 = plain_entropy(both), plain_entropy(left), plain_entropy(right)
    delta = log2(3 ** k[0] - 2) - (k[0] * E - k[1] * E1 - k[2] * E2)
    return plain_gain(left, right) > log2(len(both) - 1) / len(both) + delta / len(both)


def plain_mdl(values, labels):
    """Recursion over all gaps of sorted values; the lowest of the best gaps."""
    gaps = [i for i in range(1, len(values)) if values[i - 1] < values[i]]
    if not gaps:
        return []
    gains = [plain_gain(labels[:i], labels[i:]) for i in gaps]
    i = next(g for g, s in zip(gaps, gains, strict=True) if s > max(gains) - 1e-12)
    if max(gains) < 1e-12 or not plain_pays(labels[:i], labels[i:]):
        return []
    return [*plain_mdl(values[:i], labels[:i]), (values[i - 1] + values[i]) / 2,
            *plain_mdl(values[i:], labels[i:])]


@quick
@given(st.integers(0, 10**6), st.integers(1, 150), st.integers(1, 10), st.integers(1, 60))
def test_mdl_by_definition(seed, n, n_classes, n_values):
    rng = np.random.default_rng(seed)
    values = np.sort(rng.integers(0, n_values, n)).astype(float)
    labels = ((values * n_classes / n_values + rng.normal(0, 0.4, n)).clip(0, n_classes - 1)
              .astype(int))
    expected = plain_mdl(values.tolist(), labels.tolist())
    order = rng.permutation(n)
    assert mdl_cuts(values[order], labels[order]) == pytest.approx(expected)


# ------------------------------------------------------------------ trees


@pytest.mark.parametrize("seed", range(12))
def test_tree_cuts_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    values, n_classes = rng.normal(size=300), 2 + seed % 4
    labels = ((2 * np.sin(3 * values) + rng.normal(0, 0.8, 300)).round()
              .astype(int) % n_classes)
    for most, least in ((2, 1), (3, 1), (5, 1), (8, 5), (20, 10)):
        tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=most,
                                      min_samples_leaf=least, random_state=0)
        tree.fit(values[:, None], labels)
        theirs = np.sort(tree.tree_.threshold[tree.tree_.feature == 0])
        assert tree_cuts(values, labels, most, least) == pytest.approx(theirs)


@quick
@given(st.integers(0, 10**6), st.integers(1, 80), st.integers(2, 9), st.integers(1, 12))
def test_bounds_of_trees(seed, n, most, least):
    rng = np.random.default_rng(seed)
    values, labels = rng.integers(0, 25, n).astype(float), rng.integers(0, 3, n)
    cuts = tree_cuts(values, labels, most, least)
    sizes = np.bincount(np.searchsorted(cuts, values), minlength=len(cuts) + 1)
    assert (len(cuts) < most and (np.diff(cuts) > 0).all()
            and (len(cuts) == 0 or sizes.min() >= least))
    fewer = tree_cuts(values, labels, max(most - 1, 2), least)
    # best first: a larger tree has the cuts of a smaller one
    assert set(fewer) <= set(cuts)
    alone = two_way_cut(values, labels)
    assert tree_cuts(values, labels, 2).tolist() == ([] if np.isnan(alone) else [alone])


# ------------------------------------------------------------ weights, ties, missing values


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_copies(kind):
    X, y = load_heart_disease()
    rng = np.random.default_rng(2)
    copies = rng.integers(0, 4, len(X))
    repeated = kind().fit(X.loc[X.index.repeat(copies)], y.repeat(copies))
    weighted = kind().fit(X, y, sample_weight=copies)
    for name, cuts in repeated.cut_points_.items():
        assert weighted.cut_points_[name] == pytest.approx(cuts)


def test_weights_of_functions():
    income, evade = load_tax_evasion()[0]["Taxable Income"], load_tax_evasion()[1]
    assert mdl_cuts(income, evade).size == 0
    # thrice the evidence
    assert mdl_cuts(income, evade, sample_weight=3).tolist() == [80, 97.5]
    # light weights are shares, and say nothing of how many rows there are
    assert (tree_cuts(income, evade, sample_weight=0.001).tolist()
            == tree_cuts(income, evade).tolist())
    assert mdl_cuts(income, evade, sample_weight=0.001).size == 0
    assert (two_way_cut(income, evade, sample_weight=1e-9)
            == two_way_cut(income, evade) == 97.5)
    only_first = (income <= 90).astype(float)
    assert two_way_cut(income, evade, only_first) == 80


@pytest.mark.parametrize("function", FUNCTIONS)
def test_missing_values_do_not_count(function):
    X, y = load_iris()
    values, holes = X["petal length (cm)"], X["petal length (cm)"].copy()
    holes[::7] = np.nan
    there = holes.notna()
    np.testing.assert_array_equal(function(holes, y), function(values[there], y[there]))
    np.testing.assert_array_equal(function(holes.astype("Float64"), y), function(holes, y))
    for nothing in (np.full(150, np.nan), np.full(150, 3.0)):
        result = function(nothing, y)
        assert np.isnan(result) if function is two_way_cut else result.size == 0


def test_of_two_best_cuts_the_lower():
    rng = np.random.default_rng(5)
    for _ in range(300):
        half = rng.integers(0, 5, 20)
        # mirrored, classes swapped
        labels = np.concatenate([half, np.array([1, 0, 3, 2, 4])[half[::-1]]])
        assert not two_way_cut(np.arange(40.0), labels) > 19.5


@pytest.mark.parametrize("function", FUNCTIONS)
def test_nothing_to_tell(function):
    for values, y in (([1.0, 2, 3], ["a"] * 3), ([5.0], ["a"]),
                      ([0.0, 0, 1, 1], [0, 1, 0, 1])):
        result = function(values, y)
        assert np.isnan(result) if function is two_way_cut else result.size == 0


def test_extremes():
    tiny = np.nextafter(1.0, 2.0)
    # the cut still parts them
    assert 1.0 <= two_way_cut([1.0, tiny] * 9, [0, 1] * 9) < tiny
    huge = np.repeat([-1.7e308, 1.7e308], 20)
    assert mdl_cuts(huge, huge > 0).tolist() == [0.0]
    assert mdl_cuts([-0.0, 0.0] * 20, [0, 1] * 20).size == 0  # one and the same value
    # labels far apart
    assert mdl_cuts(np.arange(40), np.arange(40) // 10 * 7).tolist() == [9.5, 19.5, 29.5]


# ------------------------------------------------------------------ tables


@pytest.mark.parametrize("kind", KINDS)
def test_tables_keep_names_holes_and_nominal_columns(kind):
    X, y = load_heart_disease()
    X = X.set_axis([f"p{i}" for i in range(len(X))], axis=0)
    fitted = kind().fit(X, y.to_numpy())
    new = fitted.transform(X)
    assert (list(new) == list(X) == list(fitted.get_feature_names_out())
            and new.index.equals(X.index))
    assert (new.isna() == X.isna()).all(axis=None)
    for name in X:
        if name in fitted.cut_points_:
            assert (new[name].dtype.ordered
                    and len(new[name].cat.categories) == len(fitted.cut_points_[name]) + 1)
            highest = [X[name][new[name] == c].max() for c in new[name].cat.categories]
            assert all(a <= cut
                       for a, cut in zip(highest, fitted.cut_points_[name], strict=False))
        else:
            pd.testing.assert_series_equal(new[name], X[name])
    pd.testing.assert_frame_equal(new, kind().fit_transform(X, y))
    assert fitted.transform(learn_table(X)).attributes[0].ordered
    matrix = kind().fit_transform(X.select_dtypes("number").to_numpy(float), y)
    assert np.nanmax(matrix, axis=0).tolist() == [len(c)
                                                  for c in fitted.cut_points_.values()]
