"""Measures of rules: values by hand, exact fractions, SciPy's tests,
and what hostile users pass."""

from fractions import Fraction
from math import log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from supervised.rules.measures import (
    foil_gain,
    irep_value,
    laplace,
    likelihood_ratio,
    m_estimate,
    negative_entropy,
    ripper_value,
    weighted_relative_accuracy,
)
from tests import examples

quick = examples(100)


@st.composite
def coverages(draw, least=0):
    """p, n, P, N, with a row of either class."""
    P, N = draw(st.integers(1, 60)), draw(st.integers(1, 60))
    p, n = draw(st.integers(least, P)), draw(st.integers(0, N))
    return p, n, P, N


# ------------------------------------ values by hand

# Approved loans (L Table 3.1): 9 of 15. Owns a house: 6 of 6. Young: 2 of 5. Old: 4 of 5.
@pytest.mark.parametrize(("p", "n", "wanted"), [
    (6, 0, {"laplace": 7 / 8, "m": 8 / 9, "ripper": 1, "irep": 12 / 15,
            "wracc": 36 / 225, "foil": 6 * log2(15 / 9), "ratio": 12 * log(5 / 3)}),
    (2, 3, {"laplace": 3 / 7, "m": 4 / 10, "ripper": -1 / 5, "irep": 5 / 15,
            "wracc": -15 / 225, "foil": 2 * log2(2 / 3),
            "ratio": 2 * (2 * log(2 / 3) + 3 * log(3 / 2))}),
    (4, 1, {"laplace": 5 / 7, "m": 6 / 10, "ripper": 3 / 5, "irep": 9 / 15,
            "wracc": 15 / 225, "foil": 4 * log2(4 / 3),
            "ratio": 2 * (4 * log(4 / 3) + log(1 / 2))}),
    (9, 6, {"laplace": 10 / 17, "m": 11 / 20, "ripper": 3 / 15, "irep": 9 / 15,
            "wracc": 0, "foil": 0, "ratio": 0}),
    (0, 0, {"laplace": 1 / 2, "ripper": 0, "irep": 6 / 15, "wracc": 0, "foil": 0,
            "ratio": 0}),
])
def test_loans_by_hand(p, n, wanted):
    found = {"laplace": laplace(p, n), "ripper": ripper_value(p, n),
             "irep": irep_value(p, n, 9, 6), "foil": foil_gain(p, n, 9, 6),
             "wracc": weighted_relative_accuracy(p, n, 9, 6),
             "ratio": likelihood_ratio([p, n], [9, 6])}
    for name, value in wanted.items():
        if name != "m":
            assert found[name] == pytest.approx(value, abs=1e-12), name
    if "m" in wanted:  # five imaginary rows, three of them approved
        m = {(6, 0): 9 / 11, (2, 3): 5 / 10, (4, 1): 7 / 10, (9, 6): 12 / 20}[p, n]
        assert m_estimate(p, n, 9, 6, 5) == pytest.approx(m)


def test_entropy_of_what_is_covered():
    assert negative_entropy([6, 0]) == 0 and negative_entropy([1, 1]) == -1
    assert negative_entropy([2, 2, 2, 2]) == -2
    assert negative_entropy([9, 6]) == pytest.approx(0.6 * log2(0.6) + 0.4 * log2(0.4))
    assert str(negative_entropy([6, 0])) == "0.0"  # not -0.0


def test_erratum_33_the_value_of_irep_is_another():
    assert ripper_value(6, 0) == 1.0 and irep_value(6, 0, 9, 6) == pytest.approx(0.8)
    # Cohen 1995: I-REP's prefers a rule that is wrong about every third row
    many, sure = (2000, 1000), (1000, 1)
    assert irep_value(*many, 3000, 3000) > irep_value(*sure, 3000, 3000)
    assert ripper_value(*many) < ripper_value(*sure)


def test_erratum_52_the_likelihood_ratio_ranks_otherwise_than_laplace():
    totals = [144, 356]
    assert laplace(9, 2) > laplace(48, 38)
    assert likelihood_ratio([9, 2], totals) < likelihood_ratio([48, 38], totals)
    # and it does not know which class the rule is for
    assert likelihood_ratio([14, 161], totals) > likelihood_ratio([48, 38], totals)


def test_laplace_of_many_classes():
    assert laplace(3, 1, k=5) == pytest.approx(4 / 9)
    assert laplace(3, 1, k=5, beta=0.5) == pytest.approx(3.5 / 6.5)
    assert laplace(0, 0, k=4) == pytest.approx(1 / 4)
    assert laplace(0, 0, k=4, beta=0) == pytest.approx(1 / 4)
    assert laplace(3, 1, beta=0) == pytest.approx(3 / 4)


# ------------------------------------ exact fractions

@quick
@given(coverages())
def test_definitions_with_exact_fractions(counts):
    p, n, P, N = map(Fraction, counts)
    share, whole = (p / (p + n) if p + n else Fraction(0)), P / (P + N)
    wracc = (p + n) / (P + N) * (share - whole)
    assert weighted_relative_accuracy(*counts) == pytest.approx(float(wracc), abs=1e-12)
    assert irep_value(*counts) == pytest.approx(float((p + N - n) / (P + N)))
    assert m_estimate(*counts, 3) == pytest.approx(float((p + 3 * whole) / (p + n + 3)))
    assert laplace(*counts[:2]) == pytest.approx(float((p + 1) / (p + n + 2)))
    gain = float(p) * (log2(share) - log2(whole)) if p else 0.0
    assert foil_gain(*counts) == pytest.approx(gain, abs=1e-9)
    assert ripper_value(*counts[:2]) == pytest.approx(float(2 * share - 1) if p + n else 0)


# ------------------------------------ SciPy

@quick
@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=6)
       .filter(lambda t: sum(a for a, _ in t) > 0))
def test_likelihood_ratio_is_scipys_power_divergence(table):
    covered, rest = map(np.array, zip(*table, strict=True))
    totals = covered + rest
    there = totals > 0  # SciPy divides by what is expected
    expected = totals[there] / totals.sum() * covered.sum()
    wanted = stats.power_divergence(covered[there], expected, lambda_="log-likelihood")
    assert likelihood_ratio(covered, totals) == pytest.approx(wanted.statistic, abs=1e-9)


@quick
@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any))
def test_entropy_is_scipys(counts):
    assert negative_entropy(counts) == pytest.approx(-stats.entropy(counts, base=2),
                                                     abs=1e-12)



# ------------------------------------ shapes and hostile input


def test_nothing_and_one_class():
    for measure in (irep_value, weighted_relative_accuracy, foil_gain):
        assert measure(0, 0, 0, 0) == 0
    assert m_estimate(0, 0, 0, 0, 2) == 0 and m_estimate(0, 0, 3, 1, 0) == 0.75
    assert negative_entropy([0, 0, 0, 0]) == -2  # no better than an even mixture
    assert negative_entropy([5]) == 0 and likelihood_ratio([5], [9]) == 0
    assert foil_gain(3, 0, 9, 0) == 0 and likelihood_ratio([0, 0], [9, 6]) == 0
    assert likelihood_ratio([2, 0, 1], [4, 0, 4]) == pytest.approx(  # a class without rows
        likelihood_ratio([2, 1], [4, 4]))
