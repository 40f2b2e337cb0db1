"""The engine of the filters: moments by their definition,
blind intervals, and what rounding must not decide."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from supervised.basics import EqualFrequencyDiscretizer
from supervised.basics.datasets import load_heart_disease
from supervised.basics.tables import learn_table
from supervised.features.engine.filters import (
    _class_moments,
    _counts_of,
    _encoded_rows,
    _fisher_of,
    _fisher_of_numbers,
    _occurring,
    _ranking_table,
    _rounded,
    _score_names,
    _scores_by,
    _split_tests,
)
from supervised.features.filters import (
    SelectBest,
    chi_square,
    chi_square_test,
    fisher_score,
    gain_score,
    rank_attributes,
)
from supervised.features.impurity import ENTROPY

pytestmark = pytest.mark.filterwarnings("error")


def test_moments():
    rng = np.random.default_rng(0)
    values, labels, weights = (rng.normal(5, 2, 300), rng.integers(0, 3, 300),
                               rng.uniform(0.5, 2, 300))
    values[::7] = np.nan
    got = _class_moments(values, labels, weights, 5, 5.0)
    assert not got[3:].any()
    for j in range(3):
        mine = (labels == j) & ~np.isnan(values)
        mean = np.average(values[mine], weights=weights[mine])
        variance = np.average((values[mine] - mean) ** 2, weights=weights[mine])
        assert np.allclose(got[j], [weights[mine].sum(), mean - 5, variance], rtol=1e-12,
                           atol=1e-14)


def test_intervals_have_equal_frequency():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 3, 200)
    bins = EqualFrequencyDiscretizer(5).fit_transform(pd.DataFrame(X))
    assert np.allclose(chi_square(X, y)[0], chi_square(bins, y)[0], rtol=1e-12)
    # five values are kept as they are
    few = rng.integers(0, 5, (200, 1)).astype(float) ** 3
    assert np.allclose(chi_square(few, y)[0],
                       chi_square(pd.DataFrame(few.astype(str)), y)[0])
    six = np.repeat(np.arange(6.0), 20)[:, None]  # the two smallest make the first interval
    labels = rng.integers(0, 3, 120)
    assert chi_square(six, labels)[0] == pytest.approx(
        chi_square(np.maximum(six, 1), labels)[0], rel=1e-12)
    assert np.allclose(chi_square(np.exp(X), y)[0], chi_square(X, y)[0])
    # one value fills four intervals
    heavy = np.r_[np.zeros(190), np.arange(1, 11)][:, None]
    assert chi_square(heavy, y)[0] == pytest.approx(
        stats.chi2_contingency(pd.crosstab(heavy[:, 0] > 0, y), correction=False).statistic)
    assert chi_square(np.linspace(-1, 1, 7)[:, None] * 1.7e308, np.arange(7) % 2)[0][0] > 0


@pytest.mark.parametrize("counts", [[1, 2], [[[1]]], [[1, -1], [2, 3]], [[np.nan, 1]],
                                    [[np.inf, 1]], []])
def test_bad_counts(counts):
    with pytest.raises(ValueError, match="counts"):
        chi_square_test(counts)


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


def test_fisher_of_one_attribute():
    X, y = load_heart_disease()
    table, known = _encoded_rows(X, y)
    each = [_fisher_of(a, c, *known) for a, c in table.columns()]
    assert each == fisher_score(X, y).tolist()
    assert _fisher_of_numbers(np.array([1.0, 3, 5, 7]), np.array([0, 0, 1, 1]), np.ones(4),
                              2) == 4
    assert _fisher_of_numbers(np.full(3, np.nan), np.array([0, 1, 1]), np.ones(3), 2) == 0


def test_counts_of_names_and_numbers():
    X = pd.DataFrame({"name": ["u", "v", None, "u"], "number": [1.0, np.nan, 2, 1]})
    table, known = _encoded_rows(X, list("abba"), [1, 2, 3, 4])
    (name, codes), (number, values) = table.columns()
    assert _counts_of(name, codes, *known).tolist() == [[5, 0], [0, 2]]
    assert _counts_of(number, values, *known).tolist()[:2] == [[5, 0], [0, 3]]
    assert _counts_of(number, values, *known).sum() == 8


def test_what_does_not_occur_goes():
    assert _occurring([[6, 0, 0], [0, 0, 0], [3, 0, 6]]).tolist() == [[6, 0], [3, 6]]
    assert _occurring([[0, 0]]).size == 0
    assert chi_square_test([[6, 0], [3, 6], [0, 0]]) == chi_square_test([[6, 0], [3, 6]])


def test_tests_of_splits():
    X, y = load_heart_disease()
    tests = _split_tests(X, y, None, ENTROPY)
    assert len(tests) == 13 and (tests["gain"] == gain_score(X, y)).all()
    assert (tests["charge"] > 0).tolist() == [not n for n in learn_table(X).is_nominal]


def test_rounding_keeps_what_differs():
    assert _rounded(np.array([1 / 3, 1 / 3 + 1e-16, 1e-20])).tolist() == [
        0.333333333333, 0.333333333333, 0]
    assert _rounded(np.array([np.inf, 1e30])).tolist() == [np.inf, 1e30]
    assert _rounded(np.array([0.1, 0.1 + 1e-9]))[0] < _rounded(np.array([0.1 + 1e-9]))[0]


def test_names_of_scores():
    assert _score_names("gain", ("gain", "gini")) == ["gain"]
    assert _score_names(("gini", "gain"), ("gain", "gini")) == ["gini", "gain"]
    with pytest.raises(ValueError, match="scores is empty: name at least one of a, b"):
        _score_names([], ("a", "b"))
    with pytest.raises(ValueError, match="scores is 'c'"):
        _score_names("c", ("a", "b"))


def test_ranks_of_equals():
    attributes = learn_table(pd.DataFrame({c: [0.0, 1] for c in "abc"})).attributes
    table = _ranking_table(attributes, {"own": np.array([1.0, 2, 2]),
                                        "chi2": (np.array([3.0, 1, 2]), np.full(3, 0.5))})
    assert table.index.tolist() == ["c", "a", "b"]
    assert list(table) == ["kind", "own", "chi2", "p_value", "own_rank", "chi2_rank",
                           "mean_rank"]
    assert table["own_rank"].tolist() == [1, 3, 1]
    assert table["mean_rank"].tolist() == [1.5, 2, 2]


def test_scores_by_a_function():
    X, y = load_heart_disease()
    table, (labels, weights, _) = _encoded_rows(X, y)
    known = {"gain": gain_score, "chi2": chi_square}
    assert (_scores_by("chi2", known, table, y, weights) == chi_square(X, y)[0]).all()
    assert (_scores_by(gain_score, known, table, y, weights) == gain_score(X, y)).all()
    with pytest.raises(ValueError, match="a number for each of the 13"):
        _scores_by(lambda *_: [np.nan] * 13, known, table, y, weights)
