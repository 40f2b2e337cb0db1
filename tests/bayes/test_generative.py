"""Rows and documents from fitted models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats
from sklearn.exceptions import NotFittedError

from supervised.basics import load_titanic
from supervised.basics.datasets import load_heart_disease, load_iris
from supervised.bayes.engine.tables import NaiveBayesClassifier
from supervised.bayes.engine.text import BernoulliTextClassifier, MultinomialTextClassifier
from supervised.bayes.generative import generate_documents, generate_rows

KINDS = ("gaussian", "kernel", "laplace", "discretized")


@pytest.mark.parametrize("kind", KINDS)
def test_rows_come_in_the_columns_and_dtypes_of_the_training_data(kind):
    hearts, disease = load_heart_disease()
    X, y = generate_rows(NaiveBayesClassifier(kind).fit(hearts, disease), 200,
                         random_state=0)
    assert (X.dtypes.equals(hearts.dtypes) and len(X) == len(y) == 200
            and not X.isna().any().any())
    assert set(y) <= set(disease)
    NaiveBayesClassifier(kind).fit(hearts, disease).predict(X)  # can be read again


def test_same_seed_same_rows():
    model = NaiveBayesClassifier("kernel").fit(*load_iris())
    (a, p), (b, q) = (generate_rows(model, 50, random_state=7) for _ in range(2))
    pd.testing.assert_frame_equal(a, b)
    pd.testing.assert_series_equal(p, q)
    assert not a.equals(generate_rows(model, 50, random_state=8)[0])


def test_names_have_the_frequencies_of_their_class():
    titanic, survived = load_titanic()
    X, y = generate_rows(NaiveBayesClassifier(alpha=0).fit(titanic, survived), 40_000,
                         random_state=0)
    drawn_classes = y.value_counts()
    expected = survived.value_counts(normalize=True)[drawn_classes.index] * 40_000
    assert stats.chisquare(drawn_classes, expected).pvalue > 1e-4
    for name in titanic:
        learned = pd.crosstab(titanic[name], survived, normalize="columns")
        drawn = pd.crosstab(X[name], y, normalize="columns").reindex_like(learned).fillna(0)
        np.testing.assert_allclose(drawn, learned, atol=0.02)
        # what has probability 0 is never drawn
        assert (drawn.to_numpy()[learned.to_numpy() == 0] == 0).all()


def test_normal_and_laplace_draws_have_the_right_distribution():
    rng = np.random.default_rng(0)
    x, one = pd.DataFrame({"x": rng.normal(3, 2, 400)}), np.zeros(400)
    drawn = generate_rows(NaiveBayesClassifier().fit(x, one), 5000, random_state=1)[0]["x"]
    assert stats.kstest(drawn, stats.norm(x["x"].mean(), x["x"].std()).cdf).pvalue > 1e-3
    center = x["x"].median()
    drawn = generate_rows(NaiveBayesClassifier("laplace").fit(x, one), 5000,
                          random_state=1)[0]["x"]
    assert stats.kstest(
        drawn, stats.laplace(center, (x["x"] - center).abs().mean()).cdf).pvalue > 1e-3


def test_kernel_and_interval_draws_follow_the_data():
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"x": np.r_[rng.normal(-5, 0.3, 300), rng.normal(5, 0.3, 300)]})
    y = np.r_[np.zeros(300), np.ones(300)]
    for kind in ("kernel", "discretized"):
        X, drawn = generate_rows(NaiveBayesClassifier(kind, alpha=0).fit(x, y), 2000,
                                 random_state=0)
        assert ((X["x"] > 0) == (drawn == 1)).mean() > 0.99
        if kind == "discretized":
            assert X["x"].between(x["x"].min(), x["x"].max()).all()


def test_awkward_columns():
    X = pd.DataFrame({"small": np.array([0, 1, 2, 250], dtype=np.uint8),
                      "flag": [True, False, True, True],
                      "whole": pd.array([1, 2, None, 9], dtype="Int64"),
                      "single": np.float32([0.1, 0.2, 0.3, 0.4]),
                      "same": [5.0] * 4, "empty": [np.nan] * 4, "zero": [0.0] * 4,
                      "none": pd.Series([None] * 4, dtype=object), 7: list("abab")})
    for kind in KINDS:
        rows, y = generate_rows(NaiveBayesClassifier(kind).fit(X, ["p", "q", "p", "q"]), 60,
                                random_state=0)
        assert rows.dtypes.drop("none").equals(X.dtypes.drop("none")), kind
        assert (rows[["empty", "none"]].isna().all().all() and (rows["same"] == 5).all()
                and (rows["zero"] == 0).all())
        assert not rows.drop(columns=["empty", "none"]).isna().any().any()


def test_labels_of_any_type_and_arrays_without_names():
    model = NaiveBayesClassifier().fit(np.random.default_rng(0).normal(size=(20, 3)),
                                       np.repeat([3, 8], 10))
    X, y = generate_rows(model, 5, random_state=0)
    assert X.shape == (5, 3) and set(y) <= {3, 8}
    model.predict(X.to_numpy())


@pytest.mark.parametrize("n", [0, -1, 2.5, None, True])
def test_number_of_rows_is_checked(n):
    with pytest.raises(ValueError, match="n is"):
        generate_rows(NaiveBayesClassifier().fit(*load_iris()), n)


def test_unfitted_models_and_bad_seeds_are_refused():
    with pytest.raises(NotFittedError):
        generate_rows(NaiveBayesClassifier(), 3)
    with pytest.raises(NotFittedError):
        generate_documents(MultinomialTextClassifier(), 3, 5)
    with pytest.raises(ValueError, match="random_state"):
        generate_rows(NaiveBayesClassifier().fit(*load_iris()), 3, random_state="x")


COUNTS, TOPICS = sparse.csr_matrix([[3, 1, 0, 0], [2, 2, 0, 0], [0, 0, 4, 1],
                                    [0, 1, 2, 2]]), list("aabb")


def test_documents_have_their_lengths_and_the_words_of_their_class():
    model = MultinomialTextClassifier(alpha=0).fit(COUNTS, TOPICS)
    lengths = np.random.default_rng(0).integers(0, 30, 3000)
    X, y = generate_documents(model, 3000, lengths, random_state=0)
    assert (np.asarray(X.sum(axis=1)).ravel() == lengths).all() and X.dtype.kind == "i"
    for c, expected in (("a", [5 / 8, 3 / 8, 0, 0]), ("b", [0, 1 / 10, 6 / 10, 3 / 10])):
        total = np.asarray(X[(y == c).to_numpy()].sum(axis=0)).ravel()
        np.testing.assert_allclose(total / total.sum(), expected, atol=0.02)
        assert (total[np.array(expected) == 0] == 0).all()


def test_bernoulli_documents_are_coins():
    model = BernoulliTextClassifier().fit(COUNTS, TOPICS)
    X, y = generate_documents(model, 4000, random_state=0)
    assert set(np.unique(X.toarray())) <= {0, 1}
    for c, expected in (("a", [3 / 4, 3 / 4, 1 / 4, 1 / 4]),
                        ("b", [1 / 4, 2 / 4, 3 / 4, 3 / 4])):
        np.testing.assert_allclose(X[(y == c).to_numpy()].toarray().mean(axis=0), expected,
                                   atol=0.05)
    with pytest.raises(ValueError, match="lengths"):
        generate_documents(model, 5, 10)


@pytest.mark.parametrize("lengths",
                         [None, -1, 2.5, [1, 2], [[1] * 4], [1, 2, 3, -4], "ten", True])
def test_lengths_are_checked(lengths):
    with pytest.raises(ValueError, match="lengths"):
        generate_documents(MultinomialTextClassifier().fit(COUNTS, TOPICS), 4, lengths)
