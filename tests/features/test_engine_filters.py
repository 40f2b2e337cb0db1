"""The engine of the filters: moments by their definition,
blind intervals, and what rounding must not decide."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from supervised.basics import EqualFrequencyDiscretizer
from supervised.features.filters import SelectBest, chi_square, gain_score, rank_attributes

pytestmark = pytest.mark.filterwarnings("error")


def test_intervals_have_equal_frequency():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    bins = EqualFrequencyDiscretizer(5).fit_transform(pd.DataFrame(X))
    assert np.allclose(chi_square(X, y)[0], chi_square(bins, y)[0], rtol=1e-12)
    # five values are kept as they are
    few = rng.integers(0, 5, (200, 1)).astype(float) ** 3
    assert np.allclose(chi_square(few, y)[0],
                       chi_square(pd.DataFrame(few.astype(str)), y)[0])
    # of six equally frequent values the two in the middle share an interval
    six = np.repeat(np.arange(6.0), 20)[:, None]
    labels = rng.integers(0, 3, 120)
    assert chi_square(six, labels)[0] == pytest.approx(
        chi_square(np.where(six == 3, 2, six), labels)[0], rel=1e-12)
    assert np.allclose(chi_square(np.exp(X), y)[0], chi_square(X, y)[0])
    # one value fills four intervals
    heavy = np.r_[np.zeros(190), np.arange(1, 11)][:, None]
    assert chi_square(heavy, y)[0] == pytest.approx(
        stats.chi2_contingency(pd.crosstab(heavy[:, 0] > 0, y), correction=False).statistic)
    # at either end of the column
    assert chi_square(-heavy, y)[0] == pytest.approx(chi_square(heavy, y)[0])
    assert chi_square(np.linspace(-1, 1, 7)[:, None] * 1.7e308, np.arange(7) % 2)[0][0] > 0


def test_rounding_makes_no_difference():
    ahead = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        values, names, y = (rng.integers(0, 7, 50), rng.permutation(7),
                            rng.integers(0, 3, 50))
        # the same, renamed
        X = pd.DataFrame({"a": values.astype(str), "b": names[values].astype(str)})
        first, second = gain_score(X, y)
        ahead += second > first
        assert (SelectBest(1).fit(X, y).selected_ == ["a"]
                and first == pytest.approx(second, abs=1e-14))
        assert rank_attributes(X, y)["mean_rank"].tolist() == [1, 1]
    assert ahead  # it has come to that
    y = np.repeat([0, 1], [9, 18])
    X = pd.DataFrame({"a": "v", "b": np.tile(["u", "v", "v"], 9)})  # neither tells anything
    assert gain_score(X, y)[1] > 0 and rank_attributes(X, y)["mean_rank"].tolist() == [1, 1]
