"""Rows and documents from fitted models, normalized scores, and calibration."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse, stats
from sklearn.calibration import calibration_curve
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from supervised.basics import load_titanic
from supervised.basics.datasets import load_heart_disease, load_iris, load_votes
from supervised.bayes.engine_tables import NaiveBayesClassifier
from supervised.bayes.engine_text import BernoulliTextClassifier, MultinomialTextClassifier
from supervised.bayes.generative import (
    calibration_error,
    generate_documents,
    generate_rows,
    log_joint,
    normalized_scores,
    plot_reliability,
    reliability_table,
)
from tests import examples

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
    X, y = generate_rows(NaiveBayesClassifier(smoothing=0).fit(titanic, survived), 40_000,
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
        X, drawn = generate_rows(NaiveBayesClassifier(kind, smoothing=0).fit(x, y), 2000,
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
    model = MultinomialTextClassifier(smoothing=0).fit(COUNTS, TOPICS)
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


@examples(50)
@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=6))
def test_normalized_scores_sum_to_one_and_keep_the_order(scores):
    found = normalized_scores(scores)
    assert (found.sum() == pytest.approx(1)
            and found.argmax() in np.flatnonzero(found == found[np.argmax(scores)]))
    np.testing.assert_allclose(normalized_scores(np.array(scores) / max(scores)), found,
                               rtol=1e-9)


@pytest.mark.parametrize("scores",
                         [[0, 0], [-1, 2], [np.nan, 1], [np.inf, 1], 3.0, [[1, 1], [0, 0]]])
def test_scores_without_shares_are_refused(scores):
    with pytest.raises(ValueError, match="scores"):
        normalized_scores(scores)


def test_log_joint_agrees_with_scikit_learn():
    X, y = load_iris()
    ours = log_joint(NaiveBayesClassifier(variance="population", floor=0.0).fit(X, y), X)
    theirs = (GaussianNB(var_smoothing=0).fit(X.to_numpy(), y)
              .predict_joint_log_proba(X.to_numpy()))
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)
    votes, party = load_votes()
    whole = votes.notna().all(axis=1)
    codes = np.column_stack([votes.loc[whole, c].cat.codes for c in votes])
    ours = log_joint(NaiveBayesClassifier().fit(votes[whole], party[whole]), votes[whole])
    theirs = CategoricalNB().fit(codes, party[whole]).predict_joint_log_proba(codes)
    np.testing.assert_allclose(ours, theirs, rtol=1e-10)


def test_log_joint_of_an_impossible_class_is_minus_infinity():
    model = NaiveBayesClassifier(smoothing=0).fit(pd.DataFrame({"a": list("xxy")}),
                                                  [0, 0, 1])
    np.testing.assert_array_equal(log_joint(model, pd.DataFrame({"a": ["x"]})),
                                  [[np.log(2 / 3), -np.inf]])


def test_reliability_agrees_with_scikit_learn():
    rng = np.random.default_rng(0)
    p = rng.random(500)
    y = rng.random(500) < p**2
    table = reliability_table(y, p)
    observed, predicted = calibration_curve(y, p, n_bins=10)
    np.testing.assert_allclose(table["observed"], observed)
    np.testing.assert_allclose(table["predicted"], predicted)
    assert ((table["low"] <= table["observed"]).all()
            and (table["observed"] <= table["high"]).all())
    assert table["instances"].sum() == 500


def test_the_ends_belong_to_the_bins_at_the_ends():
    table = reliability_table(["n", "y", "y"], [0.0, 1.0, 1.0], "y", n_bins=3)
    assert table["instances"].tolist() == [1, 2] and calibration_error(table) == 0
    assert calibration_error(reliability_table([1, 0], [0.0, 1.0])) == 1


def test_bad_probabilities_and_bins_are_refused():
    for p in ([0.5, 1.5], [0.5, -0.1]):
        with pytest.raises(ValueError, match="probabilities"):
            reliability_table([0, 1], p)
    with pytest.raises(ValueError):
        reliability_table([0, 1], [0.5])
    with pytest.raises(ValueError):
        reliability_table([0, 1], [0.5, np.nan])
    with pytest.raises(ValueError, match="n_bins"):
        reliability_table([0, 1], [0.5, 0.6], n_bins=0)
    with pytest.raises(ValueError, match="tables"):
        plot_reliability({})


def test_the_diagram_shows_the_table():
    table = reliability_table([0, 1, 0, 1], [0.1, 0.2, 0.7, 0.8], n_bins=2)
    line = plot_reliability({"model": table}).lines[-1]
    np.testing.assert_allclose(np.column_stack(line.get_data()),
                               table[["predicted", "observed"]])


def test_classes_and_probabilities_are_drawn_at_once():
    rng = np.random.default_rng(0)
    p = rng.random(300)
    y = rng.random(300) < p
    own = plt.subplots()[1]
    assert plot_reliability(y, p, ax=own, n_bins=5) is own
    table = reliability_table(y, p, n_bins=5)
    assert (np.allclose(own.lines[-1].get_ydata(), table["observed"])
            and own.get_legend() is None)
    named = np.where(y, "ill", "well")
    assert np.allclose(
        plot_reliability(named, p, positive="ill", n_bins=5).lines[-1].get_ydata(),
        table["observed"])
    assert np.allclose(plot_reliability(table).lines[-1].get_xdata(), table["predicted"])
    with pytest.raises(ValueError, match="equally many"):
        plot_reliability(y, p[:-1])
    for wrong, message in (
            (y, "ndarray alone can't be drawn: give the classes and their predicted"),
            ({"a": 3}, r"tables\['a'\] is no table"),
            (pd.DataFrame({"x": [1]}), "no table")):
        with pytest.raises(TypeError, match=message):
            plot_reliability(wrong)
    with pytest.raises(TypeError, match="say ax="):
        plot_reliability({"model": table}, own)
    plt.close("all")
