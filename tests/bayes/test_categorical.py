"""Counts, corrections and scores of naive Bayes:
exact fractions, plain definitions, SciPy, and hostile input."""

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from supervised.basics.datasets import load_abc, load_tax_evasion
from supervised.bayes.categorical import prior_probabilities, smoothed_probabilities
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


def test_priors():
    assert prior_probabilities([7, 3]).tolist() == [0.7, 0.3]
    np.testing.assert_allclose(prior_probabilities([7, 3], "laplace"), [8 / 12, 4 / 12])
    assert prior_probabilities([7, 3], "uniform").tolist() == [0.5, 0.5]
    assert prior_probabilities([7, 3], (0.1, 0.9)).tolist() == [0.1, 0.9]
    assert prior_probabilities([7, 0]).tolist() == [1, 0]
