"""What parameters may be is declared: every one of every estimator, and what is said of a
value that is none of it."""

import inspect
import re
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from supervised.associations.engine.combining import CPARClassifier
from supervised.basics.engine.parameters import (
    Number,
    OneOf,
    Such,
    Whole,
    _declared,
    check_parameter,
)
from supervised.ensembles import (
    AdaBoostClassifier,
    RandomForestClassifier,
    VotingClassifier,
)
from supervised.features import WrapperSelector
from supervised.linear import LogisticClassifier
from supervised.neighbors import KNNClassifier
from supervised.neural import NeuralNetworkClassifier
from supervised.svm import KernelKMeans, LinearSVMClassifier, SVMClassifier
from supervised.trees import C45Classifier, CARTClassifier
from tests.house.test_estimators import estimators

X, Y = load_iris(return_X_y=True)
X, Y = X[::5], Y[::5]

# Fourteen of the best: who is asked, what is wrong, and what should be said of it.
BEST = [
    (C45Classifier(confidence_factor=0.51),
     "confidence_factor is 0.51, but must be a number above 0 and at most 0.5"),
    (C45Classifier(pruning="mdl "),
     "pruning is 'mdl ', not one of None, 'pessimistic', 'reduced_error', "
     "'cost_complexity', 'mdl': did you mean 'mdl'?"),
    (CARTClassifier(max_depth=2.0),
     "max_depth is 2.0, but must be a whole number of at least 0, or None: write 2"),
    (SVMClassifier(kernel="gaussian"),
     "kernel is 'gaussian', but must be 'rbf', 'linear', 'polynomial', 'sigmoid', "
     "'precomputed', or a function of two arrays: here it is called 'rbf'"),
    (LinearSVMClassifier(penalty="l1"),
     "penalty is 'l1' and loss 'hinge': an L1 penalty goes with loss 'squared_hinge'"),
    (LogisticClassifier(penalty="l1", solver="ascent"),
     "penalty is 'l1' and solver 'ascent': only solver 'newton' can leave weights at 0, by "
     "coordinate descent"),
    (NeuralNetworkClassifier(hidden_layer_sizes=(10, 0)),
     "hidden_layer_sizes is (10, 0), but must be a whole number of at least 1, or a tuple "
     "of them, one for each layer"),
    (KNNClassifier(metric="minkowski", p=0.5),
     "p is 0.5, but must be a number of at least 1, or infinity: below 1 the triangle "
     "inequality fails"),
    (RandomForestClassifier(kind="geurts", oob_score=True),
     "kind 'geurts' grows each tree from all rows: oob_score and max_samples are for "
     "'breiman' and 'handout'"),
    (AdaBoostClassifier(GaussianNB),
     "estimator is the class GaussianNB, but must be None, or a classifier: make an "
     "instance, GaussianNB()"),
    (VotingClassifier({"scaler": StandardScaler()}),
     "estimators['scaler'] is StandardScaler(), but must be a classifier: it predicts no "
     "classes"),
    (WrapperSelector(scoring="error_rate"),
     "scoring is 'error_rate', but must be the name of a measure of which more is better, "
     "a function (y_true, y_pred) or a scorer: less is better there, take 'accuracy'"),
    (CPARClassifier(decay_factor=1),
     "decay_factor is 1, but must be a number of at least 0 and below 1: rows that keep "
     "their weight would have the same rule grown forever"),
    (KernelKMeans(n_clusters=10**400),
     f"n_clusters is 1{'0' * 76}..., but must be a whole number of at least 1 and below "
     "2**63"),
]


@pytest.mark.parametrize(("model", "said"), BEST,
                         ids=lambda x: type(x).__name__ if hasattr(x, "fit") else "")
def test_the_best_messages(model, said):
    with pytest.raises((ValueError, TypeError)) as caught:
        model.fit(X, Y)
    assert str(caught.value) == said


# ------------------------------------ all estimators


every = pytest.mark.parametrize("model", estimators(), ids=lambda e: type(e).__name__)


def table_of_declarations(kind):
    """All that the tables of a class and its bases declare; None takes back."""
    merged = {}
    for base in reversed(kind.__mro__):
        merged |= vars(base).get("_parameter_constraints", {})
    return {name: allowed for name, allowed in merged.items() if allowed is not None}


@every
def test_every_parameter_is_declared_and_nothing_else(model):
    kind = type(model)
    parameters = set(inspect.signature(kind).parameters)
    assert set(table_of_declarations(kind)) == set(_declared(kind)) == parameters


def first_fit(model, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X, y)


ABSURD = [object(), "nonsense", -1, np.nan, 10**400]


@every
def test_what_is_absurd_is_refused_by_name(model):
    refused = 0
    for name, allowed in _declared(type(model)).items():
        for value in ABSURD:
            try:
                check_parameter(name, value, allowed)
            except (ValueError, TypeError) as error:
                said = str(error)
            else:
                continue  # -1 process, -1 added to a product, a seed of 400 digits
            refused += 1
            assert said.startswith(f"{name} is ") and len(said) < 400
            with pytest.raises((ValueError, TypeError), match=re.escape(said)):
                first_fit(clone(model).set_params(**{name: value}), X, Y)
    assert refused >= 3 * len(_declared(type(model)))


@every
def test_a_mistyped_name_is_answered_with_the_right_one(model):
    for name in model.get_params(deep=False):
        if len(name) > 4:
            with pytest.raises(ValueError, match=f"^unknown parameter '{name}e': did you "
                                                 f"mean '{name}'. Invalid parameter"):
                clone(model).set_params(**{f"{name}e": 1})


# ------------------------------------ the pieces


@pytest.mark.parametrize("allowed, good, bad", [
    (Whole(1), [1, np.int8(3), 2**63 - 1], [0, True, 1.0, "1", None, np.nan, 2**63]),
    (Whole(2, 5), [2, 5], [1, 6]),
    (Number(above=0), [1e-300, 3, np.float32(2), 10**300],
     [0, -1, np.nan, np.inf, 10**400, "1", True, 1j, [1], np.bool_(True)]),
    (Number(least=0, below=1), [0, 0.999], [1, -1e-9]),
    (Number(least=1, infinite=True), [1, np.inf], [-np.inf, np.nan, 0.5]),
    (Number(), [-1e9, 0], [np.inf, -np.inf, np.nan]),
    (OneOf("a", None, 2), ["a", None, 2, 2.0], ["b", 3, np.array([2, 2]), ["a"]]),
    (Such("even", lambda v: v % 2 == 0), [2], [3]),
])
def test_what_is_allowed(allowed, good, bad):
    assert all(allowed.holds(v) for v in good)
    assert not any(allowed.holds(v) for v in bad)
