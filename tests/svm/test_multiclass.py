"""Many classes from two: codes by hand, scikit-learn's answers, sigmoids, coupled pairs."""

import itertools
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.datasets import load_iris, load_wine
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from supervised.evaluation.engine.resampling import _assign_folds
from supervised.svm.engine.linear import LinearSVMClassifier
from supervised.svm.engine.multiclass import (
    ErrorCorrectingCodes,
    OneVsOne,
    OneVsRest,
    _pair_matrix,
    _pairs_code,
    fit_sigmoid,
    held_out_scores,
    pairwise_coupling,
    sigmoid_probability,
)
from supervised.svm.multiclass import (
    bch_code,
    bch_generator,
    code_distances,
    exhaustive_code,
)

WAYS = (OneVsRest, OneVsOne, ErrorCorrectingCodes)


def wine():
    X, y = load_wine(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


# ---------------------------------------------------------------------------------- codes


def test_exhaustive_code_of_dietterich_and_bakiri():
    """Their Table for four classes: 7 columns, each partition once, rows 4 apart."""
    code = exhaustive_code(4)
    assert (code[0] == 1).all()
    sides = {frozenset(np.flatnonzero(column == 1)) for column in code.T}
    every = {frozenset(s) for r in range(1, 4)
             for s in itertools.combinations(range(4), r) if 0 in s}
    assert sides == every


@pytest.mark.parametrize("k", range(2, 9))
def test_exhaustive_codes_are_as_far_apart_as_is_known(k):
    code = exhaustive_code(k)
    assert code.shape == (k, 2 ** (k - 1) - 1)
    assert code_distances(code)[0] == 2 ** (k - 2)


def test_separation_by_counting():
    rng = np.random.default_rng(0)
    for _ in range(50):
        code = rng.choice([-1, 1], (5, 7))
        rows = min((a != b).sum() for a, b in itertools.combinations(code, 2))
        columns = [np.ones(5), *code.T]
        apart = min(min((a != b).sum(), (a == b).sum())
                    for a, b in itertools.combinations(columns, 2))
        assert code_distances(code) == (rows, apart)


# x^8+x^7+x^6+x^4+1 and the others: Lin and Costello, Error Control Coding, Table 6.1
@pytest.mark.parametrize(("m", "distance", "powers"), [
    (3, 3, [0, 1, 3]), (4, 3, [0, 1, 4]), (4, 5, [0, 4, 6, 7, 8]),
    (4, 7, [0, 1, 2, 4, 5, 8, 10]), (5, 3, [0, 2, 5]),
    (5, 5, [0, 3, 5, 6, 8, 9, 10])])
def test_polynomials_of_the_textbooks(m, distance, powers):
    assert np.flatnonzero(bch_generator(m, distance)).tolist() == powers


@pytest.mark.parametrize(("m", "distance"), [(3, 3), (4, 3), (4, 5), (4, 7), (5, 11)])
def test_multiples_of_the_polynomial_are_so_far_apart(m, distance):
    generator = bch_generator(m, distance)
    bits = 2**m - len(generator)
    messages = itertools.product((0, 1), repeat=min(bits, 11))
    least = min((np.convolve(m, generator) % 2).sum() for m in messages if any(m))
    assert least >= distance


@pytest.mark.parametrize(("k", "m", "least"), [(10, 4, 7), (10, 5, 15), (26, 5, 11),
                                               (26, 6, 27)])
def test_bch_codes_keep_their_distance(k, m, least):
    code = bch_code(k, m, np.random.default_rng(0), draws=50)
    assert code.shape == (k, 2**m - 1) and code_distances(code)[0] >= least
    with pytest.raises(ValueError, match="length 7"):
        bch_code(20, 3, np.random.default_rng(0))


# ------------------------------------------------------------------------------- sigmoids


@pytest.mark.parametrize("seed", range(5))
def test_sigmoid_by_scipy(seed):
    rng = np.random.default_rng(seed)
    s, weights = rng.normal(size=120), rng.uniform(0.5, 2, 120)
    yes = s + rng.normal(size=120) > rng.normal()
    high, low = weights[yes].sum(), weights[~yes].sum()
    target = np.where(yes, (high + 1) / (high + 2), 1 / (low + 2))

    def loss(ab):
        p = 1 / (1 + np.exp(ab[0] * s + ab[1]))
        return -(weights * (target * np.log(p) + (1 - target) * np.log(1 - p))).sum()

    theirs = minimize(loss, (0.0, 0.0), method="Nelder-Mead",
                      options={"xatol": 1e-8, "fatol": 1e-10}).x
    assert np.allclose(fit_sigmoid(s, yes, weights), theirs, atol=1e-4)


def test_sigmoid_at_the_edges():
    p = sigmoid_probability([-1e300, 0.0, 1e300], -1.0, 0.0)
    assert p.tolist() == [0.0, 0.5, 1.0]
    a, b = fit_sigmoid([1.0, 2.0, 3.0], [True] * 3)  # one class: height 4/5 everywhere
    assert np.allclose(sigmoid_probability([1.0, 3.0], a, b), 0.8, atol=1e-6)
    a, b = fit_sigmoid(np.r_[-np.ones(8), np.ones(8)], np.arange(16) >= 8)
    assert np.allclose(sigmoid_probability([-1.0, 1.0], a, b), [0.1, 0.9], atol=1e-6)
    up, _ = fit_sigmoid([-1.0, 0, 1, 2], [False, False, True, True])
    assert up < 0


# -------------------------------------------------------------------------------- coupling


def random_pairs(k, n=40, seed=0):
    rng = np.random.default_rng(seed)
    R = rng.uniform(size=(n, k, k))
    return np.where(np.triu(np.ones((k, k)), 1) > 0, R, 1 - R.transpose(0, 2, 1))


@pytest.mark.parametrize("k", [3, 4, 7])
def test_coupling_is_the_constrained_minimum(k):
    for r, p in zip(R := random_pairs(k, 10), pairwise_coupling(R), strict=True):
        def contradiction(p, r=r):
            return sum((r[j, i] * p[i] - r[i, j] * p[j])**2
                       for i in range(k) for j in range(k) if i != j)

        theirs = minimize(contradiction, np.full(k, 1 / k), method="SLSQP",
                          bounds=[(0, 1)] * k, options={"ftol": 1e-14, "maxiter": 500},
                          constraints={"type": "eq", "fun": lambda p: p.sum() - 1}).x
        assert np.allclose(p, theirs, atol=1e-4)


def test_certain_pairs_stay_finite():
    R = np.triu(np.ones((1, 5, 5)), 1)  # 0 beats all, 1 all but 0, ...
    p = pairwise_coupling(R)
    assert p[0].argmax() == 0 and np.isclose(p.sum(), 1)
    circle = np.array([[[0, 1, 0], [0, 0, 1], [1, 0, 0]]])
    assert np.allclose(pairwise_coupling(circle), 1 / 3)
    assert pairwise_coupling(np.empty((0, 3, 3))).shape == (0, 3)


def test_probabilities_as_libsvms():
    """LIBSVM's own sigmoids and coupling, from its pairwise A and B."""
    X, y = wine()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # probability=True is to go
        peer = SVC(probability=True, random_state=0, decision_function_shape="ovo")
        peer.fit(X, y)
        theirs, (a, b) = peer.predict_proba(X), (peer.probA_, peer.probB_)
    p = 1 / (1 + np.exp(a * peer.decision_function(X) + b))  # of the first of each pair
    assert np.allclose(pairwise_coupling(_pair_matrix(1 - p)), theirs, atol=2e-3)


# ------------------------------------------------------------------------------- the parts


def test_held_out_scores_have_not_been_learned():
    X, y = wine()
    X, positive = X[y < 2], y[y < 2] == 1
    scores = held_out_scores(LinearSVMClassifier(), X, positive, positive)
    folds = _assign_folds(positive, 5, np.random.default_rng(0).permutation(len(positive)))
    for fold in range(5):
        model = LinearSVMClassifier().fit(X[folds != fold], positive[folds != fold])
        assert np.allclose(scores[folds == fold],
                           model.decision_function(X[folds == fold]))


# -------------------------------------------------------------------------------- the ways


@pytest.mark.parametrize("part", [LogisticRegression(), SVC(), GaussianNB(),
                                  RidgeClassifier()])
def test_answers_of_scikit_learn(part):
    X, y = wine()
    ours, peer = OneVsOne(part).fit(X, y), OneVsOneClassifier(part).fit(X, y)
    assert np.array_equal(ours.predict(X), peer.predict(X))
    if hasattr(part, "decision_function"):
        assert np.allclose(ours.decision_function(X), peer.decision_function(X))
    ours, peer = OneVsRest(part).fit(X, y), OneVsRestClassifier(part).fit(X, y)
    assert np.array_equal(ours.predict(X), peer.predict(X))
    if hasattr(part, "predict_proba") and not isinstance(part, SVC):
        assert np.allclose(ours.predict_proba(X), peer.predict_proba(X))


def test_a_code_of_one_vs_rest_is_one_vs_rest():
    X, y = wine()
    rest = OneVsRest(LogisticRegression()).fit(X, y)
    code = ErrorCorrectingCodes(LogisticRegression(), 2 * np.eye(3) - 1).fit(X, y)
    own = -np.maximum(0, 1 - rest.decision_function(X)[:, :, None]
                      * (2 * np.eye(3) - 1)).sum(axis=1)
    assert np.allclose(code.decision_function(X), own)


def test_a_code_of_pairs_votes_like_one_vs_one():
    X, y = load_iris(return_X_y=True)
    pairs = OneVsOne(GaussianNB()).fit(X, y)
    code = ErrorCorrectingCodes(GaussianNB(), _pairs_code(3), decoding="hamming").fit(X, y)
    votes = np.floor(pairs.decision_function(X) + 1 / 3).round()
    # a zero differs from every sign: one point less for each of k(k-1)/2 - (k-1) columns
    assert np.array_equal(code.decision_function(X), votes - 3)


def test_wrong_bits_are_forgiven():
    """With the words of the exhaustive code of 5 classes, 8 apart, any 3 bits may err."""
    code = exhaustive_code(5)
    model = ErrorCorrectingCodes(code=code, decoding="hamming")
    model.code_ = code
    rng = np.random.default_rng(0)
    for c in range(5):
        for _ in range(50):
            word = code[c].astype(float)
            word[rng.choice(15, 3, replace=False)] *= -1
            assert model._decoded(word[None]).argmax() == c


@pytest.mark.parametrize("way", WAYS)
def test_weights_are_copies(way):
    X, y = wine()
    weights = np.random.default_rng(0).integers(0, 3, len(y))
    part = LinearSVMClassifier(0.01)  # cheap errors: prices stand at their walls
    one = way(part).fit(X, y, sample_weight=weights)
    many = way(part).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    alike = way(part).fit(X, y)
    assert not np.allclose(one.decision_function(X), alike.decision_function(X))
    assert np.allclose(one.decision_function(X), many.decision_function(X), atol=1e-6)


@pytest.mark.parametrize("way", WAYS)
def test_sparse_rows(way):
    X, y = wine()
    X = np.where(np.abs(X) < 0.7, 0.0, X)
    dense, thin = way().fit(X, y), way().fit(sparse.csr_array(X), y)
    assert np.allclose(dense.decision_function(X),
                       thin.decision_function(sparse.csc_matrix(X)), atol=1e-6)
    assert np.allclose(thin.decision_function(X), dense.decision_function(X), atol=1e-6)
    with pytest.raises(ValueError, match="13 features"):
        thin.predict(sparse.csr_array(X[:, :5]))
