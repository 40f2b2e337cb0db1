"""Measures of rules: values by hand, exact fractions, SciPy's tests,
and what hostile users pass."""

from fractions import Fraction
from functools import partial
from math import log, log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from supervised.basics.datasets import load_loan
from supervised.rules.measures import (
    checked_coverage,
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
OF_FOUR = [irep_value, weighted_relative_accuracy, partial(m_estimate, m=2), foil_gain]


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


def test_the_loans_have_these_counts():
    loan, approved = load_loan()
    for rows, counts in ((loan.Own_house, (6, 0)), (loan.Age == "young", (2, 3)),
                         (loan.Age == "old", (4, 1))):
        assert ((approved[rows] == "Yes").sum(), (approved[rows] == "No").sum()) == counts


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
@given(coverages())
def test_both_parts_are_the_g_test(counts):
    p, n, P, N = counts
    both = (likelihood_ratio([p, n], [P, N]) + likelihood_ratio([P - p, N - n], [P, N]))
    if 0 < p + n < P + N:
        wanted = stats.chi2_contingency([[p, n], [P - p, N - n]], correction=False,
                                        lambda_="log-likelihood").statistic
        assert both == pytest.approx(wanted, abs=1e-9)


@quick
@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any))
def test_entropy_is_scipys(counts):
    assert negative_entropy(counts) == pytest.approx(-stats.entropy(counts, base=2),
                                                     abs=1e-12)


# ------------------------------------ lines of equal worth

def test_the_m_estimate_lies_between_confidence_and_relative_accuracy():
    p, n = (c.ravel() for c in np.mgrid[0:20, 0:31])
    some = p + n > 0
    assert np.allclose(m_estimate(p, n, 19, 30, 0)[some], (p / np.maximum(p + n, 1))[some])
    assert np.allclose(m_estimate(p, n, 19, 19 + 30, 2)[:1], 19 / 68)  # nothing is covered
    order = np.argsort(m_estimate(p, n, 19, 30, 1e7), kind="stable")
    worth = weighted_relative_accuracy(p, n, 19, 30)[order]
    assert (np.diff(worth) > -1e-6).all()
    assert np.allclose(m_estimate(p, n, 31, 31, 2), laplace(p, n))


@quick
@given(coverages(), st.floats(0.1, 50), st.floats(0.05, 0.95))
def test_all_lines_of_the_m_estimate_meet_in_one_point(counts, m, share):
    _, _, P, N = counts
    x, y = -m * N / (P + N), -m * P / (P + N)
    far = np.linspace(0, 2 * m + P + N, 400)
    n, p = x + far * (1 - share), y + far * share
    inside = (p >= 0) & (n >= 0) & (p <= P) & (n <= N)
    worth = m_estimate(p[inside], n[inside], P, N, m)
    assert np.allclose(worth, share)


@quick
@given(coverages(least=1), st.integers(2, 50))
def test_who_sees_only_the_share(counts, times):
    p, n, *_ = counts
    assert ripper_value(times * p, times * n) == pytest.approx(ripper_value(p, n))
    assert negative_entropy([times * p, times * n]) == pytest.approx(
        negative_entropy([p, n]), abs=1e-12)
    assert abs(laplace(times * p, times * n) - 0.5) >= abs(laplace(p, n) - 0.5) - 1e-12


@quick
@given(coverages())
def test_a_worthless_rule_is_worth_nothing(counts):
    *_, P, N = counts
    for share in (0, 0.25, 0.5, 1):
        at = share * P, share * N
        assert weighted_relative_accuracy(*at, P, N) == pytest.approx(0, abs=1e-12)
        assert foil_gain(*at, P, N) == pytest.approx(0, abs=1e-9)
        assert likelihood_ratio(at, [P, N]) == pytest.approx(0, abs=1e-9)
        assert likelihood_ratio(at, [P, N]) >= 0


def test_gains_of_two_steps_add_up_where_no_positive_is_lost():
    whole = foil_gain(5, 1, 5, 20)
    assert whole == pytest.approx(foil_gain(5, 8, 5, 20) + foil_gain(5, 1, 5, 8))
    assert foil_gain(2, 9, 5, 20) < 0 < foil_gain(2, 1, 5, 20)


# ------------------------------------ shapes and hostile input

def test_arrays_and_numbers():
    p, n = np.array([[6, 2], [4, 9]]), np.array([[0, 3], [1, 6]])
    for measure in OF_FOUR:
        table = measure(p, n, 9, 6)
        assert table.shape == (2, 2)
        assert table[1, 0] == measure(4, 1, 9, 6)
        assert isinstance(measure(4, 1, 9, 6), float)
    assert isinstance(laplace(1, 2), float) and isinstance(ripper_value(1, 2), float)
    assert isinstance(negative_entropy([1, 2]), float)
    assert isinstance(likelihood_ratio([1, 2], [3, 4]), float)
    counts = np.stack([p, n], axis=-1)
    assert negative_entropy(counts).shape == (2, 2)
    assert likelihood_ratio(counts, [9, 6]).shape == (2, 2)
    assert likelihood_ratio(counts, [9, 6])[0, 0] == likelihood_ratio([6, 0], [9, 6])


def test_nothing_and_one_class():
    for measure in (irep_value, weighted_relative_accuracy, foil_gain):
        assert measure(0, 0, 0, 0) == 0
    assert m_estimate(0, 0, 0, 0, 2) == 0 and m_estimate(0, 0, 3, 1, 0) == 0.75
    assert negative_entropy([0, 0, 0, 0]) == -2  # no better than an even mixture
    assert negative_entropy([5]) == 0 and likelihood_ratio([5], [9]) == 0
    assert foil_gain(3, 0, 9, 0) == 0 and likelihood_ratio([0, 0], [9, 6]) == 0
    assert likelihood_ratio([2, 0, 1], [4, 0, 4]) == pytest.approx(  # a class without rows
        likelihood_ratio([2, 1], [4, 4]))


def test_weights_may_differ_in_the_last_digits():
    tenths = sum([0.1] * 3)  # 0.30000000000000004
    assert irep_value(tenths, 0, 0.3, 1) == pytest.approx(1)
    assert likelihood_ratio([tenths, 0], [0.3, 0.7]) > 0


@pytest.mark.parametrize(("call", "said"), [
    (lambda: laplace(-1, 0), "p is -1: a count is finite"),
    (lambda: ripper_value(1, np.nan), "n is nan: a count is finite"),
    (lambda: irep_value(1, 0, np.inf, 6), "P is inf: a count is finite"),
    (lambda: foil_gain(1, [0, 7], 9, 6), "n is 7, but N is only 6"),
    (lambda: m_estimate(10, 0, 9, 6, 2), "p is 10, but P is only 9"),
    (lambda: weighted_relative_accuracy(10, 0, 9, 6), "p is 10, but P is only 9"),
    (lambda: m_estimate(1, 0, 9, 6, -1), "m is -1"),
    (lambda: m_estimate(1, 0, 9, 6, "2"), "m is '2'"),
    (lambda: laplace(1, 0, k=0), "k is 0"),
    (lambda: laplace(1, 0, beta=np.nan), "beta is nan"),
    (lambda: negative_entropy([1, -2]), r"counts has -2.0 at \(1,\)"),
    (lambda: negative_entropy([]), "counts must be one count per class"),
    (lambda: likelihood_ratio([1, 2, 3], [9, 6]), "counts has 3 classes, totals has 2"),
    (lambda: likelihood_ratio([10, 2], [9, 6]), "counts is 10, but totals is only 9"),
    (lambda: likelihood_ratio([1, np.nan], [9, 6]), "counts is nan"),
    (lambda: likelihood_ratio([1, 2], [9, -6]), "totals is -6"),
    (lambda: likelihood_ratio([1, 2], [9]), "counts has 2 classes, totals has 1"),
    (lambda: likelihood_ratio([], []), "counts has 0 classes"),
    (lambda: ripper_value([1, 2], [1, 2, 3]), "shape mismatch"),
])
def test_bad_counts_are_refused_by_name(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_counts_come_back_as_floats_of_one_shape():
    p, n, P, N = checked_coverage(p=[1, 2], n=0, P=9, N=[6, 7])
    assert p.shape == n.shape == P.shape == N.shape == (2,) and n.dtype == float
    assert len(checked_coverage(p=1, n=2)) == 2
