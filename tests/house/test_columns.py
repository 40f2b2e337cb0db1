"""What one column may do to a learner: its unit, an identifier, and many rows."""

import warnings

import numpy as np
import pandas as pd
import pytest

from supervised.ensembles import AdaBoostClassifier, BaggingClassifier
from supervised.rules import C45RulesClassifier, PARTClassifier
from supervised.trees import C45Classifier, CARTClassifier, ID3Classifier
from tests import work


@pytest.mark.parametrize("learner", [C45Classifier(), C45RulesClassifier(),
                                     PARTClassifier()])
def test_the_unit_of_a_column_does_not_matter_or_is_warned_of(learner):
    v = np.arange(40.0)[:, None]
    y = (np.arange(40) // 10) % 2
    assert learner.fit(v, y).score(v, y) == 1
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        model = learner.fit(v * 1e-5, y)
    assert told or model.score(v * 1e-5, y) == 1


@pytest.mark.parametrize("learner", [
    ID3Classifier(), CARTClassifier(), AdaBoostClassifier(n_estimators=3),
    BaggingClassifier(n_estimators=3)])
def test_a_column_of_identifiers_is_warned_of(learner):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"id": [f"i{i}" for i in range(60)], "x": rng.normal(size=60)})
    with pytest.warns(UserWarning, match="'id' has a different value in each row"):
        learner.fit(X, (X["x"] > 0).astype(int))


@pytest.mark.parametrize("learner, few", [
    ("rules.C45RulesClassifier()", 100), ("associations.CPARClassifier()", 400)])
def test_work_grows_with_the_rows(learner, few):
    grown, allowed = work.growth(learner, few, 8 * few)
    assert grown <= allowed


@pytest.mark.parametrize("learner, few", [
    ("rules.PARTClassifier()", 100), ("rules.RIPPERClassifier()", 400),
    ("rules.CN2Classifier()", 100), ("rules.AQClassifier()", 50),
    ("rules.FOILClassifier()", 100)])
def test_work_grows_with_the_rows_and_the_rules(learner, few):
    grown, allowed = work.growth_by_rules(learner, few, 8 * few)
    assert grown <= allowed


def test_work_grows_with_the_rows_and_the_depth_under_cost_complexity():
    # a row is looked at in each node on its path, and in eleven trees that are not pruned
    less, more = work.work(work.NOISY + """
from supervised.trees import CARTClassifier
calls = [lambda n=n: CARTClassifier(pruning='cost_complexity').fit(*table(n))
         for n in (100, 800)]""")
    visits = work.work(work.NOISY + """
from supervised.trees import CARTClassifier

def visits_of(call):
    tree = call().tree_
    return float(tree.counts.sum(axis=1)[~tree.is_leaf].sum())

calls = [lambda n=n: CARTClassifier(pruning=None).fit(*table(n)) for n in (100, 800)]""",
                       "visits_of")
    assert more / less <= 1.1 * visits[1] / visits[0]


def test_an_identifier_costs_no_more_than_a_few_columns():
    # beside stars of one mask for each complex; a name is one more condition to try
    assert work.price_of_an_identifier("rules.AQClassifier()", 300) <= 5


def test_an_identifier_costs_work_as_it_makes_rules():
    fits = work.identified_fits("associations.CPARClassifier()", 400)
    (without, with_it), (few, many) = work.work(fits), work.work(fits, "rules_of")
    assert with_it / without <= 4 * many / few


def test_work_of_answers_grows_with_the_rows_where_names_are_new():
    less, more = work.work(work.IDENTIFIED + """
from supervised.ensembles import BaggingClassifier

def answer(n):
    X, y = table(n, True)
    model = BaggingClassifier(n_estimators=3).fit(X, y)
    return lambda: model.predict(X.assign(id="new"))

calls = [answer(100), answer(400)]""")
    assert more <= 6 * less
