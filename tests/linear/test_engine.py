"""What linear classifiers share: indicators, gaps, unseen values, sparse rows, reasons."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics.datasets import (
    load_donors,
    load_heart_disease,
    load_iris,
    load_titanic,
)
from supervised.basics.tables import Table, learn_table
from supervised.linear import LogisticClassifier, PerceptronClassifier
from supervised.linear.engine.base import (
    LinearClassifier,
    _as_numbers,
    _binary_targets,
    _column_names,
    _column_spans,
    _decision_text,
    _EarlyStopping,
    _explain_line,
    _has_missing,
    _linear_scores,
    _logistic_shares,
    _plain_numbers,
    _row_values,
    _sparse_rows,
    _unseen_as_reference,
    _weights_text,
)
from supervised.neural import NeuralNetworkClassifier
from supervised.svm import SVMClassifier

ROWS = pd.DataFrame({"age": [29, 41, 7, 50], "deck": ["A", "C", "B", "C"],
                     "sex": ["female", "male", "male", "female"], "one": ["x"] * 4})


class Given(LinearClassifier):
    """Lines that are known beforehand: weights 1, 2, ... and the intercept -1."""

    def _solve(self, X, labels, weights):
        lines = 1 if len(self.classes_) == 2 else len(self.classes_)
        coef = np.arange(1.0, 1 + lines * X.shape[1]).reshape(lines, X.shape[1])
        return coef, -np.arange(1.0, lines + 1)


class Shared(Given):
    """The same with probabilities."""

    def _shares(self, scores):
        p = 1 / (1 + np.exp(-scores))
        return np.column_stack([1 - p, p])


def test_indicators_by_hand():
    table = learn_table(ROWS)
    assert _column_names(table.attributes) == ["age", "deck=B", "deck=C", "sex=male"]
    assert _column_spans(table.attributes) == [slice(0, 1), slice(1, 3), slice(3, 4),
                                               slice(4, 4)]
    assert _as_numbers(table).tolist() == [[29, 0, 0, 0], [41, 0, 1, 1], [7, 1, 0, 1],
                                           [50, 0, 1, 0]]


def test_many_values_fit_into_small_codes():
    many = [f"v{i:05d}" for i in range(33_000)]
    table = learn_table(pd.DataFrame({"a": pd.Categorical(["v32999"], many)}))
    assert np.flatnonzero(_as_numbers(table)[0]).tolist() == [32_998]
    names = [f"v{i}" for i in range(300)]
    wide = learn_table(pd.DataFrame({"a": pd.Categorical(["v2"], names),
                                     "b": pd.Categorical(["w1"], ["w0", "w1"])}))
    numbers = _as_numbers(wide)
    assert numbers.shape == (1, 300) and np.flatnonzero(numbers[0]).tolist() == [1, 299]


def test_numbers_are_not_copied():
    X = np.arange(6.0).reshape(3, 2)
    seen = []

    class Looks(Given):
        def _solve(self, X, labels, weights):
            seen.append(X)
            return super()._solve(X, labels, weights)

    model = Looks().fit(X, [0, 1, 0])
    assert np.shares_memory(seen[0], X)
    assert _plain_numbers(X) and not _plain_numbers(X.astype(np.float32))
    assert not _plain_numbers(np.array([[np.nan]])) and not _plain_numbers([[1.0]])
    assert model.n_features_in_ == 2 and model.columns_ == ["x0", "x1"]


def test_scores_by_hand():
    X = np.array([[1.0, 2.0], [0.0, -1.0]])
    scores = _linear_scores(X, np.array([[3.0, 4.0]]), np.array([0.5]))
    assert scores.tolist() == [11.5, -3.5]
    many = _linear_scores(sparse.csr_array(X), np.array([[3.0, 4.0], [1.0, 0.0], [0, 1]]),
                        np.array([0.0, 1.0, 2.0]))
    assert many.tolist() == [[11.0, 2.0, 4.0], [-4.0, 1.0, 1.0]]


def test_answers_of_two_and_of_many():
    X = np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 0.25]])
    two = Given().fit(X, ["a", "b", "a"])
    # scores 1*x0 + 2*x1 - 1: 0 lies on the line, and counts for the first class
    assert two.decision_function(X).tolist() == [0.0, -1.0, 0.0]
    assert two.predict(X + 0.01).tolist() == ["b", "a", "b"]
    assert two.predict(X).tolist() == ["a", "a", "a"]
    three = Given().fit(X, ["a", "b", "c"])
    assert three.coef_.shape == (3, 2) and three.decision_function(X).shape == (3, 3)
    assert three.predict(X).tolist() == ["c", "a", "c"]


def test_probabilities_only_where_there_are_some():
    X = np.array([[1.0, 0.0], [0.0, 0.0], [3.0, 0.25]])
    assert not hasattr(Given().fit(X, [0, 1, 1]), "predict_proba")
    model = Shared().fit(X, [0, 1, 1])
    assert model.predict_proba(X)[0].tolist() == [0.5, 0.5]
    assert np.allclose(np.exp(model.predict_log_proba(X)), model.predict_proba(X))


def test_log_odds_become_probabilities():
    odds = np.log([1.0, 3.0])
    for scores in (odds, odds[:, None]):
        assert np.allclose(_logistic_shares(scores), [[0.5, 0.5], [0.25, 0.75]])
    assert np.allclose(_logistic_shares(np.log([[1.0, 2.0, 5.0]])), [[0.125, 0.25, 0.625]])
    assert np.isfinite(_logistic_shares(np.array([[1e4, -1e4, 0.0]]))).all()


def test_gaps_are_refused_by_name():
    patients, sick = load_heart_disease()
    with pytest.raises(ValueError, match=r"NaN.*'major_vessels', 'thal'.*MissingValueImp"):
        Given().fit(patients, sick)
    model = Given().fit(ROWS, ["p", "q", "p", "q"])
    with pytest.raises(ValueError, match=r"\['sex'\] have some"):
        model.predict(ROWS.assign(sex=[None, "male", "male", "female"]))
    with pytest.raises(ValueError, match=r"\['age'\] have some"):
        model.predict(ROWS.assign(age=[np.nan, 1, 2, 3], deck=["Z", "A", "A", "A"]))
    with pytest.raises(ValueError, match="NaN"):
        Given().fit(np.array([[1.0], [np.nan]]), [0, 1])
    with pytest.raises(ValueError, match="infinity.*'x0'"):
        Given().fit(np.array([[1.0], [np.inf]]), [0, 1])
    table = learn_table(ROWS.assign(deck=["A", None, "B", "C"]))
    assert _has_missing(table) and not _has_missing(learn_table(ROWS))


def test_an_unseen_value_counts_as_the_reference():
    model = Given().fit(ROWS, ["p", "q", "p", "q"])
    reference = model.decision_function(ROWS.assign(deck="A"))
    assert (model.decision_function(ROWS.assign(deck="Z")) == reference).all()
    told = model.explain(ROWS.assign(deck="Z").iloc[0])
    part = next(p for p in told.parts if p.name == "deck")
    assert part.value == "(not seen)"
    table = learn_table(ROWS)
    same = _unseen_as_reference(table, ROWS, True, "me")
    assert same.codes.tolist() == table.codes.tolist()


def test_frames_of_any_kind_and_order():
    y = ["p", "q", "p", "q"]
    model = Given().fit(ROWS, y)
    answer = model.decision_function(ROWS)
    assert (model.decision_function(ROWS[["sex", "one", "deck", "age"]]) == answer).all()
    assert (model.decision_function(polars.from_pandas(ROWS)) == answer).all()
    assert (model.decision_function(learn_table(ROWS)) == answer).all()
    with pytest.raises(ValueError, match=r"missing \['age'\]"):
        model.predict(ROWS[["deck", "sex", "one"]])
    with pytest.raises(ValueError, match="'age' held numbers"):
        model.predict(ROWS.assign(age=["a", "b", "c", "d"]))
    with pytest.raises(TypeError, match="has nominal attributes"):
        model.predict(sparse.csr_array(np.ones((2, 4))))


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_sparse_and_full_are_one(kind):
    X = np.random.default_rng(0).poisson(0.5, (20, 4)).astype(float)
    y = np.arange(20) % 2
    full, thin = Given().fit(X, y), Given().fit(kind(X), y)
    for model in (full, thin):
        for rows in (X, kind(X), X.tolist()):
            assert np.allclose(model.decision_function(rows), full.decision_function(X))
    assert thin.attributes_ == () and thin.n_features_in_ == 4
    with pytest.raises(ValueError, match="X has 3 features, but Given is expecting 4"):
        thin.predict(kind(X[:, :3]))
    with pytest.raises(ValueError, match="X has 3 features"):
        full.predict(kind(X[:, :3]))


def test_repeated_entries_are_added_up():
    X = sparse.csr_array((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])),
                         shape=(1, 3))
    assert _sparse_rows(X).data.tolist() == [3.0] and X.nnz == 2
    with pytest.raises(ValueError, match="NaN"):
        _sparse_rows(sparse.csr_array(np.array([[np.nan, 1]])))


def test_weights_choose_rows():
    X = np.arange(8.0).reshape(4, 2)
    for data in (X, sparse.csr_array(X)):
        seen = []

        class Looks(Given):
            def _solve(self, X, labels, weights, seen=seen):
                seen.append((X.shape[0], labels.tolist(), weights.tolist()))
                return super()._solve(X, labels, weights)

        Looks().fit(data, list("abca"), [1, 2, 0, 3])
        assert seen == [(3, [0, 1, 0], [1, 2, 3])]
    assert Given().fit(X, list("abca"), [1, 2, 0, 3]).mean_.tolist() == [
        (0 * 1 + 2 * 2 + 6 * 3) / 6, (1 * 1 + 3 * 2 + 7 * 3) / 6]


@pytest.mark.parametrize("fit, message", [
    (lambda: Given().fit(ROWS, ["p"] * 4), "y has one class, 'p'"),
    (lambda: Given().fit(ROWS, ["p", "q", "p", "p"], [1, 0, 1, 1]), "one class"),
    (lambda: Given().fit(ROWS.iloc[:0], []), "0 sample"),
    (lambda: Given().fit(ROWS, ["p", "q", None, "p"]), "y contains NaN"),
    (lambda: Given().fit(ROWS, ["p", "q"]), "inconsistent"),
    (lambda: Given().fit(ROWS, ["p", "q", "p", "q"], [0] * 4), "all sample weights"),
    (lambda: Given().fit(sparse.csr_array((0, 3)), []), "0 sample")])
def test_bad_input(fit, message):
    with pytest.raises(ValueError, match=message):
        fit()


def test_explanations_add_up():
    people, survived = load_titanic()
    model = Shared().fit(people, survived)
    for i in (0, 700, 2000):
        told = model.explain(people.iloc[i])
        score = model.decision_function(people.iloc[[i]])[0]
        assert np.isclose(sum(p.contribution for p in told.parts), abs(score))
        assert told.prediction == model.predict(people.iloc[[i]])[0]
        assert np.isclose(told.probability, model.predict_proba(people.iloc[[i]]).max())
        assert [p.name for p in told.parts] == ["(at the mean)", "status", "age", "sex"]
    donors, gave = load_donors()
    told = Given().fit(donors, gave).explain(donors.iloc[0])
    assert "probability" not in str(told) and "probability" not in told._repr_html_()


def test_explanation_by_hand():
    told = _explain_line(["a", "b"], ["(start)", "x"], ["", 2.0],
                         np.array([[-1.0], [4.0]]), None, "score")
    assert told.prediction == "b"
    assert [p.contribution for p in told.parts] == [-1.0, 4.0]
    three = _explain_line(["a", "b", "c"], ["(start)", "x"], ["", 2.0],
                          np.array([[0.0, 1.0, 0.0], [3.0, 1.0, 0.0]]), None, "score")
    assert three.prediction == "a"
    assert [p.contribution for p in three.parts] == [-1.0, 2.0]  # over b, the next


def test_a_sparse_row_names_what_it_has():
    X = sparse.csr_array(np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]))
    told = Given().fit(X, [0, 1]).explain(X[[0]])
    assert [(p.name, p.value) for p in told.parts] == [("(intercept)", ""), ("x1", 2.0)]
    assert [p.contribution for p in told.parts] == [-1.0, 4.0]


def test_a_sparse_row_asked_of_a_full_model_counts_from_the_mean():
    X = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 5.0]])
    model = Given().fit(X, [0, 1])
    full, thin = model.explain(X[0]), model.explain(sparse.csr_array(X[:1]))
    assert [(p.name, p.contribution) for p in thin.parts] == [
        (p.name, p.contribution) for p in full.parts]
    sign = 1 if thin.prediction == 1 else -1
    assert thin.parts[1].contribution == 1.0 * (0 - 0.5) * sign


def test_numbers_are_refused_where_names_were_learned():
    names = np.array([["a"], ["b"], ["a"], ["b"]], dtype=object)
    sides = ["p", "q", "p", "q"]
    for model in (Given(), SVMClassifier(), NeuralNetworkClassifier(max_iter=2)):
        fitted = model.fit(names, sides)
        with pytest.raises(ValueError, match="'x0' held text when it was fitted"):
            fitted.predict(np.array([[1.0]]))


def test_values_and_lines_in_words():
    table = learn_table(ROWS)
    assert _row_values(table[:1]) == [29.0, "A", "female", "x"]
    codes = table.codes[:1].copy()
    codes[0, 0] = -1
    assert _row_values(Table(table.attributes, codes, table.values[:1])) == [
        29.0, "(not seen)", "female", "x"]
    one = np.array([[2.0]]), np.array([1.0])
    assert _decision_text(np.array(["n", "y"]), *one, ["x"]) == (
        "y if this is above 0, else n:\n  +1\n  +2 * x")


def test_text():
    text = _weights_text(np.array([0.5, -20.0, 0.001]), 3.0, ["a", "b", "c"], most=2)
    assert text == "    +3\n  +0.5 * a\n   -20 * b\n  and 1 smaller weights"
    model = Given().fit(np.eye(2), ["no", "yes"])
    assert model.to_text() == ("yes if this is above 0, else no:\n"
                               "  -1\n  +1 * x0\n  +2 * x1")
    assert Given().fit(np.eye(3), [1, 2, 3]).to_text().startswith(
        "the largest score wins\n1:\n")


def test_stored_and_cloned():
    people, survived = load_titanic()
    model = Shared().fit(people, survived)
    copy = pickle.loads(pickle.dumps(model))
    assert (copy.predict(people) == model.predict(people)).all()
    assert not hasattr(clone(model), "coef_")


def test_labels_of_any_kind():
    labels = [("a", 1), ("b", 2), ("a", 1), ("b", 2)]
    y = np.empty(4, dtype=object)
    y[:] = labels
    assert Given().fit(ROWS, y).predict(ROWS)[1] in labels


def test_protocol():
    check_estimator(_LeastSquares())


class _LeastSquares(LinearClassifier):
    """A line good enough for scikit-learn's checks."""

    def _solve(self, X, labels, weights):
        X = X.toarray() if sparse.issparse(X) else X
        k = len(self.classes_)
        target = np.where(labels[:, None] == np.arange(k), 1.0, -1.0)[:, k == 2:]
        Z = np.sqrt(weights)[:, None] * np.column_stack([X, np.ones(len(X))])
        found = np.linalg.lstsq(Z, np.sqrt(weights)[:, None] * target, rcond=None)[0]
        return found[:-1].T, found[-1]


@pytest.mark.parametrize("model", [LogisticClassifier(), LogisticClassifier("l1"),
                                   LogisticClassifier(solver="stochastic", max_iter=3),
                                   PerceptronClassifier(max_iter=3)])
def test_progress_is_shown_if_asked_for(model, capsys):
    X, y = load_iris()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
        assert capsys.readouterr().err == ""
        model.set_params(verbose=1).fit(X, y)
    shown = capsys.readouterr().err
    assert "steps" in shown or "epochs" in shown


def test_one_vs_rest_targets_and_early_stopping():
    labels = np.array([0, 1, 2, 1])
    assert [t.tolist() for t in _binary_targets(labels, 3)] == [
        [1, -1, -1, -1], [-1, 1, -1, 1], [-1, -1, 1, -1]]
    assert [t.tolist() for t in _binary_targets(labels[:2], 2)] == [[-1, 1]]
    stopping, never = _EarlyStopping(2), _EarlyStopping(None)
    said = []
    for loss in (3.0, 1.0, 2.0, 0.5, 0.5, 0.6):  # an equal one is no new lowest
        said.append((stopping.update(loss), stopping.stops))
        never.update(loss)
    assert [improved for improved, _ in said] == [True, True, False, True, False, False]
    assert [stops for _, stops in said] == [False] * 5 + [True] and not never.stops
