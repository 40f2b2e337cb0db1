"""Bayes' theorem, the size of the joint table, and conditional dependence."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from supervised.basics import load_loan
from supervised.basics.datasets import load_votes
from supervised.bayes.theorem import bayes_rule, conditional_information, count_cells
from tests import examples

whole = st.lists(st.integers(1, 50), min_size=2, max_size=5)


@examples(60)
@given(whole, st.data())
def test_posteriors_are_the_exact_fractions(priors, data):
    given_class = data.draw(st.lists(st.integers(0, 20), min_size=len(priors),
                                     max_size=len(priors)).filter(any))
    joint = [Fraction(p, sum(priors)) * Fraction(g, 20)
             for p, g in zip(priors, given_class, strict=True)]
    expected = [float(j / sum(joint)) for j in joint]
    found = bayes_rule(np.array(priors) / sum(priors), np.array(given_class) / 20)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)


@examples(40)
@given(whole, st.floats(1e-6, 1e6))
def test_a_common_factor_of_the_likelihoods_changes_nothing(priors, factor):
    p = np.array(priors) / sum(priors)
    given_class = np.arange(1, len(p) + 1) / 7
    np.testing.assert_allclose(bayes_rule(p, given_class),
                               bayes_rule(p, given_class * factor), rtol=1e-9)


def test_many_observations_at_once_and_equal_likelihoods():
    assert bayes_rule([0.3, 0.7], np.ones((4, 5, 2))).shape == (4, 5, 2)
    # nothing learned: the prior
    np.testing.assert_allclose(bayes_rule([0.3, 0.7], [2.5, 2.5]), [0.3, 0.7])
    np.testing.assert_allclose(bayes_rule([0, 1], [1, 0.1]), [0, 1])


def test_cells_of_the_loan_table_by_enumeration():
    loan, approved = load_loan()
    domains = [range(len(loan[c].unique())) for c in loan]
    cells = len(list(product(*domains, range(2))))
    found = count_cells(loan, approved)
    assert found.cells == cells == 72 and found.occupied == 13
    # all probabilities of attributes and class together, but for their sum
    assert found.joint == cells - 1
    assert found.naive == sum(2 * (len(d) - 1) for d in domains) + 1


def test_cells_beyond_machine_integers_are_counted_exactly():
    wide = pd.DataFrame({f"a{j}": ["yes", "no"] for j in range(80)})
    assert count_cells(wide, [0, 1]).cells == 2**81
    assert count_cells(wide, [0, 1])[2:] == (2**81 - 1, 161)


def test_conditional_information_agrees_with_scikit_learn():
    votes, party = load_votes()
    found = conditional_information(votes, party).to_numpy()
    for i, j in [(0, 1), (4, 7), (3, 3), (15, 2)]:
        a, b = votes.iloc[:, i], votes.iloc[:, j]
        known = a.notna() & b.notna()
        expected = sum(
            mutual_info_score(a[known & (party == c)], b[known & (party == c)])
            * (known & (party == c)).sum() for c in party.unique()
        )
        assert found[i, j] == pytest.approx(expected / known.sum() / np.log(2), abs=1e-12)
        assert found[i, j] == found[j, i]


@examples(30)
@given(st.integers(0, 10_000))
def test_information_is_between_zero_and_what_there_is_to_tell(seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.choice(list("abc"), size=(40, 3)), columns=["p", "q", "r"])
    found = conditional_information(X, rng.integers(0, 3, 40)).to_numpy()
    assert (found >= 0).all()
    assert (found <= np.minimum.outer(found.diagonal(), found.diagonal()) + 1e-12).all()
