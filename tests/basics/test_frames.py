"""Frames of every library are read with their names and kinds, and answered in kind."""

import subprocess
import sys
from collections import namedtuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.base import clone
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline

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
from supervised.basics.figures import plot_classes, plot_regions
from supervised.basics.learning import accuracy
from supervised.basics.tables import (
    TableEncoder,
    apply_attributes,
    as_frame,
    learn_table,
    pandas_frame,
    pandas_series,
)
from supervised.bayes import MultinomialTextClassifier, NaiveBayesClassifier
from supervised.evaluation import confusion_matrix, evaluate
from supervised.evaluation.engine.comparison import blank_values
from supervised.features import SelectBest, WrapperSelector
from supervised.neighbors import KNNClassifier
from supervised.neighbors.engine.distances import distance_matrix
from supervised.trees import C45Classifier
from supervised.trees.engine.drawing import row_path
from supervised.trees.skew import oversample

SIZES = ["small", "middle", "large"]
pairs = pytest.mark.parametrize("other", ["pandas", "polars", "arrow", "batch"])
kinds = pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "batch"])


class Stream:
    """A table of a library that nobody knows:
    it can hand out Arrow batches, and no more."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


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
        "whole": rng.integers(-5, 5, n),
    })
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
def test_the_reported_case(kind):
    # the class is the third column's parity;
    # by position "b", always 0, would be read as "a"
    frame = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "b": [0] * 20})
    y = np.array(["odd", "even"] * 10)
    model = C45Classifier().fit(convert(frame, kind), y)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    answers = model.predict(convert(frame[["b", "a"]], kind))
    assert (answers == model.predict(frame)).all()
    assert "a" in model.to_text() and "x0" not in model.to_text()


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


def test_no_column_is_read_value_by_value(monkeypatch):
    # five columns of 100,000 words took six times as long as with pandas
    import narwhals.stable.v2 as nw
    monkeypatch.setattr(nw.Series, "to_list", None)
    X, _ = mixed()
    for given in (as_polars(X), as_polars(X)[["word"]].cast(pl.Categorical), as_arrow(X)):
        assert len(learn_table(given)) == 60


def test_a_category_of_polars_is_text():
    # which codes polars gives depends on what else the program has read
    pl.Series(["z", "c"], dtype=pl.Categorical)
    frame = pl.DataFrame({"letter": pl.Series(["c", "a", None, "b"], dtype=pl.Categorical)})
    table = learn_table(frame)
    assert table.attributes[0].domain == ("a", "b", "c") and not table.attributes[0].ordered
    assert table.codes.ravel().tolist() == [2, 0, -1, 1]


def test_an_arrow_dictionary_keeps_values_that_do_not_occur():
    frame = pd.DataFrame({"n_neighbors": pd.Categorical(["b", None, "a"], ["c", "b", "a"])})
    table = learn_table(pa.Table.from_pandas(frame))
    assert table.attributes[0].domain == ("c", "b", "a") and not table.attributes[0].ordered
    assert table.codes.ravel().tolist() == [1, -1, 2]


def test_dictionaries_of_several_chunks():
    chunks = [pa.array(v).dictionary_encode() for v in (["a", "b", None], ["c", "b"])]
    table = learn_table(pa.table({"n_neighbors": pa.chunked_array(chunks)}))
    values = [None if c < 0 else table.attributes[0].domain[c] for c in table.codes[:, 0]]
    assert values == ["a", "b", None, "c", "b"]


def test_row_labels_of_pandas_are_no_column_of_an_arrow_table():
    X, y = mixed()
    stored = pa.Table.from_pandas(X.set_axis(np.arange(60) * 7, axis=0))
    assert "__index_level_0__" in stored.column_names
    assert list(pandas_frame(stored).columns) == list(X.columns)
    named = pa.Table.from_pandas(X.rename_axis("id")
                                 .set_axis(pd.Index(range(60, 0, -1), name="id")))
    assert list(pandas_frame(named).columns) == list(X.columns)


def test_whole_numbers_beyond_a_float_are_seen_behind_a_gap():
    values = [2**53 + 1, None, 3]  # as a float it would be 2**53
    for frame in (pl.DataFrame({"id": values}), pa.table({"id": values})):
        with pytest.raises(ValueError, match="column 'id' holds whole numbers beyond"):
            learn_table(frame)


def test_decimals_are_numbers_and_nulls_of_no_kind_are_missing():
    from decimal import Decimal
    frame = pl.DataFrame({"price": [Decimal("1.25"), None, Decimal("3")],
                          "empty": [None] * 3})
    table = learn_table(frame)
    assert [str(a) for a in table.attributes] == ["numeric", "no values"]
    assert np.array_equal(table.column("price"), [1.25, np.nan, 3], equal_nan=True)


def test_narwhals_own_frame_and_a_stream_of_batches():
    import narwhals
    X, y = mixed()
    expected = C45Classifier().fit(X, y).predict(X)
    reader = as_arrow(X).to_reader()
    for frame in (narwhals.from_native(as_polars(X)), Stream(as_arrow(X)), reader):
        assert (C45Classifier().fit(frame, y).predict(X) == expected).all()


def test_a_frame_of_pandas_behind_narwhals_is_that_frame():
    # so are Modin's and cuDF's: nothing is taken apart, not even the row labels
    import narwhals
    X, _ = mixed()
    X = X.set_axis(range(100, 160))
    pd.testing.assert_frame_equal(pandas_frame(narwhals.from_native(X)), X)


def test_sparse_columns_of_pandas_keep_their_names():
    dense = pd.DataFrame({"a": [0.0, 0, 3, 0] * 5, "b": [1.0, 0, 0, 0] * 5})
    y = ["u", "v", "w", "v"] * 5
    model = C45Classifier().fit(dense.astype(pd.SparseDtype(float, 0.0)), y)
    assert model.feature_names_in_.tolist() == ["a", "b"]
    shuffled = dense[["b", "a"]].astype(pd.SparseDtype(float, 0.0))
    assert model.predict(shuffled).tolist() == y


# Refusing

def test_a_lazy_frame_is_refused_with_what_to_do():
    lazy = pl.DataFrame({"a": [1, 2]}).lazy()
    with pytest.raises(TypeError,
                       match=r"polars's LazyFrame, a query that has not run.*X\.collect"):
        MajorityClassifier().fit(lazy, ["u", "v"])
    model = MajorityClassifier().fit(lazy.collect(), ["u", "v"])
    with pytest.raises(TypeError, match="query that has not run"):
        model.predict(lazy)


@pytest.mark.parametrize("column, held", [
    (pl.Series("when", ["2020-01-01"] * 3).str.to_date(), "date"),
    (pl.Series("when", ["2020-01-01"] * 3).str.to_datetime(), "datetime"),
    (pl.Series("when", [[1], [2], [3]]), "mixed"),
    (pl.Series("when", [{"u": 1}] * 3), "mixed"),
    (pl.Series("when", [1, "a", None], dtype=pl.Object), "mixed-integer"),
])
def test_what_pandas_would_be_refused_for(column, held):
    frame = pl.DataFrame({"a": [1, 2, 3]}).with_columns(column)
    with pytest.raises((TypeError, ValueError), match=f"column 'when' holds {held}"):
        learn_table(frame)


class Unreadable:
    """Columns with names, and values as a nameless block."""

    columns = ["a", "b"]

    def __array__(self, dtype=None, copy=None):
        return np.ones((2, 2))


class OldStandard(Unreadable):
    columns = property()

    def __dataframe__(self, *args):
        raise NotImplementedError


class BrokenStream(Unreadable):
    columns = property()

    def __arrow_c_stream__(self, requested_schema=None):
        raise ValueError("nothing here")


@pytest.mark.parametrize("X", [Unreadable(), OldStandard(), BrokenStream()])
def test_columns_that_cannot_be_read_with_their_names(X):
    with pytest.raises(TypeError,
                       match="columns can't be read with their names: make a frame"):
        MajorityClassifier().fit(X, ["u", "v"])
    model = MajorityClassifier().fit([[1, 2]], ["u"])
    with pytest.raises(TypeError, match="columns can't be read with their names"):
        model.predict(X)


Person = namedtuple("Person", "age height")
records = pytest.mark.parametrize("X", [
    {"age": [1, 2], "height": [3, 4]},
    [{"age": 1, "height": 3}, {"age": 2, "height": 4}],
    [Person(1, 3), Person(2, 4)],
    [pd.Series({"age": 1, "height": 3}), pd.Series({"age": 2, "height": 4})],
    np.array([(1, 3), (2, 4)], dtype=[("age", int), ("height", int)]),
    [np.array((1, 3), dtype=[("age", int), ("height", int)])[()]] * 2,
], ids=["dict", "dicts", "tuples", "series", "array", "records"])


@records
def test_named_values_that_an_array_would_lose(X):
    with pytest.raises(TypeError,
                       match=r"with names, which an array would lose: pd\.DataFrame"):
        MajorityClassifier().fit(X, ["u", "v"])


def test_a_column_name_twice():
    table = pa.table([[1, 2], [3, 4]], names=["a", "a"])
    with pytest.raises(ValueError, match="column names occur twice.*a"):
        learn_table(table)


def test_a_series_is_no_table():
    for series in (pl.Series([1, 2]), pa.chunked_array([[1, 2]]), pa.array([1, 2])):
        with pytest.raises(ValueError, match="Expected 2D array, got 1D array"):
            learn_table(series)


@kinds
def test_a_missing_and_an_unknown_column_are_named(kind):
    X, y = mixed()
    model = MajorityClassifier().fit(convert(X, kind), y)
    wrong = convert(X.rename(columns={"word": "Word"}), kind)
    with pytest.raises(ValueError, match=r"missing \['word'\] and unknown \['Word'\]"):
        model.predict(wrong)


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow"])
def test_names_that_were_given_to_an_array_are_matched(kind):
    frame = pd.DataFrame({"x0": [1, 2, 3, 4] * 5, "x1": [0] * 20})
    model = C45Classifier().fit(frame.to_numpy(), ["odd", "even"] * 10)
    assert (model.predict(convert(frame[["x1", "x0"]], kind))
            == model.predict(frame.to_numpy())).all()


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


@kinds
def test_what_scikit_learn_is_set_to_is_obeyed(kind):
    X, _ = mixed()
    step = Standardizer().fit(X)
    with sklearn.config_context(transform_output="polars"):
        assert isinstance(step.transform(convert(X, kind)), pl.DataFrame)


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


@pytest.mark.parametrize("kind", ["polars", "arrow", "batch"])
def test_a_transformer_knows_the_names_it_was_fitted_with(kind):
    X, _ = mixed()
    step = Standardizer().fit(convert(X, kind))
    assert step.feature_names_in_.tolist() == list(X.columns)
    with pytest.warns(UserWarning, match="don't both have column names"):
        step.transform(X.to_numpy()[:5])


def test_polars_gets_its_own_kinds_back():
    X, _ = mixed()
    given = as_polars(X).with_columns(pl.col("word").cast(pl.Categorical))
    answer = Standardizer().fit_transform(given)
    assert answer["size"].dtype == pl.Enum(SIZES) and answer["flag"].dtype == pl.Boolean
    assert answer["word"].dtype == pl.Categorical and answer["height"].dtype == pl.Float64
    assert answer.null_count().row(0) == given.null_count().row(0)
    text = Standardizer().fit_transform(as_polars(X))
    assert text["word"].dtype == pl.String
    bins = EqualWidthDiscretizer(2).fit_transform(given)
    assert isinstance(bins["height"].dtype, pl.Enum)


def test_names_pass_through_a_pipeline():
    X, y = mixed()
    chain = make_pipeline(MissingValueImputer(), Standardizer(), C45Classifier())
    expected = clone(chain).fit(X, y).predict(X)
    for kind in ("polars", "arrow"):
        fitted = clone(chain).fit(convert(X, kind), y)
        assert fitted[-1].feature_names_in_.tolist() == list(X.columns)
        assert (fitted.predict(reordered(X, kind)) == expected).all()


@pytest.mark.parametrize(
    "selector", [SelectBest(k=2), WrapperSelector(C45Classifier(), cv=3, random_state=0)],
    ids=lambda s: type(s).__name__)
@pytest.mark.parametrize("kind", ["polars", "arrow"])
def test_selectors_keep_names_and_kind(selector, kind):
    X, y = mixed()
    expected = clone(selector).fit(X, y)
    chosen = clone(selector).fit(convert(X, kind), y)
    assert chosen.selected_ == expected.selected_
    answer = chosen.transform(reordered(X, kind))
    assert isinstance(answer, pl.DataFrame if kind == "polars" else pa.Table)
    assert same_content(answer, expected.transform(X))
    asked = clone(selector).set_output(transform="polars").fit(convert(X, kind), y)
    assert isinstance(asked.transform(X), pl.DataFrame)


# Where else a name could get lost

@kinds
def test_evaluate_and_scikit_learn_take_every_kind(kind):
    X, y = mixed()
    expected = evaluate(C45Classifier(), X, y, cv=3, random_state=0)
    assert evaluate(C45Classifier(), convert(X, kind), pl.Series(y), cv=3,
                    random_state=0).equals(expected)
    if kind in ("polars", "arrow"):
        assert (cross_val_predict(C45Classifier(), convert(X, kind), y, cv=3)
                == cross_val_predict(C45Classifier(), X, y, cv=3)).all()


@kinds
def test_streams_and_text(kind):
    rng = np.random.default_rng(0)
    counts = pd.DataFrame(rng.integers(0, 5, (60, 3)), columns=["ham", "eggs", "spam"])
    y = np.where(counts["spam"] > counts["ham"], "junk", "mail")
    for model in (MultinomialTextClassifier(), NaiveBayesClassifier()):
        expected = clone(model).fit(counts, y).predict_proba(counts)
        first, second = convert(counts[:30], kind), reordered(counts[30:], kind)
        model.partial_fit(first, y[:30],
                          classes=["junk", "mail"]).partial_fit(second, pl.Series(y[30:]))
        assert model.feature_names_in_.tolist() == ["ham", "eggs", "spam"]
        assert np.allclose(model.predict_proba(reordered(counts, kind)), expected)


@kinds
def test_other_doors(kind):
    X, y = mixed()
    numbers = X[["height", "whole"]].dropna()
    labels = y[numbers.index]
    given, swapped = convert(numbers, kind), reordered(numbers, kind)
    assert np.allclose(distance_matrix(given, swapped), distance_matrix(numbers))
    blanked = blank_values(given, 0.2, 0)
    assert pandas_frame(blanked).isna().equals(
        blank_values(numbers, 0.2, 0).isna().set_axis(pandas_frame(blanked).index))
    grown, grown_y = oversample(given, pl.Series(labels), random_state=0)
    assert type(blanked) is type(grown) is (pa.Table if kind == "batch" else type(given))
    assert list(pandas_frame(grown).columns) == ["height", "whole"]
    assert np.array_equal(as_frame(grown), oversample(numbers, labels, random_state=0)[0])
    assert (apply_attributes(swapped, learn_table(numbers).attributes).values.tolist()
            == numbers.values.tolist())
    remembered = TableEncoder().fit(given)
    assert remembered.transform(swapped).values.tolist() == numbers.values.tolist()
    ax = plot_classes(given, pl.Series(labels))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("height", "whole")
    ax = plot_regions(KNNClassifier().fit(given, labels), given, pl.Series(labels),
                      resolution=5)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("height", "whole")


def test_series_that_are_none_come_back_as_they_are():
    for y in ([1, 2], np.array([1, 2]), pd.Series([1, 2]), "text", None, 3):
        assert pandas_series(y) is y


def test_a_series_of_another_library_keeps_name_and_whole_numbers():
    read = pandas_series(pl.Series("id", [2**53 + 1, None]))
    assert read.name == "id" and read.isna().tolist() == [False, True]
    assert read[0] == 2**53 + 1
    assert isinstance(pandas_series(pl.DataFrame({"y": ["a", "b"]})), pd.DataFrame)


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


@kinds
def test_a_tree_asks_the_rows_of_any_frame(kind):
    X, y = mixed()
    asked, tree = reordered(X, kind), C45Classifier(min_num_obj=1).fit(X, y).tree_
    assert [row_path(tree, asked, i) for i in range(9)] == [
        row_path(tree, X, i) for i in range(9)]
