"""Naive Bayes for texts: exact fractions, scikit-learn,
chunks, shares, odd matrices, and what hostile users pass."""

import pickle
import tracemalloc
import warnings
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.naive_bayes import BernoulliNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from supervised.basics import from_json
from supervised.bayes.engine.text import (
    BernoulliTextClassifier,
    MultinomialTextClassifier,
    _add_words,
)
from tests import examples

MODELS = [MultinomialTextClassifier, BernoulliTextClassifier]
PEERS = [(MultinomialTextClassifier, MultinomialNB), (BernoulliTextClassifier, BernoulliNB)]
quick = examples(30)
both = pytest.mark.parametrize("kind", MODELS)


@pytest.fixture(autouse=True)
def no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


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
def test_frames(kind):
    X, y, _ = corpus(6)
    frame = pd.DataFrame(X.toarray(), columns=[f"word{t}" for t in range(X.shape[1])])
    model = kind().fit(frame, y)
    assert model.feature_names_in_.tolist() == list(frame)
    np.testing.assert_allclose(model.predict_proba(frame[list(frame)[::-1]]),
                               model.predict_proba(frame), rtol=1e-12)
    thin = pd.DataFrame.sparse.from_spmatrix(X, columns=frame.columns)
    np.testing.assert_allclose(model.predict_proba(thin), model.predict_proba(frame),
                               rtol=1e-12)
    with pytest.raises(ValueError, match="[Ff]eature names"):
        model.predict(frame.rename(columns={"word3": "other"}))
    with pytest.warns(UserWarning, match="feature names"):
        model.predict(X)
    assert not hasattr(model.fit(X, y), "feature_names_in_")  # of the fit before


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
def test_a_class_that_vanishes(kind):
    X, y, _ = corpus(7)
    model = kind().partial_fit(X, y, classes=np.unique(y.astype(str)))
    before = model.word_totals_.copy(), model.class_weights_.copy()
    only = y == "c1"
    model.partial_fit(X[only], y[only])
    assert ((model.word_totals_[:, [0, 2]] == before[0][:, [0, 2]]).all()
            and model.class_weights_[0] == before[1][0])
    assert (model.word_totals_[:, 1] == 2 * before[0][:, 1]).all()
    # c0 never comes
    announced = kind(0).partial_fit(X[only], y[only], classes=["c0", "c1"])
    assert announced.predict_proba(X).tolist() == [[0.0, 1.0]] * 60
    even = kind(priors="uniform").partial_fit(X[only], y[only], classes=["c0", "c1"])
    empty = 1 / 25 if kind is MultinomialTextClassifier else 1 / 2
    assert (np.allclose(even.word_probabilities_[:, 0], empty)
            and np.isfinite(even.predict_log_proba(X)).all())


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


@both
def test_weight_zero_is_absence(kind):
    X, y, w = corpus(8)
    y = y.copy()
    y[5] = "rare"
    w[[3, 5, 20]] = 0
    kept = w > 0
    a, b = kind().fit(X, y, w), kind().fit(X[kept], y[kept], w[kept])
    assert a.classes_.tolist() == b.classes_.tolist() == ["c0", "c1", "c2"]
    np.testing.assert_allclose(a.predict_proba(X), b.predict_proba(X), rtol=1e-12)


@both
def test_odd_matrices(kind):
    X, y, _ = corpus(9)
    expected = kind().fit(X, y).predict_proba(X)
    backwards = X.copy()
    for i in range(X.shape[0]):
        own = slice(X.indptr[i], X.indptr[i + 1])
        backwards.indices[own], backwards.data[own] = (X.indices[own][::-1],
                                                       X.data[own][::-1])
    backwards.has_sorted_indices = backwards.has_canonical_format = False
    in_parts = sparse.csr_matrix(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), 2 * X.indptr), X.shape)
    for odd in (backwards, in_parts):
        data, indices = odd.data.copy(), odd.indices.copy()
        np.testing.assert_allclose(kind().fit(odd, y).predict_proba(odd), expected,
                                   rtol=1e-12)
        # the input is not changed
        assert (odd.data == data).all() and (odd.indices == indices).all()
    broken = X.copy()
    broken.indices[7] = 25
    with pytest.raises(ValueError, match="ind"):
        kind().fit(broken, y)
    with pytest.raises(ValueError, match="ind"):
        kind().fit(X, y).predict(broken)
    empty = sparse.csr_matrix((60, 25))
    peer = dict(PEERS)[kind]().fit(empty, y.astype(str))
    np.testing.assert_allclose(kind().fit(empty, y).predict_proba(empty),
                               peer.predict_proba(empty), atol=1e-10)


@both
@pytest.mark.parametrize("value, message",
                         [(-1, "Negative values in data: X has -1"), (np.nan, "NaN"),
                          (np.inf, "infinity"), (-np.inf, "Negative")])
def test_bad_counts(kind, value, message):
    X, y, _ = corpus(10)
    array = X.toarray().astype(float)
    array[4, 11] = value
    frame = pd.DataFrame(array, columns=[f"word{t}" for t in range(25)])
    for form in (array, sparse.csr_matrix(array), sparse.csc_array(array), frame):
        place = r" \('word11'\)" if form is frame else ""
        with pytest.raises(ValueError, match=f"{message}.*row 4, column 11{place}"):
            kind().fit(form, y)
    model = kind().fit(X, y)
    for form in (array, sparse.csr_matrix(array)):
        with pytest.raises(ValueError, match="row 4, column 11"):
            model.predict(form)
    totals = model.word_totals_.copy()
    with pytest.raises(ValueError, match="row 4, column 11"):
        model.partial_fit(sparse.csr_matrix(array), y)
    assert (model.word_totals_ == totals).all()


@both
@pytest.mark.parametrize("parameters, message", [
    ({"alpha": -0.1}, "alpha is -0.1"), ({"alpha": np.nan}, "alpha is nan"),
    ({"alpha": "1"}, "alpha is '1'"), ({"alpha": np.inf}, "alpha is inf"),
    ({"alpha": True}, "alpha is True"), ({"alpha": None}, "alpha is None"),
    ({"priors": "fair"}, "priors.*'fair'"),
    ({"priors": [0.5, 0.5]}, "priors must be 3 probabilities"),
    ({"priors": [0.5, 0.5, 0.5]}, "with sum 1"),
    ({"priors": [1.5, -0.5, 0]}, "priors must be"),
    ({"priors": None}, "priors is None"),
    ({"priors": [np.nan, 0.5, 0.5]}, "priors must be")])
def test_bad_parameters(kind, parameters, message):
    X, y, _ = corpus(11)
    with pytest.raises(ValueError, match=message):
        kind(**parameters).fit(X, y)
    model = kind().fit(X, y)
    before = model.to_json()
    with pytest.raises(ValueError, match=message):
        model.set_params(**parameters).partial_fit(X, y)
    # a failure leaves the model as it was
    assert model.set_params(**kind().get_params()).to_json() == before


@pytest.mark.parametrize("threshold", [-1, np.nan, np.inf, "0", None, False])
def test_bad_threshold(threshold):
    X, y, _ = corpus(11)
    for form in (X, X.toarray()):
        with pytest.raises(ValueError, match="threshold is"):
            BernoulliTextClassifier(threshold=threshold).fit(form, y)


@both
def test_bad_labels_weights_and_shares(kind):
    X, y, w = corpus(12)
    for wrong, message in ((y[:-1], "60 rows and y 59"), (None, "y"),
                           (np.linspace(0, 1, 60), "continuous"), ([None] * 60, "NaN")):
        with pytest.raises(ValueError, match=message):
            kind().fit(X, wrong)
    for weights, message in ((w[:-1], "sample_weight"), (-w, "row 0"),
                             (np.zeros(60), "zero"), (w * np.nan, "row 0")):
        with pytest.raises(ValueError, match=message):
            kind().fit(X, y, weights)
    thirds = np.full((60, 3), 1 / 3)
    tilted = thirds.copy()
    tilted[8] = [1, 0.5, -0.5]
    for shares, classes, message in (
            (thirds[:-1], None, r"each document \(60\)"), (thirds[:, :2], None, "row 0"),
            (tilted, None, "row 8"), (thirds, ["a", "b"], "once"),
            (thirds, ["a", "b", "b"], "once"),
            (thirds * np.nan, None, "row 0"), (thirds[0], None, "their shape")):
        with pytest.raises(ValueError, match=message):
            kind().fit_soft(X, shares, classes)
    with pytest.raises(ValueError, match="first call"):
        kind().partial_fit(X, y)
    model = kind().partial_fit(X, y, classes=["c0", "c1", "c2"])
    with pytest.raises(ValueError, match=r"\['new'\]"):
        model.partial_fit(X[:1], ["new"])
    with pytest.raises(ValueError, match="in the first call"):
        model.partial_fit(X, y, classes=["c0", "c1"])


@both
def test_other_hostile_input(kind):
    X, y, _ = corpus(13)
    texts = ["a rose is a rose"] * 60
    array = np.array(texts)
    for form in (texts, array, array.astype(object), pd.Series(texts),
                 pd.DataFrame({"text": texts})):
        with pytest.raises(ValueError, match="CountVectorizer"):
            kind().fit(form, y)
    with pytest.raises(NotFittedError):
        kind().predict(X)
    with pytest.raises(NotFittedError):
        kind().to_json()
    with pytest.raises(ValueError, match="24 features.*25"):
        kind().fit(X, y).predict(X[:, :-1])
    huge = X.toarray() * 1e307
    if kind is MultinomialTextClassifier:
        with pytest.raises(ValueError, match="too large"):
            kind().fit(huge, y)
        with pytest.raises(ValueError, match="too large"):
            kind().fit(X, y).predict(huge)
    with pytest.raises(ValueError, match="between 1e-100 and 1e.50"):
        kind().fit(X, y, np.full(60, 1e308))
    assert kind().fit(X, y).predict_proba(X[:0]).shape == (0, 3)


@both
@pytest.mark.parametrize("smoothing", [0, 0.5])
def test_storage(kind, smoothing):
    X, y, _ = corpus(14)
    labels = np.empty(60, dtype=object)
    labels[:] = [(1, c) for c in y]
    model = kind(smoothing, priors=np.array([0.2, 0.3, 0.5])).fit(X, labels)
    for again in (from_json(model.to_json()), pickle.loads(pickle.dumps(model))):
        assert (again.predict_proba(X) == model.predict_proba(X)).all()
        assert (list(again.predict(X[:5])) == list(model.predict(X[:5]))
                and again.classes_[0] == (1, "c0"))
        assert (again.partial_fit(X, labels).class_weights_.tolist()
                == (2 * model.class_weights_).tolist())
    frame = pd.DataFrame(X.toarray(), columns=[f"w{t}" for t in range(25)])
    named = from_json(kind().fit(frame, y).to_json())
    assert ((named.predict(frame) == kind().fit(frame, y).predict(frame)).all()
            and named.feature_names_in_[3] == "w3")


@pytest.mark.deep  # the defaults are checked in test_estimators
@pytest.mark.parametrize("model", [MultinomialTextClassifier(0, "uniform"),
                                   BernoulliTextClassifier(0, threshold=1)])
@pytest.mark.filterwarnings("ignore")
def test_protocol(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_estimator(model)


@both
def test_with_the_tools(kind):
    texts = (["goal match goal", "team win match", "goal team", "vote party win",
              "party vote vote", "vote win vote"] * 3)
    y = (["sport"] * 3 + ["politics"] * 3) * 3
    pipe = make_pipeline(CountVectorizer(), kind())
    assert cross_val_score(pipe, texts, y, cv=3).mean() == 1
    search = GridSearchCV(pipe, {f"{kind.__name__.lower()}__alpha": [0.01, 1]},
                          cv=3).fit(texts, y)
    assert search.predict(["goal goal"]).tolist() == ["sport"]
    assert clone(kind(0.3, "uniform")).get_params()["alpha"] == 0.3


def test_kernels_in_plain_python():
    X, y, w = corpus(16)
    codes = np.unique(y.astype(str), return_inverse=True)[1]
    plain, compiled = np.zeros((25, 3)), np.zeros((25, 3))
    getattr(_add_words, "py_func", _add_words)(X.indptr, X.indices, X.data, codes, w, plain)
    _add_words(X.indptr, X.indices, X.data, codes, w, compiled)
    np.testing.assert_allclose(plain, compiled, rtol=1e-14)
    np.testing.assert_allclose(plain, X.T @ ((codes[:, None] == [0, 1, 2]) * w[:, None]),
                               rtol=1e-12)


@both
def test_memory(kind):
    """Learning and predicting take no more than the input once again."""
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix(sparse.random_array((20_000, 3000), density=0.02, rng=rng))
    y = rng.integers(0, 5, 20_000)
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    model = kind().fit(X, y)
    for job in (lambda: kind().fit(X, y), lambda: model.predict(X)):
        job()
        tracemalloc.start()
        job()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < size
