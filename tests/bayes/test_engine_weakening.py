"""Tree-augmented naive Bayes: sums over gaps, naive Bayes as a limit, weights, SciPy's
spanning tree, storage, explanations, and hostile input."""

from __future__ import annotations

import tracemalloc
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

from supervised.basics.datasets import load_xor
from supervised.bayes.engine.tables import NaiveBayesClassifier
from supervised.bayes.engine.weakening import TANClassifier, _coded
from supervised.bayes.theorem import conditional_information
from supervised.bayes.weakening import dependence_tree
from tests import examples

quick = examples(40)


def drawn(seed, gaps=0.0, n=None):
    """Names and a number that lean on each other and on one of up to three classes."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(20, 60))
    k = int(rng.integers(2, 4))
    y = np.append(np.arange(k), rng.integers(0, k, n - k))
    first = (y + rng.integers(0, 2, n)) % 3
    X = pd.DataFrame({"a": np.array(list("pqr"))[first],
                      "b": np.array(list("stu"))[(first + (rng.random(n) < 0.3)) % 3],
                      "c": np.array(list("vw"))[(first + y) % 2],
                      "d": rng.normal(3 * y, 1.0)})
    X["d"] = X["d"].where(rng.random(n) >= gaps)
    X[["a", "b", "c"]] = X[["a", "b", "c"]].astype(object).mask(rng.random((n, 3)) < gaps)
    return X, y


def test_the_example_of_the_page():
    corners, sign = load_xor()
    model = TANClassifier(alpha=0, prior_strength=0).fit(corners.astype(str), sign)
    assert (model.predict_proba(corners.astype(str)).max(axis=1) == 1).all()
    assert (model.predict(corners.astype(str)) == sign).all()


def joint(model, codes):
    """Prior times the probability of a row without gaps, read off the tables by hand."""
    found = model.prior_.copy()
    for c in range(len(found)):
        for i, p in enumerate(model.parents_):
            width = 1 if p < 0 else model.sizes_[p]
            shape = (len(found), width, model.sizes_[i])
            table = np.exp(model.logs_[model.starts_[i]:][:np.prod(shape)]).reshape(shape)
            found[c] *= table[c, 0 if p < 0 else codes[p], codes[i]]
    return found


@quick
@given(st.integers(0, 10**6), st.sampled_from([0.0, 0.2, 0.6]))
def test_gaps_are_summed_over(seed, gaps):
    X, y = drawn(seed, gaps)
    model = TANClassifier(alpha=0.7, prior_strength=1.5).fit(X, y)
    asked, _ = drawn(seed + 1, 0.5, n=6)
    codes, found = _coded(model._read_table(asked), model.cuts_), model.predict_proba(asked)
    for row, p in zip(codes.T, found, strict=True):
        choices = [range(s) if v < 0 else [v]
                   for v, s in zip(row, model.sizes_, strict=True)]
        total = sum(joint(model, filling) for filling in product(*choices))
        np.testing.assert_allclose(p, total / total.sum(), rtol=1e-9, atol=1e-12)


@quick
@given(st.integers(0, 10**6))
def test_many_imaginary_rows_are_naive_bayes(seed):
    X, y = drawn(seed, 0.1)
    tan = TANClassifier(prior_strength=1e13).fit(X, y).predict_proba(X)
    naive = NaiveBayesClassifier("discretized").fit(X, y).predict_proba(X)
    np.testing.assert_allclose(tan, naive, atol=1e-8)


@quick
@given(st.integers(0, 10**6))
def test_bits_and_tree_are_those_of_others(seed):
    X, y = drawn(seed, 0.1)
    names = X[["a", "b", "c"]]
    if any(names[a].nunique() < 2 for a in names):
        return
    model = TANClassifier().fit(names, y)
    wanted = conditional_information(names, y).to_numpy(copy=True)
    np.fill_diagonal(wanted, 0.0)
    np.testing.assert_allclose(model.bits_, wanted, atol=1e-12)
    ours = sum(wanted[i, model.parents_[i]] for i in model.order_[1:])
    lifted = np.triu(wanted + 1.0, 1)  # SciPy takes a 0 for no link
    assert np.isclose(ours + 2, -minimum_spanning_tree(-lifted).sum())


@quick
@given(st.integers(1, 12), st.integers(0, 10**6))
def test_spanning_trees_of_scipy(d, seed):
    bits = np.random.default_rng(seed).uniform(0.1, 1, (d, d))
    bits = bits + bits.T
    order, parents = dependence_tree(bits)
    assert sorted(order) == list(range(d)) and parents[order[0]] == -1 and order[0] == 0
    seen = set()
    for i in order:
        assert parents[i] in seen or parents[i] == -1
        seen.add(i)
    ours = sum(bits[i, parents[i]] for i in order[1:])
    assert np.isclose(ours, -minimum_spanning_tree(-np.triu(bits, 1)).sum())


@quick
@given(st.integers(0, 10**6))
def test_weights_are_repetitions(seed):
    X, y = drawn(seed, 0.1)
    times = np.random.default_rng(seed).integers(0, 4, len(y))
    times[:3] = 1  # every class stays
    weighted = TANClassifier().fit(X, y, times)
    repeated = TANClassifier().fit(X.loc[np.repeat(X.index, times)], np.repeat(y, times))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X),
                               atol=1e-9)


def test_impossible_rows_get_the_prior():
    X = pd.DataFrame({"a": list("xxyy"), "b": list("uvuv")})
    model = TANClassifier(alpha=0, prior_strength=0).fit(X, [0, 0, 1, 1])
    only = pd.DataFrame({"a": ["x"], "b": ["u"]})
    assert model.predict_proba(only)[0].tolist() == [1, 0]
    one = TANClassifier(alpha=0, prior_strength=0).fit(X[1:], [0, 1, 1])
    assert np.isfinite(one.predict_proba(only)).all()


def test_memory_grows_with_the_table_of_the_largest_link():
    n, rng = 1000, np.random.default_rng(0)
    X = pd.DataFrame({"id": [f"i{i}" for i in range(n)],
                      "user": [f"u{i // 2}" for i in range(n)],
                      "kind": rng.choice(list("abcd"), n)})
    y = rng.integers(0, 2, n)
    TANClassifier().fit(X[:20], y[:20])  # what is loaded and compiled
    tracemalloc.start()
    model = TANClassifier().fit(X, y)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    # the table of "id" given "user" has a share for each class and pair of values
    assert model.logs_.size > n * n and most < 7 * model.logs_.nbytes


@pytest.mark.parametrize("n_columns", [2, 40])
def test_links_whose_tables_are_too_large_are_left_out(n_columns):
    n, rng = 4000, np.random.default_rng(0)
    X = pd.DataFrame({f"id{j}": [f"i{i}" for i in rng.permutation(n)]
                      for j in range(n_columns)})
    X["kind"] = X["id0"].str[:2]
    y = rng.integers(0, 2, n)
    tracemalloc.start()
    model = TANClassifier().fit(X, y)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 300e6  # two columns of names alone would take 16 million entries
    kind = n_columns
    assert set(model.parents_[:kind]) <= {-1, kind}
    assert model.bits_[0, 1] == 0 and model.bits_[0, kind] > 0
    alone = TANClassifier().fit(X.iloc[:, :2], y)
    naive = NaiveBayesClassifier()
    assert alone.parents_.tolist() == [-1, -1]
    assert sorted(alone.to_text().split("\n")) == ["id0", "id1"]
    np.testing.assert_allclose(alone.predict_proba(X.iloc[:9, :2]),
                               naive.fit(X.iloc[:, :2], y).predict_proba(X.iloc[:9, :2]))
