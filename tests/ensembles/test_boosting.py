"""The idea page: formulas by hand, and the plain version beside the package."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.ensembles.boosting import training_error_bound, vote_margins
from supervised.ensembles.engine.boosting import AdaBoostClassifier
from tests import examples


def test_bound_by_hand():
    # 2 sqrt(.3 * .7), times 2 sqrt(3/14 * 11/14), times 2 sqrt(3/22 * 19/22)
    factors = np.sqrt([0.84, 132 / 196, 228 / 484])
    assert training_error_bound([3 / 10, 3 / 14, 3 / 22]) == pytest.approx(
        [factors[0], factors[0] * factors[1], factors.prod()])
    assert training_error_bound([0.5, 0.5]).tolist() == [1, 1]
    assert training_error_bound([0.3, 0]).tolist()[1] == 0
    assert training_error_bound([]).shape == (0,)


def test_margins_by_hand():
    shares = [[0.7, 0.3], [0.2, 0.8], [0.5, 0.5], [1, 0]]
    assert vote_margins(shares, [0, 0, 1, 1]) == pytest.approx([0.4, -0.6, 0, -1])
    three = [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2]]
    assert vote_margins(three, [0, 2]) == pytest.approx([0.2, -0.3])


def test_margins_leave_the_shares_alone():
    shares = np.array([[0.7, 0.3]])
    vote_margins(shares, [0])
    assert shares.tolist() == [[0.7, 0.3]]


def exact_adaboost(X, y, k):
    """L Fig. 3.22 in fractions: errors, the best of all stumps, and weights."""
    n = len(y)
    w = [Fraction(1, n)] * n
    stumps = {tuple((left if row[a] <= cut else 1 - left) for row in X)
              for a in range(len(X[0])) for cut in {row[a] for row in X} for left in (0, 1)}
    for _ in range(k):
        def error(answers, w=w):
            return sum((v for v, f, c in zip(w, answers, y, strict=True) if f != c),
                       Fraction(0))
        e = min(error(answers) for answers in stumps)
        best = [answers for answers in stumps if error(answers) == e]
        yield e, best, w
        if e == 0 or 2 * e >= 1 or len(set(best)) > 1:  # ties could be broken either way
            return
        w = [v if f != c else v * e / (1 - e)
             for v, f, c in zip(w, best[0], y, strict=True)]
        total = sum(w)
        w = [v / total for v in w]


@examples(120)
@given(st.integers(0, 10**6))
def test_rounds_are_those_of_the_listing_in_fractions(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 12))
    X, y = rng.integers(0, 5, (n, 2)), rng.integers(0, 2, n)
    y[:2] = 0, 1
    rounds = list(exact_adaboost(X.tolist(), y.tolist(), 6))
    model = AdaBoostClassifier(n_estimators=6)
    if 2 * rounds[0][0] >= 1:
        with pytest.warns(UserWarning, match="no better than guessing"):
            model.fit(X, y)
        return
    model.fit(X, y)
    for t, (e, best, w) in enumerate(rounds):
        if 2 * e >= 1:
            assert model.ending_ == "worthless" and len(model.estimator_errors_) == t
            break
        assert model.estimator_errors_[t] == pytest.approx(float(e), abs=1e-12)
        answers = model.estimators_[t].predict(X)
        assert tuple(answers.tolist()) in best
        wrong = answers != y
        if e:
            assert model.estimator_weights_[t] == pytest.approx(np.log(float((1 - e) / e)))
            # under the next weights a classifier errs on one half
            after = [v if bad else v * e / (1 - e) for v, bad in zip(w, wrong, strict=True)]
            heavy = sum(v for v, bad in zip(after, wrong, strict=True) if bad)
            assert 2 * heavy == sum(after)
        else:
            assert model.ending_ == "perfect" and np.isinf(model.estimator_weights_[t])


@examples(60)
@given(st.integers(0, 10**6), st.integers(1, 40))
def test_bound_holds_and_is_the_mean_exponential(seed, k):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=60) > 0).astype(int)
    y[:2] = 0, 1
    model = AdaBoostClassifier(n_estimators=k).fit(X, y)
    bound = training_error_bound(model.estimator_errors_)
    assert (np.diff(bound) <= 1e-12).all()
    for t, answers in enumerate(model.staged_predict(X)):
        assert (answers != y).mean() <= bound[t] + 1e-12
    if model.ending_ == "full":
        F = sum(np.where(m.predict(X) == 1, 0.5, -0.5) * vote for m, vote in
                zip(model.estimators_, model.estimator_weights_, strict=True))
        assert np.exp(-np.where(y == 1, 1, -1) * F).mean() == pytest.approx(bound[-1])


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 5))
def test_margins_tell_right_from_wrong(seed, k):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(k), 30)
    labels = rng.integers(0, k, 30)
    margins = vote_margins(shares, labels)
    assert ((margins > 0) == (shares.argmax(axis=1) == labels)).all()
    assert (np.abs(margins) <= 1).all()
    if k == 2:
        assert margins == pytest.approx(2 * shares[np.arange(30), labels] - 1)
