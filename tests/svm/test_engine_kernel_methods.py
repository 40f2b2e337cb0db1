"""Methods with a kernel: each compared with another way to the same result."""

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.decomposition import KernelPCA as PeerPCA
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression, Perceptron
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV, cross_val_score

from supervised.basics import Standardizer
from supervised.basics.classifiers import from_json, to_json
from supervised.basics.datasets import load_credit, load_digits, load_iris, load_titanic
from supervised.linear.engine.perceptron import PerceptronClassifier
from supervised.svm.engine.kernel_methods import (
    _MOST_ROWS,
    KernelFisherClassifier,
    KernelKMeans,
    KernelLogisticClassifier,
    KernelPCA,
    KernelPerceptron,
    _cluster,
    _full_matrix,
    _kernel_axes,
    _kernel_sums,
    _leading_axes,
    _mean_weights,
    _mercer_points,
    _spread_seeds,
)
from supervised.svm.engine.kernels import _kernel_of

CLASSIFIERS = (KernelLogisticClassifier, KernelFisherClassifier, KernelPerceptron)
EVERY = (*CLASSIFIERS, KernelKMeans, KernelPCA)
SQUARE = {"kernel": "polynomial", "gamma": 1.0, "degree": 2, "coef0": 1.0}


def squares(Z):
    """The map of (1 + x·z)^2 for two columns, without the constant."""
    a, b = Z.T
    r = np.sqrt(2)
    return np.column_stack([r * a, r * b, a * a, b * b, r * a * b])


def scene(seed=0, n=90, n_classes=3):
    """Rows in the plane whose classes are rings of a slanted shape."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 2))
    cuts = np.linspace(0.5, 2.5, n_classes - 1)
    return Z, np.digitize((Z**2).sum(axis=1) + Z[:, 0], cuts)


def rbf(A, B=None, gamma=0.5):
    """scikit-learn's Gaussian kernel."""
    return pairwise_kernels(A, B, metric="rbf", gamma=gamma)


# ------------------------------------------------ points from a matrix


@pytest.mark.parametrize("metric, options", [
    ("rbf", {"gamma": 0.3}), ("linear", {}),
    ("poly", {"gamma": 1, "degree": 2, "coef0": 1})])
def test_points_have_the_dot_products_of_the_matrix(metric, options):
    Z, _ = scene(n=60)
    K = pairwise_kernels(Z, metric=metric, **options)
    found = _mercer_points(K)
    assert np.allclose(found.points @ found.points.T, K, atol=1e-9)
    assert np.allclose(found.factor, np.tril(found.factor))
    assert np.allclose(found.points[found.basis], found.factor)
    rank = {"poly": 6, "linear": 2}.get(metric)
    assert rank in (None, found.points.shape[1])


def test_numbers_of_rows_make_the_weights_of_coordinates():
    Z, _ = scene(n=40)
    K = rbf(Z)
    found = _mercer_points(K)
    w = np.random.default_rng(1).normal(size=(3, found.points.shape[1]))
    a = found.on_rows(w)
    assert np.allclose(a @ K, w @ found.points.T, atol=1e-6)
    assert not a[:, np.setdiff1d(np.arange(40), found.basis)].any()


def test_copies_and_sums_of_rows_add_no_coordinate():
    Z = np.repeat(np.random.default_rng(0).normal(size=(7, 3)), 4, axis=0)
    assert _mercer_points(rbf(Z)).points.shape[1] == 7
    assert _mercer_points(Z @ Z.T).points.shape[1] == 3
    assert _mercer_points(np.zeros((5, 5))).points.shape[1] == 1


@pytest.mark.parametrize("K", [
    np.array([[0.0, 1.0], [1.0, 0.0]]), -np.eye(3), np.array([[1.0, 2.0], [2.0, 1.0]]),
    np.diag([1.0, 1.0, -0.01])])
def test_a_matrix_with_negative_eigenvalues_is_refused(K):
    with pytest.raises(ValueError, match="negative eigenvalues"):
        _mercer_points(K)


def test_sums_come_out_alike_in_blocks(monkeypatch):
    Z, _ = scene(n=50)
    kernel = _kernel_of("rbf", 0.5, 3, 0.0, Z)
    coef = np.random.default_rng(0).normal(size=(50, 2))
    whole = _kernel_sums(kernel, Z, Z, coef)
    monkeypatch.setattr("supervised.svm.engine.kernel_methods._ROWS_AT_A_TIME", 7)
    assert np.allclose(_kernel_sums(kernel, Z, Z, coef), whole)
    assert np.allclose(whole, rbf(Z) @ coef)


def test_too_many_rows_are_refused_before_they_fill_the_memory():
    many = np.zeros((_MOST_ROWS + 1, 1))
    with pytest.raises(ValueError, match=r"7 gigabytes.*SVMClassifier"):
        _full_matrix(_kernel_of("linear", 1.0, 3, 0.0, many[:1]), many, "Somebody")
    with pytest.raises(ValueError, match="KernelPCA keeps the kernel"):
        KernelPCA(2, gamma=1.0).fit(many)


# ------------------------------------------------ the classifiers


@pytest.mark.parametrize("n_classes", [2, 3, 4])
@pytest.mark.parametrize("C", [10.0, 1 / 3])
def test_logistic_regression_is_that_on_explicit_columns(n_classes, C):
    Z, y = scene(n_classes=n_classes)
    new = np.random.default_rng(5).normal(size=(50, 2))
    weights = np.random.default_rng(6).uniform(0.2, 3, len(y))
    ours = KernelLogisticClassifier(C=C, **SQUARE).fit(Z, y, weights)
    peer = LogisticRegression(C=C, tol=1e-12, max_iter=100_000)
    peer.fit(squares(Z), y, weights)
    assert np.allclose(ours.predict_proba(new), peer.predict_proba(squares(new)), atol=2e-5)
    assert len(ours.support_) <= 6


def test_numbers_of_logistic_regression_are_its_mistakes():
    """At the optimum the gradient vanishes: K a = C K (y - p)."""
    Z, y = scene(n_classes=2)
    model = KernelLogisticClassifier(C=2.0, gamma=0.5).fit(Z, y)
    a = np.zeros(len(y))
    a[model.support_] = model.dual_coef_[0]
    mistakes = 2.0 * (y - model.predict_proba(Z)[:, 1])
    assert np.allclose(rbf(Z) @ a, rbf(Z) @ mistakes, atol=1e-6)
    assert abs(mistakes.sum()) < 1e-6


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("ridge", [1e-3, 0.5])
def test_fisher_is_the_normal_rule_on_explicit_columns(n_classes, ridge):
    Z, y = scene(n_classes=n_classes)
    weights = np.random.default_rng(6).integers(1, 4, len(y))
    P, copies = np.repeat(squares(Z), weights, axis=0), np.repeat(y, weights)
    shares = np.bincount(copies) / len(copies)
    means = np.array([P[copies == c].mean(axis=0) for c in range(n_classes)])
    within = sum(p * np.cov(P[copies == c].T, bias=True) for c, p in enumerate(shares))
    total = np.trace(np.cov(P.T, bias=True))
    apart = squares(Z)[:, None] - means
    inverse = np.linalg.inv(within + ridge * total * np.eye(5))
    rule = np.log(shares) - np.einsum("ncd,de,nce->nc", apart, inverse, apart) / 2
    found = KernelFisherClassifier(regularization=ridge, **SQUARE).fit(Z, y, weights)
    scores = found.decision_function(Z)
    if n_classes == 2:
        assert np.allclose(scores, rule[:, 1] - rule[:, 0])
    else:
        assert np.allclose(scores - scores[:, :1], rule - rule[:, :1])
    assert (found.predict(Z) == rule.argmax(axis=1)).all()


def test_with_equal_classes_fisher_and_ridge_regression_share_a_direction():
    Z, y = scene(n=200, n_classes=2)
    keep = np.concatenate([np.flatnonzero(y == c)[:50] for c in (0, 1)])
    Z, y = Z[keep], y[keep]
    K = rbf(Z)
    C = np.eye(100) - 1 / 100
    total = np.trace(C @ K @ C) / 100
    a = np.linalg.solve(C @ K @ C + 100 * 0.01 * total * np.eye(100), C @ (2 * y - 1))
    ours = KernelFisherClassifier(regularization=0.01, gamma
                                  =0.5).fit(Z, y).decision_function(Z)
    assert np.corrcoef(ours, C @ K @ C @ a)[0, 1] > 1 - 1e-9


@pytest.mark.parametrize("variant", ["plain", "averaged"])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_perceptron_is_that_on_explicit_columns(variant, n_classes):
    Z, y = scene(n_classes=n_classes)
    same = {"shuffle": False, "max_iter": 15, "n_iter_no_change": None}
    ours = KernelPerceptron(variant=variant, **SQUARE, **same).fit(Z, y)
    # the kernel has a constant of its own, the explicit columns need it written out
    P = np.column_stack([squares(Z), np.ones(len(Z))])
    theirs = PerceptronClassifier(variant, **same).fit(P, y)
    assert np.allclose(ours.decision_function(Z), theirs.decision_function(P))
    for a, b in zip(ours.mistakes_, theirs.mistakes_, strict=True):
        assert np.array_equal(a, b)
    weights = np.random.default_rng(4).uniform(0.2, 3, len(y))
    assert np.allclose(ours.fit(Z, y, weights).decision_function(Z),
                       theirs.fit(P, y, weights).decision_function(P))
    if variant == "plain" and n_classes == 2:
        ours.fit(Z, y)
        peer = Perceptron(tol=None, max_iter=15, shuffle=False).fit(P, y)
        assert np.allclose(ours.decision_function(Z), peer.decision_function(P))


def test_the_perceptron_counts_mistakes():
    """Numbers of a plain perceptron are whole, their sum is the number of mistakes."""
    Z, y = scene(n_classes=2)
    model = KernelPerceptron(variant="plain", gamma=2.0).fit(Z, y)
    counts = model.dual_coef_[0]
    assert np.array_equal(counts, counts.round())
    assert np.abs(counts).sum() <= model.mistakes_[0].sum()  # two signs never meet here
    assert np.abs(counts).sum() == model.mistakes_[0].sum()
    assert ((counts > 0) == (y[model.support_] == 1)).all()
    assert model.intercept_[0] == counts.sum()


def test_the_walk_ends_without_mistakes_or_without_progress():
    Z, y = scene(n_classes=2)
    apart = KernelPerceptron(gamma=50.0).fit(Z, y)
    assert apart.converged_.all() and apart.mistakes_[0][-1] == 0
    hard = KernelPerceptron(kernel="linear", max_iter=50, n_iter_no_change=3).fit(Z, y)
    trace = hard.mistakes_[0]
    assert not hard.converged_[0] and len(trace) - 1 - trace.argmin() == 3
    assert len(KernelPerceptron("linear", max_iter=4, n_iter_no_change=None).fit(
        Z, y).mistakes_[0]) == 4


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("kernel", ["rbf", "linear", "polynomial"])
def test_weights_copies_and_order(kind, kernel):
    Z, y = scene(n=60)
    copies = np.random.default_rng(1).integers(0, 4, 60)
    order = np.random.default_rng(2).permutation(60)
    new = np.random.default_rng(3).normal(size=(30, 2))
    model = kind(kernel, coef0=1.0)
    weighed = model.fit(Z, y, copies).decision_function(new)
    repeated = clone(model).fit(Z.repeat(copies, axis=0), y.repeat(copies))
    reordered = clone(model).fit(Z[order], y[order], copies[order])
    assert np.allclose(weighed, repeated.decision_function(new), atol=1e-6)
    assert np.allclose(weighed, reordered.decision_function(new), atol=1e-6)
    assert set(model.support_) <= set(np.flatnonzero(copies))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_precomputed_kernel_and_a_function_are_as_good_as_a_name(kind):
    Z, y = scene(n=60)
    new = np.random.default_rng(3).normal(size=(3000, 2))
    weights = np.random.default_rng(1).integers(0, 3, 60)
    options = {"shuffle": False} if kind is KernelPerceptron else {}
    named = kind(gamma=0.5, **options).fit(Z, y, weights)
    own = kind(rbf, **options).fit(Z, y, weights)
    known = kind("precomputed", **options).fit(rbf(Z), y, weights)
    assert np.allclose(named.decision_function(new), own.decision_function(new), atol=1e-6)
    assert np.allclose(named.decision_function(new), known.decision_function(rbf(new, Z)),
                       atol=1e-6)
    assert np.array_equal(named.support_, known.support_)
    assert str(known.explain(rbf(new[:1], Z))) == str(named.explain(new[:1]))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_cross_validation_cuts_a_precomputed_kernel_both_ways(kind):
    Z, y = scene(n=60)
    options = {"shuffle": False} if kind is KernelPerceptron else {}
    by_name = cross_val_score(kind(gamma=0.5, **options), Z, y, cv=4)
    assert np.allclose(by_name, cross_val_score(kind("precomputed", **options), rbf(Z), y,
                                                cv=4))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_tables_with_names(kind):
    X, y = load_credit()
    X, y = X[:200], y[:200]
    model = kind().fit(X, y)
    assert model.score(X, y) > 0.7
    swapped = model.decision_function(X[X.columns[::-1]])
    assert np.allclose(model.decision_function(X), swapped)
    name, reference = X.columns[0], model.attributes_[0].domain[0]
    strange = X[:9].assign(**{name: "never seen"})
    assert np.allclose(model.decision_function(strange),
                       model.decision_function(X[:9].assign(**{name: reference})))
    with pytest.raises(ValueError, match=str(X.columns[3])):
        model.predict(X.drop(columns=X.columns[3]))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_labels_of_any_kind_and_explanations(kind):
    Z, y = scene(n=60)
    labels = np.array(["low", "mid", "high"], dtype=object)[y]
    model = kind(gamma=0.5).fit(Z, labels)
    assert set(model.predict(Z)) <= {"low", "mid", "high"}
    told = model.explain(Z[0])
    assert told.prediction == model.predict(Z[:1])[0]
    scores = np.sort(model.decision_function(Z[:1])[0])
    lead = sum(part.contribution for part in told.parts)
    assert np.isclose(lead, scores[-1] - scores[-2])
    assert "k(row " in model.to_text() and "the largest score wins" in model.to_text()
    two = kind(gamma=0.5).fit(Z, y > 0)
    told = two.explain(Z[0])
    assert np.isclose(sum(part.contribution for part in told.parts),
                      abs(two.decision_function(Z[:1])[0]))
    assert two.to_text().startswith("True if this is above 0, else False")


def test_only_logistic_regression_has_probabilities():
    Z, y = scene(n=60)
    model = KernelLogisticClassifier().fit(Z, y)
    P = model.predict_proba(Z)
    assert np.allclose(P.sum(axis=1), 1)
    assert np.allclose(np.exp(model.predict_log_proba(Z)), P)
    assert np.array_equal(model.classes_[P.argmax(axis=1)], model.predict(Z))
    for kind in (KernelFisherClassifier, KernelPerceptron):
        assert not hasattr(kind().fit(Z, y), "predict_proba")


def test_parameters_can_be_searched():
    Z, y = scene(n=80)
    search = GridSearchCV(KernelFisherClassifier(), {"gamma": [0.01, 1.0],
                                                     "regularization": [1e-3, 10.0]}, cv=3)
    assert search.fit(Z, y).best_score_ > 0.8


# ------------------------------------------------ clusters


def test_sums_are_those_of_ordinary_means():
    flowers, _ = load_iris()
    found = KernelKMeans(3, kernel="linear", random_state=1).fit(flowers)
    peer = KMeans(3, n_init=10, random_state=0).fit(flowers)
    assert np.isclose(found.inertia_, peer.inertia_)
    assert np.array_equal(found.predict(flowers), found.labels_)


@pytest.mark.parametrize("seed", range(4))
def test_distances_are_those_to_means_of_explicit_columns(seed):
    Z, _ = scene(seed, n=70)
    P = squares(Z)
    weights = np.random.default_rng(seed).uniform(0.1, 2, 70)
    found = KernelKMeans(4, n_init=3, random_state=seed, **SQUARE).fit(
        Z, sample_weight=weights)
    means = np.array([np.average(P[found.labels_ == c], axis=0,
                                 weights=weights[found.labels_ == c]) for c in range(4)])
    distances = ((P[:, None] - means) ** 2).sum(axis=2)
    assert np.array_equal(distances.argmin(axis=1), found.labels_)
    assert np.isclose(weights @ distances.min(axis=1), found.inertia_)
    new = np.random.default_rng(9).normal(size=(200, 2))
    nearest = ((squares(new)[:, None] - means) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(found.predict(new), nearest)


def test_no_round_raises_the_sum():
    Z, _ = scene(n=120)
    K = rbf(Z, gamma=2.0)
    rng = np.random.default_rng(0)
    for _ in range(5):
        start = rng.integers(0, 5, 120)
        sums = [_cluster(K, np.ones(120), start, 5, rounds).inertia for rounds in range(12)]
        assert (np.diff(sums) <= 1e-9).all()


def test_an_empty_group_gets_the_row_farthest_from_its_mean():
    Z = np.array([[5.0, 0.0], [6.0, 0.0], [7.5, 0.0], [0.0, 1.0], [0.0, 2.0], [0.0, 9.0]])
    start = np.array([0, 0, 0, 1, 1, 1])  # means (6.2, 0) and (0, 4); group 2 has no row
    assert _cluster(Z @ Z.T, np.ones(6), start, 3, 1).labels.tolist() == [0, 0, 0, 1, 1, 2]
    heavy = np.array([1, 1, 1, 9, 1, 0.01])  # the mean of group 1 is now at 1.1
    assert _cluster(Z @ Z.T, heavy, start, 3, 1).labels.tolist() == [0, 0, 2, 1, 1, 1]


def test_clusters_with_weights_copies_and_order():
    Z, _ = scene(n=60)
    copies = np.random.default_rng(1).integers(0, 4, 60)
    order = np.random.default_rng(2).permutation(60)
    model = KernelKMeans(3, gamma=1.0, n_init=4)
    labels = model.fit(Z, sample_weight=copies).predict(Z)
    inertia = model.inertia_
    model.fit(Z.repeat(copies, axis=0))
    assert np.array_equal(model.predict(Z), labels) and np.isclose(model.inertia_, inertia)
    model.fit(Z[order], sample_weight=copies[order])
    assert np.array_equal(model.predict(Z), labels) and np.isclose(model.inertia_, inertia)


def test_rings_need_a_kernel():
    rng = np.random.default_rng(0)
    angle = rng.uniform(0, 2 * np.pi, 60)
    ring = 3 * np.column_stack([np.cos(angle), np.sin(angle)])
    Z = np.vstack([rng.normal(0, 0.3, (60, 2)), ring])
    drawn = np.repeat([0, 1], 60)

    def agreement(model):
        share = (model.fit(Z).labels_ == drawn).mean()
        return max(share, 1 - share)

    assert agreement(KernelKMeans(2, gamma=0.5)) == 1
    assert agreement(KernelKMeans(2, kernel="linear")) < 0.9


def test_seeds_are_spread_and_never_twice_the_same_row():
    Z = np.repeat(np.eye(5) * 10, 20, axis=0)
    K = Z @ Z.T
    for seed in range(10):
        seeds = _spread_seeds(K, np.ones(100), np.arange(100), 5,
                              np.random.default_rng(seed))
        assert sorted(seeds // 20) == [0, 1, 2, 3, 4]
    none = np.where(np.arange(100) < 20, 0.0, 1.0)
    assert (_spread_seeds(K, none, np.arange(100), 4, np.random.default_rng(0)) >= 20).all()


def test_fewer_different_rows_than_clusters():
    Z = np.repeat([[0.0, 0.0], [1.0, 1.0]], 5, axis=0)
    found = KernelKMeans(4, gamma=1.0).fit(Z)
    assert found.inertia_ < 1e-12
    assert len(set(found.labels_[:5])) >= 1 and set(found.labels_[:5]).isdisjoint(
        found.labels_[5:])
    assert np.isin(found.predict(Z), found.labels_).all()


def test_shares_of_a_mean_sum_to_one():
    parts = _mean_weights(np.array([0, 0, 2]), np.array([1.0, 3.0, 2.0]), 3)
    assert parts.tolist() == [[0.25, 0, 0], [0.75, 0, 0], [0, 0, 1]]


# ------------------------------------------------ axes


@pytest.mark.parametrize("n", [50, 260])
@pytest.mark.parametrize("metric, ours", [
    ("rbf", {"kernel": "rbf", "gamma": 0.1}),
    ("poly", {"kernel": "polynomial", "gamma": 0.1, "degree": 3, "coef0": 1.0}),
    ("linear", {"kernel": "linear"})])
@pytest.mark.parametrize("m", [2, 7, None])
def test_axes_are_those_of_scikit_learn(n, metric, ours, m):
    X = np.random.default_rng(0).normal(size=(n, 9)) * np.linspace(1, 3, 9)
    new = np.random.default_rng(1).normal(size=(20, 9))
    found = KernelPCA(m, **ours).fit(X)
    options = {k: v for k, v in ours.items() if k != "kernel"}
    peer = PeerPCA(m, kernel=metric, remove_zero_eig=True, **options).fit(X)
    k = min(len(found.eigenvalues_), 15)
    assert m is None or len(found.eigenvalues_) == min(m, len(peer.eigenvalues_))
    assert np.allclose(found.eigenvalues_[:k], peer.eigenvalues_[:k])
    assert np.allclose(abs(found.transform(new)[:, :k]), abs(peer.transform(new)[:, :k]),
                       atol=1e-6)
    assert np.allclose(found.fit_transform(X), found.transform(X), atol=1e-6)


def test_the_first_axes_alone_and_all_at_once():
    X = load_digits()[0].to_numpy(dtype=float)[:400]
    K = _kernel_of("rbf", "scale", 3, 0.0, X).matrix(X)
    values, vectors = _leading_axes(K, 12)
    C = np.eye(400) - 1 / 400
    all_values, all_vectors = np.linalg.eigh(C @ K @ C)
    assert np.allclose(values, all_values[:-13:-1])
    assert np.allclose(abs((vectors * all_vectors[:, :-13:-1]).sum(axis=0)), 1)
    assert _leading_axes(K[:100, :100], 2) is None and _leading_axes(K, 100) is None
    _, signed = _kernel_axes(K, 12)
    assert (signed[abs(signed).argmax(axis=0), np.arange(12)] > 0).all()


def test_places_keep_the_distances_of_the_kernel():
    Z, _ = scene(n=50)
    K, P = rbf(Z), KernelPCA(gamma=0.5).fit_transform(Z)
    assert np.allclose(P.mean(axis=0), 0)
    own = K.diagonal()
    assert np.allclose(((P[:, None] - P) ** 2).sum(axis=2), own[:, None] - 2 * K + own,
                       atol=1e-7)


def test_frames_go_in_and_come_out():
    X, _ = load_titanic()
    X = X[::15]
    model = KernelPCA(3)
    places = model.fit_transform(X)
    assert list(places.columns) == ["axis 1", "axis 2", "axis 3"]
    assert list(model.get_feature_names_out()) == list(places.columns)
    assert places.index.equals(X.index)
    assert np.allclose(places, model.transform(X))
    numbers = np.random.default_rng(0).normal(size=(30, 3))
    framed = KernelPCA(2).set_output(transform="pandas").fit_transform(numbers)
    assert isinstance(framed, pd.DataFrame)
    assert np.allclose(framed, KernelPCA(2).fit_transform(numbers))


def test_a_precomputed_kernel_finds_the_same_axes_and_clusters():
    Z, _ = scene(n=60)
    new = np.random.default_rng(3).normal(size=(30, 2))
    one = KernelPCA(4, gamma=0.5).fit(Z).transform(new)
    assert np.allclose(one, KernelPCA(4, "precomputed").fit(rbf(Z)).transform(rbf(new, Z)))
    K = rbf(Z)
    before = K.copy()
    groups = KernelKMeans(3, "precomputed", n_init=200).fit(K)
    assert np.array_equal(K, before)
    assert np.isclose(groups.inertia_, KernelKMeans(3, gamma=0.5, n_init=200).fit(Z)
                      .inertia_)
    assert np.array_equal(groups.predict(K), groups.labels_)


# ------------------------------------------------ stored, and bad input


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_json_there_and_back(kind, kernel):
    Z, y = scene(n=60)
    X = rbf(Z) if kernel == "precomputed" else pd.DataFrame(Z, columns=["a", "b"])
    model = kind(kernel=kernel).fit(X, y)
    ask = next(name for name in ("decision_function", "transform", "predict")
               if hasattr(model, name))
    again = kind.from_json(model.to_json())
    assert np.array_equal(getattr(model, ask)(X), getattr(again, ask)(X))
    once_more = from_json(to_json(model))
    assert np.array_equal(getattr(model, ask)(X), getattr(once_more, ask)(X))
    json.loads(model.to_json())
    with pytest.raises(TypeError, match="can't be written to JSON"):
        kind(kernel=rbf).fit(Z, y).to_json()


@pytest.mark.parametrize("kind", EVERY)
def test_bad_input_is_named(kind):
    Z, y = scene(n=40)
    holes = pd.DataFrame(Z, columns=["height", "weight"])
    holes.iloc[3, 1] = np.nan
    for X, error, words in (
        (holes, ValueError, "weight"), (sparse.csr_array(Z), TypeError, "LinearSVM"),
        (Z[:0], ValueError, "0"), (Z[:, :0], ValueError, "0"),
        (np.full((40, 2), 1e200), ValueError, "scale|large|axis"),
    ):
        with pytest.raises(error, match=words):
            kind(kernel="rbf").fit(X, y[:len(holes)] if X.shape[0] else y[:0])
    for wrong, words in (({"kernel": "gaussian"}, "rbf"), ({"kernel": "wide"}, "kernel"),
                         ({"gamma": -1}, "gamma"), ({"gamma": "wide"}, "gamma"),
                         ({"degree": 0}, "degree"), ({"coef0": np.nan}, "coef0")):
        with pytest.raises(ValueError, match=words):
            kind(**wrong).fit(Z, y)
    with pytest.raises(ValueError, match="square"):
        kind(kernel="precomputed").fit(Z, y)
    crooked = rbf(Z)
    crooked[3, 5] = 0.7
    with pytest.raises(ValueError, match="symmetric"):
        kind(kernel="precomputed").fit(crooked, y)
    with pytest.raises(NotFittedError):
        getattr(kind(), "predict" if hasattr(kind, "predict") else "transform")(Z)
    fitted = kind().fit(Z, y)
    with pytest.raises(ValueError, match="3"):
        getattr(fitted, "predict" if hasattr(kind, "predict") else "transform")(
            np.zeros((4, 3)))
    with pytest.raises(TypeError, match="LinearSVM"):
        getattr(fitted, "predict" if hasattr(kind, "predict") else "transform")(
            sparse.csr_array(Z))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_labels_and_weights_that_are_no_use(kind):
    Z, y = scene(n=40)
    with pytest.raises(ValueError, match="one class, 7"):
        kind().fit(Z, np.full(40, 7))
    with pytest.raises(ValueError, match="one class"):
        kind().fit(Z, y, (y == 1).astype(float))
    with pytest.raises(ValueError, match="zero"):
        kind().fit(Z, y, np.zeros(40))
    with pytest.raises(ValueError, match="NaN"):
        kind().fit(Z, np.where(y == 1, np.nan, y.astype(float)))
    with pytest.raises(ValueError, match="one class"):
        kind().fit(Z[:1], y[:1])


@pytest.mark.parametrize("model, words", [
    (KernelLogisticClassifier(C=0), "C is 0"),
    (KernelLogisticClassifier(max_iter=0), "max_iter"),
    (KernelLogisticClassifier(tol=-1), "tol"),
    (KernelFisherClassifier(regularization=0), "regularization"),
    (KernelFisherClassifier(regularization="small"), "regularization"),
    (KernelPerceptron(variant="pocket"), "variant"),
    (KernelPerceptron(max_iter=0), "max_iter"),
    (KernelPerceptron(n_iter_no_change=0), "n_iter_no_change"),
    (KernelPerceptron(random_state="seed"), "random_state"),
    (KernelKMeans(0), "n_clusters"), (KernelKMeans(2, n_init=0), "n_init"),
    (KernelKMeans(2, max_iter=1.5), "max_iter"), (KernelKMeans(41), "n_clusters"),
    (KernelPCA(0), "n_components"), (KernelPCA("two"), "n_components")])
def test_wrong_parameters_are_named(model, words):
    Z, y = scene(n=40)
    with pytest.raises(ValueError, match=words):
        model.fit(Z, y)


@pytest.mark.parametrize("kind", EVERY)
def test_kernels_that_are_none(kind):
    """An answer or a clear error, never an endless loop or a NaN."""
    Z, y = scene(n=60)
    try:
        model = kind(kernel="sigmoid", gamma=0.5, coef0=-1.0).fit(Z, y)
    except ValueError as error:
        assert "negative eigenvalues" in str(error)
        assert kind is not KernelPerceptron
    else:
        ask = next(name for name in ("decision_function", "transform", "predict")
                   if hasattr(model, name))
        assert np.isfinite(getattr(model, ask)(Z)).all()
    with pytest.raises(ValueError, match="negative eigenvalues"):
        KernelPCA(kernel="sigmoid", gamma=0.5, coef0=-1.0).fit(Z)


@pytest.mark.parametrize("kind", EVERY)
@pytest.mark.parametrize("factor", [1e-8, 1e6, 1e100])
def test_scales_do_not_matter_with_gamma_by_scale(kind, factor):
    Z, y = scene(n=60)
    ask = "transform" if kind is KernelPCA else "predict"
    # the perceptron's order comes from the numbers
    options = {"shuffle": False} if kind is KernelPerceptron else {}
    options |= {"n_components": 8} if kind is KernelPCA else {}
    one = getattr(kind(**options).fit(Z, y), ask)(Z)
    other = getattr(kind(**options).fit(Z * factor, y), ask)(Z * factor)
    assert np.allclose(one, other, atol=1e-5)


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_rows_that_are_all_equal(kind):
    X, y = np.ones((20, 3)), np.array([0] * 13 + [1] * 7)
    assert (KernelLogisticClassifier().fit(X, y).predict(X) == 0).all()
    scores = kind().fit(X, y).decision_function(X)
    assert np.isfinite(scores).all() and np.ptp(scores) == 0
    zero = kind("linear").fit(np.zeros((20, 3)), y).decision_function(X)
    assert np.isfinite(zero).all()


def test_same_seed_same_model():
    Z, y = scene(n=80)
    first = KernelPerceptron(random_state=3).fit(Z, y).decision_function(Z)
    assert np.array_equal(first, KernelPerceptron(random_state=3).fit(Z, y)
                          .decision_function(Z))
    groups = [KernelKMeans(4, random_state=s).fit(Z).labels_ for s in (1, 1)]
    assert np.array_equal(*groups)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(25))
def test_many_random_tables(seed):
    """Explicit columns again, on tables of many sizes, with weights and equal rows."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(12, 150))
    Z = rng.normal(size=(n, 2)).round(int(rng.integers(0, 3)))
    y = np.concatenate([np.arange(3), rng.integers(0, 3, n - 3)])
    weights = rng.uniform(0.1, 3, n)
    ours = KernelLogisticClassifier(C=1 / 0.3, **SQUARE).fit(Z, y, weights)
    peer = LogisticRegression(C=1 / 0.3, tol=1e-12, max_iter=100_000)
    peer.fit(squares(Z), y, weights)
    assert np.allclose(ours.predict_proba(Z), peer.predict_proba(squares(Z)), atol=1e-4)
    m = int(rng.integers(1, 6))
    places = KernelPCA(m, gamma=0.3).fit_transform(Z)
    C = np.eye(n) - 1 / n
    values = np.linalg.eigvalsh(C @ rbf(Z, gamma=0.3) @ C)[::-1][:places.shape[1]]
    assert np.allclose((places**2).sum(axis=0), values)


@pytest.mark.deep
def test_digits_in_earnest():
    X, y = load_digits()
    known = np.arange(len(y)) % 2 == 0
    for model, least in ((KernelLogisticClassifier(C=100), 0.97),
                         (KernelFisherClassifier(), 0.98), (KernelPerceptron(), 0.96)):
        assert model.fit(X[known], y[known]).score(X[~known], y[~known]) > least
    Z = Standardizer().fit_transform(X)
    assert KernelPCA(10).fit(Z).transform(Z).shape == (len(y), 10)


@pytest.mark.parametrize("kind", [KernelPCA, KernelKMeans])
def test_matrices_that_are_no_dot_products_are_refused(kind):
    X = 3 * np.random.default_rng(0).normal(size=(30, 3))
    with pytest.raises(ValueError, match="negative eigenvalues"):
        kind(2, kernel="sigmoid").fit(X)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    with pytest.raises(ValueError, match="negative eigenvalues"):
        kind(2, kernel="precomputed").fit(squares)
    # minus squared distances are none either, but about the mean they are: twice X @ X.T
    kind(2, kernel="precomputed").fit(-squares)
    kind(2, kernel="polynomial", coef0=1).fit(X)
