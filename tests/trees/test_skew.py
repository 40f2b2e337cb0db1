"""Skewed classes: copies, smoothing, and what a hostile user would pass."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.datasets import load_titanic, load_votes
from supervised.basics.tables import learn_table
from supervised.trees.classifiers import C45Classifier, CARTClassifier
from supervised.trees.skew import oversample, smoothed, smoothed_probabilities
from tests import examples

quick = examples(60)


@quick
@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=40), st.floats(0.01, 1.0), st.integers(0, 5))
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
    assert rows.tolist() == [[1.0], [2.0], [3.0], [3.0]] and labels.tolist() == ["a", "a", "b", "b"]


@pytest.mark.parametrize("ratio", [0, -1, 1.5, np.nan])
def test_a_ratio_out_of_range_is_named(ratio):
    with pytest.raises(ValueError, match="ratio"):
        oversample([[1.0]], ["a"], ratio)


def test_other_bad_input_is_refused():
    with pytest.raises(ValueError, match="2 rows and y 1"):
        oversample([[1.0], [2.0]], ["a"])
    model = C45Classifier().fit([[0.0], [1.0]], ["a", "b"])
    with pytest.raises(ValueError, match="m is -1"):
        smoothed(model.tree_, m=-1)
    with pytest.raises(ValueError, match="prior is 'flat'"):
        smoothed(model.tree_, prior="flat")


def test_laplace_by_hand():
    """Seven rows on each side of 0.5: 3 + 0 of class a on the left, 1 of 4 on the right."""
    X = np.array([[0.0]] * 3 + [[1.0]] * 4)
    y = np.array(["a"] * 3 + ["a", "b", "b", "b"])
    model = CARTClassifier().fit(X, y)
    assert np.allclose(smoothed_probabilities(model, [[0.0], [1.0]]), [[4 / 5, 1 / 5], [2 / 6, 4 / 6]])
    # 4 of 7 rows are of class a, and three imagined rows have that share
    assert np.allclose(smoothed_probabilities(model, [[0.0]], m=3, prior="root"), [[(3 + 12 / 7) / 6, (9 / 7) / 6]])


def test_no_smoothing_is_the_classifier_itself_missing_values_included():
    X, y = load_votes()  # many missing values
    model = C45Classifier(pruning=None).fit(X, y)
    assert np.allclose(smoothed_probabilities(model, X, m=0), model.predict_proba(X))
    probabilities = smoothed_probabilities(model, X)
    assert np.allclose(probabilities.sum(axis=1), 1) and (probabilities > 0).all()


def test_a_ghost_leaf_answers_like_its_parent():
    X = pd.DataFrame({"color": pd.Categorical(["red", "red", "blue", "blue"], categories=["red", "blue", "green"])})
    model = C45Classifier(pruning=None, min_leaf=1).fit(X, ["a", "a", "b", "b"])
    green = pd.DataFrame({"color": pd.Categorical(["green"], categories=["red", "blue", "green"])})
    assert np.allclose(smoothed_probabilities(model, green), [[3 / 6, 3 / 6]])


def test_weights_are_copies():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.random(300) < 0.1
    rows, labels = oversample(X, y, random_state=0)
    times = np.bincount([np.flatnonzero((X == row).all(axis=1))[0] for row in rows], minlength=300)
    copied, weighted = (CARTClassifier(min_leaf=9).fit(rows, labels),
                        CARTClassifier(min_leaf=9).fit(X, y, sample_weight=times))
    assert np.array_equal(copied.tree_.counts, weighted.tree_.counts)
    assert np.array_equal(copied.tree_.threshold, weighted.tree_.threshold, equal_nan=True)


def test_costs_are_weights_of_mean_one():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(300, 3)), np.where(rng.random(300) < 0.1, "rare", "usual")
    weights = np.where(y == "rare", 9.0, 1.0)
    priced = C45Classifier(class_costs={"rare": 9, "usual": 1}, min_leaf=20).fit(X, y)
    weighted = C45Classifier(min_leaf=20).fit(X, y, sample_weight=weights / weights.mean())
    assert np.allclose(priced.tree_.counts, weighted.tree_.counts)
    assert np.array_equal(priced.tree_.threshold, weighted.tree_.threshold, equal_nan=True)


def test_one_guard_of_c45_counts_rows_not_weights():
    """Thirty rows of weight 10: enough for two leaves of 20 by weight, but release 8 wants 40 rows."""
    X = np.arange(30.0)[:, None]
    y, heavy = X[:, 0] > 14, np.full(30, 10.0)
    copied, weighted = C45Classifier(min_leaf=20).fit(np.repeat(X, 10, axis=0), np.repeat(y, 10)), \
        C45Classifier(min_leaf=20).fit(X, y, sample_weight=heavy)
    assert copied.n_leaves_ == 2 and weighted.n_leaves_ == 1
    assert CARTClassifier(min_leaf=20).fit(X, y, sample_weight=heavy).n_leaves_ == 2
