"""Class rules as attributes: columns by hand, pipelines, frames, hostile input."""

from __future__ import annotations

import numpy as np
import pandas as pd
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from supervised.associations.engine.combining import CMARClassifier
from supervised.associations.rule_features import RuleFeatures
from supervised.basics.datasets import load_loan, load_votes
from supervised.bayes import NaiveBayesClassifier
from supervised.trees import C45Classifier


def switches(n=400, noise=0.0, seed=0):
    """A lamp that is on if exactly one of two switches is up; three more say nothing."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.choice(["up", "down"], (n, 5)), columns=list("abcde"))
    y = (X["a"] != X["b"]) ^ (rng.random(n) < noise)
    return X, y.map({True: "on", False: "off"})


def test_loans_by_hand():
    """With 3 of 15 loans, CMAR keeps these of two conditions or more."""
    X, y = load_loan()
    names = RuleFeatures(0.2, 0.7, original=False).fit(X, y).get_feature_names_out()
    assert set(names) == {"Has_job = False and Own_house = False",
                          "Has_job = False and Credit_rating = fair",
                          "Own_house = False and Credit_rating = fair",
                          "Age = young and Has_job = False"}
    column = RuleFeatures(0.2, 0.7).fit_transform(X, y)[
        "Has_job = False and Own_house = False"]
    assert (column == (~X["Has_job"].astype(bool) & ~X["Own_house"].astype(bool))).all()


def test_the_rules_are_cmars_without_the_single_conditions():
    X, y = load_votes()
    found = RuleFeatures(0.2).fit(X, y).rules_
    wanted = [r for r in CMARClassifier(0.2).fit(X, y).rules_ if len(r.conditions) > 1]
    assert [str(r) for r in found] == [str(r) for r in wanted]


def test_naive_bayes_learns_exclusive_or_and_a_tree_knew_it():
    X, y = switches(noise=0.1)
    features = RuleFeatures(0.1, 0.8, max_length=2)
    bayes, tree = NaiveBayesClassifier(), C45Classifier()
    assert cross_val_score(bayes, X, y).mean() < 0.6
    assert cross_val_score(make_pipeline(features, bayes), X, y).mean() > 0.82
    alone = cross_val_score(tree, X, y).mean()
    assert abs(cross_val_score(make_pipeline(features, tree), X, y).mean() - alone) < 0.05


def test_mined_before_the_split_a_coin_looks_predictable():
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.integers(0, 3, (200, 10)).astype(str), columns=list("abcdefghij"))
    y = pd.Series(rng.choice(["heads", "tails"], 200))
    features, bayes = RuleFeatures(original=False), NaiveBayesClassifier()
    assert cross_val_score(bayes, features.fit_transform(X, y), y).mean() > 0.9
    assert abs(cross_val_score(make_pipeline(features, bayes), X, y).mean() - 0.5) < 0.11


def test_weights_are_rows():
    X, y = switches(noise=0.1)
    weights = np.random.default_rng(2).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    told = RuleFeatures(0.1).fit(X, y, sample_weight=weights)
    repeated = RuleFeatures(0.1).fit(X.iloc[rows], y.iloc[rows])
    assert told.get_feature_names_out().tolist() == (
        repeated.get_feature_names_out().tolist())
