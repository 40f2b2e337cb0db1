"""Measures of answers: agreement with scikit-learn on any labels,
and what hostile users pass."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from supervised.basics.learning import accuracy
from supervised.evaluation.measures import (
    class_report,
    confusion_matrix,
    f_score,
    false_positive_rate,
    outcome_counts,
    precision,
    recall,
    sensitivity,
    specificity,
)
from tests import examples

TEN = [f"class {i}" for i in range(10)]
CONTAINERS = {
    "list of text": (list, TEN),
    "text": (np.array, TEN),
    "objects": (lambda v: np.array(v, dtype=object), TEN),
    "text series": (lambda v: pd.Series(v, index=range(5, 5 + len(v))), TEN),
    "categories": (lambda v: pd.Categorical(v, categories=TEN[::-1]), TEN),
    "category series": (lambda v: pd.Series(v, dtype="category"), TEN),
    "integers": (np.array, [7, -3, 0, 12, 5, 1, 2, 90, 4, 11]),
    "small integers": (lambda v: np.array(v, dtype=np.int8), list(range(10))),
    "nullable": (lambda v: pd.Series(v, dtype="Int64"), list(range(10))),
    "floats": (np.array, [float(i) for i in range(10)]),
    "truth values": (np.array, [False, True]),
    "list of truth values": (list, [False, True]),
}


def draw(data, least=1):
    """Labels of some kind on both sides, with weights or without."""
    make, pool = CONTAINERS[data.draw(st.sampled_from(sorted(CONTAINERS)))]
    pool = pool[: data.draw(st.integers(1, len(pool)))]
    n = data.draw(st.integers(least, 40))
    sides = [data.draw(st.lists(st.sampled_from(pool), min_size=n, max_size=n))
             for _ in range(2)]
    # many zeros and ties among the weights, and numbers that add up inexactly
    weight = st.sampled_from([0, 0, 1, 1, 2, 0.1, 0.3, 1e-3])
    w = data.draw(st.none() | st.lists(weight, min_size=n, max_size=n).filter(any))
    return [make(side) for side in sides], [np.array(side) for side in sides], w


def quietly(function, *args, **kwargs):
    """What scikit-learn answers, without what it says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*args, **kwargs)


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@examples(60)
@given(st.data())
def test_confusion_matrix_agrees(data):
    ours, plain, w = draw(data)
    norm = data.draw(st.sampled_from([None, "true", "pred", "all"]))
    matrix = confusion_matrix(*ours, w, normalize=norm)
    theirs = quietly(metrics.confusion_matrix, *plain, sample_weight=w, normalize=norm)
    np.testing.assert_allclose(matrix, theirs, rtol=0, atol=1e-12)
    assert (list(matrix.index) == list(matrix.columns)
            == sorted(set(plain[0]) | set(plain[1])))
    assert (matrix.index.name, matrix.columns.name) == ("true", "predicted")
    assert (matrix.to_numpy().dtype.kind == "i") == (w is None and norm is None)


@examples(60)
@given(st.data())
def test_averages_agree(data):
    ours, plain, w = draw(data)
    average = data.draw(st.sampled_from(["macro", "micro", "weighted"]))
    worth = data.draw(st.sampled_from([0.0, 1.0, np.nan]))
    beta = data.draw(st.sampled_from([0, 0.5, 1, 2, 10, np.inf]))
    options = {"average": average, "sample_weight": w}
    theirs = quietly(metrics.precision_recall_fscore_support, *plain, beta=beta,
                     zero_division=worth, **options)
    options["zero_division"] = worth
    mine = (precision(*ours, **options), recall(*ours, **options),
            f_score(*ours, beta=beta, **options))
    np.testing.assert_allclose(mine, theirs[:3], rtol=0, atol=1e-12)


@examples(30)
@given(st.data())
def test_report_agrees(data):
    ours, plain, w = draw(data)
    worth = data.draw(st.sampled_from([0.0, 1.0, np.nan]))
    report = class_report(*ours, w, zero_division=worth)
    each = quietly(metrics.precision_recall_fscore_support, *plain, sample_weight=w,
                   zero_division=worth)
    k = len(each[0])
    assert list(report) == ["precision", "recall", "F1", "specificity", "support"]
    np.testing.assert_allclose(report.iloc[:k, [0, 1, 2, 4]].astype(float).T, each, rtol=0,
                               atol=1e-12)
    classes = np.unique(plain)
    # scikit-learn has no specificity; the recall of "not c" is it
    for place, c in enumerate(classes):
        rest = [side != c for side in plain]
        expected = quietly(metrics.recall_score, *rest, sample_weight=w,
                           zero_division=worth)
        assert report.iloc[place, 3] == pytest.approx(expected, abs=1e-12, nan_ok=True)
    total = len(plain[0]) if w is None else sum(w)
    assert list(report.index[k:]) == ["macro average", "micro average", "weighted average"]
    np.testing.assert_allclose(report["support"].iloc[k:].astype(float), total)


@examples(60)
@given(st.data())
def test_two_classes_agree(data):
    n = data.draw(st.integers(1, 30))
    names = data.draw(st.sampled_from([(0, 1), (-1, 1), (False, True)]))
    true, predicted = (np.array(names)[data.draw(
        st.lists(st.integers(0, 1), min_size=n, max_size=n))] for _ in "ab")
    worth = data.draw(st.sampled_from([0.0, 1.0]))
    for ours, theirs in [(precision, metrics.precision_score),
                         (recall, metrics.recall_score),
                         (sensitivity, metrics.recall_score), (f_score, metrics.f1_score)]:
        expected = quietly(theirs, true, predicted, labels=list(names), average=None,
                           zero_division=worth)[1]
        for positive in (None, names[1]):
            assert (ours(true, predicted, positive, zero_division=worth)
                    == pytest.approx(expected, abs=1e-12))
    if (true == names[0]).any():
        expected = metrics.recall_score(true == names[0], predicted == names[0])
        assert specificity(true, predicted) == pytest.approx(expected, abs=1e-12)
        assert (false_positive_rate(true, predicted)
                == pytest.approx(1 - expected, abs=1e-12))
    else:
        assert specificity(true, predicted, zero_division=worth) == worth
        assert false_positive_rate(true, predicted, zero_division=worth) == worth


@examples(30)
@given(st.data())
def test_properties(data):
    ours, plain, w = draw(data)
    matrix, turned = confusion_matrix(*ours, w), confusion_matrix(*ours[::-1], w)
    np.testing.assert_allclose(matrix.T, turned, atol=1e-12)
    counts = outcome_counts(matrix)
    total = matrix.to_numpy().sum()
    np.testing.assert_allclose(counts.sum(axis=1), total)
    assert (counts >= 0).all(axis=None)
    right = accuracy(*plain, w)
    for measure in (precision, recall, f_score):
        assert (measure(*ours, average="micro", sample_weight=w)
                == pytest.approx(right, abs=1e-12))
    assert (recall(*ours, average="weighted", sample_weight=w)
            == pytest.approx(right, abs=1e-12))
    p, r = (m(*ours, average="micro", sample_weight=w) for m in (precision, recall))
    assert (min(p, r) - 1e-12 <= f_score(*ours, average="micro", sample_weight=w)
            <= max(p, r) + 1e-12)


def test_example_11():
    true, predicted = np.repeat(["+", "-"], [100, 1000]), np.repeat(["+", "-"], [1, 1099])
    assert confusion_matrix(true, predicted).to_numpy().tolist() == [[1, 99], [0, 1000]]
    assert precision(true, predicted, "+") == 1 and recall(true, predicted, "+") == 0.01
    assert f_score(true, predicted, "+") == pytest.approx(0.02 / 1.01, abs=1e-15)


def test_classes_that_do_not_occur():
    matrix = confusion_matrix([0, 0], [1, 0], labels=[2, 1, 0])
    assert matrix.to_numpy().tolist() == [[0, 0, 0], [0, 0, 0], [0, 1, 1]]
    assert list(matrix.index) == [2, 1, 0]
    assert (confusion_matrix([0], [0], labels=[2, 0], normalize="true").to_numpy()
            .tolist() == [[0, 0], [0, 1]])
    categories = pd.Categorical(["a", "a"], categories=["z", "a"])
    assert list(confusion_matrix(categories, categories).index) == ["a"]
    assert list(confusion_matrix([0], [3]).index) == [0, 3]
    assert class_report([0], [0], labels=[0, 1]).loc[1].tolist() == [0, 0, 0, 1, 0]


def test_labels_of_several_types():
    assert confusion_matrix([True, False], [1, 1]).to_numpy().tolist() == [[0, 1], [0, 1]]
    assert (confusion_matrix([1, "one"], ["one", "one"]).to_numpy()
            .tolist() == [[0, 1], [0, 1]])
    pairs = [("a", 1), ("b", 2)]
    assert confusion_matrix(pairs, pairs[::-1]).to_numpy().tolist() == [[0, 1], [1, 0]]
    assert precision(pairs, pairs, pos_label=("a", 1)) == 1


def test_one_class_only():
    assert (precision([0, 0], [0, 0]) == recall([0, 0], [0, 0])
            == f_score([0, 0], [0, 0]) == 0)
    assert precision([0, 0], [0, 0], zero_division=1) == 1
    assert (specificity([0, 0], [0, 0]) == 1
            and false_positive_rate([0, 0], [0, 0], pos_label=1) == 0)
    assert recall(["no"], ["no"], pos_label="yes", zero_division=1) == 1
    assert recall(["yes"], ["yes"], pos_label="yes") == 1
    assert specificity(["yes"] * 3, ["yes"] * 3, "yes", sample_weight=[0.1, 0.2, 0.3],
                       zero_division=1) == 1
    assert np.isnan(precision(["a"], ["b"], pos_label="a", zero_division=np.nan))


@pytest.mark.parametrize("beta", [-1, np.nan, "1", None])
def test_hostile_beta(beta):
    with pytest.raises(ValueError, match="beta"):
        f_score([0, 1], [0, 1], beta=beta)
    with pytest.raises(ValueError, match="beta"):
        class_report([0, 1], [0, 1], beta=beta)


def test_positive_is_no_guess():
    with pytest.raises(ValueError, match="which class is positive"):
        precision([1, 2], [1, 2])
    with pytest.raises(ValueError, match="none of the classes"):
        precision(["no"], ["no"], pos_label=1)
