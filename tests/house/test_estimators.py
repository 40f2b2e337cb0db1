"""Everything that claims scikit-learn's protocol passes
scikit-learn's own checks, with no failure expected."""

import importlib
import inspect
from functools import cache

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from tools.book import notebooks


@cache
def estimators():
    """One instance of every public estimator that can
    be built without arguments; bases are left out."""
    kinds = []
    for nb in notebooks():
        module = importlib.import_module(f"supervised.{nb.module}") if nb.module else None
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if inspect.isclass(kind) and issubclass(kind, BaseEstimator):
                kinds.append(kind)
    return [kind() for kind in dict.fromkeys(kinds) if not is_base(kind)]


def is_base(kind):
    """A base class leaves a method to its subclasses, or only reads tables for them.

    What has no subclass is no base: it may have no use for a method that others need.
    """
    return (not hasattr(kind, "fit")
            or bool(kind.__subclasses__())
            and any("raise NotImplementedError" in inspect.getsource(method)
                    for name, method in inspect.getmembers(kind, inspect.isfunction)
                    if method.__module__.startswith("supervised")))


def test_all_are_found():
    names = {type(e).__name__ for e in estimators()}
    assert {"MajorityClassifier", "RoteClassifier", "TableEncoder", "MissingValueImputer",
            "IndicatorEncoder", "EqualWidthDiscretizer", "EqualFrequencyDiscretizer",
            "Standardizer", "UnitLengthScaler", "PARTClassifier", "LogisticClassifier",
            "LinearSVMClassifier", "SVMClassifier", "NeuralNetworkClassifier",
            "GradientBoostingClassifier"} <= names


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@parametrize_with_checks(estimators())
def test_protocol(estimator, check):
    check(estimator)
