"""Frames of every library are read with their names and kinds, and answered in kind."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from supervised.basics import (
    EqualWidthDiscretizer,
    IndicatorEncoder,
    MajorityClassifier,
    MissingValueImputer,
    RoteClassifier,
    Standardizer,
    UnitLengthScaler,
    from_json,
)
from supervised.basics.learning import accuracy
from supervised.basics.tables import learn_table
from supervised.bayes import NaiveBayesClassifier
from supervised.evaluation import confusion_matrix
from supervised.neighbors import KNNClassifier
from supervised.trees import C45Classifier

SIZES = ["small", "middle", "large"]
pairs = pytest.mark.parametrize("other", ["pandas", "polars", "arrow", "batch"])
kinds = pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "batch"])


def mixed(n=60):
    """A frame of pandas with a column of each kind, gaps in all but one, and its labels."""
    rng = np.random.default_rng(3)
    size = rng.integers(0, 3, n)
    X = pd.DataFrame({
        "height": rng.normal(size=n).round(3),
        "count": pd.array(rng.integers(0, 50, n), dtype="Int64"),
        "word": rng.choice(["red", "green", "blue"], n).astype(object),
        "size": pd.Categorical.from_codes(size, SIZES, ordered=True),
        "flag": pd.array(rng.random(n) < 0.5, dtype="boolean"),
        "whole": rng.integers(-5, 5, n)})
    y = np.where((X["height"] > 0) ^ (size == 1), "yes", "no")
    for j, name in enumerate(["height", "count", "word", "size", "flag"]):
        X.loc[[7 + j, 31 + j], name] = None
    return X, y


def as_polars(frame):
    """The same columns, built by polars from Python's own values."""
    kinds = {"size": pl.Enum(SIZES), "flag": pl.Boolean, "word": pl.String}
    columns = {}
    for name, column in frame.items():
        values = [None if pd.isna(v) else getattr(v, "item", lambda v=v: v)()
                  for v in column]
        columns[name] = pl.Series(name, values, dtype=kinds.get(name))
    return pl.DataFrame(columns)


def as_arrow(frame):
    """The same columns as an Arrow table, dictionaries with their order."""
    columns = {}
    for name, column in frame.items():
        values = [None if pd.isna(v) else getattr(v, "item", lambda v=v: v)()
                  for v in column]
        if name == "size":
            codes = pa.array([None if v is None else SIZES.index(v) for v in values],
                             pa.int8())
            columns[name] = pa.DictionaryArray.from_arrays(codes, SIZES, ordered=True)
        else:
            columns[name] = pa.array(values)
    return pa.table(columns)


def convert(frame, kind):
    if kind == "pandas":
        return frame
    if kind == "polars":
        return as_polars(frame)
    table = as_arrow(frame)
    return table if kind == "arrow" else table.to_batches()[0]


def reordered(frame, kind):
    """The columns from the last to the first."""
    return convert(frame[frame.columns[::-1]], kind)


# Reading


@kinds
def test_kinds_and_order_are_read(kind):
    X, _ = mixed()
    table = learn_table(convert(X, kind))
    found = {a.name: str(a) for a in table.attributes}
    assert found == {"height": "numeric", "count": "numeric", "word": "blue, green, red",
                     "size": "small < middle < large", "flag": "False, True",
                     "whole": "numeric"}
    assert (table.codes == learn_table(X).codes).all()
    assert np.array_equal(table.values, learn_table(X).values, equal_nan=True)


@kinds
@pairs
@pytest.mark.parametrize("model", [C45Classifier(), NaiveBayesClassifier(), KNNClassifier(),
                                   RoteClassifier()], ids=lambda m: type(m).__name__)
def test_fit_on_one_kind_predict_on_another(model, kind, other):
    X, y = mixed()
    expected = clone(model).fit(X, y)
    fitted = clone(model).fit(convert(X, kind), y)
    assert fitted.feature_names_in_.tolist() == list(X.columns)
    assert np.allclose(fitted.predict_proba(reordered(X, other)), expected.predict_proba(X))
    again = from_json(fitted.to_json())
    assert np.allclose(again.predict_proba(reordered(X, other)), expected.predict_proba(X))


@pytest.mark.parametrize("values", [
    [], [None, None], ["", None, "é", " a", "a"], ["b", "a", "b", None] * 3, ["None", "na"],
], ids=str)
def test_text_of_every_library_has_the_same_codes(values):
    pl.Series(["z", "b"], dtype=pl.Categorical)  # takes the first codes, in some versions
    given = pd.Series([*values, "b", "a"], name="k", dtype=object)
    expected = learn_table(given.to_frame())
    tail = pl.DataFrame({"n_neighbors": ["b", "a"]})
    text = pl.concat([pl.DataFrame({"n_neighbors": pl.Series(values, dtype=pl.String)}),
                      tail],
                     rechunk=False)
    order = sorted({v for v in [*values, "b", "a"] if v is not None}, reverse=True)
    ranked = learn_table(text.cast(pl.Enum([*order, "no row"])))
    assert ranked.attributes[0].domain == (*order, "no row")
    assert (ranked.codes == np.where(expected.codes < 0, -1,
                                     len(order) - 1 - expected.codes)).all()
    for frame in (text, text.cast(pl.Categorical), text.to_arrow(),
                  pl.concat([tail, text])[2:], text.to_pandas()):
        table = learn_table(frame)
        assert table.attributes[0].domain == tuple(order[::-1])
        assert table.codes.tolist() == expected.codes.tolist()


def test_whole_numbers_beyond_a_float_are_seen_behind_a_gap():
    values = [2**53 + 1, None, 3]  # as a float it would be 2**53
    for frame in (pl.DataFrame({"id": values}), pa.table({"id": values})):
        with pytest.raises(ValueError, match="column 'id' holds whole numbers beyond"):
            learn_table(frame)


# Refusing

def test_a_lazy_frame_is_refused_with_what_to_do():
    lazy = pl.DataFrame({"a": [1, 2]}).lazy()
    with pytest.raises(TypeError,
                       match=r"polars's LazyFrame, a query that has not run.*X\.collect"):
        MajorityClassifier().fit(lazy, ["u", "v"])
    model = MajorityClassifier().fit(lazy.collect(), ["u", "v"])
    with pytest.raises(TypeError, match="query that has not run"):
        model.predict(lazy)


@kinds
def test_a_missing_and_an_unknown_column_are_named(kind):
    X, y = mixed()
    model = MajorityClassifier().fit(convert(X, kind), y)
    wrong = convert(X.rename(columns={"word": "Word"}), kind)
    with pytest.raises(ValueError, match=r"missing \['word'\] and unknown \['Word'\]"):
        model.predict(wrong)


# Labels and weights

def label_kinds():
    y = ["yes", "no", "no", "yes"] * 15
    return {
        "list": y, "pandas": pd.Series(y), "category": pd.Series(y, dtype="category"),
        "polars": pl.Series(y), "Enum": pl.Series(y, dtype=pl.Enum(["yes", "no"])),
        "Categorical": pl.Series(y, dtype=pl.Categorical), "arrow": pa.array(y),
        "chunks": pa.chunked_array([y[:7], y[7:]]),
        "dictionary": pa.chunked_array([pa.array(y).dictionary_encode()]),
        "frame": pl.DataFrame({"y": y})}


@pytest.mark.filterwarnings("ignore:A column-vector y")
@pytest.mark.parametrize("name", list(label_kinds()))
def test_labels_of_every_kind(name):
    y = label_kinds()[name]
    X, _ = mixed()
    model = C45Classifier().fit(as_polars(X), y)
    assert model.classes_.tolist() == ["no", "yes"]
    assert (model.predict(X) == C45Classifier().fit(X, label_kinds()["list"])
            .predict(X)).all()


@pytest.mark.parametrize("y", [
    pl.Series(["a", None, "b"]), pl.Series(["a", None, "b"], dtype=pl.Enum(["a", "b"])),
    pl.Series([1, None, 2]), pl.Series([True, None, False]), pa.array(["a", None, "b"]),
    pa.array(["a", None, "b"]).dictionary_encode(),  # NumPy is told "a", "a", "b"
    pa.chunked_array([pa.array(["a", None, "b"]).dictionary_encode()]),
    pa.array([1, None, 2]),
], ids=str)
def test_a_missing_label_is_missing(y):
    with pytest.raises(ValueError, match="1 label is missing, the first in row 1"):
        MajorityClassifier().fit(pl.DataFrame({"a": [1, 2, 3]}), y)
    with pytest.raises(ValueError, match="missing label in row 1"):
        confusion_matrix(y, ["a", "a", "b"])
    with pytest.raises(ValueError, match="missing label in row 1"):
        accuracy(y, ["a", "a", "b"])


@pytest.mark.parametrize("make", [pl.Series, pa.array, lambda w: pa.chunked_array([w])])
def test_weights_of_every_kind(make):
    X, y = mixed()
    weights = [1.0, 2.0, 0.0] * 20
    for model in (C45Classifier(), KNNClassifier()):
        expected = clone(model).fit(X, y, sample_weight=weights).predict_proba(X)
        given = clone(model).fit(as_polars(X), y,
                                 sample_weight=make(weights)).predict_proba(X)
        assert np.allclose(given, expected)
    with pytest.raises(ValueError, match="sample_weight has nan in row 2"):
        MajorityClassifier().fit(X, y, sample_weight=make([1.0, 2.0, None] * 20))


# Transformers

transformers = [Standardizer(), UnitLengthScaler(),
                MissingValueImputer(), IndicatorEncoder(),
                MissingValueImputer(nominal_strategy="unknown"), EqualWidthDiscretizer(3)]


@pytest.mark.parametrize("step", transformers, ids=repr)
@kinds
def test_transformers_answer_in_kind(step, kind):
    X, y = mixed()
    expected = clone(step).fit(X).transform(X)
    answer = clone(step).fit(convert(X, kind)).transform(reordered(X, kind))
    library = {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.Table)
    assert isinstance(answer, library)
    assert same_content(answer, expected)


@pytest.mark.parametrize("step", transformers, ids=repr)
@pytest.mark.parametrize("form, library",
                         [("polars", pl.DataFrame), ("pandas", pd.DataFrame)])
@kinds
def test_set_output_is_obeyed(step, form, library, kind):
    X, y = mixed()
    expected = clone(step).fit(X).transform(X)
    asked = clone(step).set_output(transform=form).fit(convert(X, kind))
    for answer in (asked.transform(convert(X, kind)),
                   asked.fit_transform(convert(X, kind))):
        assert isinstance(answer, library)
        assert same_content(answer, expected)
        assert list(answer.columns) == asked.get_feature_names_out().tolist()


def same_content(answer, expected):
    """Whether a frame of any library holds what one of pandas does, gap for gap."""
    columns = (answer.to_pydict() if isinstance(answer, pa.Table) else answer.to_dict(**(
        {"orient": "list"} if isinstance(answer, pd.DataFrame) else {"as_series": False})))
    assert list(columns) == list(expected.columns)
    for name, column in expected.items():
        for found, wanted in zip(columns[name], column, strict=True):
            assert (pd.isna(found) and pd.isna(wanted) or (
                found == str(wanted) if isinstance(found, str)
                else found == pytest.approx(wanted)))
    return True


# Where else a name could get lost


def test_who_has_pandas_alone_waits_for_no_other_library():
    script = """if True:
        import sys
        for name in ("polars", "pyarrow"):
            sys.modules[name] = None
        import supervised
        assert "narwhals" not in sys.modules
        from supervised.basics.tables import learn_table, pandas_frame
        before = "narwhals" in sys.modules  # scikit-learn may bring it
        import pandas as pd
        learn_table(pd.DataFrame({"a": [1, 2], "b": ["u", "v"]}))
        assert ("narwhals" in sys.modules) == before"""
    subprocess.run([sys.executable, "-c", script], check=True)


def test_polars_alone_is_enough():
    script = """if True:
        import sys
        sys.modules["pyarrow"] = None
        import polars as pl
        from supervised.basics import EqualWidthDiscretizer, MajorityClassifier
        X = pl.DataFrame({"a": [1.0, None, 3.0], "b": ["u", None, "v"], "c": [True, None, False],
                          "d": pl.Series(["x", "y", None], dtype=pl.Enum(["y", "x"])), "e": [1, None, 2]})
        assert MajorityClassifier().fit(X, pl.Series(["u", "u", "v"])).predict(X).tolist() == ["u"] * 3
        kept = EqualWidthDiscretizer(2).fit_transform(X)
        assert kept.columns == X.columns and kept["b"].to_list() == ["u", None, "v"]
        asked = EqualWidthDiscretizer(2).set_output(transform="polars").fit_transform(X)
        assert asked.equals(kept)
        class Stream:
            def __arrow_c_stream__(self, requested_schema=None):
                return X.__arrow_c_stream__(requested_schema)
        assert MajorityClassifier().fit(Stream(), ["u", "u", "v"]).feature_names_in_.tolist() == X.columns"""  # noqa: E501
    subprocess.run([sys.executable, "-c", script], check=True)
