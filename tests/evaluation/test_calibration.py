"""Recalibration beside scikit-learn's, and with tables that are hostile."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_wine
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from supervised.evaluation import CalibratedClassifier
from supervised.evaluation.calibration import pool_adjacent_violators
from supervised.evaluation.engine.calibration import _fit_isotonic
from tests import examples

METHODS = ("sigmoid", "isotonic")


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 6), st.booleans(), st.integers(1, 4)),
                min_size=1, max_size=40))
def test_isotonic_regression_is_scikit_learns(rows):
    scores, positive, weights = map(np.array, zip(*rows, strict=True))
    theirs = IsotonicRegression(out_of_bounds="clip").fit(scores, positive, weights)
    ours = _fit_isotonic(scores, positive, weights)
    where = np.linspace(-1, 7, 33)
    assert np.allclose(np.interp(where, *ours), theirs.predict(where))


@examples(60)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(1, 4)), min_size=1, max_size=20))
def test_a_weight_is_a_number_of_copies(rows):
    values, weights = map(np.array, zip(*rows, strict=True))
    pooled = pool_adjacent_violators(values, weights)
    copies = pool_adjacent_violators(np.repeat(values, weights))
    assert np.allclose(np.repeat(pooled, weights), copies)
    assert (np.diff(pooled) >= 0).all()


class _WithLogOdds(GaussianNB):
    """Scores are log-odds, as ours makes them of probabilities; theirs takes scores."""

    def decision_function(self, X):
        p = self.predict_proba(X).clip(1e-15, 1 - 1e-15)
        scores = np.log(p) - np.log1p(-p)
        return scores[:, 1] if scores.shape[1] == 2 else scores


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("learner", [_WithLogOdds(), LinearSVC(random_state=0)],
                         ids=["probabilities", "scores"])
def test_it_is_scikit_learns(learner, method, n_classes):
    X, y = load_wine(return_X_y=True)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    X, y = X[y < n_classes, :4], y[y < n_classes]
    folds = list(StratifiedKFold(4).split(X, y))
    ours = CalibratedClassifier(learner, method, cv=folds).fit(X, y)
    theirs = CalibratedClassifierCV(learner, method=method, cv=folds, ensemble=False)
    found, expected = (m.predict_proba(X) for m in (ours, theirs.fit(X, y)))
    assert np.abs(found - expected).max() < (0.001 if method == "sigmoid" else 1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_of_one_class_the_probability_is_one(method):
    X, y = load_wine(return_X_y=True)
    model = CalibratedClassifier(GaussianNB(), method).fit(X, np.zeros(len(y)))
    assert model.predict_proba(X).tolist() == [[1.0]] * len(y)
