"""Rows and documents from fitted models."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse, stats

from supervised.basics import load_titanic
from supervised.basics.datasets import load_heart_disease
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
    assert generate_documents(model, 1)[0].shape[0] == 1
