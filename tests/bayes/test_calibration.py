"""Normalized scores, joint logarithms, and tables of reliability."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.naive_bayes import CategoricalNB, GaussianNB

from supervised.basics.datasets import load_iris, load_votes
from supervised.bayes.calibration import (
    calibration_error,
    log_joint,
    normalized_scores,
    reliability_table,
)
from supervised.bayes.engine.tables import NaiveBayesClassifier
from tests import examples


@examples(50)
@given(st.lists(st.floats(1e-300, 1e300), min_size=1, max_size=6))
def test_normalized_scores_sum_to_one_and_keep_the_order(scores):
    found = normalized_scores(scores)
    assert (found.sum() == pytest.approx(1)
            and found.argmax() in np.flatnonzero(found == found[np.argmax(scores)]))
    np.testing.assert_allclose(normalized_scores(np.array(scores) / max(scores)), found,
                               rtol=1e-9)


def test_log_joint_agrees_with_scikit_learn():
    X, y = load_iris()
    ours = log_joint(NaiveBayesClassifier(variance="population",
                                          min_variance_share=0.0).fit(X, y), X)
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
    model = NaiveBayesClassifier(alpha=0).fit(pd.DataFrame({"a": list("xxy")}),
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
