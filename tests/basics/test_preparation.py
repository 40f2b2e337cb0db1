"""Imputation by neighbors, target encoding and ranges: beside scikit-learn's, by hand, on
hostile tables, stored."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.impute import KNNImputer as ScikitKNNImputer
from sklearn.preprocessing import MinMaxScaler as ScikitMinMaxScaler
from sklearn.preprocessing import TargetEncoder as ScikitTargetEncoder

from supervised.basics.classifiers import to_json
from supervised.basics.datasets import load_heart_disease
from supervised.basics.preparation import KNNImputer, MinMaxScaler, TargetEncoder
from tests import examples


@examples(40)
@given(st.integers(0, 10**6), st.integers(1, 9), st.floats(0, 0.6))
def test_neighbors_are_those_of_scikit_learn_in_ranges(seed, k, share):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(25, 4)) * [1, 10, 100, 1000]
    incomplete = np.where(rng.random(X.shape) < share, np.nan, X)
    incomplete[:3] = X[:3]
    new = np.where(rng.random(X.shape) < share, np.nan, rng.permutation(X))
    spread = np.nanmax(incomplete, axis=0) - np.nanmin(incomplete, axis=0)
    theirs = ScikitKNNImputer(n_neighbors=k).fit(incomplete / spread)
    ours = KNNImputer(k).fit(incomplete)
    for rows in (incomplete, new[~np.isnan(new).all(axis=1)]):
        if len(rows):
            expected = theirs.transform(rows / spread) * spread
            assert np.allclose(ours.transform(rows), expected)


def test_names_and_numbers_by_hand():
    """Rows 0 and 1 differ from the last by 0 and 0.5 (a quarter squared), row 2 by 1."""
    old = pd.DataFrame({"color": ["red", "red", "blue"], "size": [0.0, 2, 4],
                        "price": [10.0, 20, 90], "kind": ["a", "b", "b"]})
    new = pd.DataFrame({"color": ["red"], "size": [0.0], "price": [np.nan], "kind": [None]})
    assert KNNImputer(1).fit(old).transform(new).loc[0].tolist() == ["red", 0, 10, "a"]
    assert KNNImputer(2).fit(old).transform(new).loc[0, "price"] == 15
    # of two names that are equally common, the first of the domain
    assert KNNImputer(2).fit(old).transform(new).loc[0, "kind"] == "a"
    assert KNNImputer(3).fit(old).transform(new).loc[0, "kind"] == "b"
    nothing = pd.DataFrame({"color": [None], "size": [np.nan], "price": [np.nan],
                            "kind": [None]}).astype(old.dtypes)
    assert KNNImputer(1).fit(old).transform(nothing).loc[0].tolist() == ["red", 2, 40, "b"]
    unseen = new.assign(color="green", price=5.0)
    assert KNNImputer(1).fit(old).transform(unseen).loc[0, "color"] == "green"


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 4), st.sampled_from((0.1, 1.0, 30.0)))
def test_shares_are_those_of_scikit_learn(seed, k, smooth):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.choice(list("xyzuv"), 80), "b": rng.choice(list("pq"), 80)})
    y = np.append(np.arange(k), rng.integers(k, size=80 - k))
    theirs = ScikitTargetEncoder(smooth=smooth).fit(X, y).transform(X)
    ours = TargetEncoder(smooth).fit(X, y).transform(X)
    assert np.allclose(ours, theirs)
    assert ours.columns[0] == f"a: {1 if k == 2 else 0}"


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 7))
def test_a_row_never_tells_its_own_class(seed, cv):
    """Another class for one row leaves its own code as it is, if it stays in its fold."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({"a": rng.choice(list("xyz"), 30), "n": rng.normal(size=30)})
    y = rng.random(30) < 0.5
    y[:2] = False, True
    coded = TargetEncoder(cv=cv).fit_transform(X, y)
    order = np.argsort(y, kind="stable")
    fold = np.empty(30, dtype=int)
    fold[order] = np.arange(30) % cv
    for f in range(cv):
        alone = TargetEncoder().fit(X[fold != f], y[fold != f]).transform(X[fold == f])
        assert np.allclose(alone, coded[fold == f])
    assert coded["n"].equals(X["n"])


def test_missing_and_new_names_have_the_shares_of_all():
    X, y = pd.DataFrame({"a": ["x", "x", "y", None]}), [1, 1, 0, 0]
    model = TargetEncoder(smooth=0).fit(X, y)
    asked = pd.DataFrame({"a": ["x", "y", "new", None]})
    assert model.transform(asked).iloc[:, 0].tolist() == [1, 0, 0.5, 0.5]
    assert model.get_feature_names_out().tolist() == ["a: 1"]
    # one row, one class
    assert TargetEncoder().fit_transform(X[:1], [1]).to_numpy().tolist() == [[1.0]]
    two = TargetEncoder().fit_transform(X[:2], [1, 1])
    assert two.to_numpy().tolist() == [[1.0], [1.0]]


@examples(30)
@given(st.integers(0, 10**6))
def test_ranges_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((20, 3)) < 0.2, np.nan, rng.normal(size=(20, 3)))
    X[:, 2] = 7.0
    ours, theirs = MinMaxScaler().fit(X), ScikitMinMaxScaler().fit(X)
    assert np.allclose(ours.transform(X), theirs.transform(X), equal_nan=True)
    assert np.allclose(ours.transform(X + 1), theirs.transform(X + 1), equal_nan=True)


MODELS = [KNNImputer(3), TargetEncoder(), MinMaxScaler()]


def test_hostile_tables():
    X, y = load_heart_disease()
    with pytest.raises(ValueError, match="column 'age' has no value at all"):
        KNNImputer().fit(X.assign(age=np.nan))
    with pytest.raises(ValueError, match="1 label is missing"):
        TargetEncoder().fit(X, y.astype(object).where(y.index != 3))
    with pytest.raises(ValueError, match="X has 303 rows and y 302"):
        TargetEncoder().fit(X, y[:-1])
    for model in MODELS:
        with pytest.raises(ValueError, match="0 row|no row|empty|0 sample"):
            clone(model).fit(X[:0], y[:0])
        fitted = clone(model).fit(X, y)
        assert len(fitted.transform(X[:0])) == 0
        with pytest.raises(ValueError, match="missing \\['age'\\]"):
            fitted.transform(X.drop(columns="age"))


@pytest.mark.parametrize("model, field, wrong", [
    (TargetEncoder(), "shares_", lambda s: {k: v * 0.5 for k, v in s.items()}),
    (TargetEncoder(), "shares_", lambda s: {}),
    (MinMaxScaler(), "min_", lambda m: m[:-1])])
def test_a_damaged_model_is_not_written(model, field, wrong):
    X, y = load_heart_disease()
    model = clone(model).fit(X, y)
    setattr(model, field, wrong(getattr(model, field)))
    with pytest.raises(TypeError, match=field.replace("min_", "range_")):
        to_json(model)
