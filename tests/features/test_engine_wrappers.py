"""The engine of the wrappers: estimates made once, the rules of a search,
columns that pass as they came, and what hostile users pass."""


import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics import accuracy
from supervised.evaluation.engine.resampling import CrossValidation
from supervised.features.engine.wrappers import _DIRECTIONS, _subset_scores
from supervised.features.wrappers import WrapperSelector
from tests import examples
from tests.features.test_wrappers import NearestMean, data


@examples(20)
@given(seed=st.integers(0, 1000), direction=st.sampled_from(_DIRECTIONS),
       patience=st.integers(1, 6),
       tolerance=st.sampled_from([0.0, 0.01, 0.05]), limit=st.sampled_from([None, 1, 2, 4]))
def test_history_holds_together(seed, direction, patience, tolerance, limit):
    X, y = data(24, 4, 2, seed, strength=0.5)
    selector = WrapperSelector(NearestMean(), direction, cv=3,
                               max_attributes=limit, tol=tolerance,
                               n_iter_no_change=patience, random_state=seed).fit(X, y)
    history, cap = selector.history_, limit or 4
    last = history[history["accepted"]].iloc[-1]
    assert last["n_attributes"] == len(selector.selected_) == selector.support_.sum() <= cap
    rounds = [(i, *r)
              for i, r in enumerate(CrossValidation(3, random_state=seed).split(X, y), 1)]
    again = _subset_scores(NearestMean(), X, y, selector.get_support(indices=True), rounds,
                           accuracy)
    assert last["estimate"] == pytest.approx(again.mean())
    assert last["standard_error"] == pytest.approx(again.std(ddof=1) / 3**0.5)
    small = history[history["n_attributes"] <= cap]
    assert last["estimate"] >= small["estimate"].max() - tolerance * 4 - 1e-9
    if tolerance == 0:
        assert last["estimate"] == small["estimate"].max()
    refused = (~history["accepted"]).to_numpy()
    assert (refused[len(refused) - 1 - refused[::-1].argmin() + 1:]
            .sum() <= patience + (direction == "floating") * 4)


def test_no_set_is_judged_twice():
    X, y = data(30, 5)

    class Counting(NearestMean):
        fits = 0

        def fit(self, X, y):
            Counting.fits += 1
            return super().fit(X, y)

    for direction in ("forward", "backward", "floating"):
        Counting.fits = 0
        history = WrapperSelector(Counting(), direction, cv=3, random_state=0,
                                  n_iter_no_change=99).fit(X, y).history_
        assert Counting.fits <= 3 * 31 and len(history) >= 5  # there are 31 sets
    Counting.fits = 0
    WrapperSelector(Counting(), cv=3, random_state=0, n_iter_no_change=99).fit(X, y)
    assert Counting.fits == 3 * 15  # 5 + 4 + 3 + 2 + 1
