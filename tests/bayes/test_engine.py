"""Checks, counts of pairs, imaginary rows, and sums of logarithms."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import softmax

from supervised.bayes.engine.posteriors import (
    _add_nominal_terms,
    _imaginary_rows,
    _log_likelihoods,
    _nominal_rows,
    _pair_counts,
    _posterior_from_scores,
)
from tests import examples

quick = examples(40)


def test_logs_of_nothing():
    logs = _log_likelihoods([[0.5, 0.0], [0.5, 1.0], [0.0, 0.0]])
    np.testing.assert_array_equal(logs, [[np.log(0.5), -np.inf], [np.log(0.5), 0],
                                         [0, 0], [0, 0]])
    # no values at all: only the missing one
    assert _log_likelihoods(np.zeros((0, 3))).tolist() == [[0, 0, 0]]


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
        _add_nominal_terms(scores, codes, _log_likelihoods(p))
        wanted += np.where((codes < 0)[:, None], 0, np.log(p)[codes])
    np.testing.assert_allclose(_posterior_from_scores(scores, prior),
                               softmax(wanted, axis=1), rtol=1e-10)


def test_posteriors_at_the_ends():
    prior = np.array([0.2, 0.3, 0.5])
    never = -np.inf
    scores = np.array([[-1e5, never, never, 700], [-1e5, never, -3, 800],
                       [-1e5 - 800, never, never, never]])
    before = scores.copy()
    with np.errstate(all="raise", under="ignore"):
        found = _posterior_from_scores(scores, prior)
    np.testing.assert_array_equal(scores, before)
    np.testing.assert_allclose(found,
                               [[0.5, 0.5, 0], prior, [0, 1, 0], [np.exp(-100), 1, 0]],
                               rtol=1e-10, atol=1e-300)


@quick
@given(st.integers(0, 10**6))
def test_pairs_are_counted_as_crosstab_counts_them(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 40))
    X = pd.DataFrame({"a": rng.choice(list("pqr"), n), "b": rng.choice(list("uv"), n)})
    X = X.astype(object).mask(rng.random(X.shape) < 0.2)
    y, weights = rng.choice(list("xyz"), n), rng.integers(1, 4, n).astype(float)
    table, labels, k = _nominal_rows(X, y)
    if not all(a.is_nominal and a.domain for a in table.attributes):
        return
    shape = (k, *(len(a.domain) for a in table.attributes))
    cube = _pair_counts(*table.codes.T, labels, shape, weights)
    for c, label in enumerate(sorted(set(y))):
        for i, a in enumerate(table.attributes[0].domain):
            for j, b in enumerate(table.attributes[1].domain):
                here = (X["a"] == a) & (X["b"] == b) & (y == label)
                assert cube[c, i, j] == weights[here].sum()


def test_imaginary_rows_in_fractions():
    counts = np.array([[3.0, 0], [0, 1], [1, 0]])
    for arguments, wanted in (((1.0, None, None), 3), (("1/n", None, 10), Fraction(3, 10)),
                              (("1/n", None, None), Fraction(3, 5)), ((0.0, 4, None), 4)):
        rows, shares = _imaginary_rows(counts, *arguments)
        assert np.isclose(rows, float(wanted)) and np.isclose(shares.sum(), 1)
    assert shares.ravel().tolist() == [3 / 5, 1 / 5, 1 / 5]


def test_numbers_are_named():
    with pytest.raises(ValueError, match="numeric attributes .'size'."):
        _nominal_rows(pd.DataFrame({"size": [1.5, 2.5], "b": list("xy")}), [0, 1])
