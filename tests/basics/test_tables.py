"""Tables: round trips, hostile input, agreement
with scikit-learn. What a reader need not see."""


import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import KBinsDiscretizer, Normalizer, StandardScaler

from supervised.associations import RuleFeatures
from supervised.basics.tables import (
    Attribute,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    IndicatorEncoder,
    MissingValueImputer,
    Standardizer,
    Table,
    TableEncoder,
    UnitLengthScaler,
    apply_attributes,
    equal_frequency_cuts,
    equal_width_cuts,
    interval_labels,
    is_missing,
    learn_table,
    number_text,
    to_frame,
    to_matrix,
)
from supervised.features import MDLDiscretizer, SelectBest
from tests import examples

quick = examples(60)
words = st.sampled_from(["a", "b", "Ärger", "no", "", " x", "10"])
floats = st.floats(-1e9, 1e9, allow_nan=False)
whole = st.integers(-100, 100)


def column(values, dtype):
    return st.lists(values, min_size=6, max_size=6).map(lambda v: pd.Series(v, dtype=dtype))


columns = st.one_of(
    column(floats | st.just(float("nan")), "float64"),
    column(st.floats(-1e6, 1e6, width=32), "float32"),
    column(whole, "int64"), column(st.integers(0, 200), "uint8"),
    column(whole | st.none(), "Int64"),
    column(st.integers(-(2**53), 2**53), "int64"),
    column(floats | st.none(), "Float64"), column(st.booleans(), "bool"),
    column(st.booleans() | st.none(), "boolean"),
    column(words, "str"), column(words | st.none(), "str"),
    column(words | st.none(), "string"), column(words | st.none(), "object"),
    column(st.booleans() | st.none(), "object"),
    column(st.none(), "object"), column(st.just(float("nan")), "float64"),
    column(st.sampled_from(["a", "b"]) | st.none(),
           pd.CategoricalDtype(["10", "b", "a", "no"])),
    column(st.integers(1, 3) | st.none(), pd.CategoricalDtype([3, 1, 2], ordered=True)),
    column(st.booleans() | st.none(), pd.CategoricalDtype([True, False])),
    column(whole.map(float) | st.none(), "category"),
)
frames = st.lists(columns, min_size=1, max_size=5).map(
    lambda parts: pd.DataFrame({f"c{i}": p for i, p in enumerate(parts)}))


@quick
@given(frames)
def test_encoding_loses_nothing(frame):
    encoder = TableEncoder()
    table = encoder.fit_transform(frame)
    back = encoder.inverse_transform(table)
    assert back.dtypes.equals(frame.dtypes)
    for name in frame:  # None and NaN in an object column are the same missing value
        pd.testing.assert_series_equal(back[name].isna(), frame[name].isna())
        present = frame[name].notna()
        assert back[name][present].tolist() == frame[name][present].tolist()
    for a, c in table.columns():
        assert is_missing(c).tolist() == frame[a.name].isna().tolist()


@quick
@given(frames, st.randoms(use_true_random=False))
def test_order_of_columns_does_not_matter(frame, random):
    encoder = TableEncoder().fit(frame)
    shuffled = list(frame.columns)
    random.shuffle(shuffled)
    a, b = encoder.transform(frame), encoder.transform(frame[shuffled])
    assert np.array_equal(a.codes, b.codes)
    assert np.array_equal(a.values, b.values, equal_nan=True)


@quick
@given(frames)
def test_order_of_rows_does_not_matter(frame):
    backwards = learn_table(frame[::-1])
    assert backwards.attributes == learn_table(frame).attributes
    assert np.array_equal(learn_table(frame).codes[::-1], backwards.codes)


@pytest.fixture
def people():
    return pd.DataFrame({
        "color": pd.Series(["red", "blue", None, "red"], dtype="str"),
        "size": pd.Categorical(["S", "L", "M", None], ["S", "M", "L"], ordered=True),
        "weight": [1.5, np.nan, 3.0, 4.0], "member": [True, False, True, True]})


def test_codes_by_hand(people):
    table = learn_table(people)
    assert table.codes.tolist() == [[1, 0, 1], [0, 2, 0], [-1, 1, 1], [1, -1, 1]]
    assert table.column("weight").tolist()[2:] == [3, 4]
    assert table.codes.dtype == np.int16 and table.codes.flags.f_contiguous
    assert [str(a) for a in table.attributes] == ["blue, red", "S < M < L", "numeric",
                                                  "False, True"]


def test_many_values_need_wider_codes():
    table = learn_table(pd.DataFrame({"id": [f"{i:05}" for i in range(40_000)]}))
    assert (table.codes.dtype == np.int32
            and table.codes[:, 0].tolist() == list(range(40_000)))


def test_unseen_values_are_missing(people):
    new = people.assign(color="green", size=pd.Categorical(["XL", "S", "S", "S"]))
    table = TableEncoder().fit(people).transform(new)
    assert table.column("color").tolist() == [-1] * 4
    assert table.column("size").tolist() == [-1, 0, 0, 0]


def test_rows_that_become_numbers_or_names_are_refused_by_name(people):
    encoder = TableEncoder().fit(people)
    for bad, match in [
        (people.assign(weight=["a", "b", "c", "d"]),
         "'weight' held numbers .* now holds text"),
        (people.assign(weight=[True, False, True, True]),
         "'weight' held numbers .* truth values"),
        (people.assign(color=[1, 2, 3, 4]), "'color' held text .* now holds numbers"),
        (people.assign(member=["yes", "no", "no", "no"]),
         "'member' held truth values .* text"),
        (people.assign(weight=pd.to_datetime(["2020-01-01"] * 4)), "'weight' held numbers"),
        (people.drop(columns=["color", "size"]), r"missing \['color', 'size'\]"),
        (people.assign(age=1), r"unknown \['age'\]"),
        (people.assign(weight=np.inf), "infinity.*'weight'"),
    ]:
        with pytest.raises(ValueError, match=match):
            encoder.transform(bad)


def test_a_column_gone_all_missing_is_accepted(people):
    encoder = TableEncoder().fit(people)
    table = encoder.transform(people.assign(color=None, weight=None, size=np.nan,
                                            member=None))
    assert is_missing(table.codes).all() and is_missing(table.values).all()


def test_hostile_frames_at_fit(people):
    for bad, error, match in [
        (people[:0], ValueError, "0 sample"), (people[[]], ValueError, "0 feature"),
        (pd.DataFrame(np.eye(2), columns=["a", "a"]), ValueError, r"twice: \['a'\]"),
        (people.assign(x=[1, "a", 2, 3]), TypeError, "'x' holds mixed.* int .* str"),
        (people.assign(x=[[1], [2], [3], [4]]), TypeError, "'x'"),
        (people.assign(x=pd.to_datetime(["2020-01-01"] * 4)),
         ValueError, "'x' holds datetime64"),
        (people.assign(x=pd.to_timedelta([1, 2, 3, 4])), ValueError, "'x' holds timedelta"),
        (people.assign(x=[1j, 2, 3, 4]), ValueError, "Complex.*'x'"),
        (people.assign(x=[1.0, -np.inf, 0, 0]), ValueError, "infinity.*'x'"),
        (people.assign(x=[2**60, 1, 2, 3]), ValueError, "'x' holds whole numbers beyond"),
        (pd.DataFrame({"x": [1.0, np.inf]}), ValueError, "infinity.*'x'"),
        ([1, 2, 3], ValueError, "Reshape your data"),
        (np.zeros((2, 2, 2)), ValueError, "Reshape your data"),
        (pd.Series([1, 2]), ValueError, "Reshape your data"),
        (None, ValueError, "Reshape your data"),
    ]:
        with pytest.raises(error, match=match):
            TableEncoder().fit(bad)


def test_no_rows_at_prediction_is_a_table_of_no_rows(people):
    assert TableEncoder().fit(people).transform(people[:0]).shape == (0, 4)
    assert MissingValueImputer().fit(people).transform(people[:0]).shape == (0, 4)


def test_an_array_is_copied():
    array = np.asfortranarray(np.zeros((3, 2)))
    learn_table(array).values[0, 0] = 7
    assert array[0, 0] == 0


def test_names_need_not_be_strings():
    frame = pd.DataFrame([[1.0, 2.0]], columns=[10, ("a", 1)])
    encoder = TableEncoder().fit(frame)
    assert encoder.transform(frame[[("a", 1), 10]]).values.tolist() == [[1, 2]]
    assert not hasattr(encoder, "feature_names_in_")


def test_table_rows_and_columns(people):
    table = learn_table(people)
    assert table[1:3].column("color").tolist() == [0, -1]
    assert table[np.array([True, False, False, True])].shape == (2, 4)
    with pytest.raises(ValueError, match="no attribute 'colour'"):
        table.column("colour")
    with pytest.raises(TypeError, match="column is table.column"):
        table["color"]
    assert np.array_equal(np.asarray(table), to_matrix(table), equal_nan=True)
    assert isinstance(table, Table) and len(table) == 4


def test_imputer_by_hand(people):
    filled = MissingValueImputer(numeric_strategy="median").fit_transform(people)
    assert filled["color"].tolist() == ["red", "blue", "red", "red"]
    assert filled["size"].tolist() == ["S", "L", "M", "S"]  # a tie: the first in the domain
    assert filled["weight"].tolist() == [1.5, 3, 3, 4]
    assert filled.dtypes.equals(people.dtypes)
    unknown = MissingValueImputer(nominal_strategy="unknown").fit_transform(people)
    assert unknown["size"].tolist() == ["S", "L", "M", "unknown"]
    again = (MissingValueImputer(nominal_strategy="unknown").fit(people)
             .transform(people.assign(color="green")))
    assert again["color"].tolist() == ["unknown"] * 4


@pytest.mark.filterwarnings("ignore:Bins whose width")
def test_discretizers_agree_with_scikit_learn():
    values = np.random.default_rng(3).normal(size=(600, 3))
    ours = EqualWidthDiscretizer(6).fit_transform(values)
    theirs = KBinsDiscretizer(6, encode="ordinal", strategy="uniform",
                              subsample=None).fit_transform(values)
    assert (ours == theirs).all()
    ours = EqualFrequencyDiscretizer(6).fit_transform(values)
    theirs = KBinsDiscretizer(6, encode="ordinal", strategy="quantile", subsample=None,
                              quantile_method="averaged_inverted_cdf").fit_transform(values)
    assert (ours == theirs).all()


@quick
@given(st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=30), st.integers(2, 7))
def test_cuts_part_the_range(values, k):
    values = np.array(values)
    for find in (equal_width_cuts, equal_frequency_cuts):
        cuts = find(values, k)
        assert len(cuts) < k and (np.diff(cuts) > 0).all()
        sizes = np.bincount(np.searchsorted(cuts, values), minlength=len(cuts) + 1)
        assert sizes.sum() == len(values)
        assert sizes[0] > 0 and sizes[-1] > 0
        assert sizes.all() or find is equal_width_cuts
    if len(set(values)) == len(values) >= k:  # no ties: sizes differ by one at most
        sizes = np.bincount(np.searchsorted(equal_frequency_cuts(values, k), values))
        assert sizes.max() - sizes.min() <= 1


def test_interval_labels_tell_close_cuts_apart():
    assert interval_labels(np.array([80, 97.5])) == ("<= 80", "(80, 97.5]", "> 97.5")
    labels = interval_labels(np.array([1.00001, 1.00002]))
    assert len(set(labels)) == 3
    assert interval_labels(np.empty(0)) == ("any",)
    # four digits would put a row with 3914 on the other side
    assert interval_labels(np.array([3913.5])) == ("<= 3913.5", "> 3913.5")


def test_scalers_agree_with_scikit_learn():
    values = np.random.default_rng(4).normal(5, [1, 10, 100], size=(50, 3))
    assert np.allclose(Standardizer().fit_transform(values),
                       StandardScaler().fit_transform(values), rtol=1e-12)
    assert np.allclose(UnitLengthScaler().fit_transform(values),
                       Normalizer().fit_transform(values), rtol=1e-12)


def test_scalers_at_the_edges():
    constant = np.array([[0.1], [0.1], [0.1]])
    assert Standardizer().fit_transform(constant).tolist() == [[0], [0], [0]]
    huge = UnitLengthScaler().fit_transform(np.array([[3e200, 4e200], [0, 0], [3, np.nan]]))
    assert np.allclose(huge, [[0.6, 0.8], [0, 0], [1, np.nan]], equal_nan=True)
    only_names = pd.DataFrame({"a": ["x", "y"]})
    assert Standardizer().fit_transform(only_names).equals(only_names)
    assert UnitLengthScaler().fit_transform(only_names).equals(only_names)
    assert np.isnan(Standardizer().fit_transform(np.array([[np.nan], [1.0]]))[0, 0])


@pytest.mark.parametrize("n_bins", [2, 40])  # few cuts are counted, many are searched for
@pytest.mark.parametrize("kind", [EqualWidthDiscretizer, EqualFrequencyDiscretizer])
def test_missing_values_stay_missing_in_intervals(kind, n_bins):
    values = np.append(np.arange(100.0), np.nan)
    bins = kind(n_bins).fit_transform(pd.DataFrame({"x": values}))["x"]
    assert bins.isna().tolist() == [False] * 100 + [True]
    assert (len(bins.cat.categories) == n_bins
            and bins.cat.codes.iloc[:100].is_monotonic_increasing)
    assert (bins.value_counts().tolist() == [100 // n_bins] * n_bins if n_bins == 2
            else bins.nunique() == n_bins)
    assert np.isnan(kind(n_bins).fit_transform(values[:, None])[-1, 0])


def test_a_table_has_memory_of_its_own():
    numbers = np.random.default_rng(0).normal(size=(3, 40)).T  # column by column
    frame = pd.DataFrame(numbers, columns=list("xyz"))
    for one in (frame, frame.assign(name=list("ab") * 20), frame.assign(w=range(40)),
                frame[["z", "x"]], frame[::2]):
        before = one.copy()
        table = learn_table(one)
        again = apply_attributes(one, table.attributes, copy=False)
        for own in (table, again):
            assert own.values.flags.writeable
            own.values[:] = 0
            if own.codes.size:
                own.codes[:] = -1
        pd.testing.assert_frame_equal(one, before)
        assert not one["x"].to_numpy().flags.writeable  # pandas' own mark


def test_truth_values_of_another_domain_stay_within_it():
    """A column without a value has an empty domain: no code stands for one of it."""
    nothing = learn_table(pd.DataFrame({"a": [None, None], "b": [1.0, 2.0]}))
    later = pd.DataFrame({"a": [True, False], "b": [1.0, 2.0]})
    assert apply_attributes(later, nothing.attributes).codes.ravel().tolist() == [-1, -1]
    for domain, codes in (((True,), [0, -1]), ((True, False), [0, 1])):
        own = Attribute("a", "nominal", domain), nothing.attributes[1]
        assert apply_attributes(later, own).codes.ravel().tolist() == codes


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int8, np.uint64])
@pytest.mark.parametrize("copy", [True, False])
def test_an_array_is_read_like_a_frame_without_names(kind, copy):
    X = np.arange(12).reshape(4, 3).astype(kind)
    attributes = learn_table(X.astype(np.float64)).attributes
    short = apply_attributes(X, attributes, named=False, copy=copy)
    long = apply_attributes(X.tolist(), attributes, named=False, copy=copy)
    assert short.attributes == long.attributes and short.shape == long.shape
    assert np.array_equal(short.values, long.values)
    assert short.values.dtype == np.float64 and short.codes.shape == (4, 0)
    assert np.shares_memory(short.values, X) == (kind is np.float64 and not copy)
    assert len(apply_attributes(X[:0], attributes, named=False)) == 0


@pytest.mark.parametrize("wrong", [2**53 + 1, -(2**53) - 1])
@pytest.mark.parametrize("dtype", ["int64", "Int64"])
def test_a_whole_number_that_a_float_would_round_is_refused(wrong, dtype):
    frame = pd.DataFrame({"size": [1, 2], "id": [3, wrong]}).astype(dtype)
    with pytest.raises(ValueError, match=r"column 'id' holds whole numbers beyond 2\*\*53"):
        learn_table(frame)
    edge = pd.DataFrame({"size": [1, 2], "id": [-(2**53), 2**53]}).astype(dtype)
    assert learn_table(edge).column("id").tolist() == [-(2.0**53), 2.0**53]


@pytest.mark.parametrize(("number", "text"), [
    (55500, "55500"), (2.4 / 2 + 2.5 / 2, "2.45"), (5247891.21, "5247891.21"),
    (1e15 + 1, "1000000000000001"), (1 / 3, "0.3333333333"), (-0.0, "0"),
    (np.inf, "inf"), (1e300, "1e+300")])
def test_numbers_are_printed_as_they_are_compared(number, text):
    assert number_text(number) == text


def test_standardized_numbers_find_their_way_back():
    X = np.random.default_rng(0).normal(3, 5, size=(20, 2))
    scaler = Standardizer().fit(X)
    assert np.allclose(scaler.inverse_transform(scaler.transform(X)), X)


KEEPERS = [MissingValueImputer(), Standardizer(), UnitLengthScaler(),
           EqualWidthDiscretizer(), MDLDiscretizer(),
           SelectBest(k=2), RuleFeatures()]


@pytest.mark.parametrize("dtype", [object, "str", "category"])
@pytest.mark.parametrize("transformer", KEEPERS, ids=lambda t: type(t).__name__)
def test_values_that_are_present_stay(transformer, dtype):
    """A name that `fit` has not seen is not a missing one."""
    cities = pd.Series(["Zürich", "Bern", "Zürich", "Bern"], dtype=dtype)
    known = pd.DataFrame({"city": cities, "v": [1.0, 2, 3, 4]})
    new = pd.DataFrame({"city": pd.Series(["Basel", "Bern", "Genf"], dtype=dtype),
                        "v": [1.0, 2, 3]})
    found = transformer.fit(known, [0, 1, 0, 1]).transform(new)
    assert found["city"].tolist() == ["Basel", "Bern", "Genf"]
    again = transformer.transform(learn_table(new))
    assert to_frame(again)["city"].tolist() == ["Basel", "Bern", "Genf"]


def test_indicators_by_hand():
    X = pd.DataFrame({"deck": ["A", "C", None, "B"], "age": [1.0, 2.0, 3.0, 4.0]})
    model = IndicatorEncoder().fit(X, [0, 1, 0, 1])
    assert list(model.get_feature_names_out()) == ["deck=A", "deck=B", "deck=C", "age"]
    found = np.asarray(model.transform(X.assign(deck=["C", "A", None, "Z"])), dtype=float)
    assert found.tolist() == [[0, 0, 1, 1], [1, 0, 0, 2], [0, 0, 0, 3], [0, 0, 0, 4]]
