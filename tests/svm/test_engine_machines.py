"""The classifier beside scikit-learn's SVC, its edges, and what it refuses."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.svm import SVC

from supervised.basics.datasets import load_donors
from supervised.svm.engine.machines import (
    SVMClassifier,
    _problem_scores,
    _unpack_dual_coef,
    optimality_report,
)
from supervised.svm.engine.multiclass import fit_sigmoid

KERNELS = {"rbf": "rbf", "linear": "linear", "polynomial": "poly",
           "sigmoid": "sigmoid"}


def iris():
    X, y = load_iris(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def glass():
    """Six classes of very different sizes, as in the glass table."""
    rng, sizes = np.random.default_rng(5), [70, 76, 17, 13, 9, 29]
    y = np.repeat(np.arange(6), sizes)
    X = 1.2 * rng.normal(size=(6, 9))[y] + rng.normal(size=(214, 9))
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def heart():
    """Two classes with much noise; some columns are 0 or 1, some whole numbers."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(270, 13))
    X[:, [1, 5, 8]] = X[:, [1, 5, 8]] > 0
    X[:, [2, 6, 12]] = np.round(X[:, [2, 6, 12]])
    y = X @ rng.normal(size=13) + 2 * rng.normal(size=270) > 0
    return (X - X.mean(axis=0)) / X.std(axis=0), y.astype(int)


def objectives(dual_coef, support, n_support, n_problems, K):
    weights = _unpack_dual_coef(dual_coef, n_support, n_problems)
    inner = K[np.ix_(support, support)]
    return np.abs(weights).sum(axis=0) - np.einsum("im,ij,jm->m", weights, inner,
                                                   weights) / 2


def beside_svc(X, y, kind, C, tol=1e-3, weights=None):
    ours = SVMClassifier(kind, C=C, tol=tol).fit(X, y, weights)
    theirs = SVC(kernel=KERNELS[kind], C=C, tol=tol, gamma=ours.kernel_.gamma,
                 decision_function_shape="ovo").fit(X, y, weights)
    K = ours.kernel_.matrix(X)
    sizes = [objectives(m.dual_coef_, m.support_, m.n_support_, len(m.intercept_), K)
             for m in (ours, theirs)]
    assert ours.objective_ == pytest.approx(sizes[0], rel=1e-5)
    return ours, theirs, *sizes


@pytest.mark.parametrize("data", [iris, glass, heart])
@pytest.mark.parametrize("kind", KERNELS)
def test_beside_libsvm(data, kind):
    X, y = data()
    for C in (0.1, 1.0, 10.0, 100.0):
        if (kind == "sigmoid" and C > 10) or (data is heart and kind == "linear" and C > 1):
            continue  # several optima; a walk of a million steps: the deep test
        ours, theirs, mine, libsvm = beside_svc(X, y, kind, C)
        assert mine == pytest.approx(libsvm, rel=1e-4)
        assert abs(len(ours.support_) - len(theirs.support_)) <= 2
        assert (ours.n_support_ - theirs.n_support_).tolist() == pytest.approx(
            [0] * len(ours.classes_), abs=2)
        exact, theirs, *_ = beside_svc(X, y, kind, C, tol=1e-6)
        scores = theirs.decision_function(X).reshape(len(X), -1)
        assert _problem_scores(exact, X) == pytest.approx(scores, abs=1e-3)
        assert exact.intercept_ == pytest.approx(theirs.intercept_, abs=1e-3)


@pytest.mark.parametrize("data", [iris, heart])
def test_attributes_are_those_of_svc(data):
    X, y = (np.delete(part, 142, axis=0) if data is iris else part for part in data())
    ours = SVMClassifier(tol=1e-8).fit(X, y)  # (row 142 of iris is a copy of another)
    theirs = SVC(tol=1e-8).fit(X, y)
    assert ours.support_.tolist() == theirs.support_.tolist()
    assert ours.n_support_.tolist() == theirs.n_support_.tolist()
    assert ours.dual_coef_ == pytest.approx(theirs.dual_coef_, abs=1e-5)
    assert ours.support_vectors_.tolist() == theirs.support_vectors_.tolist()
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=1e-5)
    assert (ours.predict(X) == theirs.predict(X)).mean() > 0.99


def test_weights_are_libsvms_and_copies():
    X, y = heart()
    weights = np.random.default_rng(1).integers(0, 4, len(y)).astype(float)
    kept = np.flatnonzero(weights)
    ours, theirs, mine, libsvm = beside_svc(X[kept], y[kept], "rbf", 2.0, 1e-6,
                                            weights[kept])
    assert mine == pytest.approx(libsvm, rel=1e-6)
    ours = SVMClassifier(C=2.0, tol=1e-6).fit(X, y, weights)
    assert ours.support_.tolist() == kept[theirs.support_].tolist()
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=1e-5)
    copies = np.repeat(np.arange(len(y)), weights.astype(int))
    again = SVMClassifier(C=2.0, tol=1e-8).fit(X[copies], y[copies])
    assert again.decision_function(X) == pytest.approx(ours.decision_function(X), abs=1e-4)


def test_each_class_against_the_rest():
    X, y = iris()
    model = SVMClassifier(multiclass="one_vs_rest", tol=1e-7, gamma=0.3).fit(X, y)
    assert model.dual_coef_.shape == (3, len(model.support_))
    for c in range(3):
        alone = SVMClassifier(tol=1e-7, gamma=0.3).fit(X, y == c)
        assert model.decision_function(X)[:, c] == pytest.approx(
            alone.decision_function(X), abs=1e-5)
        assert model.objective_[c] == pytest.approx(alone.objective_[0])


def test_kernels_given_in_other_ways():
    X, y = glass()
    named = SVMClassifier(gamma=0.2).fit(X, y)

    def gaussian(A, B):
        return np.exp(-0.2 * ((A[:, None] - B) ** 2).sum(axis=2))

    for weights in (None, np.arange(214) % 3):
        one = SVMClassifier(gamma=0.2).fit(X, y, weights)
        other = SVMClassifier(gaussian).fit(X, y, weights)
        matrix = SVMClassifier("precomputed").fit(gaussian(X, X), y, weights)
        for model, new in ((other, X[:30]), (matrix, gaussian(X[:30], X))):
            assert model.decision_function(new) == pytest.approx(
                one.decision_function(X[:30]), abs=1e-6)
            assert model.support_.tolist() == one.support_.tolist()
    with pytest.raises(TypeError, match="JSON"):
        other.to_json()
    assert named.support_vectors_.shape == (len(named.support_), 9)


def test_squared_slack():
    X, y = heart()
    model = SVMClassifier(loss="squared_hinge", C=0.7, gamma=0.1, tol=1e-7).fit(X, y)
    K = model.kernel_.matrix(X)
    ridged = SVC(kernel="precomputed", C=1e8, tol=1e-7).fit(
        K + np.eye(len(y)) / (2 * 0.7), y)
    scores = K[:, ridged.support_] @ ridged.dual_coef_[0] + ridged.intercept_
    assert model.decision_function(X) == pytest.approx(scores, abs=1e-4)
    assert optimality_report(model)["bounded"].sum() == 0


@pytest.mark.parametrize("cache", [200, 1])
def test_many_rows(cache):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(2600, 4))
    y = np.where(X[:, 0] + X[:, 1] ** 2 > 0.6, "yes", "no")
    y[rng.random(2600) < 0.02] = "no"
    ours = SVMClassifier(cache_size=cache).fit(X, y)
    theirs = SVC().fit(X, y)
    K = ours.kernel_.matrix(X)
    sizes = [objectives(m.dual_coef_, m.support_, m.n_support_, 1, K)
             for m in (ours, theirs)]
    assert sizes[0] == pytest.approx(sizes[1], rel=1e-4)
    assert abs(len(ours.support_) - len(theirs.support_)) <= 2
    assert ours.decision_function(X) == pytest.approx(theirs.decision_function(X), abs=1e-2)


def test_small_memory_is_the_same_model():
    X, y = glass()
    large, small = (SVMClassifier(cache_size=mb, tol=1e-6).fit(X, y) for mb in (200, 0.001))
    assert small.decision_function(X) == pytest.approx(large.decision_function(X), abs=1e-4)


def test_probabilities():
    X, y = iris()
    for multiclass in ("one_vs_one", "one_vs_rest"):
        model = SVMClassifier(probability=True, multiclass=multiclass).fit(X, y)
        p = model.predict_proba(X)
        assert p.shape == (150, 3) and np.allclose(p.sum(axis=1), 1) and (p >= 0).all()
        assert (p.argmax(axis=1) == y).mean() > 0.93
        assert np.allclose(np.exp(model.predict_log_proba(X)), p)
    X, y = heart()
    model = SVMClassifier(probability=True).fit(X, y)
    p = model.predict_proba(X)[:, 1]
    order = np.argsort(model.decision_function(X))
    assert (np.diff(p[order]) >= 0).all() and 0.2 < p.mean() < 0.8
    theirs = SVMClassifier(probability=True, cache_size=0.01).fit(X, y)  # the other way
    assert theirs.predict_proba(X)[:, 1] == pytest.approx(p, abs=1e-2)
    assert not hasattr(SVMClassifier(), "predict_proba")


def test_sigmoids_are_fitted_to_rows_that_were_held_out():
    rng = np.random.default_rng(6)
    X, y = rng.normal(size=(200, 3)), rng.choice([-1.0, 1.0], 200)
    model = SVMClassifier(gamma=2.0, C=100.0, probability=True).fit(X, y)
    own, _ = fit_sigmoid(model.decision_function(X), y > 0)  # which it has learned by heart
    assert model.score(X, y) > 0.95 and own < -3
    assert abs(model.sigmoids_[0, 0]) < 1


def test_the_donors_by_hand():
    donors, gave = load_donors()
    thousands = donors.assign(Salary=donors["Salary"] / 1000)
    model = SVMClassifier("linear").fit(thousands, gave)
    assert model.coef_ == pytest.approx(np.array([[10, 12]]) / 61)
    assert model.intercept_ == pytest.approx([-1101 / 61])
    assert model.dual_coef_ == pytest.approx(np.array([[-2, 2]]) / 61)  # N, then Y
    assert donors.index[model.support_].tolist() == ["Jane", "Allen"]
    report = optimality_report(model)
    assert report["margin"].item() == pytest.approx(2 / np.hypot(10 / 61, 12 / 61))
    assert report["objective"].item() == pytest.approx(2 / 61)
    assert report.loc["N against Y", ["free", "bounded"]].tolist() == [2, 0]


def test_explanations_add_up():
    X, y = glass()
    for kind in ("rbf", "linear"):
        for multiclass in ("one_vs_one", "one_vs_rest"):
            model = SVMClassifier(kind, multiclass=multiclass).fit(X, y)
            for row in range(0, 214, 40):
                told = model.explain(X[row])
                assert told.prediction == model.predict(X[[row]])[0]
                order = np.argsort(-model.decision_function(X[[row]])[0], kind="stable")
                first, second = sorted(order[:2])
                scores = _problem_scores(model, X[[row]])[0]
                if multiclass == "one_vs_rest":
                    lead = scores[order[0]] - scores[order[1]]
                else:
                    pairs = list(zip(*np.triu_indices(6, 1), strict=True))
                    lead = scores[pairs.index((first, second))]
                    lead = lead if order[0] == first else -lead
                total = sum(part.contribution for part in told.parts)
                assert total == pytest.approx(lead)
    X, y = heart()
    model = SVMClassifier(C=0.1).fit(X, y)
    told = model.explain(X[3])
    assert abs(sum(p.contribution for p in told.parts)) == pytest.approx(
        abs(model.decision_function(X[[3]])[0]))
    assert len(told.parts) == 9


def test_text():
    X, y = iris()
    assert "RBF kernel, gamma 0.25" in SVMClassifier().fit(X, y).to_text()
    two = SVMClassifier("linear").fit(X[:100], y[:100]).to_text()
    assert "1 if this is above 0, else 0" in two and "* x3" in two
    with pytest.raises(NotFittedError):
        SVMClassifier().to_text()
    with pytest.raises(NotFittedError):
        optimality_report(SVMClassifier())
    with pytest.raises(AttributeError, match="linear kernel only"):
        _ = SVMClassifier().fit(X, y).coef_


def test_stopped_early_it_says_how_far():
    X, y = heart()
    said = r"after 30 steps with a KKT violation of .*0 against 1"
    with pytest.warns(ConvergenceWarning, match=said):
        model = SVMClassifier(max_iter=30).fit(X, y)
    assert optimality_report(model)["residual"].item() > 1e-3
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVMClassifier().fit(X, y)


@pytest.mark.parametrize("C", [1e-9, 1e-3, 1e6, 1e12])
@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_extremes_end(C, scale):
    X, y = iris()
    for kind in KERNELS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = SVMClassifier(kind, C=C, max_iter=20_000).fit(X * scale, y)
        assert np.isfinite(model.decision_function(X * scale)).all()
        assert model.n_iter_.max() <= 20_000


def test_kernels_out_of_proportion_are_told_before_the_work():
    """Degree 50 on columns of thousands: it took minutes until the first warning."""
    X = np.array([[1.0], [2], [1000], [2000]])
    with pytest.warns(ConvergenceWarning, match="between 1 and 1e.33.*degree"):
        SVMClassifier(kernel="polynomial", degree=5, gamma=1.0, coef0=0.0,
                      max_iter=10).fit(X, [0, 1, 0, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SVMClassifier(kernel="polynomial", degree=5).fit(X / 1000 + 1, [0, 0, 1, 1])
