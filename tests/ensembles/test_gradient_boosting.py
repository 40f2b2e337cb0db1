"""The page on gradient boosting: what it says of the loss, beside sums by hand."""

import numpy as np
import pytest
from scipy.special import expit
from sklearn.ensemble import HistGradientBoostingClassifier

from supervised.ensembles.engine.gradient import GradientBoostingClassifier


def test_the_example_by_hand():
    # left of 2.5 two rows of class 1; to the right three of class 1 and five of class 0:
    # Newton's steps from F = 0 are G/H with H = n/4: 4 * 0.5 and 4 * (3 - 5) / 16
    x = np.array([1, 2, 4, 5, 7, 3, 4.5, 6, 8, 9])[:, None]
    y = np.array([1] * 5 + [0] * 5)
    model = GradientBoostingClassifier(1, learning_rate=1.0, max_leaf_nodes=2,
                                       min_samples_leaf=1)
    p = model.fit(x, y).predict_proba(x)[:, 1]
    assert p[:2] == pytest.approx(expit(2.0))
    assert p[2:] == pytest.approx(expit(-0.5))


def test_a_table_that_tells_nothing_says_the_shares_of_the_classes():
    X, y = np.zeros((1000, 1)), np.repeat([1, 0, 2], [700, 200, 100])
    p = GradientBoostingClassifier(5).fit(X, y).predict_proba(X[:1])[0]
    assert p == pytest.approx([0.2, 0.7, 0.1])


def test_the_penalty_shrinks_the_leaf_values():
    x, y = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    for l2 in (0.0, 1.0, 10.0):
        model = GradientBoostingClassifier(1, learning_rate=1.0, max_leaf_nodes=2,
                                           min_samples_leaf=1, l2_regularization=l2)
        # G = 10 / 2, H = 10 / 4
        p = model.fit(x, y).predict_proba(x)[-1, 1]
        assert p == pytest.approx(expit(5 / (2.5 + l2)))


def test_stumps_cannot_learn_a_product():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, (2000, 3))
    y = X[:, 0] * X[:, 1] > 0
    stumps, trees = (GradientBoostingClassifier(50, max_leaf_nodes=k).fit(X, y)
                     for k in (2, 4))
    new = rng.uniform(-1, 1, (2000, 3))
    truth = new[:, 0] * new[:, 1] > 0
    assert abs(stumps.score(new, truth) - 0.5) < 0.06
    assert trees.score(new, truth) > 0.9


def test_as_good_as_scikit_learns():
    rng = np.random.default_rng(1)
    X, new = rng.normal(size=(2, 3000, 6))
    world = lambda t: (np.sin(2 * t[:, 0]) + t[:, 1] * t[:, 2] > 0.2 * t[:, 3])  # noqa: E731
    ours = GradientBoostingClassifier().fit(X, world(X))
    theirs = HistGradientBoostingClassifier(early_stopping=False).fit(X, world(X))
    assert abs(ours.score(new, world(new)) - theirs.score(new, world(new))) < 0.02
    p, q = ours.predict_proba(new)[:, 1], theirs.predict_proba(new)[:, 1]
    assert np.corrcoef(p, q)[0, 1] > 0.97


def test_many_rows_without_a_pattern_end_the_rounds_early():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(12_000, 2)), rng.integers(0, 2, 12_000)
    assert len(GradientBoostingClassifier(100).fit(X, y).loss_curve_) < 100
