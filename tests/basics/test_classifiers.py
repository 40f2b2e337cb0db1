"""The base of all classifiers: labels, weights, storage, hostile input."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import column_or_1d

from supervised.basics import (
    BaseClassifier,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    IndicatorEncoder,
    MajorityClassifier,
    MissingValueImputer,
    RoteClassifier,
    Standardizer,
    TableEncoder,
    learn_table,
    load_loan,
)
from supervised.basics.classifiers import (
    check_weights,
    encode_classes,
    from_json,
    pack,
    to_json,
    unpack,
)
from supervised.basics.datasets import load_heart_disease, load_votes
from supervised.basics.engine.classifiers import _one_column
from supervised.basics.tables import Table, to_frame
from tests import interrupting
from tests.house.test_estimators import estimators

BOTH = [MajorityClassifier, RoteClassifier]


@pytest.fixture
def loan():
    return load_loan()


@pytest.mark.parametrize("y", [
    np.array([1, 0, 1]), np.array([1.0, np.nan, 2.0]), np.array(["a", "b", "a"]),
    np.array(["a", None, 1], dtype=object), np.array([True, False, True]),
    np.arange(6)[::2], np.array(["2020-01-01"] * 3, dtype="datetime64[D]"),
    pd.Series([3, 1, 3]), pd.Series([True, False, True]), pd.Series(["a", "b", None]),
    pd.Series(["a", "b", None], dtype=object),
    pd.Series(["b", "a", None], dtype="category"),
    pd.Series([1, 2, None], dtype="Int64"), pd.Series([True, None, False], dtype="boolean"),
    pd.Series([True, False, True], dtype="category"), [1, 2, 1], ("a", "b", "a")],
    ids=lambda y: f"{type(y).__name__}-{getattr(y, 'dtype', '')}")
def test_labels_are_read_as_scikit_learn_reads_them(y):
    """Though a plain column is spared its questions."""
    ours, theirs = _one_column(y), column_or_1d(y)
    assert ours.dtype == theirs.dtype and ours.flags.c_contiguous
    assert pd.Series(ours).equals(pd.Series(theirs))


def test_a_table_of_labels_is_no_column_and_a_standing_column_is_warned_of():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert _one_column(np.array([[1], [2]])).tolist() == [1, 2]
    with pytest.raises(ValueError, match="1d array"):
        _one_column(np.ones((2, 2), dtype=int))


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
    ([1, 2], "3 rows and y 2"), ([np.inf, 1.0, 2.0], "infinity|Unknown label"),
])
@pytest.mark.parametrize("kind", BOTH)
def test_hostile_labels(kind, labels, match):
    with pytest.raises(ValueError, match=match):
        kind().fit(pd.DataFrame({"x": [1.0, 2.0, 3.0]}), labels)


@pytest.mark.parametrize("weights, match", [
    ([1, 2], "shape"), ([1, -1, 1], "-1.0 in row 1"), ([1, np.nan, 1], "nan in row 1"),
    ([1, np.inf, 1], "inf in row 1"),
    ([1, 1, 1e-101], "1e-101 in row 2: weights are 0 or between"),
    ([1, 1e51, 1], r"1e\+51 in row 1: weights are 0 or between"), (5e-324, "in row 0"),
    ([0, 0, 0], "zero"), (-1, "-1.0 in row 0"), ([[1], [1], [1]], "shape"),
])
def test_hostile_weights(weights, match):
    with pytest.raises(ValueError, match=match):
        check_weights(weights, 3)
    with pytest.raises(ValueError, match=match):
        MajorityClassifier().fit(np.eye(3), [0, 1, 1], sample_weight=weights)


def test_weights_given_as_nothing_or_one_number():
    assert (check_weights(None, 2).tolist() == [1, 1]
            and check_weights(0.5, 2).tolist() == [0.5, 0.5])


def test_the_lightest_and_the_heaviest_weights_are_taken():
    assert check_weights([0, 1e-100, 1e50], 3).tolist() == [0, 1e-100, 1e50]


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
def test_one_class_one_row(kind):
    model = kind().fit([["a", 1.0]], ["only"])
    assert model.predict([["b", 2.0]]).tolist() == ["only"]
    assert model.predict_proba([["b", 2.0]]).tolist() == [[1.0]]


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
def test_works_with_the_tools_of_scikit_learn(kind, loan):
    X, y = loan
    pipe = make_pipeline(EqualWidthDiscretizer(3), kind())
    assert len(cross_val_score(pipe, X, y, cv=3)) == 3
    search = GridSearchCV(pipe, {"equalwidthdiscretizer__n_bins": [2, 3]}, cv=3).fit(X, y)
    assert search.best_params_["equalwidthdiscretizer__n_bins"] in (2, 3)
    model = pickle.loads(pickle.dumps(clone(kind()).fit(X, y)))
    assert model.predict(X).tolist() == kind().fit(X, y).predict(X).tolist()


@pytest.mark.parametrize("kind", BOTH)
def test_a_table_may_be_encoded_once_and_split_often(kind):
    X, y = load_votes()
    table = learn_table(X)
    direct, by_table = kind().fit(X, y), kind().fit(table, y)
    assert (direct.predict_proba(X) == by_table.predict_proba(table)).all()
    assert cross_val_score(kind(), table, np.asarray(y), cv=5) == pytest.approx(
        cross_val_score(kind(), X, np.asarray(y), cv=5))


@pytest.mark.parametrize("kind", BOTH)
def test_json_is_plain_and_complete(kind, loan):
    X, y = loan
    text = kind().fit(X, y).to_json()
    stored = json.loads(text,
                        parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert (stored["format"], stored["version"]) == ("supervised", 1)
    assert from_json(text).to_json() == text
    assert (from_json(text).predict_proba(X).tolist() == kind().fit(X, y).predict_proba(X)
            .tolist())


@pytest.mark.parametrize("value", [
    None, True, 3, 2.5, "x", float("inf"), [1, "a", None],
    (1, (2, 3)), range(1, 9, 2), {"a": 1, 2: "b", (1, 2): [3]},
    np.int64(3), np.float32(0.1), np.bool_(True), np.dtype("int8"), pd.Int64Dtype(),
    pd.StringDtype(), pd.CategoricalDtype(["b", "a"], ordered=True),
    pd.CategoricalDtype([1.5, 2.5]), pd.CategoricalDtype([True, False]),
])
def test_pack_and_unpack(value):
    text = json.dumps(pack(value), allow_nan=False)
    back = unpack(json.loads(text))
    assert back == value and type(back) is type(value)


def test_pack_arrays():
    labels = np.empty(2, dtype=object)
    labels[:] = [(1, 2), "a"]
    for array in (np.arange(6, dtype=np.int16).reshape(2, 3),
                  np.array([0.1, np.nan, -np.inf]), np.array(["ab", "c"]),
                  np.empty((0, 3)), labels, np.array([True, False])):
        back = unpack(json.loads(json.dumps(pack(array), allow_nan=False)))
        assert back.dtype == array.dtype and back.shape == array.shape
        assert (back.tolist() == array.tolist()
                or np.array_equal(back, array, equal_nan=True))


def test_what_cannot_be_stored_is_refused():
    with pytest.raises(TypeError, match="set can't be written"):
        pack({1})
    with pytest.raises(TypeError, match="Timestamp"):
        pack(pd.Timestamp("2020-01-01"))


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


def test_a_part_without_a_type_is_refused():
    with pytest.raises(ValueError, match="model is an object of 1"):
        from_json(stored_as({"strange": 1}))
    with pytest.raises(ValueError, match=r"the value is .* and has \['strange'\]"):
        unpack({"strange": 1})


def test_not_fitted_says_so(loan):
    for kind in BOTH:
        for call in ("to_json", "to_text"):
            with pytest.raises(Exception, match="not fitted"):
                getattr(kind(), call)()


def test_learners_that_take_less_say_so():
    class Numbers(BaseClassifier):
        _takes_nominal = _takes_missing = False

        def _learn(self, table, labels, weights):
            pass

    with pytest.raises(
            ValueError,
            match=r"Numbers needs numbers, and \['color'\] are nominal: IndicatorEncoder"):
        Numbers().fit(pd.DataFrame({"color": ["a", "b"], "n": [1.0, 2.0]}), [0, 1])
    with pytest.raises(ValueError,
                       match=r"NaN: Numbers takes no missing values, and \['n'\]"):
        Numbers().fit(pd.DataFrame({"m": [1.0, 2.0], "n": [1.0, np.nan]}), [0, 1])
    assert not Numbers().__sklearn_tags__().input_tags.allow_nan


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


# ------------------------------------ transformers and pipelines as JSON


def test_transformers_and_pipelines_as_json():
    X, y = load_heart_disease()
    steps = [MissingValueImputer(), IndicatorEncoder(), Standardizer()]
    for step in (MissingValueImputer(), EqualFrequencyDiscretizer(), TableEncoder()):
        again = from_json(to_json(step.fit(X)))
        assert type(again) is type(step)
        if not isinstance(step, TableEncoder):
            pd.testing.assert_frame_equal(again.transform(X), step.transform(X))
    pipe = make_pipeline(*steps, "passthrough", MajorityClassifier()).fit(X, y)
    again = from_json(to_json(pipe))
    assert isinstance(again, Pipeline) and list(again.named_steps) == list(pipe.named_steps)
    assert (again.predict(X) == pipe.predict(X)).all()
    pd.testing.assert_frame_equal(again[:-1].transform(X), pipe[:-1].transform(X))
    assert to_json(pipe[-1]) == pipe[-1].to_json()


@pytest.mark.parametrize("step", [e for e in estimators() if hasattr(e, "transform")],
                         ids=lambda e: type(e).__name__)
def test_every_transformer_travels_as_json(step):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=60), "b": rng.normal(size=60)})
    step.fit(X, np.where(X["a"] > 0, "yes", "no"))
    again = from_json(to_json(step))
    found, expected = again.transform(X), step.transform(X)
    if isinstance(expected, Table):
        found, expected = to_frame(found), to_frame(expected)
    pd.testing.assert_frame_equal(pd.DataFrame(found), pd.DataFrame(expected))
    assert to_json(again) == to_json(step)


def test_frames_within_a_model_travel_as_json():
    for held in (pd.DataFrame({"a": [1.5, np.nan], 3: ["u", None]}, ["x", "y"]),
                 pd.DataFrame({"a": pd.Categorical(["v", "u"], ["v", "u"])}, [1.5, 2]),
                 pd.Series([1, 2], pd.RangeIndex(2, name="k"), "Int64", name="n"),
                 pd.DataFrame(index=[0, 1]).rename_axis(columns="none"), pd.Series([True])):
        again = unpack(json.loads(json.dumps(pack(held))))
        (pd.testing.assert_series_equal if isinstance(held, pd.Series)
         else pd.testing.assert_frame_equal)(again, held, check_index_type="equiv")


def test_what_json_can_not_hold_is_named():
    X, y = load_heart_disease()
    with pytest.raises(TypeError, match="GaussianNB is no estimator of this package"):
        to_json(make_pipeline(MissingValueImputer(), IndicatorEncoder(), GaussianNB())
                .fit(X, y))
    with pytest.raises(TypeError, match="int is no estimator"):
        to_json(3)
    with pytest.raises(NotFittedError):
        to_json(Standardizer())
    with pytest.raises(ValueError, match=r"model.steps\[0\].a.class is .*GaussianNB"):
        from_json(stored_as({"class": "Pipeline", "fields": {"steps": [
            ["a", {"class": "sklearn.naive_bayes.GaussianNB", "fields": {}}]]}}))


def test_a_class_reads_its_own_models_and_no_others():
    from supervised.bayes import MultinomialTextClassifier
    from supervised.trees import C45Classifier, CARTClassifier

    X, y = pd.DataFrame({"a": [0, 1, 2, 3]}), ["u", "u", "v", "v"]
    for kind in (C45Classifier, MultinomialTextClassifier):
        model = kind().fit(X, y)
        again = kind.from_json(model.to_json())
        assert type(again) is kind and (again.predict(X) == model.predict(X)).all()
        with pytest.raises(TypeError, match=f"is a {kind.__name__}, not a CARTClassifier"):
            CARTClassifier.from_json(model.to_json())


@interrupting.CAN_BE_SENT
def test_an_interrupt_inside_a_compiled_call_of_a_learner():
    assert interrupting.said("""if True:
        from supervised.basics import MajorityClassifier
        from tests.interrupting import interrupted_call

        class Waits(MajorityClassifier):
            waits = False

            def _learn(self, table, labels, weights):
                super()._learn(table, labels, weights)
                if self.waits:
                    interrupted_call()

            def _probabilities(self, table):
                interrupted_call()

        class AnswersItself(Waits):
            def predict_proba(self, X):
                interrupted_call()

        X, y = [[0], [1]], [0, 1]
        Waits.waits = True
        for call in (Waits().fit, AnswersItself().fit):
            try:
                call(X, y)
            except BaseException as error:
                print(type(error).__name__)
        Waits.waits = False
        for call in (Waits().fit(X, y).predict, Waits().fit(X, y).predict_proba,
                     AnswersItself().fit(X, y).predict):
            try:
                call(X)
            except BaseException as error:
                print(type(error).__name__)
    """) == ["KeyboardInterrupt"] * 5


@pytest.mark.xfail(strict=True, reason="names: the messages speak of Python, not of y or X")
@pytest.mark.parametrize("X, y, message", [
    ([[1], [2]], np.array([[1, 2], [3], None], dtype=object)[:2],
     "label.*list"),  # today: unhashable type: 'list'
    (pd.DataFrame({"d": ["a", pd.NaT, "b"]}), [0, 1, 1], "NaT")])  # today: 'a' is blamed
def test_messages_name_what_is_wrong(X, y, message):
    with pytest.raises((TypeError, ValueError), match=message):
        MajorityClassifier().fit(X, y)
