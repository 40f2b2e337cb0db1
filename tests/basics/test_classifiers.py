"""The base of all classifiers: labels, weights, storage, hostile input."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import cross_val_score

from supervised.basics import MajorityClassifier, RoteClassifier, learn_table, load_loan
from supervised.basics.classifiers import check_weights, encode_classes, from_json
from supervised.basics.datasets import load_votes

BOTH = [MajorityClassifier, RoteClassifier]


@pytest.fixture
def loan():
    return load_loan()


@pytest.mark.parametrize("labels, classes", [
    (["b", "a", "b"], ["a", "b"]),
    (["c", "a", "b"], ["a", "b", "c"]),  # in an order whose inverse is another
    ([3, 1, 3], [1, 3]),
    ([True, False, True], [False, True]),
    ([2.0, 1.0, 2.0], [1.0, 2.0]),
    (pd.Categorical(["b", "a", "b"], ["b", "a", "c"]), ["a", "b"]),
    (pd.Series([(2, "x"), (1, "y"), (2, "x")]), [(1, "y"), (2, "x")]),
    (pd.Series([1, "one", 1], dtype=object), [1, "one"]),
    (pd.Series(["b", "a", "b"], dtype="string"), ["a", "b"]),
])
def test_labels_come_back_as_they_went_in(labels, classes):
    found, codes = encode_classes(labels)
    assert list(found) == classes and list(found[codes]) == list(labels)
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0]})
    model = RoteClassifier().fit(X, labels)
    assert list(model.predict(X)) == list(labels)
    again = from_json(model.to_json())
    assert (list(again.predict(X)) == list(labels)
            and again.classes_.dtype == model.classes_.dtype)


@pytest.mark.parametrize("labels, match", [
    (None, "requires y"), ([1.5, 2.5, 1.5], "Unknown label type"),
    ([1, None, 2], "1 label is missing, the first in row 1"),
    (["a", None, "b"], "missing"), ([[1, 2], [1, 2], [1, 2]], "1d"),
    ([1, 2], "3 rows and y 2"), ([np.inf, 1.0, 2.0], "infinity|Unknown label")])
@pytest.mark.parametrize("kind", BOTH)
def test_hostile_labels(kind, labels, match):
    with pytest.raises(ValueError, match=match):
        kind().fit(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), labels)


@pytest.mark.parametrize("weights, match", [
    ([1, 2], "shape"), ([1, -1, 1], "-1.0 in row 1"), ([1, np.nan, 1], "nan in row 1"),
    ([1, np.inf, 1], "inf in row 1"),
    ([1, 1, 1e-101], "1e-101 in row 2: weights are 0 or between"),
    ([1, 1e51, 1], r"1e\+51 in row 1: weights are 0 or between"), (5e-324, "in row 0"),
    ([0, 0, 0], "zero"), (-1, "-1.0 in row 0"), ([[1], [1], [1]], "shape")])
def test_hostile_weights(weights, match):
    with pytest.raises(ValueError, match=match):
        check_weights(weights, 3)
    with pytest.raises(ValueError, match=match):
        MajorityClassifier().fit(np.eye(3), [0, 1, 1], sample_weight=weights)


def test_weights_given_as_nothing_or_one_number():
    assert (check_weights(None, 2).tolist() == [1, 1]
            and check_weights(0.5, 2).tolist() == [0.5, 0.5])


@pytest.mark.parametrize("kind", BOTH)
def test_a_row_of_weight_zero_leaves_no_trace(kind, loan):
    X, y = loan
    weights = np.ones(15)
    weights[:5] = 0
    text = X.astype({"Age": str, "Credit_rating": str})
    full = kind().fit(text, y, sample_weight=weights)
    part = kind().fit(text.iloc[5:], y.iloc[5:])
    assert full.attributes_ == part.attributes_  # "young" is not even in the domain
    assert full.to_json() == part.to_json()
    only = kind().fit(X, y, sample_weight=(y == "Yes").astype(int))
    assert only.classes_.tolist() == ["Yes"] and set(only.predict(X)) == {"Yes"}


@pytest.mark.parametrize("kind", BOTH)
def test_hostile_frames(kind, loan):
    X, y = loan
    model = kind().fit(X, y)
    assert model.predict(X[X.columns[::-1]]).tolist() == model.predict(X).tolist()
    assert (model.predict(X.iloc[:0]).shape == (0,)
            and model.predict_proba(X.iloc[:0]).shape == (0, 2))
    model.predict(X.assign(Age="ancient"))
    for bad, match in [
            (X.drop(columns="Age"), "missing.*Age"), (X.assign(new=1), "unknown.*new"),
            (X.assign(Age=30), "'Age' held text"), (X.to_numpy()[:, :3], "3 features")]:
        with pytest.raises(ValueError, match=match):
            model.predict(bad)
    with pytest.raises(ValueError, match="0 sample"):
        kind().fit(X.iloc[:0], y.iloc[:0])


@pytest.mark.parametrize("kind", BOTH)
def test_a_table_may_be_encoded_once_and_split_often(kind):
    X, y = load_votes()
    table = learn_table(X)
    direct, by_table = kind().fit(X, y), kind().fit(table, y)
    assert (direct.predict_proba(X) == by_table.predict_proba(table)).all()
    assert cross_val_score(kind(), table, np.asarray(y), cv=5) == pytest.approx(
        cross_val_score(kind(), X, np.asarray(y), cv=5))


@pytest.mark.parametrize("text", [
    "[]", "{}", "1", "null", '{"format": "supervised", "version": 2, "model": 1}',
    '{"format": "supervised", "version": true, "model": {}}', '{"format": "other"}'])
def test_foreign_json_is_refused(text):
    with pytest.raises(ValueError, match="no model"):
        from_json(text)


def stored_as(model):
    return json.dumps({"format": "supervised", "version": 1, "model": model})


@pytest.mark.parametrize("name", [
    "os.system", "supervised.basics.tables.np.ndarray", "basics.learn_table", "", 3, None,
    "supervised.basics.classifiers.MajorityClassifier"])
def test_json_runs_nobody_elses_code(name):
    with pytest.raises(ValueError, match=r"model\.class is .* the name of a class of this "
                       "package"):
        from_json(stored_as({"class": name, "fields": {"command": "true"}}))


def test_rote_by_hand():
    X = pd.DataFrame({"a": ["x", "x", "y", None, None],
                      "b": [0.0, -0.0, 1.0, np.nan, np.nan]})
    model = RoteClassifier().fit(X, list("ppqqp"), sample_weight=[1, 2, 1, 3, 1])
    assert len(model.rows_) == 3 and model.row_weights_.tolist() == [[3, 0], [0, 1], [1, 3]]
    assert model.recalls(X).all() and model.predict(X).tolist() == list("ppqqq")
    assert not model.recalls(pd.DataFrame({"a": ["y"], "b": [0.0]})).any()
    assert (model.predict_proba(pd.DataFrame({"a": ["y"], "b": [0.0]}))
            .tolist() == [[0.5, 0.5]])


@pytest.mark.parametrize("gap", [np.nan, None, float("nan")])
def test_a_missing_label_in_a_list_of_names_is_no_class(gap):
    """NumPy makes the text "nan" of it;
    a Series or an array of objects keeps it missing."""
    with pytest.raises(ValueError, match="Input y contains NaN: 1 label is missing, the "
                       "first in row 1"):
        MajorityClassifier().fit([[1.0], [2.0], [3.0]], ["a", gap, "b"])


def test_a_list_of_names_and_numbers_keeps_both():
    model = MajorityClassifier().fit([[1.0], [2.0], [3.0]], ["one", 1, 1])
    assert model.predict([[5.0]]).tolist() == [1]
