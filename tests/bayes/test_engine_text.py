"""Naive Bayes for texts: exact fractions, scikit-learn,
chunks, shares, odd matrices, and what hostile users pass."""

from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.naive_bayes import BernoulliNB, MultinomialNB

from supervised.bayes.engine.text import BernoulliTextClassifier, MultinomialTextClassifier
from tests import examples

MODELS = [MultinomialTextClassifier, BernoulliTextClassifier]
PEERS = [(MultinomialTextClassifier, MultinomialNB), (BernoulliTextClassifier, BernoulliNB)]
quick = examples(30)
both = pytest.mark.parametrize("kind", MODELS)


pytestmark = pytest.mark.filterwarnings("error")


def corpus(seed, n=60, words=25, k=3):
    """Sparse counts, labels that are text, and weights; every class occurs."""
    rng = np.random.default_rng(seed)
    y = np.append(np.arange(k), rng.integers(0, k, n - k))
    X = rng.poisson(rng.gamma(0.3, 2, size=(k, words))[y])
    return (sparse.csr_matrix(X), np.array([f"c{c}" for c in range(k)], dtype=object)[y],
            rng.uniform(0.1, 3, n))


four = st.lists(st.integers(0, 2), min_size=4, max_size=4)
small = st.integers(1, 3).flatmap(lambda k: st.tuples(
    st.lists(st.tuples(st.integers(0, k - 1), four), min_size=1, max_size=6),
    st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1), Fraction(2)]),
    st.lists(four, min_size=1, max_size=4)))


def normalized(scores, prior):
    """Posterior, or the prior if all scores are 0."""
    total = sum(scores)
    return [float(s / total) for s in scores] if total else [float(p) for p in prior]


def by_definition(rows, smoothing, document, bernoulli):
    """The posterior of a document in fractions, factor by factor;
    the classes are those that occur."""
    classes = sorted({c for c, _ in rows})
    prior = [Fraction(sum(c == d for d, _ in rows), len(rows)) for c in classes]
    scores = []
    for c, p in zip(classes, prior, strict=True):
        own = [r for d, r in rows if d == c]
        if bernoulli:
            below = len(own) + 2 * smoothing
            head = [(sum(r[t] > 0 for r in own) + smoothing) / below for t in range(4)]
            scores.append(p * prod(h if n else 1 - h
                                   for h, n in zip(head, document, strict=True)))
        else:
            counts = [sum(r[t] for r in own) + smoothing for t in range(4)]
            die = [Fraction(n) / sum(counts) if sum(counts) else Fraction(1, 4)
                   for n in counts]
            scores.append(p * prod(q**n for q, n in zip(die, document, strict=True)))
    return normalized(scores, prior)


@examples(150)
@given(small, st.booleans(), st.booleans())
def test_fractions(example, bernoulli, dense):
    rows, smoothing, documents = example
    X, asked = np.array([r for _, r in rows]), np.array(documents)
    if not dense:
        X, asked = sparse.csr_array(X), sparse.csr_array(asked)
    model = MODELS[bernoulli](alpha=float(smoothing)).fit(X, [c for c, _ in rows])
    expected = [by_definition(rows, smoothing, d, bernoulli) for d in documents]
    found = model.predict_proba(asked)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(found == 0, np.array(expected) == 0)
    clear = np.sort(expected, axis=1)
    clear = (clear[:, -1] - clear[:, -2] > 1e-9 if clear.shape[1] > 1
             else np.ones(len(clear), bool))
    assert (model.predict(asked)
            == model.classes_[np.argmax(expected, axis=1)])[clear].all()


@pytest.mark.parametrize("ours, theirs", PEERS)
@pytest.mark.parametrize("alpha", [1e-3, 0.1, 1, 7.5])
def test_scikit_learn(ours, theirs, alpha):
    X, y, w = corpus(1)
    asked = corpus(2)[0]
    for weights in (None, w):
        mine, peer = (ours(alpha).fit(X, y, weights),
                      theirs(alpha=alpha).fit(X, y.astype(str), weights))
        np.testing.assert_allclose(mine.predict_log_proba(asked),
                                   peer.predict_log_proba(asked), rtol=0, atol=1e-10)
        np.testing.assert_allclose(mine.predict_proba(asked), peer.predict_proba(asked),
                                   rtol=0, atol=1e-10)
        np.testing.assert_allclose(np.log(mine.word_probabilities_.T),
                                   peer.feature_log_prob_, rtol=0, atol=1e-10)
        np.testing.assert_allclose(mine.word_totals_.T, peer.feature_count_, rtol=1e-12)
        np.testing.assert_allclose(mine.class_weights_, peer.class_count_, rtol=1e-12)
        assert (mine.predict(asked) == peer.predict(asked)).all()


@pytest.mark.parametrize("ours, theirs", PEERS)
def test_priors(ours, theirs):
    X, y, w = corpus(3)
    given = [0.2, 0.5, 0.3]
    own = {"class_prior": given}
    pairs = [("uniform", {"fit_prior": False}), (given, own), (np.array(given), own)]
    for prior, options in pairs:
        mine, peer = (ours(priors=prior).fit(X, y, w),
                      theirs(**options).fit(X, y.astype(str), w))
        np.testing.assert_allclose(mine.predict_proba(X), peer.predict_proba(X), rtol=0,
                                   atol=1e-10)
    mine = ours(priors=np.array(given))
    mine.fit(X, y)
    assert mine.priors.tolist() == given  # the user's array is left alone
    assert (ours(priors=[0, 1, 0]).fit(X, y).predict(X) == "c1").all()


def test_threshold():
    X, y, _ = corpus(4)
    for threshold in (0, 1, 2.5):
        mine, peer = (BernoulliTextClassifier(threshold=threshold).fit(X, y),
                      BernoulliNB(binarize=threshold))
        expected, array = peer.fit(X, y.astype(str)).predict_proba(X), X.toarray()
        np.testing.assert_allclose(mine.predict_proba(X), expected, rtol=0, atol=1e-10)
        np.testing.assert_allclose(mine.fit(array, y).predict_proba(array), expected,
                                   rtol=0, atol=1e-10)


@both
def test_every_form_of_input(kind):
    X, y, w = corpus(5)
    array, expected = X.toarray(), kind().fit(X, y, w).predict_proba(X)
    forms = [sparse.csr_array(X), X.tocsc(), X.tocoo(), X.tolil(), X.astype(np.uint8),
             sparse.csr_array(X.astype("f")), array, np.asfortranarray(array),
             array.astype("b"), array.astype("f"), array.tolist(), array.astype("O")]
    for form in forms:
        np.testing.assert_allclose(kind().fit(form, y, w).predict_proba(form), expected,
                                   rtol=1e-12)
    far = X.copy()
    far.indptr, far.indices = far.indptr.astype(np.int64), far.indices.astype(np.int64)
    np.testing.assert_allclose(kind().fit(far, y, w).predict_proba(far), expected,
                               rtol=1e-12)
    present = (X > 0).astype(bool)
    np.testing.assert_allclose(
        BernoulliTextClassifier().fit(present, y).predict_proba(present),
        BernoulliTextClassifier().fit(X, y).predict_proba(X), rtol=1e-12)


@both
@quick
@given(st.integers(0, 10**6), st.lists(st.integers(1, 59), max_size=6))
def test_any_chunks(kind, seed, cuts):
    X, y, w = corpus(seed)
    bounds = [0, *sorted(set(cuts)), 60]
    for weights in (None, w):
        whole, parts = kind(0.3).fit(X, y, weights), kind(0.3)
        for a, b in zip(bounds, bounds[1:], strict=False):
            part = None if weights is None else w[a:b]
            parts.partial_fit(X[a:b], y[a:b], classes=["c2", "c0", "c1"],
                              sample_weight=part)
        assert parts.classes_.tolist() == whole.classes_.tolist() == ["c0", "c1", "c2"]
        if weights is None:  # whole numbers: bit by bit
            assert (parts.word_totals_ == whole.word_totals_).all()
            assert (parts.predict_proba(X) == whole.predict_proba(X)).all()
        np.testing.assert_allclose(parts.word_totals_, whole.word_totals_, rtol=1e-12)
        np.testing.assert_allclose(parts.class_weights_, whole.class_weights_, rtol=1e-12)
        np.testing.assert_allclose(parts.predict_log_proba(X), whole.predict_log_proba(X),
                                   rtol=0, atol=1e-11)


@both
@quick
@given(st.integers(0, 10**6))
def test_shares(kind, seed):
    X, y, w = corpus(seed)
    names = ["c0", "c1", "c2"]
    labels, hard = kind(0.5).fit(X, y, w), (y[:, None] == names).astype(float)
    for soft in (kind(0.5).fit_soft(X, hard, names, w),
                 kind(0.5).fit_soft(X.toarray(), hard[:, ::-1], names[::-1], w),
                 kind(0.5).fit_soft(X, pd.DataFrame(hard, columns=names), sample_weight=w)):
        assert soft.classes_.tolist() == ["c0", "c1", "c2"]
        np.testing.assert_allclose(soft.predict_proba(X), labels.predict_proba(X),
                                   rtol=1e-9)
    shares = np.random.default_rng(seed).dirichlet([0.3] * 3, 60)
    soft = kind(0.5).fit_soft(X, shares, sample_weight=w)
    # each document once in each class, with its share as weight
    copies = sparse.vstack([X] * 3)
    peer = dict(PEERS)[kind](alpha=0.5).fit(copies, np.repeat([0, 1, 2], 60),
                                            (shares * w[:, None]).T.ravel())
    assert soft.classes_.tolist() == [0, 1, 2]
    np.testing.assert_allclose(soft.predict_proba(X), peer.predict_proba(X), rtol=0,
                               atol=1e-10)


@both
def test_certain_words_with_fractions_as_weights(kind):
    """A word of every document has probability exactly 1,
    however the weights are rounded."""
    rng = np.random.default_rng(0)
    X = np.hstack([np.ones((50, 1)), rng.integers(0, 2, (50, 3))])
    y = rng.integers(0, 2, 50)
    w = rng.uniform(0, 1, 50) / 3
    for form in (X, sparse.csr_array(X)):
        models = [kind(0).fit(form, y, w),
                  kind(0).fit_soft(form, rng.dirichlet([1, 1], 50), sample_weight=w)]
        chunks = kind(0)
        for rows in np.array_split(np.arange(50), 7):
            chunks.partial_fit(form[rows], y[rows], classes=[0, 1], sample_weight=w[rows])
        for model in (*models, chunks):
            assert np.isfinite(model.predict_proba(form)).all()
            if kind is BernoulliTextClassifier:
                assert (model.word_probabilities_[0] == 1).all()
                # impossible in both
                without = model.predict_proba(np.array([[0, 1, 0, 1]]))
                np.testing.assert_allclose(without[0], np.exp(model.log_prior_))


@both
@quick
@given(st.integers(0, 10**6))
def test_without_smoothing_never_nan(kind, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 2, (8, 5)) * rng.integers(0, 2, 5), rng.integers(0, 3, 8)
    asked = np.vstack([rng.integers(0, 3, (20, 5)), np.zeros((1, 5))])
    model = kind(alpha=0).fit(X, y)
    for form in (asked, sparse.csr_array(asked)):
        found = model.predict_proba(form)
        assert np.isfinite(found).all() and np.allclose(found.sum(axis=1), 1)
        assert not np.isnan(model.predict_log_proba(form)).any()
        # but for ties
        assert (model.classes_[found.argmax(axis=1)] == model.predict(form)).mean() > 0.9
    explicit = sparse.csr_array(asked)
    explicit.data[::2] = 0  # zeros that are stored
    np.testing.assert_allclose(model.predict_proba(explicit),
                               model.predict_proba(explicit.toarray()), rtol=1e-12)
