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
    found = {}
    for nb in notebooks():
        module = importlib.import_module(f"supervised.{nb.module}") if nb.module else None
        for name in getattr(module, "__all__", ()):
            kind = getattr(module, name)
            if (inspect.isclass(kind) and issubclass(kind, BaseEstimator)
                and not is_base(kind)):
                found[kind] = kind()
    return list(found.values())


def is_base(kind):
    """A base class leaves learning to its subclasses, or only reads tables for them."""
    if not hasattr(kind, "fit"):
        return True
    try:
        kind().fit([[0.0], [1.0], [2.0], [3.0]], ["a", "a", "b", "b"])
    except (NotImplementedError, AttributeError):
        return True
    except (TypeError, ValueError):  # it wants other rows than these
        return False
    return False


def test_all_are_found():
    names = {type(e).__name__ for e in estimators()}
    assert {"MajorityClassifier", "RoteClassifier", "TableEncoder", "MissingValueImputer",
            "IndicatorEncoder", "EqualWidthDiscretizer", "EqualFrequencyDiscretizer",
            "Standardizer", "UnitLengthScaler"} <= names


@pytest.mark.filterwarnings("ignore:invalid value encountered in cast")
@parametrize_with_checks(estimators())
def test_protocol(estimator, check):
    check(estimator)
