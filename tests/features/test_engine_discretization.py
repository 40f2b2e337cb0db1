"""The engine of discretization: blocks, borders, costs and stacks, by definition."""


import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from supervised.features.engine.discretization import (
    _best_border,
    _SupervisedDiscretizer,
)
from supervised.features.engine.impurity import _running_counts
from supervised.features.impurity import gain
from tests import examples

quick = examples(60)


@quick
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 4), st.integers(1, 20))
def test_fayyads_theorem_and_the_best_border(seed, n, n_classes, n_values):
    rng = np.random.default_rng(seed)
    values, labels = (np.sort(rng.integers(0, n_values, n)).astype(float),
                      rng.integers(0, n_classes, n))
    merged, totals = _running_counts(values, labels, np.ones(n), n_classes, True)
    single, every = _running_counts(values, labels, np.ones(n), n_classes, False)
    assert (single.tolist() == [*np.flatnonzero(np.diff(values)) + 1, n]
            and set(merged) <= set(single))
    for ends, counts in ((merged, totals), (single, every)):
        assert (counts[1:] == [np.bincount(labels[:e], minlength=n_classes)
                               for e in ends]).all()
    gains = [gain([np.bincount(labels[:e], minlength=n_classes),
                   np.bincount(labels[e:], minlength=n_classes)]) for e in single[:-1]]
    for e, g in zip(single, gains, strict=False):
        assert e in merged or g < max(gains) + 1e-12
    for counts in (totals, every):
        border, saved = _best_border(counts, 0, len(counts) - 1, 0.0)
        assert saved == pytest.approx(n * max(gains, default=0.0), abs=1e-8)
        assert (border < 0) == (max(gains, default=0.0) < 1e-11)


def test_a_frame_for_a_way_of_ones_own():
    class Middle(_SupervisedDiscretizer):
        def _cut(self, values, labels=None, weights=None):
            return np.array([np.average(values, weights=weights)])

    X = pd.DataFrame({"a": [1.0, 2, np.nan, 9], "b": list("xyxy")})
    fitted = Middle().fit(X, [0, 1, 0, 1], sample_weight=[1, 1, 1, 2])
    assert {n: c.tolist() for n, c in fitted.cut_points_.items()} == {"a": [5.25]}
    assert fitted.transform(X)["a"].astype(object).isna().tolist() == [False, False, True,
                                                                       False]
    with pytest.raises(NotImplementedError):
        _SupervisedDiscretizer().fit(X, [0, 1, 0, 1])
