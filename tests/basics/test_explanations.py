"""Explanations: parts that add up, changes that
change the answer, one shape for every classifier."""

import importlib
import inspect

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from supervised.basics import BaseClassifier, learn_table, load_loan
from supervised.basics.datasets import (
    load_credit,
    load_heart_disease,
    load_iris,
    make_rule_table,
)
from supervised.basics.explanations import Explanation, explain_scores
from supervised.bayes.engine.tables import NaiveBayesClassifier
from supervised.neighbors.engine.knn import KNNClassifier
from supervised.trees.classifiers import C45Classifier, CARTClassifier, ID3Classifier
from tests import examples
from tools.book import modules

LOAN, APPROVED = load_loan()


@pytest.fixture(autouse=True)
def no_figures():
    yield
    plt.close("all")


def contributions(told):
    return [part.contribution for part in told.parts]


# ------------------------------------ trees


def test_a_path_by_hand():
    """Nine of 15 said Yes; of nine without a house three; of six without a job none."""
    told = C45Classifier().fit(LOAN, APPROVED).explain(LOAN.iloc[1])
    assert (told.prediction, told.probability) == ("No", 1.0)
    assert [part.name for part in told.parts] == ["(start)", "Own_house", "Has_job"]
    assert np.allclose(contributions(told), [6 / 15, 6 / 9 - 6 / 15, 1 - 6 / 9])
    assert (told.otherwise == "Yes, if Own_house = True"
            and told.changes == {"Own_house": True})


def test_a_gap_on_the_path_is_a_part():
    row = LOAN.iloc[[1]].astype(object).assign(Own_house=None)
    told = C45Classifier().fit(LOAN, APPROVED).explain(row)
    assert told.prediction == "Yes" or told.prediction == "No"
    assert told.parts[-1].name == "Own_house" and "shared out" in told.parts[-1].text
    assert np.isclose(sum(contributions(told)), told.probability)


def changed(row, changes):
    row = row.copy()
    for name, value in changes.items():
        row[name] = pd.Series([value], index=row.index,
                              dtype=object if isinstance(value, str) else None)
    return row


TREES = [ID3Classifier(), C45Classifier(), C45Classifier(smoothing="laplace"),
         CARTClassifier(smoothing=30), C45Classifier(pruning=None, min_num_obj=1)]


@pytest.mark.parametrize("model", TREES, ids=lambda m: f"{type(m).__name__} {m.smoothing}")
@pytest.mark.parametrize("load", [load_credit, load_heart_disease, load_iris])
def test_the_parts_add_up_and_the_change_changes_the_answer(model, load):
    X, y = load()
    model.fit(X, y)
    p, answers, flipped = model.predict_proba(X[:16]), model.predict(X[:16]), 0
    for i in range(16):
        row = X.iloc[[i]]
        told = model.explain(row)
        assert told.prediction == answers[i] and np.isclose(told.probability, p[i].max())
        assert np.isclose(sum(contributions(told)), told.probability)
        if told.otherwise:
            flipped += 1
            other = model.predict(changed(row, told.changes))[0]
            assert other != told.prediction and told.otherwise.startswith(str(other))
    assert flipped > 12


def all_leaves(tree):
    """Conditions of each leaf as {attribute:
    set of (low, high) or codes}, walked from the root."""
    waiting = [(0, [])]
    while waiting:
        node, way = waiting.pop()
        if tree.n_branches[node] == 0:
            yield node, way
        for b in range(tree.n_branches[node]):
            waiting.append((tree.first[node] + b, [*way, (node, b)]))


@examples(40)
@given(st.integers(0, 10**6))
def test_no_other_leaf_needs_fewer_changes(seed):
    X, y = make_rule_table(120, 2, 2, noise=0.2, random_state=seed)
    model = C45Classifier(pruning=None).fit(X, y)
    tree, row = model.tree_, X.iloc[[seed % 120]]
    told, table = model.explain(row), learn_table(X)
    one = {a.name: column[seed % 120] for a, column in table.columns()}
    fewest = []
    for leaf, way in all_leaves(tree):
        asked = set()
        for node, b in way:
            a = tree.attributes[tree.attribute[node]]
            if a.is_nominal:
                taken = tree.routes[tree.route[node] + one[a.name]]
            else:
                taken = int(one[a.name] > tree.threshold[node])
            asked |= {a.name} if taken != b else set()
        other = tree.classes[tree.labels[leaf]] != told.prediction
        if other and tree.counts[leaf].sum() > 0:
            fewest.append(len(asked))
    assert not fewest or len(told.changes) == min(fewest)
    assert bool(told.otherwise) == bool(fewest)


# ------------------------------------ scores that add up


def test_points_by_hand():
    """For yes: 3 for a house, -1 without a job, halved over two classes."""
    terms = np.array([[-1.5, 1.5], [0.5, -0.5]])
    told = explain_scores(["No", "Yes"], np.array([0.2, 0.8]), ["house", "job"],
                          [True, False], terms)
    assert (contributions(told) == [3, -1]
            and (told.prediction, told.probability) == ("Yes", 0.8))
    assert (told.otherwise == "No, without house"
            and told.unit == "evidence, for Yes against No")
    assert told.details.to_numpy().tolist() == terms.tolist()


def test_a_part_in_brackets_stays():
    told = explain_scores(["a", "b"], np.array([0.9, 0.1]), ["(prior)", "x"], ["", 1],
                          np.array([[5.0, 0.0], [1.0, 0.0]]))
    assert told.otherwise == ""


def test_infinite_and_undecided_terms():
    terms = np.array([[0.0, -np.inf, -1.0], [-np.inf, -np.inf, 0.0]])
    told = explain_scores(list("abc"), np.array([0.6, 0.3, 0.1]), ["u", "v"], [1, 2], terms)
    assert contributions(told) == [np.inf, 0.0]
    assert "+inf" in str(told) and told.plot().patches[0].get_width() > 0


@pytest.mark.parametrize("numeric", ["gaussian", "kernel"])
def test_naive_bayes_adds_up_to_the_log_odds(numeric):
    X, y = load_heart_disease()
    model = NaiveBayesClassifier(numeric).fit(X, y)
    for i in range(20):
        told, p = model.explain(X.iloc[i]), model.predict_proba(X.iloc[[i]])[0]
        assert np.isclose(sum(contributions(told)), np.log(p.max() / p.min()))
        if told.otherwise:
            label, names = told.otherwise.split(", without ")
            gone = X.iloc[[i]].copy()
            for name in names.split(" and "):
                gone[name] = pd.Series([None], index=gone.index, dtype=object)
            assert model.predict(gone)[0] == label


@pytest.mark.parametrize("options",
                         [{}, {"weights": "distance"},
                          {"n_neighbors": 9, "weights": "gaussian"}])
def test_neighbors_vote_for_and_against(options):
    X, y = load_heart_disease()
    X = X.select_dtypes("number").dropna()
    y = y[X.index]
    model = KNNClassifier(**options).fit(X, y)
    for i in range(0, 60, 7):
        told = model.explain(X.iloc[i] + 0.3)
        distances, rows = model.kneighbors(X.iloc[[i]] + 0.3)
        frame = told.to_frame()
        assert (frame["row"].tolist() == rows[0].tolist()
                and np.allclose(frame["distance"], distances[0]))
        assert frame["value"].tolist() == y.iloc[rows[0]].tolist()
        given = frame["contribution"]
        assert (np.isclose(given[given > 0].sum(), told.probability)
                and np.isclose(given.abs().sum(), 1))
        assert ((given > 0) == (frame["value"] == told.prediction)).all()


def test_a_heavy_neighbor_votes_as_its_copies():
    X, y = np.array([[0.0], [1.0], [2.0]]), ["a", "b", "b"]
    told = KNNClassifier(3).fit(X, y, sample_weight=[2, 1, 4]).explain([0.1])
    assert np.allclose(contributions(told), [2 / 3, -1 / 3]) and told.prediction == "a"


# ------------------------------------ one shape


def classifiers():
    """Every public classifier of the package that reads tables."""
    found = {}
    for module in modules():
        for name, kind in vars(importlib.import_module(f"supervised.{module}")).items():
            if (inspect.isclass(kind) and issubclass(kind, BaseClassifier)
                and name.endswith("Classifier") and not name.startswith("_")):
                found[name] = kind
    bases = {"BaseClassifier", "RuleClassifier", "TreeClassifier", "AssociativeClassifier",
             "VotingRuleClassifier", "LinearClassifier", "KernelClassifier"}
    bases.add("ThresholdClassifier")  # of two classes: tests/evaluation has it
    return [kind for name, kind in sorted(found.items()) if name not in bases]


@pytest.mark.parametrize("kind", classifiers())
def test_every_classifier_explains_itself(kind):
    X, y = load_iris()
    needed = [NaiveBayesClassifier()] * (kind.__name__ in ("CalibratedClassifier",
                                                           "ConformalClassifier"))
    model = kind(*needed).fit(X, y)
    row = X.iloc[[100]]
    told = model.explain(row)
    assert (isinstance(told, Explanation) and told.prediction == model.predict(row)[0]
            and told.parts)
    if hasattr(model, "predict_proba"):
        assert np.isclose(told.probability, model.predict_proba(row).max())
        assert np.allclose(np.exp(model.predict_log_proba(row)), model.predict_proba(row))
        assert str(told).startswith(f"{told.prediction}, with probability")
    else:  # a line has scores only
        assert np.isnan(told.probability) and str(told).startswith(f"{told.prediction}\n")
    frame = told.to_frame()
    assert (frame.columns[:3].tolist() == ["value", "contribution", "text"]
            and len(frame) == len(told.parts))
    assert "<table>" in told._repr_html_() and told.plot().patches
    with pytest.raises(ValueError, match="one row is needed, not 2"):
        model.explain(X[:2])
    with pytest.raises(NotFittedError):
        kind(*needed).explain(row)
