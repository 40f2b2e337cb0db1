"""Many classes from two: codes by hand, scikit-learn's answers, sigmoids, coupled pairs."""

import itertools
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from supervised.bayes import NaiveBayesClassifier
from supervised.svm.engine.linear import LinearSVMClassifier
from supervised.svm.engine.multiclass import (
    ErrorCorrectingCodes,
    OneVsOne,
    OneVsRest,
    _checked_code,
    _dealt_folds,
    _in_words,
    _model_scores,
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
    distinct_columns,
    exhaustive_code,
    random_code,
)
from supervised.trees import C45Classifier

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


def test_distinct_columns_are_swept():
    code = np.array([[1, -1, 1, 1, -1, -1], [1, 1, -1, 1, -1, 1], [1, 1, -1, -1, -1, -1]])
    swept = distinct_columns(code)
    # constant: 0 and 4; opposite to 1: 2
    assert swept.tolist() == [[1, 1, 1], [-1, 1, -1], [-1, -1, 1]]


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


@pytest.mark.parametrize(("k", "n"), [(3, 2), (4, 2), (16, 4), (10, 40), (100, 67)])
def test_random_codes_tell_all_classes_apart(k, n):
    code = random_code(k, n, np.random.default_rng(0), draws=20)
    assert len({tuple(row) for row in code}) == k and code_distances(code)[1] >= 1


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


@pytest.mark.parametrize("scores", [[], [np.nan, 1.0], [np.inf, 1.0], [[1.0, 2.0]],
                                    [1.0, 2.0, 3.0]])
def test_sigmoids_need_scores(scores):
    with pytest.raises(ValueError, match="score"):
        fit_sigmoid(scores, [True, False])


# -------------------------------------------------------------------------------- coupling


def random_pairs(k, n=40, seed=0):
    rng = np.random.default_rng(seed)
    R = rng.uniform(size=(n, k, k))
    return np.where(np.triu(np.ones((k, k)), 1) > 0, R, 1 - R.transpose(0, 2, 1))


def test_two_classes_couple_to_the_pair():
    R = random_pairs(2)
    assert np.allclose(pairwise_coupling(R)[:, 0], R[:, 0, 1])


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


def test_coupling_in_blocks(monkeypatch):
    from supervised.svm.engine import multiclass
    whole = pairwise_coupling(random_pairs(4, 100))
    monkeypatch.setattr(multiclass, "_AT_ONCE", 60)
    assert np.array_equal(pairwise_coupling(random_pairs(4, 100)), whole)


def test_bad_pairs():
    with pytest.raises(ValueError, match="shape"):
        pairwise_coupling(np.ones((3, 3)))
    with pytest.raises(ValueError, match="probability"):
        pairwise_coupling(np.full((1, 2, 2), 1.5))
    with pytest.raises(ValueError, match="probability"):
        pairwise_coupling(np.full((1, 2, 2), np.nan))


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


def test_folds_have_their_share_of_both_classes():
    positive = np.arange(53) < 17
    folds = _dealt_folds(positive, 5, seed=3)
    for fold in range(5):
        assert 3 <= (positive & (folds == fold)).sum() <= 4
        assert 10 <= (folds == fold).sum() <= 11
    assert not np.array_equal(folds, _dealt_folds(positive, 5, seed=4))


def test_held_out_scores_have_not_been_learned():
    X, y = wine()
    X, positive = X[y < 2], y[y < 2] == 1
    scores = held_out_scores(LinearSVMClassifier(), X, positive, positive)
    folds = _dealt_folds(positive)
    for fold in range(5):
        model = LinearSVMClassifier().fit(X[folds != fold], positive[folds != fold])
        assert np.allclose(scores[folds == fold],
                           model.decision_function(X[folds == fold]))


def test_a_class_of_one_row_can_be_held_out():
    X, positive = np.arange(9.0)[:, None], np.arange(9) == 8
    scores = held_out_scores(LinearSVMClassifier(), X, positive, positive)
    assert np.isfinite(scores).all() and scores[8] == -1.0


def test_scores_are_what_there_is():
    X, y = load_iris(return_X_y=True)
    X, y = X[y > 0], y[y > 0]
    ridge, bayes, near = (m.fit(X, y) for m in (RidgeClassifier(), GaussianNB(),
                                                C45Classifier()))
    assert np.array_equal(_model_scores(ridge, X), ridge.decision_function(X))
    assert np.allclose(_model_scores(bayes, X), 2 * bayes.predict_proba(X)[:, 1] - 1)
    assert ((_model_scores(near, X) > 0) == (near.predict(X) == 2)).all()

    class Sides:
        classes_ = np.array(["n", "y"])

        def predict(self, X):
            return np.array(["y", "n"])

    assert _model_scores(Sides(), None).tolist() == [1.0, -1.0]


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
def test_two_classes_are_one_part(way):
    X, y = wine()
    X, y = X[y < 2], np.array(["no", "yes"])[y[y < 2]]
    model = way(LogisticRegression()).fit(X, y)
    alone = LogisticRegression().fit(X, y)
    assert len(model.estimators_) == 1 and model.decision_function(X).shape == (len(y),)
    assert np.allclose(model.decision_function(X), alone.decision_function(X))
    assert np.array_equal(model.predict(X), alone.predict(X))
    if way is not ErrorCorrectingCodes:
        assert np.allclose(model.predict_proba(X), alone.predict_proba(X))


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
def test_names_gaps_and_orders(way):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"color": rng.choice(["red", "green", "blue"], 60),
                          "size": rng.normal(size=60)})
    y = np.where(frame["size"] > 0.5, "big", np.where(frame["color"] == "red", "r", "s"))
    model = way(C45Classifier()).fit(frame, y)
    assert (model.predict(frame) == y).mean() > 0.9
    assert np.array_equal(model.predict(frame[["size", "color"]]), model.predict(frame))
    gaps = frame.copy()
    gaps.loc[0, "color"] = None
    assert len(way(C45Classifier()).fit(gaps, y).predict(gaps)) == 60
    with pytest.raises(ValueError, match="color"):
        way().fit(gaps, y)
    with pytest.raises(ValueError, match="size"):
        model.predict(frame[["color"]])
    assert model.feature_names_in_.tolist() == ["color", "size"]


def test_a_pair_knows_values_that_its_rows_lack():
    frame = pd.DataFrame({"v": ["a", "b", "c"] * 4})
    y = np.array([0, 1, 2] * 4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = OneVsOne(NaiveBayesClassifier()).fit(frame, y)
        assert np.array_equal(model.predict(frame), y)
    assert all(m.attributes_[0].domain == ("a", "b", "c") for m in model.estimators_)


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


@pytest.mark.parametrize("way", [OneVsRest, OneVsOne])
def test_probabilities(way):
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    model = way(LinearSVMClassifier(0.01), probability=True).fit(X[::2], y[::2])
    p = model.predict_proba(X[1::2])
    assert np.allclose(p.sum(axis=1), 1) and (p >= 0).all()
    assert (p.argmax(axis=1) == y[1::2]).mean() > 0.85
    assert np.allclose(np.exp(model.predict_log_proba(X[1::2])), p)
    assert not hasattr(way(LinearSVMClassifier()), "predict_proba")
    assert not hasattr(ErrorCorrectingCodes(GaussianNB()), "predict_proba")


@pytest.mark.parametrize("way", WAYS)
def test_stored_cloned_pickled(way):
    X, y = wine()
    model = way(C45Classifier()).fit(X, y)
    back = way.from_json(model.to_json())
    assert np.array_equal(back.decision_function(X), model.decision_function(X))
    again = pickle.loads(pickle.dumps(model))
    assert np.array_equal(again.predict(X), model.predict(X))
    assert way(C45Classifier()).fit(X, y).to_json() == model.to_json()
    with pytest.raises(NotFittedError):
        clone(model).predict(X)
    with pytest.raises(TypeError, match="LogisticRegression"):
        way(LogisticRegression()).fit(X, y).to_json()


def test_same_model_from_two_processes():
    X, y = wine()
    part = RandomForestClassifier(5, random_state=0)
    one, two = (OneVsOne(part, n_jobs=n).fit(X, y) for n in (None, 2))
    assert np.array_equal(one.decision_function(X), two.decision_function(X))


@pytest.mark.parametrize("way", WAYS)
def test_explanations_lead_to_the_answer(way):
    X, y = wine()
    model = way().fit(X, y)
    for row, answer in zip(X[::20], model.predict(X[::20]), strict=True):
        told = model.explain(row)
        assert told.prediction == answer
        assert len(told.parts) == len(model.estimators_)
    assert model.to_text().count("against") == len(model.estimators_)


def test_parts_are_called_by_their_classes():
    assert _in_words(np.array([1, -1, -1]), list("abc")) == "a against the rest"
    assert _in_words(np.array([-1, 1, 0]), list("abc")) == "b against a"
    assert _in_words(np.array([1, 1, -1]), list("abc")) == "a b against c"


def test_progress_is_shown(capsys):
    X, y = wine()
    OneVsOne(GaussianNB(), verbose=1).fit(X, y)
    assert "classifiers" in capsys.readouterr().err


def test_an_interrupt_comes_through():
    class Interrupted(GaussianNB):
        def fit(self, X, y, sample_weight=None):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        OneVsOne(Interrupted()).fit(*wine())


@pytest.mark.parametrize(("model", "words"), [
    (OneVsRest("tree"), "estimator is 'tree'"),
    (OneVsOne(LinearSVMClassifier(C=-1)), "C is -1"),
    (ErrorCorrectingCodes(code="hamming"), "code is 'hamming'"),
    (ErrorCorrectingCodes(code="bch", n_columns=16), "n_columns is 16"),
    (ErrorCorrectingCodes(n_columns=1), "n_columns"),
    (ErrorCorrectingCodes(decoding="votes"), "decoding is 'votes'"),
    (ErrorCorrectingCodes(code=np.ones((2, 2))), "shape"),
    (ErrorCorrectingCodes(code=np.full((3, 2), 2)), "of 1, -1 and 0"),
    (ErrorCorrectingCodes(code=[[1, 1], [1, -1], [1, -1]]), "column 0 of code"),
    (ErrorCorrectingCodes(code=[[1], [1], [-1]]), "does not tell 0 from 1"),
])
def test_bad_parameters_are_named(model, words):
    with pytest.raises((ValueError, TypeError), match=words):
        model.fit(*wine())


def test_bad_tables():
    X, y = wine()
    with pytest.raises(ValueError, match="one class"):
        OneVsRest().fit(X, np.zeros(len(y)))
    with pytest.raises(ValueError, match="rows"):
        OneVsOne().fit(X, y[:-1])
    with pytest.raises(TypeError, match="takes no weights"):
        OneVsOne(KNeighborsClassifier()).fit(X, y, sample_weight=np.arange(1, 179))
    with pytest.raises(ValueError, match="30 classes have 536870911"):
        ErrorCorrectingCodes(code="exhaustive").fit(X[:60], np.arange(60) % 30)
    assert _checked_code([[1, 0], [-1, 1], [-1, -1]], np.arange(3)).dtype == np.int8
