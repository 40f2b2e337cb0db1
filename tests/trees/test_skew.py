"""Skewed classes: copies, smoothing, and what a hostile user would pass."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.datasets import load_heart_disease, load_titanic, make_rule_table
from supervised.basics.tables import learn_table
from supervised.trees.classifiers import (
    C45Classifier,
    CARTClassifier,
    CHAIDClassifier,
    ID3Classifier,
)
from supervised.trees.multivariate import ObliqueTreeClassifier
from supervised.trees.skew import SMOTE, oversample
from tests import examples
from tests.trees import least_weight

quick = examples(60)


@quick
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=40), st.floats(0.01, 1.0),
       st.integers(0, 5))
def test_oversampling_repeats_whole_rows_evenly(labels, ratio, seed):
    y = np.array(labels)
    X = np.arange(len(y), dtype=float)[:, None]
    rows, found = oversample(X, y, ratio, random_state=seed)
    assert (rows[: len(y), 0] == X[:, 0]).all()  # all rows first
    assert (y[rows[:, 0].astype(int)] == found).all()  # each copy keeps its label
    before, after = pd.Series(labels).value_counts(), pd.Series(found).value_counts()
    least = int(np.ceil(ratio * before.max()))
    assert all(after[c] == max(before[c], least) for c in before.index)
    times = np.bincount(rows[:, 0].astype(int), minlength=len(y))
    for c in before.index:  # no row of a class is repeated twice more often than another
        assert np.ptp(times[y == c]) <= 1


def test_oversampling_takes_frames_arrays_tables_and_lists():
    X, y = load_titanic()
    for form in (X, learn_table(X)):
        rows, labels = oversample(form, y, random_state=0)
        assert type(rows) is type(form) and len(rows) == len(labels)
        assert pd.Series(labels).value_counts().nunique() == 1
    rows, labels = oversample([[1.0], [2.0], [3.0]], ["a", "a", "b"], random_state=0)
    assert (rows.tolist() == [[1.0], [2.0], [3.0], [3.0]]
            and labels.tolist() == ["a", "a", "b", "b"])


@pytest.mark.parametrize("ratio", [0, -1, 1.5, np.nan])
def test_a_ratio_out_of_range_is_named(ratio):
    with pytest.raises(ValueError, match="ratio"):
        oversample([[1.0]], ["a"], ratio)


def test_smote_of_two_rows_lies_on_the_line_between_them():
    """Two rare rows: each artificial one is (0, 0) + u (4, 2), u from 0 to 1."""
    X = np.array([[0.0, 0.0], [4.0, 2.0]] + [[9.0, 9.0]] * 6)
    y = np.array(["rare"] * 2 + ["common"] * 6)
    rows, labels = SMOTE(random_state=0).fit_resample(X, y)
    assert (rows[:8] == X).all() and (labels[:8] == y).all()
    assert len(rows) == 12 and (labels[8:] == "rare").all()
    made = rows[8:]
    assert np.allclose(made[:, 0], 2 * made[:, 1])
    assert (made >= 0).all() and (made[:, 0] <= 4).all() and len(np.unique(made[:, 0])) == 4


@quick
@given(st.integers(2, 12), st.integers(1, 6), st.floats(0.3, 1.0), st.integers(0, 5))
def test_smote_draws_its_partner_among_the_nearest_of_the_class(n, k, ratio, seed):
    """Each artificial row is on a line from a row to one of its k nearest, found by
    enumeration; as many are made as the ratio asks for."""
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n + 20, 2)), np.repeat([1, 0], [n, 20])
    rows, labels = SMOTE(ratio, k, random_state=seed).fit_resample(X, y)
    made = rows[len(X):]
    assert len(made) == max(int(np.ceil(ratio * 20)) - n, 0)
    assert (labels[len(X):] == 1).all()
    of_class, Z = X[:n], X[:n] / X.std(axis=0)
    distance = np.sqrt(((Z[:, None] - Z) ** 2).sum(axis=2))
    np.fill_diagonal(distance, np.inf)
    reach = np.sort(distance, axis=1)[:, min(k, n - 1) - 1]
    one, other = (of_class[i] for i in np.nonzero(distance <= reach[:, None] + 1e-9))

    def length(vectors):
        return np.linalg.norm(vectors, axis=1)

    for row in made:  # |a - row| + |row - b| = |a - b| for one of the pairs
        detour = length(one - row) + length(row - other) - length(one - other)
        assert detour.min() < 1e-9


def test_smote_answers_in_the_form_it_was_asked_in():
    X = pd.DataFrame({"a": [0.0, 1.0, 5, 6, 7, 8], "b": [0, 2, 5, 5, 5, 5]})
    rows, labels = SMOTE(random_state=1).fit_resample(X, pd.Series(list("rrcccc")))
    assert list(rows) == ["a", "b"] and labels.tolist() == list("rrccccrr")
    again, _ = SMOTE(random_state=1).fit_resample(X.to_numpy(), list("rrcccc"))
    assert np.array_equal(rows, again)


@pytest.mark.parametrize(("how", "X", "y", "named"), [
    ({"ratio": 0}, [[1.0], [2.0]], [0, 1], "ratio"),
    ({"n_neighbors": 0}, [[1.0], [2.0]], [0, 1], "n_neighbors"),
    ({}, [[1.0], [2.0], [3.0]], ["a", "a", "b"], "class 'b' has one row"),
    ({}, [[1.0], [np.nan], [3.0]], [0, 0, 1], "missing"),
    ({}, pd.DataFrame({"color": ["red", "blue", "red"]}), [0, 0, 1], "nominal"),
    ({}, [[1.0], [2.0]], [0], "2 rows and y 1"),
])
def test_what_smote_cannot_take_is_named(how, X, y, named):
    with pytest.raises(ValueError, match=named):
        SMOTE(**how).fit_resample(X, y)


def laplace(**options):
    return CARTClassifier(smoothing="laplace", **options)


def test_laplace_by_hand():
    """Seven rows on each side of 0.5: 3 + 0 of class a on the left, 1 of 4 on the right."""
    X = np.array([[0.0]] * 3 + [[1.0]] * 4)
    y = np.array(["a"] * 3 + ["a", "b", "b", "b"])
    p = laplace().fit(X, y).predict_proba([[0.0], [1.0]])
    assert np.allclose(p, [[4 / 5, 1 / 5], [2 / 6, 4 / 6]])
    # 4 of 7 rows are of class a, and three imagined rows have that share
    p = CARTClassifier(smoothing=3).fit(X, y).predict_proba([[0.0]])
    assert np.allclose(p, [[(3 + 12 / 7) / 6, (9 / 7) / 6]])


def j48_laplace(tree, row, node=0, weight=1.0):
    """`getProbsLaplace` of WEKA's ClassifierTree, line by line;
    row: None where it has no value."""
    def laplace_prob(n):
        # the set of an empty bag is its parent's
        n = tree.parent[n] if tree.counts[n].sum() == 0 else n
        return (tree.counts[n] + 1) / (tree.counts[n].sum() + len(tree.classes))

    if tree.n_branches[node] == 0:
        return weight * laplace_prob(node)
    children = range(tree.first[node], tree.first[node] + tree.n_branches[node])
    attribute = tree.attributes[tree.attribute[node]]
    value = row[attribute.name]
    if value is None:
        known = sum(tree.counts[child].sum() for child in children)
        parts = [tree.counts[child].sum() / known for child in children]
        return sum(j48_laplace(tree, row, child, weight * part)
                   for child, part in zip(children, parts, strict=True)
                   if tree.counts[child].sum() > 0)
    if attribute.is_nominal:
        branch = tree.routes[tree.route[node] + attribute.domain.index(value)]
    else:
        branch = int(value > tree.threshold[node])
    child = tree.first[node] + branch
    if tree.counts[child].sum() == 0:
        return weight * laplace_prob(child)
    return j48_laplace(tree, row, child, weight)


@pytest.mark.parametrize("pruning", [None, "pessimistic"])
def test_laplace_is_that_of_j48_with_weights_and_gaps(pruning):
    X, y = make_rule_table(400, 3, 3, noise=0.1, missing=0.2, random_state=3)
    weights = np.random.default_rng(0).integers(1, 5, len(y)) / 2
    model = C45Classifier(pruning=pruning, smoothing="laplace").fit(X, y, weights)
    rows = X.astype(object).where(X.notna(), None).to_dict("records")
    expected = [j48_laplace(model.tree_, row) for row in rows]
    assert X.isna().any(axis=1).sum() > 100 and model.n_leaves_ > 5
    assert np.allclose(model.predict_proba(X), expected)


@pytest.mark.parametrize("learner", [ID3Classifier, C45Classifier, CARTClassifier,
                                     CHAIDClassifier, ObliqueTreeClassifier])
@pytest.mark.parametrize("smoothing", ["laplace", 30])
def test_every_learner_smooths_and_answers_what_it_thinks(learner, smoothing):
    X, y = load_heart_disease()
    X = X[["age", "max_heart_rate", "st_depression"]].fillna(0)
    raw = learner(**least_weight(learner, 5)).fit(X, y)
    model = learner(**least_weight(learner, 5), smoothing=smoothing).fit(X, y)
    p = model.predict_proba(X)
    assert (p > 0).all() and np.allclose(p.sum(axis=1), 1)
    assert (model.classes_[p.argmax(axis=1)] == model.predict(X)).all()
    assert p.max() < raw.predict_proba(X).max() and model.n_leaves_ == raw.n_leaves_


def test_an_m_estimate_may_change_the_answer():
    """Two rows of b at 1 among 98 of a:
    with twenty imagined rows in these shares, a is ahead."""
    X, y = np.repeat([0.0, 1.0], [98, 2])[:, None], np.repeat(["a", "b"], [98, 2])
    assert CARTClassifier().fit(X, y).predict([[1.0]]) == ["b"]
    model = CARTClassifier(smoothing=20).fit(X, y)
    assert np.allclose(model.predict_proba([[1.0]]), [[19.6 / 22, 2.4 / 22]])
    assert model.predict([[1.0]]) == ["a"]


def test_a_ghost_leaf_answers_like_its_parent():
    colors = pd.CategoricalDtype(["red", "blue", "green"])
    X = pd.DataFrame({"color": pd.Series(["red", "red", "blue", "blue"], dtype=colors)})
    model = C45Classifier(pruning=None, min_num_obj=1,
                          smoothing="laplace").fit(X, ["a", "a", "b", "b"])
    green = pd.DataFrame({"color": pd.Series(["green"], dtype=colors)})
    assert np.allclose(model.predict_proba(green), [[3 / 6, 3 / 6]])


def test_heavy_rows_are_rows_enough_for_a_cut():
    """Thirty rows of weight 10 and thirty rows ten times: two leaves of 150. (J48 asks for
    forty rows.)"""
    X = np.arange(30.0)[:, None]
    y, heavy = X[:, 0] > 14, np.full(30, 10.0)
    for learner in (C45Classifier(min_num_obj=20), CARTClassifier(min_samples_leaf=20)):
        assert learner.fit(np.repeat(X, 10, axis=0), np.repeat(y, 10)).n_leaves_ == 2
        with pytest.warns(UserWarning, match="all sample weights are above 1"):
            assert learner.fit(X, y, sample_weight=heavy).n_leaves_ == 2
