"""Everything that claims scikit-learn's protocol passes
scikit-learn's own checks, with no failure expected."""

import importlib
import inspect
from functools import cache

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

from tools.book import modules


@cache
def estimators():
    """One instance of every public estimator that can
    be built without arguments; bases are left out."""
    kinds = []
    for name in modules():
        module = importlib.import_module(f"supervised.{name}")
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if inspect.isclass(kind) and issubclass(kind, BaseEstimator):
                kinds.append(kind)
    return [kind() for kind in dict.fromkeys(kinds) if not is_base(kind)]


def is_base(kind):
    """A base class can't learn from a table: it leaves a method or a parameter to its
    subclasses, or only reads tables for them."""
    if not hasattr(kind, "fit"):
        return True
    X, y = np.array([[0, 1], [1, 0], [2, 1], [3, 2]]), np.array([0, 0, 1, 1])
    try:
        fitted = kind().fit(X, y)
        (fitted.predict if hasattr(fitted, "predict") else fitted.transform)(X)
    except NotImplementedError:
        return True
    except AttributeError:
        return bool(kind.__subclasses__())
    except (TypeError, ValueError):  # it learns, but not from this table
        return False
    return False


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
