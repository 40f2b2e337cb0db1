"""Counts, corrections and scores of naive Bayes:
exact fractions, plain definitions, SciPy, and hostile input."""

from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from supervised.basics.datasets import load_abc, load_tax_evasion
from supervised.bayes.categorical import (
    add_nominal_terms,
    check_amount,
    log_likelihoods,
    plot_nomogram,
    posterior_from_scores,
    prior_probabilities,
    smoothed_probabilities,
)
from tests import examples

quick = examples(40)
tables = st.integers(1, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 6), min_size=k, max_size=k), min_size=1,
                       max_size=6))


def exact(counts, added, shares):
    """(n_ij + s p_i) / (n_j + s) in fractions; p_i where that is 0/0."""
    totals = [sum(column) + added for column in zip(*counts, strict=True)]
    return [[(n + added * p) / t if t else p for n, t in zip(row, totals, strict=True)]
            for row, p in zip(counts, shares, strict=True)]


@quick
@given(tables, st.fractions(0, 20, max_denominator=50))
def test_lidstone_in_fractions(counts, smoothing):
    m = len(counts)
    wanted = exact(counts, smoothing * m, [Fraction(1, m)] * m)
    found = smoothed_probabilities(counts, float(smoothing))
    np.testing.assert_allclose(found, np.array(wanted, dtype=float), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(found.sum(axis=0), 1, rtol=1e-12)


@quick
@given(tables, st.fractions(0, 20, max_denominator=50))
def test_m_estimate_in_fractions(counts, m_estimate):
    n, m = sum(map(sum, counts)), len(counts)
    shares = [Fraction(sum(row), n) if n else Fraction(1, m) for row in counts]
    found = smoothed_probabilities(counts, m_estimate=float(m_estimate))
    np.testing.assert_allclose(found,
                               np.array(exact(counts, m_estimate, shares), dtype=float),
                               rtol=1e-12, atol=1e-15)


def test_one_over_n():
    counts = [[2, 1], [2, 2], [1, 2]]
    np.testing.assert_allclose(smoothed_probabilities(counts, "1/n")[0],
                               [2.1 / 5.3, 1.1 / 5.3], rtol=1e-15)
    np.testing.assert_allclose(smoothed_probabilities(counts, "1/n", n=20)[0],
                               [2.05 / 5.15, 1.05 / 5.15], rtol=1e-15)
    assert (smoothed_probabilities([[0, 0], [0, 0]], "1/n")
            .tolist() == [[0.5, 0.5], [0.5, 0.5]])


def test_example_15_and_the_slides_of_T():
    abc, cls = load_abc()
    a = smoothed_probabilities(pd.crosstab(abc["A"], cls), 0)
    assert (isinstance(a, pd.DataFrame) and a.loc["m"].tolist() == [2 / 5, 1 / 5]
            and a.index.name == "A")
    tax, evade = load_tax_evasion()
    status = smoothed_probabilities(pd.crosstab(tax["Marital Status"], evade))
    wanted = {"Single": [3 / 6, 3 / 10], "Married": [1 / 6, 5 / 10],
              "Divorced": [2 / 6, 2 / 10]}
    for value, row in wanted.items():
        np.testing.assert_allclose(status.loc[value, ["Yes", "No"]], row, rtol=1e-15)


@pytest.mark.parametrize("arguments, match", [
    (dict(smoothing=-1), "smoothing is -1"),
    (dict(smoothing=np.nan), "smoothing is nan"),
    (dict(smoothing=np.inf), "smoothing is inf"),
    (dict(smoothing="1/m"), "smoothing is '1/m'"),
    (dict(smoothing=None), "smoothing is None"),
    (dict(smoothing=True), "smoothing is True"),
    (dict(m_estimate=-0.5), "m_estimate is -0.5"),
    (dict(m_estimate="3"), "m_estimate is '3'"),
])
def test_hostile_corrections(arguments, match):
    with pytest.raises(ValueError, match=match):
        smoothed_probabilities([[1, 2], [3, 4]], **arguments)


@pytest.mark.parametrize("counts", [[1, 2], [], [[1, -1]], [[np.nan, 1]], [[np.inf, 1]]])
def test_hostile_counts(counts):
    with pytest.raises(ValueError, match="counts"):
        smoothed_probabilities(counts)


def test_priors():
    assert prior_probabilities([7, 3]).tolist() == [0.7, 0.3]
    np.testing.assert_allclose(prior_probabilities([7, 3], "laplace"), [8 / 12, 4 / 12])
    assert prior_probabilities([7, 3], "uniform").tolist() == [0.5, 0.5]
    assert prior_probabilities([7, 3], (0.1, 0.9)).tolist() == [0.1, 0.9]
    assert prior_probabilities([7, 0]).tolist() == [1, 0]


@pytest.mark.parametrize("priors", [(0.5, 0.6), (1.0,), (-0.1, 1.1), (np.nan, 1), "prior",
                                    None, {"a": 1}, ("a", "b")])
def test_hostile_priors(priors):
    with pytest.raises(ValueError, match="priors"):
        prior_probabilities([7, 3], priors)


def test_logs_of_nothing():
    logs = log_likelihoods([[0.5, 0.0], [0.5, 1.0], [0.0, 0.0]])
    np.testing.assert_array_equal(logs, [[np.log(0.5), -np.inf], [np.log(0.5), 0],
                                         [0, 0], [0, 0]])
    # no values at all: only the missing one
    assert log_likelihoods(np.zeros((0, 3))).tolist() == [[0, 0, 0]]


@quick
@given(st.integers(0, 10**6))
def test_scores_from_definitions(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 30)), int(rng.integers(1, 5))
    prior, scores = rng.dirichlet(np.ones(k)), np.zeros((k, n))
    scores += np.log(prior)[:, None]
    wanted = np.tile(np.log(prior), (n, 1))
    for _ in range(4):
        m = int(rng.integers(1, 6))
        p, codes = rng.dirichlet(np.ones(m), k).T, rng.integers(-1, m, n)
        add_nominal_terms(scores, codes, log_likelihoods(p))
        wanted += np.where((codes < 0)[:, None], 0, np.log(p)[codes])
    np.testing.assert_allclose(posterior_from_scores(scores, prior),
                               softmax(wanted, axis=1), rtol=1e-10)


def test_posteriors_at_the_ends():
    prior = np.array([0.2, 0.3, 0.5])
    never = -np.inf
    scores = np.array([[-1e5, never, never, 700], [-1e5, never, -3, 800],
                       [-1e5 - 800, never, never, never]])
    before = scores.copy()
    with np.errstate(all="raise", under="ignore"):
        found = posterior_from_scores(scores, prior)
    np.testing.assert_array_equal(scores, before)
    np.testing.assert_allclose(found,
                               [[0.5, 0.5, 0], prior, [0, 1, 0], [np.exp(-100), 1, 0]],
                               rtol=1e-10, atol=1e-300)


def test_amounts():
    assert check_amount("x", np.int64(3)) == 3.0 and check_amount("x", 0) == 0.0
    for value in (-1e-9, np.nan, np.inf, "1", None, False, [1]):
        with pytest.raises(ValueError, match="x is"):
            check_amount("x", value)


@pytest.fixture
def evidence():
    return {"size": pd.Series({"small": -1.0, "middle": 0.2, "large": 2.0}),
            3: pd.Series({True: 0.5, False: -0.4})}


def test_nomogram(evidence):
    fig, mine = plt.subplots()
    ax = plot_nomogram(evidence, 0.3, {"size": "small", 3: True}, mine)
    assert (ax is mine and [t.get_text() for t in ax.get_yticklabels()]
            == ["(prior)", "size", "3", "probability"])
    marks = [c.get_offsets()[0].tolist() for c in ax.collections if c.get_sizes()[0] == 90]
    np.testing.assert_allclose(marks, [[0.3, 0], [-1.0, 1], [0.5, 2], [-0.2, 3]])
    places = {t.get_text(): t.xy[0] for t in ax.texts if t.xy[1] == 3}
    np.testing.assert_allclose(places["0.8"], np.log(4))
    ax = plot_nomogram(evidence, row={"size": "large"})  # the other one is missing
    assert [c.get_offsets()[0].tolist() for c in ax.collections
            if c.get_sizes()[0] == 90][-1] == [2.0, 3]
    assert not [c for c in plot_nomogram(evidence).collections if c.get_sizes()[0] == 90]
    plt.close("all")


@pytest.mark.parametrize("bad", [{}, {"a": pd.Series({"x": -np.inf})},
                                 {"a": pd.Series({"x": np.nan})}])
def test_hostile_evidence(bad):
    with pytest.raises(ValueError, match="evidence"):
        plot_nomogram(bad)
