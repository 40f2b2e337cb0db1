"""Class rules as attributes: columns by hand, pipelines, frames, hostile input."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from supervised.associations.engine.combining import CMARClassifier
from supervised.associations.rule_features import RuleFeatures
from supervised.basics import learn_table
from supervised.basics.datasets import load_iris, load_loan, load_votes
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


def test_an_interval_has_two_conditions_but_is_one_item():
    X, y = load_iris()
    for r in RuleFeatures(0.05).fit(X, y).rules_:
        assert len({c.attribute for c in r.conditions}) > 1


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


def test_every_form_of_table():
    X, y = switches()
    frame = RuleFeatures(0.1).fit(X, y)
    wanted = frame.transform(X)
    assert list(wanted.columns) == frame.get_feature_names_out().tolist()
    assert all(wanted[c].dtype == bool for c in wanted.columns[5:])
    assert wanted.index.equals(X.index)
    other = RuleFeatures(0.1).fit(pl.from_pandas(X), y.to_list())
    assert isinstance(other.transform(pl.from_pandas(X)), pl.DataFrame)
    asked = RuleFeatures(0.1).set_output(transform="polars").fit(X, y).transform(X)
    assert isinstance(asked, pl.DataFrame) and asked.shape == wanted.shape
    table = RuleFeatures(0.1).fit(learn_table(X), y).transform(learn_table(X))
    assert len(table.attributes) == wanted.shape[1]
    numbers = (X == "up").to_numpy().astype(float)
    block = RuleFeatures(0.1).fit(numbers, y).transform(numbers)
    assert isinstance(block, np.ndarray) and len(block) == len(X)


def test_gaps_and_unseen_values_meet_no_rule():
    X, y = switches()
    features = RuleFeatures(0.1, original=False).fit(X, y)
    gone = pd.DataFrame({a: [None, "broken"] for a in X})
    assert not features.transform(gone).to_numpy().any()


def test_weights_are_rows():
    X, y = switches(noise=0.1)
    weights = np.random.default_rng(2).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    told = RuleFeatures(0.1).fit(X, y, sample_weight=weights)
    repeated = RuleFeatures(0.1).fit(X.iloc[rows], y.iloc[rows])
    assert told.get_feature_names_out().tolist() == (
        repeated.get_feature_names_out().tolist())


def test_no_rule_leaves_the_table_as_it_is():
    X = pd.DataFrame({"a": ["x", "x"], "b": ["u", "v"]})
    features = RuleFeatures().fit(X, ["p", "q"])
    assert features.transform(X).equals(X)
    assert RuleFeatures(original=False).fit(X, ["p", "q"]).transform(X).shape == (2, 0)


@pytest.mark.parametrize(("options", "message"), [
    ({"min_support": 0}, "min_support is 0"),
    ({"coverage_threshold": 0}, "coverage_threshold is 0"),
    ({"significance_level": 2}, "significance_level is 2"),
    ({"max_length": 0}, "max_length is 0"), ({"min_confidence": 2}, "min_confidence is 2")])
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=message):
        RuleFeatures(**options).fit(*load_loan())


def test_bad_tables_and_clones():
    X, y = load_loan()
    features = clone(RuleFeatures(0.2, max_length=2)).fit(X, y)
    with pytest.raises(ValueError, match="Age"):
        features.transform(X.drop(columns="Age"))
    with pytest.raises(ValueError, match="y"):
        RuleFeatures().fit(X, None)
    assert features.transform(X[X.columns[::-1]]).equals(features.transform(X))


def test_progress_is_shown(capsys):
    X, y = load_loan()
    RuleFeatures(0.2).fit(X, y)
    assert not capsys.readouterr().err
    RuleFeatures(0.2, verbose=1).fit(X, y)
    assert "class rules" in capsys.readouterr().err
