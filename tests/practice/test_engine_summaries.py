"""Models from merged summaries beside models from the whole table."""

import subprocess
import sys

import dask
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import MajorityClassifier
from supervised.basics.datasets import load_credit, load_iris, load_wine
from supervised.bayes import NaiveBayesClassifier
from supervised.features import FisherClassifier
from supervised.linear import LeastSquaresClassifier
from supervised.practice import fit_distributed
from tests import examples
from tests.practice.test_engine_chunks import table

BAYES = [NaiveBayesClassifier(), NaiveBayesClassifier("kernel", m_estimate=2.0),
         NaiveBayesClassifier({"many": "discretized", "few": "laplace"}, priors="laplace")]
NUMERIC = [FisherClassifier(), FisherClassifier("gaussian", shrinkage=0.3),
           LeastSquaresClassifier(), LeastSquaresClassifier(0.5, "fisher")]


@pytest.fixture(autouse=True)
def here():
    """No threads and no cluster: the parts one after the other."""
    with dask.config.set(scheduler="synchronous"):
        yield


def in_partitions(frames):
    """A Dask table whose partitions are these frames, as they are."""
    return dd.from_map(lambda i: frames[i], range(len(frames)), meta=frames[0].iloc[:0],
                       enforce_metadata=False)


def cut(X, y, size):
    whole = X.assign(answer=y)
    return [*(whole.iloc[i:i + size] for i in range(0, len(X), size)), whole.iloc[:0]]


def distributed(model, X, y, size):
    return fit_distributed(type(model)(**model.get_params()),
                           in_partitions(cut(X, y, size)), "answer")


def assert_same(a, b, X):
    assert a.classes_.tolist() == b.classes_.tolist()
    # not the dtype: Dask has a type of its own for text
    assert [(f.name, f.kind, f.domain, f.ordered) for f in a.attributes_] == [
        (f.name, f.kind, f.domain, f.ordered) for f in b.attributes_]
    says = "predict_proba" if hasattr(a, "predict_proba") else "decision_function"
    np.testing.assert_allclose(getattr(a, says)(X), getattr(b, says)(X), rtol=1e-7,
                               atol=1e-9)


@examples(60)
@given(st.integers(0, 10**6), st.integers(3, 120), st.integers(1, 50),
       st.sampled_from(BAYES), st.sampled_from([0.0, 0.3]), st.integers(2, 3))
def test_naive_bayes(seed, n, size, model, gaps, n_classes):
    X, y = table(seed, n, gaps, n_classes)
    whole = type(model)(**model.get_params()).fit(X, y)
    parts = distributed(model, X, y, size)
    assert_same(whole, parts, X)
    assert (whole.class_counts_ == parts.class_counts_).all()
    for kind, a, b in zip(whole.kinds_, whole.kept_, parts.kept_, strict=True):
        if kind == "gaussian":
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-10)
        else:
            assert (a == b).all()  # counts are exact


@examples(60)
@given(st.integers(0, 10**6), st.integers(12, 120), st.integers(1, 50),
       st.sampled_from(NUMERIC), st.integers(2, 3))
def test_lines(seed, n, size, model, n_classes):
    X, y = table(seed, n, 0.0, n_classes)
    X, y = X[["few", "many", "constant"]], y.copy()
    y[:3], y[3:6] = "no", "yes"
    whole = type(model)(**model.get_params()).fit(X, y)
    parts = distributed(model, X, y, size)
    scale = 1 + np.abs(whole.decision_function(X)).max()
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(parts.decision_function(X) / scale,
                               whole.decision_function(X) / scale, atol=1e-8)
    np.testing.assert_allclose(parts.mean_, whole.mean_, rtol=1e-12)


@pytest.mark.parametrize("model", [*NUMERIC, *BAYES[:2], MajorityClassifier()])
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_real_numbers(model, load):
    X, y = load()
    whole = type(model)(**model.get_params()).fit(X, y)
    assert_same(whole, distributed(model, X, y, 40), X)


def test_names_become_indicators_for_least_squares():
    X, y = load_credit()
    whole = LeastSquaresClassifier().fit(X, y)
    parts = distributed(LeastSquaresClassifier(), X, y, 70)
    assert parts.columns_ == whole.columns_
    np.testing.assert_allclose(parts.coef_, whole.coef_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("ridge", [0.0, 1e-3])
def test_columns_that_nearly_agree_go_by_the_factorization(ridge):
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 400))
    X = pd.DataFrame({"a": a + 1000, "b": a + 1e-6 * b + 1000, "c": a + b})
    y = np.where(a + b > 0, "yes", "no")
    whole = LeastSquaresClassifier(ridge).fit(X, y)
    parts = distributed(LeastSquaresClassifier(ridge), X, y, 90)
    np.testing.assert_allclose(parts.decision_function(X), whole.decision_function(X),
                               atol=1e-6)


def test_years_keep_their_digits():
    """Products of raw values would lose the spread; distances to the own mean do not."""
    rng = np.random.default_rng(1)
    year = 1e7 + rng.normal(size=600)
    X = pd.DataFrame({"year": year, "other": rng.normal(size=600)})
    y = np.where(year - 1e7 + rng.normal(size=600) > 0, "late", "early")
    for model in (FisherClassifier("gaussian"), LeastSquaresClassifier()):
        whole = type(model)(**model.get_params()).fit(X, y)
        np.testing.assert_allclose(distributed(model, X, y, 50).coef_, whole.coef_,
                                   rtol=1e-6)


def test_parquet_in(tmp_path):
    X, y = load_credit()
    cut_up = dd.from_pandas(X.assign(answer=y), npartitions=4)
    cut_up.to_parquet(tmp_path / "credit")
    read = dd.read_parquet(tmp_path / "credit")
    whole = read.compute()
    assert_same(NaiveBayesClassifier().fit(whole.drop(columns="answer"), whole["answer"]),
                fit_distributed(NaiveBayesClassifier(), read, "answer"),
                whole.drop(columns="answer"))


# ------------------------------------ what hostile users pass


def test_a_table_that_does_not_fit():
    X, y = load_iris()
    first, second = cut(X, y, 75)[:2]
    model = NaiveBayesClassifier()
    with pytest.raises(ValueError, match="no column 'klass': its columns are"):
        fit_distributed(model, in_partitions([first]), "klass")
    with pytest.raises(TypeError, match="is a DataFrame, not a Dask DataFrame"):
        fit_distributed(model, first, "answer")
    with pytest.raises(ValueError, match="partition 2 has no column 'answer'"):
        fit_distributed(model, in_partitions([first, second.drop(columns="answer")]),
                        "answer")
    with pytest.raises(ValueError, match="part 2 has other columns than part 1"):
        fit_distributed(model, in_partitions([first, second.assign(odd=1)]), "answer")
    with pytest.raises(ValueError, match="partition 2 has 75 missing labels"):
        fit_distributed(model, in_partitions([first, second.assign(answer=None)]), "answer")
    with pytest.raises(ValueError, match="no row"):
        fit_distributed(model, in_partitions([first.iloc[:0]]), "answer")
    with pytest.raises(ValueError, match="infinit"):
        fit_distributed(model, in_partitions(
            [first, second.assign(**{second.columns[0]: np.inf})]), "answer")
    with pytest.raises(ValueError, match="missing"):
        fit_distributed(FisherClassifier(), in_partitions(
            [first, second.assign(**{second.columns[0]: np.nan})]), "answer")


def test_categories_that_differ_between_partitions():
    X, y = table(3, 90)
    parts = []
    for chunk in cut(X, y, 30)[:-1]:
        names = sorted(set(chunk["kind"].astype(object)))
        parts.append(chunk.assign(kind=pd.Categorical(chunk["kind"].astype(object), names)))
    whole = pd.concat(parts)
    expected = NaiveBayesClassifier().fit(whole.drop(columns="answer"), whole["answer"])
    found = fit_distributed(NaiveBayesClassifier(), in_partitions(parts), "answer")
    assert_same(expected, found, whole.drop(columns="answer"))


def test_a_clear_error_without_dask():
    script = """
import sys
sys.modules["dask"] = sys.modules["distributed"] = None
from supervised.bayes import NaiveBayesClassifier
from supervised.practice import fit_distributed
try:
    fit_distributed(NaiveBayesClassifier(), None, "answer")
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.endswith("pip install supervised[scale]\n"), done.stderr
